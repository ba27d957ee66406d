#!/usr/bin/env python3
"""Shows which passes changed something, and what.

usage: diff_passes.py DIR [--names]

DIR is what `symc-opt --mlir-print-ir-tree-dir=DIR` wrote: one file a pass,
named NUMBER_PASS.mlir, in nested folders where pipelines nest. Prints a diff
for each pass whose output differs from the output before it, in the order in
which the passes ran; with --names only their names.
"""
import difflib
import os
import re
import sys


def natural(path):
    """Sorts 2_x before 10_x, folder by folder."""
    return [[int(word) if word.isdigit() else word for word in re.split(r"(\d+)", part)]
            for part in path.split(os.sep)]


def outputs(top):
    """(pass name, text) in the order of the run; a folder's files follow its number."""
    paths = [os.path.relpath(os.path.join(folder, name), top)
             for folder, _, names in os.walk(top) for name in names if name.endswith(".mlir")]
    for path in sorted(paths, key=natural):
        with open(os.path.join(top, path), encoding="utf-8") as file:
            yield re.sub(r"^[\d_]+", "", os.path.basename(path))[:-len(".mlir")], file.read()


def main():
    names_only = "--names" in sys.argv
    folders = [word for word in sys.argv[1:] if word != "--names"]
    if len(folders) != 1 or not os.path.isdir(folders[0]):
        sys.exit("usage: diff_passes.py DIR [--names]")
    before = None
    for name, text in outputs(folders[0]):
        if before is not None and text != before:
            print("== " + name)
            if not names_only:
                sys.stdout.writelines(difflib.unified_diff(
                    before.splitlines(True), text.splitlines(True), "before " + name, "after " + name, n=2))
        before = text


if __name__ == "__main__":
    main()

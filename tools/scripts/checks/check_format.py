#!/usr/bin/env python3
"""Checks that C++ and C files are formatted as .clang-format specifies.

Usage: check_format.py [ROOT] [--fix]
--fix rewrites the files. Assumes clang-format-22, which tools/scripts/setup
installs; other versions break lines elsewhere.
"""
import os
import re
import shutil
import subprocess
import sys

from source_tree import list_files, report

TOOL = "clang-format-22"
SUFFIXES = (".cpp", ".h", ".hpp", ".c", ".cu")
AT_ONCE = 40


def problems_of(output):
    """One problem a file from clang-format's warnings: its first breach."""
    first = {}
    for path, line in re.findall(r"^(.+?):(\d+):\d+: \w+: code should be clang-formatted", output, re.M):
        first.setdefault(path, line)
    return ["%s:%s: not formatted; run %s -i on it" % (path, line, TOOL) for path, line in first.items()]


def main():
    arguments = [word for word in sys.argv[1:] if word != "--fix"]
    fix = "--fix" in sys.argv
    root = arguments[0] if arguments else "."
    if not shutil.which(TOOL):
        sys.exit("check_format: there is no %s; tools/scripts/setup installs it" % TOOL)
    paths = list_files(root, SUFFIXES)
    problems = []
    for first in range(0, len(paths), AT_ONCE):
        result = subprocess.run([TOOL, *(["-i"] if fix else ["--dry-run"]), *paths[first:first + AT_ONCE]],
                                cwd=os.path.abspath(root), text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)
        if result.returncode:
            sys.exit("check_format: %s failed:\n%s" % (TOOL, result.stdout))
        problems.extend(problems_of(result.stdout))
    sys.exit(report("format", problems, "files"))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Checks that docs/generated holds exactly the pages that the build made.

usage: check_generated.py SOURCE BUILD [--update]
With --update the pages that the build made are copied from its folder instead. A page that it
did not make stays, as it may be one of a target that was not built, and is reported.
"""
import os
import shutil
import sys

from source_tree import report, source_and_build


def pages(folder):
    if not os.path.isdir(folder):
        return {}
    return {name: open(os.path.join(folder, name), encoding="utf-8").read()
            for name in sorted(os.listdir(folder)) if name.endswith(".md")}


def main():
    source, build = [os.path.join(folder, "docs", "generated") for folder in source_and_build(__doc__)]
    made = pages(build)
    if not made:
        print("generated: %s has no pages; the build makes them" % build)
        sys.exit(1)
    if "--update" in sys.argv:
        os.makedirs(source, exist_ok=True)
        for name in made:
            shutil.copyfile(os.path.join(build, name), os.path.join(source, name))
    kept = pages(source)
    problems = ["docs/generated/%s: %s" % (name, "stale" if name in kept else "missing")
                for name in made if kept.get(name) != made[name]]
    lost = sorted(set(kept) - set(made))
    stale = bool(problems)
    problems += ["docs/generated/%s: the build did not make it; build all, and remove it if nothing does" % name for name in lost]
    if stale:
        print("run tools/scripts/checks/check_generated.py %s %s --update" % tuple(word for word in sys.argv[1:] if word != "--update"))
    sys.exit(report("generated", problems, "pages differ"))


if __name__ == "__main__":
    main()

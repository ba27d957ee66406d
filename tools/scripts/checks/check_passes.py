#!/usr/bin/env python3
"""Checks that each pass has a file of its own, an example and its tests.

usage: check_passes.py SOURCE

A pass of codegen/Passes.td or passes/Passes.td
* is defined (GEN_PASS_DEF) by a file that its flag names (kernel-row-bands: RowBands.cpp), alone in it;
* stands in a lit test, which shows that it fires;
* of codegen stands in test/codegen/pipeline/twice.mlir, which runs it twice, and in a comment of a lit test that runs it:
  "Nearest miss of kernel-row-bands: ..." above a case that it leaves as it is;
* of codegen has IR before and after, fenced, in its description.
"""
import glob
import os
import re
import sys

from source_tree import report

PASS = re.compile(r'^def (\w+) : Pass<"([a-z0-9-]+)".*?^}$', re.M | re.S)
ONCE = ("kernel-print-cuda",)  # prints, and changes nothing


def file_name(flag):
    """RowBands.cpp of kernel-row-bands."""
    return "".join(word.capitalize() for word in flag.split("-")[1:]) + ".cpp"


def has_miss(flag, test):
    """Whether a test that runs the pass has a case that it names as one that the pass leaves."""
    runs = re.search(r"^//.*RUN:.*%s\b" % flag, test, re.M)
    return runs and re.search(r"\bNearest miss(?:es)? (?:\w+ ){0,3}?(?:of|in)\s+(?://\s*)?%s\b" % flag, test)


def check(root, declared, folder, tests, twice):
    """The problems of the passes that the file `declared` has; `tests`: the texts of all of them."""
    problems = []
    with open(os.path.join(root, declared)) as file:
        text = file.read()
    for match in PASS.finditer(text):
        name, flag = match.groups()
        definition = "#define GEN_PASS_DEF_%s\n" % name.upper()
        path = os.path.join(folder, file_name(flag))
        own = ""
        if os.path.exists(os.path.join(root, path)):
            with open(os.path.join(root, path)) as file:
                own = file.read()
        if definition not in own and flag.startswith("kernel-"):
            problems.append("%s: %s is not defined in %s" % (declared, flag, path))
        if own.count("#define GEN_PASS_DEF_") > 1:
            problems.append("%s: holds several passes" % path)
        if not any(flag in test for test in tests):
            problems.append("%s: no lit test runs %s" % (declared, flag))
        if twice is not None and flag not in twice and flag not in ONCE:
            problems.append("%s: test/codegen/pipeline/twice.mlir does not run %s" % (declared, flag))
        if twice is not None and not any(has_miss(flag, test) for test in tests):
            problems.append("%s: no lit test that runs %s has a case 'Nearest miss of %s'" % (declared, flag, flag))
        if twice is not None and "```" not in match.group(0):
            problems.append("%s: the description of %s has no IR before and after" % (declared, flag))
    return problems


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip() if sys.argv[1:] in (["-h"], ["--help"]) else "usage: check_passes.py SOURCE")
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    root = sys.argv[1]
    tests = []
    for path in glob.glob(os.path.join(root, "test", "**", "*.mlir"), recursive=True):
        with open(path) as file:
            tests.append(file.read())
    with open(os.path.join(root, "test/codegen/pipeline/twice.mlir")) as file:
        twice = file.read()
    problems = check(root, "codegen/Passes.td", "codegen/passes", tests, twice)
    problems += check(root, "passes/Passes.td", "passes", tests, None)
    return report("passes", problems, "problems")


if __name__ == "__main__":
    sys.exit(main())

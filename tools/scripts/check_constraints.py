#!/usr/bin/env python3
"""Checks that promise, check and test of each operator constraint agree.

The promise is a line `C2:` in the description of an op in ir/ops/*.td, the
check a comment `// C2` in a method of that op's class in the .cpp beside it,
the test a function `@<mnemonic>_c2` in test/ops/*.mlir. Each set must hold the
same numbers.
"""
import re
import sys

import known_gaps
from source_tree import list_files, read, report

DEF = re.compile(r'^def\s+(?:SG_)?(\w+?)\s*:\s*\w+\s*<\s*"(\w+)"', re.M)
PROMISE = re.compile(r"^\s*(C\d+):", re.M)
METHOD = re.compile(r"\b(\w+Op)::\w+\s*\(")
CHECK = re.compile(r"//\s*(C\d+(?:\s*,\s*C\d+)*)\b")
TEST = re.compile(r"@(\w+?)_(c\d+)(?![A-Za-z0-9])")


def promises(root):
    """{mnemonic: (class name, {C1, ...})} and where each op stands."""
    found = {}
    for path in list_files(root, (".td",), "ir/"):
        text = read(root, path)
        starts = list(DEF.finditer(text))
        for index, match in enumerate(starts):
            end = starts[index + 1].start() if index + 1 < len(starts) else len(text)
            numbers = set(PROMISE.findall(text[match.start():end]))
            found[match.group(2)] = (match.group(1), numbers, path)
    return found


def checks(root):
    """{class name: {C1, ...}} from the comments inside methods."""
    found = {}
    for path in list_files(root, (".cpp",), "ir/"):
        owner = None
        for line in read(root, path).splitlines():
            match = METHOD.search(line)
            if match and not line.startswith(" "):
                owner = match.group(1)
            for numbers in CHECK.findall(line):
                if owner:
                    found.setdefault(owner, set()).update(re.split(r"\s*,\s*", numbers))
    return found


def tests(root):
    """{mnemonic: {C1, ...}} from the names of test functions."""
    found = {}
    for path in list_files(root, (".mlir", ".test"), "test/ops/"):
        for mnemonic, number in TEST.findall(read(root, path)):
            found.setdefault(mnemonic, set()).add(number.upper())
    return found


def main():
    arguments = [word for word in sys.argv[1:] if word != "--update"]
    root = arguments[0] if arguments else "."
    checked, tested = checks(root), tests(root)
    gaps = {}
    for mnemonic, (name, promised, path) in promises(root).items():
        sets = {"promise": promised, "check": checked.get(name, set()),
                "test": tested.get(mnemonic, set())}
        for number in sorted(set.union(*sets.values())):
            missing = [kind for kind, numbers in sets.items() if number not in numbers]
            if missing:
                gaps["%s %s has no %s" % (mnemonic, number, " and no ".join(missing))] = path
    known = set(promises(root))
    for mnemonic in sorted(set(tested) - known):
        gaps["@%s_c... tests no operator of the table" % mnemonic] = "test/ops"
    problems = known_gaps.compare(root, "constraints.txt", gaps, "--update" in sys.argv)
    sys.exit(report("constraints", problems, "disagreements"))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Checks that promise, check and test of each operator constraint agree.

The promise is a line `C2:` in the description of an op in ir/ops/*.td, the
check a comment `// C2` in a method of that op's class in the .cpp beside it,
the test a function `@<mnemonic>_c2` in test/ops/*.mlir. Each set must hold the
same numbers.

A check that states a need of extents (ir/Conditions.h), itself or by a function of ir/,
has a second test, `@<mnemonic>_c2_range`, of what becomes of it where an extent is a range.
An operator that states needs in a method whose checks stand elsewhere has one at least.
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
RANGE = re.compile(r"@(\w+?)_(c\d+)_range(?![A-Za-z0-9])")


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


def tests(root, pattern=TEST):
    """{mnemonic: {C1, ...}} from the names of test functions."""
    found = {}
    for path in list_files(root, (".mlir", ".test"), "test/ops/"):
        for mnemonic, number in pattern.findall(read(root, path)):
            found.setdefault(mnemonic, set()).add(number.upper())
    return found


def functions(text):
    """(name of the class or "", name, body) of each function at the margin of a C++ file."""
    lines = text.splitlines()
    start = None
    for index, line in enumerate(lines):
        if start is None and line and line[0] not in " }#/" and "(" in line and not line.endswith(";"):
            start = index
        if start is not None and (line.startswith("}") or (index == start and line.rstrip().endswith("}"))
                                  or re.search(r"\}\s*//[^\n]*$", line) and index == start):
            head = lines[start]
            name = re.search(r"(?:\b(\w+Op)::)?(\w+)\s*\(", head)
            if name:
                yield name.group(1) or "", name.group(2), lines[start:index + 1]
            start = None
        elif start is not None and line.endswith(";") and "{" not in "".join(lines[start:index + 1]):
            start = None


def needs(root):
    """{class name: {C1, ...}} of checks that state needs; the set is empty where they stand elsewhere."""
    bodies = []
    for path in list_files(root, (".cpp", ".h"), "ir/"):
        if not path.startswith("ir/Conditions"):
            bodies.extend(functions(read(root, path)))
    helpers, grown = {"need"}, True
    while grown:
        grown = False
        calls = re.compile(r"\b(?:%s)\s*\(" % "|".join(sorted(helpers)))
        for owner, name, body in bodies:
            if not owner and name not in helpers and any(calls.search(line) for line in body):
                helpers.add(name)
                grown = True
    found = {}
    for owner, _, body in bodies:
        stating = [line for line in body if calls.search(line)]
        if owner and stating:
            numbers = found.setdefault(owner, set())
            for line in stating:
                if not METHOD.match(line) or METHOD.search(line).end() < calls.search(line).start():
                    for listed in CHECK.findall(line):
                        numbers.update(re.split(r"\s*,\s*", listed))
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
    ranged, stated = tests(root, RANGE), needs(root)
    for mnemonic, (name, _, path) in promises(root).items():
        have, wanted = ranged.get(mnemonic, set()), stated.get(name)
        if wanted is None:
            continue
        for number in sorted(wanted - have):
            gaps["%s %s has no test of a range" % (mnemonic, number)] = path
        if not have:
            gaps["%s has no test of a range" % mnemonic] = path
    known = set(promises(root))
    for mnemonic in sorted(set(tested) - known):
        gaps["@%s_c... tests no operator of the table" % mnemonic] = "test/ops"
    problems = known_gaps.compare(root, "constraints.txt", gaps, "--update" in sys.argv)
    sys.exit(report("constraints", problems, "disagreements"))


if __name__ == "__main__":
    main()

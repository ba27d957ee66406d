#!/usr/bin/env python3
"""Checks that sources, tests and pages use none of the words that docs/glossary.md retires:
the rows of its table "Retired words", each a word in backquotes and what to say instead.
"In turn" may stay.
"""
import re
import sys

from source_tree import list_files, read, report

GLOSSARY = "docs/glossary.md"
SUFFIXES = (".cpp", ".h", ".c", ".cu", ".td", ".def", ".py", ".mlir", ".test", ".cmake", ".txt", ".md")
# What was decided keeps its words, and so do the names of committed cases.
EXEMPT = (GLOSSARY, "test/unit/scripts/test_checks.py", "docs/decisions/", "test/conformance/", "tools/scripts/cases/conformance_", "CHANGELOG.md")


def retired(glossary):
    """[(pattern, word, what to say instead)]"""
    table = glossary.partition("## Retired words")[2]
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]+?) \|$", table, re.M)
    return [(re.compile(r"(?<![\w-])(?<!\bin )%s(?![\w-])" % re.escape(word), re.I), word, instead) for word, instead in rows]


def check_file(path, text, words):
    problems = []
    for pattern, word, instead in words:
        for match in pattern.finditer(text):
            problems.append("%s:%d: '%s' is retired; say %s" % (path, text.count("\n", 0, match.start()) + 1, word, instead))
    return problems


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    words = retired(read(root, GLOSSARY))
    if not words:
        sys.exit("check_words: %s has no table of retired words" % GLOSSARY)
    problems = []
    for path in list_files(root, SUFFIXES):
        if not path.startswith(EXEMPT):
            problems.extend(check_file(path, read(root, path), words))
    sys.exit(report("words", problems, "retired words"))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Checks that a kernel that refuses what it finds has a reason, by name (runtime/core/refusals.h).

Kernels (runtime/kernels) return SYMC_STATUS_OK, what they were returned, refuse(Refusal::NAME), or one of NAMED,
whose sentences are reasons by themselves. Any other status would end a run without a cause. A reason that no
kernel has, and two with one number, are mistakes, too.
"""
import re
import sys

from source_tree import line_of, list_files, read, report, without_comments

LIST = "runtime/core/refusals.h"
NAMED = ("OK", "NO_LIBRARY", "BAD_DTYPE")
STATUS = re.compile(r"\bSYMC_STATUS_(\w+)")
REASON = re.compile(r"\bRefusal::(\w+)")
ROW = re.compile(r"\bX\((\w+), (\d+), (\w+),")


def check_texts(texts, rows):
    """`texts`: {path: text} of kernels; `rows`: the text of the list."""
    problems, used, numbers = [], set(), {}
    for path, text in sorted(texts.items()):
        code = without_comments(text)
        used.update(REASON.findall(code))
        problems += ["%s:%d: a kernel returns SYMC_STATUS_%s without a reason; use refuse(Refusal::NAME) of %s" %
                     (path, line_of(text, match.start()), match.group(1), LIST)
                     for match in STATUS.finditer(code) if match.group(1) not in NAMED]
    for match in ROW.finditer(rows):
        name, number, _ = match.groups()
        where = "%s:%d: " % (LIST, line_of(rows, match.start()))
        if numbers.setdefault(number, name) != name:
            problems.append(where + "%s and %s have number %s" % (numbers[number], name, number))
        if name not in used:
            problems.append(where + "no kernel refuses anything for the reason %s" % name)
    return problems


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    texts = {path: read(root, path) for path in list_files(root, (".cpp", ".h"), "runtime/kernels/")}
    sys.exit(report("statuses", check_texts(texts, read(root, LIST)), "statuses without a reason"))


if __name__ == "__main__":
    main()

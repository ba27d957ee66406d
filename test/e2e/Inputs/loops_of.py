#!/usr/bin/env python3
"""Prints the innermost loops that multiply of a function in x86-64 assembly on standard input.

    loops_of.py FUNCTION

A line a loop: its multiply-adds, and the vectors that it moves to or from the stack.
"""
import re
import sys

wanted, inside, last, labels, lines = sys.argv[1], False, -1, {}, sys.stdin.read().split("\n")
for i, line in enumerate(lines):
    found = re.match(r"([A-Za-z_]\w*):", line)
    if found:
        inside = found.group(1) == wanted
    found = re.match(r"(\.LBB\w+):", line)
    if found:
        labels[found.group(1)] = i
    jump = re.match(r"\s+j\w+\s+(\.LBB\w+)", line)
    if not inside or not jump or labels.get(jump.group(1), -1) <= last:
        continue
    last = i
    body = lines[labels[jump.group(1)]:i]
    multiplies = sum("fmadd" in code or "dpbf16ps" in code for code in body)
    moved = sum(re.search(r"[xyz]mm\d", code) is not None and "(%rsp" in code for code in body)
    if multiplies:
        print("%d multiply-adds, %d vectors on the stack" % (multiplies, moved))

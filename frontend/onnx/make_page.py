#!/usr/bin/env python3
"""Makes docs/generated/onnx-operators.md of what `symc --list-onnx-ops` prints.

usage: make_page.py SYMC PAGE
"""
import subprocess
import sys

HEAD = """# Operators of ONNX

Made of `symc --list-onnx-ops`: each row is an operator in a range of opsets of its domain. Attributes are `name:kind`, with a
default behind `=`; `!` marks those that a node has to have. [ONNX models](../onnx.md) specifies how they are read.

| operator | opsets | attributes, or why it is refused |
|---|---|---|
"""


def main():
    symc, page = sys.argv[1:]
    text = subprocess.run([symc, "--list-onnx-ops"], check=True, capture_output=True, text=True).stdout
    rows = []
    for line in text.splitlines():
        head, _, rest = line.partition(": ")
        operator, opsets = head.rsplit(" ", 1)
        if not rest.startswith("refused, "):
            rest = " ".join("`%s`" % word for word in rest.split())
        rows.append("| %s | %s | %s |\n" % (operator, opsets, rest))
    with open(page, "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(rows))


if __name__ == "__main__":
    main()

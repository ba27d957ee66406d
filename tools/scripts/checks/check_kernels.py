#!/usr/bin/env python3
"""Checks that the op table and kernels.def hold together.

usage: check_kernels.py SOURCE BUILD [--update]

Each row of runtime/include/symc/kernels.def names an operator of the dialect
(BUILD/ir/ops/*.json), appears once, and its scalar kernel is called
symc_ref_<mnemonic>_<dtype>. Each operator that reaches codegen, that is, each
that no pass decomposes or drops, has a scalar row; but sg.custom, whose kernels are in libraries of others.
"""
import re
import sys

import known_gaps
from source_tree import list_files, operator_records, read, report, source_and_build, without_comments

LIST = re.compile(r"^#define (\w+)\((\w+)\)((?:.*\\\n)*.*)$", re.M)
ROW = re.compile(r"^\s*SYMC_KERNEL\(\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*\)", re.M)
REMOVING = re.compile(r"passes/(Decompose|DropIdentities|ExpandBackward)\w*\.cpp$")
ROWS = "runtime/include/symc/kernels.def"


def operators(build):
    """{mnemonic: class name} of every operator in the dumped tables."""
    return {record["opName"]: re.sub(r"^SG_", "", record["!name"]) for record, _ in operator_records(build)}


def expand(text):
    """The rows of the list, with its macros over a mnemonic expanded."""
    macros = {name: (parameter, body.replace("\\\n", "\n")) for name, parameter, body in LIST.findall(text)}
    text = LIST.sub("", text)
    for _ in range(8):  # macros may use each other
        for name, (parameter, body) in macros.items():
            text = re.sub(r"\b%s\((\w+)\)" % name, lambda call: re.sub(
                r"(?:##)?\b%s\b(?:##)?" % parameter, call.group(1), body.replace("##" + parameter + "##", call.group(1))), text)
    return text


def main():
    source, build = source_and_build(__doc__)
    known = operators(build)
    problems = [] if known else ["%s/ir/ops holds no table: build symc first" % build]
    seen, scalar = set(), set()
    for mnemonic, dtype, symbol, isa in ROW.findall(expand(without_comments(read(source, ROWS)))):
        if mnemonic not in known:
            problems.append("%s: %s: no such operator" % (ROWS, mnemonic))
        if (mnemonic, dtype, isa) in seen:
            problems.append("%s: %s %s %s: given twice" % (ROWS, mnemonic, dtype, isa))
        seen.add((mnemonic, dtype, isa))
        if isa == "SCALAR":
            scalar.add(mnemonic)
            if symbol != "symc_ref_%s_%s" % (mnemonic, dtype.lower()):
                problems.append("%s: %s %s: the kernel is called %s" % (ROWS, mnemonic, dtype, symbol))
    removed = "".join(read(source, path) for path in list_files(source, (".cpp",), "passes/")
                      if REMOVING.search(path))
    gaps = {"%s has no reference kernel" % mnemonic: ROWS for mnemonic, name in known.items()
            if mnemonic not in scalar | {"custom"} and not re.search(r"\b%s\b" % name, removed)}
    problems += known_gaps.compare(source, "kernels.txt", gaps, "--update" in sys.argv)
    print("%d rows over %d of %d operators" % (len(seen), len(scalar), len(known)))
    sys.exit(report("kernels", problems, "problems"))


if __name__ == "__main__":
    main()

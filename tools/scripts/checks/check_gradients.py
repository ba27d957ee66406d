#!/usr/bin/env python3
"""Checks that each operator declares its gradient, and that a case of training shows each rule.

usage: check_gradients.py SOURCE BUILD [--update]

`gradient` of each operator of the table (BUILD/ir/ops/*.json) is one of the words of ir/GraphBase.td; operators
whose gradient is not written yet are known gaps (test/known-gaps/gradients.txt), which may only become fewer.
An operator with a rule stands in the graph of a case below SOURCE/test/conformance/train, under one of its names,
or in WITHOUT with the reason. symc-gradients compares the rules of these cases with differences, and fails on one
that none of them compares.
"""
import glob
import json
import os
import sys

import known_gaps
from check_cases import operators_of
from source_tree import operator_records, report, source_and_build

WORDS = ("rule", "zero", "none", "rewritten", "")
WITHOUT = {
    "batch_norm_with_relu": "MXNet computes it by oneDNN only, without the same results backwards",
    "custom": "no file names it: test/e2e/custom-gradients.test",
    "deformable_columns": "no file names it; cases of _contrib_DeformableConvolution have it",
    "dropout": "it draws a mask",
    "matrix_solve": "no file names it; cases of _npi_solve have it",
    "slice_assign": "MXNet registers no gradient of it",
    "slice_assign_scalar": "MXNet registers no gradient of it",
}


def operators(build):
    """{mnemonic: (gradient, names)}"""
    return {record["opName"]: (record["gradient"], {each for name in names for each in [name["name"], *name["aliases"]]})
            for record, names in operator_records(build)}


def undeclared(table):
    """(problems, gaps) of what operators declare."""
    problems = ["sg.%s: gradient is '%s', needs one of %s" % (op, word, ", ".join("'%s'" % w for w in WORDS))
                for op, (word, _) in sorted(table.items()) if word not in WORDS]
    return problems, {"sg." + op: "ir/ops" for op, (word, _) in table.items() if word == ""}


def untested(table, used):
    """Problems of rules that no case shows. `used`: operators of the cases' graphs."""
    problems = []
    for op, (word, names) in sorted(table.items()):
        if word != "rule":
            continue
        if not names & used and op not in WITHOUT:
            problems.append("sg.%s: no case of training has it: add one by tools/scripts/cases/make_training_cases.py" % op)
        elif names & used and op in WITHOUT:
            problems.append("check_gradients.py: WITHOUT: '%s' has a case" % op)
    return problems + ["check_gradients.py: WITHOUT: '%s' has no rule" % op for op in WITHOUT if table.get(op, ("",))[0] != "rule"]


def main():
    source, build = source_and_build(__doc__)
    table, used = operators(build), set()
    for path in glob.glob(os.path.join(source, "test", "conformance", "train", "*", "*", "symbol.json")):
        with open(path, encoding="utf-8") as file:
            used |= operators_of(json.load(file))
    problems, gaps = undeclared(table)
    problems += untested(table, used) if table else ["%s/ir/ops holds no table: build symc first" % build]
    problems += known_gaps.compare(source, "gradients.txt", gaps, "--update" in sys.argv)
    print("%d operators, %d of them with a rule" % (len(table), sum(word == "rule" for word, _ in table.values())))
    sys.exit(report("gradients", problems, "problems"))


if __name__ == "__main__":
    main()

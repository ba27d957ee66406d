#!/usr/bin/env python3
"""Checks that the project's conformance cases cover the op table and can fail.

usage: check_cases.py SOURCE BUILD

Every operator of the table (BUILD/ir/ops/*.json) that draws no random numbers stands in the
graph of a case below SOURCE/test/conformance/ops, under one of its names, or in WITHOUT with the
reason. MXNet computed the results of the operators that it registers, NumPy those of others. No tolerance admits zeros in place of an output of floats, unless that is all zeros.
"""
import glob
import json
import math
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import ndarray_file
from source_tree import operator_records, report, source_and_build

WITHOUT = {
    "_CrossDeviceCopy": "MXNet runs it between two devices only",
    "mp_lamb_update_phase2": "MXNet leaves the weight as it was, which it is there to change",
}


def operators(build):
    """{first name: all names} of operators that draw no numbers."""
    found = {}
    for record, names in operator_records(build):
        if not any(trait["def"] == "SG_DrawsNumbersInterface" for trait in record["traits"]):
            found.update((name["name"], {name["name"], *name["aliases"]}) for name in names)
    return found


def operators_of(graph):
    """The operators of a graph and of the graphs in it."""
    names = set()
    for node in graph["nodes"]:
        names.add(node["op"])
        for inner in node.get("subgraphs", []):
            names |= operators_of(inner)
    return names


def missing(table, used):
    """Problems of a table and the operators that cases have."""
    problems = []
    for first, names in sorted(table.items()):
        if not names & used and first not in WITHOUT:
            problems.append("operator '%s' has no case: add one to tools/scripts/cases/conformance_*.py" % first)
        elif names & used and first in WITHOUT:
            problems.append("check_cases.py: WITHOUT: '%s' has a case" % first)
    return problems + ["check_cases.py: WITHOUT: '%s' is not in the table" % name for name in WITHOUT if name not in table]


def registered():
    """Every name that MXNet registers."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "registered_operators.txt"), encoding="utf-8") as file:
        return {line.split(" = ")[0].strip() for line in file if line.strip() and not line.startswith("#")}


def odd_oracle(facts, names, table):
    """What is wrong with who computed a case's results, or None. `names`: those that MXNet registers; `table`: symc's."""
    by_numpy, is_mxnets = facts.get("oracle") == "numpy", facts["op"] in names
    if by_numpy and is_mxnets:
        return "operator '%s' is MXNet's: its results come from MXNet (tools/scripts/cases/make_conformance.py)" % facts["op"]
    if not by_numpy and not is_mxnets and facts["op"] in table:
        return "operator '%s' is none of MXNet's: its results come from NumPy (tools/scripts/cases/make_numpy_cases.py)" % facts["op"]
    return None


def loose(facts, outputs):
    """Numbers of outputs for which zeros would pass. `outputs`: lists of floats, None for others."""
    pairs = facts.get("tolerances") or [[facts["rtol"], facts["atol"]]] * len(outputs)
    numbers = []
    for index, values in enumerate(outputs):
        largest = max((abs(value) for value in values or () if math.isfinite(value)), default=0)
        if largest and pairs[index][1] >= 0.1 * largest:
            numbers.append(index)
    return numbers


def main():
    source, build = source_and_build(__doc__)
    used, problems, count, by_numpy = set(), [], 0, 0
    table, names = operators(build), registered()
    all_names = set().union(*table.values())
    for path in sorted(glob.glob(os.path.join(source, "test", "conformance", "ops", "*", "*", "case.json"))):
        folder, count = os.path.dirname(path), count + 1
        with open(os.path.join(folder, "symbol.json"), encoding="utf-8") as file:
            used |= operators_of(json.load(file))
        with open(path, encoding="utf-8") as file:
            facts = json.load(file)
        by_numpy += facts.get("oracle") == "numpy"
        odd = odd_oracle(facts, names, all_names)
        problems += ["%s: %s" % (os.path.relpath(path, source), odd)] if odd else []
        arrays = ndarray_file.read(os.path.join(folder, "io.params"))
        outputs = [arrays["out:%d" % index].floats() for index in range(sum(key.startswith("out:") for key in arrays))]
        problems += ["%s: output %d: a tolerance of %g lets zeros pass"
                     % (os.path.relpath(path, source), index, (facts.get("tolerances") or [[0, facts["atol"]]] * 99)[index][1])
                     for index in loose(facts, outputs)]
    problems += missing(table, used) if table else ["%s/ir/ops holds no table: build symc first" % build]
    print("%d cases, %d of them by NumPy, %d operators that draw no numbers" % (count, by_numpy, len(table)))
    sys.exit(report("cases", problems, "problems"))


if __name__ == "__main__":
    main()

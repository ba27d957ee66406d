#!/usr/bin/env python3
"""Writes conformance cases of operators that MXNet lacks: NumPy computes their results.

usage: make_numpy_cases.py DIR [OPERATOR...]
Needs a Python with NumPy. The cases are the rows of conformance_own_cases.py, and become DIR/ops/<operator>/<case>/ in the
form of make_conformance.py, with `"oracle": "numpy"` in case.json. The function of a row is written from the operator's
definition in NumPy's own terms, in float64 where it computes floats, and never by calling symc.
"""
import json
import os
import shutil
import sys
import zlib

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import needs

needs.modules("numpy")
import numpy as np

import conformance_own_cases
import ndarray_file

TOLERANCES = {"exact": (0.0, 0.0), "arithmetic": (1e-6, 1e-6), "function": (1e-5, 1e-6), "reduction": (1e-5, 1e-5),
              "product": (1e-4, 1e-5)}


def graph_of(case):
    """The symbol file of one node, of the operator, over variables."""
    nodes = [{"op": "null", "name": name, "inputs": []} for name in case.inputs]
    node = {"op": case.op, "name": case.op.strip("_").lower() + "0",
            "inputs": [[index, 0, 0] for index in range(len(nodes))]}
    if case.attrs:
        node["attrs"] = {key: str(value) for key, value in case.attrs.items()}
    return {"nodes": nodes + [node], "arg_nodes": list(range(len(nodes))), "node_row_ptr": list(range(len(nodes) + 2)),
            "heads": [[len(nodes), index, 0] for index in range(case.outputs)], "attrs": {"mxnet_version": ["int", 10901]}}


def results_of(case, inputs):
    """The outputs, as lists of arrays of the type that the operator gives."""
    given = {name: value.astype(np.float64) if value.dtype.kind == "f" else value for name, value in inputs.items()}
    found = case.compute(**given)
    found = found if isinstance(found, (list, tuple)) else [found]
    if len(found) != case.outputs:
        raise ValueError("%s/%s: %d outputs, and the function gives %d" % (case.op, case.name, case.outputs, len(found)))
    floats = next((value.dtype for value in inputs.values() if value.dtype.kind == "f"), np.dtype("float32"))
    return [np.ascontiguousarray(value, dtype=floats if np.asarray(value).dtype == np.float64 else None) for value in found]


def write(case, folder):
    rng = np.random.default_rng(zlib.crc32(("%s/%s" % (case.op, case.name)).encode()))
    inputs = {name: value if isinstance(value, np.ndarray) else rng.standard_normal(value).astype("float32")
              for name, value in case.inputs.items()}
    outputs = results_of(case, inputs)
    rtol, atol = TOLERANCES[case.tolerance]
    graph = graph_of(case)
    node = graph["nodes"][-1]["name"]
    names = ["%s_output" % node] if case.outputs == 1 else ["%s_output%d" % (node, index) for index in range(case.outputs)]
    os.makedirs(folder)
    ndarray_file.save(os.path.join(folder, "io.params"),
                      {**{"data:" + name: value for name, value in inputs.items()},
                       **{"out:%d" % index: value for index, value in enumerate(outputs)}})
    with open(os.path.join(folder, "symbol.json"), "w", encoding="utf-8") as file:
        file.write(json.dumps(graph, separators=(",", ":")) + "\n")
    with open(os.path.join(folder, "case.json"), "w", encoding="utf-8") as file:
        json.dump({"op": case.op, "mode": "predict", "oracle": "numpy", "inputs": list(inputs), "outputs": names, "rtol": rtol,
                   "atol": atol, "json_format": "1.9.1", "note": case.note}, file, indent=1)
        file.write("\n")


def write_all(top, wanted):
    """Writes the cases below TOP of these operators, or of all; returns their number."""
    cases = [case for case in conformance_own_cases.cases if not wanted or case.op in wanted]
    for op in {case.op for case in cases}:
        shutil.rmtree(os.path.join(top, op), ignore_errors=True)
    for case in cases:
        write(case, os.path.join(top, case.op, case.name))
    return len(cases)


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: make_numpy_cases.py DIR [OPERATOR...]")
    print("%d cases by NumPy" % write_all(os.path.join(sys.argv[1], "ops"), set(sys.argv[2:])))


if __name__ == "__main__":
    main()

"""Cases of symc-conformance whose boolean_mask keeps no row; a graph with an array of no elements, and the array.

usage: no_rows.py LIB FOLDER    LIB: tools/scripts/lib
"""
import json
import os
import sys

import numpy as np

sys.path.append(sys.argv[1])
import ndarray_file


def write(name, nodes, heads, results):
    """nodes: (op, attrs, inputs as [node, output])."""
    folder = os.path.join(sys.argv[2], "none", name)
    os.makedirs(folder)
    inputs = {"data": np.arange(1, 7, dtype="float32").reshape(2, 3), "kept": np.zeros(2, "float32"),
              "other": np.ones((2, 4), "float32")}
    used = [each for each in inputs if any(each in places for _, _, places in nodes)]
    names = used + ["node%d" % i for i in range(len(nodes))]
    table = [{"op": "null", "name": each, "inputs": []} for each in used]
    for i, (op, attrs, places) in enumerate(nodes):
        table.append({"op": op, "name": "node%d" % i, "attrs": attrs, "inputs": [[names.index(each), 0, 0] for each in places]})
    graph = {"nodes": table, "arg_nodes": list(range(len(used))), "heads": [[len(table) - 1, i, 0] for i in range(heads)],
             "attrs": {"mxnet_version": ["int", 10901]}}
    with open(os.path.join(folder, "symbol.json"), "w") as file:
        json.dump(graph, file)
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump({"op": nodes[-1][0], "mode": "predict", "rtol": 0, "atol": 0, "inputs": used}, file)
    arrays = {"data:" + each: inputs[each] for each in used}
    ndarray_file.save(os.path.join(folder, "io.params"), {**arrays, **{"out:%d" % i: each for i, each in enumerate(results)}})


with open("exp-symbol.json", "w") as file:
    json.dump({"nodes": [{"op": "null", "name": "x", "inputs": []}, {"op": "exp", "name": "exp", "inputs": [[0, 0, 0]]}],
               "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"is_np_shape": ["int", 1]}}, file)
np.save("x.npy", np.zeros((2, 0, 5), "float32"))

none = ("_contrib_boolean_mask", {}, ["data", "kept"])
others = ("_contrib_boolean_mask", {}, ["other", "kept"])
write("matching", [none, ("_contrib_bipartite_matching", {"threshold": "1e-12"}, ["node0"])], 2,
      [np.empty(0, "float32"), np.full(3, -1, "float32")])
write("dot", [none, others, ("dot", {"transpose_a": "True"}, ["node0", "node1"])], 1, [np.zeros((3, 4), "float32")])
write("sum", [none, ("sum", {"axis": "0"}, ["node0"])], 1, [np.zeros(3, "float32")])

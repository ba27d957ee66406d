"""large_counts.py write KIND: a reduction of a + b, [50000, 1] and [1, 50000], as net-symbol.json.
large_counts.py arrays: a.npy and b.npy, and a64.npy and b64.npy, which are float64.
large_counts.py check KIND: compares out/KIND_output.npy with what the arrays give."""
import json
import sys

import numpy as np


def write(kind):
    op, attrs = ("norm", {"ord": "1"}) if kind == "sizes" else (kind.replace("64", ""), {})
    data = [{"op": "null", "name": name, "inputs": []} for name in "ab"]
    nodes = data + [{"op": "broadcast_add", "name": "all", "inputs": [[0, 0, 0], [1, 0, 0]]}]
    if kind == "prod":
        nodes.append({"op": "square", "name": "squares", "inputs": [[2, 0, 0]]})
        nodes.append({"op": "sign", "name": "ones", "inputs": [[3, 0, 0]]})
    nodes.append({"op": op, "name": kind, "attrs": attrs, "inputs": [[len(nodes) - 1, 0, 0]]})
    with open("net-symbol.json", "w") as file:
        json.dump({"nodes": nodes, "arg_nodes": [0, 1], "heads": [[len(nodes) - 1, 0, 0]]}, file)


def arrays():
    a, b = np.full((50000, 1), 1, "f4"), np.full((1, 50000), 0.5, "f4")
    a[49999] = b[0, 49999] = 4
    a[43000] = b[0, 7] = -8
    for name, array in (("a", a), ("b", b)):
        np.save(name + ".npy", array)
        np.save(name + "64.npy", array.astype("f8"))


def check(kind):
    (x, m), (y, n) = (np.unique(np.load(name).astype("f8"), return_counts=True) for name in ("a.npy", "b.npy"))
    values, counts = x[:, None] + y, m[:, None] * n.astype("f8")
    total = (values * counts).sum()
    wanted = {"sum": total, "nansum": total, "mean": total / 2.5e9, "max": 8, "min": -16, "prod": 1,
              "norm": np.sqrt((values * values * counts).sum()), "sizes": (abs(values) * counts).sum(),
              "argmax": 2499999999, "argmin": 2150000007}[kind.replace("64", "")]
    found = np.load("out/%s_output.npy" % kind).ravel()[0]
    exact = found.dtype == np.float64 and kind.startswith("arg")
    assert found == wanted if exact else abs(found / wanted - 1) < 1e-5, (kind, found, wanted)
    print("%s agrees" % kind)


if sys.argv[1] == "arrays":
    arrays()
else:
    {"write": write, "check": check}[sys.argv[1]](sys.argv[2])

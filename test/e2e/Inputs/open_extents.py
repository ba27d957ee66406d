"""open_extents.py write: nets whose first extent a run chooses, as NAME-symbol.json, with what NumPy computes.
open_extents.py check: runs each ./NAME with 1 to 6 rows, and compares with NumPy, or needs status 3 and the sentence."""
import glob
import json
import subprocess
import sys

import numpy as np

FOUR = np.arange(12, dtype="f4").reshape(4, 3)


def split(parts):
    return lambda x: np.array_split(x, parts)


def diagonal(x):
    return np.diagonal(x, 1)


# net: (rows that it takes, a part of the refusal, nodes). A node: operator, attributes, operands beside x, function.
NETS = {
    "even": ((2, 4, 6), "a multiple of num_outputs = 2", [
        ("SliceChannel", {"num_outputs": 2, "axis": 0}, [], lambda x: np.split(x, 2)),
        ("Reshape", {"shape": "(-4, -1, 2, 0)"}, [], lambda x: x.reshape(-1, 2, 3)),
        ("Reshape", {"shape": "(2, -1)"}, [], lambda x: x.reshape(2, -1)),
        ("Reshape", {"shape": "(6, -1)"}, [], lambda x: x.reshape(6, -1))]),
    "one": ((1,), "needs 1", [
        ("broadcast_axis", {"axis": 0, "size": 4}, [], lambda x: np.broadcast_to(x, (4, 3)))]),
    "four": ((1, 4), "needs 1 or 4", [
        ("broadcast_to", {"shape": "(4, 3)"}, [], lambda x: np.broadcast_to(x, (4, 3))),
        ("broadcast_like", {}, ["four"], lambda x: np.broadcast_to(x, (4, 3))),
        ("broadcast_add", {}, ["four"], lambda x: x + FOUR),
        ("broadcast_mul", {}, ["four"], lambda x: x * FOUR),
        ("_npi_subtract", {}, ["four"], lambda x: x - FOUR)]),
    "three": ((3,), "must be num_outputs = 3 with squeeze_axis", [
        ("SliceChannel", {"num_outputs": 3, "axis": 0, "squeeze_axis": True}, [], list),
        ("Reshape", {"shape": "(9,)"}, [], lambda x: x.reshape(9)),
        ("Reshape", {"shape": "(-4, 1, 3, 0)"}, [], lambda x: x.reshape(1, 3, 3))]),
    "several": ((2, 3, 4, 5, 6), "does not make sections = 2 parts", [
        ("_split_v2", {"sections": 2, "indices": "()", "axis": 0}, [], split(2)),
        ("diag", {"k": 1}, [], diagonal), ("diag", {"k": -1}, [], lambda x: np.diagonal(x, -1)),
        ("_npi_diff", {"n": 1, "axis": 0}, [], lambda x: np.diff(x, axis=0)),
        ("_npi_var", {"axis": "(0,)", "ddof": 1}, [], lambda x: x.var(axis=0, ddof=1)),
        ("_npi_std", {"axis": "None", "ddof": 2}, [], lambda x: x.std(ddof=2))]),
}


def write():
    np.savez("four.npz", four=FOUR)
    np.save("four.npy", FOUR)
    for net, (_, _, operators) in NETS.items():
        nodes, heads = [{"op": "null", "name": "x", "inputs": []}], []
        if net == "four":
            nodes.append({"op": "null", "name": "four", "inputs": []})
        for number, (op, attrs, others, function) in enumerate(operators):
            nodes.append({"op": op, "name": "n%d" % number, "inputs": [[0, 0, 0]] + [[1, 0, 0] for _ in others],
                          "attrs": {key: str(value) for key, value in attrs.items()}})
            example = function(np.ones((NETS[net][0][-1], 3), "f4"))
            heads += [[len(nodes) - 1, i, 0] for i in range(len(example) if isinstance(example, list) else 1)]
        with open(net + "-symbol.json", "w", encoding="utf-8") as file:
            json.dump({"nodes": nodes, "arg_nodes": list(range(1 + (net == "four"))), "heads": heads}, file)


def check(net, rows):
    taken, sentence, operators = NETS[net]
    x = np.random.RandomState(rows).rand(rows, 3).astype("f4")
    np.save("x.npy", x)
    inputs = ["--input", "x=x.npy"] + (["--input", "four=four.npy"] if net == "four" else [])
    done = subprocess.run(["./" + net, *inputs, "--output-dir", net + ".d"], capture_output=True, text=True)
    if rows not in taken:
        assert done.returncode == 3 and sentence in done.stderr, (net, rows, done.returncode, done.stderr)
        return
    assert done.returncode == 0, (net, rows, done.stderr)
    for number, (op, _, _, function) in enumerate(operators):
        parts = function(x)
        found_at = sorted(glob.glob("%s.d/n%d_*.npy" % (net, number)))
        parts = parts if isinstance(parts, list) else [parts]
        assert len(found_at) == len(parts), found_at
        for path, part in zip(found_at, parts):
            found = np.load(path)
            assert found.shape == part.shape and np.allclose(found, part, atol=1e-6), (net, rows, op, found, part)


if sys.argv[1] == "write":
    write()
else:
    for net in NETS:
        for rows in range(1, 7):
            check(net, rows)
        print(net + ": agrees")

"""clipped_parts.py write: parts of `data`, whose rows are a range, as net-symbol.json.
clipped_parts.py check N: runs ./net with N rows and compares with NumPy's parts, or needs status 3
where one of them is empty."""
import json
import subprocess
import sys

import numpy as np

NONE = None
# name: begin, end, step along the rows
PARTS = {
    "head": (0, 4, 1), "tail": (-3, NONE, 1), "inner": (1, 5, 1), "last": (-9, -1, 1), "crossed": (-4, 5, 1),
    "every": (0, 9, 2), "from_end": (-7, NONE, 3), "back": (NONE, NONE, -1), "back_far": (9, -8, -2), "back_some": (4, NONE, -1),
}


def tuple_text(value, other):
    return "(%s, %s)" % (value, other)


def write():
    nodes = [{"op": "null", "name": "data", "inputs": []}]
    for name, (begin, end, step) in PARTS.items():
        attrs = {"begin": tuple_text(begin, NONE), "end": tuple_text(end, NONE), "step": tuple_text(step, 1)}
        nodes.append({"op": "slice", "name": name, "attrs": attrs, "inputs": [[0, 0, 0]]})
    nodes.append({"op": "_slice_assign_scalar", "name": "assigned", "inputs": [[0, 0, 0]],
                  "attrs": {"begin": "(-3,)", "end": "(4,)", "scalar": "7"}})
    # A sum over the rows of a part, whose number is read again.
    nodes.append({"op": "mean", "name": "means", "inputs": [[1, 0, 0]], "attrs": {"axis": "0"}})
    with open("net-symbol.json", "w") as file:
        json.dump({"nodes": nodes, "arg_nodes": [0], "heads": [[i, 0, 0] for i in range(1, len(nodes))]}, file)


def check(rows):
    data = np.arange(rows * 3, dtype="f4").reshape(rows, 3)
    np.save("data.npy", data)
    expected = {name: data[begin:end:step] for name, (begin, end, step) in PARTS.items()}
    expected["assigned"] = data.copy()
    expected["assigned"][-3:4] = 7
    expected["means"] = expected["head"].mean(axis=0)
    done = subprocess.run(["./net", "--input", "data=data.npy", "--output-dir", "out"], capture_output=True, text=True)
    if any(part.size == 0 for part in expected.values()) or data[-3:4].size == 0:
        assert done.returncode == 3 and "is empty" in done.stderr, (rows, done.returncode, done.stderr)
        print("%d rows: refused" % rows)
        return
    assert done.returncode == 0, done.stderr
    for name, part in expected.items():
        found = np.load("out/%s_output.npy" % name)
        assert found.shape == part.shape and np.allclose(found, part), (rows, name, found, part)
    print("%d rows: agrees" % rows)


if sys.argv[1] == "write":
    write()
else:
    for number in sys.argv[2:]:
        check(int(number))

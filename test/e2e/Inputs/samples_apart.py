"""samples_apart.py SYMC_RUN MODE...: an infinity in one pixel of a 1x1 convolution, in one sample of
a recurrent layer and in one sample of a 3x3 convolution. Prints for each mode how many other
pixels or samples have other bits than without it."""
import json
import subprocess
import sys

import numpy as np

CONV = {"op": "Convolution", "attrs": {"kernel": "(1, 1)", "num_filter": "256", "no_bias": "True"}}
WIDE = {"op": "Convolution", "attrs": {"kernel": "(3, 3)", "pad": "(1, 1)", "num_filter": "64", "no_bias": "True"}}
CELLS = {"op": "RNN", "attrs": {"mode": "lstm", "num_layers": "1", "state_size": "128"}}
# name, node, its inputs, extents of data, the places that the axes [first, ...] name
LAYERS = [("1x1", CONV, 1, (1, 256, 28, 28), (2, 3)), ("lstm", CELLS, 3, (4, 16, 128), (1,)),
          ("3x3", WIDE, 1, (2, 64, 16, 16), (0,))]


def run(name, node, more, data, mode):
    variables = [{"op": "null", "name": "v%d" % i, "inputs": []} for i in range(more + 1)]
    variables[0]["name"] = "data"
    if more == 3:  # states before the first step
        for i in (2, 3):
            variables[i] = {"op": "_zeros", "name": "v%d" % i, "inputs": [],
                            "attrs": {"shape": str((1, data.shape[1], 128))}}
    layer = dict(node, name=name, inputs=[[i, 0, 0] for i in range(more + 1)])
    with open(name + ".json", "w") as file:
        json.dump({"nodes": variables + [layer], "arg_nodes": [0, 1], "heads": [[more + 1, 0, 0]]}, file)
    np.save("data.npy", data)
    subprocess.run([symc_run, name + ".json", "--random-weights=3", "--shape",
                    "data=" + ",".join(map(str, data.shape)), "--input", "data=data.npy", "--output-dir", "out",
                    "--target-cpu", "x86-64-v3", "--math", mode], check=True, stdout=subprocess.DEVNULL)
    return np.load("out/%s_output.npy" % name)


symc_run, *modes = sys.argv[1:]
rng = np.random.default_rng(5)
for name, node, more, shape, axes in LAYERS:
    data = rng.standard_normal(shape).astype("float32")
    spoilt = data.copy()
    place = tuple(0 if axis in axes else slice(1) for axis in range(len(shape)))
    spoilt[place] = np.inf
    for mode in modes:
        differ = run(name, node, more, data, mode) != run(name, node, more, spoilt, mode)
        others = differ.any(tuple(axis for axis in range(len(shape)) if axis not in axes))
        others[(0,) * len(axes)] = False
        print("%s %s: %d others reached" % (name, mode, others.sum()))

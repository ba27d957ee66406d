"""odd_products.py DIR [channels]: cases of one convolution or fully connected layer, with extents that leave something over of
every tile of matrices: pixels of a row, rows, blocks of outputs, channels of a block. Results are computed in float64.
The names of cases that no product of matrices computes begin with `few` or `odd`. With `channels` cases of layers over
odd numbers of channels instead."""
import json
import os
import sys

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "tools", "scripts", "lib"))
import ndarray_file  # noqa: E402

CONVOLUTIONS = {  # images, channels, rows, columns, outputs; kernel, stride, pad, dilate; groups
    "seven": ((1, 20, 7, 7, 17), (3, 3), (1, 1), (1, 1), (1, 1), 1),
    "stride": ((2, 34, 15, 9, 33), (3, 3), (2, 2), (1, 1), (1, 1), 1),
    "long-rows": ((1, 16, 3, 70, 16), (3, 3), (1, 1), (1, 1), (1, 1), 1),
    "rows-of-27": ((1, 16, 5, 27, 40), (3, 3), (1, 1), (1, 1), (1, 1), 1),
    "rest-of-6": ((1, 22, 9, 12, 5), (5, 3), (1, 1), (2, 1), (1, 1), 1),
    "groups": ((1, 64, 8, 10, 36), (3, 3), (1, 1), (1, 1), (1, 1), 2),
    "dilated": ((1, 32, 12, 11, 32), (3, 3), (1, 1), (4, 4), (4, 4), 1),
    "pointwise": ((2, 24, 5, 13, 70), (1, 1), (1, 1), (0, 0), (1, 1), 1),
    "pointwise-wide": ((1, 48, 6, 37, 128), (1, 1), (1, 1), (0, 0), (1, 1), 1),
    "pointwise-stride": ((1, 32, 14, 14, 64), (1, 1), (2, 2), (0, 0), (1, 1), 1),
    "row-kernel": ((1, 18, 4, 21, 50), (1, 7), (1, 1), (0, 3), (1, 1), 1),
    "odd-channels": ((1, 5, 8, 8, 16), (3, 3), (1, 1), (1, 1), (1, 1), 1),
    "few-columns": ((1, 16, 9, 3, 16), (3, 3), (1, 1), (1, 1), (1, 1), 1),
}
LAYERS = {  # rows, inputs, outputs
    "batch-33": (33, 44, 17),
    "batch-4": (4, 6, 100),
    "batch-70": (70, 96, 48),
    "two-blocks": (16, 32, 16),
    "rest-of-28": (20, 60, 80),
    "few-rows": (3, 64, 32),
}

if sys.argv[2:] == ["channels"]:
    CONVOLUTIONS, LAYERS = {}, {}
    for channels in (3, 17, 33, 49):
        for name, layer in {
                "window": ((1, channels, 9, 11, 20), (3, 3), (1, 1), (1, 1), (1, 1), 1),
                "pointwise": ((2, channels, 7, 8, 35), (1, 1), (1, 1), (0, 0), (1, 1), 1),
                "strides": ((1, channels, 10, 15, 16), (3, 5), (2, 2), (1, 2), (1, 1), 1),
                "border": ((1, channels, 4, 4, 16), (5, 5), (1, 1), (4, 4), (1, 1), 1)}.items():
            CONVOLUTIONS[f"{name}-{channels}"] = layer
        for rows in (1, 21):
            LAYERS[f"rows-{rows}-{channels}"] = (rows, channels, 40)


def convolve(x, weights, bias, strides, pad, dilate, groups):
    x = np.pad(x, ((0, 0), (0, 0), (pad[0],) * 2, (pad[1],) * 2)).astype(np.float64)
    extent = [(x.shape[2 + a] - dilate[a] * (weights.shape[2 + a] - 1) - 1) // strides[a] + 1 for a in (0, 1)]
    out = np.zeros((x.shape[0], weights.shape[0], *extent)) + bias[None, :, None, None]
    inputs, outputs = weights.shape[1], weights.shape[0] // groups
    for g in range(groups):
        for i in range(weights.shape[2]):
            for j in range(weights.shape[3]):
                part = x[:, g * inputs:(g + 1) * inputs,
                         i * dilate[0]:i * dilate[0] + extent[0] * strides[0]:strides[0],
                         j * dilate[1]:j * dilate[1] + extent[1] * strides[1]:strides[1]]
                taps = weights[g * outputs:(g + 1) * outputs, :, i, j].astype(np.float64)
                out[:, g * outputs:(g + 1) * outputs] += np.einsum("nchw,oc->nohw", part, taps)
    return out


def write(name, op, attributes, data, weights, bias, out):
    folder = os.path.join(sys.argv[1], op, name)
    os.makedirs(folder)
    inputs = ["data", "w", "b"]
    nodes = [{"op": "null", "name": n, "inputs": []} for n in inputs]
    nodes.append({"op": op, "name": "layer", "inputs": [[i, 0, 0] for i in range(3)], "attrs": attributes})
    with open(os.path.join(folder, "symbol.json"), "w") as file:
        json.dump({"nodes": nodes, "arg_nodes": [0, 1, 2], "heads": [[3, 0, 0]]}, file)
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump({"op": op, "mode": "predict", "inputs": ["data"], "outputs": ["layer_output"], "rtol": 1e-4,
                   "atol": 1e-5, "json_format": "1.9.1", "note": ""}, file)
    ndarray_file.save(os.path.join(folder, "io.params"), {
        "data:data": data, "arg:w": weights, "arg:b": bias, "out:0": out.astype(np.float32)})


draw = np.random.default_rng(5)
for name, ((images, channels, rows, columns, outputs), kernel, strides, pad, dilate, groups) in CONVOLUTIONS.items():
    data = draw.normal(size=(images, channels, rows, columns)).astype(np.float32)
    weights = draw.normal(size=(outputs, channels // groups, *kernel)).astype(np.float32)
    bias = draw.normal(size=outputs).astype(np.float32)
    out = convolve(data, weights, bias, strides, pad, dilate, groups)
    write(name, "Convolution", {"kernel": str(kernel), "stride": str(strides), "pad": str(pad), "dilate": str(dilate),
                                "num_filter": str(outputs), "num_group": str(groups)}, data, weights, bias, out)
for name, (rows, inputs, outputs) in LAYERS.items():
    data = draw.normal(size=(rows, inputs)).astype(np.float32)
    weights = draw.normal(size=(outputs, inputs)).astype(np.float32)
    bias = draw.normal(size=outputs).astype(np.float32)
    out = data.astype(np.float64) @ weights.T.astype(np.float64) + bias
    write(name, "FullyConnected", {"num_hidden": str(outputs)}, data, weights, bias, out)

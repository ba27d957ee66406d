"""A modulated deformable convolution: its graph and inputs, and its gradients by differences in float64.

usage: modulated_gradients.py write | check OUT
"""
import json
import sys

import numpy as np

ITEMS, CHANNELS, ROWS, COLUMNS, FILTERS, GROUPS = 2, 4, 5, 6, 2, 2
KERNEL, STRIDE, PAD, DILATE = (3, 2), (2, 1), (2, 1), (2, 1)
OUT = tuple((size + 2 * pad - dilate * (taps - 1) - 1) // stride + 1
            for size, pad, dilate, taps, stride in zip((ROWS, COLUMNS), PAD, DILATE, KERNEL, STRIDE))
TAPS = KERNEL[0] * KERNEL[1]


def arrays():
    rng = np.random.default_rng(11)
    draw = lambda *shape: rng.standard_normal(shape)
    offset = 1.5 * draw(ITEMS, 2 * GROUPS * TAPS, *OUT)
    offset += 0.1 * (np.abs(offset - np.round(offset)) < 0.05)  # away from pixels, where the slope jumps
    return {"data": draw(ITEMS, CHANNELS, ROWS, COLUMNS), "offset": offset, "mask": draw(ITEMS, GROUPS * TAPS, *OUT),
            "weight": draw(FILTERS, CHANNELS, *KERNEL), "bias": draw(FILTERS), "ograd": draw(ITEMS, FILTERS, *OUT)}


def convolve(data, offset, mask, weight, bias, **_):
    """By the definition: each tap's value is interpolated between four pixels, with zeros around the image."""
    padded = np.zeros((ITEMS, CHANNELS, ROWS + 40, COLUMNS + 40))
    padded[:, :, 20:20 + ROWS, 20:20 + COLUMNS] = data
    result = np.zeros((ITEMS, FILTERS, *OUT)) + bias[:, None, None]
    for n in range(ITEMS):
        for group in range(GROUPS):
            channels = slice(group * CHANNELS // GROUPS, (group + 1) * CHANNELS // GROUPS)
            for tap in range(TAPS):
                for y, x in np.ndindex(*OUT):
                    at = group * TAPS + tap
                    row = y * STRIDE[0] - PAD[0] + tap // KERNEL[1] * DILATE[0] + offset[n, 2 * at, y, x]
                    column = x * STRIDE[1] - PAD[1] + tap % KERNEL[1] * DILATE[1] + offset[n, 2 * at + 1, y, x]
                    top, left = int(np.floor(row)), int(np.floor(column))
                    down, along = row - top, column - left
                    four = padded[n, channels, top + 20:top + 22, left + 20:left + 22]
                    parts = np.outer([1 - down, down], [1 - along, along])
                    value = (four * parts).sum(axis=(1, 2)) * mask[n, at, y, x]
                    result[n, :, y, x] += weight[:, channels, tap // KERNEL[1], tap % KERNEL[1]] @ value
    return result


def main():
    values = arrays()
    if sys.argv[1] == "write":
        names = ["data", "offset", "mask", "weight", "bias"]
        node = {"op": "_contrib_ModulatedDeformableConvolution", "name": "conv", "inputs": [[i, 0, 0] for i in range(5)],
                "attrs": {"kernel": str(KERNEL), "stride": str(STRIDE), "pad": str(PAD), "dilate": str(DILATE),
                          "num_filter": str(FILTERS), "num_deformable_group": str(GROUPS)}}
        with open("net.json", "w") as file:
            json.dump({"nodes": [{"op": "null", "name": name, "inputs": []} for name in names] + [node],
                       "arg_nodes": list(range(5)), "heads": [[5, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}, file)
        with open("model", "w") as file:
            print("net.json", *("--shape %s=%s" % (name, ",".join(map(str, values[name].shape))) for name in names), file=file)
        with open("run", "w") as file:
            print(*("--input %s=%s.npy" % (name, name) for name in names), "--head-grad conv_output=ograd.npy", file=file)
        for name, value in values.items():
            np.save(name + ".npy", value.astype(np.float32))
        return
    values = {name: value.astype(np.float32).astype(np.float64) for name, value in values.items()}
    np.testing.assert_allclose(np.load(sys.argv[2] + "/conv_output.npy"), convolve(**values), rtol=1e-4, atol=1e-4)
    rng = np.random.default_rng(5)
    for name in ("data", "offset", "mask", "weight", "bias"):
        found = np.load("%s/grad/%s.npy" % (sys.argv[2], name)).ravel()
        for i in rng.permutation(found.size)[:24]:
            ends = []
            for step in (1e-5, -1e-5):
                moved = values[name].copy()
                moved.ravel()[i] += step
                ends.append((convolve(**{**values, name: moved}) * values["ograd"]).sum())
            np.testing.assert_allclose(found[i], (ends[0] - ends[1]) / 2e-5, rtol=1e-3, atol=1e-3, err_msg="%s %d" % (name, i))


main()

"""Graphs, inputs and checks of symc-drawn-gradients.test.

usage: drawn_gradients.py write | slopes OUT... | places OUT...
"""
import json
import sys

import numpy as np


def node(op, name, inputs, **attrs):
    return {"op": op, "name": name, "attrs": {k: str(v) for k, v in attrs.items()},
            "inputs": [each if isinstance(each, list) else [each, 0, 0] for each in inputs]}


def write(path, arguments, nodes, heads):
    with open(path, "w") as file:
        json.dump({"nodes": [{"op": "null", "name": name, "inputs": []} for name in arguments] + nodes,
                   "arg_nodes": list(range(len(arguments))), "heads": heads, "attrs": {"mxnet_version": ["int", 10901]}}, file)


def load(folder, *names):
    return [np.load("%s/%s.npy" % (folder, name)).astype(np.float64) for name in names]


def main():
    data = np.random.default_rng(3).standard_normal((2, 16, 9, 9)).astype(np.float32)
    if sys.argv[1] == "write":
        write("slopes.json", ["x"], [node("LeakyReLU", "act", [0], act_type="rrelu", lower_bound=0.25, upper_bound=0.5),
                                     node("LeakyReLU", "up", [0], act_type="rrelu", lower_bound=-2, upper_bound=-1)],
              [[1, 0, 0], [1, 1, 0], [2, 0, 0], [2, 1, 0]])
        write("places.json", ["loc", "scale", "low"],
              [node("_npi_" + kind, kind, [0, 1], loc="None", scale="None", size="(400, 3)") for kind in ("normal", "gumbel", "logistic")] +
              [node("_npi_weibull", "weibull", [1], a="None", size="(400, 3)"),
               node("_npi_uniform", "uniform", [2, 1], low="None", high="None", size="(400, 3)")],
              [[3 + i, 0, 0] for i in range(5)])
        np.save("x.npy", data)
        np.save("loc.npy", np.float32([1, -2, 30]))
        np.save("scale.npy", np.float32([0.5, 1, 2]))
        np.save("low.npy", np.float32([-1, -2, -3]))
        np.save("ones.npy", np.ones((2, 16, 9, 9), np.float32))
        np.save("twos.npy", np.full((2, 16, 9, 9), 2, np.float32))
    elif sys.argv[1] == "slopes":
        for folder in sys.argv[2:]:
            act, slopes, up, steep, gradient = load(folder, "act_output", "act_mask", "up_output", "up_mask", "grad/x")
            x = data.astype(np.float64)
            assert np.array_equal(act, np.where(x > 0, x, (x * slopes).astype(np.float32)))
            assert np.array_equal(up, np.where(x > 0, x, (x * steep).astype(np.float32)))
            for drawn, low, high in ((slopes, 0.25, 0.5), (steep, -2, -1)):
                assert low <= drawn.min() < low + 0.02 and high - 0.02 < drawn.max() <= high, (drawn.min(), drawn.max())
                assert len(np.unique(drawn)) > 0.9 * drawn.size
            # Of what the result shows: slopes below 0 leave nothing of it below 0.
            assert np.array_equal(gradient, (np.where(act > 0, 1, slopes) + 2 * np.where(up > 0, 1, steep)).astype(np.float32))
        first = load(sys.argv[2], "act_mask")[0]
        assert all(np.array_equal(first, load(folder, "act_mask")[0]) for folder in sys.argv[3:])
    else:
        loc, scale = np.load("loc.npy").astype(np.float64), np.load("scale.npy").astype(np.float64)
        for folder in sys.argv[2:]:
            own = {kind: (value - loc) / scale for kind, value in zip(("normal", "gumbel", "logistic"), load(
                folder, "normal_output0", "gumbel_output0", "logistic_output0"))}
            weibull = load(folder, "weibull_output0")[0]
            by_loc, by_scale, by_low = load(folder, "grad/loc", "grad/scale", "grad/low")
            np.testing.assert_allclose(by_loc, [1200] * 3, rtol=1e-5)
            expected = sum(noise.sum(axis=0) for noise in own.values()) - (np.log(weibull) * weibull / scale).sum(axis=0)
            np.testing.assert_allclose(by_scale, expected, rtol=1e-3, atol=1e-2)
            assert np.array_equal(by_low, np.zeros(3))


main()

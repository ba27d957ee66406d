"""A net with a loss and another output, and its gradients as NumPy computes them.

usage: gradient_net.py write | check OUT [OGRAD] | added OUT ALONE | dropout | dropped OUT...
"""
import json
import struct
import sys

import numpy as np

EPS = 1e-3


def node(op, name, inputs, **attrs):
    return {"op": op, "name": name, "attrs": {k: str(v) for k, v in attrs.items()}, "inputs": [[i, 0, 0] for i in inputs]}


def graph():
    names = ["x", "fc_weight", "fc_bias", "bn_gamma", "bn_beta", "bn_moving_mean", "bn_moving_var", "label"]
    nodes = [{"op": "null", "name": name, "inputs": []} for name in names]
    nodes += [node("FullyConnected", "fc", [0, 1, 2], num_hidden=3),
              node("BatchNorm", "bn", [8, 3, 4, 5, 6], fix_gamma=False, eps=EPS, momentum=0.75),
              node("SoftmaxOutput", "loss", [9, 7]),
              node("tanh", "side", [8])]
    return {"nodes": nodes, "arg_nodes": list(range(8)), "heads": [[10, 0, 0], [11, 0, 0]],
            "attrs": {"mxnet_version": ["int", 10901]}}


def arrays():
    rng = np.random.default_rng(7)
    draw = lambda *shape: rng.standard_normal(shape).astype(np.float32)
    values = {"x": draw(4, 5), "fc_weight": draw(3, 5), "fc_bias": draw(3), "bn_gamma": draw(3), "bn_beta": draw(3),
              "bn_moving_mean": draw(3), "bn_moving_var": np.abs(draw(3)), "label": np.float32([0, 2, 1, 2]),
              "ograd": draw(4, 3), "before": draw(3, 5)}
    return values


def write_params(path, values):
    """MXNet's list of arrays, each of its second version."""
    with open(path, "wb") as file:
        file.write(struct.pack("<QQQ", 0x112, 0, len(values)))
        for value in values.values():
            file.write(struct.pack("<IiI", 0xF993FAC9, 0, value.ndim) + struct.pack("<%dq" % value.ndim, *value.shape))
            file.write(struct.pack("<iii", 1, 0, 0) + value.tobytes())
        file.write(struct.pack("<Q", len(values)))
        for name in values:
            text = (("aux:" if "moving" in name else "arg:") + name).encode()
            file.write(struct.pack("<Q", len(text)) + text)


def expected(ograd):
    v = {name: value.astype(np.float64) for name, value in arrays().items()}
    y = v["x"] @ v["fc_weight"].T + v["fc_bias"]
    mean, var = y.mean(0), y.var(0)
    normal = (y - mean) / np.sqrt(var + EPS)
    scores = normal * v["bn_gamma"] + v["bn_beta"]
    p = np.exp(scores - scores.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    side = np.tanh(y)
    g = p - np.eye(3)[v["label"].astype(int)]
    h = g * v["bn_gamma"]
    dy = (h - h.mean(0) - normal * (h * normal).mean(0)) / np.sqrt(var + EPS) + ograd * (1 - side * side)
    return {"loss_output": p, "side_output": side, "grad/x": dy @ v["fc_weight"], "grad/fc_weight": dy.T @ v["x"],
            "grad/fc_bias": dy.sum(0), "grad/bn_gamma": (g * normal).sum(0), "grad/bn_beta": g.sum(0),
            "grad/label": np.zeros(4), "aux/bn_moving_mean": 0.75 * v["bn_moving_mean"] + 0.25 * mean,
            "aux/bn_moving_var": 0.75 * v["bn_moving_var"] + 0.25 * var}


def dropout_graph():
    """Dropout twice over one input, once with a mask that places share."""
    nodes = [{"op": "null", "name": "x", "inputs": []}, node("Dropout", "alone", [0], p=0.5),
             node("Dropout", "shared", [0], p=0.25, axes="(2, 3)"), node("elemwise_add", "both", [1, 2])]
    return {"nodes": nodes, "arg_nodes": [0], "heads": [[3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}


def main():
    if sys.argv[1] == "dropout":
        with open("drop.json", "w") as file:
            json.dump(dropout_graph(), file)
        np.save("ones.npy", np.ones((2, 16, 9, 9), np.float32))
    elif sys.argv[1] == "dropped":
        results = [np.load(folder + "/both_output.npy") for folder in sys.argv[2:]]
        for folder, result in zip(sys.argv[2:], results):
            np.testing.assert_array_equal(np.load(folder + "/grad/x.npy"), result)
            np.testing.assert_array_equal(result, results[0])
        np.testing.assert_allclose(np.unique(results[0]), [0, 4 / 3, 2, 10 / 3], rtol=1e-6)
    elif sys.argv[1] == "write":
        values = arrays()
        with open("net.json", "w") as file:
            json.dump(graph(), file)
        write_params("net.params", {n: v for n, v in values.items() if n not in ("x", "label", "ograd", "before")})
        for name in ("x", "label", "ograd", "before"):
            np.save(name + ".npy", values[name])
    elif sys.argv[1] == "check":
        ograd = np.load(sys.argv[3]) if len(sys.argv) > 3 else np.ones((4, 3))
        for name, value in expected(ograd).items():
            np.testing.assert_allclose(np.load("%s/%s.npy" % (sys.argv[2], name)), value, rtol=2e-5, atol=2e-5, err_msg=name)
    else:
        added, alone = (np.load(folder + "/grad/fc_weight.npy") for folder in sys.argv[2:4])
        np.testing.assert_allclose(added, alone + arrays()["before"], rtol=1e-6, atol=1e-6)


main()

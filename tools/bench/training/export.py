"""Writes what compare_training trains of one net: DIR/NET-symbol.json of MXNet and DIR/NET.npz with
`data`, `label`, and the parameters `arg:NAME` and states `aux:NAME` that all runtimes begin with. Runs in MXNet's environment.

    python export.py NET DIR [--batch N]
"""
import argparse
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "lib"))
import needs

needs.modules("mxnet")
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import nets


def draw(name, shape, rng):
    """Scales at which the nets learn from their first step on."""
    if name.endswith("gamma"):
        value = np.ones(shape)
    elif name.endswith(("beta", "bias")):
        value = np.zeros(shape)
    elif name == "rnn_parameters":
        value = rng.uniform(-1, 1, shape) / np.sqrt(nets.LSTM_UNITS)
    elif name.split("_")[0] in ("embed", "word", "position"):
        value = rng.standard_normal(shape) * 0.1
    else:
        value = rng.standard_normal(shape) * np.sqrt((1 if len(shape) == 2 else 2) / np.prod(shape[1:]))
    return value.astype(np.float32)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("net", choices=[net.name for net in nets.NETS])
    parser.add_argument("out")
    parser.add_argument("--batch", type=int, default=0)
    options = parser.parse_args()
    import mxnet as mx
    net, rng = nets.find(options.net), np.random.default_rng(7)
    if options.batch:
        net = nets.of_batch(net, options.batch)
    symbol = nets.build(mx, net)
    extents, _, states = symbol.infer_shape(data=net.data, softmax_label=net.label)
    arrays = {"arg:" + name: draw(name, shape, rng) for name, shape in zip(symbol.list_arguments(), extents)
              if name not in ("data", "softmax_label")}
    for name, shape in zip(symbol.list_auxiliary_states(), states):
        arrays["aux:" + name] = (np.ones if name.endswith("var") else np.zeros)(shape, np.float32)
    arrays["data"] = (rng.integers(0, net.words, net.data) if net.words else rng.standard_normal(net.data)).astype(np.float32)
    arrays["label"] = rng.integers(0, net.classes, net.label).astype(np.float32)
    symbol.save(os.path.join(options.out, net.name + "-symbol.json"))
    np.savez(os.path.join(options.out, net.name + ".npz"), **arrays)


if __name__ == "__main__":
    main()

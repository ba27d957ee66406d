#!/usr/bin/env python3
"""The error of one step's gradients beside float64, symc's and MXNet 1.9.1's, in an environment that has MXNet.

  training_error.py --bin BUILD/bin                   the nets of compare_training but for BERT
  training_error.py --bin BUILD/bin --nets mlp,lenet --batch 8

Truth is MXNet's own graph bound in float64, from the same parameters, data and labels. The error is the root of the sum of squares of all gradients' differences over that of the
gradients; the parameter with the worst such error of its own is named, too. Parameters whose gradient is rounding
alone, such as biases before a normalisation, are left out: those that MXNet misses by more than half.
Exit status: 0 no net's error is above twice MXNet's, nor 1e-6; 1 one is; 2 wrong usage.
"""
import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "lib"), os.path.join(HERE, os.pardir, os.pardir, "bench", "training")]
import needs

MOST, ROUNDING = 2.0, 1e-6


def by_mxnet(mx, np, symbol, net, arrays, dtype):
    """Gradients of all parameters by name, as float64."""
    types = {name: dtype for name in symbol.list_arguments()}
    shapes = {"data": net.data, "softmax_label": net.label}
    executor = symbol.simple_bind(mx.cpu(), grad_req={name: "null" if name in shapes else "write" for name in types},
                                  type_dict=types, **shapes)
    for key, value in arrays.items():
        kind, _, name = key.partition(":")
        target = executor.aux_dict if kind == "aux" else executor.arg_dict
        target[{"data": "data", "label": "softmax_label"}.get(key, name)][:] = value.astype(dtype)
    executor.forward(is_train=True)
    executor.backward()
    return {name: value.asnumpy().astype(np.float64) for name, value in executor.grad_dict.items() if value is not None}


def by_symc(np, worker, net, folder, arrays):
    trainer = worker.SymcTrainer(net, folder, 1, arrays)
    trainer.call("gradients", trainer.context, trainer.inputs, 2, trainer.outputs, 1)
    found = {}
    for name, value in trainer.names.items():
        gradient = np.empty_like(value)
        trainer.call("get_gradient", trainer.context, name.encode(), gradient.ctypes.data_as(ctypes.c_void_p),
                     ctypes.c_size_t(gradient.nbytes))
        found[name] = gradient.astype(np.float64)
    return found


def errors(np, found, truth, names):
    """Of all, and by name."""
    each = {name: (np.square(found[name] - truth[name]).sum(), np.square(truth[name]).sum()) for name in names}
    total = np.sqrt(sum(error for error, _ in each.values()) / sum(size for _, size in each.values()))
    return total, {name: np.sqrt(error / size) if size else 0.0 for name, (error, size) in each.items()}


def compare(mx, np, worker, options, net, folder):
    command = [sys.executable, os.path.join(os.path.dirname(worker.__file__), "export.py"), net.name, folder]
    subprocess.run(command + ["--batch", str(options.batch)] * bool(options.batch), check=True, stdout=subprocess.DEVNULL)
    if options.batch:
        net = worker.nets.of_batch(net, options.batch)
    symbol_path = os.path.join(folder, net.name + "-symbol.json")
    subprocess.run([os.path.join(options.bin, "symc"), "train", symbol_path, "--shape", "data=" + ",".join(map(str, net.data)),
                    "--shape", "softmax_label=" + ",".join(map(str, net.label)), "--optimizer", "sgd", "--prefix", "net", "-shared",
                    "-o", os.path.join(folder, net.name + ".so")] + ["--target-cpu", options.target_cpu] * bool(options.target_cpu) +
                   ["--force-kernel", options.force_kernel, "--math", "fast"] * bool(options.force_kernel), check=True)
    with np.load(os.path.join(folder, net.name + ".npz")) as file:
        arrays = {name: file[name] for name in file.files}
    with open(symbol_path) as file:
        text = file.read()
    double = text.replace('"float32"', '"float64"').replace('"__dtype__": "0"', '"__dtype__": "1"')
    truth = by_mxnet(mx, np, mx.sym.load_json(double), net, arrays, "float64")
    theirs = by_mxnet(mx, np, mx.sym.load_json(text), net, arrays, "float32")
    own = by_symc(np, worker, net, folder, arrays)
    _, of_each = errors(np, theirs, truth, truth)
    names = [name for name in truth if of_each[name] < 0.5]
    (their_total, their_each), (own_total, own_each) = errors(np, theirs, truth, names), errors(np, own, truth, names)
    worst = max(names, key=lambda name: own_each[name] / max(their_each[name], ROUNDING))
    print("%-12s error of symc %.2e, of MXNet %.2e, ratio %.2f; most beside it at %s: %.2e and %.2e; %d of %d parameters" %
          (net.name, own_total, their_total, own_total / their_total, worst, own_each[worst], their_each[worst], len(names), len(truth)),
          flush=True)
    return own_total <= max(MOST * their_total, ROUNDING)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of symc")
    parser.add_argument("--nets", default="lenet,mlp,resnet18,mobilenetv2,lstm", help="names, separated by commas")
    parser.add_argument("--batch", type=int, default=0, help="samples of a step (default: those of compare_training)")
    parser.add_argument("--target-cpu", default="", help="symc's --target-cpu (default: symc's own)")
    parser.add_argument("--force-kernel", default="", help="an algorithm for every convolution and gradient that it can compute")
    options = parser.parse_args()
    needs.modules("mxnet")
    warnings.simplefilter("ignore")
    import numpy as np
    np.bool = bool  # which MXNet takes from there
    import mxnet as mx
    import worker
    right = True
    for name in options.nets.split(","):
        with tempfile.TemporaryDirectory() as folder:
            right &= compare(mx, np, worker, options, worker.nets.find(name), folder)
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()

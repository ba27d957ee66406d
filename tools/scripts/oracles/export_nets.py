#!/usr/bin/env python3
"""Exports eight nets of MXNet's Gluon zoo for tests and benchmarks.

For each net: NET-symbol.json and NET-0000.params (as Gluon's export writes
them), NET-io.npz (data0..2 and MXNet's outputs out0..2) and NET.onnx, which is
checked against MXNet. Runs in the environment of make-oracle-env.

The weights are drawn, not trained: convolutions are He-normal, batch norms
hold the statistics of a real forward pass with a mild random error, so that
activations stay of order one and logits differ between classes and inputs.
"""
import argparse
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import needs

needs.modules("numpy")
import numpy as np

NETS = {
    "resnet50_v1": ("resnet50_v1", 224),
    "resnet18_v1": ("resnet18_v1", 224),
    "mobilenet_v2_1_0": ("mobilenetv2_1.0", 224),
    "squeezenet1_0": ("squeezenet1.0", 224),
    "mobilenet1_0": ("mobilenet1.0", 224),
    "vgg16": ("vgg16", 224),
    "densenet121": ("densenet121", 224),
    "inceptionv3": ("inceptionv3", 299),
}


def batch_norms(block):
    """All BatchNorm blocks under `block`, in order of definition."""
    from mxnet.gluon import nn
    found = [block] if isinstance(block, nn.BatchNorm) else []
    for child in block._children.values():
        found.extend(batch_norms(child))
    return found


def draw_picture(rng, side):
    """[1, 3, side, side]: coarse blobs plus noise, about mean 0 and variance 1."""
    coarse = rng.standard_normal((1, 3, 8, 8))
    rows = np.linspace(0, 7, side)
    low = np.floor(rows).astype(int).clip(0, 6)
    part = rows - low
    mixed = coarse[:, :, low] * (1 - part)[:, None] + coarse[:, :, low + 1] * part[:, None]
    mixed = mixed[..., low] * (1 - part) + mixed[..., low + 1] * part
    return (mixed + 0.5 * rng.standard_normal(mixed.shape)).astype(np.float32)


def draw_weights(net, rng, side, trained=False):
    """Fills the parameters of an initialised net, calibrating its batch norms; `trained`
    with channels of many sizes, as training leaves them."""
    import mxnet as mx
    for name, parameter in net.collect_params().items():
        shape = parameter.shape
        if name.endswith("weight"):
            fan_in = int(np.prod(shape[1:]))
            gain = 2.0 if len(shape) == 4 or fan_in > 2048 or shape[0] == 4096 else 1.0
            value = rng.standard_normal(shape) * np.sqrt(gain / fan_in)
            if trained and len(shape) == 4:
                value *= np.exp(rng.normal(-0.49, 0.7, (shape[0], 1, 1, 1)))
        elif name.endswith("bias"):
            value = rng.standard_normal(shape) * 0.05
        elif name.endswith("gamma"):
            value = np.exp(rng.normal(-0.36, 0.6, shape)) if trained else rng.uniform(0.7, 1.3, shape)
        elif name.endswith("beta"):
            value = rng.standard_normal(shape) * (0.3 if trained else 0.1)
        else:
            continue  # moving statistics come from the calibration
        parameter.set_data(mx.nd.array(value.astype(np.float32)))
    norms = batch_norms(net)
    momenta = [norm._kwargs["momentum"] for norm in norms]
    for norm in norms:
        norm._kwargs["momentum"] = 0.0
    pictures = np.concatenate([draw_picture(rng, side) for _ in range(4)])
    if norms:  # MXNet updates the moving statistics in the backward pass
        with mx.autograd.record():
            out = net(mx.nd.array(pictures))
        out.backward()
        mx.nd.waitall()
    for norm, momentum in zip(norms, momenta):
        norm._kwargs["momentum"] = momentum
        for statistic, spread in ((norm.running_mean, 0.1), (norm.running_var, 0.2)):
            value = statistic.data().asnumpy()
            value = value * rng.uniform(1 - spread, 1 + spread, value.shape)
            statistic.set_data(mx.nd.array(value.astype(np.float32)))


def export(net_name, directory, seed):
    import mxnet as mx
    zoo_name, side = NETS[net_name]
    rng = np.random.default_rng([seed, len(net_name), sum(map(ord, net_name))])
    mx.random.seed(seed)
    net = mx.gluon.model_zoo.vision.get_model(zoo_name, prefix=net_name + "_")
    net.initialize()
    net(mx.nd.zeros((1, 3, side, side)))
    draw_weights(net, rng, side)
    net.hybridize(static_alloc=True)
    arrays = {}
    for index in range(3):
        arrays["data%d" % index] = draw_picture(rng, side)
        arrays["out%d" % index] = net(mx.nd.array(arrays["data%d" % index])).asnumpy()
    outputs = np.concatenate([arrays["out%d" % index] for index in range(3)])
    if not np.isfinite(outputs).all() or outputs.std(1).min() < 0.02:
        sys.exit("%s: the logits do not vary: %s" % (net_name, outputs.std(1)))
    prefix = os.path.join(directory, net_name)
    net.export(prefix)
    np.savez(prefix + "-io.npz", **arrays)
    print("%-18s logits in [%.3f, %.3f], std %.3f, between inputs %.3f"
          % (net_name, outputs.min(), outputs.max(), outputs.std(1).mean(),
             outputs.std(0).mean()), flush=True)
    return prefix, side


def export_onnx(prefix, shape):
    """Writes PREFIX.onnx. The exporter lists the weights as graph inputs, which
    keeps ONNX Runtime from folding them; only `data` remains an input here. It
    also makes a Python float of every weight, for which bytes are put in."""
    import onnx
    import onnx.numpy_helper
    from mxnet import onnx as mx2onnx
    from mxnet.onnx.mx2onnx._export_onnx import MXNetGraph

    converters = MXNetGraph.registry_[12]
    convert_variable = converters["null"]

    def convert_weight(node, **graph):
        if graph["is_input"] is not False:
            return convert_variable(node, **graph)
        value = graph["weights"][node["name"]]
        graph["initializer"].append(onnx.numpy_helper.from_array(value, node["name"]))
        return [onnx.helper.make_tensor_value_info(
            node["name"], onnx.helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)], (value.dtype,)

    converters["null"] = convert_weight
    mx2onnx.export_model(prefix + "-symbol.json", prefix + "-0000.params",
                         [tuple(shape)], [np.float32], prefix + ".onnx")
    converters["null"] = convert_variable
    model = onnx.load(prefix + ".onnx")
    weights = {tensor.name for tensor in model.graph.initializer}
    inputs = [value for value in model.graph.input if value.name not in weights]
    del model.graph.input[:]
    model.graph.input.extend(inputs)
    onnx.save(model, prefix + ".onnx")


def check_onnx(prefix, python):
    """Compares the ONNX file with MXNet's outputs, in the peers' environment."""
    import subprocess
    program = (
        "import sys, numpy as np, onnxruntime as ort\n"
        "io = np.load(sys.argv[1] + '-io.npz')\n"
        "s = ort.InferenceSession(sys.argv[1] + '.onnx', providers=['CPUExecutionProvider'])\n"
        "worst = 0\n"
        "for i in range(3):\n"
        "    y = io['out%d' % i]\n"
        "    x = s.run(None, {s.get_inputs()[0].name: io['data%d' % i]})[0].reshape(y.shape)\n"
        "    worst = max(worst, abs(x - y).max() / abs(y).max())\n"
        "print('    onnxruntime differs by %.2e' % worst)\n"
        "sys.exit(1 if not worst < 1e-4 else 0)\n")
    subprocess.run([python, "-c", program, prefix], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory")
    parser.add_argument("--net", action="append", choices=sorted(NETS),
                        help="export this net only (repeatable)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peers-python", default="",
                        help="Python with onnxruntime; checks each ONNX file with it")
    options = parser.parse_args()
    needs.modules("mxnet")
    os.makedirs(options.directory, exist_ok=True)
    for net_name in options.net or NETS:
        prefix, side = export(net_name, options.directory, options.seed)
        export_onnx(prefix, (1, 3, side, side))
        if options.peers_python:
            check_onnx(prefix, options.peers_python)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Errors of the gradients of convolutions beside float64, by channel, with each algorithm forced.

  gradient_errors.py --bin BUILD/bin                     without MXNet: errors and bounds
  gradient_errors.py --bin BUILD/bin --seeds 4 --mxnet   beside MXNet's own errors, where that is installed

For each algorithm and each layer below, and as many drawn ones: S layers of their own weights, data and gradients of
the output, of the kinds of measure_errors.py, computed by symc --gradients --force-kernel. The error of a weight's
gradient is that of an output channel, of a data's gradient that of an input channel: its largest error over its largest
value. Exit status: 0 no gradient's error is above the bound that its step reports (direct sums have none), 1 one is.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [HERE, os.path.join(HERE, "..", "lib")]
import needs

needs.modules("numpy")
import numpy as np
from measure_errors import KINDS

KERNELS = ["direct", "winograd-f2", "winograd-f4", "winograd-f4-on-the-fly", "winograd-f5", "winograd-pieces",
           "winograd-space-to-depth", "strassen"]


class Layer:
    def __init__(self, op, data, outputs, kernel, stride=1, pad=None, dilate=1, groups=1):
        """`data`: N, C, H, W; `pad`: what keeps the extents at stride 1 and dilation 1."""
        self.op, self.data, self.outputs, self.kernel, self.groups = op, data, outputs, kernel, groups
        self.strides, self.dilations = (stride,) * 2, (dilate,) * 2
        self.pads = pad if pad is not None else tuple(size // 2 for size in kernel)
        ends = (outputs // groups, data[1]) if op == "Deconvolution" else (data[1] // groups, outputs)
        self.weight = (ends[1], ends[0]) + kernel

    def attributes(self):
        attributes = {"kernel": self.kernel, "stride": self.strides, "pad": self.pads, "dilate": self.dilations,
                      "num_filter": self.outputs, "num_group": self.groups, "no_bias": True}
        return {name: str(value) for name, value in attributes.items()}

    def __str__(self):
        more = [] if self.strides == (1, 1) else ["stride %d" % self.strides[0]]
        more += [] if self.dilations == (1, 1) else ["dilation %d" % self.dilations[0]]
        more += [] if self.groups == 1 else ["%d groups" % self.groups]
        return "%s %dx%d of %s to %d%s" % (self.op, *self.kernel, "x".join(map(str, self.data)), self.outputs,
                                           ", " + ", ".join(more) if more else "")


LAYERS = [
    Layer("Convolution", (2, 3, 33, 31), 20, (3, 3)),
    Layer("Convolution", (4, 17, 14, 14), 50, (3, 3)),
    Layer("Convolution", (2, 64, 28, 28), 64, (3, 3)),
    Layer("Convolution", (3, 256, 14, 14), 96, (3, 3)),
    Layer("Convolution", (2, 512, 7, 7), 512, (3, 3)),
    Layer("Convolution", (2, 48, 20, 20), 64, (3, 3), pad=(2, 2), dilate=2),
    Layer("Convolution", (2, 64, 20, 20), 48, (3, 3), groups=2),
    Layer("Convolution", (2, 32, 29, 30), 33, (3, 3), stride=2),
    Layer("Convolution", (2, 3, 64, 64), 64, (7, 7), stride=2),
    Layer("Convolution", (2, 40, 17, 15), 20, (2, 2), pad=(0, 0)),
    Layer("Convolution", (2, 40, 17, 15), 20, (4, 4), pad=(1, 1)),
    Layer("Convolution", (2, 48, 21, 21), 48, (5, 5)),
    Layer("Convolution", (2, 64, 17, 17), 64, (1, 7)),
    Layer("Convolution", (2, 48, 17, 40), 33, (1, 3)),
    Layer("Convolution", (4, 96, 14, 14), 64, (1, 1)),
    Layer("Deconvolution", (2, 64, 13, 14), 48, (4, 4), stride=2, pad=(1, 1)),
    Layer("Deconvolution", (2, 32, 11, 12), 20, (3, 3)),
]


def draw_layer(rng):
    """A layer of any of the forms that algorithms distinguish."""
    op = "Deconvolution" if rng.random() < 0.2 else "Convolution"
    kernel = [(3, 3)] * 3 + [(2, 2), (4, 4), (5, 5), (1, 3), (3, 1), (1, 7), (7, 7), (1, 1)]
    kernel = kernel[rng.integers(len(kernel))]
    stride = int(rng.choice([1, 1, 1, 2]))
    dilate = int(rng.choice([1, 1, 1, 2])) if stride == 1 and op == "Convolution" else 1
    groups = int(rng.choice([1, 1, 1, 2]))
    channels, outputs = (int(groups * rng.choice([3, 16, 17, 20, 32, 48, 96])) for _ in range(2))
    rows, columns = (int(rng.integers(2 * dilate * size + 1, 34)) for size in kernel)
    pad = tuple(size // 2 * dilate for size in kernel)
    return Layer(op, (int(rng.integers(1, 5)), channels, rows, columns), outputs, kernel, stride, pad, dilate, groups)


def forward(layer, data, weight):
    """The convolution [N, O, OH, OW] of data [N, C, H, W] by weight [O, C / groups, kH, kW], and an accessor of the
    pixels that a tap meets, [groups, N, C / groups, OH, OW]."""
    padded = np.pad(data, ((0, 0), (0, 0)) + tuple((pad, pad) for pad in layer.pads))
    sizes = [(padded.shape[2 + d] - layer.dilations[d] * (layer.kernel[d] - 1) - 1) // layer.strides[d] + 1 for d in (0, 1)]

    def part(array, tap):
        first = [tap[d] * layer.dilations[d] for d in (0, 1)]
        rows, columns = (slice(first[d], first[d] + layer.strides[d] * (sizes[d] - 1) + 1, layer.strides[d]) for d in (0, 1))
        pixels = array[:, :, rows, columns]
        return pixels.reshape(len(array), layer.groups, -1, *sizes).swapaxes(0, 1)
    result = 0
    weights = weight.reshape(layer.groups, -1, *weight.shape[1:])
    for tap in np.ndindex(*layer.kernel):
        result = result + np.einsum("goi,gniyx->gnoyx", weights[..., tap[0], tap[1]], part(padded, tap), optimize=True)
    return result.swapaxes(0, 1).reshape(len(data), -1, *sizes), padded, part


def gradients(layer, data, weight, slope):
    """Of a convolution: (of data, of weight)."""
    _, padded, part = forward(layer, data, weight)
    of_padded, of_weight = np.zeros_like(padded), np.zeros_like(weight)
    slopes = slope.reshape(len(slope), layer.groups, -1, *slope.shape[2:]).swapaxes(0, 1)
    weights = weight.reshape(layer.groups, -1, *weight.shape[1:])
    sums = of_weight.reshape(weights.shape)
    for tap in np.ndindex(*layer.kernel):
        sums[..., tap[0], tap[1]] = np.einsum("gnoyx,gniyx->goi", slopes, part(padded, tap), optimize=True)
        part_of = part(of_padded, tap)
        part_of += np.einsum("gnoyx,goi->gniyx", slopes, weights[..., tap[0], tap[1]], optimize=True)
    (top, left), (height, width) = layer.pads, data.shape[2:]
    return of_padded[:, :, top:top + height, left:left + width], of_weight


def exact(layer, data, weight, slope):
    """{"data": gradient, "weight": gradient} in float64."""
    data, weight, slope = (array.astype(float) for array in (data, weight, slope))
    if layer.op == "Convolution":
        of_data, of_weight = gradients(layer, data, weight, slope)
    else:  # whose result is the gradient of a convolution's data
        of_data = forward(layer, slope, weight)[0]
        of_weight = gradients(layer, slope, weight, data)[1]
    return {"data": of_data, "weight": of_weight}


def output_shape(layer):
    sizes = []
    for d in (0, 1):
        size, window = layer.data[2 + d], layer.dilations[d] * (layer.kernel[d] - 1) + 1
        sizes.append((size - 1) * layer.strides[d] - 2 * layer.pads[d] + window if layer.op == "Deconvolution" else
                     (size + 2 * layer.pads[d] - window) // layer.strides[d] + 1)
    return (layer.data[0], layer.outputs, *sizes)


def draw(layer, kind, seed):
    """Data, weights and the gradient of the output, half of it zeros for every other seed."""
    rng = np.random.default_rng(seed)
    channels, groups = layer.data[1], layer.groups
    weight, _ = KINDS[kind](rng, (layer.outputs, channels) + layer.kernel, layer.data[1:])
    weight = weight.reshape(groups, layer.outputs // groups, groups, channels // groups, *layer.kernel)
    weight = np.stack([weight[group, :, group] for group in range(groups)])
    if layer.op == "Deconvolution":
        weight = weight.swapaxes(1, 2)
    data = np.stack([KINDS[kind](rng, (1, 1, 1, 1), layer.data[1:])[1] for _ in range(layer.data[0])])
    slope = rng.standard_normal(output_shape(layer))
    if kind == "scaled":
        slope *= 10.0 ** rng.uniform(-3, 0, (1, layer.outputs, 1, 1))
    if seed % 2:
        slope *= rng.random(slope.shape) < 0.5
    return [array.astype("float32") for array in (data, weight.reshape(layer.weight), slope)]


def compile_layer(options, layer, kernel, folder):
    """(program, {gradient: (kernel, bound)}) of the gradients that the algorithm computes."""
    nodes = [{"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "weight", "inputs": []},
             {"op": layer.op, "name": "conv", "inputs": [[0, 0, 0], [1, 0, 0]], "attrs": layer.attributes()}]
    symbol, program = os.path.join(folder, "net-symbol.json"), os.path.join(folder, "net")
    with open(symbol, "w") as file:
        json.dump({"nodes": nodes, "arg_nodes": [0, 1], "heads": [[2, 0, 0]]}, file)
    run = subprocess.run(
        [os.path.join(options.bin, "symc"), symbol, "--gradients", "data,weight", "--report", "--force-kernel", kernel,
         "--target-cpu", options.target_cpu, "--math", options.math, "-o", program] +
        [word for name, shape in (("data", layer.data), ("weight", layer.weight))
         for word in ("--shape", "%s=%s" % (name, ",".join(map(str, shape))))],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        sys.exit("gradient_errors: symc ended with status %d:\n%s" % (run.returncode, run.stdout))
    steps = re.findall(r"^ +\d+ +([a-z]\S*).*? (?:of \d+)?(?:, error (\S+))? .* conv_backward\b", run.stdout, re.M)
    found = {}
    for gradient in ("data", "weight"):
        of = [(name, float(bound or "inf")) for name, bound in steps if name.endswith("_weights") == (gradient == "weight")]
        forced = [step for step in of if step[1] < float("inf")]
        if kernel == "direct":
            found[gradient] = next((step for step in of if step[0] in ("conv", "conv_weights")), ("direct", float("inf")))
        elif forced:
            found[gradient] = max(forced, key=lambda step: step[1])
    return program, found


def by_symc(program, arrays, folder):
    command = [program, "--output-dir", folder]
    for name, array in zip(("--input data", "--input weight", "--head-grad conv_output"), arrays):
        flag, name = name.split()
        np.save(os.path.join(folder, name + ".in.npy"), array)
        command += [flag, "%s=%s" % (name, os.path.join(folder, name + ".in.npy"))]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return {name: np.load(os.path.join(folder, "grad", name + ".npy")) for name in ("data", "weight")}


def by_mxnet(mx, layer, arrays):
    symbol = getattr(mx.sym, layer.op)(mx.sym.Variable("data"), mx.sym.Variable("weight"), **layer.attributes())
    data, weight, slope = (mx.nd.array(array) for array in arrays)
    executor = symbol.bind(mx.cpu(), {"data": data, "weight": weight},
                           args_grad={"data": mx.nd.zeros(data.shape), "weight": mx.nd.zeros(weight.shape)})
    executor.forward(is_train=True)
    executor.backward([slope])
    return {name: array.asnumpy() for name, array in executor.grad_dict.items()}


def error_of(layer, gradient, found, wanted):
    """The largest of a channel, over the channel's largest value."""
    axis = 1 if gradient == "data" else 0
    if gradient == "weight" and layer.op == "Deconvolution":  # [C, O / groups, kH, kW]: outputs first
        shape = (layer.groups, -1) + wanted.shape[1:]
        found, wanted = (array.reshape(shape).swapaxes(1, 2).reshape(layer.outputs, -1, *shape[3:]) for array in (found, wanted))
    rest = tuple(i for i in range(wanted.ndim) if i != axis)
    largest, errors = np.abs(wanted).max(rest), np.abs(found - wanted).max(rest)
    return np.divide(errors, largest, where=largest > 0, out=np.where(errors > 0, np.inf, 0)).max()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the build's folder of programs")
    parser.add_argument("--kernels", default=",".join(KERNELS), help="algorithms, by commas")
    parser.add_argument("--layers", default="", help="numbers of the layers above, by commas; none: all")
    parser.add_argument("--drawn", type=int, default=0, help="so many drawn layers, too")
    parser.add_argument("--seeds", type=int, default=1, help="of each kind of values")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--target-cpu", default="x86-64-v3")
    parser.add_argument("--math", default="fast", help="which algorithms may be forced: strict, default or fast")
    parser.add_argument("--mxnet", action="store_true", help="MXNet's own errors, too")
    options = parser.parse_args()
    layers = LAYERS if not options.layers else [LAYERS[int(place)] for place in options.layers.split(",") if place != "none"]
    layers = layers + [draw_layer(np.random.default_rng(options.first + i)) for i in range(options.drawn)]
    if options.mxnet:
        needs.modules("mxnet")
        warnings.simplefilter("ignore")
        np.bool = bool  # which MXNet takes from there
        import mxnet as mx
    rows = beyond = 0
    for layer in layers:
        cases = [(kind, seed) for kind in KINDS for seed in range(options.first, options.first + options.seeds)]
        arrays = [draw(layer, *case) for case in cases]
        wanted = [exact(layer, *each) for each in arrays]
        theirs = [by_mxnet(mx, layer, each) for each in arrays] if options.mxnet else None
        print(layer)
        for kernel in options.kernels.split(","):
            worst = {}
            with tempfile.TemporaryDirectory() as folder:
                program, computed = compile_layer(options, layer, kernel, folder)
                for i, each in enumerate(arrays if computed else []):
                    found = by_symc(program, each, folder)
                    for gradient, (name, bound) in computed.items():
                        error = error_of(layer, gradient, found[gradient], wanted[i][gradient])
                        other = error_of(layer, gradient, theirs[i][gradient], wanted[i][gradient]) if theirs else 0
                        if error >= worst.get(gradient, (-1,))[0]:
                            worst[gradient] = (error, bound, name, cases[i], other)
            for gradient, (error, bound, name, case, other) in worst.items():
                within = error <= bound
                rows, beyond = rows + 1, beyond + (not within)
                print("  %-23s %-6s by %-23s error %.2g (%s %d)%s%s" % (
                    kernel, gradient, name, error, *case, ", MXNet %.2g" % other if theirs else "",
                    "" if bound == float("inf") else ", bound %.2g%s" % (bound, "" if within else ": BEYOND")), flush=True)
    print("%d gradients of %d layers, %d beyond their bound" % (rows, len(layers), beyond))
    sys.exit(1 if beyond or not rows else 0)


if __name__ == "__main__":
    main()

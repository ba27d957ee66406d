#!/usr/bin/env python3
"""Errors of the algorithms of convolutions beside float64, by output channel.

For each algorithm and number of channels that are summed: S layers of their own weights
and data, of each kind as many (the groups of one convolution), computed by
symc-run --force-kernel. The error of an output channel is its largest error over its
largest value. A row passes where the bound that the step reports is at least twice the
largest error of all channels and seeds. Exit status 0: all rows pass.
"""
import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import needs

needs.modules("numpy")
import numpy as np

# Windows of each algorithm. winograd-pieces sums over the channels of all pieces, of 3
# taps or 4 (F(4, 3) or F(3, 4)) along an axis.
WINDOWS = {
    "direct": [(1, 1), (3, 3)],
    "winograd-f2": [(3, 3)],
    "winograd-f4": [(3, 3)],
    "winograd-f4-on-the-fly": [(3, 3)],
    "winograd-pieces": [(7, 7), (1, 7), (7, 1), (5, 5), (1, 11)],
    "winograd-f5": [(2, 2), (1, 2)],
    "strassen": [(1, 1)],
}
PIECES = {(7, 7): 4, (1, 7): 2, (7, 1): 2, (5, 5): 4, (1, 11): 3}
OUTPUTS, EXTENT = 32, 8  # Strassen's product takes no fewer
MOST_WEIGHTS = 1 << 24  # of one process


def spread(rng, shape, decades):
    """Factors between 1 and 10^-decades."""
    return 10.0 ** rng.uniform(-decades, 0, shape)


def drawn(rng, weights, data):
    return rng.standard_normal(weights), rng.standard_normal(data)


def positive(rng, weights, data):
    return rng.standard_normal(weights), np.abs(rng.standard_normal(data))


def scaled(rng, weights, data):
    """Half of the output channels 1,000 times smaller; inputs whose sizes differ by as
    much, of which weights make up for half."""
    outputs = np.where(np.arange(weights[0]) * 2 < weights[0], 1, 1e-3)[:, None, None, None]
    if rng.integers(2):
        outputs = spread(rng, (weights[0], 1, 1, 1), 3)
    inputs = spread(rng, data[0], 3)
    made_up = inputs if rng.integers(2) else 1
    return (rng.standard_normal(weights) * outputs / np.reshape(made_up, (-1, 1, 1)),
            rng.standard_normal(data) * inputs[:, None, None])


def trained(rng, weights, data):
    """As training leaves them: long-tailed weights, filters of many sizes, inputs behind a
    batch norm and a rectifier, pixels beside each other alike."""
    outputs = np.exp(rng.normal(0, 1, (weights[0], 1, 1, 1)))
    pairs = np.exp(rng.normal(0, 0.7, weights[:2] + (1, 1)))
    smooth = rng.standard_normal((data[0], 1, 1)) + 0.7 * rng.standard_normal(data)
    gamma, beta = np.exp(rng.normal(-1, 0.8, data[0])), rng.normal(-0.1, 0.4, data[0])
    return (rng.laplace(size=weights) * outputs * pairs,
            np.maximum(smooth * gamma[:, None, None] + beta[:, None, None], 0))


KINDS = {kind.__name__: kind for kind in (drawn, positive, scaled, trained)}


def write_params(path, name, array):
    with open(path, "wb") as file:
        file.write(struct.pack("<QQQ", 0x112, 0, 1))
        file.write(struct.pack("<Iii", 0xF993FAC9, 0, array.ndim) +
                   struct.pack("<%dq" % array.ndim, *array.shape))
        file.write(struct.pack("<iii", 1, 0, 0) + array.tobytes())
        file.write(struct.pack("<QQ", 1, len(name)) + name.encode())


def exact(data, weight):
    """[O, H, W] in float64 of data [C, H, W] with a border of zeros."""
    rows, columns = weight.shape[2:]
    data = np.pad(data.astype(float), ((0, 0), (rows // 2,) * 2, (columns // 2,) * 2))
    windows = np.lib.stride_tricks.sliding_window_view(data, (rows, columns), (1, 2))
    patches = windows.transpose(0, 3, 4, 1, 2).reshape(weight[0].size, -1)
    return (weight.reshape(len(weight), -1).astype(float) @ patches).reshape(len(weight), *windows.shape[1:3])


def layers(options, kernel, window, channels, drawn_as):
    """(largest error, bound) of a layer for each pair of a kind and a seed: the groups of one convolution, so that
    they are compiled once."""
    shapes = (OUTPUTS, channels) + window, (channels, EXTENT, EXTENT)
    pairs = [[part.astype("float32") for part in KINDS[kind](np.random.default_rng(seed), *shapes)]
             for kind, seed in drawn_as]
    attributes = {"kernel": str(window), "pad": str((window[0] // 2, window[1] // 2)), "no_bias": "True",
                  "num_filter": str(OUTPUTS * len(pairs)), "num_group": str(len(pairs))}
    nodes = [{"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "weight", "inputs": []},
             {"op": "Convolution", "name": "conv", "inputs": [[0, 0, 0], [1, 0, 0]], "attrs": attributes}]
    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name)
        with open(path("net-symbol.json"), "w") as file:
            json.dump({"nodes": nodes, "arg_nodes": [0, 1], "heads": [[2, 0, 0]]}, file)
        write_params(path("net-0000.params"), "arg:weight", np.concatenate([pair[0] for pair in pairs]))
        data = np.concatenate([pair[1] for pair in pairs])[None]
        np.save(path("data.npy"), data)
        run = subprocess.run(
            [os.path.join(options.bin, "symc-run"), path("net-symbol.json"), path("net-0000.params"),
             "--shape", "data=%d,%d,%d,%d" % data.shape, "--input", "data=" + path("data.npy"),
             "--output-dir", folder, "--target-cpu", options.target_cpu, "--force-kernel", kernel,
             "--profile=steps"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode:
            sys.exit("measure_errors: symc-run ended with status %d:\n%s" % (run.returncode, run.stdout))
        found = np.load(path("conv_output.npy"))[0]
        found = found.reshape(len(pairs), OUTPUTS, *found.shape[1:])
    bounds = set(re.findall(r"\b%s \S+(?: of \d+)?(?:, error (\S+))?" % ("conv" if kernel == "direct" else kernel),
                            run.stdout))
    if len(bounds) != 1:
        sys.exit("measure_errors: %s did not compute all layers: %s" % (kernel, run.stdout))
    for (weight, image), outputs in zip(pairs, found):
        wanted = exact(image, weight)
        errors = np.abs(outputs - wanted).max((1, 2)) / np.abs(wanted).max((1, 2))
        yield errors.max(), float(min(bounds) or "inf")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the build's folder of programs")
    parser.add_argument("--kernels", default=",".join(WINDOWS), help="algorithms, by commas")
    parser.add_argument("--channels", default="64,128,256,512,1024,2048,4096", help="that are summed")
    parser.add_argument("--kinds", default=",".join(KINDS), help="of weights and data")
    parser.add_argument("--windows", type=int, default=1, help="so many windows of each algorithm")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--target-cpu", default="x86-64-v3")
    options = parser.parse_args()
    failed = rows = 0
    for kernel in options.kernels.split(","):
        for window in WINDOWS[kernel][:options.windows]:
            for summed in map(int, options.channels.split(",")):
                pieces = PIECES.get(window, 1) if kernel == "winograd-pieces" else 1
                channels = max(summed // pieces // 16, 1) * 16
                at_once = max(MOST_WEIGHTS // (OUTPUTS * channels * window[0] * window[1]), 1)
                kinds = options.kinds.split(",")
                seeds = range(options.first, options.first + options.seeds)
                drawn_as = [(kind, seed) for place, kind in enumerate(kinds) for seed in seeds[place::len(kinds)]]
                bound, errors = 0, []
                for first in range(0, len(drawn_as), at_once):
                    for error, bound in layers(options, kernel, window, channels, drawn_as[first:first + at_once]):
                        errors.append(error)
                per_kind = ["%s %.2g" % (kind, max(error for error, (of, _) in zip(errors, drawn_as) if of == kind))
                            for kind in kinds]
                worst = max(errors)
                within = worst * 2 <= bound
                rows, failed = rows + 1, failed + (not within)
                print("%s %dx%d of %d: error %.2g (%s), bound %.2g: %s" % (
                    kernel, *window, channels * pieces, worst, ", ".join(per_kind), bound,
                    "within half" if within else "BEYOND half"), flush=True)
    print("%d rows of %d seeds, %d beyond half of their bound" % (rows, options.seeds, failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

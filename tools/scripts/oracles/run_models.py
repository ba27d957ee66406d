#!/usr/bin/env python3
"""Compiles every symbol file of a folder and compares it with MXNet on the same weights.

usage: run_models.py --bin BUILD/bin MODELS [--cases CASES/models] [--only NAME] [--keep DIR]

Runs in the environment of make-oracle-env. Each MODELS/*.json that is a graph is compiled with
--random-weights for the shapes of its case, of STEM-shapes.json, or of SHAPES below; then with
weights in a file, the stored ones or ones drawn here and written by MXNet, and run on one
input, which MXNet 1.9.1 gets too (rtol 1e-3, atol 1e-5). Graphs with operators that MXNet does
not have must be refused with one error that names every one of them. MXNet's own operators are
the reference; oneDNN, whose SoftmaxOutput of images differs, runs only for graphs that hold
its operators. Prints a table; exit status 1 where a row is not as it should be.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib

os.environ.setdefault("MXNET_MKLDNN_ENABLED", "0")
os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import needs

needs.modules("mxnet", "numpy")
import mxnet as mx
import numpy as np

from compiled_model import Symc, differs

RTOL, ATOL = 1e-3, 1e-5
# Input extents of public models whose files do not contain them.
SHAPES = {
    "M25": (1, 3, 320, 320),
    "arcface": (1, 3, 112, 112),
    "resnet18": (1, 3, 224, 224),
    "resnet50int8": (1, 3, 224, 224),
    "squeezenet12": (1, 3, 224, 224),
    "vgg16reduced": (1, 3, 300, 300),
    "save_000800": (32, 784),
}


def find_models(folder):
    """{stem: (symbol file, stored weights or None)}"""
    found, names = {}, sorted(os.listdir(folder))
    for name in names:
        if not name.endswith(".json"):
            continue
        with open(os.path.join(folder, name)) as file:
            graph = json.load(file)
        if not isinstance(graph, dict) or "nodes" not in graph:
            continue
        stem = re.sub(r"(-symbol)?\.json$", "", name)
        weights = [other for other in names
                   if re.fullmatch(re.escape(stem) + r"\d*-\d{4}\.params", other)]
        found[stem] = (os.path.join(folder, name), os.path.join(folder, weights[0]) if weights else None)
    return found


def input_shapes(stem, folder, cases):
    case = os.path.join(cases or "", stem, "case.json")
    if cases and os.path.exists(case):
        with open(case) as file:
            shapes = json.load(file).get("shapes")
        if shapes:
            return {name: tuple(shape) for name, shape in shapes.items()}
    listed = os.path.join(folder, stem + "-shapes.json")
    if os.path.exists(listed):
        with open(listed) as file:
            return {entry["name"]: tuple(entry["shape"]) for entry in json.load(file)}
    return {"data": SHAPES[stem]} if stem in SHAPES else {}


def unknown_operators(path):
    """Operators of a file that MXNet does not have."""
    known = {name for place in (mx.sym, mx.sym._internal) for name in dir(place)}
    known |= {"_contrib_" + name for name in dir(mx.sym.contrib)} | {"null", "_Plus", "_Minus"}
    with open(path) as file:
        used = {node["op"] for node in json.load(file)["nodes"]}
    return sorted(name for name in used - known
                  if not hasattr(mx.sym.op, name) and not name.startswith("_sg_"))


def needs_onednn(path):
    with open(path) as file:
        return '"_sg_mkldnn_' in file.read()


def draw(name, shape, dtype, rng):
    """Values that keep activations near one."""
    if dtype.kind in "iu":
        return rng.integers(-100, 101, shape).astype(dtype) if dtype.kind == "i" \
            else rng.integers(0, 201, shape).astype(dtype)
    if name.endswith("gamma"):
        value = rng.uniform(0.4, 0.8, shape)
    elif name.endswith("var"):
        value = rng.uniform(0.6, 1.4, shape)
    elif name.endswith(("beta", "mean", "bias")):
        value = rng.standard_normal(shape) * 0.1
    elif len(shape) > 1:
        value = rng.standard_normal(shape) * np.sqrt(1.6 / np.prod(shape[1:]))
    else:
        value = rng.uniform(0.1, 0.4, shape)
    return value.astype(dtype)


def write_weights(symbol, shapes, path, rng):
    """Draws every parameter and state of a symbol into a file."""
    arguments, _, states = symbol.infer_shape(**shapes)
    types, _, state_types = symbol.infer_type(**{name: np.float32 for name in shapes})
    arrays = {}
    for prefix, names, extents, dtypes in (("arg:", symbol.list_arguments(), arguments, types),
                                           ("aux:", symbol.list_auxiliary_states(), states, state_types)):
        for name, shape, dtype in zip(names, extents, dtypes):
            if name not in shapes and not name.endswith("label"):
                value = draw(name, shape, np.dtype(dtype), rng)
                arrays[prefix + name] = mx.nd.array(value, dtype=value.dtype)
    mx.nd.save(path, arrays)


def ask_mxnet(symbol, weights, shapes, inputs):
    executor = symbol.simple_bind(mx.cpu(), grad_req="null", **shapes)
    loaded = mx.nd.load(weights)
    arguments = {key[4:]: value for key, value in loaded.items() if key.startswith("arg:")}
    states = {key[4:]: value for key, value in loaded.items() if key.startswith("aux:")}
    executor.copy_params_from(arguments, states, allow_extra_params=True)
    for name, value in inputs.items():
        executor.arg_dict[name][:] = value
    return dict(zip(symbol.list_outputs(), (out.asnumpy() for out in executor.forward(is_train=False))))


def first_error(output):
    """The line of a compilation's messages that states what is wrong; progress lines do not."""
    lines = output.strip().splitlines() or ["no message"]
    return next((line for line in lines if "error: " in line), lines[-1])


class Runner:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.symc = Symc(options.bin, work)

    def refuse(self, stem, path, shapes, forked):
        _, result = self.symc.compile([path], shapes, stem, "--random-weights")
        errors = re.findall(r"error: .*", result.output)
        good = result.status == 1 and len(errors) == 1 and all(name in result.output for name in forked)
        return good, "refused: %s" % (errors[0] if errors else "no error, status %d" % result.status)

    def run(self, stem, path, stored):
        shapes = input_shapes(stem, self.options.models, self.options.cases)
        forked = unknown_operators(path)
        if forked:
            return self.refuse(stem, path, shapes, forked)
        if not shapes:
            return False, "no shape is known for its inputs"
        program, result = self.symc.compile([path], shapes, stem, "--random-weights", "--weights", "file")
        if result.status:
            return False, "--random-weights: " + first_error(result.output)
        seconds = result.seconds
        rng = np.random.default_rng(zlib.crc32(stem.encode()))
        try:
            symbol = mx.sym.load(path)
            weights = stored
            if not stored:
                weights = os.path.join(self.work, stem + "-0000.params")
                write_weights(symbol, shapes, weights, rng)
            inputs = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()
                      if name in symbol.list_arguments() and not name.endswith("label")}
            expected = ask_mxnet(symbol, weights, shapes, inputs)
        except Exception as problem:  # MXNet's own; the compilation above still counts
            return True, "compiles in %.1f s; MXNet fails: %s" % (seconds, str(problem).strip().splitlines()[0][:120])
        program, result = self.symc.compile([path, weights], shapes, stem, "--weights", "file", "--extra-weights")
        if result.status:
            return False, first_error(result.output)
        outputs, result = self.symc.run(program, inputs)
        if result.status:
            return False, "run: " + result.output.strip()[:300]
        largest = 0.0
        for name, value in expected.items():
            got = outputs.get(name)
            problem = differs(got, value, RTOL, ATOL)
            if problem:
                return False, "%s %s" % (name, problem)
            largest = max(largest, float(np.max(np.abs(got - value) / (ATOL + RTOL * np.abs(value)))))
        return True, "equals MXNet in %d outputs, %.0f %% of the tolerance; %s weights; compiled in %.1f s" \
            % (len(expected), 100 * largest, "stored" if stored else "drawn", seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models")
    parser.add_argument("--bin", required=True, help="folder of symc")
    parser.add_argument("--cases", help="folder of cases whose shapes are used")
    parser.add_argument("--only", help="one model")
    parser.add_argument("--keep", help="folder for weights and programs (default: a temporary one)")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        runner = Runner(options, options.keep or temporary)
        for stem, (path, stored) in find_models(options.models).items():
            if options.only not in (None, stem):
                continue
            if options.only is None and needs_onednn(path):
                again = subprocess.run([sys.executable] + sys.argv + ["--only", stem],
                                       env=dict(os.environ, MXNET_MKLDNN_ENABLED="1"))
                failed += again.returncode != 0
            else:
                good, text = runner.run(stem, path, stored)
                failed += not good
                print("%-4s %-14s %s" % ("ok" if good else "FAIL", stem, text), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

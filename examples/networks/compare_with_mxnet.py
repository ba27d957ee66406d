#!/usr/bin/env python3
"""Compares the networks of this folder with MXNet 1.9.1: the text of their symbols, and what they compute.

In the environment of tools/scripts/make-oracle-env, with symc's package in PYTHONPATH. Each network is composed by
symc and, from the same file, by MXNet; weights are drawn, symc compiles the symbol, and every output as well as what
goes into softmax is held against MXNet in float64: within 1e-4 of the largest value, or twice the error of MXNet's own
float32. A detector's boxes hang on the last bits of scores: they are held against those that MXNet finds in symc's
own scores.

Exit status 0: all agree.
"""
import argparse
import json
import os
import sys
import tempfile

os.environ.setdefault("MXNET_SUBGRAPH_BACKEND", "NONE")

import mxnet
import numpy as np
import symc

import catalog

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)
sys.path.append(os.path.join(TOP, "tools", "scripts", "lib"))
from compiled_model import Symc

#: Extents at which every layer has work and MXNet's float64 does not take long.
SIZES = {"alexnet": 67, "inception_v3": 107, "mlp": 28, "lenet": 28, "ssd": 300, "lstm": 5, "bert": 12}
BOUND = 1e-4
#: MXNet's LRN, MultiBoxPrior and products of self-attention take float32 alone: these networks are held against that.
IN_SINGLE = ("alexnet", "ssd300", "bert-base")


def compose_by(package, name):
    """(symbol, shapes) of a network whose file finds `package` where it asks for symc."""
    for network in catalog.NETWORKS.values():
        sys.modules.pop(network.module, None)
    sys.modules["symc"] = package
    try:
        with package.name.NameManager():
            return catalog.compose(name, SIZES.get(catalog.NETWORKS[name].module, 64))
    finally:
        sys.modules["symc"] = symc


def with_insides(symbol):
    """The symbol whose outputs are also what its first output's operator reads: logits; a detector's scores."""
    first = symbol[0]
    inputs = [each for each in first.get_children() if not each.name.endswith("label")]
    if json.loads(symbol.tojson())["nodes"][-1]["op"].endswith("MultiBoxDetection"):
        return symc.sym.Group([*inputs, *symbol])
    return symc.sym.Group([inputs[0], *symbol])


def draw(name, shape, rng):
    if name == "stn_loc_bias":
        return np.array([1, 0, 0.1, 0, 0.9, 0], np.float32)
    if name.endswith(("gamma", "var")):
        value = rng.uniform(0.5, 1.5, shape)
    elif name.endswith("scale"):
        value = np.full(shape, 20.0)
    elif len(shape) == 1:
        value = 0.1 * rng.standard_normal(shape)
    elif name.endswith("embed_weight"):
        value = rng.standard_normal(shape)
    else:
        spread = 0.1 if name == "stn_loc_weight" else np.sqrt(2 / np.prod(shape[1:]))
        value = spread * rng.standard_normal(shape, np.float32)
    return value.astype(np.float32)


def draw_input(name, shape, highest, rng):
    if name.endswith("label"):
        return np.zeros(shape, np.float32)
    if name == "valid_length":
        return np.full(shape, highest - 3, np.float32)
    if highest:
        return rng.integers(0, highest, shape).astype(np.float32)
    return rng.standard_normal(shape).astype(np.float32)


def run_mxnet(text, values, states, dtype):
    """The outputs by MXNet, computed in `dtype`."""
    def arrays(of):
        return {name: mxnet.nd.array(value, dtype=dtype) for name, value in of.items()}
    symbol = mxnet.sym.load_json(text)
    executor = symbol.bind(mxnet.cpu(), arrays(values), aux_states=arrays(states), grad_req="null")
    return [each.asnumpy() for each in executor.forward(is_train=False)]


def error(found, wanted):
    """The largest, over the largest value."""
    return float(np.abs(found.astype(np.float64) - wanted).max() / max(np.abs(wanted).max(), 1e-30))


def compare(name, compiler, work, seed):
    """What differs, as texts; prints a line."""
    network, rng = catalog.NETWORKS[name], np.random.default_rng([seed, sum(map(ord, name))])
    symbol, shapes = compose_by(symc, name)
    theirs, _ = compose_by(mxnet, name)
    problems = [] if symbol.tojson() == theirs.tojson() else ["its text is not MXNet's"]
    group = with_insides(symbol)
    extents, _, state_extents = group.infer_shape(**shapes)
    values, inputs = {}, {}
    for key, shape in zip(group.list_arguments(), extents):
        if catalog.is_parameter(key, shapes):
            values[key] = draw(key, shape, rng)
        else:
            inputs[key] = draw_input(key, shape, catalog.highest(name, key, shapes), rng)
    states = {key: draw(key, shape, rng) for key, shape in zip(group.list_auxiliary_states(), state_extents)}
    files = [os.path.join(work, name + end) for end in ("-symbol.json", "-0000.params")]
    group.save(files[0])
    mxnet.nd.save(files[1], {**{"arg:" + key: mxnet.nd.array(value) for key, value in values.items()},
                             **{"aux:" + key: mxnet.nd.array(value) for key, value in states.items()}})
    program, result = compiler.compile(files, {key: value.shape for key, value in inputs.items()}, name)
    if result.status:
        return problems + ["symc: " + result.output]
    found, said = compiler.run(program, inputs)
    if said.status:
        return problems + ["its program: " + said.output]
    found = [found[key] for key in group.list_outputs()]
    single = run_mxnet(group.tojson(), {**values, **inputs}, states, "float32")
    wanted = single[:] if name in IN_SINGLE else run_mxnet(group.tojson(), {**values, **inputs}, states, "float64")
    if network.module == "ssd":
        scores = [mxnet.nd.array(each) for each in found[:3]]
        last = json.loads(group.tojson())["nodes"][-1]
        wanted[3] = single[3] = mxnet.nd.contrib.MultiBoxDetection(*scores, **last["attrs"]).asnumpy()
    ours = max(map(error, found, wanted))
    for key, mine, its, right in zip(group.list_outputs(), found, single, wanted):
        if mine.shape != right.shape or not np.isfinite(right).all():
            problems.append("output '%s' has shape %s, MXNet's %s" % (key, mine.shape, right.shape))
        elif error(mine, right) > max(BOUND, 2 * error(its, right)):
            problems.append("output '%s' errs by %.1e, MXNet by %.1e" % (key, error(mine, right), error(its, right)))
    print("%-15s text %-7s error %.1e, MXNet's %.1e   compiled in %5.2f s" % (
        name, "differs" if symbol.tojson() != theirs.tojson() else "equal", ours, max(map(error, single, wanted)),
        result.seconds), flush=True)
    for path in (*files, program):
        os.remove(path)
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", metavar="NAME", help="these only (default: all)")
    parser.add_argument("--bin", default=os.path.join(TOP, "build", "release", "bin"), help="the folder of symc")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    different = 0
    with tempfile.TemporaryDirectory() as work:
        for name in options.networks or catalog.NETWORKS:
            for problem in compare(name, Symc(options.bin, work), work, options.seed):
                different += 1
                print("    " + problem)
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the project's own conformance cases: DIR/ops/<operator>/<case>/.

Runs in the environment of make-oracle-env. Each case is a graph (symbol.json),
arrays (io.params: data:NAME inputs, arg:NAME parameters, aux:NAME auxiliary
states, out:K outputs as MXNet 1.9.1 computes them on the CPU, aux_out:NAME the
states that the run changed) and case.json (op, mode, inputs, outputs, rtol, atol).
The same script writes the same bytes on the same kind of processor
(test/conformance/README.md names what differs on others). Names of operators behind DIR restrict it to
these and leave all other cases as they are.

A result x passes against y where |x - y| <= atol + rtol * |y|; rtol = atol = 0
means exact. The class of the operator gives both; where MXNet can run the case
in float64, atol is raised until four times the distance of its float32 result
from its float64 result fits. An output for which that would be no bound, its values being
small or floats beside quantised integers, has a tolerance of its own (`tolerances`).
"""
import json
import os
import shutil
import subprocess
import sys
import zlib

# The reference is MXNet's own code, not the oneDNN kernels it may call, but for operators
# that have no other: a second process, which this variable marks, makes their cases.
with_onednn = os.environ.get("SYMC_MAKE_ONEDNN") == "1"
os.environ["MXNET_MKLDNN_ENABLED"] = "1" if with_onednn else "0"
os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import needs

needs.modules("mxnet", "numpy")
import mxnet as mx
import numpy as np

import conformance_cases
import conformance_graphs
import conformance_numpy_cases
import make_numpy_cases

TOLERANCES = {
    "exact": (0.0, 0.0),
    "step": (0.0, 1.0),  # quantised integers; floats beside them are "arithmetic"
    "arithmetic": (1e-6, 1e-6),
    "function": (1e-5, 1e-6),
    "steep": (2e-5, 2e-6),
    "reduction": (1e-5, 1e-5),
    "product": (1e-4, 1e-5),
    "norm": (1e-3, 1e-4),
}


def draw(spec, rng):
    """The array that a spec of conformance_cases stands for."""
    if isinstance(spec, np.ndarray):
        return spec
    shape, kind, dtype = spec.shape, spec.kind, spec.dtype
    count = int(np.prod(shape))
    if kind == "normal":  # away from zero, where relu and sign have kinks
        value = rng.standard_normal(count)
        value = np.where(np.abs(value) < 0.05, value + np.copysign(0.05, value), value)
    elif kind == "positive":
        value = rng.uniform(0.2, 3.0, count)
    elif kind == "unit":
        value = rng.uniform(0.05, 0.9, count) * rng.choice([-1, 1], count)
    elif kind == "above1":
        value = rng.uniform(1.1, 4.0, count)
    elif kind == "distinct":  # no two equal, for maxima
        value = (rng.permutation(count) - count / 2.0 + 0.25) * 0.37
    elif kind == "zeroone":
        value = rng.integers(0, 2, count)
    elif kind.startswith("ints:"):
        low, high = map(int, kind[5:].split(","))
        value = rng.integers(low, high, count)
    else:
        raise ValueError(kind)
    return value.reshape(shape).astype(dtype)


def find_operator(name):
    for place in (mx.sym, mx.sym._internal):
        if hasattr(place, name):
            return getattr(place, name)
    for place in ("contrib", "linalg", "image"):
        if name.startswith("_%s_" % place):
            return getattr(getattr(mx.sym, place), name[len(place) + 2:])
    raise KeyError(name)


def build(case):
    """The symbol of a case and the names of its inputs."""
    if case.graph:
        return case.graph(mx), list(case.inputs)
    variables = [mx.sym.Variable(name) for name in case.inputs]
    return find_operator(case.op)(*variables, name=case.op.strip("_").lower() + "0", **case.attrs), \
        list(case.inputs)


def evaluate(symbol, arrays, aux, runs=1):
    executor = symbol.bind(mx.cpu(), {name: mx.nd.array(value, dtype=value.dtype)
                                      for name, value in arrays.items()},
                           aux_states={name: mx.nd.array(value, dtype=value.dtype)
                                       for name, value in aux.items()}, grad_req="null")
    for _ in range(runs):
        outputs = [out.asnumpy() for out in executor.forward(is_train=False)]
    changed = {name: array.asnumpy() for name, array in executor.aux_dict.items()
               if not np.array_equal(array.asnumpy(), aux[name], equal_nan=True)}
    return outputs, changed


def draw_parameters(symbol, inputs, rng):
    """Arrays for the arguments that MXNet added by composition, and the states."""
    states = symbol.list_auxiliary_states()
    if states and all(name in inputs for name in symbol.list_arguments() + states):
        return {}, {name: inputs.pop(name) for name in states}  # MXNet cannot infer all of them
    given = {name: value.shape for name, value in inputs.items()}
    shapes, _, aux_shapes = symbol.infer_shape(**given)
    if shapes is None:  # MXNet does not look into every body
        shapes, _, aux_shapes = symbol.infer_shape_partial(**given)
    types, _, aux_types = symbol.infer_type(**{name: value.dtype for name, value in inputs.items()})
    if types is None:
        types, aux_types = [np.float32] * len(shapes), [np.float32] * len(aux_shapes)
    parameters, aux = {}, {}
    for name, shape, dtype in zip(symbol.list_arguments(), shapes, types):
        if name in inputs:
            continue
        value = rng.standard_normal(shape)
        if name.endswith("gamma"):
            value = rng.uniform(0.5, 1.5, shape)
        elif name.endswith("weight") and len(shape) > 1:
            value = value / np.sqrt(np.prod(shape[1:]))
        elif name.endswith("label"):
            value = rng.integers(0, 2, shape)
        parameters[name] = value.astype(dtype)
    for name, shape, dtype in zip(symbol.list_auxiliary_states(), aux_shapes, aux_types):
        positive = name.rpartition("_")[2] in ("var", "n", "v", "d")
        value = rng.uniform(0.5, 2.0, shape) if positive else rng.standard_normal(shape) * 0.3
        aux[name] = value.astype(dtype)
    return parameters, aux


def tolerance_of_each(case, rtol, atol, outputs):
    """[rtol, atol] of each output. Zeros in place of a result, unless it is all zeros, must not pass."""
    pairs = []
    for out in outputs:
        pair = [rtol, atol]
        if out.dtype.kind == "f" and out.size:
            if case.tolerance == "step":
                pair = list(TOLERANCES["arithmetic"])
            magnitude = np.abs(out[np.isfinite(out)].astype(np.float64))
            largest = magnitude.max() if magnitude.size else 0.0
            if largest and pair[1] >= 0.1 * largest:
                pair[1] = float("%.1e" % (10 * pair[0] * largest))
            if largest and pair[1] >= 0.1 * largest:
                raise ValueError("%s/%s: a tolerance of %g is no bound for values up to %g"
                                 % (case.op, case.name, pair[1], largest))
        pairs.append(pair)
    return pairs


def tolerances(case, symbol, inputs, parameters, aux, outputs):
    rtol, atol = TOLERANCES[case.tolerance]
    kinds = {out.dtype for out in outputs if out.dtype.kind == "f"}
    if rtol == 0.0:
        return rtol, atol
    if np.dtype("float16") in kinds:
        return 4e-3, 4e-3
    if kinds == {np.dtype("float64")}:
        return 1e-10, 1e-10
    def widen(arrays):
        return {name: value.astype(np.float64) if value.dtype == np.float32 else value
                for name, value in arrays.items()}
    try:
        exact, _ = evaluate(symbol, widen({**inputs, **parameters}), widen(aux), case.runs)
    except mx.MXNetError:
        return rtol, atol
    for out, better in zip(outputs, exact):
        distance = np.abs(out.astype(np.float64) - better)
        finite = np.isfinite(distance)
        short = 4 * distance[finite] - rtol * np.abs(out[finite].astype(np.float64))
        if short.size and short.max() > atol:
            atol = float("%.1e" % (short.max() * 1.05))
        if short.size and distance[finite].max() > 0.02 * max(1e-30, np.abs(better[finite]).max()):
            raise ValueError("%s/%s is ill-conditioned" % (case.op, case.name))
    return rtol, atol


def make(case, folder):
    rng = np.random.default_rng(zlib.crc32(("%s/%s" % (case.op, case.name)).encode()))
    symbol, names = build(case)
    inputs = {name: draw(spec, rng) for name, spec in case.inputs.items()}
    parameters, aux = draw_parameters(symbol, inputs, rng)
    names = [name for name in names if name in inputs]
    outputs, changed = evaluate(symbol, {**inputs, **parameters}, aux, case.runs)
    rtol, atol = tolerances(case, symbol, inputs, parameters, aux, outputs)
    groups = {"data:": inputs, "arg:": parameters, "aux:": aux, "aux_out:": changed,
              "out:": {str(index): value for index, value in enumerate(outputs)}}
    facts = {"op": case.op, "mode": "predict", "inputs": names, "outputs": symbol.list_outputs(),
             "rtol": rtol, "atol": atol, "json_format": "1.9.1", "note": case.note}
    each = tolerance_of_each(case, rtol, atol, outputs)
    if any(pair != [rtol, atol] for pair in each):
        facts["tolerances"] = each
    if case.runs > 1:
        facts["runs"] = case.runs
    write(folder, symbol, groups, facts)


def write(folder, symbol, groups, facts):
    """The three files of a case; `groups`: {prefix: {name: array}}."""
    os.makedirs(folder)
    mx.nd.save(os.path.join(folder, "io.params"),
               {prefix + name: mx.nd.array(value, dtype=value.dtype)
                for prefix, group in groups.items() for name, value in group.items()})
    graph = json.loads(symbol.tojson())
    for node in graph["nodes"]:  # MXNet writes an operator's first name for all its names
        if facts["op"].startswith("_np") and node["op"] != "null":
            node["op"] = facts["op"]
    with open(os.path.join(folder, "symbol.json"), "w") as file:
        file.write(json.dumps(graph, separators=(",", ":")) + "\n")
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump(facts, file, indent=1)
        file.write("\n")


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: make_conformance.py DIR [OPERATOR...]")
    top, wanted = os.path.join(sys.argv[1], "ops"), set(sys.argv[2:])
    for name in (wanted or [""]) if not with_onednn else []:
        shutil.rmtree(os.path.join(top, name), ignore_errors=True)
    seen = set()
    failed = []
    for case in conformance_cases.all_cases():
        if (case.op, case.name) in seen:
            sys.exit("two cases are called %s/%s" % (case.op, case.name))
        if wanted and case.op not in wanted:
            continue
        if (case.op in conformance_graphs.ONEDNN) != with_onednn:
            continue
        seen.add((case.op, case.name))
        try:
            with mx.util.np_shape(conformance_numpy_cases.has_numpy_shapes(case.op)), mx.name.NameManager():
                make(case, os.path.join(top, case.op, case.name))
        except Exception as problem:  # reported together below; none is left out silently
            failed.append("%s/%s: %s" % (case.op, case.name, str(problem).strip().splitlines()[0]))
    if not with_onednn:
        print("%d cases by NumPy" % make_numpy_cases.write_all(top, wanted))
    print("\n".join(failed))
    print("%d cases of %d operators, %d failed"
          % (len(seen) - len(failed), len({op for op, _ in seen}), len(failed)))
    if not with_onednn:
        environment = {**os.environ, "SYMC_MAKE_ONEDNN": "1"}
        failed += ["oneDNN"] * subprocess.call([sys.executable, *sys.argv], env=environment)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

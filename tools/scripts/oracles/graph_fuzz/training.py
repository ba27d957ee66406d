"""Graphs of training: a drawn graph becomes a case with gradients, as MXNet computes them forward and backward.

What is drawn beside the graph: variables of one shape that become one (weights used two to four times), nodes that are
mirrored, gradients of the outputs, of each argument whether its gradient is written, added to one that is there, or left
out, and the bytes above which symc computes results again. Dropout drops nothing: its numbers are symc's own.
Results are outputs, gradients and states behind the step; each has a tolerance of its own, from its largest number and
from what it moves in float64 and under rounding errors of the inputs.
"""
import json
import os
import re
import shutil
import zlib

import mxnet as mx
import numpy as np

import make_conformance
from graph_fuzz import recipes
from graph_fuzz.explained import UNWRITTEN
from graph_fuzz.stability import UNSTABLE, Unstable, moved, operators_of, widened

# What MXNet 1.9.1 gives for these is not the derivative (make_training_cases.py); symc gives that.
NOT_DERIVATIVES = {"_npi_rarctan2_scalar", "_npi_rot90", "_npi_where_lscalar"}


class Unfit(Exception):
    """The graph has no gradients that can be compared; another is drawn."""


def differentiable(page):
    """MXNet's names of operators with a gradient, of the page of operators that the build makes."""
    names = set()
    for text in page.split("\n### ")[1:]:
        if re.search(r"^Gradient: (by its own rule|of the operators that replace it)$", text, re.M):
            names.update(re.findall(r"\w+", re.search(r"^MXNet names: (.*)$", text, re.M)[1]))
    return names - NOT_DERIVATIVES


def merged(graph, arrays, states, rng):
    """The graph with variables that have one shape made one: two to four of some such groups. Into a gamma that is fixed
    MXNet writes ones, whoever else reads it, so that gammas stay alone."""
    nodes, groups = graph["nodes"], {}
    for index, node in enumerate(nodes):
        value = arrays.get(node["name"]) if node["op"] == "null" else None
        if value is not None and value.dtype == np.float32 and node["name"] not in states and not node["name"].endswith(("label", "gamma")):
            groups.setdefault(value.shape, []).append(index)
    place = list(range(len(nodes)))
    for group in groups.values():
        if len(group) > 1 and rng.random() < 0.5:
            chosen = [int(index) for index in rng.permutation(group)[:int(rng.integers(2, 5))]]
            for index in chosen[1:]:
                place[index] = chosen[0]
    for node in nodes:
        node["inputs"] = [[place[source], *rest] for source, *rest in node["inputs"]]
    return graph


def changed(symbol, arrays, states, rng):
    """The symbol with merged variables, Dropout that drops nothing, and mirrored nodes."""
    graph = merged(json.loads(symbol.tojson()), arrays, states, rng)
    for node in graph["nodes"]:
        if node["op"] == "Dropout":
            node["attrs"] = {**node.get("attrs", {}), "p": "0"}
        if node["op"] != "null" and rng.random() < 0.1:
            node.setdefault("attrs", {})["__force_mirroring__"] = "True"
    return mx.sym.load_json(json.dumps(graph))


def without_mirrors(symbol):
    """What MXNet computes: of some nodes that it mirrors (GroupNorm) it gives garbage."""
    graph = json.loads(symbol.tojson())
    for node in graph["nodes"]:
        node.get("attrs", {}).pop("__force_mirroring__", None)
    return mx.sym.load_json(json.dumps(graph))


def requests(symbol, arrays, rng):
    """{argument: write, add or null}"""
    floats = [name for name in symbol.list_arguments() if arrays[name].dtype.kind == "f"]
    mixed = rng.random() < 0.4
    return {name: str(rng.choice(["write", "write", "add", "null"])) if mixed else "write" for name in floats}


def step(symbol, arrays, states, heads, kinds, before):
    """{key of the array in the case: value} of a step forward and backward. Several operators of MXNet 1.9.1 (clip,
    SoftmaxOutput, moments, _npi_hstack, ...) overwrite what their gradient shall be added to, or add garbage; so all
    gradients are written, and added here."""
    to = lambda value: mx.nd.array(value, dtype=value.dtype)
    grads = {name: mx.nd.full(arrays[name].shape, UNWRITTEN, dtype=arrays[name].dtype)
             for name, kind in kinds.items() if kind != "null"}
    executor = symbol.bind(mx.cpu(), {name: to(value) for name, value in arrays.items()}, args_grad=grads,
                           grad_req={name: "write" if name in grads else "null" for name in arrays},
                           aux_states={name: to(value) for name, value in states.items()})
    outputs = [out.asnumpy() for out in executor.forward(is_train=True)]
    executor.backward([to(head.astype(out.dtype)) for head, out in zip(heads(outputs), outputs)])
    found = {"out:%d" % i: out for i, out in enumerate(outputs)}
    for name, array in grads.items():
        value = array.asnumpy()
        written = not (value.size and np.all(value == UNWRITTEN))
        if kinds[name] == "add":
            found["grad:" + name] = before[name].astype(value.dtype) + (value if written else 0)
        elif written:
            found["grad:" + name] = value
    found.update({"aux_out:" + name: array.asnumpy() for name, array in executor.aux_dict.items()})
    return found


def supported(symbol, arrays, states, heads, kinds, before):
    """Of `kinds` those that MXNet can give: of a label or an index it fails."""
    try:
        step(symbol, arrays, states, heads, kinds, before)
        return kinds
    except mx.MXNetError:
        pass
    good = {}
    for name, kind in kinds.items():
        try:
            step(symbol, arrays, states, heads, {name: kind}, before)
            good[name] = kind
        except mx.MXNetError:
            pass
    return good


def tolerances(symbol, results, again):
    """{key: [rtol, atol]}; `again`: steps that should give the same results."""
    classes = [recipes.class_of(op) for op in operators_of(symbol)] + ["product"]
    rtol, atol = (max(pair) for pair in zip(*(make_conformance.TOLERANCES[name] for name in classes)))
    most = {key: float(np.abs(value.astype(np.float64)).max(initial=0)) for key, value in results.items()}
    largest = max(most.values(), default=0)
    found = {key: atol * max(size, 1e-3 * largest) for key, size in most.items()}
    for attempt in again:
        try:
            others = attempt()
        except mx.MXNetError:
            continue  # an operator without float64
        for key, value in results.items():
            if key not in others:
                continue
            distance = np.abs(value.astype(np.float64) - others[key].astype(np.float64)).max(initial=0)
            if not np.isfinite(distance) or distance > UNSTABLE * max(1e-6 * largest, most[key]):
                raise Unstable()
            found[key] = max(found[key], 4 * float(distance))
    return {key: [rtol, float("%.2e" % bound)] for key, bound in found.items()}


def write(folder, symbol, arrays, states, rng, note, plain=False):
    """Writes the case. `plain`: all gradients are written and nothing is drawn but the gradients of outputs."""
    if not plain:
        symbol = changed(symbol, arrays, states, rng)
    written = mx.sym.load_json(symbol.tojson())
    symbol = without_mirrors(written)
    arrays = {name: arrays[name] for name in symbol.list_arguments()}
    states = {name: states[name] for name in symbol.list_auxiliary_states()}
    if any(value.dtype == np.float16 for value in arrays.values()):
        raise Unfit("float16: tolerances of gradients are not known")
    seed = int(rng.integers(1 << 30)) if not plain else 5
    drawn = np.random.default_rng(seed)
    kinds = requests(symbol, arrays, drawn) if not plain else {
        name: "write" for name in symbol.list_arguments() if arrays[name].dtype.kind == "f"}
    before = {name: drawn.standard_normal(arrays[name].shape) for name in kinds}
    head_rng = lambda: np.random.default_rng(seed + 1)

    def heads(outputs):
        own = head_rng()
        return [own.standard_normal(out.shape).astype(np.float32) for out in outputs]
    kinds = supported(symbol, arrays, states, heads, kinds, before)
    before = {name: before[name].astype(arrays[name].dtype) for name, kind in kinds.items() if kind == "add"}
    if not any(kind != "null" for kind in kinds.values()):
        raise Unfit("no gradient in MXNet")
    run = lambda a, s: step(symbol, a, s, heads, kinds, before)
    results = run(arrays, states)
    outputs = [results["out:%d" % i] for i in range(len(symbol.list_outputs()))]
    if any(out.dtype.kind != "f" for out in outputs):
        raise Unfit("an output of whole numbers")
    if not mx.util.is_np_shape() and any(value.ndim == 0 for value in results.values()):
        raise Unfit("a result of rank 0, which a file has under NumPy's shapes alone")
    if not any(key.startswith("grad:") for key in results):
        raise Unfit("no gradient is written")
    if not all(np.isfinite(value).all() for value in results.values()):
        raise Unfit("a result that is not finite")
    bounds = tolerances(symbol, results, (lambda: run(widened(arrays), widened(states)),
                                          lambda: run(moved(arrays, np.random.default_rng(7)), states)))
    inputs = {name: value for name, value in arrays.items() if zlib.crc32(name.encode()) % 3}
    shutil.rmtree(folder, ignore_errors=True)
    groups = {"data:": inputs, "arg:": {n: v for n, v in arrays.items() if n not in inputs}, "aux:": states,
              "grad_before:": before, "ograd:": {str(i): head.astype(out.dtype) for i, (head, out) in enumerate(zip(heads(outputs), outputs))},
              "": results}
    unwritten = [name for name in symbol.list_arguments() if arrays[name].dtype.kind == "f" and "grad:" + name not in results]
    facts = {"op": os.path.basename(os.path.dirname(folder)), "mode": "train", "inputs": sorted(inputs), "outputs": symbol.list_outputs(),
             "rtol": 0, "atol": 0, "tolerances_of": bounds, "json_format": "1.9.1", "note": note,
             "grad_req": {**{name: kind for name, kind in kinds.items() if kind == "add"}, **{name: "null" for name in unwritten}}}
    if not plain and rng.random() < 0.4:
        facts["recompute"] = int(rng.choice([0, 2000, 20000]))
    make_conformance.write(folder, written, groups, facts)

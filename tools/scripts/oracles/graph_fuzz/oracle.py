"""MXNet's side: draws graphs, computes their results and writes them as conformance cases.

A process of its own, which may die with MXNet: it reads one JSON request a line and answers with one JSON line.
  {"do": "draw", "seed": S, "index": I, "op": PRIMARY, "folder": F}    a random graph around one operator; with
                                   "among": OPERATORS of these, as a case of training (graph_fuzz.training)
  {"do": "case", "pickle": P, "folder": F}                              a graph of the shrinker: (symbol JSON, arrays)
  {"do": "values", "folder": F}                                         every entry of the case, for the shrinker
Answers: {"status": "ok" | "refused" | "unstable", "ops": [...], ...}. An unstable graph is one whose result MXNet
itself changes by more than 2 % in float64, or when its inputs move by a rounding error.
"""
import json
import os
import pickle
import shutil
import sys
import zlib

os.environ.setdefault("MXNET_ENGINE_TYPE", "NaiveEngine")
os.environ.setdefault("OMP_NUM_THREADS", "1")

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import needs

needs.modules("mxnet", "numpy")
import mxnet as mx
import numpy as np

import make_conformance
from graph_fuzz import drawing, op_table, recipes, training
from graph_fuzz.recipes import class_of
from graph_fuzz.stability import UNSTABLE, Unstable, moved, operators_of, widened


def tolerances(symbol, arrays, states, outputs):
    """(rtol, atol) of the graph: that of its least exact operator, and what MXNet's own rounding needs."""
    classes = [class_of(op) for op in operators_of(symbol)]
    rtol, atol = (max(pair) for pair in zip(*(make_conformance.TOLERANCES[name] for name in classes)))
    if rtol == 0.0:
        return rtol, atol
    types = {str(value.dtype) for value in [*arrays.values(), *states.values(), *outputs] if value.dtype.kind == "f"}
    if "float16" in types:
        rtol, atol = max(rtol, 4e-3), 4e-3
    elif types == {"float64"}:
        rtol, atol = 1e-9, 1e-9
    finite = [np.abs(out[np.isfinite(out)]).max(initial=0) for out in outputs if out.dtype.kind == "f"]
    atol *= max([1.0] + [float(most) for most in finite])
    rng = np.random.default_rng(7)
    for again, extra in ((lambda: (widened(arrays), widened(states)), 4), (lambda: (moved(arrays, rng), states), 4)):
        try:
            others, _ = make_conformance.evaluate(symbol, *again())
        except mx.MXNetError:
            continue  # an operator without float64
        for out, other in zip(outputs, others):
            if out.dtype.kind not in "f":
                if (out != other).any():
                    raise Unstable()
                continue
            out, other = out.astype(np.float64), other.astype(np.float64)
            if (np.isfinite(out) != np.isfinite(other)).any():
                raise Unstable()
            distance = np.abs(out - other)[np.isfinite(out)]
            if distance.size:
                if distance.max() > UNSTABLE * max(1e-30, np.abs(out[np.isfinite(out)]).max()):
                    raise Unstable()
                atol = max(atol, extra * float(distance.max()))
    return rtol, float("%.2e" % atol)


def write(folder, symbol, arrays, states, note, given=()):
    """Evaluates the graph as a whole and writes the case; which variables are weights follows from their names."""
    symbol = mx.sym.load_json(symbol.tojson())  # what a file holds: a composed symbol can infer other types
    outputs, changed = make_conformance.evaluate(symbol, arrays, states)
    rtol, atol = tolerances(symbol, arrays, states, outputs)
    inputs = {name: value for name, value in arrays.items()
              if (name.startswith("v") or name in given) and zlib.crc32(name.encode()) % 4}
    shutil.rmtree(folder, ignore_errors=True)
    groups = {"data:": inputs, "arg:": {n: v for n, v in arrays.items() if n not in inputs}, "aux:": states,
              "aux_out:": changed, "out:": {str(i): out for i, out in enumerate(outputs)}}
    make_conformance.write(folder, symbol, groups, {
        "op": os.path.basename(os.path.dirname(folder)), "mode": "predict", "inputs": sorted(inputs),
        "outputs": symbol.list_outputs(), "rtol": rtol, "atol": atol, "json_format": "1.9.1", "note": note})


def write_refused(folder, refusal):
    """A graph that MXNet refuses, without results: symc may do what it likes but crash."""
    arrays = refusal.arrays or {}
    shutil.rmtree(folder, ignore_errors=True)
    make_conformance.write(folder, refusal.symbol, {"data:": arrays}, {
        "op": "refused", "mode": "predict", "inputs": sorted(arrays), "outputs": [], "rtol": 0, "atol": 0,
        "json_format": "1.9.1", "note": str(refusal)})


def draw(request, table):
    alone = recipes.stands_alone(request["op"])
    with mx.util.np_shape((request["op"].startswith("_np") or request["op"] == "_contrib_allclose") and alone):
        return draw_graph(request, table)


def draw_graph(request, table):
    index, primary = request["index"], request["op"]
    rng = np.random.default_rng([request["seed"], index])
    refusal, unstable, tries = None, 0, 0
    nodes = 1 if rng.random() < 0.3 else int(rng.integers(2, 9))
    before = 0 if nodes == 1 or recipes.stands_alone(primary) else int(rng.integers(0, nodes))
    while tries < 12:
        tries += 1
        graph = drawing.Drawing(rng, table, 0.0 if nodes == 1 else 0.8, request.get("repeat", 0.0))
        try:
            for place in range(nodes if primary in recipes.RECIPES else 1):
                if graph.whole is not None:
                    break
                if place == before:
                    recipes.draw(graph, primary)
                else:
                    recipes.draw_any(graph, request.get("among"))
        except drawing.Refused as problem:
            if problem.symbol is not None and problem.arrays and refusal is None:
                refusal = problem
            if primary not in graph.operators:
                continue
        symbol = graph.symbol()
        names = set(symbol.list_arguments())
        arrays = {name: value for name, value in graph.variables.items() if name in names}
        states = {name: graph.states[name] for name in symbol.list_auxiliary_states()}
        operators = operators_of(symbol) + ([primary] if graph.whole is not None else [])
        if primary not in operators:
            continue
        note = "seed %d, graph %d" % (request["seed"], index)
        try:
            if request.get("among"):
                training.write(request["folder"], symbol, arrays, states, rng, note)
            else:
                write(request["folder"], symbol, arrays, states, note, graph.given)
        except training.Unfit as unfit:
            problem = unfit
            continue
        except Unstable:
            unstable += 1
            if unstable == 4:
                raise
            continue
        answer = {"status": "ok", "ops": operators}
        if refusal is not None and not request.get("among"):
            write_refused(request["folder"] + "_refused", refusal)
            answer["refused"] = str(refusal)
        return answer
    if unstable:
        raise Unstable()
    return {"status": "refused", "why": str(refusal or problem)}


def load_case(folder):
    """(symbol, arrays, states) of a written case."""
    symbol = mx.sym.load(os.path.join(folder, "symbol.json"))
    stored = {key: value.asnumpy() for key, value in mx.nd.load(os.path.join(folder, "io.params")).items()}
    arrays = {key.split(":", 1)[1]: value for key, value in stored.items() if key.startswith(("data:", "arg:"))}
    states = {key[4:]: value for key, value in stored.items() if key.startswith("aux:")}
    return symbol, arrays, states


def of_numpy(graph):
    """Whether a symbol file counts shapes as NumPy does, where rank 0 is one."""
    return graph.get("attrs", {}).get("is_np_shape", ["int", 0])[1] == 1


def values(request):
    """Every entry of a case as MXNet computes it: {"NODE INDEX/OUTPUT": array}, pickled beside the arrays."""
    with open(os.path.join(request["folder"], "symbol.json")) as file:
        with mx.util.np_shape(of_numpy(json.load(file))):
            return all_values(request)


def all_values(request):
    symbol, arrays, states = load_case(request["folder"])
    graph = json.loads(symbol.tojson())
    entries = sorted({(node, out) for n in graph["nodes"] for node, out, *_ in n["inputs"]
                      if graph["nodes"][node]["op"] != "null"})
    found = {}
    for node, out in entries:
        part = dict(graph, heads=[[node, out, 0]])
        one = mx.sym.load_json(json.dumps(part))
        needed = {name: arrays[name] for name in one.list_arguments()}
        kept = {name: states[name] for name in one.list_auxiliary_states()}
        found[(node, out)] = make_conformance.evaluate(one, needed, kept)[0][0]
    with open(request["pickle"], "wb") as file:
        pickle.dump((graph, arrays, states, found), file)
    return {"status": "ok"}


def case(request):
    with open(request["pickle"], "rb") as file:
        graph, arrays, states = pickle.load(file)
    with mx.util.np_shape(of_numpy(graph)):
        symbol = mx.sym.load_json(json.dumps(graph))
        arrays = {name: arrays[name] for name in symbol.list_arguments()}
        states = {name: states[name] for name in symbol.list_auxiliary_states()}
        if request.get("train"):
            try:
                training.write(request["folder"], symbol, arrays, states, np.random.default_rng(5), "", plain=True)
            except training.Unfit as unfit:
                return {"status": "refused", "why": str(unfit)}
            return {"status": "ok", "ops": operators_of(symbol)}
        write(request["folder"], symbol, arrays, states, request.get("note", ""), tuple(arrays) if of_numpy(graph) else ())
        return {"status": "ok", "ops": operators_of(symbol)}


def serve(symc):
    table = op_table.read(symc)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # MXNet prints to standard output, too
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"draw": lambda r: draw(r, table), "case": case, "values": values}[request["do"]](request)
        except Unstable:
            answer = {"status": "unstable"}
        except mx.MXNetError as problem:
            answer = {"status": "refused", "why": drawing.last_line(problem)}
        except Exception as problem:  # a mistake of this program: named, and fatal for the run
            answer = {"status": "broken", "why": "%s: %s" % (type(problem).__name__, problem)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

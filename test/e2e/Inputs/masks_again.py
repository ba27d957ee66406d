"""Graphs whose result is a mask of ones alone, and whose gradient has to have the same bits.

usage: masks_again.py SYMC GRAPH...

Data and the output's gradient are ones, so that the gradient of Dropout is its output where the mask
that backward computation draws is that of the forward one.
"""
import json
import os
import subprocess
import sys

import numpy as np

STEPS, BATCH, WIDTH = 5, 4, 64


def node(op, name, inputs, **attrs):
    return {"op": op, "name": name, "attrs": {k: str(v) for k, v in attrs.items()}, "inputs": [list(i) for i in inputs]}


def variable(name):
    return {"op": "null", "name": name, "inputs": []}


def graph(nodes, heads):
    return {"nodes": nodes, "arg_nodes": [i for i, n in enumerate(nodes) if n["op"] == "null"], "heads": heads,
            "attrs": {"mxnet_version": ["int", 10901]}}


def dropped(nodes, of, name="drop"):
    return nodes + [node("Dropout", name, [[of, 0, 0]], p=0.5)]


def foreach(body):
    """Rows of x, and a state that nothing else reads."""
    loop = node("_foreach", "loop", [[0, 0, 0], [1, 0, 0]], num_args=3, num_outputs=2, num_out_data=1, in_data_locs=[0],
                in_state_locs=[1], remain_locs=[])
    loop["subgraphs"] = [body]
    return graph([variable("x"), variable("state"), loop], [[2, 0, 0]])


def row_body(nodes):
    """Heads: the last node, and the state (node 1) times 1."""
    nodes = nodes + [node("_mul_scalar", "same", [[1, 0, 0]], scalar=1)]
    return graph(nodes, [[len(nodes) - 2, 0, 0], [len(nodes) - 1, 0, 0]])


def while_body(values):
    """x times a mask in each of three iterations; the result is a product of masks."""
    condition = graph([variable("i"), node("_lesser_scalar", "before", [[0, 0, 0]], scalar=3)], [[1, 0, 0]])
    body = graph(dropped([variable("x")], 0) + [variable("i"), node("_plus_scalar", "next", [[2, 0, 0]], scalar=1)],
                 [[3, 0, 0], [1, 0, 0]])
    loop = node("_while_loop", "loop", [[0, 0, 0], [1, 0, 0]], num_args=4, num_outputs=2, num_out_data=0, max_iterations=values,
                cond_input_locs=[1], func_input_locs=[1, 0], func_var_locs=[0, 1])  # in the order of the heads
    loop["subgraphs"] = [condition, body]
    return graph([variable("x"), variable("i"), loop], [[2, 1, 0]])


def choice(value):
    """Dropout in both branches, of other names."""
    branch = lambda name: graph(dropped([variable("x")], 0, name), [[1, 0, 0]])
    condition = graph([variable("i"), node("_greater_scalar", "above", [[0, 0, 0]], scalar=value)], [[1, 0, 0]])
    chosen = node("_cond", "chosen", [[0, 0, 0], [1, 0, 0]], num_args=5, num_outputs=1, cond_input_locs=[1],
                  then_input_locs=[0], else_input_locs=[0])
    chosen["subgraphs"] = [condition, branch("one"), branch("other")]
    return graph([variable("x"), variable("i"), chosen], [[2, 0, 0]])


def nested():
    """A loop in a loop: the numbers of an iteration are those of both."""
    inner = node("_foreach", "inner", [[0, 0, 0], [1, 0, 0]], num_args=3, num_outputs=2, num_out_data=1, in_data_locs=[0],
                 in_state_locs=[1], remain_locs=[])
    inner["subgraphs"] = [row_body(dropped([variable("x"), variable("state")], 0))]
    nodes = [variable("x"), variable("state"), inner]
    return foreach(graph(nodes, [[2, 0, 0], [2, 1, 0]]))


def recurrent(ways):
    """Two layers of rnn_relu whose matrices are the identity (params)."""
    rnn = node("RNN", "rnn", [[0, 0, 0], [1, 0, 0], [2, 0, 0]], mode="rnn_relu", num_layers=2, state_size=WIDTH, p=0.5,
               bidirectional=ways == 2)
    return graph([variable("x"), variable("params"), variable("state"), rnn], [[3, 0, 0]])


def convolved():
    """Between activations behind a convolution by the identity, whose result lies in blocks of channels."""
    filters = node("Convolution", "filters", [[0, 0, 0], [1, 0, 0]], kernel="(3, 3)", pad="(1, 1)", num_filter=WIDTH, no_bias=True)
    before, after = (node("Activation", name, [[of, 0, 0]], act_type="relu") for name, of in (("before", 2), ("after", 4)))
    return graph(dropped([variable("x"), variable("weight"), filters, before], 3) + [after], [[5, 0, 0]])


def central():
    """Filters of which each takes the middle of its own channel."""
    weight = np.zeros((WIDTH, WIDTH, 3, 3), np.float32)
    weight[range(WIDTH), range(WIDTH), 1, 1] = 1
    return weight


def mirrored():
    """Dropout that is computed again, since the gradient of the factor `one` reads its result."""
    nodes = dropped([variable("x"), variable("one")], 0)
    nodes[-1]["attrs"]["__force_mirroring__"] = "True"
    return graph(nodes + [node("broadcast_mul", "product", [[2, 0, 0], [1, 0, 0]])], [[3, 0, 0]])


def identity(ways):
    """Each direction reads its own half of what the layer below gives, and no state."""
    weights = []
    for width in (WIDTH, ways * WIDTH):
        for way in range(ways):
            matrix = np.zeros((WIDTH, width), np.float32)
            matrix[:, (width - WIDTH) * way // max(1, ways - 1):][:, :WIDTH] = np.eye(WIDTH)
            weights += [matrix.ravel(), np.zeros(WIDTH * WIDTH, np.float32)]
    return np.concatenate(weights + [np.zeros(2 * 2 * ways * WIDTH, np.float32)])


GRAPHS = {
    "alone": lambda: graph(dropped([variable("x")], 0), [[1, 0, 0]]),
    "foreach": lambda: foreach(row_body(dropped([variable("x"), variable("state")], 0))),
    "nested": nested,
    "while": lambda: while_body(3),
    "while_fewer": lambda: while_body(7),
    "then": lambda: choice(-1),
    "else": lambda: choice(1),
    "rnn": lambda: recurrent(1),
    "rnn_both": lambda: recurrent(2),
    "convolved": convolved,
    "mirrored": mirrored,
}
OUTPUTS = {"alone": "drop_output", "foreach": "loop_output0", "nested": "loop_output0", "while": "loop_output1",
           "while_fewer": "loop_output1", "then": "chosen_output", "else": "chosen_output", "rnn": "rnn_output",
           "rnn_both": "rnn_output", "convolved": "after_output", "mirrored": "product_output"}
# What shows that a graph is computed as it is meant to be, by an option of symc.
FORMS = {"convolved": [("--report", "2x4x9x9x16")], "mirrored": [("--emit=sg-opt", "sg.recomputed")]}
IMAGE = (2, WIDTH, 9, 9)
ONES = np.ones((STEPS, BATCH, WIDTH), np.float32)


def inputs(name):
    if name in ("foreach", "nested"):
        return {"x": ONES, "state": ONES[0] if name == "foreach" else ONES[0, 0]}
    if name.startswith("rnn"):
        ways = 2 if name == "rnn_both" else 1
        return {"x": ONES, "params": identity(ways), "state": np.zeros((2 * ways, BATCH, WIDTH), np.float32)}
    if name == "convolved":
        return {"x": np.ones(IMAGE, np.float32), "weight": central()}
    if name == "mirrored":
        return {"x": ONES, "one": np.ones(1, np.float32)}
    return {"x": ONES} if name == "alone" else {"x": ONES, "i": np.zeros(1, np.float32)}


def levels():
    """The instruction sets that this processor has."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = set(next((line for line in file if line.startswith("flags")), "").split())
    return ["x86-64-v3"] + ["x86-64-v4"] * ({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= flags)


def run(symc, name):
    """(output, gradient) of each instruction set and number of threads."""
    arguments = inputs(name)
    with open(name + ".json", "w", encoding="utf-8") as file:
        json.dump(GRAPHS[name](), file)
    shapes = [word for key, value in arguments.items() for word in ("--shape", "%s=%s" % (key, ",".join(map(str, value.shape))))]
    command = [symc, name + ".json", *shapes, "--gradients", "x,one" if name == "mirrored" else "x"]
    subprocess.check_call([*command, "-o", name])
    for option, text in FORMS.get(name, ()):
        assert text in subprocess.run([*command, option, "-o", "-" if "emit" in option else name + ".form"], check=True, capture_output=True, text=True).stdout, text
    given = []
    for key, value in arguments.items():
        np.save("%s-%s.npy" % (name, key), value)
        given += ["--input", "%s=%s-%s.npy" % (key, name, key)]
    for level in levels():
        for threads in ("1", "8"):
            subprocess.check_call(["./" + name, *given, "--threads", threads, "--output-dir", name + ".out"],
                                  env={**os.environ, "SYMC_ISA": level}, stdout=subprocess.DEVNULL)
            yield np.load("%s.out/%s.npy" % (name, OUTPUTS[name])), np.load(name + ".out/grad/x.npy")


def check_factor(name, result):
    """The gradient of `one` reads what was computed again."""
    assert np.load(name + ".out/grad/one.npy") == result.sum(dtype=np.float64), name


def check(symc, name):
    found = list(run(symc, name))
    result = found[0][0]
    for other, gradient in found:
        assert result.tobytes() == other.tobytes(), name
        if name == "rnn_both":  # each direction has a mask of its own of the same data
            other = other[..., :WIDTH] + other[..., WIDTH:]
        assert other.tobytes() == gradient.tobytes(), name
    share = np.mean(result == 0)
    assert 0.4 < share < (0.95 if "while" in name else 0.6), (name, share)
    if name == "mirrored":
        check_factor(name, result)
    if result.ndim == 3:  # each step has a mask of its own
        assert len({step.tobytes() for step in result}) == STEPS, name


for graph_name in sys.argv[2:]:
    check(sys.argv[1], graph_name)

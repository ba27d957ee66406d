"""Gradients of loops and choices beside those of the same computation without them, in float64.

usage: unrolled_loops.py SYMC [GRAPH...]

Each graph is composed twice by one function, once with foreach, while_loop and cond, and once with
what these run, node after node. Sums over iterations are broadcast_add, whose gradients MXNet sums
as mathematics does.
"""
import subprocess
import sys
import zlib

import numpy as np

import symc as mx

S = mx.sym
ADD, MUL = S.broadcast_add, S.broadcast_mul
T = 4


def variable(name):
    return S.Variable(name, dtype="float64")


class Loops:
    foreach = staticmethod(S.contrib.foreach)

    @staticmethod
    def while_loop(cond, func, variables, most, count):
        return S.contrib.while_loop(cond=cond, func=func, loop_vars=variables, max_iterations=most)

    @staticmethod
    def cond(condition, then, otherwise, taken):
        return S.contrib.cond(condition, then, otherwise)


class Unrolled:
    @staticmethod
    def foreach(body, data, states, steps=T):
        rows = lambda x, t: S.squeeze(S.slice_axis(x, axis=0, begin=t, end=t + 1), axis=0)
        outs = []
        for t in range(steps):
            out, states = body([rows(x, t) for x in data] if isinstance(data, list) else rows(data, t), states)
            outs.append(out)
        if isinstance(outs[0], list):
            return [S.stack(*each, axis=0) for each in zip(*outs)], states
        return S.stack(*outs, axis=0), states

    @staticmethod
    def while_loop(cond, func, variables, most, count):
        outs = []
        for _ in range(count):
            out, variables = func(*variables)
            outs.append(out)
        gathered = []
        for each in zip(*outs):
            rows = list(each) + [S.zeros_like(each[0])] * (most - count)
            gathered.append(S.stack(*rows, axis=0))
        return gathered, variables

    @staticmethod
    def cond(condition, then, otherwise, taken):
        return then() if taken else otherwise()


def product(by):
    w = variable("w")
    out, last = by.foreach(lambda x, s: (S.tanh(x * s * w), ADD(x, s * w)), variable("x"), variable("s"))
    return [out, last]


def two(by):
    w = variable("w")
    outs, states = by.foreach(lambda x, s: ([x[0] * s[1], MUL(x[1], w)], [s[1] * w, ADD(s[0], x[0])]),
                              [variable("x"), variable("y")], [variable("s"), variable("t")])
    return outs + states


def unused(by):
    _, last = by.foreach(lambda x, s: (x * s[0], [S.sin(s[0]), s[1] * x]), variable("x"), [variable("s"), variable("t")])
    return [last[0] * 2]


def nested(by):
    v, w = variable("v"), variable("w")

    def row(x, s):
        inner, last = by.foreach(lambda y, t: (y * t * w, ADD(S.tanh(y * t), v)), x, s)
        return MUL(inner, v), last * w
    return list(by.foreach(row, variable("x"), variable("s")))


def while_in_foreach(by):
    w, zero = variable("w"), variable("i")

    def row(x, s):
        outs, ends = by.while_loop(lambda i, a: S.broadcast_lesser(i, variable("n")), lambda i, a: ([a * w], [i + 1, S.tanh(a * x)]),
                                   [zero, s], 5, 3)
        return outs[0], ends[1] * w
    return list(by.foreach(row, variable("x"), variable("s")))


def foreach_in_while(by):
    w, x = variable("w"), variable("x")

    def step(i, a):
        outs, last = by.foreach(lambda y, t: (y * t, S.tanh(ADD(y * w, t))), x, a)
        return [outs * 2], [i + 1, last * w]
    outs, ends = by.while_loop(lambda i, a: i < 2, step, [variable("i"), variable("s")], 4, 2)
    return outs + ends


def never(by):
    w = variable("w")
    _, ends = by.while_loop(lambda i, a: i < 0, lambda i, a: ([a * w], [i + 1, a * a]), [variable("i"), variable("s")], 3, 0)
    return [ends[0] + 1, ends[1] * w]


def choices(by):
    """Rows of `flag` that are above 0 take the first branch: the unrolled one takes them by number."""
    w, rows = variable("w"), iter([0, 1] * T)

    def step(data, s):
        taken = next(rows)
        x, flag = data
        return by.cond(S.sum(flag) > 0, lambda: S.tanh(x * s) * w, lambda: MUL(x, s * 3), taken), ADD(s * w, x)
    return list(by.foreach(step, [variable("x"), variable("flag")], variable("s")))


def chosen_loop(by):
    x, s, w = variable("x"), variable("s"), variable("w")
    return [by.cond(S.sum(w) < 1000, lambda: by.foreach(lambda y, t: (y * t * w, y * t), x, s)[0],
                    lambda: by.foreach(lambda y, t: (y, t * y), x, s)[0], True)]


def layer(by):
    """One weight inside of two loops and outside of both, and in a convolution between."""
    weight, bias, x = variable("weight"), variable("bias"), variable("x")
    dense = lambda data: S.FullyConnected(data, weight, bias, num_hidden=3)
    out, last = by.foreach(lambda row, s: (dense(row), S.tanh(dense(row) * s)), variable("rows"), variable("s"))
    again, end = by.foreach(lambda row, s: (dense(row * s), S.tanh(dense(s))), out, last)
    return [again, end, dense(x), MUL(dense(last), variable("w"))]


def normalised(by):
    """A normalisation in a loop, whose moving statistics are arguments there."""
    own = [variable(name) for name in ("gamma", "beta", "mean", "var")]
    of = lambda data: S.BatchNorm(data, *own, fix_gamma=False)
    out, last = by.foreach(lambda x, s: (S.tanh(of(x)) * s, ADD(s, x)), variable("images"), variable("state"))
    return [out, last]


GRAPHS = [product, two, unused, nested, while_in_foreach, foreach_in_while, never, choices, chosen_loop, layer, normalised]
SHAPES = {"x": (T, 3), "y": (T, 3), "flag": (T, 3), "s": (3,), "t": (3,), "v": (3,), "w": (3,), "i": (1,), "n": (1,),
          "weight": (3, 3), "bias": (3,), "rows": (T, 2, 3), "images": (T, 2, 3), "state": (2, 3),
          "gamma": (3,), "beta": (3,), "mean": (3,), "var": (3,)}
OWN = {("nested", "x"): (T, T, 3), ("layer", "s"): (2, 3)}


def values(graph, names):
    arrays = {}
    for name in sorted(names):
        rng, shape = np.random.default_rng(zlib.crc32(name.encode())), OWN.get((graph, name), SHAPES[name])
        arrays[name] = rng.uniform(0.3, 0.9, shape) * rng.choice([-1, 1], shape)
    arrays.update({name: np.zeros(1) for name in names if name == "i"})
    arrays.update({name: np.full(1, 3.0) for name in names if name == "n"})
    if "flag" in arrays:
        arrays["flag"] = np.abs(arrays["flag"]) * np.array([-1, 1] * (T // 2))[:, None]
    if "var" in arrays:
        arrays["var"] = np.abs(arrays["var"])
    return arrays


def run(symc, graph, by, folder):
    """{name: array} of outputs and gradients."""
    heads = [S.identity(head, name="out%d" % i) for i, head in enumerate(graph(by))]
    symbol = S.Group(heads)
    symbol.save(folder + ".json")
    arrays = values(graph.__name__, set(symbol.list_arguments() + symbol.list_auxiliary_states()))
    weights = {name: value for name, value in arrays.items() if name in ("weight", "bias", "gamma", "beta", "mean", "var")}
    states = set(symbol.list_auxiliary_states())
    mx.nd.save(folder + ".params", {("aux:" if name in states else "arg:") + name: mx.nd.array(value, dtype="float64")
                                    for name, value in weights.items()})
    command = [symc, folder + ".json"] + ([folder + ".params"] if weights else [])
    given = []
    for name, value in arrays.items():
        if name not in weights:
            command += ["--shape", "%s=%s" % (name, ",".join(map(str, value.shape))), "--dtype", name + "=float64"]
            np.save("%s-%s.npy" % (folder, name), value)
            given += ["--input", "%s=%s-%s.npy" % (name, folder, name)]
    subprocess.check_call(command + ["--gradients", "all", "-o", folder + ".run"])
    shapes = symbol.infer_shape(**{name: value.shape for name, value in arrays.items() if name not in states})[1]
    rng = np.random.default_rng(5)
    for i, shape in enumerate(shapes):
        np.save("%s-og%d.npy" % (folder, i), rng.standard_normal(shape))
        given += ["--head-grad", "out%d_output=%s-og%d.npy" % (i, folder, i)]
    subprocess.check_call(["./" + folder + ".run", *given, "--output-dir", folder], stdout=subprocess.DEVNULL)
    found = {"out%d" % i: np.load("%s/out%d_output.npy" % (folder, i)) for i in range(len(heads))}
    found.update(("grad " + name, np.load("%s/grad/%s.npy" % (folder, name))) for name in arrays if name not in ("mean", "var"))
    found.update((name, np.load("%s/aux/%s.npy" % (folder, name))) for name in ("mean", "var") if name in arrays)
    return found


def main():
    for graph in GRAPHS:
        if len(sys.argv) > 2 and graph.__name__ not in sys.argv[2:]:
            continue
        loop, plain = (run(sys.argv[1], graph, by, "%s-%s" % (graph.__name__, by.__name__)) for by in (Loops, Unrolled))
        assert set(plain) <= set(loop), (graph.__name__, sorted(loop), sorted(plain))
        for name, value in loop.items():  # what conditions alone read gets zeros
            np.testing.assert_allclose(value, plain.get(name, np.zeros_like(value)), rtol=1e-10, atol=1e-12, err_msg="%s: %s" % (graph.__name__, name))
        print("%s: %d arrays agree" % (graph.__name__, len(loop)))


main()

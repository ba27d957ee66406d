"""Recipes of update steps, of control flow, and of operators over several tensors."""
import numpy as np

from graph_fuzz.registry import recipe

product = dict(tolerance="product")
STATES = {"sgd_update": (), "sgd_mom_update": ("mom",), "nag_mom_update": ("mom",), "signsgd_update": (),
          "signum_update": ("mom",), "mp_sgd_update": ("weight32",), "mp_sgd_mom_update": ("mom", "weight32"),
          "mp_nag_mom_update": ("mom", "weight32"), "adam_update": ("mean", "var"), "lamb_update_phase1": ("mean", "var"),
          "mp_lamb_update_phase1": ("mean", "var", "weight32"), "ftml_update": ("d", "v", "z"), "ftrl_update": ("z", "n"),
          "rmsprop_update": ("n",), "rmspropalex_update": ("n", "g", "delta"), "_adamw_update": ("mean", "var"),
          "_mp_adamw_update": ("mean", "var", "weight32")}
MOMENTUM = ("sgd_mom_update", "nag_mom_update", "signum_update", "mp_sgd_mom_update", "mp_nag_mom_update")


@recipe(*STATES, weight=0.3, **product)
def update(g, op):
    dtype = "float16" if op.startswith(("mp_", "_mp_")) else g.pick(("float32", "float32", "float64"))
    weight = g.new(dtype=dtype, most=300)
    inputs = dict(weight=weight, grad=g.new(shape=weight.shape, dtype=dtype))
    attrs = dict(wd=g.pick((0.0, 0.03)))
    if "lamb" in op:
        attrs.update(t=g.number(1, 9), bias_correction=g.chance(0.5))
    else:
        attrs["lr"] = g.real(0.01, 0.3)
    if "adamw" not in op:
        attrs["rescale_grad"] = g.pick((1.0, 0.5))
    if op == "ftml_update":
        attrs.update(t=g.number(1, 9), clip_grad=g.pick((-1.0, 0.6)))
    else:
        attrs["clip_gradient"] = g.pick((-1.0, 0.5))
    if op in MOMENTUM:
        attrs["momentum"] = g.pick((0.0, 0.9))
    order = None
    if "adamw" in op:
        attrs["eta"] = g.real(0.5, 1)
        inputs["rescale_grad"] = g.variable(np.array([g.pick((0.5, 2.0))], "float32" if dtype == "float16" else dtype))
        order = ("weight", "grad", *STATES[op], "rescale_grad")
    g.update(op, inputs, STATES[op], **attrs, **({"order": order} if order else {}))


@recipe("lamb_update_phase2", "mp_lamb_update_phase2", weight=0.1, **product)
def lamb_second(g, op):
    half = op.startswith("mp_")
    weight = g.new(dtype="float16" if half else "float32", most=100)
    one = lambda: g.variable(np.array([g.real(0.3, 2)], "float32"))
    inputs = dict(weight=weight, g=g.new(shape=weight.shape, dtype="float32"), r1=one(), r2=one())
    attrs = dict(lr=0.1, lower_bound=g.pick((-1.0, 0.5)), upper_bound=g.pick((-1.0, 1.5)))
    g.update(op, inputs, ("weight32",) if half else (), **attrs)


@recipe("multi_lars", "multi_sum_sq", weight=0.2, tolerance="product")
def several(g, op):
    count = g.number(1, 5)
    if op == "multi_sum_sq":
        return g.node(op, *(g.tensor(dtype="float32") for _ in range(count)), num_arrays=count)
    inputs = [g.tensor(shape=(count,), dtype="float32", kind="positive") for _ in range(4)]
    return g.node(op, *inputs, eta=0.2, eps=1e-5, rescale_grad=g.pick((1.0, 0.5)), mutable=False)


@recipe("_contrib_hawkesll", weight=0.1, **product)
def hawkes(g, op):
    batch, kinds, steps = g.number(1, 3), g.number(1, 4), g.number(1, 6)
    positive = lambda *shape: g.variable(g.rng.uniform(0.2, 2, shape).astype("float32"))
    g.node(op, positive(batch, kinds), g.variable(g.rng.uniform(0.05, 0.4, kinds).astype("float32")), positive(kinds),
           positive(batch, kinds), positive(batch, steps), g.variable(g.rng.integers(0, kinds, (batch, steps)).astype("int32")),
           g.variable(g.rng.integers(0, steps + 1, batch).astype("float32")),
           g.variable(np.full(batch, 3.0 * steps, "float32")), mutable=False)


# Control flow: bodies of a few elementwise operators, now and then with a layer.
def body(g, size):
    """A function of two symbols of one shape, whose result has it too."""
    choice, number = g.number(0, 4), g.real(-1, 1)

    def apply(x, s):
        import mxnet as mx
        if choice == 0:
            return x + s * number
        if choice == 1:
            return mx.sym.tanh(x * s + number)
        if choice == 2:
            return mx.sym.FullyConnected(x, num_hidden=size, name="step") + s
        if choice == 3:
            return mx.sym.broadcast_maximum(x, s) - number
        return mx.sym.sigmoid(x) * mx.sym.relu(s)
    return apply


@recipe("_foreach", weight=0, **product)
def foreach(g, op):
    import mxnet as mx
    steps, shape = g.number(1, 6), (g.number(1, 3), g.number(1, 9))
    step, keep = body(g, shape[-1]), g.chance(0.5)
    data, state = g.tensor(shape=(steps, *shape), dtype="float32"), g.tensor(shape=shape, dtype="float32")

    def compose(symbols):
        def once(x, s):
            new = step(x, s)
            return (new if keep else x * 2), new
        out, last = mx.sym.contrib.foreach(once, symbols[0], symbols[1])
        return mx.sym.Group([out, last])
    g.compose(op, [data, state], compose)


@recipe("_while_loop", weight=0, **product)
def while_loop(g, op):
    import mxnet as mx
    shape, most = (g.number(1, 3), g.number(1, 9)), g.number(1, 6)
    iterations, step, wide = g.number(1, most), body(g, shape[-1]), g.chance(0.5)

    def compose(symbols):
        def once(i, x):
            new = step(x, x)
            return [new if wide else x], [i + 1, new]
        _, ends = mx.sym.contrib.while_loop(cond=lambda i, x: i < iterations, func=once, loop_vars=list(symbols), max_iterations=most)
        return mx.sym.Group(ends)  # results of iterations that are not taken have undefined values
    g.compose(op, [g.variable(np.zeros(1, "float32")), g.tensor(shape=shape, dtype="float32")], compose)


@recipe("_cond", weight=0, **product)
def cond(g, op):
    import mxnet as mx
    shape = (g.number(1, 3), g.number(1, 9))
    one, other = body(g, shape[-1]), body(g, shape[-1])
    a, b = g.tensor(shape=shape, dtype="float32"), g.tensor(shape=shape, dtype="float32")

    def compose(symbols):
        choice, x, y = symbols
        return mx.sym.contrib.cond(choice > 0, lambda: one(x, y), lambda: other(x, y))
    g.compose(op, [g.variable(np.array([g.pick((1.0, -1.0))], "float32")), a, b], compose)

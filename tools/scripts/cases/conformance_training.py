"""Own cases of training alone: recurrent layers, alignments and control flow.

make_training_cases.py makes all of them, beside the first ones of each operator in
conformance_cases.py. A loop that has fewer iterations than it may have leaves rows
of its outputs undefined in MXNet, so that such cases have the last values alone.
"""
import numpy as np

from conformance_case import Case, T

cases = []


def add(op, name, inputs, tolerance, graph):
    cases.append(Case(op, name, inputs, tolerance, {}, graph, "", 1))


def recurrent():
    def layer(mode, shape, size, layers=1, bidirectional=False, **more):
        ways = 2 if bidirectional else 1

        def graph(mx):
            gates = {"lstm": 4, "gru": 3}.get(mode, 1)
            count = sum(((shape[2] if layer == 0 else ways * size) + size + 2) * size * gates * ways
                        for layer in range(layers))
            states = dict(state=mx.sym.Variable("state"))
            if mode == "lstm":
                states["state_cell"] = mx.sym.Variable("cell")
            params = mx.sym.Variable("params", shape=(count,))
            if mode == "rnn_relu":  # whose states would grow
                params = params * 0.5
            return mx.sym.RNN(mx.sym.Variable("data"), parameters=params, mode=mode, state_size=size, num_layers=layers,
                              bidirectional=bidirectional, name="rnn", **states, **more)
        inputs = {"data": T(*shape), "state": T(layers * ways, shape[1], size, kind="unit")}
        if mode == "lstm":
            inputs["cell"] = T(layers * ways, shape[1], size)
        return dict(inputs=inputs, graph=graph)

    for mode in ("rnn_relu", "rnn_tanh", "lstm", "gru"):
        for name, values in (("train_states", layer(mode, (4, 2, 3), 3, state_outputs=True)),
                             ("train_both", layer(mode, (3, 2, 4), 2, bidirectional=True)),
                             ("train_deep_states", layer(mode, (5, 1, 2), 3, 3, state_outputs=True)),
                             ("train_both_deep", layer(mode, (3, 3, 2), 4, 2, True, state_outputs=True))):
            add("RNN", "%s_%s" % (mode, name), values["inputs"], "product", graph=values["graph"])


def places():
    """Gradients that go to places, along an axis between others. MXNet crashes where places count from the end."""
    values = T(3, 5, 2, kind="distinct")
    add("sort", "train_middle", {"data": values}, "exact", lambda mx: mx.sym.sort(mx.sym.Variable("data"), axis=1, name="sorted"))
    add("topk", "train_middle", {"data": values}, "exact",
        lambda mx: mx.sym.topk(mx.sym.Variable("data"), axis=1, k=3, ret_typ="value", name="most"))
    add("gather_nd", "train_two", {"data": T(3, 4, 2), "indices": np.array([[0, 2, 2, 1], [3, 1, 0, 0]], "float32")}, "exact",
        lambda mx: mx.sym.gather_nd(mx.sym.Variable("data"), mx.sym.Variable("indices"), name="gathered"))


def alignments():
    labels = np.array([[1, 2, 2, 0], [3, 1, 0, 0], [4, 4, 1, 3]], "float32")
    lengths = {"data_lengths": np.array([7, 4, 9], "float32"), "label_lengths": np.array([3, 2, 4], "float32")}
    for name, last, use in (("train", False, ()), ("train_last", True, ()), ("train_data", False, ("data",)),
                            ("train_label", True, ("label",)), ("train_both", False, ("data", "label"))):
        values = {each + "_lengths": lengths[each + "_lengths"] for each in use}
        # Zeros behind the end, which no length names, are blanks.
        label = labels if not last else np.where(labels == 0, -1, labels - ("label" in use) * 0)
        if last and "label" in use:
            label = labels

        def graph(mx, last=last, use=use, values=values):
            return mx.sym.CTCLoss(data=mx.sym.Variable("data"), label=mx.sym.Variable("label"), name="ctc",
                                  blank_label="last" if last else "first",
                                  **{each: mx.sym.Variable(each) for each in values},
                                  **{"use_%s_lengths" % each: True for each in use})
        add("CTCLoss", name, {"data": T(9, 3, 6), "label": label, **values}, "norm", graph=graph)


def flat(*parts):
    for part in parts:
        yield from part if isinstance(part, (list, tuple)) else [part]


def loops():
    def foreach(name, step, states=1, free=0, shape=(3,), steps=4, tolerance="product", data=1):
        """step(mx, elements, states, free variables) gives what is gathered, and the next states."""
        def graph(mx):
            own = [mx.sym.Variable("free%d" % i) for i in range(free)]
            return mx.sym.Group(list(flat(*mx.sym.contrib.foreach(
                lambda x, s: step(mx, x, s, own), [mx.sym.Variable("data%d" % i) for i in range(data)],
                [mx.sym.Variable("state%d" % i) for i in range(states)]))))
        inputs = {"data%d" % i: T(steps, *shape, kind="unit") for i in range(data)}
        inputs.update(("state%d" % i, T(*shape, kind="unit")) for i in range(states))
        inputs.update(("free%d" % i, T(*shape, kind="unit")) for i in range(free))
        add("_foreach", name, inputs, tolerance, graph=graph)

    foreach("train_product", lambda mx, x, s, w: ([x[0] * s[0] * w[0]], [x[0] + s[0] * w[0]]), free=1)
    foreach("train_states_twice", lambda mx, x, s, w: ([x[0] * s[0] + s[1]], [s[1] * s[0], s[0] + x[0]]), states=2)
    foreach("train_two", lambda mx, x, s, w: ([x[0] * x[1] + w[0], x[0] - s[0]], [s[0] + x[1], s[1] * 2]), states=2, free=1,
            data=2)
    # MXNet sums the gradient of what all iterations read in one array: it is overwritten, or read, on the way.
    foreach("train_sum_first", lambda mx, x, s, w: ([w[0] + x[0]], [s[0] * 2]), free=1)
    foreach("train_sum_state", lambda mx, x, s, w: ([x[0] * 2], [s[0] * 2 + w[0]]), free=1)
    foreach("train_sum_goes_on", lambda mx, x, s, w: ([mx.sym.tanh(x[0] * s[0] + w[0])], [mx.sym.tanh(x[0] + s[0] * w[1])]), free=2)
    foreach("train_two_sums", lambda mx, x, s, w: ([mx.sym.tanh(w[1] + x[0] * 2 + w[0])], [s[0] + x[0]]), free=2)
    foreach("train_sum_read", lambda mx, x, s, w: (lambda y: ([y], [y * s[0]]))(x[0] * 2 + w[0]), free=1)
    foreach("train_blocked", lambda mx, x, s, w: ([x[0] * mx.sym.BlockGrad(s[0])], [s[0] * x[0]]))
    foreach("train_one_step", lambda mx, x, s, w: ([x[0] * s[0] + w[0]], [s[0] + w[0]]), free=1, steps=1)

    def nested(mx):
        def row(x, s):
            return mx.sym.contrib.foreach(lambda y, t: (y * t * mx.sym.Variable("w"), y + t), x, s)
        return mx.sym.Group(list(flat(*mx.sym.contrib.foreach(row, mx.sym.Variable("data"), mx.sym.Variable("state")))))
    add("_foreach", "train_nested", {"data": T(3, 4, 2), "state": T(2), "w": T(2)}, "product", graph=nested)

    def nested_sum(mx):  # through the iterations of both loops
        def row(x, s):
            return mx.sym.contrib.foreach(lambda y, t: (mx.sym.tanh(y * t + mx.sym.Variable("w")), y + t * 0.5), x, s)
        return mx.sym.Group(list(flat(*mx.sym.contrib.foreach(row, mx.sym.Variable("data"), mx.sym.Variable("state")))))
    add("_foreach", "train_nested_sum", {"data": T(3, 4, 2), "state": T(2), "w": T(2)}, "product", graph=nested_sum)

    def last_alone(mx):
        _, last = mx.sym.contrib.foreach(lambda x, s: (x * s, x + s * s), mx.sym.Variable("data"), mx.sym.Variable("state"))
        return last * 2
    add("_foreach", "train_last_alone", {"data": T(3, 2, kind="unit"), "state": T(2, kind="unit")}, "product", graph=last_alone)

    def gathered_alone(mx):
        outs, _ = mx.sym.contrib.foreach(lambda x, s: (x * s, x + s), mx.sym.Variable("data"), mx.sym.Variable("state"))
        return mx.sym.sum(outs, axis=0)
    add("_foreach", "train_gathered_alone", {"data": T(3, 2), "state": T(2)}, "product", graph=gathered_alone)

    def inside_and_outside(mx):
        w = mx.sym.Variable("w")
        outs, last = mx.sym.contrib.foreach(lambda x, s: (x * w, mx.sym.tanh(s * w)), mx.sym.broadcast_mul(mx.sym.Variable("data"), w),
                                            mx.sym.Variable("state"))
        return mx.sym.Group([mx.sym.broadcast_mul(outs, w), last * w])
    add("_foreach", "train_inside_and_outside", {"data": T(3, 2), "state": T(2), "w": T(2)}, "product", graph=inside_and_outside)

    def typed(mx):
        return mx.sym.Group(list(flat(*mx.sym.contrib.foreach(
            lambda x, s: (x * s, x + s * mx.sym.Variable("w")), mx.sym.Variable("data"), mx.sym.Variable("state")))))
    for dtype in ("float64", "float16"):
        add("_foreach", "train_" + dtype, {"data": T(3, 2, dtype=dtype), "state": T(2, dtype=dtype), "w": T(2, dtype=dtype)},
            "product", graph=typed)


def conditions():
    zero = np.zeros(1, "float32")

    def loop(name, step, most=3, done=None, last_alone=False):
        def graph(mx):
            w = mx.sym.Variable("w")
            outs, last = mx.sym.contrib.while_loop(
                cond=lambda i, x: i < (done or most), func=lambda i, x: step(mx, i, x, w),
                loop_vars=[mx.sym.Variable("data"), mx.sym.Variable("x")], max_iterations=most)
            return mx.sym.Group(list(flat(last) if last_alone else flat(outs, last)))
        add("_while_loop", name, {"data": zero, "x": T(2, 2, kind="unit"), "w": T(2, 2, kind="unit")}, "product", graph=graph)

    loop("train", lambda mx, i, x, w: ([x * w], [i + 1, mx.sym.tanh(x * w)]))
    loop("train_fewer", lambda mx, i, x, w: ([x * w], [i + 1, x * w + x]), most=6, done=4, last_alone=True)
    loop("train_sum_goes_on", lambda mx, i, x, w: ([mx.sym.tanh(x * 2 + w)], [i + 1, x * 0.9]))
    loop("train_sum", lambda mx, i, x, w: ([x * 2], [i + 1, x * 2 + w]))
    loop("train_count_read", lambda mx, i, x, w: ([mx.sym.broadcast_mul(x, i + 1)], [i + 1, mx.sym.broadcast_add(x * w, i)]))

    def around(mx):
        def step(i, a):
            outs, last = mx.sym.contrib.foreach(lambda x, s: (x * s, x + s), mx.sym.Variable("rows"), a)
            return [outs], [i + 1, last * mx.sym.Variable("w")]
        return mx.sym.Group(list(flat(*mx.sym.contrib.while_loop(
            cond=lambda i, a: i < 2, func=step, loop_vars=[mx.sym.Variable("data"), mx.sym.Variable("x")], max_iterations=2))))
    add("_while_loop", "train_foreach", {"data": zero, "x": T(3), "rows": T(4, 3), "w": T(3)}, "product", graph=around)

    def choice(mx):
        a, b = mx.sym.Variable("a"), mx.sym.Variable("b")
        return mx.sym.contrib.cond(mx.sym.Variable("data") > 0, lambda: mx.sym.tanh(a * 2 + b) * b, lambda: a * 3) * a

    def chosen_loop(mx):
        x, s = mx.sym.Variable("x"), mx.sym.Variable("s")
        return mx.sym.contrib.cond(mx.sym.Variable("data") > 0,
                                   lambda: mx.sym.contrib.foreach(lambda q, t: (q * t, q + t), x, s)[0],
                                   lambda: mx.sym.contrib.foreach(lambda q, t: (q + t, q * t), x, s)[0])
    for name, value in (("then", 1.0), ("else", -1.0)):
        add("_cond", "train_" + name, {"data": np.array([value], "float32"), "a": T(2, 3), "b": T(2, 3)}, "product", graph=choice)
        add("_cond", "train_loop_" + name, {"data": np.array([value], "float32"), "x": T(3, 2), "s": T(2)}, "product",
            graph=chosen_loop)


def losses_in_front():
    """Losses whose outputs reach no head that passes a gradient on."""
    def graph(mx):
        data, label = mx.sym.Variable("data"), mx.sym.Variable("label")
        loss = mx.sym.LinearRegressionOutput(data, label, grad_scale=0.5)
        rounded = mx.sym.floor(mx.sym.FullyConnected(loss, mx.sym.Variable("w"), num_hidden=4, no_bias=True))
        blocked = mx.sym.BlockGrad(mx.sym.MakeLoss(mx.sym.square(data)))
        return mx.sym.Group([rounded, blocked])
    add("LinearRegressionOutput", "train_in_front", {"data": T(2, 3), "label": T(2, 3), "w": T(4, 3)},
        "product", graph=graph)


def losses_of_batches():
    """What the gradient is divided by: all extents but the last."""
    for name, shape in (("samples", (4,)), ("places", (2, 3, 4)), ("images", (2, 3, 2, 2))):
        add("MakeLoss", "train_batch_" + name, {"data": T(*shape)}, "exact",
            graph=lambda mx: mx.sym.MakeLoss(mx.sym.Variable("data"), normalization="batch", grad_scale=2.0))


def smoothed_places():
    """Labels are smoothed in rows alone, and not where each place has one."""
    def graph(mx):
        return mx.sym.SoftmaxOutput(mx.sym.Variable("data"), mx.sym.Variable("label"), multi_output=True, smooth_alpha=0.3, name="loss")
    add("SoftmaxOutput", "train_multi_smooth", {"data": T(2, 3, 5), "label": np.array([[0, 2, 1, 1, 0], [2, 2, 0, 1, 2]], "float32")}, "function", graph=graph)


def pictures():
    """Augmentations that change nothing, whatever they draw."""
    grey = T(4, 5, 1, kind="unit")
    column = np.arange(12, dtype="float32").reshape(4, 1, 3)
    for name, data, attrs in (("color_jitter", grey, dict(brightness=0, contrast=0, saturation=0.5, hue=0.5)),
                              ("flip_left_right", np.repeat(column, 2, 1), {}),
                              ("flip_top_bottom", np.repeat(column.transpose(1, 0, 2), 2, 0), {})):
        add("_image_random_" + name, "train", {"data": data}, "norm",
            graph=lambda mx, name=name, attrs=attrs: getattr(mx.sym.image, "random_" + name)(mx.sym.Variable("data"), **attrs))


def statistics():
    """The variance that SyncBatchNorm puts out is none over a root."""
    add("_contrib_SyncBatchNorm", "train_statistics", {"data": T(4, 3, 5, 2)}, "norm",
        graph=lambda mx: mx.sym.contrib.SyncBatchNorm(mx.sym.Variable("data"), key="key", ndev=1, output_mean_var=True, fix_gamma=False,
                                                      name="norm"))


def masks():
    """Rows that values choose, under a sum."""
    inputs = {"data": T(5, 3), "index": np.array([1, 0, 2, 0, 1], "float32")}
    add("_contrib_boolean_mask", "train_sum", inputs, "product",
        graph=lambda mx: mx.sym.sum(mx.sym.square(mx.sym.contrib.boolean_mask(mx.sym.Variable("data"), mx.sym.Variable("index")))))


def triangles():
    """Matrices of which an operator reads one triangle, with values in the other one."""
    def matrix(*shape):
        return (np.random.default_rng(len(shape)).uniform(-1, 1, shape) + 3 * np.eye(shape[-1])).astype("float32")

    def graph(op, **attrs):
        inputs = ("a", "b") if op in ("_linalg_trmm", "_linalg_trsm") else ("a",)
        return lambda mx: getattr(mx.sym, op[1:])(*map(mx.sym.Variable, inputs), name="made", **attrs)
    for lower in (False, True):
        kind = "lower" if lower else "upper"
        add("_linalg_potri", "train_beside_" + kind, {"a": matrix(2, 3, 3)}, "product", graph("_linalg_potri", lower=lower))
        for op in ("_linalg_trmm", "_linalg_trsm"):
            add(op, "train_beside_" + kind, {"a": matrix(3, 3), "b": T(3, 2)}, "product", graph(op, lower=lower, alpha=0.7))


def all_cases():
    if not cases:
        for family in (recurrent, places, alignments, loops, conditions, losses_in_front, losses_of_batches, smoothed_places, pictures, statistics, masks,
                       triangles):
            family()
    return cases

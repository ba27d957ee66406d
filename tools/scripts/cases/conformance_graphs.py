"""Own conformance cases of recurrent layers, control flow and quantised graphs.

The second half of the table of conformance_cases.py. ONEDNN names operators that
MXNet's CPU build computes with oneDNN only; make_conformance.py runs them apart.
"""
import json

import numpy as np

import transformer

ONEDNN = {"RNN", "_contrib_quantize", "_contrib_quantize_v2", "_contrib_dequantize", "_contrib_requantize",
          "_contrib_quantized_conv", "_contrib_quantized_fully_connected", "_contrib_quantized_pooling",
          "_contrib_quantized_act", "_contrib_quantized_concat", "_contrib_quantized_elemwise_add",
          "_contrib_quantized_elemwise_mul", "_contrib_quantized_flatten", "_contrib_quantized_embedding",
          "_contrib_quantized_batch_norm", "_sg_mkldnn_conv", "_sg_mkldnn_fully_connected",
          "_contrib_BatchNormWithReLU"}


def recurrent(add, T):
    for mode in ("rnn_relu", "rnn_tanh", "lstm", "gru"):
        for name, shape, size, layers, more in (
                ("one", (3, 2, 5), 4, 1, {}),
                ("states", (4, 1, 3), 5, 1, dict(state_outputs=True)),
                ("deep", (3, 2, 4), 17, 3, {}),
                ("both", (5, 2, 3), 4, 1, dict(bidirectional=True)),
                ("both_deep_states", (3, 3, 4), 5, 2, dict(bidirectional=True, state_outputs=True)),
                ("long", (33, 1, 2), 16, 1, {}),
                ("one_step", (1, 4, 3), 2, 2, dict(state_outputs=True)),
                ("batch", (3, 17, 6), 33, 1, dict(state_outputs=True)),
                ("both_wide_states", (4, 7, 9), 20, 2, dict(bidirectional=True, state_outputs=True))):
            def graph(mx, mode=mode, size=size, layers=layers, more=more, shape=shape,
                      growing=(mode, name) == ("rnn_relu", "long")):
                gates = {"lstm": 4, "gru": 3}.get(mode, 1)
                ways = 2 if more.get("bidirectional") else 1
                count = sum(((shape[2] if layer == 0 else ways * size) + size + 2) * size * gates * ways
                            for layer in range(layers))
                states = dict(state=mx.sym.Variable("state"))
                if mode == "lstm":
                    states["state_cell"] = mx.sym.Variable("cell")
                params = mx.sym.Variable("params", shape=(count,))
                if growing:  # relu's states would grow by two digits each few steps
                    params = params * 0.25
                return mx.sym.RNN(mx.sym.Variable("data"), parameters=params,
                                  state_size=size, num_layers=layers, mode=mode, name="rnn", **states, **more)
            ways = 2 if more.get("bidirectional") else 1
            inputs = {"data": T(*shape), "state": T(layers * ways, shape[1], size, kind="unit")}
            if mode == "lstm":
                inputs["cell"] = T(layers * ways, shape[1], size)
            add("RNN", "%s_%s" % (mode, name), inputs, "product", graph=graph)

    labels = np.array([[1, 2, 2, 0], [3, 1, 0, 0]], "float32")
    for name, data, attrs, extra in (
            ("plain", T(7, 2, 5), {}, {}),
            ("last", T(7, 2, 5), dict(blank_label="last"), {}),
            ("label_lengths", T(7, 2, 5), dict(use_label_lengths=True), {"label_lengths": np.array([3, 2], "float32")}),
            ("data_lengths", T(7, 2, 5), dict(use_data_lengths=True), {"data_lengths": np.array([7, 4], "float32")})):
        value = np.where(labels == 0, -1, labels) if name == "last" else labels
        by_name(add, "CTCLoss", name, {"data": data, "label": value, **extra}, "norm", **attrs)


def control(add, T):
    def running_sum(mx):
        return mx.sym.Group(list(flat(mx.sym.contrib.foreach(
            lambda x, s: (x + s, x + s), mx.sym.Variable("data"), mx.sym.Variable("state")))))

    def flat(pair):
        for part in pair:
            yield from part if isinstance(part, list) else [part]

    def cell(mx):
        def step(x, states):
            h = mx.sym.FullyConnected(x, num_hidden=4, name="i2h") + mx.sym.FullyConnected(states, num_hidden=4, name="h2h")
            return mx.sym.tanh(h), mx.sym.tanh(h)
        return mx.sym.Group(list(flat(mx.sym.contrib.foreach(step, mx.sym.Variable("data"), mx.sym.Variable("state")))))

    def padded(mx):
        def step(x, state):
            y = mx.sym.Convolution(x + state, kernel=(3, 3), pad=(1, 1), num_filter=16, no_bias=True, name="conv")
            return y, mx.sym.Convolution(y, kernel=(3, 3), pad=(1, 1), num_filter=16, no_bias=True, name="again")
        return mx.sym.Group(list(flat(mx.sym.contrib.foreach(step, mx.sym.Variable("data"), mx.sym.Variable("state")))))

    def nested(mx):
        def row(x, s):
            inner, last = mx.sym.contrib.foreach(lambda y, t: (y * t, y + t), x, s)
            return inner, last
        return mx.sym.Group(list(flat(mx.sym.contrib.foreach(row, mx.sym.Variable("data"), mx.sym.Variable("state")))))

    def power(mx):
        outs, ends = mx.sym.contrib.while_loop(
            cond=lambda i, x: i < 4, func=lambda i, x: ([x * 2], [i + 1, x * 2]),
            loop_vars=(mx.sym.Variable("data"), mx.sym.Variable("x")), max_iterations=4)
        return mx.sym.Group(list(flat((outs, ends))))

    def never(mx):
        outs, ends = mx.sym.contrib.while_loop(
            cond=lambda i, x: i < 2, func=lambda i, x: ([x], [i + 1, x + 1]),
            loop_vars=(mx.sym.Variable("data"), mx.sym.Variable("x")), max_iterations=2)
        return mx.sym.Group(ends)

    def choice(mx):
        a, b = mx.sym.Variable("a"), mx.sym.Variable("b")
        return mx.sym.contrib.cond(mx.sym.Variable("data") > 0, lambda: a + b, lambda: a * b)

    zero = np.zeros(1, "float32")
    add("_foreach", "running_sum", {"data": T(5, 3), "state": T(3)}, "arithmetic", graph=running_sum)
    add("_foreach", "one_turn", {"data": T(1, 2), "state": T(2)}, "arithmetic", graph=running_sum)
    add("_foreach", "cell", {"data": T(6, 2, 3), "state": T(2, 4)}, "product", graph=cell)
    add("_foreach", "padded", {"data": T(3, 1, 16, 6, 6), "state": T(1, 16, 6, 6)}, "product", graph=padded)
    add("_foreach", "nested", {"data": T(3, 4, 2), "state": T(2)}, "product", graph=nested)
    add("_while_loop", "power", {"data": zero, "x": T(2, 2)}, "arithmetic", graph=power)
    add("_while_loop", "two_of_two", {"data": zero, "x": T(3)}, "arithmetic", graph=never)
    for name, value in (("then", 1.0), ("else", -1.0)):
        add("_cond", name, {"data": np.array([value], "float32"), "a": T(2, 3), "b": T(2, 3)}, "arithmetic", graph=choice)


def by_name(add, op, name, inputs, tolerance, **attrs):
    """A case whose operands are given by name: optional ones are left out between others."""
    def graph(mx):
        operator = getattr(mx.sym.contrib, op[len("_contrib_"):], None) if op.startswith("_contrib_") else None
        return (operator or getattr(mx.sym, op))(name=op.strip("_").lower() + "0",
                                                 **{key: mx.sym.Variable(key) for key in inputs}, **attrs)
    add(op, name, inputs, tolerance, graph=graph)


def quantised(add, T):
    def limits(low, high):
        return np.array([low], "float32"), np.array([high], "float32")

    def T8(*shape, dtype="int8"):
        return T(*shape, kind="ints:0,200" if dtype == "uint8" else "ints:-100,100", dtype=dtype)

    low, high = limits(-2, 2)
    for kind in ("int8", "uint8"):
        by_name(add, "_contrib_quantize", kind, {"data": T(3, 5, kind="unit"), "min_range": low, "max_range": high}, "step", out_type=kind)
        by_name(add, "_contrib_dequantize", kind, {"data": T8(3, 5, dtype=kind), "min_range": low, "max_range": high}, "function")
        by_name(add, "_contrib_quantized_act" if kind == "int8" else "_contrib_quantized_flatten", kind,
            {"data": T8(2, 3, 4, 4, dtype=kind), "min_data": low, "max_data": high}, "exact",
            **(dict(act_type="relu") if kind == "int8" else {}))
        for pool in ("max", "avg"):
            by_name(add, "_contrib_quantized_pooling", "%s_%s" % (pool, kind),
                {"data": T8(1, 3, 6, 6, dtype=kind), "min_data": low, "max_data": high}, "step", pool_type=pool,
                kernel=(3, 3), stride=(2, 2), pad=(1, 1))
            by_name(add, "_contrib_quantized_pooling", "%s_global_%s" % (pool, kind),
                {"data": T8(1, 3, 5, 5, dtype=kind), "min_data": low, "max_data": high}, "step", pool_type=pool,
                kernel=(1, 1), global_pool=True)
        by_name(add, "_contrib_quantized_fully_connected", kind,
            {"data": T8(2, 7, dtype=kind), "weight": T8(3, 7), "bias": T8(3), "min_data": low, "max_data": high,
             "min_weight": low, "max_weight": high, "min_bias": low, "max_bias": high}, "step", num_hidden=3)
        by_name(add, "_contrib_quantized_batch_norm", kind,
            {"data": T8(2, 5, 7, 6, dtype=kind), "gamma": T(5, kind="positive"), "beta": T(5), "moving_mean": T(5),
             "moving_var": T(5, kind="positive"), "min_data": low, "max_data": high}, "exact", eps=0.01,
            min_calib_range=-3.0, max_calib_range=2.5)
    for name, attrs in (("found", {}), ("given", dict(min_calib_range=-0.5, max_calib_range=0.7)),
                        ("auto", dict(min_calib_range=0.0, max_calib_range=0.9, out_type="auto"))):
        by_name(add, "_contrib_quantize_v2", name, {"data": T(4, 3, kind="unit")}, "step", **attrs)
    for name, attrs in (("k1", dict(kernel=(1, 1))), ("k3_s2_p1", dict(kernel=(3, 3), stride=(2, 2), pad=(1, 1)))):
        by_name(add, "_contrib_quantized_conv", name,
            {"data": T8(1, 4, 6, 6, dtype="uint8"), "weight": T8(8, 4, *attrs["kernel"]), "min_data": limits(0, 3)[0],
             "max_data": high, "min_weight": low, "max_weight": high}, "step", num_filter=8, no_bias=True, **attrs)
    # Sums are exact, whatever blocks of channels a kernel takes. (MXNet dies of signed images.)
    for name, kind, shape, count, biased, attrs in (
            ("wide", "uint8", (1, 20, 5, 8), 37, False, dict(kernel=(2, 3), pad=(1, 0), dilate=(2, 1))),
            ("bias", "uint8", (2, 3, 6, 9), 16, True, dict(kernel=(3, 2), stride=(1, 2)))):
        bias = {"bias": T8(count), "min_bias": low, "max_bias": high} if biased else {}
        by_name(add, "_contrib_quantized_conv", name,
            {"data": T8(*shape, dtype=kind), "weight": T8(count, shape[1], *attrs["kernel"]), "min_data": low, "max_data": high,
             "min_weight": low, "max_weight": high, **bias}, "exact", num_filter=count, no_bias=not biased, **attrs)
    for name, kind, shape, count, biased, flatten in (
            ("rows", "uint8", (2, 5, 9), 21, False, False), ("signed_rows", "int8", (3, 5, 16), 32, False, False),
            ("signed_bias", "int8", (5, 34), 19, True, True), ("bias", "uint8", (3, 4, 7), 40, True, True)):
        bias = {"bias": T8(count), "min_bias": low, "max_bias": high} if biased else {}
        by_name(add, "_contrib_quantized_fully_connected", name,
            {"data": T8(*shape, dtype=kind), "weight": T8(count, shape[-1] * (shape[1] if flatten and len(shape) > 2 else 1)),
             "min_data": low, "max_data": high, "min_weight": low, "max_weight": high, **bias}, "exact",
            num_hidden=count, no_bias=not biased, flatten=flatten)
    # Pixels and rows enough for a step that takes bytes apart. (On processors without VNNI MXNet cuts sums of
    # two products off at 16 bits; these weights stay below that.)
    few = lambda *shape: T(*shape, kind="ints:-70,70", dtype="int8")
    ranges = {"min_data": low, "max_data": high, "min_weight": low, "max_weight": high}
    by_name(add, "_contrib_quantized_conv", "many_pixels",
        {"data": T8(1, 20, 13, 12, dtype="uint8"), "weight": few(24, 20, 3, 3), **ranges}, "exact", num_filter=24,
        no_bias=True, kernel=(3, 3), pad=(1, 1))
    by_name(add, "_contrib_quantized_fully_connected", "many_signed_rows",
        {"data": T8(130, 21), "weight": few(70, 21), **ranges}, "exact", num_hidden=70, no_bias=True, flatten=False)
    for name, attrs in (("given", dict(min_calib_range=-0.5, max_calib_range=0.7)),
                        ("auto", dict(min_calib_range=0.0, max_calib_range=0.9, out_type="auto")), ("found", {})):
        by_name(add, "_contrib_requantize", name,
            {"data": T(3, 37, kind="ints:-90000000,90000000", dtype="int32"), "min_range": limits(-30, 3)[0], "max_range": high},
            "step", **attrs)
    for name, kinds, dim in (("int8", ("int8", "int8"), 1), ("mixed", ("uint8", "int8", "uint8"), -1), ("uint8", ("uint8", "uint8"), 0)):
        inputs = {"arg%d" % i: T8(3, 4, 5, dtype=kind) for i, kind in enumerate(kinds)}
        ends = {"arg%d_%s" % (i, end): limits(-1.5 - i if kind == "int8" else 0, 2 + i)[end == "max"]
                for i, kind in enumerate(kinds) for end in ("min", "max")}
        add("_contrib_quantized_concat", name, {**inputs, **ends}, "step", graph=lambda mx, inputs=inputs, ends=ends, dim=dim:
            mx.sym.contrib.quantized_concat(*(mx.sym.Variable(key) for key in (*inputs, *ends)), num_args=len(inputs), dim=dim))


def fused(add, T):
    """Chains of fused convolutions, as the quantiser of MXNet's oneDNN backend leaves them. Integers
    are exact, so that every kernel has to give the same."""
    def graph(mx, filters, joined):
        nodes = []

        def add_node(op, name, attrs, inputs, **more):
            nodes.append(dict({"op": op, "name": name, "attrs": attrs, "inputs": inputs}, **more))
            return len(nodes) - 1

        def inner(kernel, count, followers):
            attrs = {"kernel": str(kernel), "num_filter": str(count), "no_bias": "True", "pad": str(tuple(k // 2 for k in kernel))}
            parts = [{"op": "null", "name": "x", "inputs": []}, {"op": "null", "name": "w", "inputs": []},
                     {"op": "Convolution", "name": "conv", "attrs": attrs, "inputs": [[0, 0, 0], [1, 0, 0]]}]
            for follower in followers:
                last = [[len(parts) - 1, 0, 0]]
                if follower == "sum":
                    parts.append({"op": "null", "name": "other", "inputs": []})
                    parts.append({"op": "elemwise_add", "name": "sum", "inputs": last + [[len(parts) - 1, 0, 0]]})
                else:
                    parts.append({"op": "Activation", "name": follower + str(len(parts)), "attrs": {"act_type": follower}, "inputs": last})
            return {"nodes": parts, "arg_nodes": [i for i, part in enumerate(parts) if part["op"] == "null"],
                    "node_row_ptr": list(range(len(parts) + 1)), "heads": [[len(parts) - 1, 0, 0]]}

        def convolution(name, data, kernel, count, low, high, flags, followers, other=None):
            weight = add_node("null", name + "_weight", {}, [])
            inputs = [[data, 0, 0], [weight, 0, 0]] + ([[other, 0, 0]] if other is not None else [])
            inputs += [[data, 1, 0], [data, 2, 0]] + ([[other, 1, 0], [other, 2, 0]] if other is not None else [])
            attrs = dict({flag: "true" for flag in flags}, quantized="true", min_calib_range=str(low), max_calib_range=str(high))
            return add_node("_sg_mkldnn_conv", name, attrs, inputs, subgraphs=[inner(kernel, count, followers)])

        data = add_node("_contrib_quantize_v2", "integers", {"out_type": "auto"}, [[add_node("null", "data", {}, []), 0, 0]])
        first = convolution("first", data, (3, 3), filters, 0.0, 3.0, ["with_act"], ["relu"])
        pool = {"kernel": "(3, 3)", "pad": "(1, 1)", "stride": "(2, 2)", "pool_type": "max"}
        last = add_node("_contrib_quantized_pooling", "pool", pool, [[first, 0, 0], [first, 1, 0], [first, 2, 0]])
        if joined:
            side = convolution("side", last, (1, 1), filters, -2.0, 2.5, [], [])
            last = convolution("join", last, (3, 3), filters, 0.0, 4.0, ["with_sum", "with_postsum_act"], ["sum", "relu"], side)
        else:
            last = convolution("last", last, (1, 1), filters + 3, -1.5, 2.0, [], [])
        return mx.sym.load_json(json.dumps({
            "nodes": nodes, "arg_nodes": [i for i, node in enumerate(nodes) if node["op"] == "null"],
            "node_row_ptr": list(range(len(nodes) + 1)), "heads": [[last, i, 0] for i in range(3)],
            "attrs": {"mxnet_version": ["int", 10901]}}))
    for name, channels, filters, joined in (("chain", 3, 16, False), ("chain_odd", 5, 21, False), ("chain_wide", 20, 37, False),
                                            ("sum", 3, 32, True), ("sum_odd", 2, 19, True)):
        add("_sg_mkldnn_conv", name, {"data": T(1, channels, 9, 11)}, "exact",
            graph=lambda mx, filters=filters, joined=joined: graph(mx, filters, joined))


def encoders(add, T):
    """Two layers of BERT; with lengths as more products of heads than a step has tasks."""
    for name, batch, lengths in (("bert_encoder", 2, {}), ("bert_encoder_lengths", 17, {"valid_length": T(17, kind="ints:1,25")})):
        encoder = transformer.Encoder(2, 64, 4, 128, 32, bool(lengths))
        add("_chains", name, {"data": T(24, batch, 64), **lengths}, "product",
            graph=lambda mx, encoder=encoder: transformer.build(mx, encoder))


def uneven_padding(add, T):
    """Layers of every kind behind other borders in front of an image than behind it."""
    def bordered(mx, x, widths, value=0.0):
        return mx.sym.Pad(x, mode="constant", constant_value=value, pad_width=(0, 0, 0, 0) + widths)

    def conv(mx, x, name, filters, kernel, **attrs):
        return mx.sym.Convolution(x, kernel=kernel, num_filter=filters, name=name, **attrs)

    def layers(mx):  # a first layer, tiles, a window of one pixel, each channel alone, groups, dilation
        x = conv(mx, bordered(mx, mx.sym.Variable("data"), (0, 1, 0, 1)), "first", 24, (3, 3), stride=(2, 2))
        x = conv(mx, bordered(mx, x, (1, 0, 2, 1)), "tiles", 32, (3, 3))
        x = conv(mx, bordered(mx, x, (0, 2, 1, 0)), "pixel", 33, (1, 1), stride=(2, 1))
        x = conv(mx, bordered(mx, x, (1, 2, 0, 3)), "alone", 33, (3, 3), num_group=33, stride=(1, 2))
        x = conv(mx, x, "wide", 64, (1, 1))
        x = conv(mx, bordered(mx, x, (3, 1, 1, 2)), "groups", 64, (3, 3), num_group=2, pad=(0, 1))
        return conv(mx, bordered(mx, x, (0, 4, 3, 1)), "dilated", 16, (3, 3), dilate=(2, 2), pad=(1, 0))

    def poolings(mx):  # the maximum, the sum and the average that counts its border, over one image
        x = mx.sym.Variable("data")
        zeros, least = bordered(mx, x, (0, 1, 2, 1)), bordered(mx, x, (1, 0, 0, 2), float("-inf"))
        return mx.sym.Group([
            mx.sym.Pooling(least, kernel=(3, 3), stride=(2, 2), pool_type="max", name="most"),
            mx.sym.Pooling(zeros, kernel=(3, 3), stride=(1, 2), pool_type="sum", name="all"),
            mx.sym.Pooling(zeros, kernel=(3, 4), stride=(2, 2), pad=(1, 0), pool_type="avg", name="mean")])

    def volume(mx):
        widths = (1, 0, 0, 2, 1, 1)
        x = conv(mx, bordered(mx, mx.sym.Variable("data"), widths), "deep", 16, (2, 3, 3))
        return conv(mx, bordered(mx, x, (0, 1, 0, 0, 0, 0)), "depth", 8, (3, 1, 1))

    add("Pad", "uneven_layers", T(2, 3, 23, 26), "product", graph=layers)
    add("Pad", "uneven_poolings", T(2, 33, 11, 10), "norm", graph=poolings)
    add("Pad", "uneven_volume", T(1, 16, 4, 7, 8), "product", graph=volume)


def families(add, T):
    for family in (recurrent, control, quantised, fused, encoders, uneven_padding):
        family(add, T)

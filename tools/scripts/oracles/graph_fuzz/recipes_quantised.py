"""Recipes of quantised operators, which MXNet's CPU build computes with oneDNN only. They make whole graphs:
the values of integers are given, or come from quantize, and other operators are not mixed in."""
import numpy as np

from graph_fuzz.registry import recipe

step = dict(tolerance="step", weight=0)
ONEDNN = {"RNN", "_contrib_BatchNormWithReLU"}


# oneDNN adds two products of uint8 and int8 in 16 bits, which saturate: weights that do not show it.
PAIRS_FIT = 80


def quantised(*names):
    ONEDNN.update(names)
    return recipe(*names, **step)


def integers(g, *shape, dtype="int8", most=100):
    low, high = (0, 200) if dtype == "uint8" else (-most, most)
    return g.variable(g.rng.integers(low, high, shape).astype(dtype))


def bound(g, value=None):
    return g.variable(np.array([value if value is not None else g.real(0.5, 4)], "float32"))


def limits(g, dtype):
    high = g.real(0.5, 4)
    return bound(g, 0.0 if dtype == "uint8" else -high), bound(g, high)


def calibrated(g):
    if g.chance(0.5):
        return {}
    return dict(min_calib_range=-g.real(0.5, 3), max_calib_range=g.real(0.5, 3))


@quantised("_contrib_quantize", "_contrib_quantize_v2", "_contrib_dequantize", "_contrib_requantize")
def casts(g, op):
    shape, dtype = g.shape(g.number(1, 4)), g.pick(("int8", "uint8"))
    if op == "_contrib_dequantize":
        data = integers(g, *shape, dtype=dtype)
        return g.node(op, named=dict(zip(("data", "min_range", "max_range"), (data, *limits(g, dtype)))), mutable=False)
    if op == "_contrib_requantize":
        data = g.variable(g.rng.integers(-100000, 100000, shape).astype("int32"))
        return g.node(op, named=dict(data=data, min_range=bound(g, -5.0), max_range=bound(g, 5.0)), mutable=False, **calibrated(g))
    data = g.variable(g.rng.uniform(0 if dtype == "uint8" else -2, 2, shape).astype("float32"))
    if op == "_contrib_quantize_v2":
        return g.node(op, data, out_type=g.pick(("int8", "auto")), mutable=False, **calibrated(g))
    low, high = limits(g, dtype)
    return g.node(op, named=dict(data=data, min_range=low, max_range=high), out_type=dtype, mutable=False)


@quantised("_contrib_quantized_conv")
def conv(g, op):
    dtype = g.pick(("uint8", "int8"))
    channels, filters = 4 * g.number(1, 4), 8 * g.number(1, 3)
    kernel = tuple(g.number(1, 3) for _ in range(2))
    named = dict(data=integers(g, g.number(1, 2), channels, g.number(3, 8), g.number(3, 8), dtype=dtype),
                 weight=integers(g, filters, channels, *kernel, most=PAIRS_FIT))
    bias = g.chance(0.4)
    if bias:
        named["bias"] = integers(g, filters)
    named.update(zip(("min_data", "max_data"), limits(g, dtype)))
    named.update(zip(("min_weight", "max_weight"), limits(g, "int8")))
    if bias:
        named.update(zip(("min_bias", "max_bias"), limits(g, "int8")))
    g.node(op, named=named, kernel=kernel, num_filter=filters, no_bias=not bias, stride=g.pick((None, (2, 2))),
           pad=tuple(k // 2 for k in kernel), layout="NCHW", mutable=False)


@quantised("_contrib_quantized_fully_connected")
def dense(g, op):
    dtype, rows, width, units = g.pick(("uint8", "int8")), g.number(1, 4), g.number(1, 33), g.number(1, 17)
    named = dict(data=integers(g, rows, width, dtype=dtype), weight=integers(g, units, width, most=PAIRS_FIT))
    bias = g.chance(0.5)
    if bias:
        named["bias"] = integers(g, units)
    for name, kind in (("data", dtype), ("weight", "int8"), *((("bias", "int8"),) if bias else ())):
        named.update(zip(("min_" + name, "max_" + name), limits(g, kind)))
    g.node(op, named=named, num_hidden=units, no_bias=not bias, mutable=False)


@quantised("_contrib_quantized_pooling", "_contrib_quantized_act", "_contrib_quantized_flatten")
def with_range(g, op):
    dtype = g.pick(("int8", "uint8")) if "act" not in op else "int8"
    size = g.number(3, 9)
    named = dict(data=integers(g, g.number(1, 2), g.pick((1, 3, 8, 17)), size, size, dtype=dtype))
    named.update(zip(("min_data", "max_data"), limits(g, dtype)))
    attrs = {}
    if "act" in op:
        attrs["act_type"] = "relu"
    elif "pooling" in op:
        attrs = dict(pool_type=g.pick(("max", "avg")), kernel=(g.number(1, 3),) * 2, stride=(g.number(1, 2),) * 2)
        if g.chance(0.3):
            attrs["global_pool"] = True
    g.node(op, named=named, mutable=False, **attrs)


@quantised("_contrib_quantized_elemwise_add", "_contrib_quantized_elemwise_mul")
def pairs(g, op):
    shape = g.shape(g.number(2, 4))
    named = dict(lhs=integers(g, *shape), rhs=integers(g, *shape))
    for side in ("lhs", "rhs"):
        named.update(zip((side + "_min", side + "_max"), limits(g, "int8")))
    extra = dict(enable_float_output=True) if "mul" in op and g.chance(0.3) else calibrated(g)
    g.node(op, named=named, mutable=False, **extra)


@quantised("_contrib_quantized_concat")
def concat(g, op):
    count, (n, _, h, w) = g.number(1, 3), g.shape(4, most=300)
    tensors = [integers(g, n, g.number(1, 5), h, w) for _ in range(count)]
    ranges = [limit for _ in range(count) for limit in limits(g, "int8")]
    g.node(op, *tensors, *ranges, num_args=count, dim=1, mutable=False)


@quantised("_contrib_quantized_embedding")
def embedding(g, op):
    rows, width = g.number(1, 9), g.number(1, 17)
    data = g.variable(g.rng.integers(0, rows, g.shape(g.number(1, 2), most=20)).astype("float32"))
    g.node(op, data, integers(g, rows, width), *limits(g, "int8"), input_dim=rows, output_dim=width, mutable=False)


@quantised("_contrib_quantized_batch_norm")
def batch_norm(g, op):
    shape = (g.number(1, 2), g.pick((1, 3, 8, 16)), g.number(2, 6), g.number(2, 6))
    channels = lambda low, high: g.variable(g.rng.uniform(low, high, shape[1]).astype("float32"))
    dtype = g.pick(("int8", "uint8"))
    inputs = dict(data=integers(g, *shape, dtype=dtype), gamma=channels(0.5, 1.5), beta=channels(-1, 1))
    inputs.update(zip(("min_data", "max_data"), limits(g, dtype)))
    g.update(op, inputs, ("mean", "var"), shape=shape[1:2], order=("data", "gamma", "beta", "mean", "var", "min_data", "max_data"),
             min_calib_range=-4.0, max_calib_range=4.0, eps=g.pick((1e-5, 1e-3, 0.1)))


@recipe("_contrib_BatchNormWithReLU", tolerance="product", weight=0)
def batch_norm_relu(g, op):
    shape = (g.number(1, 3), g.pick((1, 3, 8, 16, 17)), g.number(1, 7), g.number(1, 7))
    g.node(op, g.tensor(shape=shape, dtype="float32"), fix_gamma=g.chance(0.5), mutable=False)


@recipe("_sg_mkldnn_conv", "_sg_mkldnn_fully_connected", tolerance="product", weight=0)
def fused(g, op):
    """What MXNet's oneDNN backend makes of layers in a row."""
    import mxnet as mx
    normed, acted = g.chance(0.5), g.chance(0.5)
    filters, kernel = g.pick((1, 3, 8, 17)), g.number(1, 3)
    data = g.new(shape=(g.number(1, 2), g.pick((1, 3, 8)), g.number(3, 8), g.number(3, 8)), dtype="float32")

    def compose(symbols):
        if op.endswith("conv"):
            x = mx.sym.Convolution(symbols[0], kernel=(kernel, kernel), pad=(kernel // 2,) * 2, num_filter=filters, name="layer")
            x = mx.sym.BatchNorm(x, fix_gamma=False, name="norm") if normed else x
        else:
            x = mx.sym.FullyConnected(symbols[0], num_hidden=filters, name="layer")
        x = mx.sym.Activation(x, act_type="relu", name="act") if acted else x
        return x.get_backend_symbol("MKLDNN_QUANTIZE" if op.endswith("connected") else "MKLDNN")
    g.compose_copied(op, [data], compose)


ONEDNN.update(("_sg_mkldnn_conv", "_sg_mkldnn_fully_connected"))

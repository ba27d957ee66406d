"""Recipes of layers: convolutions, pooling, normalisation, activations, recurrence, output heads."""
import numpy as np

from graph_fuzz.registry import recipe

product = dict(tolerance="product")


def image(g, least=1, spatial=None, most=1500, **how):
    spatial = g.pick((1, 2, 2, 2, 2, 3)) if spatial is None else spatial
    return g.tensor(rank=spatial + 2, low=1, most=most,
                    test=lambda entry: entry.shape[1] >= least, dtype=g.pick(("float32",) * 9 + ("float64",)), **how)


def window(g, data, largest=4, pads=True):
    """kernel, stride, dilate and pad that fit into the image."""
    spatial = data.shape[2:]
    pad = [g.pick((0, 0, 1, 1, 2)) if pads else 0 for _ in spatial]
    kernel = [min(g.number(1, largest), extent + 2 * p) for extent, p in zip(spatial, pad)]
    if g.chance(0.3):
        kernel = [min(3, extent + 2 * p) for extent, p in zip(spatial, pad)]
    dilate = [g.pick((1, 1, 1, 2)) if d * 2 - 1 <= extent + 2 * p else 1 for d, extent, p in zip(kernel, spatial, pad)]
    pad = [min(p, max(0, k - 1)) if g.chance(0.9) else p for p, k in zip(pad, kernel)]
    kernel = [min(k, max(1, (extent + 2 * p - 1) // d + 1)) for k, extent, p, d in zip(kernel, spatial, pad, dilate)]
    attrs = dict(kernel=tuple(kernel))
    if g.chance(0.5):
        attrs["stride"] = tuple(g.pick((1, 1, 2, 3)) for _ in spatial)
    if max(pad):
        attrs["pad"] = tuple(pad)
    return attrs, tuple(dilate)


def groups_of(g, channels):
    if g.chance(0.7):
        return 1
    return g.pick([d for d in range(1, channels + 1) if channels % d == 0])


@recipe("Convolution", "Convolution_v1", weight=5, **product)
def convolution(g, op):
    data = image(g, spatial=g.pick((2, 2, 3)) if op.endswith("v1") else None)
    attrs, dilate = window(g, data)
    groups = groups_of(g, data.shape[1])
    if max(dilate) > 1 and not op.endswith("v1"):
        attrs["dilate"] = dilate
    filters = groups * g.pick((1, 2, 3) if groups > 1 else (1, 3, 4, 7, 8, 15, 16, 17, 24, 33))
    g.node(op, data, num_filter=filters, num_group=groups, no_bias=g.pick((None, True)), **attrs)


@recipe("Deconvolution", weight=1.5, **product)
def deconvolution(g, op):
    data = image(g, spatial=g.pick((1, 2, 2)), most=600)  # the third dimension needs oneDNN, so does dilation
    spatial = len(data.shape) - 2
    kernel = tuple(g.number(1, 4) for _ in range(spatial))
    stride = tuple(g.number(1, 3) for _ in range(spatial))
    pad = tuple(g.number(0, (k - 1) // 2) for k in kernel)
    groups = groups_of(g, data.shape[1])
    attrs = dict(kernel=kernel, stride=stride, num_group=groups, num_filter=groups * g.number(1, 9), no_bias=g.chance(0.5))
    if g.chance(0.3):
        attrs["adj"] = tuple(g.number(0, s - 1) for s in stride)
    if g.chance(0.15):
        whole = [s * (e - 1) + k for s, e, k in zip(stride, data.shape[2:], kernel)]
        return g.node(op, data, target_shape=tuple(max(1, w - g.number(0, 1)) for w in whole), **attrs)
    return g.node(op, data, pad=pad, **attrs)


@recipe("Pooling", weight=4, tolerance="reduction")
def pooling(g, op):
    data = image(g)
    attrs, _ = window(g, data)
    kind = g.pick(("max", "max", "avg", "avg", "sum", "lp"))
    if "pad" in attrs:  # MXNet requires a pad below the kernel
        attrs["pad"] = tuple(min(p, k - 1) for p, k in zip(attrs["pad"], attrs["kernel"]))
    attrs["pooling_convention"] = g.pick((None, None, "full", "same" if len(attrs["kernel"]) == 1 else None))
    if kind == "avg":
        attrs["count_include_pad"] = g.pick((None, True, False))
    if kind == "lp":
        attrs["p_value"] = g.number(1, 3)
    if g.chance(0.15):
        attrs = dict(global_pool=True, p_value=attrs.get("p_value"))
    g.node(op, data, pool_type=kind, mutable=kind != "lp", **attrs)


@recipe("Pooling_v1", weight=0.5, tolerance="reduction")
def pooling_v1(g, op):
    data = image(g, spatial=2)
    attrs, _ = window(g, data)
    if "pad" in attrs:
        attrs["pad"] = tuple(min(p, k - 1) for p, k in zip(attrs["pad"], attrs["kernel"]))
    g.node(op, data, pool_type=g.pick(("max", "avg", "sum")), pooling_convention=g.pick((None, "full")), **attrs)


@recipe("FullyConnected", weight=5, **product)
def fully_connected(g, op):
    data = g.tensor(rank=(1, 2, 2, 2, 3, 4))
    flatten = data.rank < 3 or g.chance(0.6)
    g.node(op, data, num_hidden=g.pick((1, 2, 3, 5, 8, 16, 17, 31, 40)), no_bias=g.pick((None, True)),
           flatten=None if flatten else False)


@recipe("BatchNorm", "BatchNorm_v1", "_contrib_SyncBatchNorm", weight=3, **product)
def batch_norm(g, op):
    data = g.tensor(rank=4 if op != "BatchNorm" else (2, 3, 4, 5))
    attrs = dict(fix_gamma=g.pick((None, False)), eps=g.pick((None, 1e-5, 2e-5, 0.01)), use_global_stats=g.pick((None, True)))
    if op == "BatchNorm" and g.chance(0.3):
        attrs["axis"] = g.axis(data.rank)
    if op == "_contrib_SyncBatchNorm":
        attrs["key"] = "k%d" % g.count
    g.node(op, data, **attrs)


@recipe("LayerNorm", "InstanceNorm", "GroupNorm", weight=2, tolerance="norm")
def other_norms(g, op):
    if op == "LayerNorm":
        data = g.tensor(rank=(2, 3, 4))
        return g.node(op, data, axis=g.pick((None, g.axis(data.rank))), eps=g.pick((None, 1e-3)))
    data = g.tensor(rank=(3, 4, 5) if op == "InstanceNorm" else 4, test=lambda e: np.prod(e.shape[2:]) > 2)
    if op == "InstanceNorm":
        return g.node(op, data, eps=g.pick((None, 0.01)))
    return g.node(op, data, num_groups=g.pick([d for d in range(1, data.shape[1] + 1) if data.shape[1] % d == 0]))


recipe("L2Normalization", weight=0.7, **product)(
    lambda g, op: g.node(op, g.tensor(rank=(3, 4)), mode=g.pick(("instance", "channel", "spatial"))))
recipe("LRN", weight=0.7, **product)(lambda g, op: g.node(
    op, g.tensor(rank=4, dtype="float32"), nsize=g.pick((1, 3, 5, 7)), alpha=g.pick((None, 0.01)), beta=g.pick((None, 0.5)),
    knorm=g.pick((None, 1.0)), mutable=False))
recipe("Activation", weight=4, tolerance="function")(
    lambda g, op: g.node(op, g.tensor(), act_type=g.pick(("relu", "relu", "sigmoid", "tanh", "softrelu", "softsign"))))
recipe("SoftmaxActivation", weight=0.5, tolerance="reduction")(
    lambda g, op: g.node(op, g.tensor(rank=(2, 3, 4)), mode=g.pick((None, "channel"))))
recipe("Dropout", weight=1, tolerance="exact")(lambda g, op: g.node(op, g.tensor(), p=g.real(0, 0.9)))


@recipe("LeakyReLU", weight=2, tolerance="function")
def leaky(g, op):
    kind = g.pick(("leaky", "leaky", "prelu", "elu", "selu", "gelu"))
    data = g.tensor(rank=(2, 3, 4, 5) if kind == "prelu" else None)
    g.node(op, data, act_type=kind, slope=g.real(0.05, 1) if kind in ("leaky", "elu") else None)


@recipe("Embedding", weight=1, tolerance="exact")
def embedding(g, op):
    rows = g.number(1, 12)
    data = g.tensor(rank=(1, 2, 3), most=60, dtype=g.pick(("float32", "int32")), kind="ints:-1,%d" % (rows + 1))
    g.node(op, data, input_dim=rows, output_dim=g.pick((1, 2, 5, 8, 17)), mutable=False)


@recipe("RNN", weight=0, **product)
def rnn(g, op):
    mode = g.pick(("rnn_relu", "rnn_tanh", "lstm", "gru"))
    steps, batch, width = g.pick((1, 2, 3, 5, 9)), g.pick((1, 2, 3, 5)), g.pick((1, 3, 4, 8, 17))
    size, layers, ways = g.pick((1, 2, 4, 5, 8, 16, 17)), g.number(1, 3), g.number(1, 2)
    gates = {"lstm": 4, "gru": 3}.get(mode, 1)
    count = sum(((width if layer == 0 else ways * size) + size + 2) * size * gates * ways for layer in range(layers))
    named = dict(data=g.tensor(shape=(steps, batch, width), dtype="float32", kind="unit"),
                 parameters=g.variable((g.rng.standard_normal(count) / np.sqrt(size + width)).astype("float32")),
                 state=g.tensor(shape=(layers * ways, batch, size), dtype="float32", kind="unit"))
    if mode == "lstm":
        named["state_cell"] = g.tensor(shape=(layers * ways, batch, size), dtype="float32", kind="unit")
    g.node(op, named=named, mode=mode, state_size=size, num_layers=layers, bidirectional=ways == 2,
           state_outputs=g.chance(0.5), mutable=False)


@recipe("CTCLoss", weight=0.2, tolerance="norm")
def ctc(g, op):
    steps, batch, classes, most = g.number(4, 9), g.number(1, 3), g.number(2, 6), g.number(1, 3)
    last = g.chance(0.4)
    labels = g.rng.integers(0 if last else 1, classes - 1 if last else classes, (batch, most))
    for row in labels:
        end = g.number(1, most)
        row[end:] = -1 if last else 0
    named = dict(data=g.tensor(shape=(steps, batch, classes), dtype="float32"), label=g.variable(labels.astype("float32")))
    attrs = dict(blank_label="last" if last else None)
    if g.chance(0.3):
        named["data_lengths"] = g.variable(g.rng.integers(2 * most, steps + 1, batch).astype("float32") if steps > 2 * most
                                           else np.full(batch, steps, "float32"))
        attrs["use_data_lengths"] = True
    g.node(op, named=named, mutable=False, **attrs)


@recipe("SoftmaxOutput", weight=1, tolerance="reduction")
def softmax_output(g, op):
    data = g.tensor(rank=(2, 3, 4))
    attrs = dict(multi_output=True) if g.chance(0.3) and data.rank > 2 else dict(preserve_shape=True) if g.chance(0.3) else {}
    g.node(op, data, **attrs)


recipe("LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput", weight=0.5, tolerance="reduction")(
    lambda g, op: g.node(op, g.tensor(rank=(1, 2, 3)), grad_scale=g.pick((None, 0.5))))
recipe("SVMOutput", weight=0.3, tolerance="exact")(
    lambda g, op: g.node(op, g.tensor(rank=2), margin=g.pick((None, 0.5)), use_linear=g.chance(0.5)))
recipe("IdentityAttachKLSparseReg", weight=0.2, tolerance="exact")(
    lambda g, op: g.node(op, g.tensor(rank=2, dtype="float32", kind="positive")))


@recipe("softmax_cross_entropy", weight=0.3, tolerance="reduction")
def cross_entropy(g, op):
    data = g.tensor(rank=2, dtype="float32")
    label = g.tensor(shape=data.shape[:1], dtype="float32", kind="ints:0,%d" % data.shape[1])
    g.node(op, data, label)


@recipe("UpSampling", weight=0.7, **product)
def up_sampling(g, op):
    data = g.tensor(rank=4, most=300, dtype="float32")
    scale = g.number(1, 3)
    if g.chance(0.3):
        kernel = 2 * scale - scale % 2
        weight = g.variable(g.rng.standard_normal((data.shape[1], 1, kernel, kernel)).astype("float32"))
        return g.node(op, data, weight, scale=scale, sample_type="bilinear", num_filter=data.shape[1], num_args=2, mutable=False)
    return g.node(op, data, scale=scale, sample_type="nearest", num_args=1, mutable=False)


@recipe("_contrib_AdaptiveAvgPooling2D", weight=1, tolerance="reduction")
def adaptive(g, op):
    size = g.pick((None, (1,), (g.number(1, 5),), (g.number(1, 5), g.number(1, 5))))
    g.node(op, g.tensor(rank=4), output_size=size)


@recipe("_contrib_BilinearResize2D", weight=1, tolerance="reduction")
def resize(g, op):
    data = g.tensor(rank=4, most=600, dtype="float32")
    align = g.pick((None, None, False))
    mode = g.pick((None, None, "odd_scale", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up", "like"))
    if mode == "like":
        like = g.tensor(shape=(1, 1, g.number(1, 9), g.number(1, 9)), dtype="float32")
        return g.node(op, data, like, mode=mode, align_corners=align, mutable=False)
    if mode and mode != "odd_scale":
        return g.node(op, data, mode=mode, align_corners=align, mutable=False)
    if mode or g.chance(0.3):
        return g.node(op, data, mode=mode, scale_height=g.pick((0.5, 1.5, 2.0)), scale_width=g.pick((0.5, 1.5, 2.0)),
                      align_corners=align, mutable=False)
    return g.node(op, data, height=g.number(1, 12), width=g.number(1, 12), align_corners=align, mutable=False)

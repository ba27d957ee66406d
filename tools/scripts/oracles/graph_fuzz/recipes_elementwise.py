"""Recipes of elementwise operators, comparisons, casts and reductions."""
from conformance_cases import UNARY
from graph_fuzz.registry import recipe

KIND = {name: kind for name, (_, kind) in UNARY.items()}
WHOLE = ("abs", "ceil", "fix", "floor", "negative", "relu", "rint", "round", "sign", "square", "trunc", "logical_not")
SAME, BROADCAST, SCALAR = "elemwise_", "broadcast_", "_scalar"
COMPARE = ("equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal")
LOGIC = ("logical_and", "logical_or", "logical_xor")


def element_type(g, op):
    return g.number_type() if any(op.endswith(name) for name in WHOLE) else g.float_type()


def unary(g, op):
    g.node(op, g.tensor(kind=KIND.get(op, "normal"), dtype=element_type(g, op) if g.chance(0.4) else None))


for _class in ("exact", "arithmetic", "function", "steep"):
    recipe(*(name for name, (tolerance, _) in UNARY.items() if tolerance == _class), tolerance=_class,
           weight=3 if _class != "steep" else 0.3)(unary)
recipe("_copy", "BlockGrad", "make_loss", "zeros_like", "ones_like", "cast_storage", tolerance="exact")(
    lambda g, op: g.node(op, g.tensor(dtype=g.number_type()), **(dict(stype="default") if op == "cast_storage" else {})))
recipe("shape_array", "size_array", tolerance="exact", weight=0.1)(lambda g, op: g.node(op, g.tensor()))
recipe("_contrib_round_ste", "_contrib_sign_ste", tolerance="exact", weight=0.3)(unary)
recipe("_contrib_div_sqrt_dim", tolerance="arithmetic")(lambda g, op: g.node(op, g.tensor()))


@recipe("clip", tolerance="exact", weight=2)
def clip(g, op):
    low = g.real(-3, 2)
    g.node(op, g.tensor(), a_min=low, a_max=low + g.real(0, 4))


@recipe("smooth_l1", "_contrib_quadratic", "_contrib_gradientmultiplier", "MakeLoss", tolerance="function")
def with_numbers(g, op):
    attrs = {"smooth_l1": lambda: dict(scalar=g.real(0.2, 3)), "MakeLoss": lambda: dict(grad_scale=g.real(0.5, 2)),
             "_contrib_quadratic": lambda: dict(a=g.real(-2, 2), b=g.real(-2, 2), c=g.real(-2, 2)),
             "_contrib_gradientmultiplier": lambda: dict(scalar=g.real(-2, 2))}[op]()
    g.node(op, g.tensor(), **attrs)


def kind_of(op):
    if any(name in op for name in LOGIC):
        return "zeroone"
    return "positive" if any(name in op for name in ("div", "mod", "power")) else "normal"


def pair_type(g, op):
    if "hypot" in op or "power" in op or "div" in op or "mod" in op:
        return g.float_type()
    return g.number_type() if g.chance(0.4) else g.float_type()


def same_shapes(g, op):
    a = g.tensor(kind=kind_of(op), dtype=pair_type(g, op))
    b = g.tensor(shape=a.shape, dtype=a.dtype, kind=kind_of(op))
    g.node(op, *((a, b) if g.chance(0.5) else (b, a)))


recipe("elemwise_add", "elemwise_sub", "elemwise_mul", "_grad_add", tolerance="arithmetic", weight=4)(same_shapes)
recipe("elemwise_div", "_hypot", "_mod", "_scatter_elemwise_div", tolerance="function")(same_shapes)
recipe("_power", tolerance="steep", weight=0.3)(same_shapes)
recipe("_maximum", "_minimum", *("_" + name for name in COMPARE + LOGIC), tolerance="exact")(same_shapes)
recipe("_identity_with_attr_like_rhs", tolerance="exact", weight=0.2)(same_shapes)


def broadcast(g, op):
    a = g.tensor(rank=(1, 2, 3, 4, 5), kind=kind_of(op), dtype=pair_type(g, op))
    shape = tuple(1 if g.chance(0.4) else extent for extent in a.shape)
    b = g.tensor(shape=shape, dtype=a.dtype, kind=kind_of(op))
    if g.chance(0.2):  # both sides repeat
        kept = tuple(1 if other == extent and g.chance(0.4) else extent for extent, other in zip(a.shape, shape))
        a = g.tensor(shape=kept, dtype=a.dtype, kind=kind_of(op))
    g.node(op, *((a, b) if g.chance(0.5) else (b, a)))


recipe("broadcast_add", "broadcast_sub", "broadcast_mul", tolerance="arithmetic", weight=4)(broadcast)
recipe("broadcast_div", "broadcast_hypot", "broadcast_mod", tolerance="function")(broadcast)
recipe("broadcast_power", tolerance="steep", weight=0.3)(broadcast)
recipe("broadcast_maximum", "broadcast_minimum", *("broadcast_" + name for name in COMPARE + LOGIC), tolerance="exact")(broadcast)


def scalar(g, op):
    value = g.pick((1.0, 2.0, 3.0, -2.0)) if g.chance(0.4) else g.real(0.3, 4) * g.pick((1, 1, -1))
    if "power" in op or "mod" in op:
        value = abs(value)
    dtype = pair_type(g, op)
    if "int" in dtype:
        value = abs(round(value)) or 1
    g.node(op, g.tensor(kind=kind_of(op), dtype=dtype), scalar=value)


recipe("_plus_scalar", "_minus_scalar", "_rminus_scalar", "_mul_scalar", "_scatter_plus_scalar", "_scatter_minus_scalar",
       tolerance="arithmetic", weight=4)(scalar)
recipe("_div_scalar", "_rdiv_scalar", "_mod_scalar", "_rmod_scalar", "_hypot_scalar", tolerance="function")(scalar)
recipe("_power_scalar", "_rpower_scalar", tolerance="steep", weight=0.5)(scalar)
recipe("_maximum_scalar", "_minimum_scalar", *("_%s_scalar" % name for name in COMPARE + LOGIC), tolerance="exact")(scalar)


@recipe("add_n", tolerance="arithmetic")
def add_n(g, op):
    first = g.tensor()
    rest = [g.tensor(shape=first.shape, dtype=first.dtype) for _ in range(g.number(0, 4))]
    g.node(op, first, *rest)


@recipe("Cast", "amp_cast", tolerance="exact", weight=2)
def cast(g, op):
    target = g.pick(("float32", "float64", "float16", "int32", "int64", "int8", "uint8"))
    if op == "amp_cast":
        target = g.pick(("float32", "float64", "float16"))
    kind = "ints:0,100" if target in ("uint8", "int8") else "normal"
    g.node(op, g.tensor(dtype=g.number_type(), kind=kind), dtype=target)


@recipe("amp_multicast", tolerance="exact", weight=0.2)
def amp_multicast(g, op):
    count, shape = g.number(1, 3), g.shape()
    g.node(op, *(g.tensor(shape=shape, dtype=g.float_type()) for _ in range(count)), num_outputs=count,
           cast_narrow=g.chance(0.5))


@recipe("all_finite", "multi_all_finite", tolerance="exact", weight=0.1)
def finite(g, op):
    count = 1 if op == "all_finite" else g.number(1, 3)
    g.node(op, *(g.tensor(dtype="float32") for _ in range(count)), **({} if op == "all_finite" else dict(num_arrays=count)))


def reduction_axes(g, rank):
    if g.chance(0.2):
        return None
    return g.axis(rank) if g.chance(0.4) else tuple(a - rank if g.chance(0.2) else a for a in g.axes(rank))


def reduce(g, op):
    kind = "positive" if "prod" in op else "normal"
    dtype = g.number_type() if g.chance(0.2) else None
    few = 10 if op == "mean" and dtype in ("int8", "uint8") else 3000  # MXNet adds bytes in a byte, which wraps
    data = g.tensor(kind=kind, most=40 if "prod" in op else few, dtype=dtype)
    attrs = dict(axis=reduction_axes(g, data.rank), keepdims=g.pick((None, True, False)))
    if g.chance(0.15) and attrs["axis"] is not None:
        attrs["exclude"] = True
    g.node(op, data, **attrs)


recipe("sum", "mean", "nansum", tolerance="reduction", weight=3)(reduce)
recipe("prod", "nanprod", tolerance="reduction", weight=0.4)(reduce)
recipe("max", "min", tolerance="exact", weight=2)(reduce)


@recipe("norm", tolerance="reduction")
def norm(g, op):
    data = g.tensor()
    axes = None if g.chance(0.3) else g.axis(data.rank) if data.rank < 2 or g.chance(0.6) else g.axes(data.rank)[:2]
    g.node(op, data, ord=g.number(1, 2), axis=axes, keepdims=g.chance(0.5))


@recipe("moments", tolerance="reduction", weight=0.5)
def moments(g, op):
    data = g.tensor()
    g.node(op, data, axes=g.axes(data.rank), keepdims=g.chance(0.5))


@recipe("argmax", "argmin", "argmax_channel", tolerance="exact", weight=0.6)
def place_of(g, op):
    data = g.tensor(rank=2 if op == "argmax_channel" else None, kind="distinct")
    if op == "argmax_channel":
        g.node(op, data)
    else:
        g.node(op, data, axis=None if g.chance(0.2) else g.axis(data.rank), keepdims=g.chance(0.5))


@recipe("softmax", "log_softmax", "softmin", tolerance="reduction", weight=2)
def softmax(g, op):
    data = g.tensor()
    axis = g.axis(data.rank)
    temperature = g.real(0.5, 3) if g.chance(0.3) else None
    if op == "softmax" and g.chance(0.2):
        extent = data.shape[axis]
        shape = tuple(e for i, e in enumerate(data.shape) if i != axis % data.rank)
        if shape:
            length = g.tensor(shape=shape, dtype="int32", kind="ints:1,%d" % (extent + 1))
            return g.node(op, data, length, axis=axis, temperature=temperature, use_length=True)
    return g.node(op, data, axis=axis, temperature=temperature)


@recipe("_np_cumsum", tolerance="reduction")
def cumsum(g, op):
    data = g.tensor(dtype=g.number_type())
    g.node(op, data, axis=None if g.chance(0.3) else g.axis(data.rank))

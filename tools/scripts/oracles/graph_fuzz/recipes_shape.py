"""Recipes of operators that move data: shapes, slices, joins and borders."""
import numpy as np

from graph_fuzz.registry import recipe

exact = dict(tolerance="exact")


def data_of(g, rank=None, **how):
    return g.tensor(rank=rank, dtype=g.number_type() if g.chance(0.3) else None, **how)


def divisors(number):
    return [d for d in range(1, number + 1) if number % d == 0]


@recipe("Reshape", weight=4, **exact)
def reshape(g, op):
    data = data_of(g)
    codes, rest, reverse = [], list(data.shape), g.chance(0.15)
    if reverse or g.chance(0.3):  # plain numbers, one of them open
        left = int(np.prod(rest))
        while len(codes) < 3 and left > 1 and g.chance(0.8):
            codes.append(g.pick(divisors(left)))
            left //= codes[-1]
        codes.append(-1 if g.chance(0.5) else left)
        return g.node(op, data, shape=tuple(codes), reverse=reverse or None)
    open_yet = False
    while rest:
        code = g.pick((0, 0, -1, -2, -3, -4))
        if code == -2:
            codes.append(-2)
            break
        if code == -3 and len(rest) > 1:
            codes.append(-3)
            rest = rest[2:]
        elif code == -4:
            left = g.pick(divisors(rest[0]))
            codes += [-4, left, rest[0] // left if open_yet or g.chance(0.5) else -1]
            rest = rest[1:]
        elif code == -1 and not open_yet:
            codes.append(-1)
            open_yet, rest = True, rest[1:]
        else:
            codes.append(0)
            rest = rest[1:]
    return g.node(op, data, shape=tuple(codes))


recipe("Flatten", weight=2, **exact)(lambda g, op: g.node(op, data_of(g, (2, 3, 4, 5))))


@recipe("transpose", weight=3, **exact)
def transpose(g, op):
    data = data_of(g)
    axes = tuple(int(a) for a in g.rng.permutation(data.rank))
    g.node(op, data, axes=None if g.chance(0.2) else axes)


@recipe("SwapAxis", weight=1, **exact)
def swap_axis(g, op):
    data = data_of(g)
    g.node(op, data, dim1=g.number(0, data.rank - 1), dim2=g.number(0, data.rank - 1))


@recipe("expand_dims", "squeeze", weight=2, **exact)
def unit_axes(g, op):
    data = data_of(g, (1, 2, 3, 4))
    if op == "expand_dims":
        return g.node(op, data, axis=g.number(-data.rank - 1, data.rank))
    ones = [i for i, extent in enumerate(data.shape) if extent == 1]
    axis = None if not ones else g.pick((None, g.pick(ones), tuple(ones)))
    return g.node(op, data, axis=axis)


def bounds(g, extent, step):
    """A begin and an end that leave something, as numbers from either side or None."""
    first = g.number(0, extent - 1)
    last = g.number(first + 1, extent) if step > 0 else g.number(-1, first - 1)
    begin = first - extent if g.chance(0.3) else first
    if last == -1 or last == extent and g.chance(0.4):
        return begin, None
    return begin, last - extent if g.chance(0.3) and last < extent else last


def window(g, shape, steps):
    step = [g.pick((1, 1, 2, 3, -1, -2)) if steps else 1 for _ in shape]
    pairs = [bounds(g, extent, s) for extent, s in zip(shape, step)]
    attrs = dict(begin=tuple(p[0] for p in pairs), end=tuple(p[1] for p in pairs))
    return {**attrs, **(dict(step=tuple(step)) if steps else {})}


@recipe("slice", weight=2, **exact)
def slices(g, op):
    data = data_of(g)
    g.node(op, data, **window(g, data.shape[:g.number(1, data.rank)], g.chance(0.5)))


@recipe("_slice_assign", "_slice_assign_scalar", weight=0.5, **exact)
def slice_assign(g, op):
    data = data_of(g)
    attrs = window(g, data.shape, g.chance(0.5))
    if op.endswith("scalar"):
        return g.node(op, data, scalar=g.number(-5, 5) if data.dtype != "uint8" else 3, **attrs)
    steps = attrs.get("step", (1,) * data.rank)
    part = data.value[tuple(slice(b, e, s) for b, e, s in zip(attrs["begin"], attrs["end"], steps))].shape
    return g.node(op, data, g.tensor(shape=part, dtype=data.dtype), **attrs)


@recipe("slice_axis", weight=2, **exact)
def slice_axis(g, op):
    data = data_of(g)
    axis = g.axis(data.rank)
    begin, end = bounds(g, data.shape[axis], 1)
    attrs = dict(axis=axis, begin=begin, end=end)
    g.node(op, data, **{key: str(value) for key, value in attrs.items()})


@recipe("slice_like", weight=0.7, **exact)
def slice_like(g, op):
    data = data_of(g)
    axes = g.axes(data.rank) if g.chance(0.5) else None
    shape = tuple(g.number(1, e) if axes is None or i in axes else g.number(1, 4) for i, e in enumerate(data.shape))
    g.node(op, data, g.tensor(shape=shape, dtype=data.dtype), axes=axes)


@recipe("Concat", "stack", weight=3, **exact)
def join(g, op):
    first = data_of(g, (1, 2, 3, 4))
    axis = g.number(0, first.rank - 1) if op == "Concat" else g.number(-first.rank - 1, first.rank)
    others = []
    for _ in range(g.number(0, 3)):
        shape = list(first.shape)
        if op == "Concat":
            shape[axis] = g.number(1, 6)
        others.append(g.tensor(shape=shape, dtype=first.dtype))
    g.node(op, first, *others, **{"dim" if op == "Concat" else "axis": axis})


@recipe("_rnn_param_concat", weight=0.2, **exact)
def flat_concat(g, op):
    parts = [g.tensor(rank=1, dtype="float32") for _ in range(g.number(1, 4))]
    g.node(op, *parts, dim=0, num_args=len(parts), mutable=False)


@recipe("SliceChannel", "_split_v2", weight=2, **exact)
def split(g, op):
    data = data_of(g)
    axis = g.axis(data.rank)
    count = g.pick(divisors(data.shape[axis])[:4])
    squeeze = data.shape[axis] == count and g.chance(0.5) and data.rank > 1
    if op == "SliceChannel":
        return g.node(op, data, num_outputs=count, axis=axis, squeeze_axis=squeeze)
    if g.chance(0.5):
        count = count if squeeze else g.number(1, min(data.shape[axis], 6))
        return g.node(op, data, indices=(), axis=axis, sections=count, squeeze_axis=squeeze)
    places = sorted({g.number(1, data.shape[axis]) for _ in range(2)} - {data.shape[axis]})
    return g.node(op, data, indices=(0, *places), axis=axis)


@recipe("tile", "repeat", weight=1, **exact)
def again(g, op):
    data = data_of(g, most=400)
    if op == "tile":
        return g.node(op, data, reps=tuple(g.number(1, 3) for _ in range(g.number(1, 4))))
    return g.node(op, data, repeats=g.number(1, 4), axis=None if g.chance(0.3) else g.axis(data.rank))


recipe("reverse", weight=1, **exact)(lambda g, op: (lambda data: g.node(op, data, axis=g.axes(data.rank)))(data_of(g)))


@recipe("broadcast_to", "broadcast_axis", "broadcast_like", weight=1.5, **exact)
def broadcast(g, op):
    target = g.shape(most=1000)
    small = tuple(1 if g.chance(0.5) else extent for extent in target)
    data = g.tensor(shape=small, dtype=g.number_type() if g.chance(0.3) else "float32")
    grown = [i for i, (a, b) in enumerate(zip(small, target)) if a == 1]
    if op == "broadcast_to":
        return g.node(op, data, shape=tuple(0 if a == b and g.chance(0.4) else b for a, b in zip(small, target)))
    if op == "broadcast_like":
        return g.node(op, data, g.tensor(shape=target, dtype=data.dtype))
    return g.node(op, data, axis=tuple(grown), size=tuple(target[i] for i in grown))


@recipe("reshape_like", weight=0.6, **exact)
def reshape_like(g, op):
    data = data_of(g)
    shape = list(data.shape)
    if g.chance(0.5):
        g.rng.shuffle(shape)
    g.node(op, data, g.tensor(shape=tuple(int(e) for e in shape), dtype=data.dtype))


@recipe("depth_to_space", "space_to_depth", weight=0.7, **exact)
def blocks(g, op):
    size, (n, c, h, w) = g.number(1, 3), g.shape(4, most=200)
    shape = (n, c * size * size, h, w) if op == "depth_to_space" else (n, c, h * size, w * size)
    g.node(op, g.tensor(shape=shape), block_size=size, mutable=False)


@recipe("Pad", weight=1, **exact)
def pad(g, op):
    data = g.tensor(rank=(4, 5), low=3)
    widths = [0, 0, 0, 0] + [g.number(0, 2) for _ in range(2 * data.rank - 4)]
    mode = g.pick(("constant", "edge", "reflect"))
    g.node(op, data, mode=mode, pad_width=tuple(widths), constant_value=g.real(-2, 2) if mode == "constant" else None)


@recipe("Crop", weight=0.5, **exact)
def crop(g, op):
    data = g.tensor(rank=4)
    height, width = g.number(1, data.shape[2]), g.number(1, data.shape[3])
    place = dict(center_crop=True) if g.chance(0.3) else dict(
        offset=(g.number(0, data.shape[2] - height), g.number(0, data.shape[3] - width)))
    if g.chance(0.5):
        return g.node(op, data, g.tensor(shape=(g.number(1, 3), g.number(1, 3), height, width), dtype=data.dtype),
                      num_args=2, mutable=False, **place)
    return g.node(op, data, num_args=1, h_w=(height, width), mutable=False, **place)


@recipe("diag", weight=0.5, **exact)
def diag(g, op):
    data = g.tensor(rank=(1, 2, 3))
    if data.rank < 3:
        return g.node(op, data, k=g.number(-1, 1) if min(data.shape) > 1 else 0)
    one, two = (int(a) for a in g.rng.permutation(data.rank)[:2])
    return g.node(op, data, axis1=one, axis2=two)


@recipe("where", weight=1, **exact)
def where(g, op):
    x = data_of(g)
    y = g.tensor(shape=x.shape, dtype=x.dtype)
    shape = x.shape if g.chance(0.7) else x.shape[:1]
    g.node(op, g.tensor(shape=shape, kind="zeroone", dtype=g.pick(("float32", "int32"))), x, y)

"""Recipes of operators over places and order: indexing, sorting, sequences, and constants."""
import numpy as np

from graph_fuzz.registry import recipe
from graph_fuzz.recipes_shape import data_of, exact


def index_type(g):
    return g.pick(("float32", "float32", "int32", "int64"))


@recipe("take", weight=1, **exact)
def take(g, op):
    data = data_of(g)
    axis, mode = g.axis(data.rank), g.pick(("clip", "wrap", None))
    extent = data.shape[axis]
    indices = g.tensor(rank=(1, 2), dtype=index_type(g), kind="ints:%d,%d" % ((-3, extent + 4) if mode else (0, extent)), most=30)
    g.node(op, data, indices, axis=axis, mode=mode, mutable=False)


@recipe("batch_take", "pick", weight=0.7, **exact)
def pick(g, op):
    data = g.tensor(rank=2 if op == "batch_take" else (1, 2, 3, 4))
    axis = 1 if op == "batch_take" else g.axis(data.rank)
    shape = tuple(e for i, e in enumerate(data.shape) if i != axis % data.rank)
    keep = op == "pick" and (g.chance(0.5) or not shape)
    if keep and g.chance(0.5) or not shape:
        shape = tuple(1 if i == axis % data.rank else e for i, e in enumerate(data.shape))
    dtype = "int32" if op == "batch_take" else index_type(g)
    index = g.tensor(shape=shape, dtype=dtype, kind="ints:-2,%d" % (data.shape[axis] + 2))
    g.node(op, data, index, **({} if op == "batch_take" else dict(axis=axis, keepdims=keep, mode=g.pick(("clip", "wrap", None)))),
           mutable=False)


@recipe("one_hot", weight=0.6, **exact)
def one_hot(g, op):
    depth = g.number(1, 9)
    indices = g.tensor(most=60, dtype=index_type(g), kind="ints:-1,%d" % (depth + 1))
    g.node(op, indices, depth=depth, on_value=g.pick((None, 2.0)), off_value=g.pick((None, -1.0)),
           dtype=g.pick((None, "int32", "float64", "uint8" if g.chance(0) else None)))


@recipe("gather_nd", "scatter_nd", weight=0.6, **exact)
def places_nd(g, op):
    data = data_of(g, (1, 2, 3, 4), most=500)
    depth = g.number(1, data.rank)
    if op == "gather_nd":
        rows = [g.rng.integers(0, data.shape[i], (g.number(1, 7),)) for i in range(depth)]
        count = min(len(row) for row in rows)
        return g.node(op, data, g.variable(np.array([row[:count] for row in rows]).astype(index_type(g))))
    shape, count = data.shape[:depth], int(np.prod(data.shape[:depth]))
    chosen = g.rng.permutation(count)[:g.number(1, count)]  # MXNet leaves open which of two equal places wins
    places = np.array(np.unravel_index(chosen, shape)).astype(index_type(g))
    values = g.tensor(shape=(len(chosen), *data.shape[depth:]), dtype=data.dtype)
    return g.node(op, values, g.variable(places), shape=data.shape)


@recipe("_contrib_index_copy", "_contrib_index_array", weight=0.4, **exact)
def index_other(g, op):
    data = data_of(g, (1, 2, 3))
    if op == "_contrib_index_array":
        return g.node(op, data, axes=None if g.chance(0.4) else tuple(g.axis(data.rank) for _ in range(g.number(1, 2))))
    rows = g.rng.permutation(data.shape[0])[:g.number(1, data.shape[0])].astype(g.pick(("int32", "int64")))
    return g.node(op, data, g.variable(rows), g.tensor(shape=(len(rows), *data.shape[1:]), dtype=data.dtype))


@recipe("_ravel_multi_index", "_unravel_index", weight=0.3, **exact)
def ravel(g, op):
    shape = g.shape(g.number(1, 4), most=300)
    count = g.number(1, 9)
    if op == "_unravel_index":
        flat = g.rng.integers(0, int(np.prod(shape)), (count,)).astype(index_type(g))
        return g.node(op, g.variable(flat), shape=shape)
    rows = np.array([g.rng.integers(0, e, (count,)) for e in shape]).astype(index_type(g))
    return g.node(op, g.variable(rows), shape=shape)


@recipe("_histogram", tolerance="arithmetic", weight=0.3)
def histogram(g, op):
    data = g.tensor(dtype=g.pick(("float32", "float64")))
    if g.chance(0.5):
        return g.node(op, data, bin_cnt=g.number(1, 9), range=(g.real(-3, 0), g.real(0.5, 3)))
    return g.node(op, data, g.variable(np.sort(g.rng.uniform(-3, 3, g.number(2, 7))).astype(data.dtype)))


# Order.
@recipe("sort", "argsort", "topk", weight=1, **exact)
def order(g, op):
    data = g.tensor(kind="distinct", most=500)
    axis = g.axis(data.rank) if g.chance(0.8) else None
    attrs = dict(is_ascend=g.chance(0.5))
    if axis is not None:
        attrs["axis"] = axis
    if op == "topk":
        attrs.update(k=g.number(0, data.shape[-1 if axis is None else axis]), ret_typ=g.pick(("value", "indices", "mask", "both")))
    if op != "sort":
        attrs["dtype"] = g.pick((None, None, "int32", "int64", "float64"))
    g.node(op, data, mutable=False, **attrs)


@recipe("SequenceMask", "SequenceLast", "SequenceReverse", weight=0.8, **exact)
def sequence(g, op):
    data = g.tensor(rank=(2, 3, 4))
    axis = 0 if op == "SequenceReverse" else g.number(0, 1)
    attrs = dict(axis=axis) if axis else {}
    if op == "SequenceMask" and g.chance(0.5):
        attrs["value"] = g.real(-5, 5)
    if g.chance(0.3):
        return g.node(op, data, mutable=False, **attrs)
    lengths = g.tensor(shape=(data.shape[1 - axis],), dtype=data.dtype if g.chance(0.7) else g.pick(("int32", "float32")),
                       kind="ints:1,%d" % (data.shape[axis] + 1))
    return g.node(op, data, lengths, use_sequence_length=True, mutable=False, **attrs)


# Constants.
@recipe("_zeros", "_ones", "_full", "_eye", "_arange", "_linspace", "_contrib_arange_like", tolerance="arithmetic", weight=1)
def constant(g, op):
    dtype = g.pick((None, None, "float64", "int32"))
    if op == "_contrib_arange_like":
        data = g.tensor()
        number = g.number if data.dtype == "float16" else g.real  # MXNet cuts fractions off there
        return g.node(op, data, start=number(-3, 3), step=number(-2, 2), axis=None if g.chance(0.4) else g.axis(data.rank))
    attrs = {"_zeros": lambda: dict(shape=g.shape()), "_ones": lambda: dict(shape=g.shape()),
             "_full": lambda: dict(shape=g.shape(), value=g.number(-4, 4)),
             "_eye": lambda: dict(N=g.number(1, 7), M=g.number(0, 7), k=g.number(-3, 3)),
             "_arange": lambda: dict(start=g.number(-3, 3), stop=g.number(4, 9), step=g.pick((1, 0.5, 2, 1.3)), repeat=g.number(1, 3)),
             "_linspace": lambda: dict(start=g.number(-3, 3), stop=g.number(-3, 9), num=g.number(1, 20), endpoint=g.chance(0.5))}
    return g.node(op, dtype=dtype, mutable=False, **attrs[op]())

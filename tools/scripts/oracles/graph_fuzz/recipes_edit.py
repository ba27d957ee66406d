"""Recipes of NumPy's operators that put slices into tensors: MXNet writes beside its memory where a place or values do not
fit, so that both are drawn as they have to be. Each graph is one node.
"""
import numpy as np

import conformance_case
import conformance_numpy_cases
from graph_fuzz.registry import recipe

TYPES = ("float32", "float32", "float64", "float16", "int32", "int64", "int8", "uint8")


def values(g, shape, dtype):
    high = 5 if "float" in dtype else 99
    return g.rng.uniform(0, high, shape).astype(dtype)


def fitting(g, shape):
    """Some last extents of a shape, some of them 1 instead."""
    kept = shape[g.number(0, len(shape)):]
    return tuple(1 if g.chance(0.3) else extent for extent in kept)


def whole(g, op, inputs, **attrs):
    names = ["x%d" % i for i in range(len(inputs))]
    attrs = {key: value for key, value in attrs.items() if value is not None}
    graph = conformance_numpy_cases.graph_of(op, names, **attrs)
    g.vary(op, conformance_case.Case(op, "drawn", dict(zip(names, inputs)), "exact", {}, graph, "", 1))


def target(g):
    """(arr, the shape that is edited, its axis or None)"""
    rank = g.pick((1, 2, 3, 4))
    arr = values(g, g.shape(rank, most=400), g.pick(TYPES))
    axis = None if rank == 1 and g.chance(0.3) else g.axis(rank)
    return arr, arr.shape, axis


@recipe("_npi_insert_scalar", tolerance="exact", weight=0)
def at_place(g, op):
    arr, shape, axis = target(g)
    at = (axis or 0) % len(shape)
    place = None if g.chance(0.1) else g.number(-shape[at], shape[at])
    if len(shape) == 1 and g.chance(0.3):
        return whole(g, op, [arr], val=g.number(-9, 9), int_ind=place, axis=axis)
    count = g.number(1, 4)
    wanted = (count,) + shape[:at] + shape[at + 1:]  # the first axis goes to the axis
    kept = wanted if g.chance(0.5) else fitting(g, wanted)
    return whole(g, op, [arr, values(g, kept, g.pick(TYPES))], int_ind=place, axis=axis)


@recipe("_npi_insert_slice", tolerance="exact", weight=0)
def in_slice(g, op):
    arr, shape, axis = target(g)
    at = (axis or 0) % len(shape)
    bound = lambda: None if g.chance(0.3) else g.number(-shape[at] - 2, shape[at] + 2)
    part = slice(bound(), bound(), g.pick((1, 1, 2, 3, -1, -2)))
    count = len(range(*part.indices(shape[at])))
    wanted = shape[:at] + (g.number(1, 4) if count == 1 else max(1, count),) + shape[at + 1:]
    return whole(g, op, [arr, values(g, fitting(g, wanted), g.pick(TYPES))], axis=axis,
                 start=part.start, stop=part.stop, step=part.step)


@recipe("_npi_insert_tensor", tolerance="exact", weight=0)
def at_places(g, op):
    arr, shape, axis = target(g)
    at = (axis or 0) % len(shape)
    count = g.number(1, 5)
    places = g.rng.integers(-shape[at], shape[at] + 1, (count,)).astype("int64")
    wanted = shape[:at] + (g.number(1, 4) if count == 1 else count,) + shape[at + 1:]
    if at == 0 and g.chance(0.2):
        places = np.array(places[0])
    return whole(g, op, [arr, values(g, fitting(g, wanted), g.pick(TYPES)), places], axis=axis)

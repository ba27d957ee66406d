"""Cases of NumPy's operators that put slices into tensors, take them out, or tell what many numbers are like, of
random numbers that are certain, and of tensors without elements. Same form as conformance_numpy_cases.py.
"""
import numpy as np

from conformance_case import T, ints
from conformance_numpy_cases import node

TYPES = ("float64", "float16", "int8", "uint8", "int32", "int64")


def numbers(*shape, dtype="float32"):
    return T(*shape, dtype=dtype) if dtype.startswith("float") else T(*shape, kind="ints:0,99", dtype=dtype)


def inserted():
    index, part, tensor = "_npi_insert_scalar", "_npi_insert_slice", "_npi_insert_tensor"
    a = T(2, 3, 4)
    for name, values, attrs in (
            ("first", (3, 4), dict(int_ind=0, axis=0)), ("behind", (2, 4), dict(int_ind=3, axis=1)),
            ("negative", (2, 3), dict(int_ind=-1, axis=-1)), ("several", (5, 2, 3), dict(int_ind=2, axis=2)),
            ("repeated", (1, 1, 3), dict(int_ind=1, axis=2)), ("rank0", (), dict(int_ind=1, axis=1)),
            ("no_place", (2, 1), dict(axis=1)), ("longer", (1, 1, 2, 3, 4), dict(int_ind=1, axis=0))):
        node(index, name, [a, T(*values)], "exact", **attrs)
    node(index, "flat", [T(5), T(3)], "exact", int_ind=4)
    node(index, "flat_matrix", T(2, 3), "exact", int_ind=-2, val=1.5)
    node(index, "number", T(5), "exact", int_ind=-5, val=-2, axis=0)
    node(index, "from_rank0", T(), "exact", int_ind=1, val=2)
    for name, values, attrs in (
            ("one", (2, 2, 4), dict(start=1, stop=2, step=1, axis=1)), ("one_repeated", (4,), dict(start=-1, step=3, axis=1)),
            ("several", (2, 1, 1), dict(start=0, stop=3, step=2, axis=1)), ("each", (3, 1), dict(step=1, axis=1)),
            ("backwards", (2, 4), dict(start=2, step=-2, axis=1)), ("none", (1, 4), dict(start=2, stop=1, step=1, axis=1)),
            ("far", (4,), dict(start=-9, stop=9, step=2, axis=0))):
        node(part, name, [a, T(*values)], "exact", **attrs)
    node(part, "number", T(5), "exact", start=3, stop=4, step=1, val=7, axis=0)
    for name, values, places, attrs in (
            ("one", (2, 2, 4), [2], dict(axis=1)), ("several", (3, 1), [3, 0, -1], dict(axis=1)),
            ("twice", (2, 1, 4), [1, 1], dict(axis=1)), ("repeated", (4,), [2, 0, 2, 1], dict(axis=0)),
            ("last", (3, 2), [-4, 4], dict(axis=-1))):
        node(tensor, name, [a, T(*values), ints(*places, dtype="int64")], "exact", **attrs)
    node(tensor, "rank0", [a, T(5, 3, 4), np.array(1, "int64")], "exact", axis=0)
    node(tensor, "rank0_last", [a, T(3, 2, 3), np.array(-1, "int64")], "exact", axis=2)
    node(tensor, "flat", [T(6), T(2), ints(1, 6, dtype="int64")], "exact")
    node(tensor, "number", [T(5), ints(2, dtype="int64")], "exact", val=-1)
    for dtype, other in zip(TYPES, ("float32", "int32", "float64", "int64", "float16", "int8")):
        node(index, dtype, [numbers(2, 3, dtype=dtype), numbers(2, dtype=other)], "exact", int_ind=1, axis=1)
        node(tensor, dtype, [numbers(2, 3, dtype=dtype), numbers(2, dtype=other), ints(1, 3, dtype="int64")], "exact", axis=1)
    node(part, "cut_off", [ints(1, 2, 3, dtype="int32"), ints(-7.5, 7.5)], "exact", stop=2, step=1, axis=0)


def deleted():
    for name, attrs in (
            ("first", dict(int_ind=0, axis=0)), ("negative", dict(int_ind=-1, axis=1)), ("flat", dict(int_ind=7)),
            ("slice", dict(start=1, stop=3, step=1, axis=2)), ("every_other", dict(step=2, axis=-1)),
            ("backwards", dict(start=-1, stop=0, step=-2, axis=2)), ("none", dict(start=3, stop=1, step=1, axis=1)),
            ("far", dict(start=-9, stop=2, step=1, axis=1)), ("flat_slice", dict(start=3, step=4)), ("both", dict(int_ind=0, stop=1, step=1, axis=1))):
        node("_npi_delete", name, T(2, 3, 4), "exact", **attrs)
    for name, places, attrs in (
            ("list", ints(0, 2, dtype="int64"), dict(axis=1)), ("list_flat", ints(23, 3, 3, 11, dtype="int32"), {}),
            ("list_outside", ints(1, -1, 99, dtype="int64"), dict(axis=2)), ("list_floats", ints(1.0, 2.75, -0.5), dict(axis=2)),
            ("list_matrix", ints(0, 2, 2, 1, dtype="uint8").reshape(2, 2), dict(axis=-1))):
        node("_npi_delete", name, [T(2, 3, 4), places], "exact", **attrs)
    for dtype in TYPES:
        node("_npi_delete", dtype, [numbers(7, dtype=dtype), ints(5, 2, dtype="int64")], "exact", axis=0)
        node("_npi_delete", dtype + "_one", numbers(3, 2, dtype=dtype), "exact", int_ind=1, axis=0)


def percentiles():
    op, several = "_npi_percentile", ints(0, 12.5, 50, 61, 100)
    for how in ("linear", "lower", "higher", "midpoint", "nearest"):
        node(op, how, [T(4, 5), several], "arithmetic", interpolation=how)
        node(op, how + "_between", T(2, 8), "arithmetic", axis="(1,)", interpolation=how, q_scalar=35)
        node(op, how + "_half", T(5, 3), "arithmetic", axis="(0,)", interpolation=how, q_scalar=62.5)
    for name, attrs in (("first", dict(axis="(0,)")), ("middle", dict(axis="(1,)")), ("two", dict(axis="(2, 0)")), ("number", dict(axis=-1)),
                        ("none", dict(axis="()")), ("keep", dict(axis="(1, -1)", keepdims=True)), ("keep_all", dict(keepdims=True))):
        node(op, name, [T(2, 3, 4), several], "arithmetic", **attrs)
        node(op, name + "_scalar", T(2, 3, 4), "arithmetic", q_scalar=70, **attrs)
    node(op, "rank0", [T(3, 4), np.array(45, "float32")], "arithmetic", axis="(1,)")
    node(op, "infinite", [ints(np.inf, 1, -np.inf, 3, 2), ints(25, 40, 60, 75)], "arithmetic")
    for dtype in TYPES:
        node(op, dtype, [numbers(3, 7, dtype=dtype), several], "arithmetic", axis="(1,)")
        node(op, dtype + "_nearest", [numbers(3, 7, dtype=dtype), several], "arithmetic", axis="(0,)", interpolation="nearest")
        places = ints(0, 33, 78, 100, dtype=dtype)
        node(op, "q_" + dtype, [T(3, 70), places], "arithmetic", axis="(1,)")
    node(op, "long", [T(2, 1001), ints(0.1, 33.3, 99.9)], "arithmetic", axis="(1,)")


def counted():
    op, few = "_npi_bincount", ints(3, 0, 3, 5, 1, 3, dtype="uint8")
    node(op, "uint8", few, "exact")
    node(op, "int8", few.astype("int8"), "exact", minlength=4)
    node(op, "longer", few, "exact", minlength=9)
    node(op, "largest", ints(255, 0, 255, dtype="uint8"), "exact")
    node(op, "wraps", np.zeros(300, "uint8"), "exact")
    for dtype in ("float32", "float64", "float16", "int32", "int64"):
        node(op, "weights_" + dtype, [few, numbers(6, dtype=dtype)], "arithmetic", has_weights=True, minlength=7)


def certain():
    """Random numbers without chance: how tensors of parameters repeat, whatever is drawn."""
    row, column = ints(1, 2.5, -3), ints(4, 5).reshape(2, 1)
    zeros = np.zeros((2, 1), "float32")
    for name, dtype in (("", "float32"), ("_float64", "float64"), ("_float16", "float16")):
        same = [row.astype(dtype), row.astype(dtype)]
        node("_npi_uniform", "tensors" + name, same, "exact", low=None, high=None, dtype=dtype)
    node("_npi_uniform", "size", [row, row], "exact", low=None, high=None, size="(2, 3)")
    node("_npi_uniform", "low", np.full((2, 1), 2, "float32"), "exact", low=None, high=2, size="(4, 2, 3)")
    node("_npi_uniform", "high", np.full((2, 3), 2, "float32"), "exact", low=2, high=None)
    node("_npi_uniform_n", "tensors", [row, row], "exact", low=None, high=None, size="(2, 4)")
    node("_npi_uniform_n", "no_size", [row, row], "exact", low=None, high=None)
    for op in ("_npi_normal", "_npi_normal_n", "_npi_logistic", "_npi_gumbel"):
        if not op.endswith("_n"):
            node(op, "loc", row, "exact", loc=None, scale=0, size="(2, 3)")
            node(op, "integers", ints(3, -4, dtype="int32"), "exact", loc=None, scale=0.75)
        node(op, "both", [row, zeros], "exact", loc=None, scale=None)
        node(op, "scale", zeros, "exact", loc=-1.5, scale=None)
    node("_npi_normal_n", "loc", column, "exact", loc=None, scale=0, size="(3,)")
    for op in ("_npi_exponential", "_npi_rayleigh"):
        node(op, "scale", zeros, "exact", scale=None, size="(2, 2)")
    for dtype in ("float32", "int32", "uint8", "bool"):
        node("_npi_bernoulli", "chance_" + dtype, ints(0, 1, 1), "exact", prob=None, logit=None, is_logit=False, dtype=dtype, size="(2, 3)")
    node("_npi_bernoulli", "logit", ints(-200, 200), "exact", prob=None, logit=None, is_logit=True)
    node("_npi_bernoulli", "logit_number", [], "exact", prob=None, logit=200, is_logit=True, size="(4,)")
    for op in ("_npi_powerd", "_npi_weibull", "_npi_pareto"):
        node(op, "a", np.full((2, 1), 1e30, "float32"), "arithmetic", a=None, size="(2, 3)")


def empty():
    """Under NumPy's shapes 0 is an extent of its own; what is summed over it is 0."""
    none, row = np.zeros((0, 3), "float32"), T(2, 3)
    node("_npi_add_scalar", "empty", none, "exact", scalar=1, is_int=True)
    node("_npi_add", "empty", [none, T(1, 3)], "exact")
    node("_npi_exp", "empty", T(2, 0), "exact")
    node("_npi_cast", "empty", none, "exact", dtype="int32")
    node("_npi_where", "empty", [none, none, none], "exact")
    for name, attrs in (("first", dict(axis="(0,)")), ("last", dict(axis="(1,)")), ("all", {}), ("keep", dict(axis="(0,)", keepdims=True))):
        node("_np_sum", "empty_" + name, none, "exact", **attrs)
    node("_np_max", "empty", none, "exact", axis="(1,)")
    node("_np_cumsum", "empty", none, "exact", axis=0)
    node("_npi_concatenate", "empty", [none, row], "exact", num_args=2, axis=0)
    node("_npi_stack", "empty", [none, none], "exact", num_args=2, axis=0)
    node("_np_transpose", "empty", none, "exact")
    node("_np_reshape", "empty", none, "exact", newshape="(3, 0)")
    node("_npx_reshape", "empty", none, "exact", newshape="(-2, 3)")
    node("_npi_matmul", "empty", [none, T(3, 4)], "exact")
    node("_npi_einsum", "empty", [T(2, 0), none], "exact", subscripts="ij,jk", num_args=2)
    node("_npi_zeros", "empty", [], "exact", shape="(0, 3)", dtype="float32")
    node("_npi_ones", "empty", [], "exact", shape="(2, 0)", dtype="float32")
    node("_npi_insert_scalar", "into_empty", [none, T(3)], "exact", axis=0, int_ind=0)
    node("_npi_slice", "empty", row, "exact", begin="(1,)", end="(1,)")
    node("_np_roll", "empty", none, "exact", shift="(2,)", axis="(0,)")


FAMILIES = (inserted, deleted, percentiles, counted, certain, empty)

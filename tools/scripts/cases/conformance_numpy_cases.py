"""Cases of NumPy's operators in MXNet (_np_*, _npi_*, _npx_*), as files hold them: under
NumPy's shapes, where rank 0 is one. Same form as conformance_cases.py.
"""
import json

import numpy as np

from conformance_case import T, add, ints

FLOATS = ("float32", "float64", "float16")
INTEGERS = ("int8", "uint8", "int32", "int64")


# MXNet's executor computes results of these only under its older rules of shapes.
OLD_SHAPES = {"_npx_nonzero", "_npi_nonzero", "_npi_unique", "_npi_boolean_mask", "_npi_delete", "_npi_bincount"}
RANK0 = {"_contrib_allclose"}  # an older operator whose result only the newer rules can hold


def has_numpy_shapes(op):
    return op in RANK0 or op.startswith("_np") and op not in OLD_SHAPES


def graph_of(op, names, outputs=1, **attrs):
    """The function of a case that makes its graph: one node over variables, with its parameters as text."""
    def graph(mx):
        nodes = [{"op": "null", "name": each, "inputs": []} for each in names]
        nodes.append({"op": op, "name": "node", "attrs": {key: str(value) for key, value in attrs.items()},
                      "inputs": [[i, 0, 0] for i in range(len(names))]})
        return mx.sym.load_json(json.dumps({
            "nodes": nodes, "arg_nodes": list(range(len(names))),
            "heads": [[len(names), i, 0] for i in range(outputs)],
            "node_row_ptr": list(range(len(nodes) + 1)),
            "attrs": {"mxnet_version": ["int", 10901], "is_np_shape": ["int", int(op not in OLD_SHAPES)]}}))
    return graph


def node(op, name, inputs, tolerance, outputs=1, **attrs):
    """One node over `inputs`, an array or a list of them."""
    inputs = inputs if isinstance(inputs, list) else [inputs]
    names = ["x%d" % i for i in range(len(inputs))]
    add(op, name, dict(zip(names, inputs)), tolerance, graph=graph_of(op, names, outputs, **attrs))


def unary():
    kinds = {"arccos": "unit", "arcsin": "unit", "arctanh": "unit", "arccosh": "above1", "log": "positive",
             "log10": "positive", "log1p": "positive", "log2": "positive", "sqrt": "positive"}
    for fn in ("absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1 fix floor"
               " log log10 log1p log2 negative radians reciprocal rint sign sin sinh sqrt square tan tanh trunc").split():
        steep = "steep" if fn in ("tan", "sinh", "cosh", "arctanh") else "function"
        node("_npi_" + fn, "float32", T(3, 4, kind=kinds.get(fn, "normal")), steep)
    for fn in ("absolute", "negative", "sign", "square"):
        node("_npi_" + fn, "float64", T(3, 4, dtype="float64"), "function")
        node("_npi_" + fn, "int32", T(3, 4, kind="ints:-9,9", dtype="int32"), "exact")
    node("_npi_absolute", "rank0", T(), "exact")
    node("_npi_abs", "float32", T(3, 4), "exact")
    for fn in ("relu", "sigmoid", "erf", "gammaln"):
        node("_npx_" + fn, "float32", T(3, 4, kind="positive" if fn == "gammaln" else "normal"), "function")
    node("_np_copy", "float32", T(2, 3), "exact")
    halves = ints(0.5, 1.5, 2.5, -0.5, -1.5, 1.25, -2.7, 3)
    for decimals in (0, 1):
        node("_npi_around", "float32_%d" % decimals, halves, "arithmetic", decimals=decimals)
    node("_npi_around", "drawn", T(3, 5), "function", decimals=2)
    node("_npi_around", "int32", T(5, kind="ints:-99,99", dtype="int32"), "exact", decimals=1)
    odd = ints(np.nan, np.inf, -np.inf, 1.5, 0)
    for dtype in FLOATS:
        node("_npi_nan_to_num", dtype, odd.astype(dtype), "exact")
        node("_npi_nan_to_num", dtype + "_given", odd.astype(dtype), "exact", nan=2, posinf=7, neginf=-9)
        for fn in ("isnan", "isinf", "isfinite", "isposinf", "isneginf", "logical_not"):
            if dtype != "float64":
                node("_npi_" + fn, dtype, odd.astype(dtype), "exact")
    for fn in ("isnan", "isfinite", "logical_not"):
        node("_npi_" + fn, "int32", ints(0, 3, -1, dtype="int32"), "exact")
    for dtype in ("uint8", "int64", "bool"):
        node("_npi_bitwise_not", dtype, T(6, kind="ints:0,2", dtype=dtype), "exact")


PAIRS = (("float32", "float32"), ("float64", "float32"), ("float16", "int64"), ("int32", "float32"), ("int8", "int32"),
         ("bool", "float32"), ("uint8", "int64"), ("int32", "int32"))
COMPARISONS = ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal")


def values(shape, dtype, low=1):
    return T(*shape, dtype=dtype) if dtype.startswith("float") else \
        T(*shape, kind="ints:%d,%d" % ((0, 2) if dtype == "bool" else (low, 9)), dtype=dtype)


def pairs():
    for fn in ("add", "subtract", "multiply", "mod", "power", "true_divide"):
        for left, right in PAIRS:
            if "float" not in left + right and left != right and fn not in ("add", "multiply", "power"):
                continue
            if fn == "true_divide" and "float" in left and "float" in right and left != right:
                continue
            if fn not in ("add", "true_divide") and (left, right) not in PAIRS[:4]:
                continue
            power = fn == "power" and "float" in left
            node("_npi_" + fn, "%s_%s" % (left, right), [
                T(2, 3, kind="positive", dtype=left) if power else values((2, 3), left), values((3,), right)],
                "steep" if fn == "power" else "function")
        node("_npi_" + fn, "outer", [T(2, 1, kind="positive"), T(1, 3)], "steep")
        if fn == "add":
            node("_npi_add", "rank0", [T(kind="positive"), T(2, 3)], "steep")
        whole = T(2, 3, kind="ints:1,9", dtype="int32")
        for name, scalar, is_int in (("whole", 3, 1), ("fraction", 2.5, 0)):
            for reverse in ("", "r") if fn not in ("add", "multiply") else ("",):
                op = "_npi_%s%s_scalar" % (reverse, fn)
                node(op, name + "_float32", T(2, 3, kind="positive"), "steep", scalar=scalar, is_int=is_int)
                node(op, name + "_int32", whole, "steep", scalar=scalar, is_int=is_int)
    for fn in COMPARISONS:
        for dtype in ("float32", "float16", "int64"):
            node("_npi_" + fn, dtype, [T(4, 5, kind="ints:0,3", dtype=dtype), T(5, kind="ints:0,3", dtype=dtype)], "exact")
        for name, scalar, is_int in (("whole", 2, 1), ("fraction", 1.5, 0)):
            for dtype in ("float32", "uint8"):
                node("_npi_%s_scalar" % fn, "%s_%s" % (name, dtype), T(4, 5, kind="ints:0,4", dtype=dtype), "exact",
                     scalar=scalar, is_int=is_int)
    for fn in ("arctan2", "hypot", "copysign", "ldexp", "maximum", "minimum"):
        node("_npi_" + fn, "float32", [T(2, 3), T(3)], "function")
        for reverse in ("", "r") if fn in ("arctan2", "copysign", "ldexp") else ("",):
            node("_npi_%s%s_scalar" % (reverse, fn), "float32", T(2, 3), "function", scalar=1.5, is_int=0)
            node("_npi_%s%s_scalar" % (reverse, fn), "int32", T(2, 3, kind="ints:1,5", dtype="int32"), "function",
                 scalar=1.5, is_int=0)
    node("_npi_copysign", "zeros", [ints(1, -2, 0, 3), ints(-0.0, 1, -1, -2)], "exact")
    for fn in ("lcm", "bitwise_and", "bitwise_or", "bitwise_xor"):
        for dtype in ("uint8", "int64"):
            shape = dict(kind="ints:1,9", dtype=dtype)
            node("_npi_" + fn, dtype, [T(2, 3, **shape), T(3, **shape)], "exact")
            node("_npi_%s_scalar" % fn, dtype, T(2, 3, **shape), "exact", scalar=6)
    node("_npi_lcm", "signs", [ints(4, -6, 0, 7, dtype="int32"), ints(6, 4, 3, -7, dtype="int32")], "exact")


def chosen():
    for dtype in ("float32", "int32", "float64"):
        condition = T(2, 1, 4, kind="zeroone", dtype="float32")
        node("_npi_where", dtype, [condition, values((3, 1), dtype), values((4,), dtype)], "exact")
    node("_npi_where", "bool", [T(3, 4, kind="zeroone", dtype="bool"), T(3, 4), T(3, 4)], "exact")
    for op in ("_npi_where_lscalar", "_npi_where_rscalar"):
        node(op, "float32", [T(2, 1, kind="zeroone"), T(3)], "exact", scalar=5.5)
        node(op, "int32", [T(2, 1, kind="zeroone"), values((3,), "int32")], "exact", scalar=5.5)
    node("_npi_where_scalar2", "float32", T(2, 3, kind="zeroone"), "exact", x=1.5, y=-2)


def reductions():
    shapes = (("all", {}), ("one", dict(axis="(1,)")), ("two", dict(axis="(0, -1)")), ("none", dict(axis="()")),
              ("keep", dict(axis="(2,)", keepdims=True)), ("keep_all", dict(keepdims=True)))
    for op in ("_np_sum", "_np_prod", "_np_max", "_np_min", "_npi_mean", "_npi_var", "_npi_std", "_np_any", "_np_all"):
        for name, attrs in shapes:
            node(op, name, T(2, 3, 4, kind="zeroone" if op[4:] in ("any", "all") else "normal"), "reduction", **attrs)
    for op in ("_np_sum", "_np_prod", "_npi_mean"):
        for dtype in ("int8", "int64", "bool"):
            node(op, dtype, T(2, 3, kind="ints:0,2", dtype=dtype), "reduction", axis="(1,)")
        node(op, "to_float64", T(2, 3), "reduction", dtype="float64")
        node(op, "int32_to_float32", T(2, 3, kind="ints:0,4", dtype="int32"), "reduction", dtype="float32")
    for op in ("_np_max", "_np_min", "_np_any", "_np_all"):
        node(op, "int32", T(2, 3, kind="ints:0,4", dtype="int32"), "exact", axis="(1,)")
        node(op, "nan", ints(1, np.nan, 3), "exact")
        node(op, "bool", T(2, 3, kind="ints:0,2", dtype="bool"), "exact", axis="(0,)")
    for op in ("_npi_var", "_npi_std"):
        node(op, "ddof", T(2, 3, 4), "reduction", ddof=1, axis="(1,)")
        node(op, "float16", T(2, 9, dtype="float16"), "reduction", axis="(1,)")
    for op in ("_np_amax", "_np_amin", "_np_product", "_np_sometrue"):
        node(op, "all", T(2, 3), "reduction")
    for op in ("_npi_argmax", "_npi_argmin"):
        for name, attrs in (("all", {}), ("one", dict(axis=1)), ("last", dict(axis=-1, keepdims=True)), ("keep_all", dict(keepdims=True))):
            node(op, name, T(2, 3, 4, kind="distinct"), "exact", **attrs)
        for dtype in ("float16", "int32"):
            node(op, dtype, T(3, 7, kind="ints:0,5", dtype=dtype), "exact", axis=1)
        node(op, "nan", ints(1, np.nan, 3, np.nan), "exact")


def shapes():
    for name, shape, code, attrs in (
            ("flat", (2, 3), "(-1,)", {}), ("rest", (2, 3, 4), "(4, -1)", {}), ("same", (2, 3), "(3, 2)", {}), ("rank0", (1,), "()", {}),
            ("number", (2, 3), "6", {})):
        node("_np_reshape", name, T(*shape), "exact", newshape=code, **attrs)
    for name, shape, code, attrs in (
            ("copy", (2, 3), "(-2, -1)", {}), ("merge", (2, 3, 4), "(-5, 4)", {}), ("all", (2, 3), "(-4, 1)", {}), ("split", (6, 3), "(-6, 2, 3, -4)", {}),
            ("split_rest", (6, 3), "(-6, 2, -1, -4)", {}), ("skip", (1, 3), "(-3, -2)", {}), ("reverse", (2, 3, 4), "(-5, -2)", dict(reverse=True)),
            ("reverse_rest", (2, 3, 4), "(-1, -2)", dict(reverse=True))):
        node("_npx_reshape", name, T(*shape), "exact", newshape=code, **attrs)
    node("_np_transpose", "all", T(2, 3, 4), "exact")
    node("_np_transpose", "none", T(2, 3, 4), "exact", axes="None")
    node("_np_transpose", "some", T(2, 3, 4), "exact", axes="(1, -1, 0)")
    node("_np_squeeze", "all", T(1, 3, 1), "exact")
    node("_np_squeeze", "rank0", T(1, 1), "exact")
    node("_np_squeeze", "one", T(1, 3, 1), "exact", axis="(-1,)")
    node("_npi_expand_dims", "rank0", T(), "exact", axis=0)
    node("_npi_broadcast_to", "longer", T(3, 1), "exact", shape="(2, 3, 4)")
    node("_npi_broadcast_to", "rank0", T(), "exact", shape="(2, 3)")
    node("_npi_flip", "both", T(2, 3), "exact", axis="(0, 1)")
    node("_npi_flip", "all", T(2, 3), "exact", axis="None")
    node("_np_roll", "flat", T(2, 3), "exact", shift="(2,)")
    node("_np_roll", "axis", T(2, 5), "exact", shift="(-7,)", axis="(1,)")
    node("_np_roll", "axes", T(2, 5), "exact", shift="(1, 2)", axis="(0, 1)")
    for k in (1, 2, 3, -1):
        node("_npi_rot90", "k%d" % k, T(2, 3, 4), "exact", k=k, axes="(1, 2)")
    node("_np_moveaxis", "one", T(2, 3, 4), "exact", source="(0,)", destination="(-1,)")
    node("_np_moveaxis", "two", T(2, 3, 4, 5), "exact", source="(0, 2)", destination="(1, 0)")
    for axis in (0, 1, -1):
        node("_npi_concatenate", "axis%d" % axis, [T(2, 3), T(2, 3)], "exact", num_args=2, axis=axis)
        node("_npi_stack", "axis%d" % axis, [T(2, 3), T(2, 3)], "exact", num_args=2, axis=axis)
    for op in ("_npi_vstack", "_npi_hstack", "_npi_dstack", "_npi_column_stack"):
        node(op, "vectors", [T(3), T(3)], "exact", num_args=2)
        node(op, "matrices", [T(2, 3), T(2, 3), T(2, 3)], "exact", num_args=3)
    node("_npi_column_stack", "mixed", [T(4, 3), T(4)], "exact", num_args=2)
    node("_npi_hstack", "rank0", [T(), T()], "exact", num_args=2)
    for op, axis in (("_npi_hsplit", 1), ("_npi_dsplit", 2), ("_npi_split", 0)):
        node(op, "sections", T(4, 6, 6), "exact", outputs=2, indices="()", sections=2, axis=axis)
        node(op, "uneven", T(5, 7, 8), "exact", outputs=3, indices="()", sections=3, axis=axis)
        node(op, "indices", T(4, 6, 6), "exact", outputs=2, indices="(0, 2)", sections=0, axis=axis)
    node("_npi_hsplit", "vector", T(4), "exact", outputs=2, indices="()", sections=2)
    node("_np_atleast_1d", "rank0", [T(), T(3)], "exact", outputs=2, num_args=2)
    node("_np_atleast_2d", "both", [T(3), T(2, 3)], "exact", outputs=2, num_args=2)
    node("_np_atleast_3d", "both", [T(3), T(2, 3)], "exact", outputs=2, num_args=2)
    node("_np_diag", "vector", T(3), "exact", k=1)
    node("_np_diag", "matrix", T(3, 4), "exact", k=-1)
    for op in ("_np_diagonal", "_np_trace"):
        node(op, "plain", T(3, 4), "reduction")
        node(op, "planes", T(2, 3, 4), "reduction", offset=1, axis1=1, axis2=2)
        node(op, "below", T(3, 4, 2), "reduction", offset=-1)
    node("_np_trace", "outside", T(2, 3, 4), "reduction", offset=3)
    node("_np_diagflat", "matrix", T(2, 2), "exact", k=-1)
    for name, shape, k in (("plain", (3, 4), 0), ("above", (2, 3, 3), 1), ("below", (3, 4), -1), ("vector", (3,), 0)):
        node("_npi_tril", name, T(*shape), "exact", k=k)
    node("_npi_diff", "last", T(2, 5), "arithmetic")
    node("_npi_diff", "twice", T(5, 2), "arithmetic", n=2, axis=0)
    for mode in ("constant", "edge", "reflect", "symmetric", "maximum", "minimum"):
        node("_npi_pad", mode, T(3, 4), "exact", pad_width="((1, 2), (0, 3))", mode=mode)
        node("_npi_pad", mode + "_3d", T(2, 3, 4), "exact", pad_width="((0, 0), (1, 0), (2, 1))", mode=mode)
    node("_npi_pad", "value", T(3, 1), "exact", pad_width="((1, 2), (0, 0))", constant_value=1.5)


def products():
    node("_np_dot", "matrices", [T(2, 3), T(3, 4)], "product")
    node("_np_dot", "vectors", [T(3), T(3)], "product")
    node("_np_dot", "matrix_vector", [T(2, 3), T(3)], "product")
    node("_np_dot", "stack", [T(2, 3), T(5, 3, 4)], "product")
    for name, a, b in (("matrices", (2, 3), (3, 4)), ("vectors", (3,), (3,)), ("vector_matrix", (3,), (3, 4)), ("matrix_vector", (2, 3), (3,)),
                       ("stacks", (4, 1, 2, 3), (5, 3, 2)), ("stack_matrix", (4, 2, 3), (3, 2)), ("stack_vector", (4, 2, 3), (3,))):
        node("_npi_matmul", name, [T(*a), T(*b)], "product")
    node("_npi_tensordot", "one", [T(2, 3), T(4, 3)], "product", a_axes_summed="(1,)", b_axes_summed="(1,)")
    node("_npi_tensordot", "two", [T(2, 3, 4), T(4, 2, 5)], "product", a_axes_summed="(0, 2)", b_axes_summed="(1, 0)")
    node("_npi_tensordot_int_axes", "one", [T(2, 3), T(3, 4)], "product", axes=1)
    node("_npi_tensordot_int_axes", "two", [T(2, 3, 4), T(3, 4, 5)], "product", axes=2)
    node("_npi_tensordot_int_axes", "outer", [T(2), T(3)], "product", axes=0)
    for name, letters, operands in (
            ("matrices", "ij,jk->ik", ((2, 3), (3, 4))), ("implicit", "ij,kj", ((2, 3), (4, 3))), ("batch", "bij,bjk->bik", ((2, 3, 4), (2, 4, 5))),
            ("turned", "bij,bkj->kbi", ((2, 3, 4), (2, 5, 4))), ("outer", "i,j->ij", ((3,), (4,))), ("sum", "ij->", ((2, 3),)), ("row", "ij->j", ((2, 3),)),
            ("transpose", "ij->ji", ((2, 3),)), ("inner", "ij,ij->", ((2, 3), (2, 3))), ("three", "ij,jk,kl->il", ((2, 3), (3, 4), (4, 2))),
            ("own", "ijk,kl->il", ((2, 3, 4), (4, 5))), ("heads", "bqhd,bkhd->bhqk", ((2, 3, 2, 4), (2, 5, 2, 4))),
            ("ellipsis", "...ij,...jk->...ik", ((5, 2, 3, 4), (5, 2, 4, 3))), ("ellipsis_repeated", "...ij, ...jk -> ...ik", ((5, 1, 3, 4), (2, 4, 3))),
            ("ellipsis_leads", "i...,ij", ((2, 3, 4), (2, 5))), ("ellipsis_first", "i...j->j...", ((2, 3, 4, 5),)), ("ellipsis_sums", "i...->...", ((4, 3, 2),)),
            ("ellipsis_rank0", "...,ij->...ij", ((), (2, 3))), ("ellipsis_of_none", "...i,i...->...", ((3,), (3,))), ("ellipsis_longest", "...,...->...", ((3,), (2, 1))),
            ("trace", "ii", ((4, 4),)), ("diagonal", "ii->i", ((4, 4),)), ("diagonals", "iji->ji", ((3, 2, 3),)), ("cube", "iii->i", ((3, 3, 3),)),
            ("trace_ellipsis", "i...i,j->j...", ((3, 2, 3), (4,))), ("repeated", "ij,ij->ij", ((2, 1), (1, 3))), ("repeated_sum", "ij,ij", ((1, 3), (2, 3))),
            ("repeated_row", "ij,jk->ik", ((2, 3), (1, 4))), ("all_one", "ij,ij->i", ((2, 1), (2, 1)))):
        node("_npi_einsum", name, [T(*shape) for shape in operands], "product", num_args=len(operands), subscripts=letters)
    node("_npi_polyval", "three", [T(3), T(2, 3)], "product")


def made():
    node("_npi_full_like", "same", T(2, 3), "exact", fill_value=2.5)
    node("_npi_full_like", "int32", T(2, 3), "exact", fill_value=3, dtype="int32")
    for op, attrs in (("_npi_zeros", dict(shape="(2, 3)")), ("_npi_ones", dict(shape="(2, 3)", dtype="bool")), ("_npi_full", dict(shape="(2,)", value=1.5)),
                      ("_npi_arange", dict(start=1, stop=7, step=1.5)), ("_npi_linspace", dict(start=1, stop=2, num=5)),
                      ("_npi_logspace", dict(start=0, stop=2, num=5)), ("_npi_eye", dict(N=3)), ("_npi_eye", dict(N=3, M=4, k=1, dtype="int32")),
                      ("_npi_identity", dict(shape="(3, 3)")), ("_npi_indices", dict(dimensions="(2, 3)")), ("_npi_hanning", dict(M=5)),
                      ("_npi_hamming", dict(M=6)), ("_npi_blackman", dict(M=7)), ("_npi_logspace", dict(start=0, stop=2, num=4, endpoint=False, base=2)),
                      ("_npi_zeros", dict(shape="()"))):
        node(op, "_".join(str(value).strip("()").replace(", ", "x") or "rank0" for value in attrs.values()), [], "function", **attrs)


def renamed():
    """Older operators that MXNet also registers under a NumPy name."""
    index = T(4, kind="ints:0,3")
    image, pixels = T(1, 3, 6, 6), T(4, 6, 3, kind="ints:0,256", dtype="uint8")
    for op, inputs, tolerance, attrs in (
            ("_np_cumsum", T(2, 3), "reduction", dict(axis=1)), ("_np_repeat", T(2, 3), "exact", dict(repeats=2, axis=1)),
            ("_npi_argsort", T(2, 5, kind="distinct"), "exact", dict(axis=-1, dtype="int64")), ("_npi_cast", T(2, 3), "exact", dict(dtype="int32")),
            ("_npx_cast", T(2, 3), "exact", dict(dtype="int32")), ("_npi_clip", T(2, 3), "exact", dict(a_min=-0.5, a_max=0.5)),
            ("_npi_det", T(3, 3), "product", {}), ("_npi_gather_nd", [T(3, 4), ints([0, 2], [1, 3])], "exact", {}),
            ("_npx_gather_nd", [T(3, 4), ints([0, 2], [1, 3])], "exact", {}), ("_npi_inv", np.eye(3, dtype="float32") * 2 + 0.5, "product", {}),
            ("_npi_slice", T(3, 4), "exact", dict(begin="(0, 1)", end="(2, 4)")), ("_npx_slice", T(3, 4), "exact", dict(begin="(0, 1)", end="(2, 4)")),
            ("_npi_slice_assign", [T(3, 4), T(2, 3)], "exact", dict(begin="(0, 1)", end="(2, 4)")),
            ("_npi_slice_assign_scalar", T(3, 4), "exact", dict(begin="(0, 1)", end="(2, 4)", scalar=5)),
            ("_npi_sort", T(2, 5, kind="distinct"), "exact", dict(axis=-1)), ("_npi_swapaxes", T(2, 3, 4), "exact", dict(dim1=0, dim2=2)),
            ("_npi_take", [T(3, 4), index], "exact", dict(axis=0)), ("_npi_tile", T(2, 3), "exact", dict(reps="(2, 1, 2)")),
            ("_npi_rnn_param_concat", [T(4), T(3)], "exact", dict(num_args=2, dim=0)), ("_npi_reshape", T(2, 3), "exact", dict(newshape="(-5,)")),
            ("_npx__image_crop", pixels, "exact", dict(x=1, y=1, width=3, height=2)), ("_npx__image_to_tensor", pixels, "arithmetic", {}),
            ("_npx__image_normalize", T(3, 4, 5), "function", dict(mean="(0.1, 0.2, 0.3)", std="(0.5, 0.6, 0.7)")),
            ("_npx__image_flip_left_right", pixels, "exact", {}), ("_npx__image_flip_top_bottom", pixels, "exact", {}),
            ("_npx__image_adjust_lighting", T(4, 5, 3), "norm", dict(alpha="(0.02, -0.01, 0.03)")), ("_npx__image_resize", T(6, 7, 3), "norm", dict(size="(9, 8)")),
            ("_npx_activation", T(2, 3), "function", dict(act_type="tanh")), ("_npx_leaky_relu", T(2, 3), "arithmetic", dict(act_type="leaky", slope=0.1)),
            ("_npx_arange_like", T(2, 3), "exact", dict(axis=1)), ("_npx_batch_dot", [T(2, 3, 4), T(2, 4, 5)], "product", {}),
            ("_npx_batch_flatten", T(2, 3, 4), "exact", {}), ("_npx_dropout", T(2, 3), "exact", dict(p=0.5)),
            ("_npx_convolution", [image, T(4, 3, 3, 3), T(4)], "product", dict(kernel="(3, 3)", num_filter=4)),
            ("_npx_deconvolution", [image, T(3, 4, 3, 3)], "product", dict(kernel="(3, 3)", num_filter=4)),
            ("_npx_fully_connected", [T(2, 5), T(4, 5), T(4)], "product", dict(num_hidden=4)), ("_npx_pooling", image, "reduction", dict(kernel="(2, 2)", stride="(2, 2)", pool_type="max")),
            ("_npx_layer_norm", [T(2, 5), T(5), T(5)], "norm", {}), ("_npx_embedding", [index, T(5, 2)], "exact", dict(input_dim=5, output_dim=2)),
            ("_npx_log_softmax", T(2, 5), "function", {}), ("_npx_softmax", T(2, 5), "function", dict(axis=0)), ("_npx_smooth_l1", T(2, 3), "arithmetic", dict(scalar=2)),
            ("_npx_erfinv", T(2, 3, kind="unit"), "steep", {}), ("_npx_gamma", T(2, 3, kind="positive"), "steep", {}), ("_npx_one_hot", index, "exact", dict(depth=4)),
            ("_npx_pick", [T(4, 3), index], "exact", {}), ("_npx_topk", T(2, 5, kind="distinct"), "exact", dict(k=2, axis=-1)),
            ("_npx_reshape_like", [T(2, 3), T(3, 2)], "exact", {}), ("_npx_shape_array", T(2, 3), "exact", {}),
            ("_npx_sequence_mask", [T(3, 2, 2), ints(1, 3)], "exact", dict(use_sequence_length=True)),
            ("_npx_roi_pooling", [image, ints([0, 0, 0, 3, 3])], "exact", dict(pooled_size="(2, 2)", spatial_scale=1)),
            ("_npx_multibox_prior", image, "arithmetic", dict(sizes="(0.5, 0.3)", ratios="(1, 2)"))):
        node(op, "renamed", inputs, tolerance, **attrs)
    node("_npi_slogdet", "renamed", T(3, 3), "product", outputs=2)


def norms():
    data = T(2, 3, 4)
    node("_npi_norm", "last_two", data, "reduction", ord=2, flag=1)
    node("_npi_norm", "keep_last_two", data, "reduction", ord=2, flag=1, keepdims=True)
    node("_npi_norm", "rows", data, "reduction", ord=2, flag=-1, axis="(-1,)")
    node("_npi_norm", "frobenius", data, "reduction", ord=2, flag=1, axis="(0, 2)")
    for order in (0, 1, 3, -2, 0.5):
        node("_npi_norm", "order_%s" % str(order).replace("-", "minus_"), data, "steep", ord=order, flag=-1, axis="(1,)", keepdims=order == 3)
    node("_npi_norm", "vector", T(7), "reduction", ord=2, flag=1)
    for name, axes in (("last", "(1, 2)"), ("turned", "(2, 0)"), ("apart", "(0, -1)"), ("default", None)):
        for order in (1, -1, "inf", "-inf", 3, 0):
            node("_npi_norm", "matrix_%s_%s" % (str(order).replace("-", "minus_"), name), data, "reduction", ord=order, flag=0, axis=axes,
                 keepdims=order in (-1, 3))
        if name != "turned": # MXNet cannot take singular values of more rows than columns
            for tag, order, flag in (("2", 2, 0), ("minus_2", -2, 0), ("nuclear", 2, 2)):
                node("_npi_norm", "matrix_%s_%s" % (tag, name), data, "norm", ord=order, flag=flag, axis=axes, keepdims=flag == 2)
    node("_npi_norm", "matrix_float64", T(3, 5, dtype="float64"), "norm", ord=2, flag=0)
    node("_npi_norm", "matrix_float16", T(3, 5, dtype="float16"), "reduction", ord=1, flag=0)
    node("_npi_norm", "all", data, "reduction", ord=2, flag=-2)
    node("_npi_norm", "all_kept", data, "reduction", ord=2, flag=-2, keepdims=True)
    node("_npi_norm", "all_vector", T(7), "reduction", flag=-2)
    node("_npi_norm", "all_rank0", T(), "reduction", flag=-2)
    node("_npi_norm", "float16", T(2, 3, dtype="float16"), "reduction", ord=2, flag=1, axis="(1,)")


def linear():
    rng = np.random.default_rng(11)
    square = (rng.standard_normal((2, 4, 4)) + 3 * np.eye(4)).astype("float32")
    symmetric = square + np.swapaxes(square, -1, -2)
    positive = square @ np.swapaxes(square, -1, -2)
    real = (np.triu(rng.standard_normal((4, 4))) + np.diag([9.0, 6, 3, 1])).astype("float32")  # real eigenvalues
    whole = np.round(4 * symmetric[0]).astype("int32")
    for name, data in (("batch", positive), ("float64", positive[0].astype("float64"))):
        node("_npi_cholesky", name, data, "product")
        node("_npi_cholesky", "upper_" + name, data, "product", lower=False)
    for name, data in (("batch", symmetric), ("float64", symmetric[1].astype("float64")), ("int32", whole)):
        for triangle in "LU":
            node("_npi_eigh", "%s_%s" % (name, triangle), data, "product", 2, UPLO=triangle)
            node("_npi_eigvalsh", "%s_%s" % (name, triangle), data, "product", UPLO=triangle)
    for name, data in (("float32", real), ("batch", np.stack([real, real.T])), ("float64", real.astype("float64"))):
        node("_npi_eig", name, data, "product", 2)
        node("_npi_eigvals", name, data, "product")
    for name, shape in (("square", (4, 4)), ("wide", (3, 2, 5)), ("one", (1, 3))):
        node("_npi_svd", name, rng.standard_normal(shape).astype("float32"), "norm", 3)
        for op in ("_npi_pinv", "_npi_pinv_scalar_rcond"):
            data = rng.standard_normal(shape).astype("float32")
            more = [np.full(shape[:-2], 1e-3, "float32")] if op == "_npi_pinv" else []
            node(op, name, [data] + more, "norm", **({} if more else dict(rcond=1e-4)))
            node(op, name + "_high", [np.ascontiguousarray(np.swapaxes(data, -1, -2))] + more, "norm", **({} if more else dict(rcond=0.3)))
    node("_npi_pinv", "one_cutoff", [rng.standard_normal((2, 3, 4)).astype("float64"), np.full((1,), 1e-3)], "norm")
    node("_npi_solve", "matrices", [square, rng.standard_normal((2, 4, 3)).astype("float32")], "norm")
    node("_npi_solve", "vectors", [square, rng.standard_normal((2, 4)).astype("float32")], "norm")
    node("_npi_solve", "int32", [whole, np.arange(4, dtype="int32")], "norm")
    node("_npi_tensorinv", "two", rng.standard_normal((2, 3, 6)).astype("float32"), "norm", ind=2)
    node("_npi_tensorinv", "one", rng.standard_normal((6, 3, 2)).astype("float64"), "norm", ind=1)
    node("_npi_tensorsolve", "plain", [rng.standard_normal((2, 3, 6)).astype("float32"), T(2, 3)], "norm")
    node("_npi_tensorsolve", "axes", [rng.standard_normal((2, 6, 3)).astype("float32"), T(2, 3)], "norm", a_axes="(1,)")


def neighbours():
    data = T(3, 4)
    node("_npi_ediff1d", "plain", data, "arithmetic")
    node("_npi_ediff1d", "numbers", data, "arithmetic", to_begin_scalar=-1.5, to_end_scalar=2.0)
    node("_npi_ediff1d", "tensors", [data, T(2), T(1, 3)], "arithmetic", to_begin_arr_given=True, to_end_arr_given=True)
    node("_npi_ediff1d", "int32", [T(7, kind="ints:0,9", dtype="int32"), T(2, kind="ints:0,9", dtype="int32")], "exact", to_end_arr_given=True)
    for returned in (False, True):
        name, results = "_returned" if returned else "", 1 + returned
        node("_npi_average", "plain" + name, T(2, 3, 4), "reduction", results, weighted=False, axis="(1,)", returned=returned)
        node("_npi_average", "all" + name, T(2, 3), "reduction", results, weighted=False, returned=returned)
        node("_npi_average", "weights" + name, [data, T(3, 4, kind="positive")], "reduction", results, axis="(0,)", returned=returned)
        node("_npi_average", "along" + name, [T(2, 3, 4), T(3, kind="positive")], "reduction", results, axis="(-2,)", returned=returned)
    node("_npi_diag_indices_from", "matrix", T(4, 4), "exact")
    node("_npi_diag_indices_from", "cube", T(3, 3, 3), "exact")


def measured():
    near = np.array([[1, -2, 0], [1e6, 3, 7]], "float32")
    node("_contrib_allclose", "near", [near, near * np.float32(1 + 5e-6)], "exact")
    node("_contrib_allclose", "far", [near, near * np.float32(1 + 5e-5)], "exact")
    node("_contrib_allclose", "loose", [near, near * np.float32(1.01)], "exact", rtol=0.02)
    node("_contrib_allclose", "absolute", [near, near + np.float32(0.25)], "exact", rtol=0, atol=0.3)
    node("_contrib_allclose", "nan", [np.where(near == 0, np.nan, near).astype("float32")] * 2, "exact")
    node("_contrib_allclose", "nan_differs", [np.where(near == 0, np.nan, near).astype("float32")] * 2, "exact", equal_nan=False)
    node("_contrib_allclose", "int32", [near.astype("int32"), near.astype("int32") + 1], "exact", atol=1.5)


def value_sized():
    """Results as long as values decide."""
    sparse = np.array([[0, 1.5, 0, -0.0], [2, 0, -3, 0]], "float32")
    few = np.array([3, 1, 3, 2, 1, 1.5, 3], "float32")
    for op in ("_npx_nonzero", "_npi_nonzero"):
        node(op, "matrix", sparse, "exact")
        node(op, "vector_int32", ints(0, 3, 0, 4, dtype="int32"), "exact")
    node("_npx_nonzero", "3d", np.stack([sparse, sparse[::-1]]), "exact")
    node("_npi_boolean_mask", "rows", [T(4, 3), ints(1, 0, 0, 1)], "exact")
    for name, data in (("vector", few), ("matrix_int32", ints(4, 2, 4, 9, 2, 0, dtype="int32").reshape(2, 3)),
                       ("float64", few.astype("float64")), ("one", ints(5, 5))):
        node("_npi_unique", name, data, "exact")
    node("_npi_unique", "index", few, "exact", 2, return_index=True)
    node("_npi_unique", "inverse", few, "exact", 2, return_inverse=True)
    node("_npi_unique", "all", few, "exact", 4, return_index=True, return_inverse=True, return_counts=True)
    rows = np.array([[1, 2, 0], [0, 5, 1], [1, 2, 0], [0, 5, -1], [1, 2, 0]], "float32")
    for name, data, axis in (("rows", rows, 0), ("columns", rows.T.copy(), -1), ("planes", np.stack([rows, rows[::-1]], 1), 0),
                             ("inner", np.stack([rows, rows[::-1]], 0), 1), ("vector_axis", few, 0), ("rows_int8", rows.astype("int8"), 0)):
        node("_npi_unique", name, data, "exact", axis=axis)
        node("_npi_unique", name + "_all", data, "exact", 4, axis=axis, return_index=True, return_inverse=True, return_counts=True)


FAMILIES = (norms, linear, neighbours, measured, value_sized, renamed, unary, pairs, chosen, reductions, shapes, products, made)

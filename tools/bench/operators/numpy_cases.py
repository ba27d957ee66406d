"""The NumPy-named operators (_np_*, _npi_*) of cases.py, about a million elements each. MXNet composes them from files
only, so a case is a whole graph. Other names of operators that cases.py has (_npx_relu, _npi_take) are not timed again.
"""
import numpy as np

from conformance_numpy_cases import COMPARISONS, graph_of

SIDE = 1024
rng = np.random.default_rng(7)


def normal(*shape):
    return rng.standard_normal(shape or (SIDE, SIDE), dtype=np.float32)


def positive(*shape):
    return rng.uniform(0.2, 3, shape or (SIDE, SIDE)).astype("float32")


def unit(*shape):
    return rng.uniform(-0.9, 0.9, shape or (SIDE, SIDE)).astype("float32")


def above1(*shape):
    return 1 + positive(*shape)


def whole(dtype="int32", high=9):
    return rng.integers(1, high, (SIDE, SIDE)).astype(dtype)


def put(*arrays, outputs=1, **attrs):
    """The case of a node over what the functions `arrays` give."""
    def draw(g, op):
        names = ["v%d" % i for i in range(len(arrays))]
        g.variables.update((name, array()) for name, array in zip(names, arrays))
        import mxnet as mx
        g.whole = graph_of(op, names, outputs, **attrs)(mx)
    return draw


def unary():
    kinds = {"arccos": unit, "arcsin": unit, "arctanh": unit, "arccosh": above1, "log": positive, "log10": positive,
             "log1p": positive, "log2": positive, "sqrt": positive}
    for fn in ("absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1 fix floor log"
               " log10 log1p log2 logical_not negative radians reciprocal rint sign sin sinh sqrt square tan tanh trunc"
               " isnan isinf isfinite isposinf isneginf nan_to_num").split():
        yield fn, put(kinds.get(fn, normal))
    yield "around", put(normal, decimals=1)
    yield "bitwise_not", put(whole)


def binary():
    for fn in ("add", "subtract", "multiply", "mod", "power", "true_divide", "arctan2", "hypot", "copysign", "ldexp", "maximum",
               "minimum", *COMPARISONS):
        yield fn, put(positive, positive)
        for reverse in ("", "r") if fn in ("subtract", "mod", "power", "true_divide", "arctan2", "copysign", "ldexp") else ("",):
            yield "%s%s_scalar" % (reverse, fn), put(positive, scalar=1.5, is_int=0)
    for fn in ("lcm", "bitwise_and", "bitwise_or", "bitwise_xor"):
        yield fn, put(whole, whole)
        yield fn + "_scalar", put(whole, scalar=6)
    zero_one = lambda: whole("float32", 3) - 1
    yield "where", put(zero_one, normal, normal)
    yield "where_lscalar", put(zero_one, normal, scalar=5.5)
    yield "where_rscalar", put(zero_one, normal, scalar=5.5)
    yield "where_scalar2", put(zero_one, x=1.5, y=-2)


def reductions():
    for fn in ("mean", "var", "std"):
        yield fn, put(normal, axis="(1,)")
    for fn in ("argmax", "argmin"):
        yield fn, put(normal, axis=1)
    yield "average", put(normal, weighted=False, axis="(1,)")
    yield "norm", put(normal, ord=2, flag=1, axis="(1,)")
    yield "percentile", put(normal, q_scalar=30, axis="(1,)")


def shapes():
    two = dict(num_args=2)
    for fn in ("concatenate", "stack"):
        yield fn, put(normal, normal, axis=0, **two)
    for fn in ("vstack", "hstack", "dstack", "column_stack"):
        yield fn, put(normal, normal, **two)
    cube = lambda: normal(64, 128, 128)
    for fn, axis in (("hsplit", 1), ("dsplit", 2), ("split", 0)):
        yield fn, put(cube, outputs=2, indices="()", sections=2, axis=axis)
    yield "flip", put(normal, axis="(0, 1)")
    yield "rot90", put(normal, k=1, axes="(0, 1)")
    yield "swapaxes", put(cube, dim1=0, dim2=2)
    yield "broadcast_to", put(lambda: normal(SIDE, 1), shape="(%d, %d)" % (SIDE, SIDE))
    yield "tril", put(normal, k=0)
    yield "diff", put(normal)
    yield "ediff1d", put(normal)
    for mode in ("constant", "edge", "reflect", "symmetric", "maximum"):
        yield "pad:" + mode, put(cube, pad_width="((0, 0), (3, 3), (3, 3))", mode=mode)
    yield "insert_scalar", put(normal, lambda: normal(SIDE), int_ind=5, axis=0)


def products():
    small = lambda: normal(512, 512)
    yield "matmul", put(small, small)
    yield "tensordot", put(small, small, a_axes_summed="(1,)", b_axes_summed="(1,)")
    yield "tensordot_int_axes", put(small, small, axes=1)
    yield "einsum:matrices", put(small, small, num_args=2, subscripts="ij,jk->ik")
    yield "einsum:heads", put(lambda: normal(4, 128, 8, 64), lambda: normal(4, 128, 8, 64), num_args=2, subscripts="bqhd,bkhd->bhqk")
    yield "polyval", put(lambda: normal(5), normal)
    square = lambda: np.eye(256, dtype="float32") * 20 + normal(4, 256, 256)
    definite = lambda: (lambda a: a @ a.transpose(0, 2, 1) + np.eye(128, dtype="float32"))(normal(4, 128, 128))
    yield "cholesky", put(definite)
    yield "eigvalsh", put(definite)
    yield "solve", put(square, lambda: normal(4, 256, 64))
    yield "svd", put(lambda: normal(4, 96, 128), outputs=3)


def made():
    shape = "(%d, %d)" % (SIDE, SIDE)
    yield "full_like", put(normal, fill_value=2.5)
    yield "indices", put(dimensions=shape)
    yield "identity", put(shape=shape)
    yield "logspace", put(start=0, stop=2, num=SIDE * SIDE)
    for fn in ("hanning", "hamming", "blackman"):
        yield fn, put(M=SIDE * SIDE)


def older():
    """Those whose names begin with _np_."""
    for fn in ("sum", "prod", "max", "min"):
        yield fn, put(unit, axis="(1,)")
    for fn in ("any", "all"):
        yield fn, put(whole, axis="(1,)")
    yield "transpose", put(normal)
    yield "moveaxis", put(lambda: normal(64, 128, 128), source="(0,)", destination="(-1,)")
    yield "roll", put(normal, shift="(5,)", axis="(1,)")
    for fn in ("trace", "diagonal"):
        yield fn, put(lambda: normal(64, 128, 128), axis1=1, axis2=2)
    yield "diag", put(lambda: normal(SIDE))
    yield "diagflat", put(lambda: normal(SIDE))
    yield "dot", put(lambda: normal(512, 512), lambda: normal(512, 512))


CASES = {"_npi_" + name: case for family in (unary, binary, reductions, shapes, products, made) for name, case in family()}
CASES.update(("_np_" + name, case) for name, case in older())

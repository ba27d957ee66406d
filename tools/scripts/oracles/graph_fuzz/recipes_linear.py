"""Recipes of products, linear algebra, attention and patches."""
import numpy as np

from graph_fuzz.registry import recipe

product = dict(tolerance="product")


def extents(g, count):
    return [g.pick((1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24)) for _ in range(count)]


@recipe("dot", weight=2, **product)
def dot(g, op):
    a = g.tensor(rank=(1, 2, 2, 3))
    ta, tb = (g.chance(0.3) and a.rank == 2 for _ in range(2))
    inner = a.shape[0] if ta else a.shape[-1]
    columns = g.pick((1, 3, 8, 17))
    shape = (inner,) if a.rank == 1 or g.chance(0.15) and not tb else (columns, inner) if tb else (inner, columns)
    g.node(op, a, g.tensor(shape=shape, dtype=a.dtype), transpose_a=ta or None, transpose_b=tb or None)


@recipe("batch_dot", weight=2, **product)
def batch_dot(g, op):
    a = g.tensor(rank=3)
    ta, tb = g.chance(0.3), g.chance(0.3)
    inner, columns = a.shape[1 if ta else 2], g.pick((1, 2, 5, 16, 17))
    shape = (a.shape[0], columns, inner) if tb else (a.shape[0], inner, columns)
    g.node(op, a, g.tensor(shape=shape, dtype=a.dtype), transpose_a=ta or None, transpose_b=tb or None)


@recipe("khatri_rao", weight=0.3, **product)
def khatri_rao(g, op):
    columns = g.number(1, 5)
    g.node(op, *(g.tensor(shape=(g.number(1, 5), columns), dtype="float32") for _ in range(g.number(1, 3))))


def real(g):
    return g.pick(("float32", "float64"))


@recipe("_linalg_gemm", "_linalg_gemm2", weight=1, **product)
def gemm(g, op):
    batch, (m, n, k), dtype = g.shape(g.number(0, 2), most=12), extents(g, 3), real(g)
    ta, tb = g.chance(0.4), g.chance(0.4)
    inputs = [g.tensor(shape=(*batch, *((k, m) if ta else (m, k))), dtype=dtype),
              g.tensor(shape=(*batch, *((n, k) if tb else (k, n))), dtype=dtype)]
    attrs = dict(transpose_a=ta, transpose_b=tb, alpha=g.real(-2, 2))
    if op.endswith("gemm"):
        inputs.append(g.tensor(shape=(*batch, m, n), dtype=dtype))
        attrs["beta"] = g.real(-2, 2)
    g.node(op, *inputs, mutable=False, **attrs)


def definite(g, batch, size, dtype):
    half = g.rng.standard_normal((*batch, size, size))
    return (half @ np.swapaxes(half, -1, -2) + size * np.eye(size)).astype(dtype)


def noisy_beside(g, matrix, lower):
    """Values in the triangle that an operator does not read."""
    if g.chance(0.5):
        return matrix
    noise = g.rng.standard_normal(matrix.shape)
    return (matrix + (np.triu(noise, 1) if lower else np.tril(noise, -1))).astype(matrix.dtype)


@recipe("_linalg_potrf", "_linalg_potri", "_linalg_inverse", "_linalg_sumlogdiag", "_linalg_det", "_linalg_slogdet", weight=0.4,
        **product)
def square(g, op):
    batch, size, dtype = g.shape(g.number(0, 2), most=6), g.number(1, 7), real(g)
    matrix = definite(g, batch, size, dtype)
    if op == "_linalg_potri":
        matrix = np.linalg.cholesky(matrix.astype("float64")).astype(dtype)
    if op in ("_linalg_det", "_linalg_slogdet", "_linalg_inverse"):
        matrix = (matrix / size).astype(dtype)
        matrix[..., 0, :] *= g.pick((1, -1))
    g.node(op, g.variable(matrix))


@recipe("_linalg_gelqf", "_linalg_syevd", weight=0.2, tolerance="norm")
def factors(g, op):
    batch, rows, dtype = g.shape(g.number(0, 2), most=6), g.number(1, 5), real(g)
    if op == "_linalg_gelqf":
        return g.node(op, g.tensor(shape=(*batch, rows, rows + g.number(0, 3)), dtype=dtype))
    return g.node(op, g.variable(definite(g, batch, rows, dtype) + np.diag(np.arange(rows) * 3.0).astype(dtype)))


@recipe("_linalg_trmm", "_linalg_trsm", weight=0.4, **product)
def triangular(g, op):
    batch, size, other, dtype = g.shape(g.number(0, 2), most=6), g.number(1, 7), g.number(1, 5), real(g)
    lower, right = g.chance(0.6), g.chance(0.4)
    matrix = np.linalg.cholesky(definite(g, batch, size, "float64")).astype(dtype)
    if not lower:
        matrix = np.swapaxes(matrix, -1, -2).copy()
    matrix = noisy_beside(g, matrix, lower)
    g.node(op, g.variable(matrix), g.tensor(shape=(*batch, *((other, size) if right else (size, other))), dtype=dtype),
           lower=lower, rightside=right, transpose=g.chance(0.5), alpha=g.real(0.5, 2), mutable=False)


recipe("_linalg_syrk", weight=0.2, **product)(
    lambda g, op: g.node(op, g.tensor(shape=(*g.shape(g.number(0, 2), most=6), *extents(g, 2)), dtype=real(g)),
                         transpose=g.chance(0.5), alpha=g.real(-2, 2), mutable=False))


@recipe("_linalg_extractdiag", "_linalg_makediag", "_linalg_extracttrian", "_linalg_maketrian", weight=0.5, tolerance="exact")
def diagonals(g, op):
    batch, size = g.shape(g.number(0, 2), most=12), g.number(1, 6)
    offset, dtype = g.number(1 - size, size - 1), real(g)
    if "extract" in op:
        shape = (*batch, size, size)
    elif op == "_linalg_makediag":
        shape = (*batch, size)
    else:
        side = size - abs(offset)
        shape = (*batch, side * (side + 1) // 2)
    extra = dict(lower=g.chance(0.5)) if "trian" in op else {}
    g.node(op, g.tensor(shape=shape, dtype=dtype), offset=offset, mutable=False, **extra)


@recipe("_contrib_interleaved_matmul_selfatt_qk", "_contrib_interleaved_matmul_selfatt_valatt",
        "_contrib_interleaved_matmul_encdec_qk", "_contrib_interleaved_matmul_encdec_valatt", weight=0.6, **product)
def attention(g, op):
    (rows, keys), batch, heads, width = extents(g, 2), g.number(1, 3), g.number(1, 4), g.pick((1, 3, 4, 8, 17))
    tensor = lambda *shape: g.tensor(shape=shape, dtype="float32")
    if op.endswith("selfatt_qk"):
        inputs = [tensor(rows, batch, heads * width * 3)]
    elif op.endswith("selfatt_valatt"):
        inputs = [tensor(rows, batch, heads * width * 3), tensor(batch * heads, rows, rows)]
    elif op.endswith("encdec_qk"):
        inputs = [tensor(rows, batch, heads * width), tensor(keys, batch, heads * width * 2)]
    else:
        inputs = [tensor(keys, batch, heads * width * 2), tensor(batch * heads, rows, keys)]
    g.node(op, *inputs, heads=heads, mutable=False)


@recipe("im2col", "col2im", weight=0.4, tolerance="reduction")
def patches(g, op):
    size = [g.number(3, 9) for _ in range(2)]
    kernel, stride, dilate, pad = ([g.number(low, high) for _ in range(2)] for low, high in ((1, 3), (1, 2), (1, 2), (0, 2)))
    windows = [(e + 2 * p - d * (k - 1) - 1) // s + 1 for e, k, s, d, p in zip(size, kernel, stride, dilate, pad)]
    if min(windows) < 1:
        kernel, windows = [1, 1], [(e + 2 * p - 1) // s + 1 for e, s, p in zip(size, stride, pad)]
    batch, channels = g.number(1, 3), g.number(1, 4)
    attrs = {name: tuple(value) for name, value in
             (("kernel", kernel), ("stride", stride), ("dilate", dilate), ("pad", pad))}
    if op == "im2col":
        return g.node(op, g.tensor(shape=(batch, channels, *size), dtype=real(g)), mutable=False, **attrs)
    shape = (batch, channels * kernel[0] * kernel[1], windows[0] * windows[1])
    return g.node(op, g.tensor(shape=shape, dtype=real(g)), output_size=tuple(size), mutable=False, **attrs)

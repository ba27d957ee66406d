"""sym.np: NumPy's functions over operators whose names begin with _npi_, for symbols of NumPy's kind.

Each takes NumPy's arguments and makes the node that MXNet 1.9.1 makes; numbers alone give NumPy's own answer. What
MXNet leaves out (out=, order='F', ...) raises NotImplementedForSymbol, as does what it computes by functions of Python
(resize, unravel_index, ...). Operators of the very names (sum, dot, reshape: _np_*) need no function here.
"""
import builtins
import numbers

import numpy

from . import numpy_linalg as linalg, numpy_random as random  # noqa: F401  sym.np.linalg, sym.np.random
from . import operators
from .context import current_context
from .errors import NotImplementedForSymbol
from .numpy_symbol import Symbol, _check_order, _npi, _Symbol  # noqa: F401

_NUMBERS = (float, int, numpy.generic)
_INTEGERS = (int, numpy.int32, numpy.int64)
_UFUNC_ARGUMENTS = {"out": None, "where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True}


def _check_defaults(function, given, defaults):
    """Takes from `given` what NumPy's function has and a symbol's has not, if it has no effect."""
    for key, default in defaults.items():
        value = given.pop(key, default)
        if value is not default and not (isinstance(value, (bool, str)) and value == default):
            raise NotImplementedForSymbol("sym.np.%s takes no other %s than %r, got %r" % (
                function, key, default, value))


# --- Functions of each element ---------------------------------------------

def _unary(key, operator):
    def function(x, **kwargs):
        _check_defaults(key, kwargs, _UFUNC_ARGUMENTS)
        if isinstance(x, _NUMBERS):
            return getattr(numpy, key)(x)
        return getattr(_npi, operator)(_symbol(key, x), **kwargs)
    function.__name__ = function.__qualname__ = key
    function.__doc__ = operators.table()["_npi_" + operator]["summary"] + "."
    return function


def _symbol(key, x):
    if not isinstance(x, Symbol):
        raise TypeError("sym.np.%s takes a symbol or a number, got %r" % (key, x))
    return x


def _binary(key, operator, reverse=None):
    """`reverse` is the operator with the number on the left, where that is another one."""
    def function(x1, x2, **kwargs):
        _check_defaults(key, kwargs, _UFUNC_ARGUMENTS)
        if isinstance(x1, _NUMBERS) and isinstance(x2, _NUMBERS):
            return getattr(numpy, key)(x1, x2)
        if isinstance(x1, _NUMBERS):
            return getattr(_npi, (reverse or operator) + "_scalar")(_symbol(key, x2), scalar=float(x1), is_int=False,
                                                                    **kwargs)
        if isinstance(x2, _NUMBERS):
            return getattr(_npi, operator + "_scalar")(_symbol(key, x1), scalar=float(x2),
                                                       is_int=isinstance(x2, _INTEGERS), **kwargs)
        return getattr(_npi, operator)(_symbol(key, x1), _symbol(key, x2), **kwargs)
    function.__name__ = function.__qualname__ = key
    function.__doc__ = operators.table()["_npi_" + operator]["summary"] + ", or of a symbol and a number."
    return function


#: {function: its operator}, where names differ.
_UNARY = {**dict.fromkeys(
    "sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh exp expm1 log log2 log10 log1p sqrt cbrt "
    "square reciprocal absolute abs sign negative rint fix ceil floor trunc degrees radians logical_not bitwise_not "
    "isnan isinf isposinf isneginf isfinite".split()),
    "fabs": "abs", "invert": "bitwise_not", "rad2deg": "degrees", "deg2rad": "radians"}
for _key, _operator in _UNARY.items():
    globals()[_key] = _unary(_key, _operator or _key)
#: {function: its operator, and the one for a number on the left}
_BINARY = {
    **{key: (key,) for key in ("add multiply maximum minimum hypot lcm bitwise_and bitwise_or bitwise_xor equal "
                               "not_equal").split()},
    **{key: (key, "r" + key) for key in "subtract mod power arctan2 copysign ldexp".split()},
    "divide": ("true_divide", "rtrue_divide"), "true_divide": ("true_divide", "rtrue_divide"),
    "remainder": ("mod", "rmod"), "greater": ("greater", "less"), "less": ("less", "greater"),
    "greater_equal": ("greater_equal", "less_equal"), "less_equal": ("less_equal", "greater_equal")}
for _key, _operators in _BINARY.items():
    globals()[_key] = _binary(_key, *_operators)


def around(x, decimals=0, out=None, **kwargs):
    if isinstance(x, _NUMBERS):
        return numpy.around(x, decimals)
    return _npi.around(x, decimals, **kwargs)


round = round_ = around


def clip(a, a_min=None, a_max=None, out=None):
    if a_min is None and a_max is None:
        raise ValueError("clip needs a_min or a_max")
    return _npi.clip(a, float("-inf") if a_min is None else a_min, float("inf") if a_max is None else a_max)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None, **kwargs):
    if isinstance(x, _NUMBERS):
        return numpy.nan_to_num(x, copy, nan, posinf, neginf)
    return _npi.nan_to_num(x, copy=copy, nan=nan, posinf=posinf, neginf=neginf)


def where(condition, x, y):
    if isinstance(condition, _NUMBERS):
        return x if condition else y
    plain = isinstance(x, _NUMBERS), isinstance(y, _NUMBERS)
    if plain == (True, True):
        return _npi.where_scalar2(condition, float(x), float(y))
    if plain == (True, False):
        return _npi.where_lscalar(condition, _symbol("where", y), float(x))
    if plain == (False, True):
        return _npi.where_rscalar(condition, _symbol("where", x), float(y))
    return _npi.where(condition, _symbol("where", x), _symbol("where", y))


# --- Tensors from nothing ---------------------------------------------------

def _filled(operator, ctx, order="C", **values):
    _check_order(order)
    return getattr(_npi, operator)(ctx=str(current_context() if ctx is None else ctx), **values)


def zeros(shape, dtype=numpy.float32, order="C", ctx=None):
    return _filled("zeros", ctx, order, shape=shape, dtype=dtype or "float32")


def ones(shape, dtype=numpy.float32, order="C", ctx=None):
    return _filled("ones", ctx, order, shape=shape, dtype=dtype or "float32")


def full(shape, fill_value, dtype=None, order="C", ctx=None, out=None):
    if isinstance(fill_value, Symbol):
        _check_order(order)
        made = broadcast_to(fill_value, shape)
        return made if dtype is None else made.astype(dtype)
    if isinstance(fill_value, bool):
        fill_value, dtype = int(fill_value), dtype or "bool"
    return _filled("full", ctx, order, shape=shape, value=fill_value, dtype=dtype or "float32")


def full_like(a, fill_value, dtype=None, order="C", ctx=None, out=None):
    value = int(fill_value) if isinstance(fill_value, bool) else fill_value
    return _filled("full_like", ctx, order, a=a, fill_value=value, dtype=dtype)


def zeros_like(a, dtype=None, order="C", ctx=None, out=None):
    return full_like(a, 0, dtype, order, ctx)


def ones_like(a, dtype=None, order="C", ctx=None, out=None):
    return full_like(a, 1, dtype, order, ctx)


def identity(n, dtype=None, ctx=None):
    if not isinstance(n, int):
        raise TypeError("identity takes a whole number of rows, got %r" % (n,))
    return _filled("identity", ctx, shape=(n, n), dtype=dtype or "float32")


def eye(N, M=None, k=0, dtype=numpy.float32, order="C", ctx=None):
    return _filled("eye", ctx, order, N=N, M=M, k=k, dtype=dtype)


def arange(start, stop=None, step=1, dtype=None, ctx=None):
    start, stop = (0, start) if stop is None else (start, stop)
    step = 1 if step is None else step
    if stop is None:
        raise ValueError("arange needs a stop")
    if step == 0:
        raise ZeroDivisionError("arange takes no step of 0")
    return _filled("arange", ctx, start=start, stop=stop, step=step, dtype=dtype or "float32")


def _spaced(operator, start, stop, num, endpoint, dtype, axis, ctx, **more):
    if not isinstance(start, _NUMBERS) or not isinstance(stop, _NUMBERS) or axis != 0:
        raise NotImplementedForSymbol("sym.np.%s goes from number to number, along axis 0" % operator)
    return _filled(operator, ctx, start=start, stop=stop, num=num, endpoint=endpoint, dtype=dtype, **more)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, ctx=None):
    made = _spaced("linspace", start, stop, num, endpoint, dtype, axis, ctx)
    return (made, (stop - start) / (num - 1)) if retstep else made


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0, ctx=None):
    return _spaced("logspace", start, stop, num, endpoint, dtype, axis, ctx, base=base)


def indices(dimensions, dtype=numpy.int32, ctx=None):
    if not isinstance(dimensions, (tuple, list)):
        raise ValueError("indices takes a tuple of extents, got %r" % (dimensions,))
    return _filled("indices", ctx, dimensions=dimensions, dtype=dtype)


def hanning(M, dtype=numpy.float32, ctx=None):
    return _filled("hanning", ctx, M=M, dtype=dtype)


def hamming(M, dtype=numpy.float32, ctx=None):
    return _filled("hamming", ctx, M=M, dtype=dtype)


def blackman(M, dtype=numpy.float32, ctx=None):
    return _filled("blackman", ctx, M=M, dtype=dtype)


# --- Shapes and parts -------------------------------------------------------

def broadcast_to(array, shape):
    return full(shape, array) if isinstance(array, _NUMBERS) else _npi.broadcast_to(array, shape)


def ravel(x, order="C"):
    _check_order(order)
    return numpy.reshape(x, -1) if isinstance(x, _NUMBERS) else _npi.reshape(x, -1)


def expand_dims(a, axis):
    return _npi.expand_dims(a, axis)


def swapaxes(a, axis1, axis2):
    return _npi.swapaxes(a, dim1=axis1, dim2=axis2)


def tile(A, reps):
    return numpy.tile(A, reps) if isinstance(A, _NUMBERS) else _npi.tile(A, reps=reps)


def flip(m, axis=None, out=None):
    return numpy.flip(m, axis) if isinstance(m, _NUMBERS) else _npi.flip(m, axis)


def flipud(m):
    return flip(m, 0)


def fliplr(m):
    return flip(m, 1)


def rot90(m, k=1, axes=(0, 1)):
    return _npi.rot90(m, k=k, axes=axes)


def tril(m, k=0):
    return _npi.tril(m, k)


def diag_indices_from(arr):
    return _npi.diag_indices_from(arr)


def take(a, indices, axis=None, mode="raise", out=None):
    if mode not in ("wrap", "clip", "raise"):
        raise NotImplementedForSymbol("sym.np.take takes mode 'wrap', 'clip' or 'raise', got %r" % (mode,))
    if axis is None:
        a, axis = _npi.reshape(a, -1), 0
    return _npi.take(a, indices, axis=axis, mode=mode)


def _place(obj):
    """The parameters, or the symbol, that give the places where insert and delete work."""
    if isinstance(obj, builtins.slice):
        return "slice", {"start": obj.start, "stop": obj.stop, "step": 1 if obj.step is None else obj.step}
    if isinstance(obj, numbers.Integral):
        return "scalar", {"int_ind": int(obj)}
    if isinstance(obj, Symbol):
        return "tensor", {"obj": obj}
    raise TypeError("a place is a number, a slice or a symbol, not %r" % (obj,))


def insert(arr, obj, values, axis=None):
    kind, place = _place(obj)
    inputs = [_symbol("insert", arr)]
    if isinstance(values, _NUMBERS):
        if kind == "tensor":
            raise NotImplementedForSymbol("sym.np.insert takes a symbol of values where a symbol gives the places")
        place["val"] = values
    else:
        inputs.append(_symbol("insert", values))
    if kind == "tensor":
        inputs.append(place.pop("obj"))
    return getattr(_npi, "insert_" + kind)(*inputs, **place, axis=axis)


def delete(arr, obj, axis=None):
    _, place = _place(obj)
    inputs = [_symbol("delete", arr)] + ([place.pop("obj")] if "obj" in place else [])
    return _npi.delete(*inputs, **place, axis=axis)


def _split(operator, ary, indices_or_sections, axis):
    if isinstance(indices_or_sections, int):
        return getattr(_npi, operator)(ary, [], axis, False, indices_or_sections)
    if not isinstance(indices_or_sections, (list, tuple, set)):
        raise ValueError("%s takes a number of parts or a list of places, got %r" % (operator, indices_or_sections))
    return getattr(_npi, operator)(ary, [0, *indices_or_sections], axis, False, 0)


def split(ary, indices_or_sections, axis=0):
    return _split("split", ary, indices_or_sections, axis)


def array_split(ary, indices_or_sections, axis=0):
    parts = split(ary, indices_or_sections, axis)
    return parts if isinstance(parts, list) else [parts]


def hsplit(ary, indices_or_sections):
    return _split("hsplit", ary, indices_or_sections, 1)


def vsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    return _split("dsplit", ary, indices_or_sections, 2)


def concatenate(seq, axis=0, out=None):
    return _npi.concatenate(*seq, axis=axis)


def append(arr, values, axis=None):
    return _npi.concatenate(arr, values, axis=axis)


def stack(arrays, axis=0, out=None):
    return _npi.stack(*arrays, axis=axis)


def vstack(arrays, out=None):
    return _npi.vstack(*arrays)


row_stack = vstack


def column_stack(tup):
    return _npi.column_stack(*tup)


def hstack(arrays):
    return _npi.hstack(*arrays)


def dstack(arrays):
    return _npi.dstack(*arrays)


_PAD_KEYS = {"constant": {"constant_values": 0}, "edge": {}, "reflect": {"reflect_type": "even"},
             "symmetric": {"reflect_type": "even"}, "maximum": {"stat_length": None}, "minimum": {"stat_length": None}}


def pad(x, pad_width, mode="constant", **kwargs):
    if not isinstance(pad_width, tuple) or numpy.asarray(pad_width).dtype.kind != "i":
        raise TypeError("pad takes a tuple of whole numbers as its widths, got %r" % (pad_width,))
    if mode not in _PAD_KEYS:
        raise NotImplementedForSymbol("sym.np.pad takes mode %s, got %r" % (", ".join(map(repr, _PAD_KEYS)), mode))
    if mode == "constant":
        return _npi.pad(x, pad_width, mode=mode, constant_value=kwargs.pop("constant_values", 0), **kwargs)
    _check_defaults("pad", kwargs, _PAD_KEYS[mode])
    kwargs.update((key, value) for key, value in _PAD_KEYS[mode].items() if value)
    return _npi.pad(x, pad_width, mode=mode, **kwargs)


# --- Sums, orders and statistics --------------------------------------------

def mean(a, axis=None, dtype=None, out=None, keepdims=False):
    return _npi.mean(a, axis=axis, dtype=dtype, keepdims=keepdims)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return _npi.std(a, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims)


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return _npi.var(a, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims)


def average(a, axis=None, weights=None, returned=False, out=None):
    given = {"weighted": False} if weights is None else {"weights": weights}
    return _npi.average(a, axis=axis, returned=returned, **given)


def argmax(a, axis=None, out=None):
    return _npi.argmax(a, axis=axis, keepdims=False)


def argmin(a, axis=None, out=None):
    return _npi.argmin(a, axis=axis, keepdims=False)


def argsort(a, axis=-1, kind=None, order=None):
    _check_defaults("argsort", {"order": order}, {"order": None})
    return _npi.argsort(data=a, axis=axis, is_ascend=True, dtype="int64")


def sort(a, axis=-1, kind=None, order=None):
    _check_defaults("sort", {"order": order}, {"order": None})
    return _npi.sort(data=a, axis=axis, is_ascend=True)


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None):
    return _npi.unique(ar, return_index=return_index, return_inverse=return_inverse, return_counts=return_counts,
                       axis=axis)


def percentile(a, q, axis=None, out=None, overwrite_input=None, interpolation="linear", keepdims=False):
    _check_defaults("percentile", {"overwrite_input": overwrite_input}, {"overwrite_input": None})
    number = isinstance(q, _NUMBERS)
    return _npi.percentile(a, *([] if number else [q]), axis=axis, interpolation=interpolation, keepdims=keepdims,
                           q_scalar=q if number else None)


def quantile(a, q, axis=None, out=None, overwrite_input=None, interpolation="linear", keepdims=False):
    return percentile(a, q * 100, axis, out, overwrite_input, interpolation, keepdims)


def histogram(a, bins=10, range=None, normed=None, weights=None, density=None):
    _check_defaults("histogram", {"normed": normed or None, "weights": weights, "density": density or None},
                    dict.fromkeys(("normed", "weights", "density")))
    if isinstance(bins, Symbol):
        return _npi.histogram(a, bins)
    if not isinstance(bins, _NUMBERS) or range is None:
        raise NotImplementedForSymbol("sym.np.histogram takes a number of bins and a range, or a symbol of bounds")
    return _npi.histogram(a, bin_cnt=bins, range=range)


def bincount(x, weights=None, minlength=0):
    if minlength < 0:
        raise ValueError("bincount takes a minlength of 0 or more, got %r" % (minlength,))
    given = {} if weights is None else {"weights": weights}
    return _npi.bincount(x, minlength=minlength, has_weights=weights is not None, **given)


def diff(a, n=1, axis=-1, prepend=None, append=None):
    _check_defaults("diff", {"prepend": prepend, "append": append}, {"prepend": None, "append": None})
    return _npi.diff(a, n=n, axis=axis)


def ediff1d(ary, to_end=None, to_begin=None):
    tensors, values = [], {}
    for key, each in (("to_begin", to_begin), ("to_end", to_end)):
        given = isinstance(each, Symbol)
        tensors += [each] if given else []
        values.update({key + "_arr_given": given, key + "_scalar": None if given else each})
    return _npi.ediff1d(ary, *tensors, **values)


# --- Products ---------------------------------------------------------------

def matmul(a, b, out=None, **kwargs):
    _check_defaults("matmul", kwargs, {"casting": "same_kind", "order": "K", "dtype": None, "subok": True})
    return _npi.matmul(_symbol("matmul", a), _symbol("matmul", b), **kwargs)


def tensordot(a, b, axes=2):
    if isinstance(axes, _NUMBERS):
        return _npi.tensordot_int_axes(a, b, axes=axes)
    if len(axes) != 2:
        raise ValueError("tensordot takes a number of axes or two lists of them, got %r" % (axes,))
    of_a, of_b = ((each,) if isinstance(each, _NUMBERS) else each for each in axes)
    if len(of_a) != len(of_b):
        raise ValueError("tensordot takes as many axes of a as of b, got %r" % (axes,))
    return _npi.tensordot(a, b, of_a, of_b)


def inner(a, b):
    return tensordot(a, b, [-1, -1])


def outer(a, b):
    return tensordot(a.flatten(), b.flatten(), 0)


def vdot(a, b):
    return tensordot(a.flatten(), b.flatten(), 1)


def einsum(subscripts, *operands, out=None, optimize=False):
    return _npi.einsum(*operands, subscripts=subscripts, optimize=int(optimize))


def polyval(p, x):
    if isinstance(p, Symbol) and isinstance(x, Symbol):
        return _npi.polyval(p, x)
    if isinstance(p, Symbol) or isinstance(x, Symbol):
        raise TypeError("polyval takes two symbols, or none")
    return numpy.polyval(p, x)


# --- What no operator computes ----------------------------------------------

def _without_operator(key, reason):
    def function(*_args, **_kwargs):
        raise NotImplementedForSymbol("sym.np.%s has no operator: %s" % (key, reason))
    function.__name__ = function.__qualname__ = key
    function.__doc__ = "Raises NotImplementedForSymbol: %s." % reason
    return function


empty_like, resize, unravel_index = (_without_operator(_key, "MXNet computes it by a function of Python")
                                     for _key in ("empty_like", "resize", "unravel_index"))
shares_memory, may_share_memory = (_without_operator(_key, "where a compiled model puts its tensors is the compiler's")
                                   for _key in ("shares_memory", "may_share_memory"))

__all__ = [_key for _key, _each in list(globals().items())
           if callable(_each) and not _key.startswith("_") and getattr(_each, "__module__", "") == __name__]
__all__ += ["linalg", "random", "_Symbol"]

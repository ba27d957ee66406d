"""Functions of symc.nd that are no operators of the table: those of arrays and numbers, and those that MXNet, too,
writes in Python.

With two arrays, `add` and its like are the operators that broadcast; with an array and a number they are NumPy's on the
number cast to the array's type, so that a number that changes compiles nothing.
"""
import numbers
import operator

import numpy as np

from .imperative import function_of
from .ndarray_class import NDArray

__all__ = ["add", "subtract", "multiply", "divide", "true_divide", "modulo", "power", "maximum", "minimum", "equal",
           "not_equal", "greater", "greater_equal", "lesser", "lesser_equal", "logical_and", "logical_or",
           "logical_xor", "moveaxis", "linspace", "eye", "histogram", "split_v2", "onehot_encode", "reset_arrays", "from_numpy"]


def _number(value):
    return isinstance(value, (numbers.Number, np.number)) and not isinstance(value, np.ndarray)


def _form(name, broadcast, of_arrays, of_numbers):
    """`of_arrays`: on NumPy's arrays of one type; `of_numbers`: of two numbers."""
    def function(lhs, rhs):
        if _number(lhs) and _number(rhs):
            return of_numbers(lhs, rhs)
        for each in (lhs, rhs):
            if not (_number(each) or isinstance(each, np.ndarray)):
                raise TypeError("%s() takes arrays and numbers, got %r" % (name, each))
        if not _number(lhs) and not _number(rhs):
            return function_of(broadcast)(lhs, rhs)
        dtype = (rhs if _number(lhs) else lhs).dtype
        one, two = (np.asarray(each).astype(dtype) if _number(each) else each.view(np.ndarray) for each in (lhs, rhs))
        with np.errstate(all="ignore"):
            return np.asarray(of_arrays(one, two)).astype(dtype, copy=False).view(NDArray)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = "%s of two arrays, which are broadcast, or of an array and a number." % name
    return function


def _rounding(function):
    """Integers by way of float64, towards zero, as NDArray's own operators."""
    def exact(one, two):
        if one.dtype.kind == "f":
            return function(one, two)
        return function(one.astype(np.float64), two.astype(np.float64))
    return exact


def _bit(function):
    return lambda one, two: 1 if function(one, two) else 0


add = _form("add", "broadcast_add", np.add, operator.add)
subtract = _form("subtract", "broadcast_sub", np.subtract, operator.sub)
multiply = _form("multiply", "broadcast_mul", np.multiply, operator.mul)
divide = _form("divide", "broadcast_div", _rounding(np.true_divide), operator.truediv)
true_divide = _form("true_divide", "broadcast_div", _rounding(np.true_divide), operator.truediv)
modulo = _form("modulo", "broadcast_mod", np.remainder, operator.mod)
power = _form("power", "broadcast_power", _rounding(np.power), operator.pow)
maximum = _form("maximum", "broadcast_maximum", np.maximum, lambda a, b: a if a > b else b)
minimum = _form("minimum", "broadcast_minimum", np.minimum, lambda a, b: a if a < b else b)
equal = _form("equal", "broadcast_equal", np.equal, _bit(operator.eq))
not_equal = _form("not_equal", "broadcast_not_equal", np.not_equal, _bit(operator.ne))
greater = _form("greater", "broadcast_greater", np.greater, _bit(operator.gt))
greater_equal = _form("greater_equal", "broadcast_greater_equal", np.greater_equal, _bit(operator.ge))
lesser = _form("lesser", "broadcast_lesser", np.less, _bit(operator.lt))
lesser_equal = _form("lesser_equal", "broadcast_lesser_equal", np.less_equal, _bit(operator.le))
logical_and = _form("logical_and", "broadcast_logical_and", np.logical_and, _bit(lambda a, b: a and b))
logical_or = _form("logical_or", "broadcast_logical_or", np.logical_or, _bit(lambda a, b: a or b))
logical_xor = _form("logical_xor", "broadcast_logical_xor", np.logical_xor, _bit(lambda a, b: bool(a) != bool(b)))


def moveaxis(tensor, source, destination):
    """A copy with axes at other places."""
    return np.ascontiguousarray(np.moveaxis(tensor.view(np.ndarray), source, destination)).view(NDArray)


def linspace(start, stop, num, endpoint=True, ctx=None, dtype="float32"):
    """`num` evenly spaced numbers, `stop` the last of them unless `endpoint` is False."""
    return function_of("_linspace")(start=start, stop=stop, num=num, endpoint=endpoint, ctx=ctx, dtype=dtype)


def eye(N, M=0, k=0, ctx=None, dtype=None, **kwargs):
    """Ones on the diagonal k of N rows and M columns, 0: as many."""
    return function_of("_eye")(N=N, M=M, k=k, ctx=ctx, dtype=dtype or "float32", **kwargs)


def histogram(a, bins=10, range=None):
    """Counts of values in bins, and the bounds of these."""
    if isinstance(bins, np.ndarray):
        return function_of("_histogram")(a, bins)
    if not hasattr(bins, "__index__"):
        raise ValueError("histogram takes a number of bins or an array of bounds, got %r" % (bins,))
    if range is None:
        counts, bounds = np.histogram(a.view(np.ndarray), bins=bins)
        return counts.astype("float32").view(NDArray), bounds.astype("float32").view(NDArray)
    return function_of("_histogram")(a, bin_cnt=bins, range=range)


def split_v2(ary, indices_or_sections, axis=0, squeeze_axis=False):
    """Parts along an axis: as many of equal extents, or those that begin at 0 and at each index."""
    if hasattr(indices_or_sections, "__index__"):
        if ary.shape[axis] % indices_or_sections:
            raise ValueError("split_v2: an extent of %d has no %d equal parts" % (ary.shape[axis], indices_or_sections))
        return function_of("_split_v2")(ary, [], axis, squeeze_axis, int(indices_or_sections))
    if not isinstance(indices_or_sections, tuple):
        raise ValueError("split_v2 takes a number of parts or a tuple of indices, got %r" % (indices_or_sections,))
    return function_of("_split_v2")(ary, [0, *indices_or_sections], axis, squeeze_axis, 0)


def onehot_encode(indices, out):
    """Rows of zeros with a 1 at each index, written into `out`."""
    return function_of("one_hot")(indices, depth=out.shape[1], out=out)


def reset_arrays(*arrays, num_arrays=None):
    """Zeros into all of them."""
    for each in arrays:
        each[...] = 0


def from_numpy(ndarray, zero_copy=True):
    """The same memory as an NDArray, or a copy."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError("from_numpy takes an array of NumPy, got %r" % (ndarray,))
    return (ndarray if zero_copy else ndarray.copy()).view(NDArray)


"""Methods and functions of arrays that NumPy computes elsewhere, for arrays of a graph that autograd records: they become
operators, or are noted with their gradient where elements only move. Importing this module puts them in front of the
others."""
import functools

import numpy as np

from . import ndarray, ndarray_class, ndarray_contrib, ndarray_functions, tape
from .errors import SymcError
from .imperative import function_of
from .ndarray_class import NDArray

_ARITHMETIC = {  # operators of two arrays, of array and number, of number and array
    "add": ("broadcast_add", "_plus_scalar", "_plus_scalar"), "sub": ("broadcast_sub", "_minus_scalar", "_rminus_scalar"),
    "mul": ("broadcast_mul", "_mul_scalar", "_mul_scalar"), "truediv": ("broadcast_div", "_div_scalar", "_rdiv_scalar"),
    "mod": ("broadcast_mod", "_mod_scalar", "_rmod_scalar"), "pow": ("broadcast_power", "_power_scalar", "_rpower_scalar"),
    "max": ("broadcast_maximum", "_maximum_scalar", "_maximum_scalar"),
    "min": ("broadcast_minimum", "_minimum_scalar", "_minimum_scalar")}
_FUNCTIONS = {"add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "true_divide": "truediv",
              "modulo": "mod", "power": "pow", "maximum": "max", "minimum": "min"}
_AS_OPERATORS = {"sum": "sum", "mean": "mean", "prod": "prod", "max": "max", "min": "min", "clip": "clip", "take": "take",
                 "sort": "sort", "broadcast_to": "broadcast_to", "broadcast_like": "broadcast_like", "__abs__": "abs"}


def _arithmetic(key, one, other):
    of_arrays, of_number, of_reflected = (function_of(name) for name in _ARITHMETIC[key])
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return of_arrays(*(each if isinstance(each, NDArray) else each.view(NDArray) for each in (one, other)))
    if isinstance(one, np.ndarray):
        return of_number(one, scalar=float(other))
    return of_reflected(other, scalar=float(one))


def _in_graph(*arrays):
    return tape.is_recording() and any(map(tape.tracked, arrays))


def _method(key, recorded, cls=NDArray):
    """In front of a method: `recorded(original, array, ...)` for arrays of the graph."""
    original = getattr(cls, key)

    @functools.wraps(original)
    def method(self, *args, **kwargs):
        if not _in_graph(self, *args):
            return original(self, *args, **kwargs)
        return recorded(original, self, *args, **kwargs)
    setattr(cls, key, method)


def _function(module, key, recorded):
    original = getattr(module, key)

    @functools.wraps(original)
    def function(*args, **kwargs):
        flat = args[0] if len(args) and isinstance(args[0], (list, tuple)) else args
        if not _in_graph(*flat):
            return original(*args, **kwargs)
        return recorded(original, *args, **kwargs)
    setattr(module, key, function)


def _moved(original, array, made, backward):
    """`made`: the same elements elsewhere, as an array of its own."""
    made = made.view() if made is array else made
    return tape.note(original.__name__, [array], [made], lambda heads: [backward(heads[0])])[0]


def _reshaped(original, array, *args, **kwargs):
    with _paused():
        made = original(array, *args, **kwargs)
    return _moved(original, array, made, lambda head: head.reshape(array.shape))


class _paused:
    def __enter__(self):
        self._before = tape.switch(recording=False)

    def __exit__(self, *_):
        tape.switch(*self._before)


def _transposed(original, array, *args, **kwargs):
    made = original(array, *args, **kwargs)
    places = original(np.arange(array.size).reshape(array.shape).view(NDArray), *args, **kwargs)

    def backward(head):
        back = np.empty(array.size, array.dtype)
        back[np.asarray(places).ravel()] = np.asarray(head).ravel()
        return back.reshape(array.shape)
    return _moved(original, array, made, backward)


def _indexed(original, array, key):
    made = original(array, key)

    def backward(head):
        back = np.zeros(array.shape, array.dtype)
        np.add.at(back, ndarray_class._index(key), np.asarray(head).reshape(back[ndarray_class._index(key)].shape))
        return back
    return _moved(original, array, made, backward)


def _cast(original, array, *args, **kwargs):
    made = original(array, *args, **kwargs)
    if made.dtype.kind != "f":
        return made
    return _moved(original, array, made, lambda head: np.asarray(head).astype(array.dtype))


def _copied_to(original, array, other):
    made = original(array, other)
    return _moved(original, array, made, lambda head: np.asarray(head).astype(array.dtype))


def _refused(original, array, *_args, **_kwargs):
    if tape.tracked(array):
        raise SymcError("%s changes an array of the graph that autograd records; compute another one" % original.__name__)
    return original(array, *_args, **_kwargs)


def _install():
    for key in ("add", "sub", "mul", "truediv", "mod", "pow"):
        _method("__%s__" % key, lambda _, one, two, key=key: _arithmetic(key, one, two))
        _method("__r%s__" % key, lambda _, one, two, key=key: _arithmetic(key, two, one))
        _method("__i%s__" % key, _refused)
    _method("__setitem__", _refused)
    NDArray.__neg__ = NDArray.__neg__  # NumPy's own, as methods of this class
    _method("__neg__", lambda _, array: function_of("_mul_scalar")(array, scalar=-1.0))
    for key, name in _AS_OPERATORS.items():
        _method(key, lambda _, array, *args, name=name, **kwargs: function_of(name)(array, *args, **kwargs))
    for key in ("reshape", "flatten", "squeeze", "expand_dims"):
        _method(key, _reshaped)
    for key in ("transpose", "swapaxes"):
        _method(key, _transposed)
    NDArray.T = property(lambda self: self.transpose())
    _method("__getitem__", _indexed)
    for key in ("astype", "copy"):
        _method(key, _cast)
    _method("copyto", _copied_to)
    for key, name in _FUNCTIONS.items():
        _function(ndarray_functions, key, lambda _, one, two, name=name: _arithmetic(name, one, two))
    _function(ndarray_functions, "moveaxis", _transposed)
    _function(ndarray, "concat", lambda _, *data, dim=1, **kwargs: function_of("Concat")(*data, dim=dim))
    _function(ndarray, "concatenate", lambda _, arrays, axis=0, **kwargs: function_of("Concat")(*arrays, dim=axis))
    for key in _FUNCTIONS:  # those that symc.nd has made already
        if key in vars(ndarray):
            setattr(ndarray, key, getattr(ndarray_functions, key))
    _function(ndarray_contrib, "_padded", lambda _, array, count: array if not count else function_of("Concat")(
        array, ndarray.zeros((count, *array.shape[1:]), dtype=array.dtype), dim=0))
    stacked = ndarray_contrib._stacked

    def stack(steps, what):
        if not tape.is_recording() or not any(tape.tracked(each) for step in steps for each in step):
            return stacked(steps, what)
        return [function_of("stack")(*values, axis=0) for values in zip(*steps)]
    ndarray_contrib._stacked = stack


_install()

"""symc.nd: arrays by MXNet's names on NumPy, functions on them for every operator, and MXNet's files of arrays.

What makes arrays is here, what MXNet writes in Python in ndarray_functions.py, files in ndarray_files.py. The functions
of operators are made when they are requested, as those of symc.sym, and run by imperative.py.
"""
import importlib
import sys

import numpy as np

from . import operators
from .context import on_processor
from .errors import AbsentFunction
from .ndarray_class import NDArray
from .ndarray_files import DTYPES, load, load_frombuffer, save  # noqa: F401, mx.nd's names

_SEVERAL = "mx.optimizer updates arrays one by one"
_SHARED = "arrays share memory with NumPy's (from_numpy, asnumpy), and with others through these"
#: What MXNet has and this module refuses, and why.
REFUSED = {
    "CachedOp": "a symbol is compiled by symc.compile", "from_dlpack": _SHARED, "to_dlpack_for_read": _SHARED,
    "to_dlpack_for_write": _SHARED, "imdecode": "an executable reads pictures as its input",
    **{prefix + key: _SEVERAL for prefix in ("multi_", "preloaded_multi_") for key in (
        "sgd_update", "sgd_mom_update", "mp_sgd_update", "mp_sgd_mom_update")},
    **{"contrib.multi_" + key: _SEVERAL for key in (
        "adamw_update", "mp_adamw_update", "lamb_update", "mp_lamb_update")},
    "fill_element_0index": "write to the array by an index: data[rows, index] = values",
    "np": "NumPy's functions take these arrays", "npx": "NumPy's functions take these arrays",
    "numpy": "NumPy's functions take these arrays", "numpy_extension": "NumPy's functions take these arrays"}


def waitall():
    """Everything is computed when a function returns."""


def _dense(stype):
    if stype not in (None, "default"):
        raise AbsentFunction("arrays of the storage '%s' are not supported: arrays are dense" % stype)


def _of(array, ctx=None):
    on_processor(ctx)
    return array.view(NDArray)


def array(source_array, ctx=None, dtype=None):
    """A copy; float32 unless the source is an NDArray or a type is given."""
    if dtype is None:
        dtype = source_array.dtype if isinstance(source_array, NDArray) else "float32"
    return _of(np.array(source_array, dtype=dtype, order="C", subok=False), ctx)


def _shape(shape):
    return (shape,) if isinstance(shape, (int, np.integer)) else tuple(map(int, shape))


def zeros(shape, ctx=None, dtype=None, stype=None, **kwargs):
    _dense(stype)
    return _of(np.zeros(_shape(shape), dtype or "float32"), ctx)


def ones(shape, ctx=None, dtype=None, **kwargs):
    return _of(np.ones(_shape(shape), dtype or "float32"), ctx)


def full(shape, val, ctx=None, dtype=None, out=None):
    if out is not None:
        out[...] = val
        return out
    return _of(np.full(_shape(shape), val, dtype or "float32"), ctx)


def empty(shape, ctx=None, dtype=None, stype=None):
    return zeros(shape, ctx, dtype, stype)


def cast_storage(data, stype, out=None, **kwargs):
    """The values themselves: arrays are dense."""
    _dense(stype)
    return data.copy() if out is None else data.copyto(out)


def zeros_like(data, out=None, name=None, **kwargs):
    return full(data.shape, 0, dtype=data.dtype, out=out)


def ones_like(data, out=None, name=None, **kwargs):
    return full(data.shape, 1, dtype=data.dtype, out=out)


def concat(*data, dim=1, out=None, name=None, num_args=None):
    """Arrays one after the other along a dimension."""
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = data[0]
    for place, each in enumerate(data):
        if not isinstance(each, np.ndarray):
            raise TypeError("concat() takes arrays, argument %d is %r" % (place, each))
    made = np.concatenate([np.asarray(each) for each in data], axis=dim)
    if out is None:
        return _of(made)
    if (out.shape, out.dtype) != (made.shape, made.dtype):
        raise ValueError("concat: out is %s %s, the result is %s %s" % (out.dtype, out.shape, made.dtype, made.shape))
    out[...] = made
    return out


def concatenate(arrays, axis=0, always_copy=True):
    """The same of a list, along the first dimension unless `axis` names another."""
    return arrays[0] if len(arrays) == 1 and not always_copy else concat(*arrays, dim=axis)


def arange(start, stop=None, step=1.0, repeat=1, infer_range=False, ctx=None, dtype=None):
    """Evenly spaced numbers below `stop`, each `repeat` times."""
    if stop is None:
        start, stop = 0, start
    values = np.arange(start, stop, step)
    if np.dtype(dtype or "float32").kind in "iu":  # the type that start and step are cast to, too
        values = int(start) + np.arange(len(values)) * int(step)
    return _of(np.repeat(values, repeat).astype(dtype or "float32"), ctx)


class _Part(operators.OperatorModule):
    """Operators by their names without a prefix; those of REFUSED are refused."""

    def __getattr__(self, key):
        reason = REFUSED.get("%s.%s" % (self._part, key))
        if reason:
            raise AbsentFunction("module '%s' has no attribute '%s': %s" % (self.__name__, key, reason))
        return super().__getattr__(key)


class _Sparse(operators.OperatorModule):
    """Refuses every function by its name."""

    def __getattr__(self, key):
        if key.startswith("__"):  # what Python reads of modules
            raise AttributeError(key)
        raise AbsentFunction("module 'symc.ndarray.sparse' has no attribute '%s': arrays are dense" % key)

    def __dir__(self):
        return []


def _make(name, public_name):
    from . import imperative
    return imperative.make_function(name, public_name)


def _submodule(part, doc, written=None, kind=_Part):
    module = kind("%s.%s" % (__name__, part), part, doc, written, _make)
    sys.modules[module.__name__] = module
    return module


_internal = _submodule("_internal", "Operators whose names begin with an underscore.")
contrib = _submodule("contrib", "Operators of MXNet's contrib, loops and branches.", "ndarray_contrib")
linalg = _submodule("linalg", "Linear algebra on batches of matrices.")
image = _submodule("image", "Operators on images.")
random = _submodule("random", "Random numbers, by parameters that are numbers or arrays.", "ndarray_random")
sparse = _submodule("sparse", "MXNet's sparse arrays, which are refused.", kind=_Sparse)


def _written():
    """{name: function} of ndarray_functions.py."""
    module = importlib.import_module("." + "ndarray_functions", __package__)
    return {key: getattr(module, key) for key in module.__all__}


def __getattr__(key):
    if key == "op":
        return sys.modules[__name__]
    if key in REFUSED:
        raise AbsentFunction("module 'symc.ndarray' has no attribute '%s': %s" % (key, REFUSED[key]))
    made = None
    if not key.startswith("_"):
        made = _written().get(key)
        if made is None and key == "Custom":
            from . import imperative
            made = imperative.custom
        elif made is None and key in operators.names_in(""):
            made = _make(operators.names_in("")[key], key)
    if made is None:
        raise AttributeError("module 'symc.ndarray' has no attribute '%s'" % key)
    setattr(sys.modules[__name__], key, made)
    return made


def __dir__():
    return sorted({*globals(), *_written(), *operators.names_in("")})

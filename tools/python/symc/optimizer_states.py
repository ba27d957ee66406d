"""States of optimizers as bytes: the pickles of MXNet's Updater and of Module.save_optimizer_states, both ways.

MXNet pickles a dict of states by parameter, or that and the optimizer. Unpickling runs whatever a file names, so only
arrays, classes of optimizers and of schedulers are taken from one here, and anything else is an error.
"""
import io
import pickle

import numpy as np

from . import lr_scheduler, ndarray_files
from .errors import SymcError
from .ndarray_class import NDArray
from .optimizer_base import Optimizer

_ARRAY = "mxnet.ndarray.ndarray"
_NUMPY = {"scalar", "_reconstruct", "dtype", "ndarray"}


class _Array:
    """In the place of MXNet's array until its bytes are read."""

    def __init__(self, _handle=None):
        self.bytes = None

    def __setstate__(self, state):
        self.bytes = state["handle"]


# --- Reading ------------------------------------------------------------------

class _Reader(pickle.Unpickler):
    def __init__(self, data, path):
        super().__init__(io.BytesIO(data))
        self._path = path

    def find_class(self, module, name):
        room = module.split(".")[0]
        if (module, name) in ((_ARRAY, "NDArray"), ("mxnet.ndarray", "NDArray")):
            return _Array
        if (module, name) in (("builtins", "bytearray"), ("__builtin__", "bytearray")):
            return bytearray
        if (module, name) == ("_codecs", "encode"):  # of bytes in the oldest pickles
            return lambda text, _: text.encode("latin1")
        if room == "numpy" and name in _NUMPY:
            return super().find_class(module, name)
        known = Optimizer.opt_registry.get(name.lower())
        if known is not None and known.__name__ == name and (module.startswith("mxnet.optimizer") or
                                                             module == known.__module__):
            return known
        scheduler = getattr(lr_scheduler, name, None)
        if module in ("mxnet.lr_scheduler", lr_scheduler.__name__) and isinstance(scheduler, type):
            return scheduler
        raise SymcError("%s: states of an optimizer hold arrays, not %s.%s" % (self._path, module, name))

    def persistent_load(self, pid):
        raise SymcError("%s: states of an optimizer hold arrays, not references" % self._path)


def _read(value, path):
    if isinstance(value, _Array):
        if value.bytes is None:
            raise SymcError("%s: an array has no values" % path)
        return ndarray_files._read_array(ndarray_files._Reader(bytes(value.bytes), path)).view(NDArray)
    if isinstance(value, np.ndarray):
        return value.view(NDArray)
    if isinstance(value, dict):
        return {key: _read(each, path) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(_read(each, path) for each in value)
    if isinstance(value, Optimizer):
        counts = value._all_index_update_counts
        vars(value).update({key: _read(each, path) for key, each in vars(value).items()
                            if key not in ("_all_index_update_counts", "_index_update_count")})
        value._index_update_count = counts.setdefault(0, {})
    return value


def from_bytes(data, path):
    """{index: state}, or (that, optimizer)."""
    try:
        found = _Reader(bytes(data), path).load()
    except SymcError:
        raise
    except Exception as reason:  # pickle raises whatever its bytes lead to
        raise SymcError("%s: no states of an optimizer: %s: %s" % (path, type(reason).__name__, reason)) from None
    found = _read(found, path)
    whole = isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], Optimizer)
    if not isinstance(found[0] if whole else found, dict):
        raise SymcError("%s: no states of an optimizer: a dict of states is needed, there is %s" % (
            path, type(found).__name__))
    return found


# --- Writing ------------------------------------------------------------------

class _Writer(pickle._Pickler):  # Python's, since C's finds out whether MXNet is there
    def save_global(self, obj, name=None):
        place = None
        if obj is _Array:
            place = _ARRAY, "NDArray"
        elif isinstance(obj, type) and issubclass(obj, Optimizer) and obj.__module__.startswith(__package__ + "."):
            place = ("mxnet.optimizer.contrib" if obj.__name__ == "GroupAdaGrad" else "mxnet.optimizer.optimizer",
                     obj.__name__)
        elif getattr(obj, "__module__", "") == lr_scheduler.__name__:
            place = "mxnet.lr_scheduler", obj.__name__
        if place is None:
            return super().save_global(obj, name)
        self.write(pickle.GLOBAL + ("%s\n%s\n" % place).encode())
        self.memoize(obj)

    def reducer_override(self, obj):
        if isinstance(obj, np.ndarray):
            buffer = io.BytesIO()
            ndarray_files._write_array(buffer, np.asarray(obj))
            return _Array, (None,), {"handle": bytearray(buffer.getvalue())}
        return NotImplemented

    dispatch = dict(pickle._Pickler.dispatch)
    dispatch[type] = lambda self, obj: self.save_global(obj)


def to_bytes(value):
    """What from_bytes and MXNet's Updater.set_states read."""
    buffer = io.BytesIO()
    _Writer(buffer, 4).dump(value)
    return buffer.getvalue()

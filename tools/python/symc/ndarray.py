"""symc.nd: arrays by MXNet's names on NumPy, and MXNet's files of arrays (ndarray_files.py)."""
import numpy as np

from .context import on_processor
from .ndarray_class import NDArray
from .ndarray_files import DTYPES, load, load_frombuffer, save  # noqa: F401, mx.nd's names


def waitall():
    pass


def _of(array, ctx=None):
    on_processor(ctx)
    return array.view(NDArray)


def array(source_array, ctx=None, dtype=None):
    """A copy; float32 unless the source is an NDArray or a type is given."""
    if dtype is None:
        dtype = source_array.dtype if isinstance(source_array, NDArray) else "float32"
    return _of(np.array(source_array, dtype=dtype, order="C", subok=False), ctx)


def _shape(shape):
    return (shape,) if hasattr(shape, "__index__") else tuple(shape)


def zeros(shape, ctx=None, dtype=None):
    return _of(np.zeros(_shape(shape), dtype or "float32"), ctx)


def ones(shape, ctx=None, dtype=None):
    return _of(np.ones(_shape(shape), dtype or "float32"), ctx)


def full(shape, val, ctx=None, dtype=None):
    return _of(np.full(_shape(shape), val, dtype or "float32"), ctx)


def empty(shape, ctx=None, dtype=None):
    return zeros(shape, ctx, dtype)


def zeros_like(data):
    return zeros(data.shape, dtype=data.dtype)


def ones_like(data):
    return ones(data.shape, dtype=data.dtype)


def concat(*data, dim=1):
    """Arrays one after the other along a dimension."""
    return _of(np.concatenate([np.asarray(each) for each in data], axis=dim))


def concatenate(arrays, axis=0, always_copy=True):
    """The same of a list, along the first dimension unless `axis` names another."""
    return arrays[0] if len(arrays) == 1 and not always_copy else concat(*arrays, dim=axis)


def arange(start, stop=None, step=1.0, repeat=1, infer_range=False, ctx=None, dtype=None):
    """Evenly spaced numbers below `stop`, each `repeat` times."""
    if stop is None:
        start, stop = 0, start
    return _of(np.repeat(np.arange(start, stop, step), repeat).astype(dtype or "float32"), ctx)

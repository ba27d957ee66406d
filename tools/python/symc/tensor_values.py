"""What an input, output, state or parameter of a model is, and an array that may be its value.

Types are NumPy's; bfloat16, which NumPy lacks, is given as its bits in uint16.
"""
from typing import NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _runtime


class Size(NamedTuple):
    """An extent that a run chooses: "1..8", or "N", any sum of the batch sizes, whose max is None."""

    name: str
    min: Optional[int]
    max: Optional[int]

    def __str__(self):
        return self.name if self.max is None else "%s..%d" % ("?" if self.min is None else self.min, self.max)

    __repr__ = __str__


class TensorInfo(NamedTuple):
    """An input, output, state or parameter: `dtype` is NumPy's name ("bfloat16" is given as bits in uint16)."""

    name: str
    dtype: str
    shape: Tuple[Union[int, Size], ...]
    optional: bool

    def __str__(self):
        return "%s: %s [%s]%s" % (self.name, self.dtype, ", ".join(map(str, self.shape)),
                                  "  (optional)" if self.optional else "")


def dtype_of(info):
    return np.dtype("uint16" if info.dtype == "bfloat16" else info.dtype)


def dtype_number(info):
    return _runtime.DTYPE_NAMES.index(info.dtype)


def as_tensor(value, dtype, kind, name):
    """`value` as a contiguous, aligned array of `dtype`: itself where it is one. Only casts within a kind (floats,
    integers) that lose nothing are made; numbers and lists have no type to lose, but integers must stay ones."""
    if not isinstance(value, np.ndarray):
        plain = not hasattr(value, "dtype") and not hasattr(value, "__array__")
        try:
            array = np.asarray(value)
        except ValueError:  # rows of different lengths
            raise TypeError("%s '%s' is no array of numbers: %.60r" % (kind, name, value)) from None
        if plain and array.dtype.kind in "biuf" and (array.dtype.kind != "f" or dtype.kind == "f"):
            cast = array.astype(dtype)
            if dtype.kind != "f" and not np.array_equal(cast, array):
                raise TypeError("%s '%s' has values outside of %s" % (kind, name, dtype))
            return cast
        value = array
    if value.dtype != dtype:
        both = value.dtype.kind + dtype.kind
        if not (np.can_cast(value.dtype, dtype, "safe") and (both[0] == both[1] or both in ("ui", "iu"))):
            raise TypeError("%s '%s' is %s, needs %s; only casts within a kind that lose nothing are made" % (
                kind, name, value.dtype, dtype))
    return np.require(value, dtype, ["C", "A"])

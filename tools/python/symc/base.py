"""MXNet's names for errors and the default element type."""
from .errors import NotImplementedForSymbol, SymcError  # noqa: F401

MXNetError = SymcError


def __getattr__(key):
    if key == "mx_real_t":
        import numpy
        return numpy.float32
    raise AttributeError("module 'symc.base' has no attribute '%s'" % key)

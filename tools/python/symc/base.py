"""MXNet's names for errors and the default element type, and small functions of its modules."""
from .errors import NotImplementedForSymbol, SymcError  # noqa: F401

MXNetError = SymcError
string_types = (str,)


def py_str(text):
    """The str of bytes in UTF-8; a str itself, which names are here."""
    return text.decode() if isinstance(text, bytes) else text


def _as_list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def __getattr__(key):
    if key == "mx_real_t":
        import numpy
        return numpy.float32
    if key == "numeric_types":
        import numpy
        return (float, int, numpy.generic)
    raise AttributeError("module 'symc.base' has no attribute '%s'" % key)

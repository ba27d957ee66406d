"""MXNet's names for errors."""
from .errors import NotImplementedForSymbol, SymcError  # noqa: F401

MXNetError = SymcError

"""MXNet's names for errors."""
from .errors import SymcError

MXNetError = SymcError

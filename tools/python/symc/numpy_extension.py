"""sym.npx: what is written in Python beside the operators whose names begin with _npx_."""
from . import numpy_extension_random as random

__all__ = ["random"]

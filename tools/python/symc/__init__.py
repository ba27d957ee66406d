"""symc: MXNet's symbols, composed in Python and compiled ahead of time.

`import symc as mx` lets a script that builds networks by `mx.sym` go on; symc.compile makes a library of a symbol and
its parameters, and symc.Model runs one. Importing opens nothing: the compiler's library is opened by the first symbol.
"""
import importlib

from . import _roles

_roles.end_others()

from . import attribute, context, errors, name
from .attribute import AttrScope
from .context import Context, cpu, cpu_pinned, current_context, gpu
from .errors import SymcError

MXNetError = SymcError
__version__ = "0.1.0"
_MODULES = {"sym": "symbol", "symbol": "symbol", "nd": "ndarray", "ndarray": "ndarray", "init": "initializer",
            "initializer": "initializer", "base": "base", "util": "numpy_shapes", "viz": "visualization",
            "visualization": "visualization", "operators": "operators", "io": "io", "mod": "module", "module": "module",
            "model": "model", "executor": "executor", "metric": "metric", "library": "library",
            "random": "random", "operator": "operator", "rnn": "rnn", "callback": "callback", "gluon": "gluon",
            "contrib": "contrib", "test_utils": "test_utils", "autograd": "autograd", "optimizer": "optimizer",
            "lr_scheduler": "lr_scheduler", "mon": "monitor", "monitor": "monitor", "kvstore": "kvstore", "kv": "kvstore",
            "recordio": "recordio", "image": "image"}
_CLASSES = {"Model": "model", "compile": "compiler", "Symbol": "symbol", "np_shape": "numpy_shapes", "is_np_shape": "numpy_shapes",
            "set_np_shape": "numpy_shapes", "use_np_shape": "numpy_shapes", "FeedForward": "feedforward",
            "Trainer": "trainer"}
__all__ = ["AttrScope", "Context", "Model", "Symbol", "SymcError", "Trainer", "compile", "cpu", "gpu", "nd", "sym"]


def __getattr__(key):
    if key in _MODULES:
        made = importlib.import_module("." + _MODULES[key], __name__)
    elif key in _CLASSES:
        made = getattr(importlib.import_module("." + _CLASSES[key], __name__), key)
    else:
        raise AttributeError("module 'symc' has no attribute '%s'" % key)
    globals()[key] = made
    return made


def __dir__():
    return sorted({*globals(), *_MODULES, *_CLASSES})

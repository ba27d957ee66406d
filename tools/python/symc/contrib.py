"""symc.contrib: operators of MXNet's contrib for symbols (sym, symbol) and arrays (nd, ndarray). What MXNet has beside
them is refused by name: amp and quantization where they are called, since scripts import them."""
import types

from . import symbol as _symbol
from .errors import SymcError

sym = symbol = _symbol.contrib

_ABSENT = {"onnx": "symc reads symbol files", "autograd": "mx.autograd takes its place", "svrg_optimization": "it needs training",
           "tensorboard": "it reports on training", "text": "vocabularies are no symbols", "io": "it reads gluon's data"}


class _Refused(types.ModuleType):
    """A module that scripts import and whose functions raise why they are absent."""

    def __init__(self, name, reason):
        super().__init__("%s.%s" % (__name__, name))
        self._name, self._reason = name, reason

    def __getattr__(self, key):
        if key.startswith("__"):
            raise AttributeError("module '%s' has no attribute '%s'" % (self.__name__, key))
        if key == self._name:
            return self

        def refused(*_args, **_kwargs):
            raise SymcError("contrib.%s.%s is absent: %s" % (self._name, key, self._reason))
        return refused


amp = _Refused("amp", "symc.compile takes the types of inputs (dtypes), and files that MXNet converted")
quantization = quant = _Refused("quantization", "files that MXNet quantized are compiled as they are")


def __getattr__(key):
    if key in ("nd", "ndarray"):
        from . import ndarray
        found = getattr(ndarray, "contrib", None)
        if found is not None:
            return found
    reason = ": " + _ABSENT[key] if key in _ABSENT else ""
    raise AttributeError("module 'symc.contrib' has no attribute '%s'%s" % (key, reason))

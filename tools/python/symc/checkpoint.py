"""Checkpoints: a symbol and its parameters in the pair of files that MXNet writes."""
import logging

from . import ndarray
from .errors import SymcError


def named(arg_params, aux_params):
    """One dict, names with arg: and aux: before them."""
    return {**{"arg:" + name: value for name, value in arg_params.items()},
            **{"aux:" + name: value for name, value in aux_params.items()}}


def save_checkpoint(prefix, epoch, symbol, arg_params, aux_params):
    """PREFIX-symbol.json and PREFIX-EPOCH.params, as MXNet names them."""
    if symbol is not None:
        symbol.save("%s-symbol.json" % prefix)
    path = "%s-%04d.params" % (prefix, epoch)
    ndarray.save(path, named(arg_params, aux_params))
    logging.info('Saved checkpoint to "%s"', path)


def load_params(prefix, epoch=None):
    """(arg_params, aux_params) of PREFIX-EPOCH.params; of the file `prefix` where no epoch is given."""
    path = prefix if epoch is None else "%s-%04d.params" % (prefix, epoch)
    arg_params, aux_params = {}, {}
    for name, value in ndarray.load(path).items():
        kind, _, rest = name.partition(":")
        if kind not in ("arg", "aux") or not rest:
            raise SymcError("%s: the name '%s' begins with neither arg: nor aux:" % (path, name))
        (arg_params if kind == "arg" else aux_params)[rest] = value
    return arg_params, aux_params


def load_checkpoint(prefix, epoch):
    """(symbol, arg_params, aux_params) of such files."""
    from . import symbol
    return (symbol.load("%s-symbol.json" % prefix), *load_params(prefix, epoch))

"""Operators of libraries of one's own, described in C (symc/custom_op.h):

    mx.library.load("libscale.so")
    net = mx.sym.my_scale(data, alpha=2)  # or, as MXNet's files have it: mx.sym.Custom(data, op_type="my_scale", alpha=2)

symc.compile gives the program symc the same files.
"""
import json
import os

_loaded = []


def load(path, verbose=True, objects=()):
    """Adds the operators of a shared library to this process, for good.

    path     the shared library
    verbose  is MXNet's, and changes nothing: nothing is printed
    objects  object files and archives with its kernels, which compiled models then hold; without, they open the library
    """
    from . import _library, operators
    files = [os.path.abspath(os.fspath(each)) for each in (path, *objects)]
    _library.call("symc_load_operators", files[0].encode())
    if files not in _loaded:
        _loaded.append(files)
        operators.add(json.loads(_library.operator_table()))


def include_path():
    """The folder with symc/custom_op.h, for a C compiler."""
    from . import _programs, compiler
    share = os.path.join("share", "symc", "include")
    places = [os.path.join(_programs.HERE, share)]  # of an installed package
    places.append(os.path.normpath(os.path.join(os.path.dirname(compiler.program()), os.pardir, share)))
    return next((place for place in places if os.path.isdir(place)), places[-1])


def options():
    """The words of a command line that loads what was loaded here."""
    return [word for files in _loaded for word in ("--custom-op", ",".join(files))]

"""The compiler's library (symc/symc.h) by ctypes, opened when the first symbol needs it.

Every function of the library returns 0, or -1 after a mistake; call() raises SymcError with its text then. What a
call gives back belongs to the library until the next one, and is copied here at once.
"""
import ctypes
import os
import warnings

from .errors import SymcError

HERE = os.path.dirname(os.path.abspath(__file__))
_opened = None


class Shape(ctypes.Structure):
    _fields_ = [("rank", ctypes.c_int32), ("extents", ctypes.POINTER(ctypes.c_int64))]


class Shapes(ctypes.Structure):
    _fields_ = [("counts", ctypes.c_size_t * 3), ("lists", ctypes.POINTER(Shape) * 3), ("complete", ctypes.c_int)]


class Types(ctypes.Structure):
    _fields_ = [("counts", ctypes.c_size_t * 3), ("lists", ctypes.POINTER(ctypes.c_char_p) * 3),
                ("complete", ctypes.c_int)]


def places():
    """Files that may be the library, the best first."""
    if os.environ.get("SYMC_LIBRARY"):
        return [os.environ["SYMC_LIBRARY"]]
    build = os.path.join(HERE, os.pardir, os.pardir, "lib", "libsymc.so.0")  # the package of a build folder
    checkout = os.path.join(HERE, os.pardir, os.pardir, os.pardir, "build", "release", "lib", "libsymc.so.0")
    return [os.path.join(HERE, "lib", "libsymc.so.0"), build, checkout]  # the first is that of an installed package


def _open():
    path = next((place for place in places() if os.path.exists(place)), None)
    looked = ", ".join(map(os.path.normpath, places()))
    if path is None and os.environ.get("SYMC_LIBRARY"):
        raise SymcError("libsymc.so.0 is not found; looked for %s" % looked)
    try:
        return ctypes.CDLL(path or "libsymc.so.0")  # without a path, that of the system: Debian's libsymc0
    except OSError as reason:
        if path is None:
            raise SymcError("libsymc.so.0 is not found; looked for %s, and in the system: %s" % (
                looked, reason)) from None
        raise SymcError("%s cannot be opened: %s" % (path, reason)) from None


def library():
    """The opened library. Raises SymcError where there is none."""
    global _opened
    if _opened is None:
        opened = _open()
        for function in ("symc_compiler_error", "symc_symbol_warnings", "symc_compiler_environment"):
            getattr(opened, function).restype = ctypes.c_char_p
        opened.symc_symbol_free.argtypes = [ctypes.c_uint64]
        _opened = opened
        message = opened.symc_compiler_environment().decode()
        if message:
            warnings.warn(message, stacklevel=2)
    return _opened


def call(name, *arguments):
    opened = _opened or library()
    if getattr(opened, name)(*arguments):
        raise SymcError(opened.symc_compiler_error().decode())


def texts(strings):
    """Strings as `const char *const *`; None for none."""
    strings = [None if text is None else text.encode() for text in strings]
    return (ctypes.c_char_p * len(strings))(*strings) if strings else None


def handles(numbers):
    return (ctypes.c_uint64 * len(numbers))(*numbers) if numbers else None


def list_of(name, *arguments):
    """A list of strings that a function gives with its length."""
    count, names = ctypes.c_size_t(), ctypes.POINTER(ctypes.c_char_p)()
    call(name, *arguments, ctypes.byref(count), ctypes.byref(names))
    return count.value, names


def text_of(name, *arguments):
    """A string that a function gives, or None."""
    text = ctypes.c_char_p()
    call(name, *arguments, ctypes.byref(text))
    return None if text.value is None else text.value.decode()


def operator_table():
    return text_of("symc_operator_table")

"""NumPy's way of writing shapes: with np_shape() an unknown extent is -1 and an unknown shape None, not 0 and ()."""
import functools
import threading

_local = threading.local()


def is_np_shape():
    return getattr(_local, "active", False)


def set_np_shape(active):
    """Switches it on or off for the thread, and returns what it was."""
    before = is_np_shape()
    _local.active = bool(active)
    return before


class np_shape:
    """The same for a block of a program: with np_shape(): ..."""

    def __init__(self, active=True):
        self._active, self._before = active, []

    def __enter__(self):
        self._before.append(set_np_shape(self._active))

    def __exit__(self, *_):
        set_np_shape(self._before.pop())


def use_np_shape(func):
    """A decorator: the function, or each method and property of the class, runs inside of np_shape()."""
    if isinstance(func, type):
        for name, each in list(vars(func).items()):
            if isinstance(each, property):
                setattr(func, name, property(each.fget and use_np_shape(each.fget), each.fset, each.fdel, each.__doc__))
            elif isinstance(each, (staticmethod, classmethod)):
                setattr(func, name, type(each)(use_np_shape(each.__func__)))
            elif callable(each) and not isinstance(each, type):
                setattr(func, name, use_np_shape(each))
        return func
    if not callable(func):
        raise TypeError("use_np_shape decorates functions and classes, got %r" % (func,))

    @functools.wraps(func)
    def inside(*args, **kwargs):
        with np_shape():
            return func(*args, **kwargs)
    return inside

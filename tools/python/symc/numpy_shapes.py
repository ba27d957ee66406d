"""NumPy's way of writing shapes: with np_shape() an unknown extent is -1 and an unknown shape None, not 0 and ()."""
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

"""Names for symbols that a program does not name, by MXNet's rule: the operator's name in small letters and a number.

    with Prefix("net_"):
        sym.FullyConnected(data, num_hidden=10)   # net_fullyconnected0
"""
import threading

_local = threading.local()


class NameManager:
    """Counts the names that it gives; `with` makes one the thread's current one."""

    def __init__(self):
        self._counts = {}
        self._before = []

    def get(self, name, hint):
        """`name` where there is one, else `hint` with a number."""
        if name:
            return name
        count = self._counts.get(hint, 0)
        self._counts[hint] = count + 1
        return "%s%d" % (hint, count)

    def __enter__(self):
        self._before.append(current())
        _local.manager = self
        return self

    def __exit__(self, *_):
        _local.manager = self._before.pop()


class Prefix(NameManager):
    """Puts a prefix in front of every name, given ones too."""

    def __init__(self, prefix):
        super().__init__()
        self._prefix = prefix

    def get(self, name, hint):
        return self._prefix + super().get(name, hint)


def current():
    """The thread's manager."""
    if not hasattr(_local, "manager"):
        _local.manager = NameManager()
    return _local.manager

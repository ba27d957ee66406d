"""AttrScope: attributes for every symbol that is made inside.

    with AttrScope(ctx_group="dev1"):
        sym.Variable("data")   # ctx_group is dev1
"""
import collections
import threading

_local = threading.local()


class AttrScope:
    """Attributes by keyword, strings all of them; scopes inside each other add up."""

    _subgraph_names = collections.defaultdict(int)  # how many graphs of loops and branches have each name

    def __init__(self, **attributes):
        for key, value in attributes.items():
            if not isinstance(value, str):
                raise ValueError("attribute '%s' is %r, needs a string" % (key, value))
        self._attributes = attributes
        self._entered = []

    def get(self, attributes):
        """Those of the scopes, and `attributes`, which win."""
        return {**self._attributes, **(attributes or {})}

    def __enter__(self):
        before = current()
        self._entered.append((before, self._attributes))
        self._attributes = before.get(self._attributes)
        _local.scope = self
        return self

    def __exit__(self, *_):
        _local.scope, self._attributes = self._entered.pop()


def current():
    """The thread's scope."""
    if not hasattr(_local, "scope"):
        _local.scope = AttrScope()
    return _local.scope

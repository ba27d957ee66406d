"""Models that are compiled into this process for executors, and kept there: scripts and tests bind the same network often.

Each executor has a context of its own over shared code. A later process finds the code in the cache on disk.
"""
import collections
import json
import os
import re
import threading

from . import compiler
from .errors import SymcError

_MOST = 256  # the one that was used least recently goes first
_kept = collections.OrderedDict()
_lock = threading.RLock()


def _after_fork():
    global _lock
    _lock = threading.RLock()
    for each in _kept.values():
        each.after_fork()


os.register_at_fork(after_in_child=_after_fork)


def with_plain_names(text, names):
    """The text of a graph in which options of the command line can name all variables, and {name: its name there}."""
    odd = [name for name in names if not re.fullmatch(r"[\w.:/-]+", name)]
    if not odd:
        return text, {name: name for name in names}
    graph, taken = json.loads(text), set(names)
    plain = {name: name for name in names}
    for place, name in enumerate(odd):
        plain[name] = next(each for each in map("variable{}".format, range(place, len(taken) + place + 1))
                           if each not in taken)
        taken.add(plain[name])
    for node in graph["nodes"]:
        if node["op"] == "null":
            node["name"] = plain.get(node["name"], node["name"])
    return json.dumps(graph), plain


def load(symbol, text, arrays, words, threads=None):
    """A Model of a symbol's `text` for inputs like these, {name: array}. `words`: options of the command line."""
    from .model import Model
    key = (text, tuple([(name, each.shape, each.dtype.name) for name, each in arrays.items()]), tuple(words))
    with _lock:
        found = _kept.get(key)
        if found is None:
            name = re.sub(r"\W", "_", symbol.name or "net")
            name = name if re.match("[A-Za-z_]", name) else "net_" + name
            try:
                found = compiler.load_symbol(symbol, text, name, arrays, words, report=True)
            except SymcError as reason:
                raise SymcError(compiler.in_python(str(reason))) from None
            if len(_kept) >= _MOST:
                _kept.popitem(last=False)[1].close()
            _kept[key] = found
        _kept.move_to_end(key)
        return Model(None, threads=threads, _loaded=found.share())

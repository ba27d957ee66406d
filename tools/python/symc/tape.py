"""The graph that autograd records: which function made an array of which others, and how gradients go back through it.

An array in the graph has an entry, a node and the number of its output, or a variable. Views and results of functions
that nobody notes have none, so that no gradient reaches what is behind them.
"""
import heapq
import itertools
import threading

import numpy as np

from .errors import SymcError
from .ndarray_class import NDArray

_local = threading.local()
_numbers = itertools.count()


def is_recording():
    return getattr(_local, "recording", False)


def is_training():
    return getattr(_local, "training", False)


def switch(recording=None, training=None):
    """Sets both for the thread, None leaves one; gives what they were."""
    before = is_recording(), is_training()
    if recording is not None:
        _local.recording = bool(recording)
    if training is not None:
        _local.training = bool(training)
    return before


class Variable:
    """An array that has a gradient: where to write it, and how."""

    __slots__ = ("gradient", "request")

    def __init__(self, gradient, request):
        self.gradient, self.request = gradient, request


class Node:
    """A function that was called. `backward`: gradients of its outputs -> those of its inputs, None where there is none."""

    __slots__ = ("number", "name", "inputs", "backward", "outputs")

    def __init__(self, name, inputs, outputs, backward):
        self.number, self.name, self.inputs, self.backward = next(_numbers), name, inputs, backward
        self.outputs = [(each.shape, each.dtype) for each in outputs]


def tracked(array):
    """Whether a gradient may reach what made the array."""
    return isinstance(array, NDArray) and array._entry is not None


def note(name, inputs, outputs, backward):
    """Puts a call into the graph, if one is recorded and any input is in it; gives its outputs."""
    if is_recording() and any(map(tracked, inputs)):
        node = Node(name, [each._entry if tracked(each) else None for each in inputs], outputs, backward)
        for place, each in enumerate(outputs):
            each._entry = node, place
    return outputs


def gradients(heads, head_gradients, retain):
    """{variable: gradient} of all variables that the heads depend on."""
    totals, queue, waiting = {}, [], set()

    def add(entry, value):
        key = entry if isinstance(entry, Variable) else (entry[0].number, entry[1])
        totals[key] = totals[key] + value if key in totals else value
        if not isinstance(entry, Variable) and entry[0].number not in waiting:
            waiting.add(entry[0].number)
            heapq.heappush(queue, (-entry[0].number, entry[0]))
    for head, value in zip(heads, head_gradients):
        if not tracked(head):
            raise SymcError("an array of shape %s is in no recorded graph: no gradient goes back from it" % (
                np.shape(head),))
        value = np.ones(head.shape, head.dtype) if value is None else np.asarray(value).astype(head.dtype, copy=False)
        if value.shape != head.shape:
            raise ValueError("the gradient of an array of shape %s has shape %s" % (head.shape, value.shape))
        add(head._entry, value)
    while queue:
        _, node = heapq.heappop(queue)
        if node.backward is None:
            raise SymcError("the graph behind '%s' was used by a backward before; retain_graph=True keeps it" % node.name)
        given = [totals.pop((node.number, place), None) for place in range(len(node.outputs))]
        made = node.backward([np.zeros(*node.outputs[place]) if each is None else each
                              for place, each in enumerate(given)])
        for entry, value in zip(node.inputs, made):
            if entry is not None and value is not None:
                add(entry, np.asarray(value))
        if not retain:
            node.backward = None
    return totals

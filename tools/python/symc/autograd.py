"""MXNet's autograd: what is computed on arrays in record() is noted, and backward() computes the gradients of arrays that
attach_grad() or mark_variables() named.

    x.attach_grad()
    with symc.autograd.record():
        y = (x * x).sum()
    y.backward()
    x.grad

Gradients of gradients (create_graph) are not supported.
"""
import contextlib

import numpy as np

from . import tape
from .errors import SymcError
from .ndarray_class import NDArray
from .tape import is_recording, is_training  # noqa: F401, names of MXNet


def _prepare():
    from . import symbol, recorded_calls, recorded_methods  # noqa: F401, they put themselves in front of others


def set_recording(is_recording):
    """Returns what it was."""
    if is_recording:
        _prepare()
    return tape.switch(recording=is_recording)[0]


def set_training(train_mode):
    """Returns what it was."""
    return tape.switch(training=train_mode)[1]


@contextlib.contextmanager
def _scope(recording, training):
    if recording:
        _prepare()
    before = tape.switch(recording, training)
    try:
        yield
    finally:
        tape.switch(*before)


def record(train_mode=True):
    """A scope in which calls are noted; operators compute as in training, or in prediction."""
    return _scope(True, train_mode)


def pause(train_mode=False):
    """A scope in which nothing is noted."""
    return _scope(False, train_mode)


def train_mode():
    return _scope(None, True)


def predict_mode():
    return _scope(None, False)


def _listed(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def mark_variables(variables, gradients, grad_reqs="write"):
    """backward() writes to the arrays `gradients`; grad_reqs are "write", "add" or "null"."""
    variables, gradients = _listed(variables), _listed(gradients)
    requests = [grad_reqs] * len(variables) if isinstance(grad_reqs, str) else list(grad_reqs)
    for array, gradient, request in zip(variables, gradients, requests):
        if request not in ("write", "add", "null"):
            raise ValueError("grad_req is %r, needs 'write', 'add' or 'null'" % (request,))
        array.grad = gradient
        array._entry = None if request == "null" else tape.Variable(gradient, request)


def _heads(heads, head_grads):
    heads = _listed(heads)
    given = [None] * len(heads) if head_grads is None else _listed(head_grads)
    if len(given) != len(heads):
        raise ValueError("%d gradients for %d arrays" % (len(given), len(heads)))
    return heads, given


def backward(heads, head_grads=None, retain_graph=False, train_mode=True):
    """Gradients of the sum of all heads, each times its head gradient, ones where there is none. The graph goes, unless
    retain_graph. Gradients are those of the mode in which calls were recorded."""
    found = tape.gradients(*_heads(heads, head_grads), retain_graph)
    for variable, value in found.items():
        if isinstance(variable, tape.Variable):
            if variable.request == "add":
                variable.gradient[...] += value
            else:
                variable.gradient[...] = value


def grad(heads, variables, head_grads=None, retain_graph=None, create_graph=False, train_mode=True):
    """The gradients themselves, an array or a list; what attach_grad() has stays."""
    if create_graph:
        raise SymcError("grad(create_graph=True) is not supported: gradients have no gradients")
    single = isinstance(variables, NDArray)
    wanted = _listed(variables)
    for each in wanted:
        if not isinstance(each._entry, tape.Variable):
            raise SymcError("an array of shape %s is no variable: attach_grad() makes it one" % (each.shape,))
    found = tape.gradients(*_heads(heads, head_grads), bool(retain_graph))
    made = [np.array(found.get(each._entry, np.zeros(each.shape, each.dtype))).view(NDArray) for each in wanted]
    return made[0] if single else made


def get_symbol(x):
    raise SymcError("autograd.get_symbol is not supported: compose the symbol by symc.sym")


class Function:
    """A function with a gradient of its own: subclasses have forward(*inputs) and backward(*output_grads)."""

    def __init__(self):
        self._used, self.saved_tensors = False, ()

    def save_for_backward(self, *args):
        self.saved_tensors = args

    def forward(self, *inputs):
        raise NotImplementedError("a subclass of autograd.Function has a forward")

    def backward(self, *output_grads):
        raise NotImplementedError("a subclass of autograd.Function has a backward")

    def __call__(self, *inputs):
        if self._used:
            raise SymcError("a Function is called once; make another one")
        self._used = True
        with pause(train_mode=is_training()):
            outputs = self.forward(*inputs)
        made = [each.view() if any(each is other for other in inputs) else each for each in _listed(outputs)]

        def backward(heads):
            with pause():
                return _listed(self.backward(*[each.view(NDArray) for each in heads]))
        tape.note(type(self).__name__, inputs, made, backward)
        return made[0] if isinstance(outputs, NDArray) else made

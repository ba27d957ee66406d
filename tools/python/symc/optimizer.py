"""symc.optimizer: how weights change by their gradients, by MXNet's names, numbers and order of operations. An Updater
computes by the functions of compiled trainers where it can (_compiled_updates.py), else in NumPy (_updates.py).

    optimizer = symc.optimizer.create("sgd", learning_rate=0.1, momentum=0.9, wd=1e-4)
    update = symc.optimizer.get_updater(optimizer)
    update(0, grad, weight)              # the weight and its momentum change in place
"""
from . import _compiled_updates, optimizer_states
from .errors import SymcError
from .optimizer_adaptive import (LAMB, FTML, AdaDelta, AdaGrad, Adam, Adamax, Ftrl, GroupAdaGrad, Nadam,  # noqa: F401
                                 RMSProp)
from .optimizer_base import Optimizer, create, register  # noqa: F401
from .optimizer_descent import DCASGD, LARS, LBSGD, NAG, SGD, SGLD, Signum, Test, ccSGD  # noqa: F401


class Updater:
    """Calls an optimizer with the states of each parameter, which it makes at a parameter's first update."""

    def __init__(self, optimizer):
        self.optimizer, self.states = optimizer, {}
        self._plans = None
        self._unchecked, self._path = set(), ""  # indices of states that a file gave
        self.aggregate_updates = self._takes_lists(optimizer)

    @staticmethod
    def _takes_lists(optimizer):
        """Whether the optimizer groups weights; an update() of a class of one's own takes one."""
        own = next(each for each in type(optimizer).__mro__ if "update" in vars(each))
        return optimizer.aggregate_num > 0 and own.__module__.partition(".")[0] == __package__

    def __call__(self, index, grad, weight):
        """One parameter, or lists of several."""
        if not isinstance(index, (list, tuple)):
            index, grad, weight = [index], [grad], [weight]
        index = self._with_states(index, weight)
        if not self.aggregate_updates:
            self._update_each(index, grad, weight)
            return
        of_type = {}
        for each in zip(index, weight, grad):
            of_type.setdefault(each[1].dtype, []).append(each)
        most = self.optimizer.aggregate_num
        for members in of_type.values():
            indices, weights, grads = zip(*members)
            if _compiled_updates.update(self, indices, grads, weights, most):
                continue
            for begin in range(0, len(members), most):
                indices, weights, grads = zip(*members[begin:begin + most])
                self.optimizer.update_multi_precision(indices, weights, grads, [self.states[each] for each in indices])

    def one_by_one(self, index, grad, weight):
        """As a call for each parameter of the lists, without the groups of those that come together."""
        index = self._with_states(index, weight)
        if self.aggregate_updates:
            if not _compiled_updates.update(self, index, grad, weight, 1):
                for each in zip(index, grad, weight):
                    self(*each)
        else:
            self._update_each(index, grad, weight)

    def _with_states(self, index, weight):
        """The indices, each of which has a state."""
        index = [each.decode() if isinstance(each, bytes) else each for each in index]
        for each, own in zip(index, weight):
            if each not in self.states:
                self.states[each] = self.optimizer.create_state_multi_precision(each, own)
            elif each in self._unchecked:
                self._check(each, own)
        return index

    def _check(self, index, weight):
        """Refuses a state of other shapes than the optimizer would make for the weight."""
        found = _shapes(self.states[index])
        needed = _shapes(self.optimizer.create_state_multi_precision(index, weight))
        if needed and found != needed:  # none are needed of an SGD without momentum
            raise SymcError("%s: the state of parameter %s has the shapes %s, needs %s: the states are those of another network or optimizer" % (
                self._path, index, found, needed))
        self._unchecked.discard(index)

    def _update_each(self, index, grad, weight):
        if not _compiled_updates.update(self, index, grad, weight, 1):
            for each, own, gradient in zip(index, weight, grad):
                self.optimizer.update_multi_precision(each, own, gradient, self.states[each])

    def __getstate__(self):
        return {**vars(self), "_plans": None}  # which hold addresses of arrays

    def get_states(self, dump_optimizer=False):
        """The states as bytes, with the optimizer (rates, counts) where it is requested: a pickle that MXNet reads, too."""
        return optimizer_states.to_bytes((self.states, self.optimizer) if dump_optimizer else self.states)

    def set_states(self, states, path="the states"):
        """Those of get_states, MXNet's included. SymcError where the bytes hold anything but arrays and an optimizer."""
        found = optimizer_states.from_bytes(states, path)
        if isinstance(found, tuple) and len(found) == 2:
            self.states, self.optimizer = found
            self.aggregate_updates = self._takes_lists(self.optimizer)
        else:
            self.states = found
        self._unchecked, self._path = set(self.states), path


def _shapes(state):
    """Of the arrays of a state, which may be one, several or none."""
    if isinstance(state, (list, tuple)):
        return [shape for each in state for shape in _shapes(each)]
    return [tuple(state.shape)] if hasattr(state, "shape") else []


def get_updater(optimizer):
    return Updater(optimizer)

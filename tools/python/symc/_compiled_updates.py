"""Updates by the functions of compiled trainers: one call of libsymc (symc_update_parameters) for all parameters of a step.

An optimizer of this package names its function by _row(); rates, decays and counts are computed by its own
methods. Where arrays are not float32, not contiguous or lie over each other, or where a class of one's own has a method of
the package's in another way, update() changes nothing, and NumPy computes (_updates.py): the same numbers, in most
optimizers bit for bit.
"""
import ctypes
import functools

import numpy as np

from . import _library
from ._memory import address, lie_apart, same

updated = 0  #: parameters that this process has updated here

_PARAMETER = np.dtype([("name", "u8"), ("weight", "u8"), ("gradient", "u8"), ("states", "u8", 4), ("count", "i8"), ("rows", "i8"),
                       ("step", "i8"), ("values", "u8")])  # symc_updated_parameter
_MOST_PLANS = 1024
_PLAIN = {"__init__", "__doc__", "__module__", "__qualname__", "__dict__", "__weakref__", "__annotations__",
          "__firstlineno__", "__static_attributes__", "__slots__", "__abstractmethods__", "_abc_impl"}


@functools.lru_cache(maxsize=None)
def _places(row):
    """({option: its place}, least values, largest values) of the function's options."""
    count, names = ctypes.c_size_t(), ctypes.POINTER(ctypes.c_char_p)()
    least, most = ctypes.POINTER(ctypes.c_double)(), ctypes.POINTER(ctypes.c_double)()
    _library.call("symc_update_values", row.encode(), *map(ctypes.byref, (count, names, least, most)))
    found = [names[i].decode() for i in range(count.value)]
    return {name: i for i, name in enumerate(found)}, least[:count.value], most[:count.value]


@functools.lru_cache(maxsize=None)
def _methods(kind):
    """The methods of a class of optimizers by name, empty where a class of one's own has one of the package's."""
    package = next(each for each in kind.__mro__ if each.__module__.partition(".")[0] == __package__)
    for each in kind.__mro__[:kind.__mro__.index(package)]:
        if any(hasattr(package, name) for name in vars(each) if name not in _PLAIN):
            return frozenset(), None
    names = {name for name in dir(package) if not name.startswith("__") and callable(getattr(package, name))}
    return frozenset(names), (kind.update, kind.update_multi_precision)


def _is_plain(optimizer):
    """Whether an optimizer updates as its class in this package does."""
    kind = type(optimizer)
    names, functions = _methods(kind)
    return bool(names) and functions == (kind.update, kind.update_multi_precision) and names.isdisjoint(vars(optimizer))


def _fits(array, dtype=np.float32):
    return isinstance(array, np.ndarray) and array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned


class _Plan:
    """The call of libsymc for weights and states, with the gradients of the last update. `fits`: whether it can be made."""

    def __init__(self, optimizer, row, index, weights, states):
        self.row, self.weights, self.states, self.grads, self.fits, self.options = row, weights, states, None, False, None
        self.idx2name = optimizer.idx2name
        count = len(weights)
        self.table, self.values = np.zeros(count, _PARAMETER), np.zeros((count, max(len(_places(row)[0]), 1)))
        self.names = [str(optimizer.idx2name.get(each, each)).encode() + b"\0" for each in index]
        self.halves, self.without_momentum, self.arrays = [], [], []
        self.shapes = [each.shape for each in weights if isinstance(each, np.ndarray)]
        if len(self.shapes) < count or any(0 in shape for shape in self.shapes):
            return
        for place, (weight, state) in enumerate(zip(weights, states)):
            own = weight
            if weight.dtype == np.float16 and optimizer.multi_precision and isinstance(state, tuple) and len(state) == 2:
                own, state = optimizer._copy_and_state(state) or (None, None)
                if not _fits(own) or own.shape != weight.shape or not weight.flags.writeable:
                    return
                self.halves.append((place, weight, own, np.empty(weight.shape, np.float32)))
            arrays = [own, *optimizer._row_states(state)]
            rows = weight.shape[0] if weight.ndim else 1
            sizes = [weight.size] + [rows if row == "groupadagrad" else weight.size] * (len(arrays) - 1)
            if len(arrays) > 5 or not all(map(_fits, arrays)) or [each.size for each in arrays] != sizes or \
                    not all(each.flags.writeable for each in arrays):
                return
            self.arrays += arrays
            self.without_momentum.append(state is None or (isinstance(state, tuple) and state[0] is None))
            entry = self.table[place]
            entry["weight"], entry["count"], entry["rows"] = address(own), weight.size, rows
            entry["states"][:len(arrays) - 1] = list(map(address, arrays[1:]))
        self.table["name"] = [address(np.frombuffer(each, np.uint8)) for each in self.names]
        self.table["values"] = address(self.values) + np.arange(count) * self.values.strides[0]
        self.steps, self.without_momentum = self.table["step"], np.array(self.without_momentum)
        self.places = _places(row)[0]
        self.momentum = self.places.get("momentum") if self.without_momentum.any() else None
        self.schedule = np.zeros(4)
        self.arguments = (row.encode(), ctypes.c_size_t(count), ctypes.c_void_p(address(self.table)),
                          ctypes.c_void_p(address(self.schedule)), ctypes.c_uint64(0))
        self.fits = True

    def is_of(self, optimizer, row, weights, states):
        return (self.row == row and self.idx2name is optimizer.idx2name and same(self.weights, weights) and
                same(self.states, states))

    def take(self, grads):
        """Whether the gradients are arrays that the call can read, which it does then."""
        halves = {place: buffer for place, _, _, buffer in self.halves}
        arrays = [halves.get(place, each) for place, each in enumerate(grads)]
        for place, (given, array) in enumerate(zip(grads, arrays)):
            fits = isinstance(given, np.ndarray) if place in halves else _fits(given)
            if not fits or given.shape != self.shapes[place]:
                return False
        if not lie_apart(self.arrays + arrays):
            return False
        self.table["gradient"] = list(map(address, arrays))
        self.grads = grads
        return True

    def set_options(self, options):
        """Whether the function takes these, ((name, value), ...)."""
        _, least, most = _places(self.row)
        for name, value in options:
            place = self.places[name]
            if not least[place] <= value <= most[place]:
                return False
            self.values[:, place] = value
        self.options = options
        return True


def update(updater, index, grads, weights, most):
    """Updates parameters, in groups of `most` where the optimizer has groups. False where NumPy has to."""
    global updated
    optimizer = updater.optimizer
    if not _is_plain(optimizer):
        return False
    row, options = optimizer._row() or (None, ())
    clip = optimizer.clip_gradient
    if row is None or not (clip is None or clip > 0):
        return False
    key, states = tuple(index), [updater.states[each] for each in index]
    plans = updater._plans
    if plans is None or len(plans) > _MOST_PLANS:
        plans = updater._plans = {}
    plan = plans.get(key)
    if plan is None or not plan.is_of(optimizer, row, weights, states):
        plan = plans[key] = _Plan(optimizer, row, index, list(weights), states)
    if not plan.fits or not (same(plan.grads, grads) or plan.take(list(grads))):
        return False
    options += ("rescale_grad", optimizer.rescale_grad), ("clip_gradient", -1.0 if clip is None else clip)
    if options != plan.options and not plan.set_options(options):
        return False
    for name, numbers in optimizer._numbers(index, most).items():
        plan.values[:, plan.places[name]] = numbers
    if plan.momentum is not None:
        plan.values[plan.without_momentum, plan.momentum] = 0
    counts = optimizer._index_update_count
    plan.steps[:] = [counts[each] for each in index]
    for place, _, _, buffer in plan.halves:
        buffer[...] = grads[place]
    schedule = optimizer._schedule
    if schedule is not None:
        plan.schedule[0] = getattr(optimizer, schedule)
    _library.call("symc_update_parameters", *plan.arguments)
    if schedule is not None:
        setattr(optimizer, schedule, float(plan.schedule[0]))
    for _, weight, own, _ in plan.halves:
        weight[...] = own
    optimizer._after_row(grads)
    updated += len(index)
    return True

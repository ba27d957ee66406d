"""ModelStates: what a model keeps between runs, its states, seed and replaceable parameters, by name.

symc.Model is one; each call holds the model's lock, so that no run is under way.
"""
import ctypes
from typing import Any, List, Mapping, Optional, Tuple

import numpy as np

from .errors import SymcError
from .tensor_values import TensorInfo, as_tensor, dtype_number, dtype_of


class ModelStates:
    """The part of `symc.Model` that names states and parameters; `_library`, `_context` and `_lock` are the model's."""

    name: str
    states: List[TensorInfo]
    parameters: List[TensorInfo]
    _library: Any
    _context: Any
    _lock: Any

    def _state_values(self):
        return {each.name: self.get_state(each.name) for each in self.states}

    def _set_state_values(self, values):
        for name, value in values.items():
            self.set_state(name, value)

    def _named(self, infos, kind, name):
        for each in infos:
            if each.name == name:
                return each
        raise SymcError("model '%s' has no %s '%s'; there are %s" % (
            self.name, kind, name, ", ".join("'%s'" % each.name for each in infos) or "none"))

    def get_state(self, name: str) -> "np.ndarray[Any, Any]":
        """What the next run reads; of a state that grows, the rows that are there."""
        info = self._named(self.states, "state", name)
        with self._lock:
            self._check_open()
            value = np.empty(self._state_shape(name), dtype_of(info))
            self._check(self._library.get_state(self._context, name.encode(), self._tensors([value], [dtype_number(info)])))
        return value

    def _state_shape(self, name):
        extents = (ctypes.c_int64 * (len(self._named(self.states, "state", name).shape) + 1))()
        self._check(self._library.state_extents(self._context, name.encode(), extents, len(extents)))
        return tuple(extents[:-1])

    def state_shape(self, name: str) -> Tuple[int, ...]:
        """The shape that a state has now: of one that grows, with the rows that are there."""
        with self._lock:
            self._check_open()
            return self._state_shape(name)

    def truncate_state(self, rows: int, name: Optional[str] = None) -> None:
        """Leaves a state that grows its first rows; None: all of them."""
        if name is not None:
            self._named(self.states, "state", name)
        with self._lock:
            self._check_open()
            self._check(self._library.truncate_state(self._context, name.encode() if name is not None else None, rows))

    def set_state(self, name: str, value: Any) -> None:
        """Another value for the next run; a state that grows has as many rows then."""
        info = self._named(self.states, "state", name)
        value = as_tensor(value, dtype_of(info), "state", name)
        with self._lock:
            self._check_open()
            self._check(self._library.set_state(self._context, name.encode(), self._tensors([value], [dtype_number(info)])))

    def reset_state(self, name: Optional[str] = None) -> None:
        """The value of the weights again, or no rows where it grows; None resets all."""
        if name is not None:
            self._named(self.states, "state", name)
        with self._lock:
            self._check_open()
            self._check(self._library.reset_state(self._context, name.encode() if name is not None else None))

    def set_seed(self, seed: int) -> None:
        """The seed of random operators, 0 at first; their numbers begin anew."""
        if not 0 <= int(seed) < 2 ** 64:
            raise SymcError("a seed is a number from 0 to 2^64 - 1, found %s" % seed)
        with self._lock:
            self._check_open()
            self._check(self._library.set_seed(self._context, int(seed)))

    def set_parameters(self, values: Mapping[str, Any]) -> None:
        """Other weights, {name: array} with all of `parameters`: for libraries of --weights=extern."""
        for name in values:
            self._named(self.parameters, "parameter", name)
        missing = [each.name for each in self.parameters if each.name not in values]
        if missing:
            raise SymcError("model '%s' needs parameter %s" % (self.name, ", ".join("'%s'" % name for name in missing)))
        arrays = [as_tensor(values[each.name], dtype_of(each), "parameter", each.name) for each in self.parameters]
        with self._lock:
            self._check_open()
            tensors = self._tensors(arrays, map(dtype_number, self.parameters))
            self._check(self._library.set_parameters(self._context, tensors, len(arrays)))

"""Optimizer, the base class of symc.optimizer's classes, and their registry.

It keeps the rate, the decay and their multipliers for each parameter, and how often each was updated. Parameters are known
by an index: a number, whose name idx2name has, or the name itself. Classes have create_state(index, weight) and
update(index, weight, grad, state), which changes weight and state in place.
"""
import inspect
import warnings
from typing import Any, Dict, Mapping, Optional

import numpy as np

from .errors import nearest

_HALF = ("%s updates a weight in float16 with states in float16, which loses much; multi_precision=True keeps the weight "
         "in float32, too")


class Optimizer:
    """rescale_grad multiplies gradients, clip_gradient bounds them, wd adds the weight times it. Names that end in neither
    _weight nor _gamma get no decay; a variable's __lr_mult__ and __wd_mult__ (of `sym`), set_lr_mult and set_wd_mult
    multiply, and so do the attributes lr_mult and wd_mult of what param_dict has for an index."""

    opt_registry = {}

    def __init__(self, rescale_grad: float = 1.0, param_idx2name: Optional[Dict[int, str]] = None, wd: float = 0.0,
                 clip_gradient: Optional[float] = None, learning_rate: Optional[float] = None, lr_scheduler: Any = None,
                 sym: Any = None, begin_num_update: int = 0, multi_precision: bool = False,
                 param_dict: Optional[Dict[Any, Any]] = None) -> None:
        if param_idx2name is not None and not isinstance(param_idx2name, dict):
            raise TypeError("param_idx2name is a dict of names by index, got %r" % (param_idx2name,))
        if learning_rate is None and lr_scheduler is None:
            learning_rate = 0.01
        if learning_rate is not None and lr_scheduler is not None and lr_scheduler.base_lr != learning_rate:
            warnings.warn("the lr_scheduler begins at learning_rate = %g, not at its base_lr = %g" % (
                learning_rate, lr_scheduler.base_lr), stacklevel=3)
            lr_scheduler.base_lr = learning_rate
        self.rescale_grad, self.clip_gradient, self.wd = rescale_grad, clip_gradient, wd
        self.lr, self.lr_scheduler = learning_rate, lr_scheduler
        self.multi_precision, self.aggregate_num = multi_precision, 0
        self.begin_num_update = self.num_update = begin_num_update
        self._all_index_update_counts = {0: {}}
        self._index_update_count = self._all_index_update_counts[0]
        self.idx2name, self.param_dict = dict(param_idx2name or {}), param_dict or {}
        self.sym_info = (sym.attr_dict(), sym.list_arguments()) if sym is not None else ()
        self.allow_np_array = False
        self.set_lr_mult({})
        self.set_wd_mult({})

    @staticmethod
    def register(klass):
        """Makes a class known to create() by its name in small letters."""
        if not isinstance(klass, type):
            raise TypeError("register takes a class, got %r" % (klass,))
        name = klass.__name__.lower()
        before = Optimizer.opt_registry.get(name)
        if before is not None and before is not klass:
            warnings.warn("optimizer '%s' was %s.%s and is %s.%s from here on" % (
                name, before.__module__, before.__name__, klass.__module__, klass.__name__), stacklevel=2)
        Optimizer.opt_registry[name] = klass
        return klass

    @staticmethod
    def create_optimizer(name, **kwargs):
        """The optimizer of a class's name, with the options of its constructor."""
        if isinstance(name, Optimizer):
            return name
        known = Optimizer.opt_registry
        if not isinstance(name, str) or name.lower() not in known:
            raise ValueError("optimizer %r is unknown; %s" % (name, nearest(str(name).lower(), sorted(known))))
        klass = known[name.lower()]
        options = klass.options()
        for key in kwargs:
            if options is not None and key not in options:
                raise TypeError("optimizer '%s' has no option '%s'; %s" % (name, key, nearest(key, sorted(options))))
        return klass(**kwargs)

    @classmethod
    def options(cls):
        """The names that the constructor takes; None where it takes any."""
        names = set()
        for each in cls.__mro__[:-1]:
            if "__init__" not in vars(each):
                continue
            kinds = inspect.signature(each.__init__).parameters.values()
            names |= {kind.name for kind in kinds if kind.kind in (kind.POSITIONAL_OR_KEYWORD, kind.KEYWORD_ONLY)}
            if each is Optimizer or not any(kind.kind is kind.VAR_KEYWORD for kind in kinds):
                return names - {"self"}
        return None

    # --- Rates and decays --------------------------------------------------

    @property
    def learning_rate(self) -> float:
        return self.lr if self.lr_scheduler is None else self.lr_scheduler(self.num_update)

    def set_learning_rate(self, lr: float) -> None:
        """UserWarning is raised where a scheduler decides the rate, as in MXNet."""
        if self.lr_scheduler is not None:
            raise UserWarning("an lr_scheduler decides the learning rate, set_learning_rate cannot")
        self.lr = lr

    def _given(self, key):
        """{argument: number} of the symbol's attributes."""
        attributes, names = self.sym_info or ({}, ())
        return {name: float(attributes[name][key]) for name in names if key in attributes.get(name, ())}

    def set_lr_mult(self, args_lr_mult: Mapping[Any, float]) -> None:
        """Multipliers by name or index; those of the symbol's attributes begin anew."""
        self.lr_mult = {**self._given("__lr_mult__"), **args_lr_mult}

    def set_wd_mult(self, args_wd_mult: Mapping[Any, float]) -> None:
        """The same of the decay, which parameters without a name's ending for it do not have."""
        self.wd_mult = {**{name: 0.0 for name in self.idx2name.values() if not self._decays(name)},
                        **self._given("__wd_mult__"), **args_wd_mult}

    @staticmethod
    def _decays(name):
        return name.endswith(("_weight", "_gamma"))

    def _multiplied(self, value, key, indices):
        """`value` times each index's multiplier."""
        of_names, found = getattr(self, key), []
        for index in indices:
            if index in self.param_dict:
                factor = getattr(self.param_dict[index], key)
            elif index in of_names:
                factor = of_names[index]
            else:
                factor = of_names.get(self.idx2name.get(index), 1.0)
            found.append(value * factor)
        return found

    def _get_lrs(self, indices):
        return self._multiplied(self.learning_rate, "lr_mult", indices)

    def _get_wds(self, indices):
        return self._multiplied(self.wd, "wd_mult", indices)

    def _get_lr(self, index):
        return self._get_lrs([index])[0]

    def _get_wd(self, index):
        return self._get_wds([index])[0]

    # --- Counts ------------------------------------------------------------

    def _set_current_context(self, device_id):
        """Parameters of several devices are counted for each device."""
        self._index_update_count = self._all_index_update_counts.setdefault(device_id, {})

    def _update_count(self, index):
        for each in index if isinstance(index, (list, tuple)) else [index]:
            count = self._index_update_count.get(each, self.begin_num_update) + 1
            self._index_update_count[each] = count
            self.num_update = max(count, self.num_update)

    def _begin(self, index):
        """Counts an update and gives (rate, decay) of it."""
        self._update_count(index)
        return self._get_lr(index), self._get_wd(index)

    # --- States and updates ------------------------------------------------

    def create_state(self, index: Any, weight: Any) -> Any:
        """What belongs to a weight besides it: None, an array, or a tuple of these."""

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        raise NotImplementedError("%s does not define update(index, weight, grad, state)" % type(self).__name__)

    def _keeps_copy(self, weight):
        """Whether the weight is in half precision and has a copy in float32."""
        if weight.dtype == np.float16 and not self.multi_precision:
            warnings.warn(_HALF % type(self).__name__, stacklevel=4)
        return self.multi_precision and weight.dtype == np.float16

    def create_state_multi_precision(self, index, weight):
        """create_state's, behind the weight's copy in float32 where there is one."""
        if not self._keeps_copy(weight):
            return self.create_state(index, weight)
        copy = weight.astype(np.float32)
        return copy, self.create_state(index, copy)

    def update_multi_precision(self, index, weight, grad, state):
        """update of such a state."""
        if self.multi_precision and weight.dtype == np.float16:
            copy, own = state
            self.update(index, copy, grad.astype(np.float32), own)
            weight[...] = copy
        else:
            self.update(index, weight, grad, state)

    # --- By the functions of compiled trainers (_compiled_updates.py) ------

    _schedule = None  # the attribute that such a function changes with each parameter

    def _row(self):
        """(the function's name, its own options), or None where there is none: NumPy computes then."""

    def _numbers(self, index, most):
        """Counts an update of each parameter, as update() does, in groups of `most` where it has groups. What each has of
        its own: {option: numbers}."""
        if self.lr_scheduler is None:
            self._update_count(index)
            return {"learning_rate": self._get_lrs(index), "wd": self._get_wds(index)}
        rates, decays = zip(*[self._begin(each) for each in index])
        return {"learning_rate": rates, "wd": decays}

    @staticmethod
    def _row_states(state):
        """The arrays of a state, in the function's order."""
        return [] if state is None else list(state) if isinstance(state, tuple) else [state]

    @staticmethod
    def _copy_and_state(state):
        """(copy in float32, state) of a half-precision weight; None where the function needs the weight itself, too."""
        return state

    def _after_row(self, grads):
        """What update() does to gradients besides."""

    def __getstate__(self):
        return {key: value for key, value in vars(self).items() if key != "param_dict"}

    def __setstate__(self, state):
        self.__dict__ = state
        self.param_dict = {}


register, create = Optimizer.register, Optimizer.create_optimizer

"""Executor: a symbol with an array for each argument, as Symbol.bind and Symbol.simple_bind of MXNet give, on compiled
code; forward alone, there is no backward.

The symbol is compiled at the first forward, with its parameters left to the caller (--weights=extern), so that other
values cost a preparation of the weights and no compilation. What simple_bind has a shape of and what forward is given
by keyword are inputs, all other arguments parameters.

Whoever holds an array of arg_dict may write to it at any time. So each forward compares all parameters with those that
it used last, byte by byte, and prepares them again where one differs: about 0.06 ms for each megabyte.
"""
import ctypes

import numpy as np

from . import ndarray, random
from .compiler import compile as compile_model
from .context import cpu, on_processor
from .errors import SymcError
from .ndarray import NDArray

_PARAMETERS = ("weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "running_mean", "running_var")
_compare = ctypes.CDLL(None).memcmp
_compare.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


def _same(one, other):
    one = np.ascontiguousarray(one)
    return _compare(one.ctypes.data, other.ctypes.data, one.nbytes) == 0


def simple_bind(symbol, ctx=None, grad_req="null", type_dict=None, group2ctx=None, shared_exec=None, **shapes):
    """An Executor with arrays of zeros. SymcError where the shapes do not decide all others. There are no gradients,
    whatever grad_req is; group2ctx and shared_exec name where memory lies and change nothing."""
    arguments = symbol.list_arguments()
    (arg_shapes, _, aux_shapes), complete, unknown = symbol._infer_shapes((), shapes)
    left_out = set()  # labels, and what leads to them alone, need no shapes
    if not complete:
        left_out = set(symbol._list_unread())
        unknown = [name for name in unknown if name not in left_out]
    if unknown:
        raise SymcError("shapes of %s are not decided by those that are given" % ", ".join(unknown[:10]))
    arg_types, _, aux_types = symbol.infer_type_partial(**(type_dict or {}))

    def arrays(names, shapes_of, types):
        return {name: ndarray.zeros(shape, dtype=dtype or "float32")
                for name, shape, dtype in zip(names, shapes_of, types)
                if name not in left_out or (shape and 0 not in shape)}
    return Executor(symbol, arrays(arguments, arg_shapes, arg_types),
                    arrays(symbol.list_auxiliary_states(), aux_shapes, aux_types), ctx,
                    [name for name in shapes if name in arguments])


def bind(symbol, ctx, args, args_grad=None, grad_req="null", aux_states=None, group2ctx=None, shared_exec=None):
    """An Executor on given arrays, lists in the symbol's order or dicts by name, which it reads at each forward. No
    gradients are written to args_grad."""
    def named(names, values, kind):
        if values is None:
            values = {}
        if not hasattr(values, "items"):
            if len(values) != len(names):
                raise ValueError("%d arrays for %d %ss" % (len(values), len(names), kind))
            values = dict(zip(names, values))
        missing = [name for name in names if values.get(name) is None]
        if missing:
            raise ValueError("bind needs an array for %s '%s'" % (kind, missing[0]))
        return {name: values[name] if isinstance(values[name], np.ndarray) else ndarray.array(values[name])
                for name in names}
    arguments = named(symbol.list_arguments(), args, "argument")
    states = named(symbol.list_auxiliary_states(), aux_states, "auxiliary state")
    return Executor(symbol, arguments, states, ctx, [name for name in arguments if not name.endswith(_PARAMETERS)])


class Executor:
    """arg_dict, aux_dict: the arrays by name. `watch`: compare parameters at each
    forward; without it parameters_changed() reports that they are others."""

    def __init__(self, symbol, arg_dict, aux_dict, ctx, inputs, watch=True):
        on_processor(ctx)
        self.symbol, self._ctx = symbol, ctx or cpu()
        self.arg_dict, self.aux_dict = arg_dict, aux_dict
        self._inputs = list(inputs)
        self._watch = watch
        self._model = self._seeded = None
        self._used = {}  # parameters and states as the model has them
        self._outputs = None

    @property
    def arg_arrays(self):
        return list(self.arg_dict.values())

    @property
    def aux_arrays(self):
        return list(self.aux_dict.values())

    @property
    def grad_arrays(self):
        """None for each argument."""
        return [None] * len(self.arg_dict)

    @property
    def outputs(self):
        """Those of the last forward; zeros before the first."""
        if self._outputs is None:
            (_, shapes, _), _, _ = self.symbol._infer_shapes((), {name: each.shape
                                                                  for name, each in self.arg_dict.items()})
            _, types, _ = self.symbol.infer_type_partial(**{name: each.dtype for name, each in self.arg_dict.items()})
            self._outputs = [ndarray.zeros(shape, dtype=dtype) for shape, dtype in zip(shapes, types)]
        return self._outputs

    @property
    def output_dict(self):
        return dict(zip(self.symbol.list_outputs(), self.outputs))

    @property
    def model(self):
        """The compiled Model, compiled now where it is not yet."""
        if self._model is None:
            inputs = {name: self.arg_dict[name] for name in self._inputs}
            self._model = compile_model(
                self.symbol, shapes={name: value.shape for name, value in inputs.items()},
                dtypes={name: value.dtype for name, value in inputs.items() if value.dtype != np.float32},
                options=["--random-weights", "--weights=extern"])
            self._used, self._seeded = {}, None
        return self._model

    def forward(self, is_train=False, **kwargs):
        """The outputs; keywords are values of arguments, copied into their arrays first."""
        if is_train:
            raise SymcError("forward(is_train=True) needs training, symc compiles prediction only")
        for name, value in kwargs.items():
            self._assign(name, value)
        model = self.model
        self._give_parameters(model)
        if random.state != self._seeded:
            model.set_seed(random.state[0])
            self._seeded = random.state
        made = model(**{each.name: self.arg_dict[each.name] for each in model.inputs})
        for each in model.states:
            self._used[each.name] = value = model.get_state(each.name)
            self._array(each.name)[...] = value
        self._outputs = [each.view(NDArray) for each in (made if isinstance(made, list) else [made])]
        return self.outputs

    def _assign(self, name, value):
        if name not in self.arg_dict:
            raise TypeError("the symbol has no argument '%s'; its arguments are %s" % (name, ", ".join(self.arg_dict)))
        array, value = self.arg_dict[name], np.asarray(value)
        if array.shape != value.shape:
            raise ValueError("argument '%s': expected shape %s, got %s" % (name, array.shape, value.shape))
        array[...] = value
        if name not in self._inputs:  # it changes from run to run
            self._inputs.append(name)
            self._forget()

    def _forget(self):
        if self._model is not None:
            self._model.close()
        self._model = None

    def _array(self, name):
        return self.arg_dict[name] if name in self.arg_dict else self.aux_dict[name]

    def parameters_changed(self):
        self._used.clear()

    def _give_parameters(self, model):
        names = [each.name for each in model.parameters]
        states = {each.name for each in model.states}
        if self._used and not self._watch:
            return
        weights = [name for name in names if name not in states]
        if not self._used or any(not _same(self._array(name), self._used[name]) for name in weights):
            values = {name: np.array(self._array(name), order="C", subok=False) for name in names}
            if values:
                model.set_parameters(values)
            self._used = values if values else {"": None}
        for name in states:
            if name not in self._used or not _same(self._array(name), self._used[name]):
                self._used[name] = np.array(self._array(name), order="C", subok=False)
                model.set_state(name, self._used[name])

    def backward(self, out_grads=None, is_train=True):
        raise SymcError("backward needs training, symc compiles prediction only")

    def copy_params_from(self, arg_params, aux_params=None, allow_extra_params=False):
        """Copies values into the arrays of those names."""
        for arrays, params, kind in ((self.arg_dict, arg_params, "argument"),
                                     (self.aux_dict, aux_params or {}, "auxiliary state")):
            for name, value in params.items():
                if name in arrays:
                    if arrays[name].shape != np.shape(value):
                        raise ValueError("%s '%s': expected shape %s, got %s" %
                                         (kind, name, arrays[name].shape, np.shape(value)))
                    arrays[name][...] = value
                elif not allow_extra_params:
                    raise ValueError("the symbol has no %s '%s'" % (kind, name))
        self.parameters_changed()

    def reshape(self, partial_shaping=False, allow_up_sizing=False, **shapes):
        """An Executor for inputs of other shapes; arrays that keep their shape are shared."""
        made = simple_bind(self.symbol, self._ctx, type_dict={name: self.arg_dict[name].dtype for name in self._inputs},
                           **{**{name: self.arg_dict[name].shape for name in self._inputs}, **shapes})
        for mine, theirs in ((self.arg_dict, made.arg_dict), (self.aux_dict, made.aux_dict)):
            theirs.update({name: value for name, value in mine.items() if value.shape == theirs[name].shape})
        made._watch = self._watch
        return made

    def debug_str(self):
        return self.model.describe()

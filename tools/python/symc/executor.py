"""Executor: a symbol with an array for each argument, as Symbol.bind and Symbol.simple_bind of MXNet give, on compiled
code.

For prediction the symbol is compiled at the first forward, with its parameters left to the caller (--weights=extern), so
that other values cost a preparation of the weights and no compilation. What simple_bind has a shape of and what forward
is given by keyword are inputs, all other arguments parameters. For training (forward(is_train=True), backward) it is
compiled once more, with all arguments as inputs (training_step.py).

Whoever holds an array of arg_dict may write to it at any time. So each forward compares all parameters with those that
it used last, byte by byte, and prepares them again where one differs: about 0.06 ms for each megabyte.
"""
import ctypes

import numpy as np

from . import loaded_models, ndarray, random
from .context import cpu, on_processor
from .errors import SymcError
from .ndarray import NDArray
from .training_step import Step, draws, with_counted_draws, fixed_gammas

_PARAMETERS = ("weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "running_mean", "running_var")
_compare = ctypes.CDLL(None).memcmp
_compare.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


def _same(one, other):
    one = np.ascontiguousarray(one)
    return _compare(one.ctypes.data, other.ctypes.data, one.nbytes) == 0


def _requests(names, grad_req):
    """{argument: "write", "add" or "null"}."""
    if grad_req is None:
        grad_req = "null"
    if isinstance(grad_req, str):
        grad_req = dict.fromkeys(names, grad_req)
    elif not hasattr(grad_req, "items"):
        if len(grad_req) != len(names):
            raise ValueError("grad_req has %d entries for %d arguments" % (len(grad_req), len(names)))
        grad_req = dict(zip(names, grad_req))
    for name, each in grad_req.items():
        if each not in ("write", "add", "null"):
            raise ValueError("grad_req of '%s' is %r, needs 'write', 'add' or 'null'" % (name, each))
    return {name: grad_req.get(name, "null") for name in names}


def _types(symbol, types, shapes):
    """As infer_type_partial, with float32 for inputs of which an operator needs the type."""
    try:
        return symbol.infer_type_partial(**types)
    except SymcError:
        attributes = symbol.attr_dict()
        untyped = [name for name in symbol.list_arguments()
                   if name not in types and "__dtype__" not in attributes.get(name, {})]
        named = [name for name in untyped if name in shapes]  # others follow from these
        if not untyped:
            raise
        return symbol.infer_type_partial(**types, **dict.fromkeys(named or untyped, np.float32))


def simple_bind(symbol, ctx=None, grad_req="write", type_dict=None, stype_dict=None, group2ctx=None,
                shared_arg_names=None, shared_exec=None, shared_buffer=None, **shapes):
    """An Executor with arrays of zeros, for gradients too where grad_req, a text for all arguments, a list or a dict, is
    not "null". SymcError where the shapes do not decide all others. group2ctx, shared_exec and shared_buffer name where
    memory lies and change nothing."""
    for name, each in (stype_dict or {}).items():
        if each != "default":
            raise SymcError("storage of '%s' is '%s': arrays are dense" % (name, each))
    arguments = symbol.list_arguments()
    shapes = {name: each for name, each in shapes.items() if isinstance(each, (tuple, list))}
    (arg_shapes, _, aux_shapes), complete, unknown = symbol._infer_shapes((), shapes)
    left_out = set()  # labels, and what leads to them alone, need no shapes
    if not complete:
        left_out = set(symbol._list_unread())
        unknown = [name for name in unknown if name not in left_out]
    if unknown:
        raise SymcError("shapes of %s are not decided by those that are given" % ", ".join(unknown[:10]))
    arg_types, _, aux_types = _types(symbol, type_dict or {}, shapes)

    def arrays(names, shapes_of, types):
        return {name: ndarray.zeros(shape, dtype=dtype or "float32")
                for name, shape, dtype in zip(names, shapes_of, types)
                if name not in left_out or (shape and 0 not in shape)}
    requests = _requests(arguments, grad_req)
    made = arrays(arguments, arg_shapes, arg_types)
    gradients = {name: ndarray.zeros(made[name].shape, dtype=made[name].dtype) if each != "null" and name in made else None
                 for name, each in requests.items()}
    return Executor(symbol, made, arrays(symbol.list_auxiliary_states(), aux_shapes, aux_types), ctx,
                    [name for name in shapes if name in arguments], grad_dict=gradients, requests=requests)


def bind(symbol, ctx, args, args_grad=None, grad_req="write", aux_states=None, group2ctx=None, shared_exec=None):
    """An Executor on given arrays, lists in the symbol's order or dicts by name, which it reads at each forward.
    backward() writes to those of args_grad, by grad_req; an argument without one has no gradient."""
    def named(names, values, kind, needed=True):
        if values is None:
            values = {}
        if not hasattr(values, "items"):
            if len(values) != len(names):
                raise ValueError("%d arrays for %d %ss" % (len(values), len(names), kind))
            values = dict(zip(names, values))
        missing = [name for name in names if values.get(name) is None]
        if missing and needed:
            raise ValueError("bind needs an array for %s '%s'" % (kind, missing[0]))
        return {name: values.get(name) for name in names}

    def arrays(names, values, kind):
        return {name: each if isinstance(each, np.ndarray) else ndarray.array(each)
                for name, each in named(names, values, kind).items()}
    names = symbol.list_arguments()
    arguments = arrays(names, args, "argument")
    states = arrays(symbol.list_auxiliary_states(), aux_states, "auxiliary state")
    gradients = named(names, args_grad or None, "gradient", needed=False)
    requests = _requests(names, grad_req)
    for name, each in gradients.items():
        if each is None:
            requests[name] = "null"
        elif not isinstance(each, np.ndarray):
            raise TypeError("the gradient of '%s' is written to an array, got %r" % (name, each))
        elif requests[name] != "null" and each.shape != arguments[name].shape:
            raise ValueError("the array for the gradient of '%s' has shape %s, the argument %s" % (
                name, each.shape, arguments[name].shape))
    return Executor(symbol, arguments, states, ctx, [name for name in names if not name.endswith(_PARAMETERS)],
                    grad_dict=gradients, requests=requests)


class Executor:
    """arg_dict, grad_dict, aux_dict: the arrays by name; in grad_dict None where there is no gradient. `watch`: compare
    parameters at each forward; without it parameters_changed() reports that they are others."""

    def __init__(self, symbol, arg_dict, aux_dict, ctx, inputs, watch=True, grad_dict=None, requests=None):
        on_processor(ctx)
        self.symbol, self._ctx = symbol, ctx or cpu()
        self.arg_dict, self.aux_dict = arg_dict, aux_dict
        self._requests = requests or dict.fromkeys(arg_dict, "null")
        self.grad_dict = dict.fromkeys(arg_dict) if grad_dict is None else grad_dict
        self._inputs = list(inputs)
        self._watch = watch
        self._model = self._draws = self._ones = self._seed = None
        self._names = {}  # of variables in the model, where they are others
        self._used = {}  # parameters and states as the model has them
        self._outputs = None
        self._steps = {}  # forward and backward in training; as in prediction
        self._stepped = False  # by the last forward
        self._ranks = 1  # processes over which training takes statistics
        self._callback, self._monitor_all = None, False

    @property
    def arg_arrays(self):
        return list(self.arg_dict.values())

    @property
    def aux_arrays(self):
        return list(self.aux_dict.values())

    @property
    def grad_arrays(self):
        return list(self.grad_dict.values())

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
            self._add_undecided()
            inputs = {name: self.arg_dict[name] for name in self._inputs}
            text, plain = loaded_models.with_plain_names(with_counted_draws(self.symbol.tojson()), [*self.arg_dict, *self.aux_dict])
            self._names = {new: name for name, new in plain.items()}
            self._model = loaded_models.load(self.symbol, text, {plain[name]: each for name, each in inputs.items()},
                                             ["--weights=extern"])
            self._used = {}
        return self._model

    def forward(self, is_train=False, **kwargs):
        """The outputs, arrays that each forward writes to; keywords are values of arguments, copied into their arrays
        first. is_train: as in training, for a backward()."""
        for name, value in kwargs.items():
            self._assign(name, value)
        self._stepped = bool(is_train)
        if self._draws is None:
            self._draws = draws(self.symbol.tojson())
        self._seed = random.next_seed() if self._draws else None
        if self._callback is not None:
            self._monitor(is_train)
        self._compute(is_train)
        return self.outputs

    def _compute(self, is_train):
        if is_train:
            if self._ones is None:
                self._ones = fixed_gammas(self.symbol.tojson())
            for name in self._ones:
                self.arg_dict[name][...] = 1
            step = self._training()
            step.join(self._ranks)
            made, states = step.forward(self.arg_dict, self.aux_dict, self._seed, self._outputs, self.aux_dict)
            self._take_states(states)
            return self._put(made)
        model = self.model
        self._give_parameters(model)
        if self._seed is not None:
            model.set_seed(self._seed)
        made = model(**{each.name: self._array(each.name) for each in model.inputs})
        for each in model.states:
            self._used[each.name] = value = model.get_state(each.name)
            self._array(each.name)[...] = value
        return self._put(made if isinstance(made, list) else [made])

    def set_monitor_callback(self, callback, monitor_all=False):
        """`callback` gets the name and array of each output of each node, where `monitor_all` of its inputs too, at each
        forward, which is computed once more for that. None ends it."""
        self._callback, self._monitor_all = callback, monitor_all

    def _monitor(self, is_train):
        from . import monitored
        copies = [{name: each.copy() for name, each in arrays.items()} for arrays in (self.arg_dict, self.aux_dict)]
        shown = monitored.inner_outputs(self.symbol)
        values = []
        if shown is not None:
            bound = Executor(shown, *copies, self._ctx, self._inputs)
            bound._seed = self._seed
            bound._compute(is_train)
            values = bound.outputs
        for name, each in monitored.named(self.symbol, {**copies[0], **copies[1]}, values, self._monitor_all):
            self._callback(name, each)

    def _put(self, values):
        """Values of the outputs, into the arrays that callers may have already."""
        before = self._outputs or [None] * len(values)
        self._outputs = [value.view(NDArray) if array is None or (array.shape, array.dtype) != (value.shape, value.dtype)
                         else array for array, value in zip(before, values)]
        for array, value in zip(self._outputs, values):
            if array is not value and array.base is not value:
                array[...] = value

    def _training(self, is_train=True):
        if self._steps.get(is_train) is None:
            missing = [name for name in self.symbol.list_arguments() if name not in self.arg_dict]
            if missing:
                raise SymcError("training needs argument '%s', whose shape those that were given do not decide" % missing[0])
            wanted = [name for name, each in self._requests.items() if each != "null" and
                      self.grad_dict[name] is not None and self.arg_dict[name].dtype.kind == "f"]
            self._steps[is_train] = Step(self.symbol, self.arg_dict, self.aux_dict, wanted, not is_train)
        return self._steps[is_train]

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

    def _add_undecided(self):
        """Makes inputs of arguments with another shape than follows from those of inputs, such as slopes of elements."""
        given = {name: self.arg_dict[name].shape for name in self._inputs}
        if any(0 in shape for shape in given.values()):  # inference takes 0 for an extent that is not known
            return
        (shapes, _, _), _, _ = self.symbol._infer_shapes((), given)
        for name, shape in zip(self.symbol.list_arguments(), shapes or ()):
            known = shape and all(extent > 0 for extent in shape)
            if known and name in self.arg_dict and name not in self._inputs and self.arg_dict[name].shape != tuple(shape):
                self._inputs.append(name)

    def _forget(self):
        if self._model is not None:
            self._model.close()
        self._model = None

    def _array(self, name):
        """That of a name in the compiled model."""
        name = self._names.get(name, name)
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
        """Writes the gradients of the last forward to grad_dict, adds them where grad_req is "add", and sets the auxiliary
        states that training changes. out_grads: the gradients of the outputs, an array, a list or a dict by output;
        losses need none. Without is_train they are those of what prediction computes."""
        if out_grads is None:
            out_grads = []
        elif isinstance(out_grads, np.ndarray):
            out_grads = [out_grads]
        elif hasattr(out_grads, "items"):
            out_grads = [out_grads.get(name) for name in self.symbol.list_outputs()]
        for each in out_grads:
            if each is not None and not isinstance(each, np.ndarray):
                raise TypeError("gradients of outputs are arrays, got %r" % (each,))
        if all(each == "null" for each in self._requests.values()):
            return
        if is_train and self._stepped:
            gradients, states = self._training().backward(
                {**self.arg_dict, **self.aux_dict}, out_grads,
                {name: self.grad_dict[name] for name, each in self._requests.items() if each == "write"}, self.aux_dict)
        else:
            gradients, states = self._training(is_train).gradients(self.arg_dict, self.aux_dict, self._seed, out_grads)
        for name, each in self._requests.items():
            if each == "write":
                array, value = self.grad_dict[name], gradients.get(name, 0)
                if array is not value:
                    array[...] = value
            elif each == "add" and name in gradients:
                self.grad_dict[name][...] += gradients[name]
        self._take_states(states)
        self.parameters_changed()  # most will be, by the caller that requested gradients

    def _take_states(self, states):
        for name, value in states.items():
            array = self.aux_dict[name] if name in self.aux_dict else self.arg_dict[name]
            if array is not value:
                array[...] = value

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
        """An Executor for other shapes of inputs, on the memory of this one. ValueError: an array had to be larger, which
        allow_up_sizing allows, or another shape changed, which partial_shaping allows."""
        names = self.symbol.list_arguments(), self.symbol.list_auxiliary_states()
        given = dict(shapes)
        (arg_shapes, _, aux_shapes), complete, _ = self.symbol._infer_shapes((), given)
        if not complete:  # inputs that are not named stay as they are
            for name, shape in zip(names[0], arg_shapes):
                if name in self._inputs and (not shape or 0 in shape):
                    given[name] = self.arg_dict[name].shape
            (arg_shapes, _, aux_shapes), _, _ = self.symbol._infer_shapes((), given)

        def resized(name, array, shape, kind):
            if array is None or array.shape == shape:
                return array
            if not (partial_shaping or name in shapes):
                raise ValueError("the shape of %s '%s' changes from %s to %s, and it is not among those that are given; "
                                 "partial_shaping=True allows it" % (kind, name, array.shape, shape))
            if int(np.prod(shape)) <= array.size:
                return np.ndarray.reshape(array, -1)[:int(np.prod(shape))].reshape(shape)
            if not allow_up_sizing:
                raise ValueError("%s '%s' of shape %s is larger than %s; allow_up_sizing=True makes a new array" % (
                    kind, name, shape, array.shape))
            return ndarray.zeros(shape, dtype=array.dtype)
        found = dict(zip(names[0], arg_shapes))
        made = Executor(
            self.symbol, {name: resized(name, each, found[name], "argument") for name, each in self.arg_dict.items()},
            {name: resized(name, self.aux_dict[name], shape, "auxiliary state") for name, shape in zip(names[1], aux_shapes)},
            self._ctx, self._inputs, self._watch,
            {name: resized(name, each, found[name], "argument") for name, each in self.grad_dict.items()}, self._requests)
        made._outputs = [np.ndarray.reshape(mine, -1)[:each.size].reshape(each.shape) if each.size <= mine.size else each
                         for mine, each in zip(self.outputs, made.outputs)]
        return made

    def debug_str(self):
        """The symbol, and the memory of its compiled program beside inputs, parameters and outputs: where an argument has
        a gradient that of the training step. The last lines are those of MXNet, in whole megabytes."""
        training = any(each != "null" for each in self._requests.values())
        model = self._training().model if training else self.model
        megabytes = model.arena_bytes() >> 20
        return "%sTotal %d MB allocated\nTotal %d TempSpace resource requested\n" % (
            self.symbol.debug_str(), megabytes, megabytes)

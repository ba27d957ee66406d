"""symc.gluon: SymbolBlock, a symbol with its parameters that is called on arrays, as MXNet's gluon imports exported
models. Other blocks, training and data of gluon are refused by name.

    net = symc.gluon.SymbolBlock.imports("net-symbol.json", ["data"], "net-0000.params")
    probabilities = net(symc.nd.array(pictures))
"""
import json
import warnings

import numpy as np

from . import executor, gluon_utils as utils, initializer, ndarray, random, symbol, tape  # noqa: F401
from .checkpoint import named
from .context import cpu, on_processor
from .errors import SymcError
from .symbol import Symbol
from .training_step import Step

_ABSENT = {"Block": "a block of Python", "HybridBlock": "a block of Python", "nn": "blocks of Python",
           "rnn": "blocks of Python", "loss": "training", "Trainer": "training", "Constant": "blocks of Python",
           "data": "training", "model_zoo": "blocks of Python", "contrib": "blocks of Python"}


class DeferredInitializationError(SymcError):
    """A parameter whose shape the first call decides."""


class Parameter:
    """Values of one parameter. `shape` is None until they are known."""

    def __init__(self, name, grad_req="write", shape=None, dtype="float32", init=None, lr_mult=1.0, wd_mult=1.0):
        self.name, self.grad_req, self.init, self.lr_mult, self.wd_mult = name, grad_req, init, lr_mult, wd_mult
        self._shape, self.dtype = (shape,) if isinstance(shape, int) else shape, np.dtype(dtype).type
        self._value = self._draw = self._own = None

    @property
    def shape(self):
        return self._shape

    def initialize(self, init=None, ctx=None, default_init=None, force_reinit=False):
        """Draws the values, at the first call of the block where the shape is unknown."""
        on_processor(ctx)
        if self._value is None or force_reinit:
            self._own = init or self.init
            self._value, self._draw = None, initializer.create(self._own or default_init or "uniform")
            if self._shape is not None:
                self._settle(self._shape)

    def _settle(self, shape):
        value = ndarray.zeros(shape, dtype=self.dtype)
        # The initialiser of the parameter itself draws any name; one for all parameters goes by their endings.
        self._draw(initializer.InitDesc(self.name, {"__init__": self._own} if self._own else {}, self._draw), value)
        self.set_data(value)

    def set_data(self, data):
        """Takes a copy of an array of the parameter's shape."""
        if self._shape is not None and tuple(data.shape) != tuple(self._shape):
            raise ValueError("parameter '%s': expected shape %s, got %s" % (self.name, self._shape, tuple(data.shape)))
        value = ndarray.array(data, dtype=self.dtype)
        if self._value is None:
            self._value, self._shape = value, value.shape
        else:
            self._value[...] = value

    def data(self, ctx=None):
        """The array itself: what is written to it, the next call takes."""
        on_processor(ctx)
        if self._value is None and self._draw is not None:
            raise DeferredInitializationError("the shape of parameter '%s' is known at the first call" % self.name)
        if self._value is None:
            raise SymcError("parameter '%s' has no value: load_parameters or initialize() gives it one" % self.name)
        if tape.is_recording() and self._value._entry is None and self.grad_req != "null":
            self._value.attach_grad(self.grad_req)
        return self._value

    def list_data(self):
        return [self.data()]

    def list_ctx(self):
        return [cpu()]

    def cast(self, dtype):
        self.dtype = np.dtype(dtype).type
        if self._value is not None:
            self._value = ndarray.array(self._value, dtype=dtype)

    def grad(self, ctx=None):
        """The gradient that the last backward() computed (autograd.py); zeros before."""
        if self.grad_req == "null":
            raise SymcError("parameter '%s' has no gradient: its grad_req is 'null'" % self.name)
        value = self.data(ctx)
        if value.grad is None:
            value.attach_grad(self.grad_req)
        return value.grad

    def list_grad(self):
        return [self.grad()]

    def zero_grad(self):
        if self.grad_req != "null":
            self.grad()[...] = 0

    def reset_ctx(self, ctx):
        on_processor(ctx)

    def __repr__(self):
        return "Parameter %s (shape=%s, dtype=%s)" % (self.name, self._shape, self.dtype)


class ParameterDict(dict):
    """{name: Parameter}."""

    def __init__(self, prefix="", shared=None):
        super().__init__(shared or {})
        self.prefix = prefix

    def get(self, name, default=None, **kwargs):
        """The parameter; made of these keywords where it is missing and there are keywords."""
        if name not in self and kwargs:
            self[name] = Parameter(name, **kwargs)
        return super().get(name, default)

    def initialize(self, init=None, ctx=None, verbose=False, force_reinit=False):
        for each in self.values():
            each.initialize(None, ctx, init, force_reinit)

    def save(self, filename, strip_prefix=""):
        for name in self:
            if not name.startswith(strip_prefix):
                raise ValueError("parameter '%s' does not begin with strip_prefix '%s'" % (name, strip_prefix))
        ndarray.save(filename, {name[len(strip_prefix):]: each.data() for name, each in self.items()})

    def load(self, filename, ctx=None, allow_missing=False, ignore_extra=False, restore_prefix="", cast_dtype=False,
             dtype_source="current"):
        """Values of a file, names with arg: and aux: or without. The type is the parameter's ("current"), and the
        file's where there is none or dtype_source is "saved"."""
        on_processor(ctx)
        if dtype_source not in ("current", "saved"):
            raise ValueError("dtype_source is %r, needs current or saved" % (dtype_source,))
        found = ndarray.load(filename)
        if not hasattr(found, "items"):
            raise SymcError("%s: the arrays have no names" % filename)
        values = {restore_prefix + (key[4:] if key[:4] in ("arg:", "aux:") else key): value
                  for key, value in found.items()}
        missing = [name for name in self if name not in values]
        if missing and not allow_missing:
            raise SymcError("%s has no parameter '%s'; allow_missing=True leaves it out. It has %s" % (
                filename, missing[0], ", ".join(list(values)[:10]) or "none"))
        extra = [name for name in values if name not in self]
        if extra and not ignore_extra:
            raise SymcError("%s has parameter '%s', the network has not; ignore_extra=True passes over it" % (
                filename, extra[0]))
        for name, value in values.items():
            if name in self:
                each = self[name]
                if each.dtype != value.dtype.type:
                    if not cast_dtype:
                        raise SymcError("parameter '%s' of %s is %s, the network has it as %s; cast_dtype=True casts it" % (
                            name, filename, value.dtype, np.dtype(each.dtype)))
                    if dtype_source == "saved":
                        each.cast(value.dtype)
                each.set_data(value)

    def cast(self, dtype):
        for each in self.values():
            each.cast(dtype)

    def reset_ctx(self, ctx):
        on_processor(ctx)

    def setattr(self, name, value):
        for each in self.values():
            setattr(each, name, value)

    def zero_grad(self):
        for each in self.values():
            each.zero_grad()

    def __repr__(self):
        return "%s(\n%s\n)" % (self.prefix, "\n".join("  %r" % each for each in self.values()))


def _listed(given, what):
    """(flat list of symbols, whether it was one symbol)."""
    if isinstance(given, Symbol):
        return [given], True
    if not isinstance(given, (list, tuple)) or not given or not all(isinstance(each, Symbol) for each in given):
        raise TypeError("%s of a SymbolBlock are a symbol or a list of symbols, got %r" % (what, given))
    return list(given), False


class SymbolBlock:
    """A network: `outputs` of it and the variables `inputs`; all other variables are parameters. A call gives an array,
    or a list of several outputs. Code is compiled for each shape and type of inputs that comes."""

    prefix = name = ""

    def __init__(self, outputs, inputs, params=None):
        outs, _ = _listed(outputs, "outputs")
        variables, _ = _listed(inputs, "inputs")
        if len(variables) == 1 and len(variables[0]) > 1:
            variables = list(variables[0])
        for each in variables:
            if each.get_children() is not None:
                raise ValueError("input '%s' of a SymbolBlock is a node, needs a variable" % each.name)
        self._symbol = outs[0] if len(outs) == 1 else symbol.Group(outs)
        self._inputs = [each.name for each in variables]
        arguments = self._symbol.list_inputs()
        self._unread = {name for name in self._inputs if name not in arguments}
        if self._unread:
            warnings.warn("no output reads %s" % ", ".join("input '%s'" % name for name in sorted(self._unread)), stacklevel=2)
        self.params = ParameterDict("", params)
        attributes, states = self._symbol.attr_dict(), self._symbol.list_auxiliary_states()
        arguments, _, auxiliary = executor._types(self._symbol, {}, ())
        types = dict(zip(self._symbol.list_arguments() + states, arguments + auxiliary))
        for name in self._symbol.list_arguments() + states:
            if name not in self._inputs and name not in self.params:
                known = attributes.get(name, {})
                self.params[name] = Parameter(name, "null" if name in states else "write", _shape(known.get("__shape__")),
                                              types[name] or "float32", known.get("__init__"))
        self._executors, self._steps, self._scope = {}, {}, None

    @staticmethod
    def imports(symbol_file, input_names, param_file=None, ctx=None, allow_missing=False, ignore_extra=False):
        """The block of a symbol file and of a file of parameters, as export and save_checkpoint write them."""
        on_processor(ctx)
        inputs = [symbol.Variable(each) for each in ([input_names] if isinstance(input_names, str) else input_names)]
        net = symbol.load(symbol_file)
        missing = [each.name for each in inputs if each.name not in net.list_inputs()]
        if missing:
            raise ValueError("%s has no input '%s'; its inputs are %s" % (
                symbol_file, missing[0], ", ".join(net.list_inputs()[:10])))
        block = SymbolBlock(net, inputs)
        if param_file is not None:
            block.params.load(param_file, ctx, allow_missing, ignore_extra, cast_dtype=True, dtype_source="saved")
        return block

    # --- Parameters and files ----------------------------------------------

    def collect_params(self, select=None):
        """{name: Parameter}; of those that the regular expression `select` matches."""
        if select is None:
            return self.params
        import re
        return ParameterDict("", {name: each for name, each in self.params.items() if re.match(select, name)})

    def load_parameters(self, filename, ctx=None, allow_missing=False, ignore_extra=False, cast_dtype=False,
                        dtype_source="current"):
        self.params.load(filename, ctx, allow_missing, ignore_extra, "", cast_dtype, dtype_source)

    def save_parameters(self, filename, deduplicate=False):
        self.params.save(filename)

    load_params, save_params = load_parameters, save_parameters

    def export(self, path, epoch=0, remove_amp_cast=True):
        """PATH-symbol.json and PATH-EPOCH.params, which MXNet reads too; gives both names."""
        files = "%s-symbol.json" % path, "%s-%04d.params" % (path, epoch)
        states = set(self._symbol.list_auxiliary_states())
        values = {name: each.data() for name, each in self.params.items()}
        self._symbol.save(files[0], remove_amp_cast)
        ndarray.save(files[1], named({name: each for name, each in values.items() if name not in states},
                                     {name: each for name, each in values.items() if name in states}))
        return files

    def initialize(self, init=None, ctx=None, verbose=False, force_reinit=False):
        """Draws the parameters that have no value."""
        self.params.initialize(init or initializer.Uniform(), ctx, verbose, force_reinit)

    def cast(self, dtype):
        """The type of all parameters, and so of inputs; those of batch norms stay float32 beside float16."""
        kept = set()
        if np.dtype(dtype) == np.float16:
            for name in self.params:
                for ending in ("running_var", "moving_var"):
                    if name.endswith(ending):
                        stem = name[:-len(ending)]
                        kept |= {name, stem + "gamma", stem + "beta", stem + ending.replace("var", "mean")}
        for name, each in self.params.items():
            each.cast("float32" if name in kept else dtype)
        self._executors.clear()
        self._steps.clear()

    def hybridize(self, active=True, **_kwargs):
        """Nothing: the network is compiled in any case."""

    def reset_ctx(self, ctx):
        on_processor(ctx)

    # --- Calls -------------------------------------------------------------

    def __call__(self, *args):
        return self.forward(*args)

    def forward(self, *args):
        """Outputs for arrays; for symbols, the network with these in place of its inputs."""
        if len(args) != len(self._inputs):
            raise TypeError("the block takes %d inputs (%s), %d are given" % (
                len(self._inputs), ", ".join(self._inputs), len(args)))
        if isinstance(args[0], Symbol):
            return self._symbol(**self._read(args))
        values = self._read([each if isinstance(each, np.ndarray) else ndarray.array(each) for each in args])
        outputs = (self._recorded(values) if tape.is_recording() else
                   [each.copy() for each in self._executor(values).forward(**values)])
        return outputs[0] if len(outputs) == 1 else outputs

    def _recorded(self, values):
        """The outputs, in the graph that autograd records."""
        bound, train = self._executor(values), tape.is_training()
        for each in self.params.values():
            each.data()  # which becomes a variable
        arrays = {**bound.arg_dict, **values}
        wanted = [name for name, each in arrays.items() if tape.tracked(each) and each.dtype.kind == "f"]
        key = (train, *wanted, *[(each.shape, each.dtype) for each in values.values()])
        if key not in self._steps:
            self._steps[key] = Step(self._symbol, arrays, bound.aux_dict, wanted, predict=not train)
        step, seed = self._steps[key], random.next_seed()
        made = [each.view(ndarray.NDArray) for each in step.forward(arrays, bound.aux_dict, seed)[0]]

        def backward(heads):
            found, states = step.gradients(arrays, bound.aux_dict, seed, heads)
            for name, value in states.items():
                bound.aux_dict[name][...] = value
            return [found.get(name) for name in arrays]
        return tape.note("SymbolBlock", list(arrays.values()), made, backward)

    def _read(self, args):
        """{input: value} of those that the network reads."""
        return {name: each for name, each in zip(self._inputs, args) if name not in self._unread}

    def _executor(self, values):
        key = tuple((each.shape, each.dtype.name) for each in values.values())
        if key not in self._executors:
            made = executor.simple_bind(self._symbol, type_dict={name: each.dtype for name, each in values.items()},
                                        **{name: each.shape for name, each in values.items()})
            for name, each in self.params.items():
                arrays = made.arg_dict if name in made.arg_dict else made.aux_dict
                if name not in arrays:
                    continue
                if each._value is None and each._draw is not None:
                    each._settle(arrays[name].shape)
                if each.data().shape != arrays[name].shape:
                    raise ValueError("parameter '%s' has shape %s, inputs of these shapes need %s" % (
                        name, each.data().shape, arrays[name].shape))
                if each.data().dtype != arrays[name].dtype:
                    raise TypeError("parameter '%s' is %s, inputs of these types need %s; cast() casts all" % (
                        name, each.data().dtype, arrays[name].dtype))
            self._executors[key] = made
        made = self._executors[key]
        for name, each in self.params.items():  # cast() and set_data() may have brought others
            arrays = made.arg_dict if name in made.arg_dict else made.aux_dict
            if name in arrays:
                arrays[name] = each.data()
        return made

    def __repr__(self):
        return "SymbolBlock(%s -> %s)" % (", ".join(self._inputs), ", ".join(self._symbol.list_outputs()[:10]))


def _shape(text):
    """The shape that a variable's attribute has, None where it is not known whole."""
    shape = tuple(json.loads(text.replace("(", "[").replace(")", "]").replace(",]", "]"))) if text else ()
    return shape if shape and all(extent > 0 for extent in shape) else None


def __getattr__(key):
    if key == "parameter" or key == "block":
        import sys
        return sys.modules[__name__]
    if key in _ABSENT:
        raise AttributeError("module 'symc.gluon' has no attribute '%s': gluon has SymbolBlock here, which predicts; %s "
                             "belongs to %s" % (key, key, _ABSENT[key]))
    raise AttributeError("module 'symc.gluon' has no attribute '%s'" % key)

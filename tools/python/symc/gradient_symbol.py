"""Gradients of a symbol as something that is bound and computed by itself: Symbol.gradient(wrt), of MXNet 0.7 Symbol.grad.

    net.gradient(["fc_weight"]).eval(data=rows, fc_weight=weight, fc_bias=bias, softmax_label=labels)

They are computed as in training. The gradient of an output that is no loss is an argument, NAME_INDEX_grad for the output
INDEX of node NAME; which outputs need one is known where shapes are. No operator takes gradients as its input.
"""
import numpy as np

from . import executor, ndarray, random
from .context import cpu, on_processor
from .errors import SymcError
from .ndarray_class import NDArray
from .training_step import Step, draws


class GradientSymbol:
    def __init__(self, symbol, wrt):
        wrt = [wrt] if isinstance(wrt, str) else list(wrt)
        arguments = symbol.list_arguments()
        for name in wrt:
            if name not in arguments:
                raise ValueError("the symbol has no argument '%s'; its arguments are %s" % (name, ", ".join(arguments)))
        self.symbol, self.wrt = symbol, wrt

    def list_arguments(self):
        """Those of the symbol. Gradients of outputs come behind them in an executor's arg_dict."""
        return self.symbol.list_arguments()

    def list_auxiliary_states(self):
        return self.symbol.list_auxiliary_states()

    def list_outputs(self):
        return [name + "_grad" for name in self.wrt]

    def infer_shape(self, **shapes):
        """As Symbol.infer_shape; outputs have the shapes of their arguments."""
        arguments, _, states = self.symbol.infer_shape(**shapes)
        found = dict(zip(self.list_arguments(), arguments or ()))
        return (arguments, [found[name] for name in self.wrt], states) if arguments is not None else (None, None, None)

    def simple_bind(self, ctx=None, type_dict=None, **shapes):
        """An executor over arrays of zeros, for the shapes of inputs."""
        bound = executor.simple_bind(self.symbol, ctx, "null", type_dict, **shapes)
        return GradientExecutor(self, bound.arg_dict, bound.aux_dict, ctx)

    def bind(self, ctx, args, aux_states=None):
        """The same over given arrays, by name; those of head gradients among them, zeros where there is none."""
        names = self.list_arguments()
        given = dict(args) if hasattr(args, "items") else dict(zip(names, args))
        bound = executor.bind(self.symbol, ctx, {name: given[name] for name in names if name in given}, None, "null",
                              aux_states)
        made = GradientExecutor(self, bound.arg_dict, bound.aux_dict, ctx)
        for name in set(given) - set(names):
            if name not in made.arg_dict:
                raise ValueError("the gradients have no argument '%s'; arguments are %s" % (name, ", ".join(made.arg_dict)))
            if given[name].shape != made.arg_dict[name].shape:
                raise ValueError("argument '%s': expected shape %s, got %s" % (
                    name, made.arg_dict[name].shape, given[name].shape))
            made.arg_dict[name] = given[name]
        return made

    def eval(self, ctx=None, **kwargs):
        """The gradients for arrays by name, a list."""
        return self.bind(ctx, kwargs).forward()


class GradientExecutor:
    """`outputs`: gradients in the order of wrt."""

    def __init__(self, gradients, arg_dict, aux_dict, ctx):
        on_processor(ctx)
        self._ctx, self._gradients, self.aux_dict = ctx or cpu(), gradients, aux_dict
        symbol, wrt = gradients.symbol, gradients.wrt
        for name in wrt:
            if arg_dict[name].dtype.kind != "f":
                raise SymcError("the gradient of '%s' is wanted, whose elements are %s" % (name, arg_dict[name].dtype))
        self._draws = draws(symbol.tojson())
        self._step = Step(symbol, arg_dict, aux_dict, list(dict.fromkeys(wrt)))
        names, places = [each.name for each in symbol], {}
        for place, name in enumerate(names):
            places.setdefault(name, []).append(place)
        self._heads = {"%s_%d_grad" % (names[place], places[names[place]].index(place)): place
                       for place, _ in self._step.heads}
        self.arg_dict = {**arg_dict, **{name: ndarray.zeros(info.shape, dtype=info.dtype)
                                        for name, (_, info) in zip(self._heads, self._step.heads)}}
        self.outputs = [ndarray.zeros(arg_dict[name].shape, dtype=arg_dict[name].dtype) for name in wrt]

    @property
    def arg_arrays(self):
        return list(self.arg_dict.values())

    @property
    def output_dict(self):
        return dict(zip(self._gradients.list_outputs(), self.outputs))

    def forward(self, is_train=True, **kwargs):
        """The gradients; keywords are values of arguments, copied into their arrays first."""
        for name, value in kwargs.items():
            if name not in self.arg_dict:
                raise TypeError("the gradients have no argument '%s'; arguments are %s" % (name, ", ".join(self.arg_dict)))
            self.arg_dict[name][...] = value
        heads = [None] * (max(self._heads.values(), default=-1) + 1)
        for name, place in self._heads.items():
            heads[place] = self.arg_dict[name]
        seed = random.next_seed() if self._draws else None
        found, states = self._step.gradients(self.arg_dict, self.aux_dict, seed, heads)
        for name, array in zip(self._gradients.wrt, self.outputs):
            array[...] = np.asarray(found[name]).view(NDArray)
        for name, value in states.items():
            self.aux_dict[name][...] = value
        return self.outputs

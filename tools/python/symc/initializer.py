"""symc.init: first values of parameters, by MXNet's names and formulas, drawn by numpy.random's global generator, or by
that of symc.random.seed.

dumps() gives the text that MXNet writes as a variable's attribute __init__; create() reads it. An initialiser is called
with a name, or an InitDesc, and the array that it fills: the name's ending decides whether the array is a weight, which
each class draws in its way, or a bias, gamma or statistic, which are constant.
"""
import json
import logging
import re

import numpy as np

from . import random as _random
from .errors import nearest

_registered = {}
_CONSTANTS = (("bias", 0), ("gamma", 1), ("beta", 0), ("moving_mean", 0), ("running_mean", 0), ("moving_var", 1),
              ("running_var", 1), ("moving_inv_var", 0), ("moving_avg", 0), ("min", 0), ("max", 1))


class InitDesc(str):
    """A name with the attributes of its variable, of which __init__ wins over the initialiser that is called."""

    def __new__(cls, name, attrs=None, global_init=None):
        made = super().__new__(cls, name)
        made.attrs, made.global_init = attrs or {}, global_init
        return made


def register(klass):
    """Makes a class known to create() by its name in small letters."""
    _registered[klass.__name__.lower()] = klass
    return klass


def alias(*names):
    """A decorator that makes a class known by these names, too."""
    def under(klass):
        _registered.update({name.lower(): klass for name in names})
        return klass
    return under


def create(text, **kwargs):
    """The initialiser of a name, of the text that dumps() gives, or the object itself."""
    if not isinstance(text, str):
        return text
    if text.startswith("["):
        text, kwargs = json.loads(text)
    if text.lower() not in _registered:
        raise ValueError("initialiser '%s' is unknown; %s" % (text, nearest(text.lower(), sorted(_registered))))
    return _registered[text.lower()](**kwargs)


_OF_NAMES = ("upsampling", "stn_loc")


def _init_of_name(name, arr):
    """What a name without attributes decides by itself: interpolation, and a transform that changes nothing."""
    if name.startswith("upsampling"):
        Bilinear()._init_weight(name, arr)
    else:
        arr[...] = np.array([1, 0, 0, 0, 1, 0]) if name.endswith("bias") else 0


class Initializer:
    """Base class; others define what a weight becomes by _init_weight(name, array)."""

    _report = None

    def __init__(self, **kwargs):
        self._kwargs = kwargs

    def set_verbosity(self, verbose=False, print_func=None):
        """Logs each array that is drawn, with print_func of it: its size, unless another function is given."""
        self._report = (print_func or (lambda arr: str(np.linalg.norm(arr) / np.sqrt(arr.size)))) if verbose else None
        return self

    def dumps(self):
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __call__(self, desc, arr):
        given = getattr(desc, "attrs", {}).get("__init__")
        if given:
            create(given)._init_weight(desc, arr)
        elif not isinstance(desc, InitDesc) and desc.startswith(_OF_NAMES) and desc.endswith(("weight", "bias")):
            _init_of_name(desc, arr)
        elif desc.endswith("weight"):
            self._init_weight(desc, arr)
        else:
            value = next((value for ending, value in _CONSTANTS if desc.endswith(ending)), None)
            if value is None:
                raise ValueError("no rule states how '%s' begins: its name ends in none of weight, %s; give the "
                                 "variable an init" % (desc, ", ".join(ending for ending, _ in _CONSTANTS)))
            arr[...] = value
        if self._report is not None:
            ending = given or next(each for each in ("weight", *(each for each, _ in _CONSTANTS)) if desc.endswith(each))
            logging.info("Initialized %s as %s: %s", desc, ending, self._report(arr))

    def _init_weight(self, name, arr):
        raise NotImplementedError("%s does not state what a weight is" % type(self).__name__)

    def __eq__(self, other):
        return type(self) is type(other) and self._kwargs == other._kwargs

    __hash__ = object.__hash__

    def __repr__(self):
        return self.dumps()


@register
class Zero(Initializer):
    def __init__(self):
        super().__init__()

    def _init_weight(self, name, arr):
        arr[...] = 0


@register
class One(Initializer):
    def __init__(self):
        super().__init__()

    def _init_weight(self, name, arr):
        arr[...] = 1


_registered.update(zeros=Zero, ones=One)


@register
class Constant(Initializer):
    """A number, or an array of the parameter's shape."""

    def __init__(self, value):
        super().__init__(value=value if np.isscalar(value) else np.asarray(value).tolist())
        self.value = value

    def _init_weight(self, name, arr):
        arr[...] = self.value


@register
class Uniform(Initializer):
    """Between -scale and scale."""

    def __init__(self, scale=0.07):
        super().__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, name, arr):
        arr[...] = _random.generator.uniform(-self.scale, self.scale, arr.shape)


@register
class Normal(Initializer):
    """With the standard deviation sigma."""

    def __init__(self, sigma=0.01):
        super().__init__(sigma=sigma)
        self.sigma = sigma

    def _init_weight(self, name, arr):
        arr[...] = _random.generator.normal(0, self.sigma, arr.shape)


@register
class Orthogonal(Initializer):
    """Rows (or columns, where there are more rows) that are orthogonal, times scale."""

    def __init__(self, scale=1.414, rand_type="uniform"):
        super().__init__(scale=scale, rand_type=rand_type)
        if rand_type not in ("uniform", "normal"):
            raise ValueError("rand_type is '%s', needs uniform or normal" % rand_type)
        self.scale, self.rand_type = scale, rand_type

    def _init_weight(self, name, arr):
        shape = (arr.shape[0], int(np.prod(arr.shape[1:])))
        drawn = (_random.generator.uniform(-1, 1, shape) if self.rand_type == "uniform" else
                 _random.generator.normal(0, 1, shape))
        left, _, right = np.linalg.svd(drawn, full_matrices=False)
        arr[...] = self.scale * (left if left.shape == shape else right).reshape(arr.shape)


@register
class Xavier(Initializer):
    """A scale by the numbers of inputs and outputs: sqrt(magnitude / factor)."""

    def __init__(self, rnd_type="uniform", factor_type="avg", magnitude=3):
        super().__init__(rnd_type=rnd_type, factor_type=factor_type, magnitude=magnitude)
        if rnd_type not in ("uniform", "gaussian"):
            raise ValueError("rnd_type is '%s', needs uniform or gaussian" % rnd_type)
        if factor_type not in ("avg", "in", "out"):
            raise ValueError("factor_type is '%s', needs avg, in or out" % factor_type)
        self.rnd_type, self.factor_type, self.magnitude = rnd_type, factor_type, float(magnitude)

    def _init_weight(self, name, arr):
        if arr.ndim < 2:
            raise ValueError("'%s' has shape %s, Xavier needs at least 2 dimensions" % (name, arr.shape))
        area = float(np.prod(arr.shape[2:]))
        inputs, outputs = arr.shape[1] * area, arr.shape[0] * area
        factor = {"avg": (inputs + outputs) / 2, "in": inputs, "out": outputs}[self.factor_type]
        scale = np.sqrt(self.magnitude / factor)
        arr[...] = (_random.generator.uniform(-scale, scale, arr.shape) if self.rnd_type == "uniform" else
                    _random.generator.normal(0, scale, arr.shape))


@register
class MSRAPrelu(Xavier):
    """Xavier's for layers in front of PReLU with this slope."""

    def __init__(self, factor_type="avg", slope=0.25):
        super().__init__("gaussian", factor_type, 2.0 / (1 + slope ** 2))
        self._kwargs = {"factor_type": factor_type, "slope": slope}


@register
class Bilinear(Initializer):
    """The kernel of bilinear interpolation, for layers that scale images up."""

    def __init__(self):
        super().__init__()

    def _init_weight(self, name, arr):
        height, width = arr.shape[2:4]
        factor = np.ceil(width / 2)
        center = (2 * factor - 1 - factor % 2) / (2 * factor)

        def line(count):
            return 1 - np.abs(np.arange(count) / factor - center)
        arr[...] = np.outer(line(height), line(width))


@register
class LSTMBias(Initializer):
    """Zeros but for the second of four gates, the forget gate's."""

    def __init__(self, forget_bias=1.0):
        super().__init__(forget_bias=forget_bias)
        self.forget_bias = forget_bias

    def _init_weight(self, name, arr):
        hidden = arr.shape[0] // 4
        arr[...] = 0
        arr[hidden:2 * hidden] = self.forget_bias


@register
class FusedRNN(Initializer):
    """The vector of all parameters of rnn.FusedRNNCell: `init` (None: the initialiser that is called) draws each layer's
    arrays, and the biases of an LSTM's forget gates begin at forget_bias."""

    def __init__(self, init, num_hidden, num_layers, mode, bidirectional=False, forget_bias=1.0):
        init = None if init is None else create(init)
        super().__init__(init=None if init is None else init.dumps(), num_hidden=num_hidden, num_layers=num_layers,
                         mode=mode, bidirectional=bidirectional, forget_bias=forget_bias)
        self._init = init

    def _init_weight(self, name, arr):
        from .rnn_stack import FusedRNNCell
        given = dict(self._kwargs)
        del given["init"]
        cell, draw = FusedRNNCell(prefix="", **given), self._init or getattr(name, "global_init", None)
        if draw is None:
            raise ValueError("no initialiser draws the layers of '%s'; give FusedRNN one" % name)
        parts = cell.unpack_weights({"parameters": arr})
        for part, values in parts.items():
            if part.endswith("_f_bias"):
                values[...] = given["forget_bias"]
            else:
                draw(InitDesc(part, None, draw), values)
        arr[...] = cell.pack_weights(parts)["parameters"]


class Mixed:
    """The initialiser of the first pattern (a regular expression) that a name begins with."""

    def __init__(self, patterns, initializers):
        if len(patterns) != len(initializers):
            raise ValueError("%d patterns for %d initialisers" % (len(patterns), len(initializers)))
        self.map = [(re.compile(pattern), each) for pattern, each in zip(patterns, initializers)]

    def __call__(self, name, arr):
        found = next((each for pattern, each in self.map if pattern.match(name)), None)
        if found is None:
            raise ValueError("'%s' fits no pattern; end the list with '.*'" % name)
        found(name, arr)


class Load:
    """Values of a file or dict; names that it lacks go to default_init."""

    def __init__(self, param, default_init=None, verbose=False):
        if isinstance(param, str):
            from . import ndarray
            param = ndarray.load(param)
        self.param = {re.sub("^(arg|aux):", "", name): value for name, value in param.items()}
        self.default_init = default_init

    def __call__(self, name, arr):
        value = self.param.get(name)
        if value is None:
            if self.default_init is None:
                raise ValueError("'%s' is not among the loaded parameters, and there is no default_init" % name)
            self.default_init(name, arr)
        elif value.shape != arr.shape:
            raise ValueError("parameter '%s' has shape %s, the loaded one %s" % (name, arr.shape, value.shape))
        else:
            arr[...] = value

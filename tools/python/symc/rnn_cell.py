"""Recurrent cells by MXNet's names: a cell makes the nodes of one time step, unroll those of a sequence.

    cell = symc.rnn.LSTMCell(100, prefix="lstm_")
    outputs, states = cell.unroll(20, symc.sym.Variable("data"), layout="NTC", merge_outputs=True)

Nodes, their order and their names are MXNet's, so that parameters of its checkpoints fit. A cell that steps through time
gives its two products to a rule of its gates (_Gated), which cells of convolutions share (rnn_conv_cell.py).
Sequences are lists with a symbol for each step, or one symbol whose axis T holds the steps.
"""
from . import symbol
from .errors import SymcError
from .symbol import Symbol


def steps_of(inputs, length, axis):
    """A sequence as a list of symbols."""
    if not isinstance(inputs, Symbol):
        return inputs
    if len(inputs) != 1:
        raise ValueError("the sequence is a symbol of %d outputs, needs one output, or list(symbol)" % len(inputs))
    return list(symbol.split(inputs, axis=axis, num_outputs=length, squeeze_axis=1))


def merged(inputs, axis):
    """A sequence as one symbol."""
    if isinstance(inputs, Symbol):
        return inputs
    return symbol.Concat(*[symbol.expand_dims(each, axis=axis) for each in inputs], dim=axis)


def arranged(sequence, length, layout, merge):
    """A sequence as one symbol (merge is True), as a list (False) or as it is (None)."""
    if sequence is None:
        raise ValueError("unroll needs inputs: a symbol, or a list with one for each step")
    axis = layout.find("T")
    if not isinstance(sequence, Symbol) and length is not None and len(sequence) != length:
        raise ValueError("%d inputs for %d steps" % (len(sequence), length))
    return sequence if merge is None else merged(sequence, axis) if merge else steps_of(sequence, length, axis)


class RNNParams:
    """Variables by name, each made once: cells that share an RNNParams share weights."""

    def __init__(self, prefix=""):
        self._prefix = prefix
        self._params = {}

    def get(self, name, **kwargs):
        """The variable `prefix + name`; keywords are Variable's."""
        name = self._prefix + name
        if name not in self._params:
            self._params[name] = symbol.Variable(name, **kwargs)
        return self._params[name]


class BaseRNNCell:
    """Base class. Classes have state_info and __call__(inputs, states), which gives (output, new states)."""

    def __init__(self, prefix="", params=None):
        self._prefix = prefix
        self._own_params = params is None
        self._params = RNNParams(prefix) if params is None else params
        self._modified = False
        self.reset()

    def reset(self):
        """Numbers in names begin at 0 again."""
        self._init_counter = self._counter = -1
        for each in getattr(self, "_cells", ()):
            each.reset()

    def __call__(self, inputs, states):
        raise NotImplementedError("%s has no __call__(inputs, states)" % type(self).__name__)

    @property
    def params(self):
        self._own_params = False
        return self._params

    @property
    def state_info(self):
        """[{"shape": ..., "__layout__": ...}], 0 for the extent of the batch."""
        raise NotImplementedError("%s has no state_info" % type(self).__name__)

    @property
    def state_shape(self):
        return [each["shape"] for each in self.state_info]

    @property
    def _gate_names(self):
        return ()

    def _refuse_modified(self):
        if self._modified:
            raise SymcError("%s is inside of another cell (DropoutCell, ResidualCell...): use that one" %
                            type(self).__name__)

    def begin_state(self, func=None, **kwargs):
        """First states: `func` makes each of its name, shape and layout; without it, zeros."""
        self._refuse_modified()
        states = []
        for info in self.state_info:
            self._init_counter += 1
            name = "%sbegin_state_%d" % (self._prefix, self._init_counter)
            kwargs.update(info or {})
            states.append((func or symbol.zeros)(name=name, **kwargs))
        return states

    def _names(self, gates):
        """For each product and kind: the name of all gates together, those of single gates."""
        for product in ("i2h", "h2h"):
            for kind in ("weight", "bias"):
                yield ("%s%s_%s" % (self._prefix, product, kind),
                       ["%s%s%s_%s" % (self._prefix, product, gate, kind) for gate in gates])

    def unpack_weights(self, args):
        """{name: array} with an array for each gate in place of those of all gates together."""
        args, gates = dict(args), self._gate_names
        for whole, parts in self._names(gates) if gates else ():
            values = _taken(args, whole)
            rows = values.shape[0] // len(gates)
            args.update({part: values[k * rows:(k + 1) * rows].copy() for k, part in enumerate(parts)})
        return args

    def pack_weights(self, args):
        """The reverse of unpack_weights."""
        from . import ndarray
        args, gates = dict(args), self._gate_names
        for whole, parts in self._names(gates) if gates else ():
            args[whole] = ndarray.concatenate([_taken(args, part) for part in parts])
        return args

    def unroll(self, length, inputs, begin_state=None, layout="NTC", merge_outputs=None):
        """(outputs, states) over `length` steps. `layout` is where a symbol of inputs has its axis T; outputs are
        one symbol where merge_outputs is True, a list where it is False, else what is cheapest."""
        self.reset()
        inputs = arranged(inputs, length, layout, False)
        states = self.begin_state() if begin_state is None else begin_state
        outputs = []
        for each in inputs:
            output, states = self(each, states)
            outputs.append(output)
        return arranged(outputs, length, layout, merge_outputs), states

    def _get_activation(self, inputs, activation, **kwargs):
        if isinstance(activation, str):
            return symbol.Activation(inputs, act_type=activation, **kwargs)
        return activation(inputs, **kwargs)


def _taken(args, name):
    if name not in args:
        raise ValueError("parameter '%s' of the cell is not given" % name)
    return args.pop(name)


class _Gated(BaseRNNCell):
    """A cell of two products, of inputs and of the first state, and of a rule that makes new states of their gates."""

    _gates = ("",)
    _count = 1  # of states
    _slices = {}  # further parameters of the nodes that take gates apart
    _label = "%si2h", "%sh2h"

    @property
    def _gate_names(self):
        return self._gates

    @property
    def state_info(self):
        return [self._state() for _ in range(self._count)]

    def _state(self):
        return {"shape": (0, self._num_hidden), "__layout__": "NC"}

    def _variables(self, **initializers):
        """Weights and biases; an initialiser is given by its variable's name."""
        self._iW, self._iB, self._hW, self._hB = (
            self.params.get(name, **({"init": initializers[name]} if initializers.get(name) is not None else {}))
            for name in ("i2h_weight", "i2h_bias", "h2h_weight", "h2h_bias"))

    def __call__(self, inputs, states):
        self._counter += 1
        name = "%st%d_" % (self._prefix, self._counter)
        return self._step(self._product(inputs, self._iW, self._iB, self._label[0] % name, self._of_input),
                          self._product(states[0], self._hW, self._hB, self._label[1] % name, self._of_state),
                          states, name)

    _of_input = _of_state = {}

    def _product(self, data, weight, bias, name, _):
        return symbol.FullyConnected(data=data, weight=weight, bias=bias, num_hidden=self._num_hidden * len(self._gates),
                                     name=name)

    def _activated(self, inputs, **kwargs):
        return self._get_activation(inputs, self._activation, **kwargs)


class Plain(_Gated):
    """One gate: the state is the activation of the sum."""

    def _step(self, i2h, h2h, states, name):
        output = self._activated(i2h + h2h, name=name + "out")
        return output, [output]


class Lstm(_Gated):
    """Gates i, f, c and o; states h and c."""

    _gates = ("_i", "_f", "_c", "_o")
    _count = 2

    def _step(self, i2h, h2h, states, name):
        parts = symbol.SliceChannel(i2h + h2h, num_outputs=4, name=name + "slice", **self._slices)

        def gate(k, letter):
            return symbol.Activation(parts[k], act_type="sigmoid", name=name + letter)
        enter, keep = gate(0, "i"), gate(1, "f")
        candidate, leave = self._activated(parts[2], name=name + "c"), gate(3, "o")
        kept = keep * states[1]
        cell = symbol._internal._plus(kept, enter * candidate, name=name + "state")
        output = symbol._internal._mul(leave, self._activated(cell), name=name + "out")
        return output, [output, cell]


class Gru(_Gated):
    """Gates r, z and o; the candidate reads the state behind the reset gate."""

    _gates = ("_r", "_z", "_o")

    def _step(self, i2h, h2h, states, name):
        i2h = symbol.SliceChannel(i2h, num_outputs=3, name=name + "_i2h_slice")
        h2h = symbol.SliceChannel(h2h, num_outputs=3, name=name + "_h2h_slice")
        reset, update = (symbol.Activation(i2h[k] + h2h[k], act_type="sigmoid", name="%s_%s_act" % (name, letter))
                         for k, letter in enumerate("rz"))
        candidate = self._activated(i2h[2] + reset * h2h[2], name=name + "_h_act")
        fresh = (1.0 - update) * candidate
        output = symbol._internal._plus(fresh, update * states[0], name=name + "out")
        return output, [output]


class RNNCell(Plain):
    """output = activation(W x + b + R h + c)"""

    def __init__(self, num_hidden, activation="tanh", prefix="rnn_", params=None):
        super().__init__(prefix, params)
        self._num_hidden, self._activation = num_hidden, activation
        self._variables()


class LSTMCell(Lstm):
    """Long short-term memory. The bias of the forget gate begins at forget_bias."""

    _activation = "tanh"

    def __init__(self, num_hidden, prefix="lstm_", params=None, forget_bias=1.0):
        from . import initializer
        super().__init__(prefix, params)
        self._num_hidden = num_hidden
        self._variables(i2h_bias=initializer.LSTMBias(forget_bias=forget_bias))


class GRUCell(Gru):
    """Gated recurrent unit, as cuDNN has it."""

    _activation = "tanh"
    _label = "%s_i2h", "%s_h2h"

    def __init__(self, num_hidden, prefix="gru_", params=None):
        super().__init__(prefix, params)
        self._num_hidden = num_hidden
        self._variables()

"""Cells made of cells: FusedRNNCell (the operator RNN), sequences, both directions, and cells that modify another.

Their nodes are named as MXNet names them. A cell that holds others gives their parameters as its own.
"""
from . import symbol
from .errors import SymcError
from .rnn_cell import BaseRNNCell, GRUCell, LSTMCell, RNNCell, _taken, arranged, steps_of
from .symbol import Symbol

GATES = {"rnn_relu": ("",), "rnn_tanh": ("",), "lstm": LSTMCell._gates, "gru": GRUCell._gates}


class FusedRNNCell(BaseRNNCell):
    """All layers and directions by one node, whose parameters are one vector. It has no single steps."""

    def __init__(self, num_hidden, num_layers=1, mode="lstm", bidirectional=False, dropout=0., get_next_state=False,
                 forget_bias=1.0, prefix=None, params=None):
        from . import initializer
        if mode not in GATES:
            raise ValueError("mode is %r, needs %s" % (mode, ", ".join(GATES)))
        super().__init__("%s_" % mode if prefix is None else prefix, params)
        self._num_hidden, self._num_layers, self._mode = num_hidden, num_layers, mode
        self._bidirectional, self._dropout, self._get_next_state = bidirectional, dropout, get_next_state
        self._directions = ["l", "r"] if bidirectional else ["l"]
        init = initializer.FusedRNN(None, num_hidden, num_layers, mode, bidirectional, forget_bias)
        self._parameter = self.params.get("parameters", init=init)

    @property
    def state_info(self):
        shape = (len(self._directions) * self._num_layers, 0, self._num_hidden)
        return [{"shape": shape, "__layout__": "LNC"} for _ in range(2 if self._mode == "lstm" else 1)]

    @property
    def _gate_names(self):
        return GATES[self._mode]

    def _layers(self, inputs):
        """(name, shape) of each gate's arrays in the order in which the vector has them: all weights, then all biases.
        `inputs`: how many inputs a step has."""
        hidden, directions = self._num_hidden, self._directions
        for kind in ("weight", "bias"):
            for layer in range(self._num_layers):
                wide = inputs if layer == 0 else len(directions) * hidden
                for direction in directions:
                    for product, width in (("i2h", wide), ("h2h", hidden)):
                        for gate in self._gate_names:
                            yield ("%s%s%d_%s%s_%s" % (self._prefix, direction, layer, product, gate, kind),
                                   (hidden, width) if kind == "weight" else (hidden,))

    def _split(self, vector, inputs):
        """{name: part of the vector}."""
        parts, at = {}, 0
        for name, shape in self._layers(inputs):
            count = shape[0] * (shape[1] if len(shape) > 1 else 1)
            parts[name] = vector[at:at + count].reshape(shape)
            at += count
        if at != vector.size:
            raise ValueError("parameter '%s' has %d elements, needs %d" % (self._parameter.name, vector.size, at))
        return parts

    def _inputs_of(self, count):
        """How many inputs a step has where the vector has `count` elements."""
        rows = self._num_hidden * len(self._gate_names) * len(self._directions)
        deeper = self._num_hidden * (len(self._directions) + 1) + 2
        return count // rows - (self._num_layers - 1) * deeper - self._num_hidden - 2

    def unpack_weights(self, args):
        args = dict(args)
        vector = _taken(args, self._parameter.name)
        args.update({name: part.copy() for name, part in self._split(vector, self._inputs_of(vector.size)).items()})
        return args

    def pack_weights(self, args):
        from . import ndarray
        args = dict(args)
        first = "%sl0_i2h%s_weight" % (self._prefix, self._gate_names[0])
        if first not in args:
            raise ValueError("parameter '%s' of the cell is not given" % first)
        inputs = args[first].shape[1]
        count = sum(shape[0] * (shape[1] if len(shape) > 1 else 1) for _, shape in self._layers(inputs))
        vector = ndarray.zeros((count,), dtype=args[first].dtype)
        for name, part in self._split(vector, inputs).items():
            part[...] = _taken(args, name)
        args[self._parameter.name] = vector
        return args

    def __call__(self, inputs, states):
        raise SymcError("FusedRNNCell has no single steps: use unroll, or unfuse() for cells that have")

    def unroll(self, length, inputs, begin_state=None, layout="NTC", merge_outputs=None):
        """As of every cell. The states are empty without get_next_state."""
        self.reset()
        axis = layout.find("T")
        if axis not in (0, 1):
            raise ValueError("layout is '%s', needs NTC or TNC" % layout)
        inputs = arranged(inputs, length, layout, True)
        if axis == 1:  # the node's steps come first
            inputs = symbol.swapaxes(inputs, dim1=0, dim2=1)
        states = self.begin_state() if begin_state is None else begin_state
        made = symbol.RNN(data=inputs, parameters=self._parameter, state_size=self._num_hidden,
                          num_layers=self._num_layers, bidirectional=self._bidirectional, p=self._dropout,
                          state_outputs=self._get_next_state, mode=self._mode, name=self._prefix + "rnn",
                          **dict(zip(("state", "state_cell"), states[:len(self.state_info)])))
        outputs, states = made, []
        if self._get_next_state:
            outputs, *states = list(made)
            for each in states:
                each._set_attr(__layout__="LNC")
        if axis == 1:
            outputs = symbol.swapaxes(outputs, dim1=0, dim2=1)
        return arranged(outputs, length, layout, merge_outputs), states

    def unfuse(self):
        """A SequentialRNNCell that computes the same; unpack_weights here and pack_weights there bring the weights."""
        def cell(direction, layer):
            prefix = "%s%s%d_" % (self._prefix, direction, layer)
            if self._mode.startswith("rnn_"):
                return RNNCell(self._num_hidden, activation=self._mode[4:], prefix=prefix)
            return {"lstm": LSTMCell, "gru": GRUCell}[self._mode](self._num_hidden, prefix=prefix)
        stack = SequentialRNNCell()
        for layer in range(self._num_layers):
            cells = [cell(direction, layer) for direction in self._directions]
            stack.add(cells[0] if len(cells) == 1 else
                      BidirectionalCell(*cells, output_prefix="%sbi_l%d_" % (self._prefix, layer)))
            if self._dropout > 0 and layer + 1 < self._num_layers:
                stack.add(DropoutCell(self._dropout, prefix="%s_dropout%d_" % (self._prefix, layer)))
        return stack


class _Several(BaseRNNCell):
    """Cells whose states stand one after the other."""

    def _take(self, cells, what):
        """The parameters of cells are these, too; those that this cell was given go to the cells."""
        for each in cells:
            if self._override_cell_params:
                if not each._own_params:
                    raise ValueError("params are given to %s and to a cell of it, needs one of the two" % what)
                each.params._params.update(self.params._params)
            self.params._params.update(each.params._params)

    @property
    def state_info(self):
        return [info for each in self._cells for info in each.state_info]

    def begin_state(self, **kwargs):
        self._refuse_modified()
        return [state for each in self._cells for state in each.begin_state(**kwargs)]

    def unpack_weights(self, args):
        for each in self._cells:
            args = each.unpack_weights(args)
        return args

    def pack_weights(self, args):
        for each in self._cells:
            args = each.pack_weights(args)
        return args

    def _shares(self, states):
        """Each cell with its states."""
        at = 0
        for each in self._cells:
            count = len(each.state_info)
            yield each, states[at:at + count]
            at += count


class SequentialRNNCell(_Several):
    """Cells one above the other."""

    def __init__(self, params=None):
        super().__init__("", params)
        self._override_cell_params = params is not None
        self._cells = []

    def add(self, cell):
        self._cells.append(cell)
        self._take([cell], "SequentialRNNCell")

    def __call__(self, inputs, states):
        self._counter += 1
        made = []
        for cell, own in self._shares(states):
            inputs, own = cell(inputs, own)
            made += own
        return inputs, made

    def unroll(self, length, inputs, begin_state=None, layout="NTC", merge_outputs=None):
        self.reset()
        made, states = [], self.begin_state() if begin_state is None else begin_state
        for cell, own in self._shares(states):
            merge = merge_outputs if cell is self._cells[-1] else None
            inputs, own = cell.unroll(length, inputs=inputs, begin_state=own, layout=layout, merge_outputs=merge)
            made += own
        return inputs, made


class BidirectionalCell(_Several):
    """One cell from the first step on and one from the last; outputs are both along channels."""

    def __init__(self, l_cell, r_cell, params=None, output_prefix="bi_"):
        super().__init__("", params)
        self._output_prefix = output_prefix
        self._override_cell_params = params is not None
        self._cells = [l_cell, r_cell]
        self._take(self._cells, "BidirectionalCell")

    def __call__(self, inputs, states):
        raise SymcError("BidirectionalCell has no single steps: use unroll")

    def unroll(self, length, inputs, begin_state=None, layout="NTC", merge_outputs=None):
        """As of every cell; the states are two lists, as in MXNet."""
        self.reset()
        axis = layout.find("T")
        inputs = arranged(inputs, length, layout, False)
        given = self.begin_state() if begin_state is None else begin_state
        sides, states = [], []
        for (cell, own), sequence in zip(self._shares(given), (inputs, list(reversed(inputs)))):
            outputs, own = cell.unroll(length, inputs=sequence, begin_state=own, layout=layout,
                                       merge_outputs=merge_outputs)
            sides.append(outputs)
            states.append(own)
        if merge_outputs is None:
            merge_outputs = all(isinstance(each, Symbol) for each in sides)
        if merge_outputs:
            left, right = sides
            return symbol.Concat(left, symbol.reverse(right, axis=axis), dim=2, name=self._output_prefix + "out"), states
        left, right = (list(symbol.SliceChannel(each, axis=axis, num_outputs=length, squeeze_axis=1))
                       if isinstance(each, Symbol) else each for each in sides)
        return [symbol.Concat(one, other, dim=1, name="%st%d" % (self._output_prefix, step))
                for step, (one, other) in enumerate(zip(left, reversed(right)))], states


class DropoutCell(BaseRNNCell):
    """Dropout between cells; prediction computes nothing for it."""

    def __init__(self, dropout, prefix="dropout_", params=None):
        super().__init__(prefix, params)
        if isinstance(dropout, bool) or not isinstance(dropout, (int, float)):
            raise TypeError("dropout is a number, got %r" % (dropout,))
        self.dropout = dropout

    @property
    def state_info(self):
        return []

    def __call__(self, inputs, states):
        return symbol.Dropout(data=inputs, p=self.dropout) if self.dropout > 0 else inputs, states

    def unroll(self, length, inputs, begin_state=None, layout="NTC", merge_outputs=None):
        self.reset()
        inputs = arranged(inputs, length, layout, merge_outputs)
        if isinstance(inputs, Symbol):
            return self(inputs, [])
        return super().unroll(length, inputs, begin_state, layout, merge_outputs)


class ModifierCell(BaseRNNCell):
    """Base class of cells that modify another, whose parameters and states are theirs."""

    def __init__(self, base_cell):
        super().__init__()
        base_cell._modified = True
        self.base_cell = base_cell

    @property
    def params(self):
        self._own_params = False
        return self.base_cell.params

    @property
    def state_info(self):
        return self.base_cell.state_info

    def _unmodified(self, call, *args, **kwargs):
        """A call of the base cell, which others may not make."""
        self.base_cell._modified = False
        try:
            return call(*args, **kwargs)
        finally:
            self.base_cell._modified = True

    def begin_state(self, init_sym=None, **kwargs):
        self._refuse_modified()
        return self._unmodified(self.base_cell.begin_state, kwargs.pop("func", init_sym) or symbol.zeros, **kwargs)

    def unpack_weights(self, args):
        return self.base_cell.unpack_weights(args)

    def pack_weights(self, args):
        return self.base_cell.pack_weights(args)


class ZoneoutCell(ModifierCell):
    """Outputs and states that training keeps from the step before by these probabilities; prediction takes all new
    ones."""

    def __init__(self, base_cell, zoneout_outputs=0., zoneout_states=0.):
        if isinstance(base_cell, (FusedRNNCell, BidirectionalCell)) or any(
                isinstance(each, BidirectionalCell) for each in getattr(base_cell, "_cells", ())):
            raise TypeError("ZoneoutCell needs a cell with single steps, got %s; put it around the cells inside" %
                            type(base_cell).__name__)
        super().__init__(base_cell)
        self.zoneout_outputs, self.zoneout_states, self.prev_output = zoneout_outputs, zoneout_states, None

    def reset(self):
        super().reset()
        self.prev_output = None

    @staticmethod
    def _chosen(probability, new, old):
        kept = symbol.Dropout(symbol.ones_like(new), p=probability)
        return symbol.where(kept, new, old)

    def __call__(self, inputs, states):
        output, made = self.base_cell(inputs, states)
        before = self.prev_output if self.prev_output is not None else symbol.zeros((0, 0))
        if self.zoneout_outputs:
            output = self._chosen(self.zoneout_outputs, output, before)
        if self.zoneout_states:
            made = [self._chosen(self.zoneout_states, new, old) for new, old in zip(made, states)]
        self.prev_output = output
        return output, made


class ResidualCell(ModifierCell):
    """Adds the inputs to the outputs."""

    def __call__(self, inputs, states):
        output, states = self.base_cell(inputs, states)
        return self._sum(output, inputs), states

    @staticmethod
    def _sum(output, inputs):
        return symbol.elemwise_add(output, inputs, name="%s_plus_residual" % output.name)

    def unroll(self, length, inputs, begin_state=None, layout="NTC", merge_outputs=None):
        self.reset()
        outputs, states = self._unmodified(self.base_cell.unroll, length, inputs=inputs, begin_state=begin_state,
                                           layout=layout, merge_outputs=merge_outputs)
        merge = isinstance(outputs, Symbol) if merge_outputs is None else bool(merge_outputs)
        inputs = arranged(inputs, length, layout, merge)
        if merge:
            return self._sum(outputs, inputs), states
        return [self._sum(output, each) for output, each in zip(outputs, inputs)], states

"""A graph while it is drawn: entries with values, and nodes put on top of them.

Runs inside MXNet's process. Every node is evaluated alone as soon as it is drawn, so that each entry's value is
known: recipes request tensors "of rank 4" or "positive" and get an entry of the graph that is so, or a new
variable. A node that MXNet refuses raises Refused and leaves the graph as it was.
"""
import json

import mxnet as mx
import numpy as np

import conformance_case
import make_conformance

EXTENTS = (1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 19, 23, 31, 32, 33)
FLOATS = ("float32",) * 12 + ("float64",) * 2 + ("float16",)
NUMBERS = FLOATS + ("int32", "int32", "int64", "int8", "uint8")
MOST_ELEMENTS = 3000
LARGEST = 1e4  # of intermediate values


class Refused(Exception):
    """MXNet does not take the node, or its result is of no use to other nodes."""

    def __init__(self, why, symbol=None, arrays=None):
        super().__init__(why)
        self.symbol, self.arrays = symbol, arrays


def last_line(problem):
    """What MXNet prints, without the stack before it."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("MXNetError", "Error in operator"))]
    return (errors or lines or [type(problem).__name__])[-1]


class Entry:
    def __init__(self, symbol, value):
        self.symbol, self.value, self.used = symbol, value, False

    shape = property(lambda self: self.value.shape)
    rank = property(lambda self: self.value.ndim)
    dtype = property(lambda self: str(self.value.dtype))


def fits(value, kind):
    """Whether values are what the kind of make_conformance.draw promises."""
    number = value.astype(np.float64)
    if not number.size or not np.isfinite(number).all():
        return False
    low, high = number.min(), number.max()
    if kind == "normal":
        return max(-low, high) < 60
    if kind == "positive":
        return low > 0.02 and high < 1e3
    if kind == "unit":
        return max(-low, high) < 0.97
    if kind == "above1":
        return low > 1.01 and high < 1e3
    if kind == "distinct":
        gaps = np.diff(np.sort(number.ravel()))
        return not gaps.size or gaps.min() > 1e-4 * max(1.0, high, -low)
    whole = (number == np.rint(number)).all()
    if kind == "zeroone":
        return whole and low >= 0 and high <= 1
    if kind.startswith("ints:"):
        least, most = map(int, kind[5:].split(","))
        return whole and low >= least and high < most
    raise ValueError(kind)


class Drawing:
    def __init__(self, rng, table, ready, repeat=0.0):
        """`ready`: the share of operands that are taken from the graph where one fits; `repeat`: that of nodes with
        several operands that are alike, of which two to four become one value."""
        self.rng, self.table, self.ready, self.repeat = rng, table, ready, repeat
        self.entries, self.variables, self.states, self.operators = [], {}, {}, []
        self.count, self.whole, self.given = 0, None, ()

    # Chance, all from the one generator.
    def number(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def pick(self, values):
        return values[int(self.rng.integers(len(values)))]

    def chance(self, share):
        return bool(self.rng.random() < share)

    def real(self, low, high):
        """A multiple of 1/64: MXNet reads other decimal fractions with an error of one ULP."""
        return max(np.ceil(low * 64), np.rint(self.rng.uniform(low, high) * 64)) / 64

    def float_type(self):
        return self.pick(FLOATS)

    def number_type(self):
        return self.pick(NUMBERS)

    def shape(self, rank=None, low=1, most=MOST_ELEMENTS):
        rank = self.number(1, 5) if rank is None else rank
        shape = [max(low, self.pick(EXTENTS)) for _ in range(rank)]
        while np.prod(shape) > most and max(shape) > low:
            largest = int(np.argmax(shape))
            shape[largest] = max(low, shape[largest] // 2)
        return tuple(shape)

    def axis(self, rank):
        return self.number(-rank, rank - 1)

    def axes(self, rank):
        """Some different axes, in order."""
        count = self.number(1, rank)
        return tuple(sorted(int(a) for a in self.rng.permutation(rank)[:count]))

    # Operands.
    def variable(self, value, weight=False):
        """`weight`: its name is that of a parameter (oracle.write makes inputs of most that begin with v)."""
        name = "%s%d" % ("w" if weight else "v", len(self.variables))
        self.variables[name] = np.asarray(value)
        entry = Entry(mx.sym.Variable(name), self.variables[name])
        self.entries.append(entry)
        return entry

    def new(self, **wanted):
        """A variable that no other node reads."""
        ready, self.ready = self.ready, 0.0
        try:
            return self.tensor(**wanted)
        finally:
            self.ready = ready

    def tensor(self, shape=None, rank=None, dtype=None, kind="normal", low=1, most=MOST_ELEMENTS, test=None):
        """An entry of the graph that is as requested, or a new variable."""
        if self.chance(self.ready):
            ranks = rank if isinstance(rank, (tuple, list)) else (rank,)
            found = [entry for entry in self.entries
                     if (shape is None or entry.shape == tuple(shape)) and (rank is None or entry.rank in ranks)
                     and entry.rank and min(entry.shape) >= low and entry.value.size <= most
                     and (dtype is None and entry.value.dtype.kind == "f" or entry.dtype == dtype)
                     and fits(entry.value, kind) and (test is None or test(entry))]
            if found:
                late = max(0, len(found) - 1 - int(abs(self.rng.standard_normal()) * 2))
                return found[late]
        for _ in range(100):
            drawn = shape
            if drawn is None:
                drawn = self.shape(self.pick(list(rank)) if isinstance(rank, (tuple, list)) else rank, low, most)
            spec = conformance_case.T(*drawn, kind=kind, dtype=dtype or self.float_type())
            if "int" in spec.dtype and kind == "normal":
                spec = spec._replace(kind="ints:0,12" if spec.dtype == "uint8" else "ints:-9,10")
            entry = Entry(None, np.asarray(make_conformance.draw(spec, self.rng)))
            if test is None or test(entry):
                return self.variable(entry.value)
        raise Refused("no operand fits")

    # Nodes.
    def mutate(self, op, attrs):
        """Now and then one parameter takes another value that the table declares."""
        choices = [p for p in self.table.get(op, ()) if p.type in ("enum", "bool") or p.low is not None]
        if not choices or not self.chance(0.12):
            return attrs
        parameter = self.pick(choices)
        if (op, parameter.name) in NEVER_MUTATED or parameter.name.startswith("num_"):
            return attrs
        if parameter.values:
            value = self.pick(parameter.values)
        elif parameter.type == "bool":
            value = self.chance(0.5)
        else:
            high = parameter.high if parameter.high is not None else parameter.low + 6
            value = self.real(parameter.low, high) if parameter.type == "float" else self.number(int(parameter.low), int(high))
        return {**attrs, parameter.name: value}

    def node(self, op, *inputs, mutable=True, **attrs):
        """A node on entries; `named` in attrs: {operand: entry} where optional ones are left out between others."""
        named = attrs.pop("named", None)
        attrs = {key: value for key, value in attrs.items() if value is not None}
        if mutable:
            attrs = self.mutate(op, attrs)
        function, name = make_conformance.find_operator(CALLED.get(op, op)), self.name(op)

        def compose(symbols):
            if named:
                return function(name=name, **dict(zip(named, symbols)), **attrs)
            return function(*symbols, name=name, **attrs)
        return self.compose(op, list(named.values()) if named else list(inputs), compose)

    def name(self, op):
        self.count += 1
        return "%s_%d" % (op.strip("_").lower(), self.count)

    def repeated(self, inputs):
        """The operands with two to four that are alike made one, some by way of a node that passes it on; or None."""
        likes = {}
        for place, entry in enumerate(inputs):
            likes.setdefault((entry.shape, entry.dtype), []).append(place)
        groups = [group for group in likes.values() if len(group) > 1]
        if not groups or not self.chance(self.repeat):
            return None
        group = self.pick(groups)
        places = [int(place) for place in self.rng.permutation(group)[:self.number(2, 4)]]
        inputs, value = list(inputs), inputs[places[0]]
        for place in places[1:]:
            passing = self.pick((None, None, None, mx.sym.identity, mx.sym.BlockGrad, mx.sym.Dropout))
            inputs[place] = Entry(passing(value.symbol), value.value) if passing else value
            value.used = True
        return inputs

    def compose(self, op, inputs, function):
        """A node (or more) made by `function` of symbols, of repeated operands where MXNet takes them."""
        other = self.repeated(inputs)
        if other:
            try:
                return self.compose_of(op, other, function)
            except Refused:
                pass
        return self.compose_of(op, inputs, function)

    def compose_of(self, op, inputs, function):
        """The node on these operands; evaluated alone first."""
        given = {"in%d" % i: entry.value for i, entry in enumerate(inputs)}
        arrays, single = given, None
        try:
            single = function([mx.sym.Variable(name) for name in given])
            parameters, states = make_conformance.draw_parameters(single, given, self.rng)
            if not all(value.size and value.ndim for value in [*parameters.values(), *states.values()]):
                raise ValueError("MXNet does not find the shape of a parameter")  # it would write beside the array
            arrays = {**given, **parameters}
            values, _ = make_conformance.evaluate(single, arrays, states)
            symbol = function([entry.symbol for entry in inputs])
        except (mx.MXNetError, TypeError, ValueError, NotImplementedError) as problem:
            raise Refused(last_line(problem), single, arrays) from None
        for value in values:
            number = value.astype(np.float64) if value.dtype.kind == "f" else np.zeros(1)
            good = value.size and np.isfinite(number).all() and np.abs(number).max() < LARGEST
            if not good and (len(self.operators) > 0 or not value.size):
                raise Refused("a result that is not finite, large or empty")
        self.variables.update(parameters)
        self.states.update(states)
        self.operators.append(op)
        for entry in inputs:
            entry.used = True
        made = [Entry(symbol[i], value) for i, value in enumerate(values)]
        self.entries += made
        return made

    def update(self, op, inputs, states, shape=None, **attrs):
        """A node whose operands `states` (names) it changes, as a file holds it: MXNet's functions do not compose
        update steps. `inputs`: {operand: new variable}; `order` names all operands where the states are not last;
        `shape`: that of the states, where it is not that of the first operand."""
        order = attrs.pop("order", (*inputs, *states))
        attrs, name = self.mutate(op, attrs), self.name(op)
        shape = shape or next(iter(inputs.values())).shape

        def compose(symbols):
            graph = json.loads(mx.sym.Group(symbols).tojson())
            nodes, heads, places = graph["nodes"], graph["heads"], {}
            for operand, head in zip(inputs, heads):
                places[operand] = head
            for state in states:
                places[state] = [len(nodes), 0, 0]
                nodes.append({"op": "null", "name": "%s_%s" % (name, state), "inputs": [],
                              "attrs": {"__shape__": str(shape)}})
            nodes.append({"op": op, "name": name, "attrs": {key: str(value) for key, value in attrs.items()},
                          "inputs": [places[operand] for operand in order]})
            graph["heads"] = [[len(nodes) - 1, 0, 0]]
            graph["arg_nodes"] = [i for i, node in enumerate(nodes) if node["op"] == "null"]
            graph["node_row_ptr"] = list(range(len(nodes) + 1))
            return mx.sym.load_json(json.dumps(graph))
        return self.compose_copied(op, list(inputs.values()), compose)

    def compose_copied(self, op, inputs, function):
        """compose() where the function's result is a copy of the graph: no other node may name its variables."""
        made = self.compose_of(op, inputs, function)
        self.entries = [entry for entry in self.entries if entry not in inputs]
        return made

    def vary(self, op, case):
        """The graph becomes that of a conformance case, with values and, half of the time, extents of its own."""
        extents, other = {}, self.chance(0.5)
        def extent(number):
            return extents.setdefault(number, self.pick(EXTENTS[:14])) if other else number
        try:
            specs = {name: spec if isinstance(spec, np.ndarray) else spec._replace(shape=tuple(map(extent, spec.shape)))
                     for name, spec in case.inputs.items()}
            arrays = {name: np.asarray(make_conformance.draw(spec, self.rng)) for name, spec in specs.items()}
            self.whole, _ = make_conformance.build(case)
            parameters, states = make_conformance.draw_parameters(self.whole, arrays, self.rng)
            values, _ = make_conformance.evaluate(self.whole, {**arrays, **parameters}, states)
            if not all(value.size for value in values):
                raise ValueError("a result without elements")
        except (mx.MXNetError, TypeError, ValueError, NotImplementedError) as problem:
            raise Refused(last_line(problem)) from None
        self.given, self.operators = tuple(arrays), [op]
        self.variables.update(arrays, **parameters)
        self.states.update(states)

    def symbol(self):
        """The graph: what no node reads is a result, and sometimes an entry that one does."""
        if self.whole is not None:
            return self.whole
        made = [entry for entry in self.entries if entry.symbol.get_internals().list_outputs()
                and entry.symbol.name not in self.variables]
        heads = [entry for entry in made if not entry.used][-4:] or made[-1:]
        if len(made) > 2 and self.chance(0.2):
            extra = self.pick(made)
            heads += [extra] if extra not in heads else []
        return heads[0].symbol if len(heads) == 1 else mx.sym.Group([entry.symbol for entry in heads])


# Operators whose function has another name.
CALLED = {"_np_cumsum": "cumsum"}
# Values that change what a graph is: random numbers, or operands that it does not have. Of LayerNorm MXNet leaves the
# statistics unwritten where nothing reads its first result.
NEVER_MUTATED = {("LayerNorm", "output_mean_var"), ("Dropout", "mode"), ("Dropout", "p"), ("RNN", "p"), ("RNN", "mode"), ("LeakyReLU", "act_type"),
                 ("Crop", "num_args"), ("argmax_channel", "keepdims"), ("_split_v2", "sections"), ("_image_flip_left_right", "axis"),
                 ("_image_flip_top_bottom", "axis")}

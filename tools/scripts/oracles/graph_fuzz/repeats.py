"""Graphs in which one value is several operands of a node, for mutate_graphs.py --repeat.

Each is made of a conformance case around one operator that takes several tensors: two to four of its operands become
one value, some of them by way of a node that passes it on, of an equal node, or as parts of it. In front of it stands
a layer more often than not, so that the value lies in blocks of channels; behind it another node that takes it, too.
Extents of operands that are alike become those of images with channels that fill blocks, and that do not. Now and
then the value is a result as well, a result is named twice, or the batch is open.
"""
import copy

import numpy as np

from graph_fuzz.mutations import RANDOM, Mutant, attributes_of, shift

# How many operands a node has, where it takes any number.
COUNTS = ("num_args", "num_inputs", "num_arrays", "num_tensors")
SHAPES = ((2, 8, 5, 4), (1, 3, 6, 7), (2, 16, 4, 4), (1, 20, 5, 3), (3, 32, 3, 4), (2, 24, 1, 9), (1, 48, 2, 2),
          (2, 16, 9), (2, 5, 8), (3, 4, 4), (4, 4), (2, 7), (1, 16, 3, 4, 5))
USUAL = ("Concat", "add_n", "elemwise_add", "broadcast_add", "broadcast_maximum", "elemwise_mul", "where", "stack",
         "batch_dot", "dot", "_npi_concatenate")
PASSING = ("_copy", "BlockGrad", "Dropout")
# They change an operand, read it as addresses of others, or as random numbers.
LEFT_OUT = RANDOM + ("update", "Custom", "_sparse", "reset_arrays", "multi_all_finite")


class Around:
    """Nodes in front of node `at` of a mutant's graph."""

    def __init__(self, mutant, at):
        self.mutant, self.at = mutant, at

    def put(self, node):
        graph = self.mutant.graph
        shift(graph, self.at, 1)
        graph["nodes"].insert(self.at, node)
        self.at += 1
        return [self.at - 1, 0, 0]

    def weight(self, name, array):
        self.mutant.arrays["arg:" + name] = array
        entry = self.put({"op": "null", "name": name, "inputs": []})
        graph = self.mutant.graph
        graph["arg_nodes"] = sorted(graph["arg_nodes"] + [entry[0]])
        return entry

    def operator(self, op, name, inputs, **attrs):
        return self.put({"op": op, "name": name, "inputs": [list(entry) for entry in inputs],
                         "attrs": {key: str(value) for key, value in attrs.items()}})

    def again(self, entry, name):
        """An equal node, which the compiler makes one of."""
        node = copy.deepcopy(self.mutant.graph["nodes"][entry[0]])
        if node["op"] == "null":
            return entry
        node["name"] = name
        return self.put(node)[:1] + list(entry[1:])


def variables_of(case, node):
    """{position: key} of operands that are variables with values, states apart."""
    found = {}
    for position, entry in enumerate(node["inputs"]):
        other = case.graph["nodes"][entry[0]]
        for kind in ("data:", "arg:"):
            if other["op"] == "null" and kind + other["name"] in case.arrays:
                found[position] = kind + other["name"]
    return found


def count_of(node):
    """The parameter that counts the operands of a node, or None."""
    attrs = attributes_of(node)
    return next((name for name in COUNTS if str(attrs.get(name)) == str(len(node["inputs"]))), None)


def takes_several(case, node):
    if node["op"] == "null" or any(word in node["op"] for word in LEFT_OUT) or "subgraphs" in node:
        return False
    variables = variables_of(case, node)
    return len(variables) > 1 or bool(variables and count_of(node))


def operators(cases):
    """{operator: cases with a node of it that takes several tensors}."""
    found = {}
    for case in cases:
        for op in sorted({node["op"] for node in case.graph["nodes"] if takes_several(case, node)}):
            found.setdefault(op, []).append(case)
    return found


def groups_of(case, variables):
    """Positions of operands that are alike, in groups of several."""
    groups = {}
    for position, key in sorted(variables.items()):
        groups.setdefault((case.arrays[key].shape, str(case.arrays[key].dtype)), []).append(position)
    return [group for group in groups.values() if len(group) > 1]


def choose(case, variables, draw):
    """Positions of operands that are alike, or any two."""
    several = groups_of(case, variables)
    if several:
        return draw.choice(several)
    positions = sorted(variables)
    return sorted(draw.sample(positions, min(len(positions), 2)))


def reshape(mutant, keys, draw):
    """Other extents for the arrays `keys`, which have one shape."""
    shape = draw.choice(SHAPES)
    for key in keys:
        mutant.arrays[key] = np.resize(mutant.arrays[key], shape)
    mutant.changes.append("extents %s" % (shape,))


def layer(around, entry, array, rng, draw):
    """A layer in front of the value, whose result has its shape; the value where there is none."""
    shape, channels = array.shape, array.shape[1] if array.ndim > 1 else 0
    if str(array.dtype) != "float32" or not 2 <= array.ndim <= 5 or not array.size or draw.random() < 0.25:
        return entry
    number = around.at

    def weights(*extents):
        values = rng.standard_normal(extents) / np.sqrt(np.prod(extents[1:]) or 1)
        return values.astype("float32")
    if array.ndim == 2:
        inputs = [entry, around.weight("before%d_weight" % number, weights(channels, channels))]
        entry = around.operator("FullyConnected", "before%d" % number, inputs, num_hidden=channels, no_bias=True)
    else:
        extent = draw.choice([1, 3])
        kernel = (extent,) * (array.ndim - 2)
        inputs = [entry, around.weight("before%d_weight" % number, weights(channels, channels, *kernel)),
                  around.weight("before%d_bias" % number, weights(channels))]
        entry = around.operator("Convolution", "before%d" % number, inputs, num_filter=channels, kernel=kernel,
                                pad=(extent // 2,) * len(kernel))
    if draw.random() < 0.5:
        entry = around.operator("Activation", "bent%d" % number, [entry], act_type=draw.choice(["relu", "tanh", "sigmoid"]))
    around.mutant.changes.append("a layer over %s" % (shape,))
    return entry


def pass_on(around, entry, array, draw):
    """The value as an operand: itself, by way of another node, or that of an equal node."""
    chance, name = draw.random(), "passed%d" % around.at
    if chance < 0.45:
        return entry
    if chance < 0.8:
        return around.operator(draw.choice(PASSING), name, [entry])
    if chance < 0.9:
        return around.again(entry, name)
    if array.ndim < 2 or array.shape[1] < 2:
        return entry
    middle = draw.randrange(1, array.shape[1])
    parts = [around.operator("slice_axis", name + part, [entry], axis=1, begin=begin, end=end)
             for part, begin, end in (("first", 0, middle), ("second", middle, "None"))]
    return around.operator("Concat", name, parts, num_args=2, dim=1)


def follow(mutant, number, entry, draw):
    """The node's result and the value, twice again, joined or added."""
    graph = mutant.graph
    count = len(graph["nodes"])
    op = draw.choice(["Concat", "add_n", "elemwise_add"])
    inputs = [[number, 0, 0], list(entry), [number, 0, 0]][:2 if op == "elemwise_add" else 3]
    attrs = {} if op == "elemwise_add" else {"num_args": str(len(inputs))}
    graph["nodes"].append({"op": op, "name": "behind%d" % count, "inputs": inputs, "attrs": attrs})
    graph["heads"] = [[count, 0, 0] if head[0] == number and head[1] == 0 else head for head in graph["heads"]]
    mutant.changes.append("%s behind it" % op)


def change_heads(mutant, entry, draw):
    chance, heads = draw.random(), mutant.graph["heads"]
    if chance < 0.2:
        heads.append(list(entry))
        mutant.changes.append("the value is a result")
    elif chance < 0.35:
        heads.append(list(draw.choice(heads)))
        mutant.changes.append("a result twice")


def open_batch(mutant, keys, draw):
    """The first extent of the arrays as a range."""
    inputs = [key[5:] for key in keys if key.startswith("data:") and mutant.arrays[key].ndim]
    if not inputs or len(inputs) != len(keys) or draw.random() >= 0.25:
        return
    extent = mutant.arrays["data:" + inputs[0]].shape[0]
    if not extent:
        return
    mutant.open = [[name, 0, 1, extent + 2, "n"] for name in inputs]
    mutant.sizes = [[size] * len(inputs) for size in sorted({1, extent, extent + 2})]


def fits(case, op):
    """Whether a node of the operator has operands that can be one value: alike, or of any number."""
    return any(node["op"] == op and takes_several(case, node) and
               (count_of(node) or groups_of(case, variables_of(case, node))) for node in case.graph["nodes"])


def drop_unread(mutant):
    """Arrays of variables that no result reads any more."""
    nodes, reached = mutant.graph["nodes"], {head[0] for head in mutant.graph["heads"]}
    for number in range(len(nodes) - 1, -1, -1):
        if number in reached:
            reached |= {entry[0] for entry in nodes[number].get("inputs", [])}
    read = {nodes[number]["name"] for number in reached}
    mutant.arrays = {key: array for key, array in mutant.arrays.items() if key.split(":", 1)[1] in read}


def make(number, found, draw):
    """Graph `number` around one of the operators of operators(), and the case that it is made of."""
    op = sorted(found)[number % len(found)]
    fitting = [case for case in found[op] if fits(case, op)]
    if not fitting and draw.random() < 0.8:  # most of these graphs are refused
        op = draw.choice([name for name in USUAL if name in found] or [op])
        fitting = [case for case in found[op] if fits(case, op)]
    case = draw.choice(fitting or found[op])
    mutant = Mutant(case, draw)
    rng = np.random.default_rng(draw.getrandbits(32))
    at = draw.choice([i for i, node in enumerate(case.graph["nodes"]) if node["op"] == op and takes_several(case, node)])
    node, variables = mutant.graph["nodes"][at], variables_of(case, case.graph["nodes"][at])
    positions = choose(case, variables, draw)
    keys = sorted({variables[position] for position in positions})
    if len(keys) == len(variables) and draw.random() < 0.7:
        reshape(mutant, keys, draw)
    counter, wanted = count_of(node), draw.choice([2, 2, 3, 4])
    if counter:
        while len(positions) < wanted:
            positions.append(len(node["inputs"]))
            node["inputs"].append(list(node["inputs"][positions[0]]))
        attributes_of(node)[counter] = str(len(node["inputs"]))
    positions = sorted(draw.sample(positions, min(wanted, len(positions))))
    array = mutant.arrays[variables.get(positions[0], keys[0])]
    around = Around(mutant, at)
    value = layer(around, list(node["inputs"][positions[0]]), array, rng, draw)
    for position in positions:
        node["inputs"][position] = pass_on(around, value, array, draw)
    mutant.changes.append("%s: operands %s are one value" % (node["name"], positions))
    if array.ndim > 1 and draw.random() < 0.3:
        follow(mutant, around.at, value, draw)
    change_heads(mutant, value, draw)
    drop_unread(mutant)
    open_batch(mutant, [key for key in keys if key in mutant.arrays], draw)
    mutant.graph.pop("node_row_ptr", None)
    return mutant, case

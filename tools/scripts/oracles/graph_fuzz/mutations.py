"""Random changes of a conformance case, for mutate_graphs.py: of attributes, graphs, shapes, values and ranges.

A `Mutant` holds the graph, the arrays by their keys ("data:x", "arg:w") and extents that are opened. Each function
of CHANGES makes one change in place, drawn from a random.Random, and returns a few words about it, or None where
the case has nothing of that kind. No change checks whether what comes out is valid.
"""
import copy
import json

import numpy as np

from graph_fuzz.boundaries import EDGES, NUMBERS

WORDS = ("None", "nan", "", "x", "True", "False", "(1,)", "-1", "0")
DTYPES = ("float32", "float64", "float16", "uint8", "int8", "int32", "int64", "bool")
VALUES = (np.nan, np.inf, -np.inf, 0, -0.0, 1, -1, -2, 2.5, 7, 100, 255, 65504, 1e-40, 3e38, -3e38,
          2**31, -2**31 - 1, 2**53 + 2, 2**63, -2**63)
MOST_ELEMENTS = 1 << 16
RANDOM = ("random", "sample", "Dropout", "shuffle", "multinomial", "choice", "uniform", "normal", "generalized", "bernoulli")


class Mutant:
    def __init__(self, case, draw):
        self.graph, self.arrays = copy.deepcopy(case.graph), dict(case.arrays)
        self.open, self.sizes, self.draw, self.changes = [], [], draw, []

    def nodes(self):
        """(graph, number, node) of every node, those of subgraphs too."""
        graphs = [self.graph]
        for graph in graphs:
            for number, node in enumerate(graph["nodes"]):
                yield graph, number, node
                graphs += node.get("subgraphs", [])

    def operators(self):
        return [found for found in self.nodes() if found[2]["op"] != "null"]

    def readers(self):
        """Those of operators() that read something."""
        return [found for found in self.operators() if found[2].get("inputs")]

    def inputs(self):
        return sorted(key for key in self.arrays if key.startswith("data:"))


def attributes_of(node):
    for key in ("attrs", "param", "attr"):
        if key in node:
            return node[key]
    return node.setdefault("attrs", {})


def number_text(draw):
    return str(draw.choice(EDGES) if draw.random() < 0.3 else draw.randint(-3, 9))


def value_text(draw, kind, values, given):
    """The text of a value for a parameter of that type; now and then of another."""
    if draw.random() < 0.05:
        return draw.choice(WORDS)
    if kind in ("float", "double"):
        return draw.choice(NUMBERS) if draw.random() < 0.5 else "%.3g" % draw.uniform(-4, 4)
    if kind in ("int", "uint"):
        return number_text(draw)
    if kind in ("bool", "dtype", "enum"):
        return draw.choice([value.split()[0] for value in values if value] or list(DTYPES + ("True", "False")))
    parts = [part.strip() for part in (given or "").strip("()[] ").split(",") if part.strip()]
    if not parts or draw.random() < 0.2:
        parts = [number_text(draw) for _ in range(draw.randint(0, 5))]
    chance = draw.random()
    if chance < 0.6:
        place = draw.randrange(len(parts)) if parts else 0
        parts[place:place + 1] = ["None" if draw.random() < 0.1 else number_text(draw)]
    elif chance < 0.8:
        parts.insert(draw.randint(0, len(parts)), number_text(draw))
    elif parts:
        parts.pop()
    return "(%s)" % "".join(part + "," for part in parts)


def change_attribute(mutant, table, cases):
    draw = mutant.draw
    found = [(node, parameter) for _, _, node in mutant.operators() for parameter in table.get(node["op"], ())]
    if not found:
        return None
    node, parameter = draw.choice(found)
    attributes = attributes_of(node)
    if draw.random() < 0.1 and parameter.name in attributes:
        del attributes[parameter.name]
        return "%s without %s" % (node["name"], parameter.name)
    given = attributes.get(parameter.name, parameter.default)
    attributes[parameter.name] = value_text(draw, parameter.type, parameter.values, given)
    return "%s %s=%s" % (node["name"], parameter.name, attributes[parameter.name])


def change_operator(mutant, table, cases):
    node = mutant.draw.choice(mutant.operators() or [(0, 0, None)])[2]
    if not node:
        return None
    before, node["op"] = node["op"], mutant.draw.choice(sorted(table))
    other = mutant.draw.choice(cases)
    donors = [one for one in other.graph["nodes"] if one["op"] != "null"]
    if mutant.draw.random() < 0.6 and donors:
        donor = mutant.draw.choice(donors)
        node["op"] = donor["op"]
        node["attrs"] = dict(attributes_of(copy.deepcopy(donor)))
    return "%s: %s for %s" % (node["name"], node["op"], before)


def entry_of(draw, graph, number):
    """An entry that node `number` may read; now and then one that it may not."""
    chance = draw.random()
    if chance < 0.04:
        return [draw.choice([number, number + 1, len(graph["nodes"]), -1, 2**31 - 1, 2**40]), 0, 0]
    place = draw.randrange(max(number, 1))
    return [place, draw.choice([0, 0, 0, 0, 0, 0, 0, 1, 2]), draw.choice([0] * 20 + [1, -1])]


def change_edges(mutant, table, cases):
    draw = mutant.draw
    found = mutant.readers()
    if not found:
        return None
    graph, number, node = draw.choice(found)
    inputs, chance = node["inputs"], draw.random()
    place = draw.randrange(len(inputs))
    if chance < 0.6:
        inputs[place] = entry_of(draw, graph, number)
    elif chance < 0.75:
        del inputs[place]
    elif chance < 0.9:
        inputs.insert(place, entry_of(draw, graph, number))
    else:
        inputs.extend([inputs[place]] * draw.choice([1, 2, 30]))
    return "inputs of %s: %s" % (node["name"], str(inputs)[:60])


def shift(graph, start, by):
    """Makes room for `by` nodes in front of node `start`."""
    def moved(entry):
        return [entry[0] + by] + list(entry[1:]) if isinstance(entry, list) and entry[0] >= start else entry
    for node in graph["nodes"]:
        node["inputs"] = [moved(entry) for entry in node.get("inputs", [])]
        if "control_deps" in node:
            node["control_deps"] = [dep + by if dep >= start else dep for dep in node["control_deps"]]
    graph["heads"] = [moved(head) for head in graph["heads"]]
    graph["arg_nodes"] = [place + by if place >= start else place for place in graph["arg_nodes"]]
    graph.pop("node_row_ptr", None)


def wrap_entry(mutant, table, cases):
    """A node of another case, or a mask, between a node and one of its inputs."""
    draw = mutant.draw
    found = mutant.readers()
    if not found:
        return None
    graph, number, node = draw.choice(found)
    place = draw.randrange(len(node["inputs"]))
    entry = list(node["inputs"][place])
    donors = [one for one in draw.choice(cases).graph["nodes"]
              if one["op"] != "null" and len(one.get("inputs", [])) in (1, 2, 3) and "subgraphs" not in one]
    if not donors:
        return None
    donor = draw.choice(donors)
    name = "wrap%d" % len(graph["nodes"])
    shift(graph, number, 1)
    made = {"op": donor["op"], "name": name, "attrs": dict(attributes_of(copy.deepcopy(donor))),
            "inputs": [entry] + [entry if draw.random() < 0.5 else entry_of(draw, graph, number)
                                 for _ in donor["inputs"][1:]]}
    graph["nodes"].insert(number, made)
    graph["nodes"][number + 1]["inputs"][place] = [number, 0, 0]
    return "%s in front of %s" % (donor["op"], node["name"])


def add_mask(mutant, table, cases):
    """A mask behind an input, whose values decide how many rows there are."""
    draw = mutant.draw
    names = [key for key in mutant.inputs() if mutant.arrays[key].ndim and mutant.arrays[key].size]
    graph = mutant.graph
    if not names:
        return None
    key = draw.choice(names)
    places = [i for i, node in enumerate(graph["nodes"]) if node["op"] == "null" and node["name"] == key[5:]]
    if not places:
        return None
    place, kept = places[0], "kept%d" % len(graph["nodes"])
    shift(graph, place + 1, 2)
    numpy = bool(graph.get("attrs", {}).get("is_np_shape", [None, 0])[1])
    graph["nodes"][place + 1:place + 1] = [
        {"op": "null", "name": kept, "inputs": []},
        {"op": "_npi_boolean_mask" if numpy else "_contrib_boolean_mask", "name": "mask" + kept, "attrs": {},
         "inputs": [[place, 0, 0], [place + 1, 0, 0]]}]
    graph["arg_nodes"] = sorted(set(graph["arg_nodes"] + [place + 1]))
    for node in graph["nodes"][place + 3:]:
        node["inputs"] = [[place + 2] + list(entry[1:]) if entry[0] == place else entry for entry in node["inputs"]]
    rows = mutant.arrays[key].shape[0]
    share = draw.choice([0, 0, 0.3, 0.7, 1])
    mutant.arrays["data:" + kept] = np.array([draw.random() < share for _ in range(rows)], "float32")
    return "%d of %d rows of %s" % (mutant.arrays["data:" + kept].sum(), rows, key)


def change_heads(mutant, table, cases):
    draw = mutant.draw
    graph = draw.choice([found[0] for found in mutant.nodes()])
    count, chance = len(graph["nodes"]), draw.random()
    if chance < 0.5 or not graph["heads"]:
        graph["heads"].append([draw.randrange(count), draw.choice([0, 0, 0, 1, 2]), 0])
    elif chance < 0.7:
        graph["heads"][draw.randrange(len(graph["heads"]))] = [draw.randrange(count), 0, 0]
    elif chance < 0.8:
        graph["heads"].append(draw.choice([[count, 0, 0], [-1, 0, 0], [count - 1, 2**31, 0], [2**40, 0, 0]]))
    elif chance < 0.9:
        graph["heads"] = []
    else:
        graph["heads"] = graph["heads"] * draw.choice([2, 3, 40])
    return "heads %s" % str(graph["heads"])[:60]


def duplicate_node(mutant, table, cases):
    draw = mutant.draw
    graph, number, node = draw.choice(list(mutant.nodes()))
    shift(graph, number + 1, 1)
    other = copy.deepcopy(graph["nodes"][number])
    if draw.random() < 0.7:
        other["name"] += "again"
    graph["nodes"].insert(number + 1, other)
    for later in graph["nodes"][number + 2:]:
        later["inputs"] = [[number + 1] + list(entry[1:]) if entry[0] == number and draw.random() < 0.5 else entry
                           for entry in later["inputs"]]
    if node["op"] == "null":
        graph["arg_nodes"] = sorted(set(graph["arg_nodes"] + [number + 1]))
    return "%s twice" % node["name"]


def rename_node(mutant, table, cases):
    draw = mutant.draw
    found = list(mutant.nodes())
    node, other = draw.choice(found)[2], draw.choice(found)[2]
    before, node["name"] = node["name"], draw.choice([other["name"], other["name"], "", "a/../b", "x" * 3000, "\0", "é"])
    return "%s is called %s" % (before, node["name"][:20])


def change_extent(mutant, table, cases):
    draw = mutant.draw
    if not mutant.arrays:
        return None
    key = draw.choice(sorted(mutant.arrays))
    array = mutant.arrays[key]
    shape, chance = list(array.shape), draw.random()
    if shape and chance < 0.75:
        axis = draw.randrange(len(shape))
        extent = shape[axis]
        shape[axis] = draw.choice([0, 1, 1, 2, 3, max(extent - 1, 0), extent + 1, 2 * extent, extent // 2, 17])
        if draw.random() < 0.5:  # everywhere, so that it may fit
            for other in list(mutant.arrays):
                same = [shape[axis] if one == extent else one for one in mutant.arrays[other].shape]
                if other != key and np.prod(same) <= MOST_ELEMENTS:
                    mutant.arrays[other] = np.resize(mutant.arrays[other], same) if mutant.arrays[other].size \
                        else np.zeros(same, mutant.arrays[other].dtype)
    elif chance < 0.85:
        shape.insert(draw.randint(0, len(shape)), draw.choice([1, 1, 2]))
    elif shape:
        shape.pop(draw.randrange(len(shape)))
    if np.prod(shape) > MOST_ELEMENTS:
        return None
    mutant.arrays[key] = np.resize(array, shape) if array.size else np.ones(shape, array.dtype)
    return "%s: %s for %s" % (key, shape, list(array.shape))


def change_dtype(mutant, table, cases):
    if not mutant.arrays:
        return None
    key, dtype = mutant.draw.choice(sorted(mutant.arrays)), mutant.draw.choice(DTYPES)
    with np.errstate(all="ignore"):
        mutant.arrays[key] = mutant.arrays[key].astype(dtype)
    return "%s as %s" % (key, dtype)


def change_values(mutant, table, cases):
    draw = mutant.draw
    if not mutant.arrays:
        return None
    key = draw.choice(mutant.inputs() or sorted(mutant.arrays))
    array = mutant.arrays[key].copy()
    if not array.size:
        return None
    flat, chance = array.reshape(-1), draw.random()
    with np.errstate(all="ignore"):
        if chance < 0.2:
            flat[:] = np.asarray(draw.choice(VALUES)).astype(array.dtype)
        elif chance < 0.5:
            flat[:] = np.asarray([draw.randint(-9, 2 * max(array.shape or (1,)) + 2) for _ in flat]).astype(array.dtype)
        elif chance < 0.6:
            flat[:] = np.asarray([draw.choice([0, 1]) for _ in flat]).astype(array.dtype)
        else:
            for _ in range(draw.randint(1, 4)):
                flat[draw.randrange(flat.size)] = np.asarray(draw.choice(VALUES)).astype(array.dtype)
    mutant.arrays[key] = flat.reshape(array.shape)
    return "values of %s" % key


def drop_array(mutant, table, cases):
    if not mutant.arrays:
        return None
    key = mutant.draw.choice(sorted(mutant.arrays))
    array = mutant.arrays.pop(key)
    if mutant.draw.random() < 0.5:
        moved = {"data": "arg", "arg": "data", "aux": "arg"}.get(key.split(":")[0], "arg") + ":" + key.split(":", 1)[1]
        mutant.arrays[moved] = array
        return "%s as %s" % (key, moved)
    return "without %s" % key


CHANGES = ([change_attribute] * 8 + [change_extent] * 5 + [change_values] * 5 + [change_edges] * 4 + [wrap_entry] * 4 +
           [add_mask] * 3 + [change_operator] * 3 + [change_dtype] * 2 + [change_heads, duplicate_node, rename_node, drop_array])


def open_extents(mutant):
    """Opens one or two extents as ranges, and draws sizes to run at."""
    draw = mutant.draw
    if any(word in node["op"] for _, _, node in mutant.nodes() for word in RANDOM):
        return
    places = [(key[5:], axis, extent) for key in mutant.inputs()
              for axis, extent in enumerate(mutant.arrays[key].shape) if extent]
    if not places:
        return
    name, axis, extent = draw.choice(places)
    tied = draw.random() < 0.6
    chosen = [place for place in places if place[2] == extent and (place[0] != name or place[1] == axis)] if tied \
        else draw.sample(places, min(len(places), draw.choice([1, 1, 2])))
    most = draw.choice([extent, 2 * extent, 2 * extent, extent + 1, 64])
    least = draw.choice([1, 1, 1, min(2, most), extent]) if most >= extent else 1
    for one in chosen:
        mutant.open.append([one[0], one[1], least, most, "n" if tied else ""])
    sizes = [least, most, max(least, min(extent, most))] + [draw.randint(least, most)]
    if tied:
        mutant.sizes = [[size] * len(chosen) for size in sorted(set(sizes))]
    else:
        mutant.sizes = [[draw.randint(least, most) for _ in chosen] for _ in sizes] + [[least] * len(chosen)]
    mutant.changes.append("open %s at %s" % (json.dumps(mutant.open), json.dumps(mutant.sizes)))


def mutate(case, cases, table, draw, always=False):
    """A Mutant of the case: one to three changes, and a range in half of them, or in all."""
    mutant = Mutant(case, draw)
    ranged = draw.random() < 0.5 or always
    for _ in range(draw.choice([0, 1, 1, 2]) if ranged else draw.choice([1, 1, 1, 2, 2, 3])):
        words = draw.choice(CHANGES)(mutant, table, cases)
        if words:
            mutant.changes.append(words)
    if ranged:
        open_extents(mutant)
    return mutant

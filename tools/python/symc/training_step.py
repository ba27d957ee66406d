"""Step: a symbol that is computed as in training, forward and backward, on arrays whose values change from run to run.

All arguments are inputs of the compiled program, so that other values cost nothing. forward() and backward() run its two
parts: backward computes with the values and random numbers of the last forward, whatever the arrays hold by then.
"""
import json
import re

import numpy as np

from . import _runtime, loaded_models, operators
from ._part_run import PartRun, States
from .errors import SymcError

_HEAD, _GRADIENT = "head_grad:", "grad:"


def _reading_statistics(text):
    """The text of a graph in which normalisations by given statistics (use_global_stats) read copies of them: what such
    a node reads may be an input then. And the names of these statistics."""
    if "use_global_stats" not in text:
        return text, []
    graph, table, names = json.loads(text), operators.table(), []
    nodes, places = [], []  # with the copies; where each node is among them
    for node in graph["nodes"]:
        used = node.get("attrs", {}).get("use_global_stats", "False") in ("True", "true", "1")
        if used and node["op"] in table:
            for place, facts in enumerate(table[node["op"]]["inputs"]):
                source = graph["nodes"][node["inputs"][place][0]] if place < len(node["inputs"]) else None
                if facts["auxiliary"] and source is not None and source["op"] == "null":
                    names.append(source["name"])
                    nodes.append({"op": "_copy", "name": "%s_%s_copy" % (node["name"], facts["name"]),
                                  "inputs": [[places[node["inputs"][place][0]], 0, 0]]})
                    node["inputs"][place] = (len(nodes) - 1,)
        node["inputs"] = [[each[0], 0, 0] if len(each) == 1 else [places[each[0]], *each[1:]]
                          for each in node["inputs"]]
        places.append(len(nodes))
        nodes.append(node)
    graph["heads"] = [[places[each[0]], *each[1:]] for each in graph["heads"]]
    graph["arg_nodes"] = [place for place, node in enumerate(nodes) if node["op"] == "null"]
    graph.pop("node_row_ptr", None)
    return json.dumps({**graph, "nodes": nodes}), list(dict.fromkeys(names))


def _in_prediction(text):
    """The text of a graph that computes in training what this one computes in prediction."""
    graph, table = json.loads(text), operators.table()
    for node in graph["nodes"]:
        values = node.get("attrs", {})
        parameters = {each["name"] for each in table[node["op"]]["parameters"]} if node["op"] in table else ()
        if "Dropout" in node["op"] and values.get("mode") != "always":
            node["op"], node["attrs"] = "_copy", {}
        elif "use_global_stats" in parameters:
            node["attrs"] = {**values, "use_global_stats": "True"}
        elif node["op"] == "RNN":
            node["attrs"] = {**values, "p": "0"}
    return json.dumps(graph)


def draws(text):
    """Whether a node of the graph, or of a graph in it, draws random numbers."""
    table = operators.table()
    return any(table[op]["draws"] for op in set(re.findall(r'"op": "(\w+)"', text)) if op in table)


def fixed_gammas(text):
    """The arguments that normalisations take as 1 (fix_gamma): MXNet writes ones into their arrays in each run."""
    if '"op": "' not in text or "Norm" not in text:
        return []
    graph, table, names = json.loads(text), operators.table(), []
    for node in graph["nodes"]:
        facts = table.get(node["op"])
        fixes = facts and any(each["name"] == "fix_gamma" for each in facts["parameters"])
        if not fixes or node.get("attrs", {}).get("fix_gamma", "True") not in ("True", "true", "1"):
            continue
        for (place, *_), each in zip(node["inputs"], facts["inputs"]):
            source = graph["nodes"][place]
            if each["name"] == "gamma" and source["op"] == "null":
                names.append(source["name"])
    return names


def with_counted_draws(text):
    """The text of a graph in which nodes that draw, and that no script named, are counted anew. What a node draws follows
    from its name, so that a network that a script makes again draws the same numbers after the same seed."""
    if not draws(text):
        return text
    graph, table, found = json.loads(text), operators.table(), []
    for node in graph["nodes"]:
        front = re.sub(r"\d+$", "", node["name"])
        if node["op"] in table and table[node["op"]]["draws"] and front != node["name"] and front.endswith(node["op"].lower()):
            found.append((front, node))
    taken = {node["name"] for node in graph["nodes"]} - {node["name"] for _, node in found}
    for front, node in found:
        node["name"] = next(each for each in map((front + "{}").format, range(len(taken) + len(found) + 1)) if each not in taken)
        taken.add(node["name"])
    return json.dumps(graph)


class Step:
    """`arrays`: {argument: array}, and `states`, {auxiliary state: array}, for shapes and types; `wanted`: the arguments
    whose gradients backward() returns; `predict`: they are those of prediction."""

    def __init__(self, symbol, arrays, states, wanted, predict=False):
        text = with_counted_draws(symbol.tojson(remove_amp_cast=False))
        text, read = _reading_statistics(_in_prediction(text) if predict else text)
        text, names = loaded_models.with_plain_names(text, [*arrays, *states])
        given = {names[name]: each for name, each in [*arrays.items(), *((name, states[name]) for name in read)]}
        words = ["--gradients", ",".join(names[name] for name in wanted) or "all"]
        for name, each in given.items():
            if not wanted and each.dtype.kind == "f":
                words += ["--grad-req", name + "=null"]
        self._model = loaded_models.load(symbol, text, given, words, _runtime.training_threads())
        self._outputs = symbol.list_outputs()
        inputs, changed = {each.name for each in self._model.inputs}, {each.name for each in self._model.states}
        self._inputs = [(name, plain) for name, plain in names.items() if plain in inputs]
        self._states = [(name, plain) for name, plain in names.items() if plain in changed]
        plain = {_GRADIENT + names[name]: name for name in wanted}
        self._gradients = [plain.get(each.name) for each in self._model.outputs[len(self._outputs):]]
        self.heads = self._find_heads()
        model = self._model
        self._parts, self._ranks = model._library.has_gradients(), 1
        late = {model.states[i].name for i in range(len(model.states))
                if model._library.table.states[i].tensor.flags & _runtime.BACKWARD}
        self._late = [(name, plain) for name, plain in self._states if plain in late]  # which backward changes
        self._early = [each for each in self._states if each not in self._late]
        self._all_states, self._early_states, self._late_states = (
            States(model, [plain for _, plain in each]) for each in (self._states, self._early, self._late))
        if self._parts:
            self._forward = PartRun(model, "forward", {plain for _, plain in self._inputs})
            self._backward = PartRun(model, "backward", {each.name for _, each in self.heads})
            self._made = [plain[each] for each in self._backward.results]

    @property
    def model(self):
        """The compiled program, forward and backward."""
        return self._model

    def _find_heads(self):
        """(place of the output, input for its gradient) of outputs whose gradients are read."""
        found, infos = [], [each for each in self._model.inputs if each.name.startswith(_HEAD)]
        for place, name in enumerate([each.name for each in self._model.outputs[:len(self._outputs)]]):
            if infos and infos[0].name == _HEAD + name:
                found.append((place, infos.pop(0)))
        return [(place, each) for place, each in found if not each.optional]

    def _begin(self, arrays, states, seed):
        """Sets the states that a run reads, and gives its inputs."""
        if seed is not None:
            self._model.set_seed(seed)
        self._all_states.set([states[name] if name in states else arrays[name] for name, _ in self._states])
        return {plain: arrays[name] if name in arrays else states[name] for name, plain in self._inputs}

    def join(self, ranks):
        """Lets nodes take statistics over so many processes that make the same steps."""
        if self._ranks != ranks:
            self._model._join_ranks(ranks)
            self._ranks = ranks

    def forward(self, arrays, states, seed, into=None, new_states=None):
        """(outputs, {state: new value}). `seed`: of random numbers, None where none are drawn; `into`: arrays that become the
        outputs where they can, `new_states`: {state: its array}, likewise. States that backward changes are still as they
        were."""
        inputs = self._begin(arrays, states, seed)
        if not self._parts:  # no argument has a gradient
            return self._listed(self._model(**inputs)), self._new_values(self._states, self._all_states, new_states)
        made = self._forward([inputs[name] for name in self._forward.inputs], into or [None] * len(self._outputs))
        return made, self._new_values(self._early, self._early_states, new_states)

    def backward(self, states, heads, into=None, new_states=None):
        """({argument: gradient}, {state: new value}) of the last forward(). `states`: what those that backward changes hold
        now; `heads`: gradients of outputs, a list in their order, shorter or with None where there is none; `into`:
        {argument: the array that becomes its gradient where it can}, `new_states` as in forward()."""
        if not self._parts:
            return {}, {}
        given = self._head_gradients(heads)
        self._late_states.set([states[name] for name, _ in self._late])
        made = self._backward([given[name] for name in self._backward.inputs], list(map((into or {}).get, self._made)))
        return dict(zip(self._made, made)), self._new_values(self._late, self._late_states, new_states)

    @staticmethod
    def _listed(made):
        return made if isinstance(made, list) else [made]

    @staticmethod
    def _new_values(names, states, into=None):
        wanted = [(into or {}).get(name) for name, _ in names]
        return dict(zip([name for name, _ in names], states.get(wanted)))

    def gradients(self, arrays, states, seed, heads):
        """The same of a forward that was computed elsewhere from these arrays and numbers."""
        inputs = self._begin(arrays, states, seed)
        made = self._listed(self._model(**inputs, **self._head_gradients(heads)))
        return dict(zip(self._gradients, made[len(self._outputs):])), self._new_values(self._states, self._all_states)

    def _head_gradients(self, heads):
        given = {}
        for place, info in self.heads:
            value = heads[place] if place < len(heads) else None
            if value is None:
                raise SymcError("backward needs the gradient of output '%s', which is no loss; pass it in out_grads, or "
                                "make the output a loss by sym.make_loss" % self._outputs[place])
            if np.shape(value) != info.shape:
                raise ValueError("the gradient of output '%s' has shape %s, needs %s" % (
                    self._outputs[place], np.shape(value), info.shape))
            given[info.name] = np.asarray(value).astype(info.dtype, copy=False)
        return given

"""Makes the graph of a difference small: it stays a graph on which symc and MXNet differ in the same manner.

 1. Every node alone, its operands variables that hold what MXNet computed for them. If one differs, it is the
    graph; else the fault lies between nodes and the whole is cut:
 2. one result instead of several; an inner entry as the result; an inner entry as a variable;
 3. attributes left out, extents halved or made 1 (of all variables that have the extent at once).
Each round writes its candidates as cases and runs symc-conformance once; the first that differs is taken.
"""
import json
import os
import pickle
import shutil

import numpy as np

from graph_fuzz.workers import kind_of, run_cases

ROUNDS, CANDIDATES = 12, 30


class Graph:
    """A symbol file as data, with arrays by name."""

    def __init__(self, symbol, arrays, states):
        self.symbol, self.arrays, self.states = symbol, arrays, states
        self.nodes, self.heads = symbol["nodes"], symbol["heads"]

    def operators(self):
        return [node["op"] for node in self.nodes if node["op"] != "null"]

    def weight(self):
        elements = sum(value.size for value in self.arrays.values())
        return (len(self.operators()), len(self.heads), elements,
                sum(len(node.get("attrs", {})) for node in self.nodes))

    def with_heads(self, heads, cut=()):
        """The part that `heads` need; entries in `cut` ({(node, output): array}) become variables."""
        kept, order, nodes, arrays = {}, {}, [], dict(self.arrays)
        cut = dict(cut)

        def keep(index):
            if index in order:
                return order[index]
            node = self.nodes[index]
            inputs = [entry(n, o) + rest for n, o, *rest in node["inputs"]]
            order[index] = len(nodes)
            nodes.append(dict(node, inputs=inputs))
            return order[index]

        def entry(node, output):
            if (node, output) not in cut:
                return [keep(node), output]
            if (node, output) not in kept:
                name = "v_%d_%d" % (node, output)
                arrays[name] = cut[(node, output)]
                kept[(node, output)] = len(nodes)
                nodes.append({"op": "null", "name": name, "inputs": []})
            return [kept[(node, output)], 0]
        new_heads = [[keep(n), o, 0] for n, o, *_ in heads]
        symbol = {"nodes": nodes, "arg_nodes": [i for i, node in enumerate(nodes) if node["op"] == "null"],
                  "node_row_ptr": list(range(len(nodes) + 1)), "heads": new_heads,
                  "attrs": self.symbol.get("attrs", {"mxnet_version": ["int", 10901]})}
        names = {node["name"] for node in nodes if node["op"] == "null"}
        return Graph(symbol, {n: v for n, v in arrays.items() if n in names},
                     {n: v for n, v in self.states.items() if n in names})

    def without_attribute(self, index, key):
        nodes = [dict(node) for node in self.nodes]
        nodes[index]["attrs"] = {k: v for k, v in nodes[index]["attrs"].items() if k != key}
        return Graph(dict(self.symbol, nodes=nodes), self.arrays, self.states)

    def with_extent(self, old, new):
        """Every extent `old` of an array becomes `new`."""
        def smaller(group):
            return {name: np.ascontiguousarray(value[tuple(slice(0, new if e == old else e) for e in value.shape)])
                    for name, value in group.items()}
        return Graph(self.symbol, smaller(self.arrays), smaller(self.states))


class Shrinker:
    def __init__(self, oracles, binaries, work, options):
        """`oracles`: a function of operators that gives the process that can run them."""
        self.oracles, self.binaries, self.work, self.options = oracles, binaries, work, options
        self.train = "--train" in options

    def path(self, name):
        return os.path.join(self.work, name)

    def failures(self, candidates):
        """{index: message} of the candidates on which the two differ."""
        folder = self.path("candidates")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for index, graph in enumerate(candidates):
            with open(self.path("candidate.pickle"), "wb") as file:
                pickle.dump((graph.symbol, graph.arrays, graph.states), file)
            self.oracles(graph.operators()).query(do="case", train=self.train, pickle=self.path("candidate.pickle"),
                                                  folder=os.path.join(folder, "c", "%03d" % index))
        if not os.path.isdir(os.path.join(folder, "c")):
            return {}
        found = run_cases(self.binaries, [folder], self.options) or {}
        return {int(label.split("/")[1]): message for label, message in found.items()}

    def smaller(self, graph, values):
        """Candidates from the boldest to the mildest."""
        if len(graph.heads) > 1:
            yield from (graph.with_heads([head]) for head in graph.heads)
        inner = sorted({(n, o) for node in graph.nodes for n, o, *_ in node["inputs"] if graph.nodes[n]["op"] != "null"})
        yield from (graph.with_heads([[n, o, 0]]) for n, o in inner)
        yield from (graph.with_heads(graph.heads, cut={e: values[e]}) for e in inner if e in values)
        for index, node in enumerate(graph.nodes):
            if node["op"] != "null":
                yield from (graph.without_attribute(index, key) for key in node.get("attrs", {}) if not key.startswith("__"))
        extents = sorted({e for value in graph.arrays.values() for e in value.shape if e > 1}, reverse=True)
        yield from (graph.with_extent(old, new) for old in extents for new in sorted({1, old // 2, old - 1}) if 0 < new < old)

    def values(self, folder, graph):
        answer = self.oracles(graph.operators()).query(do="values", folder=folder, pickle=self.path("values.pickle"))
        if answer["status"] != "ok":
            return None
        with open(self.path("values.pickle"), "rb") as file:
            return pickle.load(file)

    def shrink(self, folder, message, known):
        """The folder of the smallest case found, and its message. Of an operator in `known` (a set of pairs
        operator, kind), whose difference has been shrunk before, the node alone is enough."""
        with open(os.path.join(folder, "symbol.json")) as file:
            symbol = json.load(file)
        kind, graph = kind_of(message), Graph(symbol, {}, {})
        read = self.values(folder, graph)
        if read is None:
            return folder, message
        symbol, arrays, states, values = read
        graph = Graph(symbol, arrays, states)
        nodes = [i for i, node in enumerate(graph.nodes) if node["op"] != "null"]
        if len(nodes) > 1:
            alone = [self.alone(graph, index, values) for index in nodes]
            for index, other in sorted(self.failures(alone).items()):
                if kind_of(other) == kind:
                    graph, message = alone[index], other
                    break
        rounds = 0 if len(graph.operators()) == 1 and (graph.operators()[0], kind) in known else ROUNDS
        for _ in range(rounds):
            read = self.keep(graph) and self.values(self.path("best"), graph)
            candidates = [c for c in self.smaller(graph, read[3] if read else {}) if c.weight() < graph.weight()][:CANDIDATES]
            failing = {i: m for i, m in self.failures(candidates).items() if kind_of(m) == kind}
            if not failing:
                break
            best = min(failing, key=lambda i: candidates[i].weight())
            graph, message = candidates[best], failing[best]
        if self.train and not self.failures([graph]):  # what is drawn beside the graph makes the difference
            return folder, message
        return (self.path("best"), message) if self.keep(graph) else (folder, message)

    @staticmethod
    def alone(graph, index, values):
        cut = {(n, o): values[(n, o)] for n, o, *_ in graph.nodes[index]["inputs"] if (n, o) in values}
        outputs = [[i, o, 0] for i, o, *_ in graph.heads if i == index]
        read = sorted({o for node in graph.nodes for n, o, *_ in node["inputs"] if n == index})
        return graph.with_heads(outputs + [[index, o, 0] for o in read if [index, o, 0] not in outputs], cut)

    def keep(self, graph):
        """Writes the graph as the case `best`."""
        with open(self.path("candidate.pickle"), "wb") as file:
            pickle.dump((graph.symbol, graph.arrays, graph.states), file)
        answer = self.oracles(graph.operators()).query(do="case", train=self.train, pickle=self.path("candidate.pickle"), folder=self.path("best"))
        return answer["status"] == "ok"

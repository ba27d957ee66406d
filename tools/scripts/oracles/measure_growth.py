#!/usr/bin/env python3
"""Compiles graphs of N and of 2N parts, and reports how the time of the processor and the memory grow.

  measure_growth.py --bin build/release/bin                    N = 5,000, all kinds of graphs
  measure_growth.py --bin build/release/bin --count 50000      up to 100,000 parts
  measure_growth.py --bin build/release/bin --only zigzag

Work is to be proportional to nodes and edges: twice the parts may take 2.3 times as much (--most), what a process
takes for nothing left out. Figures are the least of five rounds, one after the other, or of as many as fit 20 seconds a kind;
other work on the machine makes single ones longer. Compilation stops at --stage, the schedule and plan of memory by default. Tests count
visits of nodes instead; seconds are for looking at.

Exit status: 0 all grow as they may; 1 some do not; 2 wrong usage.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

STAGES = ("sg", "sg-opt", "schedule", "loops")


class Graph:
    def __init__(self):
        self.nodes, self.heads, self.shapes = [], [], {}

    def variable(self, name, shape=None, **attrs):
        if shape:
            self.shapes[name] = shape
        return self.node("null", name, [], **attrs)

    def node(self, op, name, inputs, subgraphs=None, **attrs):
        node = {"op": op, "name": name, "inputs": [[i, 0, 0] for i in inputs]}
        if attrs:
            node["attrs"] = {key: str(value) for key, value in attrs.items()}
        if subgraphs:
            node["subgraphs"] = subgraphs
        self.nodes.append(node)
        return len(self.nodes) - 1

    def json(self, top=True):
        result = {"nodes": self.nodes, "heads": [[i, 0, 0] for i in self.heads],
                  "arg_nodes": [i for i, node in enumerate(self.nodes) if node["op"] == "null"]}
        if top:
            result["attrs"] = {"mxnet_version": ["int", 10901]}
        return result


def chain(count):
    """One node behind the other."""
    graph = Graph()
    last = graph.variable("data", "2,3")
    for i in range(count):
        last = graph.node("Flatten" if i % 2 else "exp", "n%d" % i, [last])
    graph.heads = [last]
    return graph


def zigzag(count):
    """Sums of neighbours among inputs of which the first alone has a shape; what follows another stands far from it."""
    graph = Graph()
    inputs = [graph.variable("x0", "2,3")] + [graph.variable("x%d" % i) for i in range(1, count + 1)]
    order = list(range(0, count, 2)) + list(range(count - 1 - count % 2, 0, -2))
    graph.heads = [graph.node("elemwise_add", "a%d" % i, [inputs[i], inputs[i + 1]]) for i in order]
    return graph


def outputs(count):
    """Many readers of one value, which are the outputs."""
    graph = Graph()
    data = graph.variable("data", "2,3")
    graph.heads = [graph.node("_plus_scalar", "n%d" % i, [data], scalar=i) for i in range(count)]
    return graph


def edges(count):
    """Nodes that read as many others as the importer lets them."""
    graph, most = Graph(), 4096
    parts = [graph.node("exp", "e%d" % i, [graph.variable("x%d" % i, "2,3")]) for i in range(count)]
    for first in range(0, count, most):
        some = parts[first:first + most]
        graph.heads.append(graph.node("Concat", "c%d" % first, some, num_args=len(some), dim=0))
    return graph


def weights(count):
    """A weight for each node."""
    graph = Graph()
    last = graph.variable("data", "2,3")
    for i in range(count):
        weight = graph.variable("w%d" % i, __shape__="(1, 3)", __init__="x")
        last = graph.node("broadcast_mul", "m%d" % i, [last, weight])
    graph.heads = [last]
    return graph


def prepared(count):
    """Arithmetic on weights alone, which moves into @prepare."""
    graph = Graph()
    data = graph.variable("data", "2,3")
    variables = [graph.variable("w%d" % i, __shape__="(2, 3)", __init__="x") for i in range(count)]
    parts = [graph.node("exp", "e%d" % i, [variable]) for i, variable in enumerate(variables)]
    graph.heads = [graph.node("elemwise_add", "a%d" % i, [data, part]) for i, part in enumerate(parts)]
    return graph


def loops(count):
    """Nodes that own graphs."""
    graph = Graph()
    last = graph.variable("data", "2,3")
    for i in range(count // 10):
        body = Graph()
        body.heads = [body.node("exp", "e", [body.variable("x")])]
        last = graph.node("_foreach", "l%d" % i, [last], [body.json(False)], num_args=2, num_outputs=1, num_out_data=1,
                          in_data_locs="[0]", in_state_locs="[]", remain_locs="[]")
    graph.heads = [last]
    return graph


def masks(count):
    """Extents that values decide."""
    graph = Graph()
    data = graph.variable("data", "8,3")
    for i in range(count // 10):
        rows = graph.node("_contrib_boolean_mask", "r%d" % i, [data, graph.variable("m%d" % i, "8")], axis=0)
        graph.heads.append(graph.node("sum", "s%d" % i, [rows], axis=0))
    return graph


def ranges(count):
    """Extents that are chosen at run time, with a condition on each."""
    graph = Graph()
    for i in range(count // 10):
        data = graph.variable("x%d" % i, "1..8,3")
        graph.heads.append(graph.node("slice_axis", "s%d" % i, [data], axis=0, begin=2, end=4))
    return graph


KINDS = {kind.__name__: kind for kind in (chain, zigzag, outputs, edges, weights, prepared, loops, masks, ranges)}


def measure(graph, options):
    """Seconds of the processor and MiB of one compilation."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "x-symbol.json"), "w", encoding="utf-8") as file:
            json.dump(graph.json(), file)
        lines = ["--shape %s=%s" % item for item in graph.shapes.items()]
        with open(os.path.join(folder, "shapes"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        command = [os.path.join(options.bin, "symc"), "x-symbol.json", "--random-weights=1", "@shapes",
                   "--emit=" + options.stage, "-o", "out.mlir"]
        with open(os.path.join(folder, "errors"), "wb") as errors:
            process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
        if status:
            with open(os.path.join(folder, "errors"), encoding="utf-8") as errors:
                sys.exit("symc ended with %d: %s" % (status, errors.read()[-400:]))
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def least(graphs, options, rounds=5, seconds=20):
    """The least seconds and MiB of each graph, measured in turn."""
    found, end = [measure(graph, options) for graph in graphs], time.monotonic() + seconds
    for _ in range(rounds - 1):
        if time.monotonic() > end:
            break
        found = [tuple(map(min, old, measure(graph, options))) for old, graph in zip(found, graphs)]
    return found


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--bin", required=True, help="folder of symc")
    add("--count", type=int, default=5000, help="N (default 5000)")
    add("--only", default="", help="kinds, separated by commas, of " + ", ".join(KINDS))
    add("--stage", default="schedule", choices=STAGES, help="where compilation stops (default schedule)")
    add("--most", type=float, default=2.3, help="largest factor (default 2.3)")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    return options


def main():
    options = parse()
    failed = 0
    wanted = [name for name in options.only.split(",") if name] or list(KINDS)
    (empty,) = least([chain(1)], options)
    print("%-10s %8s %17s %22s" % ("graph", "parts", "seconds", "MiB"))
    for name in wanted:
        (seconds, memory), (more, larger) = least([KINDS[name](options.count * n) for n in (1, 2)], options)
        factors = [(b - e) / max(a - e, 1e-3) for a, b, e in zip((seconds, memory), (more, larger), empty)]
        bad = max(factors) > options.most
        failed += bad
        print("%-10s %8d %6.2f %6.2f %5.2f %8.0f %6.0f %5.2f%s" %
              (name, 2 * options.count, seconds, more, factors[0], memory, larger, factors[1],
               "  grows faster than %.1f" % options.most if bad else ""), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

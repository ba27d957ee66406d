#!/usr/bin/env python3
"""The symbols that recurrent cells make, as text; in an environment with MXNet 1.9.1, those of its cells.

  rnn_symbols.py FILE [--update]        FILE: test/python/rnn_symbols.txt

Each line of FILE is an expression over `rnn` (mx.rnn), a tab, and the nodes and heads of the symbol that it gives: all of
them, or of long ones a hash and their number. The script prints which lines MXNet answers otherwise, and --update writes
its answers. test/python/rnn_test.py checks symc against the same. Exit status: 0 all lines agree, 1 some do not, 2 wrong usage.
"""
import argparse
import hashlib
import json
import os
import sys
import warnings

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import needs

LONGEST = 1500  # characters of an answer that stands in the file


def described(symbol):
    """[each node with its inputs and attributes, ..., "-> heads"]"""
    graph = json.loads(symbol.tojson())
    nodes = graph["nodes"]

    def entry(node, output):
        return nodes[node]["name"] + ("[%d]" % output if output else "")
    lines = []
    for node in nodes:
        attributes = ", ".join("%s=%s" % pair for pair in sorted(node.get("attrs", {}).items()))
        inputs = ", ".join(entry(*each[:2]) for each in node["inputs"])
        if node["op"] == "null":
            lines.append(node["name"] + (" (%s)" % attributes if attributes else ""))
        else:
            lines.append("%s = %s(%s)" % (node["name"], node["op"], "; ".join(filter(None, (inputs, attributes)))))
    return lines + ["-> " + ", ".join(entry(*each[:2]) for each in graph["heads"])]


def shortened(lines):
    text = " | ".join(lines)
    if len(text) <= LONGEST:
        return text
    return "%d nodes, sha256 %s" % (len(lines) - 1, hashlib.sha256(text.encode()).hexdigest()[:24])


def _flat(values):
    return [each for value in values for each in _flat(value)] if isinstance(values, (list, tuple)) else [values]


def lines_of(mx, expression):
    """What `mx` makes of an expression, which may also use `stack(cells)`, the variable `data`, a list of variables
    `steps(count)`, and `unrolled(cell, ...)`, the outputs and states of cell.unroll(...)."""
    def stack(*cells):
        made = mx.rnn.SequentialRNNCell()
        for each in cells:
            made.add(each)
        return made
    names = {"mx": mx, "rnn": mx.rnn, "stack": stack, "data": mx.sym.Variable("data"),
             "steps": lambda count: [mx.sym.Variable("t%d_data" % step) for step in range(count)],
             "unrolled": lambda cell, *args, **kwargs: mx.sym.Group(_flat(cell.unroll(*args, **kwargs)))}
    with mx.name.NameManager(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return described(eval(expression, names))


def read(path):
    """[(expression, answer)]"""
    with open(path, encoding="utf-8") as file:
        return [tuple(line.rstrip("\n").split("\t")) for line in file if not line.startswith("#")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    needs.modules("mxnet")
    import mxnet
    lines, wrong = [], 0
    for expression, expected in read(options.file):
        answer = shortened(lines_of(mxnet, expression))
        lines.append("%s\t%s\n" % (expression, answer))
        if answer != expected:
            wrong += 1
            print("%s\n  the file: %s\n  MXNet:    %s" % (expression, expected, answer))
    if options.update:
        with open(options.file, "w", encoding="utf-8") as file:
            file.write("# What MXNet 1.9.1 makes of expressions over mx.rnn: expression, tab, the symbol "
                       "(tools/scripts/oracles/rnn_symbols.py).\n")
            file.writelines(lines)
    print("%d symbols, %d differ" % (len(lines), wrong))
    sys.exit(1 if wrong and not options.update else 0)


if __name__ == "__main__":
    main()

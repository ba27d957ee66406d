#!/usr/bin/env python3
"""Makes the seeds of fuzz-library: sequences of calls as fuzz_library.cpp reads them.

usage: make_library_seeds.py FOLDER
"""
import os
import random
import re
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fuzz_library.cpp")
CALLS = ("variable", "create", "compose", None, "apply", None, "group", "output", "count", "internals", "children",
         "copy", "free", "name", "attribute", "set_attribute", "subgraphs", "cut", "list", "infer")


def words(kind):
    """The words of a list of fuzz_library.cpp."""
    with open(SOURCE, encoding="utf-8") as file:
        listed = re.search(r"k%s =\s*WORDS\((.*?)\);" % kind, file.read(), re.S).group(1)
    return re.findall(r'"([^"]*)"', listed)


NAMES, OPERATORS, KEYS, VALUES = (words(kind) for kind in ("Names", "Operators", "Keys", "Values"))


def texts(kind, chosen):
    return [len(chosen)] + [kind.index(word) for word in chosen]


def variable(name):
    return [CALLS.index("variable"), NAMES.index(name), 0]


def apply(op, name, inputs, **attributes):
    return ([CALLS.index("apply"), OPERATORS.index(op)] + texts(KEYS, list(attributes)) +
            [VALUES.index(value) for value in attributes.values()] + [NAMES.index(name), len(inputs)] + inputs + [0])


def create(op, **attributes):
    return ([CALLS.index("create"), OPERATORS.index(op)] + texts(KEYS, list(attributes)) +
            texts(VALUES, list(attributes.values())) + [0])


def compose(owner, name, inputs):
    return [CALLS.index("compose"), owner, NAMES.index(name), len(inputs)] + inputs + [0xf0]


def on(call, symbol, *more):
    return [CALLS.index(call), symbol] + list(more) + [0]


SHAPES = [CALLS.index("infer"), 0, 1, 1, NAMES.index("data"), 2, 2, 3, 0, 0, 0]  # of symbol 1, data [2, 3]
SEEDS = {
    "dense": variable("data") + apply("FullyConnected", "fc", [0], num_hidden="2") + SHAPES +
    on("internals", 1) + on("children", 1) + on("output", 2, 0, 1) + [CALLS.index("infer"), 2, 1, 0, 0, 0, 0, 0, 0],
    "layers": variable("data") + create("Convolution", kernel="(2,2)", num_filter="2") + compose(1, "x", [0]) +
    apply("BatchNorm", "y", [1]) + apply("Activation", "fc", [2], act_type="relu") + on("copy", 3) + on("free", 3) +
    on("attribute", 3, KEYS.index("kernel")) + [CALLS.index("list"), 0, 3, 2, 0, 0],
    "group": variable("x") + variable("y") + apply("elemwise_add", "fc", [0, 1]) +
    [CALLS.index("group"), 3, 0, 1, 2, 0] + on("copy", 3) + on("count", 3) + compose(2, "x", [0]) + on("free", 0),
    "loop": variable("x") + create("_foreach", num_args="2", num_outputs="1", num_out_data="1", in_data_locs="[0]") +
    [CALLS.index("subgraphs"), 1, 1, 0] + compose(1, "fc", [0]) + on("copy", 1) + [CALLS.index("infer"), 2, 1, 0, 0, 0],
    "cut": variable("x") + apply("zeros_like", "y", [0], lr_mult="1") + apply("transpose", "fc", [1], lr_mult="2") +
    on("cut", 2, KEYS.index("lr_mult")) + on("set_attribute", 0, KEYS.index("__shape__"), VALUES.index("(0,3)")),
    "state": variable("weight") + variable("data") + apply("sgd_mom_update", "fc", [0, 1], scalar="1") +
    on("name", 2) + [CALLS.index("list"), 1, 2, 0, 0, 0]}


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for name, calls in SEEDS.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(bytes(calls))
    for number in range(20):
        drawn = random.Random(number)
        with open(os.path.join(folder, "drawn-%02d" % number), "wb") as file:
            file.write(bytes(drawn.choice((drawn.randrange(6), drawn.randrange(20), drawn.randrange(256)))
                             for _ in range(200)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[2])
    main()

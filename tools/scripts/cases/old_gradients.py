#!/usr/bin/env python3
"""Writes graphs as MXNet 0.7 and 0.8 saved them after Symbol.grad, and the forward graphs beside them.

usage: old_gradients.py DIR

For each net of NETS: DIR/NAME-forward.json, the graph; DIR/NAME-grad.json, the result of `net.grad(names)`;
DIR/NAME-both.json, the group of the net and that. DIR/nets.json has for each net the shapes of its inputs, the
name of each gradient's output, and the placeholder of each head's gradient.

The backward pass is that of StaticGraph: placeholders NODE_INDEX_grad, backward nodes NODE_backward, whose inputs
are those that the operator declares, sums NODE_INDEX_out_grad_agg and ARGUMENT_grad_agg. Sums have lost their
operator in such files and stand among arg_nodes; of eight gradients and more each is an input of the next.
"""
import json
import os
import sys

CAP = 8  # MXNET_EXEC_INPLACE_GRAD_SUM_CAP

# Of each operator: outputs, how many of them are visible, and what its gradient needs, of g (gradients of the
# visible outputs), i (inputs) and o (outputs).
OPERATORS = {
    "Activation": (1, 1, lambda g, i, o: [g[0], o[0]]),
    "BatchNorm": (3, 1, lambda g, i, o: [g[0], o[1], o[2], i[0], i[1], i[2]]),
    "BlockGrad": (1, 1, lambda g, i, o: []),
    "Cast": (1, 1, lambda g, i, o: [g[0]]),
    "Concat": (1, 1, lambda g, i, o: g),
    "Convolution": (1, 1, lambda g, i, o: [g[0], i[0], i[1]]),
    "Deconvolution": (1, 1, lambda g, i, o: [g[0], i[0], i[1]]),
    "Dropout": (2, 1, lambda g, i, o: [g[0], o[1]]),
    "ElementWiseSum": (1, 1, lambda g, i, o: g),
    "Embedding": (1, 1, lambda g, i, o: [g[0], i[0]]),
    "Flatten": (1, 1, lambda g, i, o: [g[0]]),
    "FullyConnected": (1, 1, lambda g, i, o: [g[0], i[0], i[1]]),
    "L2Normalization": (2, 1, lambda g, i, o: [g[0], o[0], o[1]]),
    "LRN": (2, 1, lambda g, i, o: [g[0], i[0], o[1]]),
    "LeakyReLU": (2, 1, lambda g, i, o: [g[0], o[0], i[0]] + i[1:]),
    "LinearRegressionOutput": (1, 1, lambda g, i, o: [i[1], o[0]]),
    "LogisticRegressionOutput": (1, 1, lambda g, i, o: [i[1], o[0]]),
    "MakeLoss": (1, 1, lambda g, i, o: []),
    "Pooling": (1, 1, lambda g, i, o: [g[0], i[0], o[0]]),
    "Reshape": (1, 1, lambda g, i, o: [g[0]]),
    "SliceChannel": (None, None, lambda g, i, o: g),
    "SoftmaxActivation": (1, 1, lambda g, i, o: [g[0], o[0]]),
    "SoftmaxOutput": (1, 1, lambda g, i, o: [i[1], o[0]]),
    "SwapAxis": (1, 1, lambda g, i, o: [g[0]]),
    "UpSampling": (1, 1, lambda g, i, o: [g[0]]),
    "_Div": (1, 1, lambda g, i, o: [g[0], i[0], i[1]]),
    "_Maximum": (1, 1, lambda g, i, o: [g[0], i[0], i[1]]),
    "_Minus": (1, 1, lambda g, i, o: [g[0]]),
    "_Mul": (1, 1, lambda g, i, o: [g[0], i[0], i[1]]),
    "_MulScalar": (1, 1, lambda g, i, o: [g[0]]),
    "_Plus": (1, 1, lambda g, i, o: [g[0]]),
    "_PowerScalar": (1, 1, lambda g, i, o: [g[0], i[0]]),
    "broadcast_mul": (1, 1, lambda g, i, o: [g[0], i[0], i[1]]),
    "dot": (1, 1, lambda g, i, o: [g[0], i[0], i[1]]),
    "exp": (1, 1, lambda g, i, o: [g[0], o[0]]),
    "sqrt": (1, 1, lambda g, i, o: [g[0], o[0]]),
    "square": (1, 1, lambda g, i, o: [g[0], i[0]]),
}
ARGUMENTS = {
    "BatchNorm": ["data", "gamma", "beta"], "Convolution": ["data", "weight", "bias"],
    "Deconvolution": ["data", "weight", "bias"], "Embedding": ["data", "weight"],
    "FullyConnected": ["data", "weight", "bias"], "LeakyReLU": ["data", "gamma"],
    "LinearRegressionOutput": ["data", "label"], "LogisticRegressionOutput": ["data", "label"],
    "SoftmaxOutput": ["data", "label"],
    **dict.fromkeys(["_Div", "_Maximum", "_Minus", "_Mul", "_Plus", "broadcast_mul", "dot"], ["lhs", "rhs"]),
    **dict.fromkeys(["exp", "sqrt", "square"], ["src"]),
}


class Node:
    def __init__(self, op, name, inputs=(), param=None, attr=None, source=None):
        self.op, self.name, self.inputs, self.param, self.attr = op, name, list(inputs), param or {}, attr or {}
        self.source = source  # the forward node of a backward one

    def is_variable(self):
        return self.op is None and self.source is None and not self.inputs

    def outputs(self):
        """How many outputs the node has, and how many of them are visible."""
        total, visible, _ = OPERATORS[self.op]
        return (int(self.param["num_outputs"]),) * 2 if total is None else (total, visible)

    def arguments(self):
        if self.op in ("Concat", "ElementWiseSum", "UpSampling"):
            return ["arg%d" % i for i in range(len(self.inputs))]
        return ARGUMENTS.get(self.op, ["data"])


def post_order(heads):
    """The nodes that the heads need, inputs first, the forward node of a backward one behind its inputs."""
    order, seen = [], set()

    def visit(node):
        if id(node) in seen:
            return
        seen.add(id(node))
        for source, _ in node.inputs:
            visit(source)
        if node.source:
            visit(node.source)
        order.append(node)
    for node, _ in heads:
        visit(node)
    return order


def saved(heads):
    """The JSON of a symbol."""
    order = post_order(heads)
    number = {id(node): i for i, node in enumerate(order)}
    nodes = []
    for node in order:
        nodes.append({"op": node.op or "null", "param": dict(sorted(node.param.items())), "name": node.name,
                      "inputs": [[number[id(source)], index] for source, index in node.inputs],
                      "backward_source_id": number[id(node.source)] if node.source else -1})
        if node.attr:
            nodes[-1]["attr"] = node.attr
    return {"nodes": nodes, "arg_nodes": [i for i, node in enumerate(order) if node.op is None and not node.source],
            "heads": [[number[id(node)], index] for node, index in heads]}


def total(parts, name):
    """The sum of gradients: one of them, or a node."""
    if len(parts) == 1:
        return parts[0]
    if len(parts) >= CAP:
        for before, (node, _) in zip(parts, parts[1:]):
            node.inputs.append(before)
        parts = parts[-1:]
    return Node(None, name, parts), 0


def gradient(heads, names):
    """(gradients of the arguments called so, the placeholder of each head)."""
    found = {}  # by entry
    def add(entry, value):
        found.setdefault((id(entry[0]), entry[1]), []).append(value)
    placeholders = [Node(None, "%s_%d_grad" % (node.name, index)) for node, index in heads]
    for entry, placeholder in zip(heads, placeholders):
        add(entry, (placeholder, 0))
    order = post_order(heads)
    for node in reversed(order):
        if node.is_variable():
            continue
        count, visible = node.outputs()
        arriving = [total(found[id(node), i], "%s_%d_out_grad_agg" % (node.name, i)) for i in range(visible)]
        backward = Node(None, node.name + "_backward", source=node)
        backward.inputs = OPERATORS[node.op][2](arriving, node.inputs, [(node, i) for i in range(count)])
        for i, entry in enumerate(node.inputs):
            add(entry, (backward, i))
    variables = {node.name: node for node in order if node.is_variable()}
    return [total(found[id(variables[name]), 0], name + "_grad_agg") for name in names], placeholders


def output_name(entry):
    node, index = entry
    return "%s_%s" % (node.name, node.source.arguments()[index] if node.source else "output")


class Net:
    """Composes a net; each method returns an output."""

    def __init__(self):
        self.shapes = {}

    def variable(self, name, shape=None, **attr):
        if shape:
            self.shapes[name] = shape
        return Node(None, name, attr=attr), 0

    def add(self, op, name, *inputs, attr=None, **param):
        return Node(op, name, inputs, {key: str(value) for key, value in param.items()}, attr), 0

    def layer(self, op, name, data, bias=True, weight=None, **param):
        inputs = [data, weight or self.variable(name + "_weight")] + ([self.variable(name + "_bias")] if bias else [])
        return self.add(op, name, *inputs, no_bias=not bias, **param)

    def norm(self, name, data, **param):
        return self.add("BatchNorm", name, data, self.variable(name + "_gamma"), self.variable(name + "_beta"), eps=0.001,
                        momentum=0.9, **param)


def mlp(net):
    data, label = net.variable("data", (4, 6)), net.variable("softmax_label", (4,))
    fc1 = net.layer("FullyConnected", "fc1", data, num_hidden=5)
    act = net.add("Activation", "relu1", fc1, act_type="relu")
    fc2 = net.layer("FullyConnected", "fc2", act, num_hidden=3)
    return [net.add("SoftmaxOutput", "softmax", fc2, label)], ["data", "fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias"]


def lenet(net):
    """Convolution, pooling and dropout; the gradients of the data and of one bias are not used."""
    data, label = net.variable("data", (2, 1, 12, 12)), net.variable("label", (2,))
    x = net.layer("Convolution", "conv1", data, kernel="(3, 3)", num_filter=4)
    x = net.add("Pooling", "pool1", net.add("Activation", "tanh1", x, act_type="tanh"), kernel="(2, 2)", stride="(2, 2)",
                pool_type="max")
    x = net.layer("Convolution", "conv2", x, kernel="(2, 2)", num_filter=5, stride="(2, 2)", pad="(1, 1)")
    x = net.add("Dropout", "drop", net.add("Flatten", "flat", x), p=0.4)
    x = net.layer("FullyConnected", "fc", x, num_hidden=3)
    loss = net.add("SoftmaxOutput", "softmax", x, label, grad_scale=0.5)
    return [loss], ["conv1_weight", "conv1_bias", "conv2_weight", "fc_weight"]


def residual(net):
    """Batch normalisation and a block whose input goes two ways; the head's gradient is a placeholder."""
    data = net.variable("data", (2, 3, 6, 6))
    x = net.norm("bn0", data, fix_gamma=True)
    y = net.layer("Convolution", "conv", net.add("Activation", "relu", x, act_type="relu"), bias=False, kernel="(3, 3)",
                  num_filter=3, pad="(1, 1)")
    y = net.norm("bn1", y, fix_gamma=False)
    x = net.add("_Plus", "plus", x, y)
    return [net.add("Pooling", "pool", x, kernel="(1, 1)", pool_type="avg", global_pool=True)], [
        "data", "bn0_beta", "conv_weight", "bn1_gamma", "bn1_beta"]


def shared(net):
    """One weight of three layers."""
    x, weight = net.variable("data", (3, 4)), net.variable("weight")
    for i in range(3):
        x = net.add("Activation", "act%d" % i, net.layer("FullyConnected", "fc%d" % i, x, weight=weight, num_hidden=4),
                    act_type="sigmoid")
    return [net.add("LinearRegressionOutput", "lro", x, net.variable("label", (3, 4)))], ["weight", "data", "fc1_bias"]


def unrolled(net):
    """One weight of nine layers: as many gradients are added in place."""
    x, weight = net.variable("data", (2, 4)), net.variable("weight")
    for i in range(9):
        x = net.add("Activation", "act%d" % i, net.layer("FullyConnected", "fc%d" % i, x, bias=False, weight=weight,
                                                         num_hidden=4), act_type="tanh")
    return [x], ["weight", "data"]


def elementwise(net):
    """Both operands of a product are one value; a value is a head, too."""
    a, b = net.variable("a", (3, 4)), net.variable("b", (3, 4))
    square = net.add("_Mul", "twice", a, a)
    root = net.add("sqrt", "root", net.add("exp", "exp", net.add("_Minus", "minus", square, b)))
    quotient = net.add("_Div", "quotient", root, net.add("exp", "exp_b", b))
    most = net.add("_Maximum", "most", quotient, net.add("_MulScalar", "half", a, scalar=0.5))
    return [net.add("square", "squared", most), square], ["a", "b"]


def branches(net):
    """Slices, a concatenation and a sum of three; a part is blocked."""
    data = net.variable("data", (2, 6, 3))
    parts, _ = net.add("SliceChannel", "split", data, num_outputs=3)
    one = net.add("Activation", "relu", (parts, 0), act_type="relu")
    two = net.add("BlockGrad", "block", (parts, 1))
    three = net.add("SwapAxis", "swap", (parts, 2), dim1=1, dim2=2)
    three = net.add("Reshape", "shape", three, shape="(0, 2, 3)")
    joined = net.add("Concat", "cat", one, two, three, num_args=3, dim=1)
    added = net.add("ElementWiseSum", "sum", one, two, three, num_args=3)
    return [joined, net.add("MakeLoss", "loss", added, grad_scale=2.0)], ["data"]


def upsampled(net):
    """Layers that few nets have."""
    data = net.variable("data", (1, 4, 4, 4))
    x = net.add("LRN", "lrn", data, nsize=3)
    x = net.add("LeakyReLU", "prelu", x, net.variable("prelu_gamma"), act_type="prelu")
    x = net.layer("Deconvolution", "deconv", x, bias=False, kernel="(2, 2)", stride="(2, 2)", num_filter=3)
    x = net.add("UpSampling", "up", x, scale=2, sample_type="nearest", num_args=1)
    x = net.add("SoftmaxActivation", "channels", x, mode="channel")
    return [net.add("L2Normalization", "l2", x)], ["data", "prelu_gamma", "deconv_weight"]


def words(net):
    """Rows of a table, a product, and a loss by logistic regression; a weight has attributes."""
    rows = net.add("Embedding", "embed", net.variable("data", (2, 3)), net.variable("embed_weight"), input_dim=7, output_dim=4)
    flat = net.add("Reshape", "flat", rows, shape="(6, 4)")
    x = net.add("dot", "dot", flat, net.variable("table", (4, 2), lr_mult="0.5"))
    x = net.add("broadcast_mul", "scaled", x, net.variable("scale", (1, 2)))
    return [net.add("LogisticRegressionOutput", "logistic", x, net.variable("label", (6, 2)))], ["embed_weight", "table", "scale"]


def two_losses(net):
    """Two loss heads and one without a loss over one layer."""
    data = net.variable("data", (3, 5))
    fc = net.layer("FullyConnected", "fc", data, num_hidden=4)
    softmax = net.add("SoftmaxOutput", "softmax", fc, net.variable("label", (3,)), use_ignore=True, ignore_label=1)
    cube = net.add("_PowerScalar", "cube", fc, scalar=3.0)
    return [softmax, net.add("MakeLoss", "loss", cube, grad_scale=0.1), fc], ["fc_weight", "fc_bias", "data"]


NETS = {net.__name__.replace("_", "-"): net for net in (
    mlp, lenet, residual, shared, unrolled, elementwise, branches, upsampled, words, two_losses)}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder, facts = sys.argv[1], {}
    os.makedirs(folder, exist_ok=True)
    for name, compose in NETS.items():
        net = Net()
        heads, names = compose(net)
        gradients, placeholders = gradient(heads, names)
        for kind, entries in (("forward", heads), ("grad", gradients), ("both", heads + gradients)):
            with open(os.path.join(folder, "%s-%s.json" % (name, kind)), "w", encoding="utf-8") as file:
                json.dump(saved(entries), file, indent=2)
        needed = {node.name for node in post_order(gradients)}
        facts[name] = {"shapes": net.shapes,
                       "gradients": dict(zip(names, map(output_name, gradients))),
                       "heads": {output_name(head): placeholder.name for head, placeholder in zip(heads, placeholders)
                                 if placeholder.name in needed}}
    with open(os.path.join(folder, "nets.json"), "w", encoding="utf-8") as file:
        json.dump(facts, file, indent=2)


if __name__ == "__main__":
    main()

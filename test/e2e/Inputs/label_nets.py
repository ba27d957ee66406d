"""Writes symbols whose loss heads take a label by way of other operators: NAME-symbol.json for each.

usage: label_nets.py

All have the head `out` over a layer `fc` of `data`, so that their first outputs are the same. `direct` has the label
at the head itself; in `needed` a head of the graph reads the label, in `entropy` a loss does whose value is the output.
"""
import json


class Net:
    def __init__(self):
        self.nodes, self.variables = [], []
        self.data = self.variable("data")
        self.layer = self.node("FullyConnected", "fc", [self.data, self.variable("fc_weight"), self.variable("fc_bias")],
                               num_hidden=6)

    def variable(self, name):
        self.variables.append(len(self.nodes))
        return self.node("null", name, [])

    def node(self, op, name, inputs, output=0, **attributes):
        self.nodes.append({"op": op, "name": name, "inputs": inputs,
                           "attrs": {key: str(value) for key, value in attributes.items()}})
        return [len(self.nodes) - 1, output, 0]

    def output(self, entry, number):
        return [entry[0], number, 0]

    def softmax(self, label, name="out"):
        return self.node("SoftmaxOutput", name, [self.layer, label])

    def write(self, name, *heads):
        with open(name + "-symbol.json", "w", encoding="utf-8") as file:
            json.dump({"nodes": self.nodes, "arg_nodes": self.variables, "heads": heads,
                       "attrs": {"mxnet_version": ["int", 10901]}}, file)


def two_labels(net):
    return net.node("Concat", "labels", [net.variable("label"), net.variable("label2")], num_args=2, dim=0)


def flat_label(net):
    flipped = net.node("transpose", "label_t", [net.variable("label")])
    return net.node("Reshape", "label_flat", [flipped], shape=(-1,))


def same_label(net):
    return net.node("Cast", "label_cast", [net.variable("label")], dtype="float32")


def target(net):
    scores = net.node("Reshape", "scores", [net.layer], shape=(0, 2, 3))
    made = net.node("_contrib_MultiBoxTarget", "target", [net.variable("anchors"), net.variable("label"), scores])
    classes = net.node("slice_axis", "classes", [net.output(made, 2)], axis=1, begin=0, end=1)
    return net.node("Reshape", "class", [classes], shape=(-1,))


def alignment(net):
    steps = net.node("expand_dims", "steps", [net.layer], axis=0)
    return net.node("ctc_loss", "ctc", [steps, net.variable("label")])


def parts(net):
    split = net.node("SliceChannel", "split", [net.variable("label")], num_outputs=2)
    return net.node("elemwise_add", "sum", [net.output(split, 0), net.output(split, 1)])


def normalised(net):
    names = [net.variable("bn_" + each) for each in ("gamma", "beta", "moving_mean", "moving_var")]
    norm = net.node("BatchNorm", "bn", [net.variable("label"), *names])
    return net.node("mean", "mean", [norm], axis=1)


def foreign(net):
    """Of a plug-in that nobody has."""
    return net.node("Reshape", "flat", [net.node("NoSuchTarget", "made", [net.variable("label"), net.layer])], shape=(-1,))


CHAINS = [two_labels, flat_label, same_label, target, alignment, parts, normalised, foreign]

net = Net()
net.write("direct", net.softmax(net.variable("label")))
for chain in CHAINS:
    net = Net()
    net.write(chain.__name__, net.softmax(chain(net)))

net = Net()
shared = flat_label(net)
other = net.node("_mul_scalar", "twice", [shared], scalar=2)
heads = [net.softmax(shared)]
for op in ("LinearRegressionOutput", "MAERegressionOutput", "LogisticRegressionOutput", "SVMOutput"):
    heads.append(net.node(op, op.lower(), [net.layer, other]))
# A head in the way of a label is dead, too.
heads.append(net.softmax(net.node("MakeLoss", "passed", [heads[-1]]), "last"))
net.write("heads", *heads)

net = Net()
labels = two_labels(net)
net.write("needed", net.softmax(labels), labels)
net = Net()
net.write("entropy", net.node("softmax_cross_entropy", "entropy", [net.layer, flat_label(net)]))

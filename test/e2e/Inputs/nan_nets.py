"""Writes seven nets in which a node makes numbers that are not finite, and rows for them."""
import json

import numpy as np


class Net:
    """Nodes of a symbol file; each call adds one and gives its number."""

    def __init__(self):
        self.nodes = []

    def __call__(self, op, name, *inputs, **attrs):
        self.nodes.append({"op": op, "name": name, "attrs": {key: str(value) for key, value in attrs.items()},
                           "inputs": [[each, 0, 0] for each in inputs]})
        return len(self.nodes) - 1

    def variable(self, name):
        return self("null", name)

    def dense(self, name, data, count):
        return self("FullyConnected", name, data, self.variable(name + "_weight"), self.variable(name + "_bias"), num_hidden=count)

    def save(self, name, head):
        label = self.variable("softmax_label")
        head = self("SoftmaxOutput", "softmax", head, label)
        arguments = [number for number, node in enumerate(self.nodes) if node["op"] == "null"]
        with open(name + "-symbol.json", "w", encoding="utf-8") as file:
            json.dump({"nodes": self.nodes, "arg_nodes": arguments, "heads": [[head, 0, 0]],
                       "attrs": {"mxnet_version": ["int", 10901]}}, file)


net = Net()
shifted = net("_minus_scalar", "shift", net.dense("fc1", net.variable("data"), 8), scalar=0.5)
made = net("tanh", "tanh1", net("log", "log1", net("_mul_scalar", "half", shifted, scalar=0.5)))
net.save("log", net.dense("fc2", made, 2))

net = Net()
made = net("sqrt", "sqrt1", net("Activation", "relu1", net.dense("fc1", net.variable("data"), 8), act_type="relu"))
net.save("sqrt", net.dense("fc2", net("_mul_scalar", "twice", made, scalar=2), 2))

net = Net()
image = net.variable("data")
conv = net("Convolution", "conv1", image, net.variable("conv1_weight"), net.variable("conv1_bias"), kernel="(3, 3)", num_filter=5)
positive = net("exp", "exp1", conv)
logs = net("log", "log1", positive)  # of zeros, where no channel is
conv = net("Convolution", "conv2", logs, net.variable("conv2_weight"), net.variable("conv2_bias"), kernel="(3, 3)", num_filter=5)
net.save("image", net.dense("fc", net("log", "log2", conv), 2))

net = Net()
dense = net("Dropout", "drop1", net.dense("fc1", net.variable("data"), 8), p=0.5)
mask = net("_full", "mask", shape="(4, 8)", value="-inf")
masked = net("elemwise_add", "masked", dense, mask)
zeros = net("exp", "exp1", masked)
bad = net("elemwise_sub", "nan1", masked, masked)
net.save("masked", net.dense("fc2", net("elemwise_add", "sum1", zeros, bad), 2))

net = Net()
shifted = net("_minus_scalar", "shift", net("abs", "abs1", net.dense("fc1", net.variable("data"), 2)), scalar=9)
net.save("last", net("log", "log1", shifted))

for name in ("plain", "ranks"):  # the second one with statistics over processes
    net = Net()
    last = net("log", "log1", net("_plus_scalar", "shift", net.variable("data"), scalar=1))
    if name == "ranks":
        states = [net.variable("sync1_" + each) for each in ("gamma", "beta", "moving_mean", "moving_var")]
        last = net("sqrt", "sqrt1", net("relu", "relu1", net("_contrib_SyncBatchNorm", "sync1", last, *states, ndev=2, key="sync1")))
    net.save(name, net.dense("fc", last, 2))

random = np.random.RandomState(0)
np.savez("rows.npz", data=random.randn(8, 3).astype("float32"), softmax_label=np.float32([0, 1] * 4))
np.savez("images.npz", data=random.randn(4, 3, 6, 6).astype("float32"), softmax_label=np.float32([0, 1] * 2))
late = np.zeros((16, 3), "float32")
np.savez("late.npz", data=late, softmax_label=np.float32([0, 1] * 8))
second = np.zeros((8, 3), "float32")
np.savez("zeros.npz", data=second, softmax_label=np.float32([0, 1] * 4))
second[4:] = -2  # the rows of the second of two processes
np.savez("second.npz", data=second, softmax_label=np.float32([0, 1] * 4))

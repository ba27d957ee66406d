"""Writes small versions of the nets of compare_training, NAME-symbol.json each: training_nets.py write FOLDER.

LeNet and an MLP, a residual net with strided shortcuts, MobileNetV2's bottlenecks, and two layers of an
LSTM between an embedding and a decoder.
"""
import json
import os
import sys


class Net:
    def __init__(self):
        self.nodes = []
        self.data = self.variable("data")

    def variable(self, name, **attrs):
        self.nodes.append({"op": "null", "name": name, "inputs": [], "attrs": attrs})
        return len(self.nodes) - 1

    def add(self, op, name, inputs, weights=(), **attrs):
        inputs = inputs + [self.variable("%s_%s" % (name, weight)) for weight in weights]
        self.nodes.append({"op": op, "name": name, "inputs": [[at, 0, 0] for at in inputs],
                           "attrs": {key: str(value) for key, value in attrs.items()}})
        return len(self.nodes) - 1

    def conv(self, name, data, filters, kernel, stride=1, pad=None, groups=1, bias=False):
        pad = kernel // 2 if pad is None else pad
        return self.add("Convolution", name, [data], ["weight"] + ["bias"] * bias, kernel=(kernel, kernel), stride=(stride, stride),
                        pad=(pad, pad), num_filter=filters, num_group=groups, no_bias=not bias)

    def norm(self, name, data, act=None):
        data = self.add("BatchNorm", name, [data], ["gamma", "beta", "moving_mean", "moving_var"], fix_gamma=False)
        if act == "clip":
            return self.add("clip", name + "_relu6", [data], a_min=0, a_max=6)
        return self.add("Activation", name + "_" + act, [data], act_type=act) if act else data

    def dense(self, name, data, units):
        return self.add("FullyConnected", name, [data], ["weight", "bias"], num_hidden=units)

    def pool(self, name, data, kernel, stride, pad=0, kind="max"):
        return self.add("Pooling", name, [data], kernel=(kernel, kernel), stride=(stride, stride), pad=(pad, pad), pool_type=kind)

    def save(self, path, data):
        head = self.add("SoftmaxOutput", "softmax", [data, self.variable("softmax_label")])
        with open(path, "w") as file:
            json.dump({"nodes": self.nodes, "arg_nodes": [i for i, node in enumerate(self.nodes) if node["op"] == "null"],
                       "heads": [[head, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}, file)


def lenet(net):
    data = net.data
    for number, filters in enumerate((20, 50), 1):
        data = net.conv("conv%d" % number, data, filters, 5, pad=0, bias=True)
        data = net.add("Activation", "tanh%d" % number, [data], act_type="tanh")
        data = net.pool("pool%d" % number, data, 2, 2)
    return net.dense("fc2", net.add("Activation", "tanh3", [net.dense("fc1", data, 100)], act_type="tanh"), 10)


def mlp(net):
    data = net.data
    for number, units in enumerate((32, 16), 1):
        data = net.add("Activation", "relu%d" % number, [net.dense("fc%d" % number, data, units)], act_type="relu")
    return net.dense("fc3", data, 10)


def resnet(net):
    data = net.pool("pool0", net.norm("bn0", net.conv("conv0", net.data, 16, 7, stride=2), "relu"), 3, 2, pad=1)
    for number, (filters, stride) in enumerate(((16, 1), (32, 2))):
        body = net.norm("bn%da" % number, net.conv("conv%da" % number, data, filters, 3, stride), "relu")
        body = net.norm("bn%db" % number, net.conv("conv%db" % number, body, filters, 3))
        if stride > 1:
            data = net.norm("bn%dc" % number, net.conv("conv%dc" % number, data, filters, 1, stride))
        data = net.add("Activation", "relu%d" % number, [net.add("elemwise_add", "plus%d" % number, [body, data])], act_type="relu")
    data = net.add("Pooling", "pool1", [data], kernel=(1, 1), pool_type="avg", global_pool=True)
    return net.dense("fc", net.add("Flatten", "flat", [data]), 10)


def mobilenet(net):
    data = net.norm("bn0", net.conv("conv0", net.data, 16, 3, stride=2), "clip")
    for number, (filters, stride) in enumerate(((16, 1), (24, 2))):
        body = net.norm("bn%da" % number, net.conv("conv%da" % number, data, 96, 1), "clip")
        body = net.norm("bn%db" % number, net.conv("conv%db" % number, body, 96, 3, stride, groups=96), "clip")
        body = net.norm("bn%dc" % number, net.conv("conv%dc" % number, body, filters, 1))
        data = net.add("elemwise_add", "plus%d" % number, [body, data]) if stride == 1 else body
    data = net.add("Pooling", "pool1", [data], kernel=(1, 1), pool_type="avg", global_pool=True)
    return net.add("Flatten", "flat", [net.conv("pred", data, 10, 1)])


def lstm(net):
    length, batch, units = 5, 4, 32
    data = net.add("Embedding", "embed", [net.data], ["weight"], input_dim=50, output_dim=units)
    states = [net.add("_zeros", "state%d" % i, [], shape=(2, batch, units)) for i in range(2)]
    parameters = net.variable("rnn_parameters", __init__='["uniform", {"scale": 0.1}]')
    data = net.add("RNN", "rnn", [data, parameters] + states, mode="lstm", state_size=units, num_layers=2)
    return net.dense("decoder", net.add("Reshape", "rows", [data], shape=(length * batch, units)), 50)


NETS = {"lenet": lenet, "mlp": mlp, "resnet": resnet, "mobilenet": mobilenet, "lstm": lstm}


def main():
    for name, build in NETS.items():
        net = Net()
        net.save(os.path.join(sys.argv[2], name + "-symbol.json"), build(net))


if __name__ == "__main__":
    main()

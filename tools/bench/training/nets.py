"""The nets of compare_training as symbols of MXNet, with the shapes of their inputs.

A net ends in SoftmaxOutput, whose gradient is summed over the batch; `classes` is how many a
label chooses from, `words` how many values whole-numbered data has (0: data is drawn from a
normal distribution). `items` are the samples of a step.
"""
import os
import sys
from collections import namedtuple

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "cases"))
import transformer

# bar: the least ratio of symc's rate to that of the fastest peer. rate, decay, optimizer: of the
# steps that are timed. unit: what a rate counts.
Net = namedtuple("Net", "name data label classes words items unit optimizer rate bar")

NETS = (
    Net("lenet", (64, 1, 28, 28), (64,), 10, 0, 64, "samples", "sgd", 0.02, 2),
    Net("mlp", (64, 784), (64,), 10, 0, 64, "samples", "sgd", 0.1, 2),
    Net("resnet18", (16, 3, 224, 224), (16,), 1000, 0, 16, "samples", "sgd", 0.01, 1.3),
    Net("mobilenetv2", (16, 3, 224, 224), (16,), 1000, 0, 16, "samples", "sgd", 0.002, 1.5),
    Net("lstm", (35, 20), (700,), 10000, 10000, 1, "batches", "sgd", 0.05, 1.2),
    Net("bert", (128, 8), (8,), 2, 30522, 8, "samples", "adam", 1e-6, 1),
)

LSTM_UNITS, LSTM_LAYERS = 512, 2


def find(name):
    return next(net for net in NETS if net.name == name)


def of_batch(net, count):
    """The net with another number of samples; of the LSTM and BERT behind the first axis."""
    axis = 1 if net.words else 0
    data = net.data[:axis] + (count,) + net.data[axis + 1:]
    return net._replace(data=data, label=(net.label[0] // net.data[axis] * count,))


def lenet(mx, net):
    data = mx.sym.Variable("data")
    for number, filters in enumerate((20, 50), 1):
        data = mx.sym.Convolution(data, kernel=(5, 5), num_filter=filters, name="conv%d" % number)
        data = mx.sym.Activation(data, act_type="tanh", name="tanh%d" % number)
        data = mx.sym.Pooling(data, pool_type="max", kernel=(2, 2), stride=(2, 2), name="pool%d" % number)
    data = mx.sym.FullyConnected(data, num_hidden=500, name="fc1")
    data = mx.sym.Activation(data, act_type="tanh", name="tanh3")
    return mx.sym.FullyConnected(data, num_hidden=net.classes, name="fc2")


def mlp(mx, net):
    data = mx.sym.Variable("data")
    for number, units in enumerate((128, 64), 1):
        data = mx.sym.FullyConnected(data, num_hidden=units, name="fc%d" % number)
        data = mx.sym.Activation(data, act_type="relu", name="relu%d" % number)
    return mx.sym.FullyConnected(data, num_hidden=net.classes, name="fc3")


def zoo(mx, model, net):
    from mxnet.gluon.model_zoo import vision
    return vision.get_model(model, classes=net.classes, prefix="")(mx.sym.Variable("data"))


def lstm(mx, net):
    length, batch = net.data
    data = mx.sym.Embedding(mx.sym.Variable("data"), input_dim=net.words, output_dim=LSTM_UNITS, name="embed")
    states = [mx.sym.zeros((LSTM_LAYERS, batch, LSTM_UNITS)) for _ in range(2)]
    parameters = mx.sym.Variable("rnn_parameters", init=mx.init.Uniform(LSTM_UNITS**-0.5))
    data = mx.sym.RNN(data, parameters, *states, mode="lstm", state_size=LSTM_UNITS,
                      num_layers=LSTM_LAYERS, name="rnn")
    data = mx.sym.reshape(data, shape=(length * batch, LSTM_UNITS))
    return mx.sym.FullyConnected(data, num_hidden=net.classes, name="decoder")


def bert(mx, net):
    """BERT-base of words [length, batch] and, of what the first word became, two classes."""
    encoder = transformer.base(False)
    data = mx.sym.Variable("data")
    words = mx.sym.Embedding(data, input_dim=net.words, output_dim=encoder.units, name="word")
    steps = mx.sym.contrib.arange_like(data, axis=0, name="steps")
    positions = mx.sym.Embedding(steps, input_dim=encoder.positions, output_dim=encoder.units, name="position")
    data = transformer.norm(mx, mx.sym.broadcast_add(words, mx.sym.expand_dims(positions, axis=1)), "norm")
    for number in range(encoder.layers):
        data = transformer.layer(mx, encoder, "layer%d" % number, data, None)
    first = mx.sym.reshape(mx.sym.slice_axis(data, axis=0, begin=0, end=1), shape=(-1, encoder.units))
    return mx.sym.FullyConnected(first, num_hidden=net.classes, name="classifier")


def build(mx, net):
    if net.name == "resnet18":
        scores = zoo(mx, "resnet18_v1", net)
    elif net.name == "mobilenetv2":
        scores = zoo(mx, "mobilenetv2_1.0", net)
    else:
        scores = {"lenet": lenet, "mlp": mlp, "lstm": lstm, "bert": bert}[net.name](mx, net)
    return mx.sym.SoftmaxOutput(scores, name="softmax")

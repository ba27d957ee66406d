"""A perceptron with two hidden layers, for digits of 28 x 28.

data [N, 1, 28, 28] -> softmax_output [N, num_classes].
"""
import symc as mx


def get_symbol(num_classes=10, hidden=(128, 64)):
    x = mx.sym.Flatten(mx.sym.Variable("data"))
    for number, units in enumerate(hidden, start=1):
        x = mx.sym.FullyConnected(x, num_hidden=units, name="fc%d" % number)
        x = mx.sym.Activation(x, act_type="relu", name="relu%d" % number)
    x = mx.sym.FullyConnected(x, num_hidden=num_classes, name="fc%d" % (len(hidden) + 1))
    return mx.sym.SoftmaxOutput(x, name="softmax")

"""Composes a residual net for pictures of 32 x 32 (He et al. 2015, section 4.2, with one unit a stage): residual_net.py FILE."""
import sys

import symc as mx


def layer(x, channels, stride, name, relu=True):
    x = mx.sym.Convolution(x, kernel=(3, 3), stride=(stride, stride), pad=(1, 1), num_filter=channels, no_bias=True, name=name)
    x = mx.sym.BatchNorm(x, fix_gamma=False, eps=1e-5, name=name + "_bn")
    return mx.sym.Activation(x, act_type="relu", name=name + "_relu") if relu else x


def unit(x, channels, stride, name):
    """Two layers beside the picture itself."""
    made = layer(layer(x, channels, stride, name + "_a"), channels, 1, name + "_b", relu=False)
    if stride > 1:
        x = mx.sym.Convolution(x, kernel=(1, 1), stride=(stride, stride), num_filter=channels, no_bias=True, name=name + "_wide")
        x = mx.sym.BatchNorm(x, fix_gamma=False, eps=1e-5, name=name + "_wide_bn")
    return mx.sym.Activation(made + x, act_type="relu", name=name + "_relu")


def network(classes=10):
    x = layer(mx.sym.Variable("data"), 16, 1, "first")
    for stage, channels in enumerate((16, 32, 64)):
        x = unit(x, channels, 1 if stage == 0 else 2, "stage%d" % stage)
    x = mx.sym.Flatten(mx.sym.Pooling(x, kernel=(8, 8), global_pool=True, pool_type="avg", name="mean"))
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=classes, name="fc"), name="softmax")


if __name__ == "__main__":
    network().save(sys.argv[1])

"""SqueezeNet 1.0 and 1.1 (Iandola et al. 2016), for pictures of 227 x 227.

Names are those of the published Caffe model with "_" for "/"; poolings count a window that lies partly outside, as
Caffe's do. data [N, 3, 227, 227] -> softmax_output [N, num_classes].
"""
import symc as mx

#: Filters and window of conv1; in front of which fire modules a pooling stands.
VERSIONS = {"1.0": (96, 7, (2, 5, 9)), "1.1": (64, 3, (2, 4, 6))}
#: Filters that fire2 to fire9 squeeze to; they expand to eight times as many.
SQUEEZED = (16, 16, 32, 32, 48, 48, 64, 64)


def convolution(x, name, relu_name, filters, kernel, pad=0, **how):
    x = mx.sym.Convolution(x, num_filter=filters, kernel=(kernel, kernel), pad=(pad, pad), name=name, **how)
    return mx.sym.Activation(x, act_type="relu", name=relu_name)


def fire(x, name, filters):
    def part(x, what, *shape):
        return convolution(x, "%s_%s" % (name, what), "%s_relu_%s" % (name, what), *shape)
    x = part(x, "squeeze1x1", filters, 1)
    return mx.sym.Concat(part(x, "expand1x1", 4 * filters, 1), part(x, "expand3x3", 4 * filters, 3, 1),
                         name=name + "_concat")


def get_symbol(num_classes=1000, version="1.0"):
    if version not in VERSIONS:
        raise ValueError("SqueezeNet's versions are '1.0' and '1.1', not '%s'" % (version,))
    filters, kernel, pools = VERSIONS[version]
    x = convolution(mx.sym.Variable("data"), "conv1", "relu_conv1", filters, kernel, stride=(2, 2))
    for number, squeezed in enumerate(SQUEEZED, start=2):
        if number in pools:
            x = mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="max", pooling_convention="full",
                               name="pool%d" % (number - 1))
        x = fire(x, "fire%d" % number, squeezed)
    x = mx.sym.Dropout(x, p=0.5, name="drop9")
    x = convolution(x, "conv10", "relu_conv10", num_classes, 1)
    x = mx.sym.Pooling(x, global_pool=True, kernel=(13, 13), pool_type="avg", name="pool10")
    return mx.sym.SoftmaxOutput(mx.sym.Flatten(x, name="flatten"), name="softmax")

"""GoogLeNet (Szegedy et al. 2014) without the two classifiers that only training needs, for pictures of 224 x 224.

Poolings between stages count a window that lies partly outside (pooling_convention="full"), by which 112 pixels
become 56, 28, 14 and 7, as in the paper's table; the last one takes what is left of other sizes.
data [N, 3, 224, 224] -> softmax_output [N, num_classes].
"""
import symc as mx

#: Stages of blocks: name; filters of 1x1; 3x3 reduced, 3x3; 5x5 reduced, 5x5; behind the pooling.
STAGES = (
    (("in3a", 64, 96, 128, 16, 32, 32), ("in3b", 128, 128, 192, 32, 96, 64)),
    (("in4a", 192, 96, 208, 16, 48, 64), ("in4b", 160, 112, 224, 24, 64, 64), ("in4c", 128, 128, 256, 24, 64, 64),
     ("in4d", 112, 144, 288, 32, 64, 64), ("in4e", 256, 160, 320, 32, 128, 128)),
    (("in5a", 256, 160, 320, 32, 128, 128), ("in5b", 384, 192, 384, 48, 128, 128)),
)


def convolution(x, filters, kernel, name, stride=1):
    pad = kernel // 2
    x = mx.sym.Convolution(x, num_filter=filters, kernel=(kernel, kernel), stride=(stride, stride), pad=(pad, pad),
                           name="conv_" + name)
    return mx.sym.Activation(x, act_type="relu", name="relu_" + name)


def halve(x):
    return mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="max", pooling_convention="full")


def inception(x, name, single, three_reduced, three, five_reduced, five, projected):
    pooled = mx.sym.Pooling(x, kernel=(3, 3), stride=(1, 1), pad=(1, 1), pool_type="max",
                            name="max_pool_%s_pool" % name)
    return mx.sym.Concat(
        convolution(x, single, 1, name + "_1x1"),
        convolution(convolution(x, three_reduced, 1, name + "_3x3_reduce"), three, 3, name + "_3x3"),
        convolution(convolution(x, five_reduced, 1, name + "_5x5_reduce"), five, 5, name + "_5x5"),
        convolution(pooled, projected, 1, name + "_proj"), name="ch_concat_%s_chconcat" % name)


def get_symbol(num_classes=1000):
    x = halve(convolution(mx.sym.Variable("data"), 64, 7, "conv1", stride=2))
    x = convolution(convolution(x, 64, 1, "conv2"), 192, 3, "conv3")
    for blocks in STAGES:
        x = halve(x)
        for block in blocks:
            x = inception(x, *block)
    x = mx.sym.Pooling(x, kernel=(7, 7), stride=(1, 1), global_pool=True, pool_type="avg")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=num_classes), name="softmax")

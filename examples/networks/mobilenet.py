"""MobileNet (Howard et al. 2017): pairs of a depthwise convolution of 3 x 3 and one of 1 x 1.

alpha scales all channels. Pictures of any multiple of 32. data [N, 3, S, S] -> softmax_output [N, num_classes].
"""
import symc as mx

#: (channels over 32, stride of the depthwise convolution) of the thirteen pairs, conv_2 to conv_14.
PAIRS = ((2, 1), (4, 2), (4, 1), (8, 2), (8, 1), (16, 2), (16, 1), (16, 1), (16, 1), (16, 1), (16, 1), (32, 2), (32, 1))


def layer(x, name, filters, kernel, stride=1, groups=1):
    pad = kernel // 2
    x = mx.sym.Convolution(x, num_filter=filters, kernel=(kernel, kernel), num_group=groups, stride=(stride, stride),
                           pad=(pad, pad), no_bias=True, name=name + "_conv2d")
    x = mx.sym.BatchNorm(x, fix_gamma=True, name=name + "_batchnorm")
    return mx.sym.Activation(x, act_type="relu", name=name + "_relu")


def get_symbol(num_classes=1000, alpha=1.0):
    if alpha not in (0.25, 0.5, 0.75, 1):
        raise ValueError("MobileNet's alpha is 0.25, 0.5, 0.75 or 1, not %s" % (alpha,))
    base = channels = int(32 * alpha)
    x = layer(mx.sym.Variable("data"), "conv_1", base, 3, 2)
    for number, (factor, stride) in enumerate(PAIRS, start=2):
        x = layer(x, "conv_%d_dw" % number, channels, 3, stride, groups=channels)
        channels = base * factor
        x = layer(x, "conv_%d" % number, channels, 1)
    x = mx.sym.Pooling(x, global_pool=True, kernel=(7, 7), stride=(1, 1), pool_type="avg", name="global_pool")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x, name="flatten"), num_hidden=num_classes, name="fc")
    return mx.sym.SoftmaxOutput(x, name="softmax")

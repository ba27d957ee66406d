"""MobileNetV2 (Sandler et al. 2018): bottlenecks that are wide inside, with no rectifier where they are narrow.

As in MXNet's example the first bottleneck has an expansion too, by 1, which the paper leaves out. multiplier scales all
channels. Pictures of any multiple of 32. data [N, 3, S, S] -> softmax_output [N, num_classes].
"""
import symc as mx

#: Expansion, channels, units, stride of the first unit: table 2 of the paper.
STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))


def layer(x, name, filters, kernel, stride=1, groups=1, rectified=True):
    pad = kernel // 2
    x = mx.sym.Convolution(x, num_filter=filters, kernel=(kernel, kernel), num_group=groups, stride=(stride, stride),
                           pad=(pad, pad), no_bias=True, name=name + "-conv2d")
    x = mx.sym.BatchNorm(x, fix_gamma=False, use_global_stats=False, eps=1e-5, name=name + "-batchnorm")
    return mx.sym.clip(x, 0, 6, name=name + "-relu6") if rectified else x


def unit(x, name, channels, filters, expansion, stride, shortcut):
    wide = channels * expansion
    y = layer(x, name + "-exp", wide, 1)
    y = layer(y, name + "-depthwise", wide, 3, stride, groups=wide)
    y = layer(y, name + "-linear", filters, 1, rectified=False)
    return mx.sym.elemwise_add(x, y, name=name + "-shortcut") if shortcut else y


def get_symbol(num_classes=1000, multiplier=1.0):
    channels = int(round(32 * multiplier))
    x = layer(mx.sym.Variable("data"), "first-3x3-conv", channels, 3, 2)
    for stage, (expansion, filters, units, stride) in enumerate(STAGES):
        filters = int(round(filters * multiplier))
        for number in range(units):
            x = unit(x, "seq-%d-block%d" % (stage, number), channels, filters, expansion, 1 if number else stride,
                     number > 0)
            channels = filters
    x = layer(x, "last-1x1-conv", int(1280 * max(multiplier, 1)), 1)
    x = mx.sym.Pooling(x, kernel=(7, 7), stride=(1, 1), pool_type="avg", global_pool=True, name="global_pool")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x, name="flatten"), num_hidden=num_classes, name="fc")
    return mx.sym.SoftmaxOutput(x, name="softmax")

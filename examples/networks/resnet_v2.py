"""ResNet with norms and rectifiers in front of the convolutions (He et al. 2016), so that sums go on untouched.

For pictures over 32 x 32, of 18, 34, 50, 101, 152, 200 or 269 layers; for pictures of up to 32 x 32, of 9n + 2 layers
from 164 on and of 6n + 2 below. data [N, 3, S, S] -> softmax_output [N, num_classes].
"""
import symc as mx

#: Units of the four stages; from 50 layers on they are bottlenecks.
UNITS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3),
         200: (3, 24, 36, 3), 269: (3, 30, 48, 8)}


def convolution(x, name, filters, kernel, stride=1):
    pad = kernel // 2
    return mx.sym.Convolution(x, num_filter=filters, kernel=(kernel, kernel), stride=(stride, stride), pad=(pad, pad),
                              no_bias=True, name=name)


def activate(x, norm_name, relu_name):
    x = mx.sym.BatchNorm(x, fix_gamma=False, eps=2e-5, momentum=0.9, name=norm_name)
    return mx.sym.Activation(x, act_type="relu", name=relu_name)


def unit(x, name, filters, stride, matches, bottleneck):
    """Convolutions and what they are added to: x itself where the extents and channels match, else a convolution of
    what the first one reads."""
    layers = ([(filters // 4, 1, 1), (filters // 4, 3, stride), (filters, 1, 1)] if bottleneck else
              [(filters, 3, stride), (filters, 3, 1)])
    y, shortcut = x, x
    for number, layer in enumerate(layers, start=1):
        y = activate(y, "%s_bn%d" % (name, number), "%s_relu%d" % (name, number))
        if number == 1 and not matches:
            shortcut = convolution(y, name + "_sc", filters, 1, stride)
        y = convolution(y, "%s_conv%d" % (name, number), *layer)
    return y + shortcut


def plan(num_layers, image_size):
    """Units of the stages, filters of the stem and of the stages, whether the units are bottlenecks."""
    if image_size <= 32:
        bottleneck = num_layers >= 164
        step = 9 if bottleneck else 6
        if num_layers < 8 or num_layers % step != 2:
            raise ValueError("ResNet v2 has 9n + 2 layers from 164 on and 6n + 2 below for pictures of up to 32 x 32, "
                             "not %s" % (num_layers,))
        return ((num_layers - 2) // step,) * 3, (16, 64, 128, 256) if bottleneck else (16, 16, 32, 64), bottleneck
    if num_layers not in UNITS:
        raise ValueError("ResNet v2 has 18, 34, 50, 101, 152, 200 or 269 layers for pictures over 32 x 32, not %s"
                         % (num_layers,))
    bottleneck = num_layers >= 50
    return UNITS[num_layers], (64, 256, 512, 1024, 2048) if bottleneck else (64, 64, 128, 256, 512), bottleneck


def get_symbol(num_classes=1000, num_layers=50, image_size=224):
    units, filters, bottleneck = plan(num_layers, image_size)
    x = mx.sym.identity(mx.sym.Variable("data"), name="id")
    x = mx.sym.BatchNorm(x, fix_gamma=True, eps=2e-5, momentum=0.9, name="bn_data")
    if image_size <= 32:
        x = convolution(x, "conv0", filters[0], 3)
    else:
        x = activate(convolution(x, "conv0", filters[0], 7, 2), "bn0", "relu0")
        x = mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max")
    for stage, count in enumerate(units, start=1):
        for number in range(1, count + 1):
            first = number == 1
            x = unit(x, "stage%d_unit%d" % (stage, number), filters[stage], 2 if first and stage > 1 else 1, not first,
                     bottleneck)
    x = mx.sym.Pooling(activate(x, "bn1", "relu1"), global_pool=True, kernel=(7, 7), pool_type="avg", name="pool1")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=num_classes, name="fc1"),
                                name="softmax")

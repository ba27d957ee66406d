"""ResNet as it was first published (He et al. 2015): a rectifier behind each sum.

For pictures over 32 x 32, of 18, 34, 50, 101 or 152 layers; for pictures of up to 32 x 32, of 6n + 2 layers.
The stride of a bottleneck is in its first convolution. As in MXNet's example the first unit of a stage always has a
convolution in its shortcut; in the first stage of 18 and 34 layers the paper has none.
data [N, 3, S, S] -> softmax_output [N, num_classes].
"""
import symc as mx

#: Units of the four stages; from 50 layers on they are bottlenecks.
UNITS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}


def convolution(x, name, filters, kernel, stride=1):
    pad = kernel // 2
    return mx.sym.Convolution(x, num_filter=filters, kernel=(kernel, kernel), stride=(stride, stride), pad=(pad, pad),
                              no_bias=True, name=name)


def normalize(x, name):
    return mx.sym.BatchNorm(x, fix_gamma=False, eps=2e-5, momentum=0.9, name=name)


def rectify(x, name):
    return mx.sym.Activation(x, act_type="relu", name=name)


def unit(x, name, filters, stride, matches, bottleneck):
    """Convolutions and what they are added to: x itself where the extents and channels match."""
    layers = [(filters // 4, 1), (filters // 4, 3), (filters, 1)] if bottleneck else [(filters, 3), (filters, 3)]
    y = x
    for number, (count, kernel) in enumerate(layers, start=1):
        y = convolution(y, "%s_conv%d" % (name, number), count, kernel, stride if number == 1 else 1)
        y = normalize(y, "%s_bn%d" % (name, number))
        if number < len(layers):
            y = rectify(y, "%s_relu%d" % (name, number))
    if not matches:
        x = normalize(convolution(x, name + "_conv1sc", filters, 1, stride), name + "_sc")
    return rectify(y + x, name + "_relu3")


def plan(num_layers, image_size):
    """Units of the stages, filters of the stem and of the stages, whether the units are bottlenecks."""
    if image_size <= 32:
        if num_layers < 8 or num_layers % 6 != 2:
            raise ValueError("ResNet has 6n + 2 layers for pictures of up to 32 x 32, not %s" % (num_layers,))
        return ((num_layers - 2) // 6,) * 3, (16, 16, 32, 64), False
    if num_layers not in UNITS:
        raise ValueError("ResNet has 18, 34, 50, 101 or 152 layers for pictures over 32 x 32, not %s" % (num_layers,))
    bottleneck = num_layers >= 50
    return UNITS[num_layers], (64, 256, 512, 1024, 2048) if bottleneck else (64, 64, 128, 256, 512), bottleneck


def get_symbol(num_classes=1000, num_layers=50, image_size=224):
    units, filters, bottleneck = plan(num_layers, image_size)
    x = mx.sym.identity(mx.sym.Variable("data"), name="id")
    x = convolution(x, "conv0", filters[0], 3) if image_size <= 32 else convolution(x, "conv0", filters[0], 7, 2)
    x = rectify(normalize(x, "bn0"), "relu0")
    if image_size > 32:
        x = mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max")
    for stage, count in enumerate(units, start=1):
        for number in range(1, count + 1):
            first = number == 1
            x = unit(x, "stage%d_unit%d" % (stage, number), filters[stage], 2 if first and stage > 1 else 1, not first,
                     bottleneck)
    x = mx.sym.Pooling(x, global_pool=True, kernel=(7, 7), pool_type="avg", name="pool1")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=num_classes, name="fc1"),
                                name="softmax")

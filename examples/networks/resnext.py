"""ResNeXt (Xie et al. 2016): ResNet's bottlenecks, whose middle convolution is one of num_group groups.

50, 101 or 152 layers, for pictures over 32 x 32. data [N, 3, S, S] -> softmax_output [N, num_classes].
"""
import symc as mx

UNITS = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}


def convolution(x, name, filters, kernel, stride=1, **how):
    pad = kernel // 2
    return mx.sym.Convolution(x, num_filter=filters, kernel=(kernel, kernel), stride=(stride, stride), pad=(pad, pad),
                              no_bias=True, name=name, **how)


def normalize(x, name, fix_gamma=False):
    return mx.sym.BatchNorm(x, fix_gamma=fix_gamma, eps=2e-5, momentum=0.9, name=name)


def rectify(x, name):
    return mx.sym.Activation(x, act_type="relu", name=name)


def unit(x, name, filters, stride, matches, groups):
    y = convolution(x, name + "_conv1", filters // 2, 1)
    y = rectify(normalize(y, name + "_bn1"), name + "_relu1")
    y = convolution(y, name + "_conv2", filters // 2, 3, stride, num_group=groups)
    y = rectify(normalize(y, name + "_bn2"), name + "_relu2")
    y = normalize(convolution(y, name + "_conv3", filters, 1), name + "_bn3")
    if not matches:
        x = normalize(convolution(x, name + "_sc", filters, 1, stride), name + "_sc_bn")
    return rectify(y + x, name + "_relu")


def get_symbol(num_classes=1000, num_layers=50, num_group=32):
    if num_layers not in UNITS:
        raise ValueError("ResNeXt has 50, 101 or 152 layers, not %s" % (num_layers,))
    x = mx.sym.identity(mx.sym.Variable("data"), name="id")
    x = normalize(x, "bn_data", fix_gamma=True)
    x = rectify(normalize(convolution(x, "conv0", 64, 7, 2), "bn0"), "relu0")
    x = mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max")
    for stage, count in enumerate(UNITS[num_layers], start=1):
        for number in range(1, count + 1):
            first = number == 1
            x = unit(x, "stage%d_unit%d" % (stage, number), 128 * 2 ** stage, 2 if first and stage > 1 else 1,
                     not first, num_group)
    x = mx.sym.Pooling(x, global_pool=True, kernel=(7, 7), pool_type="avg", name="pool1")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=num_classes, name="fc1"),
                                name="softmax")

"""DenseNet-BC (Huang et al. 2016) of 121, 161, 169, 201 or 264 layers: a unit reads what all before it made.

Pictures of any size from 32 on. drop_out 0 leaves the dropouts out.
data [N, 3, S, S] -> softmax_output [N, num_classes].
"""
import symc as mx

#: Units of the four blocks, and channels that a unit adds.
BLOCKS = {121: ((6, 12, 24, 16), 32), 161: ((6, 12, 36, 24), 48), 169: ((6, 12, 32, 32), 32),
          201: ((6, 12, 48, 32), 32), 264: ((6, 12, 64, 48), 32)}


def activate(x, norm_name, relu_name):
    x = mx.sym.BatchNorm(x, fix_gamma=False, eps=2e-5, momentum=0.9, name=norm_name)
    return mx.sym.Activation(x, act_type="relu", name=relu_name)


def convolution(x, name, filters, kernel, stride=1):
    pad = kernel // 2
    return mx.sym.Convolution(x, num_filter=filters, kernel=(kernel, kernel), stride=(stride, stride), pad=(pad, pad),
                              no_bias=True, name=name)


def drop(x, name, drop_out):
    return mx.sym.Dropout(x, p=drop_out, name=name) if drop_out > 0 else x


def unit(x, name, growth, drop_out):
    for number, (filters, kernel) in enumerate(((4 * growth, 1), (growth, 3)), start=1):
        x = activate(x, "%s_bn%d" % (name, number), "%s_relu%d" % (name, number))
        x = convolution(x, "%s_conv%d" % (name, number), filters, kernel)
        x = drop(x, "%s_dp%d" % (name, number), drop_out)
    return x


def get_symbol(num_classes=1000, num_layers=121, drop_out=0.2):
    if num_layers not in BLOCKS:
        raise ValueError("DenseNet has 121, 161, 169, 201 or 264 layers, not %s" % (num_layers,))
    units, growth = BLOCKS[num_layers]
    channels = 2 * growth
    x = mx.sym.BatchNorm(mx.sym.Variable("data"), fix_gamma=True, eps=2e-5, momentum=0.9, name="bn_data")
    x = activate(convolution(x, "conv0", channels, 7, 2), "bn0", "relu0")
    x = mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max")
    for stage, count in enumerate(units, start=1):
        block = "DBstage%d" % stage
        for number in range(1, count + 1):
            x = mx.sym.Concat(x, unit(x, "%s_unit%d" % (block, number), growth, drop_out),
                              name="%s_concat%d" % (block, number))
        channels += count * growth
        if stage < len(units):
            name, channels = "TBstage%d" % stage, channels // 2
            x = convolution(activate(x, name + "_bn1", name + "_relu1"), name + "_conv1", channels, 1)
            x = mx.sym.Pooling(drop(x, name + "_dp1", drop_out), kernel=(2, 2), stride=(2, 2), pool_type="avg",
                               name="%s_pool%d" % (name, stage))
    x = mx.sym.Pooling(activate(x, "bn1", "relu1"), global_pool=True, kernel=(7, 7), pool_type="avg", name="pool1")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=num_classes, name="fc1"),
                                name="softmax")

"""Inception with batch normalisation (Ioffe and Szegedy 2015), for pictures of 224 x 224, and a small one for 28 x 28.

data [N, 3, S, S] -> softmax_output [N, num_classes]; image_size S is 224, or 28 for the small one.
"""
import symc as mx

#: Blocks: name; filters of 1x1; 3x3 reduced, 3x3; two 3x3 reduced, each; pooling, filters behind it. A block
#: without filters of 1x1 halves the picture.
BLOCKS = (
    ("3a", 64, 64, 64, 64, 96, "avg", 32), ("3b", 64, 64, 96, 64, 96, "avg", 64), ("3c", 0, 128, 160, 64, 96, "max", 0),
    ("4a", 224, 64, 96, 96, 128, "avg", 128), ("4b", 192, 96, 128, 96, 128, "avg", 128),
    ("4c", 160, 128, 160, 128, 160, "avg", 128), ("4d", 96, 128, 192, 160, 192, "avg", 128),
    ("4e", 0, 128, 192, 192, 256, "max", 0),
    ("5a", 352, 192, 320, 160, 224, "avg", 128), ("5b", 352, 192, 320, 192, 224, "max", 128),
)
#: Blocks for small pictures: name; filters of 1x1 (0: the block halves the picture), of 3x3.
SMALL_BLOCKS = (("in3a", 32, 32), ("in3b", 32, 48), ("in3c", 0, 80), ("in4a", 112, 48), ("in4b", 96, 64),
                ("in4c", 80, 80), ("in4d", 48, 96), ("in4e", 0, 96), ("in5a", 176, 160), ("in5b", 176, 160))


def convolution(x, filters, kernel, name, stride=1):
    pad = kernel // 2
    x = mx.sym.Convolution(x, num_filter=filters, kernel=(kernel, kernel), stride=(stride, stride), pad=(pad, pad),
                           name="conv_" + name)
    x = mx.sym.BatchNorm(x, fix_gamma=False, eps=1e-5 + 1e-10, momentum=0.9, name="bn_" + name)
    return mx.sym.Activation(x, act_type="relu", name="relu_" + name)


def pool(x, kind, stride, name):
    return mx.sym.Pooling(x, kernel=(3, 3), stride=(stride, stride), pad=(1, 1), pool_type=kind, name=name)


def inception(x, name, single, three_reduced, three, double_reduced, double, kind, projected):
    stride = 1 if single else 2
    branches = [convolution(x, single, 1, name + "_1x1")] if single else []
    once = convolution(x, three_reduced, 1, name + "_3x3_reduce")
    branches.append(convolution(once, three, 3, name + "_3x3", stride))
    twice = convolution(x, double_reduced, 1, name + "_double_3x3_reduce")
    twice = convolution(twice, double, 3, name + "_double_3x3_0")
    branches.append(convolution(twice, double, 3, name + "_double_3x3_1", stride))
    pooled = pool(x, kind, stride, "%s_pool_%s_pool" % (kind, name))
    branches.append(convolution(pooled, projected, 1, name + "_proj") if projected else pooled)
    return mx.sym.Concat(*branches, name="ch_concat_%s_chconcat" % name)


def small_inception(x, name, single, three):
    if single:
        branches = [convolution(x, single, 1, name + "_1x1"), convolution(x, three, 3, name + "_3x3")]
    else:
        branches = [convolution(x, three, 3, name + "_conv", stride=2), pool(x, "max", 2, name + "_pool")]
    return mx.sym.Concat(*branches, name=name + "_ch_concat")


def get_symbol(num_classes=1000, image_size=224):
    x = mx.sym.Variable("data")
    if image_size <= 28:
        x = convolution(x, 96, 3, "1")
        for block in SMALL_BLOCKS:
            x = small_inception(x, *block)
    else:
        x = convolution(x, 64, 7, "1", stride=2)
        x = mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="max", name="pool_1")
        x = convolution(convolution(x, 64, 1, "2_red"), 192, 3, "2")
        x = mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="max", name="pool_2")
        for block in BLOCKS:
            x = inception(x, *block)
    x = mx.sym.Pooling(x, kernel=(7, 7), stride=(1, 1), global_pool=True, pool_type="avg", name="global_pool")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=num_classes), name="softmax")

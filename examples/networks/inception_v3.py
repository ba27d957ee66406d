"""Inception-v3 (Szegedy et al. 2015) without the classifier that only training needs, for pictures of 299 x 299.

data [N, 3, 299, 299] -> softmax_output [N, num_classes].
"""
import symc as mx


def convolution(x, name, filters, kernel=(1, 1), stride=1, pad=(0, 0)):
    x = mx.sym.Convolution(x, num_filter=filters, kernel=kernel, stride=(stride, stride), pad=pad, no_bias=True,
                           name=name + "_conv2d")
    x = mx.sym.BatchNorm(x, fix_gamma=True, name=name + "_batchnorm")
    return mx.sym.Activation(x, act_type="relu", name=name + "_relu")


def same(x, name, filters, rows, columns):
    """A convolution that keeps the extents."""
    return convolution(x, name, filters, (rows, columns), pad=(rows // 2, columns // 2))


def tower(x, name, *layers):
    """Convolutions one behind the other: (filters, rows, columns), of one pixel where there are filters only, and
    halving where 2 stands behind."""
    for number, layer in enumerate(layers):
        filters, rows, columns, stride = (*layer, 1)[:4] if isinstance(layer, tuple) else (layer, 1, 1, 1)
        place = name + ("_conv" if number == 0 else "_conv_%d" % number)
        x = (convolution(x, place, filters, (rows, columns), stride) if stride > 1 else
             same(x, place, filters, rows, columns))
    return x


def keep(x, name, kind, filters):
    """A pooling that keeps the extents, and its convolution."""
    pooled = mx.sym.Pooling(x, kernel=(3, 3), stride=(1, 1), pad=(1, 1), pool_type=kind,
                            name="%s_pool_%s_pool" % (kind, name))
    return tower(pooled, name + "_tower_2", filters)


def halve(x, name):
    return mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="max", name=name)


def concat(name, *branches):
    return mx.sym.Concat(*branches, name="ch_concat_%s_chconcat" % name)


def mixed_35(x, name, projected):
    """Figure 5 of the paper, at 35 x 35."""
    return concat(name, tower(x, name, 64), tower(x, name + "_tower", 48, (64, 5, 5)),
                  tower(x, name + "_tower_1", 64, (96, 3, 3), (96, 3, 3)), keep(x, name, "avg", projected))


def mixed_17(x, name, middle):
    """Figure 6 of the paper, at 17 x 17: windows of 7 x 7 as a row and a column."""
    row, column = (middle, 1, 7), (middle, 7, 1)
    return concat(name, tower(x, name, 192), tower(x, name + "_tower", middle, row, (192, 7, 1)),
                  tower(x, name + "_tower_1", middle, column, row, column, (192, 1, 7)), keep(x, name, "avg", 192))


def mixed_8(x, name, kind):
    """Figure 7 of the paper, at 8 x 8: windows of 3 x 3 as a row beside a column."""
    def beside(x, part):
        return [same(x, part + "_mixed_conv", 384, 1, 3), same(x, part + "_mixed_conv_1", 384, 3, 1)]
    return concat(name, tower(x, name, 320), *beside(tower(x, name + "_tower", 384), name + "_tower"),
                  *beside(tower(x, name + "_tower_1", 448, (384, 3, 3)), name + "_tower_1"), keep(x, name, kind, 192))


def get_symbol(num_classes=1000):
    x = mx.sym.identity(mx.sym.Variable("data"), name="id")
    x = convolution(convolution(x, "conv", 32, (3, 3), 2), "conv_1", 32, (3, 3))
    x = halve(same(x, "conv_2", 64, 3, 3), "pool")
    x = halve(convolution(convolution(x, "conv_3", 80), "conv_4", 192, (3, 3)), "pool1")
    for name, projected in (("mixed", 32), ("mixed_1", 64), ("mixed_2", 64)):
        x = mixed_35(x, name, projected)
    x = concat("mixed_3", convolution(x, "mixed_3_conv", 384, (3, 3), 2),
               tower(x, "mixed_3_tower", 64, (96, 3, 3), (96, 3, 3, 2)), halve(x, "max_pool_mixed_3_pool"))
    for name, middle in (("mixed_4", 128), ("mixed_5", 160), ("mixed_6", 160), ("mixed_7", 192)):
        x = mixed_17(x, name, middle)
    x = concat("mixed_8", tower(x, "mixed_8_tower", 192, (320, 3, 3, 2)),
               tower(x, "mixed_8_tower_1", 192, (192, 1, 7), (192, 7, 1), (192, 3, 3, 2)),
               halve(x, "max_pool_mixed_8_pool"))
    x = mixed_8(mixed_8(x, "mixed_9", "avg"), "mixed_10", "max")
    x = mx.sym.Pooling(x, kernel=(8, 8), stride=(1, 1), global_pool=True, pool_type="avg", name="global_pool")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x, name="flatten"), num_hidden=num_classes, name="fc1")
    return mx.sym.SoftmaxOutput(x, name="softmax")

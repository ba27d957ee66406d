"""AlexNet (Krizhevsky et al. 2012), for pictures of 227 x 227, whose five convolutions end at 6 x 6.

The paper splits layers 2, 4 and 5 over two processors: groups=2. MXNet's own example does not: groups=1.
data [N, 3, 227, 227] -> softmax_output [N, num_classes].
"""
import symc as mx


def convolution(x, number, filters, kernel, groups=1, **how):
    if groups > 1:
        how["num_group"] = groups
    x = mx.sym.Convolution(x, kernel=(kernel, kernel), num_filter=filters, name="conv%d" % number, **how)
    return mx.sym.Activation(x, act_type="relu")


def pool(x):
    return mx.sym.Pooling(x, pool_type="max", kernel=(3, 3), stride=(2, 2))


def normalize(x):
    return mx.sym.LRN(x, alpha=0.0001, beta=0.75, knorm=2, nsize=5)


def get_symbol(num_classes=1000, groups=1):
    x = mx.sym.Variable("data")
    x = pool(normalize(convolution(x, 1, 96, 11, stride=(4, 4))))
    x = pool(normalize(convolution(x, 2, 256, 5, groups, pad=(2, 2))))
    for number, filters, split in ((3, 384, 1), (4, 384, groups), (5, 256, groups)):
        x = convolution(x, number, filters, 3, split, pad=(1, 1))
    x = mx.sym.Flatten(pool(x))
    for number in (1, 2):
        x = mx.sym.FullyConnected(x, num_hidden=4096, name="fc%d" % number)
        x = mx.sym.Dropout(mx.sym.Activation(x, act_type="relu"), p=0.5)
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=num_classes, name="fc3"), name="softmax")

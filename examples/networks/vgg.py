"""VGG with 11, 13, 16 or 19 layers (Simonyan and Zisserman 2014), for pictures of 224 x 224.

Any multiple of 32 does; the first dense layer has as many weights as that asks for.
data [N, 3, 224, 224] -> softmax_output [N, num_classes].
"""
import symc as mx

#: Convolutions of 3 x 3 before each of the five poolings.
CONVOLUTIONS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}


def get_symbol(num_classes=1000, num_layers=16, batch_norm=False):
    if num_layers not in CONVOLUTIONS:
        raise ValueError("VGG has 11, 13, 16 or 19 layers, not %s" % (num_layers,))
    x = mx.sym.Variable("data")
    for stage, count in enumerate(CONVOLUTIONS[num_layers], start=1):
        filters = min(64 * 2 ** (stage - 1), 512)
        for place in ("%d_%d" % (stage, number) for number in range(1, count + 1)):
            x = mx.sym.Convolution(x, kernel=(3, 3), pad=(1, 1), num_filter=filters, name="conv" + place)
            if batch_norm:
                x = mx.sym.BatchNorm(x, name="bn" + place)
            x = mx.sym.Activation(x, act_type="relu", name="relu" + place)
        x = mx.sym.Pooling(x, pool_type="max", kernel=(2, 2), stride=(2, 2), name="pool%d" % stage)
    x = mx.sym.Flatten(x, name="flatten")
    for layer in (6, 7):
        x = mx.sym.FullyConnected(x, num_hidden=4096, name="fc%d" % layer)
        x = mx.sym.Activation(x, act_type="relu", name="relu%d" % layer)
        x = mx.sym.Dropout(x, p=0.5, name="drop%d" % layer)
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=num_classes, name="fc8"), name="softmax")

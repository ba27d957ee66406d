"""LeNet with tanh, 20 and 50 filters and 500 hidden units (LeCun et al. 1998), for digits of 28 x 28.

With add_stn a SpatialTransformer stands in front, whose six numbers a small network of its own finds in the picture
(Jaderberg et al. 2015). Nodes have the names that MXNet gives by itself, but for the transformer's last layer.
data [N, 1, 28, 28] -> softmax_output [N, num_classes].
"""
import symc as mx


def locate(data):
    """The affine transform [N, 6] for a picture. It learns a hundred times slower than the rest."""
    x = data
    for filters, how, pool in ((30, {"kernel": (5, 5), "stride": (2, 2)}, {"stride": (2, 2), "pool_type": "max"}),
                               (60, {"kernel": (3, 3), "stride": (1, 1), "pad": (1, 1)},
                                {"global_pool": True, "pool_type": "avg"})):
        x = mx.sym.Activation(mx.sym.Convolution(x, num_filter=filters, **how), act_type="relu")
        x = mx.sym.Pooling(x, kernel=(2, 2), **pool)
    return mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=6, name="stn_loc", attr={"__lr_mult__": "0.01"})


def get_symbol(num_classes=10, add_stn=False):
    x = mx.sym.Variable("data")
    if add_stn:
        x = mx.sym.SpatialTransformer(data=x, loc=locate(x), target_shape=(28, 28), transform_type="affine",
                                      sampler_type="bilinear")
    for filters in (20, 50):
        x = mx.sym.Activation(mx.sym.Convolution(x, kernel=(5, 5), num_filter=filters), act_type="tanh")
        x = mx.sym.Pooling(x, pool_type="max", kernel=(2, 2), stride=(2, 2))
    x = mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=500)
    x = mx.sym.FullyConnected(mx.sym.Activation(x, act_type="tanh"), num_hidden=num_classes)
    return mx.sym.SoftmaxOutput(x, name="softmax")

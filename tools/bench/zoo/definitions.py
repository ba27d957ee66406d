"""Nets of compare_zoo that GluonCV's model zoo does not have: generators of pictures as its
scripts train them, a language model and BERT's encoder. A function a net, which returns the
symbol over inputs whose shapes it is given."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "cases"))
import transformer


def dcgan():
    """Noise [N, 100, 1, 1] to pictures [N, 3, 64, 64] by five transposed convolutions."""
    import mxnet as mx
    data = mx.sym.Variable("data")
    for number, channels in enumerate((512, 256, 128, 64)):
        first = number == 0
        data = mx.sym.Deconvolution(data, num_filter=channels, kernel=(4, 4), stride=(1, 1) if first else (2, 2),
                                    pad=(0, 0) if first else (1, 1), no_bias=True, name="deconv%d" % number)
        data = mx.sym.BatchNorm(data, fix_gamma=False, name="norm%d" % number)
        data = mx.sym.Activation(data, act_type="relu")
    data = mx.sym.Deconvolution(data, num_filter=3, kernel=(4, 4), stride=(2, 2), pad=(1, 1), no_bias=True, name="deconv4")
    return mx.sym.tanh(data, name="picture")


def padded(data, pixels):
    import mxnet as mx
    return mx.sym.pad(data, mode="reflect", pad_width=(0, 0, 0, 0) + (pixels,) * 4)


def normed(data, name, relu=True):
    import mxnet as mx
    data = mx.sym.InstanceNorm(data, name=name)
    return mx.sym.Activation(data, act_type="relu") if relu else data


def cyclegan():
    """The generator of CycleGAN: nine residual blocks under instance norms, reflected borders."""
    import mxnet as mx
    data = mx.sym.Convolution(padded(mx.sym.Variable("data"), 3), num_filter=64, kernel=(7, 7), name="conv0")
    data = normed(data, "norm0")
    for number, channels in enumerate((128, 256)):
        data = mx.sym.Convolution(data, num_filter=channels, kernel=(3, 3), stride=(2, 2), pad=(1, 1), name="down%d" % number)
        data = normed(data, "down_norm%d" % number)
    for block in range(9):
        inner = data
        for half in range(2):
            inner = mx.sym.Convolution(padded(inner, 1), num_filter=256, kernel=(3, 3), name="block%d_conv%d" % (block, half))
            inner = normed(inner, "block%d_norm%d" % (block, half), relu=half == 0)
        data = data + inner
    for number, channels in enumerate((128, 64)):
        data = mx.sym.Deconvolution(data, num_filter=channels, kernel=(3, 3), stride=(2, 2), pad=(1, 1), adj=(1, 1),
                                    no_bias=False, name="up%d" % number)
        data = normed(data, "up_norm%d" % number)
    data = mx.sym.Convolution(padded(data, 3), num_filter=3, kernel=(7, 7), name="conv1")
    return mx.sym.tanh(data, name="picture")


def srgan():
    """The generator of SRGAN: 16 residual blocks, then pixels out of channels, twice."""
    import mxnet as mx

    def prelu(data, name):
        return mx.sym.LeakyReLU(data, act_type="prelu", name=name)

    def shuffled(data, channels, side, name):
        data = mx.sym.Convolution(data, num_filter=4 * channels, kernel=(3, 3), pad=(1, 1), name=name)
        data = mx.sym.reshape(data, shape=(0, -4, channels, 4, 0, 0))
        data = mx.sym.reshape(data, shape=(0, 0, -4, 2, 2, 0, 0))
        return mx.sym.reshape(mx.sym.transpose(data, axes=(0, 1, 4, 2, 5, 3)), shape=(0, 0, 2 * side, 2 * side))
    data = prelu(mx.sym.Convolution(mx.sym.Variable("data"), num_filter=64, kernel=(9, 9), pad=(4, 4), name="conv0"), "prelu0")
    first = data
    for block in range(16):
        inner = mx.sym.Convolution(data, num_filter=64, kernel=(3, 3), pad=(1, 1), no_bias=True, name="block%d_conv0" % block)
        inner = prelu(mx.sym.BatchNorm(inner, fix_gamma=False, name="block%d_norm0" % block), "block%d_prelu" % block)
        inner = mx.sym.Convolution(inner, num_filter=64, kernel=(3, 3), pad=(1, 1), no_bias=True, name="block%d_conv1" % block)
        data = data + mx.sym.BatchNorm(inner, fix_gamma=False, name="block%d_norm1" % block)
    data = mx.sym.Convolution(data, num_filter=64, kernel=(3, 3), pad=(1, 1), no_bias=True, name="conv1")
    data = first + mx.sym.BatchNorm(data, fix_gamma=False, name="norm1")
    for number, side in enumerate((64, 128)):
        data = prelu(shuffled(data, 64, side, "up%d" % number), "up_prelu%d" % number)
    data = mx.sym.Convolution(data, num_filter=3, kernel=(9, 9), pad=(4, 4), name="conv2")
    return mx.sym.tanh(data, name="picture")


def bert_base():
    import mxnet as mx
    return transformer.build(mx, transformer.base(False))


def lstm_lm():
    """Words [time, batch] to scores of the next ones: two layers of 650 units over 10,000 words."""
    import mxnet as mx
    words, size, units = mx.sym.Variable("data"), 10000, 650
    data = mx.sym.Embedding(words, input_dim=size, output_dim=units, name="words")
    states = [mx.sym.zeros((2, 1, units)) for _ in range(2)]
    data = mx.sym.RNN(data, mx.sym.Variable("parameters"), states[0], states[1], state_size=units, num_layers=2,
                      mode="lstm", name="rnn")
    return mx.sym.FullyConnected(data, num_hidden=size, flatten=False, name="scores")


NETS = {function.__name__: function for function in (dcgan, cyclegan, srgan, bert_base, lstm_lm)}

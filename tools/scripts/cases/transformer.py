"""The encoder of BERT as a symbol of MXNet, as GluonNLP 0.10 composes it.

Rows are [length, batch, units]. Queries, keys and values of a layer are three weights
that the graph interleaves head by head, for one product and the operators
_contrib_interleaved_matmul_selfatt_qk and _valatt; norms stand behind the residuals;
with lengths, softmax leaves out what lies beyond them and the result is zero there.
"""
from collections import namedtuple

Encoder = namedtuple("Encoder", "layers units heads hidden positions lengths")


def base(lengths):
    """BERT-base."""
    return Encoder(12, 768, 12, 3072, 512, lengths)


def interleave(mx, encoder, name, parts, extents):
    """Parts [units, ...extents] as one of [3 * units, ...extents], a head's rows together."""
    rows = [mx.sym.reshape(mx.sym.Variable("%s_%s" % (name, part), shape=(encoder.units, *extents)),
                           shape=(encoder.heads, -1, *extents)) for part in parts]
    return mx.sym.reshape(mx.sym.concat(*rows, dim=1), shape=(-1, *extents))


def attention(mx, encoder, name, data, lengths):
    words = ("query", "key", "value")
    weight = interleave(mx, encoder, name, [word + "_weight" for word in words], (encoder.units,))
    bias = interleave(mx, encoder, name, [word + "_bias" for word in words], ())
    joint = mx.sym.FullyConnected(data, weight, bias, num_hidden=3 * encoder.units, flatten=False, name=name + "_qkv")
    scores = mx.sym.contrib.interleaved_matmul_selfatt_qk(joint, heads=encoder.heads, name=name + "_scores")
    if lengths is None:
        shares = mx.sym.softmax(scores, axis=-1, name=name + "_softmax")
    else:
        each = mx.sym.broadcast_axis(mx.sym.expand_dims(lengths, axis=1), axis=1, size=encoder.heads)
        each = mx.sym.reshape(each, shape=(-1, 0), reverse=True)
        shares = mx.sym.softmax(scores, each, use_length=True, axis=-1, name=name + "_softmax")
    return mx.sym.contrib.interleaved_matmul_selfatt_valatt(joint, shares, heads=encoder.heads, name=name + "_values")


def norm(mx, data, name):
    return mx.sym.LayerNorm(data, eps=1e-12, name=name)


def layer(mx, encoder, name, data, lengths):
    values = attention(mx, encoder, name + "_attention", data, lengths)
    values = mx.sym.FullyConnected(values, num_hidden=encoder.units, flatten=False, name=name + "_projection")
    data = norm(mx, values + data, name + "_norm")
    hidden = mx.sym.FullyConnected(data, num_hidden=encoder.hidden, flatten=False, name=name + "_ffn1")
    hidden = mx.sym.LeakyReLU(hidden, act_type="gelu", name=name + "_gelu")
    hidden = mx.sym.FullyConnected(hidden, num_hidden=encoder.units, flatten=False, name=name + "_ffn2")
    return norm(mx, hidden + data, name + "_ffn_norm")


def build(mx, encoder):
    """The symbol: `data` and, with lengths, `valid_length` [batch]."""
    data = mx.sym.Variable("data")
    steps = mx.sym.contrib.arange_like(data, axis=0, name="steps")
    lengths = valid = None
    if encoder.lengths:
        valid = mx.sym.Variable("valid_length")
        lengths = mx.sym.broadcast_add(mx.sym.reshape(valid, shape=(-1, 1)),
                                       mx.sym.reshape(mx.sym.zeros_like(steps), shape=(1, -1)))
        lengths = mx.sym.cast(lengths, dtype="int32")
    positions = mx.sym.Embedding(steps, input_dim=encoder.positions, output_dim=encoder.units, name="position")
    data = mx.sym.broadcast_add(data, mx.sym.expand_dims(positions, axis=1))
    data = norm(mx, data, "norm")
    for number in range(encoder.layers):
        data = layer(mx, encoder, "layer%d" % number, data, lengths)
    if encoder.lengths:
        data = mx.sym.SequenceMask(data, valid, use_sequence_length=True, axis=0, name="mask")
    return data

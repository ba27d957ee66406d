"""BERT's encoder (Devlin et al. 2018); the defaults are BERT-base.

data, token_types [N, length] of numbers and valid_length [N] -> encoder_out [N, length, units], zero beyond the valid
length, and pooler_output [N, units] of the first token; with num_classes softmax_output [N, num_classes] instead.

Inside rows are [length, N, units]. A layer's queries, keys and values are three weights that the graph interleaves
head by head into one product, as MXNet's operators of self-attention take them.
"""
import symc as mx


def dense(x, units, name):
    return mx.sym.FullyConnected(x, num_hidden=units, flatten=False, name=name)


def normalize(x, name):
    return mx.sym.LayerNorm(x, eps=1e-12, name=name)


#: How training begins, by what a name ends in; it also tells that these variables are parameters, not inputs.
INITIAL = {"weight": '["normal", {"sigma": 0.02}]', "bias": '["zero", {}]'}


def interleave(name, part, units, heads, *extents):
    """Queries', keys' and values' weights [units, *extents] as one of [3 * units, *extents], a head's rows together."""
    rows = [mx.sym.Variable("%s_%s_%s" % (name, what, part), shape=(units, *extents), init=INITIAL[part])
            for what in ("query", "key", "value")]
    rows = [mx.sym.Reshape(row, shape=(heads, -1, *extents)) for row in rows]
    return mx.sym.Reshape(mx.sym.Concat(*rows, dim=1), shape=(-1, *extents))


def attend(x, name, units, heads, lengths, dropout):
    x = mx.sym.FullyConnected(x, interleave(name, "weight", units, heads, units),
                              interleave(name, "bias", units, heads), num_hidden=3 * units, flatten=False,
                              name=name + "_qkv")
    scores = mx.sym.contrib.interleaved_matmul_selfatt_qk(x, heads=heads, name=name + "_scores")
    shares = mx.sym.softmax(scores, lengths, use_length=True, axis=-1, name=name + "_softmax")
    shares = mx.sym.Dropout(shares, p=dropout, name=name + "_drop")
    return mx.sym.contrib.interleaved_matmul_selfatt_valatt(x, shares, heads=heads, name=name + "_values")


def layer(x, name, units, heads, hidden, lengths, dropout):
    y = dense(attend(x, name + "_attention", units, heads, lengths, dropout), units, name + "_projection")
    x = normalize(mx.sym.Dropout(y, p=dropout, name=name + "_drop") + x, name + "_norm")
    y = mx.sym.LeakyReLU(dense(x, hidden, name + "_ffn1"), act_type="gelu", name=name + "_gelu")
    y = mx.sym.Dropout(dense(y, units, name + "_ffn2"), p=dropout, name=name + "_ffn_drop")
    return normalize(y + x, name + "_ffn_norm")


def embed(words, vocabulary, positions, units):
    """The sum of three embeddings, [length, N, units]."""
    x = (mx.sym.Embedding(words, input_dim=vocabulary, output_dim=units, name="word_embed") +
         mx.sym.Embedding(mx.sym.Variable("token_types"), input_dim=2, output_dim=units, name="type_embed"))
    x = mx.sym.transpose(x, axes=(1, 0, 2))
    places = mx.sym.Embedding(mx.sym.contrib.arange_like(x, axis=0), input_dim=positions, output_dim=units,
                              name="position_embed")
    return mx.sym.broadcast_add(x, mx.sym.expand_dims(places, axis=1))


def lengths_of_rows(x, valid, heads):
    """valid [N] for each row of scores, [N * heads, length] of int32."""
    rows = mx.sym.broadcast_add(mx.sym.Reshape(valid, shape=(-1, 1)), mx.sym.Reshape(
        mx.sym.zeros_like(mx.sym.contrib.arange_like(x, axis=0)), shape=(1, -1)))
    rows = mx.sym.broadcast_axis(mx.sym.expand_dims(rows, axis=1), axis=1, size=heads)
    return mx.sym.Cast(mx.sym.Reshape(rows, shape=(-1, 0), reverse=True), dtype="int32")


def get_symbol(num_classes=None, layers=12, units=768, heads=12, hidden=3072, vocabulary=30522, positions=512,
               dropout=0.1):
    valid = mx.sym.Variable("valid_length")
    x = embed(mx.sym.Variable("data"), vocabulary, positions, units)
    lengths = lengths_of_rows(x, valid, heads)
    x = mx.sym.Dropout(normalize(x, "embed_norm"), p=dropout, name="embed_drop")
    for number in range(layers):
        x = layer(x, "layer%d" % number, units, heads, hidden, lengths, dropout)
    x = mx.sym.SequenceMask(x, valid, use_sequence_length=True, axis=0, name="mask")
    x = mx.sym.transpose(x, axes=(1, 0, 2), name="encoder_out")
    first = mx.sym.Reshape(mx.sym.slice_axis(x, axis=1, begin=0, end=1), shape=(-1, units))
    pooled = mx.sym.Activation(mx.sym.FullyConnected(first, num_hidden=units, name="pooler_dense"), act_type="tanh",
                               name="pooler")
    if num_classes is None:
        return mx.sym.Group([x, pooled])
    x = mx.sym.Dropout(pooled, p=dropout, name="pooler_drop")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=num_classes, name="classifier"), name="softmax")

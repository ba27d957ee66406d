"""Composes a small decoder and draws its weights: draw_decoder.py FOLDER writes decoder-symbol.json and decoder-0000.params.

GPT-2's form: embeddings of tokens and positions, layers of attention over all positions so far and of two dense ones, each
behind a norm and added to what it read, and the embedding again as the last matrix. Inputs are data [N, S] (numbers of
tokens), positions [S] and, for each layer, past_key and past_value [N * heads, T, width]; symc --grow keeps these as states.
The output, log_softmax_output [N, vocabulary], is about the token behind the last one of each row.
"""
import math
import os
import sys

import numpy as np
import symc as mx

VOCABULARY, POSITIONS, UNITS, HEADS, LAYERS = 96, 64, 64, 4, 2
WIDTH = UNITS // HEADS
STATES = ["past_%s%d" % (kind, i) for i in range(LAYERS) for kind in ("key", "value")]


def dense(x, units, name):
    return mx.sym.FullyConnected(x, num_hidden=units, flatten=False, name=name)


def heads_of(x):
    """[N, heads, S, width] as [N * heads, S, width], the form of the states."""
    return mx.sym.Reshape(x, shape=(-3, 0, 0))


def attend(x, positions, number):
    parts = mx.sym.Reshape(dense(x, 3 * UNITS, "qkv%d" % number), shape=(0, 0, 3, HEADS, WIDTH))
    parts = mx.sym.SliceChannel(mx.sym.transpose(parts, axes=(2, 0, 3, 1, 4)), axis=0, num_outputs=3, squeeze_axis=True)
    query, key, value = (heads_of(parts[i]) for i in range(3))
    keys = mx.sym.Concat(mx.sym.Variable("past_key%d" % number), key, dim=1, name="keys%d" % number)
    values = mx.sym.Concat(mx.sym.Variable("past_value%d" % number), value, dim=1, name="values%d" % number)
    scores = mx.sym.batch_dot(query, keys, transpose_b=True) / math.sqrt(WIDTH)
    # A token sees those at its own position and before.
    place = mx.sym.expand_dims(mx.sym.contrib.arange_like(keys, axis=1), axis=0)
    seen = mx.sym.broadcast_lesser_equal(place, mx.sym.expand_dims(positions, axis=1))
    seen = mx.sym.broadcast_like(mx.sym.expand_dims(seen, axis=0), scores)
    shares = mx.sym.softmax(mx.sym.where(seen, scores, -1e9 * mx.sym.ones_like(scores)), axis=-1)
    context = mx.sym.Reshape(mx.sym.batch_dot(shares, values), shape=(-4, -1, HEADS, 0, 0))
    context = mx.sym.Reshape(mx.sym.transpose(context, axes=(0, 2, 1, 3)), shape=(0, 0, -3))
    return dense(context, UNITS, "out%d" % number), [keys, values]


def compose():
    weight = mx.sym.Variable("token_weight", shape=(VOCABULARY, UNITS))
    positions = mx.sym.Variable("positions")
    x = mx.sym.Embedding(mx.sym.Variable("data"), weight, input_dim=VOCABULARY, output_dim=UNITS, name="token")
    place = mx.sym.Embedding(positions, input_dim=POSITIONS, output_dim=UNITS, name="position")
    x, states = mx.sym.broadcast_add(x, mx.sym.expand_dims(place, axis=0)), []
    for number in range(LAYERS):
        y, kept = attend(mx.sym.LayerNorm(x, name="norm%d" % number), positions, number)
        x, states = x + y, states + kept
        y = dense(mx.sym.LayerNorm(x, name="ffn_norm%d" % number), 4 * UNITS, "ffn1_%d" % number)
        x = x + dense(mx.sym.LeakyReLU(y, act_type="gelu"), UNITS, "ffn2_%d" % number)
    last = mx.sym.slice_axis(mx.sym.LayerNorm(x, name="last_norm"), axis=1, begin=-1, end=None)
    scores = mx.sym.FullyConnected(last, weight, num_hidden=VOCABULARY, no_bias=True, name="scores")
    return mx.sym.Group([mx.sym.log_softmax(scores, axis=-1, name="log_softmax"), *states])


def shapes(rows):
    """Of `rows` texts side by side: a prompt of up to POSITIONS tokens, or one token."""
    state = (rows * HEADS, 0, WIDTH)
    return dict({"data": (rows, "S=1..%d" % POSITIONS), "positions": ("S",)}, **{name: state for name in STATES})


def grow():
    return {name: (1, POSITIONS) for name in STATES}


def draw(net, seed=11):
    rng, values = np.random.default_rng(seed), {}
    known = {name: (2, 3) if name == "data" else (3,) if name == "positions" else (2 * HEADS, 1, WIDTH)
             for name in ["data", "positions"] + STATES}
    for name, shape in zip(net.list_arguments(), net.infer_shape(**known)[0]):
        if name not in known:
            around, size = (1, 0.1) if name.endswith("gamma") else (0, 0.3 if len(shape) == 2 else 0.1)
            values["arg:" + name] = mx.nd.array(rng.normal(around, size, shape).astype("float32"))
    return values


def main():
    net = compose()
    os.makedirs(sys.argv[1], exist_ok=True)
    net.save(os.path.join(sys.argv[1], "decoder-symbol.json"))
    mx.nd.save(os.path.join(sys.argv[1], "decoder-0000.params"), draw(net))


if __name__ == "__main__":
    main()

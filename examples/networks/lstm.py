"""A language model of words: embedding, layers of LSTM, softmax over the vocabulary (Zaremba et al. 2014).

The defaults are the paper's medium model. Time comes first: data [length, N] of word numbers -> softmax_output
[length * N, num_classes], and the states behind the last word, which the next run takes as its first ones.

    unrolled  each step a product of its own; states lstm_l0_begin_state_0 (hidden) and _1 (cell) [N, hidden] a layer
    fused     one operator RNN; states lstm_begin_state_0 and _1 [layers, N, hidden], weights lstm_parameters

lstm_parameters holds layer by layer i2h_weight and h2h_weight, then layer by layer i2h_bias and h2h_bias, flat; the
four gates lie one behind the other in all of them: in, forget, candidate, out.
"""
import symc as mx


def cell(x, hidden, state, units, weights, name):
    """One step: what a layer makes of x and its two states."""
    def product(data, part):
        return mx.sym.FullyConnected(data, weights[part + "_weight"], weights[part + "_bias"], num_hidden=4 * units,
                                     name=name + part)
    gates = mx.sym.SliceChannel(product(x, "i2h") + product(hidden, "h2h"), num_outputs=4, name=name + "slice")
    kinds = ("i", "sigmoid"), ("f", "sigmoid"), ("c", "tanh"), ("o", "sigmoid")
    enter, forget, candidate, leave = [mx.sym.Activation(gates[place], act_type=kind, name=name + gate)
                                       for place, (gate, kind) in enumerate(kinds)]
    state = mx.sym.elemwise_add(forget * state, enter * candidate, name=name + "state")
    return mx.sym.elemwise_mul(leave, mx.sym.Activation(state, act_type="tanh"), name=name + "out"), state


def unroll(x, length, units, layers, dropout):
    """[length, N, units] and the last states of all layers."""
    steps = list(mx.sym.SliceChannel(x, num_outputs=length, axis=0, squeeze_axis=True, name="steps"))
    last = []
    for layer in range(layers):
        prefix = "lstm_l%d_" % layer
        weights = {part: mx.sym.Variable(prefix + part)
                   for part in ("i2h_weight", "i2h_bias", "h2h_weight", "h2h_bias")}
        hidden, state = [mx.sym.Variable("%sbegin_state_%d" % (prefix, number), shape=(0, units)) for number in (0, 1)]
        for time in range(length):
            hidden, state = cell(steps[time], hidden, state, units, weights, "%st%d_" % (prefix, time))
            steps[time] = hidden
        last += [hidden, state]
        if layer + 1 < layers:
            steps = [mx.sym.Dropout(step, p=dropout) for step in steps]
    return mx.sym.stack(*steps, axis=0, name="lstm_outputs"), last


def fuse(x, units, layers, dropout):
    """The same by one operator."""
    states = [mx.sym.Variable("lstm_begin_state_%d" % number) for number in (0, 1)]
    rnn = mx.sym.RNN(x, mx.sym.Variable("lstm_parameters"), *states, state_size=units, num_layers=layers, mode="lstm",
                     p=dropout, state_outputs=True, name="lstm_rnn")
    return rnn[0], [rnn[1], rnn[2]]


def get_symbol(num_classes=10000, length=35, embed=650, hidden=650, layers=2, dropout=0.5, fused=False):
    """num_classes: words of the vocabulary. length: steps of the unrolled model; the fused one takes any."""
    x = mx.sym.Embedding(mx.sym.Variable("data"), input_dim=num_classes, output_dim=embed, name="embed")
    x = mx.sym.Dropout(x, p=dropout, name="embed_drop")
    x, states = fuse(x, hidden, layers, dropout) if fused else unroll(x, length, hidden, layers, dropout)
    x = mx.sym.Reshape(mx.sym.Dropout(x, p=dropout, name="lstm_drop"), shape=(-1, hidden))
    x = mx.sym.FullyConnected(x, num_hidden=num_classes, name="pred")
    return mx.sym.Group([mx.sym.SoftmaxOutput(x, name="softmax"), *states])

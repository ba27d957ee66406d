"""Gradients beside differences of the outputs along random directions, in float64.

usage: directional_gradients.py SYMC [GRAPH...]

Of what MXNet does not compute on the CPU: lengths and projections of recurrent layers, limits of
cells, CTCLoss in float64; and of masks, which each run of a program draws alike.
"""
import subprocess
import sys
import zlib

import numpy as np

import symc as mx

S = mx.sym
STEPS, BATCH, FEATURES, HIDDEN = 5, 3, 2, 3


def variable(name):
    return S.Variable(name, dtype="float64")


def draw(name, *shape):
    return np.random.default_rng(zlib.crc32(name.encode())).uniform(-0.9, 0.9, shape)


def recurrent(mode, layers=2, ways=2, projection=None, lengths=True, states=True, **more):
    """(heads, {argument: array}) of a stack of layers."""
    out, gates = projection or HIDDEN, {"lstm": 4, "gru": 3}.get(mode, 1)
    count = 0
    for layer in range(layers):
        reads = FEATURES if layer == 0 else ways * out
        count += ways * (gates * HIDDEN * (reads + out + 2) + (out * HIDDEN if projection else 0))
    arrays = {"data": draw("data", STEPS, BATCH, FEATURES), "params": draw("params", count),
              "state": draw("state", layers * ways, BATCH, out)}
    operands = dict(data=variable("data"), parameters=variable("params"), state=variable("state"))
    if mode == "lstm":
        arrays["cell"], operands["state_cell"] = draw("cell", layers * ways, BATCH, HIDDEN), variable("cell")
    if lengths:
        arrays["lengths"], operands["sequence_length"] = np.array([5.0, 2.0, 1.0]), variable("lengths")
    rnn = S.RNN(mode=mode, state_size=HIDDEN, num_layers=layers, bidirectional=ways == 2, projection_size=projection,
                use_sequence_length=lengths, state_outputs=states, **operands, **more)
    return list(rnn), arrays


def ctc(last=False, use=()):
    labels = np.array([[1.0, 2, 2, 0], [3, 1, 0, 0], [4, 4, 1, 3]])
    given = {"data_lengths": np.array([9.0, 5, 8]), "label_lengths": np.array([3.0, 2, 4])}
    given = {name: value for name, value in given.items() if name in use}
    arrays = {"data": draw("data", 9, 3, 6) * 2, "label": np.where(labels == 0, -1, labels) if last and not use else labels, **given}
    loss = S.CTCLoss(data=variable("data"), label=variable("label"), blank_label="last" if last else "first",
                     **{name: variable(name) for name in given}, **{"use_" + name: True for name in given})
    return [loss], arrays


def dropped_rows():
    """The mask is read again by what follows it, in loops in loops."""
    def row(x, s):
        def inner(y, t):
            d = S.Dropout(y * t, p=0.5)
            return S.tanh(d * d + t), S.sin(d + t)
        return S.contrib.foreach(inner, x, s)
    out, last = S.contrib.foreach(row, variable("x"), variable("s"))
    return [out, last], {"x": draw("x", 3, 4, 8), "s": draw("s", 8)}


def dropped_while():
    def step(i, a):
        d = S.Dropout(a, p=0.3)
        return [S.tanh(d * a)], [i + 1, S.tanh(d + a * a)]
    outs, ends = S.contrib.while_loop(lambda i, a: i < 3, step, [variable("i"), variable("a")], max_iterations=6)
    return [S.slice_axis(outs[0], axis=0, begin=0, end=3), ends[1]], {"i": np.zeros(1), "a": draw("a", 16)}


def dropped_choice():
    x = variable("x")
    branch = lambda name: lambda: S.tanh(S.Dropout(x * x, p=0.5, name=name) * x)
    return [S.contrib.cond(S.sum(x) < 1000, branch("one"), branch("other"))], {"x": draw("x", 4, 8)}


GRAPHS = {
    "relu_lengths": lambda: recurrent("rnn_relu"),
    "tanh_lengths": lambda: recurrent("rnn_tanh", states=False),
    "lstm_lengths": lambda: recurrent("lstm"),
    "gru_lengths": lambda: recurrent("gru"),
    "lstm_projection": lambda: recurrent("lstm", projection=2, lengths=False),
    "lstm_projection_lengths": lambda: recurrent("lstm", projection=1, ways=1),
    "lstm_clip": lambda: recurrent("lstm", lengths=False, lstm_state_clip_min=-0.35, lstm_state_clip_max=0.3),
    "lstm_dropout": lambda: recurrent("lstm", layers=3, p=0.4),
    "gru_dropout": lambda: recurrent("gru", layers=3, p=0.4, lengths=False, states=False),
    "ctc": ctc,
    "ctc_last": lambda: ctc(last=True),
    "ctc_data_lengths": lambda: ctc(use=("data_lengths",)),
    "ctc_label_lengths": lambda: ctc(last=True, use=("label_lengths",)),
    "ctc_both_lengths": lambda: ctc(use=("data_lengths", "label_lengths")),
    "dropped_rows": dropped_rows,
    "dropped_while": dropped_while,
    "dropped_choice": dropped_choice,
}


class Program:
    def __init__(self, symc, name):
        self.name, (heads, self.arrays) = name, GRAPHS[name]()
        self.heads = len(heads)
        S.Group([S.identity(head, name="out%d" % i) for i, head in enumerate(heads)]).save(name + ".json")
        command = [symc, name + ".json", "--gradients", "all", "-o", name]
        for key, value in self.arrays.items():
            command += ["--shape", "%s=%s" % (key, ",".join(map(str, value.shape))), "--dtype", key + "=float64"]
        subprocess.check_call(command, stderr=subprocess.DEVNULL)

    def run(self, arrays, slopes=()):
        command = ["./" + self.name, "--output-dir", self.name + ".out"]
        for key, value in arrays.items():
            np.save("%s-%s.npy" % (self.name, key), value)
            command += ["--input", "%s=%s-%s.npy" % (key, self.name, key)]
        for i, slope in enumerate(slopes):
            np.save("%s-slope%d.npy" % (self.name, i), slope)
            command += ["--head-grad", "out%d_output=%s-slope%d.npy" % (i, self.name, i)]
        subprocess.check_call(command, stdout=subprocess.DEVNULL)
        return [np.load("%s.out/out%d_output.npy" % (self.name, i)) for i in range(self.heads)]

    def check(self):
        rng = np.random.default_rng(11)
        slopes = [rng.standard_normal(out.shape) for out in self.run(self.arrays)]
        self.run(self.arrays, slopes)
        gradients = {key: np.load("%s.out/grad/%s.npy" % (self.name, key)) for key in self.arrays}
        value = lambda arrays: sum((out * slope).sum() for out, slope in zip(self.run(arrays), slopes))
        for key, array in self.arrays.items():
            if key in ("label", "lengths", "data_lengths", "label_lengths", "i"):
                assert not gradients[key].any(), (self.name, key)
                continue
            for _ in range(2):
                way = rng.standard_normal(array.shape) * 1e-6
                ahead, back = (value({**self.arrays, key: array + sign * way}) for sign in (1, -1))
                np.testing.assert_allclose((gradients[key] * way).sum(), (ahead - back) / 2, rtol=1e-5, atol=1e-13,
                                           err_msg="%s: %s" % (self.name, key))


def main():
    for name in sys.argv[2:] or GRAPHS:
        Program(sys.argv[1], name).check()
        print("%s agrees" % name)


main()

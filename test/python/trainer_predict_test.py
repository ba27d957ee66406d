"""If this fails, a trainer's steps predict something else than the net computes in prediction: norms take statistics of the
batch, Dropout draws zeros, a value lies where another one is still read; or predicting changes what is trained."""
import unittest

import numpy as np
import symc as mx

BATCH = 6


def norm(data, name, **options):
    return mx.sym.BatchNorm(data, name=name, fix_gamma=False, eps=1e-3, **options)


def loss(data, classes=5):
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Flatten(data), num_hidden=classes, name="last"), name="softmax")


def layers(data):
    """17 channels: lanes of padding; a norm of rows behind a fully connected layer."""
    data = mx.sym.Convolution(data, num_filter=17, kernel=(3, 3), pad=(1, 1), name="conv")
    data = mx.sym.Dropout(mx.sym.Activation(norm(data, "norm"), act_type="relu"), p=0.5, name="drop")
    data = norm(mx.sym.FullyConnected(mx.sym.Flatten(data), num_hidden=12, name="hidden"), "rows")
    return loss(mx.sym.Dropout(mx.sym.Activation(data, act_type="tanh"), p=0.3, name="drop_rows"))


def shared(data):
    """Two norms of one value, whose batch has one mean, and of their sum."""
    data = mx.sym.Convolution(data, num_filter=8, kernel=(1, 1), name="conv")
    return loss(norm(norm(data, "one") + 2 * norm(data, "other"), "sum"))


def joined(data):
    """Results that lie in a concatenation, and a residual."""
    parts = [norm(mx.sym.Convolution(data, num_filter=16 * (i + 1), kernel=(3, 3), pad=(1, 1), name="conv%d" % i), "norm%d" % i)
             for i in range(2)]
    whole = mx.sym.Concat(mx.sym.Dropout(parts[0], p=0.25, name="drop"), parts[1], dim=1)
    end = norm(mx.sym.Convolution(whole, num_filter=48, kernel=(3, 3), pad=(1, 1), stride=(1, 1), name="behind"), "behind_norm")
    return loss(mx.sym.Pooling(mx.sym.Activation(end + whole, act_type="relu"), kernel=(2, 2), stride=(2, 2), pool_type="max"))


def channels_last(data):
    data = norm(mx.sym.transpose(data, axes=(0, 2, 3, 1)), "norm", axis=3)
    return loss(mx.sym.Dropout(data, p=0.5, axes=(1, 2), name="drop"))


def volumes(data):
    data = mx.sym.Reshape(data, shape=(0, 1, 3, 8, 8))
    data = mx.sym.Convolution(data, num_filter=6, kernel=(3, 3, 3), pad=(1, 1, 1), name="conv")
    return loss(norm(data, "norm"))


def recurrent(data):
    data = mx.sym.transpose(mx.sym.Reshape(data, shape=(0, 24, 8)), axes=(1, 0, 2))
    cell = mx.rnn.FusedRNNCell(7, num_layers=2, mode="lstm", dropout=0.5, prefix="lstm_")
    outputs, _ = cell.unroll(24, data, layout="TNC", merge_outputs=True)
    return loss(mx.sym.SliceChannel(outputs, num_outputs=24, axis=0, squeeze_axis=True)[23])


def head(data):
    """Dropout of the data and of what is the output; statistics as outputs."""
    data = mx.sym.Dropout(mx.sym.Flatten(data), p=0.5, name="drop")
    data = mx.sym.Dropout(mx.sym.FullyConnected(data, num_hidden=4, name="hidden"), p=0.5, name="drop_last")
    return mx.sym.LinearRegressionOutput(data, mx.sym.Variable("softmax_label"), name="softmax")


def fixed(data):
    """Moving statistics that no step changes."""
    return loss(norm(mx.sym.Convolution(data, num_filter=8, kernel=(3, 3), name="conv"), "norm", use_global_stats=True))


def slopes(data):
    """What has a program of its own to predict."""
    data = mx.sym.LeakyReLU(norm(data, "norm"), act_type="rrelu", name="slopes")[0]
    return loss(mx.sym.Dropout(data, p=0.5, name="drop"))


NETS = (layers, shared, joined, channels_last, volumes, recurrent, head, fixed, slopes)
RANDOM = np.random.RandomState(2)
ROWS = RANDOM.randn(4, BATCH, 3, 8, 8).astype("float32")
LABELS = RANDOM.randint(0, 5, (4, BATCH)).astype("float32")
REGRESSED = RANDOM.randn(4, BATCH, 4).astype("float32")


class Predict(unittest.TestCase):
    def trainer(self, build):
        return mx.Trainer(build(mx.sym.Variable("data")), {"data": ROWS[0].shape}, "sgd", {"learning_rate": 0.05, "momentum": 0.9},
                          initializer="xavier", seed=4)

    def steps(self, build, trainer, begin, end):
        labels = REGRESSED if build is head else LABELS
        for step in range(begin, end):
            trainer.step(ROWS[step] * 2 + 1, labels[step])

    def test_is_that_of_the_net(self):
        for build in NETS:
            with self.subTest(build.__name__), self.trainer(build) as trainer:
                self.steps(build, trainer, 0, 3)
                arguments, states = trainer.get_params()
                net = build(mx.sym.Variable("data"))
                bound = net.simple_bind(mx.cpu(), data=ROWS[0].shape, grad_req="null")
                values = {name: mx.nd.array(value) for name, value in {**arguments, **states}.items()}
                of_states = net.list_auxiliary_states()
                bound.copy_params_from({name: value for name, value in values.items() if name not in of_states},
                                       {name: values[name] for name in of_states})
                for rows in ROWS[2:]:
                    wanted = bound.forward(is_train=False, data=rows)[0].asnumpy()
                    for _ in range(2):
                        found, = trainer.predict(rows)
                        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5 * abs(wanted).max())

    def test_leaves_what_is_trained(self):
        for build in (layers, recurrent, slopes):
            with self.subTest(build.__name__), self.trainer(build) as trainer, self.trainer(build) as other:
                for step in range(4):
                    self.steps(build, trainer, step, step + 1)
                    self.steps(build, other, step, step + 1)
                    other.predict(ROWS[step])
                for ours, theirs in zip(trainer.get_params(), other.get_params()):
                    for name, value in ours.items():
                        np.testing.assert_array_equal(value, theirs[name])


if __name__ == "__main__":
    unittest.main()

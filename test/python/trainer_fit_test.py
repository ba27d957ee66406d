"""If this fails, Trainer.fit learns nothing, measures wrongly, or shows nothing in a terminal or a notebook."""
import io
import os
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import numpy as np
import symc as mx
from symc import training_progress

ROWS = np.random.RandomState(0).randn(64, 4).astype("float32")
LABELS = (ROWS[:, 0] > 0).astype("float32")


def made():
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc"), name="softmax")
    return mx.Trainer(net, {"data": (10, 4)}, "sgd", {"learning_rate": 0.5}, initializer="xavier")


def batches():
    return mx.io.NDArrayIter(ROWS, LABELS, batch_size=10)


class Cell:
    """What IPython's display gives back."""

    def __init__(self):
        self.shown = []

    def __call__(self, data, raw, display_id):
        self.shown.append(data)
        return self

    def update(self, data, raw):
        self.shown.append(data)


class Fit(unittest.TestCase):
    def test_learns_logs_and_saves(self):
        seen = []
        with tempfile.TemporaryDirectory() as folder, made() as trainer, self.assertLogs(level="INFO") as log:
            prefix = os.path.join(folder, "net")
            history = trainer.fit(batches(), batches(), num_epoch=6, prefix=prefix, batch_end_callback=lambda each: seen.append(each.nbatch),
                                  epoch_end_callback=lambda epoch, symbol, arguments, states: seen.append(sorted(arguments)))
            self.assertEqual(sorted(os.listdir(folder))[:3], ["net-0001.params", "net-0001.trainer", "net-0002.params"])
            right = (np.concatenate([trainer.predict(ROWS[at:at + 10])[0].argmax(1) for at in range(0, 60, 10)]) == LABELS[:60]).mean()
            last = trainer.score(batches())[0][1]
            self.assertLess(abs(last - right), 5 / 64)
        self.assertGreater(history[-1]["validation-accuracy"], 0.9)
        self.assertEqual(history[-1]["validation-accuracy"], last)
        self.assertEqual([each["epoch"] for each in history], list(range(6)))
        self.assertEqual(seen[:8], [0, 1, 2, 3, 4, 5, 6, ["fc_bias", "fc_weight"]])
        lines = [each.getMessage() for each in log.records]
        self.assertRegex(lines[0], r"^Epoch\[0\] Train-accuracy=0\.\d{6}$")
        self.assertRegex(lines[1], r"^Epoch\[0\] Time cost=\d+\.\d{3}$")
        self.assertRegex(lines[2], r"^Epoch\[0\] Validation-accuracy=[01]\.\d{6}$")

    def test_rates_of_epochs(self):
        with made() as trainer:
            before = trainer.get_params()[0]["fc_weight"]
            trainer.fit(batches(), num_epoch=1, hyper=lambda epoch: {"learning_rate": 0.0})
            np.testing.assert_array_equal(trainer.get_params()[0]["fc_weight"], before)

    def test_terminal(self):
        stream, times = io.StringIO(), iter(np.arange(0, 100, 0.15))
        with made() as trainer:
            trainer.fit(batches(), num_epoch=2, progress=training_progress.Terminal(stream, lambda: next(times)))
        self.assertRegex(stream.getvalue(), r"\r\x1b\[KEpoch 2/2  \d/7  \d+ samples/s  ETA 0:00  accuracy \d\.\d{4}")

    def test_notebook(self):
        cell, times = Cell(), iter(range(100))
        with made() as trainer:
            trainer.fit(batches(), batches(), num_epoch=3, progress=training_progress.Notebook(cell, lambda: next(times)))
        pictures = [each["image/svg+xml"] for each in cell.shown if "image/svg+xml" in each]
        self.assertEqual(len(pictures), 3)
        lines = ElementTree.fromstring(pictures[-1]).findall("{http://www.w3.org/2000/svg}polyline")
        self.assertEqual([len(each.get("points").split()) for each in lines], [3, 3])
        self.assertIn("Epoch 1/3  1 ", cell.shown[0]["text/plain"])

    def test_nothing_is_shown_elsewhere(self):
        self.assertIs(type(training_progress.choose()), training_progress.Progress)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Metrics of the trainer beside symc.metric, which is compared with MXNet's: several batches, values since the last line of
a log and of the epoch. If this fails, compiled trainers report other numbers than MXNet.

Usage: metrics_beside_python.py PACKAGES SHIM (as optimizers_beside_python.py)
"""
import ctypes
import math
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no NumPy")
    sys.exit(77)


class Measured:
    """A metric of the runtime."""

    def __init__(self, text):
        shim.shim_metric.restype = ctypes.c_void_p
        shim.shim_metric_name.restype = ctypes.c_char_p
        shim.shim_metric_value.restype = ctypes.c_double
        error = ctypes.create_string_buffer(256)
        self.own = ctypes.c_void_p(shim.shim_metric(text.encode(), error, ctypes.c_size_t(len(error))))
        if not self.own.value:
            raise ValueError(error.value.decode())
        self.name = shim.shim_metric_name(self.own).decode()

    def __del__(self):
        if self.own.value:
            shim.shim_metric_release(self.own)

    def update(self, label, pred):
        arrays = [np.ascontiguousarray(each, np.float32) for each in (label, pred)]
        error, arguments = ctypes.create_string_buffer(256), []
        for each in arrays:
            arguments += [ctypes.c_void_p(each.ctypes.data), (ctypes.c_int64 * each.ndim)(*each.shape), each.ndim]
        if not shim.shim_metric_update(self.own, *arguments, error, ctypes.c_size_t(len(error))):
            raise ValueError(error.value.decode())

    def reset(self, local):
        shim.shim_metric_reset(self.own, local)

    def value(self, local):
        return shim.shim_metric_value(self.own, local)


def batches(kind):
    """[(label, prediction)] of several sizes."""
    drawn = np.random.RandomState(len(kind))
    for rows in (32, 17, 1, 64):
        if kind == "classes":
            pred = drawn.dirichlet(np.ones(10), rows)
            yield drawn.randint(0, 10, rows), pred
        elif kind == "images":
            yield drawn.randint(0, 5, (rows, 3, 4)), drawn.dirichlet(np.ones(5), (rows, 3, 4)).transpose(0, 3, 1, 2)
        elif kind == "words":
            yield drawn.randint(0, 7, (rows, 4)), drawn.dirichlet(np.ones(7), (rows, 4))
        elif kind == "two":
            yield drawn.randint(0, 2, rows), drawn.dirichlet(np.ones(2), rows)
        elif kind == "given":
            yield drawn.randint(0, 3, rows), drawn.randint(0, 3, rows)
        elif kind == "column":
            yield drawn.normal(size=rows), drawn.normal(size=(rows, 1))
        elif kind == "wide":
            yield drawn.normal(size=(rows, 3)), drawn.normal(size=(rows, 3))
        elif kind == "against":
            yield drawn.normal(size=rows), drawn.normal(size=(rows, 3))


CASES = [("accuracy", {}, "classes"), ("acc", {}, "images"), ("accuracy", {}, "given"),
         ("accuracy,axis=2", {"axis": 2}, "words"),
         ("top_k_accuracy,top_k=3", {"top_k": 3}, "classes"), ("top_k_acc,top_k=1", {"top_k": 1}, "classes"),
         ("f1", {}, "two"), ("f1,average=micro", {"average": "micro"}, "two"), ("mcc", {}, "two"),
         ("mcc,average=micro", {"average": "micro"}, "two"),
         ("mse", {}, "wide"), ("mse", {}, "column"), ("mae", {}, "against"), ("mae", {}, "wide"), ("rmse", {}, "wide"),
         ("rmse", {}, "column"), ("cross-entropy", {}, "classes"), ("ce,eps=0.01", {"eps": 0.01}, "classes"),
         ("nll-loss", {}, "classes"), ("nll_loss", {}, "classes"), ("perplexity", {"ignore_label": None}, "classes"),
         ("perplexity,ignore_label=3", {"ignore_label": 3}, "words"), ("perplexity", {"ignore_label": None}, "words"),
         ("pearsonr", {}, "wide"), ("loss", {}, "wide")]


class Metrics(unittest.TestCase):
    def test_several_batches(self):
        for text, options, kind in CASES:
            if kind == "two" or text == "pearsonr":  # a batch of one row has no correlation
                given = [each for each in batches(kind) if len(each[0]) > 1]
            else:
                given = list(batches(kind))
            with self.subTest(text):
                mine, other = Measured(text), symc.metric.create(text.split(",")[0], **options)
                self.assertTrue(math.isnan(mine.value(True)))
                for number, (label, pred) in enumerate(given):
                    if number == 2:
                        mine.reset(True)
                        other.reset_local()
                    mine.update(label, pred)
                    other.update([label.astype(np.float32)], [pred.astype(np.float32)])
                self.assertEqual(mine.name, other.get()[0])
                for local, answer in ((True, other.get()[1]), (False, other.get_global()[1])):
                    self.assertAlmostEqual(mine.value(local) / answer, 1, delta=1e-5)
                mine.reset(False)
                self.assertTrue(math.isnan(mine.value(False)))

    def test_rows_of_equal_chances(self):
        measured = Measured("top_k_accuracy,top_k=2")  # of equals the first ones count
        measured.update([0, 1, 2], np.ones((3, 4)))
        self.assertAlmostEqual(measured.value(True), 2 / 3)

    def test_all_metrics_are_compared(self):
        kinds = {type(each) for each in (symc.metric.create(text.split(",")[0], **options) for text, options, _ in CASES)}
        python_alone = {symc.metric.CompositeEvalMetric, symc.metric.PCC, symc.metric.Torch, symc.metric.Caffe}
        theirs = set(symc.metric._NAMES.values()) - python_alone
        self.assertEqual(kinds, theirs)

    def test_mistakes(self):
        for sentence, text, label, pred in (
                ("metric 'accuracy': 2 labels for 3 predictions", "accuracy", [0, 1], np.ones((3, 4))),
                ("metric 'accuracy' needs an output of more dimensions, it has 1", "accuracy", [0, 1], [0, 1, 2]),
                ("metric 'cross-entropy' needs an output of two dimensions, it has 3", "ce", [0, 1], np.ones((2, 2, 2))),
                ("metric 'f1' needs an output of two dimensions, it has 3", "f1", [0, 1], np.ones((2, 2, 2))),
                ("metric 'cross-entropy': label 4 lies outside of 4 classes", "ce", [0, 4], np.ones((2, 4))),
                ("metric 'cross-entropy': label -1 lies outside of 4 classes", "ce", [0, -1], np.ones((2, 4))),
                ("metric 'cross-entropy': label -1 lies outside of 4 classes", "ce", [0, math.nan], np.ones((2, 4))),
                ("metric 'f1' needs two classes, the labels have more", "f1", [0, 1, 2], np.ones((3, 2))),
                ("metric 'mse': 4 labels for 6 predictions", "mse", np.ones((2, 2)), np.ones((2, 3)))):
            with self.subTest(sentence):
                measured = Measured(text)
                with self.assertRaises(ValueError) as raised:
                    measured.update(label, pred)
                self.assertEqual(str(raised.exception), sentence)
                self.assertTrue(math.isnan(measured.value(False)))
        with self.assertRaisesRegex(ValueError, "metric 'acuracy' is unknown; did you mean 'accuracy'?"):
            Measured("acuracy")


if __name__ == "__main__":
    packages, library = sys.argv[1:3]
    sys.path.insert(0, packages)
    import symc
    shim = ctypes.CDLL(library)
    unittest.main(argv=sys.argv[:1])

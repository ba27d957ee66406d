"""If this fails, an iterator gives other batches than MXNet's, or a metric another number."""
import os
import struct
import tempfile
import unittest

import numpy as np
from symc import SymcError, io, metric

ROWS = np.eye(3, dtype="float32")[[0, 1, 2, 1, 0]]


class Batches(unittest.TestCase):
    def rows(self, iterator):
        return [(batch.data[0].reshape(-1).tolist(), batch.pad) for batch in iterator]

    def test_last_batches(self):
        def made(how):
            return io.NDArrayIter(np.arange(5), batch_size=2, last_batch_handle=how)
        self.assertEqual(self.rows(made("pad")), [([0, 1], 0), ([2, 3], 0), ([4, 0], 1)])
        self.assertEqual(self.rows(io.NDArrayIter(np.arange(2), batch_size=5)), [([0, 1, 0, 1, 0], 3)])
        self.assertEqual(self.rows(made("discard")), [([0, 1], 0), ([2, 3], 0)])
        rolled = made("roll_over")
        self.assertEqual(self.rows(rolled), [([0, 1], 0), ([2, 3], 0)])
        rolled.reset()
        self.assertEqual(self.rows(rolled), [([4, 0], 0), ([1, 2], 0), ([3, 4], 0)])

    def test_shuffle_keeps_labels_at_their_rows(self):
        for batch in io.NDArrayIter(np.arange(6), np.arange(6), batch_size=3, shuffle=True):
            self.assertEqual(batch.data[0].tolist(), batch.label[0].tolist())

    def test_descriptions(self):
        both = io.NDArrayIter({"a": np.zeros((4, 2)), "b": np.zeros(4)}, np.zeros(4), batch_size=2)
        self.assertEqual(str(both.provide_data[0]), "DataDesc[a,(2, 2),<class 'numpy.float32'>,NCHW]")
        self.assertEqual([tuple(each) for each in both.provide_data + both.provide_label],
                         [("a", (2, 2)), ("b", (2,)), ("softmax_label", (2,))])
        unordered = io.NDArrayIter({"b": np.zeros(2), "a": np.ones(2)}, batch_size=2)
        self.assertEqual([each.tolist() for each in unordered.next().data], [[1, 1], [0, 0]])  # a, b
        self.assertEqual(str(io.DataBatch([np.zeros(3)])), "DataBatch: data shapes: [(3,)] label shapes: None")

    def test_mnist(self):
        pictures, labels = np.arange(7 * 28 * 28) % 251, np.arange(7)
        with tempfile.TemporaryDirectory() as folder:
            image, label = (os.path.join(folder, name) for name in ("images", "labels"))
            with open(image, "wb") as file:
                file.write(struct.pack(">4i", 2051, 7, 28, 28) + pictures.astype("uint8").tobytes())
            with open(label, "wb") as file:
                file.write(struct.pack(">2i", 2049, 7) + labels.astype("uint8").tobytes())
            batches = list(io.MNISTIter(image, label, batch_size=3, flat=True, shuffle=False))
            self.assertEqual([each.label[0].tolist() for each in batches], [[0, 1, 2], [3, 4, 5]])
            self.assertEqual((batches[0].data[0].shape, (256 * batches[0].data[0][0, 1:3]).tolist()), ((3, 784), [1, 2]))
            shaped = io.MNISTIter(image, label, batch_size=7, seed=3)
            self.assertEqual(shaped.provide_data, [("data", (7, 1, 28, 28))])
            batch = shaped.next()
            self.assertEqual(sorted(batch.label[0].tolist()), labels.tolist())
            row = int(batch.label[0][0])  # the shuffled pictures keep their labels
            self.assertEqual(256 * float(batch.data[0][0, 0, 0, 0]), row * 784 % 251)
            self.assertRaisesRegex(SymcError, "labels is no IDX file of 3 dimensions: it does not begin with 2051$",
                                   io.MNISTIter, label, label)
            with open(label, "ab") as file:
                file.write(b"0")
            self.assertRaisesRegex(SymcError, r"labels has 8 bytes of values, its head needs \(7,\)$", io.MNISTIter, image,
                                   label)

    def test_parts_of_a_batch(self):
        batches = io.NDArrayIter(np.arange(3), np.arange(3), batch_size=2)
        steps = [(batches.iter_next(), batches.getdata()[0].tolist(), batches.getlabel()[0].tolist(), batches.getpad(),
                  batches.getindex()) for _ in range(3)]
        self.assertEqual(steps[:2], [(True, [0, 1], [0, 1], 0, None), (True, [2, 0], [2, 0], 1, None)])
        self.assertFalse(steps[2][0])

    def test_mistakes(self):
        for error, text, call in (
                (ValueError, "last_batch_handle is 'x', needs pad, discard or roll_over",
                 lambda: io.NDArrayIter(ROWS, last_batch_handle="x")),
                (ValueError, "'softmax_label' has 2 rows, 'data' has 5", lambda: io.NDArrayIter(ROWS, np.zeros(2))),
                (ValueError, "batch_size is 9, needs at most the 5 rows",
                 lambda: io.NDArrayIter(ROWS, None, 9, False, "discard")),
                (ValueError, "'data' is None, needs an array", lambda: io.NDArrayIter(None)),
                (TypeError, "'data' is an array, a list of arrays or a dict, got int", lambda: io.NDArrayIter(3)),
                (ValueError, "batch_size is 0, needs at least 1", lambda: io.NDArrayIter(ROWS, batch_size=0)),
                (TypeError, "data of a batch is a list of arrays, got 'ndarray'", lambda: io.DataBatch(ROWS)),
                (NotImplementedError, r"DataIter has neither next\(\) nor iter_next\(\)", lambda: next(io.DataIter()))):
            with self.subTest(text):
                self.assertRaisesRegex(error, text, call)


class Metrics(unittest.TestCase):
    def test_values(self):
        label, answer = [np.array([0, 1])], [np.array([[0.5, 0.3, 0.2], [0.5, 0.4, 0.1]])]
        for name, value in (("acc", 0.5), ("ce", -(np.log(0.5) + np.log(0.4)) / 2)):
            measure = metric.create(name)
            measure.update(label, answer)
            self.assertAlmostEqual(measure.get()[1], value)
        best = metric.create("top_k_accuracy", top_k=2)
        best.update(label, answer)
        self.assertEqual(best.get(), ("top_k_accuracy_2", 1.0))
        for name, value in (("mae", 2), ("mse", 5), ("rmse", 5 ** 0.5)):
            measure = metric.create(name)
            measure.update([np.array([1, 2])], [np.array([[2], [5]])])
            self.assertAlmostEqual(measure.get()[1], value)
        self.assertRaisesRegex(ValueError, "metric 'x' is unknown; there are acc, accuracy, ce", metric.create, "x")
        self.assertRaisesRegex(ValueError, "1 labels for 0 outputs", best.update, label, [])
        for measure in map(metric.create, ("acc", "ce", "top_k_acc")):
            self.assertRaisesRegex(ValueError, "^2 labels for 3 predictions$", measure.update, label, [np.ones((3, 4))])

    def test_several(self):
        label, answer = {"l": np.array([0, 1])}, {"p": np.array([[0.5, 0.3, 0.2], [0.5, 0.4, 0.1]])}
        both = metric.create(["acc", metric.TopKAccuracy(2)])
        both.add(lambda label, answer: (3.0, 2))
        both.update_dict(label, answer)
        self.assertEqual(both.get(), (["accuracy", "top_k_accuracy_2", "custom(<lambda>)"], [0.5, 1.0, 1.5]))
        self.assertEqual((both.get_metric(0).num_inst, both.get_metric(0).sum_metric), (2, 1.0))
        self.assertEqual(str(both.get_metric(0)), "EvalMetric: {'accuracy': 0.5}")
        both.reset()
        self.assertEqual(both.get_metric(0).num_inst, 0)
        named = metric.np(max, "largest", allow_extra_outputs=True)
        named.update([np.array(1)], [np.array(2), np.array(5)])
        self.assertEqual(named.get(), ("largest", 2.0))


if __name__ == "__main__":
    unittest.main()

"""If this fails, an iterator gives other batches than MXNet's, or a metric another number."""
import gzip
import os
import struct
import tempfile
import unittest

import numpy as np
from symc import SymcError, io, metric

#: Of MXNet 1.9.1: NDArrayIter with np.random.seed(4), MNISTIter with seed=5, LibSVMIter in three parts.
ORDERS = [[4, 6, 3, 0, 1, 5, 2], [5, 1, 3, 4, 6, 0, 2], [2, 5, 4, 3, 1, 0, 6]]
MNIST_ORDER = [2, 5, 6, 3, 4, 0, 1]
PARTS = [[0, 1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12, 13, 14, 15, 16], [17, 18, 19, 20, 21, 22]]
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
        self.assertEqual(self.rows(rolled), [([4, 0], 1), ([1, 2], 0), ([3, 4], 0)])

    def test_shuffled_orders_are_mxnets(self):
        np.random.seed(4)
        shuffled = io.NDArrayIter(np.arange(7), batch_size=7, shuffle=True)
        orders = []
        for _ in range(3):
            orders.append(shuffled.next().data[0].astype(int).tolist())
            shuffled.reset()
        self.assertEqual(orders, ORDERS)

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
            order = [int(each) for each in io.MNISTIter(image, label, batch_size=7, seed=5).next().label[0]]
            self.assertEqual(order, MNIST_ORDER)
            for part, numbers in enumerate(([0, 1], [2, 3], [4, 5, 6])):
                batches = io.MNISTIter(image, label, batch_size=1, shuffle=False, num_parts=3, part_index=part)
                self.assertEqual([int(each.label[0][0]) for each in batches], numbers)
            with open(image, "rb") as file, gzip.open(image + ".gz", "wb") as packed:
                packed.write(file.read())
            again = io.MNISTIter(image + ".gz", label, batch_size=7, seed=3)
            self.assertTrue((again.next().data[0] == batch.data[0]).asnumpy().all())
            with open(image + ".gz", "r+b") as packed:
                packed.truncate(100)
            self.assertRaisesRegex(SymcError, "images.gz: damaged gzip file", io.MNISTIter, image + ".gz", label)
            self.assertRaisesRegex(SymcError, "none: cannot open the file: no such file or directory$", io.MNISTIter,
                                   folder + "/none", label)
            self.assertRaisesRegex(ValueError, "^part_index is 3 of num_parts = 3, needs 0 to 2$", io.MNISTIter, image, label,
                                   num_parts=3, part_index=3)
            self.assertRaisesRegex(ValueError, "^batch_size is 128, needs at most the 7 pictures$", io.MNISTIter, image, label)
            with open(label + "6", "wb") as file:
                file.write(struct.pack(">2i", 2049, 6) + labels[:6].astype("uint8").tobytes())
            self.assertRaisesRegex(SymcError, "images has 7 pictures, .*labels6 has 6 labels$", io.MNISTIter, image, label + "6")
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


class Texts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "rows")

    def write(self, text, path=None):
        with open(path or self.path, "w", encoding="utf-8") as file:
            file.write(text)
        return path or self.path

    @staticmethod
    def batches(iterator):
        return [(batch.data[0].tolist(), batch.label[0].tolist(), batch.pad) for batch in iterator]

    def test_csv(self):
        path = self.write("1,2\n3,4\n5,6\n7,8\n")
        rows = io.CSVIter(path, (2,), batch_size=3)
        self.assertEqual((rows.provide_data, rows.provide_label), ([("data", (3, 2))], [("softmax_label", (3,))]))
        self.assertEqual(self.batches(rows), [([[1, 2], [3, 4], [5, 6]], [0, 0, 0], 0), ([[7, 8], [1, 2], [3, 4]], [0, 0, 0], 2)])
        self.assertEqual((rows.getdata().tolist()[0], rows.getlabel().tolist(), rows.getpad(), rows.iter_next()),
                         ([7, 8], [0, 0, 0], 2, False))
        rows.reset()  # the next time begins behind the rows that filled the last batch
        self.assertEqual([each[0] for each in self.batches(rows)], [[[5, 6], [7, 8], [1, 2]]])
        labels = self.write("1,2\n3,4\n5,6\n7,8\n", self.path + "-labels")
        rows = io.CSVIter(path, (1, 2), labels, (2,), 3, round_batch=False, dtype="int32")
        self.assertEqual(rows.next().data[0].shape, (3, 1, 2))
        last = rows.next()
        self.assertEqual((last.label[0].tolist(), last.pad, last.data[0].dtype, list(last.index)),
                         ([[7, 8], [3, 4], [5, 6]], 2, np.int32, [3, 1, 2]))

    def test_folder_of_files(self):
        os.mkdir(self.path)
        for name, text in (("b", "3\n"), ("a", "1\n2\n")):
            self.write(text, os.path.join(self.path, name))
        self.assertEqual(self.batches(io.CSVIter(self.path, 1, batch_size=3))[0][0], [[1], [2], [3]])

    def test_libsvm(self):
        path = self.write("1 0:0.5 2:2\n-1 1:1\n3 # none\n")
        rows = io.LibSVMIter(path, (3,), batch_size=3)
        self.assertEqual(self.batches(rows), [([[0.5, 0, 2], [0, 1, 0], [0, 0, 0]], [1, -1, 3], 0)])
        labels = self.write("0 0:1\n0 1:2\n0 1:3\n", self.path + "-labels")
        rows = io.LibSVMIter(path, (3,), labels, (2,), batch_size=3)
        self.assertEqual(rows.next().label[0].tolist(), [[1, 0], [0, 2], [0, 3]])
        lines = self.write("".join("%d 0:1\n" % number for number in range(23)))
        parts = [[int(label) for _, labels, _ in self.batches(io.LibSVMIter(lines, 1, num_parts=3, part_index=part))
                  for label in labels] for part in range(3)]
        self.assertEqual(parts, PARTS)

    def test_mistakes(self):
        csv, svm = self.write("1,2\n3,x\n"), self.write("1 0:1\n2 5:1\n", self.path + "-svm")
        odd, empty = self.write("1,2\n\n3\n", self.path + "-odd"), self.write("", self.path + "-empty")
        for kind, text, call in (
                (SymcError, "rows:2: no row of numbers: '3,x'$", lambda: io.CSVIter(csv, (2,))),
                (SymcError, r"-odd:3: the row has 1 numbers, a shape of \(2,\) needs 2$", lambda: io.CSVIter(odd, (2,))),
                (SymcError, "-empty has no rows$", lambda: io.CSVIter(empty, (2,))),
                (SymcError, "-svm:2: index 5 is not one of 0 to 2$", lambda: io.LibSVMIter(svm, (3,))),
                (SymcError, "rows:1: needs a label and words index:value, got '1,2'$", lambda: io.LibSVMIter(csv, (3,))),
                (ValueError, "^data_shape is .0,., needs extents of at least 1$", lambda: io.CSVIter(csv, 0)),
                (ValueError, "^dtype is float64, needs float32, int32 or int64$", lambda: io.CSVIter(csv, 2, dtype="float64")),
                (ValueError, "^data_shape is .2, 3., needs one extent$", lambda: io.LibSVMIter(svm, (2, 3))),
                (ValueError, "^label_shape is .2,., which needs label_libsvm$", lambda: io.LibSVMIter(svm, 9, label_shape=2)),
                (ValueError, "^batch_size is 3, needs at most the 2 rows$", lambda: io.LibSVMIter(svm, 9, batch_size=3)),
                (AttributeError, "module 'symc.io' has no attribute 'x'", lambda: io.x)):
            with self.subTest(text):
                self.assertRaisesRegex(kind, text, call)


class Wrapped(unittest.TestCase):
    @staticmethod
    def numbers(label=True, rows=10, scale=1):
        return io.NDArrayIter(np.arange(float(rows)) * scale, np.arange(float(rows)) if label else None, 2)

    def test_resized(self):
        resized = io.ResizeIter(self.numbers(), 7)
        self.assertEqual([int(batch.data[0][0]) for batch in resized], [0, 2, 4, 6, 8, 0, 2])
        resized.reset()
        self.assertEqual(int(resized.next().data[0][0]), 0)
        on = io.ResizeIter(self.numbers(), 2, reset_internal=False)
        self.assertEqual([int(batch.data[0][0]) for batch in on], [0, 2])
        on.reset()
        self.assertEqual([int(batch.label[0][0]) for batch in on], [4, 6])

    def test_prefetched(self):
        both = io.PrefetchingIter([self.numbers(), self.numbers(False, scale=2)], [{"data": "a"}, {"data": "b"}])
        self.assertEqual(([each.name for each in both.provide_data], both.batch_size), (["a", "b"], 2))
        for _ in range(2):
            pairs = [[each.tolist() for each in batch.data] for batch in both]
            self.assertEqual((len(pairs), pairs[-1]), (5, [[8, 9], [16, 18]]))
            both.reset()
        uneven = io.PrefetchingIter([self.numbers(), self.numbers(rows=8)])
        self.assertRaisesRegex(ValueError, "the iterators have different numbers of batches", list, uneven)

        class Broken(io.DataIter):
            provide_data, provide_label = [("data", (1, 2))], []

            def next(self):
                raise SymcError("no batch")
        self.assertRaisesRegex(SymcError, "^no batch$", next, io.PrefetchingIter(Broken()))
        self.assertRaisesRegex(ValueError, "PrefetchingIter needs an iterator", io.PrefetchingIter, [])


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
        self.assertRaisesRegex(ValueError, "metric 'x' is unknown; there are acc, accuracy, caffe, ce, ", metric.create, "x")
        self.assertRaisesRegex(ValueError, r"metric 'acuracy' is unknown; did you mean 'accuracy'\?", metric.create, "acuracy")
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

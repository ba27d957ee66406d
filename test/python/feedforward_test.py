"""If this fails, MXNet's first model class predicts other rows, or a callback reports something else."""
import logging
import os
import tempfile
import unittest

import numpy as np
import symc as mx
from symc import io

ROWS = np.eye(3, dtype="float32")[[0, 1, 2, 1, 0]]
LABELS = np.array([0, 1, 2, 1, 1])
PARAMS = {"fc_weight": mx.nd.array(9 * np.eye(3)), "fc_bias": mx.nd.zeros(3)}


def close(got, wanted, **tolerances):
    np.testing.assert_allclose(np.asarray(got), np.asarray(wanted), **tolerances)  # as arrays of NumPy


def classifier():
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=3, name="fc"), name="softmax")


def model(**keywords):
    return mx.model.FeedForward(classifier(), arg_params=PARAMS, aux_params={}, **keywords)


class Models(unittest.TestCase):
    def test_predict(self):
        answers = model().predict(ROWS)
        self.assertIs(type(answers), np.ndarray)
        self.assertEqual((answers.shape, answers.argmax(1).tolist()), ((5, 3), [0, 1, 2, 1, 0]))
        close(model(numpy_batch_size=2).predict(ROWS), answers, rtol=1e-6)
        batches = io.NDArrayIter(ROWS, LABELS, batch_size=2)
        outputs, data, label = model().predict(batches, return_data=True)
        self.assertEqual((outputs.shape, data.tolist(), label.tolist()), ((5, 3), ROWS.tolist(), LABELS.tolist()))
        self.assertEqual(model().predict(batches, num_batch=1).shape, (2, 3))

    def test_several_outputs(self):
        net = classifier()
        both = mx.model.FeedForward(mx.sym.Group([net, net.get_internals()["data"] * 2]), arg_params=PARAMS)
        outputs = both.predict(ROWS)
        self.assertEqual([each.tolist() for each in outputs[1:]], [(2 * ROWS).tolist()])

    def test_score(self):
        batches = io.NDArrayIter(ROWS, LABELS, batch_size=5)
        told = []
        self.assertEqual(model().score(batches, batch_end_callback=told.append), 0.8)
        self.assertEqual([(each.epoch, each.nbatch) for each in told], [(0, 0)])
        self.assertEqual(model().score(batches, lambda label, answer: 2.0), 2)

    def test_other_parameters(self):
        made = model()
        made.predict(ROWS)
        made.arg_params = {**PARAMS, "fc_bias": mx.nd.array([0, 0, 99])}
        self.assertEqual(made.predict(ROWS).argmax(1).tolist(), [2] * 5)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = os.path.join(folder, "net")
            model(num_epoch=3).save(prefix)
            self.assertEqual(sorted(os.listdir(folder)), ["net-0003.params", "net-symbol.json"])
            again = mx.model.FeedForward.load(prefix, 3, ctx=mx.cpu())
        self.assertEqual((again.begin_epoch, again.predict(ROWS).argmax(1).tolist()), (3, [0, 1, 2, 1, 0]))
        self.assertIs(mx.FeedForward, mx.model.FeedForward)

    def test_mistakes(self):
        extra = mx.model.FeedForward(classifier(), arg_params={**PARAMS, "x": mx.nd.ones(1)})
        for error, text, call in (
                (mx.SymcError, "^the model has no parameters: load it, or give arg_params and aux_params$",
                 lambda: mx.model.FeedForward(classifier()).predict(ROWS)),
                (mx.SymcError, "^the model has a function of buckets and no symbol: mod.BucketingModule predicts",
                 lambda: mx.model.FeedForward(lambda key: None).predict(ROWS)),
                (TypeError, "^FeedForward takes a Symbol, got 5$", lambda: mx.model.FeedForward(5)),
                (TypeError, "^a model reads arrays and iterators, got list$", lambda: model().predict([1])),
                (ValueError, "^save needs an epoch, since the model has no num_epoch$", lambda: model().save("net")),
                (ValueError, "^parameter 'x' is not in the symbol; allow_extra_params=True passes over it$",
                 lambda: extra.predict(ROWS))):
            with self.subTest(text):
                self.assertRaisesRegex(error, text, call)
        allowed = mx.model.FeedForward(classifier(), arg_params=extra.arg_params, allow_extra_params=True)
        self.assertEqual(allowed.predict(ROWS).argmax(1).tolist(), [0, 1, 2, 1, 0])


class Callbacks(unittest.TestCase):
    def lines(self, callback, *params):
        with self.assertLogs(level=logging.INFO) as told:
            for each in params:
                callback(each)
        return [each.partition(":root:")[2] for each in told.output]

    def param(self, number, metric=None):
        return mx.model.BatchEndParam(1, number, metric, {})

    def test_reports(self):
        metric = mx.metric.Accuracy()
        metric.update([np.array([0, 1])], [np.eye(2)[[0, 0]]])
        self.assertEqual(self.lines(mx.callback.log_train_metric(2), self.param(2, metric)),
                         ["Iter[1] Batch[2] Train-accuracy=0.500000"])
        self.assertEqual(self.lines(mx.callback.LogValidationMetricsCallback(), self.param(2, metric)),
                         ["Epoch[1] Validation-accuracy=0.500000"])
        self.assertEqual(self.lines(mx.callback.ProgressBar(4, 8), self.param(1)), ["[==------] 25%\r"])
        kept = self.lines(mx.callback.Speedometer(10, 2, auto_reset=False), *(self.param(k, metric) for k in range(3)))
        self.assertRegex(kept[0], r"^Epoch\[1\] Batch \[0-2\]\tSpeed: [\d.inf]+ samples/sec\taccuracy=0.500000$")
        self.assertEqual(metric.num_inst, 2)
        told = self.lines(mx.callback.Speedometer(10, 2), *(self.param(k, metric) for k in range(3)))
        self.assertRegex(told[0], r"^Epoch\[1\] Batch \[0-2\]\t.*\taccuracy=0.500000$")
        self.assertEqual((metric.num_inst, metric.get_global()), (0, ("accuracy", 0.5)))

    def test_checkpoints(self):
        with tempfile.TemporaryDirectory() as folder:
            save = mx.callback.do_checkpoint(os.path.join(folder, "a"), 2)
            module = mx.mod.Module(classifier())
            module.bind([("data", (1, 3))])
            module.set_params(PARAMS, {})
            both = mx.callback.module_checkpoint(module, os.path.join(folder, "b"))
            for epoch in range(2):
                save(epoch, classifier(), PARAMS, {})
                both(epoch)
            self.assertEqual(sorted(os.listdir(folder)), ["a-0002.params", "a-symbol.json", "b-0001.params",
                                                          "b-0002.params", "b-symbol.json"])


class Metrics(unittest.TestCase):
    def test_values_are_mxnets(self):
        drawn = np.random.RandomState(0).rand(6, 2).astype("float32")
        pred, label = drawn / drawn.sum(1, keepdims=True), np.array([0, 1, 1, 0, 1, 0])
        for name, keywords, first, local, whole in (
                ("f1", {}, 0.2, 0.5, 0.3), ("f1", {"average": "micro"}, 1 / 3, 0.5, 0.4),
                ("mcc", {}, -0.2886751345948129, -0.5, -0.3591167563965419),
                ("mcc", {"average": "micro"}, -1 / 3, -0.5, -0.35),
                ("nll_loss", {}, 0.8271464506785074, 0.9573531150817871, 0.8705486721462674),
                ("perplexity", {"ignore_label": None}, 2.2867840610761454, 2.604792754122533, 2.388220907636357),
                ("Perplexity", {"ignore_label": 1}, 2.268305701430386, 3.0379322006671767, 2.440173506594729),
                ("loss", {}, 0.5, 0.5, 0.5), ("torch", {}, 0.5, 0.5, 0.5), ("caffe", {}, 0.5, 0.5, 0.5),
                ("pcc", {}, -1 / 3, -0.5, -0.35),
                ("pearsonr", {}, 0.7786382862055193, 0.6338232567038342, 0.7303666097049577)):
            with self.subTest(name, **keywords):
                metric = mx.metric.create(name, **keywords)
                pairs = (label * 2 - .3, pred[:, 0]) if name == "pearsonr" else (label, pred)
                for part in (slice(0, 4), slice(4, 6)):
                    metric.update(*([each[part]] for each in pairs))
                self.assertAlmostEqual(metric.get()[1], first, places=5)
                metric.reset_local()
                metric.update(*([each[2:5]] for each in pairs))
                self.assertAlmostEqual(metric.get()[1], local, places=5)
                self.assertAlmostEqual(metric.get_global()[1], whole, places=5)
                metric.reset()
                self.assertTrue(np.isnan(metric.get()[1]) and np.isnan(metric.get_global()[1]))
        self.assertRaisesRegex(ValueError, "^f1 needs two classes, the labels have 3$", mx.metric.F1().update,
                               [np.array([0, 1, 2])], [np.eye(3)])
        self.assertRaisesRegex(ValueError, "^average is 'x', needs macro or micro$", mx.metric.F1, average="x")

    def test_correlation_of_several_classes(self):
        drawn = np.random.RandomState(3)
        pred, label = drawn.rand(9, 4), drawn.randint(0, 4, 9)
        metric = mx.metric.create("pcc")
        metric.update([label[:3]], [pred[:3]])
        metric.update([label[3:]], [pred[3:]])
        self.assertAlmostEqual(metric.get()[1], 0.1807392228230128, places=6)

    def test_a_class_of_ones_own_keeps_its_keywords(self):
        class Hits(mx.metric.EvalMetric):  # as scripts of face recognition write it
            def __init__(self):
                self.axis = 1
                super(Hits, self).__init__("hits", axis=self.axis, output_names=None, label_names=None, has_global_stats=True)

            def update(self, labels, preds):
                found = (preds[1].asnumpy().argmax(self.axis) == labels[0].asnumpy()).sum()
                for name, value in (("sum_metric", found), ("num_inst", len(labels[0]))):
                    setattr(self, name, getattr(self, name) + value)
                    setattr(self, "global_" + name, getattr(self, "global_" + name) + value)
        metric = Hits()
        self.assertEqual(metric.get_config(), {"axis": 1, "metric": "Hits", "name": "hits", "output_names": None,
                                               "label_names": None})
        for _ in range(2):
            metric.update([mx.nd.array([0, 1])], [None, mx.nd.array([[2, 1], [2, 1]])])
            metric.reset_local()
        self.assertEqual((metric.num_inst, metric.global_num_inst, metric.get_global()), (0, 4, ("hits", 0.5)))

    def test_labels_have_to_fit(self):
        self.assertRaisesRegex(ValueError, "^2 labels for 1 outputs$", mx.metric.check_label_shapes, [1, 2], [1])
        self.assertRaisesRegex(ValueError, r"^labels have shape \(2,\), outputs \(3,\)$", mx.metric.check_label_shapes,
                               np.zeros(2), np.zeros(3), shape=True)
        self.assertEqual(mx.metric.check_label_shapes([1], [2], wrap=True), [[1], [2]])

    def test_register(self):
        @mx.metric.register
        class Twice(mx.metric.MAE):
            pass
        self.assertIsInstance(mx.metric.create("twice"), Twice)


if __name__ == "__main__":
    unittest.main()

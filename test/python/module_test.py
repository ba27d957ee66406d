"""If this fails, a module predicts other values than its parameters say."""
import os
import tempfile
import unittest
from collections import namedtuple

import numpy as np
import symc
from symc import io, nd

sym = symc.sym


def classifier():
    return sym.SoftmaxOutput(sym.FullyConnected(sym.Variable("data"), num_hidden=3, name="fc"), name="softmax")


ROWS = np.eye(3, dtype="float32")[[0, 1, 2, 1, 0]]
PARAMS = {"fc_weight": 9 * np.eye(3, dtype="float32"), "fc_bias": np.zeros(3, "float32")}


def bound(symbol=None, batch=2):
    module = symc.mod.Module(symbol or classifier())
    module.bind([("data", (batch, 3))], [("softmax_label", (batch,))])
    return module


class Modules(unittest.TestCase):
    def test_predict_and_score(self):
        module = bound()
        module.set_params(PARAMS, {})
        batches = io.NDArrayIter(ROWS, np.array([0, 1, 2, 1, 1]), batch_size=2)
        answers = module.predict(batches)
        self.assertEqual(answers.argmax(1).tolist(), [0, 1, 2, 1, 0])
        self.assertEqual(module.predict(ROWS).shape, (5, 3))  # another batch size
        self.assertEqual([len(each) for each in module.predict(batches, merge_batches=False)], [1, 1, 1])
        self.assertEqual(module.predict(batches, num_batch=1, always_output_list=True)[0].shape, (2, 3))
        self.assertEqual(module.score(batches, "acc"), [("accuracy", 5 / 6)])  # row 0 fills the last batch
        self.assertEqual(module.score(batches, lambda label, answer: 2.0), [("custom(<lambda>)", 2.0)])
        self.assertEqual(module.output_shapes, [("softmax_output", (2, 3))])

    def test_scores(self):
        module = bound()
        module.set_params(PARAMS, {})
        batches = io.NDArrayIter(ROWS, np.array([0, 1, 2, 1, 1]), batch_size=2, last_batch_handle="discard")
        told = []
        pairs = module.score(batches, ["acc", "mse"], batch_end_callback=[told.append], score_end_callback=told.append,
                             epoch=3)
        self.assertEqual([name for name, _ in pairs], ["accuracy", "mse"])
        self.assertEqual([(each.epoch, each.nbatch, each.eval_metric.get_metric(0).num_inst) for each in told],
                         [(3, 0, 4), (3, 1, 4), (3, 2, 4)])
        accuracy = symc.metric.Accuracy()
        module.prepare(None)
        module.update_metric(accuracy, [nd.array([2, 0])])
        self.assertEqual((accuracy.get(), module.get_outputs(False)[0][0].shape), (("accuracy", 0.5), (2, 3)))
        self.assertRaisesRegex(ValueError, "^0 labels for 1 outputs$", module.score, io.NDArrayIter(ROWS), "acc")

    def test_batches_of_ones_own(self):
        class Rows:  # of neither DataIter nor DataBatch, as public scripts have them
            def __iter__(self):
                batch = namedtuple("Batch", ["data", "label"])
                return iter([batch([nd.array(ROWS)], [nd.array([0, 1, 2, 1, 1])])])

            def reset(self):
                pass
        module = bound(batch=5)
        module.set_params(PARAMS, {})
        self.assertEqual(module.score(Rows(), "acc"), [("accuracy", 0.8)])
        self.assertEqual(module.predict(Rows()).shape, (5, 3))

    def test_labels_that_only_metrics_read(self):
        module = symc.mod.Module(sym.FullyConnected(sym.Variable("data"), num_hidden=3, name="fc"))
        batches = io.NDArrayIter(ROWS, np.array([0, 1, 2, 1, 0]), batch_size=5)
        module.bind(batches.provide_data, batches.provide_label)
        module.set_params(PARAMS, {})
        self.assertEqual(module.score(batches, "acc"), [("accuracy", 1.0)])

    def test_arrays_stand_in_the_order_of_the_bound_shapes(self):
        a, b, c = (np.full((1, 1), value, "float32") for value in (10, 1, 3))
        for names in (["a", "b"], ["b", "a"]):
            module = symc.mod.Module(sym.Variable("a") - 2 * sym.Variable("b"), names, None)
            module.bind([("b", (1, 1)), ("a", (1, 1))])
            module.init_params()
            module.forward(io.DataBatch([b, a]))
            self.assertEqual(module.get_outputs()[0].tolist(), [[8]])
            module.forward(io.DataBatch([np.vstack([b, b]), np.vstack([a, c])]))  # another batch size
            self.assertEqual(module.get_outputs()[0].tolist(), [[8], [1]])
            batches = io.NDArrayIter({"b": b, "a": a}, batch_size=1)
            self.assertEqual([each.name for each in batches.provide_data], ["a", "b"])
            module.bind(batches.provide_data, force_rebind=True)
            self.assertEqual(module.predict(batches).tolist(), [[8]])

    def test_labels_that_operators_read(self):
        words = sym.Embedding(sym.Variable("label"), input_dim=3, output_dim=2, name="embed")
        scores = sym.sum(words * sym.Variable("data"), axis=1)
        module = symc.mod.Module(sym.LogisticRegressionOutput(scores, name="out"), label_names=["label", "out_label"])
        module.bind([("data", (2, 2))], [("label", (2,)), ("out_label", (2,))])
        module.set_params({"embed_weight": np.array([[0, 0], [1, 0], [0, 2]])}, {})
        module.forward(io.DataBatch([np.ones((2, 2))], [np.array([2, 1]), np.zeros(2)]))
        np.testing.assert_allclose(module.get_outputs()[0].asnumpy(), 1 / (1 + np.exp([-2.0, -1.0])), rtol=1e-5)
        wide = symc.mod.Module(classifier())  # the label's type follows from the data's
        wide.bind([io.DataDesc("data", (1, 3), "float64")], [("softmax_label", (1,))])
        wide.set_params(PARAMS, {})
        wide.forward(io.DataBatch([ROWS[:1].astype("float64")], [np.zeros(1)]))
        self.assertEqual(wide.get_outputs()[0].dtype, np.float64)

    def test_labels_are_read_in_their_order(self):
        names = ["x", "y"]
        module = symc.mod.Module(sym.Variable("data") + sym.Variable("x") - 2 * sym.Variable("y"), label_names=names)
        module.bind([("data", (1, 1))], [("y", (1, 1)), ("x", (1, 1))])
        module.init_params()
        for count in (1, 2):
            zero, one, ten = (np.full((count, 1), value, "float32") for value in (0, 1, 10))
            module.forward(io.DataBatch([zero], [one, ten]))
            self.assertEqual(module.get_outputs()[0].tolist(), [[8]] * count)

    def test_batches_of_other_shapes_without_labels(self):
        module, batch = bound(), namedtuple("Batch", ["data"])
        self.assertEqual((module._data_shapes, module._label_shapes),
                         ([("data", (2, 3))], [("softmax_label", (2,))]))
        module.set_params(PARAMS, {})
        module.forward(batch([nd.array(ROWS)]))
        self.assertEqual(module.get_outputs()[0].asnumpy().argmax(1).tolist(), [0, 1, 2, 1, 0])
        self.assertEqual((module.data_shapes, module.label_shapes), ([("data", (5, 3))], None))
        self.assertRaisesRegex(
            ValueError, r"^'data' of shape \(5, 4\) needs parameter 'fc_weight' of shape \(3, 4\), the module has it "
            r"of shape \(3, 3\)$", module.forward, batch([nd.ones((5, 4))]))
        module.forward(batch([nd.array(ROWS[:2])]))  # the mistake changed nothing
        self.assertEqual(module.get_outputs()[0].shape, (2, 3))

    def test_labels_by_way_of_operators(self):
        label = sym.Reshape(sym.transpose(sym.Concat(sym.Variable("label"), sym.Variable("more"), dim=0)), shape=(-1,))
        net = sym.SoftmaxOutput(sym.FullyConnected(sym.Variable("data"), num_hidden=3, name="fc"), label, name="softmax")
        for names in (None, ["label", "more"]):
            module = symc.mod.Module(net, label_names=names)
            module.bind([("data", (5, 3))], for_training=False)
            module.set_params(PARAMS, {})
            self.assertEqual(module.predict(ROWS).argmax(1).tolist(), [0, 1, 2, 1, 0])
            self.assertEqual(module.output_shapes, [("softmax_output", (5, 3))])
        module.bind([("data", (2, 3))], [("label", (1,)), ("more", (1,))], force_rebind=True)
        module.forward(io.DataBatch([ROWS[:2]], [np.zeros(1), np.zeros(1)]))
        self.assertEqual(module.get_outputs()[0].argmax(1).tolist(), [0, 1])
        model = symc.compile(net, PARAMS, shapes={"data": (5, 3)})
        self.assertEqual([each.name for each in model.inputs], ["data"])
        self.assertEqual(model(ROWS).argmax(1).tolist(), [0, 1, 2, 1, 0])
        needed = symc.mod.Module(sym.Group([net, label]), label_names=["label", "more"])
        self.assertRaisesRegex(symc.SymcError, "^shapes of label, more are not decided", needed.bind, [("data", (5, 3))])

    def test_features_of_a_part(self):
        with tempfile.TemporaryDirectory() as folder:
            symc.model.save_checkpoint(os.path.join(folder, "net"), 1, classifier(),
                                       {**PARAMS, "more": nd.ones(1)}, {"state": nd.ones(1)})
            symbol, arguments, states = symc.model.load_checkpoint(os.path.join(folder, "net"), 1)
        module = symc.mod.Module(symbol.get_internals()["fc_output"], label_names=None)
        module.bind(for_training=False, data_shapes=[("data", (1, 3))], label_shapes=module._label_shapes)
        module.set_params(arguments, states)  # a surplus is passed over
        self.assertEqual(module.predict(ROWS[:1]).tolist(), [[9, 0, 0]])

    def test_other_parameters(self):
        module = bound()
        module.init_params(symc.init.One())
        self.assertEqual(module.get_params()[0]["fc_weight"].tolist(), np.ones((3, 3)).tolist())
        batch = io.DataBatch([nd.array(ROWS[:2])])
        module.forward(batch, is_train=False)
        np.testing.assert_allclose(module.get_outputs()[0], np.full((2, 3), 1 / 3), rtol=1e-6)
        module.set_params({"fc_bias": np.array([0, 0, 99], "float32")}, {}, allow_missing=True)
        module.forward(batch)
        self.assertEqual(module.get_outputs()[0].argmax(1).tolist(), [2, 2])

    def test_states(self):
        """As a language model carries them from batch to batch."""
        data, state = sym.Variable("data"), sym.Variable("state", shape=(2, 3))
        following = state + data
        module = symc.mod.Module(sym.Group([following, 2 * following]), label_names=None, state_names=["state"])
        module.bind([("data", (2, 3))])
        module.init_params()
        self.assertEqual(module.get_params(), ({}, {}))
        module.set_states(value=1)
        for round_ in range(2):
            module.forward(io.DataBatch([np.ones((2, 3))]))
            self.assertEqual(module.get_states()[0].tolist(), [[round_ + 1] * 3] * 2)
            outputs = module.get_outputs(merge_multi_context=False)
            self.assertEqual(outputs[1][0].tolist(), [[2 * round_ + 4] * 3] * 2)
            module.set_states(states=outputs[:-1])
        self.assertRaisesRegex(ValueError, r"^state 'state': expected shape \(2, 3\), got \(1,\)$", module.set_states,
                               [np.ones(1)])

    def test_checkpoints(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = os.path.join(folder, "net")
            module = bound()
            module.set_params(PARAMS, {})
            module.save_checkpoint(prefix, 7)
            again = symc.mod.Module.load(prefix, 7)
            again.bind([("data", (5, 3))])
            self.assertEqual(again.predict(ROWS).argmax(1).tolist(), [0, 1, 2, 1, 0])
            symbol, arguments, states = symc.model.load_checkpoint(prefix, 7)
            self.assertEqual((symbol.list_outputs(), sorted(arguments), states),
                             (["softmax_output"], ["fc_bias", "fc_weight"], {}))
            for params in (symc.model.load_params(prefix, 7), symc.model.load_params(prefix + "-0007.params")):
                self.assertEqual([sorted(each) for each in params], [["fc_bias", "fc_weight"], []])
            self.assertRaisesRegex(symc.MXNetError, "net-0008.params: cannot open the file: no such file or directory$",
                                   symc.model.load_checkpoint, prefix, 8)
            nd.save(prefix, {"w": nd.ones(1)})
            self.assertRaisesRegex(symc.SymcError, "the name 'w' begins with neither arg: nor aux:", again.load_params,
                                   prefix)

    def test_mistakes(self):
        module, new = bound(), symc.mod.Module(classifier())
        for error, text, call in (
                (symc.SymcError, "the module is not bound yet", lambda: new.forward(None)),
                (symc.SymcError, "the module is not bound yet", lambda: new.data_shapes),
                (symc.SymcError, "the module is not given parameters yet", lambda: module.forward(None)),
                (ValueError, "data_shapes are of x, the module's are data", lambda: new.bind([("x", (1, 3))])),
                (ValueError, "the symbol has no argument 'x', which data_names has",
                 lambda: symc.mod.Module(classifier(), ["x"])),
                (ValueError, "parameter 'x' is not in the symbol; allow_extra=True passes over it",
                 lambda: module.set_params({"x": nd.ones(1)}, {}, allow_missing=True)),
                (ValueError, "parameter 'fc_bias' is not given; allow_missing=True draws it",
                 lambda: module.set_params({"fc_weight": PARAMS["fc_weight"]}, {})),
                (ValueError, r"parameter 'fc_weight': expected shape \(3, 3\), got \(1,\)",
                 lambda: module.set_params({"fc_weight": nd.ones(1)}, {})),
                (TypeError, "^a module is made of a Symbol, got 5$", lambda: symc.mod.Module(5)),
                (ValueError, "the symbol has no argument 's', which state_names has",
                 lambda: symc.mod.Module(classifier(), state_names=["s"])),
                (ValueError, "^set_states takes states or a value, needs one of the two$", module.set_states),
                (ValueError, "^1 states for no state_names$", lambda: module.set_states([1]))):
            with self.subTest(text):
                self.assertRaisesRegex(error, text, call)
        module.set_params(PARAMS, {})
        self.assertRaisesRegex(ValueError, "the batch has 2 arrays, the module 1 inputs", module.forward,
                               io.DataBatch([1, 2]))


if __name__ == "__main__":
    unittest.main()

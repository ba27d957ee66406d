"""If this fails, a module of several networks predicts by the wrong one, or by parameters of another."""
import os
import tempfile
import unittest

import numpy as np
import symc as mx
from symc import io

WORDS, HIDDEN = 6, 4


def close(got, wanted, **tolerances):
    np.testing.assert_allclose(np.asarray(got), np.asarray(wanted), **tolerances)  # as arrays of NumPy


def equal(got, wanted):
    np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))


def sym_gen(length):
    """Scores of the next word at each place."""
    cell = mx.rnn.GRUCell(HIDDEN, prefix="g_")
    embed = mx.sym.Embedding(mx.sym.Variable("data"), input_dim=WORDS, output_dim=HIDDEN, name="embed")
    outputs, _ = cell.unroll(length, embed, merge_outputs=True)
    scores = mx.sym.FullyConnected(mx.sym.Reshape(outputs, shape=(-1, HIDDEN)), num_hidden=WORDS, name="pred")
    label = mx.sym.Reshape(mx.sym.Variable("softmax_label"), shape=(-1,))
    return mx.sym.SoftmaxOutput(scores, label, name="softmax"), ("data",), ("softmax_label",)


def weights(factor=1.0):
    net = sym_gen(5)[0]
    rng = np.random.default_rng(1)
    shapes = net.infer_shape(data=(2, 5), softmax_label=(2, 5))[0]
    return {name: (factor * rng.standard_normal(shape)).astype("float32")
            for name, shape in zip(net.list_arguments(), shapes) if name not in ("data", "softmax_label")}


def batch(length, rows=2, key=None):
    words = np.random.default_rng(length).integers(0, WORDS, (rows, length)).astype("float32")
    label = np.roll(words, -1, 1)
    return io.DataBatch([words], [label], 0, bucket_key=length if key is None else key,
                        provide_data=[io.DataDesc("data", words.shape)],
                        provide_label=[io.DataDesc("softmax_label", label.shape)])


def alone(length, values, data):
    """What a network of this length gives by itself."""
    return sym_gen(length)[0].eval(data=data.data[0], softmax_label=data.label[0], **values)[0]


class Batches(io.DataIter):
    """A list of batches, of which the longest is the default."""

    def __init__(self, lengths):
        super().__init__(2)
        self.batches, self.at, self.default_bucket_key = [batch(each) for each in lengths], 0, max(lengths)
        longest = batch(self.default_bucket_key)
        self.provide_data, self.provide_label = longest.provide_data, longest.provide_label

    def reset(self):
        self.at = 0

    def next(self):
        if self.at == len(self.batches):
            raise StopIteration
        self.at += 1
        return self.batches[self.at - 1]


def bound(lengths=(3, 5, 3), values=None):
    batches = Batches(lengths)
    module = mx.mod.BucketingModule(sym_gen, batches.default_bucket_key, context=mx.cpu())
    module.bind(batches.provide_data, batches.provide_label, for_training=False)
    module.set_params(weights() if values is None else values, {})
    return module, batches


class Bucketing(unittest.TestCase):
    def test_each_batch_goes_through_its_bucket(self):
        module, batches = bound()
        outputs = module.predict(batches, merge_batches=False)
        for each, got in zip(batches.batches, outputs):
            close(got[0], alone(each.bucket_key, weights(), each), rtol=1e-5)
        self.assertEqual(module.predict(batches).shape, ((3 + 5 + 3) * 2, WORDS))
        self.assertEqual(sorted(module._buckets), [3, 5])

    def test_score(self):
        module, batches = bound((4, 2))
        found, = module.score(batches, mx.metric.Perplexity(None))
        losses = []
        for each in batches.batches:
            chosen = alone(each.bucket_key, weights(), each).asnumpy()
            losses += [-np.log(row[int(word)]) for row, word in zip(chosen, each.label[0].ravel())]
        self.assertAlmostEqual(found[1], np.exp(np.mean(losses)), places=4)
        self.assertEqual(found[0], "perplexity")

    def test_buckets_share_parameters(self):
        module, batches = bound()
        module.predict(batches)
        other = weights(0.5)
        module.set_params(other, {})  # while the bucket of 3 is the current one
        for length in (5, 3):
            module.forward(batch(length))
            close(module.get_outputs()[0], alone(length, other, batch(length)), rtol=1e-5)
        module.forward(batch(3))
        self.assertEqual((module.symbol.list_outputs(), module.output_shapes), (["softmax_output"], [("softmax_output", (6, 6))]))
        equal(module.get_params()[0]["pred_weight"], other["pred_weight"])
        module.forward(batch(3, rows=4))  # other rows of a bucket that is bound
        self.assertEqual(module.get_outputs()[0].shape, (12, WORDS))

    def test_switch_bucket(self):
        module, _ = bound((5,))
        self.assertEqual(module.data_shapes, [("data", (2, 5))])
        module.switch_bucket(2, [("data", (1, 2))], [("softmax_label", (1, 2))])
        self.assertEqual((module.data_shapes, module.label_shapes), ([("data", (1, 2))], [("softmax_label", (1, 2))]))
        module.switch_bucket(5, None)
        self.assertEqual(module.data_shapes, [("data", (2, 5))])
        self.assertEqual(module.data_names, ["data"])

    def test_bind_again_keeps_parameters(self):
        module, _ = bound((5,))
        module.bind([("data", (1, 5))], [("softmax_label", (1, 5))], force_rebind=True)
        one = batch(5, rows=1)
        module.forward(one)
        close(module.get_outputs()[0], alone(5, weights(), one), rtol=1e-5)

    def test_checkpoints(self):
        module, batches = bound()
        expected = module.predict(batches)
        with tempfile.TemporaryDirectory() as folder:
            prefix = os.path.join(folder, "net")
            module.save_checkpoint(prefix, 4)
            self.assertEqual(sorted(os.listdir(folder)),
                             ["net-0004.params", "net-3-symbol.json", "net-5-symbol.json", "net.buckets"])
            self.assertEqual(mx.nd.load(prefix + ".buckets")[0].dtype, np.int32)
            again = mx.mod.BucketingModule.load(prefix, 4, sym_gen, 5)
        again.bind(batches.provide_data, batches.provide_label)
        close(again.predict(batches), expected, rtol=1e-6)
        dictionary = mx.mod.BucketingModule.load_dict({5: sym_gen(5)[0]}, sym_gen, 5, weights(), {})
        dictionary.bind(batches.provide_data, batches.provide_label)
        close(dictionary.predict(batches), expected, rtol=1e-6)

    def test_sentences(self):
        sentences = [[1, 2, 3], [2, 3, 4], [3, 4, 5, 1], [1, 5, 4, 3], [2, 2, 2], [5, 5, 5, 5]]
        iterator = mx.rnn.BucketSentenceIter(sentences, 1, invalid_label=0)
        module = mx.mod.BucketingModule(sym_gen, iterator.default_bucket_key)
        module.bind(iterator.provide_data, iterator.provide_label)
        module.init_params(mx.init.Xavier())
        (_, value), = module.score(iterator, mx.metric.Perplexity(0))
        self.assertTrue(1 < value < 3 * WORDS, value)

    def test_mistakes(self):
        module, _ = bound((5,))

        def strange(length):
            net, data, label = sym_gen(5)
            return (mx.sym.FullyConnected(net, num_hidden=2, name="more") if length == 3 else net), data, label
        other = mx.mod.BucketingModule(strange, 5)
        other.bind([("data", (2, 5))], [("softmax_label", (2, 5))])
        other.set_params(weights(), {})
        texts = mx.mod.BucketingModule(lambda key: sym_gen(5), "long")
        texts.bind([("data", (2, 5))], [("softmax_label", (2, 5))])
        texts.set_params(weights(), {})
        for error, text, call in (
                (ValueError, "^BucketingModule needs a default_bucket_key, the key of the longest bucket$",
                 lambda: mx.mod.BucketingModule(sym_gen)),
                (TypeError, "^sym_gen is a function of a bucket's key, got 5$", lambda: mx.mod.BucketingModule(5, 5)),
                (TypeError, r"^sym_gen\(5\) gives \(symbol, data_names, label_names\), got 7$",
                 lambda: mx.mod.BucketingModule(lambda key: 7, 5)),
                (mx.SymcError, "^a BucketingModule takes no shared_module: its buckets share parameters$",
                 lambda: module.bind([], shared_module=module)),
                (mx.SymcError, "^the module is not bound yet$", lambda: mx.mod.BucketingModule(sym_gen, 5).forward(None)),
                (ValueError, "^the first batch of bucket 2 has no provide_data, which binds it$",
                 lambda: module.forward(io.DataBatch([np.zeros((2, 2))], bucket_key=2))),
                (ValueError, "^bucket 3: parameter 'more_weight' is not among those of the module that lends its parameters$",
                 lambda: other.forward(batch(5, key=3))),
                (TypeError, "^keys of buckets are 'long', a checkpoint needs ints$",
                 lambda: texts.save_checkpoint("net", 1))):
            with self.subTest(text):
                self.assertRaisesRegex(error, text, call)

    def test_rows_of_other_shapes(self):
        def gen(length):
            return mx.sym.Variable("data") * 2, ("data",), None
        module = mx.mod.BucketingModule(gen, 5)
        batches = Batches((3, 5))
        module.bind(batches.provide_data)
        module.init_params()
        for each in batches.batches:
            each.label = each.provide_label = None
        self.assertEqual([each[0].shape for each in module.predict(batches, merge_batches=False)], [(2, 3), (2, 5)])
        self.assertRaisesRegex(ValueError, r"^a row of outputs has shapes \[\(3,\)\] in one batch and \[\(5,\)\] in another",
                               module.predict, batches)


class SharedModules(unittest.TestCase):
    def test_a_module_lends_its_parameters(self):
        net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
        one, other = mx.mod.Module(net, label_names=None), mx.mod.Module(net * 2, label_names=None)
        self.assertRaisesRegex(mx.SymcError, "^shared_module is not bound yet$", other.bind, [("data", (1, 2))],
                               shared_module=one)
        one.bind([("data", (1, 2))])
        one.set_params({"fc_weight": np.eye(2), "fc_bias": np.zeros(2)}, {})
        other.bind([("data", (3, 2))], shared_module=one)
        self.assertEqual(other.predict(np.ones((3, 2), "float32")).tolist(), [[2, 2]] * 3)
        one.set_params({"fc_weight": 3 * np.eye(2), "fc_bias": np.zeros(2)}, {})
        self.assertEqual(other.predict(np.ones((3, 2), "float32")).tolist(), [[6, 6]] * 3)


class Sequential(unittest.TestCase):
    def parts(self):
        data = mx.sym.Variable("data")
        first = mx.mod.Module(mx.sym.Activation(mx.sym.FullyConnected(data, num_hidden=3, name="fc1"), act_type="relu"),
                              label_names=None)
        second = mx.mod.Module(mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=2, name="fc2"), name="softmax"))
        return first, second

    def test_modules_one_after_the_other(self):
        first, second = self.parts()
        module = mx.mod.SequentialModule().add(first).add(second, take_labels=True, auto_wiring=True)
        rows = np.random.default_rng(2).standard_normal((5, 4)).astype("float32")
        labels = np.array([0, 1, 1, 0, 1])
        batches = io.NDArrayIter(rows, labels, batch_size=2)
        module.bind(batches.provide_data, batches.provide_label, for_training=False)
        module.init_params(mx.init.Uniform(1))
        params, _ = module.get_params()
        self.assertEqual(sorted(params), ["fc1_bias", "fc1_weight", "fc2_bias", "fc2_weight"])
        scores = np.maximum(rows @ params["fc1_weight"].asnumpy().T, 0) @ params["fc2_weight"].asnumpy().T
        expected = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
        close(module.predict(batches), expected, rtol=1e-5)
        self.assertEqual(module.output_shapes, [("softmax_output", (2, 2))])
        filled, wanted = expected[[0, 1, 2, 3, 4, 0]], labels[[0, 1, 2, 3, 4, 0]]
        self.assertEqual(module.score(batches, "acc"), [("accuracy", (filled.argmax(1) == wanted).mean())])
        self.assertEqual((module.data_names, module.output_names), (["data"], ["softmax_output"]))

    def test_mistakes(self):
        first, second = self.parts()
        module = mx.mod.SequentialModule()
        self.assertRaisesRegex(mx.SymcError, r"^the module is empty: add\(module\) comes first$", module.bind, [])
        self.assertRaisesRegex(TypeError, r"^add\(\) takes take_labels and auto_wiring, got 'x'$", module.add, first, x=1)
        module.add(first).add(second, auto_wiring=True)
        self.assertRaisesRegex(ValueError, "^2 outputs for the inputs data$", module._wired, second, [1, 2])
        twice = mx.mod.SequentialModule().add(self.parts()[0]).add(mx.mod.Module(
            mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=3, name="fc1"), label_names=None), auto_wiring=True)
        twice.bind([("data", (1, 3))])
        self.assertRaisesRegex(ValueError, "^parameter 'fc1_weight' is in modules 0 and 1, which do not share it$",
                               twice.init_params)


if __name__ == "__main__":
    unittest.main()

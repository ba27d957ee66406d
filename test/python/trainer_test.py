"""If this fails, symc.Trainer learns nothing, goes another way than Module.fit with the same numbers, or loses what a
checkpoint holds."""
import copy
import os
import pickle
import tempfile
import unittest

import numpy as np
import symc as mx


def net():
    hidden = mx.sym.Activation(mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=8, name="fc1"), act_type="tanh")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(hidden, num_hidden=2, name="fc2"), name="softmax")


SHAPES = {"data": (10, 4)}
ROWS = np.random.RandomState(0).randn(60, 4).astype("float32")
LABELS = (ROWS[:, 0] * ROWS[:, 1] > 0).astype("float32")


def batches():
    return mx.io.NDArrayIter(ROWS, LABELS, batch_size=10)


class Train(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.prefix = os.path.join(folder.name, "net")

    def test_learns(self):
        with mx.Trainer(net(), SHAPES, "adam", {"learning_rate": 0.05}, initializer="xavier", seed=3) as trainer:
            for _ in range(60):
                for batch in batches():
                    trainer.step(batch)
            right = sum((trainer.predict(batch.data)[0].argmax(1) == batch.label[0].asnumpy()).sum() for batch in batches())
            self.assertGreater(right, 55)
            self.assertEqual(trainer.num_update, 360)
            self.assertEqual(trainer.inputs, [("data", (10, 4)), ("softmax_label", (10,))])
            self.assertEqual(trainer.outputs, [("softmax_output", (10, 2))])

    def test_follows_module(self):
        random = np.random.RandomState(1)
        start = {name: random.uniform(-0.5, 0.5, shape).astype("float32") for name, shape in (
            ("fc1_weight", (8, 4)), ("fc1_bias", (8,)), ("fc2_weight", (2, 8)), ("fc2_bias", (2,)))}
        options = {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01}
        module = mx.mod.Module(net())
        module.fit(batches(), num_epoch=1, optimizer="sgd", optimizer_params=options,
                   arg_params={name: mx.nd.array(value) for name, value in start.items()})
        trainer = mx.Trainer(net(), SHAPES, "sgd", options, params=start)
        for batch in batches():
            trainer.step(batch)
        for name, value in module.get_params()[0].items():
            np.testing.assert_allclose(trainer.get_params()[0][name], value.asnumpy(), rtol=0, atol=1e-5)

    def test_checkpoint(self):
        def train(trainer, count):
            for _ in range(count):
                trainer.step({"data": ROWS[:10], "softmax_label": LABELS[:10]})
        first, second = (mx.Trainer(net(), SHAPES, "nadam", threads=threads) for threads in (1, 2))
        train(first, 3)
        first.save(self.prefix, 3)
        train(first, 4)
        second.initialize(99)
        second.load(self.prefix, 3)
        train(second, 4)
        for name, value in first.get_params()[0].items():
            np.testing.assert_array_equal(second.get_params()[0][name], value)
        again = mx.mod.Module.load(self.prefix, 3)
        again.bind([("data", (10, 4))], for_training=False)
        self.assertEqual(again.predict(mx.io.NDArrayIter(ROWS, batch_size=10)).shape, (60, 2))

    def test_halves_and_rates(self):
        trainer = mx.Trainer(net(), SHAPES, freeze="fc1_*", initializer="normal,sigma=0.5")
        before = trainer.get_params()[0]
        outputs, = trainer.gradients(ROWS[:10], softmax_label=LABELS[:10])
        np.testing.assert_allclose(outputs.sum(1), 1, rtol=1e-5)
        gradients = trainer.get_gradients()
        self.assertEqual(list(gradients), ["fc2_weight", "fc2_bias"])
        trainer.update({"learning_rate": 0.5})
        after = trainer.get_params()[0]
        np.testing.assert_allclose(after["fc2_bias"], before["fc2_bias"] - 0.05 * gradients["fc2_bias"], rtol=1e-6)
        np.testing.assert_array_equal(after["fc1_weight"], before["fc1_weight"])
        trainer.set_hyper("learning_rate", 0.25)
        self.assertEqual(trainer.get_hyper("learning_rate"), 0.25)

    def test_cannot_be_pickled(self):
        with mx.Trainer(net(), SHAPES) as trainer:
            for call in (pickle.dumps, copy.copy, copy.deepcopy):
                self.assertRaisesRegex(TypeError, r"^a trainer cannot be pickled or copied: its states are memory of this process; save\(prefix\)",
                                       call, trainer)

    def test_mistakes(self):
        trainer = mx.Trainer(net(), SHAPES)

        def refused(text, function, *args, **named):
            with self.assertRaisesRegex(mx.SymcError, text):
                function(*args, **named)
        refused("input 'softmax_label' is not given", trainer.step, ROWS[:10])
        refused("a step takes data, softmax_label, got 3 arrays", trainer.step, ROWS[:10], LABELS[:10], LABELS[:10])
        refused("no input is called 'label'; there are data, softmax_label", trainer.step, ROWS[:10], label=LABELS[:10])
        refused(r"input 'data' has shape \(10, 4\), got \(9, 4\)", trainer.step, ROWS[:9], LABELS[:10])
        for value in (2, -1, 0.5, float("nan")):
            labels = LABELS[:10].copy()
            labels[3] = value
            refused("row 3: %g is no value for input 'softmax_label', which takes 0..1" % value, trainer.step, ROWS[:10], labels)
        refused("a step takes no 'beta1'; set_hyper sets it", trainer.step, ROWS[:10], LABELS[:10], hyper={"beta1": 1})
        refused("needs 1 state of each parameter", trainer.step, ROWS[:10], LABELS[:10], hyper={"momentum": 0.5})
        refused("no parameter is called 'fc3_weight'", trainer.set_params, {"fc3_weight": ROWS})
        refused(r"'fc2_bias' has shape \(2,\), got \(3,\)", trainer.set_params, {"fc2_bias": np.ones(3)})
        refused("optimizer 'sgdd' is unknown; did you mean 'sgd'", mx.Trainer, net(), SHAPES, "sgdd")
        path = self.prefix + "-0000.trainer"
        trainer.save(self.prefix)
        mx.nd.save(path, {"other": mx.nd.ones((1,))})
        refused("holds 'other', which this trainer has no use for", trainer.load, self.prefix)
        mx.nd.save(path, [mx.nd.ones((1,))])
        refused("0000.trainer' has no names of arrays, which Trainer.save writes", trainer.load, self.prefix)
        mx.nd.save(path, {"numbers": mx.nd.ones((1,))})
        refused(r"0000.trainer' has 'numbers' of shape \(1,\), needs 2 finite numbers", trainer.load, self.prefix)
        mx.nd.save(path, {"schedule": mx.nd.full((4,), float("nan"))})
        refused(r"0000.trainer' has 'schedule' of shape \(4,\), needs 4 finite numbers", trainer.load, self.prefix)
        trainer.close()
        refused("the trainer is closed", trainer.update)


if __name__ == "__main__":
    unittest.main()

"""If this fails, forward and backward of a model with gradients compute something else than one run of both, or a
mistake has another sentence."""
import unittest

import numpy as np
import symc

sym = symc.sym


class Parts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        data, label = sym.Variable("data"), sym.Variable("label")
        fc = sym.FullyConnected(data, num_hidden=3, name="fc")
        net = sym.Group([sym.SoftmaxOutput(fc, label, name="loss"), sym.tanh(fc, name="side")])
        rng = np.random.default_rng(3)
        cls.values = {"data": rng.standard_normal((4, 5)).astype("float32"), "label": np.float32([0, 2, 1, 2])}
        cls.weights = {"fc_weight": rng.standard_normal((3, 5)).astype("float32"), "fc_bias": np.ones(3, "float32")}
        cls.head = rng.standard_normal((4, 3)).astype("float32")
        cls.model = symc.compile(net, cls.weights, {"data": (4, 5), "label": (4,)},
                                 options=["--gradients", "data,fc_weight", "--grad-req", "fc_weight=add"])

    @classmethod
    def tearDownClass(cls):
        cls.model.close()

    def test_one_behind_the_other(self):
        before = np.full((3, 5), 10, "float32")
        whole = self.model(**self.values, **{"head_grad:side_output": self.head, "grad:fc_weight": before})
        data = self.values["data"].copy()
        outputs = self.model.forward(data, label=self.values["label"])
        data[:] = np.nan
        given = {"head_grad:side_output": self.head, "grad:fc_weight": before}
        gradients = self.model.backward(given)
        self.assertEqual(list(gradients), ["data", "fc_weight"])
        for one, other in zip(whole, outputs + list(gradients.values())):
            np.testing.assert_array_equal(one, other)
        again = self.model.backward({**given, "head_grad:side_output": 0 * self.head})
        p = outputs[0] - np.eye(3, dtype="float32")[self.values["label"].astype(int)]
        np.testing.assert_allclose(again["data"], p @ self.weights["fc_weight"], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(again["fc_weight"], 10 + p.T @ self.values["data"], rtol=1e-5)

    def test_each_part_changes_its_states(self):
        """A momentum is written in forward, moving statistics in backward, each time."""
        data, weight, grad = sym.Variable("data"), sym.Variable("weight"), sym.Variable("grad")
        norm = sym.BatchNorm(data, name="bn", fix_gamma=False, momentum=0.5)
        step = sym.sgd_mom_update(weight, grad, sym.Variable("mom"), lr=0.5, momentum=0.5)
        weights = {"bn_gamma": np.ones(2, "float32"), "bn_beta": np.zeros(2, "float32"), "mom": np.ones(2, "float32"),
                   "bn_moving_mean": np.zeros(2, "float32"), "bn_moving_var": np.ones(2, "float32")}
        shapes = {"data": (4, 2), "weight": (2,), "grad": (2,)}
        with symc.compile(sym.Group([norm, step]), weights, shapes, options=["--gradients", "data"]) as model:
            def found():
                return model.get_state("mom")[0], model.get_state("bn_moving_mean")[0]
            x, ones = np.full((4, 2), 8, "float32"), np.ones(2, "float32")
            head = {"head_grad:bn_output": np.ones((4, 2), "float32")}
            for momentum, mean in ((0, 0), (-0.5, 0)):
                model.forward(data=x, weight=ones, grad=ones)
                self.assertEqual(found(), (momentum, mean))
            for mean in (4, 6, 7):
                model.backward(head)
                self.assertEqual(found(), (-0.5, mean))
            model.reset_state()
            model(data=x, weight=ones, grad=ones, **head)
            self.assertEqual(found(), (0, 4))

    def test_mistakes(self):
        model, name = self.model, "model '%s'" % self.model.name
        model(**self.values, **{"head_grad:side_output": self.head, "grad:fc_weight": np.zeros((3, 5), "float32")})
        given = {"head_grad:side_output": self.head, "grad:fc_weight": np.zeros((3, 5), "float32")}
        for call, error, text in (
                (lambda: model.backward(given), symc.SymcError,
                 model.name + ": backward needs a forward run before it, with no other run, failed forward run or new "
                 "weights between"),
                (lambda: model.backward({}), TypeError,
                 "backward of %s needs 'head_grad:side_output', 'grad:fc_weight'" % name),
                (lambda: model.backward({"data": self.head}), TypeError,
                 "backward of %s takes no 'data', but 'head_grad:side_output', 'grad:fc_weight'" % name),
                (lambda: model.forward(self.values["data"]), TypeError, "forward of %s needs 'label'" % name),
                (lambda: model.forward(1, 2, 3), TypeError, "forward of %s takes 2 inputs, each once" % name),
                (lambda: model.forward(1, data=2), TypeError, "forward of %s takes 2 inputs, each once" % name)):
            with self.assertRaises(error) as raised:
                call()
            self.assertEqual(str(raised.exception), text)
        with symc.compile(sym.tanh(sym.Variable("x")), shapes={"x": (2,)}) as other:
            with self.assertRaises(symc.SymcError) as raised:
                other.forward(np.zeros(2, "float32"))
            self.assertEqual(str(raised.exception), "model '%s' was compiled without gradients" % other.name)


if __name__ == "__main__":
    unittest.main()

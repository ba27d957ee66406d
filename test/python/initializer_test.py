"""If this fails, parameters begin with other values than MXNet's formulas give, or symbol files tell another
initialiser."""
import unittest

import numpy as np
import symc
from symc import init, nd


def drawn(initializer, shape, name="fc_weight", attrs=None):
    array = nd.zeros(shape)
    initializer(init.InitDesc(name, attrs), array)
    return array


class Initializers(unittest.TestCase):
    def setUp(self):
        np.random.seed(1)

    def test_texts_are_those_of_mxnet(self):
        for made, text in ((init.Zero(), '["zero", {}]'), (init.Normal(0.5), '["normal", {"sigma": 0.5}]'),
                           (init.Uniform(), '["uniform", {"scale": 0.07}]'),
                           (init.Constant(np.ones(2)), '["constant", {"value": [1.0, 1.0]}]'),
                           (init.Xavier(factor_type="in", magnitude=2.34),
                            '["xavier", {"rnd_type": "uniform", "factor_type": "in", "magnitude": 2.34}]'),
                           (init.MSRAPrelu(), '["msraprelu", {"factor_type": "avg", "slope": 0.25}]'),
                           (init.Orthogonal(), '["orthogonal", {"scale": 1.414, "rand_type": "uniform"}]'),
                           (init.LSTMBias(), '["lstmbias", {"forget_bias": 1.0}]'),
                           (init.Bilinear(), '["bilinear", {}]')):
            self.assertEqual(made.dumps(), text)
            self.assertEqual(init.create(text), made)
        self.assertEqual(symc.sym.Variable("w", init=init.One()).attr("__init__"), '["one", {}]')

    def test_values(self):
        self.assertEqual(drawn(init.Constant(3), (2,)).tolist(), [3, 3])
        self.assertEqual(drawn(init.LSTMBias(2), (8,)).tolist(), [0, 0, 2, 2, 0, 0, 0, 0])
        self.assertEqual(drawn(init.Bilinear(), (1, 1, 4, 4))[0, 0, 1].tolist(), [0.1875, 0.5625, 0.5625, 0.1875])
        shape = (64, 32, 3, 3)  # 288 inputs, 576 outputs
        bound = (3 / 432) ** 0.5
        values = drawn(init.Xavier(), shape)
        self.assertTrue(0.99 * bound < abs(values).max() <= bound)
        self.assertAlmostEqual(float(drawn(init.MSRAPrelu("in", 0), shape).std()), (2 / 288) ** 0.5, 3)
        self.assertAlmostEqual(float(drawn(init.Normal(2), shape).std()), 2, 1)
        self.assertTrue(1.98 < abs(drawn(init.Uniform(2), shape)).max() <= 2)
        rows = drawn(init.Orthogonal(2), shape).reshape(64, -1)
        np.testing.assert_allclose(rows @ rows.T, 4 * np.eye(64), atol=1e-5)

    def test_names_decide(self):
        one = init.Constant(7)
        for name, value in (("a_weight", 7), ("a_bias", 0), ("a_gamma", 1), ("a_beta", 0), ("a_moving_mean", 0),
                            ("a_moving_var", 1)):
            self.assertEqual(drawn(one, (1,), name).item(), value)
        self.assertEqual(drawn(one, (1,), "state", {"__init__": init.Constant(5).dumps()}).item(), 5)
        mixed = init.Mixed(["fc1", ".*"], [init.One(), init.Zero()])
        self.assertEqual([drawn(mixed, (1,), name).item() for name in ("fc1_weight", "fc2_weight")], [1, 0])
        loaded = init.Load({"arg:fc_weight": np.full(2, 4.0)}, init.One())
        self.assertEqual([drawn(loaded, (2,), name)[0] for name in ("fc_weight", "other_weight")], [4, 1])

    def test_names_without_attributes(self):
        for name, shape, values in (("upsampling0_weight", (1, 1, 1, 4), [0.0625, 0.1875, 0.1875, 0.0625]), ("stn_loc_weight", (6, 1), [0] * 6),
                                    ("stn_loc_bias", (6,), [1, 0, 0, 0, 1, 0]), ("stn_loc_moving_mean", (1,), [0])):
            array = np.full(shape, 9.0, "float32")
            init.One()(name, array)
            self.assertEqual(array.ravel().tolist(), values)
            if name.endswith("weight"):
                init.One()(init.InitDesc(name), array)
                self.assertTrue((array == 1).all())

    def test_reports(self):
        array = np.zeros((2, 2), "float32")
        with self.assertLogs(level="INFO") as logs:
            init.One().set_verbosity(True)("fc_weight", array)
            init.One().set_verbosity(True, lambda arr: "%d" % arr.sum())("bn_gamma", array)
            init.One().set_verbosity(False)("fc_weight", array)
        self.assertEqual([line.split(":", 2)[2] for line in logs.output],
                         ["Initialized fc_weight as weight: 1.0", "Initialized bn_gamma as gamma: 4"])

    def test_other_names(self):
        @init.alias("Twos")
        class Two(init.Initializer):
            def _init_weight(self, name, arr):
                arr[...] = 2
        self.assertIsInstance(init.create("twos"), Two)
        del init._registered["twos"]

    def test_mistakes(self):
        for text, call in (
                ("initialiser 'x' is unknown; there are bilinear, constant", lambda: init.create("x")),
                (r"initialiser 'xavir' is unknown; did you mean 'xavier'\?", lambda: init.create("xavir")),
                ("no rule states how 'state' begins: its name ends in none of weight, bias",
                 lambda: drawn(init.One(), 1, "state")),
                (r"'fc_weight' has shape \(2,\), Xavier needs at least 2 dimensions", lambda: drawn(init.Xavier(), 2)),
                ("rnd_type is 'x', needs uniform or gaussian", lambda: init.Xavier("x")),
                ("factor_type is 'x', needs avg, in or out", lambda: init.Xavier(factor_type="x")),
                ("rand_type is 'x', needs uniform or normal", lambda: init.Orthogonal(rand_type="x")),
                ("1 patterns for 0 initialisers", lambda: init.Mixed(["a"], [])),
                ("'fc_weight' fits no pattern; end the list with '.\\*'", lambda: drawn(init.Mixed([], []), 1)),
                ("'fc_weight' is not among the loaded parameters, and there is no default_init",
                 lambda: drawn(init.Load({}), 1)),
                (r"parameter 'fc_weight' has shape \(1,\), the loaded one \(2,\)",
                 lambda: drawn(init.Load({"fc_weight": np.ones(2)}), 1))):
            with self.subTest(text):
                self.assertRaisesRegex(ValueError, text, call)
        self.assertRaisesRegex(NotImplementedError, "Initializer does not state what a weight is", drawn,
                               init.Initializer(), 1)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""First values of parameters as the runtime makes them: constants, scales and refusals beside symc.init, which has MXNet's
rules; drawn numbers beside the generator written once more. If this fails, trainings begin otherwise than under MXNet, or
otherwise than they did.

Usage: initializers_beside_python.py PACKAGES SHIM (as optimizers_beside_python.py)
"""
import ctypes
import json
import math
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no NumPy")
    sys.exit(77)

CONV, DENSE = (64, 32, 3, 3), (40, 30)


def drawn(initializer, shape, name="own_weight", attribute=None, seed=0, only_look=False):
    """The array, or ValueError with the sentence."""
    values, error = np.full(shape, np.nan, np.float32), ctypes.create_string_buffer(512)
    place = None if only_look else ctypes.c_void_p(values.ctypes.data)
    status = shim.shim_initialize(name.encode(), (ctypes.c_int64 * len(shape))(*shape), len(shape),
                                  attribute and attribute.encode(), initializer and initializer.encode(),
                                  ctypes.c_uint64(seed), place, error, ctypes.c_size_t(512))
    if status:
        raise ValueError(error.value.decode())
    return values


class Generator:
    """Philox 4x32 with ten rounds: what element `place` of a key draws first."""

    MASK = 0xffffffff

    @staticmethod
    def mix(x):
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 % 2 ** 64
        x = (x ^ x >> 27) * 0x94d049bb133111eb % 2 ** 64
        return x ^ x >> 31

    def words(self, key, place):
        x, k = [place & self.MASK, place >> 32, 0, 0], [key & self.MASK, key >> 32]
        for _ in range(10):
            p, q = 0xd2511f53 * x[0], 0xcd9e8d57 * x[2]
            x = [q >> 32 ^ x[1] ^ k[0], q & self.MASK, p >> 32 ^ x[3] ^ k[1], p & self.MASK]
            k = [(k[0] + 0x9e3779b9) & self.MASK, (k[1] + 0xbb67ae85) & self.MASK]
        return x

    def units(self, key, place):
        a, b, c, d = self.words(key, place)
        return ((a << 32 | b) >> 11) * 2.0 ** -53, ((c << 32 | d) >> 11) * 2.0 ** -53


class Values(unittest.TestCase):
    def test_constants_as_in_mxnet(self):
        init = symc.init
        for text, other, shape in (
                ("zero", init.Zero(), DENSE), ("zeros", init.Zero(), DENSE), ("one", init.One(), DENSE),
                ("ones", init.One(), DENSE), ("constant,value=-2.5", init.Constant(-2.5), DENSE),
                ("bilinear", init.Bilinear(), (2, 3, 4, 4)), ("bilinear", init.Bilinear(), (2, 1, 5, 3)),
                ("lstmbias", init.LSTMBias(), (20,)), ("lstmbias,forget_bias=3", init.LSTMBias(3), (8, 2))):
            answer = np.zeros(shape, np.float32)
            other._init_weight("own_weight", answer)
            np.testing.assert_array_equal(drawn(text, shape), answer, text)
            np.testing.assert_array_equal(drawn("zero", shape, "state", other.dumps()), answer, text)

    def test_endings_of_names_as_in_mxnet(self):
        for name in ("a_bias", "a_gamma", "a_beta", "a_moving_mean", "a_moving_var", "a_running_mean", "a_running_var",
                     "a_moving_inv_var", "a_moving_avg", "a_min", "a_max"):
            answer = np.zeros(3, np.float32)
            symc.init.Xavier()(symc.init.InitDesc(name), answer)
            np.testing.assert_array_equal(drawn("xavier", (3,), name), answer, name)

    def test_scales_as_in_mxnet(self):
        init = symc.init
        inputs, outputs = 288, 576
        for text, other, bound in (
                ("xavier", init.Xavier(), (3 / 432) ** 0.5),
                ("xavier,magnitude=2", init.Xavier(magnitude=2), (2 / 432) ** 0.5),
                ("xavier,factor_type=in", init.Xavier(factor_type="in"), (3 / inputs) ** 0.5),
                ("xavier,factor_type=out", init.Xavier(factor_type="out"), (3 / outputs) ** 0.5),
                ("uniform", init.Uniform(), 0.07), ("uniform,scale=2", init.Uniform(2), 2),
                (None, init.Uniform(0.01), 0.01)):
            values, answer = drawn(text, CONV), np.zeros(CONV, np.float32)
            other._init_weight("own_weight", answer)
            for each in (values, answer):
                self.assertTrue(0.999 * bound < abs(each).max() <= bound * 1.0000001, text)
                self.assertAlmostEqual(float(each.std()) / bound, 3 ** -0.5, delta=0.01)
            if text:
                np.testing.assert_array_equal(drawn("zero", CONV, attribute=other.dumps()), values)
        for text, other, deviation in (
                ("xavier,rnd_type=gaussian,factor_type=in,magnitude=2", init.Xavier("gaussian", "in", 2),
                 (2 / inputs) ** 0.5),
                ("msraprelu", init.MSRAPrelu(), (2 / 1.0625 / 432) ** 0.5),
                ("msra,slope=0,factor_type=in", init.MSRAPrelu("in", 0), (2 / inputs) ** 0.5),
                ("normal", init.Normal(), 0.01), ("normal,sigma=2", init.Normal(2), 2)):
            values, answer = drawn(text, CONV), np.zeros(CONV, np.float32)
            other._init_weight("own_weight", answer)
            for each in (values, answer):
                self.assertAlmostEqual(float(each.std()) / deviation, 1, delta=0.02)
                self.assertAlmostEqual(float(each.mean()) / deviation, 0, delta=0.03)
            self.assertAlmostEqual(float((abs(values) < deviation).mean()), 0.6827, delta=0.01)
            np.testing.assert_array_equal(drawn("zero", CONV, attribute=other.dumps()), values)

    def test_orthogonal(self):
        for shape in (CONV, (30, 40), (40, 30), (16, 16), (1, 5), (7,)):
            for text in ("orthogonal,scale=2", "orthogonal,scale=2,rand_type=normal"):
                values = drawn(text, shape).reshape(shape[0], -1).astype(float)
                product = values @ values.T if values.shape[0] <= values.shape[1] else values.T @ values
                np.testing.assert_allclose(product, 4 * np.eye(len(product)), atol=3e-6)
        self.assertAlmostEqual(float(np.linalg.norm(drawn("orthogonal", (1, 9)))), 1.414, 6)

    def test_numbers_are_those_of_the_generator(self):
        """xxh3_64 of "w" is a constant here; elements stand far apart."""
        generator, key_of_w = Generator(), 0xaceee8f5de193e29
        for seed in (0, 2 ** 63 + 5):
            key = (generator.mix((seed + 0x9e3779b97f4a7c15) % 2 ** 64) ^
                   generator.mix((key_of_w + 0x632be59bd9b4e019) % 2 ** 64))
            attribute = json.dumps(["uniform", {"scale": 0.5}])
            uniform = drawn(None, (70000,), "w", attribute, seed)
            normal = drawn(None, (70000,), "w", '["normal", {"sigma": 2}]', seed)
            for place in (0, 1, 2, 1000, 69999):
                one, other = generator.units(key, place)
                self.assertEqual(uniform[place], np.float32(-0.5 + 1.0 * one))
                answer = 2 * math.sqrt(-2 * math.log(1 - one)) * math.cos(2 * math.pi * other)
                self.assertAlmostEqual(float(normal[place]), answer, 5)

    def test_what_numbers_depend_on(self):
        first = drawn("xavier", DENSE, "a_weight", seed=1)
        np.testing.assert_array_equal(drawn("xavier", DENSE, "a_weight", seed=1), first)
        for other in (drawn("xavier", DENSE, "b_weight", seed=1), drawn("xavier", DENSE, "a_weight", seed=2)):
            self.assertLess(abs(float(np.corrcoef(first.ravel(), other.ravel())[0, 1])), 0.1)

    def test_lists(self):
        dumped = symc.init.Constant(np.arange(6).reshape(2, 3)).dumps()
        np.testing.assert_array_equal(drawn(None, (2, 3), "x", dumped), np.arange(6).reshape(2, 3))

    def test_vectors_of_rnns(self):
        for mode, gates in (("lstm", 4), ("gru", 3), ("rnn_tanh", 1), ("rnn_relu", 1)):
            for bidirectional in (False, True):
                cell = symc.rnn.FusedRNNCell(5, 2, mode, bidirectional, prefix="")
                inputs, ways = 7, 1 + bidirectional
                count = ways * gates * 5 * ((inputs + 5 + 2) + (ways * 5 + 5 + 2))
                for inner in ("zero", "xavier"):
                    own = symc.init.FusedRNN(symc.init.create(inner), 5, 2, mode, bidirectional, 2.0)
                    values = drawn("one", (count,), "rnn_parameters", own.dumps())
                    for name, part in cell.unpack_weights({"parameters": values}).items():
                        if name.endswith("bias"):
                            self.assertTrue((part == (2 if name.endswith("_f_bias") else 0)).all(), name)
                        elif inner == "zero":
                            self.assertTrue((part == 0).all(), name)
                        else:
                            bound = (3 / (sum(part.shape) / 2)) ** 0.5
                            self.assertTrue(0.7 * bound < abs(part).max() <= bound, name)
        own = symc.init.FusedRNN(None, 5, 1, "gru")  # by the initialiser that is called
        self.assertTrue((drawn("one", (3 * 5 * 14,), "x", own.dumps())[:3 * 5 * 12] == 1).all())


class Refusals(unittest.TestCase):
    def test_mistakes(self):
        for initializer, shape, name, attribute, sentence in (
                ("xavir", DENSE, "a_weight", None,
                 "parameter 'a_weight': initialiser 'xavir' is unknown; did you mean 'xavier'?"),
                ("xavier,magnitud=2", DENSE, "a_weight", None,
                 "initialiser 'xavier' has no option 'magnitud'; did you mean 'magnitude'?"),
                ("zero,value=2", DENSE, "a_weight", None, "initialiser 'zero' has no option 'value'; it has none"),
                ("constant", DENSE, "a_weight", None, "initialiser 'constant' needs the option 'value'"),
                ("xavier,rnd_type=x", DENSE, "a_weight", None,
                 "option 'rnd_type' of initialiser 'xavier' is 'x', expected one of uniform,gaussian"),
                ("xavier", (3,), "a_weight", None, "parameter 'a_weight' has 1 dimension, xavier needs at least 2"),
                ("bilinear", DENSE, "a_weight", None, "parameter 'a_weight' has 2 dimensions, bilinear needs 4"),
                ("xavier", DENSE, "state", None,
                 "parameter 'state': nothing decides how it begins: its name ends in none of weight, bias, gamma, beta, "
                 "moving_mean, running_mean, moving_var, running_var, moving_inv_var, moving_avg, min, max; give the "
                 "variable an init"),
                ("zero", DENSE, "state", '["xavier", {"magnitude": }]',
                 """initialiser '["xavier", {"magnitude": }]': expected ["NAME", {"OPTION": VALUE}]"""),
                ("zero", DENSE, "state", '["xavier"',
                 """initialiser '["xavier"': expected ["NAME", {"OPTION": VALUE}]"""),
                ("zero", DENSE, "state", '["xavier", {"magnitude": 2}', """expected ["NAME", {"OPTION": VALUE}]"""),
                ("zero", (2, 2), "state", '["constant", {"value": [1, 2, 3]}]',
                 "parameter 'state' has 4 elements, its attribute __init__ has 3"),
                ("zero", (2, 2), "state", '["constant", {"value": [1, "a"]}]',
                 "parameter 'state': its attribute __init__ has '\"a\"' among numbers"),
                ("zero", (100,), "state", symc.init.FusedRNN(None, 5, 1, "lstm").dumps(),
                 "parameter 'state' has 100 elements, which are not those of an RNN of 1 layers with 5 units"),
                ('["fusedrnn", {"num_hidden": 1, "num_layers": 1, "mode": "gru"}]', DENSE, "a_weight", None,
                 "parameter 'a_weight': no initialiser is given for the layers of fusedrnn"),
                ("zero", DENSE, "a_weight", '["fusedrnn", {"init": "%s"}]' % ("x" * 600),
                 "initialiser 'fusedrnn': the option 'init' is longer than 511 characters")):
            with self.subTest(sentence):
                for only_look in (False, True):
                    with self.assertRaises(ValueError) as raised:
                        drawn(initializer, shape, name, attribute, only_look=only_look)
                    self.assertIn(sentence, str(raised.exception))
        drawn("xavier", DENSE, only_look=True)

    def test_memory_that_there_is_not(self):
        error, one = ctypes.create_string_buffer(256), ctypes.c_float()
        status = shim.shim_initialize(b"x_weight", (ctypes.c_int64 * 2)(2 ** 30, 2 ** 29), 2, None, b"orthogonal",
                                      ctypes.c_uint64(0), ctypes.byref(one), error, ctypes.c_size_t(256))
        self.assertEqual((status != 0, error.value.decode()),
                         (True, "cannot allocate 4611686018427387904 bytes to draw parameter 'x_weight'"))


if __name__ == "__main__":
    packages, library = sys.argv[1:3]
    sys.path.insert(0, packages)
    import symc
    shim = ctypes.CDLL(library)
    unittest.main(argv=sys.argv[:1])

"""If this fails, a Model's states that grow (compile's grow) are not what calls appended, or cannot be read, set, shortened,
copied or timed."""
import copy
import pickle
import unittest

import numpy as np
import symc

sym = symc.sym


class Grow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        data = sym.Variable("data")  # [2, S, 4]
        rows = sym.Concat(sym.Variable("past"), data, dim=1, name="rows")
        shares = sym.softmax(sym.batch_dot(data, rows, transpose_b=True))
        net = sym.Group([sym.batch_dot(shares, rows, name="seen"), rows])
        cls.shapes = {"data": (2, "S=1..8", 4), "past": (2, 0, 4)}
        cls.net = net
        cls.model = symc.compile(net, {}, cls.shapes, grow={"past": (1, 6)})
        cls.data = np.random.default_rng(5).standard_normal((2, 6, 4)).astype("float32")

    @classmethod
    def tearDownClass(cls):
        cls.model.close()

    def setUp(self):
        self.model.reset_state()

    def expect(self, got, first, last):
        rows, new = self.data[:, :last], self.data[:, first:last]
        scores = np.exp(new @ rows.transpose(0, 2, 1))
        np.testing.assert_allclose(got, scores / scores.sum(-1, keepdims=True) @ rows, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(self.model.get_state("past"), rows)

    def test_calls_append(self):
        self.assertEqual([each.name for each in self.model.inputs], ["data"])
        self.assertEqual([each.name for each in self.model.outputs], ["seen_output"])
        self.assertEqual(str(self.model.states[0].shape[1]), "0..6")
        self.assertEqual(self.model.state_shape("past"), (2, 0, 4))
        for first, last in ((0, 3), (3, 4), (4, 6)):
            self.expect(self.model(self.data[:, first:last]), first, last)
            self.assertEqual(self.model.state_shape("past"), (2, last, 4))
        with self.assertRaisesRegex(ValueError, "state 'past' would grow to 7, and it has room for 6"):
            self.model(self.data[:, :1])
        self.model.truncate_state(4)
        self.expect(self.model(self.data[:, 4:6]), 4, 6)
        with self.assertRaisesRegex(symc.SymcError, r"state 'past': expected 0\.\.6 rows, got 7"):
            self.model.truncate_state(7, "past")

    def test_set(self):
        self.model.set_state("past", self.data[:, :5])
        self.expect(self.model(self.data[:, 5:]), 5, 6)
        with self.assertRaisesRegex(ValueError, r"state 'past': expected f32 \[2, 0\.\.6, 4\], got f32 \[2, 7, 4\]"):
            self.model.set_state("past", np.zeros((2, 7, 4), "float32"))

    def test_copies_have_the_rows(self):
        self.model(self.data[:, :3])
        with copy.copy(self.model) as other, pickle.loads(pickle.dumps(self.model)) as third:
            for model in (other, third):
                self.assertEqual(model.state_shape("past"), (2, 3, 4))
            self.model(self.data[:, 3:4])
            self.assertEqual(other.state_shape("past"), (2, 3, 4))

    def test_bench_begins_with_the_same_rows(self):
        self.model(self.data[:, :5])
        self.model.bench(20, shapes={"data": (2, 1, 4)})
        self.assertEqual(self.model.state_shape("past"), (2, 5, 4))

    def test_mistakes(self):
        with self.assertRaisesRegex(TypeError, r"grow\['past'\] is \(axis, rows\), got 6"):
            symc.compile(self.net, {}, self.shapes, grow={"past": 6})
        with self.assertRaisesRegex(symc.SymcError, "--grow gives axis 3 of input 'past', which has 3 extents"):
            symc.compile(self.net, {}, self.shapes, grow={"past": (3, 6)})


if __name__ == "__main__":
    unittest.main()

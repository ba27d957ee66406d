"""If this fails, test_utils' checks of gradients pass wrong ones, refuse right ones, or read the arrays of others."""
import unittest

import numpy as np
import symc as mx
from symc import test_utils as utils


def variables():
    return mx.sym.Variable("a"), mx.sym.Variable("b")


class SymbolicBackward(unittest.TestCase):
    def setUp(self):
        a, b = variables()
        self.net = a * b
        self.a, self.b, self.head = np.array([1.0, 2, 3]), np.array([4.0, 5, 6]), np.array([1.0, 10, 100])
        self.wanted = [self.head * self.b, self.head * self.a]

    def check(self, *args, **kwargs):
        return utils.check_symbolic_backward(self.net, *args, **kwargs)

    def test_right_gradients_pass(self):
        found = self.check([self.a, self.b], [self.head], self.wanted)
        self.assertEqual((list(found), found["b"].tolist()), (["a", "b"], [1, 20, 300]))
        location = {"b": mx.nd.array(self.b), "a": self.a}
        self.check(location, {self.net.list_outputs()[0]: self.head}, {"a": self.wanted[0]})
        for request in ("add", ["add", "write"], {"a": "write", "b": "null"}):
            self.check(location, [mx.nd.array(self.head)], dict(zip("ab", self.wanted)), grad_req=request)
        self.check([self.a, self.b], [self.head], self.wanted, dtype=np.float64, rtol=0)
        self.check([self.a, self.b], [self.head], self.wanted, dtype="asnumpy")

    def test_wrong_gradients_fail(self):
        for request in ("write", "add"):
            for wanted in ([self.wanted[0], self.wanted[1] + 0.01], self.wanted[::-1]):
                self.assertRaisesRegex(AssertionError, r"differ by more than.*EXPECTED_[ab] is .*, BACKWARD_[ab] is ",
                                       self.check, [self.a, self.b], [self.head], wanted, grad_req=request)
        self.assertRaisesRegex(mx.SymcError, "backward needs the gradient of output", self.check, [self.a, self.b], None,
                               self.wanted)
        self.assertRaisesRegex(mx.SymcError, "storage of the gradient of 'a' is 'row_sparse': arrays are dense", self.check,
                               [self.a, self.b], [self.head], self.wanted, grad_stypes={"a": "row_sparse"})
        self.assertRaisesRegex(ValueError, "dtype is 'int8', needs one of float16, float32, float64", self.check,
                               [self.a, self.b], [self.head], self.wanted, dtype="int8")


class NumericGradient(unittest.TestCase):
    def test_a_polynomial(self):
        a, b = variables()
        bound = (a * a * b).simple_bind(a=(2,), b=(2,), type_dict={"a": np.float64, "b": np.float64})
        location = {"a": np.array([1.0, 2]), "b": np.array([3.0, 5])}
        found = utils.numeric_grad(bound, location, eps=1e-3, dtype=np.float64)
        np.testing.assert_allclose(found["a"], [6, 20], 1e-6)
        np.testing.assert_allclose(found["b"], [1, 4], 1e-6)
        self.assertEqual([each.tolist() for each in bound.arg_arrays], [[1, 2], [3, 5]])

    def test_gradients_that_are_slopes_pass(self):
        a, b = variables()
        location = [np.random.RandomState(1).uniform(0.5, 1, shape) for shape in ((2, 3), (2, 3))]
        for nodes in (None, ["b"], {"a": "add", "b": "null"}):
            utils.check_numeric_gradient(mx.sym.tanh(a) * b, location, grad_nodes=nodes, rtol=1e-2, atol=1e-3)
        utils.check_numeric_gradient(mx.sym.exp(a) / b, location, dtype=np.float64, rtol=1e-5, atol=1e-7)
        normed = mx.sym.BatchNorm(a, use_global_stats=True, fix_gamma=False, name="bn")
        utils.check_numeric_gradient(normed, [location[0], np.ones(3), np.ones(3)], [np.ones(3), np.full(3, 4.0)], rtol=1e-2,
                                     atol=1e-2)

    def test_gradients_that_are_none_fail(self):
        a, _ = variables()
        location = {"a": np.array([0.3, 0.7])}
        for net in (mx.sym.BlockGrad(a), mx.sym.contrib.gradientmultiplier(a, scalar=1.1)):
            self.assertRaisesRegex(AssertionError, "NUMERICAL_a is .*, BACKWARD_a is", utils.check_numeric_gradient, net,
                                   location)
        self.assertRaisesRegex(ValueError, "numeric_eps is 1e-06, too little for float32", utils.check_numeric_gradient, a * 2,
                               location, numeric_eps=1e-6)


class Others(unittest.TestCase):
    def test_helpers(self):
        self.assertEqual(utils.collapse_sum_like(np.ones((4, 2, 3)), (2, 1)).tolist(), [[12], [12]])
        self.assertEqual(utils.assign_each(np.array([1, 2]), lambda x: x / 2).tolist(), [0.5, 1])
        self.assertEqual(utils.assign_each2(np.array([1, 2]), np.array([3, 4]), lambda x, y: x * y).tolist(), [3, 8])
        self.assertEqual(utils.get_identity_mat_batch(2).tolist(), [[[1, 0], [0, 1]]] * 2)
        self.assertEqual(utils.default_numeric_eps()[np.dtype("float32")], 2 ** -9)
        self.assertEqual((utils.default_rtols()[np.dtype("float16")], utils.get_etol()), (1e-2, 0))
        array = mx.nd.ones(3)
        self.assertEqual((utils.same_array(array, array[1:]), utils.same_array(array, array.copy())), (True, False))
        utils.compare_ndarray_tuple((None, (array,)), (None, (array,)))
        self.assertRaises(AssertionError, utils.compare_ndarray_tuple, (array,), (array + 1,))

    def test_speed(self):
        a, b = variables()
        self.assertGreater(utils.check_speed(a * b, N=2, a=(2,), b=(2,)), 0)
        self.assertGreater(utils.check_speed(a * b, {"a": np.ones(2), "b": np.ones(2)}, N=2, typ="forward"), 0)

    def test_generators(self):
        random = np.random.RandomState(4)
        self.assertTrue(utils.mean_check(lambda count: random.randn(count), 0, 1, 10000))
        self.assertFalse(utils.mean_check(lambda count: random.randn(count), 0.1, 1, 10000))
        self.assertTrue(utils.var_check(lambda count: random.randn(count), 1, 10000))
        self.assertFalse(utils.var_check(lambda count: random.randn(count), 1.1, 10000))
        buckets, probs = utils.gen_buckets_probs_with_ppf(lambda part: part, 4)
        self.assertEqual((buckets, probs), ([(0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1)], [0.25] * 4))


if __name__ == "__main__":
    unittest.main()

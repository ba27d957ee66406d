"""If this fails, an operator or method of NDArray answers as NumPy's and not as MXNet's: the values are those of
MXNet 1.9.1."""
import unittest

import numpy as np
from symc import nd

I = nd.array([[1, 2, -3], [4, -5, 7]], dtype="int32")
A = nd.array([[1, 2, -3], [4, -5, 2.5]])
CUBE = nd.ones((2, 3, 4))


class Methods(unittest.TestCase):
    def check(self, cases):
        """Each value is an NDArray of the type and shape, with these elements."""
        for value, dtype, shape, elements in cases:
            self.assertIs(type(value), nd.NDArray)
            self.assertEqual((value.dtype.name, value.shape, value.asnumpy().tolist()), (dtype, shape, elements))

    def test_elements_are_arrays(self):
        self.check([(A[0, 1], "float32", (1,), [2]), (A[1][2], "float32", (1,), [2.5]),
                    (A[0, 1, ...], "float32", (1,), [2]), (list(nd.array([7]))[0], "float32", (1,), [7]),
                    (A[()], "float32", (2, 3), A.tolist()), (nd.array(5)[()], "float32", (), 5)])
        self.assertIs(type(A[0, 1].asscalar()), np.float32)
        self.assertEqual(A.argmax(axis=1)[1].asscalar(), 0)
        x = nd.array([1, 2, 3])
        x[1][:] = 9  # an element shares memory with its array
        x[0] = nd.array([4])
        self.assertEqual(x.tolist(), [4, 9, 3])
        self.assertEqual((int(x[2]), "%.1f" % x[2], "{:.2f}".format(x[2])), (3, "3.0", "3.00"))

    def test_indices(self):
        self.check([(A[nd.array([1, 0]), nd.array([0, 2])], "float32", (2,), [4, -3]),
                    (A[A > 2][0], "float32", (3, 3), [[1, 2, -3], [1, 2, -3], [1, 2, -3]]),  # indices 0 and 1, no mask
                    (A[np.asarray(A) > 2], "float32", (2,), [4, 2.5])])  # NumPy's masks
        x = nd.array([1, 2, 3])
        x[nd.array([0, 2])] = 7
        self.assertEqual(x.tolist(), [7, 2, 7])

    def test_results_keep_their_type(self):
        self.check([(A > 2, "float32", (2, 3), [[0, 0, 0], [1, 0, 1]]),
                    (I == I, "int32", (2, 3), [[1, 1, 1], [1, 1, 1]]),
                    (I / 2, "int32", (2, 3), [[0, 1, -1], [2, -2, 3]]),
                    (I * 2.5, "int32", (2, 3), [[2, 4, -6], [8, -10, 14]]),
                    (I - 2.7, "int32", (2, 3), [[-1, 0, -5], [2, -7, 5]]),
                    (2.5 / I, "int32", (2, 3), [[2, 1, 0], [0, 0, 0]]),
                    (7 % I, "int32", (2, 3), [[0, 1, -2], [3, -3, 0]]),
                    (2 ** I, "int32", (2, 3), [[2, 4, 0], [16, 0, 128]]),
                    (I > 2.5, "int32", (2, 3), [[0, 0, 0], [1, 0, 1]]),
                    (-7 % A, "float32", (2, 3), [[0, 1, -1], [1, -2, 0.5]]),
                    (nd.array([250], dtype="uint8") + 10, "uint8", (1,), [4]),
                    (nd.array([1], dtype="float16") * 1e6, "float16", (1,), [np.inf])])
        x = nd.array([1, 2], dtype="int32")
        x *= 2.5
        self.check([(x, "int32", (2,), [2, 4])])
        self.assertEqual((I + A.asnumpy().astype("float64")).dtype, np.float64)  # NumPy's rule
        self.assertEqual(len({A, A}), 1)

    def test_reductions(self):
        self.check([(I.sum(), "int32", (1,), [6]), (I.mean(axis=0), "int32", (3,), [2, -1, 2]),
                    (I.argmax(), "int32", (1,), [5]), (I.argmax(axis=1, keepdims=True), "int32", (2, 1), [[1], [2]]),
                    (A.argmin(axis=0), "float32", (3,), [0, 1, 0]),
                    (A.mean(axis=0, exclude=True), "float32", (2,), [0, 0.5]),
                    (A.max(axis=1, exclude=True), "float32", (3,), [4, 2, 2.5]),
                    (A.sum(axis=(0, 1), keepdims=True), "float32", (1, 1), [[1.5]]),
                    (A.sum(axis=()), "float32", (1,), [1.5]), (A.prod(axis=1), "float32", (2,), [-6, -50])])

    def test_order_and_range(self):
        self.check([(A.sort(axis=0), "float32", (2, 3), [[1, -5, -3], [4, 2, 2.5]]),
                    (A.sort(is_ascend=False), "float32", (2, 3), [[2, 1, -3], [4, 2.5, -5]]),
                    (A.sort(axis=None), "float32", (6,), [-5, -3, 1, 2, 2.5, 4]),
                    (I.argsort(), "float32", (2, 3), [[2, 0, 1], [1, 0, 2]]),
                    (A.clip(a_min=0, a_max=2), "float32", (2, 3), [[1, 2, 0], [2, 0, 2]]),
                    (I.clip(0.5, 2.5), "int32", (2, 3), [[1, 2, 0], [2, 0, 2]]),
                    (nd.array([0.5, 1.5, -0.5]).round(), "float32", (3,), [1, 2, -1]),
                    (A.take(nd.array([0, 5])), "float32", (2, 3), A.tolist()),
                    (A.take(nd.array([0, 1]), axis=1), "float32", (2, 2), [[1, 2], [4, -5]])])

    def test_shapes(self):
        for shape, wanted in (((-4, 1, 2, -2), (1, 2, 3, 4)), ((0, -3), (2, 12)), ((0, -4, -1, 3, 0), (2, 1, 3, 4)),
                              ((-3, -1), (6, 4)), ((-2, 1, 1), (2, 3, 4, 1, 1)), ((0, -1), (2, 12)), ((24,), (24,))):
            self.assertEqual(CUBE.reshape(shape).shape, wanted)
            self.assertEqual(CUBE.reshape(*shape).shape, wanted)
        self.assertEqual(nd.ones((10, 5, 4)).reshape((-1, 0), reverse=True).shape, (50, 4))
        self.assertEqual((CUBE.flatten().shape, nd.ones(3).flatten().shape), ((2, 12), (3, 1)))
        self.assertEqual((nd.ones((1, 1)).squeeze().shape, nd.ones((1, 3, 1)).squeeze(0).shape), ((1,), (3, 1)))
        for shape in ((5, -1), (4, 4), (0, 0, 0, 0), (-4, 2)):
            self.assertRaisesRegex(
                ValueError, r"^an array of shape \(2, 3, 4\) cannot be reshaped to \(", CUBE.reshape, shape)
        self.assertRaisesRegex(ValueError, r"^copyto needs an array of shape \(2, 3\), got \(1, 3\)$", A.copyto,
                               nd.zeros((1, 3)))

    def test_comparisons_of_numpys_tests(self):
        a, b = nd.array([1, np.inf, np.nan]), nd.array([1, np.inf, np.nan])
        for one, two in ((a, b), (a, b.asnumpy()), (a.asnumpy(), b), (nd.array([[2]]), 2), (a.astype("float64"), b)):
            np.testing.assert_allclose(one, two)
            np.testing.assert_array_equal(one, two)
            np.testing.assert_almost_equal(one, two)
        for check in (np.testing.assert_allclose, np.testing.assert_array_equal, np.testing.assert_array_almost_equal):
            for wrong in (nd.array([2, np.inf, np.nan]), nd.array([1, 1, np.nan]), nd.array([1, np.inf, 3])):
                self.assertRaises(AssertionError, check, a, wrong)
        mask = np.isnan(a) | (b == np.inf)
        self.assertEqual((mask.dtype, mask.tolist()), (np.bool_, [False, True, True]))
        self.assertEqual((nd.array([1], dtype="int32") | nd.array([4], dtype="int32")).tolist(), [5])

    def test_functions_of_numpy_are_numpys(self):
        self.assertEqual((np.argmax(A, axis=1).dtype, np.sum(I).dtype, np.sort(A)[0].tolist()),
                         (np.int64, np.int64, [-3, 1, 2]))
        self.assertEqual((type(A.std()), type(np.exp(A)), np.add(A, 1, out=A.copy()).shape, bool((A == A).all())),
                         (np.float32, nd.NDArray, (2, 3), True))
        self.assertEqual([["a", "b", "c"][i] for i in np.argsort(A[0])], ["c", "a", "b"])
        self.assertRaises(TypeError, lambda: ["a"][nd.array([0])[0]])  # float32, as MXNet refuses it
        self.assertEqual(np.concatenate([A, A]).shape, (4, 3))
        self.assertEqual(np.mean(I), 1)
        self.assertAlmostEqual(float(A.std()), float(A.asnumpy().std()), 6)
        np.testing.assert_array_equal(A, A.asnumpy())
        self.assertEqual(str(nd.array([1, 2])), "\n[1. 2.]\n<NDArray 2 @cpu(0)>")


if __name__ == "__main__":
    unittest.main()

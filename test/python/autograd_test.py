"""If this fails, gradients of recorded calls are wrong, reach arrays that they do not belong to, or are silently lost."""
import unittest

import numpy as np
import symc as mx
from symc import autograd, nd


def array(values):
    made = nd.array(values)
    made.attach_grad()
    return made


def slopes(function, values, step=1e-2):
    """Differences of function(array).sum() with each element."""
    found = np.zeros(np.shape(values))
    for place in np.ndindex(*found.shape):
        sums = []
        for sign in (1, -1):
            moved = np.array(values, np.float64)
            moved[place] += sign * step
            sums.append(float(np.asarray(function(nd.array(moved, dtype="float64"))).sum()))
        found[place] = (sums[0] - sums[1]) / (2 * step)
    return found


class Recorded(unittest.TestCase):
    def test_an_expression(self):
        x = array([[1, 2], [3, 4]])
        with autograd.record():
            y = (x * x * 2 + 3 / x - x).sum()
        y.backward()
        np.testing.assert_allclose(x.grad, 4 * x.asnumpy() - 3 / x.asnumpy() ** 2 - 1, 1e-5)

    def test_methods_and_functions(self):
        values = np.random.RandomState(2).uniform(0.5, 2, (2, 3))
        other = nd.array(np.random.RandomState(3).uniform(0.5, 2, (2, 3)), dtype="float64")
        functions = {
            "arithmetic": lambda x: (x + 1) * (2 - x) / (x + other) - x ** 2 + 2 ** x + other / x + (-x) + abs(x),
            "functions": lambda x: nd.add(x, other) * nd.multiply(x, 3) + nd.power(2, x) + nd.maximum(x, 1.2) + nd.subtract(1, x),
            "reductions": lambda x: x.sum(axis=1) * x.mean() + x.max() * x.prod(axis=0).sum() + nd.norm(x),
            "shapes": lambda x: (x.reshape((3, 2)) * nd.array([[1, 2], [3, 4], [5, 6]], dtype="float64")).expand_dims(0),
            "transposed": lambda x: x.T * other.T * other.transpose((1, 0)) + nd.moveaxis(x, 0, 1) * x.swapaxes(0, 1),
            "parts": lambda x: x[0] * x[1, ::-1] + x[:, 1:].sum() + x[nd.array([1, 1])].sum() * 3,
            "joined": lambda x: nd.concat(x, x * 2, dim=0) * nd.concatenate([other, other]) + nd.stack(x, x).sum(),
            "kinds": lambda x: x.astype("float64").copy() * x.flatten() * x.clip(0.7, 1.5) * x.broadcast_to((2, 3)),
            "operators": lambda x: nd.exp(x) * nd.dot(x, x, transpose_b=True).sum() + x.sigmoid() + nd.softmax(x) * other,
            "loops": lambda x: nd.contrib.foreach(lambda d, s: (d * s, s + d * d), x, nd.ones(3, dtype="float64"))[0],
            "while": lambda x: nd.contrib.while_loop(lambda i, s: i < 3, lambda i, s: (s * i, (i + 1, s * s)),
                                                     [nd.array([0], dtype="float64"), x[0]], 5)[0][0]}
        for name, function in functions.items():
            with self.subTest(name):
                x = nd.array(values, dtype="float64")
                x.attach_grad()
                with autograd.record():
                    y = function(x)
                y.backward()
                np.testing.assert_allclose(x.grad, slopes(function, values, 1e-5), 1e-5, 1e-6)

    def test_heads_and_requests(self):
        x, y = array([1, 2]), nd.array([3, 4])
        y.attach_grad("add")
        for _ in range(2):
            with autograd.record():
                z = x * y
            z.backward(nd.array([10, 100]))
        self.assertEqual((x.grad.tolist(), y.grad.tolist()), ([30, 400], [20, 400]))
        with autograd.record():
            one, two = x * 2, x * y
        autograd.backward([one, two], [None, nd.array([1, 0])])
        self.assertEqual(x.grad.tolist(), [2 + 3, 2])
        kept = x.grad.tolist()
        with autograd.record():
            z = x * x
        self.assertEqual(autograd.grad(z, x, nd.array([1, 2])).tolist(), [2, 8])
        self.assertEqual(x.grad.tolist(), kept)
        x.attach_grad("null")
        with autograd.record():
            z = x * y
        z.backward()
        self.assertEqual(x.grad.tolist(), [0, 0])

    def test_a_graph_is_used_once(self):
        x = array([1, 2])
        with autograd.record():
            y = x * x
        y.backward(retain_graph=True)
        y.backward()
        self.assertEqual(x.grad.tolist(), [2, 4])
        self.assertRaisesRegex(mx.SymcError, "was used by a backward before; retain_graph=True keeps it", y.backward)

    def test_what_is_not_recorded(self):
        x = array([1, 2])
        with autograd.record():
            with autograd.pause():
                y = x * 3
            z = (x * 2).detach() * x + y
        z.backward()
        self.assertEqual(x.grad.tolist(), [2, 4])
        self.assertRaisesRegex(mx.SymcError, r"an array of shape \(2,\) is in no recorded graph", y.backward)
        self.assertRaisesRegex(mx.SymcError, "is in no recorded graph", (x * x).backward)

    def test_changes_of_recorded_arrays_are_refused(self):
        x = array([1, 2])
        with autograd.record():
            for change in (lambda: x.__iadd__(1), lambda: x.__setitem__(0, 1)):
                self.assertRaisesRegex(mx.SymcError, "changes an array of the graph that autograd records", change)
            self.assertRaisesRegex(mx.SymcError, "exp: out cannot be given while autograd records",
                                   lambda: nd.exp(x, out=nd.zeros(2)))
            free = nd.zeros(2)
            free += 1
        x += 1
        self.assertEqual((x.tolist(), free.tolist()), ([2, 3], [1, 1]))

    def test_errors(self):
        x = array([[1.0, 2]])
        with autograd.record():
            y = nd.khatri_rao(x, x)
            z = x * 2
        self.assertRaisesRegex(mx.SymcError, "khatri_rao: .*has no gradient, in MXNet neither", y.backward)
        self.assertRaisesRegex(ValueError, r"the gradient of an array of shape \(1, 2\) has shape \(3,\)", z.backward, nd.ones(3))
        self.assertRaisesRegex(mx.SymcError, "create_graph=True", autograd.grad, z, x, create_graph=True)
        self.assertRaisesRegex(mx.SymcError, "is no variable: attach_grad", autograd.grad, z, nd.ones(1))
        self.assertRaisesRegex(ValueError, "grad_req is 'sum', needs", x.attach_grad, "sum")
        self.assertRaisesRegex(ValueError, "2 gradients for 1 arrays", autograd.backward, [z], [None, None])
        self.assertRaisesRegex(mx.SymcError, "storage 'csr' is not supported", x.attach_grad, stype="csr")


class Modes(unittest.TestCase):
    def test_scopes(self):
        state = []

        def note():
            state.append((autograd.is_recording(), autograd.is_training()))
        with autograd.record():
            note()
            with autograd.predict_mode():
                note()
                with autograd.pause(train_mode=True):
                    note()
            note()
        with autograd.record(train_mode=False):
            note()
        note()
        self.assertEqual(state, [(True, True), (True, False), (False, True), (True, True), (True, False), (False, False)])
        self.assertEqual((autograd.set_training(True), autograd.set_training(False)), (False, True))

    def test_dropout(self):
        x = array(np.ones(1000))
        with autograd.record():
            y = nd.Dropout(x, p=0.5)
        self.assertEqual(set(y.tolist()), {0, 2})
        y.backward()
        self.assertEqual(x.grad.tolist(), y.tolist())
        with autograd.record(train_mode=False):
            y = nd.Dropout(x, p=0.5)
        y.backward()
        self.assertEqual((set(y.tolist()), set(x.grad.tolist())), ({1}, {1}))
        with autograd.record(train_mode=False):
            y = nd.Dropout(x, p=0.5, mode="always")
        y.backward()
        self.assertEqual((set(y.tolist()), x.grad.tolist()), ({0, 2}, y.tolist()))

    def test_statistics(self):
        data, mean, variance = array([[1], [3], [5], [7]]), nd.zeros(1), nd.ones(1)
        arguments = nd.ones(1), nd.zeros(1), mean, variance
        with autograd.record():
            y = nd.BatchNorm(data, *arguments, eps=0, momentum=0.5)
        np.testing.assert_allclose(y, (data.asnumpy() - 4) / 5 ** 0.5, 1e-5)
        self.assertEqual(mean.tolist(), [0])
        y.backward(nd.array([[1], [0], [0], [0]]))
        np.testing.assert_allclose([mean.asscalar(), variance.asscalar()], [2, 3], 1e-5)
        with autograd.record(train_mode=False):
            y = nd.BatchNorm(data, *arguments, eps=0)
        y.backward()
        np.testing.assert_allclose(y, (data.asnumpy() - 2) / 3 ** 0.5, 1e-5)
        np.testing.assert_allclose(data.grad, np.full((4, 1), 3 ** -0.5), 1e-5)


class Blocks(unittest.TestCase):
    def test_a_symbol_block(self):
        data = mx.sym.Variable("data")
        net = mx.sym.Dropout(mx.sym.FullyConnected(data, num_hidden=2, name="fc"), p=0.5)
        block = mx.gluon.SymbolBlock(net, data)
        block.initialize("ones")
        x = array([[1, 2]])
        weight = block.collect_params()["fc_weight"]
        self.assertEqual(weight.shape, None)
        for train in (True, False):
            with autograd.record(train_mode=train):
                y = block(x) * 3
            y.backward()
            factors = np.where(y.asnumpy() == 0, 0, 6 if train else 3)
            self.assertEqual(weight.grad().tolist(), (factors.T @ x.asnumpy()).tolist())
            self.assertEqual(x.grad.tolist(), [[factors.sum()] * 2])
        weight.zero_grad()
        self.assertEqual(weight.grad().tolist(), [[0, 0]] * 2)
        self.assertEqual(block(x).tolist(), [[3, 3]])


class Functions(unittest.TestCase):
    def test_a_function_with_a_gradient_of_its_own(self):
        class Scaled(autograd.Function):
            def forward(self, x, y):
                self.save_for_backward(y)
                return x * y, x

            def backward(self, product, same):
                y, = self.saved_tensors
                return product * y * 100 + same, None
        x, y = array([1, 2]), array([3, 4])
        function = Scaled()
        with autograd.record():
            product, same = function(x, y)
            z = product * 2 + same
        z.backward()
        self.assertEqual((z.tolist(), x.grad.tolist(), y.grad.tolist()), ([7, 18], [601, 801], [0, 0]))
        self.assertRaisesRegex(mx.SymcError, "a Function is called once", function, x, y)


if __name__ == "__main__":
    unittest.main()

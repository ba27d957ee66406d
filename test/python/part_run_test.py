"""If this fails, a training step reads old values of an array, writes gradients over what it reads, or copies what it could
write where it belongs."""
import unittest

import numpy as np
import symc
from symc import nd, sym


def drawn(*shape):
    return nd.array(np.random.RandomState(sum(shape)).uniform(-1, 1, shape))


def net():
    return sym.make_loss(sym.FullyConnected(sym.Variable("data"), num_hidden=3, no_bias=True, name="fc"))


def answers(data, weight):
    """(output, gradient of the data, of the weight)."""
    data, weight = np.asarray(data), np.asarray(weight)
    return data @ weight.T, np.ones((len(data), 3)) @ weight, np.ones((3, len(data))) @ data


class Arrays(unittest.TestCase):
    def check(self, bound):
        """A step, and another one with other values in the same arrays. The parts of the step."""
        outputs = None
        for factor in (1, 3):
            bound.arg_dict["data"][...] *= factor
            expected = answers(bound.arg_dict["data"], bound.arg_dict["fc_weight"])
            found = bound.forward(is_train=True)
            self.assertTrue(outputs is None or found[0] is outputs)
            outputs = found[0]
            np.testing.assert_allclose(outputs, expected[0], rtol=1e-5)
            bound.backward()
            for name, answer in (("data", expected[1]), ("fc_weight", expected[2])):
                if bound.grad_dict[name] is not None:
                    np.testing.assert_allclose(bound.grad_dict[name], answer, rtol=1e-5)
        step = bound._steps[True]
        return step._forward, step._backward

    def bind(self, data, weight, gradients):
        return net().bind(None, {"data": data, "fc_weight": weight}, gradients)

    def test_results_are_written_where_they_belong(self):
        bound = self.bind(drawn(2, 4), drawn(3, 4), {"data": nd.zeros((2, 4)), "fc_weight": nd.zeros((3, 4))})
        forward, backward = self.check(bound)
        self.assertIs(forward._direct[0], bound.outputs[0])
        self.assertEqual([id(each) for each in backward._direct],
                         [id(bound.grad_dict[name]) for name in ("data", "fc_weight")])
        self.assertEqual([id(each) for each in forward._given], [id(each) for each in bound.arg_dict.values()])
        bound.arg_dict["fc_weight"] = drawn(3, 4) * 2  # another array
        self.check(bound)

    def test_gradients_that_cannot_be_written_in_place(self):
        for gradient in (nd.zeros((3, 8))[:, ::2], nd.zeros((3, 4), dtype="float64")):
            bound = self.bind(drawn(2, 4), drawn(3, 4), {"fc_weight": gradient})
            self.assertEqual(self.check(bound)[1]._direct, [None])

    def test_inputs_that_are_copied_for_each_run(self):
        bound = self.bind(drawn(2, 8)[:, ::2], drawn(3, 4), {"fc_weight": nd.zeros((3, 4))})
        self.assertIsNone(self.check(bound)[0]._given[0])

    def test_arrays_over_each_other(self):
        """One array for two gradients, which has the last one then."""
        data, weight, both = drawn(3, 3), drawn(3, 3), nd.zeros((3, 3))
        bound = self.bind(data, weight, {"data": both, "fc_weight": both})
        bound.forward(is_train=True)
        bound.backward()
        np.testing.assert_allclose(both, answers(data, weight)[2], rtol=1e-5)
        self.assertEqual(bound._steps[True]._backward._direct, [None, None])

    def test_a_gradient_over_the_argument_itself(self):
        data, weight, gradient = drawn(2, 4), drawn(3, 4), nd.zeros((2, 4))
        bound = self.bind(data, weight, {"data": gradient, "fc_weight": weight})
        expected = answers(data, weight)
        bound.forward(is_train=True)
        bound.backward()
        np.testing.assert_allclose(gradient, expected[1], rtol=1e-5)
        np.testing.assert_allclose(weight, expected[2], rtol=1e-5)

    def test_inputs_in_the_order_of_the_model(self):
        """States that are inputs stand between arguments there."""
        normed = sym.BatchNorm(sym.Variable("data"), use_global_stats=True, fix_gamma=False, name="bn")
        bound = sym.make_loss(sym.FullyConnected(normed, num_hidden=3, no_bias=True, name="fc")).simple_bind(None, data=(2, 4))
        for name, value in (("data", drawn(2, 4)), ("fc_weight", drawn(3, 4)), ("bn_gamma", nd.full((4,), 2.0))):
            bound.arg_dict[name][...] = value
        bound.aux_dict["bn_moving_mean"][...] = 0.5
        bound.aux_dict["bn_moving_var"][...] = 4
        bound.forward(is_train=True)
        bound.backward()
        expected = answers((bound.arg_dict["data"].asnumpy() - 0.5) / np.sqrt(4 + 1e-3) * 2, bound.arg_dict["fc_weight"])
        np.testing.assert_allclose(bound.outputs[0], expected[0], rtol=1e-4)
        np.testing.assert_allclose(bound.grad_dict["fc_weight"], expected[2], rtol=1e-4)

    def test_states_are_read_and_written_where_they_lie(self):
        normed = sym.BatchNorm(sym.Variable("data"), fix_gamma=False, momentum=0.5, name="bn")
        bound = sym.make_loss(normed).simple_bind(None, data=(2, 4))
        bound.arg_dict["data"][...] = drawn(2, 4)
        for state in (bound.aux_dict["bn_moving_mean"], nd.ones((4,)), nd.zeros((4, 2))[:, 1], nd.full((4,), 3.0)):
            bound.aux_dict["bn_moving_mean"] = state  # another array, also one that is copied for each run
            for given in (None, 5.0):
                if given is not None:
                    state[...] = given
                mean = np.asarray(state) * 0.5 + np.asarray(bound.arg_dict["data"]).mean(0) * 0.5
                bound.forward(is_train=True)
                bound.backward()
                self.assertIs(bound.aux_dict["bn_moving_mean"], state)
                np.testing.assert_allclose(state, mean, rtol=1e-5)
        states = bound._steps[True]._late_states
        self.assertIs(states._given[states._names.index("bn_moving_mean")], state)
        bound.aux_dict["bn_moving_mean"] = nd.zeros((5,))
        with self.assertRaisesRegex(ValueError, "state 'bn_moving_mean'"):
            bound.forward(is_train=True)

    def test_an_array_of_another_shape_is_refused(self):
        bound = self.bind(drawn(2, 4), drawn(3, 4), {"fc_weight": nd.zeros((3, 4))})
        self.check(bound)
        bound.arg_dict["fc_weight"] = drawn(3, 5)
        with self.assertRaisesRegex(ValueError, r"argument 'fc_weight': expected f32 \[3, 4\], got f32 \[3, 5\]"):
            bound.forward(is_train=True)
        bound.arg_dict["fc_weight"] = drawn(3, 4)
        self.check(bound)

    def test_a_closed_model_is_refused(self):
        bound = self.bind(drawn(2, 4), drawn(3, 4), {"fc_weight": nd.zeros((3, 4))})
        self.check(bound)
        bound._steps[True].model.close()
        self.assertRaisesRegex(symc.SymcError, "is closed", bound.forward, is_train=True)


if __name__ == "__main__":
    unittest.main()

"""If this fails, weights change by other numbers than under MXNet 1.9.1: optimizer_steps.json has MXNet's."""
import json
import os
import pickle
import unittest
import warnings

import numpy as np
import optimizer_steps
import symc
from symc import nd, optimizer

HERE = os.path.dirname(os.path.abspath(__file__))


def stepped(made, steps=3, updater=None):
    """(updater, weight) behind some updates."""
    updater = updater or optimizer.get_updater(made)
    weight = nd.array(np.arange(6).reshape(2, 3))
    for _ in range(steps):
        updater([0], [nd.ones((2, 3))], [weight])
    return updater, weight


class Steps(unittest.TestCase):
    def test_all_classes_give_mxnets_numbers(self):
        with open(os.path.join(HERE, "optimizer_steps.json"), encoding="utf-8") as file:
            cases = json.load(file)
        for case in cases:
            with self.subTest(optimizer=case["optimizer"], options=case["options"]):
                found = optimizer_steps.difference(optimizer_steps.run(symc, case), case["answer"])
                self.assertLess(found, 1e-3 if case.get("dtype") == "float16" else 1e-6)
        left = set(optimizer.Optimizer.opt_registry) - {each["optimizer"] for each in cases} - {"sgld"}
        self.assertEqual({each for each in left if "symc" in optimizer.Optimizer.opt_registry[each].__module__}, set())

    def test_sgld_draws_noise_of_the_rates_variance(self):
        symc.random.seed(3)
        weight = nd.zeros((100, 100))
        optimizer.create("sgld", learning_rate=0.04).update(0, weight, nd.full((100, 100), 2.0), None)
        values = weight.asnumpy()
        self.assertAlmostEqual(float(values.mean()), -0.04, delta=0.01)
        self.assertAlmostEqual(float(values.std()), 0.2, delta=0.01)

    def test_dcasgd_with_momentum(self):  # MXNet raises an error for arrays of several elements
        weight, state = nd.array([1.0, 2.0]), (nd.zeros(2), nd.array([0.5, 0.5]))
        made = optimizer.create("dcasgd", learning_rate=0.1, momentum=0.5, lamda=0.04)
        made.update(0, weight, nd.array([1.0, 2.0]), state)
        np.testing.assert_allclose(weight, [1 - 0.1 * (1 + 0.04 * 0.5), 2 - 0.1 * (2 + 0.04 * 4 * 1.5)], rtol=1e-6)
        self.assertEqual(state[1].tolist(), [1, 2])

    def test_arrays_that_are_views_change(self):
        whole = nd.zeros((4, 6))
        weight = whole[:, ::2]
        optimizer.create("adam", learning_rate=1.0).update(0, weight, nd.ones((4, 3)), (nd.zeros((4, 3)), nd.zeros((4, 3))))
        np.testing.assert_allclose(whole[:, ::2], -1, rtol=1e-3)
        self.assertTrue((whole[:, 1::2].asnumpy() == 0).all())

    def test_own_classes(self):
        class Half(optimizer.Optimizer):
            def update(self, index, weight, grad, state):
                self._update_count(index)
                weight -= self._get_lr(index) * grad / 2
        optimizer.register(Half)
        try:
            _, weight = stepped(optimizer.create("half", learning_rate=2.0), 1)
            self.assertEqual(weight.tolist(), [[-1, 0, 1], [2, 3, 4]])
        finally:
            del optimizer.Optimizer.opt_registry["half"]


    def test_own_updates_of_a_class_that_groups_weights(self):
        class Counted(optimizer.SGD):
            def update(self, index, weight, grad, state):
                seen.append((index, type(weight)))
                super().update(index, weight, grad, state)
        seen, update = [], optimizer.get_updater(Counted(learning_rate=1.0))
        weights = [nd.ones((2,)), nd.ones((3,))]
        update([0, 1], [nd.ones((2,)), nd.ones((3,))], weights)
        self.assertEqual(seen, [(0, nd.NDArray), (1, nd.NDArray)])
        self.assertEqual([each.tolist() for each in weights], [[0, 0], [0, 0, 0]])


class Rates(unittest.TestCase):
    def test_multipliers(self):
        made = optimizer.create("sgd", learning_rate=1.0, wd=1.0, param_idx2name={0: "a_weight", 1: "a_bias", 2: "a_gamma"})
        self.assertEqual([made._get_wd(index) for index in (0, 1, 2, 3)], [1, 0, 1, 1])
        made.set_lr_mult({"a_bias": 2.0, 3: 4.0})
        made.set_wd_mult({"a_bias": 3.0})
        self.assertEqual([made._get_lr(index) for index in (0, 1, 3)], [1, 2, 4])
        self.assertEqual([made._get_wd(index) for index in (0, 1, 2)], [1, 3, 1])

        class Parameter:
            lr_mult, wd_mult = 5.0, 6.0
        made.param_dict = {1: Parameter}
        self.assertEqual((made._get_lr(1), made._get_wd(1)), (5, 6))

    def test_learning_rate(self):
        made = optimizer.create("sgd", learning_rate=0.5)
        made.set_learning_rate(0.25)
        self.assertEqual((made.learning_rate, optimizer.create("sgd").learning_rate), (0.25, 0.01))
        scheduled = optimizer.create("sgd", lr_scheduler=symc.lr_scheduler.FactorScheduler(1, 0.5, base_lr=1.0))
        self.assertRaisesRegex(UserWarning, "an lr_scheduler decides the learning rate", scheduled.set_learning_rate, 1)
        stepped(scheduled, 3)
        self.assertEqual(scheduled.learning_rate, 0.25)
        with self.assertWarnsRegex(UserWarning, "begins at learning_rate = 2, not at its base_lr = 1"):
            made = optimizer.create("sgd", learning_rate=2, lr_scheduler=symc.lr_scheduler.FactorScheduler(9, base_lr=1))
        self.assertEqual(made.learning_rate, 2)

    def test_half_precision_alone_is_warned_of(self):
        with self.assertWarnsRegex(UserWarning, "SGD updates a weight in float16 with states in float16"):
            optimizer.create("sgd", momentum=0.9).create_state_multi_precision(0, nd.zeros(2, dtype="float16"))

    def test_mistakes(self):
        for kind, text, call in (
                (ValueError, "optimizer 'adm' is unknown; did you mean 'adam'?", lambda: optimizer.create("adm")),
                (ValueError, "optimizer 'x' is unknown; there are adadelta, adagrad, adam", lambda: optimizer.create("x")),
                (TypeError, "optimizer 'sgd' has no option 'momentun'; did you mean 'momentum'?",
                 lambda: optimizer.create("sgd", momentun=1)),
                (TypeError, "param_idx2name is a dict of names by index", lambda: optimizer.create("sgd", param_idx2name=["a"])),
                (TypeError, "register takes a class, got 1", lambda: optimizer.register(1)),
                (NotImplementedError, "Optimizer does not define update", lambda: optimizer.Optimizer().update(0, 0, 0, 0)),
                (ValueError, r"GroupAdaGrad updates matrices, parameter '0' has shape \(2,\)",
                 lambda: optimizer.create("groupadagrad").create_state(0, nd.zeros(2))),
                (ValueError, "GroupAdaGrad has no weight decay, parameter '0' has wd = 1",
                 lambda: stepped(optimizer.create("groupadagrad", wd=1.0)))):
            with self.subTest(text):
                self.assertRaisesRegex(kind, text.replace("?", r"\?"), call)
        with self.assertWarnsRegex(UserWarning, "optimizer 'sgd' was symc.optimizer_descent.SGD and is"):
            optimizer.register(type("SGD", (optimizer.Optimizer,), {}))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            optimizer.register(optimizer.SGD)


class States(unittest.TestCase):
    def test_states_of_another_network(self):
        given = optimizer.get_updater(optimizer.create("sgd", momentum=0.9))
        given(0, nd.ones((3,)), nd.ones((3,)))
        for name, options, needed in (("sgd", {"momentum": 0.9}, r"\[\(2, 2\)\]"), ("adam", {}, r"\[\(2, 2\), \(2, 2\)\]")):
            update = optimizer.get_updater(optimizer.create(name, **options))
            update.set_states(given.get_states(), "net.states")
            with self.assertRaisesRegex(symc.SymcError, r"^net.states: the state of parameter 0 has the shapes \[\(3,\)\], needs %s: "
                                        "the states are those of another network or optimizer$" % needed):
                update(0, nd.ones((2, 2)), nd.ones((2, 2)))

    def test_they_go_on(self):
        for options in ({}, {"lr_scheduler": symc.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.1)}):
            one, weight = stepped(optimizer.create("nadam", learning_rate=0.1, **options))
            other = optimizer.get_updater(optimizer.create("sgd"))
            other.set_states(one.get_states(dump_optimizer=True))
            self.assertIsInstance(other.optimizer, optimizer.Nadam)
            self.assertEqual(other.optimizer._index_update_count, {0: 3})
            again = weight.copy()
            one([0], [nd.ones((2, 3))], [weight])
            other([0], [nd.ones((2, 3))], [again])
            self.assertEqual(again.tolist(), weight.tolist())
        plain = optimizer.get_updater(optimizer.create("sgd", momentum=0.9))
        plain.set_states(stepped(optimizer.create("sgd", momentum=0.9))[0].get_states())
        self.assertEqual(plain.states[0].shape, (2, 3))

    def test_mxnets_bytes(self):
        # pickle.dumps of {0: an array of two ones} by MXNet 1.9.1
        array = (b"\xc9\xfa\x93\xf9" + bytes(4) + b"\x01\0\0\0\x02" + bytes(7) + b"\x01" + bytes(11) + b"\0\0\x80?" * 2)
        data = (b"\x80\x04}K\0\x8c\x15mxnet.ndarray.ndarray\x8c\x07NDArray\x93N\x85R}\x8c\x06handle"
                b"\x8c\x08builtins\x8c\tbytearray\x93C" + bytes([len(array)]) + array + b"\x85Rsbs.")
        updater = optimizer.get_updater(optimizer.create("sgd"))
        updater.set_states(data)
        self.assertEqual(updater.states[0].tolist(), [1, 1])
        self.assertIn(b"mxnet.ndarray.ndarray", updater.get_states())
        with self.assertRaisesRegex(symc.SymcError, "the states: the file ends at byte"):
            updater.set_states(data.replace(
                bytes([len(array)]) + array, bytes([len(array) - 1]) + array[:-1]))

    def test_bytes_that_are_no_states(self):
        updater = optimizer.get_updater(optimizer.create("sgd"))
        for data, text in ((b"", "no states of an optimizer: EOFError"),
                           (b"abc", "no states of an optimizer: UnpicklingError"),
                           (pickle.dumps({0: os.system}), "states of an optimizer hold arrays, not posix.system"),
                           (pickle.dumps([1]), "a dict of states is needed, there is list")):
            with self.subTest(text):
                self.assertRaisesRegex(symc.SymcError, "^the states: .*" + text, updater.set_states, data)


if __name__ == "__main__":
    unittest.main()

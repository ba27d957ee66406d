"""If this fails, an optimizer's compiled updates (symc_update_parameters) give other numbers than its formulas in NumPy, are
left out where they can be made, or are made where a class or an array does not allow them."""
import contextlib
import copy
import json
import os
import unittest
from unittest import mock

import numpy as np
import optimizer_steps
import symc
from symc import _compiled_updates, nd, optimizer

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPES = {"one_weight": (1,), "few_bias": (7,), "norm_gamma": (16,), "norm_beta": (16,), "layer_weight": (100, 10),
          "late_weight": (3, 5, 7), "large_weight": (40, 1001)}
MATRICES = {"one_weight": (1, 1), "tall_weight": (1000, 1), "wide_weight": (3, 20011)}
MIXED = {"wd": 0.01, "clip_gradient": 0.5, "rescale_grad": 0.25}
CASES = [
    ("sgd", {}), ("sgd", {"momentum": 0.9, **MIXED}), ("ccsgd", MIXED), ("nag", {"momentum": 0.8, **MIXED}), ("nag", {}),
    ("signum", {"wd_lh": 0.03, **MIXED}), ("signum", {"momentum": 0.0, **MIXED}), ("dcasgd", {"lamda": 0.4, **MIXED}),
    ("dcasgd", {"momentum": 0.9}), ("adam", MIXED), ("adam", {"beta1": 0.8, "epsilon": 1e-3}), ("adamax", MIXED),
    ("nadam", {"schedule_decay": 0.1, **MIXED}), ("ftml", MIXED), ("rmsprop", {"clip_weights": 0.3, **MIXED}),
    ("rmsprop", {"centered": True, **MIXED}), ("adagrad", MIXED), ("groupadagrad", {"clip_gradient": 0.5}),
    ("adadelta", {"rho": 0.8, **MIXED}), ("ftrl", {"lamda1": 0.2, **MIXED}), ("lamb", {"upper_bound": 3, **MIXED}),
    ("lamb", {"bias_correction": False}), ("lars", {"momentum": 0.9, "eta": 0.1, **MIXED}), ("lars", {}),
    ("lbsgd", {"momentum": 0.9, **MIXED}), ("lbsgd", {"warmup_strategy": "lars", "wd": 0.01})]
ROUNDED = ("groupadagrad", "lamb", "lars", "lbsgd", "ftml")  # sums over parameters, powers: within 1e-6


def drawn(shape, place, step, dtype="float32"):
    return nd.array(np.random.RandomState(1000 * step + place).uniform(-1, 1, shape), dtype=dtype)


def made(name, shapes, **options):
    found = optimizer.create(name, param_idx2name=dict(enumerate(shapes)), **options)
    found.set_lr_mult({"layer_weight": 0.5})
    found.set_wd_mult({"late_weight": 2.0} if name != "groupadagrad" else dict.fromkeys(shapes, 0.0))
    return found


def in_numpy():
    return mock.patch.object(_compiled_updates, "_is_plain", lambda optimizer: False)


def flat(state):
    return [np.asarray(each) for each in optimizer_steps.flat(state) if each is not None]


class Numbers(unittest.TestCase):
    def run_steps(self, name, options, dtype="float32", how="list"):
        """[arrays] behind five steps, and how many updates were compiled."""
        shapes = MATRICES if name == "groupadagrad" else SHAPES
        update = optimizer.get_updater(made(name, shapes, **options))
        weights = [drawn(shape, place, 0, dtype) for place, shape in enumerate(shapes.values())]
        before = _compiled_updates.updated
        for step in range(1, 6):
            if "lr_scheduler" not in options:
                update.optimizer.set_learning_rate((0.1, 0.1, 0.05, 0.08, 0.02)[step - 1])
            grads = [drawn(shape, place, step, dtype) for place, shape in enumerate(shapes.values())]
            if how == "list":
                update(list(range(len(shapes))), grads, weights)
            elif how == "one by one":
                update.one_by_one(list(range(len(shapes))), grads, weights)
            else:
                for each in zip(range(len(shapes)), grads, weights):
                    update(*each)
        arrays = [each for place, weight in enumerate(weights) for each in (np.asarray(weight), *flat(update.states[place]))]
        return arrays, _compiled_updates.updated - before

    def compare(self, name, options, exact, compiled=True, **how):
        with in_numpy():
            answers, count = self.run_steps(name, dict(options), **how)
        self.assertEqual(count, 0)
        arrays, count = self.run_steps(name, dict(options), **how)
        self.assertEqual(count, 5 * len(MATRICES if name == "groupadagrad" else SHAPES) if compiled else 0)
        for mine, theirs in zip(arrays, answers):
            if exact:
                self.assertEqual(mine.tobytes(), theirs.tobytes())
            else:
                one = 1e-6 if mine.dtype == np.float32 else 1e-3
                np.testing.assert_allclose(mine.astype("f8"), theirs.astype("f8"), rtol=one,
                                           atol=one * max(float(np.abs(theirs).max()), 1e-30))

    def test_formulas(self):
        for name, options in CASES:
            for how in ("list", "one by one", "single"):
                with self.subTest(name, options=options, how=how):
                    self.compare(name, options, name not in ROUNDED, how=how)

    def test_every_class_is_compared(self):
        theirs = {name for name, each in optimizer.Optimizer.opt_registry.items() if each.__module__.startswith("symc.")}
        self.assertEqual({name for name, _ in CASES}, theirs - {"test", "sgld"})  # by NumPy alone

    def test_half_precision(self):
        for name, options in CASES:
            with self.subTest(name, options=options):
                self.compare(name, {**options, "multi_precision": True}, name not in ROUNDED, name != "lars", dtype="float16")

    def test_rates_of_a_scheduler(self):
        def options():
            return {"learning_rate": 0.2, "lr_scheduler": symc.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.2), **MIXED}
        for name in ("sgd", "lars", "adam", "lbsgd"):
            for how in ("list", "single"):
                with self.subTest(name, how=how):
                    with in_numpy():
                        answers, _ = self.run_steps(name, options(), how=how)
                    arrays, count = self.run_steps(name, options(), how=how)
                    self.assertEqual(count, 5 * len(SHAPES))
                    for mine, theirs in zip(arrays, answers):
                        np.testing.assert_allclose(mine, theirs, rtol=0 if name not in ROUNDED else 1e-6,
                                                   atol=0 if name not in ROUNDED else 1e-6)

    def test_mxnets_numbers(self):
        with open(os.path.join(HERE, "optimizer_steps.json"), encoding="utf-8") as file:
            cases = json.load(file)
        for case in cases:
            with self.subTest(optimizer=case["optimizer"], options=case["options"]), in_numpy():
                found = optimizer_steps.difference(optimizer_steps.run(symc, case), case["answer"])
                self.assertLess(found, 1e-3 if case.get("dtype") == "float16" else 1e-6)

    def test_an_element_without_a_gradient_stays_in_adamax(self):
        for numpy_too in (False, True):
            weight, grad = nd.ones((4,)), nd.array([0, 1, 0, 1])
            with in_numpy() if numpy_too else contextlib.nullcontext():
                optimizer.get_updater(optimizer.create("adamax"))(0, grad, weight)
            self.assertEqual((weight.asnumpy() == 1).tolist(), [True, False, True, False])


class Calls(unittest.TestCase):
    def setUp(self):
        self.before = _compiled_updates.updated

    def count(self):
        count, self.before = _compiled_updates.updated - self.before, _compiled_updates.updated
        return count

    def test_what_changes_between_updates(self):
        """Options, arrays, states: the next update reads them."""
        def run():
            update = optimizer.get_updater(optimizer.create("sgd", learning_rate=0.5, momentum=0.5))
            weights = [nd.ones((3,)), nd.ones((2, 2))]
            grads = [nd.ones((3,)), nd.ones((2, 2))]
            update([0, 1], grads, weights)
            grads[0][...] = 2  # the same array
            update([0, 1], grads, weights)
            update([0, 1], [grads[0], nd.full((2, 2), 3.0)], weights)
            update.optimizer.momentum = 0.25
            update.optimizer.rescale_grad = 2.0
            update([0, 1], grads, weights)
            update.set_states(update.get_states())
            update([0, 1], grads, weights)
            update.states[1] = nd.ones((2, 2))
            update([0, 1], grads, weights)
            other = copy.deepcopy(update)
            weights.append(nd.ones((2,)))
            other([0, 1, 2], [*grads, nd.ones((2,))], weights)
            return [each.tolist() for each in weights] + [update.states[0].tolist(), other.states[0].tolist()]
        found = run()
        self.assertEqual(self.count(), 6 * 2 + 3)
        with in_numpy():
            self.assertEqual(run(), found)

    def test_stores_and_modules(self):
        net = symc.sym.FullyConnected(symc.sym.Variable("data"), num_hidden=3, name="fc")
        net = symc.sym.SoftmaxOutput(net, name="softmax")
        batch = symc.io.DataBatch([drawn((4, 5), 0, 1)], [nd.array([0, 1, 2, 0])])
        found = []
        class Single(symc.kvstore.KVStore):
            def pushpull(self, key, value, out=None, priority=0):
                assert isinstance(key, str)
                super().pushpull(key, value, out, priority)
        for store in (None, "local", symc.kvstore.create("local"), Single()):
            module = symc.mod.Module(net)
            module.bind([("data", (4, 5))], [("softmax_label", (4,))])
            module.init_params(symc.init.One())
            module.init_optimizer(store, optimizer_params={"learning_rate": 0.5, "momentum": 0.9})
            for _ in range(3):
                module.forward_backward(batch)
                module.update()
            self.assertEqual(self.count(), 6)
            found.append({name: each.tolist() for name, each in module.get_params()[0].items()})
        self.assertEqual(found[1:], found[:1] * 3)

    def test_methods_of_ones_own_are_called(self):
        class Slower(optimizer.SGD):
            def _get_lrs(self, indices):
                return [each / 2 for each in super()._get_lrs(indices)]

        class Still(optimizer.Adam):
            def update(self, index, weight, grad, state):
                pass

        class Named(optimizer.SGD):
            """A class that adds nothing to updates."""
            purpose = "none"

            def __init__(self, **options):
                super().__init__(**options)
                self.used = True
        mine = optimizer.create("sgd", learning_rate=1.0)
        mine.update_multi_precision = lambda index, weight, grad, state: weight[0].__setitem__(slice(None), 7)
        for made, value, count in ((Slower(learning_rate=1.0), 0.5, 0), (Still(), 1, 0), (mine, 7, 0),
                                   (Named(learning_rate=1.0), 0, 1), (optimizer.create("test"), 2, 0)):
            with self.subTest(type(made).__name__):
                weight = nd.ones((3,))
                optimizer.get_updater(made)(0, nd.ones((3,)), weight)
                self.assertEqual((weight.tolist(), self.count()), ([value] * 3, count))
        with mock.patch.object(optimizer.SGD, "update", lambda *_: None):
            weight = nd.ones((3,))
            optimizer.get_updater(optimizer.create("nag"))(0, nd.ones((3,)), weight)
            optimizer.get_updater(optimizer.create("sgd"))(0, nd.ones((3,)), weight)
        self.assertEqual(self.count(), 1)

    def test_arrays_that_numpy_updates(self):
        def update(weight, grad, name="sgd", **options):
            optimizer.get_updater(optimizer.create(name, learning_rate=1.0, **options))(0, grad, weight)
            return weight.tolist()
        shared = nd.ones((4,))
        for what, weight, grad, answer in (
                ("strides", nd.ones((4, 2))[:, 0], nd.ones((4,)), [0] * 4),
                ("strides of the gradient", nd.ones((4,)), nd.ones((4, 2))[:, 1], [0] * 4),
                ("float64", nd.ones((4,), dtype="float64"), nd.ones((4,), dtype="float64"), [0] * 4),
                ("types that differ", nd.ones((4,)), nd.ones((4,), dtype="float64"), [0] * 4),
                ("one array twice", shared, shared, [0] * 4),
                ("no elements", nd.zeros((0,)), nd.zeros((0,)), [])):
            with self.subTest(what):
                self.assertEqual((update(weight, grad), self.count()), (answer, 0))
        self.assertEqual((update(nd.ones((4,)), nd.ones((4,)), clip_gradient=-1.0), self.count()), ([0] * 4, 0))
        update(nd.ones((4,)), nd.ones((4,)), "ftrl", lamda1=-1.0)  # which compiled trainers refuse
        self.assertEqual(self.count(), 0)
        fixed = nd.ones((4,))
        fixed.flags.writeable = False
        self.assertRaisesRegex(ValueError, "read-only", update, fixed, nd.ones((4,)))
        weights = [nd.ones((4,)), nd.ones((4,), dtype="float64")]
        optimizer.get_updater(optimizer.create("sgd", learning_rate=1.0))([0, 1], [nd.ones((4,))] * 2, weights)
        self.assertEqual(([each.tolist() for each in weights], self.count()), ([[0] * 4] * 2, 1))

    def test_mistakes(self):
        update, weight = optimizer.get_updater(optimizer.create("rmsprop")), nd.ones((3,))
        update(0, nd.ones((3,)), weight)
        update.optimizer.centered = True
        self.assertRaisesRegex(symc.SymcError, "parameter '0': optimizer 'rmsprop' needs 3 states, got 1", update, 0,
                               nd.ones((3,)), weight)
        decaying = optimizer.get_updater(optimizer.create("groupadagrad", wd=0.5))
        self.assertRaisesRegex(ValueError, "GroupAdaGrad has no weight decay, parameter '0' has wd = 0.5", decaying, 0,
                               nd.ones((3, 2)), nd.ones((3, 2)))


if __name__ == "__main__":
    unittest.main()

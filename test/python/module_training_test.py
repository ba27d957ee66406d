"""If this fails, modules train to other parameters than MXNet 1.9.1 does from the same ones: module_steps.json has MXNet's."""
import json
import logging
import os
import tempfile
import unittest

import module_steps
import numpy as np
import symc

HERE = os.path.dirname(os.path.abspath(__file__))


def made(**kwargs):
    return module_steps.manual(symc, module_steps.mlp(symc), (5,), **kwargs)


class Parameters(unittest.TestCase):
    def test_all_cases_are_mxnets(self):
        with open(os.path.join(HERE, "module_steps.json"), encoding="utf-8") as file:
            stored = json.load(file)
        self.assertEqual(set(stored), set(module_steps.CASES))
        for name, function in module_steps.CASES.items():
            with self.subTest(name):
                self.assertLess(module_steps.difference(function(symc), stored[name]), 1e-5)


class Fits(unittest.TestCase):
    def fit(self, **kwargs):
        logger = logging.getLogger("fit")
        module = symc.mod.Module(module_steps.mlp(symc), logger=logger)
        with self.assertLogs("fit", "INFO") as logs:
            module.fit(module_steps.rows(symc), optimizer_params={"learning_rate": 0.1}, **kwargs)
        return module, [line.partition("fit:")[2] for line in logs.output]

    def test_what_is_logged(self):
        _, lines = self.fit(eval_data=module_steps.rows(symc, 8), num_epoch=2, begin_epoch=1, eval_metric=["acc", "ce"])
        self.assertRegex("\n".join(lines), r"^Epoch\[1\] Train-accuracy=0\.\d{6}\nEpoch\[1\] Train-cross-entropy=\d\.\d{6}\n"
                         r"Epoch\[1\] Time cost=\d+\.\d{3}\nEpoch\[1\] Validation-accuracy=0\.\d{6}\n"
                         r"Epoch\[1\] Validation-cross-entropy=\d\.\d{6}$")

    def test_callbacks(self):
        seen, ended = [], []

        def at_batch(param):
            seen.append((param.epoch, param.nbatch, param.eval_metric.num_inst))
            self.assertIs(param.locals["self"].for_training, True)
            param.eval_metric.reset_local()  # as Speedometer does
        module, lines = self.fit(num_epoch=2, batch_end_callback=[at_batch], epoch_end_callback=lambda *each: ended.append(each))
        self.assertEqual(seen, [(epoch, number, 4) for epoch in (0, 1) for number in range(6)])
        self.assertEqual([(each[0], each[1] is module.symbol, sorted(each[2])) for each in ended],
                         [(epoch, True, ["fc1_bias", "fc1_weight", "fc2_bias", "fc2_weight"]) for epoch in (0, 1)])
        self.assertTrue(lines[0].startswith("Epoch[0] Train-accuracy="))  # of the whole epoch

    def test_a_monitor_reports(self):
        found, monitor = [], symc.mon.Monitor(3, pattern="fc.*")
        self.addCleanup(setattr, monitor, "toc_print", monitor.toc_print)
        monitor.toc_print = lambda: found.append(monitor.toc())
        self.fit(num_epoch=1, monitor=monitor)
        self.assertEqual([len(each) for each in found], [6, 0, 0, 6, 0, 0])
        self.assertEqual([name for _, name, _ in found[0]],
                         ["fc1_output", "fc2_output", "fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias"])
        self.assertRegex(found[0][0][2], r"^\d\.\d+(e-\d+)?\t$")

    def test_learning_the_labels(self):
        net = module_steps.mlp(symc, hidden=16)
        symc.random.seed(1)
        module = symc.mod.Module(net, logger=module_steps.QUIET)
        batches = module_steps.rows(symc, 24)
        module.fit(batches, num_epoch=60, initializer=symc.init.Xavier(), optimizer="adam",
                   optimizer_params={"learning_rate": 0.05})
        self.assertEqual(module.score(batches, "acc"), [("accuracy", 1.0)])


class States(unittest.TestCase):
    def test_a_checkpoint_goes_on(self):
        batches = [module_steps.batch_of(symc, step) for step in range(6)]

        def trained(module, part):
            for batch in part:
                module.forward_backward(batch)
                module.update()
            return module_steps.params_of(module)
        whole = trained(made(), batches)
        with tempfile.TemporaryDirectory() as folder:
            prefix = os.path.join(folder, "net")
            module = made()
            trained(module, batches[:3])
            with self.assertLogs(level="INFO") as logs:
                module.save_checkpoint(prefix, 3, save_optimizer_states=True)
            self.assertIn('Saved optimizer state to "%s-0003.states"' % prefix, logs.output[-1])
            self.assertEqual(sorted(os.listdir(folder)), ["net-0003.params", "net-0003.states", "net-symbol.json"])
            again = symc.mod.Module.load(prefix, 3, load_optimizer_states=True)
            again.bind([("data", (4, 5))], [("softmax_label", (4,))])
            again.init_optimizer(optimizer_params={"learning_rate": 0.2, "momentum": 0.5})
            for name, value in trained(again, batches[3:]).items():
                self.assertEqual(value.tolist(), whole[name].tolist())
            again.load_optimizer_states(prefix + "-0003.states")
            self.assertRaisesRegex(symc.SymcError, "net-symbol.json: no states of an optimizer", again.load_optimizer_states,
                                   prefix + "-symbol.json")

    def test_prediction_in_between(self):
        module, batch = made(), module_steps.batch_of(symc, 0)
        before = module.predict(batch.data[0])
        module.forward_backward(batch)
        module.update()
        after = module.predict(batch.data[0])
        self.assertGreater(float(np.abs(after - before).max()), 1e-3)
        module.forward(batch, is_train=False)
        self.assertEqual(module.get_outputs()[0].tolist(), after.tolist())
        module.forward([batch, batch], is_train=False)  # rows of several
        self.assertEqual(module.get_outputs()[0].shape, (8, 3))

    def test_a_module_that_shares(self):
        one = made()
        other = symc.mod.Module(one.symbol, logger=module_steps.QUIET)
        other.bind([("data", (2, 5))], [("softmax_label", (2,))], shared_module=one)
        for module, count in ((one, 4), (other, 2), (one, 4)):
            module.forward_backward(module_steps.batch_of(symc, count, count))
            module.update()
        self.assertEqual(one.get_params()[0]["fc1_weight"].tolist(), other.get_params()[0]["fc1_weight"].tolist())
        self.assertEqual(one._optimizer.num_update, 3)


class Internals(unittest.TestCase):
    """What public scripts read beside the names that MXNet's page has."""

    def test_executors(self):
        module, batch = made(), module_steps.batch_of(symc, 0)
        module.forward_backward(batch)
        group = module._exec_group
        self.assertIs(group.execs[0].grad_dict["fc1_weight"], group.grad_arrays[group.param_names.index("fc1_weight")][0])
        self.assertEqual(group.param_arrays[0][0].shape, module.get_params()[0][group.param_names[0]].shape)
        self.assertIs(module._symbol, module.symbol)

    def test_outputs_of_several_devices_stay(self):
        net, batches = module_steps.mlp(symc), [module_steps.batch_of(symc, step) for step in range(2)]
        for context, stays in (([symc.cpu(0), symc.cpu(1)], True), (symc.cpu(), False)):
            module = symc.mod.Module(net, context=context, logger=module_steps.QUIET)
            module.bind([("data", (4, 5))], [("softmax_label", (4,))], for_training=False)
            module.init_params(symc.init.Xavier())
            found = []
            for batch in batches:
                module.forward(batch)
                found.append(module.get_outputs()[0])
            self.assertEqual(not (found[0] == found[1]).asnumpy().all(), stays)


class Mistakes(unittest.TestCase):
    def test_messages(self):
        net, rows = module_steps.mlp(symc), module_steps.rows(symc)
        bound = symc.mod.Module(net)
        bound.bind(rows.provide_data, rows.provide_label, for_training=False)
        bound.init_params()
        ready = made()
        for kind, text, call in (
                (ValueError, "^fit needs num_epoch, the number of the epoch", lambda: symc.mod.Module(net).fit(rows)),
                (TypeError, r"^the shape of 'data' is \(4\.0, 5\.0\), needs ints$",
                 lambda: symc.mod.Module(net).bind([("data", (4.0, 5.0))])),
                (RuntimeError, "^parameter 'fc1_weight' is not given; allow_missing=True draws it$",
                 lambda: ready.set_params({}, {})),
                (symc.SymcError, "^the module is not bound with for_training=True yet$", bound.backward),
                (symc.SymcError, "^the module is not bound with inputs_need_grad=True yet$", ready.get_input_grads),
                (symc.SymcError, "^the module is not given an optimizer yet$", bound.update),
                (symc.SymcError, "^the module is not given an optimizer yet$", lambda: bound.save_optimizer_states("x")),
                (symc.SymcError, "^the module is not given an optimizer, which another borrows yet$",
                 lambda: bound.borrow_optimizer(symc.mod.Module(net))),
                (TypeError, "^kvstore is a store of symc.kvstore, its type or None, got 3$",
                 lambda: ready.init_optimizer(kvstore=3, force_init=True)),
                (symc.SymcError, "^kvstore 'dist_async' lets workers go on with old parameters",
                 lambda: ready.init_optimizer(kvstore="dist_async", force_init=True)),
                (ValueError, "^optimizer 'sgdd' is unknown; did you mean 'sgd'",
                 lambda: ready.init_optimizer(optimizer="sgdd", force_init=True)),
                (ValueError, "^inputs_need_grad needs for_training=True$",
                 lambda: symc.mod.Module(net).bind(rows.provide_data, None, False, True)),
                (ValueError, "^the symbol has no argument 'x', which fixed_param_names has; its arguments are data, fc1_weight",
                 lambda: symc.mod.Module(net, fixed_param_names=["x"])),
                (ValueError, "^fit needs num_epoch, which the model was made without$",
                 lambda: symc.model.FeedForward(net).fit(rows)),
                (ValueError, "^rows need labels: y$", lambda: symc.model.FeedForward(net, num_epoch=1).fit(np.ones((3, 5)))),
                (ValueError, r"^3 rows need as many labels, got an array of shape \(2,\)$",
                 lambda: symc.model.FeedForward(net, num_epoch=1).fit(np.ones((3, 5)), np.ones(2))),
                (TypeError, "^a model reads arrays and iterators, got int$",
                 lambda: symc.model.FeedForward(net, num_epoch=1).fit(3, 4)),
                (ValueError, r"^PythonLossModule has one input and one label, got \['a', 'b'\]",
                 lambda: symc.mod.PythonLossModule(data_names=["a", "b"])),
                (TypeError, "^grad_func is a function of scores and labels, got 3$",
                 lambda: symc.mod.PythonLossModule(grad_func=3)),
                (ValueError, "^data_shapes are of x, the module's are data$",
                 lambda: symc.mod.PythonLossModule().bind([("x", (1,))])),
                (symc.SymcError, "^'pyloss' is a loss, nothing gives its output a gradient$",
                 lambda: symc.mod.PythonLossModule().backward([1])),
                (NotImplementedError, "^PythonModule does not define _compute_output_shapes",
                 lambda: symc.mod.PythonModule(["a"], None, []).bind([("a", (1,))])),
                (NotImplementedError, "^PythonModule does not define get_outputs",
                 lambda: symc.mod.PythonModule(["a"], None, []).get_outputs())):
            with self.subTest(text):
                self.assertRaisesRegex(kind, text, call)
        with self.assertLogs(level="WARNING") as logs:
            bound.bind(rows.provide_data)
        self.assertEqual(logs.output, ["WARNING:root:Already bound, ignoring bind()"])
        with self.assertWarnsRegex(UserWarning, r"the optimizer's rescale_grad is 1, and 1 over the batch size is 0\.25"):
            ready.init_optimizer(optimizer=symc.optimizer.create("sgd"), force_init=True)
        loss = symc.mod.PythonLossModule()
        loss.bind([("data", (1, 1))], [("softmax_label", (1,))])
        self.assertRaisesRegex(NotImplementedError, "^'pyloss' has no grad_func$", loss.backward)


if __name__ == "__main__":
    unittest.main()

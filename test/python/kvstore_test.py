"""If this fails, a kvstore keeps other values than were pushed to it, or a monitor reports other numbers."""
import os
import tempfile
import unittest

import symc
from symc import kvstore, nd


class Stores(unittest.TestCase):
    def test_values(self):
        store = kvstore.create("local")
        self.assertEqual((store.type, store.rank, store.num_workers), ("local", 0, 1))
        store.init(3, nd.ones((2,)))
        store.init([5, 7], [nd.zeros(2), nd.zeros(1)])
        out, pair = nd.zeros(2), [nd.zeros(2), nd.zeros(2)]
        store.push(3, [nd.array([1, 2]), nd.array([3, 4])])
        store.pull(3, out=[out, pair[0]])
        self.assertEqual((out.tolist(), pair[0].tolist()), ([4, 6], [4, 6]))
        store.pushpull([3, 5], [nd.array([1, 1]), nd.array([2, 2])], out=pair)
        self.assertEqual([each.tolist() for each in pair], [[1, 1], [2, 2]])
        value = [nd.array([1, 1]), nd.array([2, 3])]
        store.pushpull(3, value)  # the sum goes where the parts were
        self.assertEqual([each.tolist() for each in value], [[3, 4], [3, 4]])
        store.broadcast(9, nd.ones(1), out=out[:1])
        self.assertEqual(out.tolist(), [1, 6])
        store.barrier()
        store._barrier()

    def test_an_optimizer_updates_values(self):
        store, out = kvstore.create("device"), nd.zeros(2)
        store.init("fc_weight", nd.array([1, 2]))
        store.set_optimizer(symc.optimizer.create("sgd", learning_rate=0.5, momentum=0.5))
        for expected in ([0.5, 1.5], [-0.25, 0.75]):
            store.push("fc_weight", nd.ones(2))
            store.pull("fc_weight", out=out)
            self.assertEqual(out.tolist(), expected)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "states")
            store.save_optimizer_states(path)
            store._updater.states.clear()
            store.load_optimizer_states(path)
            self.assertEqual(store._updater.states["fc_weight"].tolist(), [-0.75, -0.75])
            with open(path, "wb") as file:
                file.write(b"?")
            self.assertRaisesRegex(symc.SymcError, "^%s: no states of an optimizer" % path, store.load_optimizer_states, path)
        store.set_gradient_compression({"type": "2bit", "threshold": 0.5})
        self.assertTrue(store.is_capable("optimizer"))

    def test_mistakes(self):
        store = kvstore.create()
        store.init(1, nd.zeros(2))
        for kind, text, call in (
                (symc.SymcError, "kvstore 'dist_async' lets workers go on with old parameters, which symc does not do: "
                 "use 'dist_sync'", lambda: kvstore.create("dist_async")),
                (symc.SymcError, "kvstore 'nccl' needs what symc has not: use 'dist_sync', 'local' or 'device'",
                 lambda: kvstore.create("nccl")),
                (ValueError, "kvstore 'x' is unknown; there are local", lambda: kvstore.create("x")),
                (ValueError, r"kvstore 'devise' is unknown; did you mean 'device'\?", lambda: kvstore.create("devise")),
                (TypeError, "the type of a kvstore is a str, got 1", lambda: kvstore.create(1)),
                (symc.SymcError, "key 1 of the kvstore has a value already", lambda: store.init(1, nd.zeros(2))),
                (TypeError, "keys of a kvstore are ints or strs, not both: 'a'", lambda: store.init("a", nd.zeros(2))),
                (TypeError, r"a key is an int or a str, got 1\.5", lambda: store.init(1.5, nd.zeros(2))),
                (symc.SymcError, "key 2 of the kvstore has no value: init comes first", lambda: store.push(2, nd.zeros(2))),
                (ValueError, r"key 1: expected shape \(2,\), got \(3,\)", lambda: store.push(1, nd.zeros(3))),
                (ValueError, r"key 1: expected shape \(2,\), got \(3,\)", lambda: store.pull(1, nd.zeros(3))),
                (ValueError, "2 keys for 1 values", lambda: store.push([1, 2], [nd.zeros(2)])),
                (TypeError, "key 1 takes arrays, got 3", lambda: store.push(1, 3)),
                (TypeError, "pull needs out", lambda: store.pull(1)),
                (symc.SymcError, "row_sparse_pull needs sparse arrays", lambda: store.row_sparse_pull(1)),
                (symc.SymcError, "the kvstore has no optimizer: set_optimizer comes first",
                 lambda: store.save_optimizer_states("x")),
                (symc.SymcError, "kvstore 'local' has no gradient compression", lambda: store.set_gradient_compression({})),
                (ValueError, "gradient compression of type '1bit' is unknown",
                 lambda: kvstore.create("device").set_gradient_compression({"type": "1bit"})),
                (ValueError, "capability 'x' is unknown", lambda: store.is_capable("x"))):
            with self.subTest(text):
                self.assertRaisesRegex(kind, "^" + text, call)


class Monitors(unittest.TestCase):
    class Executor:
        """What a monitor needs of an executor."""

        def __init__(self):
            self.arg_dict, self.aux_dict = {"fc_weight": nd.array([3, 4])}, {"bn_mean": nd.ones(1)}
            self.function, self.calls = None, 0

        def set_monitor_callback(self, function, monitor_all=False):
            self.function = function

        def forward(self):
            if self.function is not None:
                self.function("fc_output", nd.array([[1, 1], [1, 1]]))
                self.calls += 1

    def test_it_reports_every_interval(self):
        executor = self.Executor()
        monitor = symc.mon.Monitor(2, sort=True)
        monitor.install(executor)
        found = []
        for _ in range(3):
            monitor.tic()
            executor.forward()
            found.append(monitor.toc())
        self.assertEqual(found[0], [(1, "bn_mean", "1.0\t"), (1, "fc_output", "1.0\t"), (1, "fc_weight", "3.535534\t")])
        self.assertEqual(([], [each[0] for each in found[2]], executor.calls), (found[1], [3, 3, 3], 2))

    def test_own_numbers(self):
        executor = self.Executor()
        monitor = symc.monitor.Monitor(1, lambda array: [array.max(), array * 2], "fc_w")
        monitor.install(executor)
        monitor.tic()
        executor.forward()
        with self.assertLogs(level="INFO") as logs:
            monitor.toc_print()
        self.assertEqual(logs.output, ["INFO:root:Batch: %7d %-30s %s" % (1, "fc_weight", "4.0\t[6. 8.]\t")])
        wrong = symc.mon.Monitor(1, lambda array: 1.0)
        wrong.install(executor)
        wrong.tic()
        self.assertRaisesRegex(TypeError, "stat_func makes arrays, of 'fc_weight' it made 1.0", wrong.toc)


if __name__ == "__main__":
    unittest.main()

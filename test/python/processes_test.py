"""If this fails, a copy of a model reads what another one has released, or a model does not reach the processes of a pool:
copies, pickles, and pools by fork and by spawn."""
import concurrent.futures
import copy
import functools
import multiprocessing
import os
import pickle
import tempfile
import threading
import unittest

import numpy as np
import symc as mx

try:
    import joblib
except ImportError:
    joblib = None

ROWS = np.random.default_rng(1).standard_normal((8, 6)).astype("float32")
HANGS = 300  # seconds after which a process counts as one that hangs


def network():
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=5, name="fc1")
    return mx.sym.FullyConnected(mx.sym.Activation(net, act_type="relu"), num_hidden=3, name="fc2")


def parameters():
    rng = np.random.default_rng(2)
    shapes = {"fc1_weight": (5, 6), "fc1_bias": (5,), "fc2_weight": (3, 5), "fc2_bias": (3,)}
    return {name: rng.standard_normal(shape).astype("float32") for name, shape in shapes.items()}


def compiled(**keywords):
    return mx.compile(network(), parameters(), {"data": ("1..8", 6)}, **keywords)


def predict(model, rows):
    return model(rows)


def child(model, out):
    """What a child of fork does with a model, and with functions of arrays, that its parent has run with threads."""
    found = model(ROWS)
    doubled = (mx.nd.array(ROWS) * 2).exp().asnumpy()
    out.put((found, doubled))


class Copies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "libnet.so")

    def test_either_may_be_closed(self):
        compiled(output=self.path).close()
        for opened in (compiled, lambda: mx.Model(self.path)):
            for make, closes_first in ((copy.copy, True), (copy.copy, False), (copy.deepcopy, True), (copy.deepcopy, False)):
                with self.subTest(make=make.__name__, closes_first=closes_first):
                    model = opened()
                    wanted, other = model(ROWS), make(model)
                    self.assertEqual([str(each) for each in other.inputs], [str(each) for each in model.inputs])
                    first, second = (model, other) if closes_first else (other, model)
                    first.close()
                    self.assertRaisesRegex(mx.SymcError, "is closed$", first, ROWS)
                    np.testing.assert_array_equal(second(ROWS), wanted)
                    folder = second._library.folder
                    second.close()
                    self.assertFalse(folder and os.path.exists(folder))
                    self.assertRaisesRegex(mx.SymcError, "is closed$", make, second)

    def test_copies_of_copies_in_threads(self):
        model = compiled(threads=2)
        wanted, copies = model(ROWS), [copy.copy(model) for _ in range(3)]
        copies.append(copy.deepcopy({"model": copies[0]})["model"])
        model.close()
        found = [None] * len(copies)

        def run(place):
            found[place] = copies[place](ROWS)
            copies[place].close()
        threads = [threading.Thread(target=run, args=(place,)) for place in range(len(copies))]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        for each in found:
            np.testing.assert_array_equal(each, wanted)

    def test_memory_plan_and_operators_of_python(self):
        model = compiled()
        self.assertEqual(str(copy.copy(model).memory_plan()), str(model.memory_plan()))
        self.assertEqual(str(pickle.loads(pickle.dumps(model)).memory_plan()), str(model.memory_plan()))

        @mx.operator.register("processes_twice(Tensor data) -> Tensor")
        def twice(data):
            return 2 * data
        own = mx.compile(mx.sym.processes_twice(mx.sym.Variable("data"), name="own"), shapes={"data": (2,)})
        other = copy.copy(own)
        own.close()
        self.assertEqual(other(np.ones(2, "float32")).tolist(), [2, 2])
        self.assertRaisesRegex(pickle.PicklingError, "^model '.*own.*' has operators of Python and lives in this process alone: "
                               "it cannot be pickled; compile it in the process that runs it$", pickle.dumps, other)

    def test_pickle_of_a_file(self):
        model = compiled(output=self.path, threads=2)
        wanted, text = model(ROWS), pickle.dumps(model)
        self.assertLess(len(text), os.path.getsize(self.path))
        model.close()
        again = pickle.loads(text)
        self.assertEqual((again.path, again._threads), (self.path, 2))
        np.testing.assert_array_equal(again(ROWS), wanted)
        self.assertRaisesRegex(mx.SymcError, "^model 'net' is closed$", pickle.dumps, model)
        os.remove(self.path)
        self.assertRaisesRegex(mx.SymcError, "^a pickled model opens its file again: there is no file '.*libnet.so'$",
                               pickle.loads, text)

    def test_pickle_of_a_temporary_library(self):
        for options in ([], ["--weights=file"]):
            with self.subTest(options=options):
                model = compiled(options=options)
                wanted, text = model(ROWS), pickle.dumps(model)
                model.close()
                one, two = pickle.loads(text), pickle.loads(text)
                folder = one._library.folder
                self.assertIs(one._library, two._library)
                one.close()
                np.testing.assert_array_equal(two(ROWS), wanted)
                again = pickle.loads(pickle.dumps(two))
                two.close()
                np.testing.assert_array_equal(again(ROWS), wanted)
                again.close()
                self.assertFalse(os.path.exists(folder))
                np.testing.assert_array_equal(pickle.loads(text)(ROWS), wanted)

    def test_states_go_along(self):
        net = mx.sym.sgd_mom_update(mx.sym.Variable("w"), mx.sym.Variable("g"), mx.sym.Variable("mom"), lr=1.0, momentum=0.5)
        model = mx.compile(net, {"mom": np.zeros(2, "float32")}, {"w": (2,), "g": (2,)})
        model(np.zeros(2, "float32"), np.ones(2, "float32"))
        for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
            self.assertEqual(other.get_state("mom").tolist(), [-1, -1])
            other.set_state("mom", [2, 2])
        self.assertEqual(model.get_state("mom").tolist(), [-1, -1])


class Pools(unittest.TestCase):
    def setUp(self):
        self.model = compiled()
        self.addCleanup(self.model.close)
        self.wanted = self.model(ROWS)
        self.parts = [ROWS[begin:begin + 2] for begin in range(0, 8, 2)]

    def check(self, found):
        np.testing.assert_allclose(np.concatenate(list(found)), self.wanted, rtol=1e-6, atol=1e-6)

    def test_multiprocessing(self):
        for kind in ("fork", "spawn"):
            with self.subTest(kind), multiprocessing.get_context(kind).Pool(4) as pool:
                self.check(pool.map_async(functools.partial(predict, self.model), self.parts, chunksize=1).get(HANGS))

    def test_concurrent_futures(self):
        for kind in ("fork", "spawn"):
            with self.subTest(kind), concurrent.futures.ProcessPoolExecutor(
                    4, mp_context=multiprocessing.get_context(kind)) as pool:
                self.check(pool.map(predict, [self.model] * 4, self.parts, timeout=HANGS))

    @unittest.skipIf(joblib is None, "joblib is not installed")
    def test_joblib(self):
        self.check(joblib.Parallel(n_jobs=4, timeout=HANGS)(joblib.delayed(predict)(self.model, part) for part in self.parts))

    def test_fork_after_threads(self):
        """The parent's pool of threads sleeps, and another thread of it is inside of a run now and then."""
        model = compiled(threads=2)
        wanted = model(ROWS)
        doubled = (mx.nd.array(ROWS) * 2).exp().asnumpy()
        running = threading.Event()

        def run():
            while not running.is_set():
                model(ROWS)
        thread = threading.Thread(target=run)
        thread.start()
        try:
            context = multiprocessing.get_context("fork")
            for _ in range(4):
                out = context.Queue()
                process = context.Process(target=child, args=(model, out))
                process.start()
                found, values = out.get(timeout=HANGS)
                process.join(HANGS)
                self.assertEqual(process.exitcode, 0)
                np.testing.assert_array_equal(found, wanted)
                np.testing.assert_array_equal(values, doubled)
        finally:
            running.set()
            thread.join()


if __name__ == "__main__":
    unittest.main()

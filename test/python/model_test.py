"""If this fails, a compiled library does not run from Python, or a wrong argument is not told by its name and both
values."""
import os
import tempfile
import threading
import unittest

import numpy as np
import symc

sym = symc.sym


def compiled(symbol, shapes, *options, **more):
    return symc.compile(symbol, shapes=shapes, options=["--random-weights", *options], **more)


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        a, b = sym.Variable("a"), sym.Variable("b")
        cls.model = compiled(sym.Group([a + b, a * b]), {"a": (2, 3), "b": (2, 3)})
        cls.a, cls.b = np.arange(6, dtype="float32").reshape(2, 3), np.full((2, 3), 2, "float32")

    @classmethod
    def tearDownClass(cls):
        cls.model.close()

    def check(self, a, b):
        added, product = self.model(a, b)
        np.testing.assert_array_equal(added, np.asarray(a, "float32") + 2)
        np.testing.assert_array_equal(product, np.asarray(a, "float32") * 2)

    def test_arrays_of_every_layout(self):
        wide = np.arange(24, dtype="float32").reshape(4, 6)
        odd = np.frombuffer(b"?" + self.a.tobytes(), "float32", offset=1).reshape(2, 3)
        fixed = self.a.copy()
        fixed.flags.writeable = False
        for a in (self.a, wide[::2, ::2], self.a.T.copy().T, odd, fixed, self.a.astype(">f4"), self.a.astype("float16"),
                  self.a.tolist(), symc.nd.array(self.a)):
            self.check(a, self.b)
        np.testing.assert_array_equal(self.model(b=self.b, a=self.a)[0], self.model(self.a, b=self.b)[0])

    def test_contiguous_arrays_are_not_copied(self):
        array = symc.model.as_tensor(self.a, np.dtype("float32"), "input", "a")
        self.assertTrue(np.shares_memory(array, self.a))

    def test_mistakes(self):
        a, b, model = self.a, self.b, self.model
        name = "model '%s'" % model.name
        for arguments, names, error, text in (
                ((a, b), {"c": a}, TypeError, name + " has no input 'c'; its inputs are 'a', 'b'"),
                ((a, b), {"b": a}, TypeError, "input 'b' is given twice, by position and by name"),
                ((a,), {}, TypeError, name + " needs input 'b'"),
                ((a, b, a), {}, TypeError, name + " takes 2 inputs, 'a', 'b'; 3 are given"),
                ((a, b.astype("float64")), {}, TypeError,
                 "input 'b' is float64, needs float32; only casts within a kind that lose nothing are made"),
                ((a.astype("int8"), b), {}, TypeError, "input 'a' is int8, needs float32; only"),
                ((a.astype(object), b), {}, TypeError, "input 'a' is object, needs float32; only"),
                (([[1], [1, 2]], b), {}, TypeError, r"input 'a' is no array of numbers: \[\[1\], \[1, 2\]\]"),
                ((a[0], b), {}, ValueError, r"argument 'a': expected f32 \[2, 3\], got f32 \[3\] \(rank\)"),
                ((a, b[:, :2]), {}, ValueError,
                 r"argument 'b': expected f32 \[2, 3\], got f32 \[2, 2\] \(dimension 1\)")):
            with self.subTest(text):
                self.assertRaisesRegex(error, text, model, *arguments, **names)

    def test_threads_share_a_model(self):
        def work():
            for _ in range(200):
                self.check(self.a, self.b)
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def test_what_it_tells_of_itself(self):
        self.assertEqual([str(each) for each in self.model.inputs], ["a: float32 [2, 3]", "b: float32 [2, 3]"])
        self.assertEqual([each.shape for each in self.model.outputs], [(2, 3), (2, 3)])
        self.assertRegex(self.model.describe(), r"inputs:\n  a: float32 \[2, 3\]\n.*\noutputs:\n")
        self.assertIn("<td>input</td><td>a</td><td>float32</td><td>[2, 3]</td>", self.model._repr_html_())
        times = self.model.bench(20)
        self.assertTrue(0 < times.minimum <= times.median)
        self.assertRegex(str(times), "^median .* ms, minimum .* ms of 20 runs$")
        self.assertRaisesRegex(ValueError, "bench needs at least 1 run, got 0", self.model.bench, 0)
        self.assertRaisesRegex(symc.SymcError, r"has no probes; compile it with options=\['--probes'\]",
                               self.model.profile)


class Kinds(unittest.TestCase):
    def test_integers(self):
        with compiled(sym.Variable("x") + 1, {"x": (2,)}, dtypes={"x": "int32"}) as model:
            np.testing.assert_array_equal(model(np.array([1, 2], "uint8")), [2, 3])
            np.testing.assert_array_equal(model([1, 2]), [2, 3])
            self.assertRaisesRegex(TypeError, "input 'x' has values outside of int32", model, [1, 1 << 40])
            self.assertRaisesRegex(TypeError, "input 'x' is int64, needs int32; only", model, np.array([1, 2]))
            self.assertRaisesRegex(TypeError, "input 'x' is float64, needs int32; only", model, [1.0, 2.0])

    def test_labels_may_be_left_out(self):
        with compiled(sym.SoftmaxOutput(sym.Variable("data"), name="softmax"), {"data": (1, 4)}) as model:
            self.assertEqual([each.optional for each in model.inputs], [False, True])
            np.testing.assert_array_equal(model(np.zeros((1, 4), "float32")), np.full((1, 4), 0.25))
            self.assertRaisesRegex(ValueError, "argument 'softmax_label': expected f32 ", model,
                                   np.zeros((1, 4), "float32"),
                                   np.zeros(3, "float32"))

    def test_extents_that_values_decide(self):
        chosen = sym.contrib.boolean_mask(sym.Variable("data"), sym.Variable("index"))
        with compiled(chosen, {"data": (3, 2), "index": (3,)}) as model:
            np.testing.assert_array_equal(model(np.arange(6, dtype="float32").reshape(3, 2), [1, 0, 1]),
                                          [[0, 1], [4, 5]])

    def test_states(self):
        update = sym.sgd_mom_update(sym.Variable("w"), sym.Variable("g"), sym.Variable("mom"), lr=1.0, momentum=0.5)
        weights = {"mom": np.zeros(2, "float32")}
        with symc.compile(update, weights, {"w": (2,), "g": (2,)}) as model:
            w, g = np.zeros(2, "float32"), np.ones(2, "float32")
            self.assertEqual([model(w, g)[0] for _ in range(2)], [-1, -1.5])
            self.assertEqual(model.get_state("mom")[0], -1.5)
            model.set_state("mom", [2, 2])
            self.assertEqual(model(w, g)[0], 0)
            model.reset_state()
            self.assertEqual(model(w, g)[0], -1)
            self.assertRaisesRegex(symc.SymcError, "has no state 'm'; there are 'mom'", model.get_state, "m")

    def test_parameters_that_the_caller_supplies(self):
        dense = sym.FullyConnected(sym.Variable("data"), num_hidden=1, no_bias=True, name="fc")
        with compiled(dense, {"data": (1, 2)}, "--weights=extern") as model:
            row = np.array([[1, 2]], "float32")
            self.assertRaisesRegex(symc.SymcError, "weights", model, row)
            model.set_parameters({"fc_weight": np.array([[3, 4]], "float32")})
            self.assertEqual(model(row), 11)
            self.assertRaisesRegex(symc.SymcError, "needs parameter 'fc_weight'", model.set_parameters, {})
            self.assertRaisesRegex(symc.SymcError, "has no parameter 'w'; there are 'fc_weight'", model.set_parameters,
                                   {"w": 1})

    def test_steps(self):
        with compiled(sym.softmax(sym.Variable("x"), name="s"), {"x": (4, 100)}, "--probes") as model:
            steps = model.profile()
            self.assertEqual(steps[-1].node, "s")
            self.assertRegex(str(steps), r"(?s)^step         ms   share .*\ntotal .* ms in \d+ steps$")


class Files(unittest.TestCase):
    def test_what_is_no_model(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.so")
            self.assertRaisesRegex(symc.SymcError, "^there is no file '.*/net.so'$", symc.Model, path)
            with open(path, "w", encoding="utf-8") as file:
                file.write("text")
            self.assertRaisesRegex(symc.SymcError, "^cannot load '.*/net.so': net.so: ", symc.Model, path)
            symc.compile(sym.Variable("x") + 1, shapes={"x": (1,)}, output=path).close()
            self.assertRaisesRegex(symc.SymcError, "is no compiled model: it has no other_model", symc.Model, path,
                                   "other")
            self.assertRaisesRegex(symc.SymcError, "^cannot start 'net': ", symc.Model, path, isa="z80")
            self.assertEqual(symc.Model(path, "net", threads=2)([1]), 2)
            with open(path, "rb") as file:
                data = file.read()
            old = os.path.join(folder, "old.so")
            with open(old, "wb") as file:
                file.write(data.replace(b"SYMC\x05\x00\x00\x00", b"SYMC\x63\x00\x00\x00"))
            with open(old + ".so", "wb") as file:
                file.write(data.replace(b"net_run\0", b"net_ran\0"))
            self.assertRaisesRegex(symc.SymcError, "has no function 'net_run': compile the model again",
                                   symc.Model, old + ".so")
            self.assertRaisesRegex(symc.SymcError, "has ABI 99, this package has 5: compile the model again",
                                   symc.Model, old)

    def test_closed(self):
        with symc.compile(sym.Variable("x") + 1, shapes={"x": (1,)}) as model:
            pass
        model.close()
        self.assertTrue(model.closed)
        self.assertRaisesRegex(symc.SymcError, "^model '.*' is closed$", model, [1])
        self.assertRegex(repr(model), "closed")


if __name__ == "__main__":
    unittest.main()

"""If this fails, a compiled library does not run from Python, or a wrong argument is not told by its name and both
values."""
import threading
import unittest

import numpy as np
import symc
import symc.tensor_values

sym = symc.sym


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        a, b = sym.Variable("a"), sym.Variable("b")
        cls.model = symc.compile(sym.Group([a + b, a * b]), shapes={"a": (2, 3), "b": (2, 3)})
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
        array = symc.tensor_values.as_tensor(self.a, np.dtype("float32"), "input", "a")
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
        self.assertRaisesRegex(ValueError, "profile needs at least 1 run, got -1", self.model.profile, -1)
        self.assertRaisesRegex(symc.SymcError, r"has no probes; compile it with options=\['--probes'\]",
                               self.model.profile)


if __name__ == "__main__":
    unittest.main()

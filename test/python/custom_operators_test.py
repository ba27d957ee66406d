"""Operators of libraries in Python: composing them, their answers, and MXNet's form of their nodes.

Breaks where mx.library.load, functions of what it loads, or symc.compile of them do not go on as with built-in ones.
"""
import os
import shutil
import subprocess
import tempfile
import unittest

import numpy
import symc as mx

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)
SOURCE = os.path.join(TOP, "examples", "custom-op", "scale.c")
DATA = numpy.array([[1, -2], [3, 4]], "float32")


class CustomOperators(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.library, cls.object = (os.path.join(cls.folder, name) for name in ("libscale.so", "scale.o"))
        compiler = shutil.which("clang-22") or shutil.which("cc")
        for words in (["-shared", "-o", cls.library], ["-c", "-o", cls.object]):
            subprocess.run([compiler, "-O2", "-fPIC", "-I", mx.library.include_path(), SOURCE, "-lm", *words], check=True,
                           stderr=subprocess.DEVNULL)
        mx.library.load(cls.library)
        mx.library.load(cls.library)  # once more is no mistake

    @classmethod
    def tearDownClass(cls):
        mx.library._loaded.clear()  # else other tests would compile with files that are gone
        shutil.rmtree(cls.folder)

    def test_composing(self):
        net = mx.sym.my_row_norm(mx.sym.my_scale(mx.sym.Variable("data"), 2, name="s"), norm="l1", name="n")
        self.assertEqual(net.list_arguments(), ["data", "n_gamma"])
        self.assertEqual(net.list_outputs(), ["n_output"])
        shapes, outputs, _ = net.infer_shape(data=(3, 5))
        self.assertEqual((shapes, outputs), ([(3, 5), (5,)], [(3, 5)]))
        self.assertIn("alpha : float, default 1.0", mx.sym.my_scale.__doc__)

    def test_answers(self):
        net = mx.sym.my_scale(mx.sym.Variable("data"), alpha=2, beta=1)
        numpy.testing.assert_array_equal(mx.compile(net, shapes={"data": (2, 2)})(data=DATA), 2 * DATA + 1)

    def test_form_of_mxnet(self):
        net = mx.sym.Custom(mx.sym.Variable("data"), op_type="my_scale", alpha=3, name="s")
        again = mx.sym.load_json(net.tojson())
        self.assertIn('"op": "Custom"', again.tojson())
        self.assertEqual(again.list_outputs(), ["s_output"])
        numpy.testing.assert_array_equal(mx.compile(again, shapes={"data": (2, 2)})(data=DATA), 3 * DATA)
        with self.assertRaises(mx.SymcError) as caught:
            mx.sym.Custom(mx.sym.Variable("data"), op_type="proposal")
        self.assertEqual(str(caught.exception), "no operator 'proposal' is loaded; library.load loads libraries of operators")

    def test_mistakes(self):
        for message, path in (("cannot read operators '%s/none.so': no such file or directory", "none.so"),
                              ("'%s/scale.o' is no shared library", "scale.o")):
            with self.assertRaises(mx.SymcError) as caught:
                mx.library.load(os.path.join(self.folder, path))
            self.assertEqual(str(caught.exception), message % self.folder)
        with self.assertRaises(mx.SymcError) as caught:
            mx.sym.my_scale(mx.sym.Variable("data"), alpha="two", name="s")
        self.assertIn("parameter 'alpha' expects a number, found 'two'", str(caught.exception))


if __name__ == "__main__":
    unittest.main()

"""sym.np and sym.npx: the nodes that NumPy's functions make, against those of MXNet 1.9.1 (numpy_symbols.txt).

Breaks where a function makes another node, gives it other parameters, inputs or a name, gives a list in place of a
symbol, or takes silently what it does not compute.
"""
import json
import os
import unittest

import numpy

import symc as mx
from symc.base import NotImplementedForSymbol

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "numpy_symbols.txt")
VARIABLES = ("x", "y", "m", "i", "j", "s", "s2", "v", "c", "d", "d4", "q", "v3", "rc")
np, npx = mx.sym.np, mx.sym.npx


def described(made):
    """`name = op(inputs; parameters)` of each node, and which outputs are given."""
    several = isinstance(made, (list, tuple))
    graph = json.loads((mx.sym.Group(made) if several else made).tojson())
    nodes = graph["nodes"]

    def entry(of, index):
        return nodes[of]["name"] + ("[%d]" % index if index else "")
    lines = ["%s = %s(%s)" % (node["name"], node["op"], "; ".join(filter(None, (
        ", ".join(entry(*each[:2]) for each in node["inputs"]),
        ", ".join("%s=%s" % pair for pair in sorted(node.get("attrs", {}).items()))))))
        for node in nodes if node["op"] != "null"]
    heads = ", ".join(entry(*each[:2]) for each in graph["heads"])
    return " | ".join([*lines, "[%s]" % heads if several else heads])


def variables():
    return {name: mx.sym.Variable(name).as_np_ndarray() for name in VARIABLES}


class NumpySymbolTest(unittest.TestCase):
    def test_nodes_are_mxnets(self):
        with open(FILE, encoding="utf-8") as file:
            facts = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
        self.assertGreater(len(facts), 300)
        for expression, expected in facts:
            with self.subTest(expression=expression), mx.name.NameManager():
                self.assertEqual(described(eval(expression, {"np": np, "npx": npx, **variables()})), expected)

    def test_what_differs_on_purpose(self):
        names = variables()
        with mx.name.NameManager():  # MXNet's part is empty
            self.assertIn("begin=[-1], end=[-2], step=[-1]", described(names["x"][-1]))
        with mx.name.NameManager():  # MXNet pads with 0 always
            self.assertIn("constant_value=3", described(np.pad(names["x"], ((1, 1),), constant_values=3)))
        with mx.name.NameManager():  # MXNet has the functions and lacks their operators
            self.assertEqual(described(np.deg2rad(names["x"])), "radians0 = _npi_radians(x) | radians0")

    def test_kinds(self):
        plain = mx.sym.Variable("x")
        x = plain.as_np_ndarray()
        self.assertEqual(repr(x), "<_Symbol x>")
        self.assertIs(type(np.sin(plain)), np._Symbol)
        self.assertIs(type(npx.relu(x)), np._Symbol)
        self.assertIs(type(x.as_nd_ndarray()), mx.sym.Symbol)
        self.assertEqual((x.as_nd_ndarray() + 1).list_attr(), {"scalar": "1"})
        self.assertEqual([type(each) for each in np.split(x, 2)], [np._Symbol] * 2)
        self.assertRaisesRegex(TypeError, "length of <_Symbol x> is known when it runs", len, x)
        self.assertRaisesRegex(TypeError, "<_Symbol x> has one output, over which nothing goes", iter, x)
        self.assertRaisesRegex(AttributeError, "symbol of NumPy's kind has no method 'diag'", getattr, x, "diag")
        self.assertRaisesRegex(AttributeError, "symbol of NumPy's kind has no method 'relu'", getattr, x, "relu")

    def test_numbers_alone_are_numpys(self):
        self.assertEqual(np.add(1, 2), 3)
        self.assertEqual(np.sqrt(4.0), 2)
        self.assertEqual(np.around(1.26, 1), 1.3)
        numpy.testing.assert_array_equal(np.tile(1, 3), [1, 1, 1])

    def test_refusals(self):
        x = mx.sym.Variable("x").as_np_ndarray()
        for text, call in (
                (r"sym.np.resize has no operator: MXNet computes it by a function of Python", lambda: np.resize(x, 2)),
                ("sym.np.may_share_memory has no operator: where a compiled model puts its tensors",
                 lambda: np.may_share_memory(x, x)),
                ("sym.np.random.multivariate_normal has no operator", lambda: np.random.multivariate_normal(x, x)),
                ("sym.np.random.shuffle changes its argument", lambda: np.random.shuffle(x)),
                ("sym.np.sin takes no other where than True, got False", lambda: np.sin(x, where=False)),
                ("sym.np.add takes no other out than None", lambda: np.add(x, 1, out=x)),
                ("a symbol has elements in the order 'C', got order='F'", lambda: np.ravel(x, order="F")),
                ("sym.np.take takes mode 'wrap', 'clip' or 'raise', got 'x'", lambda: np.take(x, x, mode="x")),
                ("sym.np.pad takes mode 'constant', .*, got 'wrap'", lambda: np.pad(x, ((1, 1),), mode="wrap")),
                ("sym.np.histogram takes a number of bins and a range", lambda: np.histogram(x, 5)),
                ("sym.np.linspace goes from number to number, along axis 0", lambda: np.linspace(0, 1, axis=1)),
                ("sym.np.insert takes a symbol of values where a symbol", lambda: np.insert(x, x, 1)),
                ("sym.np.linalg.pinv takes no other hermitian than False", lambda: np.linalg.pinv(x, hermitian=True))):
            with self.subTest(text=text):
                self.assertRaisesRegex(NotImplementedForSymbol, text, call)
        for kind, text, call in (
                (TypeError, r"sym.np.add takes a symbol or a number, got \[1\]", lambda: np.add(x, [1])),
                (TypeError, "a place is a number, a slice or a symbol, not 'a'", lambda: np.delete(x, "a")),
                (IndexError, "parts are named by numbers, slices and tuples", lambda: x["a"]),
                (ValueError, "slice step cannot be zero", lambda: x[::0]),
                (ValueError, "bernoulli takes prob or logit, got prob=None", npx.random.bernoulli),
                (ValueError, "clip needs a_min or a_max", lambda: np.clip(x)),
                (TypeError, "norm takes as axis a number, a tuple or None", lambda: np.linalg.norm(x, axis=[0]))):
            with self.subTest(text=text):
                self.assertRaisesRegex(kind, text, call)

    def test_one_number(self):
        with mx.np_shape(), mx.compile(np.random.randint(3, 5)) as model:
            drawn = [model() for _ in range(20)]
        self.assertEqual({each.shape for each in drawn}, {()})
        self.assertEqual({int(each) for each in drawn}, {3, 4})

    def test_answers(self):
        x = mx.sym.Variable("x").as_np_ndarray()
        given = numpy.arange(6, dtype="float32").reshape(2, 3)
        made = mx.sym.Group([np.concatenate([x[-1], np.ravel(x[:, 1:])]), np.linalg.norm(x, ord="inf", axis=(0, 1)),
                             np.where(x > 2, x, -1), np.dot(x, x.T) / 2])
        with mx.np_shape(), mx.compile(made, {}, {"x": (2, 3)}) as model:
            parts, norm, chosen, product = model(given)
        numpy.testing.assert_array_equal(parts, [3, 4, 5, 1, 2, 4, 5])
        self.assertEqual(norm, 12)
        numpy.testing.assert_array_equal(chosen, [[-1, -1, -1], [3, 4, 5]])
        numpy.testing.assert_array_equal(product, given @ given.T / 2)


if __name__ == "__main__":
    unittest.main()

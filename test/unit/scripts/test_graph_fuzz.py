"""If these fail, fuzz_graphs.py reads other parameters than the table declares, or shrinks a difference to a graph
that is another one. Run by ctest as check-scripts.
"""
import json
import os
import struct
import sys
import tempfile
import types
import unittest
from unittest import mock

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("this Python has no numpy")

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools", "scripts", "oracles"))
from graph_fuzz import explained
from graph_fuzz.op_table import parse
from graph_fuzz.shrinker import Graph
from graph_fuzz.workers import kind_of


def chain():
    """relu(x) -> exp -> add x, with both exp and the sum as results."""
    nodes = [{"op": "null", "name": "x", "inputs": []},
             {"op": "relu", "name": "a", "inputs": [[0, 0, 0]]},
             {"op": "exp", "name": "b", "inputs": [[1, 0, 0]], "attrs": {"k": "1"}},
             {"op": "elemwise_add", "name": "c", "inputs": [[2, 0, 0], [0, 0, 0]]}]
    return Graph({"nodes": nodes, "heads": [[2, 0, 0], [3, 0, 0]]}, {"x": np.arange(6.0).reshape(2, 3)}, {})


class OpTable(unittest.TestCase):
    def test_bounds_and_types(self):
        self.assertEqual(parse("| p | float | `0.5` | share (0 to 1) |")[1:], ("float", "0.5", [], 0.0, 1.0))
        self.assertEqual(parse("| n | int | required | parts (at least 1) |")[1:], ("int", None, [], 1.0, None))
        self.assertEqual(parse("| mode | a, b | `a` | which |").values, ["a", "b"])
        self.assertIsNone(parse("| parameter | type | default | meaning |"))


class Shrinking(unittest.TestCase):
    def test_one_result_drops_what_it_does_not_need(self):
        graph = chain().with_heads([[2, 0, 0]])
        self.assertEqual(graph.operators(), ["relu", "exp"])
        self.assertEqual(graph.heads, [[2, 0, 0]])

    def test_cut_entry_becomes_a_variable(self):
        value = np.ones((2, 3))
        graph = chain().with_heads([[3, 0, 0]], cut={(2, 0): value})
        self.assertEqual(graph.operators(), ["elemwise_add"])
        self.assertIs(graph.arrays["v_2_0"], value)
        self.assertEqual(sorted(graph.arrays), ["v_2_0", "x"])

    def test_extent_and_attribute(self):
        graph = chain().with_extent(3, 1).without_attribute(2, "k")
        self.assertEqual(graph.arrays["x"].shape, (2, 1))
        self.assertEqual(graph.nodes[2]["attrs"], {})
        self.assertLess(graph.weight(), chain().weight())


class Kinds(unittest.TestCase):
    def test_messages(self):
        self.assertEqual(kind_of("crashed (signal 11)"), "crash")
        self.assertEqual(kind_of("o: 1 of 2 elements differ; worst at 0"), "values")
        self.assertEqual(kind_of("o: dtype f32, expected f64"), "type")
        self.assertEqual(kind_of("no answer after 60 s"), "hang")


class Explained(unittest.TestCase):
    """The gradient of a prelu's slope s, [2], is MXNet's own fault where MXNet gives s times what symc does."""

    def explains(self, expected, got, data_is_node=True, before=None):
        nodes = [{"op": "null", "name": "x", "inputs": []}, {"op": "null", "name": "s", "inputs": []},
                 {"op": "negative", "name": "n", "inputs": [[0, 0, 0]]},
                 {"op": "LeakyReLU", "name": "p", "inputs": [[2 if data_is_node else 0, 0, 0], [1, 0, 0]], "attrs": {"act_type": "prelu"}}]
        Array = explained.ndarray_file.Array
        arrays = {"data:s": Array("float32", [2], struct.pack("<2f", 0.5, 0.25))}
        if before:
            arrays["grad_before:s"] = Array("float32", [2], struct.pack("<2f", *before))
        message = "grad:s: 1 of 2 elements differ; worst at 1: expected %r, got %r, allowed 1e-05" % (expected, got)
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(explained.ndarray_file, "read", lambda path: arrays):
            with open(os.path.join(folder, "symbol.json"), "w") as file:
                json.dump({"nodes": nodes, "heads": [[3, 0, 0]]}, file)
            return explained.is_slope(types.SimpleNamespace(folder=folder, message=message, operator="LeakyReLU"))

    def test_slope_is_a_factor_once_more(self):
        self.assertTrue(self.explains(expected=2.0, got=8.0))
        self.assertTrue(self.explains(expected=3.0, got=9.0, before=(0.0, 1.0)))

    def test_other_values_are_not_explained(self):
        self.assertFalse(self.explains(expected=2.0, got=7.0))
        self.assertFalse(self.explains(expected=8.0, got=2.0))

    def test_data_that_is_an_argument_is_not_overwritten(self):
        self.assertFalse(self.explains(expected=2.0, got=8.0, data_is_node=False))


if __name__ == "__main__":
    unittest.main()

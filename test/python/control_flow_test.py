"""foreach, while_loop and cond own their bodies as graphs, by MXNet's rules.

Breaks where an owner reads other inputs, or its bodies hold other nodes, than under MXNet 1.9.1, which gave these
texts.
"""
import json
import unittest

import symc as mx

S = mx.sym
V = S.Variable


def owner(symbol, op):
    """The attributes and input names of the only node of an operator, and the names of its graphs' nodes."""
    nodes = json.loads(symbol.tojson())["nodes"]
    node, = [each for each in nodes if each["op"] == op]
    return (node["attrs"], [nodes[entry[0]]["name"] for entry in node["inputs"]],
            [[each["name"] for each in graph["nodes"]] for graph in node["subgraphs"]])


class ControlFlowTest(unittest.TestCase):
    def setUp(self):
        manager = mx.name.NameManager()
        manager.__enter__()
        self.addCleanup(manager.__exit__, None, None, None)

    def test_foreach_cuts_what_it_reads_outside(self):
        outside = S.exp(V("a"), name="e")
        out, state = S.contrib.foreach(lambda x, s: (x * outside, s + V("w")), V("data"), V("s"))
        attributes, inputs, bodies = owner(S.Group([out, state, outside]), "_foreach")
        self.assertEqual(inputs, ["data", "s", "e", "w"])
        self.assertEqual(bodies, [["data-0", "e_output", "_mul0", "s-0", "w", "_plus0"]])
        self.assertEqual(attributes, {"in_data_locs": "[0]", "in_state_locs": "[2]", "remain_locs": "[1, 3]",
                                      "num_args": "5", "num_out_data": "1", "num_outputs": "2"})

    def test_foreach_copies_what_passes_through(self):
        out, states = S.contrib.foreach(lambda x, s: (x, [s[1], s[0]]), V("data"), [V("a"), V("b")])
        self.assertEqual(owner(S.Group([out, *states]), "_foreach")[2],
                         [["data-0", "identity0", "b-0", "identity1", "a-0", "identity2"]])
        self.assertEqual(S.Group([out, *states]).infer_shape(data=(5, 3), a=(2,), b=(2,))[1], [(5, 3), (2,), (2,)])

    def test_foreach_inside_foreach(self):
        def outer(x, s):
            return S.contrib.foreach(lambda y, t: (y + t, y * t), x, s)
        out, state = S.contrib.foreach(outer, V("data"), V("s"))
        again = S.load_json(S.Group([out, state]).tojson())
        self.assertEqual(again.list_arguments(), ["data", "s"])
        self.assertEqual(again.infer_shape(data=(4, 5, 2), s=(2,))[1], [(4, 5, 2), (2,)])

    def test_while_loop(self):
        outputs, states = S.contrib.while_loop(
            cond=lambda i, s: i <= V("n"), func=lambda i, s: ([i + s], [i + 1, s + i]), loop_vars=(V("i"), V("s")),
            max_iterations=10)
        attributes, inputs, bodies = owner(S.Group(outputs + states), "_while_loop")
        self.assertEqual(inputs, ["i", "n", "s"])
        self.assertEqual(len(bodies), 2)
        self.assertEqual(attributes, {"cond_input_locs": "[0, 1]", "func_input_locs": "[0, 2]",
                                      "func_var_locs": "[0, 1]", "max_iterations": "10", "num_args": "5",
                                      "num_out_data": "1", "num_outputs": "3"})
        self.assertEqual(S.Group(outputs + states).infer_shape(i=(1,), s=(1,), n=(1,))[1], [(10, 1), (1,), (1,)])

    def test_cond(self):
        a, b = V("a"), V("b")
        made = S.contrib.cond(S.sum(a) < 5, lambda: [a, a + b], lambda: [b, a])
        attributes, inputs, bodies = owner(S.Group(made), "_cond")
        self.assertEqual(inputs, ["_lesser_scalar0", "a", "b"])
        self.assertEqual([attributes["cond_input_locs"], attributes["then_input_locs"], attributes["else_input_locs"]],
                         ["[0]", "[1, 2]", "[2, 1]"])
        self.assertEqual(bodies[1], ["a", "identity1", "b", "_plus0"])


if __name__ == "__main__":
    unittest.main()

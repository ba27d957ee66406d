"""Every mistake in a composition is told in a sentence, and leaves symbols as they were.

Breaks where a wrong call composes something, raises another kind of error, or its message changes.
"""
import ctypes
import unittest

import symc as mx
from symc import _library
from symc.errors import NotImplementedForSymbol, SymcError, UnusedInput

S = mx.sym
V = S.Variable


def data():
    return V("data")


def fc():
    return S.FullyConnected(data(), num_hidden=3, name="fc")


CALLS = [
    (lambda: S.FullyConnected(data(), num_hidden=3, mood="x"), SymcError,
     "unknown parameter 'mood' in node 'FullyConnected'"),
    (lambda: S.FullyConnected(data()), SymcError, "node 'FullyConnected' lacks the parameter 'num_hidden'"),
    (lambda: S.FullyConnected(data(), num_hidden="many"), SymcError,
     "parameter 'num_hidden' expects an int, found 'many' in node 'FullyConnected'"),
    (lambda: S.FullyConnected(3, num_hidden=3), TypeError, "FullyConnected() takes a symbol as 'data', got 3"),
    (lambda: S.FullyConnected(data(), data=data(), num_hidden=3), TypeError,
     "FullyConnected() got argument 'data' twice"),
    (lambda: S.FullyConnected(data(), data(), data(), data(), num_hidden=3), TypeError,
     "FullyConnected() got argument 'num_hidden' twice"),
    (lambda: S.FullyConnected(datum=data(), num_hidden=3), SymcError,
     "'FullyConnected' has no argument 'datum'; its arguments are 'data', 'weight', 'bias'"),
    (lambda: S.Activation(data(), act_type="rely"), SymcError,
     "parameter 'act_type' expects one of relu, sigmoid, tanh, softrelu, softsign, found 'rely' in node 'Activation'"),
    (lambda: S.Concat(data(), 3), TypeError, "Concat() takes symbols, argument 1 is 3"),
    (lambda: S.Convolution(data(), kernel=(3, 3), num_filter=0), SymcError,
     "parameter 'num_filter' must be at least 1, found 0 in node 'Convolution'"),
    (lambda: S.Dropout(data(), p=2), SymcError, "parameter 'p' must be between 0 and 1, found 2 in node 'Dropout'"),
    (lambda: S.Convoluton(data()), AttributeError, "symc.sym has no operator 'Convoluton'"),
    (lambda: data().convolute(), AttributeError, "Symbol has no attribute 'convolute'"),
    (lambda: fc()(V("x")), SymcError, "a symbol that has its inputs takes others by keyword alone"),
    (lambda: fc()(datum=V("x")), SymcError,
     "the symbol reads no variable 'datum'; it reads 'data', 'fc_weight', 'fc_bias'"),
    (lambda: fc()(data=3), TypeError, "compose takes symbols, argument 'data' is 3"),
    (lambda: fc()(V("x"), data=V("x")), TypeError, "compose takes symbols by position or by keyword, not both"),
    (lambda: data()(V("x")), SymcError, "variable 'data' cannot be composed: it reads nothing"),
    (lambda: fc()(data=S.split(V("x"), num_outputs=2)), SymcError, "argument 'data' has 2 outputs, needs one of them"),
    (lambda: S.BatchNorm(data(), moving_mean=fc()), SymcError,
     "input 'moving_mean' of 'BatchNorm' is a state, needs a variable, got node 'fc' ('FullyConnected')"),
    (lambda: S.Group([]), TypeError, "Group takes a list of symbols, got []"),
    (lambda: S.Group([3]), TypeError, "Group takes a list of symbols, got [3]"),
    (lambda: V(3), TypeError, "a variable's name is a str, got 3"),
    (lambda: V("x", mood="angry"), ValueError,
     "attribute 'mood' of a variable is unknown; those of users are called __mood__"),
    (lambda: V("x", attr={"mood": 3}), ValueError, "attribute 'mood' is 3, needs a string"),
    (lambda: mx.AttrScope(mood=3), ValueError, "attribute 'mood' is 3, needs a string"),
    (lambda: data() + "x", TypeError, "type str is not supported, needs a Symbol or a number"),
    (lambda: bool(data()), NotImplementedForSymbol, "a symbol has no 'bool': what it computes is known when it runs"),
    (lambda: data().asnumpy(), NotImplementedForSymbol,
     "a symbol has no 'asnumpy': what it computes is known when it runs"),
    (lambda: data().optimize_for("x"), NotImplementedForSymbol,
     "a symbol has no 'optimize_for': symc.compile optimizes for its target"),
    (lambda: fc()["fc_outputs"], ValueError, "no output is called 'fc_outputs'; outputs are fc_output"),
    (lambda: S.Group([fc(), fc()])["fc_output"], ValueError,
     "more than one output is called 'fc_output'; outputs are fc_output, fc_output"),
    (lambda: fc()[1], IndexError, "output 1 of 1 outputs"),
    (lambda: fc()[1.5], TypeError, "an output is named by an int, a str or a slice, not by 1.5"),
    (lambda: fc().infer_shape((1, 2), data=(1, 2)), ValueError,
     "shapes of inputs are given by position or by keyword, not both"),
    (lambda: fc().infer_shape(data=3), TypeError, "the shape of 'data' is 3, needs a tuple of ints"),
    (lambda: fc().infer_shape(data=(1, 2), datum=(3,)), SymcError,
     "the symbol has no input 'datum', whose shapes are given; its inputs are data, fc_weight, fc_bias"),
    (lambda: fc().infer_type_partial(datum="int8"), SymcError,
     "the symbol has no input 'datum', whose types are given; its inputs are data, fc_weight, fc_bias"),
    (lambda: fc().infer_shape((1, 2), (3, 2), (3,), (4,)), ValueError, "4 shapes for 3 arguments"),
    (lambda: fc().infer_shape(data=(1, 2), fc_weight=(4, 2)), SymcError,
     "node 'fc': weight has shape [4, 2] but needs [3, 2] with num_hidden = 3"),
    (lambda: S.load_json("{}"), SymcError,
     "symbol:1:1: error: the graph has no field 'nodes', 'arg_nodes', 'heads'\n{}\n^"),
    (lambda: S.load_json(3), TypeError, "a symbol is loaded from a str, got 3"),
    (lambda: S.load("nowhere.json"), SymcError, "nowhere.json: error: cannot open the file: no such file or directory"),
    (lambda: fc().list_attr(recursive=True), DeprecationWarning,
     "list_attr has no recursive=True any more, attr_dict has those of all nodes"),
    (lambda: S.Group([fc(), data()])._set_attr(a="b"), SymcError,
     "outputs of several nodes, or none, have no attributes of their own"),
    (lambda: data()._set_attr(a=3), ValueError, "attribute 'a' is 3, needs a string"),
    (lambda: S.contrib.foreach(lambda x, s: (s, s), data(), V("s")), UnusedInput,
     "foreach: the body does not use 'data'"),
    (lambda: S.contrib.foreach(lambda x, s: (x, [x]), data(), [V("s")]), UnusedInput,
     "foreach: the body does not use 's'"),
    (lambda: S.contrib.foreach(lambda x, s: (x + s, [s]), data(), V("s")), ValueError,
     "foreach: the body gives states of another form than init_states"),
    (lambda: S.contrib.foreach(lambda x, s: (3, s), data(), V("s")), TypeError,
     "foreach output: needs symbols in (nested) lists, got 3"),
    (lambda: S.contrib.while_loop(lambda i: i, lambda i: (i, [i]), [data()]), ValueError,
     "while_loop: max_iterations is not given"),
    (lambda: S.contrib.while_loop(lambda: 1, lambda: 1, [], max_iterations=2), ValueError,
     "while_loop: loop_vars is empty, needs one symbol"),
    (lambda: S.contrib.while_loop(lambda i: 1, lambda i: (i, [i]), [data()], max_iterations=2), ValueError,
     "while_loop: cond gives 1, needs a symbol"),
    (lambda: S.contrib.while_loop(lambda i: i, lambda i: (i, [i, i]), [data()], max_iterations=2), ValueError,
     "while_loop: func gives 2 loop_vars, needs 1"),
    (lambda: S.contrib.while_loop(lambda i, j: i, lambda i, j: (i, [i, i]), [data(), V("j")],
                                      max_iterations=2), UnusedInput,
     "while_loop: func does not use loop_var 'j'"),
    (lambda: S.contrib.cond(data(), lambda: [data(), data()], lambda: data()), ValueError,
     "cond: then_func gives 2 outputs and else_func 1"),
    (lambda: S.contrib.cond(S.split(data(), num_outputs=2), lambda: data(), lambda: data()), SymcError,
     "argument 'data' has 2 outputs, needs one of them"),
    (lambda: S.random.uniform(0, data()), ValueError,
     "parameters of 'uniform' are 0, <Symbol data>, needs numbers alone or symbols alone"),
    (lambda: S.split_v2(data(), [1, 2]), ValueError,
     "split_v2 takes a number of parts or a tuple of indices, got [1, 2]"),
    (lambda: S.no_such, AttributeError, "symc.sym has no operator 'no_such'"),
    (lambda: S.contrib.no_such, AttributeError, "symc.symbol.contrib has no operator 'no_such'"),
]


class WrongSymbolsTest(unittest.TestCase):
    def test_kinds(self):
        self.assertTrue(issubclass(UnusedInput, ValueError))
        self.assertTrue(issubclass(UnusedInput, AssertionError))  # which MXNet raises

    def test_messages(self):
        self.assertGreaterEqual(len(CALLS), 50)
        for call, kind, message in CALLS:
            with self.subTest(message=message), self.assertRaises(kind) as caught:
                call()
            self.assertEqual(str(caught.exception), message)
            self.assertIs(type(caught.exception), kind)

    def test_in_place_arithmetic(self):
        x = data()
        for key in ("+=", "-=", "*=", "/="):
            with self.assertRaises(NotImplementedForSymbol) as caught:
                exec("x %s 1" % key, {"x": x})
            self.assertEqual(str(caught.exception), "a symbol has no '%s': composing makes another symbol" % key)

    def test_a_mistake_changes_nothing(self):
        x = fc()
        before = x.tojson()
        with self.assertRaises(SymcError):
            x._compose(datum=V("y"))
        self.assertEqual(x.tojson(), before)

    def test_untyped_input(self):
        with self.assertRaises(SymcError) as caught:
            S.Dropout(data(), name="drop").infer_type()
        self.assertEqual(str(caught.exception), "node 'drop': the element type of input 0 is not known")

    def test_subgraphs_of_a_composed_node(self):
        owner, graph = fc(), data()
        with self.assertRaises(SymcError) as caught:
            _library.call("symc_symbol_set_subgraphs", ctypes.c_uint64(owner.handle), ctypes.c_size_t(1),
                          _library.handles([graph.handle]))
        self.assertEqual(str(caught.exception), "only an operator that waits for its inputs is given subgraphs")

    def test_inputs_of_a_subgraph_share_a_name(self):
        with self.assertRaises(ValueError) as caught:
            S.contrib.foreach(lambda x, s: (x + V("w") * V("w"), s), data(), V("s"))
        self.assertEqual(str(caught.exception), "inputs of a subgraph share a name: data-0, w, w, s-0")

    def test_empty_arrays(self):
        with mx.np_shape(), self.assertRaises(ValueError) as caught:
            fc().infer_shape(data=(0, 3))
        self.assertEqual(str(caught.exception),
                         "the shape of 'data' is (0, 3): arrays without elements cannot be compiled")


if __name__ == "__main__":
    unittest.main()

"""If this fails, a library of another kind (integers, states, sizes that values decide, weights of the caller), or a
file that holds no model, is not handled from Python."""
import os
import tempfile
import unittest

import numpy as np
import symc
from symc import _runtime

sym = symc.sym


def compiled(symbol, shapes, *options, **more):
    return symc.compile(symbol, shapes=shapes, options=["--random-weights", *options], **more)


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

    def test_seeds(self):
        with compiled(sym.random.normal(shape=(4,)), {}) as model:
            first, second = model(), model()
            self.assertFalse(np.array_equal(first, second))
            model.set_seed(0)
            np.testing.assert_array_equal(model(), first)
            model.set_seed(2 ** 64 - 1)
            self.assertFalse(np.array_equal(model(), first))
            self.assertRaisesRegex(symc.SymcError, r"a seed is a number from 0 to 2\^64 - 1, found -1",
                                   model.set_seed, -1)

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

    def test_times_at_chosen_sizes(self):
        net = sym.elemwise_add(sym.Variable("a"), sym.Variable("b"))
        with compiled(net, {"a": ("R=1..8", "T=2..5"), "b": ("R", "T")}, "--probes") as model:
            self.assertEqual(model.bench(1).sizes, "a [8, 5], b [8, 5]")
            chosen = model.bench(1, shapes={"b": (3, 4)}, a=np.zeros((3, 4), "float32"))
            self.assertRegex(str(chosen), r"^median .* of 1 runs, a \[3, 4\], b \[3, 4\]$")
            self.assertEqual(model.bench(1, a=np.zeros((2, 3), "float32")).sizes, "a [2, 3], b [2, 3]")
            self.assertTrue(model.profile(1, shapes={"a": (1, 2)}))
            for shapes, text in (({"c": 1}, "^shapes: model '.*' has no input 'c'; its inputs are 'a', 'b'$"),
                                 ({"a": 1}, "^shapes: input 'a' has 2 dimensions, got 1$"),
                                 ({"a": (1, 2), "b": (1, 3)}, "^shapes: dimension 1 of input 'b' is 2 in another input, got 3$"),
                                 ({"a": (9, 2)}, r"expected f32 \[1..8, 2..5\], got f32 \[9, 2\]")):
                self.assertRaisesRegex(ValueError, text, model.bench, 1, shapes)
        with compiled(sym.Variable("x") + 1, {"x": (2,)}) as model:
            self.assertEqual(model.bench(1, {"x": 2}).sizes, "")
            self.assertRaisesRegex(ValueError, "^shapes: dimension 0 of input 'x' is 2, got 3$", model.bench, 1, {"x": 3})

    def test_times_of_pictures(self):
        net, pixels = sym.Pooling(sym.Variable("image"), global_pool=True, pool_type="max", name="p"), np.zeros((6, 5, 3), "uint8")
        for shape in ((1, 3, 4, 4), (1, 3, "H=2..8", "W=2..8")):
            with compiled(net, {"image": shape}, "--probes", "--preprocess", "image=" + ("resize" if shape[2] == 4 else "u8")) as model:
                self.assertEqual(model.bench(2, image=pixels).runs, 2)
                self.assertEqual([each.node for each in model.profile(1, image=pixels)][-1:], ["p"])

    def test_figures_of_open_sizes(self):
        net = sym.FullyConnected(sym.Variable("x"), num_hidden=4, no_bias=True, name="fc")
        with compiled(net, {"x": ("R=1..8", 3)}, "--probes") as model:
            self.assertEqual(sum(row.flops for row in model.profile(1).rows()), 2 * 8 * 3 * 4)
            self.assertEqual(sum(row.flops for row in model.profile(1, x=np.zeros((8, 3), "float32")).rows()), 2 * 8 * 3 * 4)
            self.assertEqual(sum(row.flops for row in model.profile(1, shapes={"x": (5, 3)}).rows()), 0)  # not known

    def test_steps(self):
        with compiled(sym.softmax(sym.Variable("x"), name="s"), {"x": (4, 100)}, "--probes") as model:
            steps = model.profile()
            self.assertEqual(steps[-1].node, "s")
            self.assertRegex(str(steps), r"(?s)^ +ms   share .*\ntotal .* ms in \d+ steps")


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
                file.write(data.replace(b"SYMC" + bytes([_runtime.ABI_VERSION, 0, 0, 0]), b"SYMC\x63\x00\x00\x00"))
            with open(old + ".so", "wb") as file:
                file.write(data.replace(b"net_run\0", b"net_ran\0"))
            self.assertRaisesRegex(symc.SymcError, "has no function 'net_run': compile the model again",
                                   symc.Model, old + ".so")
            self.assertRaisesRegex(symc.SymcError, "has ABI 99, this package has %d: compile the model again" % _runtime.ABI_VERSION,
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

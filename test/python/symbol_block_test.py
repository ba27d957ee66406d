"""If this fails, an imported block computes by other parameters than its file has, or a helper of tests accepts wrong
values."""
import gzip
import os
import struct
import tempfile
import unittest
import warnings

import numpy as np
import symc as mx

SymbolBlock = mx.gluon.SymbolBlock
DATA = np.random.default_rng(1).standard_normal((2, 3)).astype("float32")


def close(got, wanted, **tolerances):
    np.testing.assert_allclose(np.asarray(got), np.asarray(wanted), **tolerances)  # as arrays of NumPy


def equal(got, wanted):
    np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))


def network():
    data = mx.sym.Variable("data")
    net = mx.sym.BatchNorm(mx.sym.FullyConnected(data, num_hidden=4, name="fc"), name="bn", fix_gamma=False, eps=1e-3)
    return mx.sym.Activation(net, act_type="relu", name="relu")


def values(net=None):
    net = net or network()
    rng = np.random.default_rng(2)
    arguments, _, states = net.infer_shape(data=DATA.shape)
    found = dict(zip(net.list_arguments() + net.list_auxiliary_states(), arguments + states))
    return {name: rng.uniform(0.5, 1.5, shape).astype("float32") for name, shape in found.items() if name != "data"}


def expected(params, data=DATA):
    fc = data @ params["fc_weight"].T + params["fc_bias"]
    scale = params["bn_gamma"] / np.sqrt(params["bn_moving_var"] + 1e-3)
    return np.maximum((fc - params["bn_moving_mean"]) * scale + params["bn_beta"], 0)


class Blocks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.params = folder.name, values()
        self.symbol, self.file = self.path("net-symbol.json"), self.path("net-0000.params")
        network().save(self.symbol)
        mx.nd.save(self.file, {("aux:" if "moving" in name else "arg:") + name: value
                               for name, value in self.params.items()})

    def path(self, name):
        return os.path.join(self.folder, name)

    def imported(self):
        return SymbolBlock.imports(self.symbol, ["data"], self.file, ctx=mx.cpu())

    def test_calls(self):
        net = self.imported()
        net.hybridize(static_alloc=True)
        for rows in (2, 1, 2):  # another shape compiles
            close(net(mx.nd.array(DATA[:rows])), expected(self.params, DATA[:rows]), rtol=1e-5)
        self.assertIsInstance(net(DATA), mx.nd.NDArray)
        close(net(DATA.tolist()), expected(self.params), rtol=1e-5)
        self.assertEqual(repr(net), "SymbolBlock(data -> relu_output)")
        one = SymbolBlock.imports(self.symbol, "data", self.file)
        close(one(DATA), expected(self.params), rtol=1e-5)

    def test_parameters(self):
        net = self.imported()
        params = net.collect_params()
        self.assertEqual(sorted(params), sorted(self.params))
        self.assertEqual(params["fc_weight"].shape, (4, 3))
        self.assertEqual([params[name].grad_req for name in ("fc_weight", "bn_moving_var")], ["write", "null"])
        equal(params["fc_bias"].data().asnumpy(), self.params["fc_bias"])
        self.assertEqual(sorted(net.collect_params("bn_.*")), sorted(name for name in self.params if name[:2] == "bn"))
        net(DATA)
        params["fc_bias"].data()[:] = 2  # the array itself
        other = {**self.params, "fc_bias": np.full(4, 2, "float32")}
        close(net(DATA), expected(other), rtol=1e-5)
        other["fc_weight"] = np.ones((4, 3), "float32")
        params["fc_weight"].set_data(mx.nd.ones((4, 3)))
        close(net(DATA), expected(other), rtol=1e-5)
        self.assertRaisesRegex(ValueError, r"^parameter 'fc_weight': expected shape \(4, 3\), got \(2, 3\)$",
                               params["fc_weight"].set_data, mx.nd.ones((2, 3)))
        self.assertRegex(repr(params["fc_bias"]), r"^Parameter fc_bias \(shape=\(4,\), dtype=<class 'numpy.float32'>\)$")

    def test_made_of_symbols(self):
        net = network()
        block = SymbolBlock([net, net.get_internals()["fc_output"]], [mx.sym.Variable("data")])
        mx.nd.save(self.path("plain.params"), self.params)
        block.load_parameters(self.path("plain.params"), ctx=[mx.cpu()])
        relu, fc = block(DATA)
        close(relu, expected(self.params), rtol=1e-5)
        close(fc, DATA @ self.params["fc_weight"].T + self.params["fc_bias"], rtol=1e-5)
        again = SymbolBlock(net, mx.sym.Variable("data"), params=block.collect_params())
        close(again(DATA), relu, rtol=1e-6)
        inside = again(mx.sym.Variable("x") * 2)
        self.assertIn("x", inside.list_arguments())
        close(inside.bind(mx.cpu(), {"x": mx.nd.array(DATA / 2), **{
            name: mx.nd.array(value) for name, value in self.params.items() if "moving" not in name}}, aux_states={
                name: mx.nd.array(value) for name, value in self.params.items() if "moving" in name}).forward()[0],
            relu, rtol=1e-5)

    def test_several_inputs(self):
        a, b = mx.sym.Variable("a"), mx.sym.Variable("b")
        block = SymbolBlock(a - 2 * b, [a, b])
        self.assertEqual(block(np.full((1, 2), 7.0), np.ones((1, 2))).tolist(), [[5, 5]])
        self.assertEqual(block.collect_params(), {})
        self.assertRaisesRegex(TypeError, r"^the block takes 2 inputs \(a, b\), 1 are given$", block, DATA)

    def test_unread_input(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            block = SymbolBlock(mx.sym.Variable("a") * 3, [mx.sym.Variable("b"), mx.sym.Variable("a")])
        self.assertEqual([str(each.message) for each in caught], ["no output reads input 'b'"])
        self.assertEqual(block(np.ones((4, 1)), np.ones((1, 2))).tolist(), [[3, 3]])
        self.assertEqual(block(mx.sym.Variable("x"), mx.sym.Variable("y")).list_arguments(), ["y"])

    def test_parameter_with_an_initialiser(self):
        found = mx.gluon.ParameterDict()
        found.get("w", shape=2, init=mx.init.Constant(3))
        found.initialize(mx.init.One())
        self.assertEqual(found["w"].data().tolist(), [3, 3])
        found["w"].initialize(mx.init.Constant(4), force_reinit=True)
        self.assertEqual(found["w"].data().tolist(), [4, 4])

    def test_initialize(self):
        block = SymbolBlock(network(), [mx.sym.Variable("data")])
        self.assertRaisesRegex(mx.SymcError, r"^parameter 'fc_weight' has no value: load_parameters or initialize\(\) gives",
                               block, DATA)
        block.initialize(mx.init.One())
        self.assertRaisesRegex(mx.gluon.DeferredInitializationError, "^the shape of parameter 'fc_weight' is known at the "
                               "first call$", block.params["fc_weight"].data)
        close(block(DATA), np.maximum(DATA.sum(1), 0)[:, None].repeat(4, 1) / np.sqrt(1.001), rtol=1e-5)

    def test_files(self):
        net = self.imported()
        made = net.export(self.path("out"), epoch=3)
        self.assertEqual([os.path.basename(each) for each in made], ["out-symbol.json", "out-0003.params"])
        self.assertEqual(sorted(mx.nd.load(made[1]))[-1], "aux:bn_moving_var")
        equal(SymbolBlock.imports(made[0], ["data"], made[1])(DATA), net(DATA))
        net.save_parameters(self.path("saved.params"))
        self.assertEqual(sorted(mx.nd.load(self.path("saved.params"))), sorted(self.params))
        other = SymbolBlock(network(), [mx.sym.Variable("data")])
        other.load_parameters(self.path("saved.params"))
        equal(other(DATA), net(DATA))

    def test_files_that_do_not_fit(self):
        less = {name: value for name, value in self.params.items() if name != "fc_bias"}
        mx.nd.save(self.path("less.params"), less)
        mx.nd.save(self.path("more.params"), {**self.params, "x": mx.nd.ones(1)})
        mx.nd.save(self.path("list.params"), [mx.nd.ones(1)])
        mx.nd.save(self.path("half.params"), {**self.params, "fc_bias": np.zeros(4, "float16")})
        block = SymbolBlock(network(), [mx.sym.Variable("data")])
        for error, text, call in (
                (mx.SymcError, "less.params has no parameter 'fc_bias'; allow_missing=True leaves it out. It has ",
                 lambda: block.load_parameters(self.path("less.params"))),
                (mx.SymcError, "more.params has parameter 'x', the network has not; ignore_extra=True passes over it$",
                 lambda: block.load_parameters(self.path("more.params"))),
                (mx.SymcError, "list.params: the arrays have no names$",
                 lambda: block.load_parameters(self.path("list.params"))),
                (mx.SymcError, "^parameter 'fc_bias' of .*half.params is float16, the network has it as float32; "
                 "cast_dtype=True casts it$", lambda: block.load_parameters(self.path("half.params"))),
                (ValueError, "^dtype_source is 'x', needs current or saved$",
                 lambda: block.load_parameters(self.file, dtype_source="x")),
                (ValueError, r"net-symbol.json has no input 'dato'; its inputs are data, fc_weight",
                 lambda: SymbolBlock.imports(self.symbol, ["dato"], self.file)),
                (ValueError, "^input 'fc' of a SymbolBlock is a node, needs a variable$",
                 lambda: SymbolBlock(network(), network().get_internals()["fc_output"])),
                (TypeError, "^outputs of a SymbolBlock are a symbol or a list of symbols, got 5$",
                 lambda: SymbolBlock(5, mx.sym.Variable("data"))),
                (ValueError, r"^parameter 'fc_weight' does not begin with strip_prefix 'bn_'$",
                 lambda: self.imported().params.save(self.path("x"), "bn_"))):
            with self.subTest(text):
                self.assertRaisesRegex(error, text, call)
        block.load_parameters(self.path("half.params"), cast_dtype=True)
        block.load_parameters(self.path("more.params"), ignore_extra=True)
        close(block(DATA), expected(self.params), rtol=1e-5)
        self.assertRaisesRegex(ValueError, r"^parameter 'fc_weight' has shape \(4, 3\), inputs of these shapes need \(4, 5\)$",
                               block, np.ones((2, 5), "float32"))

    def test_other_types(self):
        net = self.imported()
        self.assertRaisesRegex(TypeError, "^parameter 'fc_weight' is float32, inputs of these types need float64; cast",
                               net, DATA.astype("float64"))
        net.cast("float64")
        wide = net(mx.nd.array(DATA, dtype="float64"))
        self.assertEqual(wide.dtype, np.float64)
        close(wide, expected(self.params), rtol=1e-6)
        net.cast("float16")
        self.assertEqual((net.params["fc_weight"].dtype, net.params["bn_moving_var"].dtype), (np.float16, np.float32))

    def test_what_is_absent(self):
        for text, call in (
                ("module 'symc.gluon' has no attribute 'nn': gluon has SymbolBlock here, which predicts; nn belongs to",
                 lambda: mx.gluon.nn),
                ("'Trainer': gluon has SymbolBlock here, which predicts; Trainer belongs to training$",
                 lambda: mx.gluon.Trainer),
                ("module 'symc.contrib' has no attribute 'onnx': symc reads symbol files$", lambda: mx.contrib.onnx)):
            with self.subTest(text):
                self.assertRaisesRegex(AttributeError, text, call)
        self.assertRaisesRegex(mx.SymcError, "^contrib.quantization.quantize_model is absent: files that MXNet quantized are "
                               "compiled as they are$", mx.contrib.quantization.quantize_model, network())
        self.assertRaisesRegex(mx.SymcError, "^contrib.amp.convert_model is absent: symc.compile takes the types",
                               mx.contrib.amp.amp.convert_model)
        self.assertIs(mx.contrib.sym, mx.sym.contrib)
        self.assertIs(mx.contrib.symbol.box_nms, mx.sym.contrib.box_nms)


class Utilities(unittest.TestCase):
    utils = mx.gluon.utils

    def test_norms(self):
        arrays = [mx.nd.array([3.0, 0.0]), mx.nd.array([[0.0, 4.0]])]
        self.assertEqual(self.utils.clip_global_norm(arrays, 10), 5)
        self.assertEqual(arrays[1].tolist(), [[0, 4]])
        self.assertEqual(self.utils.clip_global_norm(arrays, 1, check_isfinite=False).asnumpy(), [5])
        close(np.concatenate([each.asnumpy().ravel() for each in arrays]), [0.6, 0, 0, 0.8], rtol=1e-6)
        with self.assertWarnsRegex(UserWarning, "^the norm of the arrays is inf: nothing sensible comes of their clipping$"):
            self.utils.clip_global_norm([mx.nd.array([np.inf])], 1)
        self.assertRaisesRegex(ValueError, "^clip_global_norm takes at least one array$", self.utils.clip_global_norm, [], 1)

    def test_parts(self):
        rows = np.arange(10).reshape(5, 2)
        self.assertEqual([each.shape for each in self.utils.split_and_load(rows, [mx.cpu(), mx.cpu()], even_split=False)],
                         [(2, 2), (3, 2)])
        self.assertEqual([each.tolist() for each in self.utils.split_data(rows[:1], 2, batch_axis=1)], [[[0]], [[1]]])
        self.assertRaisesRegex(ValueError, "^split_data: 5 rows along axis 0 do not divide by 2; even_split=False cuts "
                               "unequal parts$", self.utils.split_data, rows, 2)
        self.assertRaisesRegex(ValueError, "^split_data: 5 rows along axis 0 give no 6 parts$", self.utils.split_data, rows, 6,
                               even_split=False)

    def test_sums_of_files(self):
        with tempfile.NamedTemporaryFile() as file:
            self.assertTrue(self.utils.check_sha1(file.name, "da39a3ee5e6b4b0d3255bfef95601890afd80709"))
            self.assertFalse(self.utils.check_sha1(file.name, "0" * 40))


class Helpers(unittest.TestCase):
    utils = mx.test_utils

    def test_comparisons(self):
        check = self.utils.assert_almost_equal
        check(np.float32([1, 2]), np.float32([1, 2.0005]))
        check(np.float16([1]), np.float32([1.05]))  # by the wider tolerance
        check(np.int32([1, 2]), mx.nd.array([1, 2], dtype="int32"))
        check(np.array([1, np.nan]), np.array([1, np.nan]), equal_nan=True)
        check(1.0, mx.nd.array([1]))
        self.assertRaisesRegex(AssertionError, r"^1 of 2 elements differ by more than rtol=0.0001, atol=0.001; the worst at "
                               r"\[1\]: x is 2.0, y is 2.5$", check, np.float32([1, 2]), np.float32([1, 2.5]),
                               names=("x", "y"))
        self.assertRaises(AssertionError, check, np.int32([1]), np.int32([2]))
        self.assertRaises(AssertionError, check, np.array([np.nan]), np.array([1.0]))
        self.assertTrue(self.utils.same(mx.nd.ones(2), np.ones(2)))
        self.assertFalse(self.utils.almost_equal(np.ones(1), np.ones(1) + 1e-4))
        self.utils.assert_almost_equal_with_err(np.float32([1, 2]), np.float32([1, 9]), etol=0.5)
        self.assertRaises(AssertionError, self.utils.assert_almost_equal_with_err, np.zeros(2), np.ones(2), etol=0.5)
        self.utils.assert_almost_equal_ignore_nan(np.array([np.nan, 1]), np.array([1, 1.0]))
        self.utils.assert_exception(int, ValueError, "x")
        self.assertRaisesRegex(AssertionError, "^int did not raise ValueError$", self.utils.assert_exception, int,
                               ValueError, "1")
        a, b = mx.sym.Variable("a"), mx.sym.Variable("b")
        self.assertTrue(self.utils.same_symbol_structure(mx.sym.sin(a), mx.sym.sin(b, name="other")))
        self.assertFalse(self.utils.same_symbol_structure(mx.sym.sin(a), mx.sym.cos(a)))

    def test_digits(self):
        self.assertRaisesRegex(mx.errors.MissingFile, "^data/train-images-idx3-ubyte: there is no such file, gzipped or not; "
                               "symc loads nothing from the network, put MNIST's files there$", self.utils.get_mnist_ubyte)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "data"))
            for part, count in (("train", 4), ("t10k", 2)):
                for name, magic, shape in (("images-idx3", 2051, (count, 28, 28)), ("labels-idx1", 2049, (count,))):
                    path = os.path.join(folder, "data", "%s-%s-ubyte%s" % (part, name, ".gz" if part == "t10k" else ""))
                    with (gzip.open if path.endswith("gz") else open)(path, "wb") as file:
                        file.write(struct.pack(">%di" % (len(shape) + 1), magic, *shape) + bytes([count]) * int(np.prod(shape)))
            os.chdir(folder)
            try:
                found = self.utils.get_mnist()
                train, test = self.utils.get_mnist_iterator(2, (784,), num_parts=2, part_index=1)
                self.assertEqual([len(list(each)) for each in (train, test)], [1, 1])
                self.assertEqual(self.utils.get_mnist_iterator(2, (1, 28, 28))[0].provide_data[0].shape, (2, 1, 28, 28))
            finally:
                os.chdir(before)
        self.assertEqual(found["train_data"].shape, (4, 1, 28, 28))
        close(found["test_data"], np.full((2, 1, 28, 28), 2 / 255), rtol=1e-6)
        self.assertEqual(found["test_label"].tolist(), [2, 2])
        self.assertEqual(train.provide_data[0].shape, (2, 784))

    def test_random(self):
        self.assertEqual(self.utils.rand_ndarray((2, 3)).dtype, np.float32)
        self.assertEqual([each.shape for each in self.utils.random_arrays((2,), (3, 1))], [(2,), (3, 1)])
        self.assertTrue(all(1 <= extent <= 4 for extent in self.utils.rand_shape_nd(5, 4)))
        self.assertEqual((len(self.utils.rand_shape_2d()), len(self.utils.rand_shape_3d())), (2, 3))
        self.assertEqual(sorted(self.utils.random_sample([1, 2, 3], 3)), [1, 2, 3])
        self.assertRaisesRegex(mx.SymcError, "^stype is 'csr': arrays are dense$", self.utils.rand_ndarray, (1,), "csr")
        self.assertEqual(self.utils.create_2d_tensor(2, 2).tolist(), [[0, 0], [1, 1]])
        self.assertEqual(self.utils.np_reduce(np.ones((2, 3, 4)), (0, 2), True, np.sum).tolist(), [[[8], [8], [8]]])

    def test_symbols(self):
        net = 2 * mx.sym.Variable("a") + mx.sym.Variable("b")
        one = np.ones((2, 2))
        self.utils.check_symbolic_forward(net, {"a": one, "b": one}, [3 * one])
        self.utils.check_symbolic_forward(net, [one, 0 * one], {net.list_outputs()[0]: 2 * one})
        self.assertRaisesRegex(AssertionError, "^4 of 4 elements differ", self.utils.check_symbolic_forward, net, [one, one],
                               [one])
        self.assertRaisesRegex(ValueError, "^arrays of a for the arguments a, b$", self.utils.check_symbolic_forward, net,
                               {"a": one}, [one])
        self.assertEqual(self.utils.simple_forward(net, a=one, b=one).tolist(), [[3, 3], [3, 3]])

    def test_consistency(self):
        data = mx.sym.Variable("data")
        contexts = [{"ctx": mx.cpu(), "data": (2, 3), "type_dict": {"data": dtype}} for dtype in (np.float64, np.float32)]
        self.utils.check_consistency(mx.sym.FullyConnected(data, num_hidden=2, name="fc"), contexts)
        self.utils.check_consistency([mx.sym.identity(each, name="x") for each in (data * 2, data + data)], contexts)
        self.assertRaisesRegex(ValueError, "^arguments and outputs are .* of one symbol, .* of another$",
                               self.utils.check_consistency, [data * 2, data + data], contexts)
        self.assertRaisesRegex(AssertionError, "^output '.*': 6 of 6 elements differ by more than", self.utils.check_consistency,
                               [mx.sym.identity(data, name="x"), mx.sym.identity(data + 1, name="x")], contexts)
        self.assertRaisesRegex(  # the same outputs
            AssertionError, "^gradient 'data': 6 of 6 elements differ by more than", self.utils.check_consistency,
            [mx.sym.identity(each, name="x") for each in (data, mx.sym.BlockGrad(data))], contexts)
        self.assertRaisesRegex(ValueError, "^1 symbols for 1 contexts, needs two or more of both$",
                               self.utils.check_consistency, data, contexts[:1])

    def test_scopes(self):
        with self.utils.environment("SYMC_TEST_VALUE", 3):
            self.assertEqual(os.environ["SYMC_TEST_VALUE"], "3")
        self.assertNotIn("SYMC_TEST_VALUE", os.environ)
        tries = []

        @self.utils.retry(3)
        def late():
            tries.append(1)
            assert len(tries) == 3
        late()
        self.assertEqual(self.utils.default_context(), mx.cpu())


if __name__ == "__main__":
    unittest.main()

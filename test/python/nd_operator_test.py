"""If this fails, a function of mx.nd gives another answer than MXNet does, or a name that MXNet has is neither there nor
refused by name.

The answers are those of test/conformance: each case of a single node is a call of that operator's function.
"""
import fnmatch
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np
import symc as mx
from symc import ndarray_files, operators

CASES = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "conformance", "ops"))
LEAST_CASES, LEAST_OPERATORS = 1800, 500


class Case:
    """A case whose graph is one node over variables; raises LookupError for another."""

    def __init__(self, folder):
        with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
            self.facts = json.load(file)
        with open(os.path.join(folder, "symbol.json"), encoding="utf-8") as file:
            graph = json.load(file)
        nodes = [each for each in graph["nodes"] if each["op"] != "null"]
        if len(nodes) != 1 or "subgraphs" in nodes[0] or self.facts["mode"] != "predict":
            raise LookupError(folder)
        node = nodes[0]
        self.operator = node["op"]
        self.values = {key: text for key, text in (node.get("attrs") or node.get("attr") or node.get("param") or {}).items()
                       if not key.startswith("__")}
        self.names = [graph["nodes"][entry[0]]["name"] for entry in node["inputs"]]
        self.heads = [head[1] for head in graph["heads"]]
        self.arrays = ndarray_files.load(os.path.join(folder, "io.params"))

    def inputs(self):
        found = []
        for name in self.names:
            kinds = [kind + ":" + name for kind in ("data", "arg", "aux") if kind + ":" + name in self.arrays]
            found.append(self.arrays[kinds[0]].copy())
        return found

    def call(self, arrays):
        """The results of mx.nd's function, a list."""
        module = mx.nd._internal if self.operator.startswith("_") else mx.nd
        function = getattr(module, self.operator)
        facts = operators.table()[self.operator]
        if operators._variadic_counter(facts)[0]:
            made = function(*arrays, **self.values)
        else:
            made = function(**dict(zip(self.keys(), arrays)), **self.values)
        return made if isinstance(made, list) else [made]

    def keys(self):
        """What the operator calls the inputs that it has with these parameters."""
        module = mx.sym._internal if self.operator.startswith("_") else mx.sym
        with mx.AttrScope():
            node = getattr(module, self.operator)(name="n", **self.values)
        node = node[0] if isinstance(node, list) else node
        return [each[len("n_"):] for each in node.list_inputs()]

    def tolerance(self, place):
        own = (self.facts.get("tolerances") or []) + [None] * (place + 1)
        return own[place] or [self.facts["rtol"], self.facts["atol"]]

    def differences(self):
        arrays = self.inputs()
        for _ in range(self.facts.get("runs", 1)):
            made = self.call(arrays)
        wanted = [(self.arrays["out:%d" % place], made[index], self.tolerance(place))
                  for place, index in enumerate(self.heads) if index < len(made)]  # no function returns hidden outputs
        wanted += [(value, arrays[self.names.index(key[len("aux_out:"):])], [self.facts["rtol"], self.facts["atol"]])
                   for key, value in self.arrays.items() if key.startswith("aux_out:")]
        if not wanted:
            raise AssertionError("nothing to compare")
        for place, (value, got, (rtol, atol)) in enumerate(wanted):
            value, got = value.view(np.ndarray), got.view(np.ndarray)
            if (value.shape, value.dtype) != (got.shape, got.dtype):
                yield "result %d is %s %s, needs %s %s" % (place, got.dtype, got.shape, value.dtype, value.shape)
                continue
            np.testing.assert_allclose(got.astype("float64"), value.astype("float64"), rtol, atol, equal_nan=True,
                                       err_msg="result %d" % place)


def all_cases():
    for operator in sorted(os.listdir(CASES)):
        for name in sorted(os.listdir(os.path.join(CASES, operator))):
            folder = os.path.join(CASES, operator, name)
            try:
                yield "%s/%s" % (operator, name), Case(folder)
            except LookupError:
                pass


def listed_names():
    """{module: names} of nd_names.txt."""
    found = {}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "nd_names.txt"), encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if line.startswith("#"):
                continue
            if len(words) == 1 and words[0].endswith(":"):
                names = found.setdefault(words[0][:-1], [])
            else:
                names += words
    return found


def left_out():
    """Patterns of the names that docs/operators-left-out.md lists."""
    page = os.path.join(os.path.dirname(CASES), os.pardir, os.pardir, "docs", "operators-left-out.md")
    with open(page, encoding="utf-8") as file:
        rows = [line.split("|")[1] for line in file if line.startswith("| `")]
    return [pattern for row in rows for pattern in row.replace("`", "").replace(",", " ").split()]


class Answers(unittest.TestCase):
    def test_cases(self):
        """One case of each operator; all of them where SYMC_ALL_CASES is set."""
        passed, operators_of, first = 0, set(), set()
        for name, case in all_cases():
            if case.operator in first and not os.environ.get("SYMC_ALL_CASES"):
                continue
            first.add(case.operator)
            with self.subTest(name):
                self.assertEqual(list(case.differences()), [])
                passed += 1
                operators_of.add(case.operator)
        self.assertGreaterEqual(len(operators_of), LEAST_OPERATORS)
        self.assertGreaterEqual(passed, LEAST_CASES if os.environ.get("SYMC_ALL_CASES") else LEAST_OPERATORS)


class Names(unittest.TestCase):
    def check(self, module, key, full_name):
        try:
            getattr(module, key)
        except mx.SymcError as reason:  # refused by name
            self.assertIn("'%s'" % key, str(reason))
        except AttributeError as reason:
            self.assertIn("'%s'" % key, str(reason))
            self.assertTrue(any(fnmatch.fnmatchcase(full_name, pattern) for pattern in left_out()),
                            "%s is neither there nor listed as left out" % full_name)

    def test_functions(self):
        prefixes = {"nd": "", "contrib": "_contrib_", "linalg": "_linalg_", "random": "_random_", "image": "_image_"}
        for part, names in listed_names().items():
            for key in names if part in prefixes else ():
                with self.subTest("%s.%s" % (part, key)):
                    self.check(mx.nd if part == "nd" else getattr(mx.nd, part), key, prefixes[part] + key)

    def test_methods(self):
        for key in listed_names()["NDArray"]:
            with self.subTest(key):
                self.assertTrue(hasattr(mx.nd.NDArray, key))

    def test_registered_operators(self):
        here = os.path.dirname(os.path.abspath(__file__))
        found = [path for root, _, files in os.walk(os.path.join(here, os.pardir, os.pardir, "tools", "scripts"))
                 for path in files if path == "registered_operators.txt" for path in [os.path.join(root, path)]]
        with open(found[0], encoding="utf-8") as file:
            names = [line.split()[0] for line in file if line.strip()]
        self.assertGreater(len(names), 1000)
        for name in names:
            module = mx.nd._internal if name.startswith("_") else mx.nd
            with self.subTest(name):
                self.check(module, name, name)

    def test_sparse_is_refused_by_name(self):
        self.assertRaisesRegex(mx.SymcError, "has no attribute 'csr_matrix': arrays are dense", getattr, mx.nd.sparse,
                               "csr_matrix")
        self.assertRaisesRegex(mx.SymcError, "storage 'csr' are not supported: arrays are dense", mx.nd.zeros, (2, 2),
                               stype="csr")
        self.assertRaisesRegex(mx.SymcError, "storage 'csr' are not supported", mx.nd.cast_storage, mx.nd.ones(2), "csr")
        self.assertRaisesRegex(mx.SymcError, "tostype: arrays are dense, storage 'csr'", mx.nd.ones(2).tostype, "csr")
        self.assertRaisesRegex(mx.SymcError, "no attribute 'multi_sgd_update': mx.optimizer updates", getattr, mx.nd,
                               "multi_sgd_update")
        self.assertRaisesRegex(AttributeError, "symc.ndarray' has no attribute 'nothing'", getattr, mx.nd, "nothing")
        one = mx.nd.ones(1)
        self.assertRaisesRegex(AttributeError, "no attribute 'handle': its memory is NumPy's", getattr, one, "handle")
        self.assertRaisesRegex(mx.SymcError, "arrays are NumPy's: other libraries take x.asnumpy", one.to_dlpack_for_read)


class Calls(unittest.TestCase):
    def setUp(self):
        self.a = mx.nd.array([[1, 2], [3, 4]])
        self.b = mx.nd.array([[5, 6], [7, 8]])
        self.i = mx.nd.array([[1, 2], [3, 4]], dtype="int32")

    def equal(self, found, wanted, dtype="float32"):
        self.assertIsInstance(found, mx.nd.NDArray)
        self.assertEqual(found.dtype, np.dtype(dtype))
        np.testing.assert_allclose(found.asnumpy(), wanted, 1e-6)

    def test_arguments(self):
        a, b = self.a, self.b
        for made in (mx.nd.dot(a, b), mx.nd.dot(lhs=a, rhs=b), mx.nd.dot(a, rhs=b), mx.nd.dot(a, b, False, name="x"),
                     mx.nd.op.dot(a, b), mx.nd.dot(np.asarray(a), np.asarray(b))):
            self.equal(made, [[19, 22], [43, 50]])
        self.equal(mx.nd.FullyConnected(a, b, None, num_hidden=2, no_bias=True), [[17, 23], [39, 53]])
        self.equal(mx.nd.stack(a, b, axis=1).shape_array(), [2, 2, 2], "int64")
        self.equal(mx.nd.add_n(a, b, a), [[7, 10], [13, 16]])
        self.equal(mx.nd.add_n([a, b]), [[6, 8], [10, 12]])
        self.equal(mx.nd.cast(a, np.int32), [[1, 2], [3, 4]], "int32")
        self.equal(mx.nd.all_finite(a), [1])
        strided = mx.nd.array(np.arange(16).reshape(4, 4))[::2, ::2]
        self.equal(mx.nd.square(strided), [[0, 4], [64, 100]])
        self.equal(mx.nd.square(a.astype(">f4")), [[1, 4], [9, 16]])

    def test_several_results_are_a_list(self):
        values, places = mx.nd.topk(self.a, ret_typ="both")
        self.equal(values, [[2], [4]])
        self.equal(places, [[1], [1]])
        self.assertEqual([each.shape for each in mx.nd.split(self.a, num_outputs=2)], [(2, 1)] * 2)
        self.equal(mx.nd.split(self.a, num_outputs=1), self.a.asnumpy())
        self.assertEqual(len(self.a.split_v2(2)), 2)

    def test_out(self):
        a, b = self.a, self.b
        self.assertIs(mx.nd.square(a, out=b), b)
        self.equal(b, [[1, 4], [9, 16]])
        self.assertIs(mx.nd.transpose(a, out=a), a)  # what is read is what is written
        self.equal(a, [[1, 3], [2, 4]])
        wide = mx.nd.zeros((2, 4))
        mx.nd.square(a, out=wide[:, ::2])
        self.equal(wide, [[1, 0, 9, 0], [4, 0, 16, 0]])
        parts = [mx.nd.zeros((2, 1)), mx.nd.zeros((2, 1))]
        self.assertIs(mx.nd.split(a, num_outputs=2, out=parts), parts)
        self.equal(parts[1], [[3], [4]])
        double = mx.nd.zeros((3,), dtype="float64")
        mx.nd.random.uniform(1, 2, out=double)
        self.assertTrue((double.asnumpy() >= 1).all())
        for error, text, out in ((ValueError, r"square: out is float32 \(3,\), the result is float32 \(2, 2\)", mx.nd.ones(3)),
                                 (TypeError, "square: out is int32 .* the result is float32", self.i),
                                 (ValueError, "square: out has 2 arrays, the operator gives 1", [a, b]),
                                 (TypeError, "square: out is an array or a list of arrays, got 3", 3)):
            self.assertRaisesRegex(error, text, mx.nd.square, a, out=out)

    def test_numbers(self):
        a, i = self.a, self.i
        for found, wanted, dtype in (
                (mx.nd.maximum(a, 3), [[3, 3], [3, 4]], "float32"), (mx.nd.maximum(3, a), [[3, 3], [3, 4]], "float32"),
                (mx.nd.maximum(i, 2.5), [[2, 2], [3, 4]], "int32"), (mx.nd.add(i, 2.5), [[3, 4], [5, 6]], "int32"),
                (mx.nd.subtract(3, a), [[2, 1], [0, -1]], "float32"), (mx.nd.divide(i, 2), [[0, 1], [1, 2]], "int32"),
                (mx.nd.power(2, a), [[2, 4], [8, 16]], "float32"), (mx.nd.equal(a, 2), [[0, 1], [0, 0]], "float32"),
                (mx.nd.lesser(2, a), [[0, 0], [1, 1]], "float32"), (mx.nd.logical_xor(a, 0), [[1, 1], [1, 1]], "float32"),
                (mx.nd.modulo(-5, i), [[0, 1], [1, 3]], "int32"), (mx.nd.minimum(a, self.b), [[1, 2], [3, 4]], "float32"),
                (mx.nd.add(a, mx.nd.ones((1, 2))), [[2, 3], [4, 5]], "float32")):
            self.equal(found, wanted, dtype)
        self.assertEqual((mx.nd.maximum(3, 4), mx.nd.equal(1, 2), mx.nd.logical_and(1, 2)), (4, 0, 1))
        self.assertRaisesRegex(TypeError, r"add\(\) takes arrays and numbers, got 'x'", mx.nd.add, a, "x")

    def test_updates_are_in_place(self):
        weight, grad, mom = mx.nd.ones(3), mx.nd.ones(3), mx.nd.ones(3)
        self.assertIs(mx.nd.sgd_mom_update(weight, grad, mom, out=weight, lr=0.1, momentum=0.9), weight)
        self.equal(mom, [0.8] * 3)
        self.equal(weight, [1.8] * 3)
        states = mx.nd.ones((3, 2))
        mx.nd.sgd_mom_update(weight, grad, states[:, 0], lr=0.1, momentum=0.9)
        self.equal(states, [[0.8, 1]] * 3)
        self.assertRaisesRegex(ValueError, r"sgd_mom_update: 'mom' is float32 \(2,\), needs float32 \(3,\)",
                               mx.nd.sgd_mom_update, weight, grad, mx.nd.ones(2), lr=0.1)
        self.assertRaisesRegex(TypeError, "sgd_mom_update: 'mom' is float64", mx.nd.sgd_mom_update, weight, grad,
                               mom.astype("float64"), lr=0.1)
        fixed = mx.nd.ones(3)
        fixed.flags.writeable = False
        self.assertRaisesRegex(ValueError, "sgd_mom_update: 'mom' is updated, but cannot be written to",
                               mx.nd.sgd_mom_update, weight, grad, fixed, lr=0.1)
        mean, var = mx.nd.zeros(3), mx.nd.zeros(3)
        mx.nd.contrib.adamw_update(weight, grad, mean, var, 1.0, lr=0.1, eta=1.0, out=weight)
        self.equal(mean, [0.1] * 3)
        image, ones = mx.nd.array(np.arange(8).reshape(1, 2, 2, 2)), mx.nd.ones(2)
        normal = mx.nd.BatchNorm(image, ones, ones, ones * 2, ones * 4, eps=1e-12)  # states that no run changes
        np.testing.assert_allclose(normal.asnumpy(), (image.asnumpy() - 2) / 2 + 1, 1e-5, 1e-6)

    def test_sizes_that_values_decide(self):
        mask = mx.nd.contrib.boolean_mask
        self.equal(mask(self.a, mx.nd.array([0, 1])), [[3, 4]])
        self.equal(mask(self.a, mx.nd.array([1, 1])), [[1, 2], [3, 4]])
        out = mx.nd.zeros((1, 2))
        self.assertIs(mask(self.a, mx.nd.array([1, 0]), out=out), out)
        self.equal(out, [[1, 2]])
        self.assertRaisesRegex(ValueError, r"boolean_mask: out is float32 \(1, 2\), the result is float32 \(2, 2\)", mask,
                               self.a, mx.nd.array([1, 1]), out=out)

    def test_ranks_beyond_those_of_compiled_code(self):
        boxes = mx.nd.array(np.arange(64).reshape((2, 1, 1, 2, 2, 2, 4)) % 9)
        many, few = mx.nd.contrib.box_iou(boxes, boxes), mx.nd.contrib.box_iou(boxes.reshape(-1, 4), boxes.reshape(-1, 4))
        self.assertEqual(many.shape, (2, 1, 1, 2, 2, 2) * 2)
        self.equal(many.reshape(16, 16), few.asnumpy())

    def test_methods(self):
        a = self.a
        self.equal(a.exp(), np.exp(a.asnumpy()))
        self.equal(a.slice_axis(axis=0, begin=0, end=1), [[1, 2]])
        self.equal(a.tile((1, 2)), [[1, 2, 1, 2], [3, 4, 3, 4]])
        self.equal(a.reshape_like(mx.nd.ones(4)), [1, 2, 3, 4])
        self.equal(mx.nd.array([1, 0]).one_hot(2), [[0, 1], [1, 0]])
        self.equal(a.norm(), [30 ** 0.5])
        self.equal(a.expand_dims(0), [[[1, 2], [3, 4]]])
        self.equal(a[:1].broadcast_to((2, 2)), [[1, 2], [1, 2]])
        self.equal(a[:1].broadcast_like(a), [[1, 2], [1, 2]])
        self.assertRaisesRegex(ValueError, r"of shape \(2, 2\) cannot be broadcast to \(3, 3\)", a.broadcast_to, (3, 3))
        self.equal(a.copy().slice_assign(mx.nd.zeros((1, 1)), (0, 0), (1, 1), None), [[0, 2], [3, 4]])
        self.equal(a.copy().slice_assign_scalar(9, (0, 0), (2, 2), (1, 1)), [[9, 9], [9, 9]])
        self.assertTrue(a.writable and a.as_nd_ndarray() is a and type(a.as_np_ndarray()) is np.ndarray)
        self.assertEqual(a.context, mx.cpu())

    def test_arrays_without_gradients(self):
        with mx.autograd.pause(), mx.autograd.predict_mode():
            self.assertFalse(mx.autograd.is_training() or mx.autograd.is_recording())
        self.assertIsNone(self.a.grad)
        self.assertTrue(np.shares_memory(self.a.detach(), self.a))

    def test_mistakes(self):
        a, nd = self.a, mx.nd
        for error, text, function, args, kwargs in (
                (TypeError, r"exp\(\) takes an array as 'data', got 3", nd.exp, (3,), {}),
                (TypeError, r"exp\(\) needs an array as 'data'", nd.exp, (), {}),
                (TypeError, r"broadcast_add\(\) needs an array as 'rhs'", nd.broadcast_add, (a,), {}),
                (TypeError, r"exp\(\) takes at most 1 arguments, 2 are given", nd.exp, (a, a), {}),
                (TypeError, r"exp\(\) got argument 'data' twice", nd.exp, (a,), {"data": a}),
                (TypeError, r"add_n\(\) takes arrays, argument 1 is 3", nd.add_n, (a, 3), {}),
                (TypeError, r"concat\(\) takes arrays, argument 0 is 3", nd.concat, (3,), {}),
                (TypeError, "exp: 'data' is complex64, needs float32, ", nd.exp, (a.astype("complex64"),), {}),
                (ValueError, r"exp: 'data' has shape \(0,\): operators take no arrays without elements", nd.exp,
                 (nd.zeros((0,)),), {}),
                (mx.base.MXNetError, "depth_to_space: .*operators take no arrays", nd.depth_to_space, (nd.zeros((2, 9, 0, 4)), 3), {}),
                (mx.SymcError, "dot: .*lhs has shape", nd.dot, (a, nd.ones((3, 3))), {}),
                (mx.SymcError, "Activation: .*'act_type'.*bad", nd.Activation, (a,), {"act_type": "bad"}),
                (mx.SymcError, "elemwise_add: .*int32", nd.elemwise_add, (a, self.i), {}),
                (mx.SymcError, "no operator 'x' is loaded", nd.Custom, (a,), {"op_type": "x"}),
                (ValueError, "parameters of 'uniform' are .* needs numbers alone or arrays alone", nd.random.uniform,
                 (a, 2), {}),
                (ValueError, "randint takes numbers as low and high", nd.random.randint, (a, 2), {}),
                (ValueError, "histogram takes a number of bins or an array of bounds, got None", nd.histogram, (a, None), {}),
                (ValueError, "split_v2: an extent of 2 has no 3 equal parts", nd.split_v2, (a, 3), {}),
                (ValueError, "split_v2 takes a number of parts or a tuple of indices, got 'x'", nd.split_v2, (a, "x"), {}),
                (TypeError, "from_numpy takes an array of NumPy, got 3", nd.from_numpy, (3,), {}),
                (ValueError, r"concat: out is float32 \(3,\), the result is float32 \(2, 4\)", nd.concat, (a, a),
                 {"out": nd.ones(3)})):
            with self.subTest(text):
                self.assertRaisesRegex(error, text, function, *args, **kwargs)
        self.equal(nd.exp(nd.zeros(1)), [1])  # and the process goes on

    def test_kinds_are_kept(self):
        from symc import imperative
        operator = imperative.Operator("exp", "exp")
        for shape in ((2,), (3,), (2,)):
            operator((mx.nd.ones(shape),), {}, None)
        self.assertEqual(len(operator.kinds), 2)
        most, imperative._MOST_KINDS = imperative._MOST_KINDS, 2
        try:
            operator((mx.nd.ones(4),), {}, None)
        finally:
            imperative._MOST_KINDS = most
        self.assertEqual(len(operator.kinds), 2)
        self.equal(operator((mx.nd.zeros(2),), {}, None), [1, 1])

    def test_threads(self):
        arrays = [mx.nd.array(np.full((64, 64), number)) for number in range(8)]
        failures = []

        def work(array, number):
            for _ in range(50):
                if not (mx.nd.square(array).asnumpy() == number * number).all():
                    failures.append(number)
        threads = [threading.Thread(target=work, args=(array, number)) for number, array in enumerate(arrays)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(failures, [])

    def test_another_process_loads_what_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "SYMC_CACHE_DIR": folder}
            program = "import symc as mx; print(mx.nd.dot(mx.nd.ones((2, 3)), mx.nd.ones((3, 2))).sum().asscalar())"
            for _ in range(2):
                run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
                self.assertEqual((run.stdout, run.stderr), ("12.0\n", ""))
            entries = os.listdir(folder)
            self.assertEqual([each[32:] for each in entries], [".kernels"])
            with open(os.path.join(folder, entries[0]), "r+b") as file:
                file.write(b"damaged")
            run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
            self.assertEqual((run.stdout, run.stderr), ("12.0\n", ""))


class Random(unittest.TestCase):
    def test_calls_have_numbers_of_their_own_and_the_same_after_the_seed(self):
        def draw():
            mx.random.seed(7)
            return [mx.nd.random.uniform(shape=3), mx.nd.random.uniform(shape=3), mx.nd.random.normal(shape=3),
                    mx.random.randint(0, 100, shape=3), mx.nd.uniform(0, 1, (3,)), mx.nd.random.shuffle(mx.nd.arange(9)),
                    mx.nd.Dropout(mx.nd.ones(20), mode="always")]
        once, again = draw(), draw()
        for one, two in zip(once, again):
            np.testing.assert_array_equal(one.asnumpy(), two.asnumpy())
        self.assertTrue((once[0].asnumpy() != once[1].asnumpy()).all())
        mx.random.seed(8)
        self.assertTrue((mx.nd.random.uniform(shape=3).asnumpy() != once[0].asnumpy()).all())
        mx.random.seed(7)
        mx.nd.Dropout(mx.nd.ones(20))  # draws nothing
        mx.nd.exp(mx.nd.ones(3))
        np.testing.assert_array_equal(mx.nd.random.uniform(shape=3).asnumpy(), once[0].asnumpy())

    def test_forms(self):
        random, a, b = mx.nd.random, mx.nd.array([[1, 2], [3, 4]]), mx.nd.array([[5, 6], [7, 8]])
        for made, shape, dtype in (
                (random.uniform(), (1,), "float32"), (random.uniform(0, 1, 3, dtype="float64"), (3,), "float64"),
                (random.uniform(a, b, 3), (2, 2, 3), "float32"), (random.randn(2, 3), (2, 3), "float32"),
                (random.randn(), (1,), "float32"), (random.randint(0, 9), (1,), "int32"),
                (random.exponential(2, shape=2), (2,), "float32"), (random.gamma(2, 3, shape=2), (2,), "float32"),
                (random.negative_binomial(2, 0.5, shape=2), (2,), "float32"), (random.poisson(2, shape=2), (2,), "float32"),
                (random.generalized_negative_binomial(2, 0.5, shape=2), (2,), "float32"),
                (random.normal(0, 1, shape=(2, 2), ctx=mx.cpu()), (2, 2), "float32"),
                (random.uniform_like(a), (2, 2), "float32"), (mx.nd.sample_uniform(a, b, shape=2), (2, 2, 2), "float32")):
            self.assertEqual((made.shape, made.dtype.name), (shape, dtype))
        classes, logarithms = random.multinomial(mx.nd.array([0.0, 1.0]), shape=3, get_prob=True)
        np.testing.assert_array_equal(classes.asnumpy(), [1, 1, 1])
        np.testing.assert_array_equal(logarithms.asnumpy(), [0, 0, 0])
        many = random.normal(3, 2, shape=(20000,)).asnumpy()
        self.assertLess(abs(many.mean() - 3) + abs(many.std() - 2), 0.1)
        drawn, true, expected = mx.nd.contrib.rand_zipfian(mx.nd.array([3]), 4, 5)
        self.assertEqual((drawn.dtype, true.shape, expected.shape), (np.dtype("int64"), (1,), (4,)))
        np.testing.assert_allclose(true.asnumpy(), [0.498152], 1e-5)


class Control(unittest.TestCase):
    def test_loops_and_branches_run_at_once(self):
        contrib, a = mx.nd.contrib, mx.nd.array([[1, 2], [3, 4]])
        outputs, state = contrib.foreach(lambda row, total: (row + total, row + total), a, mx.nd.zeros(2))
        np.testing.assert_array_equal(outputs.asnumpy(), [[1, 2], [4, 6]])
        np.testing.assert_array_equal(state.asnumpy(), [4, 6])
        pair, states = contrib.foreach(lambda rows, states: ([rows[0], rows[1] * 2], [states[0] + 1]), [a, a],
                                       [mx.nd.zeros(1)])
        np.testing.assert_array_equal(pair[1].asnumpy(), a.asnumpy() * 2)
        self.assertEqual(states[0].asscalar(), 2)
        outputs, (i, total) = contrib.while_loop(lambda i, total: i <= 3, lambda i, total: ([i * 2], [i + 1, total + i]),
                                                 (mx.nd.ones(1), mx.nd.zeros(1)), max_iterations=5)
        np.testing.assert_array_equal(outputs[0].asnumpy(), [[2], [4], [6], [0], [0]])
        self.assertEqual((i.asscalar(), total.asscalar()), (4, 6))
        self.assertEqual(contrib.cond(a[0, 0] < 2, lambda: 1, lambda: 2), 1)
        values = mx.nd.array([np.nan, np.inf, -np.inf, 1])
        for function, wanted in ((contrib.isnan, [1, 0, 0, 0]), (contrib.isinf, [0, 1, 1, 0]),
                                 (contrib.isfinite, [0, 0, 0, 1])):
            np.testing.assert_array_equal(function(values).asnumpy(), wanted)

    def test_mistakes(self):
        contrib, one = mx.nd.contrib, mx.nd.ones(1)
        for error, text, function in (
                (TypeError, r"foreach input: needs arrays in \(nested\) lists, got 3",
                 lambda: contrib.foreach(lambda d, s: (d, s), 3, one)),
                (ValueError, "foreach: data is empty, needs one array", lambda: contrib.foreach(lambda d, s: (d, s), [], one)),
                (ValueError, "while_loop: max_iterations is not given", lambda: contrib.while_loop(None, None, one)),
                (ValueError, "while_loop: loop_vars is empty, needs one array",
                 lambda: contrib.while_loop(None, None, [], 1)),
                (ValueError, "while_loop: func gives 0 loop_vars, needs 1",
                 lambda: contrib.while_loop(lambda x: True, lambda x: (x, []), one, 1)),
                (ValueError, "while_loop: func gives 1 outputs, and 2 before",
                 lambda: contrib.while_loop(lambda x: True, lambda x: ([x] * int(2 - x.asscalar()), x + 1),
                                            mx.nd.zeros(1), 2)),
                (ValueError, r"while_loop: output 0 has the shapes \(1,\), \(2,\)",
                 lambda: contrib.while_loop(lambda x: True, lambda x: (mx.nd.ones(int(x.asscalar())), x + 1), one, 2)),
                (ValueError, "cond: pred is .* needs a single number",
                 lambda: contrib.cond(mx.nd.ones(2), lambda: 1, lambda: 2))):
            with self.subTest(text):
                self.assertRaisesRegex(error, text, function)


if __name__ == "__main__":
    unittest.main()

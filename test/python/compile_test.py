"""If this fails, symc.compile makes no model of a symbol and its arrays, or tells a mistake in another way than the
command line."""
import io
import os
import sys
import tempfile
import unittest
import warnings
from unittest import mock

import numpy as np
import symc
from symc import compiler


def dense():
    return symc.sym.FullyConnected(symc.sym.Variable("data"), num_hidden=2, name="fc")


WEIGHTS = {"fc_weight": np.arange(6, dtype="float32").reshape(2, 3), "fc_bias": np.array([10, 20], "float32")}
ROW = np.array([[1, 2, 3]], "float32")


class Compile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_sources(self):
        symbol, params, out = (os.path.join(self.folder, name) for name in ("d-symbol.json", "d.params", "kept.so"))
        dense().save(symbol)
        symc.nd.save(params, {"arg:" + name: value for name, value in WEIGHTS.items()})
        with symc.compile(dense(), WEIGHTS, {"data": (1, 3)}) as model, \
                symc.compile(symbol, params, {"data": (1, 3)}, output=out) as kept:
            np.testing.assert_array_equal(model(ROW), [[18, 46]])
            np.testing.assert_array_equal(kept(ROW), [[18, 46]])
            self.assertEqual((model.name, kept.name), ("fc", "kept"))
        self.assertFalse(os.path.exists(model.path))
        self.assertTrue(os.path.exists(out))

    def test_a_path_that_is_written_again_is_another_model(self):
        out = os.path.join(self.folder, "net.so")
        first = symc.compile(dense(), WEIGHTS, [("data", (1, 3))], output=out)  # pairs, as provide_data has them
        second = symc.compile(dense() * 2, WEIGHTS, {"data": (1, 3)}, output=out)
        np.testing.assert_array_equal((first(ROW), second(ROW)), [[[18, 46]], [[36, 92]]])

    def test_types_sizes_and_stages(self):
        stages = []
        halves = symc.compile(dense(), WEIGHTS, {"data": ("1..4", 3)}, dtypes={"data": np.float64},
                              progress=stages.append)
        self.assertEqual(halves(ROW.astype("float64")).dtype, np.float64)
        self.assertEqual(str(halves.outputs[0].shape), "(1..4, 2)")
        self.assertEqual((stages[0], stages[-1]), ("read", "emit"))
        rows = symc.compile(dense(), WEIGHTS, {"data": ("N", 3)}, batches=(1, 4))
        self.assertEqual(rows(np.ones((6, 3), "float32")).shape, (6, 2))

    def test_outputs_of_any_node(self):
        halves = symc.sym.SliceChannel(dense() * 2, num_outputs=2, name="halves")
        net = symc.sym.SoftmaxOutput(halves[0], name="softmax")
        with symc.compile(net, WEIGHTS, {"data": (1, 3)}, outputs=["halves_output1", "fc"]) as model:
            self.assertEqual([each.name for each in model.outputs], ["halves_output1", "fc_output"])
            np.testing.assert_array_equal(model(ROW)[0], [[92]])
            np.testing.assert_array_equal(model(ROW)[1], [[18, 46]])
        with symc.compile(net, WEIGHTS, {"data": (1, 3)}, outputs="fc_output") as model:
            np.testing.assert_array_equal(model(ROW), [[18, 46]])
        with self.assertRaisesRegex(symc.SymcError, "no output is called 'fcc'; did you mean 'fc_output'?"):
            symc.compile(net, WEIGHTS, {"data": (1, 3)}, outputs=["fcc"])
        for wrong in ([], 3, [3]):
            with self.assertRaisesRegex(TypeError, "outputs is a list of names, or one, got"):
                symc.compile(net, WEIGHTS, {"data": (1, 3)}, outputs=wrong)

    def test_what_outputs_do_not_need_is_not_looked_at(self):
        path = os.path.join(self.folder, "ctc-symbol.json")
        text = symc.sym.CTCLoss(dense(), symc.sym.Variable("label"), name="loss").tojson()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace('"CTCLoss"', '"WarpCTC"'))
        with symc.compile(path, WEIGHTS, {"data": (1, 3)}, outputs=["fc"]) as model:
            np.testing.assert_array_equal(model(ROW), [[18, 46]])
        with self.assertRaisesRegex(symc.SymcError, "unknown operator 'WarpCTC'"):
            symc.compile(path, WEIGHTS, {"data": (1, 3)})

    def test_a_size_that_inputs_share(self):
        total = symc.sym.Variable("a") + symc.sym.Variable("b")
        with symc.compile(total, {}, {"a": ("T=1..4", 3), "b": ("T", 3)}) as model:
            self.assertEqual(model(a=ROW, b=ROW).tolist(), [[2, 4, 6]])
            with self.assertRaisesRegex(ValueError, "argument 'b': expected f32 .*, got f32 "):
                model(a=ROW, b=np.zeros((2, 3), "float32"))

    def test_progress_on_a_terminal(self):
        shown = compiler._Progress(True)
        shown.read(["symc: emit\n", "net.json: warning: text\n"])
        with mock.patch.object(sys, "stderr", io.StringIO()) as terminal:
            shown.show(0.5)
            shown.show(2.5)
            shown.erase()
        self.assertEqual(terminal.getvalue(), "\r\033[Ksymc: emit ... 2 s\r\033[K")
        self.assertEqual(shown.lines, ["net.json: warning: text\n"])

    def test_warnings(self):
        text = "a.json: warning: one\na.json: note: of it\nsymc: remark: two"
        self.assertEqual(compiler._messages(text), ["a.json: warning: one\na.json: note: of it", "symc: remark: two"])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            both = symc.sym.relu(symc.sym.exp(symc.sym.Variable("x")))
            symc.compile(both, shapes={"x": (1, 3)}, options=["--remarks=passed"]).close()
        self.assertIn("remark", str(caught[0].message))

    def test_advice_names_arguments(self):
        for line, wanted in (
                ("pass --shape data=...", 'pass shapes={"data": ...}'),
                ("pass --shape data=1,3,224,224 -o net", 'pass shapes={"data": (1, 3, 224, 224)} -o net'),
                ("--shape a/b=1..8,T=1..4,N", 'shapes={"a/b": ("1..8", "T=1..4", "N")}'),
                ("is 4 in --shape tokens= and 5", 'is 4 in shapes["tokens"] and 5'),
                ("write --batch 1,4,16 with", "write batches=[1, 4, 16] with"),
                ("leave --batch out and give the one size in --shape", "leave batches out and give the one size in shapes"),
                ("--dtype gives input 'x' two", "dtypes gives input 'x' two"),
                ("write --outputs a_output,b", 'write outputs=["a_output", "b"]'),
                ("or --random-weights to draw them", 'or options=["--random-weights"] to draw them'),
                ("--weights=extern and --batch-size and --shapely", "--weights=extern and --batch-size and --shapely")):
            self.assertEqual(compiler.in_python("note: " + line), "note: " + wanted)
            self.assertEqual(compiler.in_python("  " + line), "  " + line)

    def test_mistakes(self):
        self.assertRaisesRegex(
            symc.SymcError, r"(?s)^fc-symbol.json:\d+:\d+: error: 2 parameters have no value: 'fc_weight', 'fc_bias'.*"
            r"note: give the parameter file, or options=\[\"--random-weights\"\] to draw them$", symc.compile, dense(), None,
            {"data": (1, 3)})
        self.assertRaisesRegex(symc.SymcError, r'or shapes=\{"NAME": \.\.\.\} for one that is an input$', symc.compile, dense(), {})
        self.assertRaisesRegex(TypeError, r"compile takes a Symbol, an ONNX model \(onnx.ModelProto or bytes\) or the path of "
                               "one's file, got 3", symc.compile, 3)
        self.assertRaisesRegex(TypeError, "params is a dict of arrays or the path of a file, got 3", symc.compile,
                               dense(), 3)
        self.assertRaisesRegex(
            TypeError, r"the shape of 'data' is \(1, 2.5\), needs ints, or texts for ranges and the batch",
            symc.compile, dense(), None, {"data": (1, 2.5)})
        for keywords, text in (
                ({"options": "--probes"}, "options is a list of words, got '--probes'"),
                ({"dtypes": "int32"}, "dtypes is a dict by input, or a list of pairs, got 'int32'"),
                ({"shapes": ("data", (1, 3))},
                 r"shapes is a dict by input, or a list of pairs, got \('data', \(1, 3\)\)"),
                ({"params": {"fc_weight": "x"}}, "array 'fc_weight' is 'x', needs an array of numbers")):
            self.assertRaisesRegex(TypeError, "^%s$" % text, symc.compile, dense(), **keywords)
        with mock.patch.dict(os.environ, SYMC_COMPILER="/nowhere/symc"):
            self.assertRaisesRegex(symc.SymcError, "^the program symc is not found; looked for /nowhere/symc$",
                                   symc.compile, dense())
        killed = os.path.join(self.folder, "killed")
        with open(killed, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nkill -9 $$\n")
        os.chmod(killed, 0o755)
        with mock.patch.dict(os.environ, SYMC_COMPILER=killed):
            self.assertRaisesRegex(symc.SymcError, "^symc was ended by SIGKILL$", symc.compile, dense())


if __name__ == "__main__":
    unittest.main()

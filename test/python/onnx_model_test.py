"""If this fails, symc.compile makes no model of an ONNX file or a ModelProto, asks for sizes and values in other words than its
own, or symc.onnx_backend gives other arrays than the model's."""
import os
import sys
import tempfile
import types
import unittest

import numpy as np
import symc
from symc import SymcError

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e", "Inputs"))
import onnx_bytes as ob  # noqa: E402

ROWS = np.arange(6, dtype="float32").reshape(2, 3)


def twice():
    """y = x + x for [batch, 3]."""
    return ob.model([ob.node("Add", ["x", "x"], ["y"])], [ob.value_info("x", "float32", ["batch", 3])],
                    [ob.value_info("y", "float32", ["batch", 3])])


def reshaped():
    return ob.model([ob.node("Reshape", ["x", "shape"], ["y"])],
                    [ob.value_info("x", "float32", [2, 3]), ob.value_info("shape", "int64", [2])],
                    [ob.value_info("y", "float32", [None, None])])


class OnnxModel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "my-net.onnx")

    def write(self, content):
        with open(self.path, "wb") as file:
            file.write(content)
        return self.path

    def test_file(self):
        with symc.compile(self.write(twice()), sizes={"batch": 2}) as model:
            np.testing.assert_array_equal(model(ROWS), 2 * ROWS)
            self.assertEqual(model.name, "my_net")

    def test_range(self):
        with symc.compile(self.write(twice()), sizes={"batch": "1..4"}) as model:
            for count in (1, 2):
                np.testing.assert_array_equal(model(ROWS[:count]), 2 * ROWS[:count])

    def test_proto(self):
        proto = types.SimpleNamespace(SerializeToString=twice, graph=types.SimpleNamespace(name="a graph"))
        with symc.compile(proto, sizes={"batch": 2}) as model:
            np.testing.assert_array_equal(model(ROWS), 2 * ROWS)
            self.assertEqual(model.name, "a_graph")

    def test_bytes(self):
        for content in (twice(), bytearray(twice()), memoryview(twice())):
            with symc.compile(content, sizes={"batch": 2}) as model:
                np.testing.assert_array_equal(model(ROWS), 2 * ROWS)
        with self.assertRaisesRegex(SymcError, "^net.onnx: error: byte 0: field 7 of ModelProto has 5 bytes, of which the message has 0"):
            symc.compile(b"\x3a\x05")

    def test_external_data(self):
        place = types.SimpleNamespace(key="location", value="w.bin")
        tensor = types.SimpleNamespace(name="w", data_location=1, external_data=[place])
        proto = types.SimpleNamespace(SerializeToString=twice, graph=types.SimpleNamespace(name="g", initializer=[tensor]))
        with self.assertRaisesRegex(SymcError, "initializer 'w' has its data in 'w.bin', which lies beside a model's file, and this "
                                               "model is in memory\nload it by onnx.load, which reads such files, or compile its path"):
            symc.compile(proto, sizes={"batch": 2})

    def test_values(self):
        with symc.compile(self.write(reshaped()), values={"shape": np.array([3, 2])}) as model:
            np.testing.assert_array_equal(model(ROWS), ROWS.reshape(3, 2))
            self.assertEqual([each.name for each in model.inputs], ["x"])

    def test_messages(self):
        with self.assertRaisesRegex(SymcError, r"a size is not given: 'batch' \(of 'x'\)\n.*add sizes=\{\"batch\": 1\}"):
            symc.compile(self.write(twice()))
        with self.assertRaisesRegex(SymcError, r"decides a shape.*\n.*values=\{\"shape\": array\}"):
            symc.compile(self.write(reshaped()))
        with self.assertRaisesRegex(TypeError, "compile takes a Symbol, an ONNX model \(onnx.ModelProto or bytes\) or the path of one's file, got 3"):
            symc.compile(3)


try:
    import onnx
except ImportError:
    onnx = None


@unittest.skipUnless(onnx, "no package onnx")
class OnnxBackend(unittest.TestCase):
    def test_model(self):
        from symc import onnx_backend
        outputs = onnx_backend.run_model(onnx.ModelProto.FromString(twice()), [ROWS])
        np.testing.assert_array_equal(outputs[0], 2 * ROWS)
        np.testing.assert_array_equal(outputs.y, 2 * ROWS)

    def test_values(self):
        from symc import onnx_backend
        prepared = onnx_backend.prepare(onnx.ModelProto.FromString(reshaped()))
        for shape in ([3, 2], [6, 1]):
            np.testing.assert_array_equal(prepared.run([ROWS, np.array(shape)])[0], ROWS.reshape(shape))

    def test_device(self):
        from symc import onnx_backend
        self.assertTrue(onnx_backend.supports_device("CPU"))
        with self.assertRaisesRegex(ValueError, "symc.onnx_backend runs models on 'CPU', got 'CUDA'"):
            onnx_backend.prepare(onnx.ModelProto.FromString(twice()), "CUDA")


if __name__ == "__main__":
    unittest.main()

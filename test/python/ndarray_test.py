"""If this fails, a program that keeps its arrays in MXNet's files reads or writes others, or nd makes arrays of other
types than MXNet."""
import os
import struct
import tempfile
import unittest
import warnings

import numpy as np
import symc
from symc import nd

RECORD = struct.pack("<Iii1qiii", 0xF993FAC9, 0, 1, 2, 1, 0, 0) + np.array([3, 4], "float32").tobytes()


def file_of(record, names=()):
    return (struct.pack("<QQQ", 0x112, 0, 1) + record + struct.pack("<Q", len(names)) +
            b"".join(struct.pack("<Q", len(name)) + name for name in names))


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "a.params")

    def test_round_trip(self):
        arrays = {str(number): np.ones((2, 3), dtype) for number, dtype in enumerate(nd.DTYPES)}
        arrays.update({"number": np.array(5, "float32"), "none": np.zeros((0, 3), "int8"), "wide": np.eye(4)[:, ::2]})
        nd.save(self.path, arrays)
        read = nd.load(self.path)
        self.assertEqual(list(read), list(arrays))
        for name, value in arrays.items():
            self.assertEqual((read[name].dtype, read[name].shape), (value.dtype, value.shape))
            np.testing.assert_array_equal(read[name], value)
        nd.save(self.path, [nd.ones(2), nd.zeros((1, 2))])
        self.assertEqual([each.shape for each in nd.load(self.path)], [(2,), (1, 2)])

    def test_bytes_are_those_of_mxnet(self):
        nd.save(self.path, {"x": np.array([3, 4], "float32")})
        with open(self.path, "rb") as file:
            self.assertEqual(file.read(), file_of(RECORD, [b"x"]))

    def test_older_layouts(self):
        data = np.array([3, 4], "float32").tobytes()
        for record in (struct.pack("<IIiii", 1, 2, 1, 0, 0) + data,
                       struct.pack("<IIqiii", 0xF993FAC8, 1, 2, 1, 0, 0) + data,
                       struct.pack("<Iiiqiii", 0xF993FACA, 0, 1, 2, 1, 0, 12) + struct.pack("<HH", 0x4040, 0x4080)):
            np.testing.assert_array_equal(nd.load_frombuffer(file_of(record))[0], [3, 4])

    def test_damaged_files(self):
        good = file_of(RECORD, [b"x"])
        for data, text in (
                (b"text", "the buffer is no NDArray file: it does not begin with 0x112"),
                (good[:60], r"the file ends at byte 60, needs 8 more at byte 56"),
                (struct.pack("<QQQ", 0x112, 0, 99), "99 arrays do not fit in 24 bytes"),
                (good.replace(struct.pack("<Q", 1) + struct.pack("<Q", 1), struct.pack("<QQQ", 2, 0, 0)),
                 "2 names for 1 arrays"),
                (file_of(struct.pack("<Ii", 0xF993FAC9, 1) + bytes(40)),
                 "the array at byte 24 is row_sparse, only dense ones"),
                (file_of(struct.pack("<I", 99)), "the array at byte 24 has rank 99, needs 0 to 32"),
                (file_of(struct.pack("<Iiiq", 0xF993FAC9, 0, 1, -2)), r"the array at byte 24 has shape \(-2,\)"),
                (file_of(struct.pack("<Iiiqiii", 0xF993FAC9, 0, 1, 2, 1, 0, 50)),
                 "has element type 50, needs 0 to 12")):
            with self.subTest(text):
                self.assertRaisesRegex(symc.SymcError, text, nd.load_frombuffer, data)
        self.assertRaisesRegex(TypeError, "array 'c' is complex128, a file holds float32, ", nd.save, self.path,
                               {"c": np.ones(1, complex)})
        for data, text in (({1: nd.ones(1)}, "the name of an array is a str, got 1"),
                           ([nd.ones(1), 5], "array 1 is 5, needs an array of numbers"),
                           ({"w": "x"}, "array 'w' is 'x', needs an array of numbers"),
                           ({"w": None}, "array 'w' is None, needs an array of numbers")):
            self.assertRaisesRegex(TypeError, "^%s$" % text, nd.save, self.path, data)
        self.assertFalse(os.path.exists(self.path))
        self.assertRaisesRegex(TypeError, "arrays are loaded from a file's name, got 5", nd.load, 5)
        for kind in (symc.MXNetError, FileNotFoundError):
            self.assertRaisesRegex(kind, "^nowhere.params: cannot open the file: no such file or directory$", nd.load,
                                   "nowhere.params")
        self.assertRaisesRegex(TypeError, "save takes a dict of arrays, a list or an array, got 3", nd.save, self.path,
                               3)


class Arrays(unittest.TestCase):
    def test_types(self):
        self.assertEqual(nd.array(np.arange(3)).dtype, np.float32)  # as MXNet does
        self.assertEqual(nd.array(nd.zeros(2, dtype="int8")).dtype, np.int8)
        self.assertEqual(nd.arange(0, 6, 3, repeat=2).tolist(), [0, 0, 3, 3])
        self.assertEqual((nd.full((2,), 7).tolist(), nd.arange(3).dtype), ([7, 7], np.float32))
        x = nd.array([[1, 2]], dtype="int8")
        self.assertEqual((nd.concat(x, x).tolist(), nd.concatenate([x, x]).tolist(), type(nd.concat(x))),
                         ([[1, 2, 1, 2]], [[1, 2], [1, 2]], nd.NDArray))
        self.assertIs(nd.concatenate([x], always_copy=False), x)
        self.assertEqual((nd.zeros_like(x).tolist(), nd.ones_like(x).dtype), ([[0, 0]], np.int8))

    def test_methods(self):
        x = nd.array([[1, 2]])
        self.assertIs(type(x.asnumpy()), np.ndarray)
        self.assertEqual((x.context, x.as_in_context(symc.cpu_pinned()) is x, x.wait_to_read()),
                         (symc.cpu(), True, None))
        self.assertEqual(x.reshape(shape=(1, -1)).shape, (1, x.size))
        with symc.gpu(1):
            with symc.cpu():
                self.assertEqual(symc.current_context(), symc.cpu())
            self.assertEqual(symc.current_context(), symc.gpu(1))
        self.assertEqual(symc.current_context(), symc.cpu())
        self.assertEqual((symc.Context(symc.gpu(2)), symc.gpu(2).device_typeid, symc.context.num_gpus()),
                         (symc.gpu(2), 2, 0))
        self.assertEqual((x + 1).astype("int32").asnumpy().tolist(), [[2, 3]])
        self.assertEqual(x.copyto(nd.zeros((1, 2))).tolist(), [[1, 2]])
        self.assertEqual(nd.array([5]).asscalar(), 5)
        self.assertRaisesRegex(ValueError, r"the array has shape \(1, 2\), needs one element to be a scalar",
                               x.asscalar)

    def test_contexts(self):
        data = symc.sym.Variable("data")
        for place in (lambda: nd.ones(1, symc.gpu(3)), lambda: nd.arange(2, ctx=symc.gpu(3)),
                      lambda: nd.ones(1).as_in_context(symc.gpu(3)), lambda: nd.ones(1).copyto(symc.gpu(3)),
                      lambda: data.simple_bind(symc.gpu(3), data=(1,)),
                      lambda: symc.mod.Module(data, label_names=None, context=[symc.cpu(), symc.gpu(3)])):
            symc.context._told.clear()
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                place()
                place()
            self.assertEqual(os.path.basename(caught[0].filename), "ndarray_test.py")  # where the script says it
            self.assertEqual([str(each.message) for each in caught],
                             ["gpu(3) is taken for the processor, which has all arrays, executors and modules; for a "
                              "GPU, symc.compile takes options=['--target=cuda']"])
        self.assertRaisesRegex(ValueError, "^device type 'foo' is unknown, needs cpu, gpu, cpu_pinned, cpu_shared$",
                               symc.Context, "foo")
        self.assertRaisesRegex(TypeError, r"^a context is cpu\(\) or gpu\(\), got 'cpu'$", nd.ones, 1, "cpu")


if __name__ == "__main__":
    unittest.main()

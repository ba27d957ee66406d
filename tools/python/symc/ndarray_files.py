"""MXNet's files of arrays, which symc.nd.load and save read and write.

They are read in every layout that MXNet wrote (0.7 to 1.9) and written as MXNet 1.9 writes them, dense arrays only.
"""
import os
import struct

import numpy as np

from .errors import MissingFile, SymcError
from .ndarray_class import NDArray

LIST_MAGIC = 0x112
V1, V2, V3 = 0xF993FAC8, 0xF993FAC9, 0xF993FACA
#: Types by MXNet's numbers; 12 is bfloat16, which NumPy lacks and which is read as float32.
DTYPES = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool", "int16", "uint16", "uint32",
          "uint64")
BFLOAT16 = 12


class _Reader:
    """A cursor over a file's bytes that names the file where they end too early."""

    def __init__(self, data, path):
        self.data, self.path, self.at = memoryview(data), path, 0

    def bytes(self, count):
        if count < 0 or count > len(self.data) - self.at:
            raise SymcError("%s: the file ends at byte %d, needs %d more at byte %d" % (
                self.path, len(self.data), count, self.at))
        self.at += count
        return self.data[self.at - count:self.at]

    def take(self, layout):
        return struct.unpack("<" + layout, self.bytes(struct.calcsize("<" + layout)))

    def one(self, layout):
        return self.take(layout)[0]


def _read_array(reader):
    begin = reader.at
    magic = reader.one("I")
    if magic in (V2, V3):
        storage = reader.one("i")
        if storage != 0:
            raise SymcError("%s: the array at byte %d is %s, only dense ones are read" % (
                reader.path, begin, {1: "row_sparse", 2: "csr"}.get(storage, "of storage %d" % storage)))
        rank, extent = reader.one("i"), "q"
    elif magic == V1:
        rank, extent = reader.one("I"), "q"
    else:  # the oldest layout begins with its rank
        rank, extent = magic, "I"
    if not -1 <= rank <= 32:
        raise SymcError("%s: the array at byte %d has rank %d, needs 0 to 32" % (reader.path, begin, rank))
    if rank < 0 or (rank == 0 and magic != V3):
        return np.zeros(0, "float32")  # an array without a shape
    shape = reader.take(extent * rank)
    if any(each < 0 for each in shape):
        raise SymcError("%s: the array at byte %d has shape %s" % (reader.path, begin, shape))
    _, _, number = reader.take("iii")  # behind the device that it was saved from
    if not 0 <= number <= BFLOAT16:
        raise SymcError("%s: the array at byte %d has element type %d, needs 0 to %d" % (
            reader.path, begin, number, BFLOAT16))
    count = 1
    for each in shape:
        count *= each
    dtype = np.dtype("uint16" if number == BFLOAT16 else DTYPES[number])
    values = np.frombuffer(reader.bytes(count * dtype.itemsize), dtype)
    if number == BFLOAT16:
        values = (values.astype("uint32") << 16).view("float32")
    return values.reshape(shape).copy()


def load_frombuffer(buf, path="the buffer"):
    """What load gives of a file's bytes."""
    reader = _Reader(buf, path)
    if len(buf) < 24 or reader.take("QQ")[0] != LIST_MAGIC:
        raise SymcError("%s is no NDArray file: it does not begin with %#x" % (path, LIST_MAGIC))
    count = reader.one("Q")
    if count > len(buf):  # each takes more than a byte
        raise SymcError("%s: %d arrays do not fit in %d bytes" % (path, count, len(buf)))
    arrays = [_read_array(reader).view(NDArray) for _ in range(count)]
    names = [bytes(reader.bytes(reader.one("Q"))).decode("utf-8", "surrogateescape") for _ in range(reader.one("Q"))]
    if not names:
        return arrays
    if len(names) != len(arrays):
        raise SymcError("%s: %d names for %d arrays" % (path, len(names), len(arrays)))
    return dict(zip(names, arrays))


def load(fname):
    """{name: NDArray} of a file with names, else a list. SymcError where the file is damaged."""
    if not isinstance(fname, (str, os.PathLike)):
        raise TypeError("arrays are loaded from a file's name, got %r" % (fname,))
    try:
        with open(fname, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise MissingFile("%s: cannot open the file: no such file or directory" % os.fspath(fname)) from None
    return load_frombuffer(data, os.fspath(fname))


def _checked(name, value):
    """The array that a file holds for a value."""
    try:
        array = np.asarray(value) if hasattr(value, "dtype") else np.asarray(value, "float32")
    except (TypeError, ValueError):
        array = None
    if array is None or not (array.ndim or hasattr(value, "dtype")):
        raise TypeError("array %s is %.60r, needs an array of numbers" % (name, value))
    if array.dtype.name not in DTYPES:
        raise TypeError("array %s is %s, a file holds %s" % (name, array.dtype, ", ".join(DTYPES)))
    return array


def _write_array(file, array):
    magic = V2 if array.ndim and array.size else V3  # V2 has neither numbers nor empty arrays
    file.write(struct.pack("<Iii%dq" % array.ndim, magic, 0, array.ndim, *array.shape))
    file.write(struct.pack("<iii", 1, 0, DTYPES.index(array.dtype.name)))
    file.write(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).data)


def save(fname, data):
    """Writes {name: array}, a list of arrays, or one."""
    if isinstance(data, np.ndarray):
        data = [data]
    if hasattr(data, "items"):
        named = [("'%s'" % key, value) for key, value in data.items()]
    elif isinstance(data, (list, tuple)):
        named = [(str(place), value) for place, value in enumerate(data)]
    else:
        raise TypeError("save takes a dict of arrays, a list or an array, got %r" % (data,))
    keys = list(data) if hasattr(data, "items") else []
    for key in keys:
        if not isinstance(key, str):
            raise TypeError("the name of an array is a str, got %r" % (key,))
    arrays = [_checked(name, value) for name, value in named]
    with open(fname, "wb") as file:
        file.write(struct.pack("<QQQ", LIST_MAGIC, 0, len(arrays)))
        for array in arrays:
            _write_array(file, array)
        file.write(struct.pack("<Q", len(keys)))
        for key in keys:
            text = key.encode("utf-8", "surrogateescape")
            file.write(struct.pack("<Q", len(text)) + text)

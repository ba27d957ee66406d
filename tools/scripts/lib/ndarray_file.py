"""Reads and writes MXNet's NDArray lists (.params), without MXNet; as NumPy arrays where NumPy is.

Reads dense arrays in the layouts that MXNet 1.x writes (V2 and V3). The tests
use it as a second reader beside symc's own.
"""
import collections
import math
import struct

LIST_MAGIC = 0x112
ARRAY_MAGICS = (0xF993FAC9, 0xF993FACA)
DTYPES = {0: "float32", 1: "float64", 2: "float16", 3: "uint8", 4: "int32", 5: "int8", 6: "int64", 7: "bool"}
ITEM_BYTES = {"float32": 4, "float64": 8, "float16": 2, "uint8": 1, "int32": 4, "int8": 1, "int64": 8, "bool": 1}
FLOATS = {"float32": "f", "float64": "d", "float16": "e"}


class Array(collections.namedtuple("Array", "dtype shape data")):
    """`shape` is None for an array without one."""

    def floats(self):
        """The values, or None where they are no floats."""
        if self.dtype not in FLOATS:
            return None
        return list(struct.unpack("<%d%s" % (len(self.data) // ITEM_BYTES[self.dtype], FLOATS[self.dtype]), self.data))


def read(path):
    """{name: Array}; names keep their prefixes."""
    with open(path, "rb") as file:
        data = file.read()
    at = 0

    def take(layout):
        nonlocal at
        values = struct.unpack_from("<" + layout, data, at)
        at += struct.calcsize("<" + layout)
        return values if len(values) > 1 else values[0]

    magic, _, count = take("QQQ")
    if magic != LIST_MAGIC:
        raise ValueError("%s is no NDArray list" % path)
    arrays = []
    for _ in range(count):
        array_magic, storage = take("Ii")
        if array_magic not in ARRAY_MAGICS or storage != 0:
            raise ValueError("%s: array layout %#x, storage %d" % (path, array_magic, storage))
        rank = take("i")
        shape = [take("q") for _ in range(rank)]
        if array_magic == ARRAY_MAGICS[0] and rank == 0:
            arrays.append(Array("float32", None, b""))
            continue
        take("ii")  # the device that it was saved from
        dtype = DTYPES[take("i")]
        size = math.prod(shape) * ITEM_BYTES[dtype]
        arrays.append(Array(dtype, shape, data[at:at + size]))
        at += size
    names = []
    for _ in range(take("Q")):
        length = take("Q")
        names.append(data[at:at + length].decode())
        at += length
    return dict(zip(names, arrays))


def load(path):
    """{name: NumPy array}; names keep their prefixes."""
    import numpy as np

    return {name: np.frombuffer(array.data, array.dtype).reshape(0 if array.shape is None else array.shape)
            for name, array in read(path).items()}


def save(path, arrays):
    """Writes {name: NumPy array}."""
    flags = {name: flag for flag, name in DTYPES.items()}
    parts = [struct.pack("<QQQ", LIST_MAGIC, 0, len(arrays))]
    for array in arrays.values():  # V3, whose rank 0 is a number
        parts.append(struct.pack("<Iii%dq" % array.ndim, ARRAY_MAGICS[1], 0, array.ndim, *array.shape))
        parts += [struct.pack("<iii", 1, 0, flags[array.dtype.name]), array.tobytes()]
    parts.append(struct.pack("<Q", len(arrays)))
    for name in arrays:
        text = name.encode("utf-8", "surrogateescape")
        parts += [struct.pack("<Q", len(text)), text]
    with open(path, "wb") as file:
        file.write(b"".join(parts))

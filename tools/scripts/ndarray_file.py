"""Reads MXNet's NDArray lists (.params) as NumPy arrays, without MXNet.

Knows dense arrays in the layouts that MXNet 1.x writes (V2 and V3). The tests
use it as a second reader beside symc's own.
"""
import struct

import numpy as np

LIST_MAGIC = 0x112
ARRAY_MAGICS = (0xF993FAC9, 0xF993FACA)
DTYPES = {0: "float32", 1: "float64", 2: "float16", 3: "uint8", 4: "int32", 5: "int8", 6: "int64", 7: "bool"}


def load(path):
    """{name: array}; names keep their prefixes."""
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
            arrays.append(np.zeros(0, "float32"))
            continue
        take("ii")  # the device that it was saved from
        dtype = np.dtype(DTYPES[take("i")])
        elements = int(np.prod(shape, dtype=np.int64))
        arrays.append(np.frombuffer(data, dtype, elements, at).reshape(shape))
        at += elements * dtype.itemsize
    names = []
    for _ in range(take("Q")):
        length = take("Q")
        names.append(data[at:at + length].decode())
        at += length
    return dict(zip(names, arrays))

#!/usr/bin/env python3
"""Makes the seeds of fuzz-npy, fuzz-image and fuzz-training-data: small right files, made from nothing.

usage: make_runtime_seeds.py FOLDER
"""
import gzip
import io
import os
import pickle
import struct
import sys
import zipfile
import zlib


def npy(descr, shape, data, fortran=False):
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape)
    header = header.encode() + b" " * (63 - (10 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def npz(members, method):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = method
            with archive.open(info, "w", force_zip64=True) as member:
                member.write(data)
    return file.getvalue()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, depth, colour, row_bytes):
    rows = b"".join(bytes([y % 5]) + bytes((x * 7 + y) & 255 for x in range(row_bytes))
                    for y in range(height))
    palette = chunk(b"PLTE", bytes(range(48))) if colour == 3 else b""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth,
                                                             colour, 0, 0, 0))
            + palette + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def jpeg():
    """A gray picture of 8 x 8, all of one tone: the smallest baseline file."""
    def segment(mark, data):
        return b"\xff" + bytes([mark]) + struct.pack(">H", len(data) + 2) + data
    table = bytes([0]) + bytes([1] * 64)
    frame = struct.pack(">BHHB", 8, 8, 8, 1) + bytes([1, 0x11, 0])
    codes = bytes([1] + [0] * 15)  # one code, of one bit
    return (b"\xff\xd8" + segment(0xdb, table) + segment(0xc0, frame)
            + segment(0xc4, b"\x00" + codes + b"\x00") + segment(0xc4, b"\x10" + codes + b"\x00")
            + segment(0xda, bytes([1, 1, 0, 0, 63, 0])) + b"\x3f" + b"\xff\xd9")


def arrays_file():
    """MXNet's V2, V1 and V0 arrays of two numbers."""
    body = struct.pack("<Iiiqiii", 0xf993fac9, 0, 1, 2, 1, 0, 0) + bytes(8)
    body += struct.pack("<Iiqiii", 0xf993fac8, 1, 2, 1, 0, 3) + bytes(2)
    body += struct.pack("<IIiii", 1, 2, 1, 0, 0) + bytes(8)
    names = b"".join(struct.pack("<Q", len(name)) + name for name in (b"arg:w", b"aux:m", b"x"))
    return struct.pack("<QQQ", 0x112, 0, 3) + body + struct.pack("<Q", 3) + names


def states_file():
    """Pickled states of two parameters, as Python 3.8 writes what MXNet's Updater has."""
    class Array:
        """Stands in for MXNet's, by whose name it is pickled."""

        def __reduce__(self):
            body = struct.pack("<IiIqiii", 0xf993fac9, 0, 1, 1, 1, 0, 0) + bytes(4)
            return Array, (None,), {"handle": bytearray(body)}

    Array.__module__, Array.__qualname__ = "mxnet.ndarray.ndarray", "NDArray"

    class Writer(pickle._Pickler):
        def save_global(self, obj, name=None):
            if obj is not Array:
                return super().save_global(obj, name)
            self.write(b"cmxnet.ndarray.ndarray\nNDArray\n")
            return self.memoize(obj)

        dispatch = {**pickle._Pickler.dispatch, type: lambda self, obj: self.save_global(obj)}

    buffer = io.BytesIO()
    Writer(buffer, 4).dump({0: Array(), "fc1_weight": (Array(), None)})
    return buffer.getvalue()


def record(kind, data):
    return struct.pack("<II", 0xced7230a, kind << 29 | len(data)) + data + bytes(-len(data) % 4)


def main():
    arrays = {
        "f4.npy": npy("<f4", "(2, 2)", bytes(16)),
        "scalar.npy": npy("<f8", "()", bytes(8)),
        "fortran.npy": npy(">i2", "(2, 3)", bytes(range(12)), True),
        "bytes.npy": npy("|u1", "(3,)", b"abc"),
    }
    both = [("a.npy", arrays["f4.npy"]), ("b.npy", arrays["bytes.npy"])]
    arrays["stored.npz"] = npz(both, zipfile.ZIP_STORED)
    arrays["deflated.npz"] = npz(both, zipfile.ZIP_DEFLATED)
    pictures = {
        "gray.png": png(5, 4, 8, 0, 5), "rgb.png": png(3, 3, 8, 2, 9),
        "rgba.png": png(2, 3, 8, 6, 8), "palette.png": png(4, 4, 4, 3, 2),
        "deep.png": png(2, 2, 16, 2, 12), "gray.jpg": jpeg(),
    }
    head = struct.pack("<IfQQ", 0, 3, 0, 0)
    training = {
        "idx": b"i\0\0\x08\x02" + struct.pack(">II", 2, 3) + bytes(6),
        "csv": b"c1,2.5,-3e2,.5\n0.1 2 3 4\n",
        "libsvm": b"l1 0:1 3:2.5\n0 qid:3 1:1 # far\n",
        "gzip": b"g" + gzip.compress(bytes(40), mtime=0),
        "arrays": b"a" + arrays_file(),
        "states": b"p" + states_file(),
        "records": b"r" + record(0, head + pictures["rgb.png"]) + record(1, head) + record(3, b"tail")
                   + record(0, struct.pack("<IfQQf", 1, 0, 0, 0, 5) + pictures["gray.jpg"]),
    }
    for folder, files in (("npy", arrays), ("image", pictures), ("training-data", training)):
        path = os.path.join(sys.argv[1], folder)
        os.makedirs(path, exist_ok=True)
        for name, data in files.items():
            prefix = b"\x01\x55" if folder == "image" else b""
            with open(os.path.join(path, name), "wb") as file:
                file.write(prefix + data)


if __name__ == "__main__":
    main()

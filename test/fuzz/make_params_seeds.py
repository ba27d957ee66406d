"""Writes small parameter files, one of each kind, as seeds of the params fuzzer.

Usage: make_params_seeds.py FOLDER. Needs the Python standard library only; the
same files come out on every run.
"""
import io
import os
import struct
import sys
import zipfile

V1, V2, V3 = 0xF993FAC8, 0xF993FAC9, 0xF993FACA


def dims(shape):
    return struct.pack("<i", len(shape)) + b"".join(struct.pack("<q", d) for d in shape)


def data(shape, size=4):
    count = 1
    for d in shape:
        count *= d
    return bytes(range(count * size))


def dense(shape, dtype=0, size=4, mark=V2):
    return (struct.pack("<Ii", mark, 0) + dims(shape) + struct.pack("<iii", 1, 0, dtype)
            + data(shape, size))


def v0(shape):
    head = struct.pack("<I", len(shape)) + b"".join(struct.pack("<I", d) for d in shape)
    return head + struct.pack("<iii", 1, 0, 0) + data(shape)


def v1(shape):
    return struct.pack("<I", V1) + dims(shape) + struct.pack("<iii", 2, 1, 0) + data(shape)


def row_sparse():
    return (struct.pack("<Ii", V2, 1) + dims([1, 2]) + dims([3, 2]) + struct.pack("<iii", 1, 0, 0)
            + struct.pack("<i", 6) + dims([1]) + data([1, 2]) + struct.pack("<q", 1))


def csr():
    return (struct.pack("<Ii", V2, 2) + dims([3]) + dims([2, 3]) + struct.pack("<iii", 1, 0, 0)
            + struct.pack("<i", 6) + dims([3]) + struct.pack("<i", 4) + dims([3]) + data([3])
            + struct.pack("<qqq", 0, 1, 3) + struct.pack("<iii", 2, 0, 1))


def array_list(records, names):
    text = struct.pack("<QQQ", 0x112, 0, len(records)) + b"".join(records)
    text += struct.pack("<Q", len(names))
    for name in names:
        text += struct.pack("<Q", len(name)) + name
    return text


def npy(descr, shape, size, version=1, fortran=False):
    text = "{'descr': '%s', 'fortran_order': %s, 'shape': %r, }\n" % (descr, fortran, tuple(shape))
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode() + data(shape, size)


def npz(method):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in [("arg:w", npy("<f4", [2, 3], 4)), ("aux:m", npy("|u1", [5], 1)),
                              ("s", npy("<i8", [], 8, 3))]:
            archive.writestr(zipfile.ZipInfo(name + ".npy"), content, method)
    return buffer.getvalue()


def main(folder):
    os.makedirs(folder, exist_ok=True)
    none = struct.pack("<Iii", V2, 0, 0)
    seeds = {
        "v0": array_list([v0([2, 2]), v0([])], [b"arg:a", b"aux:b"]),
        "v1": array_list([v1([3])], [b"w"]),
        "v2": array_list([dense([2, 3]), dense([1], 2, 2), none], [b"arg:w", b"arg:h", b"none"]),
        "v3": array_list([dense([], 1, 8, V3), dense([2], 12, 2, V3)], [b"s", b"arg:b"]),
        "anonymous": array_list([dense([4], 3, 1)], []),
        "row_sparse": array_list([row_sparse()], [b"arg:e"]),
        "csr": array_list([csr()], [b"arg:c"]),
        "npy1": npy("<f8", [2], 8),
        "npy2-fortran": npy("<i2", [2, 3], 2, 2, True),
        "npz-stored": npz(zipfile.ZIP_STORED),
        "npz-deflated": npz(zipfile.ZIP_DEFLATED),
    }
    for name, content in seeds.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])

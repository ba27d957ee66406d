#!/usr/bin/env python3
"""Makes the seeds of fuzz-npy and fuzz-image: small right files, made from nothing.

usage: make_runtime_seeds.py FOLDER
"""
import io
import os
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
    for folder, files in (("npy", arrays), ("image", pictures)):
        path = os.path.join(sys.argv[1], folder)
        os.makedirs(path, exist_ok=True)
        for name, data in files.items():
            prefix = b"\x01\x55" if folder == "image" else b""
            with open(os.path.join(path, name), "wb") as file:
                file.write(prefix + data)


if __name__ == "__main__":
    main()

"""Writes a PNG of pixels that follow a sum: write_png.py FILE HEIGHT WIDTH [SEED]."""
import struct
import sys
import zlib

path, height, width = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


rows = b"".join(b"\0" + bytes((seed * (x * 7 + y * 13 + c * 31) + x * y // 16) % 256 for x in range(width) for c in range(3))
                for y in range(height))
with open(path, "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
               chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))

"""Checks array_bytes of tools/bench/training/memory.py on a .npz of two arrays: array_bytes.py FOLDER."""
import sys
import tempfile
import zipfile

sys.path.insert(0, sys.argv[1])
import memory


def npy(shape, data):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


with tempfile.TemporaryDirectory() as folder:
    path = folder + "/a.npz"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("arg:w.npy", npy((3, 2), bytes(24)))
        file.writestr("data.npy", npy((), bytes(4)))
    assert memory.array_bytes(path) == {"arg:w": 24, "data": 4}, memory.array_bytes(path)

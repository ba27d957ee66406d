"""Mistakes at the library's C functions (symc/symc.h) that the package itself does not make.

Breaks where a wrong call ends the process, passes for a good one, or is told in other words.
"""
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import symc as mx
from symc import _library
from symc.errors import SymcError

V = mx.sym.Variable


class LibraryTest(unittest.TestCase):
    def check(self, message, name, *arguments):
        with self.assertRaises(SymcError) as caught:
            _library.call(name, *arguments)
        self.assertEqual(str(caught.exception), message)

    def test_no_library(self):
        with tempfile.TemporaryDirectory() as folder:  # where none is beside the package
            away = os.path.join(folder, "a", "b", "c")
            shutil.copytree(os.path.dirname(mx.__file__), os.path.join(away, "symc"))
            variables = {name: value for name, value in os.environ.items() if name != "SYMC_LIBRARY"}
            for more, message in (
                    ({}, r"libsymc.so.0 is not found; looked for \S+, \S+, \S+, and in the system: libsymc.so.0: \S"),
                    ({"SYMC_LIBRARY": "/nowhere"}, "libsymc.so.0 is not found; looked for /nowhere$"),
                    ({"SYMC_LIBRARY": mx.__file__}, r"\S+__init__.py cannot be opened: \S+")):
                done = subprocess.run([sys.executable, "-c", "import symc; symc.sym.Variable('x').tojson()"],
                                      env=dict(variables, PYTHONPATH=away, **more), stderr=subprocess.PIPE, text=True,
                                      check=False)
                self.assertRegex(done.stderr.strip().split("\n")[-1], "^symc.errors.SymcError: " + message)

    def test_numbers_of_symbols(self):
        made = ctypes.c_uint64()
        self.check("0 is no symbol", "symc_symbol_copy", ctypes.c_uint64(0), ctypes.byref(made))
        gone = V("x").handle  # freed with the object
        self.check("%d is no symbol: it was freed" % gone, "symc_symbol_copy", ctypes.c_uint64(gone),
                   ctypes.byref(made))

    def test_pointers(self):
        x = V("x")
        self.check("'an out parameter' is NULL", "symc_symbol_copy", ctypes.c_uint64(x.handle), None)
        self.check("'key' is NULL", "symc_symbol_cut", ctypes.c_uint64(x.handle), None, ctypes.byref(ctypes.c_uint64()))

        self.check("'path' is NULL", "symc_load_operators", None)

    def test_lists(self):
        x, count, names = V("x"), ctypes.c_size_t(), ctypes.POINTER(ctypes.c_char_p)()
        self.check("4 is no list of a symbol: lists are 0 to 3", "symc_symbol_list", ctypes.c_uint64(x.handle), 4,
                   ctypes.byref(count), ctypes.byref(names))

    def test_attributes(self):
        values, made = {"key%d" % i: "" for i in range(4097)}, ctypes.c_uint64()
        self.check("4097 attributes, at most 4096 are possible", "symc_symbol_create", b"exp", ctypes.c_size_t(4097),
                   _library.texts(values), _library.texts(values.values()), ctypes.byref(made))

    def test_backward_nodes(self):
        node = {"op": "null", "param": {}, "name": "x", "inputs": [], "backward_source_id": -1}
        exp = {"op": "exp", "param": {}, "name": "e", "inputs": [[0, 0]], "backward_source_id": -1}
        back = {"op": "null", "param": {}, "name": "e_back", "inputs": [[1, 0]], "backward_source_id": 1}
        text = json.dumps({"nodes": [node, exp, back], "arg_nodes": [0], "heads": [[2, 0]]})
        with self.assertRaises(SymcError) as caught:
            mx.sym.load_json(text)
        self.assertEqual(str(caught.exception), "'symbol' holds backward nodes, which a symbol has not")


if __name__ == "__main__":
    unittest.main()

"""Mistakes at the library's C functions (symc/symc.h) that the package itself does not make.

Breaks where a wrong call ends the process, passes for a good one, or is told in other words.
"""
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

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
        self.check("5 is no list of a symbol: lists are 0 to 4", "symc_symbol_list", ctypes.c_uint64(x.handle), 5,
                   ctypes.byref(count), ctypes.byref(names))

    def test_attributes(self):
        values, made = {"key%d" % i: "" for i in range(4097)}, ctypes.c_uint64()
        self.check("4097 attributes, at most 4096 are possible", "symc_symbol_create", b"exp", ctypes.c_size_t(4097),
                   _library.texts(values), _library.texts(values.values()), ctypes.byref(made))

    def test_bytes_behind_the_graph(self):
        text = mx.sym.exp(V("x")).tojson()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net-symbol.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text + "}\n ")
            for load, argument, name in ((mx.sym.load, path, path), (mx.sym.load_json, text + "}\n ", "symbol")):
                with warnings.catch_warnings(record=True) as told:
                    warnings.simplefilter("always")
                    self.assertEqual(load(argument).list_outputs(), mx.sym.load_json(text).list_outputs())
                self.assertEqual(len(told), 1)
                self.assertRegex(str(told[0].message), r"^%s:\d+:\d+: warning: 3 bytes behind the end of the graph are "
                                 "ignored" % re.escape(name))
                self.assertEqual(told[0].filename, __file__)

    def test_variables_of_mxnet(self):
        script = "import warnings; warnings.simplefilter('always'); import symc; symc.sym.Variable('x'); symc.sym.Variable('y')"

        def told(**variables):
            own = {key: value for key, value in os.environ.items() if not key.startswith(("MXNET_", "SYMC_THREADS"))}
            done = subprocess.run([sys.executable, "-c", script], env={**own, **variables}, stderr=subprocess.PIPE,
                                  text=True, check=True)
            return re.findall(r"MXNET_\w+ is not read, its equal here is .*", done.stderr)
        threads = "MXNET_CPU_WORKER_NTHREADS is not read, its equal here is --threads N or SYMC_THREADS=N"
        self.assertEqual(told(MXNET_CPU_WORKER_NTHREADS="4", MXNET_SAFE_ACCUMULATION="1"), [threads])
        self.assertEqual(told(MXNET_CPU_WORKER_NTHREADS="4", SYMC_THREADS="4"), [])
        self.assertEqual(told(MXNET_CPU_WORKER_NTHREADS="1", MXNET_EXEC_BULK_EXEC_INFERENCE="0"), [])

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

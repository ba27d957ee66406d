"""Makes small libraries and lets the wheel's backend take them: ties that it cuts, and what it refuses, word for word.

Usage: wheel_libraries.py FOLDER_OF_THE_BACKEND CLANG
"""
import ctypes
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
BACKEND, CLANG = sys.argv.pop(1), sys.argv.pop(1)
sys.path.insert(0, BACKEND)
import elf
import libraries

USER = """#include <math.h>
int one(void);
double root(double x) { return sqrt(x) + (x < -1e9 ? one() : 0); }
void *address(void) { return (void *)one; }
"""


class Libraries(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def make(self, name, code, *options):
        """A library, that names itself as its file is named."""
        path = os.path.join(self.folder, name)
        subprocess.run([CLANG, "-x", "c", "-", "-fPIC", "-shared", "-fno-builtin", "-o", path, "-Wl,-soname," + name,
                        "-L" + self.folder, *options], input=code.encode(), check=True)
        return path

    def check(self, message, function, *arguments):
        with self.assertRaises((elf.ElfError, libraries.LibraryError)) as caught:
            function(*arguments)
        self.assertEqual(str(caught.exception), message)

    def test_ties_are_cut(self):
        versions = os.path.join(self.folder, "one.map")
        with open(versions, "w", encoding="utf-8") as file:
            file.write("ONE_1 { global: *; };\n")
        for order in (("-l:libone.so.1", "-lm"), ("-lm", "-l:libone.so.1")):  # the record of versions is first, or last
            one = self.make("libone.so.1", "int one(void) { return 1; }", "-Wl,--version-script=" + versions)
            user = libraries.read(self.make("libuser%d.so" % order.index("-lm"), USER, "-Wl,--no-as-needed", *order))
            self.assertIn("libone.so.1", user.needed)
            cut = os.path.join(self.folder, "cut-" + os.path.basename(user.name))
            with open(cut, "wb") as file:
                file.write(elf.without(user, {"libone.so.1": libraries.read(one).exports()}))
            os.remove(one)
            opened = ctypes.CDLL(cut)
            opened.root.restype, opened.root.argtypes, opened.address.restype = (
                ctypes.c_double, [ctypes.c_double], ctypes.c_void_p)
            self.assertEqual((opened.root(4), opened.address()), (2, None))
            again = libraries.read(cut)
            self.assertEqual(again.needed, [name for name in user.needed if name != "libone.so.1"])
            self.assertEqual(again.glibc(), user.glibc())

    def test_what_is_taken(self):
        other = self.make("libother.so.3", "int other(void) { return 3; }")
        user = self.make("libuser.so", "int other(void); int two(void) { return other() - 1; }", "-l:libother.so.3",
                         "-Wl,-rpath,$ORIGIN/../lib:" + self.folder)
        found, changed, _ = libraries.collect([user])
        self.assertEqual((found, changed), ({"libother.so.3": other}, {}))
        self.check("the licence of %s is not found: no installed package has the file and its terms" % other,
                   libraries.licence_of, other)
        os.remove(other)
        self.check("%s: libother.so.3 is not found" % user, libraries.collect, [user])

    def test_what_is_not(self):
        self.make("libother.so.3", "int other(void) { return 3; }")
        code = "int other(void); int two(void) { return other() - 1; }"
        user = self.make("libuser.so", code, "-l:libother.so.3", "-Wl,-rpath," + self.folder)
        self.check("%s needs libother.so.3 and does not look for it beside itself ($ORIGIN/../lib)" % user,
                   libraries.collect, [user])
        user = self.make("libuser.so", code, "-l:libother.so.3", "-Wl,-rpath,$ORIGIN:lib")
        self.check("%s looks for libraries in 'lib', a folder of whoever runs it" % user, libraries.collect, [user])
        name = "_ZN4llvm14CreateZ3SolverEv"
        user = self.make("libuser.so", "void %s(void); void call(void) { %s(); }" % (name, name))
        self.check("%s uses %s of LLVM, which the wheel's copy lacks; take its library out of UNUSED in "
                   "tools/python/wheel/libraries.py" % (user, name), libraries.collect, [user])

    def test_files_that_are_none(self):
        self.check("x is no ELF file of 64 bits, little-endian", elf.Elf, b"#!/bin/sh\n", "x")
        path = os.path.join(self.folder, "x.o")
        subprocess.run([CLANG, "-x", "c", "-", "-c", "-o", path], input=b"int x;", check=True)
        self.check("%s has no dynamic section" % path, libraries.read, path)


if __name__ == "__main__":
    unittest.main()

"""The build backend of the Python package refuses what makes no good wheel, in these words, and writes RECORD as
installers read it. test/e2e/wheel.test makes a real one. Run by ctest as check-scripts.
"""
import base64
import csv
import hashlib
import io
import os
import sys
import tempfile
import unittest
import zipfile
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = os.path.join(HERE, "..", "..", "..", "tools", "python")
sys.path[:0] = [PYTHON, os.path.join(PYTHON, "wheel")]
sys.dont_write_bytecode = True
import backend
import libraries
import write_sums

FILES = ("LICENSE", "NOTICE", "README.md", "tools/python/symc/__init__.py", "build/release/python/symc/__init__.py",
         "build/release/python/symc/_operators.json", "build/release/python/symc/symbol.pyi",
         "build/release/python/symc/stray.pyi", "build/release/bin/symc", "build/release/lib/libsymc.so.0", "build/release/share/symc/core.o")
COMMANDS = """; build symc first:
  tools/scripts/setup
  cmake --preset release -DSYMC_BUILD_TESTS=OFF
  cmake --build --preset release --target symc symc-run symc-python"""


class Backend(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        for name in FILES:
            self.write(name, "of %s" % os.path.basename(name))
        self.write("CMakeLists.txt", "# symc\nproject(symc VERSION 7.8.9 LANGUAGES C CXX)\n")
        self.write("build/release/share/symc.files", "core.o\n")
        self.build = os.path.join(self.root, "build", "release")
        self.write_sums()
        found = mock.Mock(machine="x86_64")
        taken = {"collect": lambda programs: ({}, {}, (2, 36)), "read": lambda path: found}
        for target, values in ((backend, {"ROOT": self.root}), (libraries, taken)):
            patch = mock.patch.multiple(target, **values)
            patch.start()
            self.addCleanup(patch.stop)

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def write_sums(self):
        """What the last step of symc-python writes."""
        package = os.path.join(self.build, "python", "symc")
        with mock.patch.object(sys, "argv", ["", package, *(os.path.join(package, name) for name in
                                                            ("__init__.py", "_operators.json", "symbol.pyi"))]):
            write_sums.main()

    def check(self, message, make=backend.build_wheel, settings=None):
        with self.assertRaises(backend.WheelError) as caught:
            make(self.root, settings)
        self.assertEqual(str(caught.exception), message)
        self.assertEqual([name for name in os.listdir(self.root) if ".whl" in name], [])

    def test_a_wheel(self):
        name = backend.build_wheel(self.root)
        self.assertEqual(name, "symc-7.8.9-py3-none-manylinux_2_36_x86_64.whl")
        with zipfile.ZipFile(os.path.join(self.root, name)) as wheel:
            rows = list(csv.reader(io.StringIO(wheel.read("symc-7.8.9.dist-info/RECORD").decode())))
            self.assertEqual([row[0] for row in rows], wheel.namelist())
            self.assertIn("symc/symbol.pyi", wheel.namelist())
            self.assertNotIn("symc/stray.pyi", wheel.namelist())
            for path, digest, count in rows[:-1]:
                data = wheel.read(path)
                real = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
                self.assertEqual((digest, int(count)), ("sha256=" + real, len(data)))
            self.assertEqual(rows[-1], ["symc-7.8.9.dist-info/RECORD", "", ""])
            self.assertTrue(wheel.getinfo("symc/_bin/symc").external_attr >> 16 & 0o111)
            said = wheel.read("symc-7.8.9.dist-info/METADATA").decode()
            for line in ("Version: 7.8.9", "Description-Content-Type: text/markdown", "License: Apache-2.0", "Classifier: Typing :: Typed",
                         "Classifier: Topic :: Software Development :: Compilers",
                         "Project-URL: MXNet 1.9.1, https://github.com/apache/mxnet/tree/1.9.1", "\nof README.md"):
                self.assertIn(line, said)
            self.assertNotIn("symc/_bin/symc-run", wheel.namelist())  # symc is, where it is called so
            self.assertEqual(wheel.read("symc-7.8.9.dist-info/entry_points.txt").decode(),
                             "[console_scripts]\nsymc = symc._programs:symc\nsymc-run = symc._programs:symc_run\nim2rec = symc.im2rec:main\n")
        with open(os.path.join(self.root, name), "rb") as first:
            before = first.read()
        backend.build_wheel(self.root)
        with open(os.path.join(self.root, name), "rb") as second:
            self.assertEqual(second.read(), before)

    def test_the_address_of_the_sources(self):
        name = backend.build_editable(self.root, {"url": "https://example.org/symc"})
        with zipfile.ZipFile(os.path.join(self.root, name)) as wheel:
            self.assertIn("\nProject-URL: Source, https://example.org/symc\n",
                          wheel.read("symc-7.8.9.dist-info/METADATA").decode())

    def test_an_editable_one(self):
        name = backend.build_editable(self.root)
        with zipfile.ZipFile(os.path.join(self.root, name)) as wheel:
            self.assertEqual(wheel.read("__editable__symc.pth").decode(), self.build + "/python\n")

    def test_metadata(self):
        info = backend.prepare_metadata_for_build_wheel(self.root)
        with open(os.path.join(self.root, info, "METADATA"), encoding="utf-8") as file:
            said = file.read()
        name = backend.build_wheel(self.root, metadata_directory=os.path.join(self.root, info))
        with zipfile.ZipFile(os.path.join(self.root, name)) as wheel:
            self.assertEqual(wheel.read(info + "/METADATA").decode(), said)

    def test_no_build(self):
        os.remove(os.path.join(self.build, "bin", "symc"))
        self.check("%s has no bin/symc%s" % (self.build, COMMANDS))
        self.check("%s has no bin/symc%s" % (self.build, COMMANDS), backend.build_editable)
        self.check("%s has no bin/symc%s" % (self.build, COMMANDS), backend.prepare_metadata_for_build_wheel)
        other = os.path.join(self.root, "other")
        self.check("%s has no bin/symc%s" % (other, COMMANDS), settings={"build-dir": "other"})

    def test_an_old_build(self):
        message = "%s/python/symc/__init__.py is not tools/python/symc/__init__.py%s" % (self.build, COMMANDS)
        self.write("tools/python/symc/__init__.py", "edited")
        self.check(message)
        os.remove(os.path.join(self.build, "python", "symc", "__init__.py"))
        self.check(message)

    def test_half_a_build(self):
        half = self.build + " is half made: %s" + COMMANDS
        stub = os.path.join(self.build, "python", "symc", "symbol.pyi")
        with open(stub, "w", encoding="utf-8"):
            pass
        self.check(half % "python/symc/symbol.pyi is not what the target symc-python made")
        self.check(half % "python/symc/symbol.pyi is not what the target symc-python made", backend.build_editable)
        with self.assertRaisesRegex(SystemExit, "^write_sums: .*/symbol.pyi is empty$"):
            self.write_sums()
        os.remove(os.path.join(self.build, "python", "symc.sums"))
        self.check(half % "the target symc-python did not end")
        os.remove(os.path.join(self.build, "share", "symc", "core.o"))
        self.check(half % "share/symc/core.o is missing")

    def test_settings(self):
        self.check("level is '10', needs 1 to 9", settings={"level": "10"})
        with mock.patch.object(backend, "LIMIT", 100):
            size = r"the wheel takes \d+ bytes, at most 100 are possible"
            self.assertRaisesRegex(backend.WheelError, size, backend.build_wheel, self.root)
        self.assertEqual([name for name in os.listdir(self.root) if ".whl" in name], [])

    def test_wrong_machines(self):
        with mock.patch.object(backend.sys, "version_info", (3, 8, 1)), \
                mock.patch.object(backend.sys, "version", "3.8.1 (main)"):
            self.check("symc needs Python 3.9 or later, this is 3.8.1")
        with mock.patch.object(backend.sys, "platform", "darwin"):
            self.check("symc is built on Linux, this is darwin")

    def test_libraries_that_do_not_do(self):
        with mock.patch.object(libraries, "collect", side_effect=libraries.LibraryError("libz9.so is not found")):
            self.check("libz9.so is not found")

    def test_sources(self):
        self.check("symc makes no source distribution for Python: it is built by CMake, and the wheel made of that",
                   backend.build_sdist)


if __name__ == "__main__":
    unittest.main()

"""If these fail, run-tests leaves out a suite whose program or input changed, takes a failure for a pass, or loses what
passed before it was stopped. ctest runs small suites of a build folder made here. Run by ctest as check-scripts.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

LIB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "tools", "scripts", "lib")
sys.path.insert(0, LIB)
sys.dont_write_bytecode = True
import ledger
import reach
import suites


class Checkout(unittest.TestCase):
    """A checkout with a build folder, in which suites are shell scripts that write down that they ran."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = os.path.realpath(folder.name)
        self.build = os.path.join(self.source, "build", "release")
        self.write(".gitignore", "/build/\n")
        self.write("build/release/bin/symc", "the compiler")
        subprocess.run(["git", "init", "-q", self.source], check=True)
        self.tests = {}

    def write(self, name, text):
        path = os.path.join(self.source, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def suite(self, name, script="true", *words, environment=""):
        path = self.write("test/%s.sh" % name, "echo %s >>%s/ran\n%s\n" % (name, self.build, script))
        self.tests[name] = [["/bin/sh", path, *words], environment]
        self.register()

    def register(self):
        lines = []
        for name, (command, environment) in self.tests.items():
            lines.append("add_test(%s %s)\n" % (name, " ".join('"%s"' % word for word in command)))
            lines.append('set_tests_properties(%s PROPERTIES ENVIRONMENT "%s" SKIP_RETURN_CODE 77)\n' % (name, environment))
        self.write("build/release/CTestTestfile.cmake", "".join(lines))

    def command(self, *flags):
        return [sys.executable, "-B", os.path.join(LIB, "run_suites.py"), self.build, "--source", self.source, "--jobs", "1", *flags]

    def run_suites(self, *flags, status=0, **variables):
        """The names of the suites that ran; the text is kept."""
        path = os.path.join(self.build, "ran")
        if os.path.exists(path):
            os.remove(path)
        done = subprocess.run(self.command(*flags), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              env={**os.environ, **variables})
        self.text = done.stdout
        self.assertEqual(done.returncode, status, self.text)
        return self.ran()

    def ran(self):
        try:
            with open(os.path.join(self.build, "ran"), encoding="utf-8") as file:
                return sorted(file.read().split())
        except FileNotFoundError:
            return []

    def count(self):
        done = subprocess.run([sys.executable, "-B", os.path.join(LIB, "count_tests.py"), os.path.join(self.build, "test-results")],
                              stdout=subprocess.PIPE, text=True, check=False)
        return done.stdout.splitlines()


class Run(Checkout):
    def test_what_passed_is_not_run_again(self):
        self.suite("check-format")
        self.suite("faults", "test -e %s/fixed" % self.source)
        self.suite("python", "exit 77")
        self.assertEqual(self.run_suites(status=8), ["check-format", "faults", "python"])
        self.assertIn("== suites: 3 to run (of unknown time)", self.text)
        self.assertRegex(self.text, r"check-format \.+ +Passed +[\d.]+ sec, 2 left: of unknown time")
        self.assertEqual(self.count()[-3:], ["FAILED faults: 0 passed, 1 failed", "1 skipped (each prints why in its output)", "1 passed, 1 failed"])
        self.assertEqual(self.run_suites(status=8), ["faults", "python"])
        self.assertIn("== suites: 2 to run (less than a minute)", self.text)
        self.assertIn("== ledger: 1 passed earlier with the same programs, inputs and flags; --fresh runs them, too", self.text)
        self.assertEqual(self.count()[-3:], [
            "1 of those that passed are from the ledger: they passed earlier with the same programs, inputs and flags",
            "1 skipped (each prints why in its output)", "1 passed, 1 failed"])
        self.write("fixed", "")  # a new file of the checkout, of which the row of `faults` has nothing
        self.assertEqual(self.run_suites(), ["check-format", "faults", "python"])
        self.assertIn("==   check-format: changed since it passed: checkout", self.text)
        self.assertEqual(self.run_suites(), ["python"])
        self.assertEqual(self.run_suites("--fresh"), ["check-format", "faults", "python"])

    def test_all_from_the_ledger(self):
        self.suite("faults")
        self.suite("faults-all")
        self.assertEqual(self.run_suites(), ["faults", "faults-all"])
        self.assertEqual(self.run_suites(), [])
        self.assertEqual(self.count()[-1], "2 passed, 0 failed")

    def test_single_results_count_as_they_did(self):
        results = os.path.join(self.build, "test-results")
        self.suite("faults", "echo '<a><testcase name=\"x\"/><testcase name=\"y\"/><testcase name=\"z\"><skipped/></testcase></a>' >%s/faults.xml"
                   % results)
        self.run_suites()
        self.assertEqual(self.count()[-1], "2 passed, 0 failed")
        self.assertEqual(self.run_suites(), [])
        self.assertEqual(self.count()[-2:], ["1 skipped (each prints why in its output)", "2 passed, 0 failed"])

    def test_what_changes_a_suite(self):
        cases = self.write("test/cases/a.json", "1")
        self.suite("conformance", "true", "--cases=" + os.path.dirname(cases))
        self.suite("faults", environment="A=1")
        self.assertEqual(self.run_suites(), ["conformance", "faults"])
        self.assertEqual(self.run_suites(), [])
        self.write("test/cases/a.json", "2")
        self.assertEqual(self.run_suites(), ["conformance"])
        self.assertIn("==   conformance: changed since it passed: test/cases", self.text)
        self.write("test/cases/b.json", "1")
        self.assertEqual(self.run_suites(), ["conformance"])
        self.write("build/release/bin/symc", "another one")
        self.assertEqual(self.run_suites(), ["conformance", "faults"])
        self.suite("conformance", "true # edited", "--cases=" + os.path.dirname(cases))
        self.assertEqual(self.run_suites(), ["conformance"])
        self.tests["conformance"][0].append("--flag")
        self.tests["faults"][1] = "A=2"
        self.register()
        self.assertEqual(self.run_suites(), ["conformance", "faults"])
        self.assertEqual(self.run_suites(SYMC_THREADS="3"), ["conformance", "faults"])
        self.assertEqual(self.run_suites(SYMC_THREADS="3", LANG="C"), [])
        # The same bytes, newer: as a build that changed nothing leaves them.
        os.utime(os.path.join(self.build, "bin", "symc"))
        self.assertEqual(self.run_suites(SYMC_THREADS="3"), [])

    def test_a_failure_takes_the_entry(self):
        self.suite("faults", "test ! -e %s/broken" % self.build)
        self.run_suites()
        self.write("build/release/broken", "")
        self.assertEqual(self.run_suites("--fresh", status=8), ["faults"])
        os.remove(os.path.join(self.build, "broken"))
        self.assertEqual(self.run_suites(), ["faults"])

    def test_a_part_that_changes_meanwhile(self):
        self.suite("faults", "echo more >>%s/bin/symc" % self.build)
        self.assertEqual(self.run_suites(), ["faults"])
        self.assertEqual(self.run_suites(), ["faults"])

    def test_stop_and_go_on(self):
        self.suite("check-format")
        self.suite("faults", "while [ ! -e %s/go ]; do sleep 0.02; done" % self.build)
        process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        while self.ran() != ["check-format", "faults"] or "check-format" not in ledger.Ledger(self.build).suites:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        text, _ = process.communicate()
        self.assertEqual(process.returncode, 130, text)
        self.assertIn("== stopped with 1 suites left; the same command goes on with them", text)
        self.write("build/release/go", "")
        self.assertEqual(self.run_suites(), ["faults"])
        self.assertEqual(self.run_suites(), [])

    def test_labels(self):
        self.suite("faults")
        self.suite("faults-all")
        self.assertEqual(self.run_suites("--", "-E", "all"), ["faults"])
        self.assertEqual(self.run_suites(), ["faults-all"])

    def git(self, *words):
        subprocess.run(["git", "-C", self.source, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, stdout=subprocess.DEVNULL)

    def test_since(self):
        self.write("ir/a.cpp", '#include "a.h"\n')
        self.write("ir/a.h", "")
        self.write("docs/a.md", "")
        self.write("build/release/build.ninja", """rule cc
  command = echo '$out: $in ../../ir/a.h' >$out.d && cp $in $out
  depfile = $out.d
  deps = gcc
build bin/symc: cc ../../ir/a.cpp
""")
        self.suite("faults")
        self.suite("check-format")
        self.suite("conformance")
        subprocess.run(["ninja", "-C", self.build], check=True, stdout=subprocess.DEVNULL)
        self.git("add", "-A")
        self.git("commit", "-qm", "one")
        self.assertEqual(self.run_suites("--since", "HEAD"), [])
        self.assertIn("== left out: 3 that no change since HEAD reaches", self.text)
        self.assertEqual(self.count()[-2:], ["3 suites were left out, which the change does not reach", "0 passed, 0 failed"])
        self.write("docs/a.md", "more")
        self.assertEqual(self.run_suites("--since", "HEAD"), ["check-format"])
        self.write("ir/a.h", "more")
        self.assertEqual(self.run_suites("--since", "HEAD"), ["check-format", "conformance", "faults"])
        self.assertEqual(self.run_suites("--since", "HEAD"), [])
        self.assertEqual(self.run_suites("--since", "gone", status=2), [])
        self.assertIn("run-tests: --since: git has no commit 'gone'", self.text)


class Reaching(Checkout):
    def reach(self, *changed):
        return reach.Reach(self.source, self.build, list(changed))

    def test_what_reaches_all(self):
        self.write("ir/a.cpp", "")
        for path in ("CMakeLists.txt", "codegen/CMakeLists.txt", "cmake/symc.pc.in", "CMakePresets.json", "ir/gone.h"):
            self.assertTrue(self.reach(path).reaches("build:bin"), path)
        for path in ("ir/a.cpp", "docs/gone.md", "test/ops/gone.mlir"):
            self.assertFalse(self.reach(path).reaches("build:bin"), path)

    def test_sources(self):
        change = self.reach("test/ops/a.mlir")
        self.assertTrue(change.reaches("test/ops"))
        self.assertTrue(change.reaches("checkout"))
        self.assertFalse(change.reaches("test/op"))
        self.assertFalse(change.reaches("machine"))


class Parts(Checkout):
    def parts(self):
        return suites.Parts(self.source, self.build, ledger.Files())

    def test_names(self):
        parts = self.parts()
        program = self.write("build/release/test/fuzz/fuzz-npy", "")
        self.assertEqual(parts.name_of(program), "build:test/fuzz/fuzz-npy")
        self.assertEqual(parts.name_of(os.path.join(self.build, "share", "symc")), "build:share/symc")
        for path in (self.source, self.build, os.path.join(self.build, "test-results"), os.path.join(self.build, "test", "fuzz", "corpus"),
                     self.write("build/release/test-results/a.xml", "")):
            self.assertIsNone(parts.name_of(path), path)
        self.assertEqual(parts.name_of("/usr/bin/env"), "outside:/usr/bin/env")

    def test_places_in_programs(self):
        self.write("examples/a", "")
        self.write("build/release/test/fake.so", "")
        program = self.write("build/release/unit/a", "\0%s/examples\0%s/test\0%s/nowhere\0" % (self.source, self.build, self.source))
        self.assertEqual(self.parts().places(program), {"examples", "build:test/fake.so"})

    def test_lit(self):
        self.write("build/release/bin/symc-opt", "")
        self.write("test/ops/a.mlir", "// RUN: symc-opt %s | FileCheck %s\n// symc does more\n")
        suite = suites.Suite("lit-ops", ["lit", os.path.join(self.source, "test", "ops")], [], [], 1)
        self.assertIn("build:bin/symc-opt", self.parts().names(suite))
        self.assertNotIn("build:share", self.parts().names(suite))
        self.write("test/ops/b.mlir", "// RUN: symc %s\n")
        self.assertIn("build:share", self.parts().names(suite))

    def test_no_row(self):
        suite = suites.Suite("something-new", ["true"], [], [], 1)
        self.assertEqual(self.parts().names(suite), {"checkout", *("build:" + each for each in suites.PRODUCTS)})

    def test_every_row_names_parts_that_are(self):
        top = os.path.join(LIB, "..", "..", "..")
        for _, parts in suites.ROOMS:
            for part in parts:
                if part not in ("command", "lit", "program", "public", "checkout", "products") and not part.startswith("build:"):
                    self.assertTrue(os.path.exists(os.path.join(top, part)), part)


class Book(unittest.TestCase):
    def test_estimate(self):
        with tempfile.TemporaryDirectory() as folder:
            book = ledger.Ledger(folder)
            book.times = {"a": 100, "b": 60, "c": 30}
            self.assertEqual(book.estimate({"a": 2, "b": 1, "c": 1, "d": 1}, 2), (145, 1))
            self.assertEqual(book.estimate({"a": 1, "b": 1}, 8), (100, 0))
            self.assertEqual(book.estimate({}, 2), (0, 0))

    def test_a_file_cut_short(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "ledger.json"), "w", encoding="utf-8") as file:
                file.write('{"suites": {"a": ')
            self.assertEqual(ledger.Ledger(folder).suites, {})

    def test_times_of_files_count_once(self):
        with tempfile.TemporaryDirectory() as folder:
            kept, path = os.path.join(folder, "kept"), os.path.join(folder, "a")
            with open(path, "w", encoding="utf-8") as file:
                file.write("1")
            first = ledger.Files(kept)
            digest = first.file(path)
            first.save()
            with mock.patch("builtins.open", side_effect=[open(kept, encoding="utf-8")]):
                self.assertEqual(ledger.Files(kept).file(path), digest)
            os.chmod(path, 0o755)
            self.assertNotEqual(first.file(path), digest)
            self.assertEqual(json.loads(json.dumps(first.known)).keys(), {path})


if __name__ == "__main__":
    unittest.main()

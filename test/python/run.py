#!/usr/bin/env python3
"""Runs the tests of the Python package: every *_test.py beside this file.

Usage: run.py PACKAGES RESULTS.xml [NAME...]
PACKAGES is the folder that holds `symc` (<build>/python). The results are written as junit has them, from which
tools/scripts/lib/count_tests.py counts; skipped tests say why. NAMEs are single tests: symbols_test.Names.test_prefix.
Exit status: 0 if nothing failed, 1 if a test failed, 77 where there is no NumPy.
"""
import os
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))


class Result(unittest.TextTestResult):
    """Notes each test with its time and how it ended."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        self.suite = ElementTree.Element("testsuite", name="python")
        self._begun = 0.0

    def startTest(self, test):
        self._begun = time.monotonic()
        super().startTest(test)

    def _note(self, test, kind=None, text=""):
        group, _, name = test.id().rpartition(".")
        case = ElementTree.SubElement(self.suite, "testcase", classname=group, name=name,
                                      time="%.3f" % (time.monotonic() - self._begun))
        if kind:
            ElementTree.SubElement(case, kind, message=text.strip().split("\n")[-1]).text = text

    def addSuccess(self, test):
        super().addSuccess(test)
        self._note(test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._note(test, "skipped", reason)
        self.stream.writeln("skipped %s: %s" % (test.id(), reason))

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._note(test, "failure", self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self._note(test, "error", self.errors[-1][1])

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._note(test, "failure", "%s: %s" % (subtest, err[1]))

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._note(test, "failure", "passed, which was not expected")


def main():
    packages, results, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: this Python has no NumPy")
        return 77
    sys.path[:0] = [os.path.abspath(packages), HERE]
    os.environ["PYTHONPATH"] = os.path.abspath(packages)  # of processes that tests start
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(names) if names else loader.discover(HERE, pattern="*_test.py")
    with tempfile.TemporaryDirectory(prefix="symc-cache-") as cache:  # of compiled operators, empty at first
        os.environ["SYMC_CACHE_DIR"] = cache
        result = unittest.TextTestRunner(resultclass=Result, verbosity=1).run(suite)
    ElementTree.ElementTree(result.suite).write(results)
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())

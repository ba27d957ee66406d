#!/usr/bin/env python3
"""Runs MXNet's own unit tests of symbols, unchanged, with symc in mxnet's place.

  mxnet_tests.py --package BUILD/python --source MXNET        MXNET: a checkout of MXNet 1.9.1

A test needs symbols, or more than this package has: arrays that compute, training, gluon. Where a test
asks for such a thing, it is left out, and the table names the call. What else goes wrong is a failure.
The last line is `N passed, N failed, N left out`. Exit status: 0 at least nine tenths of those that were
not left out passed; 1 fewer did; 2 wrong usage.
"""
import argparse
import contextlib
import importlib
import importlib.abc
import importlib.machinery
import io
import os
import random
import re
import sys
import types
import unittest

FILES = ("test_symbol", "test_attr", "test_infer_shape", "test_infer_type", "test_random", "test_contrib_control_flow",
         "test_contrib_operator", "test_contrib_hawkesll", "test_contrib_krprod", "test_contrib_stes_op")
#: What Python says of a name that the package lacks.
ABSENT = re.compile(r"module 'symc(?P<module>[.\w]*)' has no attribute '(?P<name>\w+)'|"
                    r"'(?P<type>NDArray|Executor|Model|Context)' object has no attribute '(?P<member>\w+)'")


class LeftOut(Exception):
    """A test asked for what is no part of the package."""


class Absent:
    """Something of mxnet or its test helpers that is not there; whoever uses it is left out."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(self._name + "." + name)

    def __call__(self, *arguments, **_):
        # As a decorator it leaves out the test behind it.
        name = self._name
        if len(arguments) == 1 and isinstance(arguments[0], types.FunctionType):
            def left_out():
                raise LeftOut(name)
            return left_out
        raise LeftOut(name)

    def __iter__(self):
        raise LeftOut(self._name)

    def __mro_entries__(self, _bases):  # of a class whose objects nobody makes
        name = self._name

        class Base:
            def __init__(self, *_, **__):
                raise LeftOut(name)

        return (Base,)


class AbsentModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules of mxnet that symc has are its own; others, nose and scipy have nothing but Absent names."""

    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if top in ("mxnet", "nose", "scipy") else None

    def create_module(self, spec):
        own = None
        if spec.name.startswith("mxnet."):
            with contextlib.suppress(ImportError):
                own = importlib.import_module("symc." + spec.name.partition(".")[2])
        module = types.ModuleType(spec.name)
        short = spec.name.replace("mxnet.", "mx.", 1)
        module.__getattr__ = lambda name: getattr(own, name) if hasattr(own, name) else Absent(short + "." + name)
        module.__all__ = []
        return module

    def exec_module(self, module):
        pass


@contextlib.contextmanager
def discard_stderr():
    with contextlib.redirect_stderr(io.StringIO()):
        yield


def helpers():
    """The helpers of MXNet's tests that need nothing of mxnet, as modules common and mxnet.test_utils."""
    common = types.ModuleType("common")

    def with_seed(_seed=None):
        return lambda test: test

    def assert_raises(kind, function, *arguments, **keywords):
        unittest.TestCase().assertRaises(kind, function, *arguments, **keywords)

    common.with_seed, common.assertRaises = with_seed, assert_raises
    common.TemporaryDirectory = __import__("tempfile").TemporaryDirectory
    common.models = importlib.import_module("models")
    common.__getattr__ = lambda name: Absent("common." + name)
    sys.modules["common"] = common
    utils = importlib.import_module("mxnet.test_utils")
    utils.discard_stderr = discard_stderr
    utils.same = lambda a, b: (a == b).all()
    utils.rand_shape_nd = lambda rank, dim=10, **_: tuple(random.randint(1, dim) for _ in range(rank))
    utils.retry = with_seed
    utils.default_context = lambda: sys.modules["mxnet"].cpu()
    utils.sys, utils.os, utils.is_aarch64_run = sys, os, lambda: False
    utils.__all__ = ["sys", "os", "is_aarch64_run", "same", "rand_shape_nd", "retry", "default_context", "check_consistency", "assert_almost_equal",
                     "check_symbolic_forward", "check_numeric_gradient", "rand_ndarray", "random_arrays"]
    importlib.import_module("mxnet.base")._as_list = lambda value: list(value) if isinstance(value, (list, tuple)) else [value]
    nose = importlib.import_module("nose.tools")
    case = unittest.TestCase()

    def raises(*kinds):
        return lambda test: lambda: case.assertRaises(kinds, test)

    for name, function in (("assert_raises", case.assertRaises), ("assert_equal", case.assertEqual), ("raises", raises)):
        setattr(nose, name, function)
        nose.__all__.append(name)


def reason_to_leave_out(error):
    """The call that a test asked for and the package lacks; None where the test failed."""
    if isinstance(error, LeftOut):
        return str(error)
    training = re.match(r"(\w+).* needs training", str(error))
    if training:
        return "Executor." + training[1]
    found = ABSENT.search(str(error)) if isinstance(error, (AttributeError, ImportError)) else None
    if not found:
        return None
    if found["type"]:
        return found["type"] + "." + found["member"]
    return ("mx" + found["module"] + "." + found["name"]).replace("mx.ndarray", "mx.nd")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("files", nargs="*", default=FILES)
    options = parser.parse_args()
    folder = os.path.join(options.source, "tests", "python", "unittest")
    if not os.path.isdir(folder):
        sys.exit("mxnet_tests: error: %s has no folder tests/python/unittest" % options.source)
    sys.path[:0] = [os.path.abspath(options.package), folder, os.path.join(options.source, "tests", "python", "common")]
    import symc
    package = types.ModuleType("mxnet")
    package.__path__, package.__getattr__ = [], lambda name: getattr(symc, name)
    sys.modules["mxnet"] = package
    sys.meta_path.insert(0, AbsentModules())
    helpers()
    total = {"passed": 0, "failed": 0, "left out": 0}
    for name in options.files:
        with contextlib.redirect_stdout(io.StringIO()):
            module = importlib.import_module(name)
        for test in sorted(each for each in vars(module) if each.startswith("test_") and callable(getattr(module, each))):
            verdict, why = "passed", ""
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    getattr(module, test)()
            except BaseException as error:  # whatever a test ends with
                why = reason_to_leave_out(error)
                verdict = "left out" if why else "failed"
                why = why or "%s: %s" % (type(error).__name__, (str(error).strip().splitlines() or [""])[0][:140])
            total[verdict] += 1
            print("%-9s %s.%s%s" % (verdict, name, test, ": " + why if why else ""))
    print("%(passed)d passed, %(failed)d failed, %(left out)d left out" % total)
    sys.exit(0 if total["passed"] >= 9 * total["failed"] else 1)


if __name__ == "__main__":
    main()

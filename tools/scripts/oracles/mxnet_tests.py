#!/usr/bin/env python3
"""Runs MXNet's own unit tests of symbols, unchanged, with symc in mxnet's place.

  mxnet_tests.py --package BUILD/python --source MXNET        MXNET: a checkout of MXNet 1.9.1
  mxnet_tests.py --package BUILD/python --source MXNET --gradients --table mxnet_gradient_tests.md
                                                              tests of gradients alone, each in a table

A test needs what this package has, or more: sparse arrays, gluon. Its module common is its own, test_utils is the
package's, and a HybridBlock stands in. The Python needs SciPy, and NumPy before 1.23, which takes lists of slices as
indices. Where a test needs such a thing, it is left out, and the table names the call; tests that MXNet skips are not
counted. What else goes wrong is a failure. MXNET_TEST_SEED sets the random numbers of tests.
With --gradients only tests of GRADIENT_FILES run that call one of GRADIENT_CALLS, themselves or by a function of their file.
The last line is `N passed, N failed, N left out`. Exit status: 0 at least nine tenths of those that were
not left out passed; 1 fewer did; 2 wrong usage.
"""
import argparse
import ast
import collections
import contextlib
import functools
import importlib
import importlib.abc
import importlib.machinery
import io
import logging
import os
import re
import signal
import sys
import traceback
import types
import unittest
import warnings

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
import mxnet_alias

FILES = ("test_symbol", "test_executor", "test_operator", "test_attr", "test_infer_shape", "test_infer_type", "test_random", "test_contrib_control_flow",
         "test_contrib_operator", "test_contrib_hawkesll", "test_contrib_krprod", "test_contrib_stes_op")
#: What --gradients runs: tests of these files that use one of these names.
GRADIENT_FILES = ("test_symbol", "test_executor", "test_operator")
GRADIENT_CALLS = {"check_symbolic_backward", "check_numeric_gradient", "simple_bind", "backward"}
#: What Python reports of a name that the package lacks.
ABSENT = re.compile(r"module 'symc(?P<module>[.\w]*)' has no attribute '(?P<name>\w+)'|"
                    r"'(?P<type>NDArray|Executor|Model|Context)' object has no attribute '(?P<member>\w+)'")


class LeftOut(Exception):
    """A test needs what is no part of the package."""


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


class Foreign(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules nose and scipy, where they are not installed, with nothing but Absent names."""

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.split(".")[0] in ("nose", "scipy") else None

    def create_module(self, spec):
        return absent_module(spec.name)

    def exec_module(self, module):
        pass


def absent_module(name):
    """A module whose names are Absent."""
    module = types.ModuleType(name)
    module.__path__, module.__all__ = [], []
    module.__getattr__ = lambda key: Absent(name.replace("mxnet.", "mx.", 1) + "." + key)
    return module


def nose_tools():
    """What MXNet's tests use of nose, of which no release runs on this Python."""
    tools, case = importlib.import_module("nose.tools"), unittest.TestCase()

    def raises(*kinds):
        return lambda test: lambda: case.assertRaises(kinds, test)
    names = {"assert_raises": case.assertRaises, "assert_equal": case.assertEqual, "raises": raises,
             "ok_": case.assertTrue, "make_decorator": functools.wraps, "with_setup": lambda *_: lambda test: test}
    tools.__all__ = list(names)
    for name, function in names.items():
        setattr(tools, name, function)


class HybridBlock:
    """Stands in for gluon's: hybrid_forward computes on arrays, or composes a symbol once it is hybridized."""

    def __init__(self, prefix=None, params=None):
        self.params, self._hybrid = sys.modules["mxnet"].gluon.ParameterDict(), False

    def name_scope(self):
        return contextlib.nullcontext()

    def initialize(self, init=None, ctx=None, **_):
        self.params.initialize(init, ctx)

    def collect_params(self):
        return self.params

    def hybridize(self, active=True, **_):
        self._hybrid = active

    def __call__(self, *inputs):
        mx = sys.modules["mxnet"]
        own = {key: each for key, each in vars(self).items() if isinstance(each, mx.gluon.Parameter)}
        if not self._hybrid:
            return self.hybrid_forward(mx.nd, *inputs, **{key: each.data() for key, each in own.items()})
        arrays, names = [], []

        def variable(value):
            if isinstance(value, (list, tuple)):
                return type(value)(map(variable, value))
            arrays.append(value)
            names.append(mx.sym.Variable("input%d" % len(names)))
            return names[-1]
        made = self.hybrid_forward(mx.sym, *map(variable, inputs), **{key: variable(each.data()) for key, each in own.items()})
        symbols = []

        def collect(value):  # the same structure of places
            if isinstance(value, (list, tuple)):
                return [collect(each) for each in value]
            begin = len(symbols)
            symbols.extend(value)
            return begin if len(value) == 1 else list(range(begin, len(symbols)))
        places = collect(made)
        found = mx.gluon.SymbolBlock(mx.sym.Group(symbols), names)(*arrays)
        found = found if isinstance(found, list) else [found]

        def regroup(place):
            return [regroup(each) for each in place] if isinstance(place, list) else found[place]
        return regroup(places)


def prepare(symc):
    """Helpers of MXNet's tests that are no part of the package, and Absent names where scripts import them."""
    utils = symc.test_utils
    extra = {"sys": sys, "os": os, "mx": symc, "np": importlib.import_module("numpy")}
    extra["rnd"] = extra["np"].random
    extra["use_np"] = Absent("mx.util.use_np")
    for name, value in extra.items():
        setattr(utils, name, value)
    utils.__all__ = [*utils.__all__, *extra]
    symc.gluon.HybridBlock = HybridBlock
    for name in ("Block", "Trainer", "nn", "rnn", "loss", "data", "utils"):
        setattr(symc.gluon, name, Absent("mx.gluon." + name))
    nose_tools()


def is_of_test(error):
    """Whether a test's own line raised it."""
    return os.path.basename(traceback.extract_tb(error.__traceback__)[-1].filename).startswith("test_")


def line_of(error):
    """The line that raised it."""
    return traceback.extract_tb(error.__traceback__)[-1].line


def reason_to_leave_out(error):
    """The call that a test needs and the package lacks; None where the test failed."""
    if isinstance(error, LeftOut):
        return str(error)
    found = ABSENT.search(str(error)) if isinstance(error, (AttributeError, ImportError)) else None
    if re.search("arrays are dense|are not supported: arrays are dense", str(error)):
        return "sparse storage"
    if isinstance(error, IndexError) and str(error).startswith("only integers, slices") and is_of_test(error):
        return "NumPy before 1.23"
    training = re.match(r"(\w+).* needs training", str(error))
    if training and not found:
        return "training (%s)" % training[1]
    if not found:
        return None
    if found["type"]:
        return found["type"] + "." + found["member"]
    return ("mx" + found["module"] + "." + found["name"]).replace("mx.ndarray", "mx.nd")


def tests_of_gradients(path):
    """Names of the functions of a file that use one of GRADIENT_CALLS, themselves or by another one of them."""
    with open(path, encoding="utf-8") as file:
        functions = {each.name: each for each in ast.parse(file.read()).body if isinstance(each, ast.FunctionDef)}
    used = {name: {each.id if isinstance(each, ast.Name) else each.attr
                   for each in ast.walk(function) if isinstance(each, (ast.Name, ast.Attribute))} for name, function in functions.items()}
    found, before = set(), None
    while found != before:
        before = set(found)
        found = {name for name in used if used[name] & (GRADIENT_CALLS | before)}
    return found


ROW = re.compile(r"\| `(\w+)\.(\w+)` \| ([a-z ]+) \| (.*) \|")


def write_table(path, results):
    """Writes the page of --table. `results`: {(file, test): (verdict, why)}; tests that did not run keep their rows."""
    rows = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            rows = {(found[1], found[2]): (found[3], found[4]) for found in map(ROW.fullmatch, file.read().splitlines()) if found}
    rows.update({key: (verdict, why.replace("|", "\\|").replace("<", "&lt;")) for key, (verdict, why) in results.items()})
    counts = collections.Counter(verdict for verdict, _ in rows.values())
    lines = ["# MXNet's own tests of gradients", "",
             "What `tools/scripts/oracles/mxnet_tests.py --gradients --table` found: the tests of MXNet 1.9.1 that use %s," % ", ".join(
                 "`%s`" % each for each in sorted(GRADIENT_CALLS)),
             "unchanged, with symc in mxnet's place. %d passed, %d failed, %d were left out with the call that the package lacks;"
             % (counts["passed"], counts["failed"], counts["left out"]),
             "MXNet itself skips %d." % counts["skipped"], "", "| test | result | reason |", "|---|---|---|"]
    lines += ["| `%s.%s` | %s | %s |" % (*key, *row) for key, row in sorted(rows.items())]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def too_slow(*_):
    raise TimeoutError("the test takes longer than --limit")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--markdown", action="store_true", help="print the table of docs/python-symbols.md, too")
    parser.add_argument("--gradients", action="store_true", help="run the tests of gradients alone")
    parser.add_argument("--table", metavar="FILE", help="write the result of each test that ran to a page, whose other rows stay")
    parser.add_argument("--trace", action="store_true", help="print the trace of each failure")
    parser.add_argument("--only", default="", metavar="REGEX", help="run the tests whose names match")
    parser.add_argument("--limit", type=int, default=600, metavar="SECONDS", help="of processor time that a test may take (default 600)")
    parser.add_argument("files", nargs="*", help="default: all of them")
    options = parser.parse_args()
    folder = os.path.join(options.source, "tests", "python", "unittest")
    if not os.path.isdir(folder):
        sys.exit("mxnet_tests: error: %s has no folder tests/python/unittest" % options.source)
    sys.path[:0] = [folder, os.path.join(options.source, "tests", "python", "common")]
    symc = mxnet_alias.install(options.package, absent_module)
    sys.meta_path.append(Foreign())
    prepare(symc)
    signal.signal(signal.SIGPROF, too_slow)
    total, rows, results = {"passed": 0, "failed": 0, "left out": 0}, [], {}
    for name in options.files or (GRADIENT_FILES if options.gradients else FILES):
        chosen = tests_of_gradients(os.path.join(folder, name + ".py")) if options.gradients else None
        before, reasons = dict(total), collections.Counter()
        with contextlib.redirect_stdout(io.StringIO()):
            module = importlib.import_module(name)
        for test in sorted(each for each in vars(module) if each.startswith("test_") and callable(getattr(module, each))):
            if not re.search(options.only, test) or chosen is not None and test not in chosen:
                continue
            verdict, why = "passed", ""
            try:
                signal.setitimer(signal.ITIMER_PROF, options.limit)
                with contextlib.redirect_stdout(io.StringIO()):
                    getattr(module, test)()
            except unittest.SkipTest:  # MXNet leaves it out itself
                signal.setitimer(signal.ITIMER_PROF, 0)
                results[name, test] = "skipped", ""
                if options.table:
                    write_table(options.table, results)
                continue
            except BaseException as error:  # whatever a test ends with
                signal.setitimer(signal.ITIMER_PROF, 0)
                why = reason_to_leave_out(error)
                verdict = "left out" if why else "failed"
                if options.trace and not why:
                    traceback.print_exc()
                why = why or "%s: %s" % (type(error).__name__, (str(error).strip() or line_of(error)).splitlines()[0][:140])
            signal.setitimer(signal.ITIMER_PROF, 0)
            total[verdict] += 1
            results[name, test] = verdict, why
            reasons[why] += verdict == "left out"
            if options.table:
                write_table(options.table, results)
            print("%-9s %s.%s%s" % (verdict, name, test, ": " + why if why else ""), flush=True)
        wanted = ", ".join("%s%s" % (re.sub(r"^((?:mx|NDArray|Executor)\.[\w.]+)", r"`\1`", why), " (%d)" % count if count > 1 else "")
                           for why, count in reasons.most_common() if count)
        rows.append("| `%s` | %d | %d | %s |" % (name, total["passed"] - before["passed"], total["failed"] - before["failed"],
                                                wanted))
    if options.markdown:
        print("\n".join(["| file | passed | failed | left out, since it uses |", "|---|---|---|---|", *rows]))
    print("%(passed)d passed, %(failed)d failed, %(left out)d left out" % total)
    sys.exit(0 if total["passed"] >= 9 * total["failed"] else 1)


if __name__ == "__main__":
    main()

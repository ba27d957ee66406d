#!/usr/bin/env python3
"""Runs every oracle that looks for faults nobody has thought of, and prints the figures of each.

    show-reliability [--quick] [--only NAME,...] [--list] [--bin DIR] [--cases DIR] [--oracle-python PROGRAM]

Assumes that the release preset is built, for the row of fuzzers with SYMC_FUZZ=ON. --quick takes
samples, which is minutes on an idle machine; the whole takes a day. Each row of ORACLES is commands that end with
status 0 where nothing was found and print how much they looked at. What a row lacks is printed, and
never passed over: a program or script that is not there counts as a finding.

Exit status: 0 nothing was found; 1 something was, or an oracle could not be read; 2 wrong usage.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

# quick, full: lists of commands; a word is filled in from `places`, and a first word that ends in
# .py runs in this Python, or in {oracle} where the row needs one.
# figures: (pattern with a group for the number, what it counts, how those of several lines and
# commands become one); the first has to be found in the output of each command.
# needs: places of `places` that may be missing, with which the row is not run.
Oracle = collections.namedtuple("Oracle", "name what quick full figures needs")

PASSED = (r"^(\d+) passed, \d+ failed", "passed", sum)
FAILED = (r"^\d+ passed, (\d+) failed", "failed", sum)
GUARDED = (r"^(\d+) tensors, buffers and weights of \d+ bytes", "buffers beside guards", sum)
GUARDED_BYTES = (r"^\d+ tensors, buffers and weights of (\d+) bytes", "bytes in them", sum)


def conformance(*flags, cases="{own}/ops"):
    return ["{bin}/symc-conformance", *flags, cases]


def public(*flags):
    return conformance(*flags, cases="{public}/ops")


def script(name, *flags):
    return ["{top}/tools/scripts/oracles/" + name, "--bin", "{bin}", *flags]


ORACLES = (
    Oracle("cases", "answers of MXNet, by compiled code and by reference kernels",
           [conformance("--every", "100")], [conformance(), conformance("--reference")], [PASSED, FAILED], []),
    Oracle("public-cases", "the same of a public folder",
           [public("--every", "40")], [public()], [PASSED, FAILED], ["public"]),
    Oracle("guarded", "runs with a guard page beside every tensor, buffer and weight, twice, over poison",
           [conformance("--guard", side, "--every", every) for side, every in (("end", "100"), ("start", "110"))],
           [conformance("--guard", side, *how) for side in ("end", "start") for how in ((), ("--reference",), ("--target-cpu", "x86-64-v2"))],
           [PASSED, FAILED, GUARDED, GUARDED_BYTES], []),
    Oracle("open", "guarded runs with an extent that is chosen at run time, beside the program for each size",
           [conformance("--open", axis, "--every", "200") for axis in (*"012", "each")],
           [conformance("--open", axis) for axis in (*"012", "each")], [PASSED, FAILED, GUARDED, GUARDED_BYTES], []),
    Oracle("masks", "rows that a mask decides, beside compilations for single sizes",
           [script("compare_masks.py", "--first", "--every", "120", "{own}")],
           [script("compare_masks.py", "--jobs", "2", "{own}")],
           [(PASSED[0], "sizes passed", sum), FAILED], []),
    Oracle("boundary", "each parameter, rank and extent at boundary values",
           [script("boundary_values.py", "--count", "1", "--every", "400", "--work", "{work}/boundary")],
           [script("boundary_values.py", "--whole", "20", "--work", "{work}/boundary")],
           [(r"^(\d+) mutants", "mutants", sum), (r"(\d+) operators,", "operators", sum), (r"(\d+) findings", "findings", sum)], []),
    Oracle("mutants", "random changes of graphs, attributes, shapes, ranges and values, guarded",
           [script("mutate_graphs.py", "--count", "100", "--work", "{work}/mutants")],
           [script("mutate_graphs.py", "--seed", "3", "--count", "20000", "--guard", side, "--work", "{work}/mutants") for side in ("end", "start")],
           [(PASSED[0], "mutants passed", sum), FAILED, (r"^(\d+) answered", "answered", sum), (r", (\d+) refused", "refused", sum)], []),
    Oracle("graphs", "random graphs beside MXNet itself",
           [script("fuzz_graphs.py", "--count", "100", "--batch", "100", "--work", "{work}/graphs")],
           [script("fuzz_graphs.py", "--count", "5000", "--work", "{work}/graphs")],
           [(r"^(\d+) graphs compared", "graphs", sum), (r"(\d+) unexplained", "unexplained", sum)], ["oracle"]),
    Oracle("faults", "allocations and I/O calls that fail once, and kills after each",
           [["{top}/test/faults/faults.py", "{build}"]], [["{top}/test/faults/faults.py", "{build}", "--all"]],
           [(r", (\d+) runs, ", "faults injected", sum), (r"(\d+) problems", "problems", sum)], []),
    Oracle("fuzzers", "libFuzzer, each under ASan and UBSan",
           ["ctest-label:fuzz", "-max_total_time=10"], ["ctest-label:fuzz", "-max_total_time=1800"],
           [(r"stat::number_of_executed_units:\s*(\d+)", "executions", sum)], ["fuzzers"]),
    Oracle("growth", "time and memory of n and of 2n parts",
           [script("measure_growth.py", "--count", "2000", "--only", "chain,zigzag")],
           [script("measure_growth.py"), script("measure_growth.py", "--count", "50000")],
           [(r"^\w+ +\d+ +[\d.]+ +[\d.]+ +([\d.]+)", "largest factor of time", max),
            (r"^\w+ +\d+ +[\d.]+ +[\d.]+ +[\d.]+ +\d+ +\d+ +([\d.]+)", "of memory", max)], []),
    Oracle("lifecycle", "fork, small stacks, two programs in one folder, dlclose",
           ["lit:e2e/symc-lifecycle.test"], ["lit:e2e/symc-lifecycle.test"], [(r"Passed *: (\d+)", "tests", sum)], []),
)


class Missing(Exception):
    """What a row needs and is not there."""


class Machine:
    """Places of this build, and the commands that words of ORACLES stand for."""

    def __init__(self, options):
        build = os.path.abspath(os.path.join(options.bin, os.pardir))
        self.places = {"bin": os.path.abspath(options.bin), "build": build, "top": TOP,
                       "own": os.path.join(TOP, "test", "conformance"), "work": os.path.abspath(options.work),
                       "public": options.cases, "oracle": options.oracle_python}
        self.tests = None

    def ctest(self):
        if self.tests is None:
            listed = subprocess.run(["ctest", "--test-dir", self.places["build"], "--show-only=json-v1"], capture_output=True,
                                    text=True, check=False)
            if listed.returncode:
                raise Missing("ctest cannot list the tests of %s" % self.places["build"])
            self.tests = json.loads(listed.stdout)["tests"]
        return self.tests

    def labelled(self, label):
        """The commands of ctest's tests with a label; those that are not built have none."""
        found = [test["command"] for test in self.ctest() if "command" in test
                 and any(label in each["value"] for each in test["properties"] if each["name"] == "LABELS")]
        lost = [command[0] for command in found if not os.path.exists(command[0])]
        if lost:
            raise Missing("%s is not built" % os.path.basename(lost[0]))
        return found

    def commands(self, oracle, quick):
        """The commands of a row. Raises Missing where one of its needs is not there."""
        words = oracle.quick if quick else oracle.full
        if isinstance(words[0], str):
            return self.of_ctest(oracle, words)
        for need in oracle.needs:
            if not self.places.get(need):
                raise Missing({"public": "no folder of public cases is given (--cases, SYMC_CONFORMANCE_DIR)",
                               "oracle": "no Python with MXNet is given (--oracle-python, SYMC_ORACLE_PYTHON)"}[need])
        made = []
        for command in words:
            command = [word.format(**self.places) for word in command]
            if not os.path.exists(command[0]):
                raise FileNotFoundError(command[0])
            if command[0].endswith(".py"):
                command.insert(0, self.places["oracle"] if "oracle" in oracle.needs else sys.executable)
            made.append(command)
        return made

    def of_ctest(self, oracle, words):
        kind, _, rest = words[0].partition(":")
        if kind == "lit":
            suite = next((test["command"] for test in self.ctest() if test["name"] == "lit-e2e" and "command" in test), None)
            if suite is None:
                raise FileNotFoundError("the test lit-e2e of ctest")
            xml = suite.index("--xunit-xml-output")  # results of the suite stay
            return [[word for word in suite[:xml] + suite[xml + 2:-1] if word != "-sv"] + [os.path.join(TOP, "test", rest)]]
        found = self.labelled(rest)
        if not found:
            raise Missing("the build has no fuzzers; configure it with -DSYMC_FUZZ=ON")
        replaced = words[1].partition("=")[0]
        return [[words[1] if word.startswith(replaced + "=") else word for word in command] for command in found]


def read_figures(oracle, output):
    """{what: number}; None where a command's output has no figure of the first kind."""
    found = {}
    for pattern, what, merge in oracle.figures:
        values = [float(text) if "." in text else int(text) for text in re.findall(pattern, output, re.M)]
        if values:
            found[what] = merge(values)
    return found if oracle.figures[0][1] in found else None


def merged(oracle, parts):
    """The figures of several commands as one."""
    return {what: merge([part[what] for part in parts if what in part])
            for _, what, merge in oracle.figures if any(what in part for part in parts)}


def run(command, log, beat=30.0):
    """Runs a command with its output in a file; a line about it every `beat` seconds."""
    begun = printed = time.monotonic()
    with open(log, "wb") as file:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, cwd=TOP)
        while True:
            try:
                status = process.wait(timeout=0.2)
                break
            except subprocess.TimeoutExpired:
                if time.monotonic() - printed >= beat:
                    printed = time.monotonic()
                    lines = text_of(log).strip().splitlines()
                    print("    %4.0f s: %s" % (printed - begun, lines[-1][:100] if lines else "no line yet"), flush=True)
    return status, text_of(log)


def text_of(log):
    with open(log, encoding="utf-8", errors="replace") as file:
        return file.read()


def look(oracle, machine, quick):
    """(verdict, figures or reason) of a row; verdicts are ok, FOUND, BROKEN, ABSENT and "not run"."""
    try:
        commands = machine.commands(oracle, quick)
    except Missing as reason:
        return "not run", str(reason)
    except FileNotFoundError as lost:
        return "ABSENT", "there is no %s" % lost
    verdict, parts = "ok", []
    for number, command in enumerate(commands):
        log = os.path.join(machine.places["work"], "%s-%d.log" % (oracle.name, number))
        status, output = run(command, log)
        figures = read_figures(oracle, output)
        if figures is None:
            verdict = "BROKEN"
        elif verdict == "ok" and status:
            verdict = "FOUND"
        parts.append(figures or {})
        if status or figures is None:
            print("    %s ended with status %d; its output: %s" % (" ".join(command), status, log))
            print("".join("      | %s\n" % line[:160] for line in output.strip().splitlines()[-12:]), end="", flush=True)
    return verdict, ", ".join("%s %s" % ("{:,}".format(value), what) for what, value in merged(oracle, parts).items()) or "no figures"


def parse(arguments, oracles):
    parser = argparse.ArgumentParser(prog="show-reliability", description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--quick", action="store_true", help="samples, in minutes")
    add("--only", default="", help="rows, separated by commas: " + " ".join(oracle.name for oracle in oracles))
    add("--list", action="store_true", help="print the rows and their commands, run nothing")
    add("--bin", default=os.path.join(TOP, "build", "release", "bin"), help="folder of symc (default: that of the release preset)")
    add("--cases", default=os.environ.get("SYMC_CONFORMANCE_DIR", ""), help="folder of public cases")
    add("--oracle-python", default=os.environ.get("SYMC_ORACLE_PYTHON", ""), help="the Python with MXNet of make-oracle-env")
    add("--work", default=os.path.join(TOP, "build", "reliability"), help="folder for logs and findings")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.only.split(",") if name and name not in {oracle.name for oracle in oracles}]
    if unknown:
        parser.error("no such row: %s" % ", ".join(unknown))
    return options


def main(arguments=None, oracles=ORACLES):
    options = parse(arguments, oracles)
    wanted = [name for name in options.only.split(",") if name]
    chosen = [oracle for oracle in oracles if not wanted or oracle.name in wanted]
    machine = Machine(options)
    if options.list:
        for oracle in chosen:
            print("%-13s %s" % (oracle.name, oracle.what))
            try:
                for command in machine.commands(oracle, options.quick):
                    print("    " + " ".join(command))
            except (Missing, FileNotFoundError) as reason:
                print("    not here: %s" % reason)
        return 0
    os.makedirs(options.work, exist_ok=True)
    rows = []
    for number, oracle in enumerate(chosen, 1):
        print("[%d/%d] %s: %s" % (number, len(chosen), oracle.name, oracle.what), flush=True)
        begun = time.monotonic()
        rows.append((oracle, *look(oracle, machine, options.quick), time.monotonic() - begun))
    print("\n%-13s %-8s %7s  %s" % ("oracle", "", "seconds", "figures"))
    for oracle, verdict, figures, seconds in rows:
        print("%-13s %-8s %7.0f  %s" % (oracle.name, verdict, seconds, figures))
    count = collections.Counter(verdict for _, verdict, _, _ in rows)
    bad = count["FOUND"] + count["BROKEN"] + count["ABSENT"]
    print("%d oracles found nothing, %d found something, %d could not be read, %d are absent, %d were not run"
          % (count["ok"], count["FOUND"], count["BROKEN"], count["ABSENT"], count["not run"]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

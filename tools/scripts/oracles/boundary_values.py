#!/usr/bin/env python3
"""Gives every parameter of every operator boundary values, and every input boundary shapes, and reports what symc
does not survive: a signal, or more than 20 s of the processor or 4 GiB.

  boundary_values.py --bin build/release/bin                  all operators, until inference, schedule and plan are done
  boundary_values.py --bin build/release/bin --only topk,Crop some of them
  boundary_values.py --bin build/release/bin --every 40       every 40th mutant, for a look
  boundary_values.py --bin build/release/bin --whole 20       every 20th that compiles becomes a program, which runs

The smallest conformance cases of an operator (--cases, by default those of the project) are the graphs that are
changed, one place at a time: a parameter becomes each of the values of its type below, out of the op table's page; an
input gets an axis more or less, or an extent of 0, 1, or one near the limits of int32 and int64. Each mutant is a
process of its own, since that is what a signal ends. Expected is a program or an error with status 1; what MXNet
computes is not compared here.

Graphs of findings stay in --work. Exit status: 0 none; 1 some; 2 wrong usage.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import ndarray_file
from graph_fuzz import op_table
from graph_fuzz.boundaries import EDGES, NUMBERS

LIMIT_SECONDS, LIMIT_BYTES = 20, 4 << 30
WAITING_SECONDS = 180  # on a busy machine, for who sleeps
HERE = os.path.dirname(os.path.abspath(__file__))

WORDS = ("None", "nan", "", "x")
EXTENTS = (0, 1, 2**16, 2**31 - 1, 2**31, 2**40, 2**47)

Mutant = collections.namedtuple("Mutant", "name graph shapes dtypes")
Finding = collections.namedtuple("Finding", "mutant reason command")


def cases_of(folders, count):
    """{operator: [folder of a case]}, the `count` smallest graphs of each."""
    found = collections.defaultdict(list)
    for folder in folders:
        for root, _, names in os.walk(folder):
            if "symbol.json" in names and "case.json" in names:
                with open(os.path.join(root, "case.json"), encoding="utf-8") as file:
                    operator = json.load(file)["op"]
                found[operator].append((os.path.getsize(os.path.join(root, "symbol.json")), root))
    return {operator: [root for _, root in sorted(roots)[:count]] for operator, roots in sorted(found.items())}


def values_of(parameter, text):
    """Texts that a parameter is given instead of `text`."""
    if parameter.type in ("float", "double"):
        return NUMBERS
    if parameter.type in ("int", "uint"):
        return [str(edge) for edge in EDGES] + list(WORDS)
    if parameter.type in ("bool", "dtype", "enum"):
        return [value.split()[0] for value in parameter.values if value] + ["2", "-1"] + list(WORDS)
    if parameter.type == "string":
        return WORDS
    parts = [part for part in (text or "").strip("()[] ").split(",") if part.strip()]
    tuples = ["()", "(None,)", "(%s,)" % ",".join("1" * 33), "(%s)" % ",".join(["2"] * 4)]
    for edge in list(EDGES) + ["None", "nan"]:
        tuples.append("(%s,)" % ",".join([str(edge)] * max(len(parts), 1)))
        if len(parts) > 1:
            tuples.append("(%s,)" % ",".join([str(edge)] + parts[1:]))
            tuples.append("(%s,)" % ",".join(parts[:-1] + [str(edge)]))
    return tuples + list(WORDS)


def mutants_of(operator, folder, table):
    with open(os.path.join(folder, "symbol.json"), encoding="utf-8") as file:
        graph = json.load(file)
    arrays = ndarray_file.read(os.path.join(folder, "io.params"))
    variables = [node["name"] for node in graph["nodes"] if node["op"] == "null"]
    inputs = {}
    for key, array in arrays.items():
        name = key.split(":", 1)[-1]
        if name in variables and key.split(":")[0] in ("in", "arg", "data", "input"):
            inputs[name] = array
    shapes = {name: list(array.shape or ()) for name, array in inputs.items()}
    dtypes = {name: array.dtype for name, array in inputs.items()}
    label = operator + "/" + os.path.basename(folder)
    for place, node in enumerate(graph["nodes"]):
        given = node.get("attrs", node.get("param", {})) if node["op"] != "null" else {}
        for parameter in table.get(node["op"], ()):
            for value in values_of(parameter, given.get(parameter.name, parameter.default)):
                changed = json.loads(json.dumps(graph))
                changed["nodes"][place].setdefault("attrs", {})[parameter.name] = value
                yield Mutant("%s %s=%s" % (label, parameter.name, value), changed, shapes, dtypes)
    for name, shape in shapes.items():
        changes = [shape + [1], shape + [2], [1] + shape, shape[1:], shape[:-1], []]
        changes += [shape[:axis] + [extent] + shape[axis + 1:] for axis in range(len(shape)) for extent in EXTENTS]
        for change in changes:
            yield Mutant("%s %s:%s" % (label, name, change), graph, dict(shapes, **{name: change}), dtypes)


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_SECONDS, LIMIT_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def survive(command, folder, statuses=(0, 1, 3)):
    """What is wrong with how the command ended, or "", and whether it succeeded."""
    try:
        ended = subprocess.run(command, cwd=folder, preexec_fn=limited, timeout=WAITING_SECONDS, check=False,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired:
        return "does not end in %d s" % WAITING_SECONDS, False
    if -ended.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return "computes longer than %d s" % LIMIT_SECONDS, False
    if ended.returncode < 0:
        return "ends by signal %d" % -ended.returncode, False
    text = ended.stderr.decode(errors="replace")
    for bad in ("internal error", "runtime error:", "AddressSanitizer", "Assertion"):
        if bad in text:
            return [line for line in text.splitlines() if bad in line][0][:200], False
    if ended.returncode not in statuses:
        return "ends with status %d: %s" % (ended.returncode, text[:200]), False
    return "", ended.returncode == 0


def try_mutant(mutant, options, whole):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "x-symbol.json"), "w", encoding="utf-8") as file:
            json.dump(mutant.graph, file)
        command = [os.path.join(options.bin, "symc"), "x-symbol.json", "--random-weights=1"]
        for name, shape in mutant.shapes.items():
            if shape:
                command += ["--shape", "%s=%s" % (name, ",".join(map(str, shape)))]
        for name, dtype in mutant.dtypes.items():
            command += ["--dtype", "%s=%s" % (name, dtype)]
        reason, compiles = survive(command + ["--emit=schedule", "-o", "schedule.mlir"], folder)
        if not reason and compiles and whole:
            command += ["-o", "net"]
            reason, compiles = survive(command, folder)
            if not reason and compiles:
                command = ["./net", "--bench", "1"]  # on zeros
                reason, compiles = survive(command, folder, range(5))
        return Finding(mutant, reason, command) if reason else None


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--bin", required=True, help="folder of symc")
    add("--cases", action="append", help="folder of conformance cases (default: those of the project)")
    add("--count", type=int, default=2, help="cases of each operator (default 2)")
    add("--only", default="", help="operators, separated by commas (default: all)")
    add("--every", type=int, default=1, help="only every N-th mutant (default 1)")
    add("--whole", type=int, default=0, help="compile every N-th mutant whole, and run it (default: none)")
    add("--jobs", type=int, default=2, help="processes at a time (default 2)")
    add("--work", default="boundary-values", help="folder for graphs of findings")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    if not os.path.exists(os.path.join(options.bin, "symc")):
        parser.error("no symc in %s" % options.bin)
    return options


def keep(finding, options, number):
    os.makedirs(options.work, exist_ok=True)
    with open(os.path.join(options.work, "%d-symbol.json" % number), "w", encoding="utf-8") as file:
        json.dump(finding.mutant.graph, file)
    print("%d: %s: %s\n   %s" % (number, finding.mutant.name, finding.reason, " ".join(finding.command)), flush=True)


def main():
    options = parse()
    table = op_table.read(os.path.join(options.bin, "symc"))
    folders = options.cases or [os.path.join(HERE, "..", "..", "..", "test", "conformance", "ops")]
    wanted = [name for name in options.only.split(",") if name]
    mutants = (mutant for operator, cases in cases_of(folders, options.count).items()
               if not wanted or operator in wanted for case in cases
               for mutant in mutants_of(operator, case, table))
    begun, tried, found, operators = time.monotonic(), 0, 0, set()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = collections.deque()

        def settle():
            nonlocal found
            finding = running.popleft().result()
            if finding:
                found += 1
                keep(finding, options, found)
        for number, mutant in enumerate(mutants):
            if number % options.every:
                continue
            tried += 1
            operators.add(mutant.name.split("/")[0])
            whole = options.whole and tried % options.whole == 0
            running.append(pool.submit(try_mutant, mutant, options, whole))
            if len(running) > 4 * options.jobs:
                settle()
        while running:
            settle()
    print("%d mutants of %d operators, %d findings, %.0f s" % (tried, len(operators), found, time.monotonic() - begun))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Makes random changes to conformance cases and runs what symc makes of them in guarded memory.

  mutate_graphs.py --bin build/release/bin                      2,000 mutants of the project's cases, seed 1
  mutate_graphs.py --bin build/release/bin --count 0            until it is stopped
  mutate_graphs.py --bin build/release/bin --only topk,Crop     of some operators
  mutate_graphs.py --bin build/release/bin --seed 7 --one 123   mutant 123 of seed 7 alone, kept in --work
  mutate_graphs.py --bin build/release/bin --ranges             all with ranges
  mutate_graphs.py --bin build/release/bin --target cuda        by kernels for a CUDA device, on the shim
  mutate_graphs.py --bin build/release/bin --repeat             one value as several operands, beside reference kernels

A mutant is a case with one to three changes of attributes, edges, operators, shapes, types or values
(graph_fuzz/mutations.py); in half of them one or two extents are ranges. `symc-conformance --mutants` compiles each
and runs it: either symc, or the program, refuses with a sentence, or every byte of the answer is written, hangs on
inputs alone and comes from memory that belongs to the run; with ranges, at each of some sizes, the program for that
size agrees, be it by its answer or by its refusal. With --target cuda the kernels for a device run on this processor,
each access checked, and agree with the program for CPUs: ranges are left out.
Mutant N of a seed, with or without --ranges, is the same in every run.

With --repeat a mutant is a case in which two to four operands of a node are one value (graph_fuzz/repeats.py), round
and round over the operators that take several tensors. Reference kernels compute the graph as it stands; the program
agrees with them, by its answer or by its refusal.

A finding is kept in --work as a case with `mutant.txt`, which states what was changed. Findings of one operator with
one message, numbers apart, count as one kind, of which the first three are kept. The last line is
`N passed, N failed`. Exit status: 0 none failed; 1 some; 2 wrong usage.
"""
import argparse
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no NumPy")
    sys.exit(77)

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import ndarray_file
from graph_fuzz import mutations, op_table, repeats

HERE = os.path.dirname(os.path.abspath(__file__))
LINE = re.compile(r"^(FAIL|PASS|REFUSED) \S*?(\d+)(?: \(by fallback\))?(?:: (.*))?$")
MOST_BYTES = 300_000  # of a case's arrays
KEPT = 3  # findings of one kind
TOLERANCE = 1e-3  # at least, between programs that may take other algorithms


class Case:
    def __init__(self, folder):
        with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
            self.facts = json.load(file)
        with open(os.path.join(folder, "symbol.json"), encoding="utf-8") as file:
            self.graph = json.load(file)
        arrays = ndarray_file.load(os.path.join(folder, "io.params"))
        self.arrays = {key: array for key, array in arrays.items() if key.split(":")[0] in ("data", "arg", "aux")}
        self.label = os.path.join(self.facts["op"], os.path.basename(folder))


def read_cases(folders):
    cases = []
    for top in folders:
        for folder, _, names in sorted(os.walk(top)):
            if not {"case.json", "symbol.json", "io.params"} <= set(names):
                continue
            if os.path.getsize(os.path.join(folder, "io.params")) > MOST_BYTES:
                continue
            try:
                case = Case(folder)
            except (ValueError, KeyError):  # cases of malformed files
                continue
            cases.append(case)
    return cases


def make(number, options, cases, everything, table):
    """Mutant `number`, and the case of `cases`, by operators, that it was."""
    draw = random.Random("%d/%d" % (options.seed, number))
    if options.repeat:
        return repeats.make(number, cases, draw)
    case = draw.choice(cases[draw.choice(sorted(cases))])
    return mutations.mutate(case, everything, table, draw, options.ranges), case


def write(mutant, case, folder, options):
    os.makedirs(folder)
    with open(os.path.join(folder, "symbol.json"), "w", encoding="utf-8") as file:
        json.dump(mutant.graph, file)
    facts = {"op": case.facts["op"], "mode": "predict", "open": mutant.open, "sizes": mutant.sizes,
             "rtol": max(case.facts.get("rtol", 0), TOLERANCE), "atol": max(case.facts.get("atol", 0), TOLERANCE)}
    if options.repeat:
        facts["beside"] = "reference"
    with open(os.path.join(folder, "case.json"), "w", encoding="utf-8") as file:
        json.dump(facts, file)
    ndarray_file.save(os.path.join(folder, "io.params"), mutant.arrays)
    with open(os.path.join(folder, "mutant.txt"), "w", encoding="utf-8") as file:
        file.write("%s\n%s\n" % (case.label, "\n".join(mutant.changes)))


def run(numbers, options, cases, everything, table, record):
    """Runs mutants of these numbers; calls record(number, case, verdict, message, folder)."""
    with tempfile.TemporaryDirectory() as work:
        made = {}
        for number in numbers:
            mutant, case = make(number, options, cases, everything, table)
            folder = os.path.join(work, "mutant", "%d" % number)
            write(mutant, case, folder, options)
            made[number] = (case, folder)
        command = [os.path.join(options.bin, "symc-conformance"), "--mutants", "-v", "--guard", options.guard,
                   "--math", options.math, "--jobs", str(options.jobs), "--timeout", str(options.timeout), work]
        if options.target == "cuda":
            command += ["--target", "cuda", "--shim"]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        seen = 0
        for line in done.stdout.splitlines():
            found = LINE.match(line)
            if found:
                seen += 1
                case, folder = made[int(found.group(2))]
                record(int(found.group(2)), case, found.group(1), found.group(3) or "", folder)
        if seen != len(made):
            sys.exit("mutate_graphs.py: %d answers for %d mutants: %s" % (seen, len(made), done.stderr[-500:]))


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--bin", required=True, help="folder of symc-conformance")
    add("--cases", action="append", help="folder of conformance cases (default: those of the project)")
    add("--only", default="", help="operators, separated by commas (default: all)")
    add("--seed", type=int, default=1)
    add("--first", type=int, default=0, help="number of the first mutant")
    add("--count", type=int, default=2000, help="mutants (0: no end)")
    add("--one", type=int, help="this mutant alone")
    add("--guard", choices=("end", "start"), default="end")
    add("--math", choices=("strict", "default", "fast"), default="strict")
    add("--target", choices=("cpu", "cuda"), default="cpu", help="cuda: kernels for a device, on the shim")
    add("--repeat", action="store_true", help="one value as several operands of a node, beside reference kernels")
    add("--jobs", type=int, default=2)
    add("--ranges", action="store_true", help="open extents as ranges in every mutant")
    add("--timeout", type=int, default=120, help="seconds for one mutant (default 120)")
    add("--work", default="mutants", help="folder for findings")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    if not os.path.exists(os.path.join(options.bin, "symc-conformance")):
        parser.error("no symc-conformance in '%s'" % options.bin)
    return options


def main():
    options = parse()
    table = op_table.read(os.path.join(options.bin, "symc"))
    folders = options.cases or [os.path.join(HERE, "..", "..", "..", "test", "conformance", "ops")]
    everything = read_cases(folders)
    only = {name for name in options.only.split(",") if name}
    cases = collections.defaultdict(list)
    for case in everything:
        cases[case.facts["op"]].append(case)
    if options.repeat:
        cases = repeats.operators(everything)
    if only:
        cases = {op: cases[op] for op in only if op in cases}
    if not cases:
        sys.exit("mutate_graphs.py: no case found")
    tally, kinds = collections.Counter(), collections.Counter()

    def record(number, case, verdict, message, folder):
        tally[verdict] += 1
        if verdict != "FAIL" and options.one is None:
            return
        kind = case.facts["op"] + ": " + re.sub(r"-?\d[\d.e+-]*", "N", message)
        kinds[kind] += 1
        if kinds[kind] > KEPT:
            return
        kept = os.path.join(options.work, "%d-%d" % (options.seed, number))
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept)
        with open(os.path.join(folder, "mutant.txt"), encoding="utf-8") as file:
            change = file.read().strip().replace("\n", "; ")
        print("%s %d: %s\n   %s" % (verdict, number, message[:300], change[:400]), flush=True)

    if options.one is not None:
        run([options.one], options, cases, everything, table, record)
    else:
        first, end = options.first, options.first + options.count if options.count else sys.maxsize
        while first < end:
            run(range(first, min(first + 200, end)), options, cases, everything, table, record)
            first += 200
    print("%d answered, %d refused, %d kinds of findings" % (tally["PASS"], tally["REFUSED"], len(kinds)))
    print("%d passed, %d failed" % (tally["PASS"] + tally["REFUSED"], tally["FAIL"]))
    return 1 if tally["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())

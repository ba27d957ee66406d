#!/usr/bin/env python3
"""Draws random graphs over the op table, runs them in MXNet and in symc, and shrinks what differs.

  fuzz_graphs.py --bin build/release/bin                   5,000 graphs, round and round over all operators
  fuzz_graphs.py --bin build/release/bin --count 200 --only Pooling,slice
                                                           graphs around these operators
  fuzz_graphs.py --bin build/release/bin --seed 3 --first 1241 --count 1 --keep
                                                           one graph again, as a case in WORK
  fuzz_graphs.py --bin build/release/bin --target cuda --count 500
                                                           by kernels for a CUDA device, on the shim
  fuzz_graphs.py --bin build/release/bin --train --count 2000
                                                           graphs of training: outputs, gradients and states

Runs in the environment of make-oracle-env. Graph number I of a seed is built around operator I of the table
(modulo their number): the operator stands somewhere among up to eight nodes that are drawn too, with random shapes,
element types and parameters, these within what the table declares. MXNet 1.9.1 computes it (without oneDNN but for the
operators that have no other code) and it is written as a conformance case, which symc-conformance compiles, runs and
compares. Tolerances are those of the least exact operator, widened to four times what MXNet's own result moves in
float64 and under rounding errors of the inputs; a graph that moves by 2 % is unstable, and another is drawn, up to
three times.
Graphs that MXNet refuses are given to symc as well, which may refuse or run them, but not crash.

With --train graphs are drawn of operators with a gradient, and MXNet computes a step of training (graph_fuzz/training.py):
variables that several nodes read, gradients that are written, added and left out, results that are computed again.

A difference is shrunk and its case kept in WORK/differences/N (symbol.json, io.params, case.json, message.txt).
graph_fuzz/explained.py holds what is known to be MXNet's own fault, and the operators that are not drawn.

Exit status: 0 no unexplained difference; 1 some; 2 wrong usage; 3 an operator was never drawn, or the run broke.
"""
import argparse
import collections
import json
import os
import shutil
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases"))
from graph_fuzz import explained, op_table, recipes
from graph_fuzz.workers import Oracle, kind_of, run_cases

# How symc compiles the graphs of one batch after the other: by instruction set, threads and arithmetic.
MODES = ((), ("--target-cpu", "x86-64-v4"), ("--threads", "2"), ("--target-cpu", "x86-64-v2"), ("--math", "strict"),
         ("--reference",))
# By kernels for a CUDA device, on the shim: on request alone, since it takes longer.
CUDA = ("--target", "cuda", "--shim")

Difference = collections.namedtuple("Difference", "number operator operators attrs message kind folder mode reason")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--bin", required=True, help="folder of symc and symc-conformance")
    add("--work", default="fuzz-graphs", help="folder for cases and results (default fuzz-graphs)")
    add("--count", type=int, default=5000, help="number of graphs (default 5000)")
    add("--seed", type=int, default=1, help="the same seed draws the same graphs (default 1)")
    add("--first", type=int, default=0, help="number of the first graph (default 0)")
    add("--batch", type=int, default=200, help="graphs that symc-conformance gets at once (default 200)")
    add("--only", default="", help="operators, separated by commas, to build graphs around (default: all)")
    add("--jobs", type=int, default=1, help="worker processes of symc-conformance (default 1)")
    add("--mode", type=int, choices=range(len(MODES)), help="compile every batch by one of the modes: " +
        ", ".join("%d %s" % (i, " ".join(mode) or "default") for i, mode in enumerate(MODES)))
    add("--repeat", type=float, default=0.2, help="share of nodes of which two to four operands are one value, where "
        "they have some that are alike (default 0.2)")
    add("--target", choices=("cpu", "cuda"), default="cpu", help="cuda: kernels for a device, on the shim")
    add("--train", action="store_true", help="graphs of training, with gradients")
    add("--keep", action="store_true", help="keep the cases of every batch")
    add("--no-shrink", action="store_true", help="keep differences as they were drawn")
    add("--check", action="store_true", help="only see whether every operator can be drawn or has a reason not to be")
    add("--list", action="store_true", help="print the operators that are not drawn and the known faults of MXNet")
    options = parser.parse_args()
    if not os.path.exists(os.path.join(options.bin, "symc-conformance")):
        parser.error("no symc-conformance in '%s'" % options.bin)
    return parser, options


def describe(folder, number, message, mode):
    """A Difference of the shrunk case in `folder`."""
    with open(os.path.join(folder, "symbol.json")) as file:
        nodes = [node for node in json.load(file)["nodes"] if node["op"] != "null"]
    attrs = nodes[-1].get("attrs", {}) if len(nodes) == 1 else {}
    found = Difference(number, nodes[0]["op"] if len(nodes) == 1 else "graph", tuple(node["op"] for node in nodes), attrs,
                       message, kind_of(message), folder, mode, None)
    return found._replace(reason=explained.explain(found))


class Run:
    def __init__(self, options):
        self.options = options
        from graph_fuzz.recipes_quantised import ONEDNN
        self.onednn = ONEDNN
        symc = os.path.abspath(os.path.join(options.bin, "symc"))
        self.table = op_table.read(symc)
        self.among = None
        if options.train:
            from graph_fuzz import training
            with open(op_table.PAGE, encoding="utf-8") as file:
                self.among = sorted(training.differentiable(file.read()) - set(explained.NOT_TRAINED))
        self.plain, self.special = Oracle(symc, False), Oracle(symc, True)
        self.counts, self.outcome = collections.Counter(), collections.Counter()
        self.whys = {}
        self.differences = []

    def oracle(self, operators):
        return self.special if self.onednn & set(operators) else self.plain

    def operators(self):
        named = [name for name in self.options.only.split(",") if name]
        known = [name for name in sorted(self.table) if name not in explained.NOT_DRAWN]
        if self.among is not None:
            known = [name for name in known if name in self.among]
        for name in named:
            if name not in self.table:
                sys.exit("fuzz_graphs.py: error: '%s' is no operator of the table" % name)
        lost = [name for name in known if not recipes.is_drawn(name)]
        if lost:
            print("no recipe, no case, and no reason in graph_fuzz/explained.py: " + " ".join(lost))
            sys.exit(3)
        return named or known

    def draw_batch(self, numbers, primaries, folder):
        for number in numbers:
            primary = primaries[number % len(primaries)]
            place = os.path.join(folder, "g", "%06d" % number)
            answer = self.oracle([primary]).query(do="draw", seed=self.options.seed, index=number, op=primary, folder=os.path.abspath(place),
                                                  repeat=self.options.repeat, among=self.among)
            status = answer["status"]
            self.outcome[status] += 1
            if status == "ok":
                self.counts.update(set(answer["ops"]))
                self.outcome["refused nodes"] += "refused" in answer
            else:
                shutil.rmtree(place, ignore_errors=True)
                if status in ("died", "hangs", "broken", "refused"):
                    self.whys.setdefault((status, primary), (number, answer.get("why", "")))

    def compare_batch(self, folder, mode):
        failures = run_cases(self.options.bin, [folder], mode, self.options.jobs)
        if failures is None:
            sys.exit("fuzz_graphs.py: error: symc-conformance could not run; see its options " + " ".join(mode))
        for label, message in sorted(failures.items()):
            name = label.split("/")[1]
            if name.endswith("_refused"):
                if kind_of(message) not in ("crash", "hang"):
                    self.outcome["refused by both"] += 1
                    continue
            self.report(os.path.join(folder, label), int(name.split("_")[0]), message, mode)

    def report(self, case, number, message, mode):
        if not self.options.no_shrink and not case.endswith("_refused"):
            from graph_fuzz.shrinker import Shrinker
            known = {(d.operator, d.kind) for d in self.differences}
            shrinker = Shrinker(self.oracle, self.options.bin, os.path.abspath(self.options.work), mode)
            case, message = shrinker.shrink(case, message, known)
        found = describe(case, number, message, mode)
        kept = os.path.join(self.options.work, "differences", "%06d" % number)
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(case, kept)
        with open(os.path.join(kept, "message.txt"), "w") as file:
            file.write("%s\n%s\nsymc-conformance %s\n" % (message, found.reason or "unexplained", " ".join(mode)))
        self.differences.append(found._replace(folder=kept))
        print("  graph %d: %s %s\n    %s%s" % (number, " ".join(found.operators), json.dumps(found.attrs) if found.attrs else "",
                                             message, "\n    MXNet's own: " + found.reason if found.reason else ""), flush=True)

    def batches(self):
        primaries, options = self.operators(), self.options
        start = time.time()
        for first in range(options.first, options.first + options.count, options.batch):
            folder = os.path.join(options.work, "batch")
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(os.path.join(folder, "g"))
            numbers = range(first, min(first + options.batch, options.first + options.count))
            mode = MODES[first // options.batch % len(MODES) if options.mode is None else options.mode]
            mode = CUDA if options.target == "cuda" else mode
            mode = (*mode, "--train") if options.train else mode
            self.draw_batch(numbers, primaries, folder)
            if os.listdir(os.path.join(folder, "g")):
                self.compare_batch(folder, mode)
            print("graphs %d to %d (%s): %d compared so far, %d differences; %.0f s" % (
                numbers[0], numbers[-1], " ".join(mode) or "default", self.outcome["ok"], len(self.differences), time.time() - start),
                flush=True)
            if not options.keep:
                shutil.rmtree(folder)

    def summary(self):
        never = [name for name in self.operators() if not self.counts[name]]
        print("\n%-46s %7s" % ("operator", "graphs"))
        for name, count in sorted(self.counts.items()):
            print("%-46s %7d" % (name, count))
        if self.whys:
            print("\ngraphs that could not be drawn (first of each operator):")
            for (status, primary), (number, why) in sorted(self.whys.items()):
                print("  %-8s %-40s graph %d %s" % (status, primary, number, why))
        own = [d for d in self.differences if d.reason]
        print("\n%d graphs compared, %d unstable, %d refused by MXNet, %d times MXNet died or hung; %d graphs that MXNet refuses given to symc"
              % (self.outcome["ok"], self.outcome["unstable"], self.outcome["refused"], self.outcome["died"] + self.outcome["hangs"],
                 self.outcome["refused nodes"]))
        print("%d differences: %d MXNet's own, %d unexplained" % (len(self.differences), len(own), len(self.differences) - len(own)))
        if self.outcome["broken"] or never and self.options.count >= len(self.operators()):
            print("never drawn: " + " ".join(never) if never else "the run broke")
            return 3
        return 1 if len(own) < len(self.differences) else 0


def main():
    _, options = parse()
    if options.list:
        for name, reason in sorted(explained.NOT_DRAWN.items()):
            print("%s: %s" % (name, reason))
        for operator, _, reason in explained.MXNETS_OWN:
            print("%s: %s" % (operator or "any operator", reason))
        return 0
    run = Run(options)
    if options.check:
        print("%d operators can be drawn" % len(run.operators()))
        return 0
    try:
        run.batches()
    finally:
        run.plain.stop()
        run.special.stop()
    return run.summary()


if __name__ == "__main__":
    sys.exit(main())

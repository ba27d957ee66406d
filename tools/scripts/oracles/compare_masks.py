#!/usr/bin/env python3
"""Runs conformance cases with rows that a mask keeps beside compilations for fixed sizes.

  compare_masks.py --bin BUILD/bin [--filter TEXT]... [--first] [--every N] [FOLDER]   (default: test/conformance)

A mask stands in front of each input of N rows in turn, so that values decide its rows while the program runs; it keeps
1, 2, N and 2N of them, beside a program that is compiled for that size alone. Either both refuse the size, or both
answer, in one shape and within the case's tolerance. That is MXNet's for N rows; where an answer errs more because
errors grow with every row (recurrent layers whose states grow or become chaotic), it is raised as make_conformance.py
raises it, until four times the distance of the fixed program's float32 from its float64 fits, unless that distance is
2 % of the largest value: such an answer is
listed as unstable, neither passed nor failed. What the compiler refuses behind a mask (a constant is needed
there) counts as closed; sizes that only the masked program refuses, because its expressions cannot state what happens
there, are listed with --limits. The last line is `N passed, N failed`, counted over sizes. Extents that are ranges:
symc-conformance --open.

Inputs of other extents repeat the case's values along the axis. Random operators are left out.
"""
import argparse
import concurrent.futures
import json
import os
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

# The sentences with which a program for a range refuses a size that MXNet computes.
LIMITS = ("which needs an extent that is fixed", "which no size chosen at run time can be")
UNSTABLE = 0.02
RANDOM = ("random", "sample", "Dropout", "shuffle", "multinomial", "choice", "uniform", "normal")


class Case:
    def __init__(self, folder):
        with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
            self.facts = json.load(file)
        self.symbol = os.path.join(folder, "symbol.json")
        self.params = os.path.join(folder, "io.params")
        arrays = ndarray_file.load(self.params)
        self.inputs = {name: arrays["data:" + name] for name in self.facts.get("inputs", [])
                       if "data:" + name in arrays}

    def is_random(self):
        return any(word in self.facts["op"] for word in RANDOM) or self.facts.get("runs", 1) > 1


def stretched(array, axis, extent):
    return np.ascontiguousarray(np.take(array, np.arange(extent) % array.shape[axis], axis=axis))


class Runner:
    def __init__(self, options, case, folder):
        self.run_tool = os.path.join(options.bin, "symc-run")
        self.case, self.folder = case, folder

    def run(self, shapes, arrays, symbol=None, dtypes=None):
        """("answer", {name: array}), or the sentence behind "closed" (the compiler refuses), "refused" or "died"."""
        out = os.path.join(self.folder, "out")
        for name in os.listdir(out) if os.path.isdir(out) else ():
            os.remove(os.path.join(out, name))
        command = [self.run_tool, symbol or self.case.symbol, self.case.params, "--output-dir", out]
        for name, array in arrays.items():
            path = os.path.join(self.folder, "in-%d.npy" % len(command))
            np.save(path, array)
            command += ["--shape", "%s=%s" % (name, shapes[name]), "--input", "%s=%s" % (name, path)]
            if name in (dtypes or ()):
                command += ["--dtype", "%s=%s" % (name, dtypes[name])]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return "died", "60 s are over"
        message = (done.stderr.strip().splitlines() or [""])
        message = next((line for line in message if "error:" in line), message[-1])
        if done.returncode < 0 or done.returncode > 100:
            return "died", "status %d: %s" % (done.returncode, message)
        if done.returncode == 0:
            return "answer", {name[:-4]: np.load(os.path.join(out, name)) for name in sorted(os.listdir(out))}
        return "closed" if "symbol.json" in message else "refused", message


def moved(alone, exact):
    """How far an answer in float32 lies from one in float64, and whether that is 2 % of a largest value."""
    distance, unstable = 0.0, False
    for name, value in alone.items():
        far = np.abs(value.astype("f8") - exact[name])
        far, size = far[np.isfinite(far)], np.abs(exact[name][np.isfinite(exact[name])])
        distance = max(distance, far.max(initial=0))
        unstable |= bool(far.max(initial=0) > UNSTABLE * size.max(initial=0))
    return distance, unstable


def same(left, right, facts):
    if left.keys() != right.keys():
        return "outputs %s and %s" % (sorted(left), sorted(right))
    for name, value in left.items():
        other = right[name]
        if value.shape != other.shape or value.dtype != other.dtype:
            return "output '%s': %s %s and %s %s" % (name, value.dtype, value.shape, other.dtype, other.shape)
        both = np.isnan(value) & np.isnan(other) if value.dtype.kind == "f" else np.zeros(value.shape, bool)
        with np.errstate(invalid="ignore"):
            near = (value == other) | both | (np.abs(value.astype("f8") - other.astype("f8")) <=
                                             facts["atol"] + facts["rtol"] * np.abs(other.astype("f8")))
        if not near.all():
            return "output '%s': %s and %s" % (name, value[~near].flat[0], other[~near].flat[0])
    return None


def sizes_of(extent):
    return sorted({1, min(2, 2 * extent), extent, 2 * extent})


def spell(shape):
    return ",".join(map(str, shape))


def masked(case, name, folder):
    """The case's symbol with a mask behind the input `name`, and the names of the rows and of the mask."""
    with open(case.symbol, encoding="utf-8") as file:
        symbol = json.load(file)
    place = next(i for i, node in enumerate(symbol["nodes"]) if node["name"] == name)
    for node in symbol["nodes"]:
        node["inputs"] = [[entry[0] + 2, *entry[1:]] for entry in node["inputs"]]
    numpy = symbol.get("attrs", {}).get("is_np_shape", [None, 0])[1]
    symbol["nodes"][place].update(op="_npi_boolean_mask" if numpy else "_contrib_boolean_mask",
                                  inputs=[[0, 0, 0], [1, 0, 0]], attrs={})
    names = name + ".rows", name + ".kept"
    symbol["nodes"][:0] = [{"op": "null", "name": one, "inputs": []} for one in names]
    symbol["arg_nodes"] = [0, 1] + [i + 2 for i in symbol["arg_nodes"] if i != place]
    symbol["heads"] = [[head[0] + 2, *head[1:]] for head in symbol["heads"]]
    symbol.pop("node_row_ptr", None)
    path = os.path.join(folder, "masked-symbol.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(symbol, file)
    return path, *names


def mask_rows(runner, case, name, tally):
    """Compares inputs whose rows a mask keeps, so that values decide their number."""
    array = case.inputs[name]
    path, rows, kept = masked(case, name, runner.folder)
    others = {other: value for other, value in case.inputs.items() if other != name}
    extent = array.shape[0]
    for size in sizes_of(extent):
        few = stretched(array, 0, size)
        every = np.concatenate([few, np.zeros((2 * extent - size, *few.shape[1:]), few.dtype)])
        mask = (np.arange(2 * extent) < size).astype("f4")
        given = {rows: every, kept: mask, **others}
        opened = runner.run({other: spell(value.shape) for other, value in given.items()}, given, path)
        if opened[0] == "closed":
            tally["closed"] += 1
            return
        given = {name: few, **others}
        shapes = {other: spell(value.shape) for other, value in given.items()}
        floats = {other: "float64" for other, value in given.items() if value.dtype == np.float32}
        wide = {other: value.astype(floats.get(other, value.dtype)) for other, value in given.items()}
        yield from weigh("%s, %d rows" % (name, size), opened, runner.run(shapes, given),
                         lambda: runner.run(shapes, wide, dtypes=floats), case, tally)


def wider(fixed, exact, facts):
    """The case's tolerance, raised to what a float32 program errs at this size; None where that is no bound."""
    floats = all(value.dtype == np.float32 for value in fixed[1].values())
    if not facts["rtol"] or not floats:
        return facts
    exact = exact()
    if exact[0] != "answer" or any(value.dtype != np.float64 for value in exact[1].values()):
        return facts
    distance, unstable = moved(fixed[1], exact[1])
    return None if unstable else dict(facts, atol=max(facts["atol"], 4 * distance))


def weigh(what, opened, fixed, exact, case, tally):
    """The line of a difference between two runs of one size, if there is one."""
    (verdict, got), (alone, wanted), problem = opened, fixed, None
    if "died" in (verdict, alone):
        problem = "%s; alone: %s" % (got if verdict == "died" else verdict, wanted if alone == "died" else alone)
    elif verdict == "answer" and alone == "answer":
        problem = same(got, wanted, case.facts)
        facts = wider(fixed, exact, case.facts) if problem else case.facts
        if facts is None:
            tally["unstable"] += 1
            yield "%s: unstable, float32 errs by 2 %% of the largest value: %s" % (what, problem)
            return
        problem = problem and same(got, wanted, facts)
    elif verdict == "answer":
        problem = "answered, alone it is refused: %s" % wanted
    elif alone == "answer":
        limit = any(sentence in got for sentence in LIMITS)
        tally["limits"].append("%s: %s" % (what, got)) if limit else None
        problem = None if limit else "refused, alone it is computed: %s" % got
    tally["refused"] += verdict != "answer" and alone != "answer"
    tally["failed" if problem else "passed"] += 1
    if problem:
        yield "%s: %s" % (what, problem)


def compare(folder, label, options):
    """The lines of differences of a case, and its tally."""
    tally = {"passed": 0, "failed": 0, "refused": 0, "closed": 0, "unstable": 0, "limits": []}
    lines = []
    case = Case(folder)
    with tempfile.TemporaryDirectory() as work:
        runner = Runner(options, case, work)
        for name, array in case.inputs.items():
            if array.ndim and array.shape[0] > 0:
                lines += ["%s: %s" % (label, line) for line in mask_rows(runner, case, name, tally)]
    return lines, tally


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("folder", nargs="?", default="test/conformance")
    parser.add_argument("--bin", required=True)
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--first", action="store_true", help="one case of each operator")
    parser.add_argument("--every", type=int, default=1, help="every N-th of these cases only")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limits", action="store_true")
    options = parser.parse_args()
    chosen, met = [], set()
    for folder, _, files in sorted(os.walk(options.folder)):
        label = os.path.relpath(folder, options.folder)
        if "case.json" not in files or (options.filter and not any(text in label for text in options.filter)):
            continue
        case = Case(folder)
        if case.is_random() or (options.first and case.facts["op"] in met):
            continue
        met.add(case.facts["op"])
        chosen.append((folder, label))
    chosen = chosen[::options.every]
    met = {label.split(os.sep)[-2] for _, label in chosen}
    total = {"passed": 0, "failed": 0, "refused": 0, "closed": 0, "unstable": 0, "limits": []}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for lines, tally in pool.map(lambda one: compare(*one, options), chosen):
            print("".join(line + "\n" for line in lines), end="", flush=True)
            for key, value in tally.items():
                total[key] += value
    if options.limits:
        print("\n".join(total["limits"]))
    print("%d operators; %d sizes refused by both, %d by the range alone, %d extents closed, %d unstable"
          % (len(met), total["refused"], len(total["limits"]), total["closed"], total["unstable"]))
    print("%d passed, %d failed" % (total["passed"], total["failed"]))
    sys.exit(1 if total["failed"] or not total["passed"] else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Checks malformed inputs against test/conformance/errors.list.

usage: run_errors.py BIN_FOLDER ERRORS_FOLDER [--oracle PYTHON] [--verbose]

A case to reject must end with an error message that states where, within 20
seconds and 2 GiB, without a signal and without leaving an output. A case to
accept must compile and run; with --oracle (a Python with MXNet) its outputs on
drawn inputs are compared with MXNet's.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import needs

needs.modules("numpy")
import numpy as np

from compiled_model import Symc, differs

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "test", "conformance", "errors.list")
# FILE: error: ..., FILE:LINE:COLUMN: error: ... or symc: error: ... about a flag.
PLACED = re.compile(r"^\S[^\n]*?(:\d+:\d+)?: error: \S", re.M)
ORACLE = """
import sys, numpy as np, mxnet as mx
symbol = mx.sym.load(sys.argv[1])
saved = mx.nd.load(sys.argv[2])
args = {k.split(':', 1)[-1]: v for k, v in saved.items() if not k.startswith('aux:')}
aux = {k[4:]: v for k, v in saved.items() if k.startswith('aux:')}
inputs = dict(np.load(sys.argv[3]))
ex = symbol.simple_bind(mx.cpu(), grad_req='null', **{k: v.shape for k, v in inputs.items()})
ex.copy_params_from(args, aux, allow_extra_params=True)
for k, v in inputs.items():
    ex.arg_dict[k][:] = v
np.savez(sys.argv[4], *[o.asnumpy() for o in ex.forward(is_train=False)])
"""


def draw_inputs(shapes):
    rng = np.random.default_rng(7)
    return {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def ask_oracle(python, folder, files, inputs):
    given, answer = os.path.join(folder, "given.npz"), os.path.join(folder, "answer.npz")
    np.savez(given, **inputs)
    # MXNet's own operators, not oneDNN's: their NaN goes where the stored cases have it.
    subprocess.run([python, "-c", ORACLE] + files + [given, answer], check=True,
                   env=dict(os.environ, MXNET_MKLDNN_ENABLED="0"),
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with np.load(answer) as saved:
        return [saved[name] for name in saved.files]


def check(symc, folder, name, verdict, oracle, memory):
    """A text of what is wrong, or None."""
    with open(os.path.join(folder, "case.json")) as file:
        case = json.load(file)
    files = [os.path.join(folder, file) for file in case["files"]]
    shapes = {key: list(value) for key, value in (case.get("shapes") or {}).items()}
    # A graph without its parameter file is about the graph alone.
    flags = [] if len(files) > 1 else ["--random-weights"]
    program, result = symc.compile(files, shapes, name, *flags, seconds=20, memory=memory)
    if result.status < 0:
        return "ended by signal %d: %s" % (-result.status, result.output[-300:])
    if verdict == "reject":
        if result.status == 0:
            return "accepted"
        if os.path.exists(program):
            return "rejected, but left an output"
        if not PLACED.search(result.output):
            return "no placed message: %s" % result.output[-300:]
        if "internal error" in result.output:
            return "internal error: %s" % result.output[-300:]
        return None
    if result.status != 0:
        return "rejected: %s" % result.output[-400:]
    inputs = draw_inputs(shapes)
    outputs, run = symc.run(program, inputs)
    if run.status != 0:
        return "compiled, but does not run: %s" % run.output[-300:]
    if oracle:
        expected = ask_oracle(oracle, program + ".io", files, inputs)
        for (output, got), wanted in zip(sorted(outputs.items()), expected):
            wrong = differs(got, wanted, 1e-4, 1e-5)
            if wrong:
                return "%s: %s" % (output, wrong)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_folder")
    parser.add_argument("errors")
    parser.add_argument("--oracle", default="")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--sanitized", action="store_true", help="no limit of memory: ASan reserves terabytes")
    options = parser.parse_args()
    with open(LIST) as file:
        verdicts = [line.rstrip("\n").split("\t") for line in file if line.strip()]
    listed = {name for name, _, _ in verdicts}
    present = {name for name in os.listdir(options.errors)}
    failures = ["%s: not in errors.list" % name for name in sorted(present - listed)]
    counts = {"accept": 0, "reject": 0}
    work = tempfile.mkdtemp()
    try:
        symc = Symc(options.bin_folder, work)
        for name, verdict, _ in verdicts:
            if name not in present:
                failures.append("%s: listed, but there is no such case" % name)
                continue
            wrong = check(symc, os.path.join(options.errors, name), name, verdict, options.oracle,
                          None if options.sanitized else 2 << 30)
            if wrong:
                failures.append("%s (%s): %s" % (name, verdict, wrong))
            else:
                counts[verdict] += 1
    finally:
        shutil.rmtree(work)
    print("\n".join(failures))
    print("errors: %d rejected, %d accepted, %d wrong of %d"
          % (counts["reject"], counts["accept"], len(failures), len(verdicts)))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

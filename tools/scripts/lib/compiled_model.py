"""Compiles models with symc and runs the programs, for the scripts that measure.

Everything goes through the command line, as a user's work does. A compilation
returns its seconds, its peak memory and its messages.
"""
import os
import re
import resource
import subprocess
import threading
import time
from collections import namedtuple

import numpy as np

Result = namedtuple("Result", "status seconds peak_bytes output")


def execute(command, seconds=600, memory=None, **more):
    """Runs a command to its end; a status below 0 is a signal, -9 also a timeout."""
    def limit():
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, preexec_fn=limit, **more)
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    with process.stdout:
        output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Result(process.returncode, time.monotonic() - start, usage.ru_maxrss * 1024,
                  output.decode(errors="replace"))


class Symc:
    def __init__(self, bin_folder, work):
        self.tool = os.path.join(bin_folder, "symc")
        self.work = work

    def compile(self, files, shapes, name, *flags, **limits):
        """Compiles to WORK/name; returns (path, Result)."""
        path = os.path.join(self.work, name)
        command = [self.tool] + list(files)
        for argument, shape in shapes.items():
            command += ["--shape", "%s=%s" % (argument, ",".join(map(str, shape)))]
        return path, execute(command + list(flags) + ["-o", path], **limits)

    def run(self, program, inputs, *flags):
        """Runs a program on arrays; returns ({output: array}, Result)."""
        folder = program + ".io"
        os.makedirs(folder, exist_ok=True)
        live = live_inputs(program)
        command = [program]
        for name, value in inputs.items():
            if name in live:
                file = os.path.join(folder, re.sub(r"\W", "_", name) + ".npy")
                np.save(file, np.ascontiguousarray(value))
                command += ["--input", "%s=%s" % (name, file)]
        out = os.path.join(folder, "out")
        result = execute(command + ["--output-dir", out] + list(flags))
        outputs = {}
        if result.status == 0:
            for place, _, files in os.walk(out):
                for file in files:
                    full = os.path.join(place, file)
                    outputs[os.path.relpath(full, out)[:-len(".npy")]] = np.load(full)
        return outputs, result


def live_inputs(program):
    """Names of the inputs that --describe lists."""
    names, inside = [], False
    for line in execute([program, "--describe"]).output.splitlines():
        if not line.startswith(" "):
            inside = line.startswith("inputs:")
        elif inside:
            names.append(line.strip().rsplit(": ", 1)[0])
    return names


def milliseconds(program, runs, *flags):
    """The minimum that --bench prints."""
    result = execute([program, "--bench", str(runs)] + list(flags))
    match = re.search(r"min\s+([\d.]+)\s*ms", result.output)
    if result.status or not match:
        raise RuntimeError("%s --bench: status %d: %s" % (program, result.status, result.output[-300:]))
    return float(match.group(1))


def differs(x, y, rtol, atol):
    """Text of the worst element if x does not pass against y, else None."""
    if x is None or x.shape != y.shape or x.dtype != y.dtype:
        return "got %s, expected %s" % (x is not None and (x.dtype.name, x.shape), (y.dtype.name, y.shape))
    x, y = x.astype(np.float64), y.astype(np.float64)
    equal = (x == y) | (np.isnan(x) & np.isnan(y))
    with np.errstate(invalid="ignore"):
        excess = np.where(equal, -1.0, np.abs(x - y) - (atol + rtol * np.abs(y)))
    excess = np.where(np.isnan(excess), np.inf, excess)
    if excess.size == 0 or excess.max() <= 0:
        return None
    worst = np.unravel_index(excess.argmax(), excess.shape)
    return "at %s got %.9g, expected %.9g, allowed %.2g" % (
        list(map(int, worst)), x[worst], y[worst], atol + rtol * abs(y[worst]))

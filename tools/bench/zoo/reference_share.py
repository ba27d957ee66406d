"""The part of a net's time that reference code takes, from a profiled run with one thread.

The estimate of --report takes every region of a detector for one of every image of its
pyramid, so that nets whose estimate is not small are measured.
"""
import functools
import os
import re
import tempfile

import numpy as np

from compiled_model import execute

LEAST_ESTIMATE = 2  # percent


@functools.cache  # one profile serves the rows of all numbers of threads
def measure_share(settings, prefix):
    """Percent of the time of all steps of `prefix`, an exported net, by symc-run --profile."""
    def tool(name):
        return os.path.join(settings.bin, name)
    with tempfile.TemporaryDirectory(dir=settings.work) as folder, np.load(prefix + "-io.npz") as io:
        library, flags, inputs = os.path.join(folder, "net.so"), [], []
        for name in (entry[3:] for entry in io.files if entry.startswith("in:")):
            path = os.path.join(folder, name + ".npy")
            np.save(path, io["in:" + name])
            flags += ["--shape", name + "=" + ",".join(map(str, io["in:" + name].shape))]
            inputs += ["--input", name + "=" + path]
        if settings.target_cpu:
            flags += ["--target-cpu", settings.target_cpu]
        run = execute([tool("symc"), prefix + "-symbol.json", prefix + "-0000.params", *flags, "-shared", "--probes", "-o", library])
        if not run.status:
            run = execute([tool("symc-run"), library, "--profile=steps", "--bench", "2", *inputs])
        if run.status:
            raise RuntimeError("profile of %s: %s" % (os.path.basename(prefix), run.output[-600:]))
    return share_of(run.output)


def share_of(profile):
    """Percent of the steps' milliseconds in the table of --profile that calls of reference kernels take."""
    steps = re.findall(r"^ *\d+ +([\d.]+) +[\d.]+% .*$", profile, re.M)
    calls = re.findall(r"^ *\d+ +([\d.]+) +[\d.]+% .*\bcall symc_ref_.*$", profile, re.M)
    return 100 * sum(map(float, calls)) / sum(map(float, steps))

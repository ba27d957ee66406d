"""Compares a program with gradients for a range of rows with the programs for single sizes.

usage: range_gradients.py SYMC SYMBOL PARAMS PROGRAM SIZE...
"""
import glob
import os
import subprocess
import sys

import numpy as np


def results(program, inputs, folder):
    command = [os.path.abspath(program), "--output-dir", folder]
    for name, path in inputs.items():
        command += ["--input", "%s=%s" % (name, path)]
    subprocess.run(command, check=True)
    return {os.path.relpath(path, folder): np.load(path) for path in glob.glob(os.path.join(folder, "**", "*.npy"), recursive=True)}


def main():
    symc, symbol, params, program = sys.argv[1:5]
    for size in map(int, sys.argv[5:]):
        random = np.random.RandomState(size)
        np.save("data.npy", random.randn(size, 3, 8, 8).astype("float32"))
        np.save("label.npy", random.randint(0, 5, size).astype("float32"))
        inputs = {"data": "data.npy", "softmax_label": "label.npy"}
        subprocess.run([symc, symbol, params, "--shape", "data=%d,3,8,8" % size, "--shape", "softmax_label=%d" % size, "--gradients", "all",
                        "-o", "single"], check=True)
        got, want = results(program, inputs, "open-%d" % size), results("single", inputs, "single-%d" % size)
        assert sorted(got) == sorted(want) and len(got) > 8, (sorted(got), sorted(want))
        for name, value in want.items():
            np.testing.assert_allclose(got[name], value, rtol=1e-4, atol=1e-5 * np.abs(value).max() + 1e-6, err_msg="%s of %d rows" % (name, size))
    print("%d sizes agree" % len(sys.argv[5:]))


main()

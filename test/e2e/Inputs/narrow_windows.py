"""narrow_windows.py SYMC SYMC_RUN: two 3x3 layers by Winograd's products of pairs of bfloat16 beside float32: images
of whole and of broken tiles, outputs of broken blocks. Prints for each shape whether the largest difference
over the largest element is one of roundings to bfloat16, and whether one thread and three give the same bits."""
import json
import subprocess
import sys

import numpy as np

symc, symc_run = sys.argv[1:]
nodes = [{"op": "null", "name": name, "inputs": []} for name in ("data", "a_weight", "a_bias", "b_weight", "b_bias")]
window = {"kernel": "(3, 3)", "pad": "(1, 1)"}
nodes += [{"op": "Convolution", "name": "a", "attrs": {**window, "num_filter": "40"}, "inputs": [[i, 0, 0] for i in range(3)]},
          {"op": "Activation", "name": "relu", "attrs": {"act_type": "relu"}, "inputs": [[5, 0, 0]]},
          {"op": "Convolution", "name": "b", "attrs": {**window, "num_filter": "32"}, "inputs": [[6, 0, 0], [3, 0, 0], [4, 0, 0]]},
          {"op": "elemwise_add", "name": "sum", "inputs": [[7, 0, 0], [0, 0, 0]]}]
with open("windows.json", "w") as file:
    json.dump({"nodes": nodes, "arg_nodes": list(range(5)), "heads": [[8, 0, 0]]}, file)


def run(shape, threads, *options):
    subprocess.run([symc, "windows.json", "--random-weights=3", "--shape", "data=" + shape, "--target-cpu",
                    "x86-64-v4+bf16", "-shared", "-o", "windows.so", *options], check=True)
    subprocess.run([symc_run, "windows.so", "--random-inputs=3", "--threads", threads, "--output-dir", "."], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return np.load("sum_output.npy")


for shape in ("1,32,14,14", "2,32,7,9", "1,32,1,5", "3,32,20,3"):
    pairs = ["--precision", "bf16", "--force-kernel", "winograd-f2-pairs"]
    exact, narrow, threads = run(shape, "1"), run(shape, "1", *pairs), run(shape, "3", *pairs)
    error = np.abs(exact - narrow).max() / np.abs(exact).max()
    print(shape, "rounded" if 2**-14 < error < 2**-6 else "differs by %.1e" % error,
          "same bits" if np.array_equal(narrow, threads) else "other bits")

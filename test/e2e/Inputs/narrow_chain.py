"""narrow_chain.py SYMC SYMC_RUN TARGET...: layers over odd numbers of channels, each read by the next one, with weights,
and where the instruction set multiplies it data, of bfloat16 beside float32. Prints for each instruction set whether
the largest difference over the largest element is one of roundings to bfloat16, and whether one thread and three give
the same bits."""
import json
import subprocess
import sys

import numpy as np

symc, symc_run, *targets = sys.argv[1:]
nodes = [{"op": "null", "name": "data", "inputs": []}]
for outputs, kernel in ((17, 3), (33, 1), (3, 3), (49, 3), (16, 1)):
    layer = f"layer{len(nodes)}"
    before = len(nodes) - 1
    nodes += [{"op": "null", "name": layer + "_weight", "inputs": []},
              {"op": "Convolution", "name": layer, "inputs": [[before, 0, 0], [before + 1, 0, 0]],
               "attrs": {"kernel": f"({kernel}, {kernel})", "pad": f"({kernel // 2}, {kernel // 2})",
                         "num_filter": str(outputs), "no_bias": "True"}}]
nodes.append({"op": "Activation", "name": "last", "attrs": {"act_type": "relu"}, "inputs": [[len(nodes) - 1, 0, 0]]})
with open("chain.json", "w") as file:
    json.dump({"nodes": nodes, "arg_nodes": [i for i, node in enumerate(nodes) if node["op"] == "null"],
               "heads": [[len(nodes) - 1, 0, 0]]}, file)


def run(target, threads, *options):
    subprocess.run([symc, "chain.json", "--random-weights=3", "--shape", "data=2,17,12,13", "--target-cpu", target,
                    "-shared", "-o", "chain.so", *options], check=True)
    subprocess.run([symc_run, "chain.so", "--random-inputs=3", "--threads", threads, "--output-dir", "."], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return np.load("last_output.npy")


for target in targets:
    narrow = ["--precision", "bf16"]
    exact, rounded, threads = run(target, "1"), run(target, "1", *narrow), run(target, "3", *narrow)
    error = np.abs(exact - rounded).max() / np.abs(exact).max()
    print(target, "rounded" if 2**-14 < error < 2**-5 else "differs by %.1e" % error,
          "same bits" if np.array_equal(rounded, threads) else "other bits")

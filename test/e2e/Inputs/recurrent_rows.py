"""recurrent_rows.py SYMC_RUN CPU...: an LSTM and a GRU over 16 rows, whose passes over the weights sum
some gates at once, beside single rows. Prints for each how many rows have equal bits."""
import json
import subprocess
import sys

import numpy as np

UNITS = 40


def run(mode, data, cpu):
    zeros = {"op": "_zeros", "inputs": [], "attrs": {"shape": str((1, data.shape[1], UNITS))}}
    nodes = [{"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "weights", "inputs": []},
             dict(zeros, name="state"), dict(zeros, name="cell"),
             {"op": "RNN", "name": "rnn", "inputs": [[i, 0, 0] for i in range(4 if mode == "lstm" else 3)],
              "attrs": {"mode": mode, "num_layers": "1", "state_size": str(UNITS)}}]
    with open("rnn.json", "w") as file:
        json.dump({"nodes": nodes, "arg_nodes": [0, 1], "heads": [[4, 0, 0]]}, file)
    np.save("data.npy", data)
    subprocess.run([symc_run, "rnn.json", "--random-weights=3", "--shape", "data=%d,%d,%d" % data.shape,
                    "--input", "data=data.npy", "--output-dir", "out", "--target-cpu", cpu],
                   check=True, stdout=subprocess.DEVNULL)
    return np.load("out/rnn_output.npy")


symc_run, *cpus = sys.argv[1:]
data = np.random.default_rng(5).standard_normal((3, 16, 20)).astype("float32")
for cpu in cpus:
    for mode in ("lstm", "gru"):
        whole = run(mode, data, cpu)
        rows = (0, 5, 11, 15)
        same = sum((run(mode, data[:, row:row + 1], cpu) == whole[:, row:row + 1]).all() for row in rows)
        print("%s %s: %d of %d rows have equal bits" % (cpu, mode, same, len(rows)))

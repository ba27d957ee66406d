"""narrow_recurrent.py SYMC SYMC_RUN CPU...: recurrent layers under --precision beside float32 layers with
parameters that were rounded to those 16 bits. Prints the largest difference over the largest element, and
whether one thread and three give the same bits."""
import json
import os
import struct
import subprocess
import sys

import numpy as np

UNITS, FEATURES, STEPS = 24, 6, 4


def rounded(values, precision):
    if precision == "f16":
        return values.astype(np.float16).astype(np.float32)
    bits = values.view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000
    return bits.astype(np.uint32).view(np.float32)


def write(name, mode, values):
    gates, count = {"lstm": 4, "gru": 3, "rnn_tanh": 1}[mode], 4 if mode == "lstm" else 3
    names = ["data", "weights", "state", "cell"][:count]
    nodes = [{"op": "null", "name": n, "inputs": []} for n in names]
    nodes.append({"op": "RNN", "name": "rnn", "inputs": [[i, 0, 0] for i in range(count)],
                  "attrs": {"mode": mode, "num_layers": "2", "bidirectional": "True", "state_size": str(UNITS)}})
    with open(name + ".json", "w") as file:
        json.dump({"nodes": nodes, "arg_nodes": list(range(count)), "heads": [[count, 0, 0]]}, file)
    key = b"arg:weights"
    with open(name + ".params", "wb") as file:
        file.write(struct.pack("<QQQ", 0x112, 0, 1) + struct.pack("<IiIqiii", 0xF993FAC9, 0, 1, len(values), 1, 0, 0))
        file.write(values.tobytes() + struct.pack("<QQ", 1, len(key)) + key)


def count_of(gates):
    matrices = 2 * gates * UNITS * (FEATURES + UNITS) + 2 * gates * UNITS * (2 * UNITS + UNITS)
    return matrices, matrices + 8 * gates * UNITS


def run(name, batch, cpu, mode, *options, threads=1):
    shapes = ["--shape", "data=%d,%d,%d" % (STEPS, batch, FEATURES)]
    for state in ["state", "cell"][:2 if mode == "lstm" else 1]:
        shapes += ["--shape", "%s=4,%d,%d" % (state, batch, UNITS)]
    subprocess.run([symc, name + ".json", name + ".params", *shapes, "--target-cpu", cpu, "-shared", "-o", name + ".so",
                    *options], check=True)
    subprocess.run([symc_run, name + ".so", "--random-inputs=3", "--threads", str(threads), "--output-dir", "out"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return np.load(os.path.join("out", "rnn_output.npy"))


symc, symc_run, *cpus = sys.argv[1:]
for cpu in cpus:
    for precision in ("bf16",) if cpu == "x86-64-v4+bf16" else ("bf16", "f16"):
        for mode, gates in (("lstm", 4), ("gru", 3), ("rnn_tanh", 1)):
            matrices, everything = count_of(gates)
            values = np.random.default_rng(2).uniform(-0.4, 0.4, everything).astype(np.float32)
            write("exact", mode, values)
            values[:matrices] = rounded(values[:matrices], precision)
            write("rounded", mode, values)
            for batch in (1, 9):
                found = run("exact", batch, cpu, mode, "--precision", precision)
                again = run("exact", batch, cpu, mode, "--precision", precision, threads=3)
                wanted = run("rounded", batch, cpu, mode)
                print("%s %s %s x %d: %.1e, %s bits" % (cpu, precision, mode, batch,
                                                        abs(found - wanted).max() / abs(wanted).max(),
                                                        "equal" if (found == again).all() else "other"))

"""window_errors.py SYMC_RUN CPU: convolutions of several windows by winograd-pieces against a
float64 sum. Prints for each the largest error of an output channel over its largest value, and
whether it is within the bound that the step reports; ends with the number of windows."""
import json
import re
import struct
import subprocess
import sys

import numpy as np

# rows and columns of the window, input channels: the bound's rows by the channels of all pieces
WINDOWS = [(1, 3, 48), (1, 7, 32), (7, 1, 192), (5, 5, 16), (5, 5, 64), (7, 7, 16), (1, 11, 80)]
OUTPUTS, EXTENT = 32, 13


def write_params(path, name, array):
    with open(path, "wb") as file:
        file.write(struct.pack("<QQQ", 0x112, 0, 1))
        file.write(struct.pack("<Iii", 0xF993FAC9, 0, array.ndim) + struct.pack("<%dq" % array.ndim, *array.shape))
        file.write(struct.pack("<iii", 1, 0, 0) + array.tobytes())
        file.write(struct.pack("<QQ", 1, len(name)) + name.encode())


def exact(data, weight):
    rows, columns = weight.shape[2:]
    sum_ = 0
    for i in range(rows):
        for j in range(columns):
            part = data[:, i:data.shape[1] - rows + 1 + i, j:data.shape[2] - columns + 1 + j]
            sum_ = sum_ + np.tensordot(weight[:, :, i, j].astype(float), part.astype(float), 1)
    return sum_


symc_run, cpu = sys.argv[1:]
rng = np.random.default_rng(7)
for rows, columns, channels in WINDOWS:
    nodes = [{"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "weight", "inputs": []},
             {"op": "Convolution", "name": "conv", "inputs": [[0, 0, 0], [1, 0, 0]], "attrs": {
                 "kernel": str((rows, columns)), "num_filter": str(OUTPUTS), "no_bias": "True"}}]
    with open("net-symbol.json", "w") as file:
        json.dump({"nodes": nodes, "arg_nodes": [0, 1], "heads": [[2, 0, 0]]}, file)
    weight = rng.standard_normal((OUTPUTS, channels, rows, columns)).astype("float32")
    data = rng.standard_normal((1, channels, EXTENT, EXTENT + 2)).astype("float32")
    write_params("net-0000.params", "arg:weight", weight)
    np.save("data.npy", data)
    page = subprocess.run([symc_run, "net-symbol.json", "net-0000.params", "--shape", "data=%d,%d,%d,%d" % data.shape,
                           "--input", "data=data.npy", "--output-dir", "out", "--target-cpu", cpu, "--force-kernel",
                           "winograd-pieces", "--profile"], check=True, capture_output=True, text=True).stdout
    bound = float(re.search(r"winograd-pieces.*error (\S+)", page).group(1))
    found, wanted = np.load("out/conv_output.npy")[0], exact(data[0], weight)
    error = max(np.abs(found[c] - wanted[c]).max() / np.abs(wanted[c]).max() for c in range(OUTPUTS))
    print("%dx%d of %d channels: error %.2g, bound %.2g: %s" % (
        rows, columns, channels, error, bound, "within" if error <= bound else "BEYOND"))
print("%d windows" % len(WINDOWS))

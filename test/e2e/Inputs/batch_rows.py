"""batch_rows.py make DIR N EXTENT...: DIR/all.npy [N, ...] of floats in -1..1 and its rows,
DIR/row0.npy [1, ...] and so on; the same on any machine.
batch_rows.py compare WHOLE ROW...: the rows behind each other have the bits of the whole, or
the largest difference is printed and the status is 1."""
import ast
import struct
import sys
from pathlib import Path


def write(path, shape, values):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }" % (
        "".join("%d, " % extent for extent in shape))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    Path(path).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
                           header.encode() + struct.pack("<%df" % len(values), *values))


def read(path):
    data = Path(path).read_bytes()
    size = struct.unpack("<H", data[8:10])[0]
    shape = ast.literal_eval(data[10:10 + size].decode())["shape"]
    values = data[10 + size:]
    return shape, struct.unpack("<%df" % (len(values) // 4), values)


if sys.argv[1] == "make":
    folder, rows, *shape = sys.argv[2], *map(int, sys.argv[3:])
    Path(folder).mkdir(exist_ok=True)
    count, state, values = 1, rows, []
    for extent in shape:
        count *= extent
    for _ in range(rows * count):
        state = (state * 1103515245 + 12345) % 2147483648
        values.append(state / 1073741824 - 1)
    write(f"{folder}/all.npy", [rows, *shape], values)
    for row in range(rows):
        write(f"{folder}/row{row}.npy", [1, *shape], values[row * count:(row + 1) * count])
else:
    shape, whole = read(sys.argv[2])
    parts = [read(path) for path in sys.argv[3:]]
    rows = sum(part[0][0] for part in parts)
    joined = [value for _, values in parts for value in values]
    if rows != shape[0] or len(joined) != len(whole):
        sys.exit(f"{rows} rows of {len(joined)} elements, the whole has {shape[0]} of {len(whole)}")
    worst = max(abs(a - b) for a, b in zip(joined, whole))
    if joined != list(whole):
        sys.exit(f"the largest difference is {worst:g}")
    print(f"{rows} rows have equal bits")

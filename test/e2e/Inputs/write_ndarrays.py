"""write_ndarrays.py FILE [NAME=]D,D,...:VALUE ...: float32 arrays as MXNet's nd.save writes them, filled with one value,
or with 0, 1, 2 ... where VALUE is `count`. Without names they are a list."""
import math
import struct
import sys

arrays, names = [], []
for text in sys.argv[2:]:
    name, _, text = text.rpartition("=")
    shape, value = text.split(":")
    extents = [int(extent) for extent in shape.split(",")]
    count = math.prod(extents)
    values = range(count) if value == "count" else [float(value)] * count
    arrays.append(struct.pack("<IiI%dqiii%df" % (len(extents), count), 0xF993FAC9, 0, len(extents), *extents, 1, 0, 0, *values))
    names += [name.encode()] if name else []
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<QQQ", 0x112, 0, len(arrays)) + b"".join(arrays) + struct.pack("<Q", len(names)))
    for name in names:
        file.write(struct.pack("<Q", len(name)) + name)

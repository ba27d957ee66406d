"""write_arrays.py FILE NAME=D,D,...:VALUE ...: float32 arrays filled with one value, or
with numbers that differ from place to place where VALUE is `ramp`, as an .npz; without names (D,D,...:VALUE)
a single array as an .npy. VALUE:f2, VALUE:f8 and VALUE:i8 make float16, float64 and int64."""
import math
import struct
import sys
import zipfile


def npy(text):
    shape, value, *types = text.split(":")
    code = types[0] if types else "f4"
    extents = [int(extent) for extent in shape.split(",")]
    header = "{'descr': '<%s', 'fortran_order': False, 'shape': (%s,), }" % (code, ", ".join(map(str, extents)))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    count = math.prod(extents)
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
            + struct.pack("<%d%s" % (count, {"f2": "e", "f4": "f", "f8": "d", "i8": "q"}[code]), *(
                [i * 37 % 101 / 101 - 0.5 for i in range(count)] if value == "ramp"
                else [int(value) if code == "i8" else float(value)] * count)))


path, *arrays = sys.argv[1:]
if "=" not in arrays[0]:
    with open(path, "wb") as file:
        file.write(npy(arrays[0]))
else:
    with zipfile.ZipFile(path, "w") as archive:
        for array in arrays:
            name, text = array.split("=")
            archive.writestr(name + ".npy", npy(text))

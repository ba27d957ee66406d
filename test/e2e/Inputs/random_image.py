"""random_image.py FILE C H W: an array [1, C, H, W] of floats in -1..1 as .npy, the
same for the same extents on any machine."""
import struct
import sys

file, *extents = sys.argv[1:]
channels, height, width = map(int, extents)
count = channels * height * width
state, values = height * 1000 + width, []
for _ in range(count):
    state = (state * 1103515245 + 12345) % 2147483648
    values.append(state / 1073741824 - 1)
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, %d, %d, %d), }" % (
    channels, height, width)
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(file, "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    out.write(struct.pack("<%df" % count, *values))

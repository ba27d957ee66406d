"""Writes MNIST's four files with digits that examples/digits draws, those for testing gzipped.

usage: draw_mnist.py FOLDER TRAIN TEST     numbers of pictures
"""
import gzip
import os
import struct
import sys

import numpy as np

if len(sys.argv) != 4:
    sys.exit("usage: draw_mnist.py FOLDER TRAIN TEST")
folder = sys.argv[1]
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "digits"))
import draw_digits

os.makedirs(folder, exist_ok=True)
for name, count, seed, opened in (("train", int(sys.argv[2]), 1, open), ("t10k", int(sys.argv[3]), 2, gzip.open)):
    rng, labels = np.random.default_rng(seed), np.arange(count, dtype="uint8") % 10
    pictures = np.stack([np.round(draw_digits.draw(label, rng) * 255) for label in labels]).astype("uint8")
    ending = ".gz" if opened is gzip.open else ""
    with opened(os.path.join(folder, name + "-images-idx3-ubyte" + ending), "wb") as file:
        file.write(struct.pack(">4i", 2051, count, 28, 28) + pictures.tobytes())
    with opened(os.path.join(folder, name + "-labels-idx1-ubyte" + ending), "wb") as file:
        file.write(struct.pack(">2i", 2049, count) + labels.tobytes())

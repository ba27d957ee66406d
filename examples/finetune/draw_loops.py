"""Drawn digits, labelled with the loops that each has: draw_loops.py TRAIN.npz TEST.npz COUNT."""
import os
import sys

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "digits"))
import draw_digits

LOOPS = np.array([1, 0, 0, 0, 0, 0, 1, 0, 2, 1])  # of 0 to 9; a drawn 4 is open


def save(path, count, seed):
    rng, digits = np.random.default_rng(seed), np.arange(count) % 10
    pictures = np.stack([draw_digits.draw(digit, rng) for digit in digits])[:, None]
    np.savez(path, data=pictures.astype("float32"), softmax_label=LOOPS[digits].astype("float32"))


if __name__ == "__main__":
    save(sys.argv[1], int(sys.argv[3]), 1)
    save(sys.argv[2], max(int(sys.argv[3]) // 4, 100), 2)

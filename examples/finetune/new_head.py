"""A network with the layers of examples/digits and a new head, and digits with new labels:
new_head.py SYMBOL.json TRAIN.npz TEST.npz COUNT."""
import os
import sys

import numpy as np
import symc as mx

DIGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "digits")
sys.path.append(DIGITS)
import draw_digits

LOOPS = np.array([1, 0, 0, 0, 0, 0, 1, 0, 2, 1])  # of 0 to 9; a drawn 4 is open


def network():
    trained = mx.sym.load(os.path.join(DIGITS, "digits-symbol.json"))
    features = trained.get_internals()["relu3_output"]
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(features, num_hidden=3, name="loops"), name="softmax")


def save(path, count, seed):
    rng, digits = np.random.default_rng(seed), np.arange(count) % 10
    pictures = np.stack([draw_digits.draw(digit, rng) for digit in digits])[:, None]
    np.savez(path, data=pictures.astype("float32"), softmax_label=LOOPS[digits].astype("float32"))


if __name__ == "__main__":
    network().save(sys.argv[1])
    save(sys.argv[2], int(sys.argv[4]), 1)
    save(sys.argv[3], max(int(sys.argv[4]) // 4, 100), 2)

#!/usr/bin/env python3
"""Trains the digit classifier of this example with MXNet, from nothing.

Draws its own pictures (draw_digits.py), trains a small LeNet, and writes
digits-symbol.json, digits-0010.params, labels.txt and pictures/N.png beside
itself. Runs in the environment that tools/scripts/make-oracle-env makes.
"""
import os

os.environ.setdefault("MXNET_SUBGRAPH_BACKEND", "NONE")

import mxnet as mx
import numpy as np
from PIL import Image

import draw_digits

HERE = os.path.dirname(os.path.abspath(__file__))
EPOCHS = 10
BATCH = 64


def network():
    """A LeNet with 20,522 weights."""
    data = mx.sym.Variable("data")
    x = mx.sym.Convolution(data, kernel=(5, 5), num_filter=8, name="conv1")
    x = mx.sym.Activation(x, act_type="relu", name="relu1")
    x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool1")
    x = mx.sym.Convolution(x, kernel=(5, 5), num_filter=16, name="conv2")
    x = mx.sym.Activation(x, act_type="relu", name="relu2")
    x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool2")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x, name="flatten"), num_hidden=64, name="fc1")
    x = mx.sym.Activation(x, act_type="relu", name="relu3")
    x = mx.sym.Dropout(x, p=0.3, name="drop")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=10, name="fc2"), name="softmax")


def pictures(count, rng):
    """Pictures [count, 1, 28, 28], rounded to the 256 greys of a file, and labels."""
    labels = np.arange(count) % 10
    drawn = np.stack([draw_digits.draw(label, rng) for label in labels])
    return (np.round(drawn * 255) / 255).astype(np.float32)[:, None], labels.astype(np.float32)


def main():
    np.random.seed(1)
    mx.random.seed(1)
    rng = np.random.default_rng(1)
    train = mx.io.NDArrayIter(*pictures(24000, rng), BATCH, shuffle=True, label_name="softmax_label")
    check = mx.io.NDArrayIter(*pictures(4000, np.random.default_rng(2)), BATCH, label_name="softmax_label")
    module = mx.mod.Module(network(), context=mx.cpu())
    module.fit(train, check, optimizer="adam", num_epoch=EPOCHS, initializer=mx.init.Xavier(),
               optimizer_params={"learning_rate": 0.002,
                                 "lr_scheduler": mx.lr_scheduler.FactorScheduler(375, 0.75)})
    accuracy = module.score(check, "acc")[0][1]
    print("accuracy on 4000 pictures it has not seen: %.4f" % accuracy)
    module.save_checkpoint(os.path.join(HERE, "digits"), EPOCHS)
    with open(os.path.join(HERE, "labels.txt"), "w") as file:
        file.writelines("%d\n" % digit for digit in range(10))
    os.makedirs(os.path.join(HERE, "pictures"), exist_ok=True)
    rng = np.random.default_rng(3)
    for digit in range(10):
        ink = draw_digits.draw(digit, rng, plain=True)
        Image.fromarray(np.round(ink * 255).astype(np.uint8), "L").save(
            os.path.join(HERE, "pictures", "%d.png" % digit), optimize=True)


if __name__ == "__main__":
    main()

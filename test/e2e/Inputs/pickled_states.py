"""A checkpoint with pickled states, as MXNet's Module writes it, and the parameters where its training goes on.

usage: pickled_states.py make SGD|ADAM WHICH    WHICH: numbers, names or optimizer (what states are found by, or the optimizer too)
       pickled_states.py near A.params B.params
       pickled_states.py damage STATES          writes files of damaged pickles and prints their names
"""
import pickle
import sys

import numpy as np
import symc as mx

RATES = {"sgd": {"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-4}, "adam": {"learning_rate": 0.01, "wd": 1e-4}}


def make(name, which):
    rng = np.random.RandomState(0)
    rows = rng.randn(40, 5).astype("float32")
    labels = (rows[:, 0] > 0).astype("float32")
    np.save("rows.npy", rows), np.save("labels.npy", labels)
    net = mx.sym.FullyConnected(mx.sym.Activation(mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=6, name="fc1"),
                                                  act_type="tanh"), num_hidden=3, name="fc2")
    module = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
    batches = mx.io.NDArrayIter(rows, labels, 10)
    store = mx.kvstore.create("device") if which == "names" else "local"
    for first, last in ((0, 2), (2, 4)):
        batches.reset()
        module.fit(batches, num_epoch=last, begin_epoch=first, optimizer=name, optimizer_params=RATES[name], kvstore=store,
                   initializer=mx.init.Xavier())
        module.save_checkpoint("net", last, save_optimizer_states=last == 2)
        if last == 2 and which == "optimizer":
            with open("net-0002.states", "wb") as file:
                file.write(module._updater.get_states(dump_optimizer=True))


def near(one, other):
    one, other = mx.nd.load(one), mx.nd.load(other)
    far = max(float(abs(one[name].asnumpy() - other[name].asnumpy()).max()) for name in one)
    print("near" if sorted(one) == sorted(other) and far < 1e-6 else "differ by %g" % far)


def damage(path):
    with open(path, "rb") as file:
        whole = file.read()
    files = {"cut": whole[:-40], "text": pickle.dumps({0: 1}, 0), "number": pickle.dumps(7, 4), "words": pickle.dumps({0: "x"}, 4),
             "none": pickle.dumps({}, 4)}
    for name, data in files.items():
        with open(name, "wb") as file:
            file.write(data)


{"make": make, "near": near, "damage": damage}[sys.argv[1]](*sys.argv[2:])

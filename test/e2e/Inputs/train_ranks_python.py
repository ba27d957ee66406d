"""Trains by symc.mod.Module, as one process or as a rank of several with their part of each batch.

usage: train_ranks_python.py FILE [fail]   parameters go to FILE, of rank 0; fail: the last rank ends by an exception
"""
import sys

import numpy as np

import symc as mx

store = mx.kvstore.create("dist_sync")
rank, ranks = store.rank, store.num_workers
draw = np.random.RandomState(5)
rows, labels = draw.randn(64, 6).astype("float32"), draw.randint(0, 3, 64).astype("float32")
begin = {"fc_weight": draw.randn(3, 6).astype("float32"), "fc_bias": draw.randn(3).astype("float32")}

# Keys: values begin with those of rank 0, pushes are sums over ranks, updates are the same everywhere.
store.init("a", mx.nd.ones((2, 3)) * (rank + 7))
out = mx.nd.zeros((2, 3))
store.pull("a", out=out)
assert (out.asnumpy() == 7).all()
store.push("a", [mx.nd.ones((2, 3)) * (rank + 1), mx.nd.ones((2, 3))])
store.pull("a", out=out)
assert (out.asnumpy() == ranks * (ranks + 1) / 2 + ranks).all()
store.barrier()

batch = 16 // ranks
own = np.concatenate([np.arange(at + rank * batch, at + (rank + 1) * batch) for at in range(0, 64, 16)])
net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=3, name="fc"), name="softmax")
module = mx.mod.Module(net)
first = {name: mx.nd.array(value if rank == 0 else 0 * value) for name, value in begin.items()}
if len(sys.argv) > 2 and rank == ranks - 1:
    raise SystemError("as asked")
module.fit(mx.io.NDArrayIter(rows[own], labels[own], batch), num_epoch=5, kvstore=store if ranks == 2 else "dist_sync",
           arg_params=first, optimizer="sgd", optimizer_params={"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-3})
if rank == 0:
    np.save(sys.argv[1], np.concatenate([module.get_params()[0][name].asnumpy().ravel() for name in sorted(begin)]))
    print("rank 0 of", ranks)

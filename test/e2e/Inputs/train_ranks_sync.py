"""Trains a net with SyncBatchNorm over processes by symc.mod.Module, as one process or as a rank of several.

usage: train_ranks_sync.py FILE   parameters and moving statistics go to FILE, of rank 0
"""
import sys

import numpy as np

import symc as mx

store = mx.kvstore.create("dist_sync")
batch = 16 // store.num_workers
draw = np.random.RandomState(5)
rows, labels = draw.randn(64, 6).astype("float32"), draw.randint(0, 3, 64).astype("float32")
own = np.concatenate([np.arange(at + store.rank * batch, at + (store.rank + 1) * batch) for at in range(0, 64, 16)])
net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=8, name="fc1")
net = mx.sym.Activation(mx.sym.contrib.SyncBatchNorm(net, fix_gamma=False, ndev=2, key="norm", name="norm"), act_type="tanh")
net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(net, num_hidden=3, name="fc2"), name="softmax")
first = {name: mx.nd.array(draw.randn(*shape) / 2) for name, shape in zip(net.list_arguments(), net.infer_shape(data=(16, 6))[0])
         if name not in ("data", "softmax_label")}
module = mx.mod.Module(net)
module.fit(mx.io.NDArrayIter(rows[own], labels[own], batch), num_epoch=3, kvstore=store, arg_params=first, allow_missing=True,
           initializer=mx.init.Xavier(), optimizer="sgd", optimizer_params={"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-3})
if store.rank == 0:
    values = {**module.get_params()[0], **module.get_params()[1]}
    np.save(sys.argv[1], np.concatenate([values[name].asnumpy().ravel() for name in sorted(values)]))

"""Trains by symc.Trainer, as one process or as a rank of several, each with its rows of every batch.

usage: train_ranks_trainer.py SYMBOL FILE    parameters go to FILE, of rank 0
"""
import sys

import numpy as np

import symc
from symc import _world

store = symc.kvstore.create("dist_sync")
rows = 16 // store.num_workers
draw = np.random.RandomState(5)
data, labels = draw.randn(16, 1200).astype("float32"), draw.randint(0, 7, 16).astype("float32")
own = slice(store.rank * rows, (store.rank + 1) * rows)
with symc.Trainer(sys.argv[1], {"data": (rows, 1200)}, "sgd", {"learning_rate": 0.05, "momentum": 0.9, "wd": 1e-3},
                  initializer="xavier", seed=3 + store.rank, kvstore=store) as trainer:
    if store.num_workers == 1:
        try:
            trainer._do("share_rows", -1, 0)
        except symc.SymcError as error:
            print(error)
    for _ in range(20):
        trainer.step(data[own], labels[own])
    values = trainer.get_params()[0]
if store.rank == 0:
    np.save(sys.argv[2], np.concatenate([values[name].ravel() for name in sorted(values)]))
    begun = "%d of %d" % _world.overlap()[::-1] if store.num_workers > 1 else "none"
    print("rank 0 of %d: %s parts of the last sum went out before backward ended" % (store.num_workers, begun))

"""Trains one net by MXNet's Module and kvstore dist_sync, a process of those that compare_ranks starts. Runs in MXNet's
environment; servers and the scheduler serve when they import it, and end there.

    python dist_worker.py NET DIR STEPS    prints samples a second of this worker's fastest step, JSON
"""
import json
import os
import sys
import time

import mxnet as mx  # of a server or scheduler: does not return
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import nets


def main():
    net, folder, steps = nets.find(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    arrays = np.load(os.path.join(folder, net.name + ".npz"))
    module = mx.mod.Module(mx.sym.load(os.path.join(folder, net.name + "-symbol.json")))
    module.bind([("data", net.data)], [("softmax_label", net.label)])
    module.init_params(arg_params={name[4:]: mx.nd.array(arrays[name]) for name in arrays.files if name.startswith("arg:")},
                       aux_params={name[4:]: mx.nd.array(arrays[name]) for name in arrays.files if name.startswith("aux:")})
    module.init_optimizer(kvstore=mx.kvstore.create("dist_sync"), optimizer=net.optimizer,
                          optimizer_params={"learning_rate": net.rate})
    batch = mx.io.DataBatch([mx.nd.array(arrays["data"])], [mx.nd.array(arrays["label"])])
    best = float("inf")
    for _ in range(steps):
        begun = time.monotonic()
        module.forward_backward(batch)
        module.update()
        mx.nd.waitall()
        best = min(best, time.monotonic() - begun)
    print(json.dumps({"rate": net.items / best}), flush=True)


if __name__ == "__main__":
    main()

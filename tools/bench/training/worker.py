"""One runtime that trains one net in a process of its own, for compare_training.

    python worker.py RUNTIME NET --files DIR --threads N [--cpu-time]

RUNTIME is symc (DIR/NET.so, a trainer of symc train -shared), mxnet, eager, compiled or
channels-last, the last three of PyTorch. The worker reads DIR/NET-symbol.json (MXNet) and
DIR/NET.npz (`data`, `label`, `arg:NAME`, `aux:NAME`), trains STEPS steps and prints a line of JSON: its
version, the loss before each of them, and the largest relative change of each parameter. Then it answers each line "MS" on its standard input with the milliseconds of the fastest
step of as many as fit into MS milliseconds, with --cpu-time those of the processor. A step ends when its loss and all parameters are there.
"""
import argparse
import ctypes
import json
import os
import sys
import time

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import nets

STEPS, PREFIX = 3, "net_"


def loss_of(chances, label):
    """The mean of -log of the chance of the label; in float64."""
    rows = chances.reshape(-1, chances.shape[-1]).astype(np.float64)
    return float(-np.log(np.maximum(rows[np.arange(len(rows)), label.reshape(-1).astype(int)], 1e-300)).mean())


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("rank", ctypes.c_int32), ("dtype", ctypes.c_int32),
                ("device", ctypes.c_int32), ("ordinal", ctypes.c_int32)]


class SymcTrainer:
    """A library of symc train, through its C functions."""

    def __init__(self, net, files, threads, arrays):
        os.environ["SYMC_THREADS"] = str(threads)
        self.library = ctypes.CDLL(os.path.join(os.path.abspath(files), net.name + ".so"))
        self.context, self.keep = ctypes.c_void_p(), []
        self.call("create", None, ctypes.byref(self.context))
        self.names = {name[4:]: value for name, value in arrays.items() if name.startswith("arg:")}
        for name, value in arrays.items():
            if name[:4] not in ("arg:", "aux:"):
                continue
            name, value = name[4:], np.ascontiguousarray(value)
            self.call("set_parameter", self.context, name.encode(), value.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(value.nbytes))
        self.label = arrays["label"]
        self.result = np.zeros((net.label[0], net.classes), np.float32)
        self.inputs = self.tensors([arrays["data"], arrays["label"]])
        self.outputs = self.tensors([self.result])

    def call(self, name, *arguments):
        prefix = PREFIX
        if getattr(self.library, prefix + name)(*arguments):
            error = getattr(self.library, prefix + "last_error")
            error.restype = ctypes.c_char_p
            raise RuntimeError("%s: %s" % (name, (error(self.context) or b"").decode()))

    def tensors(self, arrays):
        made = (Tensor * len(arrays))()
        for tensor, array in zip(made, arrays):
            shape = (ctypes.c_int64 * array.ndim)(*array.shape)
            self.keep += [array, shape]
            tensor.data, tensor.shape, tensor.rank, tensor.dtype = array.ctypes.data, shape, array.ndim, 0
        return made

    def step(self):
        self.call("train_step", self.context, self.inputs, 2, self.outputs, 1, None)

    def loss(self):
        return loss_of(self.result, self.label)

    def parameters(self):
        found = {}
        for name, value in self.names.items():
            found[name] = np.empty_like(value)
            self.call("get_parameter", self.context, name.encode(), found[name].ctypes.data_as(ctypes.c_void_p),
                      ctypes.c_size_t(value.nbytes))
        return found

    def version(self):
        return "this tree"


class MxnetTrainer:
    """MXNet's symbolic executor and its optimizer, as Module runs them."""

    def __init__(self, net, files, threads, arrays):
        import mxnet as mx
        self.mx = mx
        symbol = mx.sym.load(os.path.join(files, net.name + "-symbol.json"))
        self.executor = symbol.simple_bind(mx.cpu(), grad_req={name: "null" if name in ("data", "softmax_label") else "write"
                                                               for name in symbol.list_arguments()},
                                           data=net.data, softmax_label=net.label)
        for name, value in arrays.items():
            if name.startswith("arg:"):
                self.executor.arg_dict[name[4:]][:] = value
            elif name.startswith("aux:"):
                self.executor.aux_dict[name[4:]][:] = value
        self.executor.arg_dict["data"][:] = arrays["data"]
        self.executor.arg_dict["softmax_label"][:] = arrays["label"]
        self.label = arrays["label"]
        optimizer = mx.optimizer.create(net.optimizer, learning_rate=net.rate, rescale_grad=1.0 / net.data[0])
        self.updater = mx.optimizer.get_updater(optimizer)
        self.pairs = [(i, self.executor.grad_dict[name], self.executor.arg_dict[name])
                      for i, name in enumerate(symbol.list_arguments()) if self.executor.grad_dict.get(name) is not None]

    def step(self):
        self.executor.forward(is_train=True)
        self.executor.backward()
        for index, gradient, weight in self.pairs:
            self.updater(index, gradient, weight)
        self.mx.nd.waitall()

    def loss(self):
        return loss_of(self.executor.outputs[0].asnumpy(), self.label)

    def parameters(self):
        return {name: value.asnumpy() for name, value in self.executor.arg_dict.items() if name not in ("data", "softmax_label")}

    def version(self):
        return self.mx.__version__


class TorchTrainer:
    """PyTorch with its optimizer over all parameters at once, the loss summed over rows and divided as MXNet's."""

    def __init__(self, net, files, threads, arrays, way="eager"):
        import torch
        import torch_nets
        self.torch, self.net = torch, net
        torch.set_num_threads(threads)
        self.module = torch_nets.build(net, {name[4:]: value for name, value in arrays.items() if name.startswith("arg:")})
        self.data = torch.tensor(arrays["data"].astype(np.int64) if net.words else arrays["data"])
        if way == "channels-last":
            self.module = self.module.to(memory_format=torch.channels_last)
            self.data = self.data.to(memory_format=torch.channels_last)
        self.label = torch.tensor(arrays["label"].astype(np.int64))
        with torch.no_grad():
            self.module(self.data)  # makes the buffers of norms
        for buffer_name, buffer in self.module.named_buffers():
            buffer.fill_(1 if buffer_name.endswith("var") else 0)
        parameters = list(self.module.parameters())
        self.optimizer = (torch.optim.Adam(parameters, lr=net.rate) if net.optimizer == "adam"
                          else torch.optim.SGD(parameters, lr=net.rate))
        self.run = torch.compile(self.forward) if way == "compiled" else self.forward
        self.last = None

    def forward(self, data, label):
        scores = self.module(data)
        return self.torch.nn.functional.cross_entropy(scores, label, reduction="sum") / self.net.data[0]

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        self.last = self.run(self.data, self.label)
        self.last.backward()
        self.optimizer.step()

    def loss(self):
        return float(self.last) * self.net.data[0] / self.net.label[0]

    def parameters(self):
        return {name: value.detach().numpy().copy() for name, value in self.module.named_parameters()}

    def version(self):
        return self.torch.__version__


def make(runtime, *arguments):
    if runtime in ("eager", "compiled", "channels-last"):
        return TorchTrainer(*arguments, way=runtime)
    return {"symc": SymcTrainer, "mxnet": MxnetTrainer}[runtime](*arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runtime", choices=["symc", "mxnet", "eager", "compiled", "channels-last"])
    parser.add_argument("net", choices=[net.name for net in nets.NETS])
    parser.add_argument("--files", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cpu-time", action="store_true")
    options = parser.parse_args()
    clock = time.process_time if options.cpu_time else time.perf_counter
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a runtime prints is no answer
    net = nets.find(options.net)
    with np.load(os.path.join(options.files, net.name + ".npz")) as file:
        arrays = {name: file[name] for name in file.files}
    trainer = make(options.runtime, net, options.files, options.threads, arrays)
    before, losses = trainer.parameters(), []
    for _ in range(STEPS):
        trainer.step()
        losses.append(trainer.loss())
    changes = {name.split("values.")[-1]: float(np.abs(value - before[name]).max() / max(float(np.abs(before[name]).max()), 1e-30))
               for name, value in trainer.parameters().items()}
    print(json.dumps({"version": trainer.version(), "losses": losses, "changes": changes}), file=answers, flush=True)
    for line in sys.stdin:
        best, begin = float("inf"), time.perf_counter()
        while best == float("inf") or (time.perf_counter() - begin) * 1e3 < float(line):
            start = clock()
            trainer.step()
            best = min(best, clock() - start)
        print("%.6f" % (best * 1e3), file=answers, flush=True)


if __name__ == "__main__":
    main()

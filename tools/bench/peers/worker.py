"""One runtime with one model in a process of its own, for compare_peers.

    python worker.py RUNTIME MODEL --threads N --data IO.npz --outputs OUT.npz [--cpu-time]

RUNTIME is symc (MODEL: a shared library), openvino or onnxruntime (an ONNX
file), mxnet (PREFIX of PREFIX-symbol.json and PREFIX-0000.params). The worker
runs once on the inputs `in:NAME` of IO.npz, saves the outputs in order, prints a
line of JSON about itself, and then answers each line "RUNS" or "RUNS MS" on its
standard input with the milliseconds of the fastest of RUNS runs, or of as many
more as fit into MS milliseconds; with --cpu-time those of the processor.
"""
import argparse
import ctypes
import json
import os
import sys
import time

import numpy as np

DTYPES = {"float32": 0, "float64": 1, "float16": 2, "uint8": 3, "int32": 4, "int8": 5, "int64": 6}


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("rank", ctypes.c_int32), ("dtype", ctypes.c_int32),
                ("device", ctypes.c_int32), ("ordinal", ctypes.c_int32)]


class TensorInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("max_bytes", ctypes.c_int64), ("rank", ctypes.c_int32), ("dtype", ctypes.c_int32),
                ("flags", ctypes.c_uint32), ("reserved", ctypes.c_uint32)]


class ModelTable(ctypes.Structure):
    """The first fields of symc_model and, after the pointers, its counts (abi.h)."""
    _fields_ = [("magic", ctypes.c_uint32), ("abi_version", ctypes.c_uint32), ("name", ctypes.c_char_p),
                ("compiler", ctypes.c_char_p), ("triple", ctypes.c_char_p),
                ("inputs", ctypes.POINTER(TensorInfo)), ("outputs", ctypes.POINTER(TensorInfo)),
                ("parameters", ctypes.c_void_p), ("dims", ctypes.c_void_p), ("variants", ctypes.c_void_p),
                ("output_shapes", ctypes.c_void_p), ("prepare", ctypes.c_void_p), ("prepare_arena_bytes", ctypes.c_int64), ("weights", ctypes.c_void_p),
                ("weights_file", ctypes.c_char_p), ("weights_bytes", ctypes.c_uint64),
                ("weights_hash", ctypes.c_uint64), ("n_inputs", ctypes.c_int32), ("n_outputs", ctypes.c_int32)]


class SymcModel:
    """A library of symc -shared, through its C functions. SYMC_THREADS gives the threads."""
    OPTIONAL = 1

    def __init__(self, path, threads, feed):
        os.environ["SYMC_THREADS"] = str(threads)
        library = ctypes.CDLL(os.path.abspath(path))
        table = ctypes.POINTER(ModelTable).in_dll(library, "symc_main_model").contents
        prefix = table.name.decode()
        self.context = ctypes.c_void_p()
        status = getattr(library, prefix + "_create")(None, ctypes.byref(self.context))
        if status:
            raise RuntimeError("%s_create returned %d" % (prefix, status))
        self.run_once = getattr(library, prefix + "_run")
        self.last_error = getattr(library, prefix + "_last_error")
        self.last_error.restype = ctypes.c_char_p
        self.keep = []
        infos = [table.inputs[i] for i in range(table.n_inputs)]
        self.inputs = self.tensors([feed[info.name.decode()] for info in infos if not info.flags & self.OPTIONAL])
        infos = [table.outputs[i] for i in range(table.n_outputs)]
        self.results = [np.zeros([info.shape[d] for d in range(info.rank)], np.float32)
                        for info in infos]
        self.outputs = self.tensors(self.results)

    def tensors(self, arrays):
        made = (Tensor * len(arrays))()
        for tensor, array in zip(made, arrays):
            array = np.ascontiguousarray(array)
            shape = (ctypes.c_int64 * array.ndim)(*array.shape)
            self.keep += [array, shape]
            tensor.data, tensor.shape = array.ctypes.data, shape
            tensor.rank, tensor.dtype = array.ndim, DTYPES[array.dtype.name]
        return made

    def run(self):
        status = self.run_once(self.context, self.inputs, len(self.inputs), self.outputs, len(self.outputs))
        if status:
            raise RuntimeError(self.last_error(self.context).decode())

    def fetch(self):
        return self.results

    def about(self):
        return {"version": "this tree"}


class OpenVinoModel:
    def __init__(self, path, threads, feed):
        import openvino
        core = openvino.Core()
        self.settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1,
                         "INFERENCE_PRECISION_HINT": "f32"}
        model = core.read_model(path)
        model.reshape({name: value.shape for name, value in feed.items()})
        self.profiled = bool(os.environ.get("PEERS_PROFILE"))
        if self.profiled:
            self.settings["PERF_COUNT"] = True
        self.compiled = core.compile_model(model, "CPU", self.settings)
        self.request = self.compiled.create_infer_request()
        for name, value in feed.items():
            self.request.set_tensor(name, openvino.Tensor(np.ascontiguousarray(value)))
        self.version = openvino.__version__

    def run(self):
        self.request.infer()

    def fetch(self):
        return [np.array(self.request.get_output_tensor(i).data) for i in range(len(self.compiled.outputs))]

    def about(self):
        settings = {key: str(value) for key, value in self.settings.items()}
        answer = {"version": self.version, "settings": settings}
        if self.profiled:
            kinds = {}
            for node in self.request.get_profiling_info():
                if node.real_time.total_seconds() > 0:
                    kinds[node.exec_type] = kinds.get(node.exec_type, 0.0) + node.real_time.total_seconds() * 1e3
            answer["kernels"] = kinds
        return answer


class OnnxRuntimeModel:
    def __init__(self, path, threads, feed):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        self.settings = {"intra_op_num_threads": str(threads), "inter_op_num_threads": "1"}
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.feed, self.version = {name: np.ascontiguousarray(value) for name, value in feed.items()}, onnxruntime.__version__

    def run(self):
        self.results = self.session.run(None, self.feed)

    def fetch(self):
        return self.results

    def about(self):
        return {"version": self.version, "settings": self.settings}


class MxnetModel:
    """MXNet's symbolic executor: forward and the copy of all outputs."""

    def __init__(self, prefix, threads, feed):
        import mxnet as mx
        symbol, self.version = mx.sym.load(prefix + "-symbol.json"), mx.__version__
        values = mx.nd.load(prefix + "-0000.params")
        shapes = {name: value.shape for name, value in feed.items()}
        self.executor = symbol.simple_bind(mx.cpu(), grad_req="null", **shapes)
        of = {kind: {k[4:]: v for k, v in values.items() if k.startswith(kind)} for kind in ("arg:", "aux:")}
        self.executor.copy_params_from(of["arg:"], of["aux:"], allow_extra_params=True)
        self.feed = {name: mx.nd.array(value) for name, value in feed.items()}

    def run(self):
        self.executor.forward(is_train=False, **self.feed)
        for output in self.executor.outputs:
            output.wait_to_read()

    def fetch(self):
        return [output.asnumpy() for output in self.executor.outputs]

    def about(self):
        return {"version": self.version, "settings": {}}


RUNTIMES = {"symc": SymcModel, "openvino": OpenVinoModel, "onnxruntime": OnnxRuntimeModel, "mxnet": MxnetModel}


def fastest(model, runs, milliseconds, clock):
    """The least time of `runs` runs, and of more until the time is used up."""
    best, begin, done = float("inf"), clock(), 0
    while done < runs or (clock() - begin) * 1e3 < milliseconds:
        start = clock()
        model.run()
        best = min(best, clock() - start)
        done += 1
    return best * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runtime", choices=sorted(RUNTIMES))
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--data", required=True)
    parser.add_argument("--outputs", default="")
    parser.add_argument("--cpu-time", action="store_true")
    options = parser.parse_args()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a runtime prints is no answer
    with np.load(options.data) as io:
        feed = {name[3:]: io[name] for name in io.files if name.startswith("in:")}
    model = RUNTIMES[options.runtime](options.model, options.threads, feed)
    model.run()
    if options.outputs:
        np.savez(options.outputs, *[np.asarray(value) for value in model.fetch()])
    print(json.dumps(model.about()), file=answers, flush=True)
    for line in sys.stdin:
        words = line.split()
        print("%.6f" % fastest(model, int(words[0]), float(words[1]) if len(words) > 1 else 0.0,
                                 time.process_time if options.cpu_time else time.perf_counter),
              file=answers, flush=True)


if __name__ == "__main__":
    main()

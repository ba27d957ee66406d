"""One runtime with one model in a process of its own, for compare_peers.

    python worker.py RUNTIME MODEL --threads N --data IO.npz --outputs OUT.npz [--cpu-time] [--copy-outputs]

RUNTIME is symc (MODEL: a shared library), openvino, openvino-own or onnxruntime (an
ONNX file), mxnet (PREFIX of PREFIX-symbol.json and PREFIX-0000.params). openvino computes
in float32; openvino-own in the precision that it chooses itself. The worker
runs once on the inputs `in:NAME` of IO.npz, saves the outputs in order, prints a
line of JSON about itself, and then answers each line "RUNS" or "RUNS MS" on its
standard input with the milliseconds of the fastest of RUNS runs, or of as many
more as fit into MS milliseconds; with --cpu-time those of the processor.

A run begins with inputs in the runtime's hands and ends where the outputs can be read,
for all runtimes alike; with --copy-outputs it also copies them into arrays of the caller.
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
        infos, names = [table.outputs[i] for i in range(table.n_outputs)], {code: name for name, code in DTYPES.items()}
        self.set_states(prefix, library, feed)
        extents = (ctypes.c_int64 * (sum(info.rank for info in infos) + 1))()
        self.check(getattr(library, prefix + "_infer_outputs")(self.context, self.inputs, len(self.inputs), extents, len(extents)))
        at, self.results = iter(extents), []
        for info in infos:
            self.results.append(np.zeros([next(at) for _ in range(info.rank)], names[info.dtype]))
        self.outputs = self.tensors(self.results)

    def check(self, status):
        if status:
            raise RuntimeError(self.last_error(self.context).decode())

    def set_states(self, prefix, library, feed):
        """Of inputs that the model keeps (--grow), of [N, heads, rows, width]. A run takes back what the last one appended."""
        self.rows, self.truncate = None, getattr(library, prefix + "_truncate_state")
        extents = (ctypes.c_int64 * 8)()
        for name, tensor in zip(feed, self.tensors(list(feed.values()))):
            if not getattr(library, prefix + "_state_extents")(self.context, name.encode(), extents, len(extents)):
                self.check(getattr(library, prefix + "_set_state")(self.context, name.encode(), ctypes.byref(tensor)))
                self.rows = feed[name].shape[2]

    def tensors(self, arrays):
        made = (Tensor * len(arrays))()
        for tensor, array in zip(made, arrays):
            array = np.asarray(array, order="C")
            shape = (ctypes.c_int64 * array.ndim)(*array.shape)
            self.keep += [array, shape]
            tensor.data, tensor.shape = array.ctypes.data, shape
            tensor.rank, tensor.dtype = array.ndim, DTYPES[array.dtype.name]
        return made

    def run(self):
        if self.rows is not None:
            self.check(self.truncate(self.context, None, ctypes.c_int64(self.rows)))
        self.check(self.run_once(self.context, self.inputs, len(self.inputs), self.outputs, len(self.outputs)))

    def fetch(self):
        return self.results

    def about(self):
        return {"version": "this tree"}


class OpenVinoModel:
    PRECISION = {"INFERENCE_PRECISION_HINT": "f32"}

    def __init__(self, path, threads, feed):
        import openvino
        self.openvino, self.path, self.feed = openvino, path, feed
        self.settings = dict({"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1},
                             **self.PRECISION)
        self.compiled, self.request = self.load(self.settings)

    def load(self, settings):
        core = self.openvino.Core()
        model = core.read_model(self.path)
        model.reshape({name: value.shape for name, value in self.feed.items()})
        compiled = core.compile_model(model, "CPU", settings)
        request = compiled.create_infer_request()
        for name, value in self.feed.items():
            request.set_tensor(name, self.openvino.Tensor(np.asarray(value, order="C")))
        return compiled, request

    def run(self):
        self.request.infer(share_outputs=True)  # views of its outputs, where the default copies

    def fetch(self):
        return [self.request.get_output_tensor(i).data for i in range(len(self.compiled.outputs))]

    def kernels(self):
        """Milliseconds of each kind of kernel, by a copy of the model that counts them: the
        one that is timed does not."""
        request = self.load(dict(self.settings, PERF_COUNT=True))[1]
        request.infer(share_outputs=True)
        kinds = {}
        for node in request.get_profiling_info():
            if node.real_time.total_seconds() > 0:
                kinds[node.exec_type] = kinds.get(node.exec_type, 0.0) + node.real_time.total_seconds() * 1e3
        return kinds

    def about(self):
        answer = {"version": self.openvino.__version__,
                  "settings": {key: str(value) for key, value in self.settings.items()},
                  "precision": self.compiled.get_property("INFERENCE_PRECISION_HINT").to_string()}
        if os.environ.get("PEERS_PROFILE"):
            answer["kernels"] = self.kernels()
        return answer


class OpenVinoOwnModel(OpenVinoModel):
    """OpenVINO as it comes: bfloat16 where the processor multiplies it."""
    PRECISION = {}


class OnnxRuntimeModel:
    def __init__(self, path, threads, feed):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        self.settings = {"intra_op_num_threads": str(threads), "inter_op_num_threads": "1"}
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.version, self.binding = onnxruntime.__version__, self.session.io_binding()
        self.keep = {name: np.asarray(value, order="C") for name, value in feed.items()}
        for name, value in self.keep.items():
            self.binding.bind_cpu_input(name, value)
        for output in self.session.get_outputs():
            self.binding.bind_output(output.name)
        self.session.run_with_iobinding(self.binding)
        self.results = []  # of known sizes from here on: it writes to arrays, as symc does
        outputs = list(zip(self.session.get_outputs(), self.binding.copy_outputs_to_cpu()))
        # It refuses arrays, its own too, for outputs whose declared shape is not what it computes.
        self.is_bound = all(len(output.shape) == value.ndim for output, value in outputs)
        for output, value in outputs if self.is_bound else []:
            self.results.append(np.empty_like(value))
            self.binding.bind_output(output.name, "cpu", 0, value.dtype, value.shape, self.results[-1].ctypes.data)

    def run(self):
        if self.is_bound:
            self.session.run_with_iobinding(self.binding)
        else:
            self.results = self.session.run(None, self.keep)

    def fetch(self):
        return self.results

    def about(self):
        return {"version": self.version, "settings": self.settings}


class MxnetModel:
    """MXNet's symbolic executor: forward, until all outputs are there."""

    def __init__(self, prefix, threads, feed):
        import mxnet as mx
        symbol, self.version = mx.sym.load(prefix + "-symbol.json"), mx.__version__
        values = mx.nd.load(prefix + "-0000.params")
        shapes = {name: value.shape for name, value in feed.items()}
        self.executor = symbol.simple_bind(mx.cpu(), grad_req="null", **shapes)
        of = {kind: {k[4:]: v for k, v in values.items() if k.startswith(kind)} for kind in ("arg:", "aux:")}
        self.executor.copy_params_from(of["arg:"], of["aux:"], allow_extra_params=True)
        for name, value in feed.items():
            self.executor.arg_dict[name][:] = value

    def run(self):
        self.executor.forward(is_train=False)
        for output in self.executor.outputs:
            output.wait_to_read()

    def fetch(self):
        return [output.asnumpy() for output in self.executor.outputs]

    def about(self):
        return {"version": self.version, "settings": {}}


RUNTIMES = {"symc": SymcModel, "openvino": OpenVinoModel, "openvino-own": OpenVinoOwnModel,
            "onnxruntime": OnnxRuntimeModel, "mxnet": MxnetModel}


def copying(model, arrays):
    """A run of the model that copies its outputs into arrays of the caller."""
    def run():
        model.run()
        for array, value in zip(arrays, model.fetch()):
            np.copyto(array, value)
    return run


def fastest(run, runs, milliseconds, clock):
    """The least time of `runs` runs, and of more until the time is used up."""
    best, begin, done = float("inf"), clock(), 0
    while done < runs or (clock() - begin) * 1e3 < milliseconds:
        start = clock()
        run()
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
    parser.add_argument("--copy-outputs", action="store_true")
    options = parser.parse_args()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a runtime prints is no answer
    with np.load(options.data) as io:
        feed = {name[3:]: io[name] for name in io.files if name.startswith("in:")}
    model = RUNTIMES[options.runtime](options.model, options.threads, feed)
    model.run()
    results = [np.array(value) for value in model.fetch()]
    if options.outputs:
        np.savez(options.outputs, *results)
    run = copying(model, results) if options.copy_outputs else model.run
    print(json.dumps(model.about()), file=answers, flush=True)
    for line in sys.stdin:
        words = line.split()
        print("%.6f" % fastest(run, int(words[0]), float(words[1]) if len(words) > 1 else 0.0,
                                 time.process_time if options.cpu_time else time.perf_counter),
              file=answers, flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What --precision does to the answers of nets, and their errors beside float64 and OpenVINO's.

    precision_answers.py --bin BIN --work DIR [--rows NAMES] [--count 1000] [--exact 3]

DIR is compare_peers' --work after --prepare: NAME-symbol.json, NAME-0000.params, NAME-io.npz and NAME.onnx.
For each net and COUNT drawn inputs (standard normal, or those of --inputs) it counts those whose largest output lies further
above the next than the bound, which is --report's estimate of the roundings of the longest path,
times the largest magnitude of the outputs, for each of the two; how many of them have
another largest output than float32 (to be 0); and the same of all others. For the first EXACT
inputs it prints the largest error over the largest output, beside MXNet in float64 (--mxnet-python; in float32,
which is 1e-6 off, where a node has no other type, as those of attention), of symc and of OpenVINO at its defaults. Exit status 0: no answer differs, and no error is above 1.1 of OpenVINO's.

Runs in a Python with numpy and openvino (compare_peers' DIR/environments/peers).
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "lib"))
sys.path.append(os.path.join(HERE, "..", "..", "bench", "peers"))
import needs

needs.modules("numpy")
import numpy as np

ROWS = "resnet50,resnet18,vgg16,inceptionv3,densenet121,mobilenetv2,squeezenet1.0,mobilenet1.0"
ALLOWED = 1.1  # times OpenVINO's error
ONLY_FLOAT32 = "_contrib_interleaved_matmul"  # MXNet's operators of that name


def run_float64(prefix, inputs, outputs):
    """MXNet in float64 on each array of the file `inputs`; runs in MXNet's environment."""
    import mxnet as mx
    symbol, values = mx.sym.load(prefix + "-symbol.json"), mx.nd.load(prefix + "-0000.params")
    nodes = json.loads(symbol.tojson())["nodes"]
    exact = "float32" if any(node["op"].startswith(ONLY_FLOAT32) for node in nodes) else "float64"
    feed, results = np.load(inputs), []
    (name,) = set(symbol.list_arguments() + symbol.list_auxiliary_states()) - {key[4:] for key in values}
    wide = {key[4:]: value.astype(exact) for key, value in values.items()}
    for key in sorted(feed.files):
        arguments = {n: wide[n] for n in symbol.list_arguments() if n != name}
        arguments[name] = mx.nd.array(feed[key], dtype=exact)
        states = {n: wide[n] for n in symbol.list_auxiliary_states()}
        executor = symbol.bind(mx.cpu(), arguments, aux_states=states, grad_req="null")
        results.append(executor.forward(is_train=False)[0].asnumpy())
        assert results[-1].dtype == np.dtype(exact)
    np.savez(outputs, *results)


def compiled(options, prefix, shape, precision, folder):
    """A library and what --report estimates of its roundings."""
    library = os.path.join(folder, "lib%s.so" % precision)
    command = [os.path.join(options.bin, "symc"), prefix + "-symbol.json", prefix + "-0000.params", "--shape",
               "%s=%s" % (shape[0], ",".join(map(str, shape[1]))), "--precision", precision, "-shared", "-o", library]
    command += ["--target-cpu", options.target_cpu] if options.target_cpu else []
    text = subprocess.run(command + ["--report"], check=True, stdout=subprocess.PIPE, text=True).stdout
    estimate = re.search(r"error beside float32 estimated at (\S+)", text)
    return library, float(estimate.group(1)) if estimate else 0


class Runs:
    """A runtime that worker.py loads, on one input after the other."""

    def __init__(self, kind, path, name, shape, threads):
        self.feed = {name: np.zeros(shape, np.float32)}
        self.model, self.name = kind(path, threads, self.feed), name

    def __call__(self, value):
        if hasattr(self.model, "request"):
            self.model.request.get_tensor(self.name).data[:] = value
        else:
            np.copyto(self.feed[self.name], value)
        self.model.run()
        return np.array(self.model.fetch()[0])


def measure(options, row):
    import worker
    prefix = os.path.join(options.work, row)
    with np.load(prefix + "-io.npz") as file:
        (name,) = [key[3:] for key in file.files if key.startswith("in:")]
        shape = file["in:" + name].shape
    rng = np.random.default_rng(options.seed)
    given = np.load(options.inputs) if options.inputs else None
    result = {"clear": 0, "clear_differ": 0, "close": 0, "close_differ": 0}
    with tempfile.TemporaryDirectory() as folder:
        exact, _ = compiled(options, prefix, (name, shape), "f32", folder)
        narrow, estimate = compiled(options, prefix, (name, shape), options.precision, folder)
        libraries = [Runs(worker.SymcModel, path, name, shape, options.threads) for path in (exact, narrow)]
        kept, outputs = [], []
        for number in range(max(options.count, options.exact)):
            value = given[number].reshape(shape) if options.inputs else rng.standard_normal(shape)
            value = value.astype(np.float32)
            wanted, found = [run(value) for run in libraries]
            if number < options.exact:
                kept.append(value)
                outputs.append(found)
            if number >= options.count or wanted.ndim != 2:
                continue
            for one, other in zip(wanted, found):
                second, first = np.sort(one)[-2:]
                kind = "clear" if first - second > 2 * estimate * np.abs(one).max() else "close"
                result[kind] += 1
                result[kind + "_differ"] += int(one.argmax() != other.argmax())
        if not kept:
            return result
        inputs, expected = os.path.join(folder, "inputs.npz"), os.path.join(folder, "expected.npz")
        np.savez(inputs, **{"%03d" % i: value for i, value in enumerate(kept)})
        subprocess.run([options.mxnet_python, os.path.abspath(__file__), "--float64", prefix, inputs, expected],
                       check=True, stderr=subprocess.DEVNULL)
        peer = Runs(worker.OpenVinoOwnModel, prefix + ".onnx", name, shape, options.threads)
        result.update(estimate=estimate, own=0, peer=0, peer_precision=peer.model.about()["precision"])
        with np.load(expected) as file:
            for key, value, found in zip(file.files, kept, outputs):
                wanted = file[key]
                for which, array in (("own", found), ("peer", peer(value))):
                    error = np.abs(array.reshape(wanted.shape) - wanted).max() / np.abs(wanted).max()
                    result[which] = max(result[which], float(error))
    return result


def main():
    if sys.argv[1:2] == ["--float64"]:
        return run_float64(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the build's folder of programs")
    parser.add_argument("--work", required=True, help="compare_peers' folder")
    parser.add_argument("--mxnet-python", help="default: that of WORK/environments")
    parser.add_argument("--rows", default=ROWS, help="nets, by commas")
    parser.add_argument("--precision", default="bf16", choices=["bf16", "f16"])
    parser.add_argument("--target-cpu", default="", help="symc's")
    parser.add_argument("--count", type=int, default=1000, help="inputs whose answers are compared")
    parser.add_argument("--exact", type=int, default=3, help="inputs that are computed in float64")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--inputs", help=".npy of COUNT inputs, in place of drawn ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.mxnet_python = options.mxnet_python or os.path.join(options.work, "environments", "mxnet", "bin", "python")
    if options.one:
        print(json.dumps(measure(options, options.one)))
        return 0
    failed = False
    for row in options.rows.split(","):
        # A process each, which gives its memory back.
        run = subprocess.run([sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--one", row], check=True,
                             stdout=subprocess.PIPE, text=True)
        result = json.loads(run.stdout.splitlines()[-1])
        line = "%s: %d of %d clear answers differ, %d of %d close ones" % (
            row, result["clear_differ"], result["clear"], result["close_differ"], result["close"])
        bad = result["clear_differ"] > 0
        if "own" in result:
            line += "; estimated %.1e, errors beside float64 %.1e, OpenVINO's (%s) %.1e" % (
                result["estimate"], result["own"], result["peer_precision"], result["peer"])
            bad |= result["own"] > ALLOWED * result["peer"]
        failed |= bad
        print(line + (" FAILED" if bad else ""), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

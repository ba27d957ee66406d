#!/usr/bin/env python3
"""Errors of whole nets beside float64: MXNet's own in float32, and symc's by --math.

In the environment of make-oracle-env: nets of the Gluon zoo with weights as training
leaves them (batch norms and filters of many scales; export_nets.py), and the trained
digits of examples/. The reference is MXNet in float64 on the same weights and inputs; an
input's error is the largest of each output tensor over the tensor's largest value, the
worst tensor's; a row is the median over inputs. --keep FILE stores the digits' inputs,
references and MXNet's error; --kept FILE compares symc with them, without MXNet.

Exit status 0: by default symc errs in no net more than twice as much as MXNet.
"""
import argparse
import json
import os
import statistics
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import needs

needs.modules("numpy")
import numpy as np

import export_nets
from compiled_model import Symc

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
DIGITS = os.path.join(TOP, "examples", "digits")
NETS = ["resnet18_v1", "resnet50_v1", "mobilenet_v2_1_0", "squeezenet1_0", "vgg16", "densenet121", "inceptionv3"]
MODES = ["default", "strict", "fast"]
MOST = 2.0  # of MXNet's own error


def error(found, wanted):
    """Of the worst tensor."""
    return max(float(np.abs(found[name].astype(float) - value).max() / np.abs(value).max())
               for name, value in wanted.items())


class Net:
    """Symbol and weights in files, inputs; what MXNet computes of them."""

    def __init__(self, name, files, inputs):
        self.name, self.files, self.inputs = name, files, inputs
        self.references, self.mxnet = [], 0.0

    def ask_mxnet(self):
        import mxnet as mx
        with open(self.files[0]) as file:
            graph = json.load(file)
        for node in graph["nodes"]:  # the file's types of weights would bind float64 to float32
            for key in ("__dtype__", "dtype"):
                if node["op"] == "null":
                    node.get("attrs", {}).pop(key, None)
        symbol = mx.sym.load_json(json.dumps(graph))
        weights = mx.nd.load(self.files[1])

        def outputs(dtype):
            values = {"arg": {}, "aux": {}}
            for name, value in weights.items():
                values[name[:3]][name[4:]] = value.astype(dtype)
            values["arg"]["data"] = mx.nd.array(self.inputs[0], dtype=dtype)
            if "softmax_label" in symbol.list_arguments():
                values["arg"]["softmax_label"] = mx.nd.zeros((1,), dtype=dtype)
            executor = symbol.bind(mx.cpu(), values["arg"], aux_states=values["aux"], grad_req="null")
            for data in self.inputs:
                found = executor.forward(is_train=False, data=mx.nd.array(data, dtype=dtype))
                assert all(value.dtype == np.dtype(dtype) for value in found)
                yield {name: value.asnumpy() for name, value in zip(symbol.list_outputs(), found)}

        self.references = list(outputs("float64"))
        self.mxnet = statistics.median(map(error, outputs("float32"), self.references))

    def symc(self, symc, mode, flags):
        program, result = symc.compile(self.files, {"data": self.inputs[0].shape}, self.name + "-" + mode,
                                       "--math", mode, *flags)
        if result.status:
            sys.exit("compare_accuracy: %s: %s" % (self.name, result.output))
        errors = []
        for data, wanted in zip(self.inputs, self.references):
            outputs, result = symc.run(program, {"data": data})
            if result.status:
                sys.exit("compare_accuracy: %s: %s" % (self.name, result.output))
            errors.append(error(outputs, wanted))
        os.remove(program)
        return statistics.median(errors)


def zoo_net(name, work, count, seed):
    needs.modules("mxnet")
    import mxnet as mx
    zoo_name, side = export_nets.NETS[name]
    rng = np.random.default_rng([seed, sum(map(ord, name))])
    mx.random.seed(seed)
    net = mx.gluon.model_zoo.vision.get_model(zoo_name, prefix=name + "_")
    net.initialize()
    net(mx.nd.zeros((1, 3, side, side)))
    export_nets.draw_weights(net, rng, side, trained=True)
    net.hybridize()
    outputs = np.concatenate([net(mx.nd.array(export_nets.draw_picture(rng, side))).asnumpy() for _ in range(2)])
    if not np.isfinite(outputs).all() or outputs.std(1).min() < 0.02:
        sys.exit("compare_accuracy: %s: the logits do not vary: %s" % (name, outputs.std(1)))
    prefix = os.path.join(work, name)
    net.export(prefix)
    return Net(name, [prefix + "-symbol.json", prefix + "-0000.params"],
               [export_nets.draw_picture(rng, side) for _ in range(count)])


def with_logits(work):
    """The digits' symbol whose outputs are what goes into softmax, too."""
    with open(os.path.join(DIGITS, "digits-symbol.json")) as file:
        graph = json.load(file)
    logits = next(i for i, node in enumerate(graph["nodes"]) if node["name"] == "fc2")
    graph["heads"].append([logits, 0, 0])
    path = os.path.join(work, "digits-symbol.json")
    with open(path, "w") as file:
        json.dump(graph, file)
    return [path, os.path.join(DIGITS, "digits-0010.params")]


def drawn_digits(count):
    sys.path.insert(0, DIGITS)
    import draw_digits
    rng = np.random.default_rng(4)
    ink = np.stack([draw_digits.draw(number % 10, rng) for number in range(count)])
    return np.round(ink * 255).astype(np.uint8)


def pictures(greys):
    return [(grey.astype(np.float32) / 255)[None, None] for grey in greys]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the build's folder of programs")
    parser.add_argument("--net", action="append", choices=NETS + ["digits"], help="this one only (repeatable)")
    parser.add_argument("--inputs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target-cpu", default="x86-64-v3")
    parser.add_argument("--keep", help="where to store the digits' references")
    parser.add_argument("--kept", help="references to compare the digits with")
    options = parser.parse_args()
    beyond = []
    with tempfile.TemporaryDirectory() as work:
        symc = Symc(options.bin, work)
        print("%-18s %8s  %8s %8s %8s  %s" % ("net", "MXNet", *MODES, "default / MXNet"), flush=True)
        for name in options.net or (["digits"] if options.kept else NETS + ["digits"]):
            if name == "digits":
                kept = np.load(options.kept) if options.kept else None
                greys = kept["greys"] if kept else drawn_digits(options.inputs)
                net = Net(name, with_logits(work), pictures(greys))
            else:
                net = zoo_net(name, work, options.inputs, options.seed)
            if options.kept:
                names = [key for key in kept.files if key.endswith("_output")]
                net.references = [{key: kept[key][i] for key in names} for i in range(len(greys))]
                net.mxnet = float(kept["mxnet"])
            else:
                net.ask_mxnet()
            if options.keep and name == "digits":
                np.savez_compressed(options.keep, greys=greys, mxnet=net.mxnet, **{
                    key: np.stack([one[key] for one in net.references]) for key in net.references[0]})
            errors = {mode: net.symc(symc, mode, ["--target-cpu", options.target_cpu]) for mode in MODES}
            ratio = errors["default"] / net.mxnet
            if not ratio <= MOST:
                beyond.append(name)
            print("%-18s %8.2g  %8.2g %8.2g %8.2g  %.2f%s" % (
                name, net.mxnet, *(errors[mode] for mode in MODES), ratio, "" if ratio <= MOST else "  BEYOND"),
                flush=True)
    print("medians of %d inputs; beyond %.1f times MXNet's error: %s" % (
        len(net.inputs), MOST, ", ".join(beyond) or "none"))
    sys.exit(1 if beyond else 0)


if __name__ == "__main__":
    main()

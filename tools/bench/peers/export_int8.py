"""Makes the int8 rows of compare_peers from a symbol that MXNet quantised.

    python export_int8.py SYMBOL OUT --shape 1,3,224,224

draws parameters that fill the symbol's calibration ranges and writes OUT-symbol.json (a
link), OUT-0000.params, OUT-io.npz (in:data, out:0 of MXNet) and OUT.onnx: the same graph
with QuantizeLinear and DequantizeLinear around float operators, MXNet's ranges as scales.
Runs in MXNet's environment. Takes the operators of a residual net: quantize_v2,
_sg_mkldnn_conv, quantized_pooling, dequantize, FullyConnected and reshapes to rows.
"""
import argparse
import ast
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "lib"))
import needs

needs.modules("mxnet", "onnx")
import numpy as np

from export import draw, link

REACH = {"uint8": 255.5, "int8": 127.5}  # the integer that stands for the end of a range


def attributes_of(node):
    return node.get("attrs") or node.get("param") or {}


def pair(text):
    return tuple(ast.literal_eval(text))


class Layer:
    """What a fused convolution is made of."""

    def __init__(self, node):
        inner = [n for graph in node["subgraphs"] for n in graph["nodes"] if n["op"] != "null"]
        self.conv = next(attributes_of(n) for n in inner if n["op"] == "Convolution")
        self.eps = float(next(attributes_of(n) for n in inner if n["op"] == "BatchNorm").get("eps", 1e-3))
        flags = attributes_of(node)
        on = lambda name: flags.get(name) in ("true", "True", "1")
        self.sum, self.relu = on("with_sum"), on("with_relu") or on("with_act")
        self.last_relu = on("with_postsum_relu") or on("with_postsum_act")
        self.reach = max(abs(float(flags["min_calib_range"])), abs(float(flags["max_calib_range"])))
        self.type = "uint8" if (self.last_relu if self.sum else self.relu) else "int8"
        self.filters, self.bias = int(self.conv["num_filter"]), self.conv.get("no_bias") not in ("True", "1")


class Maker:
    """Walks the symbol; keeps for each value its name in ONNX, its scale and its size."""

    def __init__(self, graph, shape, rng):
        self.nodes, self.rng, self.params = graph["nodes"], rng, {}
        self.made, self.arrays, self.values, self.shape = [], [], {}, shape

    def constant(self, name, array):
        from onnx import numpy_helper
        self.arrays.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def add(self, op, inputs, output, **attributes):
        from onnx import helper
        self.made.append(helper.make_node(op, inputs, [output], name=output, **attributes))
        return output

    def scale(self, name, reach, kind):
        return [self.constant(name + "_scale", np.float32(reach / REACH[kind])),
                self.constant(name + "_zero", np.array(0, kind))]

    def quantised(self, name, real, reach, kind, spread, channels):
        ends = self.scale(name, reach, kind)
        self.values[name] = dict(integer=self.add("QuantizeLinear", [real] + ends, name + "_q"), ends=ends, reach=reach,
                                 kind=kind, spread=spread, channels=channels)

    def real(self, value, name):
        return self.add("DequantizeLinear", [value["integer"]] + value["ends"], name)

    def convolution(self, name, names, layer):
        data, names = self.values[names[0]], names[1:]
        kernel = pair(layer.conv["kernel"])
        fan = data["channels"] * int(np.prod(kernel))
        weight = self.rng.standard_normal((layer.filters, data["channels"]) + kernel).astype(np.float32) / np.float32(np.sqrt(fan))
        other = self.values[names[5 + layer.bias]] if layer.sum else None
        spread = max(layer.reach / 4, 1e-3)
        own = max(np.sqrt(max(spread ** 2 - (other["spread"] ** 2 if other else 0), 0)), spread / 4)
        vectors = [self.rng.uniform(0.8, 1.2, layer.filters) * own, self.rng.standard_normal(layer.filters) * own / 8,
                   np.zeros(layer.filters), np.full(layer.filters, max(data["spread"], 1e-3) ** 2)]
        gamma, beta, mean, var = (vector.astype(np.float32) for vector in vectors)
        bias = np.zeros(layer.filters, np.float32)
        arrays = [weight] + ([bias] if layer.bias else []) + [gamma, beta, mean, var]
        self.params.update(zip(names, arrays))
        factor = gamma / np.sqrt(var + layer.eps)
        folded = weight * factor[:, None, None, None]
        scales = (np.abs(folded).reshape(layer.filters, -1).max(1) / np.float32(127.5)).astype(np.float32)
        integers = np.clip(np.rint(folded / scales[:, None, None, None]), -127, 127).astype(np.int8)
        sums = (scales * np.float32(data["reach"] / REACH[data["kind"]])).astype(np.float32)
        zeros = np.zeros(layer.filters)
        weights = self.add("DequantizeLinear", [self.constant(name + "_w", integers), self.constant(name + "_ws", scales),
                                                self.constant(name + "_wz", zeros.astype(np.int8))], name + "_weight", axis=0)
        offset = np.rint((beta - mean * factor) / sums).astype(np.int32)
        biases = self.add("DequantizeLinear", [self.constant(name + "_b", offset), self.constant(name + "_bs", sums),
                                               self.constant(name + "_bz", zeros.astype(np.int32))], name + "_bias", axis=0)
        real = self.add("Conv", [self.real(data, name + "_x"), weights, biases], name + "_conv", kernel_shape=kernel,
                        strides=pair(layer.conv.get("stride", "(1, 1)")), pads=pair(layer.conv.get("pad", "(0, 0)")) * 2)
        if layer.relu:
            real = self.add("Relu", [real], name + "_relu")
        if other:
            real = self.add("Add", [real, self.real(other, name + "_other")], name + "_add")
        if layer.last_relu:
            real = self.add("Relu", [real], name + "_last")
        positive = layer.type == "uint8"
        self.quantised(name, real, layer.reach, layer.type, spread * (np.sqrt(0.5) if positive else 1), layer.filters)

    def pooling(self, name, source, attributes):
        data = self.values[source]
        real, whole = self.real(data, name + "_x"), attributes.get("global_pool") in ("True", "1")
        kind = attributes["pool_type"]
        if whole:
            real = self.add("GlobalAveragePool" if kind == "avg" else "GlobalMaxPool", [real], name + "_pool")
        else:
            real = self.add("MaxPool" if kind == "max" else "AveragePool", [real], name + "_pool",
                            kernel_shape=pair(attributes["kernel"]), strides=pair(attributes.get("stride", "(1, 1)")),
                            pads=pair(attributes.get("pad", "(0, 0)")) * 2)
        self.values[name] = dict(data, integer=self.add("QuantizeLinear", [real] + data["ends"], name + "_q"))

    def run(self, data):
        nodes = self.nodes
        for node in nodes:
            names, name, op = [nodes[entry[0]]["name"] for entry in node["inputs"]], node["name"], node["op"]
            attributes = attributes_of(node)
            if op == "_contrib_quantize_v2":
                reach = float(np.abs(data).max())
                self.quantised(name, "data", reach, "int8", float(data.std()), self.shape[1])
            elif op == "_sg_mkldnn_conv":
                self.convolution(name, names, Layer(node))
            elif op == "_contrib_quantized_pooling":
                self.pooling(name, names[0], attributes)
            elif op == "_contrib_dequantize":
                self.values[name] = dict(self.values[names[0]], real=self.real(self.values[names[0]], name))
            elif op == "FullyConnected":
                source = self.values[names[0]]
                weight = self.rng.standard_normal((int(attributes["num_hidden"]), source["channels"])).astype(np.float32) / 50
                bias = np.zeros(len(weight), np.float32)
                self.params.update({names[1]: weight, names[2]: bias})
                rows = self.add("Flatten", [source["real"]], name + "_rows", axis=1)
                self.result = self.add("Gemm", [rows, self.constant(name + "_w", weight), self.constant(name + "_b", bias)], name,
                                       transB=1)
                self.outputs = len(weight)
            elif op != "null":
                raise SystemExit("no ONNX form for operator %s, node %s" % (op, name))

    def save(self, path):
        import onnx
        from onnx import TensorProto, helper
        graph = helper.make_graph(self.made, "int8", [helper.make_tensor_value_info("data", TensorProto.FLOAT, self.shape)],
                                  [helper.make_tensor_value_info(self.result, TensorProto.FLOAT, (self.shape[0], self.outputs))],
                                  self.arrays)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        model.ir_version = 8
        onnx.checker.check_model(model)
        onnx.save(model, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("symbol")
    parser.add_argument("out")
    parser.add_argument("--shape", required=True)
    options = parser.parse_args()
    shape = tuple(map(int, options.shape.split(",")))
    with open(options.symbol) as file:
        graph = json.load(file)
    data = np.ascontiguousarray(draw(shape))
    maker = Maker(graph, shape, np.random.default_rng(7))
    maker.run(data)
    import mxnet as mx
    link(options.symbol, options.out + "-symbol.json")
    symbol = mx.sym.load(options.symbol)
    states = set(symbol.list_auxiliary_states())
    mx.nd.save(options.out + "-0000.params", {("aux:" if name in states else "arg:") + name: mx.nd.array(array)
                                              for name, array in maker.params.items()})
    values = {name: mx.nd.array(array) for name, array in maker.params.items()}
    executor = symbol.bind(mx.cpu(), dict({n: values[n] for n in symbol.list_arguments() if n != "data"}, data=mx.nd.array(data)),
                           aux_states={n: values[n] for n in states}, grad_req="null")
    np.savez(options.out + "-io.npz", **{"in:data": data, "out:0": executor.forward()[0].asnumpy()})
    maker.save(options.out + ".onnx")


if __name__ == "__main__":
    main()

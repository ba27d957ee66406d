"""Writes nets over volumes as ONNX, for the peers of compare_zoo: MXNet's own exporter takes pictures only.

write(symbol, feed, arguments, states, path) takes the operators that such nets of GluonCV are
made of. All extents are those of `feed`, so that whatever moves no element is a Reshape.
"""
import ast
import json

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

VERSION = 13  # of the operator set
ACTIVATIONS = {"relu": "Relu", "sigmoid": "Sigmoid", "tanh": "Tanh"}
ADDS = ("elemwise_add", "broadcast_add", "_plus", "_Plus")
RESHAPES = ("Reshape", "reshape", "squeeze", "expand_dims", "reshape_like", "Flatten", "flatten")


class Writer:
    def __init__(self, graph, shapes, values):
        self.graph, self.shapes, self.values = graph, shapes, values
        self.nodes, self.constants, self.written = [], [], set()

    def add(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output + "_node", **attributes))

    def constant(self, name, value, dtype=np.float32):
        if name not in self.written:
            self.written.add(name)
            self.constants.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def integers(self, name, values):
        return self.constant(name, values, np.int64)

    def operand(self, entry):
        """The ONNX name of an entry; a weight becomes a constant."""
        name = self.graph["nodes"][entry[0]]["name"]
        return self.constant(name, self.values[name]) if name in self.values else name

    def reshape(self, data, output, shape):
        self.add("Reshape", [data, self.integers(output + "_shape", shape)], output)

    def convolution(self, node, inputs, attributes):
        rank = len(attributes["kernel"])
        ones, zeros = (1,) * rank, (0,) * rank
        pad = tuple(attributes.get("pad") or zeros)
        self.add("Conv", inputs, node["name"], kernel_shape=attributes["kernel"], strides=attributes.get("stride") or ones,
                 dilations=attributes.get("dilate") or ones, pads=pad + pad, group=attributes.get("num_group", 1))

    def norm(self, node, inputs, attributes):
        if attributes.get("fix_gamma", True):
            inputs[1] = self.constant(node["name"] + "_ones", np.ones_like(self.values[inputs[1]]))
        self.add("BatchNormalization", inputs, node["name"], epsilon=float(attributes.get("eps", 1e-3)))

    def pooling(self, node, inputs, attributes):
        kind = {"avg": "AveragePool", "max": "MaxPool"}[attributes.get("pool_type", "max")]
        if attributes.get("global_pool"):
            return self.add("Global" + kind, inputs, node["name"])
        pad = tuple(attributes.get("pad") or (0,) * len(attributes["kernel"]))
        more = {"count_include_pad": int(attributes.get("count_include_pad", True))} if kind == "AveragePool" else {}
        self.add(kind, inputs, node["name"], kernel_shape=attributes["kernel"], pads=pad + pad,
                 strides=attributes.get("stride") or (1,) * len(attributes["kernel"]),
                 ceil_mode=int(attributes.get("pooling_convention") == "full"), **more)

    def connected(self, node, inputs, attributes):
        extents = self.shapes[inputs[0]]
        self.reshape(inputs[0], node["name"] + "_rows", (extents[0], int(np.prod(extents[1:]))))
        self.add("Gemm", [node["name"] + "_rows"] + inputs[1:], node["name"], transB=1)

    def slice(self, node, inputs, attributes):
        axes = [axis for axis, (first, last) in enumerate(zip(attributes["begin"], attributes["end"])) if (first, last) != (None, None)]
        steps = attributes.get("step") or [1] * len(attributes["begin"])
        extents = self.shapes[inputs[0]]
        bounds = {"starts": [attributes["begin"][axis] or 0 for axis in axes],
                  "ends": [extents[axis] if attributes["end"][axis] is None else attributes["end"][axis] for axis in axes],
                  "axes": axes, "steps": [steps[axis] or 1 for axis in axes]}
        self.add("Slice", inputs + [self.integers("%s_%s" % (node["name"], key), value) for key, value in bounds.items()], node["name"])

    def batch_dot(self, node, inputs, attributes):
        for number, key in enumerate(("transpose_a", "transpose_b")):
            if attributes.get(key):
                self.add("Transpose", [inputs[number]], "%s_%s" % (node["name"], key), perm=(0, 2, 1))
                inputs[number] = "%s_%s" % (node["name"], key)
        self.add("MatMul", inputs, node["name"])

    def write(self, node):
        kind, name = node["op"], node["name"]
        attributes = {key: literal(value) for key, value in node.get("attrs", {}).items()}
        inputs = [self.operand(entry) for entry in node["inputs"]]
        if kind == "Convolution":
            self.convolution(node, inputs, attributes)
        elif kind == "BatchNorm":
            self.norm(node, inputs, attributes)
        elif kind == "Activation" and attributes["act_type"] in ACTIVATIONS:
            self.add(ACTIVATIONS[attributes["act_type"]], inputs, name)
        elif kind == "Pooling":
            self.pooling(node, inputs, attributes)
        elif kind in ADDS:
            self.add("Add", inputs, name)
        elif kind == "_mul_scalar":
            self.add("Mul", inputs + [self.constant(name + "_scalar", attributes["scalar"])], name)
        elif kind == "Concat":
            self.add("Concat", inputs, name, axis=attributes.get("dim", 1))
        elif kind == "mean":
            axes = attributes["axis"] if isinstance(attributes["axis"], tuple) else (attributes["axis"],)
            self.add("ReduceMean", inputs, name, axes=axes, keepdims=int(attributes.get("keepdims", False)))
        elif kind == "Dropout":
            self.add("Identity", inputs, name)
        elif kind == "FullyConnected":
            self.connected(node, inputs, attributes)
        elif kind in RESHAPES:
            self.reshape(inputs[0], name, self.shapes[name])
        elif kind == "slice":
            self.slice(node, inputs, attributes)
        elif kind == "softmax":
            self.add("Softmax", inputs, name, axis=attributes.get("axis", -1))
        elif kind == "batch_dot":
            self.batch_dot(node, inputs, attributes)
        else:
            raise ValueError("no ONNX is written for %s" % kind)


def literal(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def write(symbol, feed, arguments, states, path):
    """One output, the net's first; raises ValueError where an operator is none of these."""
    import mxnet as mx
    graph, names = json.loads(symbol.tojson()), set()
    for number, node in enumerate(graph["nodes"]):  # a block that is called twice names two nodes alike
        if node["name"] in names:
            node["name"] += "_%d" % number
        names.add(node["name"])
    internals = mx.sym.load_json(json.dumps(graph)).get_internals()
    extents = internals.infer_shape(**{name: value.shape for name, value in feed.items()})[1]
    shapes = {}
    for name, shape in zip(internals.list_outputs(), extents):
        shapes[name] = shapes[name[:-len("_output")] if name.endswith("_output") else name] = shape
    writer = Writer(graph, shapes, dict(arguments, **states))
    for node in graph["nodes"]:
        if node["op"] != "null":
            writer.write(node)
    result = graph["nodes"][graph["heads"][0][0]]["name"]
    model = helper.make_model(helper.make_graph(
        writer.nodes, "net",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape) for name, value in feed.items()],
        [helper.make_tensor_value_info(result, TensorProto.FLOAT, shapes[result])], writer.constants),
        opset_imports=[helper.make_opsetid("", VERSION)])
    model.ir_version = 7  # that of the operator set
    onnx.checker.check_model(model)
    onnx.save(model, path)

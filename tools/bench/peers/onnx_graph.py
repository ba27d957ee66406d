"""OnnxGraph: an ONNX graph written node by node, as PyTorch exports transformers: what peers' fusions of attention, GELU and
layer norms look for."""
import numpy as np


class OnnxGraph:
    """Nodes and constants in the order in which they are requested."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, value, name=None):
        import onnx.numpy_helper
        name = name or "constant%d" % len(self.constants)
        self.constants.append(onnx.numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, kind, *inputs, **attributes):
        import onnx.helper
        name = "%s%d" % (kind.lower(), len(self.nodes))
        self.nodes.append(onnx.helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def reshape(self, data, *shape):
        return self.add("Reshape", data, self.constant(np.array(shape, np.int64)))

    def linear(self, data, weight, bias):
        return self.add("Add", self.add("MatMul", data, self.constant(weight.T)), self.constant(bias))

    def norm(self, data, gamma, beta, epsilon=1e-12):
        return self.add("LayerNormalization", data, self.constant(gamma), self.constant(beta), axis=-1, epsilon=epsilon)

    def gelu(self, data):
        part = self.add("Erf", self.add("Div", data, self.constant(np.float32(np.sqrt(2)))))
        part = self.add("Mul", data, self.add("Add", part, self.constant(np.float32(1))))
        return self.add("Mul", part, self.constant(np.float32(0.5)))

    def heads(self, data, batch, count, width, order):
        """[batch, rows, units] with a head's rows together, in that order of [batch, rows, head, element]."""
        return self.add("Transpose", self.reshape(data, batch, -1, count, width), perm=order)

    def save(self, path, name, inputs, outputs):
        import onnx
        from onnx import helper
        made = helper.make_graph(self.nodes, name, inputs, outputs, self.constants)
        model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 8
        onnx.save(model, path)

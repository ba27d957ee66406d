#!/usr/bin/env python3
"""Transformers of lengths that a run chooses, with drawn weights, as ONNX: encoders and decoders that keep keys and values.

    draw_transformers.py NAME PREFIX

NAME is a model of models.py whose source is "drawn". Writes PREFIX.onnx and PREFIX-io.npz: inputs `in:NAME`, and `out:I` as ONNX
Runtime computes them, of the outputs that are no keys or values of a decoder. In the file these are inputs and outputs, past_key0
and present_key0, as in exporters' files; symc keeps them as states (--grow). Needs a Python with onnx and onnxruntime.
"""
import os
import sys

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
from onnx_graph import OnnxGraph

import models


class Net(OnnxGraph):
    def __init__(self, units, heads):
        super().__init__()
        self.units, self.count, self.width = units, heads, units // heads
        self.rng, self.inputs, self.outputs = np.random.default_rng(7), [], []

    def draw(self, *shape, size=None):
        return (self.rng.standard_normal(shape, np.float32) * np.float32(size or shape[-1] ** -0.5)).astype(np.float32)

    def input(self, name, kind, *shape):
        import onnx
        self.inputs.append(onnx.helper.make_tensor_value_info(name, getattr(onnx.TensorProto, kind), shape))
        return name

    def output(self, value, name, *shape):
        import onnx
        self.nodes.append(onnx.helper.make_node("Identity", [value], [name], name=name))
        self.outputs.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape))

    def scalar(self, value):
        return self.constant(np.float32(value))

    def dense(self, data, units, inside=None):
        return self.linear(data, self.draw(units, inside or self.units), self.draw(units, size=0.1))

    def layer_norm(self, data):
        return self.norm(data, self.draw(self.units, size=0.1) + 1, self.draw(self.units, size=0.1), 1e-5)

    def embedding(self, ids, rows):
        return self.add("Gather", self.constant(self.draw(rows, self.units, size=0.3)), ids)

    def split_heads(self, data, batch):
        return self.heads(data, batch, self.count, self.width, [0, 2, 1, 3])

    def attend(self, query, key, value, batch, mask=None):
        """Of [batch, heads, rows, width] each; the rows with heads side by side."""
        scores = self.add("MatMul", query, self.add("Transpose", key, perm=[0, 1, 3, 2]))
        scores = self.add("Div", scores, self.scalar(self.width ** 0.5))
        scores = self.add("Add", scores, mask) if mask else scores
        mixed = self.add("Transpose", self.add("MatMul", self.add("Softmax", scores, axis=-1), value), perm=[0, 2, 1, 3])
        return self.dense(self.reshape(mixed, batch, -1, self.units), self.units)

    def self_attention(self, data, batch, mask=None, past=None):
        """`past`: the number of a decoder's layer, whose keys and values of positions before are inputs."""
        query, key, value = (self.split_heads(self.dense(data, self.units), batch) for _ in range(3))
        if past is not None:
            rows = [self.input("past_%s%d" % (kind, past), "FLOAT", batch, self.count, "past_length", self.width)
                    for kind in ("key", "value")]
            key, value = (self.add("Concat", *pair, axis=2) for pair in zip(rows, (key, value)))
            for kind, rows in (("key", key), ("value", value)):
                self.output(rows, "present_%s%d" % (kind, past), batch, self.count, "total_length", self.width)
        return self.attend(query, key, value, batch, mask)

    def gelu_by_tanh(self, x):
        cube = self.add("Mul", self.add("Pow", x, self.scalar(3)), self.scalar(0.044715))
        inside = self.add("Mul", self.add("Add", x, cube), self.scalar((2 / np.pi) ** 0.5))
        return self.add("Mul", self.add("Mul", x, self.scalar(0.5)), self.add("Add", self.add("Tanh", inside), self.scalar(1)))

    def plus(self, x, y):
        return self.add("Add", x, y)


def distilbert(layers=6, units=768, heads=12):
    """Post-norm encoder over tokens, of which a mask [1, length] leaves some out."""
    net = Net(units, heads)
    ids, positions = net.input("input_ids", "INT64", 1, "length"), net.input("position_ids", "INT64", 1, "length")
    mask = net.add("Cast", net.input("attention_mask", "INT64", 1, "length"), to=1)
    mask = net.add("Mul", net.add("Sub", net.scalar(1), mask), net.scalar(np.finfo(np.float32).min))
    mask = net.reshape(mask, 1, 1, 1, -1)
    x = net.layer_norm(net.plus(net.embedding(ids, 30522), net.embedding(positions, 512)))
    for _ in range(layers):
        x = net.layer_norm(net.plus(x, net.self_attention(x, 1, mask)))
        x = net.layer_norm(net.plus(x, net.dense(net.gelu(net.dense(x, 4 * units)), units, 4 * units)))
    net.output(x, "last_hidden_state", 1, "length", units)
    return net


def gpt2(layers=12, units=768, heads=12, vocabulary=50257):
    """Pre-norm decoder; mask [length, total_length] is added to scores."""
    net = Net(units, heads)
    ids, positions = net.input("input_ids", "INT64", 1, "length"), net.input("position_ids", "INT64", 1, "length")
    mask = net.input("mask", "FLOAT", "length", "total_length")
    x = net.plus(net.embedding(ids, vocabulary), net.embedding(positions, 1152))
    for number in range(layers):
        x = net.plus(x, net.self_attention(net.layer_norm(x), 1, mask, number))
        x = net.plus(x, net.dense(net.gelu_by_tanh(net.dense(net.layer_norm(x), 4 * units)), units, 4 * units))
    logits = net.add("MatMul", net.layer_norm(x), net.constant(net.draw(vocabulary, units).T))
    net.output(logits, "logits", 1, "length", vocabulary)
    return net


def translator_encoder(layers=6, units=512, heads=8):
    """The encoder of GluonNLP's transformer_en_de_512, and keys and values of all layers of the decoder."""
    net = Net(units, heads)
    ids, positions = net.input("input_ids", "INT64", 1, "source"), net.input("position_ids", "INT64", 1, "source")
    x = net.plus(net.embedding(ids, 32000), net.embedding(positions, 512))
    for _ in range(layers):
        x = net.layer_norm(net.plus(x, net.self_attention(x, 1)))
        x = net.layer_norm(net.plus(x, net.dense(net.add("Relu", net.dense(x, 4 * units)), units, 4 * units)))
    for number in range(layers):
        for kind in ("key", "value"):
            net.output(net.split_heads(net.dense(x, units), 1), "memory_%s%d" % (kind, number), 1, heads, "source", net.width)
    return net


def translator_step(batch, layers=6, units=512, heads=8, vocabulary=32000):
    """One token of `batch` texts of a beam; memory_key0 and so on are what the encoder gave."""
    net = Net(units, heads)
    ids, positions = net.input("input_ids", "INT64", batch, "length"), net.input("position_ids", "INT64", 1, "length")
    x = net.plus(net.embedding(ids, vocabulary), net.embedding(positions, 512))
    for number in range(layers):
        x = net.layer_norm(net.plus(x, net.self_attention(x, batch, past=number)))
        memory = [net.input("memory_%s%d" % (kind, number), "FLOAT", batch, heads, "source", net.width) for kind in ("key", "value")]
        x = net.layer_norm(net.plus(x, net.attend(net.split_heads(net.dense(x, units), batch), *memory, batch)))
        x = net.layer_norm(net.plus(x, net.dense(net.add("Relu", net.dense(x, 4 * units)), units, 4 * units)))
    net.output(net.add("LogSoftmax", net.dense(x, vocabulary), axis=-1), "scores", batch, "length", vocabulary)
    return net


NETS = {"distilbert": distilbert, "bert": lambda: distilbert(12), "gpt2": gpt2, "translator-encoder": translator_encoder,
        "translator-step-1": lambda: translator_step(1), "translator-step-4": lambda: translator_step(4)}


def draw_inputs(net, lengths, rng):
    """{name: array} for {name of an extent: number}; masks let a token see those at its place and before."""
    feeds = {}
    for info in net.inputs:
        shape = [dim.dim_value or lengths[dim.dim_param] for dim in info.type.tensor_type.shape.dim]
        if info.name == "input_ids":
            value = rng.integers(0, 30000, shape)
        elif info.name == "position_ids":
            value = np.arange(shape[1]).reshape(shape) + lengths.get("past_length", 0)
        elif info.name == "attention_mask":
            value = np.ones(shape, np.int64)
        elif info.name == "mask":
            value = np.triu(np.full(shape, -1e9, np.float32), lengths["past_length"] + 1)
        else:
            value = rng.standard_normal(shape, np.float32)
        feeds[info.name] = value
    return feeds


def main():
    name, prefix = sys.argv[1:]
    model = next(each for each in models.MODELS if each.name == name)
    net = NETS[model.model]()
    net.outputs.sort(key=lambda info: info.name.startswith("present_"))  # last, as symc has none of them
    net.save(prefix + ".onnx", name, net.inputs, net.outputs)
    feeds = draw_inputs(net, model.lengths, np.random.default_rng(3))
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(prefix + ".onnx", options, providers=["CPUExecutionProvider"])
    wanted = [info.name for info in net.outputs if not info.name.startswith("present_")]
    np.savez(prefix + "-io.npz", **{"in:" + key: value for key, value in feeds.items()},
             **{"out:%d" % i: value for i, value in enumerate(session.run(wanted, feeds))})


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What ONNX Runtime answers: writes PREFIX-io.npz beside a copy PREFIX.onnx of a published file or light model.

    answers.py NAME PREFIX MODELS

A sigmoid that gives an output is computed in float64 from what stands before it: ONNX Runtime's own is 1e-7 off, which is
1e-3 of outputs that are all small.
"""
import os
import shutil
import sys

import numpy as np
import onnx
import onnxruntime

import models


def with_logits(path):
    """The model with the operands of its last sigmoids as further outputs, and {output: operand}."""
    model = onnx.load(path, load_external_data=False)
    outputs = {each.name for each in model.graph.output}
    logits = {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Sigmoid" and node.output[0] in outputs}
    for name in logits.values():
        model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
    return model, logits


def answer(path, feeds):
    model, logits = with_logits(path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    found = dict(zip([each.name for each in session.get_outputs()], session.run(None, feeds)))
    for output, operand in logits.items():
        found[output] = (1 / (1 + np.exp(-found[operand].astype(np.float64)))).astype(np.float32)
    return [found[each.name] for each in onnx.load(path, load_external_data=False).graph.output]


def light(path):
    """Inputs of a light model, of the shapes that it declares."""
    graph = onnx.load(path).graph
    held = {each.name for each in graph.initializer}
    return {each.name: ("float32", tuple(dim.dim_value or 1 for dim in each.type.tensor_type.shape.dim), ("uniform", 1.0))
            for each in graph.input if each.name not in held}


def main():
    name, prefix, folder = sys.argv[1:]
    model = next(each for each in models.MODELS if each.name == name)
    if model.source == "light":
        path = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data", "light", "light_%s.onnx" % name)
        model.inputs = light(path)
    else:
        path = os.path.join(folder, name + ".onnx")
    shutil.copyfile(path, prefix + ".onnx")
    feeds = models.draw(model, np.random.default_rng(sum(map(ord, name))))
    np.savez(prefix + "-io.npz", **{"in:" + key: value for key, value in feeds.items()},
             **{"out:%d" % i: value for i, value in enumerate(answer(path, feeds))})


if __name__ == "__main__":
    main()

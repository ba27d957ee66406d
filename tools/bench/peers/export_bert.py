"""Makes the rows of compare_peers over BERT's encoder: MXNet's symbol and the same as ONNX.

    python export_bert.py MODEL OUT --shape 128,1,768

draws the weights of BERT-base's encoder (MODEL: bert-base, or bert-base-lengths, which leaves
out what lies beyond each row's length; the shape is length, batch, units) and writes
OUT-symbol.json, OUT-0000.params, OUT-io.npz (in:data, in:valid_length, out:0 of MXNet) and
OUT.onnx. The ONNX graph is written by hand as PyTorch exports BERT, which peers' fusions of
attention, GELU and layer norms look for. Runs in MXNet's environment.
"""
import argparse
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "lib"))
import needs

needs.modules("mxnet", "onnx")
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "cases"))
import transformer
from onnx_graph import OnnxGraph

MODELS = {"bert-base": transformer.base(False), "bert-base-lengths": transformer.base(True)}


def draw_weights(symbol, shapes, rng):
    """{name: array}: products keep the variance of their rows, norms scale and shift a little."""
    extents, _, _ = symbol.infer_shape(**shapes)
    values = {}
    for name, shape in zip(symbol.list_arguments(), extents):
        if name in shapes:
            continue
        if name.endswith("gamma"):
            value = rng.uniform(0.7, 1.3, shape)
        elif len(shape) == 2:
            value = rng.standard_normal(shape) / np.sqrt(shape[1] if name != "position_weight" else 4)
        else:
            value = rng.standard_normal(shape) * 0.1
        values[name] = value.astype(np.float32)
    return values


def write_onnx(path, encoder, shape, values):
    from onnx import TensorProto, helper
    length, batch, units = shape
    width, graph = units // encoder.heads, OnnxGraph()
    valid = mask = None
    if encoder.lengths:
        steps = graph.constant(np.arange(length, dtype=np.float32).reshape(1, length))
        valid = graph.add("Less", steps, graph.reshape("valid_length", batch, 1))
        mask = graph.add("Where", valid, graph.constant(np.float32(0)), graph.constant(np.finfo(np.float32).min))
        mask = graph.reshape(mask, batch, 1, 1, length)
    data = graph.add("Transpose", "data", perm=[1, 0, 2])
    data = graph.add("Add", data, graph.constant(values["position_weight"][None, :length]))

    def norm(data, name):
        return graph.norm(data, values[name + "_gamma"], values[name + "_beta"])
    data = norm(data, "norm")
    for number in range(encoder.layers):
        name = "layer%d" % number

        def heads(word, order):
            rows = graph.linear(data, values["%s_attention_%s_weight" % (name, word)],
                                values["%s_attention_%s_bias" % (name, word)])
            return graph.heads(rows, batch, encoder.heads, width, order)
        scores = graph.add("MatMul", heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]))
        scores = graph.add("Div", scores, graph.constant(np.float32(np.sqrt(width))))
        if mask:
            scores = graph.add("Add", scores, mask)
        mixed = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), heads("value", [0, 2, 1, 3]))
        mixed = graph.reshape(graph.add("Transpose", mixed, perm=[0, 2, 1, 3]), batch, length, units)
        mixed = graph.linear(mixed, values[name + "_projection_weight"], values[name + "_projection_bias"])
        data = norm(graph.add("Add", mixed, data), name + "_norm")
        hidden = graph.gelu(graph.linear(data, values[name + "_ffn1_weight"], values[name + "_ffn1_bias"]))
        hidden = graph.linear(hidden, values[name + "_ffn2_weight"], values[name + "_ffn2_bias"])
        data = norm(graph.add("Add", hidden, data), name + "_ffn_norm")
    if valid:
        data = graph.add("Where", graph.reshape(valid, batch, length, 1), data, graph.constant(np.float32(0)))
    data = graph.add("Transpose", data, perm=[1, 0, 2])
    inputs = [helper.make_tensor_value_info("data", TensorProto.FLOAT, shape)]
    if encoder.lengths:
        inputs.append(helper.make_tensor_value_info("valid_length", TensorProto.FLOAT, [batch]))
    graph.save(path, "bert", inputs, [helper.make_tensor_value_info(data, TensorProto.FLOAT, shape)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", choices=sorted(MODELS))
    parser.add_argument("out")
    parser.add_argument("--shape", required=True)
    options = parser.parse_args()
    import mxnet as mx
    shape, encoder = tuple(map(int, options.shape.split(","))), MODELS[options.model]
    length, batch, units = shape
    if units != encoder.units or length > encoder.positions:
        parser.error("%s has %d units and at most %d positions, the shape is %s"
                     % (options.model, encoder.units, encoder.positions, options.shape))
    rng = np.random.default_rng(7)
    inputs = {"data": rng.standard_normal(shape).astype(np.float32)}
    if encoder.lengths:  # from the whole down to a third of it
        inputs["valid_length"] = np.linspace(length, length / 3, batch + 1)[1:].round().astype(np.float32)
    symbol = transformer.build(mx, encoder)
    values = draw_weights(symbol, {name: value.shape for name, value in inputs.items()}, rng)
    symbol.save(options.out + "-symbol.json")
    arrays = {name: mx.nd.array(value) for name, value in values.items()}
    mx.nd.save(options.out + "-0000.params", {"arg:" + name: value for name, value in arrays.items()})
    executor = symbol.bind(mx.cpu(), dict(arrays, **{name: mx.nd.array(value) for name, value in inputs.items()}),
                           grad_req="null")
    np.savez(options.out + "-io.npz", **{"in:" + name: value for name, value in inputs.items()},
             **{"out:0": executor.forward(is_train=False)[0].asnumpy()})
    write_onnx(options.out + ".onnx", encoder, shape, values)


if __name__ == "__main__":
    main()

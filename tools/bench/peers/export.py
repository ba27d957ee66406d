"""Makes what a row of compare_peers compares: inputs, MXNet's outputs, ONNX.

    python export.py SYMBOL PARAMS OUT --shape 1,3,224,224

writes OUT-symbol.json and OUT-0000.params (links), OUT-io.npz (in:data drawn,
out:0, out:1, ... of MXNet) and OUT.onnx. Runs in MXNet's environment.
"""
import argparse
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "lib"))
import needs

needs.modules("mxnet", "onnx")
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "oracles"))
import export_nets


def link(source, target):
    if os.path.lexists(target):
        os.remove(target)
    os.symlink(os.path.abspath(source), target)


def draw(shape):
    """Inputs of order one: pictures where there are three channels."""
    rng = np.random.default_rng(7)
    if len(shape) == 4 and shape[1] == 3:
        return np.concatenate([export_nets.draw_picture(rng, max(shape[2:])) for _ in range(shape[0])]
                              )[:, :, :shape[2], :shape[3]]
    return rng.uniform(0, 1, shape).astype(np.float32)


def exportable(symbol):
    """The symbol with `softmax` for SoftmaxOutput and SoftmaxActivation, which ONNX has no
    form of, without their labels, and with the default of FullyConnected's `flatten`, which
    the exporter takes for its opposite. Prediction gives the same values."""
    import mxnet as mx
    graph = json.loads(symbol.tojson())
    for node in graph["nodes"]:
        attributes = node.get("attrs", {})
        if node["op"] == "FullyConnected":
            node["attrs"] = dict({"flatten": "True"}, **attributes)
        if node["op"] == "SoftmaxOutput":
            node.update(op="softmax", attrs={"axis": "1" if attributes.get("multi_output") == "True" else "-1"},
                        inputs=node["inputs"][:1])
        elif node["op"] == "SoftmaxActivation":
            node.update(op="softmax", attrs={"axis": "1" if attributes.get("mode") == "channel" else "-1"})
    return mx.sym.load_json(json.dumps(graph))


def spread_slopes(path):
    """Gives the slopes [C] of PRelu on [N, C, H, W] the extents [C, 1, 1]: ONNX broadcasts
    from the right. What follows a fully connected layer, Gemm, has no H and W."""
    import onnx
    import onnx.numpy_helper
    model = onnx.load(path)
    flat = {name for node in model.graph.node if node.op_type in ("Gemm", "MatMul", "Add", "Flatten")
            for name in node.output}
    slopes = {node.input[1] for node in model.graph.node
              if node.op_type == "PRelu" and node.input[0] not in flat}
    for tensor in model.graph.initializer:
        if tensor.name in slopes and len(tensor.dims) == 1:
            value = onnx.numpy_helper.to_array(tensor).reshape(-1, 1, 1)
            tensor.CopyFrom(onnx.numpy_helper.from_array(value, tensor.name))
    del model.graph.value_info[:]
    onnx.save(model, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("symbol")
    parser.add_argument("params")
    parser.add_argument("out")
    parser.add_argument("--shape", required=True)
    options = parser.parse_args()
    import mxnet as mx
    shape = tuple(map(int, options.shape.split(",")))
    link(options.symbol, options.out + "-symbol.json")
    link(options.params, options.out + "-0000.params")
    symbol, values = mx.sym.load(options.symbol), mx.nd.load(options.params)
    data = np.ascontiguousarray(draw(shape))
    executor = symbol.simple_bind(mx.cpu(), grad_req="null", data=shape)
    parts = {kind: {k[4:]: v for k, v in values.items() if k.startswith(kind)} for kind in ("arg:", "aux:")}
    executor.copy_params_from(parts["arg:"], parts["aux:"], allow_extra_params=True)
    outputs = executor.forward(is_train=False, data=mx.nd.array(data))
    np.savez(options.out + "-io.npz", **{"in:data": data},
             **{"out:%d" % i: output.asnumpy() for i, output in enumerate(outputs)})
    plain = options.out + "-plain"
    exportable(symbol).save(plain + "-symbol.json")
    link(options.params, plain + "-0000.params")
    export_nets.export_onnx(plain, shape)
    if "LeakyReLU" in symbol.tojson():
        spread_slopes(plain + ".onnx")
    os.replace(plain + ".onnx", options.out + ".onnx")


if __name__ == "__main__":
    main()

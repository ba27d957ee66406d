"""Makes the recurrent rows of compare_peers: MXNet's symbol RNN and the same as ONNX.

    python export_recurrent.py MODE OUT --shape 64,1,512

draws two layers of 512 units (MODE: lstm or gru; the shape is time, batch, features)
and writes OUT-symbol.json, OUT-0000.params, OUT-io.npz (in:data, out:0 of MXNet) and
OUT.onnx. MXNet's exporter has no RNN: LSTM and GRU are written by hand, whose gates have
another order. Runs in MXNet's environment.
"""
import argparse
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "lib"))
import needs

needs.modules("mxnet", "onnx")
import numpy as np

UNITS, LAYERS = 512, 2
# For each gate of ONNX (lstm: i o f c, gru: z r h) its number in MXNet (i f c o, r z h).
ORDER = {"lstm": [0, 3, 1, 2], "gru": [1, 0, 2]}


def parts(values, gates, features):
    """Matrices and biases of the layers: all matrices lie before all biases."""
    layers, at = [], 0

    def take(*shape):
        nonlocal at
        count = int(np.prod(shape))
        at += count
        return values[at - count:at].reshape(shape)
    for layer in range(LAYERS):
        layers.append([take(gates, UNITS, UNITS if layer else features), take(gates, UNITS, UNITS)])
    for layer in layers:
        layer += [take(gates, UNITS), take(gates, UNITS)]
    return layers


def write_onnx(path, mode, shape, layers):
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    order, nodes, values = ORDER[mode], [], [numpy_helper.from_array(np.array([1], np.int64), "directions")]
    name = "data"
    attributes = dict({"hidden_size": UNITS}, **({"linear_before_reset": 1} if mode == "gru" else {}))
    for number, (matrix, state, bias, state_bias) in enumerate(layers):
        rows = len(order) * UNITS
        arrays = {"W": matrix[order].reshape(1, rows, -1), "R": state[order].reshape(1, rows, -1),
                  "B": np.concatenate([bias[order].ravel(), state_bias[order].ravel()])[None]}
        values += [numpy_helper.from_array(np.ascontiguousarray(array), key + str(number))
                   for key, array in arrays.items()]
        nodes.append(helper.make_node(mode.upper(), [name] + [key + str(number) for key in arrays],
                                      ["steps%d" % number], **attributes))
        name = "layer%d" % number
        nodes.append(helper.make_node("Squeeze", ["steps%d" % number, "directions"], [name]))
    graph = helper.make_graph(nodes, mode, [helper.make_tensor_value_info("data", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape[:2] + (UNITS,))], values)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.save(model, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", choices=sorted(ORDER))
    parser.add_argument("out")
    parser.add_argument("--shape", required=True)
    options = parser.parse_args()
    import mxnet as mx
    shape = tuple(map(int, options.shape.split(",")))
    gates, rng = len(ORDER[options.mode]), np.random.default_rng(7)
    count = sum(((UNITS if layer else shape[2]) + UNITS + 2) * UNITS * gates for layer in range(LAYERS))
    states = {"state": (LAYERS, shape[1], UNITS)}
    if options.mode == "lstm":
        states["state_cell"] = states["state"]
    values = {name: mx.nd.zeros(extents) for name, extents in states.items()}
    values["parameters"] = mx.nd.array(rng.uniform(-0.04, 0.04, count).astype(np.float32))
    data = rng.standard_normal(shape).astype(np.float32)
    symbol = mx.sym.RNN(mx.sym.Variable("data"), state_size=UNITS, num_layers=LAYERS, mode=options.mode, name="rnn",
                        **{name: mx.sym.Variable(name) for name in values})
    symbol.save(options.out + "-symbol.json")
    mx.nd.save(options.out + "-0000.params", {"arg:" + name: value for name, value in values.items()})
    executor = symbol.bind(mx.cpu(), dict(values, data=mx.nd.array(data)), grad_req="null")
    np.savez(options.out + "-io.npz", **{"in:data": data, "out:0": executor.forward()[0].asnumpy()})
    write_onnx(options.out + ".onnx", options.mode, shape, parts(values["parameters"].asnumpy(), gates, shape[2]))


if __name__ == "__main__":
    main()

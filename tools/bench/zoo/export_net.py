"""Makes what compare_zoo compares of one net: symbol, drawn weights, inputs, MXNet's outputs, ONNX.

    python export_net.py NAME OUT

writes OUT-symbol.json, OUT-0000.params, OUT-io.npz (in:NAME drawn; out:0, out:1, ... of MXNet
in float64, a detector's in float32; own: how far MXNet in float32 is from float64,
or, for a detector, with its subgraphs from without) and, where
MXNet's exporter takes the net, or volume_onnx one over volumes, OUT.onnx; else OUT.onnx.txt states why not. Runs in MXNet's
environment with GluonCV.

Convolutions and products are He-normal by their fan-in; batch norms hold the statistics of a
forward pass over the inputs, with a mild random error, so that activations stay alive.
"""
import argparse
import ast
import json
import os
import sys
import warnings

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "lib"))
import needs

needs.modules("mxnet", "gluoncv")
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "peers"), os.path.join(HERE, "..", "..", "scripts", "oracles")]
import definitions
import export
import export_nets
import volume_onnx
from answers import detection_error, tensor_error
from nets import CLASSIFICATION, DETECTION, TRACKING, select

NORMS = ("BatchNorm", "SyncBatchNorm", "_contrib_SyncBatchNorm")


def compose(net):
    """(symbol, {name: array} of what has a value by definition, such as anchors, {name: deviation}
    of the weights for which the net requires a normal distribution, as detectors' heads do)"""
    import mxnet as mx
    if net.name in definitions.NETS:
        return definitions.NETS[net.name](), {}, {}
    from gluoncv.model_zoo import get_model
    mx.gluon.ParameterDict.reset_ctx = lambda self, ctx: None  # what some constructors call on no values
    base = {} if net.kind == CLASSIFICATION or net.name.startswith("hrnet") else {"pretrained_base": False}
    block = get_model(net.name, pretrained=False, **base, **net.options)
    names = ("template", "search") if net.kind == TRACKING else ("data",)
    block.hybridize()
    results = block(*map(mx.sym.Variable, names))
    flat, waiting = [], [results]
    while waiting:  # lists of lists, and dictionaries of depth maps
        one = waiting.pop(0)
        if isinstance(one, mx.sym.Symbol):
            flat.append(one)
        else:
            waiting = list(one.values() if isinstance(one, dict) else one) + waiting
    constants, deviations = {}, {}
    for name, parameter in block.collect_params().items():
        if isinstance(parameter.init, mx.init.Normal):
            deviations[name] = parameter.init.sigma
        if isinstance(parameter, mx.gluon.Constant):
            parameter.initialize()
            constants[name] = parameter.data().asnumpy()
        elif not name.endswith(("weight", "bias", "gamma", "beta", "running_mean", "running_var")) and all(parameter.shape or [0]):
            parameter.initialize(force_reinit=True)
            constants[name] = parameter.data().asnumpy()
    return flat[0] if len(flat) == 1 else mx.sym.Group(flat), constants, deviations


def draw_inputs(net, symbol, rng):
    """{name: array} of a run: pictures where there are three channels, words, noise."""
    if net.kind == TRACKING:
        return {"template": export.draw((1, 3, 127, 127)), "search": export.draw(net.shape)}
    if net.name == "lstm_lm":
        return {"data": rng.integers(0, 10000, net.shape).astype(np.float32)}
    if len(net.shape) == 5:  # frames that drift
        still = export_nets.draw_picture(rng, net.shape[3] + 2 * net.shape[2])
        return {"data": np.stack([still[:, :, 2 * t:, 2 * t:][:, :, :net.shape[3], :net.shape[4]]
                                  for t in range(net.shape[2])], axis=2)}
    if len(net.shape) == 4 and net.shape[1] == 3:
        return {"data": export_nets.draw_picture(rng, max(net.shape[2:]))[:, :, :net.shape[2], :net.shape[3]]}
    return {"data": rng.standard_normal(net.shape).astype(np.float32)}


def fan_ins(graph):
    """{name of a weight: (function of its shape, gain)} of the layers that multiply."""
    found = {}
    for node in graph["nodes"]:
        attributes = node.get("attrs", {})
        if node["op"] == "null" or len(node["inputs"]) < 2:
            continue
        names = [graph["nodes"][entry[0]]["name"] for entry in node["inputs"]]
        if node["op"] == "Convolution":
            found[names[1]] = lambda shape: 2.0 / np.prod(shape[1:])
        elif node["op"] in ("_contrib_DeformableConvolution", "_contrib_ModulatedDeformableConvolution"):
            found[names[3 if "Modulated" in node["op"] else 2]] = lambda shape: 2.0 / np.prod(shape[1:])
        elif node["op"] == "Deconvolution":
            groups, stride = int(attributes.get("num_group", 1)), np.prod(ast.literal_eval(attributes.get("stride", "(1,)")))
            found[names[1]] = lambda shape, by=groups * stride: 2.0 * by / (shape[0] * np.prod(shape[2:]))
        elif node["op"] == "FullyConnected":
            found[names[1]] = lambda shape: 1.0 / shape[1]
    return found


def draw_weights(symbol, shapes, constants, deviations, rng):
    """(arguments, states) of a net, batch norms not yet calibrated."""
    extents, _, state_extents = symbol.infer_shape(**shapes)
    variances, arguments = fan_ins(json.loads(symbol.tojson())), {}
    for name, shape in zip(symbol.list_arguments(), extents):
        if name in shapes:
            continue
        if name in constants:
            value = constants[name]
        elif name in deviations:
            value = rng.standard_normal(shape) * deviations[name]
        elif name in variances:
            value = rng.standard_normal(shape) * np.sqrt(variances[name](shape))
        elif name.endswith("gamma"):
            value = rng.uniform(0.7, 1.3, shape)
        elif name.endswith("parameters"):  # of a recurrent layer
            value = rng.uniform(-0.04, 0.04, shape)
        elif len(shape) > 1:  # what reaches a product by way of other nodes
            value = rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))
        else:
            value = rng.standard_normal(shape) * 0.05
        arguments[name] = np.asarray(value, np.float32)
    states = {name: np.full(shape, 1.0 if name.endswith("var") else 0.0, np.float32)
              for name, shape in zip(symbol.list_auxiliary_states(), state_extents)}
    return arguments, states


def calibrate(symbol, feed, arguments, states, rng):
    """Gives batch norms the statistics of their data, with the pass in the mode of training."""
    import mxnet as mx
    graph, inputs = json.loads(symbol.tojson()), []
    for node in graph["nodes"]:
        if node["op"] in NORMS:
            node.setdefault("attrs", {})["use_global_stats"] = "False"
            inputs.append((graph["nodes"][node["inputs"][3][0]]["name"], graph["nodes"][node["inputs"][4][0]]["name"],
                           node["inputs"][0]))
    if not inputs:
        return
    internals = mx.sym.load_json(json.dumps(graph)).get_internals()
    names = internals.list_outputs()

    def output(entry):
        name = graph["nodes"][entry[0]]["name"]
        return internals[next(names.index(word) for word in (name + "_output", name + "_output%d" % entry[1], name) if word in names)]
    wanted = mx.sym.Group([output(entry) for _, _, entry in inputs])
    executor = wanted.bind(mx.cpu(), {name: mx.nd.array(dict(arguments, **feed)[name]) for name in wanted.list_arguments()},
                           aux_states={name: mx.nd.array(states[name]) for name in wanted.list_auxiliary_states()}, grad_req="null")
    for (mean, variance, _), value in zip(inputs, executor.forward(is_train=True)):
        value = value.asnumpy()
        over = (0,) + tuple(range(2, value.ndim))
        spread = value.var(over)
        spread = np.maximum(spread, max(1e-3, 0.05 * float(spread.mean()))) * rng.uniform(0.8, 1.2, spread.shape)
        states[mean] = (value.mean(over) + 0.1 * np.sqrt(spread) * rng.standard_normal(spread.shape)).astype(np.float32)
        states[variance] = spread.astype(np.float32)


def predict(symbol, values, states, dtype):
    """The outputs of a forward pass in that type."""
    import mxnet as mx
    executor = symbol.bind(mx.cpu(), {name: mx.nd.array(value, dtype=dtype) for name, value in values.items()},
                           aux_states={name: mx.nd.array(value, dtype=dtype) for name, value in states.items()}, grad_req="null")
    return [value.asnumpy() for value in executor.forward(is_train=False)]


def plain_reshapes(symbol, feed):
    """The symbol with the extents of each reshape where it has codes, which ONNX does not have."""
    import mxnet as mx
    internals, graph = symbol.get_internals(), json.loads(symbol.tojson())
    shapes = dict(zip(internals.list_outputs(), internals.infer_shape(**{name: value.shape for name, value in feed.items()})[1]))
    for node in graph["nodes"]:
        if node["op"] in ("Reshape", "reshape"):
            node["attrs"] = {"shape": str(tuple(shapes[node["name"] + "_output"]))}
    return mx.sym.load_json(json.dumps(graph))


def export_onnx(symbol, feed, arguments, states, out):
    """Writes OUT.onnx, or the reason why there is none to OUT.onnx.txt."""
    import mxnet as mx
    plain = out + "-plain"
    try:
        if len(feed) > 1:
            raise ValueError("more than one input")
        if next(iter(feed.values())).ndim == 5:
            return volume_onnx.write(symbol, feed, arguments, states, out + ".onnx")
        export.exportable(plain_reshapes(symbol, feed)).save(plain + "-symbol.json")
        export.link(out + "-0000.params", plain + "-0000.params")
        export_nets.export_onnx(plain, next(iter(feed.values())).shape)
        if "LeakyReLU" in symbol.tojson():
            export.spread_slopes(plain + ".onnx")
        os.replace(plain + ".onnx", out + ".onnx")
    except Exception as problem:  # of a converter, which raises what it likes
        with open(out + ".onnx.txt", "w") as file:
            file.write((str(problem).strip().splitlines() or [type(problem).__name__])[0][:150] + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("net")
    parser.add_argument("out")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"  # it refuses graphs with so many outputs as `calibrate` requests
    import mxnet as mx
    net, = select(options.net)
    rng = np.random.default_rng([7, sum(map(ord, net.name))])
    mx.random.seed(7)
    symbol, constants, deviations = compose(net)
    feed = {name: np.ascontiguousarray(value) for name, value in draw_inputs(net, symbol, rng).items()}
    arguments, states = draw_weights(symbol, {name: value.shape for name, value in feed.items()}, constants, deviations, rng)
    calibrate(symbol, feed, arguments, states, rng)
    symbol.save(options.out + "-symbol.json")
    stored = {"arg:" + name: mx.nd.array(value) for name, value in arguments.items()}
    stored.update(("aux:" + name, mx.nd.array(value)) for name, value in states.items())
    mx.nd.save(options.out + "-0000.params", stored)
    outputs = predict(symbol, dict(arguments, **feed), states, "float32")
    for number, value in enumerate(outputs):
        if not np.isfinite(value).all():
            sys.exit("%s: output %d of MXNet is not finite" % (net.name, number))
    if not any(value.any() for value in outputs):
        sys.exit("%s: all outputs of MXNet are zero" % net.name)
    own = 0.0
    try:
        if net.kind == DETECTION:  # whose order of boxes hangs on the last bits: by MXNet's other path
            os.environ["MXNET_SUBGRAPH_BACKEND"] = "MKLDNN"
            own = detection_error(predict(symbol, dict(arguments, **feed), states, "float32"), outputs)
        else:
            exact = predict(symbol, dict(arguments, **feed), states, "float64")
            own = max(tensor_error(x, y) for x, y in zip(outputs, exact))
            outputs = [np.asarray(value, np.float32) for value in exact]
    except mx.MXNetError as problem:  # an operator without float64
        print("%s: answers in float32: %s" % (net.name, str(problem).strip().splitlines()[-1][:150]))
    np.savez(options.out + "-io.npz", own=own, **{"in:" + name: value for name, value in feed.items()},
             **{"out:%d" % number: value for number, value in enumerate(outputs)})
    export_onnx(symbol, feed, arguments, states, options.out)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares all outputs of networks by --outputs (symc.compile(outputs=)) with MXNet's get_internals().

  compare_internals.py BUILD/python [NETWORK...]      in an environment with MXNet 1.9.1 (make-oracle-env)

A network is composed by MXNet, gets drawn parameters and is written to a file. symc compiles that file up to all outputs of
all nodes at once, and up to single ones, a few for each network, which changes what is fused. Names and their order have to be
MXNet's, values equal within a bound that grows with the network's largest value.
Exit status: 0 all agree, 1 some differ, 2 wrong usage.
"""
import argparse
import os
import sys
import tempfile
import warnings

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import needs

needs.modules("mxnet", "numpy")
import numpy

BOUND = 2e-5  # of the largest value of an output, or of 1


def lenet(sym):
    net = sym.Convolution(sym.Variable("data"), kernel=(5, 5), num_filter=6, name="conv1")
    net = sym.Pooling(sym.Activation(net, act_type="tanh", name="tanh1"), kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool1")
    net = sym.FullyConnected(sym.Flatten(net, name="flat"), num_hidden=10, name="fc1")
    return sym.SoftmaxOutput(net, name="softmax"), {"data": (2, 1, 12, 12), "softmax_label": (2,)}


def residual(sym):
    net = sym.Convolution(sym.Variable("data"), kernel=(3, 3), pad=(1, 1), num_filter=8, no_bias=True, name="conv0")
    for block in range(2):
        branch = net
        for part in range(2):
            branch = sym.BatchNorm(branch, fix_gamma=False, name="bn%d%d" % (block, part))
            branch = sym.Activation(branch, act_type="relu", name="relu%d%d" % (block, part))
            branch = sym.Convolution(branch, kernel=(3, 3), pad=(1, 1), num_filter=8, no_bias=True, name="conv%d%d" % (block, part))
        net = sym.elemwise_add(branch, net, name="add%d" % block)
    net = sym.Pooling(net, global_pool=True, kernel=(1, 1), pool_type="avg", name="pool")
    return sym.FullyConnected(net, num_hidden=5, name="fc"), {"data": (1, 3, 10, 10)}


def inception(sym):
    data = sym.Variable("data")
    branches = [sym.Convolution(data, kernel=(size, size), pad=(size // 2, size // 2), num_filter=4, name="c%d" % size) for size in (1, 3, 5)]
    branches.append(sym.Pooling(data, kernel=(3, 3), stride=(1, 1), pad=(1, 1), pool_type="avg", name="avg"))
    parts = sym.SliceChannel(sym.Concat(*branches, name="concat"), num_outputs=3, name="split")
    net = sym.Deconvolution(parts[0] + parts[1] * parts[2], kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=2, name="up")
    return sym.LeakyReLU(net, act_type="leaky", slope=0.1, name="leaky"), {"data": (2, 3, 8, 8)}


def attention(sym):
    words = sym.Embedding(sym.Variable("data"), input_dim=11, output_dim=8, name="words")
    query, key, value = [sym.FullyConnected(words, num_hidden=8, flatten=False, name=each) for each in ("query", "key", "value")]
    scores = sym.softmax(sym.batch_dot(query, key, transpose_b=True, name="scores") / 3, axis=-1, name="weights")
    net = sym.LayerNorm(sym.batch_dot(scores, value, name="mix") + words, name="norm")
    return sym.topk(sym.mean(net, axis=1, name="mean"), k=2, ret_typ="both", name="best"), {"data": (2, 5)}


def recurrent(sym):
    steps = sym.SliceChannel(sym.Variable("data"), num_outputs=3, axis=1, squeeze_axis=True, name="steps")
    hidden = sym.FullyConnected(steps[0], num_hidden=6, name="first")
    for step in range(1, 3):
        gates = sym.SliceChannel(sym.FullyConnected(steps[step], num_hidden=12, name="i2h%d" % step) +
                                 sym.FullyConnected(hidden, num_hidden=12, name="h2h%d" % step), num_outputs=2, name="gates%d" % step)
        hidden = sym.sigmoid(gates[0]) * sym.tanh(gates[1]) + hidden
    return sym.Group([hidden, sym.LinearRegressionOutput(sym.sum(hidden, axis=1), name="sum")]), {"data": (4, 3, 5), "sum_label": (4,)}


NETWORKS = {each.__name__: each for each in (lenet, residual, inception, attention, recurrent)}


def drawn(net, shapes, rng):
    """(inputs, parameters) with values, states of statistics positive."""
    arguments, _, states = net.infer_shape(**shapes)
    made = {}
    for name, shape in zip(net.list_arguments() + net.list_auxiliary_states(), arguments + states):
        values = rng.uniform(0.5, 1.5, shape) if name.endswith(("gamma", "var")) else rng.normal(0, 0.5, shape)
        made[name] = (rng.integers(0, 11, shape) if name == "data" and len(shape) == 2 else values).astype("float32")
    return {name: made[name] for name in shapes}, {name: value for name, value in made.items() if name not in shapes}


def compare(name, mxnet, symc, folder):
    """Complaints about a network, and how many outputs agree."""
    net, shapes = NETWORKS[name](mxnet.sym)
    inputs, parameters = drawn(net, shapes, numpy.random.default_rng(7))
    internals = net.get_internals()
    states = set(net.list_auxiliary_states())
    given = {key: mxnet.nd.array(value) for key, value in {**inputs, **parameters}.items()}
    nodes = mxnet.sym.Group([internals[key] for key in internals.list_outputs() if key not in given])
    bound = nodes.bind(mxnet.cpu(), {key: given[key] for key in nodes.list_arguments()},
                       aux_states={key: given[key] for key in nodes.list_auxiliary_states()})
    wanted = dict(zip(nodes.list_outputs(), [each.asnumpy() for each in bound.forward(is_train=False)]))
    path = os.path.join(folder, name + "-symbol.json")
    net.save(path)
    complaints = []
    if symc.sym.load(path).get_internals().list_outputs() != internals.list_outputs():
        complaints.append("%s: names of outputs differ" % name)
    names = list(wanted)
    chosen = [names] + [[names[place]] for place in (0, len(names) // 3, 2 * len(names) // 3)] + [names[1::3]]
    agreed = 0
    for outputs in chosen:
        with symc.compile(path, {("aux:" if key in states else "arg:") + key: value for key, value in parameters.items()},
                          shapes, outputs=outputs) as model:
            if [each.name for each in model.outputs] != outputs:
                complaints.append("%s: outputs are %s, expected %s" % (name, [each.name for each in model.outputs], outputs))
            found = model(**{each.name: inputs[each.name] for each in model.inputs})
        for key, got in zip(outputs, found if isinstance(found, list) else [found]):
            value = wanted[key]
            far = numpy.abs(got - value).max() if got.shape == value.shape else numpy.inf
            if not far <= BOUND * max(1.0, numpy.abs(value).max()):
                complaints.append("%s of %d outputs: %s is %g away, shapes %s and %s" % (name, len(outputs), key, far, got.shape, value.shape))
            agreed += 1
    return complaints, agreed - len(complaints)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package")
    parser.add_argument("networks", nargs="*", default=list(NETWORKS))
    options = parser.parse_args()
    for name in options.networks:
        if name not in NETWORKS:
            parser.error("there is no network '%s'; there are %s" % (name, ", ".join(NETWORKS)))
    sys.path.insert(0, os.path.abspath(options.package))
    os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"  # oneDNN's fusion leaves no node between convolution and batch norm
    import mxnet
    import symc
    warnings.simplefilter("ignore")
    agreed, complaints = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.networks:
            found, count = compare(name, mxnet, symc, folder)
            complaints += found
            agreed += count
    print("\n".join([*complaints, "%d outputs of %d networks agree, %d complaints" % (agreed, len(options.networks), len(complaints))]))
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()

"""The networks of this folder: their files, options, inputs, and numbers of parameters.

A network's parameters are the arguments that are neither inputs nor labels; moving means and variances are none.
"""
import importlib
import inspect
import math
import os
import sys
from collections import namedtuple

#: `module` and `options` of get_symbol; `size`: pixels of a side, or words; `parameters` in all.
Network = namedtuple("Network", "module options size parameters")

NETWORKS = {
    "mlp": Network("mlp", {}, 28, 109386),
    "lenet": Network("lenet", {}, 28, 431080),
    "lenet-stn": Network("lenet", {"add_stn": True}, 28, 448486),
    "alexnet": Network("alexnet", {}, 227, 62378344),
    "vgg11": Network("vgg", {"num_layers": 11}, 224, 132863336),
    "vgg16": Network("vgg", {"num_layers": 16}, 224, 138357544),
    "googlenet": Network("googlenet", {}, 224, 6998552),
    "inception-bn": Network("inception_bn", {}, 224, 11295240),
    "inception-v3": Network("inception_v3", {}, 299, 23834568),
    "resnet18-v1": Network("resnet_v1", {"num_layers": 18}, 224, 11693736),
    "resnet50-v1": Network("resnet_v1", {"num_layers": 50}, 224, 25557032),
    "resnet18-v2": Network("resnet_v2", {"num_layers": 18}, 224, 11691950),
    "resnet50-v2": Network("resnet_v2", {"num_layers": 50}, 224, 25549486),
    "resnext50": Network("resnext", {"num_layers": 50}, 224, 25028910),
    "mobilenet": Network("mobilenet", {}, 224, 4231976),
    "mobilenet-v2": Network("mobilenet_v2", {}, 224, 3505960),
    "densenet121": Network("densenet", {"num_layers": 121}, 224, 7978862),
    "squeezenet1.0": Network("squeezenet", {"version": "1.0"}, 227, 1248424),
    "squeezenet1.1": Network("squeezenet", {"version": "1.1"}, 227, 1235496),
    "ssd300": Network("ssd", {}, 300, 26285486),
    "lstm-unrolled": Network("lstm", {}, 35, 19780400),
    "lstm-fused": Network("lstm", {"fused": True}, 35, 19780400),
    "bert-base": Network("bert", {}, 128, 109482240),
}


def module_of(network):
    """The file of a network, as a module of this folder."""
    folder = os.path.dirname(os.path.abspath(__file__))
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(network.module)


def compose(name, size=None, **options):
    """A network's symbol and the shapes of its inputs for a batch of one; `size` in place of its own."""
    network = NETWORKS[name]
    size = size or network.size
    options = {**network.options, **options}
    module = module_of(network)
    if network.module == "lstm":
        options.setdefault("length", size)
    elif "image_size" in inspect.signature(module.get_symbol).parameters:
        options.setdefault("image_size", size)
    symbol = module.get_symbol(**options)
    if network.module == "lstm":
        shapes = {"data": (size, 1)}
        found = zip(symbol.list_arguments(), symbol.infer_shape(**shapes)[0])
        shapes.update({key: shape for key, shape in found if "begin_state" in key})
    elif network.module == "bert":
        shapes = {"data": (1, size), "token_types": (1, size), "valid_length": (1,)}
    else:
        shapes = {"data": (1, 1 if network.module in ("mlp", "lenet") else 3, size, size)}
    return symbol, shapes


def highest(name, argument, shapes):
    """What numbers of an input lie below, those of words; a whole length; None for other inputs."""
    module = NETWORKS[name].module
    return {("bert", "data"): 30522, ("bert", "token_types"): 2, ("lstm", "data"): 10000,
            ("bert", "valid_length"): shapes["data"][-1]}.get((module, argument))


def is_parameter(name, inputs):
    return name not in inputs and not name.endswith("label")


def count_parameters(symbol, shapes):
    found = symbol.infer_shape(**shapes)[0]
    return sum(math.prod(shape) for name, shape in zip(symbol.list_arguments(), found) if is_parameter(name, shapes))

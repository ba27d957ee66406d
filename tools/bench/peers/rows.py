"""The rows of compare_peers: networks, their inputs and how far ahead symc is to be.

A bar is the least ratio peer time / symc time, for one and for two threads. It
counts for default math on the default instruction sets; the other settings of
compare_peers have the bars of `bars_for`.
"""
from collections import namedtuple

# source: "zoo" (exported by tools/scripts/oracles/export_nets.py), "model" (a file of the
# folder of public models), "int8" (a symbol of that folder, parameters made by export_int8.py)
# "recurrent" (made by export_recurrent.py) or "bert" (made by export_bert.py); "gluoncv" is
# compare_zoo's (made by ../zoo/export_net.py).
# peers: the runtimes that the bar is about; the fastest of them counts.
Row = namedtuple("Row", "name source model shape batch peers bars note")

OPENVINO, ONNX, MXNET = "openvino", "onnxruntime", "mxnet"


def zoo(name, model, side, one, two, batch=1):
    return Row(name + ("" if batch == 1 else "-b%d" % batch), "zoo", model, (batch, 3, side, side), batch,
               (OPENVINO,), {1: one, 2: two}, "")


def public(name, model, shape, peers, bars, note=""):
    return Row(name, "model", model, shape, shape[0], peers, bars, note)


def recurrent(name, mode, batch, one, two):
    return Row(name, "recurrent", mode, (64, batch, 512), batch, (OPENVINO, ONNX), {1: one, 2: two}, "")


def bert(name, model, batch, one, two, length=128):
    return Row(name, "bert", model, (length, batch, 768), batch, (OPENVINO,), {1: one, 2: two}, "")


ROWS = (
    zoo("resnet50", "resnet50_v1", 224, 1.3, 1.25),
    zoo("resnet18", "resnet18_v1", 224, 2.0, 1.8),
    zoo("vgg16", "vgg16", 224, 2.0, 1.8),
    zoo("inceptionv3", "inceptionv3", 299, 1.25, 1.2),
    zoo("densenet121", "densenet121", 224, 1.15, 1.15),
    zoo("mobilenetv2", "mobilenet_v2_1_0", 224, 1.2, 1.15),
    zoo("squeezenet1.0", "squeezenet1_0", 224, 1.1, 1.1),
    zoo("mobilenet1.0", "mobilenet1_0", 224, 1.1, 1.1),
    public("mobilefacenet", "mobileface_V3", (1, 3, 112, 112), (OPENVINO,), {1: 1.4, 2: 1.2}),
    public("mtcnn-det1", "det1", (1, 3, 240, 320), (OPENVINO,), {1: 1.4, 2: 1.2}),
    public("mtcnn-det2", "det2", (1, 3, 24, 24), (OPENVINO,), {1: 1.4, 2: 1.2}),
    public("mtcnn-det3", "det3", (1, 3, 48, 48), (OPENVINO,), {1: 1.4, 2: 1.2}),
    # Also: at most so many times the bound of their FLOPs and bytes.
    public("mlp", "mnist-mlp", (1, 1, 28, 28), (MXNET,), {1: 10.0}, "bound 2"),
    public("lenet", "lenet", (1, 1, 28, 28), (MXNET,), {1: 10.0}, "bound 4"),
    recurrent("lstm", "lstm", 1, 1.05, 1.05),
    recurrent("gru", "gru", 1, 1.05, 1.05),
    recurrent("lstm-b16", "lstm", 16, 1.15, 1.1),
    recurrent("gru-b16", "gru", 16, 1.15, 1.1),
    bert("bert", "bert-base", 1, 1.0, 1.0),
    bert("bert-lengths", "bert-base-lengths", 1, 1.0, 1.0),
    bert("bert-b8", "bert-base", 8, 1.0, 1.0),
    bert("bert-lengths-b8", "bert-base-lengths", 8, 1.0, 1.0),
    bert("bert-32", "bert-base", 1, 1.0, 1.0, 32),
    bert("bert-32-b8", "bert-base", 8, 1.0, 1.0, 32),
    bert("bert-384", "bert-base", 1, 1.0, 1.0, 384),
    bert("bert-384-b8", "bert-base", 8, 1.0, 1.0, 384),
    bert("bert-512", "bert-base", 1, 1.0, 1.0, 512),
    bert("bert-512-b8", "bert-base", 8, 1.0, 1.0, 512),
    zoo("resnet50", "resnet50_v1", 224, 1.15, 1.15, 16),
    zoo("mobilenetv2", "mobilenet_v2_1_0", 224, 1.15, 1.15, 16),
    Row("resnet50-int8", "int8", "resnet50int8", (1, 3, 224, 224), 1, (OPENVINO,), {1: 1.0}, "on VNNI"),
)


def bars_for(row, math, avx2):
    """Bars of a row under the settings of the run; AVX2 has one for the geometric mean."""
    if avx2:
        return {}
    if math == "strict":
        return {threads: 0.95 if row.name == "vgg16" else 1.0 for threads in row.bars}
    return row.bars


AVX2_GEOMETRIC_MEAN = 1.1


def select(names):
    """Rows by name, separated by commas; all where nothing is named."""
    wanted = [name for name in names.split(",") if name]
    unknown = set(wanted) - {row.name for row in ROWS}
    if unknown:
        raise ValueError("no such row: %s; rows are %s"
                         % (", ".join(sorted(unknown)), ", ".join(row.name for row in ROWS)))
    return [row for row in ROWS if not wanted or row.name in wanted]

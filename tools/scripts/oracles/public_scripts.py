#!/usr/bin/env python3
"""Runs MXNet's own example scripts, unchanged, with symc in mxnet's place: what they compose and what they predict.

  public_scripts.py --package BUILD/python --source MXNET [KIND...] [--markdown]    MXNET: a checkout of MXNet 1.9.1

Each kind is a folder of its examples. A script's networks are composed by its own functions, get drawn parameters and
predict on drawn inputs; scripts that train are run as they are and train, on small data made here. Each kind runs in a
process of its own. Modules that draw figures are stand-ins. The Python needs NumPy, SciPy, scikit-learn, pandas, Pillow and OpenCV, which the scripts import.
Exit status: 0 all kinds ran but for those that stop under MXNet too (KNOWN), 1 another did not, 2 wrong usage.
"""
import argparse
import importlib
import inspect
import os
import runpy
import shutil
import struct
import subprocess
import sys
import tempfile
import traceback
import warnings

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
import mxnet_alias

KINDS = {}
#: What stops a kind under MXNet 1.9.1, too.
KNOWN = {"speech_recognition": "WarpCTC"}
mx = None
done = []  # what ran, in words


def kind(folder, title):
    """Registers a function that runs the scripts of a folder; it gets the folder's path."""
    def register(function):
        KINDS[folder] = title, function
        return function
    return register


# --- Data and networks of scripts -----------------------------------------------

def text_file(path, lines=400):
    """Sentences of 4 to 30 words."""
    import random
    draw = random.Random(1)
    words = ["w%d" % number for number in range(50)]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(lines):
            file.write(" ".join(draw.choice(words) for _ in range(draw.randint(4, 30))) + "\n")


def digits(folder):
    """MNIST's four files, of 600 and 200 pictures: ten drawn ones under noise."""
    import numpy
    rng = numpy.random.default_rng(1)
    os.makedirs(folder, exist_ok=True)
    pictures = rng.integers(0, 255, (10, 28, 28))
    for part, count in (("train", 600), ("t10k", 200)):
        labels = rng.integers(0, 10, count).astype("uint8")
        noisy = (0.7 * pictures[labels] + 0.3 * rng.integers(0, 255, (count, 28, 28))).astype("uint8")
        for name, magic, values in (("images-idx3", 2051, noisy), ("labels-idx1", 2049, labels)):
            with open(os.path.join(folder, "%s-%s-ubyte" % (part, name)), "wb") as file:
                file.write(struct.pack(">%di" % (values.ndim + 1), magic, *values.shape) + values.tobytes())


def stand_in(*names):
    """Modules of which everything may be called."""
    from unittest import mock
    for name in names:
        sys.modules.setdefault(name, mock.MagicMock())


def script(path, *words):
    """Runs a script as its command line does."""
    before = sys.argv[:], os.getcwd()
    sys.argv = [path, *words]
    try:
        runpy.run_path(path, run_name="__main__")
    finally:
        sys.argv = before[0]
        os.chdir(before[1])
    done.append("%s ran" % os.path.basename(path))


def predicted(name, symbol, data, most=None, label=()):
    """Draws parameters and computes a network for inputs of these shapes, values up to those in `most`. `label`: names
    of labels, with shapes where the network does not decide them."""
    import numpy
    rng = numpy.random.default_rng(1)
    module = mx.mod.Module(symbol, list(data), list(label))
    module.bind(list(data.items()), list(label.items()) if isinstance(label, dict) else None)
    module.init_params(_Any())
    arrays = [mx.nd.array(rng.uniform(0, (most or {}).get(key, 1), shape)) for key, shape in data.items()]
    labels = [mx.nd.zeros(shape) for shape in label.values()] if isinstance(label, dict) else None
    module.forward(mx.io.DataBatch(arrays, labels))
    outputs = module.get_outputs()
    for each in outputs:
        if not numpy.isfinite(each.asnumpy()).all():
            raise AssertionError("%s gives NaN or infinity" % name)
    done.append("%s %s" % (name, "x".join(map(str, outputs[0].shape))))


class _Any:
    """Draws whatever a parameter is called."""

    def __call__(self, name, array):
        import numpy
        array[...] = 1 if name.endswith(("gamma", "var")) else numpy.random.uniform(-0.05, 0.05, array.shape)


def composed(count, what):
    done.append("%d %s composed" % (count, what))


# --- The kinds ------------------------------------------------------------------

@kind("image-classification", "networks for classification")
def image_classification(folder):
    names = sorted(each[:-3] for each in os.listdir(os.path.join(folder, "symbols"))
                   if each.endswith(".py") and each != "__init__.py")
    for name in names:
        module = importlib.import_module("symbols." + name)
        size = 299 if "inception-v" in name or "inception-resnet" in name else 28 if name in ("lenet", "mlp") else 224
        depth = 16 if name == "vgg" else 50
        given = {"image_shape": "3,%d,%d" % (size, size), "num_layers": depth, "dtype": "float32"}
        accepted = inspect.signature(module.get_symbol).parameters
        if not any(each.kind is each.VAR_KEYWORD for each in accepted.values()):
            given = {key: value for key, value in given.items() if key in accepted}
        net = module.get_symbol(num_classes=10, **given)
        net.infer_shape(data=(1, 3, size, size))
    composed(len(names), "networks")
    get = importlib.import_module("symbols.resnet").get_symbol
    predicted("resnet-20", get(10, 20, "3,28,28"), {"data": (2, 3, 28, 28)}, label=["softmax_label"])
    get = importlib.import_module("symbols.mobilenetv2").get_symbol
    predicted("mobilenetv2", get(10), {"data": (1, 3, 224, 224)}, label=["softmax_label"])


@kind("ssd", "detection in one pass")
def ssd(folder):
    factory = importlib.import_module("symbol.symbol_factory")
    for network in ("vgg16_reduced", "inceptionv3", "resnet50", "resnet101"):
        size = 300 if network != "inceptionv3" else 512
        with mx.name.NameManager():
            factory.get_symbol(network, size, num_classes=3).infer_shape(data=(1, 3, size, size))
        with mx.name.NameManager():
            factory.get_symbol_train(network, size, num_classes=3).infer_shape(data=(1, 3, size, size), label=(1, 4, 6))
    composed(8, "networks")
    with mx.name.NameManager():
        net = factory.get_symbol("resnet50", 300, num_classes=3)
    import numpy
    module = mx.mod.Module(net, label_names=None)
    module.bind([("data", (1, 3, 128, 128))])
    module.init_params(_Any())
    module.save_checkpoint("ssd", 1)
    detector = importlib.import_module("detect.detector").Detector(None, "ssd", 1, 128, (123, 117, 104))
    found = detector.detect_batch(detector.create_batch(numpy.full((90, 120, 3), 100, "uint8")))
    done.append("detector.py found %d boxes" % len(found[0]))


@kind("rcnn", "detection by regions")
def rcnn(folder):
    sizes = dict(anchor_scales=(8, 16, 32), anchor_ratios=(0.5, 1, 2), rpn_feature_stride=16, rpn_pre_topk=200,
                 rpn_post_topk=20, rpn_nms_thresh=0.7, rpn_min_size=4, num_classes=5, rcnn_feature_stride=16,
                 rcnn_pooled_size=(7, 7), rcnn_batch_size=1)
    vgg = importlib.import_module("symnet.symbol_vgg").get_vgg_test(**sizes)
    vgg.infer_shape(data=(1, 3, 128, 160), im_info=(1, 3))
    sizes["rcnn_pooled_size"] = (14, 14)
    net = importlib.import_module("symnet.symbol_resnet").get_resnet_test(
        units=(3, 4, 6, 3), filter_list=(256, 512, 1024, 2048), **sizes)
    composed(2, "networks")
    predicted("resnet-50", net, {"data": (1, 3, 128, 160), "im_info": (1, 3)}, {"im_info": 100})


@kind("fcn-xs", "segmentation")
def fcn_xs(folder):
    symbols = importlib.import_module("symbol_fcnxs")
    nets = [symbols.get_fcn32s_symbol(5), symbols.get_fcn16s_symbol(5), symbols.get_fcn8s_symbol(5)]
    composed(3, "networks")
    import numpy
    from PIL import Image
    shapes = {"data": (1, 3, 64, 64), "softmax_label": (1, 64 * 64)}
    arguments, _, _ = nets[2].infer_shape(**shapes)
    rng = numpy.random.default_rng(1)
    mx.model.save_checkpoint("FCN8s_VGG16", 19, nets[2], {
        name: mx.nd.array(rng.uniform(-.01, .01, shape)) for name, shape in zip(nets[2].list_arguments(), arguments)
        if name not in shapes}, {})
    Image.fromarray(numpy.full((64, 64, 3), 90, "uint8")).save("in.jpg")
    script(os.path.join(folder, "image_segmentaion.py"), "--input", "in.jpg", "--output", "out.png")
    done.append("a mask of %dx%d" % Image.open("out.png").size)


@kind("neural-style", "style transfer")
def neural_style(folder):
    open("find_mxnet.py", "w").close()
    style, content = importlib.import_module("model_vgg19").get_symbol()
    predicted("vgg19", mx.sym.Group([style, content]), {"data": (1, 3, 48, 64)})
    sys.path.insert(0, os.path.join(folder, "end_to_end"))
    predicted("generator", importlib.import_module("gen_v4").get_generator("g", (48, 64)), {"g_data": (1, 3, 48, 64)})


@kind("ctc", "text in images")
def ctc(folder):
    import cv2
    import numpy
    lstm = importlib.import_module("lstm")
    net = lstm.lstm_unroll(2, 80, 100, 4, "ctc")
    shapes = dict([("data", (1, 80, 30)), ("label", (1, 4)), *lstm.init_states(1, 2, 100)])
    arguments, _, _ = net.infer_shape(**shapes)
    rng = numpy.random.default_rng(1)
    mx.model.save_checkpoint("ocr", 100, net, {
        name: mx.nd.array(rng.uniform(-.1, .1, shape)) for name, shape in zip(net.list_arguments(), arguments)
        if name not in shapes}, {})
    cv2.imwrite("digits.png", numpy.full((30, 80), 200, "uint8"))
    script(os.path.join(folder, "lstm_ocr_infer.py"), "digits.png")


@kind("cnn_text_classification", "sentences by convolutions")
def cnn_text(folder):
    open("word2vec.py", "w").close()  # for vectors that are trained elsewhere
    module = importlib.import_module("text_cnn")
    net, data, label = module.sym_gen(4, 20, 30, 100, filter_list=[3, 4, 5], num_filter=10, dropout=0.5)
    predicted("text_cnn", net, {data[0]: (4, 20)}, {data[0]: 99}, label=label)


@kind("rnn/bucketing", "language models in buckets")
def bucketing(folder):
    for part in ("train", "test", "valid"):
        text_file("data/sherlockholmes.%s.txt" % part)
    small = ["--num-hidden", "16", "--num-embed", "16", "--batch-size", "8"]
    script(os.path.join(folder, "lstm_bucketing.py"), *small)
    fused = [*small, "--model-prefix", "net", "--bidirectional"]
    script(os.path.join(folder, "cudnn_rnn_bucketing.py"), *fused)
    script(os.path.join(folder, "cudnn_rnn_bucketing.py"), *fused, "--test", "--load-epoch", "1")


@kind("rnn/old", "networks unrolled by hand")
def old_rnn(folder):
    for name, states in (("lstm", ("c", "h")), ("gru", ("h",))):
        module = importlib.import_module(name)
        net = getattr(module, name + "_unroll")(2, 6, 50, 16, 8, 50)
        inputs = {"data": (3, 6), **{"l%d_init_%s" % (layer, each): (3, 16) for layer in range(2) for each in states}}
        predicted(name, net, inputs, {"data": 49}, label={"softmax_label": (3, 6)})
    net = importlib.import_module("rnn").rnn_unroll(2, 6, 50, 16, 8, 50)
    inputs = {"data/%d" % step: (3,) for step in range(6)}
    predicted("rnn", net, {**inputs, **{"l%d_init_h" % layer: (3, 16) for layer in range(2)}},
              dict.fromkeys(inputs, 49), label=["label/%d" % step for step in range(6)])


@kind("rnn/word_lm", "a language model that keeps its states")
def word_lm(folder):
    import numpy
    model, module = importlib.import_module("model"), importlib.import_module("module")
    pred, states, names = model.rnn(5, 40, 16, 16, 2, 0.5, 3, True)
    made = module.CustomStatefulModule(model.softmax_ce_loss(pred), states, names)
    made.bind([("data", (5, 3))], label_shapes=[("label", (5, 3))])
    made.init_params(mx.init.Xavier())
    losses = []
    for _ in range(2):
        made.forward(mx.io.DataBatch([numpy.ones((5, 3))], [numpy.ones((5, 3))]), is_train=False)
        losses.append(float(made.get_loss()[0].sum().asscalar()))
    if losses[0] == losses[1]:
        raise AssertionError("the states are not carried")
    done.append("module.py carried states over 2 batches")
    for part in ("train", "valid", "test"):
        text_file("data/sherlockholmes.%s.txt" % part)
    script(os.path.join(folder, "train.py"), "--emsize", "16", "--nhid", "16", "--epochs", "2", "--batch_size", "8", "--bptt", "7",
           "--tied", "--log-interval", "50")


@kind("named_entity_recognition", "tags of words")
def ner(folder):
    import pandas
    rows = [{"token": ["w%d" % (k % 7) for k in range(6)], "BILOU_tag": ["O", "B", "O", "L", "O", "U"]} for _ in range(300)]
    os.makedirs("data")
    pandas.DataFrame(rows).to_pickle("data/ner_data.pkl")
    os.makedirs("src")
    os.chdir("src")
    script(os.path.join(folder, "src", "ner.py"), "--data-dir", "../data", "--output-dir", "out", "--batch-size", "8",
           "--word-embed", "16", "--lstm-state-size", "8", "--char-embed", "4", "--buckets", "10")


@kind("multivariate_time_series", "forecasts")
def time_series(folder):
    module = importlib.import_module("lstnet")
    import numpy
    rows = mx.io.NDArrayIter(numpy.zeros((4, 12, 3)), numpy.zeros((4, 3)), batch_size=2)
    net, data, label = module.sym_gen(rows, 12, [2, 3], 5, 0.2, [mx.rnn.GRUCell(6)], [mx.rnn.LSTMCell(6)], 4, 1)
    predicted("lstnet", net, {data[0]: (2, 12, 3)}, label=label)


@kind("speech_recognition", "speech")
def speech(folder):
    import configparser
    arch = importlib.import_module("arch_deepspeech")
    config = configparser.ConfigParser()
    config.read(os.path.join(folder, "deepspeech.cfg"))
    if not config.sections():
        config.read_dict({"common": {"mode": "train", "batch_size": "2"}, "arch": {
            "channel_num": "8", "conv_layer1_filter_dim": "[11, 41]", "conv_layer1_stride": "[2, 2]",
            "conv_layer2_filter_dim": "[11, 21]", "conv_layer2_stride": "[1, 2]", "num_rnn_layer": "2",
            "num_hidden_rnn_list": "[12, 12]", "num_hidden_proj": "0", "num_rear_fc_layers": "1",
            "num_hidden_rear_fc_list": "[12]", "act_type_rear_fc_list": '["relu"]', "rnn_type": "bigru",
            "max_t_count": "60", "max_label_length": "10", "n_classes": "28", "is_batchnorm": "True",
            "is_bucketing": "False"}})
    for key, value in (("max_t_count", "60"), ("max_label_length", "10"), ("n_classes", "28")):  # which its main sets
        if not config.has_option("arch", key):
            config.set("arch", key, value)
    args = argparse.Namespace(config=config)
    net = arch.arch(args)
    inputs = dict([("data", (2, 60, 161)), *arch.prepare_data(args)])
    if "WarpCTC" in net.tojson():
        net = net.get_internals()[net.get_internals().list_outputs()[-3]]
    predicted("deepspeech", net, inputs, label=["label"])


@kind("nce-loss", "word vectors")
def nce(folder):
    nets = importlib.import_module("wordvec_net")
    predicted("wordvec", nets.get_word_net(60, 4), {"data": (3, 4)}, {"data": 59},
              label={"label": (3, 5), "label_weight": (3, 5)})
    predicted("lstm", importlib.import_module("lstm_net").get_lstm_net(60, 4, 2, 100), {
        "data": (3, 4), **{"l%d_init_%s" % (layer, each): (3, 100) for layer in range(2) for each in "ch"}},
        {"data": 59}, label={"label": (3, 4, 5), "label_weight": (3, 4, 5)})
    script(os.path.join(folder, "toy_nce.py"))


@kind("neural_collaborative_filtering", "recommendation")
def recommendation(folder):
    get = importlib.import_module("core.model").get_model
    for name in ("mlp", "gmf", "neumf"):
        net = get(name, factor_size_mlp=8, factor_size_gmf=8, model_layers=[16, 16, 8], max_user=50, max_item=40)
        predicted(name, net, {"user": (4,), "item": (4,)}, {"user": 49, "item": 39}, label=["softmax_label"])


@kind("module", "modules after each other")
def modules(folder):
    shutil.copytree(folder, "module")  # the scripts keep their data beside themselves
    digits(os.path.join("module", "data"))
    script(os.path.abspath(os.path.join("module", "mnist_mlp.py")))
    script(os.path.abspath(os.path.join("module", "sequential_module.py")))


@kind("numpy-ops", "operators and losses of one's own")
def numpy_operators(folder):
    digits("data")
    script(os.path.join(folder, "custom_softmax.py"))
    script(os.path.join(folder, "weighted_logistic_regression.py"))


@kind("stochastic-depth", "a module of one's own")
def stochastic_depth(folder):
    shutil.copytree(folder, "depth")
    digits(os.path.join("depth", "data"))
    os.chdir("depth")
    sys.path.insert(0, os.getcwd())
    script(os.path.abspath("sd_mnist.py"))


@kind("dsd", "an optimizer of one's own")
def dense_sparse_dense(folder):
    digits("data")
    script(os.path.join(folder, "mlp.py"), "--pruning_switch_epoch", "2,4", "--weight_sparsity", "50,0", "--bias_sparsity", "0,0")


@kind("kaggle-ndsb2", "FeedForward on rows of CSV")
def heart(folder):
    import numpy
    rng = numpy.random.default_rng(1)
    for name, count in (("train", 32), ("validate", 2)):
        numpy.savetxt(name + "-64x64-data.csv", rng.integers(0, 256, (count, 30 * 64 * 64)), "%d", ",")
        numpy.savetxt(name + "-label.csv", numpy.column_stack([numpy.arange(count) // 2 + 1, rng.uniform(50, 300, (count, 2))]), "%g", ",")
    os.makedirs("data")
    with open(os.path.join("data", "sample_submission_validate.csv"), "w") as file:
        file.write("Id," + ",".join("P%d" % each for each in range(600)) + "\n")
        for each in ("1_Diastole", "1_Systole"):
            file.write(each + "," + ",".join(["0"] * 600) + "\n")
    script(os.path.join(folder, "Train.py"))


@kind("bayesian-methods", "executors and updates in a loop")
def bayesian(folder):
    import numpy
    stand_in("matplotlib", "matplotlib.pyplot")
    rng = numpy.random.default_rng(1)
    pictures, labels = rng.uniform(0, 2, (300, 784)).astype("float32"), rng.integers(0, 10, 300).astype("float32")
    demo, algos = importlib.import_module("bdk_demo"), importlib.import_module("algos")
    shared = dict(sym=demo.get_mnist_sym(), X=pictures, Y=labels, X_test=pictures[:100], Y_test=labels[:100],
                  total_iter_num=60, prior_precision=1.0, minibatch_size=100, dev=mx.cpu(),
                  initializer=mx.init.Xavier(factor_type="in", magnitude=2.34),
                  data_inputs={"data": mx.nd.zeros((100, 784)), "softmax_label": mx.nd.zeros((100,))})
    algos.SGD(lr=5e-6, **shared)
    algos.SGLD(learning_rate=4e-6, thin_interval=20, burn_in_iter_num=20, **shared)
    done.append("SGD and SGLD of algos.py ran")


# --- Running --------------------------------------------------------------------

def run(name, options):
    """One kind, in this process. Prints what ran, or what stopped it."""
    global mx
    folder = os.path.join(os.path.abspath(options.source), "example", *name.split("/"))
    for each in (folder, os.path.join(folder, "src")):
        sys.path.insert(0, each)
    mx = mxnet_alias.install(options.package)
    warnings.simplefilter("ignore")
    output = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what scripts print
    try:
        with tempfile.TemporaryDirectory() as work:
            os.chdir(work)
            sys.path.insert(0, work)
            KINDS[name][1](folder)
            os.chdir("/")
        verdict = "ran\t" + "; ".join(done)
    except BaseException as error:  # whatever a script ends with
        if options.trace:
            traceback.print_exc()
        place = traceback.extract_tb(error.__traceback__)
        at = next((each for each in reversed(place) if each.filename.startswith(folder)), place[-1])
        verdict = "stopped\t%s:%d: %s: %s%s" % (os.path.basename(at.filename), at.lineno, type(error).__name__,
                                               (str(error).strip().splitlines() or [""])[0][:200],
                                               " (before it: %s)" % "; ".join(done) if done else "")
    os.write(output, (verdict + "\n").encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--markdown", action="store_true", help="print the table of docs/python-symbols.md")
    parser.add_argument("--trace", action="store_true", help="print the trace of what stops a kind")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("kinds", nargs="*", default=list(KINDS))
    options = parser.parse_args()
    if options.inside:
        run(options.inside, options)
        return
    if not os.path.isdir(os.path.join(options.source, "example")):
        sys.exit("public_scripts: error: %s has no folder example" % options.source)
    if options.markdown:
        print("| folder | what | runs |\n|---|---|---|")
    ran = failed = 0
    for name in options.kinds:
        if name not in KINDS:
            parser.error("there is no kind '%s'; there are %s" % (name, ", ".join(KINDS)))
        command = [sys.executable, os.path.abspath(__file__), "--package", options.package, "--source", options.source,
                   "--inside", name] + (["--trace"] if options.trace else [])
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=None if options.trace else subprocess.PIPE, text=True)
        verdict, _, words = ended.stdout.strip().partition("\t")
        if verdict not in ("ran", "stopped"):
            verdict, words = "stopped", "the process ended with %d" % ended.returncode
        ran += verdict == "ran"
        failed += verdict != "ran" and KNOWN.get(name, "\0") not in words
        if options.markdown:
            print("| `%s` | %s | %s: %s |" % (name, KINDS[name][0], "yes" if verdict == "ran" else "no", words))
        else:
            print("%-8s %s: %s" % (verdict, name, words))
        sys.stdout.flush()
    if not options.markdown:
        print("%d of %d kinds ran" % (ran, len(options.kinds)))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

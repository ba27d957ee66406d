"""Steps of training from equal parameters, by Module under MXNet and under symc, and by what `symc train` compiles: what
trainer_steps_test.py and tools/scripts/oracles/trainers.py share. Numbers are drawn by sines. No bias stands in front of a
norm, and Adam and LAMB have a large epsilon: where a gradient is rounding alone they would scale it up.
"""
import ctypes
import os
import subprocess
import sys

import numpy as np

BATCH, STEPS = 4, 5
NETS, COMPILED, CASES = {}, {}, []


def net(shape):
    """A network and the shape of a row of its data."""
    def add(function):
        NETS[function.__name__] = function, shape
        return function
    return add


def drawn(seed, *shape):
    count = int(np.prod(shape))
    return np.sin(12.9898 * np.arange(1, count + 1) + 78.233 * (seed + 1)).reshape(shape).astype("float32")


@net((3, 9, 9))
def convolutions(mx):
    """Layers of 3, 17, 20, 33 and 50 channels, one of them in groups, with norms between them."""
    sym, at = mx.sym, mx.sym.Variable("data")
    for name, options in (("conv17", {"num_filter": 17, "kernel": (3, 3), "pad": (1, 1)}),
                          ("conv20", {"num_filter": 20, "kernel": (3, 3), "stride": (2, 2)}),
                          ("group20", {"num_filter": 20, "kernel": (3, 3), "pad": (1, 1), "num_group": 4}),
                          ("conv33", {"num_filter": 33, "kernel": (1, 1)})):
        at = sym.Convolution(at, no_bias=True, name=name, **options)
        at = sym.Activation(sym.BatchNorm(at, fix_gamma=False, momentum=0.8, name=name + "_bn"), act_type="tanh")
    at = sym.Activation(sym.Convolution(at, num_filter=50, kernel=(2, 2), name="conv50"), act_type="sigmoid")
    at = sym.Pooling(at, kernel=(3, 3), pool_type="avg", name="pool")
    return sym.SoftmaxOutput(sym.FullyConnected(sym.Flatten(at), num_hidden=5, name="fc"), name="softmax")


@net((9, 9, 3))
def last(mx, compiled=False):
    """Channels last, in groups, too; MXNet computes such layers on no processor, so that a Module transposes around them."""
    sym, at, before = mx.sym, mx.sym.Variable("data"), 3
    for channels, groups in ((20, 1), (33, 1), (33, 3), (50, 1)):
        name = "conv%d_%d" % (channels, groups)
        weight = sym.Variable(name + "_weight", shape=(channels, 3, 3, before // groups))
        options = {"kernel": (3, 3), "pad": (1, 1), "num_filter": channels, "num_group": groups, "no_bias": True, "name": name}
        if compiled:
            at = sym.Convolution(at, weight, layout="NHWC", **options)
        else:
            at, weight = (sym.transpose(each, axes=(0, 3, 1, 2)) for each in (at, weight))
            at = sym.transpose(sym.Convolution(at, weight, **options), axes=(0, 2, 3, 1))
        at = sym.Activation(sym.BatchNorm(at, axis=3, fix_gamma=False, momentum=0.8, name=name + "_bn"), act_type="tanh")
        before = channels
    return sym.SoftmaxOutput(sym.FullyConnected(sym.mean(at, axis=(1, 2)), num_hidden=5, name="fc"), name="softmax")


COMPILED["last"] = lambda mx: last(mx, compiled=True)


@net((17,))
def tied(mx):
    """Two layers with one weight, and multipliers of rates as attributes."""
    sym, shared = mx.sym, mx.sym.Variable("shared_weight", lr_mult=0.5)
    at = sym.Activation(sym.FullyConnected(sym.Variable("data"), shared, num_hidden=17, name="fc1"), act_type="tanh")
    at = sym.Activation(sym.FullyConnected(at, shared, num_hidden=17, name="fc2"), act_type="tanh")
    last = {"weight": sym.Variable("last_weight", wd_mult=2.0),
            "bias": sym.Variable("last_bias", lr_mult=3.0, wd_mult=0.5)}
    return sym.SoftmaxOutput(sym.FullyConnected(at, num_hidden=5, name="last", **last), name="softmax")


@net((6, 8))
def rows(mx):
    """A layer for each place of a sequence, a norm of rows, and a table."""
    sym = mx.sym
    at = sym.FullyConnected(sym.Variable("data"), num_hidden=20, flatten=False, name="place")
    at = sym.Activation(sym.LayerNorm(at, name="norm"), act_type="tanh")
    at = sym.Activation(sym.FullyConnected(at, num_hidden=33, name="wide"), act_type="tanh")
    return sym.SoftmaxOutput(sym.FullyConnected(at, num_hidden=5, name="fc"), name="softmax")


@net((17,))
def wide(mx):
    """A weight of several of the ranges that an update cuts parameters into."""
    sym = mx.sym
    at = sym.Activation(sym.FullyConnected(sym.Variable("data"), num_hidden=2500, name="wide"), act_type="tanh")
    return sym.SoftmaxOutput(sym.FullyConnected(at, num_hidden=5, name="fc"), name="softmax")


@net((3, 9, 9))
def fixed(mx):
    """Norms that take their gamma as 1, which MXNet writes into the array."""
    sym, at = mx.sym, mx.sym.Variable("data")
    for channels, options in ((17, {}), (20, {"momentum": 0.8})):
        at = sym.Convolution(at, num_filter=channels, kernel=(3, 3), no_bias=True, name="conv%d" % channels)
        at = sym.Activation(sym.BatchNorm(at, name="bn%d" % channels, **options), act_type="relu")
    return sym.SoftmaxOutput(sym.FullyConnected(at, num_hidden=5, name="fc"), name="softmax")


def case(name, optimizer, **options):
    CASES.append((name, optimizer, options))


for each in ("convolutions", "last", "tied", "rows"):
    case(each, "sgd", momentum=0.9, wd=0.01)
    case(each, "adam", wd=0.01, epsilon=1e-3)
    case(each, "lamb", wd=0.01, epsilon=1e-3)
    case(each, "lars", momentum=0.9, wd=0.01, eta=0.1)
case("fixed", "sgd", momentum=0.9, wd=0.01)
case("fixed", "adam", wd=0.01, epsilon=1e-3)
for each in (("nag", {"momentum": 0.8, "wd": 0.02}), ("nadam", {}), ("ftml", {}), ("rmsprop", {"centered": True}),
             ("rmsprop", {}), ("adagrad", {"wd": 0.01}), ("adadelta", {"wd": 0.01}), ("ftrl", {"lamda1": 0.001}), ("dcasgd", {"lamda": 0.5}),
             ("lbsgd", {"momentum": 0.9, "batch_scale": 2, "updates_per_epoch": 3}), ("adamax", {"wd": 0.01}),
             ("signum", {"wd_lh": 0.01, "wd": 0.01}), ("sgd", {"clip_gradient": 0.05, "wd": 0.1})):
    case("tied", each[0], **each[1])
# Those that a quick run has: states, sums over parameters and schedules. Formulas are compared by themselves (test/unit/train).
QUICK = ("sgd", "lamb", "lars", "nadam", "rmsprop", "dcasgd", "lbsgd")
RATES = {"adam": 0.01, "lamb": 0.01, "nadam": 0.01, "rmsprop": 0.01, "adamax": 0.01, "signum": 0.01}


def rate(optimizer, step):
    """It changes, which LARS's momentum follows."""
    return RATES.get(optimizer, 0.1) * (1.0, 1.0, 0.5, 0.8, 0.2)[step]


def batch(shape, step):
    return drawn(100 + step, BATCH, *shape), (np.arange(BATCH) * 7 % 5 + step % 2).astype("float32") % 5


def parameters(mx, symbol, shape):
    """First values of arguments and of auxiliary states."""
    arg_shapes, _, aux_shapes = symbol.infer_shape(data=(BATCH, *shape))
    args = {name: 0.3 * drawn(place, *each) + (1 if name.endswith("gamma") else 0) for place, (name, each) in
            enumerate(zip(symbol.list_arguments(), arg_shapes)) if name not in ("data", "softmax_label")}
    aux = {name: np.full(each, float(name.endswith("var")), "float32")
           for name, each in zip(symbol.list_auxiliary_states(), aux_shapes)}
    return args, aux


def flat(state):
    """The arrays of a state; DCASGD's begin with None where there is no momentum."""
    if state is None:
        return []
    return [array for part in state for array in flat(part)] if isinstance(state, (list, tuple)) else [state]


def by_module(mx, name, optimizer, options):
    """{name: [values, states...]} behind the steps."""
    function, shape = NETS[name]
    symbol = function(mx)
    args, aux = ({key: mx.nd.array(each) for key, each in part.items()} for part in parameters(mx, symbol, shape))
    module = mx.mod.Module(symbol)
    module.bind([("data", (BATCH, *shape))], [("softmax_label", (BATCH,))])
    module.init_params(arg_params=args, aux_params=aux, initializer=None)
    module.init_optimizer(kvstore=None, optimizer=optimizer,
                          optimizer_params=tuple({"learning_rate": rate(optimizer, 0), **options}.items()))
    for step in range(STEPS):
        module._optimizer.set_learning_rate(rate(optimizer, step))
        data, label = batch(shape, step)
        module.forward_backward(mx.io.DataBatch([mx.nd.array(data)], [mx.nd.array(label)]))
        module.update()
    mx.nd.waitall()  # MXNet's norms change their statistics behind the back of whoever reads them
    args, aux = module.get_params()
    found = {key: [each.asnumpy()] for part in (args, aux) for key, each in part.items()}
    for place, key in enumerate(module._param_names):
        found[key] += [each.asnumpy() for each in flat(module._updater.states[place])]
    return found


# --- What symc train compiles -------------------------------------------------------

class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.POINTER(ctypes.c_int64)), ("rank", ctypes.c_int32),
                ("dtype", ctypes.c_int32), ("device", ctypes.c_int32), ("ordinal", ctypes.c_int32)]


def tensor(array):
    return Tensor(array.ctypes.data, (ctypes.c_int64 * array.ndim)(*array.shape), array.ndim, 0, 0, 0)


class Trainer:
    """The library of a network and an optimizer, compiled in `folder` by `symc` (the words of the command)."""

    def __init__(self, symc, folder, json, shape, optimizer):
        symbol, library = os.path.join(folder, "net-symbol.json"), os.path.join(folder, "libnet.so")
        with open(symbol, "w", encoding="utf-8") as file:
            file.write(json)
        subprocess.run([*symc, "train", symbol, "--shape", "data=%d,%s" % (BATCH, ",".join(map(str, shape))), "--optimizer",
                        optimizer, "-shared", "--prefix", "net", "-o", library], check=True)
        self.own, self.context = ctypes.CDLL(library), ctypes.c_void_p()
        self.own.net_last_error.restype = ctypes.c_char_p
        self.own.net_optimizer_state_count.restype = ctypes.c_int32
        self.call("create", None, ctypes.byref(self.context))

    def call(self, name, *arguments):
        if getattr(self.own, "net_" + name)(*arguments):
            raise ValueError(self.own.net_last_error(self.context).decode())

    def set(self, name, values):
        array = np.ascontiguousarray(values, "float32")
        self.call("set_parameter", self.context, name.encode(), ctypes.c_void_p(array.ctypes.data),
                  ctypes.c_size_t(array.nbytes))

    def get(self, name, shape):
        array = np.empty(shape, "float32")
        self.call("get_parameter", self.context, name.encode(), ctypes.c_void_p(array.ctypes.data),
                  ctypes.c_size_t(array.nbytes))
        return array

    def states(self, name, shape):
        found = []
        for place in range(self.own.net_optimizer_state_count(self.context)):
            found.append(np.empty(shape, "float32"))
            self.call("get_optimizer_state", self.context, name.encode(), ctypes.c_int32(place),
                      ctypes.c_void_p(found[-1].ctypes.data), ctypes.c_size_t(found[-1].nbytes))
        return found

    def step(self, rate, *inputs):
        self.call("set_hyper", self.context, b"learning_rate", ctypes.c_double(rate))
        tensors = (Tensor * len(inputs))(*map(tensor, inputs))
        self.call("train_step", self.context, tensors, ctypes.c_int32(len(inputs)), None, ctypes.c_int32(0), None)

    def close(self):
        self.own.net_destroy(self.context)


def by_trainer(mx, symc, folder, name, optimizer, options):
    """The same as by_module gives, by a compiled trainer; `mx` composes the network."""
    function, shape = NETS[name]
    symbol = function(mx)
    args, aux = parameters(mx, symbol, shape)
    text = ",".join([optimizer] + ["%s=%s" % each for each in options.items()])
    trainer = Trainer(symc, folder, COMPILED.get(name, function)(mx).tojson(), shape, text)
    for key, values in {**args, **aux}.items():
        trainer.set(key, values)
    for step in range(STEPS):
        trainer.step(rate(optimizer, step), *batch(shape, step))
    found = {key: [trainer.get(key, values.shape), *trainer.states(key, values.shape)] for key, values in args.items()}
    found.update({key: [trainer.get(key, values.shape)] for key, values in aux.items()})
    trainer.close()
    return found


def difference(mine, theirs):
    """(the largest difference over 1 + the values' sizes, where it is); states that MXNet keeps elsewhere are left out."""
    worst = 0.0, ""
    assert sorted(mine) == sorted(theirs), (sorted(mine), sorted(theirs))
    for name, arrays in theirs.items():
        assert len(mine[name]) >= len(arrays), name
        for place, (own, other) in enumerate(zip(mine[name], arrays)):
            found = np.abs(own - other) / (1 + np.abs(other))
            assert np.isfinite(found).all(), name
            worst = max(worst, (float(found.max()), "%s[%d]" % (name, place)))
    return worst


if __name__ == "__main__":
    sys.exit(__doc__)

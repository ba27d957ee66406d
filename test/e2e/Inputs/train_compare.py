"""Compares a trainer of train_net.py's net, a library, with the same net compiled with --gradients, and with for prediction,
and its updates with SGD's formula.

usage: train_compare.py TRAINER GRADIENTS PREDICTION STATES [exact]: libraries of the prefixes net, grad, predict; STATES: the moving
statistics are states of the trainer (1) or constants (0)
"""
import ctypes
import sys

import numpy as np

FLOATS, SHAPES = ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_int64)


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", SHAPES), ("rank", ctypes.c_int32), ("dtype", ctypes.c_int32),
                ("device", ctypes.c_int32), ("ordinal", ctypes.c_int32)]


class Library:
    def __init__(self, path, prefix):
        self.library, self.prefix, self.context = ctypes.CDLL(path), prefix, ctypes.c_void_p()
        self("create", None, ctypes.byref(self.context))

    def __call__(self, name, *args):
        status = getattr(self.library, "%s_%s" % (self.prefix, name))(*args)
        if status:
            error = getattr(self.library, self.prefix + "_last_error")
            error.restype = ctypes.c_char_p
            sys.exit("%s: %s" % (name, error(self.context).decode()))

    def run(self, name, inputs, outputs, *more):
        lists = []
        for arrays in (inputs, outputs):
            tensors = (Tensor * (len(arrays) + 1))()
            for tensor, array in zip(tensors, arrays):
                tensor.data, tensor.rank = array.ctypes.data, array.ndim
                tensor.shape = (ctypes.c_int64 * 8)(*array.shape)
            lists += [tensors, len(arrays)]
        self(name, self.context, *lists, *more)

    def array(self, what, name, *index, shape):
        array = np.empty(shape, np.float32)
        self(what, self.context, name.encode(), *index, ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes))
        return array

    def set(self, name, array):
        self("set_parameter", self.context, name.encode(), ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes))


SHAPE = {"conv_weight": (4, 3, 3, 3), "conv_bias": (4,), "norm_gamma": (4,), "norm_beta": (4,), "fc_weight": (5, 144),
         "fc_bias": (5,), "norm_moving_mean": (4,), "norm_moving_var": (4,)}
TRAINED = list(SHAPE)[:6]
net, grad, predict = (Library(path, prefix) for path, prefix in zip(sys.argv[1:], ("net", "grad", "predict")))
changes, random = sys.argv[4] == "1", np.random.RandomState(1)
values = {name: random.uniform(-0.5, 0.5, shape).astype(np.float32) for name, shape in SHAPE.items()}
values["norm_moving_mean"][:], values["norm_moving_var"][:] = 0, 1
momenta = {name: np.zeros_like(values[name]) for name in TRAINED}
for name in TRAINED:
    net.set(name, values[name])
for step in range(5):
    data = random.uniform(-1, 1, (8, 3, 6, 6)).astype(np.float32)
    label = random.randint(0, 5, 8).astype(np.float32)
    heads = np.empty((8, 5), np.float32), np.empty((8, 5), np.float32)
    gradients = [np.empty_like(values[name]) for name in TRAINED]
    net.run("train_step", [data, label], [heads[0]], None)
    grad.run("run", [data] + [values[name] for name in TRAINED] + [label], [heads[1]] + gradients)
    assert (heads[0] == heads[1]).all(), "outputs"
    for name, gradient in zip(TRAINED, gradients):
        assert (net.array("get_gradient", name, shape=SHAPE[name]) == gradient).all(), name
        rate = 0.1 * (0.5 if name == "fc_weight" else 1)
        decay = 0.01 * {"conv_weight": 1, "norm_gamma": 1, "fc_weight": 1, "fc_bias": 2}.get(name, 0)
        momenta[name] = np.float32(0.9) * momenta[name] - np.float32(rate) * (gradient / 8 + np.float32(decay) * values[name])
        # The other program goes on from the trainer's own values, so that each step is compared by itself.
        ours = net.array("get_parameter", name, shape=SHAPE[name])
        assert abs(ours - (values[name] + momenta[name])).max() < 1e-6, name
        assert abs(net.array("get_optimizer_state", name, 0, shape=SHAPE[name]) - momenta[name]).max() < 1e-6, name
        values[name] = ours
    for name in list(SHAPE)[6:]:
        state = net.array("get_parameter", name, shape=SHAPE[name])
        assert (state != values[name]).any() == changes, name
        values[name] = state
print("5 steps: outputs and gradients have the bits of --gradients, updates are SGD's")

answers = [np.empty((8, 5), np.float32) for _ in range(2)]
order = ["conv_weight", "conv_bias", "norm_gamma", "norm_beta", "norm_moving_mean", "norm_moving_var", "fc_weight", "fc_bias"]
tensors = (Tensor * 8)()
for tensor, name in zip(tensors, order):
    tensor.data, tensor.rank = values[name].ctypes.data, values[name].ndim
    tensor.shape = (ctypes.c_int64 * 8)(*values[name].shape)
predict("set_parameters", predict.context, tensors, 8)
predict.run("run", [data], [answers[1]])
net.run("predict", [data, label], [answers[0]])
# The one folds the norm into the convolution, the other does not.
exact = sys.argv[5:] == ["exact"]
assert np.allclose(answers[0], answers[1], rtol=0 if exact else 1e-5, atol=0) and (answers[0] != heads[0]).any()
if not changes:
    other = np.ones(4, np.float32)
    getattr(net.library, "net_set_parameter")(net.context, b"norm_moving_mean", ctypes.c_void_p(other.ctypes.data), ctypes.c_size_t(16))
    net.library.net_last_error.restype = ctypes.c_char_p
    print(net.library.net_last_error(net.context).decode())
net.set("fc_bias", np.arange(5, dtype=np.float32))
net.run("predict", [data, label], [answers[0]])
assert (answers[0] != answers[1]).any(), "prediction by old parameters"
print("prediction %s a model that was compiled for it" % ("has the bits of" if exact else "is that of"))

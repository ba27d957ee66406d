"""Trained modules, the same under MXNet and under symc: what module_training_test.py and tools/scripts/oracles/modules.py
share. Each function of CASES trains by the package that it is given and gives {name: array}. Numbers are drawn by sines.
"""
import logging
import random

import numpy as np

CASES = {}
QUIET = logging.getLogger("quiet")
QUIET.setLevel(logging.ERROR)


def case(function):
    CASES[function.__name__] = function
    return function


def drawn(seed, *shape):
    count = int(np.prod(shape))
    return np.sin(12.9898 * np.arange(1, count + 1) + 78.233 * (seed + 1)).reshape(shape).astype("float32")


def labels(count, classes=3):
    return (np.arange(count) * 7 % classes).astype("float32")


def mlp(mx, hidden=6, **first):
    sym = mx.sym
    net = sym.FullyConnected(sym.Variable("data"), num_hidden=hidden, name="fc1", **first)
    net = sym.FullyConnected(sym.Activation(net, act_type="tanh"), num_hidden=3, name="fc2")
    return sym.SoftmaxOutput(net, name="softmax")


def conv_net(mx):
    sym = mx.sym
    net = sym.Convolution(sym.Variable("data"), kernel=(3, 3), num_filter=4, pad=(1, 1), name="conv")
    net = sym.Activation(sym.BatchNorm(net, fix_gamma=False, momentum=0.8, name="bn"), act_type="sigmoid")
    net = sym.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="avg")
    return sym.SoftmaxOutput(sym.FullyConnected(sym.Flatten(net), num_hidden=3, name="fc"), name="softmax")


def parameters(mx, net, **shapes):
    """Drawn ones for all that the symbol has but inputs; variances begin at 1."""
    arg_shapes, _, aux_shapes = net.infer_shape(**shapes)
    args = {name: mx.nd.array(0.5 * drawn(place, *shape)) for place, (name, shape) in
            enumerate(zip(net.list_arguments(), arg_shapes)) if name not in shapes and not name.endswith("label")}
    aux = {name: (mx.nd.ones if name.endswith("var") else mx.nd.zeros)(shape)
           for name, shape in zip(net.list_auxiliary_states(), aux_shapes)}
    return args, aux


def params_of(module):
    return {name: each.asnumpy() for part in module.get_params() for name, each in part.items()}


def rows(mx, count=22, batch=4, shape=(5,), **kwargs):
    return mx.io.NDArrayIter(drawn(50, count, *shape), labels(count), batch, **kwargs)


def fitted(mx, net, batches, data=(4, 5), seen=None, **kwargs):
    """Trained by fit, which notes the metric of each epoch."""
    args, aux = parameters(mx, net, data=data)
    module, values = mx.mod.Module(net, logger=QUIET, fixed_param_names=kwargs.pop("fixed", None)), []
    module.fit(batches, rows(mx, 8, shape=data[1:]), ["acc", "ce"], arg_params=args, aux_params=aux,
               eval_end_callback=lambda each: values.extend(value for _, value in each.eval_metric.get_name_value()),
               num_epoch=kwargs.pop("num_epoch", 3), **kwargs)
    return {**params_of(module), "values": np.array(values)}


@case
def momentum(mx):
    return fitted(mx, mlp(mx), rows(mx), optimizer_params={"learning_rate": 0.2, "momentum": 0.9, "wd": 0.01})


@case
def shuffled(mx):
    np.random.seed(3)
    return fitted(mx, mlp(mx), rows(mx, shuffle=True, last_batch_handle="roll_over"), optimizer="adam")


@case
def scheduled(mx):
    schedule = mx.lr_scheduler.MultiFactorScheduler([4, 9], 0.5, base_lr=0.3)
    return fitted(mx, mlp(mx), rows(mx), optimizer="nag", optimizer_params={
        "learning_rate": 0.3, "momentum": 0.8, "lr_scheduler": schedule, "clip_gradient": 0.05})


@case
def norms(mx):
    return fitted(mx, conv_net(mx), rows(mx, shape=(2, 6, 6)), (4, 2, 6, 6), optimizer="rmsprop")


@case
def schedule_of_all(mx):
    return fitted(mx, mlp(mx), rows(mx), optimizer="nadam", optimizer_params={"learning_rate": 0.02})


@case
def norms_of_layers(mx):
    return fitted(mx, conv_net(mx), rows(mx, shape=(2, 6, 6)), (4, 2, 6, 6), optimizer="lars",
                  optimizer_params={"learning_rate": 0.5, "momentum": 0.9, "wd": 0.01, "eta": 0.1})


@case
def fixed(mx):  # a bias beside a fixed weight stays as it is in MXNet's oneDNN build alone, and is fixed here
    return fitted(mx, mlp(mx), rows(mx), fixed=["fc1_weight", "fc1_bias", "fc2_bias"])


@case
def multipliers(mx):
    weight = mx.sym.Variable("fc1_weight", lr_mult=0.1, wd_mult=3.0)
    return fitted(mx, mlp(mx, weight=weight), rows(mx), optimizer_params={"learning_rate": 0.2, "wd": 0.1})


@case
def store(mx):
    return fitted(mx, conv_net(mx), rows(mx, shape=(2, 6, 6)), (4, 2, 6, 6), kvstore=mx.kvstore.create("local"),
                  optimizer_params={"learning_rate": 0.1, "momentum": 0.5, "wd": 0.1})


def manual(mx, net, data, batch=4, **kwargs):
    module = mx.mod.Module(net, logger=QUIET)
    args, aux = parameters(mx, net, data=(batch, *data))
    module.bind([("data", (batch, *data))], [("softmax_label", (batch,))], **kwargs)
    module.init_params(arg_params=args, aux_params=aux)
    module.init_optimizer(optimizer_params={"learning_rate": 0.2, "momentum": 0.5})
    return module


def batch_of(mx, seed, count=4, shape=(5,)):
    return mx.io.DataBatch([mx.nd.array(drawn(seed, count, *shape))], [mx.nd.array(labels(count))])


@case
def sizes_of_batches(mx):
    module = manual(mx, mlp(mx), (5,))
    for step, count in enumerate((4, 6, 4, 2)):
        module.forward_backward(batch_of(mx, step, count))
        module.update()
    return params_of(module)


@case
def gradients_of_inputs(mx):
    module, found = manual(mx, mlp(mx), (5,), inputs_need_grad=True), {}
    for step in range(2):
        module.forward_backward(batch_of(mx, step))
        module.update()
        found["data%d" % step] = module.get_input_grads()[0].asnumpy()
    return {**params_of(module), **found}


@case
def sums_of_gradients(mx):
    module = manual(mx, mlp(mx), (5,), grad_req="add")
    for step in range(3):
        module.forward_backward(batch_of(mx, step))
    module.update()
    return params_of(module)


@case
def heads(mx):
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=3, name="fc")
    module = mx.mod.Module(net, label_names=None, logger=QUIET)
    module.bind([("data", (4, 5))])
    module.init_params(arg_params=parameters(mx, net, data=(4, 5))[0], aux_params={})
    module.init_optimizer(optimizer="adagrad")
    for step in range(3):
        module.forward(mx.io.DataBatch([mx.nd.array(drawn(step, 4, 5))]), is_train=True)
        module.backward([module.get_outputs()[0] - mx.nd.array(drawn(9, 4, 3))])
        module.update()
    return params_of(module)


@case
def regression(mx):
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
    net = mx.sym.LinearRegressionOutput(net, mx.sym.Variable("label"), name="out")
    module = mx.mod.Module(net, label_names=("label",), logger=QUIET)
    batches = mx.io.NDArrayIter(drawn(1, 9, 5), drawn(2, 9, 2), 3, label_name="label")
    module.fit(batches, eval_metric="mse", arg_params=parameters(mx, net, data=(3, 5))[0], aux_params={}, num_epoch=2)
    return params_of(module)


@case
def sequence(mx):
    sym = mx.sym
    first = sym.Activation(sym.FullyConnected(sym.Variable("data"), num_hidden=6, name="fc1"), act_type="tanh")
    second = sym.SoftmaxOutput(sym.FullyConnected(sym.Variable("data"), num_hidden=3, name="fc2"), name="softmax")
    module = mx.mod.SequentialModule(logger=QUIET)
    module.add(mx.mod.Module(first, label_names=None, logger=QUIET))
    module.add(mx.mod.Module(second, logger=QUIET), take_labels=True, auto_wiring=True)
    args = {**parameters(mx, first, data=(4, 5))[0], **parameters(mx, second, data=(4, 6))[0]}
    module.fit(rows(mx), arg_params=args, aux_params={}, allow_missing=True, num_epoch=2,
               optimizer_params={"learning_rate": 0.2, "momentum": 0.9})
    return params_of(module)


@case
def loss_in_python(mx):
    def gradient(scores, given):
        made = scores.asnumpy().copy()
        made[np.arange(len(made)), given.asnumpy().astype(int)] -= 1
        return made
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=3, name="fc")
    module = mx.mod.SequentialModule(logger=QUIET)
    module.add(mx.mod.Module(net, label_names=None, logger=QUIET))
    module.add(mx.mod.PythonLossModule(grad_func=gradient, logger=QUIET), take_labels=True, auto_wiring=True)
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params(arg_params=parameters(mx, net, data=(4, 5))[0], aux_params={})
    module.init_optimizer()
    for step in range(3):
        module.forward_backward(batch_of(mx, step))
        module.update()
    return params_of(module)


@case
def buckets(mx):
    def of_length(length):
        net = mx.sym.Embedding(mx.sym.Variable("data"), input_dim=7, output_dim=4, name="embed")
        net = mx.sym.FullyConnected(mx.sym.sum(net, axis=1), num_hidden=3, name="fc")
        return mx.sym.SoftmaxOutput(net, name="softmax"), ["data"], ["softmax_label"]
    module = mx.mod.BucketingModule(of_length, 5, logger=QUIET)
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params(arg_params=parameters(mx, of_length(5)[0], data=(4, 5))[0], aux_params={})
    module.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.1})
    for step, length in enumerate((5, 3, 3, 5, 2)):
        words = mx.nd.array(np.arange(4 * length).reshape(4, length) * (step + 1) % 7)
        batch = mx.io.DataBatch([words], [mx.nd.array(labels(4))], bucket_key=length, provide_data=[("data", (4, length))],
                                provide_label=[("softmax_label", (4,))])
        module.forward_backward(batch)
        module.update()
    return params_of(module)


@case
def recurrent(mx):
    random.seed(2)
    np.random.seed(2)
    sentences = [list(np.random.randint(1, 9, length)) for length in (3, 5, 4, 5, 3, 2, 5, 4, 3, 4)]
    batches = mx.rnn.BucketSentenceIter(sentences, 2, buckets=[3, 5], invalid_label=0)

    def of_length(length):
        cell = mx.rnn.LSTMCell(num_hidden=4, prefix="lstm_")
        words = mx.sym.Embedding(mx.sym.Variable("data"), input_dim=9, output_dim=3, name="embed")
        outputs, _ = cell.unroll(length, inputs=words, merge_outputs=True)
        scores = mx.sym.FullyConnected(mx.sym.Reshape(outputs, shape=(-1, 4)), num_hidden=9, name="scores")
        label = mx.sym.Reshape(mx.sym.Variable("softmax_label"), shape=(-1,))
        return (mx.sym.SoftmaxOutput(scores, label, name="softmax", use_ignore=True, ignore_label=0, normalization="valid"),
                ("data",), ("softmax_label",))
    module = mx.mod.BucketingModule(of_length, batches.default_bucket_key, logger=QUIET)
    args, _ = parameters(mx, of_length(5)[0], data=(2, 5), softmax_label=(2, 5))
    module.fit(batches, eval_metric=mx.metric.Perplexity(0), arg_params=args, aux_params={}, num_epoch=2, optimizer="adam")
    return params_of(module)


@case
def first_models(mx):
    np.random.seed(5)
    net = mlp(mx)
    model = mx.model.FeedForward(net, num_epoch=3, epoch_size=4, optimizer="sgd", numpy_batch_size=4, learning_rate=0.2,
                                 momentum=0.9, arg_params=parameters(mx, net, data=(4, 5))[0], aux_params={})
    model.fit(drawn(50, 22, 5), labels(22), eval_data=(drawn(51, 8, 5), labels(8)), logger=QUIET)
    return {name: each.asnumpy() for name, each in model.arg_params.items() if name != "softmax_label"}


def difference(one, other):
    """The largest difference of two results, over 1 + the values' sizes; infinite where their names or shapes differ."""
    if set(one) != set(other) or any(np.shape(one[name]) != np.shape(other[name]) for name in one):
        return float("inf")
    return max(float(np.max(np.abs(one[name] - np.asarray(other[name])) / (1 + np.abs(other[name])))) for name in one)

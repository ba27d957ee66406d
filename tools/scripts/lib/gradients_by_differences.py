"""Gradients of executors by differences of outputs, for tests of MXNet that compare them: symc has no gradients.

    gradients_by_differences.install(symc)

An executor then takes args_grad and grad_req, forward(is_train=True) and backward(out_grads). forward(is_train=True) needs a
symbol whose operators compute the same in training (TRAINED has the others). The gradient of an argument is made of two
runs in float64 for each of its elements, so that backward tests what forward computes near the given values and nothing
else. Operators whose gradient is not the derivative (OWN) are refused, as training. Where there are more than MOST elements a
gradient is NaN, which no comparison of values accepts, and `left_open` is set.
"""
import json

#: Operators that compute something else in training.
TRAINED = {"BatchNorm", "BatchNorm_v1", "SyncBatchNorm", "_contrib_SyncBatchNorm", "BatchNormWithReLU",
           "_contrib_BatchNormWithReLU", "CuDNNBatchNorm", "Dropout", "RNN", "LeakyReLU", "IdentityAttachKLSparseReg",
           "Custom"}
#: Operators whose gradient is not the derivative of their outputs.
OWN = {"BlockGrad", "stop_gradient", "MakeLoss", "make_loss", "SoftmaxOutput", "Softmax", "SVMOutput", "LinearRegressionOutput",
       "LogisticRegressionOutput", "MAERegressionOutput", "IdentityAttachKLSparseReg", "_contrib_round_ste",
       "_contrib_sign_ste", "_contrib_gradientmultiplier", "_contrib_box_nms", "Custom"}
MOST = 4096
STEP = 1e-5
left_open = []  # sizes of gradients that were not computed


def operators(graph):
    """Names of the operators of a graph, those inside of loops and branches included."""
    found = set()
    for node in graph["nodes"]:
        found.add(node["op"])
        for inner in node.get("subgraphs", ()):
            found |= operators(inner)
    return found


def _refuse(symbol, those, what):
    from symc.errors import SymcError
    found = sorted(operators(json.loads(symbol.tojson())) & those)
    if found:
        raise SymcError("%s(%s) needs training, symc compiles prediction only" % (what, ", ".join(found)))


def _requests(names, grad_req):
    if isinstance(grad_req, str):
        return dict.fromkeys(names, grad_req)
    return dict(grad_req) if hasattr(grad_req, "items") else dict(zip(names, grad_req))


def install(symc):
    import numpy
    from symc import executor, ndarray, test_utils
    Executor = executor.Executor
    forward_of, simple_bind_of, bind_of = Executor.forward, executor.simple_bind, executor.bind

    def with_gradients(made, arrays, grad_req):
        """An executor that backward writes to `arrays`, {argument: array}, of."""
        requests = _requests(made.symbol.list_arguments(), grad_req)
        made._gradients = {name: each for name, each in arrays.items()
                           if each is not None and requests.get(name, "null") != "null"}
        made._requests = requests
        return made

    def simple_bind(symbol, ctx=None, grad_req="write", type_dict=None, group2ctx=None, shared_exec=None, **shapes):
        made = simple_bind_of(symbol, ctx, "null", type_dict, group2ctx, shared_exec, **shapes)
        arrays = {} if grad_req == "null" else {name: ndarray.zeros(each.shape, dtype=each.dtype)
                                                for name, each in made.arg_dict.items()}
        return with_gradients(made, arrays, grad_req)

    def bind(symbol, ctx, args, args_grad=None, grad_req="write", aux_states=None, group2ctx=None, shared_exec=None):
        made = bind_of(symbol, ctx, args, None, "null", aux_states)
        arrays = args_grad or {}
        return with_gradients(made, arrays if hasattr(arrays, "items") else dict(zip(symbol.list_arguments(), arrays)), grad_req)

    def forward(self, is_train=False, **kwargs):
        if is_train:
            _refuse(self.symbol, TRAINED, "forward")
        return forward_of(self, False, **kwargs)

    def backward(self, out_grads=None, is_train=True):
        _refuse(self.symbol, OWN, "backward")
        wanted = {name: each for name, each in self._gradients.items() if each.dtype.kind == "f"}
        elements = sum(each.size for each in wanted.values())
        if elements > MOST:
            left_open.append(elements)
        found = _differences(self, wanted, out_grads) if elements <= MOST else {}
        for name, each in self._gradients.items():
            value = found.get(name, numpy.nan if name in wanted else 0)
            each[...] = each + value if self._requests[name] == "add" else value

    def _differences(self, wanted, out_grads):
        floats = {name: each for name, each in self.arg_dict.items() if each.dtype.kind == "f"}
        wide = {name: numpy.array(each, numpy.float64 if name in floats else each.dtype, subok=False)
                for name, each in {**self.arg_dict, **self.aux_dict}.items()}
        model = symc.compile(self.symbol, shapes={name: each.shape for name, each in wide.items()},
                             dtypes={name: each.dtype for name, each in wide.items() if each.dtype != numpy.float32})
        names = [each.name for each in model.inputs]
        out_grads = [out_grads] if isinstance(out_grads, numpy.ndarray) else out_grads

        def weighted():
            """The sum of the outputs, each by its weight of out_grads."""
            model.set_seed(1)
            outputs = model(**{name: wide[name] for name in names})
            outputs = outputs if isinstance(outputs, list) else [outputs]
            weights = out_grads or [numpy.ones_like(each) for each in outputs]
            return sum((each.astype(numpy.float64) * numpy.asarray(weight, numpy.float64)).sum()
                       for each, weight in zip(outputs, weights))

        found = {}
        for name in wanted:
            gradient = found[name] = numpy.zeros(wide[name].shape)
            for place in numpy.ndindex(*gradient.shape) if name in names else ():
                value = wide[name][place]
                wide[name][place] = value + STEP
                high = weighted()
                wide[name][place] = value - STEP
                gradient[place] = (high - weighted()) / (2 * STEP)
                wide[name][place] = value
        model.close()
        return found

    def check_consistency(sym, ctx_list, grad_req="write", **kwargs):
        """The package's, and the same gradients for the same arguments where all entries are alike."""
        truth = consistency_of(sym, ctx_list, grad_req="null", **kwargs)
        if grad_req != "null":
            symbols = sym if isinstance(sym, list) else [sym] * len(ctx_list)
            bound = [each.simple_bind(grad_req=grad_req, **given) for each, given in zip(symbols, ctx_list)]
            for name, first in bound[0].arg_dict.items():
                value = numpy.random.uniform(0.1, 0.9, first.shape)
                for each in bound:
                    each.arg_dict[name][...] = value
            weights = [numpy.random.uniform(-1, 1, each.shape) for each in bound[0].forward(is_train=True)]
            for each in bound:
                each.forward(is_train=True)
                each.backward(weights)
            for each in bound[1:]:
                for name, gradient in each.grad_dict.items():
                    test_utils.assert_almost_equal(gradient, bound[0].grad_dict[name], 1e-4, 1e-4,
                                                   equal_nan=kwargs.get("equal_nan", False))
        return truth

    def check_symbolic_backward(sym, location, out_grads, expected, rtol=None, atol=None, aux_states=None, grad_req="write",
                                ctx=None, equal_nan=False, dtype=numpy.float32, **_):
        names = sym.list_arguments()
        arrays = location if hasattr(location, "items") else dict(zip(names, location))
        arrays = {name: each if isinstance(each, ndarray.NDArray) else ndarray.array(each, dtype=dtype)
                  for name, each in arrays.items()}
        wanted = expected if hasattr(expected, "items") else dict(zip(names, expected))
        made = sym.bind(ctx, arrays, {name: ndarray.zeros(arrays[name].shape, dtype=arrays[name].dtype) for name in wanted},
                        grad_req, aux_states)
        made.forward(is_train=True)
        made.backward([numpy.asarray(each) for each in out_grads])
        for name, value in wanted.items():
            test_utils.assert_almost_equal(value, made.grad_dict[name], rtol, atol, equal_nan=equal_nan)
        return made.grad_arrays

    consistency_of = test_utils.check_consistency
    executor.simple_bind, executor.bind = simple_bind, bind
    symc.Symbol.simple_bind, symc.Symbol.bind = simple_bind, bind
    Executor.forward, Executor.backward = forward, backward
    Executor.grad_dict = property(lambda self: {name: self._gradients.get(name) for name in self.symbol.list_arguments()})
    Executor.grad_arrays = property(lambda self: list(self.grad_dict.values()))
    Executor._gradients, Executor._requests = {}, {}
    test_utils.check_consistency, test_utils.check_symbolic_backward = check_consistency, check_symbolic_backward

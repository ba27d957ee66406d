"""Checks of a symbol's gradients, which symc.test_utils has by MXNet's names: against arrays that are expected, against
differences of outputs, and of executors of several types against each other.
"""
import numpy as np

from . import ndarray, symbol
from .errors import SymcError
from .symbol import Symbol

_EPSILONS = {"float16": 2.0 ** -6, "float32": 2.0 ** -9, "float64": 2.0 ** -14}
_CHECKED = ("float16", "float32", "float64")


def _utils():
    from . import test_utils
    return test_utils


def default_numeric_eps():
    """{dtype: distance of the points of a numeric gradient}."""
    return {np.dtype(name): value for name, value in _EPSILONS.items()}


def _check_dtype(dtype, as_given=False):
    if not (as_given and isinstance(dtype, str) and dtype == "asnumpy") and np.dtype(dtype).name not in _CHECKED:
        raise ValueError("dtype is %r, needs one of %s%s" % (dtype, ", ".join(_CHECKED), ', or "asnumpy"' * as_given))


def _to_array(value, dtype, ctx):
    if isinstance(value, ndarray.NDArray):
        return value
    return ndarray.array(value, ctx, np.asarray(value).dtype if isinstance(dtype, str) else dtype)


def _by_name(names, values, dtype, ctx, what):
    """{name: NDArray} of a dict of all names, or a list in their order."""
    if not hasattr(values, "items"):
        if len(values) != len(names):
            raise ValueError("%d arrays for the %s %s" % (len(values), what, ", ".join(names)))
        values = dict(zip(names, values))
    if set(values) != set(names):
        raise ValueError("arrays of %s for the %s %s" % (", ".join(values), what, ", ".join(names)))
    return {name: _to_array(values[name], dtype, ctx) for name in names}


def _states(sym, aux_states, dtype, ctx):
    """Copies: MXNet's checks change none of the caller's states."""
    return {name: each.copy() for name, each in _by_name(
        sym.list_auxiliary_states(), {} if aux_states is None else aux_states, dtype, ctx, "auxiliary states").items()}


def check_symbolic_forward(sym, location, expected, rtol=None, atol=None, aux_states=None, ctx=None, equal_nan=False,
                           dtype=np.float32):
    """AssertionError where the outputs for these arguments are not those that are expected; returns them."""
    utils = _utils()
    _check_dtype(dtype, as_given=True)
    ctx = ctx or utils.default_context()
    bound = sym.bind(ctx, _by_name(sym.list_arguments(), location, dtype, ctx, "arguments"), None, "null",
                     _states(sym, aux_states, dtype, ctx))
    outputs, names = bound.forward(), sym.list_outputs()
    expected = [expected[name] for name in names] if hasattr(expected, "items") else expected
    for name, wanted, got in zip(names, expected, outputs):
        utils.assert_almost_equal(wanted, got, rtol, atol, ("EXPECTED_" + name, "FORWARD_" + name), equal_nan)
    return outputs


def _compare(kind, name, wanted, before, got, request, rtol, atol, equal_nan=False):
    """A gradient with what it should be: as much more where it was added to what was there `before`."""
    names = (kind + name, "BACKWARD_" + name)
    utils = _utils()
    if request == "write":
        utils.assert_almost_equal(wanted, got, rtol, atol, names, equal_nan)
    elif request == "add":
        utils.assert_almost_equal(wanted, np.asarray(got) - before, rtol, atol, names, equal_nan)
    else:
        utils.assert_almost_equal(before, got, rtol, atol, names, equal_nan)


def check_symbolic_backward(sym, location, out_grads, expected, rtol=None, atol=None, aux_states=None, grad_req="write",
                            ctx=None, grad_stypes=None, equal_nan=False, dtype=np.float32):
    """AssertionError where the gradients for these gradients of outputs are not those that are expected, a list in the order
    of the arguments or a dict of some; returns them. The arrays for gradients hold random numbers before."""
    utils = _utils()
    _check_dtype(dtype, as_given=True)
    _check_dense(grad_stypes)
    ctx, names = ctx or utils.default_context(), sym.list_arguments()
    arguments = _by_name(names, location, dtype, ctx, "arguments")
    expected = dict(expected) if hasattr(expected, "items") else dict(zip(names, expected))
    before = {name: np.random.normal(size=np.shape(expected[name])) for name in sorted(expected)}
    gradients = {name: ndarray.array(each, ctx, np.asarray(expected[name]).dtype if isinstance(dtype, str) else dtype)
                 for name, each in before.items()}
    if isinstance(grad_req, str):
        grad_req = dict.fromkeys(names, grad_req)
    elif not hasattr(grad_req, "items"):
        grad_req = dict(zip(names, grad_req))
    bound = sym.bind(ctx, arguments, gradients, grad_req, _states(sym, aux_states, dtype, ctx))
    bound.forward(is_train=True)
    if hasattr(out_grads, "items"):
        out_grads = {name: _to_array(each, dtype, ctx) for name, each in out_grads.items()}
    elif out_grads is not None:
        out_grads = [each if each is None else _to_array(each, dtype, ctx) for each in out_grads]
    bound.backward(out_grads)
    for name, wanted in expected.items():
        _compare("EXPECTED_", name, wanted, before[name], gradients[name], grad_req[name], rtol, atol, equal_nan)
    return gradients


def _check_dense(stypes):
    for name, each in (stypes or {}).items():
        if each not in (None, "default"):
            raise SymcError("storage of the gradient of '%s' is '%s': arrays are dense" % (name, each))


def numeric_grad(executor, location, aux_states=None, eps=1e-4, use_forward_train=True, dtype=np.float32):
    """{argument: array of NumPy}: by how much the sum of an executor's first output changes with each element, from two
    points eps apart. `location`: {argument: array of NumPy}; the executor's arrays hold it afterwards."""
    _check_dtype(dtype)
    found = {}
    for name, value in location.items():
        executor.arg_dict[name][...] = np.asarray(value).astype(dtype)

    def output(elements, place, value):
        elements[place] = np.asarray(value).astype(dtype)
        for key, state in (aux_states or {}).items():
            executor.aux_dict[key][...] = state
        return executor.forward(is_train=use_forward_train)[0].asnumpy()
    for name, value in location.items():
        value = np.asarray(value)
        found[name] = np.zeros(value.shape, dtype)
        if value.dtype.kind != "f":
            continue
        elements = executor.arg_dict[name].view(np.ndarray).reshape(-1)
        for place, middle in enumerate(value.ravel()):
            above = value.dtype.type(middle + eps / 2)
            difference = output(elements, place, above) - output(elements, place, value.dtype.type(above - eps))
            found[name].reshape(-1)[place] = difference.sum() / eps
            elements[place] = middle
    return found


def check_numeric_gradient(sym, location, aux_states=None, numeric_eps=None, rtol=None, atol=None, grad_nodes=None,
                           use_forward_train=True, ctx=None, grad_stype_dict=None, dtype=np.float32):
    """AssertionError where gradients are not differences of a loss, which is the sum of the output times random numbers.
    `grad_nodes`: arguments to check, or {argument: grad_req}."""
    utils = _utils()
    _check_dtype(dtype)
    _check_dense(grad_stype_dict)
    ctx, names = ctx or utils.default_context(), sym.list_arguments()
    arguments = _by_name(names, location, dtype, ctx, "arguments")
    values = {name: each.asnumpy() for name, each in arguments.items()}
    states = _states(sym, aux_states, dtype, ctx)
    state_values = {name: each.asnumpy() for name, each in states.items()}
    requests = dict(grad_nodes) if hasattr(grad_nodes, "items") else dict.fromkeys(
        names if grad_nodes is None else grad_nodes, "write")
    _, shapes, _ = sym.infer_shape(**{name: each.shape for name, each in arguments.items()})
    factors = symbol.Variable("__random_proj")
    numpys = type(sym) is not Symbol
    product = sym * (factors.as_np_ndarray() if numpys else factors)
    loss = symbol.make_loss(product.as_nd_ndarray() if numpys else product)
    arguments["__random_proj"] = ndarray.array(np.random.rand(*shapes[0]) + 0.1, ctx, dtype)
    before = {name: np.random.normal(0, 0.01, np.shape(arguments[name])) for name in requests}
    gradients = {name: ndarray.array(each, ctx, dtype) for name, each in before.items()}
    bound = loss.bind(ctx, arguments, gradients, requests, states)
    bound.forward(is_train=True)
    eps = utils._tolerance(bound.outputs[0], numeric_eps, _EPSILONS)
    if eps < 1e-5 and np.dtype(dtype) != np.float64:
        raise ValueError("numeric_eps is %g, too little for %s" % (eps, np.dtype(dtype).name))
    bound.backward()
    differences = numeric_grad(bound, values, state_values, eps, use_forward_train, dtype)
    for name, request in requests.items():
        _compare("NUMERICAL_", name, differences[name], before[name], bound.grad_dict[name], request, rtol, atol)


def _smaller(one, other):
    return one if np.dtype(one).itemsize < np.dtype(other).itemsize else other


def check_consistency(sym, ctx_list, scale=1.0, grad_req="write", arg_params=None, aux_params=None, rtol=None, atol=None,
                      raise_on_err=True, ground_truth=None, equal_nan=False, use_uniform=False, rand_type=np.float64):
    """AssertionError where a symbol, or symbols with the same arguments, have other outputs or gradients for shapes and types
    of ctx_list: each entry has what simple_bind takes ({"ctx": ..., "data": shape, "type_dict": ...}). The reference is
    the entry of the widest type. Gradients of outputs are the outputs of the first entry."""
    utils = _utils()
    symbols = [sym] * len(ctx_list) if isinstance(sym, Symbol) else list(sym)
    if len(ctx_list) < 2 or len(symbols) != len(ctx_list):
        raise ValueError("%d symbols for %d contexts, needs two or more of both" % (len(symbols), len(ctx_list)))
    names = symbols[0].list_arguments(), symbols[0].list_outputs()
    for each in symbols[1:]:
        if (each.list_arguments(), each.list_outputs()) != names:
            raise ValueError("arguments and outputs are %s and %s of one symbol, %s and %s of another" % (
                *names, each.list_arguments(), each.list_outputs()))
    bound = [each.simple_bind(grad_req=grad_req, **given) for each, given in zip(symbols, ctx_list)]
    values = {} if arg_params is None else arg_params
    for name, array in sorted(bound[0].arg_dict.items()):
        if name not in values:
            values[name] = (np.random.uniform(-0.92 * scale, 0.92 * scale, array.shape) if use_uniform else
                            np.random.normal(0, scale, array.shape)).astype(rand_type)
    for each in bound:
        for name, array in each.arg_dict.items():
            array[...] = values[name]
        for name, array in each.aux_dict.items():
            array[...] = (aux_params or {}).get(name, 0)
        each.forward()
    widest = max(range(len(bound)), key=lambda place: bound[place].outputs[0].dtype.itemsize)
    truth = dict(bound[widest].output_dict) if ground_truth is None else ground_truth
    _compare_all(bound, widest, ground_truth is not None, {name: truth[name] for name in names[1]},
                 lambda each: each.output_dict, rtol, atol, raise_on_err, equal_nan)
    if grad_req == "null":
        return truth
    for each in bound:
        each.forward(is_train=True)
    narrow = [min((each.outputs[i].dtype for each in bound), key=lambda dtype: dtype.itemsize)
              for i in range(len(names[1]))]
    heads = [each.asnumpy().astype(dtype) for each, dtype in zip(bound[0].outputs, narrow)]
    for each in bound:
        each.backward([ndarray.array(head, dtype=output.dtype) for head, output in zip(heads, each.outputs)])
    if ground_truth is None:
        truth.update(bound[widest].grad_dict)
    _compare_all(bound, widest, ground_truth is not None, truth, lambda each: {**each.output_dict, **each.grad_dict}, rtol,
                 atol, raise_on_err, equal_nan)
    return truth


def _compare_all(bound, widest, all_of, truth, arrays_of, rtol, atol, raise_on_err, equal_nan):
    utils = _utils()
    for place, each in enumerate(bound):
        for name, array in arrays_of(each).items() if place != widest or all_of else ():
            wanted = truth[name]
            if wanted is None:
                continue
            # What a narrow type computes has its tolerance, also where the array is a wider one.
            kinds = (_smaller(array.dtype, each.outputs[0].dtype), _smaller(np.asarray(wanted).dtype,
                                                                            bound[widest].outputs[0].dtype))
            tolerances = utils.get_tols(np.empty(0, kinds[0]), np.empty(0, kinds[1]), rtol, atol)
            try:
                utils.assert_almost_equal(array, wanted, *tolerances, ("ctx_list[%d]" % place, "expected"), equal_nan)
            except AssertionError as reason:
                text = "%s '%s': %s" % ("output" if name in each.output_dict else "gradient", name, reason)
                if raise_on_err:
                    raise AssertionError(text) from None
                print(text)

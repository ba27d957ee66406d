"""symc.test_utils: what tests of networks use, by MXNet's names: comparisons by the tolerances of types, random arrays and
shapes, and checks of a symbol's outputs. Checks of gradients need training and are refused.
"""
import contextlib
import functools
import io
import numbers
import os
import sys

import numpy as np

from . import context, ndarray
from .context import cpu
from .errors import SymcError
from .symbol import Symbol

_RELATIVE = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-5}  # MXNet's; 0 for integers
_ABSOLUTE = {"float16": 1e-1, "float32": 1e-3, "float64": 1e-20}
_default = []


def default_context():
    """The context of set_default_context, else the current one."""
    return _default[0] if _default else context.current_context()


def set_default_context(ctx):
    _default[:] = [ctx]


def default_dtype():
    return np.float32


def list_gpus():
    """Numbers of GPUs that arrays may be on: none."""
    return []


# --- Tolerances and comparisons --------------------------------------------

def _tolerance(array, given, defaults):
    if isinstance(given, numbers.Number):
        return given
    return (given or {}).get(array.dtype, defaults.get(array.dtype.name, 0))


def get_tols(x, y, rtol, atol):
    """(rtol, atol) for two arrays: what is given, a number or {dtype: number}, else the larger one of their types."""
    arrays = np.asarray(x), np.asarray(y)
    return tuple(max(_tolerance(each, given, defaults) for each in arrays)
                 for given, defaults in ((rtol, _RELATIVE), (atol, _ABSOLUTE)))


def get_rtol(rtol=None, dtype=np.dtype("float64")):
    return _RELATIVE.get(np.dtype(dtype).name, 0) if rtol is None else rtol


def get_atol(atol=None, dtype=np.dtype("float64")):
    return _ABSOLUTE.get(np.dtype(dtype).name, 0) if atol is None else atol


def same(a, b):
    return np.array_equal(np.asarray(a), np.asarray(b))


def almost_equal(a, b, rtol=None, atol=None, equal_nan=False, use_broadcast=True):
    """Whether arrays agree, by float64's tolerances unless others are given."""
    a, b = np.asarray(a), np.asarray(b)
    if not use_broadcast and a.shape != b.shape:
        raise ValueError("arrays have shapes %s and %s" % (a.shape, b.shape))
    return np.allclose(a, b, rtol=get_rtol(rtol), atol=get_atol(atol), equal_nan=equal_nan)


def assert_almost_equal(a, b, rtol=None, atol=None, names=("a", "b"), equal_nan=False, use_broadcast=True,
                        mismatches=(10, 10)):
    """AssertionError with the worst element where arrays do not agree by the tolerances of their types."""
    rtol, atol = get_tols(a, b, rtol, atol)
    if almost_equal(a, b, rtol, atol, equal_nan, use_broadcast):
        return
    a, b = np.broadcast_arrays(np.asarray(a), np.asarray(b))
    one, two = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(all="ignore"):
        excess = np.abs(one - two) / (atol + rtol * np.abs(two))
    excess = np.where(one == two, 0, np.where(np.isnan(excess), np.inf, excess))
    worst = np.unravel_index(excess.argmax(), excess.shape)
    raise AssertionError("%d of %d elements differ by more than rtol=%g, atol=%g; the worst at %s: %s is %s, %s is %s" % (
        (~np.isclose(a, b, rtol, atol, equal_nan)).sum(), a.size, rtol, atol, list(map(int, worst)), names[0], a[worst],
        names[1], b[worst]))


def assert_allclose(a, b, rtol=1e-07, atol=0, equal_nan=True):
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=rtol, atol=atol, equal_nan=equal_nan)


def assert_almost_equal_ignore_nan(a, b, rtol=None, atol=None, names=("a", "b")):
    """The same where neither array is NaN."""
    a, b = np.array(a, subok=False), np.array(b, subok=False)
    nan = np.isnan(a) | np.isnan(b)
    a[nan] = b[nan] = 0
    assert_almost_equal(a, b, rtol, atol, names)


def assert_almost_equal_with_err(a, b, rtol=None, atol=None, etol=None, names=("a", "b"), equal_nan=False,
                                 mismatches=(10, 10)):
    """The same where a part etol of the elements may differ."""
    rtol, atol = get_tols(a, b, rtol, atol)
    wrong = ~np.isclose(np.asarray(a), np.asarray(b), rtol, atol, equal_nan)
    if wrong.mean() > (etol or 0):
        assert_almost_equal(a, b, rtol, atol, names, equal_nan)


def assert_exception(f, exception_type, *args, **kwargs):
    try:
        f(*args, **kwargs)
    except exception_type:
        return
    raise AssertionError("%s did not raise %s" % (getattr(f, "__name__", f), exception_type.__name__))


def same_symbol_structure(sym1, sym2):
    """Whether two symbols have the same operators on the same inputs, whatever the names."""
    import json

    def structure(sym):
        graph = json.loads(sym.tojson())
        return [(each["op"], [entry[:2] for entry in each["inputs"]]) for each in graph["nodes"]], graph["heads"]
    return structure(sym1) == structure(sym2)


# --- Random arrays and shapes ------------------------------------------------

def random_arrays(*shapes):
    """float32 arrays of NumPy from a normal distribution; one shape gives one array."""
    arrays = [np.asarray(np.random.randn(*shape), dtype=np.float32) for shape in shapes]
    return arrays[0] if len(arrays) == 1 else arrays


def random_uniform_arrays(*shapes, low=0.0, high=1.0, dtype=np.float32):
    return [np.random.uniform(low, high, shape).astype(dtype) for shape in shapes]


def random_sample(population, k):
    if not 0 <= k <= len(population):
        raise ValueError("k is %d, needs 0 to %d" % (k, len(population)))
    copy = population[:]
    np.random.shuffle(copy)
    return copy[:k]


def rand_ndarray(shape, stype="default", density=None, dtype=None, ctx=None, **_kwargs):
    """An NDArray from a normal distribution."""
    if stype != "default":
        raise SymcError("stype is '%s': arrays are dense" % stype)
    return ndarray.array(random_arrays(tuple(shape)), ctx, dtype)


def rand_shape_nd(num_dim, dim=10, allow_zero_size=False):
    return tuple(np.random.randint(0 if allow_zero_size else 1, dim + 1, size=num_dim).tolist())


def rand_shape_2d(dim0=10, dim1=10, allow_zero_size=False):
    return tuple(rand_shape_nd(1, dim, allow_zero_size)[0] for dim in (dim0, dim1))


def rand_shape_3d(dim0=10, dim1=10, dim2=10, allow_zero_size=False):
    return tuple(rand_shape_nd(1, dim, allow_zero_size)[0] for dim in (dim0, dim1, dim2))


def rand_coord_2d(x_low, x_high, y_low, y_high):
    return np.random.randint(x_low, x_high), np.random.randint(y_low, y_high)


def create_vector(size, dtype=np.int64):
    return ndarray.arange(0, size, dtype=dtype)


def create_2d_tensor(rows, columns, dtype=np.int64):
    """Rows of their own number."""
    return ndarray.array(np.repeat(np.arange(rows)[:, None], columns, 1), dtype=dtype)


def np_reduce(dat, axis, keepdims, numpy_reduce_func):
    """A function of NumPy over axes, one after the other, the last first."""
    axes = range(dat.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    made = dat
    for each in sorted(axes, reverse=True):
        made = numpy_reduce_func(made, axis=each)
    return made.reshape([1 if each in axes else extent for each, extent in enumerate(dat.shape)]) if keepdims else made


# --- Checks of symbols -------------------------------------------------------

def simple_forward(sym, ctx=None, is_train=False, **inputs):
    """The outputs of a symbol as arrays of NumPy."""
    bound = sym.bind(ctx or default_context(), {key: ndarray.array(value) for key, value in inputs.items()})
    outputs = [each.asnumpy() for each in bound.forward(is_train)]
    return outputs[0] if len(outputs) == 1 else outputs


def _by_name(names, values, dtype, what):
    if not hasattr(values, "items"):
        if len(values) != len(names):
            raise ValueError("%d arrays for the %s %s" % (len(values), what, ", ".join(names)))
        values = dict(zip(names, values))
    if set(values) != set(names):
        raise ValueError("arrays of %s for the %s %s" % (", ".join(values), what, ", ".join(names)))

    def one(value):
        if isinstance(value, ndarray.NDArray):
            return value
        return ndarray.array(value, dtype=np.asarray(value).dtype if dtype == "asnumpy" else dtype)
    return {name: one(values[name]) for name in names}


def check_symbolic_forward(sym, location, expected, rtol=None, atol=None, aux_states=None, ctx=None, equal_nan=False,
                           dtype=np.float32):
    """AssertionError where the outputs for these arguments are not those that are expected; gives them."""
    bound = sym.bind(ctx or default_context(), _by_name(sym.list_arguments(), location, dtype, "arguments"), None, "null",
                     _by_name(sym.list_auxiliary_states(), aux_states or {}, dtype, "auxiliary states"))
    outputs, names = bound.forward(), sym.list_outputs()
    expected = [expected[name] for name in names] if hasattr(expected, "items") else expected
    for name, wanted, got in zip(names, expected, outputs):
        assert_almost_equal(wanted, got, rtol, atol, ("EXPECTED_" + name, "FORWARD_" + name), equal_nan)
    return outputs


def check_consistency(sym, ctx_list, scale=1.0, grad_req="null", arg_params=None, aux_params=None, rtol=None, atol=None,
                      raise_on_err=True, ground_truth=None, equal_nan=False, use_uniform=False, rand_type=np.float64):
    """AssertionError where a symbol, or symbols with the same arguments, give other outputs for shapes and types of
    ctx_list: each entry has what simple_bind takes ({"ctx": ..., "data": shape, "type_dict": ...}). The reference is the
    entry of the widest type. Outputs are compared, gradients are not."""
    if grad_req not in ("null", None):
        raise SymcError("check_consistency(grad_req='%s') needs training, symc compiles prediction only" % grad_req)
    symbols = [sym] * len(ctx_list) if isinstance(sym, Symbol) else list(sym)
    if len(ctx_list) < 2 or len(symbols) != len(ctx_list):
        raise ValueError("%d symbols for %d contexts, needs two or more of both" % (len(symbols), len(ctx_list)))
    names = symbols[0].list_arguments(), symbols[0].list_outputs()
    for each in symbols[1:]:
        if (each.list_arguments(), each.list_outputs()) != names:
            raise ValueError("arguments and outputs are %s and %s of one symbol, %s and %s of another" % (
                *names, each.list_arguments(), each.list_outputs()))
    bound = [each.simple_bind(**given) for each, given in zip(symbols, ctx_list)]
    values = dict(arg_params or {})
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
    truth = ground_truth or dict(bound[widest].output_dict)
    for place, each in enumerate(bound):
        for name, array in each.output_dict.items() if place != widest or ground_truth else ():
            try:
                assert_almost_equal(array, truth[name], rtol, atol, ("ctx_list[%d]" % place, "expected"), equal_nan)
            except AssertionError as reason:
                if raise_on_err:
                    raise AssertionError("output '%s': %s" % (name, reason)) from None
                print("output '%s': %s" % (name, reason))
    return truth


def _training(name):
    def function(*_args, **_kwargs):
        raise SymcError("%s needs training, symc compiles prediction only" % name)
    function.__name__ = name
    return function


check_numeric_gradient, check_symbolic_backward, numeric_grad, compare_optimizer = map(
    _training, ("check_numeric_gradient", "check_symbolic_backward", "numeric_grad", "compare_optimizer"))


# --- Tests ---------------------------------------------------------------------

def retry(n):
    """A decorator: the test may fail n - 1 times by an AssertionError."""
    def decorate(test):
        @functools.wraps(test)
        def wrapper(*args, **kwargs):
            for left in reversed(range(n)):
                try:
                    return test(*args, **kwargs)
                except AssertionError:
                    if not left:
                        raise
        return wrapper
    return decorate


@contextlib.contextmanager
def discard_stderr():
    with contextlib.redirect_stderr(io.StringIO()):
        yield


@contextlib.contextmanager
def environment(*args):
    """Environment variables inside a with statement: a name and a value, or a dict; None takes one away."""
    wanted = args[0] if len(args) == 1 else {args[0]: args[1]}
    before = {key: os.environ.get(key) for key in wanted}

    def put(values):
        for key, value in values.items():
            os.environ.pop(key, None)
            if value is not None:
                os.environ[key] = str(value)
    put(wanted)
    try:
        yield
    finally:
        put(before)


def is_aarch64_run():
    return "aarch64" in (os.uname().machine if hasattr(os, "uname") else sys.platform)


__all__ = [key for key in globals() if not key.startswith("_") and key not in ("contextlib", "functools", "io", "numbers",
                                                                               "context", "SymcError", "Symbol", "cpu")]

"""symc.test_utils: what tests of networks use, by MXNet's names: comparisons by the tolerances of types, random arrays and
shapes, checks of a symbol's outputs, and those of gradient_checks.py.
"""
import contextlib
import functools
import io
import numbers
import os
import sys
import time

import numpy as np

from . import context, io_files, ndarray
from .context import cpu
from .errors import MissingFile, SymcError
from .gradient_checks import (check_consistency, check_numeric_gradient, check_symbolic_backward,  # noqa: F401
                              check_symbolic_forward, default_numeric_eps, numeric_grad)
from .generator_checks import (chi_square_check, gen_buckets_probs_with_ppf, mean_check, var_check,  # noqa: F401
                               verify_generator)

_RELATIVE = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-5}  # MXNet's; 0 for integers
_ABSOLUTE = {"float16": 1e-1, "float32": 1e-3, "float64": 1e-20}
_NAMES = ("float16", "float32", "float64", "bool", "int8", "uint8", "int32", "uint32", "int64", "uint64")
_default = []


def default_context():
    """The context of set_default_context, else the current one."""
    return _default[0] if _default else context.current_context()


def set_default_context(ctx):
    _default[:] = [ctx]


def default_dtype():
    return np.float32


def default_rtols():
    """{dtype: relative tolerance}."""
    return {np.dtype(name): _RELATIVE.get(name, 0) for name in _NAMES}


def default_atols():
    return {np.dtype(name): _ABSOLUTE.get(name, 0) for name in _NAMES}


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


def get_etol(etol=None):
    return 0 if etol is None else etol


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


def compare_ndarray_tuple(t1, t2, rtol=None, atol=None):
    """assert_almost_equal of arrays, or of nested tuples of them; None where there is none."""
    if t1 is None or t2 is None:
        return
    if isinstance(t1, tuple):
        for one, two in zip(t1, t2):
            compare_ndarray_tuple(one, two, rtol, atol)
    else:
        assert_almost_equal(t1, t2, rtol, atol)


def same_array(array1, array2):
    """Whether two arrays share memory."""
    return np.shares_memory(np.asarray(array1), np.asarray(array2))


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


def get_identity_mat(size):
    """An NDArray of the matrix."""
    return ndarray.array(np.identity(size))


def get_identity_mat_batch(size):
    """Two of them."""
    return ndarray.array(np.stack([np.identity(size)] * 2))


def assign_each(the_input, function):
    """A function of each element, as an array of float64; without a function a copy."""
    if function is None:
        return np.array(the_input, subok=False)
    return np.vectorize(function, otypes=[np.float64])(np.asarray(the_input))


def assign_each2(input1, input2, function):
    """The same of the elements of two arrays."""
    if function is None:
        return np.array(input1, subok=False)
    return np.vectorize(function, otypes=[np.float64])(np.asarray(input1), np.asarray(input2))


def collapse_sum_like(a, shape):
    """Sums of an array of NumPy over the axes along which arrays of `shape` were broadcast to it."""
    axes = tuple(axis for axis in range(a.ndim) if axis < a.ndim - len(shape) or
                 (shape[axis - (a.ndim - len(shape))] == 1 and a.shape[axis] != 1))
    return a.sum(axis=axes).reshape(shape)


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


def check_speed(sym, location=None, ctx=None, N=20, grad_req=None, typ="whole", **kwargs):
    """Seconds of a forward in training and backward ("whole"), or of a forward in prediction ("forward"), on average of N.
    `location`: {argument: array}; without it kwargs has shapes, and values are random."""
    if typ not in ("whole", "forward"):
        raise ValueError("typ is %r, needs 'whole' or 'forward'" % (typ,))
    shapes = kwargs if location is None else {name: np.shape(each) for name, each in location.items()}
    bound = sym.simple_bind(ctx or default_context(), grad_req or "write", **shapes)
    for name, array in bound.arg_dict.items():
        if location is None or name in location:
            array[...] = np.random.normal(size=array.shape) if location is None else location[name]

    def run():
        bound.forward(is_train=typ == "whole")
        if typ == "whole":
            bound.backward(bound.outputs)
    run()
    begin = time.perf_counter()
    for _ in range(N):
        run()
    return (time.perf_counter() - begin) / N


def compare_optimizer(opt1, opt2, shape, dtype, w_stype="default", g_stype="default", rtol=1e-4, atol=1e-5,
                      compare_states=True, ntensors=1):
    """AssertionError where two optimizers update a weight, or each of a list, to other values."""
    for each in (w_stype, g_stype):
        if each != "default":
            raise SymcError("storage is '%s': arrays are dense" % each)
    shapes = shape if isinstance(shape, list) else [shape]
    one, gradients = ([ndarray.array(np.random.uniform(size=each), dtype=dtype) for each in shapes] for _ in range(2))
    two, given = [each.copy() for each in one], [each.copy() for each in gradients]
    states = [opt2.create_state_multi_precision(0, each) for each in two]
    if isinstance(shape, list):
        opt2.update_multi_precision(list(range(ntensors)), two, given, states)
    else:
        opt2.update_multi_precision(0, two[0], given[0], states[0])
    for place, each in enumerate(one):
        state = opt1.create_state_multi_precision(place, each)
        opt1.update_multi_precision(place, each, gradients[place], state)
        if compare_states:
            compare_ndarray_tuple(state, states[place], rtol, atol)
        assert_almost_equal(each, two[place], rtol, atol)


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


def get_mnist_ubyte():
    """Finds MNIST's four files in the folder data, where MXNet's function puts what it loads; MissingFile if they are not
    all there, gzipped or not."""
    for name in _MNIST:
        _mnist_path(name)


def get_mnist():
    """{"train_data": [n, 1, 28, 28] over 255, "train_label": [n], "test_data", "test_label"} of the same files."""
    found = {}
    for part in ("train", "test"):
        pictures, labels = (io_files.read_idx(_mnist_path(name), magic, rank) for name, magic, rank in (
            zip(_MNIST[:2] if part == "train" else _MNIST[2:], (2051, 2049), (3, 1))))
        found[part + "_data"] = pictures.reshape(len(pictures), 1, *pictures.shape[1:]).astype(np.float32) / 255
        found[part + "_label"] = labels
    return found


def get_mnist_iterator(batch_size, input_shape, num_parts=1, part_index=0):
    """MNISTIter over the training files and over the test files; pictures are flat unless `input_shape` has 3 extents."""
    return tuple(io_files.MNISTIter(_mnist_path(image), _mnist_path(label), batch_size, flat=len(input_shape) != 3, **parts)
                 for image, label, parts in ((*_MNIST[:2], {"num_parts": num_parts, "part_index": part_index}),
                                             (*_MNIST[2:], {})))


_MNIST = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")


def _mnist_path(name):
    for path in (os.path.join("data", name + end) for end in ("", ".gz")):
        if os.path.exists(path):
            return path
    raise MissingFile("data/%s: there is no such file, gzipped or not; symc loads nothing from the network, put MNIST's "
                      "files there" % name)


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
                                                                               "context", "SymcError", "cpu", "time")]

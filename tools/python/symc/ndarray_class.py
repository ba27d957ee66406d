"""NDArray: a numpy.ndarray whose operators and methods are MXNet's where MXNet has them.

    x = nd.array([[1, 2], [3, 4]])
    x[0, 1], x.sum(), x > 2     # of shapes (1,), (1,), and float32 of x's shape

So results keep the type of their array, what has a single element has the shape (1,), and a number is cast to the
array's type before it is used: int32 * 2.5 is int32 * 2. NumPy's functions and the methods that only NumPy has see the
same memory and answer as NumPy does.
"""
import operator

import numpy as np

from .context import cpu, on_processor
from .errors import AbsentFunction, SymcError


def _plain(value):
    """NDArrays as arrays of NumPy, inside of lists, tuples and dicts too."""
    if isinstance(value, NDArray):
        return value.view(np.ndarray)
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    return {key: _plain(each) for key, each in value.items()} if type(value) is dict else value


def _wrapped(value):
    if type(value) in (list, tuple):
        return type(value)(map(_wrapped, value))
    return value.view(NDArray) if isinstance(value, np.ndarray) else value


def described(value):
    """A value as a message has it."""
    return "an array of shape %s" % (value.shape,) if isinstance(value, np.ndarray) else "%.60r" % (value,)


def _made(value, dtype):
    """The result of a method: a single number has the shape (1,)."""
    value = np.asarray(value).astype(dtype, copy=False)
    return value.reshape(value.shape or (1,)).view(NDArray)


def _index(key):
    """The key with an Ellipsis, so that an element is a view. Indices may be float32, the type of MXNet's arrays."""
    keys = [each.view(np.ndarray).astype(np.int64) if isinstance(each, NDArray) and each.dtype.kind == "f" else each
            for each in (key if isinstance(key, tuple) else (key,))]
    return tuple(keys if any(each is Ellipsis for each in keys) else [*keys, Ellipsis])


def _new_shape(wanted, given):
    """Extents for those that reshape was given: 0 keeps one, -2 all that are left, -3 joins two, -4 splits one."""
    made, wanted, left = [], list(wanted), list(given)
    while wanted:
        code = wanted.pop(0)
        if code == -2:
            made, left = made + left, []
        elif code == -3:
            made.append(left.pop(0) * left.pop(0))
        elif code == -4:
            whole, one, two = left.pop(0), wanted.pop(0), wanted.pop(0)
            made += [whole // two if one == -1 else one, whole // one if two == -1 else two]
        else:
            made.append(left[0] if code == 0 else code)
            left = left[1:]
    return made


class NDArray(np.ndarray):
    """Everything is computed when it is written: there is nothing to wait for."""

    __hash__ = object.__hash__

    def __array_function__(self, func, types, args, kwargs):
        return _wrapped(func(*_plain(args), **_plain(kwargs)))

    def __array_wrap__(self, array, context=None, return_scalar=False):
        """What NumPy's operators and NumPy's own methods give: numbers of NumPy for single ones."""
        return array.view(NDArray) if array.ndim else array.view(np.ndarray)[()]

    def __repr__(self):
        return "\n%s\n<NDArray %s @%s>" % (self.view(np.ndarray), "x".join(map(str, self.shape)), self.context)

    __str__ = __repr__

    def __format__(self, spec):
        return format(self.item(), spec) if spec and self.size == 1 else str(self)

    def __float__(self):
        return float(self.asscalar())

    def __int__(self):
        return int(self.asscalar())

    def __index__(self):
        return operator.index(self.asscalar())

    def __getitem__(self, key):
        if key is Ellipsis or type(key) is slice or (type(key) is np.ndarray and key.ndim):
            return super().__getitem__(key)
        found = super().__getitem__(_index(key))
        return found if found.ndim or not self.ndim else super(NDArray, found).reshape(1)

    def __setitem__(self, key, value):
        if key is Ellipsis or type(key) is slice:
            super().__setitem__(key, value)
            return
        super().__setitem__(_index(key), value)

    def asnumpy(self):
        return np.array(self, subok=False)

    def asscalar(self):
        if self.size != 1:
            raise ValueError("the array has shape %s, needs one element to be a scalar" % (self.shape,))
        return self.view(np.ndarray).reshape(-1)[0]

    @property
    def context(self):
        return cpu()

    ctx = context

    @property
    def stype(self):
        return "default"

    def as_in_context(self, context):
        on_processor(context)
        return self

    def copyto(self, other):
        """Into an array of the same shape; a Context gives a copy."""
        if not isinstance(other, np.ndarray):
            on_processor(other)
            return self.copy()
        if other.shape != self.shape:
            raise ValueError("copyto needs an array of shape %s, got %s" % (self.shape, other.shape))
        np.copyto(other, self, casting="unsafe")
        return other

    def wait_to_read(self):
        pass

    @property
    def writable(self):
        return self.flags.writeable

    @property
    def handle(self):
        raise AbsentFunction("'NDArray' object has no attribute 'handle': its memory is NumPy's (x.ctypes)")

    def to_dlpack_for_read(self):
        """Is refused."""
        raise SymcError("arrays are NumPy's: other libraries take x.asnumpy()")

    to_dlpack_for_write = to_dlpack_for_read

    def as_nd_ndarray(self):
        return self

    def as_np_ndarray(self):
        """The same memory as an array of NumPy."""
        return self.view(np.ndarray)

    def tostype(self, stype):
        if stype != "default":
            raise SymcError("tostype: arrays are dense, storage '%s' is not supported" % stype)
        return self

    # --- Gradients (autograd.py) -------------------------------------------

    grad = None  # of an array without a gradient
    _entry = None  # its place in the graph that autograd records

    def attach_grad(self, grad_req="write", stype=None):
        """Makes it a variable with a gradient of zeros; what made the array gets none through it any more."""
        from . import autograd
        if stype not in (None, "default"):
            raise SymcError("attach_grad: arrays are dense, storage '%s' is not supported" % stype)
        autograd.mark_variables([self], [np.zeros_like(self.view(np.ndarray)).view(NDArray)], grad_req)

    def backward(self, out_grad=None, retain_graph=False, train_mode=True):
        """Gradients of the variables that this array depends on."""
        from . import autograd
        autograd.backward([self], None if out_grad is None else [out_grad], retain_graph, train_mode)

    def detach(self):
        """The same memory, to which no gradient goes back."""
        return self.view()

    # --- Shapes ------------------------------------------------------------

    def reshape(self, *shape, reverse=False, **keywords):
        """The same elements: reshape(2, 3), reshape((2, 3)) or reshape(shape=(2, 3)); with extents -1 (what is left)
        and MXNet's 0, -2, -3 and -4, from the last extent on where `reverse`."""
        shape = keywords.pop("shape", shape)
        shape = shape[0] if len(shape) == 1 and not hasattr(shape[0], "__index__") else shape
        step = -1 if reverse else 1
        try:
            return super().reshape(_new_shape(shape[::step], self.shape[::step])[::step], **keywords)
        except (IndexError, ValueError):
            raise ValueError("an array of shape %s cannot be reshaped to %s" % (self.shape, tuple(shape))) from None

    def flatten(self):
        """A copy with two extents: the first, and all others."""
        return self.copy().reshape(self.shape[0], -1)

    def squeeze(self, axis=None):
        return _made(np.squeeze(_plain(self), tuple(axis) if isinstance(axis, list) else axis), self.dtype)

    def expand_dims(self, axis, inplace=False):
        return np.array(np.expand_dims(_plain(self), axis)).view(NDArray)

    def broadcast_to(self, shape):
        """Copies of elements along extents of 1; extents that lack are put in front."""
        try:
            return np.array(np.broadcast_to(_plain(self), tuple(shape))).view(NDArray)
        except ValueError:
            raise ValueError("an array of shape %s cannot be broadcast to %s" % (self.shape, tuple(shape))) from None

    def broadcast_like(self, other):
        return self.broadcast_to(other.shape)

    def slice_assign(self, rhs, begin, end, step):
        """Writes rhs into a part of this array."""
        self[tuple(map(slice, begin, end, step or [None] * len(begin)))] = rhs
        return self

    def slice_assign_scalar(self, value, begin, end, step):
        return self.slice_assign(value, begin, end, step)

    # --- Values ------------------------------------------------------------

    def clip(self, a_min=None, a_max=None):
        bounds = [each if each is None else np.asarray(each).astype(self.dtype) for each in (a_min, a_max)]
        return _made(np.clip(_plain(self), *bounds), self.dtype)

    def round(self):
        """Halves go away from zero."""
        values = _plain(self)
        return _made(np.trunc(values + np.copysign(0.5, values)), self.dtype)

    def take(self, indices, axis=0, mode="clip"):
        return _wrapped(np.take(_plain(self), np.asarray(indices).astype(np.int64), axis, mode=mode))

    def argsort(self, axis=-1, is_ascend=True, dtype="float32"):
        values, axis = (_plain(self), axis) if axis is not None else (_plain(self).reshape(-1), 0)
        order = np.argsort(values, axis, kind="stable")
        return _made(order if is_ascend else np.flip(order, axis), dtype)

    def sort(self, axis=-1, is_ascend=True):
        """A sorted copy."""
        values, axis = (_plain(self), axis) if axis is not None else (_plain(self).reshape(-1), 0)
        ordered = np.sort(values, axis)
        return _wrapped(ordered if is_ascend else np.flip(ordered, axis))


def _operation(key, function, swapped=False):
    """An operator: the result has the array's type, of comparisons too. Other arrays of NumPy, and those of another
    type, follow NumPy's rules."""
    numpys = getattr(np.ndarray, key)

    def method(self, other):
        same = isinstance(other, NDArray) and other.dtype == self.dtype
        if self.dtype.kind not in "fiu" or not (same or isinstance(other, (int, float, np.number))):
            return numpys(self, other)
        with np.errstate(all="ignore"):
            one, two = _plain(self), _plain(other) if same else np.asarray(other).astype(self.dtype)
            if self.dtype.kind != "f" and function in (np.true_divide, np.power):  # towards zero
                one, two = one.astype(np.float64), two.astype(np.float64)
            found = np.asarray(function(two, one) if swapped else function(one, two))
            return found.astype(self.dtype, copy=False).view(NDArray)
    method.__name__ = key
    return method


def _of_masks(key):
    """`&`, `|` and `^` of a mask and a comparison, which has the type of its arrays, are masks. MXNet has none of these;
    NumPy's tests of arrays use them."""
    numpys = getattr(np.ndarray, key)

    def method(self, other):
        def mask(value):
            return value != 0 if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value
        if self.dtype.kind in "bf" and getattr(other, "dtype", np.dtype(type(other))).kind in "bf":
            return getattr(mask(_plain(self)), key)(mask(_plain(other))).view(NDArray)
        return numpys(self, other)
    method.__name__ = key
    return method


def _in_place(method):
    def assign(self, other):
        made = method(self, other)
        if made is not NotImplemented:
            self[...] = made
        return made if made is NotImplemented else self
    return assign


def _reduction(function):
    """Over axes, or over all others where `exclude`; with a `dtype`, which MXNet's have not, NumPy's."""
    def method(self, axis=None, keepdims=False, exclude=False, dtype=None):
        if dtype is not None:
            return function(_plain(self), axis=axis, keepdims=keepdims, dtype=dtype)
        axes = [] if axis is None else [axis] if hasattr(axis, "__index__") else list(axis)
        if exclude:
            axes = sorted(set(range(self.ndim)) - {each % self.ndim for each in axes})
        return _made(function(_plain(self), axis=tuple(axes) or None, keepdims=bool(keepdims)), self.dtype)
    return method


def _place(function):
    """Where along an axis, as a number of the array's type."""
    def method(self, axis=None, keepdims=False):
        found = function(_plain(self), axis)
        if keepdims:
            found = found.reshape((1,) * self.ndim) if axis is None else np.expand_dims(found, axis)
        return _made(found, self.dtype)
    return method


#: Methods that are operators of symc.nd with the array as their first input.
_OPERATORS = (
    "abs arccos arccosh arcsin arcsinh arctan arctanh argmax_channel broadcast_axes cbrt ceil cos cosh "
    "degrees depth_to_space diag exp expm1 fix flip floor log log10 log1p log2 log_softmax nanprod nansum norm one_hot "
    "ones_like pad pick radians rcbrt reciprocal relu reshape_like rint rsqrt shape_array sigmoid sign sin sinh size_array "
    "slice slice_axis slice_like softmax softmin space_to_depth split split_v2 sqrt square tan tanh tile topk trunc "
    "zeros_like").split()


def _operator(key):
    def method(self, *args, **kwargs):
        from . import ndarray
        return getattr(ndarray, key)(self, *args, **kwargs)
    method.__name__, method.__qualname__ = key, "NDArray." + key
    method.__doc__ = "nd.%s of this array." % key
    return method


def _complete():
    for key in _OPERATORS:
        setattr(NDArray, key, _operator(key))
    for name, function in (("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("truediv", np.true_divide),
                           ("mod", np.remainder), ("pow", np.power)):
        key, reflected = "__%s__" % name, "__r%s__" % name
        setattr(NDArray, key, _operation(key, function))
        setattr(NDArray, reflected, _operation(reflected, function, swapped=True))
        setattr(NDArray, "__i%s__" % name, _in_place(getattr(NDArray, key)))
    for name in ("and", "or", "xor"):
        for key in ("__%s__" % name, "__r%s__" % name, "__i%s__" % name):
            setattr(NDArray, key, _of_masks(key.replace("__i", "__")))
    for name, function in (("eq", np.equal), ("ne", np.not_equal), ("lt", np.less), ("le", np.less_equal),
                           ("gt", np.greater), ("ge", np.greater_equal)):
        setattr(NDArray, "__%s__" % name, _operation("__%s__" % name, function))
    for name, function in (("sum", np.sum), ("mean", np.mean), ("prod", np.prod), ("max", np.max), ("min", np.min)):
        setattr(NDArray, name, _reduction(function))
    NDArray.argmax, NDArray.argmin = _place(np.argmax), _place(np.argmin)


_complete()

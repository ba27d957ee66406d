"""Symbols of NumPy's kind: what operators of sym.np and sym.npx give, and as_np_ndarray() of any symbol.

They differ from others in what an expression means: `a + b`, `a[0, 1:]`, `a == b` and methods are NumPy's functions,
which broadcast, keep scalars apart from tensors of one element, and compare to bool.
"""
import builtins
import numbers

from . import operators
from .errors import NotImplementedForSymbol
from .symbol import Group, Symbol, _made, ctypes, handles

_npi = operators.OperatorModule(__name__ + "._npi", "npi", "Operators behind NumPy's functions.")
_np = operators.OperatorModule(__name__ + "._np", "np", "Operators that have the names of NumPy's functions.")


def _functions():
    from . import numpy_functions
    return numpy_functions


def _arithmetic(key):
    """Methods of a function of two symbols, or of a symbol and a number."""
    def method(self, other):
        return getattr(_functions(), key)(self, other)

    def reflected(self, other):
        return getattr(_functions(), key)(other, self)
    return method, reflected


def _check_order(order, allowed=("C",)):
    if order not in allowed:
        raise NotImplementedForSymbol("a symbol has elements in the order 'C', got order=%r" % (order,))


class _Symbol(Symbol):
    """Outputs of nodes, as NumPy's arrays in expressions."""

    __slots__ = ()

    @property
    def num_outputs(self):
        return super().__len__()

    def __len__(self):
        if self.num_outputs == 1:
            raise TypeError("the length of %r is known when it runs" % self)
        return self.num_outputs

    def __iter__(self):
        if self.num_outputs == 1:
            raise TypeError("%r has one output, over which nothing goes: its extents are known when it runs" % self)
        return (self[i] for i in range(self.num_outputs))

    def __getitem__(self, key):
        """A part of the one output that there is, by numbers, slices and tuples of them; of several outputs some."""
        if self.num_outputs > 1:
            if isinstance(key, builtins.slice):
                return Group([self[i] for i in range(*key.indices(self.num_outputs))], _Symbol)
            return super().__getitem__(key).as_np_ndarray()
        keys = key if isinstance(key, tuple) else (key,)
        if not keys:
            return self
        begin, end, step, shape = [], [], [], []
        for each in keys:
            if isinstance(each, builtins.slice):
                if each.step == 0:
                    raise ValueError("slice step cannot be zero")
                begin.append(each.start)
                end.append(each.stop)
                step.append(each.step)
                shape.append(-2)  # the extent stays
            elif isinstance(each, numbers.Integral):
                forward = each >= 0  # the element before the first one of a tensor is its last
                begin.append(int(each))
                end.append(int(each) + (1 if forward else -1))
                step.append(1 if forward else -1)
                shape.append(-3)  # an extent of 1 goes
            else:
                raise IndexError("a symbol's parts are named by numbers, slices and tuples of them, not by %r" % (
                    each,))
        if isinstance(key, tuple):
            return _npi.reshape(_npi.slice(self, begin, end, step), (*shape, -4))
        if shape == [-2]:
            # A bound that is no list is as MXNet writes it, who looks at it by itself.
            return _npi.slice(self, *([None] if each is None else each for each in (key.start, key.stop)), key.step)
        steps = {} if key >= 0 else {"step": step}
        return _npi.reshape(_npi.slice(self, begin, end, **steps), (-3, -4))

    # --- Kinds -------------------------------------------------------------

    def as_np_ndarray(self):
        return self

    def as_nd_ndarray(self):
        """The same outputs as a symbol of the other kind."""
        return _made("symc_symbol_create_group", ctypes.c_size_t(1), handles([self.handle]))

    def __copy__(self):
        return super().__copy__().as_np_ndarray()

    def __getattr__(self, key):
        raise AttributeError("a symbol of NumPy's kind has no method '%s'; sym.np and sym.npx hold functions" % key)

    def __dir__(self):
        return object.__dir__(self)

    diag = split_v2 = property(lambda self: self.__getattr__(""))  # AttributeError: Python calls __getattr__ by name

    # --- Expressions -------------------------------------------------------

    __add__, _ = _arithmetic("add")
    __radd__ = __add__
    __sub__, __rsub__ = _arithmetic("subtract")
    __mul__, __rmul__ = _arithmetic("multiply")
    __truediv__, __rtruediv__ = _arithmetic("divide")
    __mod__, __rmod__ = _arithmetic("mod")
    __pow__, __rpow__ = _arithmetic("power")
    __matmul__, __rmatmul__ = _arithmetic("matmul")
    __eq__, _ = _arithmetic("equal")
    __ne__, _ = _arithmetic("not_equal")
    __gt__, _ = _arithmetic("greater")
    __ge__, _ = _arithmetic("greater_equal")
    __lt__, _ = _arithmetic("less")
    __le__, _ = _arithmetic("less_equal")
    __hash__ = object.__hash__

    def __neg__(self):
        return self * -1.0

    def __abs__(self):
        return _functions().abs(self)

    # --- Methods -----------------------------------------------------------

    @property
    def T(self):
        return self.transpose()

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        _check_order(order, (None, "K", "C"))
        if casting != "unsafe" or not subok:
            raise ValueError("astype takes casting='unsafe' and subok=True alone")
        return _npi.cast(self, dtype=dtype)

    def dot(self, b, out=None):
        return _np.dot(self, b)

    def reshape(self, *shape, order="C"):
        _check_order(order)
        if not shape:
            raise TypeError("reshape takes a shape")
        return _np.reshape(self, newshape=shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape,
                           order=order)

    def flatten(self, order="C"):
        return self.reshape(-1, order=order)

    def transpose(self, *axes):
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
            axes = axes[0]
        return _np.transpose(self, axes=axes or None)

    def squeeze(self, axis=None):
        return _np.squeeze(self, axis=axis)

    def repeat(self, repeats, axis=None):
        return _np.repeat(self, repeats=repeats, axis=axis)

    def cumsum(self, axis=None, dtype=None, out=None):
        return _np.cumsum(self, axis=axis, dtype=dtype)

    def sum(self, axis=None, dtype=None, out=None, keepdims=False):
        return _np.sum(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False):
        return _np.prod(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def max(self, axis=None, out=None, keepdims=False):
        return _np.max(self, axis=axis, keepdims=keepdims)

    def min(self, axis=None, out=None, keepdims=False):
        return _np.min(self, axis=axis, keepdims=keepdims)



def _method(key):
    def method(self, *args, **kwargs):
        return getattr(_functions(), key)(self, *args, **kwargs)
    method.__name__ = key
    method.__doc__ = "sym.np.%s of this symbol." % key
    return method


#: Functions of sym.np that are methods as they are.
_METHODS = ("argmax", "argmin", "argsort", "clip", "mean", "round", "sort", "std", "swapaxes", "take", "var")
for _key in _METHODS:
    setattr(_Symbol, _key, _method(_key))

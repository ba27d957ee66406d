"""sym.np.linalg: linear algebra on batches of matrices, for symbols of NumPy's kind."""
import numbers

from .errors import NotImplementedForSymbol
from .numpy_symbol import _np, _npi

__all__ = ["norm", "svd", "cholesky", "inv", "det", "slogdet", "solve", "tensorinv", "tensorsolve", "pinv", "eigvals",
           "eig", "eigvalsh", "eigh"]


def _plain(key):
    def function(*symbols):
        return getattr(_npi, key)(*symbols)
    function.__name__ = function.__qualname__ = key
    function.__doc__ = "The operator _npi_%s." % key
    return function


svd, cholesky, inv, det, slogdet, solve, eigvals, eig = map(
    _plain, ("svd", "cholesky", "inv", "det", "slogdet", "solve", "eigvals", "eig"))


def eigvalsh(a, UPLO="L"):
    return _npi.eigvalsh(a, UPLO)


def eigh(a, UPLO="L"):
    return _npi.eigh(a, UPLO)


def tensorinv(a, ind=2):
    return _npi.tensorinv(a, ind)


def tensorsolve(a, b, axes=None):
    return _npi.tensorsolve(a, b, axes)


def pinv(a, rcond=1e-15, hermitian=False):
    if hermitian:
        raise NotImplementedForSymbol("sym.np.linalg.pinv takes no other hermitian than False, got %r" % (hermitian,))
    return (_npi.pinv_scalar_rcond if isinstance(rcond, numbers.Number) else _npi.pinv)(a, rcond, hermitian)


def _sums_of_columns(x, along, over, largest, keepdims):
    """The largest or the smallest of the sums of absolute values along an axis."""
    if not keepdims and over > along:
        over -= 1
    sums = _np.sum(_npi.abs(x), axis=along, keepdims=keepdims)
    return (sums.max if largest else sums.min)(axis=over, keepdims=keepdims)


def norm(x, ord=None, axis=None, keepdims=False):
    """Of vectors and, along two axes, of matrices; ord may be 'inf', '-inf', 'fro' and 'nuc'. The operator takes a
    `flag` that selects which norm is meant: -2 of all elements, -1 of vectors, 0 spectral, 1 Frobenius', 2 nuclear."""
    def by_operator(order, flag):
        return _npi.norm(x, ord=order, axis=axis, keepdims=keepdims, flag=flag)
    if axis is None and ord is None:
        return by_operator(2, -2)
    if isinstance(axis, int):
        axis = (axis,)
    if axis is not None and not isinstance(axis, tuple):
        raise TypeError("norm takes as axis a number, a tuple or None, got %r" % (axis,))
    if axis is not None and len(axis) == 2:
        rows, columns = axis
        if ord in ("inf", "-inf"):
            return _sums_of_columns(x, columns, rows, ord == "inf", keepdims)
        if ord in (1, -1):
            return _sums_of_columns(x, rows, columns, ord == 1, keepdims)
        if ord in (2, -2):
            return by_operator(ord, 0)
    if ord in ("inf", "-inf"):
        return (_np.max if ord == "inf" else _np.min)(_npi.abs(x), axis=axis, keepdims=keepdims)
    if ord in (None, "fro", "f"):
        return by_operator(2, 1)
    return by_operator(2, 2) if ord == "nuc" else by_operator(ord, -1)

"""sym.npx.random: distributions beside NumPy's. `size` and `batch_shape` None stand for the parameters' shape."""
from .numpy_random import _draw

__all__ = ["bernoulli", "normal_n", "uniform_n"]


def bernoulli(prob=None, logit=None, size=None, dtype=None, ctx=None, out=None):
    """0 or 1, by the probability of a 1 or by its logit."""
    if (prob is None) == (logit is None):
        raise ValueError("bernoulli takes prob or logit, got prob=%r and logit=%r" % (prob, logit))
    return _draw("bernoulli", {"prob": prob, "logit": logit}, size, ctx, is_logit=logit is not None,
                 dtype=dtype or "float32")


def uniform_n(low=0.0, high=1.0, batch_shape=None, dtype=None, ctx=None):
    """`batch_shape` stands before the parameters' shape."""
    return _draw("uniform_n", {"low": low, "high": high}, batch_shape, ctx, dtype=dtype or "float32")


def normal_n(loc=0.0, scale=1.0, batch_shape=None, dtype=None, ctx=None):
    return _draw("normal_n", {"loc": loc, "scale": scale}, batch_shape, ctx, dtype=dtype or "float32")

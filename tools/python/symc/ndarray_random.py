"""nd.random: numbers of distributions whose parameters are numbers (_random_*) or arrays (_sample_*).

Calls draw numbers of their own, and the same ones again after random.seed.
"""
import numbers

import numpy as np

from . import imperative
from .ndarray_class import described
from .operators import _NULL

__all__ = ["uniform", "normal", "randn", "poisson", "exponential", "gamma", "negative_binomial",
           "generalized_negative_binomial", "multinomial", "shuffle", "randint"]


def _draw(kind, parameters, shape, dtype, ctx, out, kwargs):
    arrays = isinstance(parameters[0], np.ndarray)
    wanted = np.ndarray if arrays else numbers.Number
    for each in parameters:
        if not isinstance(each, wanted):
            raise ValueError("parameters of '%s' are %s, needs numbers alone or arrays alone" % (
                kind, ", ".join(map(described, parameters))))
    if shape is _NULL and out is None and not arrays:
        shape = 1
    name = ("_sample_" if arrays else "_random_") + kind
    return imperative.function_of(name)(*parameters, shape=shape, dtype=dtype, ctx=ctx, out=out, **kwargs)


def uniform(low=0, high=1, shape=_NULL, dtype=_NULL, ctx=None, out=None, **kwargs):
    """Numbers from low to high."""
    return _draw("uniform", [low, high], shape, dtype, ctx, out, kwargs)


def normal(loc=0, scale=1, shape=_NULL, dtype=_NULL, ctx=None, out=None, **kwargs):
    """Normal numbers around loc, of the standard deviation scale."""
    return _draw("normal", [loc, scale], shape, dtype, ctx, out, kwargs)


def randn(*shape, **kwargs):
    """The same with the extents as arguments."""
    parameters = [kwargs.pop("loc", 0), kwargs.pop("scale", 1)]
    rest = [kwargs.pop("dtype", _NULL), kwargs.pop("ctx", None), kwargs.pop("out", None)]
    return _draw("normal", parameters, shape if shape else _NULL, *rest, kwargs)


def poisson(lam=1, shape=_NULL, dtype=_NULL, ctx=None, out=None, **kwargs):
    """Numbers of a Poisson distribution of the rate lam."""
    return _draw("poisson", [lam], shape, dtype, ctx, out, kwargs)


def exponential(scale=1, shape=_NULL, dtype=_NULL, ctx=None, out=None, **kwargs):
    """Exponential numbers of the mean scale."""
    return _draw("exponential", [1.0 / scale], shape, dtype, ctx, out, kwargs)


def gamma(alpha=1, beta=1, shape=_NULL, dtype=_NULL, ctx=None, out=None, **kwargs):
    """Numbers of a gamma distribution of shape alpha and scale beta."""
    return _draw("gamma", [alpha, beta], shape, dtype, ctx, out, kwargs)


def negative_binomial(k=1, p=1, shape=_NULL, dtype=_NULL, ctx=None, out=None, **kwargs):
    """Failures before the k-th success of probability p."""
    return _draw("negative_binomial", [k, p], shape, dtype, ctx, out, kwargs)


def generalized_negative_binomial(mu=1, alpha=1, shape=_NULL, dtype=_NULL, ctx=None, out=None, **kwargs):
    """The same by the mean mu and the dispersion alpha."""
    return _draw("generalized_negative_binomial", [mu, alpha], shape, dtype, ctx, out, kwargs)


def multinomial(data, shape=_NULL, get_prob=False, out=None, dtype="int32", **kwargs):
    """Classes by the probabilities along the last axis of data, and with get_prob the logarithms of these."""
    return imperative.function_of("_sample_multinomial")(data, shape, get_prob, out=out, dtype=dtype, **kwargs)


def shuffle(data, **kwargs):
    """Rows of data in a random order."""
    return imperative.function_of("_shuffle")(data, **kwargs)


def randint(low, high, shape=_NULL, dtype=_NULL, ctx=None, out=None, **kwargs):
    """Integers from low to high, high left out."""
    if isinstance(low, np.ndarray):
        raise ValueError("randint takes numbers as low and high, got %s" % described(low))
    return _draw("randint", [low, high], shape, dtype, ctx, out, kwargs)

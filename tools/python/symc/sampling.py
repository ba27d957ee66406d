"""sym.random: numbers of distributions whose parameters are numbers (_random_*) or symbols (_sample_*)."""
import numbers

from . import symbol
from .operators import _NULL


def _draw(kind, parameters, shape, dtype, kwargs):
    family = "_sample_" if isinstance(parameters[0], symbol.Symbol) else "_random_"
    wanted = symbol.Symbol if family == "_sample_" else numbers.Number
    for each in parameters:
        if not isinstance(each, wanted):
            raise ValueError("parameters of '%s' are %s, needs numbers alone or symbols alone" % (
                kind, ", ".join(map(repr, parameters))))
    return getattr(symbol._internal, family + kind)(*parameters, shape=shape, dtype=dtype, **kwargs)


def uniform(low=0, high=1, shape=_NULL, dtype=_NULL, **kwargs):
    """Numbers from low to high."""
    return _draw("uniform", [low, high], shape, dtype, kwargs)


def normal(loc=0, scale=1, shape=_NULL, dtype=_NULL, **kwargs):
    """Normal numbers around loc, of the standard deviation scale."""
    return _draw("normal", [loc, scale], shape, dtype, kwargs)


def randn(*shape, **kwargs):
    """The same with the extents as arguments."""
    parameters = [kwargs.pop("loc", 0), kwargs.pop("scale", 1)]
    return _draw("normal", parameters, shape, kwargs.pop("dtype", _NULL), kwargs)


def poisson(lam=1, shape=_NULL, dtype=_NULL, **kwargs):
    """Numbers of a Poisson distribution of the rate lam."""
    return _draw("poisson", [lam], shape, dtype, kwargs)


def exponential(scale=1, shape=_NULL, dtype=_NULL, **kwargs):
    """Exponential numbers of the mean scale."""
    return _draw("exponential", [1.0 / scale], shape, dtype, kwargs)


def gamma(alpha=1, beta=1, shape=_NULL, dtype=_NULL, **kwargs):
    """Numbers of a gamma distribution of shape alpha and scale beta."""
    return _draw("gamma", [alpha, beta], shape, dtype, kwargs)


def negative_binomial(k=1, p=1, shape=_NULL, dtype=_NULL, **kwargs):
    """Failures before the k-th success of probability p."""
    return _draw("negative_binomial", [k, p], shape, dtype, kwargs)


def generalized_negative_binomial(mu=1, alpha=1, shape=_NULL, dtype=_NULL, **kwargs):
    """The same by the mean mu and the dispersion alpha."""
    return _draw("generalized_negative_binomial", [mu, alpha], shape, dtype, kwargs)


def multinomial(data, shape=_NULL, get_prob=True, dtype="int32", **kwargs):
    """Classes by the probabilities along the last axis of data, and with get_prob the logarithms of these."""
    return symbol._internal._sample_multinomial(data, shape, get_prob, dtype=dtype, **kwargs)


def shuffle(data, **kwargs):
    """Rows of data in an order of chance."""
    return symbol._internal._shuffle(data, **kwargs)


def randint(low, high, shape=_NULL, dtype=_NULL, **kwargs):
    """Integers from low to high, high left out."""
    return _draw("randint", [low, high], shape, dtype, kwargs)


def rand_zipfian(true_classes, num_sampled, range_max):
    """Classes below range_max of a nearly Zipfian distribution, and how often true_classes and these are expected among
    num_sampled draws: three symbols. It is one of sym.contrib."""
    import math
    log_range = math.log(range_max + 1)
    drawn = uniform(0, log_range, shape=(num_sampled,), dtype="float64")
    classes = (drawn.exp() - 1).astype("int64") % range_max

    def expected(of):
        of = of.astype("float64")
        return ((of + 2.0) / (of + 1.0)).log() / log_range * num_sampled
    true_count = expected(true_classes)
    return classes, true_count, expected(classes)

"""sym.np.random: numbers of distributions whose parameters are numbers or symbols, for symbols of NumPy's kind.

`size` is the shape of what comes out, None that of the parameters. A model draws other numbers in each run, the same
after the same seed (Model.set_seed). sym.npx.random is numpy_extension_random.py.
"""
from .context import current_context
from .errors import NotImplementedForSymbol
from .numpy_symbol import Symbol, _npi

__all__ = ["randint", "uniform", "normal", "multivariate_normal", "logistic", "gumbel", "rayleigh", "rand", "shuffle",
           "gamma", "beta", "chisquare", "exponential", "lognormal", "weibull", "pareto", "power", "choice"]


def _draw(operator, parameters, size, ctx=None, place=True, **values):
    """Parameters that are symbols become inputs, in order."""
    if place:
        values["ctx"] = str(current_context() if ctx is None else ctx)
    symbols = [each for each in parameters.values() if isinstance(each, Symbol)]
    values.update((key, None if isinstance(each, Symbol) else each) for key, each in parameters.items())
    return getattr(_npi, operator)(*symbols, size=None if size == () else size, **values)


def randint(low, high=None, size=None, dtype=None, ctx=None, out=None):
    """Whole numbers from low to high - 1, or from 0 to low - 1."""
    low, high = (0, low) if high is None else (low, high)
    return _npi.random_randint(low=low, high=high, shape=() if size is None else size, dtype=dtype or "int64",
                               ctx=str(current_context() if ctx is None else ctx))


def uniform(low=0.0, high=1.0, size=None, dtype=None, ctx=None, out=None):
    return _draw("uniform", {"low": low, "high": high}, size, ctx, dtype=dtype or "float32")


def rand(*size, **kwargs):
    return uniform(0, 1, size=size, **kwargs)


def normal(loc=0.0, scale=1.0, size=None, dtype=None, ctx=None, out=None):
    return _draw("normal", {"loc": loc, "scale": scale}, size, ctx, dtype=dtype or "float32")


def lognormal(mean=0.0, sigma=1.0, size=None, dtype=None, ctx=None, out=None):
    return _npi.exp(normal(mean, sigma, size, dtype, ctx))


def logistic(loc=0.0, scale=1.0, size=None, ctx=None, out=None):
    return _draw("logistic", {"loc": loc, "scale": scale}, size, ctx)


def gumbel(loc=0.0, scale=1.0, size=None, ctx=None, out=None):
    return _draw("gumbel", {"loc": loc, "scale": scale}, size, ctx)


def gamma(shape, scale=1.0, size=None, dtype=None, ctx=None, out=None):
    return _draw("gamma", {"shape": shape, "scale": scale}, size, ctx, dtype=dtype or "float32")


def beta(a, b, size=None, dtype=None, ctx=None):
    """A gamma number over the sum of two."""
    first, second = (gamma(each, 1, size, "float64", ctx) for each in (a, b))
    return (first / (first + second)).astype(dtype or "float32")


def chisquare(df, size=None, dtype=None, ctx=None):
    """Gamma numbers of shape df / 2 and, as MXNet has it, scale 1 / 2 (NumPy's are four times as large)."""
    return gamma(df / 2, 1 / 2, size, dtype, ctx)


def rayleigh(scale=1.0, size=None, ctx=None, out=None):
    return _draw("rayleigh", {"scale": scale}, size, ctx)


def exponential(scale=1.0, size=None, ctx=None, out=None):
    return _draw("exponential", {"scale": scale}, size, ctx)


def weibull(a, size=None, ctx=None, out=None):
    return _draw("weibull", {"a": a}, size, ctx)


def pareto(a, size=None, ctx=None, out=None):
    return _draw("pareto", {"a": a}, size, ctx)


def power(a, size=None):
    return _draw("powerd", {"a": a}, size, place=False)


def choice(a, size=None, replace=True, p=None, ctx=None, out=None):
    """Elements of a symbol, or numbers from 0 to a - 1, by the probabilities p."""
    weights = [] if p is None else [p]
    values = {"size": None if size == () else size, "replace": replace, "weighted": p is not None}
    if isinstance(a, Symbol):
        return _npi.take(a, _npi.choice(a, *weights, a="None", ctx="None", **values))
    return _npi.choice(*weights, a=a, ctx=str(current_context() if ctx is None else ctx), **values)


def multivariate_normal(mean, cov, size=None, check_valid=None, tol=None):
    raise NotImplementedForSymbol("sym.np.random.multivariate_normal has no operator: MXNet computes it by a function "
                                  "of Python")


def shuffle(x):
    raise NotImplementedForSymbol("sym.np.random.shuffle changes its argument, a symbol stays as it is; "
                                  "sym.random.shuffle gives another")

"""Checks of random numbers, which symc.test_utils has by MXNet's names. A generator is a function of a number of samples.
Tests of chi-squared need SciPy.
"""
import numpy as np


def gen_buckets_probs_with_ppf(ppf, nbuckets):
    """Buckets of one probability each, by a distribution's quantiles."""
    bounds = [ppf(k / nbuckets) for k in range(nbuckets + 1)]
    return list(zip(bounds, bounds[1:])), [1 / nbuckets] * nbuckets


def _counts(samples, buckets):
    samples = np.asarray(samples).ravel()
    if isinstance(buckets[0], (list, tuple)):
        return np.array([((samples >= low) & (samples < high)).sum() for low, high in buckets])
    return np.array([(samples == each).sum() for each in buckets])


def chi_square_check(generator, buckets, probs, nsamples=1000000):
    """(p-value, counts, expected counts) of samples in buckets: values, or pairs of bounds."""
    from scipy import stats
    counts = _counts(generator(nsamples), buckets)
    expected = nsamples * np.asarray(probs, np.float64)
    return stats.chisquare(counts, expected * counts.sum() / expected.sum()).pvalue, counts, expected


def verify_generator(generator, buckets, probs, nsamples=1000000, nrepeat=5, success_rate=0.2, alpha=0.05):
    """The p-values of nrepeat tests; AssertionError where less than a part success_rate of them is above alpha."""
    values = [chi_square_check(generator, buckets, probs, nsamples)[0] for _ in range(nrepeat)]
    if (np.array(values) > alpha).sum() < nrepeat * success_rate:
        raise AssertionError("p-values of the counts are %s" % values)
    return values


def mean_check(generator, mu, sigma, nsamples=1000000):
    """Whether the mean of samples is within three of its standard deviations."""
    return bool(abs(np.mean(np.asarray(generator(nsamples))) - mu) < 3 * sigma / np.sqrt(nsamples))


def var_check(generator, sigma, nsamples=1000000):
    """The same of their variance."""
    found = np.asarray(generator(nsamples)).var(ddof=1)
    return bool(abs(found - sigma ** 2) < 3 * sigma ** 2 * np.sqrt(2 / (nsamples - 1)))

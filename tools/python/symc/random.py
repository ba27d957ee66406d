"""symc.random: the seed of numbers that MXNet's generator would draw, of initialisers and of random operators; and the
functions of symc.nd.random.
"""
import itertools

import numpy as np

generator = np.random  # NumPy's global one until a seed is given
state = None  # (seed, how often one was given)
_BITS = 2 ** 64
_calls = itertools.count()  # that drew numbers since the seed


def seed(seed_state, ctx="all"):
    """Initialisers and the random operators of executors and of symc.nd begin anew. There is one device, whatever ctx
    names; NumPy's generator stays as it is."""
    global generator, state, _calls
    generator = np.random.RandomState(seed_state % 2 ** 32)
    state = seed_state % 2 ** 64, state[1] + 1 if state else 0
    _calls = itertools.count()


def next_seed():
    """That of the next call which draws: calls have numbers of their own, and the same ones after the same seed.
    Without a seed it is as if 0 was given."""
    mixed = (state[0] if state else 0) * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019
    mixed = (mixed ^ (mixed % _BITS >> 31)) * 0x94D049BB133111EB
    return (mixed + next(_calls)) % _BITS


def __getattr__(key):
    from . import ndarray_random
    if key not in ndarray_random.__all__:
        raise AttributeError("module 'symc.random' has no attribute '%s'" % key)
    return getattr(ndarray_random, key)

"""symc.random: the seed of numbers that MXNet's generator would draw, of initialisers and of random operators."""
import numpy as np

generator = np.random  # NumPy's global one until a seed is given
state = None  # (seed, how often one was given)


def seed(seed_state, ctx="all"):
    """Initialisers and the random operators of executors begin anew. There is one device, whatever ctx names; NumPy's
    generator stays as it is."""
    global generator, state
    generator = np.random.RandomState(seed_state % 2 ** 32)
    state = seed_state % 2 ** 64, state[1] + 1 if state else 0

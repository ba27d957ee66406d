"""Whether a graph's results mean anything: what MXNet itself moves in float64, or when inputs move by a rounding error."""
import json

import numpy as np

UNSTABLE = 0.02


class Unstable(Exception):
    pass


def operators_of(symbol):
    return [node["op"] for node in json.loads(symbol.tojson())["nodes"] if node["op"] != "null"]


def moved(arrays, rng):
    """The arrays with every number that is no whole one moved by about a rounding error."""
    result = {}
    for name, value in arrays.items():
        if value.dtype.kind == "f":
            step = 2.0 ** (-10 if value.dtype == np.float16 else -22)
            near = (value * (1 + step * rng.uniform(-1, 1, value.shape))).astype(value.dtype)
            value = np.where(value == np.rint(value), value, near).astype(value.dtype)
        result[name] = value
    return result


def widened(arrays):
    return {name: value.astype(np.float64) if value.dtype.kind == "f" else value for name, value in arrays.items()}

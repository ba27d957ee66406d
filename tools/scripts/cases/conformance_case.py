"""The form of a conformance case, which the tables conformance_*.py fill (see make_conformance.py).

T(shape) stands for an array drawn from a seed that depends on operator and name only, so that
adding a case changes no other.
"""
import collections

import numpy as np

Spec = collections.namedtuple("Spec", "shape kind dtype")
Case = collections.namedtuple("Case", "op name inputs tolerance attrs graph note runs")
cases = []


def T(*shape, kind="normal", dtype="float32"):
    return Spec(shape, kind, dtype)


def add(op, name, inputs, tolerance, note="", graph=None, runs=1, **attrs):
    """`inputs`: a Spec or array for `data`, a list (a, b, c ...) or a dict. `runs`: on them, one after the other."""
    if not isinstance(inputs, (dict, list)):
        inputs = {"data": inputs}
    elif isinstance(inputs, list):
        inputs = dict(zip("abcdefgh", inputs))
    cases.append(Case(op, name, inputs, tolerance, attrs, graph, note, runs))


def ints(*values, dtype="float32"):
    return np.array(values, dtype=dtype)

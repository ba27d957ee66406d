"""Conformance cases of operators that MXNet lacks (see make_numpy_cases.py); symc has none yet.

    add("_symc_square_sum", "rows", {"data": (3, 4)}, lambda data: (data * data).sum(axis=1), "reduction", axis=1)
"""
import collections

Case = collections.namedtuple("Case", "op name inputs compute tolerance attrs outputs note")
cases = []


def add(op, name, inputs, compute, tolerance, outputs=1, note="", **attrs):
    """`inputs`: {name: shape or array}; `compute`: a function of these names that gives the outputs by NumPy."""
    cases.append(Case(op, name, inputs, compute, tolerance, attrs, outputs, note))

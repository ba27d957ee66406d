"""Operators that are a line and a function of arrays:

    @mx.operator.register("scale(Tensor data, *, float factor=1.0) -> Tensor")
    def scale(data, factor):
        return data * factor

    net = mx.sym.scale(mx.sym.Variable("data"), factor=2)

The compiler's library reads the line, the same form as that of `schema` in symc/custom_op.h, and reports mistakes with their
column. The function gets NDArrays by position and all parameters by keyword, as numbers, tuples and texts, None where
one has no value. It returns an array, or a list where there are several outputs, of the shapes and types that were inferred.
"""
import ctypes

import numpy as np

from . import operators
from ._runtime import DTYPES
from .operator import (_KERNEL, _QUESTION, _SIZE, _UNKNOWN, _VERSION, _add, _array, _kernels, _Op, _OpLibrary, _outcome)

_LISTS = {"tuple of int": ctypes.c_int64, "tuple of float": ctypes.c_double}


def register(schema, infer_shape=None, infer_type=None):
    def add(function):
        _add(_OneLine(schema, function, infer_shape, infer_type))
        return function
    return add


class _OneLine:
    """The description of such an operator, and the functions that answer for it."""

    def __init__(self, schema, function, infer_shape, infer_type):
        self.name, self.function = schema.partition("(")[0].strip(), function
        self.shapes, self.types, self.fields = infer_shape, infer_type, None
        self.callbacks = [_KERNEL(self._run), _QUESTION(self._infer_shapes) if infer_shape else _QUESTION(),
                          _QUESTION(self._infer_types) if infer_type else _QUESTION()]
        summary = (function.__doc__ or "an operator of Python").strip().splitlines()[0].rstrip(".")
        self.op = _Op(ctypes.sizeof(_Op), None, summary.encode(), None, None, None, None,
                      _kernels(self.name, self.callbacks[0]), 0, 0, *self.callbacks[1:], _SIZE(), schema.encode(), 0)
        self.ops = (ctypes.POINTER(_Op) * 2)(ctypes.pointer(self.op), None)
        self.library = _OpLibrary(_VERSION, 0, self.ops)

    def _values(self, params):
        """{parameter: value} of the structure that symc/custom_op.h describes."""
        if self.fields is None:
            self.fields = operators.table()[self.name]["parameters"]
        address, values = ctypes.cast(params, ctypes.c_void_p).value, {}

        def word(kind):
            nonlocal address
            address += 8
            return kind.from_address(address - 8).value

        for each in self.fields:
            known = not each["optional"] or word(ctypes.c_int64)
            kind = each["kind"]
            if each["values"]:
                place = word(ctypes.c_int64)
                value = each["values"][place] if known else None
            elif kind in _LISTS:
                count, first = word(ctypes.c_int64), word(ctypes.c_int64)
                value = tuple((_LISTS[kind] * count).from_address(first)) if count and known else ()
            elif kind in ("float", "double"):
                value = word(ctypes.c_double)
            elif kind == "string":
                value = word(ctypes.c_char_p)
                value = value.decode() if value is not None else None
            else:
                value = word(ctypes.c_int64)
                value = bool(value) if kind == "bool" else value
            values[each["name"]] = value if known else None
        return values

    def _infer_shapes(self, question):
        def infer(node):
            shapes = [tuple(each.extents[:each.rank]) if each.rank >= 0 else None
                      for each in node.input_shapes[:node.n_inputs]]
            for place, shape in zip(node.output_shapes[:node.n_outputs],
                                    self._results(self.shapes(*shapes, **self._values(node.params)), node, tuple)):
                place.rank = len(shape)
                place.extents[:len(shape)] = [int(extent) for extent in shape]
        return _outcome(self.name, "infer_shape", question.contents, infer)

    def _infer_types(self, question):
        def infer(node):
            types = [np.dtype(DTYPES[each]) if each != _UNKNOWN else None for each in node.input_types[:node.n_inputs]]
            found = self._results(self.types(*types, **self._values(node.params)), node, (str, type, np.dtype))
            for place, kind in enumerate(found):
                node.output_types[place] = DTYPES.index(np.dtype(kind).name)
        return _outcome(self.name, "infer_type", question.contents, infer)

    def _results(self, found, node, one):
        """The list of what a function returned, which is one thing for one output."""
        results = [found] if node.n_outputs == 1 and isinstance(found, one) else list(found)
        if len(results) != node.n_outputs:
            raise ValueError("%d results, needs %d" % (len(results), node.n_outputs))
        return results

    def _run(self, call):
        def run(node):
            inputs = [_array(each) for each in node.inputs[:node.n_inputs]]
            for each in inputs:
                each.flags.writeable = False
            found = self._results(self.function(*inputs, **self._values(node.params)), node, np.ndarray)
            for tensor, value in zip(node.outputs[:node.n_outputs], found):
                place, value = _array(tensor), np.asarray(value)
                if value.shape != place.shape:
                    raise ValueError("a result has shape %s, needs %s" % (value.shape, place.shape))
                place[...] = value
        return _outcome(self.name, "function", call.contents, run)

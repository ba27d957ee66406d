"""onnx_backend: symc as a backend of the package onnx (onnx.backend.base), which this module needs.

    import onnx, symc.onnx_backend
    model = symc.onnx_backend.prepare(onnx.load("net.onnx"))
    outputs = model.run([array])

A model is compiled for the shapes of its inputs: when it is prepared where it declares all of them, else by the first
run with these shapes. Values that decide shapes are those of the run: symc requests them by name, and a run with other
values compiles again.
"""
import re

import numpy
from onnx import helper
from onnx.backend.base import Backend, BackendRep, namedtupledict

from . import compiler
from .errors import SymcError

_ASKS = re.compile(r"the value of input '(.*)' decides a shape")


class SymcRep(BackendRep):
    """A prepared model: run(inputs) gives its outputs, inputs in the model's order or by name."""

    def __init__(self, model, **options):
        self._model, self._options = model, options
        held = {each.name for each in model.graph.initializer}
        self._infos = [each for each in model.graph.input if each.name not in held]
        self._outputs = [each.name for each in model.graph.output]
        self._needed = []  # inputs whose values decide shapes
        self._compiled = {}
        if all(_is_fixed(each) for each in self._infos):
            try:
                self._compile({})
            except SymcError as error:
                if not self._note_asked(str(error)):
                    raise

    def _note_asked(self, message):
        """Whether the message requests values that none requested before."""
        new = [name for name in _ASKS.findall(message) if name not in self._needed]
        self._needed += new
        return bool(new)

    def _compile(self, arrays):
        """The compiled model for these inputs."""
        needed = {name: numpy.asarray(arrays[name]) for name in self._needed}
        shapes = {each.name: numpy.shape(arrays[each.name]) for each in self._infos
                  if not _is_fixed(each) and each.name not in needed}
        key = (tuple(sorted(shapes.items())), tuple((name, value.shape, value.tobytes()) for name, value in needed.items()))
        if key not in self._compiled:
            self._compiled[key] = compiler.compile(self._model, shapes=shapes, values=needed, **self._options)
        return self._compiled[key]

    def run(self, inputs, **kwargs):
        """Outputs, a tuple that has them by name too."""
        if isinstance(inputs, dict):
            arrays = dict(inputs)
        else:
            inputs = [inputs] if isinstance(inputs, numpy.ndarray) else list(inputs)
            arrays = {info.name: value for info, value in zip(self._infos, inputs)}
        while True:
            try:
                model = self._compile(arrays)
                break
            except SymcError as error:
                if not self._note_asked(str(error)):
                    raise
        wanted = {each.name for each in model.inputs}
        results = model(**{name: numpy.asarray(value) for name, value in arrays.items() if name in wanted})
        if not isinstance(results, (list, tuple)):
            results = [results]
        return namedtupledict("Outputs", self._outputs)(*results)


def _is_fixed(info):
    kind = info.type.tensor_type
    return kind.HasField("shape") and all(dim.HasField("dim_value") for dim in kind.shape.dim)


class SymcBackend(Backend):
    """Models on this processor."""

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        super().prepare(model, device, **kwargs)
        if not cls.supports_device(device):
            raise ValueError("symc.onnx_backend runs models on 'CPU', got %r" % device)
        return SymcRep(model, **kwargs)

    @classmethod
    def run_node(cls, node, inputs, device="CPU", outputs_info=None, **kwargs):
        super().run_node(node, inputs, device, outputs_info, **kwargs)
        names = [name for name in node.input if name]
        infos = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(numpy.asarray(value).dtype),
                                               numpy.shape(value)) for name, value in zip(names, inputs)]
        outputs = [helper.make_empty_tensor_value_info(name) for name in node.output]
        model = helper.make_model(helper.make_graph([node], "node", infos, outputs))
        return cls.prepare(model, device).run(inputs)

    @classmethod
    def supports_device(cls, device):
        return device == "CPU"


prepare = SymcBackend.prepare
run_model = SymcBackend.run_model
run_node = SymcBackend.run_node
supports_device = SymcBackend.supports_device
is_compatible = SymcBackend.is_compatible

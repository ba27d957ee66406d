"""Operators that are Python functions, by MXNet's names:

    @mx.operator.register("double")
    class DoubleProp(mx.operator.CustomOpProp):
        def create_operator(self, ctx, in_shapes, in_dtypes):
            return Double()

    class Double(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], 2 * in_data[0])

    net = mx.sym.Custom(mx.sym.Variable("data"), op_type="double")

or by one line, as C describes them (schema_operator.py):

    @mx.operator.register("scale(Tensor data, *, float factor=1.0) -> Tensor")
    def scale(data, factor):
        return data * factor

They are for tests and first tries: compiled code calls back into Python, so that a model with one lives in this process
and is written to no file (symc/custom_op.h describes operators in C). There is no auxiliary state.
"""
import collections
import ctypes
import inspect
import json
import threading

import numpy as np

from . import _library, operators
from .errors import SymcError

OperatorArguments = collections.namedtuple("OperatorArguments", ["narg", "names", "types"])
_MOST_RANK, _MESSAGE_BYTES, _UNKNOWN, _TEXT, _INFERRED, _LOSS = 8, 256, -1, 7, 1, 8
_VERSION = 1  # SYMC_OP_VERSION


# --- symc/custom_op.h ------------------------------------------------------

class _Value(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("flags", ctypes.c_uint32), ("reserved", ctypes.c_uint32)]


class _Param(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("kind", ctypes.c_int32), ("reserved", ctypes.c_int32),
                ("default_text", ctypes.c_char_p), ("doc", ctypes.c_char_p), ("min", ctypes.c_char_p),
                ("max", ctypes.c_char_p), ("values", ctypes.c_void_p)]


class _Shape(ctypes.Structure):
    _fields_ = [("rank", ctypes.c_int32), ("reserved", ctypes.c_int32), ("extents", ctypes.c_int64 * _MOST_RANK)]


class _Inference(ctypes.Structure):
    _fields_ = [("input_shapes", ctypes.POINTER(_Shape)), ("output_shapes", ctypes.POINTER(_Shape)),
                ("input_types", ctypes.POINTER(ctypes.c_int32)), ("output_types", ctypes.POINTER(ctypes.c_int32)),
                ("params", ctypes.POINTER(ctypes.c_char_p)), ("n_inputs", ctypes.c_int32), ("n_outputs", ctypes.c_int32),
                ("message", ctypes.c_void_p)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.POINTER(ctypes.c_int64)), ("rank", ctypes.c_int32),
                ("dtype", ctypes.c_int32)]


class _Call(ctypes.Structure):
    _fields_ = [("inputs", ctypes.POINTER(_Tensor)), ("outputs", ctypes.POINTER(_Tensor)),
                ("params", ctypes.POINTER(ctypes.c_char_p)), ("scratch", ctypes.c_void_p),
                ("scratch_bytes", ctypes.c_int64), ("n_inputs", ctypes.c_int32), ("n_outputs", ctypes.c_int32),
                ("message", ctypes.c_void_p)]


_KERNEL = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(_Call))
_QUESTION = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(_Inference))
_SIZE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.POINTER(_Inference))


class _Kernel(ctypes.Structure):
    _fields_ = [("symbol", ctypes.c_char_p), ("function", _KERNEL), ("dtype", ctypes.c_int32),
                ("reserved", ctypes.c_int32)]


class _Op(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_size_t), ("name", ctypes.c_char_p), ("summary", ctypes.c_char_p),
                ("description", ctypes.c_char_p), ("inputs", ctypes.POINTER(_Value)), ("outputs", ctypes.POINTER(_Value)),
                ("params", ctypes.POINTER(_Param)), ("kernels", ctypes.POINTER(_Kernel)), ("flags", ctypes.c_uint32),
                ("reserved", ctypes.c_uint32), ("infer_shape", _QUESTION), ("infer_type", _QUESTION),
                ("scratch_bytes", _SIZE), ("schema", ctypes.c_char_p), ("inferred", ctypes.c_uint64),
                ("gradient_kernels", ctypes.POINTER(_Kernel)), ("gradient_scratch_bytes", _SIZE),
                ("training_kernels", ctypes.POINTER(_Kernel))]


class _OpLibrary(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
                ("ops", ctypes.POINTER(ctypes.POINTER(_Op)))]


# --- MXNet's classes -------------------------------------------------------

class CustomOp:
    """What computes: one is made for each set of parameters, shapes and types (CustomOpProp.create_operator)."""

    def forward(self, is_train, req, in_data, out_data, aux):
        """Writes all of out_data, by assign. in_data and out_data are lists of NDArrays; is_train is true in a model with
        gradients, and every word of req is "write"."""
        raise NotImplementedError("forward")

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        """Writes all of in_grad, by assign, from lists of NDArrays; every word of req is "write"."""
        raise NotImplementedError("backward")

    def assign(self, dst, req, src):
        if req == "add":
            dst[:] += src
        elif req in ("write", "inplace"):
            dst[:] = src


class CustomOpProp:
    """The description of an operator. The parameters of __init__ are the operator's, and come as texts."""

    def __init__(self, need_top_grad=True):
        self.need_top_grad_ = need_top_grad

    def list_arguments(self):
        return ["data"]

    def list_outputs(self):
        return ["output"]

    def list_auxiliary_states(self):
        return []

    def infer_shape(self, in_shape):
        """Lists of shapes of inputs, outputs and states, from those of inputs; [] is one that is not known yet."""
        return in_shape, (in_shape[0],) * len(self.list_outputs()), ()

    def infer_type(self, in_type):
        """The same with NumPy's types, None where one is not known yet."""
        return in_type, [in_type[0]] * len(self.list_outputs()), []

    def declare_backward_dependency(self, out_grad, in_data, out_data):
        return [*out_grad, *in_data, *out_data] if getattr(self, "need_top_grad_", True) else [*in_data, *out_data]

    def create_operator(self, ctx, in_shapes, in_dtypes):
        return CustomOp()


# --- Registration ----------------------------------------------------------

_kept = {}  # what the compiler's library points to, by the operator's name: for good


def register(reg_name, infer_shape=None, infer_type=None):
    """Decorates a CustomOpProp: mx.sym.Custom(..., op_type=reg_name) is such an operator from then on, for good. The name
    may be a built-in operator's, which stays what it is.

    A line `name(Tensor data, *, float factor=1.0) -> Tensor` decorates a function of arrays. infer_shape and infer_type
    are functions of the inputs' shapes and types and of the parameters; without them all shapes and types are one."""
    if "(" in reg_name:
        from . import schema_operator
        return schema_operator.register(reg_name, infer_shape, infer_type)
    if infer_shape or infer_type:
        raise TypeError("operator '%s': infer_shape and infer_type belong to an operator of one line" % reg_name)

    def describe(prop):
        table = operators.table()
        is_free = reg_name not in table or reg_name in _kept
        _add(_Described(reg_name if is_free else operators.beside_built_in(reg_name), prop), reg_name)

    def add(prop):
        try:
            describe(prop)
        except SymcError as reason:
            # super(ThisClass, self).__init__() reads the name that the class statement gives the class after this call.
            if not isinstance(reason.__cause__, NameError) or "'%s'" % prop.__name__ not in str(reason.__cause__):
                raise
            operators.pending.append(lambda: describe(prop))
        return prop

    return add


def _add(made, name=None):
    """Gives the compiler's library the description `made`, and the table its facts. `name`: what nodes call it."""
    _library.call("symc_add_operators", ctypes.byref(made.library))
    _kept[name or made.name] = made
    operators.add(json.loads(_library.operator_table()))


def used_in(json_text):
    """Names of registered operators that nodes of a symbol's text name; graphs inside of others count, too."""
    operators.settle()
    return sorted(name for name, made in _kept.items()
                  if ('"%s"' if made.name == name else '"op_type": "%s"') % name in json_text)


def _list(kind, entries):
    """Entries with one of zeros at the end."""
    return (kind * (len(entries) + 1))(*entries)


def _kernels(name, function):
    """The list of a function that takes all types; `name` is part of its symbols."""
    from . import ndarray
    return _list(_Kernel, [(("python_%s_%s" % (name, dtype)).encode(), function, number, 0)
                           for number, dtype in enumerate(ndarray.DTYPES)])


def _outcome(operator, what, where, call):
    """0, or -1 with the exception's text as the message: nothing may leave a callback."""
    try:
        call(where)
        return 0
    except BaseException as reason:  # an interrupt, too
        text = "%s of '%s': %s: %s" % (what, operator, type(reason).__name__, reason)
        data = text.encode()[:_MESSAGE_BYTES - 1].decode(errors="ignore").encode() + b"\0"
        ctypes.memmove(where.message, data, len(data))
        return -1


class _Described:
    """The description of an operator, and the functions that answer for it."""

    def __init__(self, name, prop):
        self.name, self.prop, self.made, self.lock = name, prop, {}, threading.Lock()
        self.defaults = self._parameters()
        required = [key for key, default in self.defaults.items() if default is None]
        try:  # names may depend on parameters, which nobody has given yet
            example = prop(**{key: "1" for key in required})
            self.inputs, self.outputs = list(example.list_arguments()), list(example.list_outputs())
            states = list(example.list_auxiliary_states())
            gradients = [object() for _ in self.outputs]
            read = example.declare_backward_dependency(gradients, [object() for _ in self.inputs],
                                                       [object() for _ in self.outputs])
            self.is_loss = not any(each is gradient for each in read for gradient in gradients)
        except Exception as reason:
            raise SymcError("operator '%s': its inputs and outputs are not known: %s: %s" % (
                name, type(reason).__name__, reason)) from reason
        if states:
            raise SymcError("operator '%s' has the auxiliary state '%s'; operators of Python have none here" % (
                name, states[0]))
        self.callbacks = [_KERNEL(self._run), _QUESTION(self._infer_shapes), _QUESTION(self._infer_types),
                          _KERNEL(self._run_backward), _KERNEL(lambda call: self._run(call, is_train=True))]
        values = [_list(_Value, [(each.encode(), flags if i else 0, 0) for i, each in enumerate(names)])
                  for names, flags in ((self.inputs, _INFERRED), (self.outputs, 0))]
        kernels = _kernels(name, self.callbacks[0])
        params = _list(_Param, [(key.encode(), _TEXT, 0, None if default is None else default.encode(), b"")
                                for key, default in self.defaults.items()])
        summary = (inspect.getdoc(prop) or "an operator of Python").splitlines()[0].rstrip(".")
        if prop.__doc__ is None or prop.__doc__ == CustomOpProp.__doc__:
            summary = "an operator of Python"
        self.op = _Op(ctypes.sizeof(_Op), name.encode(), summary.encode(), None, values[0], values[1], params, kernels,
                      _LOSS if self.is_loss else 0, 0,
                      self.callbacks[1], self.callbacks[2], _SIZE(), None, 0, _kernels(name + "_gradient", self.callbacks[3]),
                      _SIZE(), _kernels(name + "_training", self.callbacks[4]))
        self.ops = (ctypes.POINTER(_Op) * 2)(ctypes.pointer(self.op), None)
        self.library = _OpLibrary(_VERSION, 0, self.ops)

    def _parameters(self):
        """{name: the default's text, None where there is none} of __init__."""
        found = {}
        for each in list(inspect.signature(self.prop.__init__).parameters.values())[1:]:
            if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD, each.POSITIONAL_ONLY):
                raise SymcError("operator '%s': parameters of __init__ have names, '%s' may be any" % (self.name, each))
            if self.prop.__init__ is not CustomOpProp.__init__:
                found[each.name] = None if each.default is each.empty else str(each.default)
        return found

    # --- Answers ---

    def _given(self, params):
        """Those that are not at their defaults, as MXNet hands them over."""
        texts = {key: params[i].decode() for i, key in enumerate(self.defaults)}
        return {key: text for key, text in texts.items() if text != self.defaults[key]}

    def _answer(self, where, answer):
        return _outcome(self.name, answer.__name__.strip("_"), where, answer)

    def _infer_shapes(self, question):
        def infer_shape(node):
            shapes = [list(each.extents[:each.rank]) if each.rank >= 0 else []
                      for each in node.input_shapes[:node.n_inputs]]
            inputs, outputs = self.prop(**self._given(node.params)).infer_shape(shapes)[:2]
            for what, found, places, count in (("input", inputs, node.input_shapes, node.n_inputs),
                                               ("output", outputs, node.output_shapes, node.n_outputs)):
                if len(found) != count:
                    raise ValueError("%d shapes of %ss, needs %d" % (len(found), what, count))
                for i, shape in enumerate(found):
                    known = places[i].rank != _UNKNOWN
                    if len(shape) > _MOST_RANK:
                        raise ValueError("a shape of rank %d, at most %d is possible" % (len(shape), _MOST_RANK))
                    if len(shape) or known or what == "output":
                        places[i].rank = len(shape)
                        places[i].extents[:len(shape)] = [int(extent) for extent in shape]

        return self._answer(question.contents, infer_shape)

    def _infer_types(self, question):
        def infer_type(node):
            from . import ndarray
            types = [np.dtype(ndarray.DTYPES[each]).type if 0 <= each < len(ndarray.DTYPES) else None
                     for each in node.input_types[:node.n_inputs]]
            inputs, outputs = self.prop(**self._given(node.params)).infer_type(types)[:2]
            for what, found, places, count in (("input", inputs, node.input_types, node.n_inputs),
                                               ("output", outputs, node.output_types, node.n_outputs)):
                if len(found) != count:
                    raise ValueError("%d types of %ss, needs %d" % (len(found), what, count))
                for i, kind in enumerate(found):
                    if kind is not None:
                        places[i] = ndarray.DTYPES.index(np.dtype(kind).name)

        return self._answer(question.contents, infer_type)

    def _operator(self, given, inputs):
        from .context import cpu
        key = (tuple(given.items()), tuple((each.shape, each.dtype) for each in inputs))
        with self.lock:
            if key not in self.made:
                self.made[key] = self.prop(**given).create_operator(cpu(), [each.shape for each in inputs],
                                                                    [each.dtype.type for each in inputs])
            return self.made[key]

    def _run(self, call, is_train=False):
        def forward(node):
            inputs = [_array(each) for each in node.inputs[:node.n_inputs]]
            outputs = [_array(each) for each in node.outputs[:node.n_outputs]]
            for each in inputs:
                each.flags.writeable = False
            self._operator(self._given(node.params), inputs).forward(
                is_train=is_train, req=["write"] * len(outputs), in_data=inputs, out_data=outputs, aux=[])

        return self._answer(call.contents, forward)

    def _run_backward(self, call):
        def backward(node):
            values = [_array(each) for each in node.inputs[:node.n_inputs]]
            for each in values:
                each.flags.writeable = False
            behind = len(self.inputs) + len(self.outputs)
            inputs, outputs, gradients = values[:len(self.inputs)], values[len(self.inputs):behind], values[behind:]
            results = [_array(each) for each in node.outputs[:node.n_outputs]]
            self._operator(self._given(node.params), inputs).backward(
                req=["write"] * len(results), out_grad=gradients, in_data=inputs, out_data=outputs, in_grad=results, aux=[])

        return self._answer(call.contents, backward)


def _array(tensor):
    """The tensor's own memory."""
    from . import ndarray
    shape, dtype = tuple(tensor.shape[:tensor.rank]), np.dtype(ndarray.DTYPES[tensor.dtype])
    count = int(np.prod(shape, dtype="int64"))
    if not count:
        return np.zeros(shape, dtype).view(ndarray.NDArray)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(tensor.data)
    return np.frombuffer(memory, dtype).reshape(shape).view(ndarray.NDArray)


# --- What operators there are ----------------------------------------------

def get_all_registered_operators():
    """Names of all operators."""
    return list(operators.table())


def get_operator_arguments(op_name):
    """How many arguments an operator has, their names, and what they are, as texts."""
    facts = operators.table().get(op_name)
    if facts is None:
        raise SymcError("there is no operator '%s'" % op_name)
    names = [each["name"] for each in facts["inputs"]]
    types = ["NDArray-or-Symbol[]" if each["kind"] == "variadic" else "NDArray-or-Symbol" for each in facts["inputs"]]
    for each in operators._open_parameters(facts):
        kind = "{%s}" % ", ".join(map(repr, sorted(each["values"]))) if each["values"] else each["kind"]
        required = each["default"] is None and not each["optional"]
        names.append(each["name"])
        types.append(kind + (", required" if required else ", optional, default=%s" % each["default"]))
    return OperatorArguments(len(names), names, types)


def __getattr__(key):
    """The older classes, which stand on those of this module."""
    if key in ("PythonOp", "NumpyOp", "NDArrayOp"):
        from . import python_operators
        return getattr(python_operators, key)
    raise AttributeError("module 'symc.operator' has no attribute '%s'" % key)

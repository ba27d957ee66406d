"""Operators that run on arrays at once: the functions of symc.nd.

A kind of call is an operator with its parameters and the shapes and element types of its inputs. The first call of a
kind compiles a graph of that one node into this process, or finds in the cache on disk what an earlier process compiled
(symc_compile_kept). The kind then stays in memory: later calls find it in a dict, write the addresses of their arrays
into tensors that are ready, and run. Answers are those of the same node in a compiled network.

Inputs that an operator updates, as the momentum of sgd_mom_update, are states of the compiled code: they are copied
there before a run and back behind it. A kind runs one call at a time, behind a lock; kinds run side by side. What cannot be
computed raises an exception that names the operator.
"""
import contextlib
import ctypes
import json
import os
import threading
import weakref

import numpy as np

from . import _library, _runtime, compiler, context, numpy_shapes, operators, random
from ._library import handles, texts
from .errors import EmptyArray, SymcError
from .ndarray_class import NDArray

_NULL = operators._NULL
_MOST_KINDS = 1024  # of one operator: the first that was made goes, then
_MISTAKES = {_runtime.BAD_COUNT: ValueError, _runtime.BAD_SHAPE: ValueError, _runtime.BAD_DTYPE: TypeError}
_compiling = threading.RLock()
_kinds = weakref.WeakSet()  # all of them, for a child of fork
#: While autograd records, what computes calls in place of kinds (recorded_calls.call).
recorder = None


def _after_fork():
    """In a child another thread of the parent may seem to hold a lock."""
    global _compiling
    _compiling = threading.RLock()
    for kind in list(_kinds):
        kind._lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


def _address(array):
    return array.__array_interface__["data"][0]


def _readable(array):
    """The array itself where compiled code can read it where it lies, else a copy."""
    flags = array.flags
    return array if flags.c_contiguous and flags.aligned else np.require(array, requirements=["C", "A"])


def _memory_for(array, read):
    """Where code may write what belongs in `array`: the array itself, or memory of its own where it is not contiguous,
    or where it shares memory with what the code reads."""
    if array.flags.carray:
        low = _address(array)
        high = low + array.nbytes
        if all(_address(each) >= high or _address(each) + each.nbytes <= low for each in read):
            return array
    return np.empty(array.shape, array.dtype)


def _with_copies(node, names):
    """The text of a node's symbol, in which it reads copies of the variables of these names: what is computed may stand
    for a state that no run changes, a variable that is an input may not."""
    graph = json.loads(node.tojson(remove_amp_cast=False))
    *variables, last = graph["nodes"]
    for place, entry in enumerate(last["inputs"]):
        if variables[entry[0]]["name"] in names:
            variables.append({"op": "_copy", "name": "copy%d" % place, "inputs": [[entry[0], 0, 0]]})
            last["inputs"][place] = [len(variables) - 1, 0, 0]
    graph["heads"] = [[len(variables), *entry[1:]] for entry in graph["heads"]]
    del graph["node_row_ptr"]
    return json.dumps({**graph, "nodes": [*variables, last]})


class Kind:
    """What a kind of call is compiled to, with a context and tensors."""

    def __init__(self, name, model, names, draws):
        self._name, self._names, self._model, self._draws = name, names, model, draws
        self._lock = threading.Lock()
        _kinds.add(self)
        self._run, self._context = model._library.run, model._context
        self._places = [names.index(each.name) for each in model.inputs]
        self._in_order = self._places == list(range(len(names)))
        self._states = [(each.name.encode(), names.index(each.name), each) for each in model.states]
        self._sized = model._static is None  # values decide the sizes of results
        self._counts = len(model.inputs), len(model._output_infos)
        self._forms = list(zip(model._static or (), model._output_dtypes))
        self._tensors = None

    def _prepare(self, arrays, outputs):
        """Tensors with the shapes of these; their addresses change from call to call."""
        model = self._model
        self._tensors = (model._tensors(arrays, [each.dtype for each in model._inputs]),
                         model._tensors(outputs, [each.dtype for each in model._output_infos]))

    def _check(self, status):
        if status:
            text = self._model._library.last_error(self._context).decode()
            raise _MISTAKES.get(status, SymcError)("%s: %s" % (self._name, text))

    def __call__(self, given, out):
        """`given`: the arrays in the order of the operator's arguments. What the operator gives: an array, or a list of
        several; `out` where that is given."""
        arrays = given if self._in_order else [given[i] for i in self._places]
        arrays = [_readable(each) for each in arrays]
        if out is not None:
            return self._into(given, arrays, out)
        with self._lock:
            if self._sized:
                made = [each.view(NDArray) for each in self._run_sized(arrays)]
            else:
                made = [np.empty(shape, dtype) for shape, dtype in self._forms]
                self._run_on(arrays, made, given)
                made = [each.view(NDArray) for each in made]
        return made[0] if len(made) == 1 else made

    def _run_on(self, arrays, outputs, given):
        if self._tensors is None:
            self._prepare(arrays, outputs)
        inputs, results = self._tensors
        for tensor, array in zip(inputs, arrays):
            tensor.data = array.__array_interface__["data"][0]
        for tensor, array in zip(results, outputs):
            tensor.data = array.__array_interface__["data"][0]
        if self._draws:
            self._model._library.set_seed(self._context, random.next_seed())
        if self._states:
            return self._run_with_states(inputs, results, given)
        status = self._run(self._context, inputs, len(arrays), results, len(outputs))
        if status:
            self._check(status)

    def _run_with_states(self, inputs, results, given):
        """Inputs that the operator updates are states of the context, which they are copied to and from."""
        library, values = self._model._library, []
        for (name, place, info) in self._states:
            array = given[place]
            wanted = tuple(info.shape), info.dtype
            if (array.shape, array.dtype.name) != wanted:
                raise (ValueError if array.shape != wanted[0] else TypeError)("%s: '%s' is %s %s, needs %s %s" % (
                    self._name, self._names[place], array.dtype, array.shape, wanted[1], wanted[0]))
            if not array.flags.writeable:
                raise ValueError("%s: '%s' is updated, but cannot be written to" % (self._name, self._names[place]))
            value = _readable(array)
            tensor = self._model._tensors([value], [_runtime.DTYPE_NAMES.index(info.dtype)])
            self._check(library.set_state(self._context, name, tensor))
            values.append((name, array, value, tensor))
        self._check(self._run(self._context, inputs, self._counts[0], results, self._counts[1]))
        for name, array, value, tensor in values:
            self._check(library.get_state(self._context, name, tensor))
            if value is not array:
                array[...] = value

    def _run_sized(self, arrays):
        if self._draws:
            self._model._library.set_seed(self._context, random.next_seed())
        try:
            return self._model._run(arrays, range(len(arrays)))
        except (SymcError, TypeError, ValueError) as reason:
            raise type(reason)("%s: %s" % (self._name, reason)) from None

    def _into(self, given, arrays, out):
        name, wanted = self._name, list(out) if isinstance(out, (list, tuple)) else [out]
        if len(wanted) != self._counts[1]:
            raise ValueError("%s: out has %d arrays, the operator gives %d" % (name, len(wanted), self._counts[1]))
        for each in wanted:
            if not isinstance(each, np.ndarray):
                raise TypeError("%s: out is an array or a list of arrays, got %r" % (name, each))
        if self._sized:
            with self._lock:
                made = self._run_sized(arrays)
            self._check_out(wanted, [(each.shape, each.dtype) for each in made])
            for each, value in zip(wanted, made):
                each[...] = value
            return out
        self._check_out(wanted, self._forms)
        places = [_memory_for(each, arrays) for each in wanted]
        with self._lock:
            self._run_on(arrays, places, given)
        for each, value in zip(wanted, places):
            if value is not each:
                each[...] = value
        return out

    def _check_out(self, wanted, forms):
        for each, (shape, dtype) in zip(wanted, forms):
            if each.shape != shape or each.dtype != dtype:
                raise (ValueError if each.shape != shape else TypeError)(
                    "%s: out is %s %s, the result is %s %s" % (
                        self._name, each.dtype, each.shape, dtype, shape))


class Operator:
    """An operator of the table, and the kinds of calls of it."""

    def __init__(self, name, public_name):
        facts = operators.table()[name]
        self.name, self.public_name = name, public_name
        self.variadic, self.counter = operators._variadic_counter(facts)
        self.inputs = {each["name"] for each in facts["inputs"]}
        self.parameters = {each["name"] for each in operators._open_parameters(facts)}
        self.order = operators.places(facts)
        self._may_draw, self._updates = facts["draws"], facts["updates"]
        #: Auxiliary states that no run changes.
        self._read = [each["name"] for each in facts["inputs"]
                      if each["auxiliary"] and each["name"] not in facts["updates"]]
        self.kinds = {}

    def mistake(self, text):
        return TypeError("%s() %s" % (self.public_name, text))

    def _draws(self, values):
        """Whether calls draw random numbers. Dropout passes its input on unless its mode is always."""
        return self._may_draw and (self.name != "Dropout" or values.get("mode") == "always")

    # --- Arguments ---------------------------------------------------------

    def arguments(self, args, kwargs):
        """(keys of inputs, arrays, texts of parameters) of a call; keys are None for arrays of which there may be any
        number."""
        keys, arrays, values = [], [], {}
        if self.variadic:
            if len(args) == 1 and isinstance(args[0], (list, tuple)):
                args = args[0]
            for place, each in enumerate(args):
                if not isinstance(each, np.ndarray):
                    raise self.mistake("takes arrays, argument %d is %r" % (place, each))
            arrays, keys = list(args), [None] * len(args)
        else:
            if len(args) > len(self.order):
                raise self.mistake("takes at most %d arguments, %d are given" % (len(self.order), len(args)))
            for key, each in zip(self.order, args):
                if key in kwargs:
                    raise self.mistake("got argument '%s' twice" % key)
                self._take(key, each, keys, arrays, values)
        for key, each in kwargs.items():
            self._take(key, each, keys, arrays, values)
        if self.variadic and self.counter and self.counter not in values:
            values[self.counter] = str(len(arrays))
        return keys, arrays, values

    def _take(self, key, value, keys, arrays, values):
        if isinstance(value, np.ndarray) and (key in self.inputs or self.variadic):
            keys.append(None if self.variadic and key == "data" else key)
            arrays.append(value)
        elif value is _NULL or (value is None and (key in self.inputs or key not in self.parameters)):
            return
        elif key in self.inputs and key not in self.parameters:
            raise self.mistake("takes an array as '%s', got %r" % (key, value))
        elif key == "ctx":
            context.on_processor(value if not isinstance(value, str) else None)
        elif key == "dtype" and not isinstance(value, str) and value is not None:
            values[key] = operators._dtype_text(value)
        elif isinstance(value, np.ndarray):
            values[key] = operators.text_of(tuple(value.tolist()) if value.ndim else value.item())
        else:
            values[key] = operators.text_of(value)

    # --- Calls -------------------------------------------------------------

    def __call__(self, args, kwargs, out):
        keys, arrays, values = self.arguments(args, kwargs)
        if recorder is not None:
            made = recorder(self, keys, arrays, values, out)
            if made is not NotImplemented:
                return made
        if out is not None and not arrays:
            self._take_form(out, values)
        return self.run(keys, arrays, values, out)

    def run(self, keys, arrays, values, out=None):
        key = (*keys, *values.items(), *[each.shape for each in arrays], *[each.dtype for each in arrays])
        kind = self.kinds.get(key)
        if kind is None:
            if not all(each.dtype.isnative for each in arrays):
                arrays = [each.astype(each.dtype.newbyteorder("=")) for each in arrays]
                key = (*keys, *values.items(), *[each.shape for each in arrays], *[each.dtype for each in arrays])
            kind = self._find(key, keys, arrays, values)
        return kind(arrays, out)

    def _take_form(self, out, values):
        """An operator without inputs makes what `out` has room for."""
        if isinstance(out, np.ndarray):
            for key, text in (("shape", operators.text_of(out.shape)), ("dtype", out.dtype.name)):
                if key in self.parameters:
                    values.setdefault(key, text)

    def _find(self, key, keys, arrays, values):
        with _compiling:
            kind = self.kinds.get(key)  # another thread made it
            if kind is None:
                kind = self._compile(keys, arrays, values)
                if len(self.kinds) >= _MOST_KINDS:
                    self.kinds.pop(next(iter(self.kinds)))
                self.kinds[key] = kind
            return kind

    @staticmethod
    def names(keys):
        return [key or "arg%d" % place for place, key in enumerate(keys)]

    def node(self, names, keys, values):
        """A symbol of the operator on variables of these names."""
        from . import symbol
        variables = [symbol._made("symc_symbol_create_variable", name.encode()) for name in names]
        node = symbol._made(
            "symc_symbol_apply", self.name.encode(), ctypes.c_size_t(len(values)), texts(values), texts(values.values()),
            self.name.lower().encode(), ctypes.c_size_t(len(names)), texts(keys),
            handles([each.handle for each in variables]))
        missing = [each for each in node.list_inputs() if each not in names]
        if missing:
            raise self.mistake("needs an array as %s" % ", ".join(
                "'%s'" % each[len(self.name) + 1:] for each in missing))
        return node

    def _compile(self, keys, arrays, values):
        from .model import Model
        names = self.names(keys)
        numpys = self.name.startswith(operators._OF_NUMPY)
        for name, each in zip(names, arrays):
            if each.dtype.name not in _runtime.DTYPES:
                raise TypeError("%s: '%s' is %s, needs %s" % (
                    self.public_name, name, each.dtype, ", ".join(_runtime.DTYPES[:12])))
            if not each.size and not numpys:  # MXNet's own operators take 0 for an extent that is not known
                raise EmptyArray("%s: '%s' has shape %s: operators take no arrays without elements" % (
                    self.public_name, name, each.shape))
        try:
            node = self.node(names, keys, values)
            with numpy_shapes.np_shape(True) if numpys else contextlib.nullcontext():
                text = None if not (numpys or self._read) else _with_copies(node, self._read)
            inputs = {name: each for name, each in zip(names, arrays) if name not in self._updates}
            loaded = compiler.load_symbol(node, text, "op_" + self.name, inputs)
        except SymcError as reason:
            raise SymcError("%s: %s" % (self.public_name, reason)) from None
        return Kind(self.public_name, Model(None, _loaded=loaded), names, self._draws(values))


_functions = {}


def function_of(name):
    """The function of an operator by its name in the table."""
    made = _functions.get(name)
    if made is None:
        made = _functions[name] = make_function(name, name)
    return made


def make_function(name, public_name):
    """The function of an operator, called `public_name` in its module."""
    facts = operators.table()[name]
    operator = Operator(name, public_name)

    def function(*args, out=None, name=None, attr=None, **kwargs):
        return operator(args, kwargs, out)

    function.__name__ = function.__qualname__ = public_name
    function.__module__ = "symc.ndarray"
    function.__doc__ = operators.documentation(name, facts, "NDArray")
    function.__signature__ = operators.signature(facts, ("out", "name"))
    return function


def custom(*args, op_type, **kwargs):
    """An operator of a loaded library (library.load), or one that is a Python function (operator.register), by its name
    `op_type`."""
    name = operators.named_by(op_type)
    if name is None:
        raise SymcError("no operator '%s' is loaded; library.load loads libraries of operators" % op_type)
    return function_of(name)(*args, **kwargs)

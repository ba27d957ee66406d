"""Symbols: networks that a program composes by MXNet's rules, and the functions that make them.

A Symbol is a list of outputs of nodes in the compiler's library (symc/symc.h), which holds the nodes, infers shapes
and types and writes the JSON; a mistake raises SymcError (or TypeError, ValueError for arguments of a wrong kind) and
leaves every symbol as it was. This module is `symc.sym`: Variable, Group, load, load_json, scalar functions, and a
function for every operator (operators.py).
"""
import builtins  # functions of operators hide slice, max and others of this module
import ctypes
import json
import sys
import types
import warnings

from . import _library, attribute, name as _name, numpy_shapes, operators
from ._library import call, handles, list_of, text_of, texts
from .errors import NotImplementedForSymbol, SymcError

_DTYPES = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")  # MXNet's numbers


def _np():
    import numpy
    return numpy


def _made(function, *arguments, kind=None):
    handle = ctypes.c_uint64()
    call(function, *arguments, ctypes.byref(handle))
    return (kind or Symbol)(handle.value)


def apply(op, hint, values, attributes, name, keys, symbols, kind=None):
    """A node of an operator: values of its parameters as text, its inputs with their keys (None: by position)."""
    values = {**values, **attribute.current().get(attributes)}
    for key, value in values.items():
        if not isinstance(value, str):
            raise ValueError("attribute '%s' is %r, needs a string" % (key, value))
    name = _name.current().get(name, hint)
    handle = ctypes.c_uint64()
    call("symc_symbol_apply", op.encode(), ctypes.c_size_t(len(values)), texts(values), texts(values.values()),
         name.encode(), ctypes.c_size_t(len(symbols)), texts(keys), handles([each.handle for each in symbols]),
         ctypes.byref(handle))
    return (kind or Symbol)(handle.value)


def with_subgraphs(op, graphs, inputs, values):
    """A node of an operator that owns graphs: foreach, while_loop or cond."""
    values = {key: operators.text_of(value) for key, value in values.items()}
    values = {"num_args": str(len(graphs) + len(inputs)), **values, **attribute.current().get(None)}
    made = _made("symc_symbol_create", op.encode(), ctypes.c_size_t(len(values)), texts(values), texts(values.values()))
    call("symc_symbol_set_subgraphs", ctypes.c_uint64(made.handle), ctypes.c_size_t(len(graphs)),
         handles([each.handle for each in graphs]))
    call("symc_symbol_compose", ctypes.c_uint64(made.handle), _name.current().get(None, op).encode(),
         ctypes.c_size_t(len(inputs)), None, handles([each.handle for each in inputs]))
    return made


def _operation(symbol_op, scalar_op, reverse=None):
    """Methods of an operator of two symbols, or of a symbol and a number."""
    def method(self, other):
        return _binary(self, other, symbol_op, scalar_op)

    def reflected(self, other):
        return _binary(other, self, symbol_op, scalar_op, reverse)
    return method, reflected


def _binary(left, right, symbol_op, scalar_op, reverse=None):
    if isinstance(left, Symbol) and isinstance(right, Symbol):
        return getattr(_internal, symbol_op)(left, right)
    symbol, number, op = (left, right, scalar_op) if isinstance(left, Symbol) else (right, left, reverse or scalar_op)
    if isinstance(number, bool) or not hasattr(number, "__float__"):
        raise TypeError("type %s is not supported, needs a Symbol or a number" % type(number).__name__)
    return getattr(_internal, op)(symbol, scalar=number)


def _function_of(key):
    """A function of this module, made if it is an operator's that was not requested yet."""
    return getattr(sys.modules[__name__], key)


def _without_value(key, reason="what it computes is known when it runs"):
    """A method that arrays have and symbols have not."""
    def method(self, *_args, **_kwargs):
        raise NotImplementedForSymbol("a symbol has no '%s': %s" % (key, reason))
    method.__name__ = key
    return method


class Symbol:
    """Outputs of nodes. `handle` is their number in the library."""

    __slots__ = ("handle", "__weakref__")
    __array_priority__ = 1000.0  # NumPy's numbers leave arithmetic with symbols to them

    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        opened = _library._opened if _library is not None else None
        if opened is not None:
            opened.symc_symbol_free(self.handle)

    # --- Composition -------------------------------------------------------

    def __call__(self, *args, **kwargs):
        """A copy whose variables are replaced: by position for an operator without inputs, by keyword for others."""
        made = _made("symc_symbol_copy", ctypes.c_uint64(self.handle))
        made._compose(*args, **kwargs)
        return made

    def _compose(self, *args, **kwargs):
        """The same to this very symbol."""
        name = kwargs.pop("name", None)
        if args and kwargs:
            raise TypeError("compose takes symbols by position or by keyword, not both")
        for key, each in [*enumerate(args), *kwargs.items()]:
            if not isinstance(each, Symbol):
                raise TypeError("compose takes symbols, argument %r is %r" % (key, each))
        given = [*args, *kwargs.values()]
        call("symc_symbol_compose", ctypes.c_uint64(self.handle), name.encode() if name else None,
             ctypes.c_size_t(len(given)), texts([None] * len(args) + list(kwargs)),
             handles([each.handle for each in given]))

    def __copy__(self):
        return _made("symc_symbol_copy", ctypes.c_uint64(self.handle))

    def __deepcopy__(self, _):
        return self.__copy__()

    def __len__(self):
        count = ctypes.c_size_t()
        call("symc_symbol_output_count", ctypes.c_uint64(self.handle), ctypes.byref(count))
        return count.value

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index):
        """An output by its place or its name; a slice gives a group."""
        if isinstance(index, builtins.slice):
            return Group([self[i] for i in range(*index.indices(len(self)))])
        if isinstance(index, str):
            found = [i for i, output in enumerate(self.list_outputs()) if output == index]
            if len(found) != 1:
                raise ValueError("%s output is called '%s'; outputs are %s" % (
                    "no" if not found else "more than one", index, ", ".join(self.list_outputs()[:10])))
            index = found[0]
        if not isinstance(index, int):
            raise TypeError("an output is named by an int, a str or a slice, not by %r" % (index,))
        count = len(self)
        if not -count <= index < count:
            raise IndexError("output %d of %d outputs" % (index, count))
        return _made("symc_symbol_output", ctypes.c_uint64(self.handle), ctypes.c_size_t(index % count))

    # --- Parts and attributes ----------------------------------------------

    @property
    def name(self):
        """The name of the one node that all outputs are of, or None."""
        return text_of("symc_symbol_name", ctypes.c_uint64(self.handle))

    def attr(self, key):
        """An attribute of that node, or None."""
        return text_of("symc_symbol_attribute", ctypes.c_uint64(self.handle), key.encode())

    def _set_attr(self, **attributes):
        for key, value in attributes.items():
            if not isinstance(value, str):
                raise ValueError("attribute '%s' is %r, needs a string" % (key, value))
            call("symc_symbol_set_attribute", ctypes.c_uint64(self.handle), key.encode(), value.encode())

    def _triples(self, deep):
        count, found = list_of("symc_symbol_attributes", ctypes.c_uint64(self.handle), deep)
        return [tuple(found[3 * i + k].decode() for k in range(3)) for i in range(count)]

    def list_attr(self, recursive=False):
        """Attributes of that node."""
        if recursive:
            raise DeprecationWarning("list_attr has no recursive=True any more, attr_dict has those of all nodes")
        return {key: value for _, key, value in self._triples(0)}

    def attr_dict(self):
        """{node: {key: value}} of all nodes that have attributes."""
        all_of = {}
        for node, key, value in self._triples(1):
            all_of.setdefault(node, {})[key] = value
        return all_of

    def get_internals(self):
        """Every output of every node, each node after its inputs."""
        return _made("symc_symbol_internals", ctypes.c_uint64(self.handle))

    def get_children(self):
        """What the nodes of the outputs read; None for variables."""
        made = _made("symc_symbol_children", ctypes.c_uint64(self.handle))
        return made if len(made) else None

    def get_inputs(self):
        """The variables, as a group."""
        wanted = set(self.list_inputs())
        return Group([each for each in self.get_internals() if each.get_children() is None and each.name in wanted])

    def _gen_atomic_symbol(self):
        """The operator of that node by itself: it waits for its inputs."""
        node = next(each for each in json.loads(self.tojson(False))["nodes"] if each["name"] == self.name)
        values = {key: value for key, value in node.get("attrs", {}).items() if not key.startswith("__")}
        return _made("symc_symbol_create", node["op"].encode(), ctypes.c_size_t(len(values)), texts(values),
                     texts(values.values()))

    def _cut(self, key):
        """Outputs that nodes read of those without the first output's value of attribute `key`, from which they are cut
        off: variables stand for them from then on."""
        return list(_made("symc_symbol_cut", ctypes.c_uint64(self.handle), key.encode()))

    def _list(self, of):
        count, names = list_of("symc_symbol_list", ctypes.c_uint64(self.handle), of)
        return [names[i].decode() for i in range(count)]

    def list_arguments(self):
        return self._list(0)

    def list_outputs(self):
        return self._list(1)

    def list_auxiliary_states(self):
        return self._list(2)

    def list_inputs(self):
        return self._list(3)

    def _list_unread(self):
        """Inputs that prediction does not read: labels of loss heads, and what leads to them alone."""
        return self._list(4)

    # --- Inference ---------------------------------------------------------

    def _given(self, args, kwargs, what):
        if args and kwargs:
            raise ValueError("%s of inputs are given by position or by keyword, not both" % what)
        if args:
            arguments = self.list_arguments()
            if len(args) > len(arguments):
                raise ValueError("%d %s for %d arguments" % (len(args), what, len(arguments)))
            return {key: value for key, value in zip(arguments, args) if value is not None}
        inputs = self.list_inputs() if kwargs else []
        for key in kwargs:
            if key not in inputs:
                raise SymcError("the symbol has no input '%s', whose %s are given; its inputs are %s" % (
                    key, what, ", ".join(inputs)))
        return {key: value for key, value in kwargs.items() if value is not None}

    def _infer_shapes(self, args, kwargs):
        given = self._given(args, kwargs, "shapes")
        for key, shape in given.items():
            if not isinstance(shape, (tuple, list)) or not all(hasattr(extent, "__index__") for extent in shape):
                raise TypeError("the shape of '%s' is %r, needs a tuple of ints" % (key, shape))
            if numpy_shapes.is_np_shape() and 0 in shape:
                raise ValueError("the shape of '%s' is %r: arrays without elements cannot be compiled" % (key, shape))
        extents = [builtins.max(int(extent), 0) for shape in given.values() for extent in shape]
        shapes = _library.Shapes()
        call("symc_symbol_infer_shape", ctypes.c_uint64(self.handle), ctypes.c_size_t(len(given)), texts(given),
             (ctypes.c_int32 * len(given))(*map(len, given.values())), (ctypes.c_int64 * len(extents))(*extents),
             ctypes.byref(shapes))
        lists = tuple([tuple(each.extents[:builtins.max(each.rank, 0)]) for each in shapes.lists[k][:shapes.counts[k]]]
                      for k in range(3))
        if numpy_shapes.is_np_shape():
            lists = tuple([None if each.rank < 0 else tuple(extent or -1 for extent in shape)
                           for each, shape in zip(shapes.lists[k][:shapes.counts[k]], lists[k])] for k in range(3))
            return lists, shapes.complete, [key for key, shape in zip(self.list_arguments(), lists[0])
                                            if shape is None or -1 in shape]
        unknown = [key for key, shape in zip(self.list_arguments(), lists[0]) if not shape or 0 in shape]
        return lists, shapes.complete, unknown

    def infer_shape(self, *args, **kwargs):
        """Shapes of arguments, outputs and auxiliary states, three lists of tuples, from those of some arguments, by
        position or name; (None, None, None) and a warning where they do not decide all. SymcError for shapes that
        contradict each other."""
        lists, complete, unknown = self._infer_shapes(args, kwargs)
        if complete:
            return lists
        warnings.warn("shapes of %s are not decided by those that are given" % ", ".join(unknown[:10]), stacklevel=2)
        return None, None, None

    def infer_shape_partial(self, *args, **kwargs):
        """The same with () and 0 for what is not decided."""
        return self._infer_shapes(args, kwargs)[0]

    def _infer_types(self, args, kwargs):
        given = self._given(args, kwargs, "types")
        names = {key: operators.text_of(value if isinstance(value, str) else _np().dtype(value))
                 for key, value in given.items()}
        types_ = _library.Types()
        call("symc_symbol_infer_type", ctypes.c_uint64(self.handle), ctypes.c_size_t(len(names)), texts(names),
             texts(names.values()), ctypes.byref(types_))

        def type_of(text):
            return None if not text else getattr(_np(), {"bool": "bool_"}.get(text, text), text)
        lists = tuple([type_of(each.decode()) for each in types_.lists[k][:types_.counts[k]]] for k in range(3))
        return lists, types_.complete

    def infer_type(self, *args, **kwargs):
        """Element types, as infer_shape; (None, None, None) where they are not decided."""
        lists, complete = self._infer_types(args, kwargs)
        return lists if complete else (None, None, None)

    def infer_type_partial(self, *args, **kwargs):
        """The same with None for what is not decided."""
        return self._infer_types(args, kwargs)[0]

    # --- Files -------------------------------------------------------------

    def tojson(self, remove_amp_cast=True):
        """The text of a symbol file of MXNet 1.9.1, without casts of mixed precision unless those are requested."""
        text = text_of("symc_symbol_to_json", ctypes.c_uint64(self.handle))
        if remove_amp_cast and '"op": "amp_' in text:
            return load_json(_without_amp_casts(text)).tojson(remove_amp_cast=False)
        if numpy_shapes.is_np_shape():  # the version is the only attribute of the graph, at the end of the text
            head, _, version = text.rpartition('"attrs": {')
            return '%s"attrs": {\n    "is_np_shape": ["int", 1], \n    %s\n  }\n}' % (head, version[:-3])
        return text

    def save(self, fname, remove_amp_cast=True):
        if not isinstance(fname, str):
            raise TypeError("a symbol is saved to a file's name, got %r" % (fname,))
        text = self.tojson(remove_amp_cast)
        with open(fname, "w", encoding="utf-8") as file:
            file.write(text)

    # --- Running -----------------------------------------------------------

    def simple_bind(self, ctx=None, grad_req="write", type_dict=None, **kwargs):
        """An executor.Executor over compiled code with arrays of zeros, for shapes by input name."""
        from . import executor
        return executor.simple_bind(self, ctx, grad_req, type_dict, **kwargs)

    def bind(self, ctx, args, args_grad=None, grad_req="write", aux_states=None, **kwargs):
        """The same over given arrays, a list in the order of the arguments or a dict by name."""
        from . import executor
        return executor.bind(self, ctx, args, args_grad, grad_req, aux_states, **kwargs)

    def eval(self, ctx=None, **kwargs):
        """Outputs for arrays by argument, a list; bind computes more than once over what it compiles once."""
        return self.bind(ctx, kwargs).forward()

    def gradient(self, wrt):
        """The gradients of arguments, to bind and compute by themselves (gradient_symbol.py)."""
        from .gradient_symbol import GradientSymbol
        return GradientSymbol(self, wrt)

    grad = gradient  # MXNet 0.7's name

    optimize_for, get_backend_symbol = (_without_value(key, "symc.compile optimizes for its target")
                                        for key in ("optimize_for", "get_backend_symbol"))

    def __reduce__(self):
        return load_json, (self.tojson(),)

    def debug_str(self):
        """Outputs and nodes, one a line, as MXNet prints them."""
        graph = json.loads(self.tojson(remove_amp_cast=False))
        nodes = graph["nodes"]
        lines = ["Symbol Outputs:"]
        lines += ["\toutput[%d]=%s(%d)" % (i, nodes[node]["name"], index)
                  for i, (node, index, _) in enumerate(graph["heads"])]
        for node in nodes:
            if node["op"] == "null":
                lines.append("Variable:%s" % node["name"])
                continue
            lines += ["-" * 20, "Op:%s, Name=%s" % (node["op"], node["name"]), "Inputs:"]
            for i, (of, index, version) in enumerate(node["inputs"]):
                behind = " version=%d" % version if nodes[of]["op"] == "null" else ""
                lines.append("\targ[%d]=%s(%d)%s" % (i, nodes[of]["name"], index, behind))
            if node.get("attrs"):
                lines += ["Attrs:", *("\t%s=%s" % pair for pair in sorted(node["attrs"].items()))]
        return "\n".join(lines) + "\n"

    def __repr__(self):
        name = self.name
        return "<%s %s>" % (type(self).__name__, name if name is not None else "group [%s]" % ", ".join(
            "%s" % output.name for output in self))

    # --- Arithmetic --------------------------------------------------------

    __add__, __radd__ = _operation("_Plus", "_PlusScalar")
    __sub__, __rsub__ = _operation("_Minus", "_MinusScalar", "_RMinusScalar")
    __mul__, __rmul__ = _operation("_Mul", "_MulScalar")
    __truediv__, __rtruediv__ = _operation("_Div", "_DivScalar", "_RDivScalar")
    __mod__, __rmod__ = _operation("_Mod", "_ModScalar", "_RModScalar")
    __pow__, __rpow__ = _operation("_Power", "_PowerScalar", "_rpower_scalar")
    __eq__, _ = _operation("_equal", "_equal_scalar")
    __ne__, _ = _operation("_not_equal", "_not_equal_scalar")
    __gt__, _ = _operation("_greater", "_greater_scalar")
    __ge__, _ = _operation("_greater_equal", "_greater_equal_scalar")
    __lt__, _ = _operation("_lesser", "_lesser_scalar")
    __le__, _ = _operation("_lesser_equal", "_lesser_equal_scalar")
    __hash__ = object.__hash__

    def __neg__(self):
        return self * -1.0

    def __abs__(self):
        return _function_of("abs")(self)

    __bool__ = _without_value("bool")
    __iadd__, __isub__, __imul__ = (_without_value(key, "composing makes another symbol") for key in ("+=", "-=", "*="))
    __itruediv__ = _without_value("/=", "composing makes another symbol")
    wait_to_read, asnumpy, asscalar, copy, as_in_context, detach, backward = map(
        _without_value, ("wait_to_read", "asnumpy", "asscalar", "copy", "as_in_context", "detach", "backward"))

    def as_nd_ndarray(self):
        return self

    def as_np_ndarray(self):
        """The same outputs as a symbol of NumPy's kind (numpy_symbol.py)."""
        from .numpy_symbol import _Symbol
        return _made("symc_symbol_create_group", ctypes.c_size_t(1), handles([self.handle]), kind=_Symbol)

    def __getattr__(self, key):
        """Operators as methods: x.reshape(shape=(0, -1))."""
        facts = operators.table().get(key) if not key.startswith("_") else None
        if facts is None or not facts["inputs"]:
            raise AttributeError("Symbol has no attribute '%s'" % key)
        return types.MethodType(_function_of(key), self)

    def __dir__(self):
        return sorted({*super().__dir__(), *(key for key, facts in operators.names_in("").items()
                                             if operators.table()[facts]["inputs"])})

    # What takes arguments of other kinds than its operator.

    def astype(self, dtype, **kwargs):
        return _function_of("cast")(self, dtype=dtype, **kwargs)

    def reshape(self, *shape, **kwargs):
        if shape:
            kwargs["shape"] = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        return _function_of("reshape")(self, **kwargs)

    def transpose(self, *axes, **kwargs):
        if axes:
            kwargs["axes"] = axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes
        return _function_of("transpose")(self, **kwargs)

    def split_v2(self, *args, **kwargs):
        return split_v2(self, *args, **kwargs)

    def squeeze(self, axis=None, inplace=False, **kwargs):
        return _function_of("squeeze")(self, axis=axis, **kwargs)

    def diag(self, k=0, **kwargs):
        return _function_of("diag")(self, k, **kwargs)


def _without_amp_casts(text):
    """The symbol file in which nodes read what amp_cast and amp_multicast read; heads stay."""
    graph = json.loads(text)
    read_by = {}  # (node, output) of a cast -> the entry that it reads
    for place, node in enumerate(graph["nodes"]):
        node["inputs"] = [read_by.get((of, output), [of, output, version]) for of, output, version in node["inputs"]]
        if node["op"] in ("amp_cast", "amp_multicast"):
            read_by.update({(place, output): entry for output, entry in enumerate(node["inputs"])})
    return json.dumps(graph)


# --- Variables, groups, files ---------------------------------------------

def Variable(name, attr=None, shape=None, lr_mult=None, wd_mult=None, dtype=None, init=None, stype=None,
             profiler_scope=None, **kwargs):
    """A variable. `shape` is a tuple whose extents may be 0 for unknown, `dtype` an element type, `init` the text of an
    initialiser or an object with dumps(); further keywords begin and end with two underscores."""
    if not isinstance(name, str):
        raise TypeError("a variable's name is a str, got %r" % (name,))
    attributes = dict(attribute.current().get(attr))
    if shape is not None:
        attributes["__shape__"] = operators.text_of(tuple(shape))
    if lr_mult is not None:
        attributes["__lr_mult__"] = str(lr_mult)
    if wd_mult is not None:
        attributes["__wd_mult__"] = str(wd_mult)
    if dtype is not None:
        attributes["__dtype__"] = str(_DTYPES.index(_np().dtype(dtype).name))
    if init is not None:
        attributes["__init__"] = init if isinstance(init, str) else init.dumps()
    if stype is not None:
        attributes["__storage_type__"] = {"default": "0", "row_sparse": "1", "csr": "2"}[stype]
    if profiler_scope is not None:
        attributes["__profiler_scope__"] = profiler_scope
    for key, value in kwargs.items():
        if not (key.startswith("__") and key.endswith("__")):
            raise ValueError("attribute '%s' of a variable is unknown; those of users are called __%s__" % (key, key))
        attributes[key] = str(value)
    made = _made("symc_symbol_create_variable", name.encode())
    made._set_attr(**attributes)
    return made


var = Variable


def Group(symbols, create_fn=None):
    """The outputs of all symbols of a list."""
    symbols = list(symbols)
    if not symbols or any(not isinstance(each, Symbol) for each in symbols):
        raise TypeError("Group takes a list of symbols, got %r" % (symbols,))
    return _made("symc_symbol_create_group", ctypes.c_size_t(len(symbols)), handles([each.handle for each in symbols]),
                 kind=create_fn)


def _read(function, *arguments):
    symbol = _made(function, *arguments)
    message = _library.library().symc_symbol_warnings().decode(errors="replace")
    if message:
        warnings.warn(message, stacklevel=3)
    return symbol


def load(fname):
    """The symbol of a file of any version of MXNet."""
    if not isinstance(fname, str):
        raise TypeError("a symbol is loaded from a file's name, got %r" % (fname,))
    operators.settle()
    return _read("symc_symbol_from_file", fname.encode())


def load_json(json_str):
    """The symbol of such a file's text."""
    if not isinstance(json_str, str):
        raise TypeError("a symbol is loaded from a str, got %r" % (json_str,))
    operators.settle()
    text = json_str.encode()
    return _read("symc_symbol_from_json", text, ctypes.c_size_t(len(text)))


def fromjson(json_str):
    return load_json(json_str)


# --- Functions of symbols and numbers -------------------------------------

def _function(symbol_op, scalar_op, reverse, plain):
    def function(left, right):
        if isinstance(left, Symbol) or isinstance(right, Symbol):
            return _binary(left, right, symbol_op, scalar_op, reverse)
        return plain(left, right)
    return function


pow = power = _function("_Power", "_PowerScalar", "_RPowerScalar", lambda a, b: a ** b)
maximum = _function("_Maximum", "_MaximumScalar", "_MaximumScalar", lambda a, b: a if a > b else b)
minimum = _function("_Minimum", "_MinimumScalar", "_MinimumScalar", lambda a, b: a if a < b else b)
hypot = _function("_Hypot", "_HypotScalar", "_HypotScalar", lambda a, b: (a * a + b * b) ** 0.5)


def zeros(shape, dtype=None, **kwargs):
    return _internal._zeros(shape=shape, dtype=dtype or "float32", **kwargs)


def ones(shape, dtype=None, **kwargs):
    return _internal._ones(shape=shape, dtype=dtype or "float32", **kwargs)


def full(shape, val, dtype=None, **kwargs):
    return _internal._full(shape=shape, dtype=dtype or "float32", value=float(val), **kwargs)


def eye(N, M=0, k=0, dtype=None, **kwargs):
    return _internal._eye(N=N, M=M, k=k, dtype=dtype or "float32", **kwargs)


def arange(start, stop=None, step=1.0, repeat=1, infer_range=False, name=None, dtype=None):
    return _internal._arange(start=start, stop=stop, step=step, repeat=repeat, infer_range=infer_range, name=name,
                             dtype=dtype or "float32")


def linspace(start, stop, num, endpoint=True, name=None, dtype=None):
    return _internal._linspace(start=start, stop=stop, num=num, endpoint=endpoint, name=name, dtype=dtype or "float32")


def histogram(a, bins=10, range=None, **kwargs):
    if isinstance(bins, Symbol):
        return _internal._histogram(data=a, bins=bins, **kwargs)
    return _internal._histogram(data=a, bin_cnt=bins, range=range, **kwargs)


def split_v2(ary, indices_or_sections, axis=0, squeeze_axis=False):
    """Parts along an axis: as many of equal extents, or those that begin at 0 and at each index."""
    if isinstance(indices_or_sections, int):
        return _internal._split_v2(ary, [], axis, squeeze_axis, indices_or_sections)
    if not isinstance(indices_or_sections, tuple):
        raise ValueError("split_v2 takes a number of parts or a tuple of indices, got %r" % (indices_or_sections,))
    return _internal._split_v2(ary, [0, *indices_or_sections], axis, squeeze_axis, 0)


Custom = operators.custom


# --- Modules ---------------------------------------------------------------

def _submodule(part, doc, written=None):
    module = operators.OperatorModule("%s.%s" % (__name__, part), part, doc, written)
    sys.modules[module.__name__] = module
    return module


_internal = _submodule("_internal", "Operators whose names begin with an underscore.")
contrib = _submodule("contrib", "Operators of MXNet's contrib.")
linalg = _submodule("linalg", "Linear algebra on batches of matrices.")
image = _submodule("image", "Operators on images.")
sparse = _submodule("sparse", "Operators under the names that sparse arrays have.")
np = _submodule("np", "NumPy's functions, for symbols.", "numpy_functions")
npx = _submodule("npx", "Functions beside NumPy's.", "numpy_extension")
random = _submodule("random", "Random numbers, by parameters that are numbers or symbols.")


def _adamw(key):
    """A function whose rescale_grad may be a number too."""
    def function(*args, rescale_grad=None, **kwargs):
        place = 5 if key.startswith("mp_") else 4
        if len(args) > place:
            args, rescale_grad = args[:place] + args[place + 1:], args[place]
        if not isinstance(rescale_grad, Symbol):
            rescale_grad = full(shape=(1,), val=rescale_grad)
        inputs = ("weight", "grad", "mean", "var", "weight32")[:place]
        kwargs.update(zip([*inputs, "lr", "eta", "beta1", "beta2", "epsilon", "wd", "clip_gradient"], args))
        return getattr(_internal, "_" + key)(rescale_grad=rescale_grad, **kwargs)
    function.__name__ = key
    return function


contrib.adamw_update, contrib.mp_adamw_update = _adamw("adamw_update"), _adamw("mp_adamw_update")


def __getattr__(key):
    if key == "op":
        return sys.modules[__name__]
    if key.startswith("_") and not key.startswith("__"):
        return getattr(_internal, key)
    facts = operators.names_in("").get(key) if not key.startswith("__") else None
    if facts is None:
        raise AttributeError("symc.sym has no operator '%s'" % key)
    made = operators.make_function(facts, key)
    setattr(sys.modules[__name__], key, made)
    return made


def __dir__():
    return sorted({*globals(), *operators.names_in("")})


def _complete():
    """Functions that are written in Python take their places among those of operators."""
    from . import control_flow, sampling
    for key in ("uniform", "normal", "randn", "poisson", "exponential", "gamma", "negative_binomial",
                "generalized_negative_binomial", "multinomial", "shuffle", "randint"):
        setattr(random, key, getattr(sampling, key))
    contrib.rand_zipfian = sampling.rand_zipfian
    for key in ("foreach", "while_loop", "cond"):
        setattr(contrib, key, getattr(control_flow, key))


_complete()

"""Functions that make symbols, one for each operator of the compiler's table, made when they are requested.

`symc.sym` holds those of plain names, its `contrib`, `linalg`, `random`, `image`, `sparse`, `np`, `npx` and `_internal`
those of names with that prefix. Names, order of arguments and defaults are MXNet's; the table comes with the package
(_operators.json, made of the compiler's own), so that nothing of the compiler is opened to list or document them.
"""
import importlib
import inspect
import json
import os
import types

from . import signatures

_NULL = type("_NullType", (), {"__repr__": lambda self: "_Null", "__bool__": lambda self: False})()  # not given
_PREFIXES = {"contrib": "_contrib_", "linalg": "_linalg_", "random": "_random_", "image": "_image_",
             "sparse": "_sparse_", "np": "_np_", "npi": "_npi_", "npx": "_npx_"}
_OF_NUMPY = ("_np_", "_npi_", "_npx_")  # their symbols are of NumPy's kind
_table = None
_described = set()  # operators of libraries
pending = []  # functions that describe operators of Python whose class had no name when it was registered


def settle():
    """Describes what is pending: before symbols are made or read."""
    while pending:
        pending.pop()()


def table():
    """{name: facts of the operator}, as symc/symc.h describes it."""
    global _table
    settle()
    if _table is None:
        file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_operators.json")
        if os.path.exists(file):
            with open(file, encoding="utf-8") as text:
                _table = json.load(text)
        else:
            from . import _library
            _table = json.loads(_library.operator_table())
    return _table


def add(facts):
    """Takes operators that a library brought into the table (library.load)."""
    for name in facts.keys() - table().keys():
        table()[name] = facts[name]
        _described.add(name)


def text_of(value):
    """A value as attributes have it: (3, 3), True, None, float32."""
    if isinstance(value, str):
        return value
    if isinstance(value, (tuple, list)):
        inside = ", ".join(map(text_of, value))
        return "[%s]" % inside if isinstance(value, list) else "(%s,)" % inside if len(value) == 1 else "(%s)" % inside
    if isinstance(value, type) or type(value).__name__.startswith("dtype"):
        return _dtype_text(value)
    return str(value)


def _dtype_text(value):
    import numpy
    return numpy.dtype(value).name


def _default(parameter):
    text = parameter["default"]
    if text is None:
        return inspect.Parameter.empty if not parameter["optional"] else None
    return {"true": True, "false": False, "None": None}.get(text, text)


def _type_text(parameter):
    if parameter["values"]:
        return "{%s}" % ", ".join("'%s'" % value for value in parameter["values"])
    limits = ""
    if parameter["min"] is not None or parameter["max"] is not None:
        limits = " in [%s, %s]" % (parameter["min"] or "", parameter["max"] or "")
    return parameter["kind"] + limits


def documentation(name, facts, value="Symbol"):
    """What help() shows of an operator. `value`: what its inputs are."""
    lines = [facts["summary"] + ".", "", facts["description"], "", "Parameters", "----------"]
    for each in facts["inputs"]:
        kind = value + {"single": "", "optional": ", may be left out", "variadic": "s"}[each["kind"]]
        lines.append("%s : %s%s" % (each["name"], kind, ", auxiliary state" if each["auxiliary"] else ""))
    for each in _open_parameters(facts):
        default = "required" if each["default"] is None and not each["optional"] else "default %s" % each["default"]
        lines += ["%s : %s, %s" % (each["name"], _type_text(each), default), "    " + each["doc"]]
    outputs = ", ".join(each["name"] for each in facts["outputs"])
    if value == "Symbol":
        lines += ["name : str, the node's name", "attr : dict of str, further attributes", "", "Returns", "-------",
                  "Symbol with the outputs %s" % outputs]
    else:
        lines += ["out : %s or a list of them, takes the result" % value, "name : str, changes nothing", "", "Returns",
                  "-------", "%s, or a list where there are several: %s" % (value, outputs)]
    if facts["name"] != name:
        lines += ["", "Another name of %s." % facts["name"]]
    return "\n".join(lines)


def _open_parameters(facts):
    """Parameters that the operator's name does not fix."""
    fixed = {preset.partition("=")[0] for preset in facts["presets"]}
    return [each for each in facts["parameters"] if each["name"] not in fixed]


def _variadic_counter(facts):
    """Whether an operator takes any number of symbols, and the parameter that counts them or ""."""
    counter = signatures.VARIADIC.get(facts["name"])
    if counter is not None:
        return True, counter
    if any(preset.partition("=")[0] == facts["counter"] for preset in facts["presets"]):
        return True, ""  # the name fixes how many there are
    return any(each["kind"] == "variadic" for each in facts["inputs"]), facts["counter"]


def places(facts):
    """Names of arguments in MXNet's order, inputs first."""
    listed = signatures.ORDERS.get(facts["name"], "").split()
    inputs = [each["name"] for each in facts["inputs"]]
    order = listed or inputs
    names = inputs + [each["name"] for each in _open_parameters(facts)]
    return order + [each for each in dict.fromkeys(names) if each not in order]


def signature(facts, behind_all=("name", "attr")):
    kinds = inspect.Parameter
    inputs = [each["name"] for each in facts["inputs"]]
    defaults = {each["name"]: _default(each) for each in _open_parameters(facts)}
    variadic, _ = _variadic_counter(facts)
    behind = kinds.KEYWORD_ONLY if variadic else kinds.POSITIONAL_OR_KEYWORD
    parameters = [kinds("data", kinds.VAR_POSITIONAL)] if variadic else []
    for key in places(facts):
        if key in inputs and key not in defaults:
            if not variadic:
                parameters.append(kinds(key, behind, default=None))
        elif not (variadic and key == "data"):
            default = defaults.get(key, kinds.empty)
            parameters.append(kinds(key, behind, default=_NULL if default is kinds.empty else default))
    parameters += [kinds(key, behind, default=None) for key in behind_all] + [kinds("kwargs", kinds.VAR_KEYWORD)]
    return inspect.Signature(parameters)


def custom(*args, op_type, **kwargs):
    """A node of MXNet's form "Custom", which names an operator of a loaded library (library.load) by `op_type`."""
    from .errors import SymcError
    settle()
    name = named_by(op_type)
    if name is None:
        raise SymcError("no operator '%s' is loaded; library.load loads libraries of operators" % op_type)
    return make_function(name, "Custom", {"op_type": op_type})(*args, **kwargs)


def named_by(op_type):
    """The operator in the table that a node "Custom" of this `op_type` is; None where it is not loaded."""
    return next((each for each in (op_type, beside_built_in(op_type)) if each in _described), None)


def beside_built_in(op_type):
    """What the table calls an operator for nodes "Custom" alone, whose name a built-in operator has."""
    return "_custom_" + op_type


def make_function(name, public_name, form=None):
    """The function of an operator, called `public_name` in its module. `form`: attributes of a node that is called
    so too, and names the operator by them."""
    from .symbol import Symbol, apply
    facts = table()[name]
    inputs = {each["name"] for each in facts["inputs"]}
    parameters = {each["name"] for each in _open_parameters(facts)}
    order = places(facts)
    variadic, counter = _variadic_counter(facts)
    hint = public_name.lower()
    kind = Symbol
    if name.startswith(_OF_NUMPY):
        from .numpy_symbol import _Symbol as kind

    def mistake(text):
        return TypeError("%s() %s" % (public_name, text))

    def function(*args, **kwargs):
        symbol_name, attributes = kwargs.pop("name", None), kwargs.pop("attr", None)
        kwargs.pop("out", None)
        keys, symbols, values = [], [], {}
        if variadic:
            if len(args) == 1 and isinstance(args[0], (list, tuple)):
                args = args[0]
            for place, each in enumerate(args):
                if not isinstance(each, Symbol):
                    raise mistake("takes symbols, argument %d is %r" % (place, each))
            symbols, keys = list(args), [None] * len(args)
        else:
            if len(args) > len(order):
                raise mistake("takes at most %d arguments, %d are given" % (len(order), len(args)))
            for key, each in zip(order, args):
                if key in kwargs:
                    raise mistake("got argument '%s' twice" % key)
                kwargs[key] = each
        for key, each in kwargs.items():
            if isinstance(each, Symbol):
                keys.append(key)
                symbols.append(each)
            elif each is _NULL or (each is None and (key in inputs or key not in parameters)):
                continue
            elif key in inputs and key not in parameters:
                raise mistake("takes a symbol as '%s', got %r" % (key, each))
            elif key == "dtype" and each is None and kind is not Symbol:
                continue
            elif key == "dtype" and not isinstance(each, str) and each is not None:
                values[key] = _dtype_text(each)
            else:
                values[key] = text_of(each)
        if variadic and counter and counter not in values:
            values[counter] = str(len(symbols))
        if form:
            return apply(public_name, hint, {**form, **values}, attributes, symbol_name, keys, symbols)
        made = apply(name, hint, values, attributes, symbol_name, keys, symbols, kind)
        return made if kind is Symbol or made.num_outputs == 1 else list(made)

    function.__name__ = function.__qualname__ = public_name
    function.__module__ = "symc.symbol"
    function.__doc__ = documentation(name, facts)
    function.__signature__ = signature(facts)
    return function


def names_in(module):
    """{public name: operator} of a module: "" is symc.sym itself."""
    if module == "_internal":
        return {name: name for name in table() if name.startswith("_")}
    if module:
        prefix = _PREFIXES[module]
        return {name[len(prefix):]: name for name in table() if name.startswith(prefix)}
    return {name: name for name in table() if not name.startswith("_")}


class OperatorModule(types.ModuleType):
    """A module whose functions are made when they are requested."""

    def __init__(self, name, part, doc, written=None, make=make_function):
        """`written` is the module of this package with functions that are written in Python; they come first. `make`
        gives the function of an operator for its name and that in this module."""
        super().__init__(name, doc)
        self._part, self._written, self._make = part, written, make

    def written(self):
        """{name: function or module} of these."""
        if self._written is None:
            return {}
        module = importlib.import_module("." + self._written, __package__)
        return {key: vars(module)[key] for key in module.__all__}

    def __getattr__(self, key):
        if not key.startswith("__") and key in self.written():
            setattr(self, key, self.written()[key])
            return self.written()[key]
        operator = names_in(self._part).get(key) if not key.startswith("__") else None
        if operator is None:
            raise AttributeError("%s has no operator '%s'" % (self.__name__, key))
        made = self._make(operator, key)
        setattr(self, key, made)
        return made

    def __dir__(self):
        return sorted({*super().__dir__(), *names_in(self._part), *self.written()})

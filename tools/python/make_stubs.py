"""Writes the stubs of all modules of the package, for editors and type checkers: symbol.pyi and ndarray.pyi with the
signatures of all operators, here; those of modules that are written in Python in module_stubs.py.

    python3 make_stubs.py FOLDER     # FOLDER holds the package symc with its table of operators

The functions themselves are made when they are requested, so that no tool could find them in these files. Those of
arrays that are written in Python are read from their sources: importing them would need NumPy.
"""
import ast
import inspect
import keyword
import os
import sys

import module_stubs

HEAD = '''"""Symbols: see symbol.py. Made of the table of operators by make_stubs.py."""
from typing import Any, Dict, Iterator, List, Literal, Optional, Sequence, Tuple, Union

Shapes = Union[Tuple[List[Tuple[int, ...]], List[Tuple[int, ...]], List[Tuple[int, ...]]], Tuple[None, None, None]]
Types = Union[Tuple[List[Any], List[Any], List[Any]], Tuple[None, None, None]]
Attributes = Optional[Dict[str, str]]

'''
ARRAYS_HEAD = '''"""Arrays and functions on them: see ndarray.py. Made of the table of operators by make_stubs.py."""
from typing import Any, Dict, List, Literal, Optional, Sequence, Tuple, Union

import numpy as np

'''
KINDS = {"int": "int", "unsigned int": "int", "float": "float", "double": "float", "bool": "bool", "string": "Any",
         "tuple of int": "Union[int, Sequence[int]]", "tuple of float": "Sequence[float]"}
MODULES = ("contrib", "linalg", "random", "image", "sparse", "np", "npx", "_internal")


def type_of(key, facts, value):
    """The annotation of an operator's argument, whose inputs are `value`s."""
    for each in facts["inputs"]:
        if each["name"] == key:
            return "Optional[%s]" % value
    for each in facts["parameters"]:
        if each["name"] == key:
            literal = "Literal[%s]" % ", ".join(map(repr, each["values"])) if each["values"] else KINDS[each["kind"]]
            return "Any" if key == "dtype" else "Optional[%s]" % literal
    return "Any"


def operator_stub(name, facts, signature, indent, value="Symbol"):
    """`def Convolution(data: Optional[Symbol] = ..., ...) -> Symbol: ...`"""
    result = value
    if value != "Symbol" and (len(facts["outputs"]) != 1 or facts["outputs"][0]["kind"] == "variadic"):
        result = "Any"  # an array or a list of them
    arguments = []
    for each in signature.parameters.values():
        if each.kind is each.VAR_POSITIONAL:
            arguments.append("*%s: %s" % (each.name, value))
        elif each.kind is each.VAR_KEYWORD:
            arguments.append("**%s: Any" % each.name)
        else:
            annotation = {"name": "Optional[str]", "attr": "Attributes", "out": "Any"}.get(each.name)
            annotation = annotation or type_of(each.name, facts, value)
            if keyword.iskeyword(each.name):
                continue
            arguments.append("%s: %s = ..." % (each.name, annotation))
    return "%sdef %s(%s) -> %s: ...\n" % (indent, name, ", ".join(arguments), result)


def python_stub(name, function, indent, result):
    """The same of a function that is written in Python, without types of its arguments."""
    arguments = []
    for each in inspect.signature(function).parameters.values():
        star = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
        kind = "" if each.name == "self" else ": Any"
        arguments.append(star + each.name + kind + ("" if star or each.default is each.empty else " = ..."))
    return "%sdef %s(%s) -> %s: ...\n" % (indent, name, ", ".join(arguments), result)


def members(module, part, operators, indent):
    """Stubs of all functions of a module."""
    table, names, lines = operators.table(), operators.names_in(part), []
    written = module.written() if part else {}
    own = {key: each for key, each in {**vars(module), **written}.items()
           if inspect.isfunction(each) and not key.startswith("_") and not hasattr(each, "__signature__")}
    for key in sorted({*names, *own}):
        if not key.isidentifier() or keyword.iskeyword(key):
            continue
        if key in own:
            lines.append(python_stub(key, own[key], indent, "Any" if part in ("contrib", "np") else "Symbol"))
        else:
            facts = table[names[key]]
            lines.append(operator_stub(key, facts, operators.signature(facts), indent))
    return lines


def class_stub(symbol, operators):
    """Symbol: its own methods, and operators whose first input it becomes."""
    results = {"name": "Optional[str]", "__len__": "int", "__iter__": "Iterator[Symbol]", "attr": "Optional[str]",
               "list_attr": "Dict[str, str]", "attr_dict": "Dict[str, Dict[str, str]]", "tojson": "str",
               "simple_bind": "Any", "bind": "Any", "gradient": "Any", "grad": "Any", "eval": "List[Any]",
               "debug_str": "str", "save": "None",
               "get_children": "Optional[Symbol]", "infer_shape": "Shapes",
               "infer_shape_partial": "Shapes", "infer_type": "Types", "infer_type_partial": "Types",
               **{"list_" + key: "List[str]" for key in ("arguments", "outputs", "auxiliary_states", "inputs")}}
    lines = ["class Symbol:\n", "    @property\n", "    def name(self) -> Optional[str]: ...\n"]
    hidden = ("__init__", "__del__", "__getattr__", "__reduce__", "__dir__", "__repr__", "__copy__", "__deepcopy__")
    for key, each in vars(symbol.Symbol).items():
        refused = "_without_value" in getattr(each, "__qualname__", "")
        open_to_users = key.startswith("__") or not key.startswith("_")
        if inspect.isfunction(each) and key not in hidden and open_to_users and not refused:
            lines.append(python_stub(key, each, "    ", results.get(key, "Symbol")).replace(
                "(self, other: Any) -> Symbol: ...", "(self, other: Any) -> Symbol: ...%s" % (
                    "  # type: ignore[override]" if key in ("__eq__", "__ne__") else "")))
    table, names = operators.table(), operators.names_in("")
    for key in sorted(names):
        facts = table[names[key]]
        if facts["inputs"] and key not in vars(symbol.Symbol) and key.islower():
            signature = operators.signature(facts)
            first, *rest = signature.parameters.values()
            kept = signature.replace(parameters=rest if first.kind is not first.VAR_POSITIONAL else [first, *rest])
            lines.append(operator_stub(key, facts, kept, "    ").replace("(", "(self, ", 1))
    return lines


def text(symbol, operators):
    lines = [HEAD, *class_stub(symbol, operators), "\n", "op: Any\n", "\n"]
    for part in MODULES:
        module = getattr(symbol, part)
        inner = {key: each for key, each in module.written().items() if inspect.ismodule(each)}
        for key, each in inner.items():
            lines.append("class _Of_%s_%s:\n" % (part, key))
            for name in each.__all__:
                lines += ["    @staticmethod\n", python_stub(name, getattr(each, name), "    ", "Any")]
            lines.append("\n")
        lines.append("class _Of_%s:\n" % part)
        lines += ["    %s = _Of_%s_%s\n" % (key, part, key) for key in inner]
        for line in members(module, part, operators, "    "):
            lines += ["    @staticmethod\n", line]
        lines += ["\n", "%s = _Of_%s\n" % (part, part), "\n"]
    lines += members(symbol, "", operators, "")
    return "".join(lines)


# --- Arrays -------------------------------------------------------------------

def source_of(folder, name):
    with open(os.path.join(folder, "symc", name + ".py"), encoding="utf-8") as file:
        return ast.parse(file.read()).body


def constant(body, name):
    """The value that a module gives a name as a constant, or as a constant's words."""
    value = next(each.value for each in body if isinstance(each, ast.Assign) and each.targets[0].id == name)
    return ast.literal_eval(value.func.value).split() if isinstance(value, ast.Call) else ast.literal_eval(value)


def source_stub(function, indent):
    """The stub of a function's source, without types."""
    marked = any(getattr(each, "id", "") == "property" for each in function.decorator_list)
    return (indent + "@property\n" if marked else "") + "%sdef %s(%s) -> Any: ...\n" % (indent, function.name, module_stubs.arguments_of(function))


def array_members(folder, part, written, operators, indent):
    """Stubs of the functions of symc.nd, or of a module of it: those of `written` modules, then operators."""
    lines, own = [], {}
    for name in written:
        body = source_of(folder, name)
        functions = {each.name: each for each in body if isinstance(each, ast.FunctionDef)}
        public = [each for each in functions if not each.startswith("_")]
        listed = public if name == "ndarray" else constant(body, "__all__")
        own.update({key: source_stub(functions[key], indent) if key in functions else
                    "%sdef %s(lhs: Any, rhs: Any) -> Any: ...\n" % (indent, key) for key in listed})
    names = operators.names_in(part)
    for key in sorted({*names, *own}):
        if key.isidentifier() and not keyword.iskeyword(key):
            facts = operators.table()[names[key]] if key not in own else None
            lines.append(own.get(key) or operator_stub(key, facts, operators.signature(facts, ("out", "name")), indent,
                                                       "NDArray"))
    return lines


def array_class(folder, operators):
    body = source_of(folder, "ndarray_class")
    methods = next(each for each in body if isinstance(each, ast.ClassDef) and each.name == "NDArray").body
    lines = ["class NDArray(np.ndarray[Any, Any]):\n"]
    lines += [source_stub(each, "    ") for each in methods
              if isinstance(each, ast.FunctionDef) and each.name[0] != "_"]
    for key in constant(body, "_OPERATORS"):
        facts = operators.table().get(key)
        if facts is None:  # one that is written in Python
            lines.append("    def %s(self, *args: Any, **kwargs: Any) -> Any: ...\n" % key)
            continue
        signature = operators.signature(facts, ("out", "name"))
        kept = signature.replace(parameters=list(signature.parameters.values())[1:])
        lines.append(operator_stub(key, facts, kept, "    ", "NDArray").replace("(", "(self, ", 1))
    return lines


def array_text(folder, operators):
    lines = [ARRAYS_HEAD, *array_class(folder, operators), "\n", "op: Any\n", "sparse: Any\n", "\n"]
    for part, written in (("contrib", ["ndarray_contrib"]), ("linalg", []), ("random", ["ndarray_random"]),
                          ("image", []), ("_internal", [])):
        lines.append("class _Of_%s:\n" % part)
        for line in array_members(folder, part, written, operators, "    "):
            lines += ["    @staticmethod\n", line]
        lines += ["\n", "%s = _Of_%s\n" % (part, part), "\n"]
    lines.append("def load(fname: Any) -> Any: ...\ndef load_frombuffer(buf: Any) -> Any: ...\n"
                 "def save(fname: Any, data: Any) -> None: ...\n")
    return "".join(lines + array_members(folder, "", ["ndarray", "ndarray_functions"], operators, ""))


def main():
    folder = sys.argv[1]
    sys.dont_write_bytecode = True
    try:
        import numpy  # noqa: F401, which the package imports
    except ImportError:
        sys.exit("make_stubs: %s has no NumPy; tools/scripts/setup installs it for the system's Python, "
                 "cmake -DPython3_EXECUTABLE=PYTHON takes another one" % sys.executable)
    sys.path.insert(0, folder)
    from symc import operators, symbol
    stubs, arrays = text(symbol, operators), array_text(folder, operators)
    with open(os.path.join(folder, "symc", "symbol.pyi"), "w", encoding="utf-8") as file:
        file.write(stubs)
    with open(os.path.join(folder, "symc", "ndarray.pyi"), "w", encoding="utf-8") as file:
        file.write(arrays)
    module_stubs.write_all(folder)


if __name__ == "__main__":
    main()

"""Stubs of the modules that are written in Python, for type checkers: x.pyi beside x.py, and __init__.pyi.

What a source annotates, its stub has; everything else is Any. Names that a module makes when it is imported (symbol.py and
ndarray.py make theirs of the table of operators: make_stubs.py) stand as Any, too.
"""
import ast
import importlib
import inspect
import os

HEAD = '''"""See %s.py. Made of it by module_stubs.py."""
import os
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
'''
#: Results of methods that Python calls, where the source names none.
RESULTS = {"__init__": "None", "__str__": "str", "__repr__": "str", "__format__": "str", "__len__": "int", "__hash__": "int",
           "__index__": "int", "__int__": "int", "__float__": "float"}
KEPT = {"property", "staticmethod", "classmethod"}


def _public(name):
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def arguments_of(function):
    """The text of a function's arguments, each with a type but for self and cls."""
    given, made = function.args, []
    method = [each.arg for each in given.args[:1] if each.arg in ("self", "cls")]

    def one(argument, default, star=""):
        if argument.arg in method and not star:
            return argument.arg
        kind = ast.unparse(argument.annotation) if argument.annotation else "Any"
        return "%s%s: %s%s" % (star, argument.arg, kind, " = ..." if default else "")
    plain = given.posonlyargs + given.args
    first = len(plain) - len(given.defaults)
    made += [one(each, i >= first) for i, each in enumerate(plain) if each.arg[0] != "_" or i < first]
    if given.vararg:
        made.append(one(given.vararg, None, "*"))
    elif given.kwonlyargs:
        made.append("*")
    made += [one(each, default) for each, default in zip(given.kwonlyargs, given.kw_defaults)]
    if given.kwarg:
        made.append(one(given.kwarg, None, "**"))
    return ", ".join(made)


def function_stub(function, indent):
    decorators = [ast.unparse(each) for each in function.decorator_list]
    lines = ["%s@%s\n" % (indent, each) for each in decorators if each in KEPT or each.endswith(".setter")]
    result = ast.unparse(function.returns) if function.returns else RESULTS.get(function.name, "Any")
    if len(lines) < len(decorators):  # a decorator made something else of it
        return "%s%s: Any\n" % (indent, function.name)
    lines.append("%sdef %s(%s) -> %s: ...\n" % (indent, function.name, arguments_of(function), result))
    return "".join(lines)


def _targets(statement):
    """Names that an assignment gives values."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    for each in targets:
        for name in each.elts if isinstance(each, ast.Tuple) else [each]:
            if isinstance(name, ast.Name):
                yield name.id, statement.annotation if isinstance(statement, ast.AnnAssign) else None


def _fields(constructor):
    """{public attribute: type} of what __init__ gives self."""
    found = {}
    for each in ast.walk(constructor):
        if isinstance(each, (ast.Assign, ast.AnnAssign)):
            for target in each.targets if isinstance(each, ast.Assign) else [each.target]:
                for name in target.elts if isinstance(target, ast.Tuple) else [target]:
                    if isinstance(name, ast.Attribute) and getattr(name.value, "id", "") == "self" and name.attr[0] != "_":
                        kind = getattr(each, "annotation", None)
                        if kind or name.attr not in found:
                            found[name.attr] = ast.unparse(kind) if kind else "Any"
    return found


def class_stub(node, indent=""):
    bases = [ast.unparse(each) for each in node.bases]
    if any("(" in each for each in bases):  # namedtuple and the like
        bases = ["Any"]
    lines = ["%sclass %s%s:\n" % (indent, node.name, "(%s)" % ", ".join(bases) if bases else "")]
    inner, seen = indent + "    ", set()
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and _public(each.name):
            lines.append(function_stub(each, inner))
            seen.add(each.name)
        elif isinstance(each, (ast.Assign, ast.AnnAssign)):
            for name, kind in _targets(each):
                if name in RESULTS and name != "__hash__":
                    lines.append("%sdef %s(self) -> %s: ...\n" % (inner, name, RESULTS[name]))
                elif _public(name) and name not in seen and name != "__slots__":
                    value = each.value if name == "__hash__" else None
                    lines.append("%s%s: %s\n" % (inner, name, ast.unparse(kind) if kind else "Any") if value is None else
                                 "%sdef __hash__(self) -> int: ...\n" % inner)
                    seen.add(name)
        elif isinstance(each, ast.ClassDef) and _public(each.name):
            lines.append(class_stub(each, inner))
    constructor = next((each for each in node.body if getattr(each, "name", "") == "__init__"), None)
    for name, kind in (_fields(constructor) if constructor else {}).items():
        if name not in seen:
            lines.append("%s%s: %s\n" % (inner, name, kind))
    if any(getattr(each, "name", "") == "__getattr__" for each in node.body) and "__getattr__" not in seen:
        lines.append("%sdef __getattr__(self, name: str) -> Any: ...\n" % inner)
    if len(lines) == 1:
        lines.append(inner + "pass\n")
    return "".join(lines)


def module_stub(folder, name):
    """The stub of symc.<name>."""
    with open(os.path.join(folder, "symc", name + ".py"), encoding="utf-8") as file:
        body = ast.parse(file.read()).body
    lines, seen = [HEAD % name], set()
    for each in body + [inner for each in body if isinstance(each, ast.If) and "TYPE_CHECKING" in ast.unparse(each.test)
                        for inner in each.body]:
        if isinstance(each, ast.ImportFrom) and each.level == 1:
            source = "." + (each.module or "")
            for alias in each.names:
                known = alias.asname or alias.name
                if known[0] != "_":
                    lines.append("from %s import %s as %s\n" % (source, alias.name, known))
                seen.add(known)
        elif isinstance(each, (ast.Import, ast.ImportFrom)):
            names = {alias.asname or alias.name for alias in each.names}
            if getattr(each, "module", "") != "typing" and not names <= {"os", "np"}:
                lines.append(ast.unparse(each) + "\n")
            seen |= names
        elif isinstance(each, ast.FunctionDef) and _public(each.name):
            lines.append("def __getattr__(name: str) -> Any: ...\n" if each.name == "__getattr__" else
                         function_stub(each, "") if each.name != "__dir__" else "")
            seen.add(each.name)
        elif isinstance(each, ast.ClassDef):
            lines.append(class_stub(each))
            seen.add(each.name)
        elif isinstance(each, (ast.Assign, ast.AnnAssign)):
            for target, kind in _targets(each):
                if _public(target) and target not in seen and target != "__all__":
                    lines.append("%s: %s\n" % (target, ast.unparse(kind) if kind else "Any"))
                    seen.add(target)
    module = importlib.import_module("symc." + name)
    for key, value in sorted(vars(module).items()):  # made while the module was imported
        if key not in seen and key[0] != "_" and not inspect.ismodule(value) and key.isidentifier():
            lines.append("%s: Any\n" % key)
    return "".join(lines)


def package_stub(symc):
    """__init__.pyi: modules and classes by all of their names."""
    lines = ['"""symc: see __init__.py. Made of it by module_stubs.py."""\n', "from . import attribute as attribute\n",
             "from . import context as context\n", "from . import errors as errors\n", "from . import name as name\n",
             "from .attribute import AttrScope as AttrScope\n",
             "from .context import Context as Context, cpu as cpu, cpu_pinned as cpu_pinned, "
             "current_context as current_context, gpu as gpu\n",
             "from .errors import SymcError as SymcError, SymcError as MXNetError\n"]
    lines += ["from . import %s as %s\n" % (module, key) for key, module in sorted(symc._MODULES.items())]
    lines += ["from .%s import %s as %s\n" % (module, key, key) for key, module in sorted(symc._CLASSES.items())]
    return "".join([*lines, "__version__: str\n"])


WITHOUT_STUBS = ("onnx_backend",)  # which import packages that the build does not need; CMakeLists.txt has the same list


def write_all(folder):
    """Stubs of every public module but those of symbols and arrays."""
    import symc
    package = os.path.join(folder, "symc")
    for file_name in sorted(os.listdir(package)):
        name, ending = os.path.splitext(file_name)
        if ending == ".py" and name[0] != "_" and name not in ("symbol", "ndarray") + WITHOUT_STUBS:
            with open(os.path.join(package, name + ".pyi"), "w", encoding="utf-8") as file:
                file.write(module_stub(folder, name))
    with open(os.path.join(package, "__init__.pyi"), "w", encoding="utf-8") as file:
        file.write(package_stub(symc))

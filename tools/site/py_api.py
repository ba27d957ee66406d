"""Pages of the Python package: a page for each module that scripts name, with its classes, functions and docstrings.

griffe reads the sources, so that nothing is imported or built. What begins with an underscore is the package's own.
"""
import inspect
import os
import re

MODULES = (  # module, name in a script after `import symc as mx`, what for
    ("compiler", "mx.compile", "Compile a symbol to a model", ("compile", "program")),
    ("model", "mx.Model", "Run a compiled model", None),
    ("model_states", "mx.Model, states", "States and parameters of a model", None),
    ("tensor_values", "mx.Model, tensors", "Inputs, outputs and states of a model", ("Size", "TensorInfo")),
    ("symbol", "mx.sym", "Compose symbols", None),
    ("module", "mx.mod", "Modules of scripts that predict", None),
    ("executor", "mx.executor", "Executors", None),
    ("ndarray", "mx.nd", "Arrays and files of parameters", None),
    ("ndarray_class", "mx.nd.NDArray", "The class of arrays", None),
    ("ndarray_functions", "mx.nd, functions", "Functions of arrays and numbers", None),
    ("ndarray_random", "mx.nd.random", "Arrays of random numbers", None),
    ("ndarray_contrib", "mx.nd.contrib", "Loops and conditions on arrays", None),
    ("autograd", "mx.autograd", "Scopes of prediction", None),
    ("io", "mx.io", "Batches", None),
    ("metric", "mx.metric", "Metrics", None),
    ("initializer", "mx.init", "Initial values of weights", None),
    ("visualization", "mx.viz", "Pictures and tables of networks", None),
    ("memory_plan", "memory plans", "The arena of a model", None),
    ("operator", "mx.operator", "Operators that are Python functions", None),
    ("library", "mx.library", "Libraries of custom operators", None),
    ("control_flow", "mx.sym.contrib", "Loops and conditions", None),
    ("checkpoint", "mx.model", "Checkpoints", None),
    ("random", "mx.random", "Seeds", None),
    ("attribute", "mx.AttrScope", "Attributes of nodes", None),
    ("context", "mx.cpu", "Devices by MXNet's names", None),
    ("errors", "mx.MXNetError", "Errors", None),
    ("feedforward", "mx.model.FeedForward", "Models of MXNet's first versions", None),
    ("gluon", "mx.gluon", "Blocks of symbols", None),
    ("module_groups", "mx.mod, groups", "Modules of buckets and of modules", None),
    ("numpy_functions", "mx.sym.np", "NumPy's functions for symbols", None),
    ("numpy_linalg", "mx.sym.np.linalg", "NumPy's linear algebra for symbols", None),
    ("numpy_random", "mx.sym.np.random", "NumPy's random numbers for symbols", None),
    ("numpy_extension", "mx.sym.npx", "Functions beside NumPy's", None),
    ("numpy_extension_random", "mx.sym.npx.random", "Random numbers beside NumPy's", None),
    ("rnn_cell", "mx.rnn, cells", "Recurrent cells", None),
    ("rnn_conv_cell", "mx.rnn, convolutions", "Recurrent cells with convolutions", None),
    ("rnn_stack", "mx.rnn, stacks", "Cells of cells", None),
    ("rnn_io", "mx.rnn, sentences", "Batches of sentences", None),
)
# What other modules of the package stand on; other modules get a page without a row above.
OWN = ("base", "base_module", "imperative", "name", "ndarray_files", "numpy_shapes", "numpy_symbol", "operators", "sampling", "signatures")


def docstring(text):
    """Markdown of a docstring: paragraphs, and blocks whose columns or indentation carry meaning as text."""
    parts = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        lines = block.split("\n")
        if all(line.startswith("    ") for line in lines):
            parts.append("```python\n%s\n```" % inspect.cleandoc("\n" + block))
        elif any(re.match(r"\s|\S+\s{2,}\S", line) for line in lines):
            parts.append("```text\n%s\n```" % block)
        else:
            parts.append(re.sub(r"([*_<\[\]])", r"\\\1", " ".join(lines)) if "`" not in block else " ".join(lines))
    return "\n\n".join(parts)


def signature(function, name):
    words, kinds = [], {"positional-only": 0, "variadic positional": 0, "keyword-only": 0}
    for parameter in function.parameters:
        kind = parameter.kind.value
        text = parameter.name
        if kind == "keyword-only" and not kinds["keyword-only"] and not kinds["variadic positional"]:
            words.append("*")
        kinds[kind] = kinds.get(kind, 0) + 1
        text = {"variadic positional": "*", "variadic keyword": "**"}.get(kind, "") + text
        if parameter.default is not None and not text.startswith("*"):
            text += "=" + str(parameter.default)
        if parameter.name not in ("self", "cls") and not parameter.name.startswith("_"):
            words.append(text)
    return "%s(%s)" % (name, ", ".join(words))


def members(holder, module):
    """What is defined there and public, in the order of the source."""
    found = [each for each in holder.members.values() if not each.is_alias and (each.is_class or each.is_function)
             and (each.name == "__call__" or not each.name.startswith("_"))]
    return sorted((each for each in found if str(each.filepath) == str(module.filepath)), key=lambda each: each.lineno or 0)


def function_text(function, level, prefix=""):
    attribute = "property" in function.labels
    title = prefix + function.name
    code = title if attribute else signature(function, title.replace(".__call__", "").lower() if title.endswith("__call__") else title)
    text = docstring(function.docstring.value) if function.docstring else ""
    return "%s `%s`\n\n```python\n%s\n```\n\n%s" % ("#" * level, title, code, text)


def class_text(found, module):
    init = found.members.get("__init__")
    code = signature(init, found.name) if init is not None and not init.is_alias else found.name
    fields = re.search(r"namedtuple\(['\"]\w+['\"], *['\"]([\w ]+)['\"]", " ".join(map(str, found.bases)))
    if fields:
        code = "%s(%s)" % (found.name, fields.group(1).replace(" ", ", "))
    bases = [str(base) for base in found.bases if str(base) not in ("object",) and not str(base).startswith("namedtuple")]
    parts = ["## `%s`" % found.name] + (["```python\n%s\n```" % code] if "(" in code else [])
    if bases:
        parts.append("Bases: " + ", ".join("`%s`" % base for base in bases))
    if found.docstring:
        parts.append(docstring(found.docstring.value))
    if init is not None and not init.is_alias and init.docstring:
        parts.append(docstring(init.docstring.value))
    parts.extend(function_text(each, 3, found.name + ".") for each in members(found, module) if each.is_function)
    properties = [each for each in found.members.values() if each.is_attribute and "property" in each.labels and not each.name.startswith("_")]
    for each in sorted(properties, key=lambda each: each.lineno or 0):
        parts.append("### `%s.%s`\n\n%s" % (found.name, each.name, docstring(each.docstring.value) if each.docstring else ""))
    return "\n\n".join(parts)


def first_words(summary):
    """The summary up to its first stop, with a capital letter."""
    text = re.split(r" \(|[.:;,] |\.$", summary)[0]
    return text[:1].upper() + text[1:]


def modules(package):
    """Rows of MODULES, and of the modules that it lacks."""
    listed = {row[0] for row in MODULES}
    rest = []
    for name, module in sorted(package.members.items()):
        if module.is_alias or not module.is_module or name.startswith("_") or name in OWN or name in listed:
            continue
        summary = re.sub(r"^[\w.]+: ", "", (module.docstring.value if module.docstring else name).split("\n\n")[0].replace("\n", " "))
        rest.append((name, "mx." + name, first_words(summary), None))
    return list(MODULES) + rest


def page(module, name, title, names):
    parts = ["# %s" % name, "*%s: `symc.%s`.*" % (title, module.name)]
    if module.docstring:
        parts.append(docstring(module.docstring.value))
    for each in members(module, module):
        if names is None or each.name in names:
            parts.append(function_text(each, 2) if each.is_function else class_text(each, module))
    return "\n\n".join(part.strip() for part in parts) + "\n"


def make_pages(root):
    """{page: text} below api/, of every module."""
    import griffe  # of the environment that make-docs makes
    package = griffe.load("symc", search_paths=[os.path.join(root, "tools", "python")], allow_inspection=False)
    pages, index = {}, ["# Python\n", "| name | for |", "|---|---|"]
    for key, name, title, names in modules(package):
        file = "python-%s.md" % key.replace("_", "-")
        pages["api/" + file] = page(package.members[key], name, title, names)
        index.append("| [`%s`](%s) | %s |" % (name, file, title))
    index.append("\nThe operators of `mx.sym` have [a page of their own](../generated/operators.md).")
    pages["api/python.md"] = "\n".join(index) + "\n"
    return pages

#!/usr/bin/env python3
"""Makes docs/generated/runtime-reference.md, the page of all flags, exit codes,
environment variables and statuses of a compiled model, and of the optimizers and
initialisers of a trainer, from the tables that the code is made from.

usage: make_reference.py RUNTIME_FOLDER PAGE
"""

import os
import re
import sys

STRING = r'((?:"(?:\\.|[^"\\])*"\s*)+)'


def joined(literals):
    """The text of adjacent C string literals."""
    parts = re.findall(r'"((?:\\.|[^"\\])*)"', literals)
    return "".join(parts).replace('\\"', '"')


def rows(path, macro, fields):
    """Yields the fields of each MACRO(...) row; 's' is a string, 'w' a word, 'e' a sum of numbers, 'n' a number,
    'o' a string or nullptr."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^\s*//.*$", "", file.read(), flags=re.M).replace("\\\n", "\n")
    field = {"s": STRING, "w": r"(\w+)\s*", "e": r"([\d +]+?)\s*", "n": r"([-+.\w]+)\s*",
             "o": r"((?:\"(?:\\.|[^\"\\])*\"\s*)+|nullptr)\s*"}
    pattern = macro + r"\(\s*" + r",\s*".join(field[kind] for kind in fields) + r"\)"
    found = [[joined(value) if value.startswith('"') else value for value in match.groups()]
             for match in re.finditer(pattern, text)]
    if not found:
        sys.exit(f"{path}: error: expected rows of {macro}, got none")
    return found


def table(head, lines):
    cell = lambda text: text.replace("|", "\\|")
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for line in lines:
        yield "| " + " | ".join(cell(text) for text in line) + " |"
    yield ""


def choices(path, kind, option, fields):
    """The rows of a table of kinds (optimizers, initialisers) and those of their options."""
    words = {(owner, name): values.split(",") for owner, name, values in rows(path, option + "_WORDS", "wws")}
    whole = {tuple(each) for each in rows(path, option + "_WHOLE", "ww")}
    aliases = {}
    for owner, name in rows(path, kind + "_ALIAS", "ww"):
        aliases.setdefault(owner, []).append(f"`{name}`")
    kinds = [(", ".join([f"`{name}`"] + aliases.get(name, [])), *rest)
             for name, *rest in rows(path, kind, "w" + fields)]
    options = []
    for owner, name, value, least, most, meaning in rows(path, option, "wwnnns"):
        listed = words.get((owner, name))
        if listed:
            value, values = "" if value == "REQUIRED" else listed[int(value)], ", ".join(listed)
        else:
            optional = value == least == "-1"
            values = f"{'whole, ' if (owner, name) in whole else ''}{'0' if optional else least} to {most}"
            values += ", or none" if optional else ""
            value = {"REQUIRED": "", "-1": "none" if optional else value}.get(value, value)
        options.append((f"`{owner}`", f"`{name}`", value, values, meaning))
    return kinds, options


def page(runtime):
    at = lambda *parts: os.path.join(runtime, *parts)
    yield "# Reference of compiled models"
    yield ""
    yield "Made by `runtime/make_reference.py` from the tables of the runtime; do not edit."
    yield ""
    yield "## Flags of an executable"
    yield ""
    flags = rows(at("main", "flags.def"), "SYMC_FLAG", "wsss")
    yield from table(("flag", "meaning"),
                     ((f"`{' '.join((flag, value)).strip()}`", meaning)
                      for _, flag, value, meaning in flags))
    yield "## Exit codes of an executable"
    yield ""
    yield from table(("code", "meaning"),
                     ((code, meaning) for _, code, meaning in
                      rows(at("main", "exit_codes.def"), "SYMC_EXIT", "wws")))
    yield "## Environment variables"
    yield ""
    yield "Executables and libraries read them when a context is created; an option for"
    yield "the same wins."
    yield ""
    yield from table(("variable", "values", "meaning"),
                     ((f"`{name}`", f"`{values}`", meaning) for name, values, meaning in
                      rows(at("core", "environment.def"), "SYMC_VARIABLE", "wss")))
    yield "## Variables of MXNet"
    yield ""
    yield "Programs, `symc`, `symc-run` and the Python package do not read them. One that is set is reported once, with"
    yield "its equal, unless the equal is set, too. `runtime/include/symc/mxnet_variables.def` lists those without an equal, which nothing reports."
    yield ""
    yield from table(("variable", "equal"),
                     ((f"`{name}`", equal) for name, _, _, _, equal in
                      rows(at("include", "symc", "mxnet_variables.def"), "SYMC_MXNET_VARIABLE", "wesss")))
    yield "## Options of a trainer"
    yield ""
    yield "The program that `symc train` makes takes these; defaults are those of MXNet's `common/fit.py`."
    yield ""
    options = rows(at("train", "program", "options.def"), "SYMC_TRAIN_OPTION", "wwssonns")
    yield from table(("option", "default", "meaning"),
                     ((f"`{' '.join((option, value)).strip()}`", f"`{default}`" if default not in ("", "nullptr") else "",
                       meaning) for _, _, option, value, default, _, _, meaning in options))
    yield "## Optimizers of a trainer"
    yield ""
    yield "What `--optimizer NAME,OPTION=VALUE,...` of `symc train` takes. Each has `learning_rate` (or `lr`), `wd` (0), `rescale_grad` and"
    yield "`clip_gradient` (none) besides; `lazy_update` and `multi_precision` of MXNet change nothing here."
    yield ""
    optimizers, options = choices(at("include", "symc", "optimizers.def"), "SYMC_OPTIMIZER", "SYMC_HYPER", "nws")
    yield from table(("optimizer", "learning_rate", "what it does"), ((name, rate, meaning) for name, rate, _, meaning in optimizers))
    yield from table(("optimizer", "option", "default", "values", "meaning"), options)
    yield "## Initialisers of a trainer"
    yield ""
    yield "What weights are at first, by `NAME,OPTION=VALUE,...` or as MXNet writes it in a variable's attribute `__init__`,"
    yield '`["xavier", {"magnitude": 2}]`.'
    yield ""
    initialisers, options = choices(at("include", "symc", "initializers.def"), "SYMC_INITIALIZER",
                                    "SYMC_INITIALIZER_OPTION", "s")
    yield from table(("initialiser", "what a weight is"), initialisers)
    yield from table(("initialiser", "option", "default", "values", "meaning"), options)
    yield "## Statuses of the C functions"
    yield ""
    yield from table(("number", "name", "sentence"),
                     ((number, f"`SYMC_STATUS_{name}`", sentence) for name, number, sentence in
                      rows(at("include", "symc", "types.h"), r"\bX", "wws")))


def main():
    runtime, target = sys.argv[1:]
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(page(runtime)).rstrip("\n") + "\n")


if __name__ == "__main__":
    main()

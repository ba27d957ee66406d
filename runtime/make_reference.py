#!/usr/bin/env python3
"""Makes docs/generated/runtime-reference.md, the page of all flags, exit codes,
environment variables and statuses of a compiled model, from the tables that the code
is made from.

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
    """Yields the fields of each MACRO(...) row; 's' is a string, 'w' a word, 'e' a sum of numbers."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^\s*//.*$", "", file.read(), flags=re.M).replace("\\\n", "\n")
    field = {"s": STRING, "w": r"(\w+)\s*", "e": r"([\d +]+?)\s*"}
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

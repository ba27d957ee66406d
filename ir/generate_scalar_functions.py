#!/usr/bin/env python3
"""Makes code of the scalar functions of ir/ScalarFunctions.td.

Reads the records of the family that includes them and writes
  --table   ir/ScalarFunctions.inc   builders and rows for ir/ScalarFunctions.cpp
  --header  scalar_functions.h       C++ templates for the reference kernels
Bodies are parsed strictly; calls of other functions are replaced by their
bodies, so that what comes out holds arguments, numbers and primitives
(ir/ScalarPrimitives.def) only.
"""
import argparse
import json
import os
import re

COMPARISONS = ("<=", ">=", "==", "!=", "<", ">")
OPERATORS = {"neg": "neg", "+": "add", "-": "sub", "*": "mul", "/": "div", "<": "less",
             "<=": "less_equal", ">": "greater", ">=": "greater_equal", "==": "equal",
             "!=": "not_equal"}
TOKEN = re.compile(r"\s*(\d+\.?\d*(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|<=|>=|==|!=|[-+*/(),<>])")


def read_primitives(path):
    """{name: number of operands} of what a body may call."""
    with open(path) as file:
        rows = re.findall(r"^SYMC_SCALAR_PRIMITIVE\((\w+), (\d)", file.read(), re.M)
    return {name: int(count) for name, count in rows if name not in OPERATORS.values()}


PRIMITIVES = read_primitives(os.path.join(os.path.dirname(os.path.abspath(__file__)), "ScalarPrimitives.def"))


class Parser:
    """One body to a tree: ("num", text), ("arg", name), ("neg", a), (op, a, b), ("call", f, [..])."""

    def __init__(self, function, text, functions):
        self.function, self.functions = function, functions
        self.tokens, position = [], 0
        text = text.rstrip()
        while position < len(text):
            match = TOKEN.match(text, position)
            if not match:
                self.fail(f"unexpected character '{text[position:].lstrip()[:1]}'")
            self.tokens.append(match.group(1))
            position = match.end()

    def fail(self, message):
        raise SystemExit(f"scalar function '{self.function['name']}': {message}")

    def peek(self):
        return self.tokens[0] if self.tokens else ""

    def take(self, wanted=None):
        token = self.peek()
        if not token or (wanted and token != wanted):
            self.fail(f"expected '{wanted or 'a value'}', found '{token or 'the end'}'")
        return self.tokens.pop(0)

    def whole(self):
        tree = self.value()
        if self.tokens:
            self.fail(f"unexpected '{self.peek()}'")
        return tree

    def value(self):
        left = self.chain(("+", "-"), lambda: self.chain(("*", "/"), self.unary))
        if self.peek() in COMPARISONS:
            operator = self.take()
            return (operator, left, self.chain(("+", "-"), lambda: self.chain(("*", "/"), self.unary)))
        return left

    def chain(self, operators, below):
        left = below()
        while self.peek() in operators:
            left = (self.take(), left, below())
        return left

    def unary(self):
        if self.peek() == "-":
            self.take()
            return ("neg", self.primary())
        return self.primary()

    def primary(self):
        token = self.take()
        if token == "(":
            tree = self.value()
            self.take(")")
            return tree
        if token[0].isdigit():
            return ("num", token)
        if self.peek() != "(":
            if token not in self.function["args"]:
                self.fail(f"'{token}' is no argument")
            return ("arg", token)
        self.take("(")
        values = [self.value()]
        while self.peek() == ",":
            self.take()
            values.append(self.value())
        self.take(")")
        if token in PRIMITIVES:
            if len(values) != PRIMITIVES[token]:
                self.fail(f"{token} takes {PRIMITIVES[token]} arguments, found {len(values)}")
            return ("call", token, values)
        other = self.functions.get(token)
        if not other:
            self.fail(f"'{token}' is neither a primitive nor a function")
        if len(values) != len(other["args"]):
            self.fail(f"{token} takes {len(other['args'])} arguments, found {len(values)}")
        body = Parser(other, other["body"], self.functions).whole()
        return replace(body, dict(zip(other["args"], values)))


def replace(tree, values):
    if tree[0] == "arg":
        return values[tree[1]]
    if tree[0] == "num":
        return tree
    if tree[0] == "call":
        return ("call", tree[1], [replace(value, values) for value in tree[2]])
    return (tree[0],) + tuple(replace(part, values) for part in tree[1:])


def as_cpp(tree):
    """The tree as calls of runtime/kernels/reference/scalar_primitives.h."""
    if tree[0] == "num":
        return f"{'scalar::Real<T>' if '.' in tree[1] else 'T'}({tree[1]})"
    if tree[0] == "arg":
        return tree[1]
    if tree[0] == "neg":
        return f"scalar::neg({as_cpp(tree[1])})"
    if tree[0] == "call":
        if tree[1] == "where":
            choice, yes, no = (as_cpp(value) for value in tree[2])
            return f"({choice} != 0 ? {yes} : {no})"
        return f"scalar::{tree[1]}({', '.join(as_cpp(value) for value in tree[2])})"
    return f"scalar::{OPERATORS[tree[0]]}({as_cpp(tree[1])}, {as_cpp(tree[2])})"


def as_builder(name, tree, arguments):
    """A function that gives a ScalarBuilder the tree's numbers and primitives, left to right."""
    lines = []

    def build(tree):
        if tree[0] == "arg":
            return f"x[{arguments.index(tree[1])}]"
        if tree[0] == "num":
            call = f"number({tree[1]})"
        else:
            primitive, operands = (tree[1], tree[2]) if tree[0] == "call" else (OPERATORS[tree[0]], tree[1:])
            operands = ", ".join([build(operand) for operand in operands])
            call = f"apply(ScalarPrimitive::{primitive}, {{{operands}}})"
        lines.append(f"  Scalar v{len(lines)} = b.{call};")
        return f"v{len(lines) - 1}"

    result = build(tree)
    return (f"Scalar {name}([[maybe_unused]] ScalarBuilder &b,\n"
            f"    [[maybe_unused]] ArrayRef<Scalar> x) {{\n" + "".join(line + "\n" for line in lines) + f"  return {result};\n}}")


def write_if_changed(path, text):
    if os.path.exists(path):
        with open(path) as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", required=True)
    parser.add_argument("--header", required=True)
    parser.add_argument("json", nargs="+", help="of the family that includes the functions, then of others that choose among them")
    options = parser.parse_args()
    families = []
    for path in options.json:
        with open(path) as file:
            families.append(json.load(file))
    records = families[0]
    rows = [records[name] for name in records["!instanceof"]["ScalarFn"]]
    functions = {}
    for row in rows:
        if row["name"] in functions:
            raise SystemExit(f"scalar function '{row['name']}' is defined twice")
        functions[row["name"]] = row
    # Every function that an operator offers by name exists.
    lists = []
    for family in families:
        for op in sorted(family["!instanceof"]["SG_Op"]):
            for value, name in family[op]["arguments"]["args"]:
                if name == "fn":
                    mnemonic, names = family[op]["opName"], family[value["def"]]["paramEnum"]
                    for fn in names:
                        if fn not in functions:
                            raise SystemExit(f"sg.{mnemonic} names no scalar function '{fn}'")
                    listed = "".join(f" \\\n  X({fn}, {fn.upper()})" for fn in names)
                    lists.append(f"#define SYMC_{mnemonic.upper()}_FUNCTIONS(X){listed}")

    table = ["// Generated by ir/generate_scalar_functions.py from ir/ScalarFunctions.td."]
    entries = []
    header = ["""/* Generated by ir/generate_scalar_functions.py from ir/ScalarFunctions.td: the bodies of
 * elementwise functions over one arithmetic type. Include scalar_primitives.h first. */
#ifndef SYMC_SCALAR_FUNCTIONS_H
#define SYMC_SCALAR_FUNCTIONS_H
namespace symc::scalar_fn {"""]
    for name in sorted(functions):
        row = functions[name]
        body = Parser(row, row["body"], functions).whole()
        slopes = [Parser(row, text, functions).whole() for text in row["derivatives"]]
        key = "build_" + name
        table.append(as_builder(key, body, row["args"]))
        table += [as_builder(f"{key}_by_{arg}", slope, row["args"]) for arg, slope in zip(row["args"], slopes)]
        by = ", ".join(f"{key}_by_{arg}" for arg, _ in zip(row["args"], slopes))
        if slopes:
            table.append(f"const ScalarFnBuilder {key}_slopes[] = {{{by}}};")
        entries.append(f"  {{{json.dumps(name)}, {len(row['args'])}, {key}, {key + '_slopes' if slopes else '{}'}}},")
        arguments = ", ".join(f"T {arg}" for arg in row["args"])
        header.append(f"template <class T> inline auto fn_{name}({arguments}) {{\n"
                      f"  return {as_cpp(body)};\n}}")
        places = {arg: ("arg", f"x[{i}]") for i, arg in enumerate(row["args"])}
        cases = "".join(f"  if (by == {i})\n    return T({as_cpp(replace(slope, places))});\n" for i, slope in enumerate(slopes))
        if slopes:
            header.append(f"// The derivative of {name} by its argument number `by`.\n"
                          f"template <class T> inline T slope_{name}([[maybe_unused]] int64_t by, [[maybe_unused]] const T *x) {{\n"
                          f"{cases}  return T(0);\n}}")
    table += ["const ScalarFn kScalarFns[] = {"] + entries + ["};"]
    header += ["} // namespace symc::scalar_fn"] + lists + ["#endif"]
    write_if_changed(options.table, "\n".join(table) + "\n")
    write_if_changed(options.header, "\n".join(header) + "\n")


if __name__ == "__main__":
    main()

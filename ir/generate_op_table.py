#!/usr/bin/env python3
"""Makes of the ODS operations the op table and what is made from it.

Reads the records of each family (llvm-tblgen --dump-json) and writes
  --table   ir/OpTable.inc          rows for ir/OpTable.cpp
  --params  op_params.h             types of the parameters of the runtime's kernels
            op_params/FAMILY.h      parameter structs, a file a family
  --docs    operators.md            the operator page
Every fact stands in ir/ops/*.td; nothing is kept here by hand.
"""
import argparse
import json
import os


def quote(text):
    return json.dumps(text)


class Family:
    """The records of one .td file, and questions about them."""

    def __init__(self, path):
        self.name = os.path.splitext(os.path.basename(path))[0]
        with open(path) as file:
            self.records = json.load(file)

    def ops(self):
        names = self.records["!instanceof"].get("SG_Op", [])
        rows = [self.records[name] for name in names]
        # llvm-tblgen lists records by name; keep that order, it is stable.
        return sorted(rows, key=lambda row: row["opName"])

    def superclass(self, record, wanted):
        return wanted in record["!superclasses"]

    def values(self, op, field):
        """(name, record) of each argument or result."""
        return [(name, self.records[value["def"]]) for value, name in op[field]["args"]]

    def value_kind(self, record):
        supers = record["!superclasses"]
        if "Optional" in supers:
            return "Optional"
        return "Variadic" if "Variadic" in supers else "Single"

    def operands(self, op):
        return [(name, self.value_kind(record)) for name, record in self.values(op, "arguments")
                if "Attr" not in record["!superclasses"]]

    def results(self, op):
        return [(name, self.value_kind(record)) for name, record in self.values(op, "results")]

    def params(self, op):
        return [(name, record) for name, record in self.values(op, "arguments")
                if "SG_Param" in record["!superclasses"]]

    def initializers(self, op):
        """MXNet's initialiser by operand."""
        inits = {}
        for value in op["initializers"]:
            record = self.records[value["def"]]
            if record["operand"] not in dict(self.operands(op)):
                raise SystemExit(f"sg.{op['opName']} initialises '{record['operand']}', "
                                 "which is no operand")
            inits[record["operand"]] = record["value"]
        return inits

    def names(self, op):
        return [self.records[name["def"]] for name in op["names"]]


GRADIENTS = {"rule": "by its own rule", "zero": "none reaches its inputs", "none": "refused, as in MXNet",
             "rewritten": "of the operators that replace it", "": "not yet"}
KINDS = {"int": "Int", "uint": "Uint", "float": "Float", "double": "Double", "bool": "Bool",
         "enum": "Enum", "tuple": "Tuple", "floats": "Floats", "string": "String"}


def array(lines, prefix, element_type, items):
    """Emits a constant array; returns an ArrayRef expression for it."""
    if not items:
        return "{}"
    lines.append(f"const {element_type} {prefix}[] = {{{', '.join(items)}}};")
    return prefix


def write_table(families, out):
    lines, rows, names = [], [], []
    for family in families:
        for op in family.ops():
            mnemonic = op["opName"]
            key = "k_" + mnemonic
            inits = family.initializers(op)
            operands = [f'{{{quote(n)}, ValueKind::{kind}, {"true" if n in op["auxiliary"] else "false"}, '
                        f'{"true" if n in op["trainingOnly"] else "false"}, '
                        f'{quote(inits[n]) if n in inits else "nullptr"}}}'
                        for n, kind in family.operands(op)]
            results = [f'{{{quote(n)}, ValueKind::{kind}, false, false, nullptr}}'
                       for n, kind in family.results(op)]
            params = []
            for name, record in family.params(op):
                enum = array(lines, f"{key}_{name}_enum", "char *const", [quote(e) for e in record["paramEnum"]])
                default = quote(record["paramDefault"]) if record["paramHasDefault"] else "nullptr"
                low = quote(record["paramMin"]) if record["paramMin"] else "nullptr"
                high = quote(record["paramMax"]) if record["paramMax"] else "nullptr"
                params.append(f'{{{quote(name)}, ParamKind::{KINDS[record["paramKind"]]}, '
                              f'{"true" if record["paramOptional"] else "false"}, {default}, {low}, {high}, '
                              f'{enum}, {quote(record["paramDoc"])}, '
                              f'{"true" if record["paramAcceptsNone"] else "false"}, '
                              f'{"true" if record["paramInternal"] else "false"}}}')
            operands_ref = array(lines, key + "_operands", "ValueInfo", operands)
            results_ref = array(lines, key + "_results", "ValueInfo", results)
            params_ref = array(lines, key + "_params", "ParamInfo", params)
            hints_ref = array(lines, key + "_hints", "char *const", [quote(h) for h in op["hints"]])
            names_ref = array(lines, key + "_result_names", "char *const", [quote(n) for n in op["resultNames"]])
            shown_ref = array(lines, key + "_show_hidden", "char *const", [quote(p) for p in op["showHidden"]])
            updates_ref = array(lines, key + "_updates", "char *const", [quote(n) for n in op["updates"]])
            index = len(rows)
            rows.append(f'{{{quote(mnemonic)}, {quote("sg." + mnemonic)}, {quote(family.name)}, '
                        f'{quote(op["summary"])}, {quote(clean(op["description"]))}, {operands_ref}, {results_ref}, {params_ref}, '
                        f'{hints_ref}, {names_ref}, {quote(op["variadicCount"])}, {op["hiddenResults"]}, {shown_ref}, '
                        f'{updates_ref}, {quote(op["library"])}, '
                        f'{"true" if op["ownsGraphs"] else "false"}, {quote(op["gradient"])}}}')
            for n, record in enumerate(family.names(op)):
                presets = array(lines, f"{key}_presets{n}", "char *const", [quote(p) for p in record["presets"]])
                for alias in [record["name"]] + record["aliases"]:
                    names.append((alias, f'{{{quote(alias)}, {quote(record["name"])}, &kOps[{index}], {presets}}}'))
    names.sort()
    for (a, _), (b, _) in zip(names, names[1:]):
        if a == b:
            raise SystemExit(f"operator name '{a}' is registered twice")
    out.write("// Generated by ir/generate_op_table.py from ir/ops/*.td.\n")
    out.write("\n".join(lines))
    out.write("\nconst OpInfo kOps[] = {\n  " + ",\n  ".join(rows) + "};\n")
    out.write("const OpName kNames[] = {\n  " + ",\n  ".join(text for _, text in names) + "};\n")


def write_param_types(out):
    out.write("""/* Generated by ir/generate_op_table.py: what the parameters in op_params/FAMILY.h are
 * made of. */
#ifndef SYMC_OP_PARAMS_H
#define SYMC_OP_PARAMS_H
#include <stdint.h>
#define SYMC_NONE_ELEMENT INT64_MIN
typedef struct symc_i64s { int64_t n; const int64_t *v; } symc_i64s;
typedef struct symc_f64s { int64_t n; const double *v; } symc_f64s;
#endif
""")


def write_params(family, out):
    guard = f"SYMC_OP_PARAMS_{family.name.upper()}_H"
    out.write(f"""/* Generated by ir/generate_op_table.py from the op table: the parameters of the
 * operations of {family.name} as their kernels get them. Every field is 8 bytes wide. */
#ifndef {guard}
#define {guard}
#include "symc/generated/op_params.h"
""")
    c_types = {"int": "int64_t", "uint": "int64_t", "float": "double", "double": "double",
               "bool": "int64_t", "enum": "int64_t", "tuple": "symc_i64s", "floats": "symc_f64s",
               "string": "const char *"}
    for op in family.ops():
        mnemonic = op["opName"]
        params = family.params(op)
        for name, record in params:
            if record["paramEnum"] and "bfloat16" not in record["paramEnum"]:
                items = ", ".join(f"SYMC_{mnemonic}_{name}_{e}".upper() for e in record["paramEnum"])
                out.write(f"enum {{ {items} }};\n")
        out.write(f"typedef struct symc_{mnemonic}_params {{\n")
        for name, record in params:
            if record["paramOptional"]:
                out.write(f"  int64_t has_{name};\n")
            out.write(f"  {c_types[record['paramKind']]} {name};\n")
        if not params:
            out.write("  int64_t unused;\n")
        out.write(f"}} symc_{mnemonic}_params;\n")
    out.write("#endif\n")


def clean(text):
    lines = [line.strip() for line in text.strip().splitlines()]
    return "\n".join(lines)


def write_docs(families, out):
    out.write("# Operators\n\nGenerated from the op table (`ir/ops/*.td`); do not edit. "
              "`symc --list-ops NAME` prints the same.\n")
    for family in families:
        out.write(f"\n## {family.name}\n")
        for op in family.ops():
            out.write(f"\n### sg.{op['opName']}\n\n{op['summary']}\n\n")
            names = []
            for record in family.names(op):
                aliases = f" ({', '.join(record['aliases'])})" if record["aliases"] else ""
                names.append(f"`{record['name']}`{aliases}")
            out.write("MXNet names: " + ", ".join(names) + "\n\n")
            if op["description"]:
                out.write(clean(op["description"]) + "\n\n")
            marks = {"Single": "", "Optional": " (optional)", "Variadic": " (any number)"}
            aux = op["auxiliary"]
            out.write("Inputs: " + (", ".join(
                n + marks[k] + (" (auxiliary state)" if n in aux else "")
                for n, k in family.operands(op)) or "none") + "\n\n")
            shown = family.results(op)
            states = len(shown) - len(op["updates"])
            out.write("Outputs: " + ", ".join(op["resultNames"] if len(op["resultNames"]) > 1 else [
                n + marks[k] + (f" (new value of {op['updates'][i - states]})" if i >= states else "")
                for i, (n, k) in enumerate(shown)]) + "\n\n")
            if op["showHidden"]:
                out.write("Hidden outputs are results where a graph names one.\n\n")
            params = [(n, record) for n, record in family.params(op) if not record["paramInternal"]]
            if params:
                out.write("| parameter | type | default | meaning |\n|---|---|---|---|\n")
                for name, record in params:
                    kind = record["paramKind"]
                    if record["paramEnum"]:
                        kind = ", ".join(record["paramEnum"])
                    if record["paramAcceptsNone"]:
                        kind += " or None"
                    default = f"`{record['paramDefault']}`" if record["paramHasDefault"] else "required"
                    span = ""
                    if record["paramMin"] and record["paramMax"]:
                        span = f" ({record['paramMin']} to {record['paramMax']})"
                    elif record["paramMin"] and kind != "uint":
                        span = f" (at least {record['paramMin']})"
                    out.write(f"| {name} | {kind} | {default} | {record['paramDoc']}{span} |\n")
            out.write("\nGradient: " + GRADIENTS[op["gradient"]] + "\n")
            if op["library"]:
                out.write("\nCalls a library: " + op["library"] + "\n")
            if op["hints"]:
                out.write("\nAccepted and ignored: " + ", ".join(op["hints"]) + "\n")


def write_if_changed(path, write):
    import io
    text = io.StringIO()
    write(text)
    old = None
    if os.path.exists(path):
        with open(path) as file:
            old = file.read()
    if old != text.getvalue():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text.getvalue())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table")
    parser.add_argument("--params")
    parser.add_argument("--docs")
    parser.add_argument("json", nargs="+")
    args = parser.parse_args()
    families = [Family(path) for path in sorted(args.json)]
    if args.table:
        write_if_changed(args.table, lambda out: write_table(families, out))
    if args.params:
        write_if_changed(args.params, write_param_types)
        folder = os.path.splitext(args.params)[0]
        for family in families:
            write_if_changed(os.path.join(folder, family.name + ".h"),
                             lambda out, family=family: write_params(family, out))
    if args.docs:
        write_if_changed(args.docs, lambda out: write_docs(families, out))


if __name__ == "__main__":
    main()

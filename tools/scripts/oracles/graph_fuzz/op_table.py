"""symc's op table as data: docs/generated/operators.md, which the tests keep as fresh as the table.

`read` gives {operator: [Parameter]} over MXNet's names without aliases (those of `symc --list-ops`). A parameter
has a name, a type (int, uint, float, bool, enum or other), its default as text (None where it is required), the
names of an enumeration's values, and its bounds where it has some.
"""
import collections
import os
import re
import subprocess

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "..", "docs", "generated", "operators.md")
Parameter = collections.namedtuple("Parameter", "name type default values low high")

# Parameters that distinguish operators of one operation; MXNet does not have them.
FIXED_BY_NAME = {"fn", "kind", "broadcast", "is_self", "multi", "plain_variance", "floats_only"}
ROW = re.compile(r"^\| (\w+) \| (.+?) \| (.+?) \| (.*) \|$")
BOUNDS = re.compile(r"\((-?[\d.]+) to (-?[\d.]+)\)$")
LEAST = re.compile(r"\(at least (-?[\d.]+)\)$")
TYPES = ("int", "uint", "float", "double", "bool", "tuple", "string", "dtype")


def parse(row):
    """The parameter of one line of a table, or None."""
    found = ROW.match(row)
    if not found or found.group(1) in FIXED_BY_NAME or found.group(1) == "parameter":
        return None
    name, type_, default, meaning = found.groups()
    default = None if default == "required" else default.strip("`")
    bounds, least = BOUNDS.search(meaning), LEAST.search(meaning)
    low, high = map(float, bounds.groups()) if bounds else (float(least.group(1)) if least else None, None)
    kind = type_.split()[0].strip(",")
    if kind in TYPES:
        return Parameter(name, kind, default, [], low, high)
    return Parameter(name, "enum", default, [value.strip() for value in type_.split(",")], None, None)


def read(symc):
    listed = subprocess.run([symc, "--list-ops"], check=True, capture_output=True, text=True).stdout
    names = {line.strip() for line in listed.splitlines() if line.strip() and "=" not in line}
    table, current = {name: [] for name in names}, []
    with open(PAGE, encoding="utf-8") as file:
        for line in file:
            if line.startswith("MXNet names:"):
                current = [name for name in re.findall(r"`(\w+)`", line) if name in names]
            parameter = parse(line.rstrip("\n"))
            for name in current if parameter else ():
                table[name].append(parameter)
    return table

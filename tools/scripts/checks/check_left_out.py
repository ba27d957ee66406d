#!/usr/bin/env python3
"""Checks that the operators which are left out are those that docs/operators-left-out.md lists.

usage: check_left_out.py SOURCE BUILD
       check_left_out.py --list      (in the environment of make-oracle-env)

tools/scripts/checks/registered_operators.txt holds every name that MXNet 1.9.1 registers, `alias = first name`
where the two are one operator; --list prints it anew. Each name is in the op table
(BUILD/ir/ops/*.json) or matches a name or a pattern with * in the first column of a table of
the page, never both; a pattern that matches none is a problem too, and so is an alias whose
first name the table has as another operator, or a name of the table that MXNet does not have.
"""
import fnmatch
import re
import sys

from source_tree import operator_records, read, report, source_and_build

PAGE = "docs/operators-left-out.md"
LIST = "tools/scripts/checks/registered_operators.txt"


def print_list():
    import ctypes
    from mxnet.base import _LIB, OpHandle, check_call

    count, names = ctypes.c_uint(), ctypes.POINTER(ctypes.c_char_p)()
    check_call(_LIB.MXListAllOpNames(ctypes.byref(count), ctypes.byref(names)))
    for name in sorted(names[i].decode() for i in range(count.value)):
        handle, first = OpHandle(), ctypes.c_char_p()
        check_call(_LIB.NNGetOpHandle(name.encode(), ctypes.byref(handle)))
        rest = [ctypes.c_char_p(), ctypes.c_uint(), ctypes.POINTER(ctypes.c_char_p)(), ctypes.POINTER(ctypes.c_char_p)(),
                ctypes.POINTER(ctypes.c_char_p)(), ctypes.c_char_p(), ctypes.c_char_p()]
        check_call(_LIB.MXSymbolGetAtomicSymbolInfo(handle, ctypes.byref(first), *map(ctypes.byref, rest)))
        first = first.value.decode()
        print(name if first == name else "%s = %s" % (name, first))


def table(build):
    """{name: (mnemonic, presets)} of every name in the dumped tables."""
    found = {}
    for record, names in operator_records(build):
        for name in names:
            for each in [name["name"]] + name["aliases"]:
                found[each] = (record["opName"], sorted(name["presets"]))
    return found


def main():
    if sys.argv[1:] == ["--list"]:
        return print_list()
    source, build = source_and_build(__doc__)
    known = table(build)
    problems = [] if known else ["%s/ir/ops holds no table: build symc first" % build]
    registered = dict((line.split(" = ") + [None])[:2] for line in read(source, LIST).splitlines())
    patterns = [pattern for row in re.findall(r"^\| (`.*?) \|", read(source, PAGE), re.M)
                for pattern in re.findall(r"`([^`]+)`", row)]
    used = set()
    for name, first in registered.items():
        listed = [pattern for pattern in patterns if fnmatch.fnmatchcase(name, pattern)]
        used.update(listed)
        if name in known and listed:
            problems.append("%s: %s: is in the table" % (PAGE, name))
        if name not in known and not listed:
            problems.append("%s: %s: neither here nor in the table" % (PAGE, name))
        if first in known and name in known and known[first] != known[name]:
            problems.append("%s: %s is the same operator as %s in MXNet, but not in the table" % (LIST, name, first))
    problems += ["%s: `%s` matches no registered name" % (PAGE, pattern) for pattern in patterns if pattern not in used]
    out = [name for name in registered if name not in known]
    print("%d names registered, %d in the table, %d left out, %d of them backward passes"
          % (len(registered), len(registered) - len(out), len(out), sum("backward" in name for name in out)))
    sys.exit(report("left-out", problems, "problems"))


if __name__ == "__main__":
    main()

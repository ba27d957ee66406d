#!/usr/bin/env python3
"""Makes a stub of a shared library: its soname and the default version of each symbol
that it exports, and no code. A link against the stub records the same needs as a link
against the library, so that programs can be linked where the library's development
files are not installed.

usage: make_stub.py --readelf READELF --clang CLANG --lld LLD --triple T LIBRARY STUB
"""

import argparse
import os
import re
import subprocess
import tempfile

SYMBOL = re.compile(
    r"^\s*\d+: [0-9a-f]+\s+(\d+) (FUNC|OBJECT|IFUNC|NOTYPE)\s+(GLOBAL|WEAK)\s+DEFAULT\s+"
    r"(\d+) (\S+)@@(\S+)$"
)


def read_symbols(readelf, library):
    """Yields (name, version, is_function, bytes) of each default symbol, sorted by name."""
    text = subprocess.run([readelf, "--dyn-syms", "--wide", library], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    found = {}
    for line in text.splitlines():
        match = SYMBOL.match(line)
        if match:
            bytes_, kind, _, _, name, version = match.groups()
            found[name] = (name, version, kind in ("FUNC", "IFUNC"), int(bytes_))
    return [found[name] for name in sorted(found)]


def read_soname(readelf, library):
    text = subprocess.run([readelf, "--dynamic", "--wide", library], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return re.search(r"Library soname: \[(.*)\]", text).group(1)


def assembly(symbols):
    lines = []
    for name, _, is_function, bytes_ in symbols:
        section = ".text" if is_function else ".bss"
        kind = "function" if is_function else "object"
        lines += [section, f".globl {name}", f".type {name}, @{kind}", f"{name}:"]
        if not is_function:
            lines += [f".skip {max(bytes_, 1)}", f".size {name}, {bytes_}"]
    return "\n".join(lines) + "\n"


def version_script(symbols):
    versions = {}
    for name, version, _, _ in symbols:
        versions.setdefault(version, []).append(name)
    nodes = []
    for version in sorted(versions):
        names = "".join(f" {name};" for name in versions[version])
        nodes.append(f"{version} {{ global:{names} }};")
    return "\n".join(nodes) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    for tool in ("readelf", "clang", "lld", "triple"):
        parser.add_argument(f"--{tool}", required=True)
    parser.add_argument("library")
    parser.add_argument("stub")
    args = parser.parse_args()
    symbols = read_symbols(args.readelf, args.library)
    if not symbols:
        raise SystemExit(f"{args.library}: error: expected versioned symbols, got none")
    with tempfile.TemporaryDirectory() as folder:
        source, script, obj = (os.path.join(folder, n) for n in ("stub.s", "stub.map", "stub.o"))
        with open(source, "w") as file:
            file.write(assembly(symbols))
        with open(script, "w") as file:
            file.write(version_script(symbols))
        subprocess.run([args.clang, f"--target={args.triple}", "-c", source, "-o", obj], check=True)
        subprocess.run([args.lld, "-shared", "-z", "noexecstack", "--build-id=none",
                        f"--version-script={script}",
                        f"-soname={read_soname(args.readelf, args.library)}", obj, "-o", args.stub],
                       check=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the stamp of the runtime's interface: a hash of every header that the compiler and the
bitcode in share/symc must have in common.

    make_stamp.py HEADER FILE... -- INPUT...

An INPUT is a file or a folder of headers. HEADER gets `#define SYMC_RUNTIME_STAMP "HASH"`, which the compiler is built with; each FILE,
share/symc/<triple>/stamp, gets HASH, by which it finds that the folder is of its own build. A file
whose text stays is not written."""
import hashlib
import os
import sys


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path) as old:
            if old.read() == text:
                return
    with open(path, "w") as out:
        out.write(text)


def main():
    end = sys.argv.index("--")
    header, files, inputs = sys.argv[1], sys.argv[2:end], sys.argv[end + 1 :]
    paths = []
    for path in inputs:
        inside = [os.path.join(path, name) for name in os.listdir(path)] if os.path.isdir(path) else [path]
        paths += inside
    digest = hashlib.sha256()
    for path in sorted(paths, key=os.path.basename):
        with open(path, "rb") as file:
            digest.update(os.path.basename(path).encode() + b"\0" + file.read() + b"\0")
    stamp = digest.hexdigest()[:16]
    write(header, f'#define SYMC_RUNTIME_STAMP "{stamp}"\n')
    for file in files:
        write(file, stamp + "\n")


main()

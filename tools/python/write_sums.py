"""Writes what the files of a whole package are, one line of SHA-256 and name each, as sha256sum has it.

    python3 write_sums.py FOLDER/symc FILE...     # writes FOLDER/symc.sums

The last step of the target symc-python. wheel/backend.py makes wheels of these files and of no others: a build
that stopped halfway has no such list, or one that its files are not those of.
"""
import hashlib
import os
import sys


def main():
    package, *files = sys.argv[1:]
    lines = []
    for path in sorted(files):
        with open(path, "rb") as file:
            data = file.read()
        if not data:
            sys.exit("write_sums: %s is empty" % path)
        lines.append("%s  %s\n" % (hashlib.sha256(data).hexdigest(), os.path.relpath(path, package)))
    with open(package + ".sums.part", "w", encoding="utf-8") as file:
        file.writelines(lines)
    os.replace(package + ".sums.part", package + ".sums")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes what Debian packages have beside the build's files: changelog.gz, CHANGELOG.md.gz, and METADATA of the Python
package, by which pip and importlib.metadata find its version.

usage: make_package_files.py FOLDER MAINTAINER
The date is that of SOURCE_DATE_EPOCH, else the day's.
"""
import email.utils
import gzip
import os
import sys
import time

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir))
sys.path.insert(0, os.path.join(ROOT, "tools", "python", "wheel"))
import backend

CHANGELOG = """symc (%s) unstable; urgency=medium

  * Packages of symc %s; CHANGELOG.md of the package symc lists what changed.

 -- %s  %s
"""


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, maintainer = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    date = email.utils.formatdate(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    with open(os.path.join(ROOT, "CHANGELOG.md"), "rb") as file:
        changes = file.read()
    debian = (CHANGELOG % (backend.version(), backend.version(), maintainer, date)).encode()
    for name, data in (("CHANGELOG.md.gz", gzip.compress(changes, 9, mtime=0)),
                       ("changelog.gz", gzip.compress(debian, 9, mtime=0)),
                       ("METADATA", backend.metadata().encode())):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()

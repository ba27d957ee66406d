"""Environments of Python with pinned packages, for tools that are not Debian's: made by pip where they are missing.

    python = virtual_environment.python_of("build/docs/venv", "tools/site/requirements.txt", print)
"""
import hashlib
import os
import shutil
import subprocess

LEAST = (3, 10)


class Missing(Exception):
    """A program or package that is missing; the text names what to install."""


def python_of_system():
    """A Python that makes environments: the first one in PATH, then Debian's."""
    for candidate in ("python3", "/usr/bin/python3"):
        code = "import sys, ensurepip, venv; sys.exit(sys.version_info < %r)" % (LEAST,)
        path = shutil.which(candidate)
        if path and subprocess.run([path, "-c", code], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return path
    raise Missing("no Python %d.%d or later makes virtual environments; install python3-venv" % LEAST)


def python_of(folder, requirements, report):
    """The Python of an environment, which is made where it is missing or has other packages than the file lists, every one
    with its version. `report` gets a sentence before that."""
    with open(requirements, "rb") as file:
        text = file.read()
    stamp = hashlib.sha256(text).hexdigest()
    python, mark = os.path.join(folder, "bin", "python"), os.path.join(folder, "requirements.sha256")
    if os.path.exists(python) and os.path.exists(mark):
        with open(mark, encoding="utf-8") as file:
            if file.read() == stamp:
                return python
    base = python_of_system()
    count = sum(1 for line in text.decode().splitlines() if "==" in line)
    report("installing %d packages into %s" % (count, os.path.relpath(folder)))
    shutil.rmtree(folder, ignore_errors=True)
    for command in ([base, "-m", "venv", folder],
                    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "-r", requirements]):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            last = (done.stdout.strip().splitlines() or ["no message"])[-1]
            raise Missing("cannot install the packages of %s: %s" % (os.path.relpath(requirements), last))
    with open(mark, "w", encoding="utf-8") as file:
        file.write(stamp)
    return python

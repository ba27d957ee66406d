"""The shared libraries of a wheel: what symc and libsymc need beyond those that every Linux of its tag has.

Left out are also libraries of which LLVM makes things that symc does not use (UNUSED): with what they need they would
be 24 MB of a wheel, and a Python process often has another version of one. LLVM's library is copied without its ties to
them.
"""
import os
import re
import subprocess

import elf

# Every system that manylinux_2_* stands for has these (PEP 600).
SYSTEM = re.compile(r"^(ld-linux-x86-64|lib(c|m|dl|rt|pthread|util|z|gcc_s|stdc\+\+))\.so\.\d+$")
# Library: what of the names of LLVM and MLIR whose code calls it.
UNUSED = {"libz3.so.4": "Z3Solver", "libxml2.so.2": "windows_manifest", "libedit.so.2": "LineEditor"}
# The readers of command lines in MLIR, which call a LineEditor.
UNUSED_TOO = "_ZN4mlir5query"
BESIDE = ("$ORIGIN", "$ORIGIN/../lib")


class LibraryError(Exception):
    """A library that the wheel cannot carry, and why."""


def read(path):
    with open(path, "rb") as file:
        return elf.Elf(file.read(), path)


def places_of(path):
    """{name: path} of all libraries that the loader opens for a file."""
    done = subprocess.run(["ldd", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C"})
    missing = re.findall(r"^\s*(\S+) => not found", done.stdout, re.M)
    if done.returncode or missing:
        raise LibraryError("%s: %s" % (path, "%s is not found" % missing[0] if missing else done.stdout.strip()))
    return dict(re.findall(r"^\s*(\S+) => (\S+) \(", done.stdout, re.M))


def collect(programs):
    """({name: path} of the libraries beside `programs`, {name: its bytes where they are changed}, glibc that all of
    them need)."""
    found, changed, newest = {}, {}, (2, 0)
    for path in programs:
        program, places = read(path), places_of(path)
        used = sorted(name for name in program.imports()
                      if name.startswith(UNUSED_TOO) or any(part in name for part in UNUSED.values()))
        if used:
            raise LibraryError("%s uses %s of LLVM, which the wheel's copy lacks; take its library out of UNUSED "
                               "in tools/python/wheel/libraries.py" % (path, used[0]))
        waiting, newest = [program], max(newest, program.glibc())
        while waiting:
            user = waiting.pop()
            astray = [part for part in user.runpath if not part.startswith(("/", "$ORIGIN"))]
            if astray:
                raise LibraryError("%s looks for libraries in '%s', a folder of whoever runs it" % (
                    user.name, astray[0]))
            names = [name for name in user.needed if not SYSTEM.match(name)]
            for name in names:
                if name in UNUSED:
                    continue
                if not set(BESIDE) & set(user.runpath):
                    raise LibraryError("%s needs %s and does not look for it beside itself ($ORIGIN/../lib)" % (
                        user.name, name))
                if name not in found:
                    found[name] = places[name]
                    waiting.append(read(places[name]))
                    newest = max(newest, waiting[-1].glibc())
            ties = {name: read(places[name]).exports() for name in names if name in UNUSED}
            if ties:
                changed[os.path.basename(user.name)] = elf.without(user, ties)
    return found, changed, newest


def licence_of(path):
    """The file that states under which terms a library of the system is shared."""
    real = os.path.realpath(path)
    for name in dict.fromkeys((path, real, re.sub("^/usr", "", real), "/usr" + real)):
        try:
            owner = subprocess.run(["dpkg", "-S", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                   check=False).stdout.split(":")[0]
        except FileNotFoundError:
            break
        terms = "/usr/share/doc/%s/copyright" % owner
        if owner and os.path.exists(terms):
            return terms
    raise LibraryError("the licence of %s is not found: no installed package has the file and its terms" % path)

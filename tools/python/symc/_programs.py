"""The programs symc and symc-run of the package, as commands that pip installs and as `python -m symc`.

They lie in symc/_bin of an installed package, in bin of a build folder, or in the system's PATH; each takes this process's place.
An installed package has one file for both, symc, which is the program by whose name it is called.
"""
import os
import shutil
import sys

from .errors import SymcError

HERE = os.path.dirname(os.path.abspath(__file__))


def places(name):
    """Files that may be the program, the best first."""
    up = os.path.join(HERE, os.pardir, os.pardir)
    return [os.path.normpath(place) for place in (
        os.path.join(HERE, "_bin", "symc"),  # of an installed package
        os.path.join(up, "bin", name),  # of a build folder
        os.path.join(up, os.pardir, "build", "release", "bin", name))]  # of a checkout


def find(name, given=None):
    """The program; `given` names it alone, else it may lie in PATH, too. Raises SymcError where there is none."""
    looked = [given] if given else places(name)
    found = next((place for place in looked if os.access(place, os.X_OK)), None)
    if found is None and not given:
        command = shutil.which(name)
        # The command that pip installs is this module.
        found = command if command and os.path.realpath(command) != os.path.realpath(sys.argv[0]) else None
    if found is None:
        raise SymcError("the program %s is not found; looked for %s%s" % (
            name, ", ".join(looked), "" if given else " and on PATH"))
    return found


def _become(name):
    try:
        path = find(name, os.environ.get("SYMC_COMPILER") if name == "symc" else None)
        os.execv(path, [name, *sys.argv[1:]])
    except (SymcError, OSError) as reason:
        sys.exit("%s: error: %s" % (name, reason))


def symc():
    _become("symc")


def symc_run():
    _become("symc-run")

"""Runs README's lines for Python in the shell's own python3 and prints how each ends.

Usage: readme_python.py CHECKOUT BUILD FOLDER

FOLDER becomes a build folder as the lines configure it, with the programs and libraries of BUILD in the place of those
that the lines would compile; the steps behind them run as they stand in FOLDER's build.ninja.
"""
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys

CHECKOUT, BUILD, FOLDER = map(os.path.abspath, sys.argv[1:])


def run(title, command, folder):
    done = subprocess.run(command, cwd=folder, shell=isinstance(command, str), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    print("%s: %d" % (title, done.returncode))
    if done.returncode:
        sys.exit(done.stdout[-3000:])


def take_what_is_built():
    for name in ("bin", "lib", "share"):
        shutil.rmtree(os.path.join(FOLDER, name), ignore_errors=True)
        os.symlink(os.path.join(BUILD, name), os.path.join(FOLDER, name))
    package = os.path.join(FOLDER, "python", "symc")
    os.makedirs(package)
    for name in os.listdir(os.path.join(BUILD, "python", "symc")):
        if name.endswith((".py", ".json", ".typed")):
            shutil.copy(os.path.join(BUILD, "python", "symc", name), package)


def main():
    with open(os.path.join(CHECKOUT, "docs", "python.md"), encoding="utf-8") as file:
        lines = re.search(r"^tools/scripts/setup\n(.*?)^```", file.read(), re.M | re.S).group(1).splitlines()
    configure, build, install = lines
    print("python3 has NumPy: %s" % (importlib.util.find_spec("numpy") is not None), flush=True)
    run("cmake --preset release", shlex.split(configure) + ["-B", FOLDER], CHECKOUT)
    take_what_is_built()
    target = shlex.split(build)[-1]
    commands = subprocess.run(["ninja", "-C", FOLDER, "-t", "commands", target], capture_output=True, text=True, check=True)
    for script in ("make_stubs.py", "write_sums.py"):
        for command in re.findall(r"^(.*/%s .*)$" % re.escape(script), commands.stdout, re.M):
            run("cmake --build: " + script, command, FOLDER)
    run("pip install .", [sys.executable, "-m", *shlex.split(install), "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check",
                          "--config-settings", "build-dir=" + FOLDER, "--config-settings", "level=6"], CHECKOUT)
    stubs = os.path.join(os.path.dirname(importlib.util.find_spec("symc").origin), "symbol.pyi")
    with open(stubs, encoding="utf-8") as file:
        print("signature: " + next(line for line in file if line.startswith("def FullyConnected")), end="")


if __name__ == "__main__":
    main()

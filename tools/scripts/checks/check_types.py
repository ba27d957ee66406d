#!/usr/bin/env python3
"""Checks the Python of README and of docs with mypy (strict) and basedpyright against the stubs of the built package.

Usage: check_types.py ROOT BUILD [--or-skip] [--venv FOLDER]

The blocks of a page are one program. Functions that users write need no annotations; everything else is checked as strict does.
The first run installs the checkers into BUILD/types-venv by pip (types_requirements.txt) and needs a network; --or-skip then
ends with 77 where that fails. --venv is an environment that has them.
Exit status: 0 no complaints, 1 complaints, 2 wrong usage, 3 no checkers, 77 the same with --or-skip.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
import virtual_environment

REQUIREMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "types_requirements.txt")
#: What a page may leave out.
HEAD = "import numpy as np\nimport symc\nimport symc as mx\n"
MYPY = ["--strict", "--allow-untyped-defs", "--allow-incomplete-defs", "--no-incremental", "--no-error-summary"]
PYRIGHT = ('{"typeCheckingMode": "standard", "include": ["pages"], "pythonVersion": "3.11", "reportMissingModuleSource": false,'
           '"reportUnusedExpression": false}')


def program_of(text):
    """The Python blocks of a page as one program, at their lines; "" where it has none. Of what has >>>, what is typed."""
    lines, inside, found = [], False, False
    for line in text.splitlines():
        if line.startswith("```"):
            inside, line = line == "```python", ""
            prompt = False
        elif inside:
            if line.startswith(">>> "):
                prompt = True
            if prompt:
                line = line[4:] if line.startswith((">>> ", "... ")) else ""
            found = found or bool(line)
        lines.append(line if inside else "")
    return "\n".join(lines) + "\n" if found else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("build")
    parser.add_argument("--or-skip", action="store_true")
    parser.add_argument("--venv")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    venv = os.path.abspath(options.venv) if options.venv else os.path.join(build, "types-venv")
    try:
        if not options.venv:
            virtual_environment.python_of(venv, REQUIREMENTS, lambda text: print("check-types: " + text, flush=True))
    except virtual_environment.Missing as reason:
        print("check-types: %s: %s" % ("skipped" if options.or_skip else "error", reason))
        return 77 if options.or_skip else 3
    complaints = 0
    with tempfile.TemporaryDirectory() as work:
        os.mkdir(os.path.join(work, "pages"))
        pages = [os.path.join(options.root, "README.md"), *sorted(glob.glob(os.path.join(options.root, "docs", "*.md")))]
        count = 0
        for page in pages:
            with open(page, encoding="utf-8") as file:
                program = program_of(file.read())
            if re.search(r"\b(mx|symc)\.", program):
                name = re.sub(r"\W", "_", os.path.basename(page)[:-3])
                with open(os.path.join(work, "pages", name + ".py"), "w", encoding="utf-8") as file:
                    file.write(HEAD.replace("\n", "; ").rstrip("; ") + program)  # line n of the page is line n here
                count += 1
        with open(os.path.join(work, "pyrightconfig.json"), "w", encoding="utf-8") as file:
            file.write(PYRIGHT)
        os.mkdir(os.path.join(work, "stubs"))
        os.symlink(os.path.join(build, "python", "symc"), os.path.join(work, "stubs", "symc"))
        environment = {**os.environ, "MYPYPATH": os.path.join(work, "stubs"), "PYTHONPATH": os.path.join(work, "stubs")}
        python = os.path.join(venv, "bin", "python")
        for command in ([python, "-m", "mypy", *MYPY, "pages"],
                        [python, "-m", "basedpyright", "--pythonpath", python]):
            ended = subprocess.run(command, cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            print(ended.stdout, end="")
            complaints += ended.returncode != 0
    print("types: %d pages, %s" % (count, "complaints" if complaints else "0 complaints"))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

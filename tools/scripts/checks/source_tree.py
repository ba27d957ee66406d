"""What the source checks share: the project's files and C++ text without comments.

Files are those that git tracks or would track; a tree without git is walked,
leaving out build folders and dot folders.
"""
import glob
import json
import os
import re
import subprocess
import sys

CODE = (".cpp", ".h", ".c", ".td", ".def", ".inc")


def list_files(root, suffixes=None, under=""):
    """Paths relative to `root`, sorted, with '/' between parts."""
    try:
        text = subprocess.run(
            ["git", "-C", root, "ls-files", "-co", "--exclude-standard"], check=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        paths = text.splitlines()
    except (OSError, subprocess.CalledProcessError):
        paths = []
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if name != "build" and not name.startswith(".")]
            paths.extend(os.path.relpath(os.path.join(folder, name), root) for name in names)
    paths = sorted({path.replace(os.sep, "/") for path in paths})
    return [path for path in paths
            if path.startswith(under) and (suffixes is None or path.endswith(tuple(suffixes)))
            and os.path.isfile(os.path.join(root, path))]


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)


def without_comments(text, keep_strings=True):
    """The text with comments (and, unless kept, string contents) blanked; the
    number of lines stays the same."""
    def blank(match):
        token = match.group(0)
        if token.startswith(("//", "/*")):
            return re.sub(r"[^\n]", " ", token)
        if keep_strings or token[0] == "'":
            return token
        return '"' + re.sub(r"[^\n]", " ", token[1:-1]) + '"'
    return TOKEN.sub(blank, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def report(name, problems, what):
    """Prints the problems and returns the exit status of a check."""
    for problem in problems:
        print(problem)
    print("%s: %d %s" % (name, len(problems), what))
    return 1 if problems else 0


def operator_records(build):
    """(operation, its names as records) of each operator of the dumped tables, BUILD/ir/ops/*.json."""
    for path in sorted(glob.glob(os.path.join(build, "ir", "ops", "*.json"))):
        with open(path, encoding="utf-8") as file:
            records = json.load(file)
        for name in records["!instanceof"].get("SG_Op", []):
            yield records[name], [records[reference["def"]] for reference in records[name]["names"]]


def source_and_build(document):
    """The folders SOURCE and BUILD of the command line. Where there are not two, prints the
    usage line of `document` and exits with 2."""
    folders = [word for word in sys.argv[1:] if word != "--update"]
    if len(folders) != 2:
        print(re.search(r"^usage: .*$", document, re.M).group(0), file=sys.stderr)
        sys.exit(2)
    return folders

"""What a change since a commit can reach, for `run-tests --since`: parts of suites (suites.py) and products of a build.

Changed files are those that git finds different from the commit, and untracked ones. A part of the checkout is reached if a
changed file is it or lies in it. A product of the build is reached if ninja's graph, or the headers that its log has of
the last compilation, leads to a changed file. What specifies how to build, and files that are gone, reach every product.
"""
import os
import re
import subprocess

# Whatever is built may be another thing.
BUILDS = re.compile(r"(^|/)CMakeLists\.txt$|\.cmake$|^CMakePresets\.json$|\.in$|^cmake/")
SOURCES = re.compile(r"^(frontend|ir|passes|codegen|runtime|tools|test/unit|test/fuzz|test/faults)/.*\.(cpp|h|hpp|c|td|def|inc|py)$")


class UnknownCommit(Exception):
    """git has no such commit."""


def changed_files(source, commit):
    """Paths from the top of the checkout."""
    def git(*words):
        return subprocess.run(["git", "-C", source, *words], capture_output=True, check=False)
    if git("rev-parse", "--verify", "--quiet", commit + "^{commit}").returncode:
        raise UnknownCommit("git has no commit '%s'" % commit)
    texts = [git("diff", "--name-only", "--no-renames", "-z", commit).stdout,
             git("ls-files", "--others", "--exclude-standard", "-z").stdout]
    return sorted(name for text in texts for name in os.fsdecode(text).split("\0") if name)


class Reach:
    def __init__(self, source, build, changed):
        self.source, self.build, self.changed = os.path.realpath(source), os.path.realpath(build), changed
        self.everything = any(BUILDS.search(path) or SOURCES.match(path) and not os.path.exists(os.path.join(source, path))
                              for path in changed)
        self.products, self.headers = {}, None

    def ninja(self, *words):
        return subprocess.run(["ninja", "-C", self.build, *words], capture_output=True, text=True, check=False)

    def is_changed(self, path):
        """Whether the path, as ninja has it, is a changed file of the checkout."""
        path = os.path.normpath(os.path.join(self.build, path))
        return path.startswith(self.source + os.sep) and os.path.relpath(path, self.source) in self.changed

    def objects(self):
        """Outputs of which the log has a changed header."""
        if self.headers is None:
            self.headers, output = set(), None
            for line in self.ninja("-t", "deps").stdout.splitlines():
                if line.startswith("    "):
                    if self.is_changed(line.strip()):
                        self.headers.add(output)
                elif line:
                    output = line.split(": #deps")[0]
        return self.headers

    def reaches_target(self, target):
        if target not in self.products:
            done = self.ninja("-t", "inputs", target)
            # What ninja makes by no rule of its own, or an old ninja, is taken to be reached.
            self.products[target] = done.returncode != 0 or any(
                line in self.objects() or self.is_changed(line) for line in [target, *done.stdout.splitlines()])
        return self.products[target]

    def reaches_product(self, path):
        """A file or a folder of the build folder."""
        if self.everything:
            return True
        whole = os.path.join(self.build, path)
        if not os.path.isdir(whole):
            return os.path.exists(whole) and self.reaches_target(path)
        names = [os.path.relpath(os.path.join(folder, name), self.build) for folder, _, files in os.walk(whole) for name in files
                 if "__pycache__" not in folder and not os.path.islink(os.path.join(folder, name))]
        known = self.targets()
        return any(self.reaches_target(name) for name in names if name in known)

    def targets(self):
        if "" not in self.products:
            self.products[""] = {line.split(":")[0] for line in self.ninja("-t", "targets", "all").stdout.splitlines()}
        return self.products[""]

    def reaches(self, part):
        """`part` as suites.Parts names it. Commands and the machine are no matter of a commit."""
        kind, _, path = part.partition(":")
        if part in ("command", "environment", "machine") or kind == "outside":
            return False
        if kind == "build":
            return self.reaches_product(path)
        if part == "checkout":
            return bool(self.changed)
        return any(each == part or each.startswith(part + "/") for each in self.changed)

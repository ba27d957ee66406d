"""What the suites of a build folder, ctest's tests, depend on: for the ledger, and for `run-tests --since`.

Every suite depends on its command, its environment, the variables SYMC_*, the processor and the tools that tests run.
ROOMS lists what else: the first row with a pattern that the suite's name matches. A part is

    a path               of the checkout, a file or a folder
    checkout             all files that git tracks or would
    build:PATH           a file or folder of the build folder
    products             what a build makes for users: bin, lib, share, python, include
    program              the program that the command starts, the build's libraries that it opens, and paths of the
                         checkout and the build that are written in it
    command              the files and folders that the command names
    public               the folders of public cases and models, by names, sizes and times

A suite that no row has depends on `checkout` and `products`: a row only ever narrows, and is right as long as the suite
reads nothing else. ctest's results, what tests write, and folders that a suite itself fills are no parts.
"""
import json
import os
import re
import subprocess
from collections import namedtuple

from ledger import digest_of

PRODUCTS = ("bin", "lib", "share", "python", "include")
# Folders of the build folder: others hold intermediates of a build, or what tests write.
READ = PRODUCTS + ("unit", "ir", "test/fuzz/seeds")
WRITTEN = "test-results/", "test/lit/", "Testing/", "ledger"
TOOLS = "tools/scripts/lib", "tools/scripts/oracles", "tools/scripts/cases"

ROOMS = (
    (r"lit-(ops|passes|codegen)$", ("command", "lit", "test/lit.cfg.py")),
    (r"unit-runtime-", ("program",)),
    (r"unit-(frontend|import|library)-tests$", ("program", "public", "build:share", "test/conformance")),
    (r"unit-", ("program", "build:share", "test/conformance")),
    (r"fuzz-", ("program", "command", "build:share")),
    (r"(conformance|numerics)-public", ("command", "public", "build:bin", "build:lib", "build:share", "test/conformance/errors.list", *TOOLS)),
    (r"guard-(end|start)-public$", ("command", "public", "build:bin", "build:lib", "build:share")),
    (r"conformance-masks$|mutants", ("command", "build:bin", "build:lib", "build:share", "test/conformance", "docs/generated/operators.md", *TOOLS)),
    (r"(conformance|numerics|guard)(-|$)", ("command", "build:bin", "build:lib", "build:share")),
    (r"cuda-kernels", ("products", "examples/networks", "tools/scripts/oracles")),
    (r"faults", ("products", "test/faults", "examples")),
    (r"check-(layering|sizes|format|words|constraints|messages|scripts)$", ("checkout",)),
)

Suite = namedtuple("Suite", "name command environment labels processors")


def list_suites(build, arguments=()):
    """Those that ctest lists with the arguments."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", *arguments], capture_output=True, text=True, check=True)
    suites = []
    for test in json.loads(listed.stdout)["tests"]:
        facts = {each["name"]: each["value"] for each in test["properties"]}
        suites.append(Suite(test["name"], test.get("command", []), facts.get("ENVIRONMENT", []), facts.get("LABELS", []),
                            int(facts.get("PROCESSORS", 1))))
    return suites


def row_of(name):
    for pattern, parts in ROOMS:
        if re.match(pattern, name):
            return parts
    return ("checkout", "products")


class Parts:
    """The parts of suites and their digests. `files`: ledger.Files."""

    def __init__(self, source, build, files):
        self.source, self.build, self.files = os.path.realpath(source), os.path.realpath(build), files
        self.digests, self.opened, self.written = {}, {}, {}
        self.tracked = subprocess.run(["git", "-C", self.source, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True,
                                      check=True).stdout.decode(errors="surrogateescape").split("\0")[:-1]

    # --- Names -----------------------------------------------------------------

    def name_of(self, path):
        """The part that stands for a path; None where it is none."""
        path = os.path.normpath(path)
        if path in (self.source, self.build):
            return None
        if path.startswith(self.build + os.sep):
            inner = os.path.relpath(path, self.build)
            read = not inner.startswith(WRITTEN) if os.path.isfile(path) else any((inner + "/").startswith(each + "/") for each in READ)
            return "build:" + inner if read else None
        if path.startswith(self.source + os.sep):
            inner = os.path.relpath(path, self.source)
            return None if inner.startswith("build/") else inner
        return "outside:" + path if path.startswith(os.sep) else None

    def of_command(self, suite):
        """Files and folders that the command names, also behind `NAME=`."""
        found = set()
        for word in suite.command:
            path = word.partition("=")[2] if re.match(r"-[\w-]*=/", word) else word
            if os.path.isabs(path) and os.path.exists(path):
                found.add(self.name_of(path))
        return found

    def of_program(self, suite):
        """The program, the libraries that it opens, and the places that their bytes name."""
        found = set()
        for word in suite.command[:1] + [word for word in suite.command[1:] if os.access(word, os.X_OK) and os.path.isfile(word)]:
            for path in self.libraries(word):
                found.add(self.name_of(path))
                found |= self.places(path)
        return found

    def libraries(self, path):
        """A program and what the dynamic linker opens for it."""
        if path not in self.opened:
            listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
            self.opened[path] = [path, *re.findall(r"=> (/\S+)", listed)]
        return self.opened[path]

    def places(self, path):
        """Paths of the checkout and of the build that stand in a file of the build, as definitions put them there."""
        if not os.path.realpath(path).startswith(self.build + os.sep):
            return set()
        if path not in self.written:
            with open(path, "rb") as file:
                bytes_read = file.read()
            found = set()
            for root in {self.source, self.build}:
                for match in re.finditer(re.escape(os.fsencode(root)) + rb"/[\w./+-]+", bytes_read):
                    place = os.path.normpath(os.fsdecode(match.group()))
                    if place == os.path.join(self.build, "test"):
                        found |= {"build:test/" + name for name in os.listdir(place) if name.endswith(".so")}
                    elif place != self.build and os.path.exists(place):
                        found.add(self.name_of(place))
            self.written[path] = found
        return self.written[path]

    def of_lit(self, suite):
        """symc-opt alone where a folder of tests names no other program of the build."""
        named = set()
        programs = set(os.listdir(os.path.join(self.build, "bin")))
        for folder, _, names in os.walk(suite.command[-1]):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                    for line in re.findall(r"RUN:(.*)", file.read()):
                        named |= programs.intersection(re.findall(r"[\w.-]+", line))
                        named |= {"others"} if re.search(r"%(?:build|examples|scripts|bench)", line) else set()
        return {"build:bin/symc-opt"} if named <= {"symc-opt"} else {"build:" + each for each in PRODUCTS}

    def names(self, suite):
        found = set()
        for part in row_of(suite.name):
            if part == "products":
                found |= {"build:" + each for each in PRODUCTS}
            elif part == "command":
                found |= self.of_command(suite)
            elif part == "program":
                found |= self.of_program(suite)
            elif part == "lit":
                found |= self.of_lit(suite)
            elif part == "public":
                for variable in ("SYMC_CONFORMANCE_DIR", "SYMC_MODELS_DIR"):
                    found.add("outside:" + os.environ[variable] if os.environ.get(variable) else None)
                found |= {"outside:" + each.partition("=")[2] for each in suite.environment if re.match(r"SYMC_\w+=/", each)}
            else:
                found.add(part)
        # What a suite's command starts is a part in any case.
        found |= {each for each in self.of_command(suite) if each and not each.startswith("outside:")}
        return found - {None}

    # --- Digests ----------------------------------------------------------------

    def digest(self, part):
        if part not in self.digests:
            kind, _, path = part.partition(":")
            if part == "checkout":
                value = self.files.files(self.source, self.tracked)
            elif kind == "outside":
                value = self.files.outside(path)
            else:
                path = os.path.join(self.build, path) if kind == "build" else os.path.join(self.source, part)
                value = self.files.folder(path) if os.path.isdir(path) else self.files.file(path)
            self.digests[part] = value
        return self.digests[part]

    def machine(self):
        """The processor, and the tools of the system that tests run and link."""
        if "machine" not in self.digests:
            try:
                with open("/proc/cpuinfo", encoding="utf-8") as file:
                    text = "".join(sorted(set(re.findall(r"^(?:model name|flags)\s*:.*$", file.read(), re.M))))
            except OSError:
                text = ""
            paths = {os.path.realpath(os.path.join("/usr/bin", name)) for name in ("clang-22", "ld.lld-22", "FileCheck-22", "python3", "cmake")}
            paths |= {os.path.realpath(path) for path in self.libraries(os.path.join(self.build, "bin", "symc"))[1:]}
            for path in sorted(paths):
                if os.path.exists(path) and not path.startswith(self.build + os.sep):
                    text += "%s %s\n" % (path, self.files.outside(path))
            self.digests["machine"] = text
        return self.digests["machine"]

    def of(self, suite):
        """{part: digest}, all that decides the suite's result."""
        variables = sorted("%s=%s" % each for each in os.environ.items() if re.match(r"SYMC_|[AUT]SAN_OPTIONS|CI$", each[0]))
        found = {"command": suite.command, "environment": sorted(suite.environment) + variables, "machine": self.machine()}
        found = {name: digest_of(json.dumps(value)) for name, value in found.items()}
        found.update((part, self.digest(part)) for part in self.names(suite))
        return found

    def forget(self):
        """What was looked at may have changed since: digests are taken again."""
        self.digests = {}

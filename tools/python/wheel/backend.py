"""The build backend of the Python package (PEP 517, PEP 660), which pyproject.toml names: makes a wheel of what a
build folder holds. It builds nothing itself; a build that is missing, old or half made is refused with the commands that make it.

In a wheel, symc/lib holds libsymc and the shared libraries of LLVM and MLIR, symc/_bin the program symc, which is symc-run
where it is called by that name, and looks for libraries in ../lib and for the runtime in ../share/symc. The same build gives the same bytes.

Settings (pip install . --config-settings NAME=VALUE): build-dir, the build folder (build/release); level, how hard
deflate tries, 1 to 9 (9); url, the address of the sources that the metadata names.
"""
import base64
import hashlib
import os
import re
import stat
import subprocess
import sys
import tempfile
import time
import zipfile

import elf
import libraries

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 3))
LEAST_PYTHON = (3, 9)
LIMIT = 100 * 1024 * 1024  # bytes that PyPI takes of a file
COMMANDS = ("tools/scripts/setup", "cmake --preset release -DSYMC_BUILD_TESTS=OFF",
            "cmake --build --preset release --target symc symc-run symc-python")


CLASSIFIERS = ("Development Status :: 4 - Beta", "Environment :: Console", "Intended Audience :: Developers",
               "Intended Audience :: Science/Research", "License :: OSI Approved :: Apache Software License",
               "Operating System :: POSIX :: Linux", "Programming Language :: Python :: 3",
               "Programming Language :: Python :: 3 :: Only", "Programming Language :: C++",
               "Topic :: Scientific/Engineering :: Artificial Intelligence", "Topic :: Software Development :: Compilers",
               "Typing :: Typed")
#: What pip makes commands of.
SCRIPTS = "[console_scripts]\nsymc = symc._programs:symc\nsymc-run = symc._programs:symc_run\nim2rec = symc.im2rec:main\n"


class WheelError(Exception):
    """Why no wheel is made."""


def refuse(what):
    raise WheelError("%s; build symc first:\n  %s" % (what, "\n  ".join(COMMANDS)))


def version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"^project\(symc VERSION (\S+)", file.read(), re.M).group(1)


def metadata(settings=None):
    """METADATA, with README as the description."""
    urls = ["MXNet 1.9.1, https://github.com/apache/mxnet/tree/1.9.1"]
    if (settings or {}).get("url"):
        urls.insert(0, "Source, " + settings["url"])
    head = [("Metadata-Version", "2.1"), ("Name", "symc"), ("Version", version()),
            ("Summary", "Composes MXNet's symbols and compiles them ahead of time"),
            ("Description-Content-Type", "text/markdown"), ("Keywords", "compiler,mxnet,llvm,mlir,deep learning,inference"),
            *(("Project-URL", each) for each in urls), ("License", "Apache-2.0"), ("License-File", "LICENSE"),
            ("License-File", "NOTICE"), ("Requires-Python", ">=%d.%d" % LEAST_PYTHON), ("Requires-Dist", "numpy"),
            *(("Classifier", each) for each in CLASSIFIERS)]
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        return "".join("%s: %s\n" % each for each in head) + "\n" + file.read()


def check_python():
    if sys.version_info[:2] < LEAST_PYTHON:
        raise WheelError("symc needs Python %d.%d or later, this is %s" % (*LEAST_PYTHON, sys.version.split()[0]))
    if not sys.platform.startswith("linux"):
        raise WheelError("symc is built on Linux, this is %s" % sys.platform)


def folder_of(settings):
    """The build folder, with everything in it that a wheel needs."""
    build = os.path.join(ROOT, (settings or {}).get("build-dir", os.path.join("build", "release")))
    for name in ("bin/symc", "lib/libsymc.so.0", "python/symc/_operators.json", "python/symc/symbol.pyi", "share/symc.files"):
        if not os.path.exists(os.path.join(build, name)):
            refuse("%s has no %s" % (build, name))
    for name in sources():
        with open(os.path.join(ROOT, "tools", "python", "symc", name), "rb") as file:
            text = file.read()
        try:
            with open(os.path.join(build, "python", "symc", name), "rb") as file:
                same = file.read() == text
        except FileNotFoundError:
            same = False
        if not same:
            refuse("%s/python/symc/%s is not tools/python/symc/%s" % (build, name, name))
    check_resources(build)
    check_sums(build)
    return build


def stripped(build, path):
    """The bytes of a program or library without names of its inner functions, where the build has a strip."""
    cache = os.path.join(build, "CMakeCache.txt")
    found = None
    if os.path.exists(cache):
        with open(cache, encoding="utf-8") as file:
            found = re.search(r"^CMAKE_STRIP:\w+=(/.+)$", file.read(), re.MULTILINE)
    if not found:
        with open(path, "rb") as file:
            return file.read()
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "stripped")
        subprocess.run([found[1], "--strip-unneeded", "-o", made, path], check=True)
        with open(made, "rb") as file:
            return file.read()


def check_resources(build):
    """Refuses a build that lacks a file of those that symc links into models."""
    with open(os.path.join(build, "share", "symc.files"), encoding="utf-8") as file:
        for name in file.read().splitlines():
            if not os.path.exists(os.path.join(build, "share", "symc", name)):
                refuse("%s is half made: share/symc/%s is missing" % (build, name))


def check_sums(build):
    """Refuses a package that the last step of its target, write_sums.py, did not see as it is."""
    for name, digest in sums(build).items():
        try:
            with open(os.path.join(build, "python", "symc", name), "rb") as file:
                found = hashlib.sha256(file.read()).hexdigest()
        except FileNotFoundError:
            found = None
        if found != digest:
            refuse("%s is half made: python/symc/%s is not what the target symc-python made" % (build, name))


def sums(build):
    """{name: SHA-256} of the package's files."""
    try:
        with open(os.path.join(build, "python", "symc.sums"), encoding="utf-8") as file:
            return {name: digest for digest, name in (line.rstrip("\n").split("  ", 1) for line in file)}
    except FileNotFoundError:
        refuse("%s is half made: the target symc-python did not end" % build)


def sources():
    return sorted(name for name in os.listdir(os.path.join(ROOT, "tools", "python", "symc")) if name.endswith(".py"))


class Wheel:
    """A wheel that is being written. Files appear under their last name only when they are whole."""

    def __init__(self, folder, tag, level=9, settings=None):
        self.settings = settings
        self.name = "symc-%s-%s.whl" % (version(), tag)
        self.info = "symc-%s.dist-info" % version()
        self.path, self.tag, self.level = os.path.join(folder, self.name), tag, level
        self.record = []
        date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))  # zip begins with 1980
        self.date = date[:6]

    def __enter__(self):
        self.zip = zipfile.ZipFile(self.path + ".part", "w", zipfile.ZIP_DEFLATED, compresslevel=self.level)
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.add(self.info + "/METADATA", metadata(self.settings))
            self.add(self.info + "/entry_points.txt", SCRIPTS)
            self.add(self.info + "/WHEEL", "Wheel-Version: 1.0\nGenerator: symc %s\nRoot-Is-Purelib: %s\nTag: %s\n" % (
                version(), "true" if self.tag.endswith("any") else "false", self.tag))
            self.add(self.info + "/RECORD", "".join(self.record) + self.info + "/RECORD,,\n")
        self.zip.close()
        if kind is None:
            os.replace(self.path + ".part", self.path)
        else:
            os.remove(self.path + ".part")

    def add(self, name, data, runs=False):
        data = data.encode() if isinstance(data, str) else data
        entry = zipfile.ZipInfo(name, self.date)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (stat.S_IFREG | (0o755 if runs else 0o644)) << 16
        self.zip.writestr(entry, data, compresslevel=self.level)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append("%s,sha256=%s,%d\n" % (name, digest, len(data)))

    def add_file(self, name, path, runs=False):
        with open(path, "rb") as file:
            self.add(name, file.read(), runs)


# --- What pip calls --------------------------------------------------------

def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """What pip reads first; without it pip would make the whole wheel twice."""
    check_python()
    folder_of(config_settings)
    info = "symc-%s.dist-info" % version()
    os.makedirs(os.path.join(metadata_directory, info))
    with open(os.path.join(metadata_directory, info, "METADATA"), "w", encoding="utf-8") as file:
        file.write(metadata(config_settings))
    with open(os.path.join(metadata_directory, info, "entry_points.txt"), "w", encoding="utf-8") as file:
        file.write(SCRIPTS)
    return info


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel to the folder; returns its name."""
    check_python()
    settings = config_settings or {}
    level = str(settings.get("level", 9))
    if level not in "123456789" or len(level) != 1:
        raise WheelError("level is '%s', needs 1 to 9" % level)
    build = folder_of(settings)
    programs = [os.path.join(build, *name) for name in (("bin", "symc"), ("lib", "libsymc.so.0"))]
    try:
        found, changed, glibc = libraries.collect(programs)
        licences = {name: libraries.licence_of(path) for name, path in sorted(found.items())}
        machine = libraries.read(programs[0]).machine
    except (elf.ElfError, libraries.LibraryError) as reason:
        raise WheelError(str(reason)) from None
    with Wheel(wheel_directory, "py3-none-manylinux_%d_%d_%s" % (*glibc, machine), int(level), settings) as wheel:
        package = os.path.join(build, "python", "symc")
        for name in sums(build):
            wheel.add_file("symc/" + name, os.path.join(package, name))
        wheel.add("symc/_bin/symc", stripped(build, programs[0]), runs=True)
        wheel.add("symc/lib/libsymc.so.0", stripped(build, programs[1]))
        for name, path in sorted(found.items()):
            if name in changed:
                wheel.add("symc/lib/" + name, changed[name])
            else:
                wheel.add_file("symc/lib/" + name, path)
        share = os.path.join(build, "share")
        for folder, folders, names in os.walk(os.path.join(share, "symc")):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                wheel.add_file("symc/share/" + os.path.relpath(path, share).replace(os.sep, "/"), path)
        for name in ("LICENSE", "NOTICE"):
            wheel.add_file("%s/licenses/%s" % (wheel.info, name), os.path.join(ROOT, name))
        for name, path in licences.items():
            wheel.add_file("%s/licenses/%s.copyright" % (wheel.info, name), path)
    size = os.path.getsize(wheel.path)
    if size > LIMIT:
        os.remove(wheel.path)
        raise WheelError("the wheel takes %d bytes, at most %d are possible" % (size, LIMIT))
    return wheel.name


def get_requires_for_build_editable(config_settings=None):
    return []


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel with the name of the build folder's package, where the next build puts its changes."""
    check_python()
    build = folder_of(config_settings)
    with Wheel(wheel_directory, "py3-none-any", settings=config_settings) as wheel:
        wheel.add("__editable__symc.pth", os.path.abspath(os.path.join(build, "python")) + "\n")
    return wheel.name


def get_requires_for_build_sdist(config_settings=None):
    return []


def build_sdist(sdist_directory, config_settings=None):
    raise WheelError("symc makes no source distribution for Python: it is built by CMake, and the wheel made of that")

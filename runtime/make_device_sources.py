#!/usr/bin/env python3
"""Makes share/symc/cuda: the reference kernels as sources that need no header.

    make_device_sources.py RUNTIME GENERATED OUTPUT

RUNTIME is the folder runtime, GENERATED that of symc/generated/op_params, OUTPUT a folder. headers.cu is the prelude
(runtime/cuda_prelude.inc) and every header of runtime/kernels, each behind those that it includes; NAME.cu is
what NAME.cpp has beyond them, in a namespace of its own; kernels.txt has a line "operation NAME THREADS" for each
kernel, THREADS one of grid, blocks, block (kernels/reference/threads.h) and one. Kernels that call a library, or run graphs, are left out.
"""
import glob
import os
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"].*\n', re.M)
KERNEL = re.compile(r"\bSYMC_REFERENCE\w*\(\s*(\w+)\s*,")
# Of the runtime's core: what kernels call.
CORE = ("dtype.cpp",)
LEFT_OUT = ("control", "lapack")
THREADS = re.compile(r"\bSYMC_ON_(GRID|BLOCKS|BLOCK)\(([^)]*)\)")


class Sources:
    def __init__(self, runtime, generated):
        self.folders = [os.path.join(runtime, "include"), generated]
        self.done, self.headers = set(), []

    def find(self, name, beside):
        for folder in [os.path.dirname(beside)] + self.folders:
            path = os.path.normpath(os.path.join(folder, name))
            if os.path.exists(path):
                return path
        return None  # the compiler's own: the prelude has what kernels need of it

    def body(self, path):
        """The text of a file without its includes, which join the headers first."""
        with open(path, encoding="utf-8") as file:
            text = file.read()

        def take(match):
            found = self.find(match.group(2), path)
            if found and found.endswith(".def"):  # a list, that stands where it is read
                with open(found, encoding="utf-8") as file:
                    return file.read()
            if found is None and match.group(1) == '"':
                sys.exit("make_device_sources.py: %s includes %s, which is nowhere" % (path, match.group(2)))
            if found and found not in self.done:
                self.done.add(found)
                self.headers.append(self.body(found))
            return ""
        return INCLUDE.sub(take, text)


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def main(runtime, generated, output):
    os.makedirs(output, exist_ok=True)
    sources, kernels = Sources(runtime, generated), []
    core = [sources.body(os.path.join(runtime, "core", name)) for name in CORE]
    paths = sorted(glob.glob(os.path.join(runtime, "kernels", "*", "*.cpp")))
    for path in paths:
        stem = os.path.splitext(os.path.basename(path))[0]
        if stem in LEFT_OUT:
            continue
        text = sources.body(path)
        if "find_lapack" in text or "Lapack<" in text:
            continue
        named, shared = dict.fromkeys(KERNEL.findall(text)), {}
        for threads, names in THREADS.findall(text):
            for each in names.replace(",", " ").split():
                if each not in named or each in shared:
                    sys.exit("make_device_sources.py: %s: expected a kernel of this file, once, in SYMC_ON_%s, got '%s'"
                             % (path, threads, each))
                shared[each] = threads.lower()
        kernels += ["%s %s %s\n" % (each, stem, shared.get(each, "one")) for each in named]
        write(output, stem + ".cu", "namespace of_%s {\n%s} // namespace of_%s\n" % (stem, text, stem))
    with open(os.path.join(runtime, "cuda_prelude.inc"), encoding="utf-8") as file:
        prelude = file.read()
    write(output, "headers.cu", prelude + "".join(sources.headers) + "".join(core))
    write(output, "kernels.txt", "".join(kernels))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

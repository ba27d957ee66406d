#!/usr/bin/env python3
"""Compiles the kernels of well-known networks for CUDA devices by NVRTC, and judges what ptxas reports of them.

  cuda_kernels.py --bin BUILD/bin                               a sample of networks for sm_80
  cuda_kernels.py --bin BUILD/bin --all                         all of them, for sm_80, sm_90a and sm_120
  cuda_kernels.py --bin BUILD/bin --net resnet50-v1:64 --archs 90a --kernels
                                                                one, pictures of 64 x 64; a line for each kernel
  cuda_kernels.py --bin BUILD/bin --net resnet50-v1 --precision f16 --sass --kernels
                                                                on tensor cores

Networks are those of examples/networks, with drawn weights, composed by the package in BUILD/python. No GPU is
needed. Of each kernel: at most 255 registers and 48 KiB of shared memory, 227 on wgmma (by TMA too); no stack, no spill to local memory, but for
kernels that call a reference kernel, whose loops keep indices on the stack. A kernel that is launched and that ptxas
does not report is a finding too, and so is a cubin of more than 3 MiB. With --all, and nvdisasm on the machine (or
--sass), kernels have no access to local memory in SASS either, and a column has the share of multiply-adds among the
instructions of the innermost loop with most of them, of the kernel where it is highest. The last line is
`N passed, N failed`, counted over kernels of a network and an architecture. Exit status: 0 none failed; 1 some; 77 where there is no NVRTC or no NumPy.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHITECTURES = ("80", "90a", "120")
#: Name, size (0: its own) and options of what each change compiles, in seconds, and of what a full run does.
SAMPLE = (("lenet", 0, {}), ("mobilenet-v2", 64, {}), ("lstm-fused", 5, {}), ("bert-base", 16, {"layers": 1}))
ALL = tuple((name, 0, {}) for name in ("lenet", "resnet18-v1", "resnet50-v1", "mobilenet-v2", "densenet121",
                                       "squeezenet1.0", "vgg16", "inception-v3", "bert-base", "lstm-fused"))
MOST_REGISTERS, MOST_SHARED, MOST_CODE = 255, 48 << 10, 3 << 20
MOST_OF_LAUNCH = 227 << 10  # of kernels on wgmma, which request it of the launch: a block's on sm_90
CODE = re.compile(r"^sm_\w+: cubin (\d+) bytes", re.M)
ROW = re.compile(r"^ *\d+  (?P<kernel>\S+) +(?:(?P<tile>\S+) +)?(?P<grid>[\dx]+) +(?P<threads>\d+) +(?P<registers>\d+) +"
                 r"(?P<shared>\d+) +(?P<stack>\d+) +(?P<spills>\d+) +(?P<blocks>\d+) +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+  ", re.M)
LAUNCHES = re.compile(r"^launches (\d+),", re.M)
SECTION = re.compile(r"^\.text\.(\w+):$(.*?)(?=^\s*\.section|\Z)", re.M | re.S)
PLACE = re.compile(r"^(?P<label>\.L_x_\d+):|/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\d+\s+)?(?P<word>[A-Z][\w.]*)(?P<rest>[^;]*);", re.M)
MULTIPLY_ADDS = ("FFMA", "HMMA", "HGMMA", "IMMA")
KERNEL = re.compile(r'^extern "C" __global__ void [^{;]*?(\w+)\((?=[^()]*\) \{$)', re.M)


def symc(options, *arguments):
    command = [os.path.join(options.bin, "symc"), *arguments]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)


def reference_kernels(source):
    """Names of the kernels in a source that call a reference kernel."""
    places = [(match.start(), match.group(1)) for match in KERNEL.finditer(source)]
    ends = [place for place, _ in places[1:]] + [len(source)]
    return {name for (begin, name), end in zip(places, ends) if "symc_ref_" in source[begin:end]}


def read_sass(text):
    """{kernel: (accesses to local memory, share of multiply-adds)} of a disassembly. The share is that of the innermost
    loop that has most of them, 0 without one."""
    kernels = {}
    for name, body in SECTION.findall(text):
        words, labels, loops = [], {}, []
        for place in PLACE.finditer(body):
            if place["label"]:
                labels[place["label"]] = len(words)
                continue
            words.append(place["word"].split(".")[0])
            target = re.search(r"\.L_x_\d+", place["rest"])
            if words[-1] == "BRA" and target and target.group() in labels:
                loops.append((labels[target.group()], len(words)))
        inner = [words[begin:end] for begin, end in loops
                 if not any((begin, end) != (b, e) and begin <= b and e <= end for b, e in loops)]
        count = {tuple(loop): sum(word in MULTIPLY_ADDS for word in loop) for loop in inner}
        most = max(count, key=count.get, default=())
        kernels[name] = sum(word in ("LDL", "STL") for word in words), count[most] / len(most) if most else 0
    return kernels


def complaints(row, reference):
    """What is wrong with a kernel, in words."""
    number = {key: int(row[key]) for key in ("threads", "registers", "shared", "stack", "spills", "blocks")}
    found = []
    if not number["registers"]:
        found.append("ptxas does not report it")
    if number["registers"] > MOST_REGISTERS:
        found.append("%d registers" % number["registers"])
    if number["shared"] > (MOST_OF_LAUNCH if (row["tile"] or "").startswith(("wgmma-", "tma-")) else MOST_SHARED):
        found.append("%d bytes of shared memory" % number["shared"])
    if not number["blocks"]:
        found.append("not one block fits a multiprocessor")
    if not reference:
        found += ["%d bytes of %s" % (number[what], what) for what in ("stack", "spills") if number[what]]
    return found


class Judge:
    def __init__(self, options):
        self.options, self.passed, self.failed = options, 0, 0

    def network(self, name, size, options, architectures, work):
        import catalog
        symbol, shapes = catalog.compose(name, size or None, **options)
        file = os.path.join(work, "net-symbol.json")
        symbol.save(file)
        given = [file, "--random-weights", "--target", "cuda", "--precision", self.options.precision]
        if self.options.tile:
            given += ["--force-kernel", self.options.tile]
        for argument, shape in shapes.items():
            given += ["--shape", "%s=%s" % (argument, ",".join(map(str, shape)))]
        for architecture in architectures:
            self.compile(name, architecture, given + ["--cuda-archs", architecture], work)

    def compile(self, name, architecture, given, work):
        source = symc(self.options, *given, "--emit=cuda")
        begun = time.monotonic()
        done = symc(self.options, *given, "-c", "--report", "-o", os.path.join(work, "net.o"))
        seconds = time.monotonic() - begun
        rows, launches = list(ROW.finditer(done.stdout)), LAUNCHES.search(done.stdout)
        code = CODE.search(done.stdout)
        if source.returncode or done.returncode or not launches or not code or int(launches.group(1)) != len(rows):
            sys.exit("cuda_kernels.py: error: %s for sm_%s: %s" % (
                name, architecture, (source.stderr + done.stderr).strip() or "%d lines of launches" % len(rows)))
        reference = reference_kernels(source.stdout)
        kernels = {row["kernel"]: row for row in rows}
        wrong = {kernel: found for kernel, row in kernels.items() if (found := complaints(row, kernel in reference))}
        shares = self.disassemble(given, set(kernels) - reference, wrong) if self.options.sass else {}
        share = "%.0f %%" % (100 * max(shares.values())) if shares else "-"

        def most(key, of):
            return max((int(row[key]) for kernel, row in kernels.items() if (kernel in reference) == of), default=0)
        print("%-14s %-7s %8d %7d %9d %9d %9d %5d %6d %15d %13s %9d %7.1f" % (
            name, "sm_" + architecture, len(rows), len(kernels), len(reference & set(kernels)), most("registers", False),
            most("shared", False), most("stack", False), most("spills", False), most("stack", True), share, int(code.group(1)) >> 10,
            seconds), flush=True)
        if self.options.kernels:
            for kernel, row in kernels.items():
                print("  %-44s %-16s %7s threads %4s registers %6s shared %5s stack %5s spills%s%s" % (
                    kernel, row["tile"] or "", row["threads"], row["registers"], row["shared"], row["stack"], row["spills"],
                    " %3.0f %% multiply-adds" % (100 * shares[kernel]) if kernel in shares else "",
                    " (calls a reference kernel)" * (kernel in reference)))
        if int(code.group(1)) > MOST_CODE:
            wrong["(all)"] = ["%s bytes of code" % code.group(1)]
        for kernel, found in wrong.items():
            print("FAIL %s for sm_%s: kernel %s: %s" % (name, architecture, kernel, ", ".join(found)))
        self.passed += len(kernels) - len(set(wrong) & set(kernels))
        self.failed += len(wrong)

    def disassemble(self, given, inner, wrong):
        """Adds to `wrong`; {kernel: share of multiply-adds in a loop}."""
        shown = symc(self.options, *given, "--emit=sass")
        found = read_sass(shown.stdout)
        if shown.returncode or not inner <= set(found):
            sys.exit("cuda_kernels.py: error: no SASS of %s: %s" % (", ".join(inner - set(found)), shown.stderr.strip()))
        for kernel in inner:
            if found[kernel][0]:
                wrong.setdefault(kernel, []).append("%d accesses to local memory in SASS" % found[kernel][0])
        return {kernel: found[kernel][1] for kernel in inner}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--bin", required=True, help="folder of symc")
    add("--all", action="store_true", help="all networks, for all architectures")
    add("--net", action="append", metavar="NAME[:SIZE]", help="this network (repeatable)")
    add("--archs", help="architectures, separated by commas")
    add("--precision", default="f32", help="of products and convolutions, as symc takes it")
    add("--tile", help="of convolutions and products, as symc --force-kernel takes it")
    add("--sass", action="store_true", help="look at SASS, which needs nvdisasm (with --all where it is there)")
    add("--kernels", action="store_true", help="a line for each kernel")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    if not os.path.exists(os.path.join(options.bin, "symc")):
        parser.error("no symc in '%s'" % options.bin)
    return options


def has_nvdisasm():
    return bool(os.environ.get("SYMC_NVDISASM") or shutil.which("nvdisasm") or glob.glob("/usr/local/cuda*/bin/nvdisasm"))


def main():
    options = parse()
    listed = symc(options, "--list-archs")
    if listed.returncode:
        print("skipped: " + listed.stderr.strip().replace("symc: error: ", ""))
        return 77
    known = listed.stdout.split()
    sys.path[:0] = [os.path.join(options.bin, os.pardir, "python"), os.path.join(HERE, os.pardir, os.pardir, os.pardir, "examples", "networks")]
    try:
        import numpy  # noqa: F401 pylint: disable=unused-import
    except ImportError:
        print("skipped: this Python has no NumPy")
        return 77
    wanted = options.archs.split(",") if options.archs else ARCHITECTURES if options.all else ARCHITECTURES[:1]
    architectures = [name for name in wanted if name in known]
    if len(architectures) < len(wanted):
        print("left out, since this NVRTC has none of it: " + " ".join(set(wanted) - set(architectures)))
    nets = ALL if options.all else SAMPLE
    if options.net:
        nets = [(name, int(size or 0), {}) for name, _, size in (net.partition(":") for net in options.net)]
    print("%-14s %-7s %8s %7s %9s %9s %9s %5s %6s %15s %13s %9s %7s" % (
        "network", "", "launches", "kernels", "reference", "registers", "shared", "stack", "spills", "reference stack",
        "multiply-adds", "code, KiB", "seconds"))
    judge = Judge(options)
    options.sass |= options.all and has_nvdisasm()
    with tempfile.TemporaryDirectory() as work:
        os.environ["SYMC_CACHE_DIR"] = os.path.join(work, "cache")  # nothing of an earlier run, nothing left behind
        for name, size, given in nets:
            judge.network(name, size, given, architectures, work)
    print("%d passed, %d failed" % (judge.passed, judge.failed))
    return 1 if judge.failed else 0


if __name__ == "__main__":
    sys.exit(main())

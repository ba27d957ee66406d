"""launches.py BUILD NETWORKS NAME...: compiles networks of a folder by a library of NVRTC's that compiles nothing, runs
them on a driver that runs nothing (test/unit/runtime/fake_cuda.h), and looks at what a run asked for: the launches of
the report, in order, with grids and blocks that a device takes and with addresses of memory that was allocated."""
import itertools
import os
import re
import subprocess
import sys

build, networks, *names = sys.argv[1:]
sys.path[:0] = [os.path.join(build, "python"), networks]
import catalog

FIRST_ADDRESS = 0xD << 44  # of the driver's memory, in pages one behind the other
LAUNCH = re.compile(r"cuLaunchKernel (\w+) grid ([\d ]+) block ([\d ]+) shared \d+ stream 0 arguments([\d ]+)")
ROW = re.compile(r"^ *\d+  (k\d+\S*) ", re.M)


def numbers(text):
    return [int(word) for word in text.split()]


def call(command, **variables):
    return subprocess.run(command, env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True, check=True).stdout


def compile_network(name):
    """The kernels that a run starts, in order."""
    symbol, shapes = catalog.compose(name)
    symbol.save("net-symbol.json")
    command = [os.path.join(build, "bin", "symc"), "net-symbol.json", "--random-weights", "--target", "cuda",
               "--cuda-archs", "80", "--report", "-o", "./net"]
    for argument, shape in shapes.items():
        command += ["--shape", "%s=%s" % (argument, ",".join(map(str, shape)))]
    return ROW.findall(call(command, FAKE_NVRTC_IMAGES="1", SYMC_NVRTC=os.path.join(build, "test", "libsymc-fake-nvrtc.so")))


def run():
    """What the driver was asked, line by line; the driver itself tells what was not given back."""
    # Kernel by kernel: a graph of them is one call.
    call(["./net", "--bench", "1"], SYMC_CUDA_DRIVER=os.path.join(build, "unit", "libfake-cuda.so"), SYMC_FAKE_CUDA="log=log",
         SYMC_CUDA_GRAPHS="0")
    with open("log", encoding="utf-8") as file:
        lines = file.read().splitlines()
    os.remove("log")
    return lines


for name in names:
    expected, found, places, end = compile_network(name), [], [], FIRST_ADDRESS
    for line in run():
        if line.startswith("cuMemAlloc_v2 "):
            places.append(range(end, end + int(line.split()[1])))
            end += -(-len(places[-1]) // 4096) * 4096
        launch = LAUNCH.match(line)
        if not launch:
            assert not line.startswith("cuLaunchKernel"), line
            continue
        found.append(launch[1])
        grid, block, arguments = map(numbers, launch.groups()[1:])
        assert 1 <= grid[0] < 1 << 31 and max(grid[1:]) <= 65535 and min(grid) >= 1, line
        assert 1 <= block[0] <= 1024 and block[1:] == [1, 1], line
        for value in arguments:
            assert value < FIRST_ADDRESS or any(value in place for place in places), "%d of %s" % (value, line)
    # One launch starts a kernel once, or in rounds: a recurrent layer's time steps. The first run is not timed.
    started, rows = ([kernel for kernel, _ in itertools.groupby(kernels)] for kernels in (found, expected))
    runs = len(started) // len(rows)
    assert runs and started == rows * runs, "%s\nexpected %s" % (found, expected)
    print("%s: %d launches, %d allocations" % (name, len(expected), len(places)))
    os.remove("net")

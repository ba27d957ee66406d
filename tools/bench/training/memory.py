"""What compare_training --memory measures of one net: the arena of symc's training program beside the
bytes that MXNet plans, the resident memory of a trainer that takes steps, and how long a step
takes where --recompute has to halve the arena.

Resident is the most that the process had, without parameters, states and two batches: the arena,
gradients of parameters, code and what a process has anyway. MXNet's plan holds no gradients of
parameters; what they took here stands in a column of its own.
"""
import os
import re
import struct
import subprocess
import sys
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
MIB = float(2**20)
HEADER = ("| net | arena, MiB | MXNet's plan | ratio | resident | gradients | ratio without | half, arena | time |\n"
          "|---|---|---|---|---|---|---|---|---|")


def run(command, what):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        raise RuntimeError("%s: %s" % (what, result.stdout.strip()[-600:]))
    return result.stdout


def compile_trainer(options, net, name, *more):
    """The path of a program, and the bytes of its largest arena."""
    path = os.path.join(options.work, net.name + name)
    command = [os.path.join(options.bin, "symc"), "train", os.path.join(options.work, net.name + "-symbol.json"),
               "--shape", "data=" + ",".join(map(str, net.data)), "--shape", "softmax_label=" + ",".join(map(str, net.label)),
               "--optimizer", "sgd,learning_rate=%g" % net.rate, "--report", "-o", path] + list(more)
    if options.target_cpu:
        command += ["--target-cpu", options.target_cpu]
    report = run(command, "symc")
    return path, max(int(bytes) for bytes in re.findall(r"arena (\d+) bytes", report))


def milliseconds(program, steps):
    return float(re.search(r"min ([0-9.]+) ms", run([program, "--bench", str(steps), "--threads", "1"], program)).group(1))


def resident(program, steps):
    """The most bytes that a process of so many steps had, by what the kernel reports of it until it ends, and those of gradients."""
    process = subprocess.Popen([program, "--bench", str(steps), "--threads", "1"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    most = 0
    while process.poll() is None:
        with open("/proc/%d/status" % process.pid) as file:
            found = re.search(r"VmHWM:\s+(\d+) kB", file.read())
        most = int(found.group(1)) * 1024 if found and os.readlink("/proc/%d/exe" % process.pid) == os.path.realpath(program) else most
        time.sleep(0.01)
    printed = process.stdout.read()
    if process.returncode:
        raise RuntimeError("%s: %s" % (program, printed.strip()[-300:]))
    return most, float(re.search(r"gradients took ([0-9.]+) MB", printed).group(1)) * 1e6


def array_bytes(path):
    """By name those of the arrays of a .npz."""
    sizes = {}
    with zipfile.ZipFile(path) as file:
        for entry in file.infolist():
            with file.open(entry) as array:
                header = 10 + struct.unpack("<H", array.read(10)[8:])[0]
            sizes[entry.filename[:-len(".npy")]] = entry.file_size - header
    return sizes


def measure(options, net):
    """The row of a net as a dict, all bytes in MiB."""
    plan = int(run([options.mxnet_python, os.path.join(HERE, "plan.py"), net.name], "MXNet").strip().splitlines()[-1])
    program, arena = compile_trainer(options, net, ".plain")
    halved, half = compile_trainer(options, net, ".half", "--recompute=%d" % (arena // 2))
    sizes = array_bytes(os.path.join(options.work, net.name + ".npz"))
    held = sum(sizes.values()) + sizes["data"] + sizes["label"]
    times = [(milliseconds(program, options.steps), milliseconds(halved, options.steps)) for _ in range(options.runs)]
    plain, again = map(min, zip(*times))
    most, gradients = resident(program, max(options.steps, int(1000 / plain)))
    rest = most - held
    return {"net": net.name, "arena": arena / MIB, "plan": plan / MIB, "resident": rest / MIB, "gradients": gradients / MIB,
            "half": half / MIB, "time": again / plain}


def row(found):
    return "| %s | %.2f | %.2f | %.2f | %.1f | %.1f | %.2f | %.2f | %.2f |" % (
        found["net"], found["arena"], found["plan"], found["arena"] / found["plan"], found["resident"], found["gradients"],
        (found["resident"] - found["gradients"]) / found["plan"], found["half"], found["time"])


def table(options, chosen, prepare):
    """Prints the table; returns the exit status."""
    print(HEADER, flush=True)
    status = 0
    for net in chosen:
        try:
            prepare(options, net)
            print(row(measure(options, net)), flush=True)
        except (RuntimeError, subprocess.CalledProcessError) as error:
            print("compare_training: error: %s: %s" % (net.name, error), file=sys.stderr)
            status = 1
    return status

"""faults.py BUILD [--all]: lets every allocation and every I/O call of a compiled program and of
symc fail once in turn (shim.cpp), and kills them after each, and looks at what is left.

What must hold: a run ends with status 0 and the right outputs, or with a documented status and a
sentence; never by a signal, never in silence, never late. Each output is the old one or the new
one, whole, and nothing lies beside it, but after SIGKILL. A program frees what it took, as often
as without a fault. Of symc's calls, which are many, a sample is taken, with --all a larger one of allocations and all
of its I/O."""
import argparse
import errno
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

KINDS = [str(errno.EIO), str(errno.ENOSPC), str(errno.EINTR), "short", "kill"]
SECONDS = 60


def write_npy(path, count):
    text = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % count
    text += " " * (63 - (10 + len(text)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + bytes(4 * count))


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Scene:
    """A command, the files that it writes and what they hold before and after."""

    def __init__(self, name, shim, folder, command, outputs, statuses, leaks, environment=None):
        self.name, self.shim, self.folder, self.command = name, shim, folder, command
        self.outputs, self.statuses, self.leaks = outputs, statuses, leaks
        self.environment = dict(os.environ, **(environment or {}))
        self.runs, self.problems = 0, []
        self.reset()
        result = self.run("")
        if result.returncode:
            sys.exit("%s: fails without a fault: %s" % (name, result.stderr.decode()))
        self.new = {path: read(self.path(path)) for path in outputs}
        self.stdout = result.stdout
        self.entries = self.list()
        self.allocations, self.calls, self.live = self.log()

    def path(self, name):
        return os.path.join(self.folder, name)

    def list(self):
        return sorted(os.path.relpath(os.path.join(at, name), self.folder)
                      for at, _, names in os.walk(self.folder) for name in names)

    def log(self):
        return [int(word) for word in read(self.folder + ".log").split()]

    def reset(self):
        for path in self.outputs:
            with open(self.path(path), "wb") as file:
                file.write(b"old")

    def run(self, fault):
        if os.path.exists(self.folder + ".log"):
            os.unlink(self.folder + ".log")
        self.runs += 1
        environment = dict(self.environment, LD_PRELOAD=self.shim, SYMC_FAULT=fault,
                           SYMC_FAULT_LOG=self.folder + ".log")
        return subprocess.run(self.command, cwd=self.folder, env=environment, capture_output=True, timeout=SECONDS)

    def check(self, fault):
        """What is wrong after a run with a fault, or nothing."""
        killed = fault.endswith("kill")
        self.reset()
        try:
            result = self.run(fault)
        except subprocess.TimeoutExpired:
            return "does not end"
        left = [name for name in self.list() if name not in self.entries]
        for name in left:
            os.unlink(self.path(name))
        if left and not killed:
            return "leaves " + ", ".join(left)
        states = {name: read(self.path(name)) for name in self.outputs}
        for name, bytes_ in states.items():
            if bytes_ not in (b"old", self.new[name]):
                return "leaves half of " + name
        if killed:
            return ""
        text = result.stderr.decode(errors="replace")
        if result.returncode < 0:
            return "ends by signal %d: %s" % (-result.returncode, text[-300:])
        if result.returncode == 0:
            wrong = [name for name in states if states[name] != self.new[name]]
            return "ends with 0 without " + ", ".join(wrong) if wrong or result.stdout != self.stdout else ""
        if result.returncode not in self.statuses:
            return "ends with status %d" % result.returncode
        if "error: " not in text:
            return "ends with status %d and no sentence: %s" % (result.returncode, text[-300:])
        # The C library's sentence, where it aborts, ends so too.
        if self.name == "symc" and fault.startswith("alloc") and "out of memory\n" not in text:
            return "does not say that memory ran out: " + text[-300:]
        if self.leaks and self.log()[2] > self.live:
            return "leaks %d blocks: %s" % (self.log()[2] - self.live, text)
        return ""

    def walk(self, allocations, calls):
        """At most so many of both, spread over the run; of I/O calls for each kind."""
        def numbers(count, most):
            return range(1, count + 1, max(1, -(-count // most)))
        # Of symc's, more where its tables are made, before it reads anything.
        early = range(1, min(self.allocations, 4000), 25) if self.name == "symc" else ()
        faults = ["alloc:%d:0" % i for i in sorted({*numbers(self.allocations, allocations), *early})]
        for kind in KINDS:
            faults += ["io:%d:%s" % (i, kind) for i in numbers(self.calls, calls)]
        for fault in faults:
            problem = self.check(fault)
            if problem:
                self.problems.append("%s: %s: %s" % (self.name, fault, problem))
                print(self.problems[-1], flush=True)
        print("%s: %d allocations, %d I/O calls, %d runs, %d problems"
              % (self.name, self.allocations, self.calls, self.runs, len(self.problems)), flush=True)
        return len(self.problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="the build folder")
    parser.add_argument("--all", action="store_true", help="take a larger sample")
    parser.add_argument("--scene", help="only the scene of this name")
    arguments = parser.parse_args()
    shim = os.path.join(arguments.build, "test", "libsymc-fault-shim.so")
    symc = os.path.join(arguments.build, "bin", "symc")
    work = tempfile.mkdtemp()
    nodes = [{"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "w", "inputs": []},
             {"op": "FullyConnected", "name": "fc", "inputs": [[0, 0, 0], [1, 0, 0]],
              "attrs": {"num_hidden": "40", "no_bias": "True", "flatten": "False"}},
             {"op": "exp", "name": "e", "inputs": [[0, 0, 0]]}]
    graph = {"nodes": nodes, "arg_nodes": [0, 1], "heads": [[2, 0, 0], [3, 0, 0]]}

    def folder(name):
        path = os.path.join(work, name)
        os.makedirs(path)
        with open(os.path.join(path, "net-symbol.json"), "w") as file:
            json.dump(graph, file)
        write_npy(os.path.join(path, "x.npy"), 30)
        return path

    # A classifier whose training writes a checkpoint.
    nodes = [{"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "fc_weight", "inputs": []},
             {"op": "null", "name": "fc_bias", "inputs": []},
             {"op": "FullyConnected", "name": "fc", "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "attrs": {"num_hidden": "3"}},
             {"op": "null", "name": "softmax_label", "inputs": []},
             {"op": "SoftmaxOutput", "name": "softmax", "inputs": [[3, 0, 0], [4, 0, 0]]}]
    trainer = os.path.join(work, "trainer")
    os.makedirs(trainer)
    with open(os.path.join(trainer, "net-symbol.json"), "w") as file:
        json.dump({"nodes": nodes, "arg_nodes": [0, 1, 2, 4], "heads": [[5, 0, 0]]}, file)
    with open(os.path.join(trainer, "rows.libsvm"), "w") as file:
        file.writelines("%d 0:%d 1:%d\n" % (i % 3, i % 5, i % 7) for i in range(40))

    compile_ = [symc, "net-symbol.json", "--random-weights", "--shape", "data=30", "--weights=file"]
    program = folder("program")
    subprocess.run(compile_ + ["-dynamic", "-o", "net"], cwd=program, check=True)
    os.makedirs(os.path.join(program, "out"))
    subprocess.run([symc, "train", "net-symbol.json", "--shape", "data=8,4", "-dynamic", "-o", "net"], cwd=trainer,
                   check=True)
    train = ["./net", "--data-train", "rows.libsvm", "--data-val", "rows.libsvm", "--num-epochs", "1", "--model-prefix",
             "out/net", "--log", "log", "--plot", "out/curve.svg"]
    os.makedirs(os.path.join(trainer, "out"))
    checkpoint = ["out/net-symbol.json", "out/net-0001.params", "out/net-0001.state", "out/net-0001.manifest",
                  "out/curve.svg"]
    scenes = [
        ("trainer", trainer, train, checkpoint, (1, 2, 3, 4), True, None, (1000, 1000)),
        ("files", program, ["./net", "--input", "data=x.npy", "--output-dir", "out", "--threads", "2"],
         ["out/fc_output.npy", "out/e_output.npy"], (1, 2, 3, 4), True, None, (1000, 1000)),
        ("text", program, ["./net", "x.npy"], [], (1, 2, 3, 4), True, None, (1000, 1000)),
        ("map", program, ["./net", "x.npy"], [], (1, 2, 3, 4), True, {"SYMC_MAP_WEIGHTS": "1"}, (1000, 1000)),
        ("symc", folder("symc"), compile_ + ["-o", "net", "--header", "net.h", "-MD"],
         ["net", "net.weights", "net.h", "net.d"], (1, 2, 3), False, None, (1500, 1000) if arguments.all else (12, 20)),
    ]
    problems = 0
    for name, path, command, outputs, statuses, leaks, environment, most in scenes:
        if arguments.scene in (None, name):
            problems += Scene(name, shim, path, command, outputs, statuses, leaks, environment).walk(*most)
    shutil.rmtree(work)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

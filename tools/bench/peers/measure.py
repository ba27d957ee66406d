"""Measures one row of compare_peers: prepares its files, compiles it, and lets
every runtime run in a process of its own, one after the other, several rounds.

A worker that is not measured is stopped (SIGSTOP), so that its waiting threads
take nothing from the others. A run's time is the minimum over its rounds; the
row's ratio is the median over the runs of peer minimum / symc minimum.
"""
import hashlib
import json
import os
import re
import signal
import statistics
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.join(HERE, "..", "..", "scripts")
sys.path.insert(0, os.path.join(SCRIPTS, "lib"))
import results
from compiled_model import execute


ONNX_SOURCES = ("published", "light", "torch", "drawn")  # of compare_onnx, whose models are ONNX files


class Settings:
    """What one run of compare_peers was requested to do; filled in by its command line."""
    bin = work = nets = models = ""
    target_cpu = math = precision = ""  # empty: symc's defaults
    mxnet_python = peers_python = torch_python = ""
    peers = results.PEERS
    runs, rounds, milliseconds = 3, 4, 200.0
    avx2 = cpu_time = copy_outputs = False


class Quiet:
    """Checks whether nobody else uses the machine: multiply-adds a second of the moment,
    beside the most that were ever seen. Without the build's probe it always is."""
    ENOUGH = 0.94
    best = 0.0

    def __init__(self, settings):
        probe = os.path.join(settings.bin, "machine-probe")
        self.process = None
        if os.path.exists(probe):
            self.process = subprocess.Popen([probe, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def now(self):
        if not self.process:
            return 1.0
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        value = float(self.process.stdout.readline())
        Quiet.best = max(Quiet.best, value)
        return value / Quiet.best

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()


class Worker:
    def __init__(self, settings, runtime, model, threads, data):
        python = settings.mxnet_python if runtime == "mxnet" else settings.peers_python
        self.outputs = "%s/%s-outputs.npz" % (settings.work, runtime)
        self.command = [python, os.path.join(HERE, "worker.py"), runtime, model, "--threads", str(threads),
                        "--data", data, "--outputs", self.outputs] + ["--cpu-time"] * settings.cpu_time + ["--copy-outputs"] * settings.copy_outputs
        self.variables = {"OMP_NUM_THREADS": str(threads)}
        if settings.avx2 and runtime in ("openvino", "openvino-own", "mxnet"):
            self.variables["ONEDNN_MAX_CPU_ISA"] = "AVX2"
        if settings.avx2 and runtime == "openvino":
            self.variables["PEERS_PROFILE"] = "1"
        self.log = open("%s/%s.log" % (settings.work, runtime), "w+")
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        stderr=self.log, env=dict(os.environ, **self.variables))
        self.about = json.loads(self.answer(runtime))
        self.process.send_signal(signal.SIGSTOP)

    def answer(self, what):
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            self.log.seek(0)
            lines = self.log.read().strip().splitlines()
            raise RuntimeError("%s ended: %s" % (what, lines[-1][-300:] if lines else "no message"))
        return line

    def fastest(self, runs, milliseconds):
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.write("%d %f\n" % (runs, milliseconds))
        self.process.stdin.flush()
        value = float(self.answer("a worker"))
        self.process.send_signal(signal.SIGSTOP)
        return value

    def end(self):
        self.process.kill()
        self.process.wait()
        self.log.close()


def files_of(settings, row):
    """Symbol and parameters of a row; the zoo's nets are exported where they are missing."""
    if row.source == "zoo":
        prefix = os.path.join(settings.nets, row.model)
        if not os.path.exists(prefix + "-0000.params"):
            os.makedirs(settings.nets, exist_ok=True)
            subprocess.run([settings.mxnet_python, os.path.join(SCRIPTS, "oracles", "export_nets.py"), settings.nets,
                            "--net", row.model], check=True, stdout=subprocess.DEVNULL)
        return prefix + "-symbol.json", prefix + "-0000.params"
    if not settings.models:
        raise RuntimeError("no folder of public models; pass --models DIR")
    found = sorted(name for name in os.listdir(settings.models)
                   if re.fullmatch(re.escape(row.model) + r"-\d{4}\.params", name))
    if not found:
        raise RuntimeError("no file %s-NNNN.params in %s" % (row.model, settings.models))
    return (os.path.join(settings.models, row.model + "-symbol.json"), os.path.join(settings.models, found[-1]))


def export(settings, row):
    """Inputs, MXNet's outputs and the ONNX file; returns their prefix."""
    prefix = os.path.join(settings.work, row.name)
    onnx = os.path.join(HERE, "..", "onnx_models")
    if row.source in ONNX_SOURCES:
        if not os.path.exists(prefix + "-io.npz"):
            if row.source == "torch":
                command = [settings.torch_python, os.path.join(onnx, "export_torch.py"), row.model, prefix, "--exporter", row.exporter]
            elif row.source == "drawn":
                command = [settings.peers_python, os.path.join(onnx, "draw_transformers.py"), row.name, prefix]
            else:
                command = [settings.peers_python, os.path.join(onnx, "answers.py"), row.name, prefix, settings.models]
            result = execute(command)
            if result.status:
                raise RuntimeError("export of %s: %s" % (row.name, result.output[-600:]))
    elif not any(os.path.exists(prefix + end) for end in (".onnx", ".onnx.txt")):
        if row.source == "gluoncv":
            command = [os.path.join(HERE, "..", "zoo", "export_net.py"), row.model, prefix]
        elif row.source in ("recurrent", "bert"):
            command = [os.path.join(HERE, "export_%s.py" % row.source), row.model, prefix]
        elif row.source == "int8":
            command = [os.path.join(HERE, "export_int8.py"),
                       os.path.join(settings.models, row.model + "-symbol.json"), prefix]
        else:
            command = [os.path.join(HERE, "export.py"), *files_of(settings, row), prefix]
        if row.source != "gluoncv":
            command += ["--shape", ",".join(map(str, row.shape))]
        result = execute([settings.mxnet_python, *command])
        if result.status:
            raise RuntimeError("export of %s: %s" % (row.name, result.output[-600:]))
    return prefix


def library_code_bytes(path):
    result = execute(["size", "-A", path])
    return sum(int(size) for size in re.findall(r"^\.text\S*\s+(\d+)", result.output, re.M))


def compile_row(settings, row, prefix):
    """Compiles to a shared library; kept while symc and the command stay the same."""
    tool = os.path.join(settings.bin, "symc")
    with np.load(prefix + "-io.npz") as io:
        shapes = {name[3:]: ",".join(map(str, io[name].shape)) for name in io.files if name.startswith("in:")}
    values = row.values if row.source in ONNX_SOURCES else {}
    sizes, grow = (row.sizes, row.grow) if row.source in ONNX_SOURCES else ({}, {})
    flags = [word for name, shape in shapes.items() if shape and name not in values and not sizes for word in ("--shape", name + "=" + shape)]
    flags += [word for name, size in sizes.items() for word in ("--size", name + "=" + size)]
    flags += [word for name, (axis, rows) in grow.items() for word in ("--grow", "%s=%d:%d" % (name, axis, rows))]
    flags += [word for name, value in values.items() for word in ("--value", name + "=" + value)] + ["-shared", "--report"]
    target = settings.target_cpu
    if row.source == "int8" and target in ("", "x86-64-v4"):
        target = "x86-64-v4+vnni"  # what the peers find by themselves
    if target:
        flags += ["--target-cpu", target]
    if settings.math:
        flags += ["--math", settings.math]
    if settings.precision:
        flags += ["--precision", settings.precision]
    files = [prefix + ".onnx"] if row.source in ONNX_SOURCES else [prefix + "-symbol.json", prefix + "-0000.params"]
    command = [tool] + files + flags
    stat = os.stat(tool)
    key = hashlib.sha256(repr((command, stat.st_mtime_ns, stat.st_size)).encode()).hexdigest()[:12]
    library, stamp = "%s-%s.so" % (prefix, key), "%s-%s.json" % (prefix, key)
    if os.path.exists(stamp):
        with open(stamp) as file:
            return library, json.load(file)
    result = execute(command + ["-o", library])
    if result.status:
        raise RuntimeError("symc: %s" % result.output[-800:])
    facts = {"command": " ".join(["symc"] + list(map(os.path.basename, files)) + flags),
             "seconds": result.seconds, "peak_bytes": result.peak_bytes,
             "code_bytes": library_code_bytes(library)}
    total = re.search(r"steps (\d+), ([\d.]+) GFLOP, arena (\d+) bytes, prepared weights (\d+) bytes", result.output)
    live = re.search(r"largest sum of live buffers (\d+) bytes", result.output)
    slow = re.search(r"^reference code: \d+ steps?, about (\d+) %", result.output, re.M)
    facts["reference_percent"] = int(slow.group(1)) if slow else 0
    if total:
        facts.update(steps=int(total.group(1)), gflop=float(total.group(2)), arena_bytes=int(total.group(3)),
                     weights_bytes=int(total.group(4)))
    if live:
        facts["live_bytes"] = int(live.group(1))
    with open(stamp, "w") as file:
        json.dump(facts, file)
    return library, facts


def error_of(outputs, wanted):
    """The largest max|x-y| / max|y| over the outputs; infinite where they do not fit."""
    worst = 0.0
    with np.load(outputs) as file:
        if len(file.files) < len(wanted):
            return float("inf")
        for index, y in enumerate(wanted):
            x = file["arr_%d" % index]
            if x.size != y.size or not np.isfinite(x).all():
                return float("inf")
            worst = max(worst, float(np.abs(x.reshape(y.shape) - y).max() / max(float(np.abs(y).max()), 1e-30)))
    return worst


def same_class(outputs, wanted):
    """Whether the greatest element of each row is where MXNet has it."""
    with np.load(outputs) as file:
        return (file["arr_0"].reshape(wanted[0].shape).argmax(-1) == wanted[0].argmax(-1)).all()


def avx512_share(worker):
    """The part of the kernels' time that those of AVX-512 took."""
    kernels = worker.about.get("kernels", {})
    wide = sum(time for kind, time in kernels.items() if "avx512" in kind)
    return wide / max(sum(kernels.values()), 1e-9)


def one_run(settings, workers, quiet):
    """The minimum of each worker over the rounds. A round that the probe finds disturbed
    is done again, as often as there are rounds; `disturbed` counts those that remain."""
    best, spare, disturbed, done = dict.fromkeys(workers, float("inf")), settings.rounds, 0, 0
    while done < settings.rounds:
        calm = quiet.now()
        for runtime, worker in workers.items():
            best[runtime] = min(best[runtime], worker.fastest(1, settings.milliseconds))
        if settings.cpu_time or min(calm, quiet.now()) >= Quiet.ENOUGH:
            done += 1
        elif spare:
            spare -= 1
        else:
            done, disturbed = done + 1, disturbed + 1
    return dict(best, disturbed=disturbed)


def measure(settings, row, threads, judge=error_of):
    """Measures a row; returns a dictionary for the JSON file. `judge` returns how far outputs in a
    file are from those that are wanted."""
    prefix = export(settings, row)
    library, facts = compile_row(settings, row, prefix)
    models = {"symc": library, "mxnet": prefix}
    if os.path.exists(prefix + ".onnx"):
        models.update(dict.fromkeys(("openvino", "openvino-own", "onnxruntime"), prefix + ".onnx"))
    data = prefix + "-io.npz"
    with np.load(data) as io:
        wanted = [io["out:%d" % i] for i in range(sum(name.startswith("out:") for name in io.files))]
    workers, problems, quiet = {}, [], Quiet(settings)
    try:
        for runtime in ("symc",) + tuple(peer for peer in settings.peers if peer in models):
            try:
                workers[runtime] = Worker(settings, runtime, models[runtime], threads, data)
            except RuntimeError as problem:
                if runtime == "symc":
                    raise
                problems.append(str(problem)[:200])
        own = workers.get("openvino-own")
        if own and "openvino" in workers and own.about["precision"] == workers["openvino"].about["precision"]:
            workers.pop("openvino-own").end()  # the same program
        errors = {runtime: judge(worker.outputs, wanted) for runtime, worker in workers.items()}
        if row.source == "int8":  # scales differ in the last place: the class counts
            wrong = [runtime for runtime, worker in workers.items() if not same_class(worker.outputs, wanted)]
        else:
            precisions = {runtime: worker.about.get("precision", "f32") for runtime, worker in workers.items()}
            precisions["symc"] = settings.precision or "f32"
            wrong = results.wrong(errors, precisions)
        runs = [one_run(settings, workers, quiet) for _ in range(settings.runs)]
        if settings.avx2 and "openvino" in workers and avx512_share(workers["openvino"]) > 0:
            problems.append("openvino spent %.1f %% of its time in AVX-512 kernels in spite of ONEDNN_MAX_CPU_ISA=AVX2"
                            % (100 * avx512_share(workers["openvino"])))
        abouts = {runtime: worker.about for runtime, worker in workers.items()}
        variables = {runtime: worker.variables for runtime, worker in workers.items()}
    finally:
        for worker in workers.values():
            worker.end()
        quiet.end()
    disturbed = sum(run.pop("disturbed") for run in runs)
    if disturbed:
        problems.append("%d of %d rounds on a busy machine" % (disturbed, settings.runs * settings.rounds))
    for runtime in workers:
        spread = max(run[runtime] for run in runs) / min(run[runtime] for run in runs)
        if spread > 1.1:
            problems.append("minima of %s vary by %.0f %% between runs" % (runtime, 100 * (spread - 1)))
    ratios = {runtime: statistics.median(run[runtime] / run["symc"] for run in runs)
              for runtime in workers if runtime != "symc"}
    return {"row": row.name, "batch": row.batch, "threads": threads, "ratios": ratios, "errors": errors, "wrong": wrong, "runs": runs,
            "ms": {runtime: min(run[runtime] for run in runs) for runtime in workers},
            "compile": facts, "problems": problems, "about": abouts, "environment": variables}


def machine(settings):
    """Peak and bandwidths, measured where the build has its probe."""
    answer = {"cpu": "unknown"}
    with open("/proc/cpuinfo") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "cpu family", "model", "stepping"):
                answer.setdefault("model number" if name.strip() == "model" else name.strip(), value.strip())
    answer["cpu"] = "%s (family %s, model %s, stepping %s)" % tuple(
        answer.pop(key, "?") for key in ("model name", "cpu family", "model number", "stepping"))
    answer["processors"] = os.cpu_count()
    probe = os.path.join(settings.bin, "machine-probe")
    if os.path.exists(probe):
        answer.update(json.loads(subprocess.run([probe], stdout=subprocess.PIPE, check=True, text=True).stdout))
    return answer

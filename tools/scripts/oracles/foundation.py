#!/usr/bin/env python3
"""The figures behind show-foundation, section by section.

Each section prints its figures; a figure with a bar is followed by "ok" or
"SHORT". Runs in the peers' environment of make-oracle-env (ONNX Runtime); MXNet
runs in its own. Exit status 0: no bar is missed and no section failed.
"""
import argparse
import filecmp
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import needs

needs.modules("numpy")
import numpy as np

import ndarray_file
from compiled_model import Symc, differs, execute, milliseconds

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
NETS = {"resnet50_v1": 224, "resnet18_v1": 224, "mobilenet_v2_1_0": 224, "squeezenet1_0": 224,
        "vgg16": 224, "densenet121": 224, "inceptionv3": 299}


class Report:
    def __init__(self):
        self.short = []

    def figure(self, met, text):
        """Prints a figure with its bar; `met` None means that there is no bar."""
        print("  %-6s %s" % ({True: "ok", False: "SHORT", None: ""}[met], text), flush=True)
        if met is False:
            self.short.append(text)


class Foundation:
    def __init__(self, options, work, report):
        self.options, self.work, self.report = options, work, report
        self.symc = Symc(options.bin, work)

    def case(self, name):
        with open(os.path.join(self.options.cases, "models", name, "case.json")) as file:
            return json.load(file)

    def model_files(self, name):
        return [os.path.join(self.options.models, name + "-symbol.json"),
                os.path.join(self.options.models, self.case(name)["params"])]

    def net_files(self, net):
        return [os.path.join(self.options.nets, net + "-symbol.json"),
                os.path.join(self.options.nets, net + "-0000.params")]

    def compile_net(self, net, *flags):
        shape = {"data": (1, 3, NETS[net], NETS[net])}
        path, result = self.symc.compile(self.net_files(net), shape, net, *flags)
        if result.status:
            raise RuntimeError("%s: %s" % (net, result.output[-1500:]))
        return path, result

    # Models with weights, against MXNet's stored outputs.
    def models(self):
        for name in sorted(os.listdir(os.path.join(self.options.cases, "models"))):
            case = self.case(name)
            files = self.model_files(name)
            if case["mxnet"] == "fails":
                _, result = self.symc.compile(files, {}, name)
                errors = len(re.findall(r"error:", result.output))
                self.report.figure(result.status > 0 and errors == 1,
                                   "%s: MXNet fails; symc: %s" % (name, result.output.strip().replace("\n", " | ")[:300]))
                continue
            saved = ndarray_file.load(os.path.join(self.options.cases, "models", name, "io.params"))
            program, result = self.symc.compile(files, case["shapes"], name)
            if result.status:
                self.report.figure(False, "%s: %s" % (name, result.output.strip()[:400]))
                continue
            inputs = {key[5:]: value for key, value in saved.items() if key.startswith("data:")}
            outputs, run = self.symc.run(program, inputs)
            wrong = run.output.strip()[:300] if run.status else None
            worst = 0.0
            for index, output in enumerate(case["outputs"]):
                wanted = saved["out:%d" % index]
                wrong = wrong or differs(outputs.get(output), wanted, case["rtol"], case["atol"])
                if output in outputs and outputs[output].shape == wanted.shape:
                    worst = max(worst, float(np.abs(outputs[output] - wanted).max()))
            self.report.figure(not wrong, "%s: %d outputs, largest difference %.2e%s"
                               % (name, len(case["outputs"]), worst, ", " + wrong if wrong else ""))

    # LeNet on the 10,000 test digits, beside MXNet.
    def digits(self):
        folder = os.path.join(self.options.data, "mnist")
        images = np.frombuffer(gzip.open(os.path.join(folder, "t10k-images-idx3-ubyte.gz")).read(), "u1", offset=16)
        labels = np.frombuffer(gzip.open(os.path.join(folder, "t10k-labels-idx1-ubyte.gz")).read(), "u1", offset=8)
        images = (images.reshape(-1, 1, 28, 28) / 255.0).astype(np.float32)
        files = self.model_files("lenet")
        program, result = self.symc.compile(files, {"data": (1000, 1, 28, 28)}, "lenet1000")
        if result.status:
            raise RuntimeError(result.output[-800:])
        answers = np.concatenate([self.symc.run(program, {"data": images[at:at + 1000]})[0]["softmax_output"].argmax(1)
                                  for at in range(0, len(images), 1000)])
        ours = int((answers == labels).sum())
        np.save(os.path.join(self.work, "images.npy"), images)
        script = ("import sys, numpy as np, mxnet as mx\n"
                  "s = mx.sym.load(sys.argv[1]); p = mx.nd.load(sys.argv[2]); x = np.load(sys.argv[3])\n"
                  "e = s.simple_bind(mx.cpu(), grad_req='null', data=(1000, 1, 28, 28))\n"
                  "e.copy_params_from({k[4:]: v for k, v in p.items()}, allow_extra_params=True)\n"
                  "y = [e.forward(is_train=False, data=mx.nd.array(x[i:i + 1000]))[0].asnumpy().argmax(1) for i in range(0, len(x), 1000)]\n"
                  "np.save(sys.argv[4], np.concatenate(y))\n")
        theirs_file = os.path.join(self.work, "theirs.npy")
        subprocess.run([self.options.oracle, "-c", script] + files + [os.path.join(self.work, "images.npy"), theirs_file],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        theirs_answers = np.load(theirs_file)
        theirs = int((theirs_answers == labels).sum())
        self.report.figure(ours == theirs, "LeNet on %d digits: %d right (%.2f %%), MXNet %d; %d answers differ"
                           % (len(labels), ours, 100.0 * ours / len(labels), theirs, int((answers != theirs_answers).sum())))

    # The seven nets: logits, compile time and memory.
    def nets(self):
        for net in NETS:
            try:
                program, result = self.compile_net(net)
            except RuntimeError as problem:
                self.report.figure(False, str(problem))
                continue
            with np.load(os.path.join(self.options.nets, net + "-io.npz")) as io:
                errors = []
                for index in range(3):
                    outputs, run = self.symc.run(program, {"data": io["data%d" % index]})
                    wanted = io["out%d" % index]
                    got = next(iter(outputs.values())) if run.status == 0 else np.full_like(wanted, np.nan)
                    errors.append(float(np.abs(got - wanted).max() / np.abs(wanted).max()))
            self.report.figure(max(errors) < 1e-4, "%s: max|x-y|/max|y| = %s (bar 1e-4); compiled in %.1f s, peak %.0f MB, weights %.0f MB"
                               % (net, " ".join("%.1e" % e for e in errors), result.seconds, result.peak_bytes / 1e6,
                                  os.path.getsize(self.net_files(net)[1]) / 1e6))

    def compile_time(self):
        times = [self.symc.compile(self.model_files("lenet"), {"data": (1, 1, 28, 28)}, "lenet1")[1].seconds for _ in range(3)]
        self.report.figure(min(times) < 0.5, "LeNet compiles in %.2f s (bar 0.5)" % min(times))
        results = [self.compile_net("resnet50_v1")[1] for _ in range(2)]
        seconds = min(result.seconds for result in results)
        self.report.figure(seconds < 8, "ResNet-50 compiles in %.1f s (bar 8)" % seconds)
        weights = os.path.getsize(self.net_files("resnet50_v1")[1])
        peak = results[0].peak_bytes
        self.report.figure(peak < weights + 400e6, "ResNet-50 compiles in %.0f MB (bar weights + 400 MB = %.0f)"
                           % (peak / 1e6, weights / 1e6 + 400))

    def cases(self):
        tool = os.path.join(self.options.bin, "symc-conformance")
        for folder, least in ((os.path.join(TOP, "test", "conformance"), 300), (self.options.cases, 350)):
            result = execute([tool, os.path.join(folder, "ops")], seconds=1800)
            match = re.findall(r"(\d+) passed, (\d+) failed", result.output)
            passed, failed = map(int, match[-1]) if match else (0, 0)
            self.report.figure(passed >= least and failed == 0 and result.status == 0,
                               "cases of %s: %d passed, %d failed (bar %d, none failing)"
                               % (os.path.relpath(folder, os.getcwd()), passed, failed, least))
            for line in result.output.splitlines()[-1:] if match else result.output.splitlines()[-5:]:
                print("         " + line)

    def symbols(self):
        """The unit tests over public symbols: lists, shapes and types against the facts."""
        folder = os.path.join(self.options.bin, os.pardir, "unit")
        ran = 0
        for program in sorted(os.listdir(folder)):
            path = os.path.join(folder, program)
            if not os.access(path, os.X_OK) or not os.path.isfile(path):
                continue
            if "Public" not in execute([path, "--gtest_list_tests"]).output:
                continue
            result = execute([path, "--gtest_filter=*Public*"], env=dict(
                os.environ, SYMC_CONFORMANCE_DIR=self.options.cases, SYMC_MODELS_DIR=self.options.models))
            match = re.search(r"\[  PASSED  \] (\d+) test", result.output)
            ran += int(match.group(1)) if match else 0
            self.report.figure(result.status == 0, "%s: %s public tests pass" % (program, match.group(1) if match else "no"))
            for line in result.output.splitlines():
                if not line.startswith("[") and not line.startswith("Note:") and line.strip():
                    print("         " + line[:400])
        self.report.figure(ran > 0, "%d tests over public symbols ran" % ran)

    def errors(self):
        result = execute([sys.executable, os.path.join(TOP, "tools", "scripts", "oracles", "run_errors.py"), self.options.bin,
                          os.path.join(self.options.cases, "errors"), "--oracle", self.options.oracle], seconds=3000)
        lines = result.output.strip().splitlines()
        self.report.figure(result.status == 0, lines[-1] if lines else "run_errors.py printed nothing")
        for line in lines[:-1]:
            print("         " + line[:300])

    # Speed against ONNX Runtime, alternating in one run.
    def speed(self):
        import onnxruntime
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        ratios = {}
        for net in NETS:
            program, _ = self.compile_net(net, "--target-cpu", "native")
            session = onnxruntime.InferenceSession(os.path.join(self.options.nets, net + ".onnx"), settings,
                                                   providers=["CPUExecutionProvider"])
            with np.load(os.path.join(self.options.nets, net + "-io.npz")) as io:
                feed = {session.get_inputs()[0].name: io["data0"]}
            ours, theirs = [], []
            for _ in range(self.options.rounds):
                theirs.append(min(self.timed(session, feed) for _ in range(4)))
                ours.append(milliseconds(program, 4))
            ratios[net] = min(ours) / min(theirs)
            bar = 1.5 if net == "resnet50_v1" else 3.0
            self.report.figure(ratios[net] <= bar, "%s: %.2f ms, ONNX Runtime %.2f ms, ratio %.2f (bar %.1f)"
                               % (net, min(ours), min(theirs), ratios[net], bar))
        mean = float(np.exp(np.mean(np.log(list(ratios.values())))))
        self.report.figure(mean <= 2.0, "geometric mean of the ratios %.2f (bar 2.0)" % mean)

    @staticmethod
    def timed(session, feed):
        import time
        start = time.perf_counter()
        session.run(None, feed)
        return (time.perf_counter() - start) * 1e3

    def threads(self):
        program, _ = self.compile_net("resnet50_v1", "--target-cpu", "native")
        one, two = [], []
        for _ in range(self.options.rounds):
            one.append(milliseconds(program, 4, "--threads", "1"))
            two.append(milliseconds(program, 4, "--threads", "2"))
        gain = min(one) / min(two)
        self.report.figure(gain >= 1.6, "ResNet-50: one thread %.1f ms, two %.1f ms, %.2f times as fast (bar 1.6)"
                           % (min(one), min(two), gain))
        with np.load(os.path.join(self.options.nets, "resnet50_v1-io.npz")) as io:
            results = [self.symc.run(program, {"data": io["data0"]}, "--threads", str(count))[0] for count in (1, 2, 3)]
        same = all(results[0] and all(np.array_equal(results[0][name], other[name]) for name in results[0]) for other in results[1:])
        self.report.figure(same, "ResNet-50: 1, 2 and 3 threads give the same bits")

    # One compiled det1 for a range of sizes against three fixed compilations;
    # Winograd is chosen for known sizes only, so both use direct convolutions.
    def sizes(self):
        files = self.model_files("det1")
        program, result = self.symc.compile(files, {"data": ("1..2", 3, "12..200", "12..200")}, "det1-any", "--force-kernel=direct")
        if result.status:
            self.report.figure(False, "det1 with sizes as values: %s" % result.output.strip()[:300])
            return
        rng = np.random.default_rng(5)
        for shape in ((1, 3, 24, 30), (1, 3, 100, 77), (2, 3, 61, 200)):
            data = rng.standard_normal(shape).astype(np.float32)
            fixed, _ = self.symc.compile(files, {"data": shape}, "det1-fixed", "--force-kernel=direct")
            (any_out, any_run), (fixed_out, _) = self.symc.run(program, {"data": data}), self.symc.run(fixed, {"data": data})
            same = any_run.status == 0 and fixed_out and all(np.array_equal(any_out[name], fixed_out[name]) for name in fixed_out)
            self.report.figure(bool(same), "det1 at %s: the bits of the fixed compilation%s"
                               % (shape, "" if any_run.status == 0 else "; " + any_run.output.strip()[:200]))

    def outputs(self):
        """What a file is: its size, what it needs, the same bytes each time."""
        files, shape = self.model_files("lenet"), {"data": (1, 1, 28, 28)}
        bare, result = self.symc.compile(files, shape, "lenet-bare", "--weights=file", "--no-images")
        size = os.path.getsize(bare) if result.status == 0 else 0
        self.report.figure(0 < size < 150e3, "LeNet executable without weights and image reader: %.1f kB (bar 150)%s"
                           % (size / 1e3, "" if size else " " + result.output.strip()[:200]))
        for name, flags in (("static executable", []), ("dynamic executable", ["-dynamic"]), ("shared library", ["-shared"])):
            path, result = self.symc.compile(files, shape, "lenet-" + name.split()[0] + (".so" if "shared" in name else ""), *flags)
            if result.status:
                self.report.figure(False, "%s: %s" % (name, result.output.strip()[:200]))
                continue
            needs = execute(["ldd", path]).output
            found = sorted(set(re.findall(r"^\s*(\S+?)(?:\.so\S*)? ", needs, re.M)))
            extra = [need for need in found if not re.match(r"(linux-vdso|libc|libm|/lib\S*ld-linux\S*|statically|not)$", need)
                     and "ld-linux" not in need]
            self.report.figure(not extra, "%s: %.1f kB, ldd: %s" % (name, os.path.getsize(path) / 1e3, " ".join(needs.split())[:200]))
        first, _ = self.symc.compile(files, shape, "again1")
        third = os.path.join(self.work, "elsewhere")
        os.makedirs(third, exist_ok=True)
        other, _ = Symc(self.options.bin, third).compile(files, shape, "again1")
        self.report.figure(os.path.exists(first) and os.path.exists(other) and filecmp.cmp(first, other, shallow=False),
                           "two compilations give the same bytes")

    SECTIONS = ("models", "digits", "nets", "compile_time", "cases", "symbols", "errors", "sizes", "outputs", "threads", "speed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models")
    parser.add_argument("cases")
    parser.add_argument("data")
    parser.add_argument("--nets", required=True)
    parser.add_argument("--oracle", required=True, help="a Python with MXNet")
    parser.add_argument("--bin", default=os.path.join(TOP, "build", "release", "bin"))
    parser.add_argument("--only", default="", help="sections, separated by commas: " + " ".join(Foundation.SECTIONS))
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    wanted = [name for name in options.only.split(",") if name] or Foundation.SECTIONS
    unknown = set(wanted) - set(Foundation.SECTIONS)
    if unknown:
        parser.error("no such section: %s" % ", ".join(sorted(unknown)))
    report = Report()
    work = tempfile.mkdtemp()
    try:
        foundation = Foundation(options, work, report)
        for name in wanted:
            print("== %s" % name.replace("_", " "), flush=True)
            try:
                getattr(foundation, name)()
            except Exception as problem:  # a broken section is a missed bar, not the end
                traceback.print_exc()
                report.figure(False, "%s: %s" % (name, problem))
    finally:
        shutil.rmtree(work)
    print("%d bars missed" % len(report.short))
    for text in report.short:
        print("  " + text[:160])
    sys.exit(1 if report.short else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs the backend tests of the package onnx through symc's command line.

    onnx_cases.py SYMC --passed FILE [--every N]      what passed before has to pass
    onnx_cases.py SYMC --write FILE                   writes the names of those that pass

Each case is a model and arrays: `SYMC model.onnx -o net` compiles it, `./net --input NAME=FILE --output NAME=FILE` runs
it, and arrays are compared as onnx's own runner does: shapes and element types exactly, values within the case's
tolerances. Where symc requires the value of an input (--value), the case is compiled once more with it. bfloat16 goes as
float32, which programs of symc read and write; types that NumPy lacks go as the bytes of ONNX's raw_data. With --passed
the cases of that list run, each Nth of them with --every; a failure of one ends with status 1, a case outside of the list
does not run. --venv is an environment of Python that has the package, which make-onnx-env makes. Without the package nothing
runs, and the last line states why.
Exit status: 0 all pass, 1 some fail, 2 wrong usage, 3 no package onnx, 77 the same with --or-skip.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings

NEEDS_VALUE = re.compile(r"the value of input '(.*)' decides a shape")
# Their results are drawn.
RANDOM = re.compile(r"^test_bernoulli|^test_training_dropout(_default)?(_mask)?$")


def load_cases(names):
    """{name: test} of the package's cases that have their models with them, those of `names` or all."""
    import onnx
    from onnx.backend.test.loader import load_model_tests
    np.random.seed(0)  # what cases draw when they are imported
    cases = {}
    for kind in ("node", "simple", "pytorch-converted", "pytorch-operator"):
        for test in load_model_tests(kind=kind):
            if names is not None and test.name not in names:
                continue
            if test.model is not None:
                sets = [([value_of(v) for v in i], [value_of(v) for v in o]) for i, o in test.data_sets]
                cases[test.name] = (test.model.SerializeToString(), sets, test.rtol, test.atol)
            elif test.model_dir:
                model = onnx.load(os.path.join(test.model_dir, "model.onnx"))
                sets = []
                for each in sorted(os.listdir(test.model_dir)):
                    if each.startswith("test_data_set_"):
                        folder = os.path.join(test.model_dir, each)
                        sets.append((read_protos(folder, "input"), read_protos(folder, "output")))
                cases[test.name] = (model.SerializeToString(), sets, test.rtol, test.atol)
    return cases


def value_of(item):
    import onnx
    return onnx.numpy_helper.to_array(item) if isinstance(item, onnx.TensorProto) else item


def read_protos(folder, stem):
    import onnx
    values, i = [], 0
    while os.path.exists(os.path.join(folder, "%s_%d.pb" % (stem, i))):
        with open(os.path.join(folder, "%s_%d.pb" % (stem, i)), "rb") as file:
            values.append(onnx.numpy_helper.to_array(onnx.TensorProto.FromString(file.read())))
        i += 1
    return values


def in_numpy(dtype):
    return dtype.isbuiltin == 1 and dtype.kind in "biuf"


def write_value(value, stem):
    """The file of a value, or None where no file holds it."""
    import onnx
    if value is None or isinstance(value, (list, tuple, dict, str, bytes)):
        return None
    value = np.asarray(value)
    if value.dtype.name == "bfloat16":
        value = value.astype(np.float32)
    if in_numpy(value.dtype):
        np.save(stem + ".npy", np.asarray(value, order="C"))
        return stem + ".npy"
    if value.dtype.kind in "OUS":
        return None
    with open(stem + ".bin", "wb") as file:
        file.write(onnx.numpy_helper.from_array(value).raw_data)
    return stem + ".bin"


def read_value(path, like):
    import onnx
    if path.endswith(".npy"):
        return np.load(path)
    proto = onnx.numpy_helper.from_array(like)
    with open(path, "rb") as file:
        proto.raw_data = file.read()
    return onnx.numpy_helper.to_array(proto)


def difference(got, wanted, rtol, atol, random):
    if got.shape != wanted.shape:
        return "shape %s, expected %s" % (list(got.shape), list(wanted.shape))
    if wanted.dtype.name == "bfloat16":
        wanted, rtol = wanted.astype(np.float32), max(rtol, 2**-6)
    if got.dtype != wanted.dtype:
        return "element type %s, expected %s" % (got.dtype, wanted.dtype)
    if random:
        return None
    if not in_numpy(wanted.dtype):
        got, wanted = got.astype(np.float32), wanted.astype(np.float32)
    with np.errstate(all="ignore"):
        near = np.allclose(got, wanted, rtol=rtol, atol=atol, equal_nan=True)
    return None if near else "values differ"


def execute(words, folder):
    run = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=600)
    return run.returncode, run.stdout + run.stderr


def check(symc, name, case, flags):
    """None where the case passes, else why not."""
    import onnx
    content, sets, rtol, atol = case
    model = onnx.ModelProto.FromString(content)
    held = {each.name for each in model.graph.initializer}
    infos = [each for each in model.graph.input if each.name not in held]
    folder = tempfile.mkdtemp(prefix="symc-onnx-")
    try:
        with open(os.path.join(folder, "model.onnx"), "wb") as file:
            file.write(content)
        for number, (inputs, outputs) in enumerate(sets):
            arrays = dict(zip([each.name for each in infos], inputs))
            shapes = []
            for info in infos:
                kind = info.type.tensor_type
                fixed = kind.HasField("shape") and all(dim.HasField("dim_value") for dim in kind.shape.dim)
                if info.type.HasField("tensor_type") and not fixed and np.ndim(arrays.get(info.name)):
                    shapes += ["--shape", "%s=%s" % (info.name, ",".join(map(str, np.shape(arrays[info.name]))))]
            values, given = [], set()
            while True:
                code, text = execute([symc, "model.onnx", *shapes, *values, *flags, "-o", "net"], folder)
                new = [each for each in NEEDS_VALUE.findall(text) if each not in given and each in arrays]
                if code == 0 or not new:
                    break
                for each in new:
                    given.add(each)
                    path = write_value(arrays[each], os.path.join(folder, "value_%d" % len(given)))
                    values += ["--value", "%s=%s" % (each, path)]
            if code != 0:
                return text.strip().split("\n")[0]
            words = ["./net"]
            for i, info in enumerate(infos):
                if info.name in given:
                    continue
                path = write_value(arrays[info.name], os.path.join(folder, "input_%d" % i))
                if path is None:
                    return "no file holds input '%s'" % info.name
                words += ["--input", "%s=%s" % (info.name, path)]
            files = []
            for i, (info, wanted) in enumerate(zip(model.graph.output, outputs)):
                wanted = np.asarray(wanted)
                plain = in_numpy(wanted.dtype) or wanted.dtype.name == "bfloat16"
                files.append((info.name, os.path.join(folder, "output_%d_%d.%s" % (number, i, "npy" if plain else "bin")), wanted))
                words += ["--output", "%s=%s" % files[-1][:2]]
            code, text = execute(words, folder)
            if code != 0:
                return "the program: " + text.strip().split("\n")[0]
            for output, path, wanted in files:
                reason = difference(read_value(path, wanted), wanted, rtol, atol, RANDOM.match(name))
                if reason:
                    return "output '%s': %s" % (output, reason)
        return None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def lack(reason, options):
    print("onnx_cases: %s: %s" % ("skipped" if options.or_skip else "error", reason))
    return 77 if options.or_skip else 3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="\n".join(__doc__.splitlines()[2:]))
    parser.add_argument("symc")
    parser.add_argument("--passed", help="names of cases that have to pass, a line each")
    parser.add_argument("--every", type=int, default=1, help="each Nth of them (default 1)")
    parser.add_argument("--write", help="runs all cases and writes the names of those that pass")
    parser.add_argument("--venv", help="the environment of Python that has the package onnx (default: this one)")
    parser.add_argument("--or-skip", action="store_true", help="without the package onnx end well, with a line that states it")
    parser.add_argument("--jobs", type=int, default=2, help="cases at a time (default 2)")
    options = parser.parse_args()
    python = os.path.join(options.venv, "bin", "python") if options.venv else sys.executable
    if options.venv and os.path.abspath(options.venv) != os.path.abspath(sys.prefix):
        if not os.path.exists(python):
            return lack("%s is missing; tools/scripts/make-onnx-env makes it" % os.path.relpath(options.venv), options)
        os.execv(python, [python, *sys.argv])
    warnings.filterwarnings("ignore")
    global np
    try:
        import numpy as np
        import onnx
    except ImportError as error:
        return lack("no package onnx: %s" % error, options)
    np.seterr(all="ignore")
    names = None
    if options.passed:
        with open(options.passed, encoding="utf-8") as file:
            names = [line.strip() for line in file if line.strip() and not line.startswith("#")][::options.every]
    cases = load_cases(None if names is None else set(names))
    names = sorted(cases) if names is None else names
    symc = os.path.abspath(options.symc)
    passed, failed = [], 0

    def one(name):
        if name not in cases:
            return "onnx %s has no such case" % onnx.__version__
        try:
            return check(symc, name, cases[name], ["--target-cpu", "native"])
        except Exception as error:
            return "%s: %s" % (type(error).__name__, error)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as executor:
        for name, reason in zip(names, executor.map(one, names)):
            if reason is None:
                passed.append(name)
            elif not options.write:
                failed += 1
                print("FAIL %s: %s" % (name, reason))
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            file.write("# Backend tests of onnx %s that pass, which onnx_cases.py --write lists.\n" % onnx.__version__)
            file.writelines(name + "\n" for name in passed)
    print("%d passed, %d failed" % (len(passed), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

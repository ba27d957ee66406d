"""Writes seeds for fuzz_compiler.cpp: make_compiler_seeds.py FOLDER TESTS

FOLDER/symbol gets the smallest conformance case of each operator below TESTS, once with fixed shapes and once with
the first extent open; FOLDER/text the IR of the lit suites; FOLDER/tuning and FOLDER/preprocess a few texts.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "scripts", "lib"))
import ndarray_file  # noqa: E402

MOST_BYTES = 4000
TUNING = ["symc tuning 1\n", "symc tuning 1\n# none\nx86-64-v3 conv/n1 direct tile=1x1x3 order=pixels us=3.5\n"] + [
    "symc tuning 1\nx86-64-v3 conv/n1/i32/o32/10x10/k3x3/s1x1/d1x1/l8/e2 %s\n" % choice for choice in (
        "direct tile=2x1x6 order=groups", "winograd-f4 tile=2x1x4", "winograd-f2 tile=1x1x5 us=1e3",
        "strassen tile=2x1x3")] + [
    "symc tuning 1\ncuda-sm_90a conv/n1/i32/o32/10x10/k3x3/s1x1/d1x1/l16/e1/f32 64x64/2 us=3.5\n"]
PREPROCESS = ["u8,nhwc,rgb,resize=crop:256,scale=0.017,mean=123/117/104,std=58", "nchw,bgr,resize", "gray,mean=1/2/3/4",
              "resize=crop"]


def write(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def symbols(folder, cases):
    for operator in sorted(os.listdir(cases)):
        found = [os.path.join(cases, operator, name) for name in os.listdir(os.path.join(cases, operator))]
        case = min(found, key=lambda one: (os.path.getsize(os.path.join(one, "symbol.json")), one))
        with open(os.path.join(case, "symbol.json"), encoding="utf-8") as file:
            symbol = json.load(file)
        arrays = ndarray_file.read(os.path.join(case, "io.params"))
        inputs = {key[5:]: array for key, array in arrays.items() if key.startswith("data:")}
        shapes = {name: list(array.shape or []) for name, array in inputs.items()}
        seed = {"symbol": symbol, "shapes": shapes, "dtypes": {name: array.dtype for name, array in inputs.items()},
                "target": 0, "reference": False, "prepare": False}
        write(folder, operator, json.dumps(seed))
        if any(shapes.values()):
            seed["shapes"] = {name: [[1, 2 * max(shape[0], 1)]] + shape[1:] if shape else shape
                              for name, shape in shapes.items()}
            write(folder, operator + "-open", json.dumps(seed))


def main():
    folder, tests = sys.argv[1:]
    symbols(os.path.join(folder, "symbol"), os.path.join(tests, "conformance", "ops"))
    for suite in ("ops", "passes", "codegen"):
        for top, _, names in os.walk(os.path.join(tests, suite)):
            for name in sorted(names):
                if name.endswith(".mlir"):
                    with open(os.path.join(top, name), encoding="utf-8") as file:
                        parts = file.read().split("// -----")
                    for number, part in enumerate(parts):
                        lines = [line for line in part.splitlines() if not line.lstrip().startswith("//")]
                        text = "\n".join(lines).strip()
                        if text and len(text) <= MOST_BYTES:
                            write(os.path.join(folder, "text"), "%s-%s-%d" % (suite, name, number), text)
    for kind, texts in (("tuning", TUNING), ("preprocess", PREPROCESS)):
        for number, text in enumerate(texts):
            write(os.path.join(folder, kind), str(number), text)


main()

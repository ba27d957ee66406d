#!/usr/bin/env python3
"""Writes seeds: FOLDER/onnx for fuzz-onnx, models and damaged ones; FOLDER/onnx-models for fuzz-compiler, the models of the tests.

usage: make_onnx_seeds.py FOLDER TEST
"""
import os
import subprocess
import sys

seeds, test = sys.argv[1:]
folder, models = os.path.join(seeds, "onnx"), os.path.join(seeds, "onnx-models")
sys.path.insert(0, os.path.join(test, "e2e", "Inputs"))
from onnx_bytes import external, function, model, node, opset, value_info  # noqa: E402

os.makedirs(folder, exist_ok=True)
os.makedirs(models, exist_ok=True)
for script in ("onnx_operators.py", "onnx_refusals.py"):
    subprocess.run([sys.executable, os.path.join(test, "e2e", "Inputs", script), "--write", models], stdout=subprocess.DEVNULL, check=True)
MODELS = {
    "layer": model([node("Conv", ["x", "w"], ["y"], "c", pads=[0, 1, 1, 1], kernel_shape=[3, 3])],
                   [value_info("x", "float32", ["batch", 3, 6, None])], [value_info("y", "float32", None)],
                   [external("w", "float32", [4, 3, 3, 3], "w.bin", 4, 432)]),
    "function": model([node("F", ["x"], ["y"], domain="own")], [value_info("x", "int64", [])], [value_info("y", "int64", [])],
                      opsets=[opset(1, "own")], functions=[function("F", "own", ["a"], ["b"], [node("Neg", ["a"], ["b"])])]),
}
for name, content in MODELS.items():
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)
sys.argv[1:] = [folder]
with open(os.path.join(test, "e2e", "Inputs", "onnx_damaged.py"), encoding="utf-8") as file:
    exec(compile(file.read(), "onnx_damaged.py", "exec"))

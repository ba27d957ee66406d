"""Compiles graphs that MXNet 0.7 saved after Symbol.grad, and compares them with --gradients of the forward graph.

usage: old_gradients.py FOLDER NET...

FOLDER is what tools/scripts/cases/old_gradients.py wrote. Of each net four programs are run on the same values: the
forward graph with --gradients all, the file of gradients, the file of both, and of this the outputs of the forward
part alone, which is prediction.
"""
import json
import os
import subprocess
import sys

import numpy as np


def draw(name, shape, rng):
    if name == "data" and len(shape) == 2 and shape[1] == 3 or name.endswith("label") and len(shape) == 1:
        return rng.integers(0, 3, shape).astype(np.float32)
    return rng.standard_normal(shape).astype(np.float32)


# Nets whose normalisations read images that lie in blocks in one program and in rows in the other: their sums have the
# order of the layout (docs/numerics.md), all other numbers are equal bit for bit.
OTHER_LAYOUTS = {"residual"}


class Net:
    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        with open(os.path.join(folder, "nets.json")) as file:
            self.facts = json.load(file)[name]
        rng = np.random.default_rng(5)
        self.values = {key: draw(key, shape, rng) for key, shape in self.facts["shapes"].items()}
        self.heads = {}

    def path(self, *parts):
        return os.path.join(self.folder, "-".join([self.name, *parts]))

    def run(self, kind, *options, forward=False, grads=()):
        """{name of a file below DIR: array} of a compiled program."""
        command = ["symc", self.path(kind + ".json"), "--random-weights", "--target-cpu", "x86-64-v3", *options]
        for name, shape in self.facts["shapes"].items():
            command += ["--shape", "%s=%s" % (name, ",".join(map(str, shape)))]
        tag = self.path(kind + "-".join(options).replace("/", "-"))
        subprocess.run(command + ["-o", tag], check=True)
        arguments = []
        for name, value in self.values.items():
            np.save(self.path(name + ".npy"), value)
            arguments += ["--input", "%s=%s" % (name, self.path(name + ".npy"))]
        for flag, name in grads:
            arguments += [flag, "%s=%s" % (name, self.path("head.npy"))]
        subprocess.run([tag, *arguments, "--output-dir", tag + ".out"], check=True, stdout=subprocess.DEVNULL)
        found = {}
        for root, _, names in os.walk(tag + ".out"):
            for name in names:
                place = os.path.join(root, name)
                found[os.path.relpath(place, tag + ".out")[:-len(".npy")]] = np.load(place)
        return found

    def check(self):
        heads = self.facts["heads"]
        plain = self.run("forward")
        rng = np.random.default_rng(6)
        for output in heads:  # those of a net have one shape each, so one file serves where there is one
            np.save(self.path("head.npy"), rng.standard_normal(plain[output].shape).astype(np.float32))
        wanted = self.run("forward", "--gradients", "all", grads=[("--head-grad", output) for output in heads])
        grads = [("--input", placeholder) for placeholder in heads.values()]
        for kind in ("grad", "both"):
            found = self.run(kind, grads=grads)
            for argument, output in self.facts["gradients"].items():
                same(self.name, kind, output, found.pop(output), wanted["grad/" + argument])
            for name, value in found.items():
                assert kind == "both" or name.startswith("aux/"), name
                same(self.name, kind, name, value, wanted[name])
            assert {name for name in wanted if name.startswith("aux/")} == {name for name in found if name.startswith("aux/")}
        forward = self.run("both", "--outputs", ",".join(plain))
        assert set(forward) == set(plain), (forward, plain)
        for name, value in plain.items():
            assert value.tobytes() == forward[name].tobytes(), (self.name, "forward", name)


def same(net, kind, name, found, wanted):
    assert found.shape == wanted.shape, (net, kind, name, found.shape, wanted.shape)
    if net in OTHER_LAYOUTS:
        assert np.abs(found - wanted).max() <= 1e-6 * np.abs(wanted).max(), (net, kind, name, np.abs(found - wanted).max())
    else:
        assert found.tobytes() == wanted.tobytes(), (net, kind, name, np.abs(found - wanted).max())
    assert np.abs(wanted).max() > 0, (net, kind, name)


def main():
    for name in sys.argv[2:]:
        Net(sys.argv[1], name).check()
        print(name, "is equal")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Checks that the pictures of docs/pictures are those that the package draws.

usage: check_pictures.py SOURCE BUILD [--update | --measure]
LeNet of examples/networks, as it is drawn, as its memory is planned for x86-64-v3, and as it was profiled. With
--update the pictures are drawn into SOURCE; --measure profiles LeNet on this machine before that, and keeps the numbers
in lenet-profile.tsv. Pictures do not depend on the machine but for those numbers.
"""
import os
import sys

from source_tree import report, source_and_build


def network(source, build):
    sys.dont_write_bytecode = True
    sys.path[:0] = [os.path.join(build, "python"), os.path.join(source, "examples", "networks")]
    import lenet
    return lenet.get_symbol()


def compiled(symbol, target, *options):
    import symc
    os.environ["SYMC_COMPILER"] = os.path.join(sys.path[0], os.pardir, "bin", "symc")
    return symc.compile(symbol, shapes={"data": (1, 1, 28, 28)}, target=target, options=["--random-weights", *options])


def measure(symbol, path):
    with compiled(symbol, "native", "--probes") as model, open(path, "w", encoding="utf-8") as file:
        for step in model.profile(runs=200):
            file.write("\t".join(["%.6f" % step.milliseconds, "%.4f" % step.share, *map(str, step[2:])]) + "\n")


def profile(path):
    from symc.model import Profile, Step
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    kinds = (float, float, str, str, str, int, int)
    return Profile(Step(*(kind(word) for kind, word in zip(kinds, row))) for row in rows)


def draw(symbol, folder):
    """{file: text} of all pictures."""
    import symc
    drawing = symc.viz.plot_network(symbol, title="LeNet", shape={"data": (1, 1, 28, 28)})
    with compiled(symbol, "x86-64-v3") as model:
        plan = model.memory_plan()
    return {"lenet.svg": drawing.svg(), "lenet-memory-plan.svg": plan.svg(),
            "lenet-profile.svg": profile(os.path.join(folder, "lenet-profile.tsv")).svg()}


def main():
    measured = "--measure" in sys.argv
    sys.argv = ["--update" if word == "--measure" else word for word in sys.argv]
    source, build = map(os.path.abspath, source_and_build(__doc__))
    folder = os.path.join(source, "docs", "pictures")
    symbol = network(source, build)
    if measured:
        measure(symbol, os.path.join(folder, "lenet-profile.tsv"))
    problems = []
    for name, text in draw(symbol, folder).items():
        path = os.path.join(folder, name)
        if "--update" in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        elif not os.path.exists(path):
            problems.append("docs/pictures/%s: missing" % name)
        else:
            with open(path, encoding="utf-8") as file:
                if file.read() != text:
                    problems.append("docs/pictures/%s: stale" % name)
    if problems:
        print("run tools/scripts/checks/check_pictures.py %s --update" % " ".join(sys.argv[1:]))
    sys.exit(report("pictures", problems, "pictures differ"))


if __name__ == "__main__":
    main()

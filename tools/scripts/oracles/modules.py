#!/usr/bin/env python3
"""Modules that train a few steps beside MXNet 1.9.1, in an environment that has it.

  modules.py FILE --package BUILD/python [--update]     FILE: test/python/module_steps.json

FILE has MXNet's parameters behind each case of test/python/module_steps.py, which module_training_test.py compares. The
script compares symc and FILE with MXNet; --update writes MXNet's answers.
Exit status: 0 all within 1e-5, 1 some are not, 2 wrong usage.
"""
import argparse
import json
import os
import sys
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "lib"), os.path.join(HERE, os.pardir, os.pardir, os.pardir, "test", "python")]
import needs

BOUND = 1e-5


def rounded(values):
    """To the nine digits that a float32 needs."""
    return list(map(rounded, values)) if isinstance(values, list) else float("%.9g" % values)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--package", required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    needs.modules("mxnet")
    warnings.simplefilter("ignore")
    sys.path.insert(0, os.path.abspath(options.package))
    import module_steps
    import mxnet
    import symc
    stored = {}
    if os.path.exists(options.file):
        with open(options.file, encoding="utf-8") as file:
            stored = json.load(file)
    wrong, written = 0, {}
    for name, function in module_steps.CASES.items():
        theirs = function(mxnet)
        written[name] = {key: rounded(value.tolist()) for key, value in theirs.items()}
        found = {"symc": module_steps.difference(function(symc), theirs)}
        if not options.update:
            found["the file"] = module_steps.difference(theirs, stored[name]) if name in stored else float("inf")
        for who, value in found.items():
            if not value <= BOUND:
                print("%s: %s differs from MXNet by %.3g, allowed %g" % (name, who, value, BOUND))
        wrong += any(not value <= BOUND for value in found.values())
    if options.update:
        with open(options.file, "w", encoding="utf-8") as file:
            json.dump(written, file)
            file.write("\n")
    print("%d cases, %d differ" % (len(written), wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

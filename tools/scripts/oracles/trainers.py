#!/usr/bin/env python3
"""Trainers that symc train compiles beside MXNet 1.9.1, in an environment that has it: five steps from equal parameters.

  trainers.py --symc BUILD/bin/symc

Networks and optimizers are those of test/python/trainer_steps.py. LBSGD over several batches is left out: under Module
MXNet keeps the array of the first gradient, which the next one overwrites, and adds that to itself.
Exit status: 0 all parameters and states within 1e-5, 1 some are not, 2 wrong usage.
"""
import argparse
import os
import sys
import tempfile
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "lib"), os.path.join(HERE, os.pardir, os.pardir, os.pardir, "test", "python")]
import needs

BOUND = 1e-5


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--symc", required=True)
    command = [os.path.abspath(parser.parse_args().symc)]
    needs.modules("mxnet")
    warnings.simplefilter("ignore")
    import numpy
    numpy.bool = bool  # which MXNet takes from there
    import mxnet
    import trainer_steps
    wrong = count = 0
    for name, optimizer, options in trainer_steps.CASES:
        if optimizer == "lbsgd":
            continue
        with tempfile.TemporaryDirectory() as folder:
            mine = trainer_steps.by_trainer(mxnet, command, folder, name, optimizer, options)
        worst, where = trainer_steps.difference(mine, trainer_steps.by_module(mxnet, name, optimizer, options))
        print("%s, %s %s: %.3g, at %s" % (name, optimizer, options, worst, where), flush=True)
        wrong += not worst <= BOUND
        count += 1
    print("%d cases, %d differ by more than %g" % (count, wrong, BOUND))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

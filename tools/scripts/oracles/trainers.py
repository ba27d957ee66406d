#!/usr/bin/env python3
"""Trainers that symc train compiles beside MXNet 1.9.1, in an environment that has it: five steps from equal parameters.

  trainers.py --symc BUILD/bin/symc

Networks and optimizers are those of test/python/trainer_steps.py. LBSGD over several batches is left out: under Module
MXNet keeps the array of the first gradient, which the next one overwrites, and adds that to itself. Then checkpoints with
pickled states that MXNet's Module wrote go on in a trainer as in the Module.
Exit status: 0 all parameters and states within 1e-5, 1 some are not, 2 wrong usage.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "lib"), os.path.join(HERE, os.pardir, os.pardir, os.pardir, "test", "python")]
import needs

BOUND = 1e-5


def goes_on(symc, optimizer, which):
    """How far parameters are apart where MXNet's Module and a trainer went on from MXNet's checkpoint for two epochs."""
    import mxnet
    script = os.path.join(HERE, os.pardir, os.pardir, os.pardir, "test", "e2e", "Inputs", "pickled_states.py")
    run = "import mxnet, runpy, sys; sys.modules['symc'] = mxnet; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    with tempfile.TemporaryDirectory() as folder:
        for command in ([sys.executable, "-W", "ignore", "-c", "import numpy; numpy.bool = bool; " + run, script, "make", optimizer, which],
                        [symc, "train", "net-symbol.json", "--shape", "data=10,5", "--optimizer",
                         optimizer + (",momentum=0.9" if optimizer == "sgd" else ""), "-o", "trainer"]):
            subprocess.run(command, cwd=folder, check=True, stderr=subprocess.PIPE)
        for ending in ("params", "states"):
            os.rename(os.path.join(folder, "net-0002." + ending), os.path.join(folder, "on-0002." + ending))
        subprocess.run(["./trainer", "--data-train", "rows.npy", "--label-train", "labels.npy", "--no-shuffle", "--num-epochs", "4",
                        "--lr", "0.1" if optimizer == "sgd" else "0.01", "--model-prefix", "on", "--load-epoch", "2"], cwd=folder,
                       check=True, stderr=subprocess.PIPE)
        one, other = (mxnet.nd.load(os.path.join(folder, name + "-0004.params")) for name in ("net", "on"))
        return max(float(abs(one[name].asnumpy() - other[name].asnumpy()).max()) for name in one)


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
    for optimizer, which in (("sgd", "numbers"), ("sgd", "names"), ("adam", "numbers"), ("adam", "optimizer")):
        worst = goes_on(command[0], optimizer, which)
        print("a checkpoint of %s, states by %s: %.3g" % (optimizer, which, worst), flush=True)
        wrong += not worst <= BOUND
        count += 1
    print("%d cases, %d differ by more than %g" % (count, wrong, BOUND))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Five steps of every class of optimizers beside MXNet 1.9.1, in an environment that has it.

  optimizers.py FILE --package BUILD/python [--update]     FILE: test/python/optimizer_steps.json

FILE holds cases with MXNet's weights and states behind the steps, which test/python/optimizer_test.py compares. The script
compares symc with MXNet for these cases on larger arrays too, and MXNet with FILE; --update writes MXNet's answers.
Exit status: 0 all within 1e-6 (half precision: 1e-3, norms of large arrays: 1e-5), 1 some are not, 2 wrong usage.
"""
import argparse
import json
import os
import sys
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "lib"), os.path.join(HERE, os.pardir, os.pardir, os.pardir, "test", "python")]
import needs

LARGE = {"conv_weight": (50, 700), "conv_bias": (17,), "bn_gamma": (20001,), "fc_weight": (33, 1000)}
USUAL = {"learning_rate": 0.1, "wd": 0.01, "rescale_grad": 0.25}
CLIPPED = {**USUAL, "clip_gradient": 0.1}
FACTOR = {"lr_scheduler": ["FactorScheduler", {"step": 2, "factor": 0.5, "base_lr": 0.1}]}
WARM = {"lr_scheduler": ["CosineScheduler", {"max_update": 6, "base_lr": 0.1, "final_lr": 0.01, "warmup_steps": 2,
                                             "warmup_begin_lr": 0.02}]}


def cases():
    """Each class with its usual options, with clipped gradients, and with its own options."""
    half = {"multi_precision": True}
    kinds = [("sgd", {}), ("sgd", {"momentum": 0.9}), ("ccsgd", {"momentum": 0.5}), ("nag", {}), ("nag", {"momentum": 0.9}),
             ("signum", {}), ("signum", {"momentum": 0.0}), ("signum", {"wd_lh": 0.02}), ("lars", {}),
             ("lars", {"momentum": 0.9, "eta": 0.01, "eps": 1e-8}),
             ("lbsgd", {}), ("lbsgd", {"momentum": 0.9, "batch_scale": 2, "updates_per_epoch": 2, "warmup_epochs": 2}),
             ("lbsgd", {"momentum": 0.9, "warmup_strategy": "lars"}), ("dcasgd", {}), ("test", {}), ("adam", {}),
             ("adam", {"beta1": 0.8, "beta2": 0.99, "epsilon": 1e-6}), ("adamax", {}), ("nadam", {}), ("ftml", {}),
             ("rmsprop", {}), ("rmsprop", {"centered": True}), ("rmsprop", {"clip_weights": 0.5}), ("adagrad", {}),
             ("adadelta", {}), ("ftrl", {}), ("ftrl", {"lamda1": 0.2, "beta": 0.5}), ("lamb", {}),
             ("lamb", {"bias_correction": False, "lower_bound": 0.5, "upper_bound": 1.0})]
    made = []
    for optimizer, own in kinds:
        for options in (USUAL, CLIPPED):
            made.append({"optimizer": optimizer, "options": {**options, **own}})
    made.append({"optimizer": "groupadagrad", "options": {"learning_rate": 0.1, "rescale_grad": 0.25},
                 "shapes": {"own_weight": [4, 3]}})
    made += [{"optimizer": optimizer, "options": {**USUAL, "lr_scheduler": each["lr_scheduler"], **own}, "steps": 7}
             for each in (FACTOR, WARM) for optimizer, own in (("sgd", {"momentum": 0.9}), ("adam", {}),
                                                               ("lars", {"momentum": 0.9}), ("nadam", {}), ("lbsgd", {}))]
    made += [{"optimizer": optimizer, "options": {**USUAL, **own}, "keys": "names"}
             for optimizer, own in (("sgd", {"momentum": 0.9}), ("lars", {"momentum": 0.9}), ("nadam", {}), ("lamb", {}))]
    made += [{"optimizer": optimizer, "options": {**USUAL, **own, **half}, "dtype": "float16"}
             for optimizer, own in (("sgd", {}), ("sgd", {"momentum": 0.9}), ("nag", {}), ("nag", {"momentum": 0.9}),
                                    ("lars", {"momentum": 0.9}), ("lbsgd", {"momentum": 0.9}), ("adam", {}), ("ftrl", {}),
                                    ("lamb", {}))]
    made.append({"optimizer": "sgd", "options": {**USUAL, "momentum": 0.9, "begin_num_update": 7, **FACTOR}})
    return made


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
    import mxnet
    import optimizer_steps
    import symc
    stored = []
    if os.path.exists(options.file):
        with open(options.file, encoding="utf-8") as file:
            stored = json.load(file)
    wrong, written = 0, []
    for place, case in enumerate(cases()):
        theirs = optimizer_steps.run(mxnet, case)
        bound = 1e-3 if case.get("dtype") == "float16" else 1e-6
        found = {"symc": optimizer_steps.difference(optimizer_steps.run(symc, case), theirs)}
        if "shapes" not in case:
            large = {**case, "shapes": LARGE}
            found["symc, large"] = optimizer_steps.difference(optimizer_steps.run(symc, large),
                                                              optimizer_steps.run(mxnet, large))
        if not options.update:
            same = place < len(stored) and {**stored[place], "answer": 0} == {**case, "answer": 0}
            found["the file"] = optimizer_steps.difference(theirs, stored[place]["answer"]) if same else float("inf")
        # MXNet adds squares of a weight's elements one by one in float32, which LAMB's steps show.
        bounds = {"symc, large": 1e-5 if case["optimizer"] == "lamb" else 1e-6, **({"symc, large": bound} if bound > 1e-6 else {})}
        over = {name: value for name, value in found.items() if not value <= bounds.get(name, bound)}
        wrong += bool(over)
        for name, value in over.items():
            print("%s %s: %s differs from MXNet by %.3g, allowed %g" % (
                case["optimizer"], case["options"], name, value, bounds.get(name, bound)))
        written.append({**case, "answer": {name: [rounded(each.tolist()) for each in arrays] for name, arrays in theirs.items()}})
    if options.update:
        with open(options.file, "w", encoding="utf-8") as file:
            file.write("[\n" + ",\n".join(json.dumps(each) for each in written) + "\n]\n")
    print("%d cases of %d optimizers, %d differ" % (len(written), len({each["optimizer"] for each in written}), wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

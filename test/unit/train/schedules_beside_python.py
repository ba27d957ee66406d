#!/usr/bin/env python3
"""Learning rates of 1,000 updates beside symc.lr_scheduler, whose formulas are MXNet's: equal bits. If this fails, compiled
trainers train at other rates than MXNet.

Usage: schedules_beside_python.py PACKAGES SHIM (as optimizers_beside_python.py)
"""
import ctypes
import sys
import unittest

KINDS = {"factor": 1, "multifactor": 2, "poly": 3, "cosine": 4}
UPDATES = 1000


def rates(kind, base_lr=0.01, step=1, factor=1, stop_factor_lr=1e-8, max_update=1, pwr=2, final_lr=0, warmup_steps=0,
          warmup_begin_lr=0, warmup_mode="linear", updates=UPDATES):
    """The rates of the runtime by the options of MXNet's classes, or ValueError with the sentence."""
    steps = step if isinstance(step, list) else []
    found, error = (ctypes.c_double * updates)(), ctypes.create_string_buffer(256)
    done = shim.shim_rates(KINDS[kind], *map(ctypes.c_double, (base_lr, factor)), ctypes.c_int64(0 if steps else step),
                           ctypes.c_double(stop_factor_lr), (ctypes.c_int64 * max(len(steps), 1))(*steps),
                           ctypes.c_int64(len(steps)), ctypes.c_int64(max_update), ctypes.c_double(pwr),
                           ctypes.c_double(final_lr), ctypes.c_int64(warmup_steps), ctypes.c_double(warmup_begin_lr),
                           ctypes.c_int32(warmup_mode == "constant"), ctypes.c_int64(updates), found, error,
                           ctypes.c_size_t(len(error)))
    if not done:
        raise ValueError(error.value.decode())
    return list(found)


class Schedules(unittest.TestCase):
    def test_a_thousand_updates(self):
        made = symc.lr_scheduler
        classes = {"factor": made.FactorScheduler, "multifactor": made.MultiFactorScheduler, "poly": made.PolyScheduler,
                   "cosine": made.CosineScheduler}
        for kind, options in (
                ("factor", {"step": 100, "factor": 0.9, "base_lr": 0.3}),
                ("factor", {"step": 1, "factor": 0.5, "base_lr": 0.3}),  # ends at stop_factor_lr
                ("factor", {"step": 7, "factor": 0.7, "stop_factor_lr": 0.01, "base_lr": 0.2, "warmup_steps": 50}),
                ("factor", {"step": 10, "factor": 1, "base_lr": 0.2}),
                ("multifactor", {"step": [1, 10, 100, 500, 2000], "factor": 0.3, "base_lr": 0.1}),
                ("multifactor", {"step": [30, 60], "factor": 0.1, "base_lr": 0.7, "warmup_steps": 45,
                                 "warmup_begin_lr": 0.2}),
                ("multifactor", {"step": [30, 60], "factor": 0.1, "base_lr": 0.7, "warmup_steps": 45,
                                 "warmup_begin_lr": 0.2, "warmup_mode": "constant"}),
                ("poly", {"max_update": 900, "base_lr": 0.3}), ("poly", {"max_update": 1200, "base_lr": 0.3, "pwr": 1.5}),
                ("poly", {"max_update": 600, "base_lr": 0.3, "final_lr": 0.01, "pwr": 3, "warmup_steps": 100}),
                ("cosine", {"max_update": 900, "base_lr": 0.3}),
                ("cosine", {"max_update": 800, "base_lr": 0.3, "final_lr": 0.02, "warmup_steps": 77,
                            "warmup_begin_lr": 0.1})):
            with self.subTest(kind=kind, options=options):
                scheduler = classes[kind](**options)
                self.assertEqual(rates(kind, **options), [scheduler(update) for update in range(1, UPDATES + 1)])

    def test_mistakes(self):
        steps = "the steps of a schedule are numbers of updates that grow from at least 1 on"
        for sentence, kind, options in (
                ("a warm-up of -1 updates, needs at least 0", "factor", {"warmup_steps": -1}),
                ("the warm-up begins above the rate that it leads to", "cosine", {"warmup_begin_lr": 1, "base_lr": 0.5}),
                ("the factor of a schedule is above 1", "factor", {"factor": 1.5}),
                ("the factor of a schedule is above 1", "multifactor", {"factor": 1.5, "step": [1]}),
                ("a schedule changes behind each 0 updates, needs at least 1", "factor", {"step": 0}),
                (steps, "multifactor", {"step": [2, 2]}), (steps, "multifactor", {"step": [0, 2]}), (steps, "multifactor", {}),
                ("a schedule ends at update 0, needs at least 1", "poly", {"max_update": 0})):
            with self.subTest(sentence):
                with self.assertRaises(ValueError) as raised:
                    rates(kind, **options)
                self.assertEqual(str(raised.exception), sentence)


if __name__ == "__main__":
    packages, library = sys.argv[1:3]
    sys.path.insert(0, packages)
    try:
        import symc.lr_scheduler
    except ImportError:
        print("skipped: this Python has no NumPy")
        sys.exit(77)
    shim = ctypes.CDLL(library)
    unittest.main(argv=sys.argv[:1])

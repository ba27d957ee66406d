"""If this fails, a compiled trainer changes parameters, auxiliary states or the optimizer's states otherwise than Module
does, whose numbers are MXNet's (module_training_test.py)."""
import os
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np
import symc
import trainer_steps

COMMAND = [sys.executable, "-m", "symc"]


class Steps(unittest.TestCase):
    def test_five_steps_are_those_of_module(self):
        for name, optimizer, options in trainer_steps.CASES:
            if optimizer not in trainer_steps.QUICK or (name != "tied" and optimizer != "sgd"):
                continue  # for tools/scripts/oracles/trainers.py, which has all of them
            with self.subTest(net=name, optimizer=optimizer, options=options), tempfile.TemporaryDirectory() as folder:
                mine = trainer_steps.by_trainer(symc, COMMAND, folder, name, optimizer, options)
                worst, where = trainer_steps.difference(mine, trainer_steps.by_module(symc, name, optimizer, options))
                self.assertLess(worst, 1e-5, where)

    def test_a_fixed_gamma_is_one_before_each_update(self):
        with tempfile.TemporaryDirectory() as folder:
            found = trainer_steps.by_trainer(symc, COMMAND, folder, "fixed", "sgd", {"wd": 0.5})
        last = 1 - 0.5 * trainer_steps.rate("sgd", trainer_steps.STEPS - 1)  # decay alone
        np.testing.assert_allclose(found["bn17_gamma"][0], np.full(17, last), rtol=1e-6)

    def test_threads_change_no_bit(self):
        for optimizer in ("lamb", "sgld"):  # sums, and random numbers
            found = []
            for threads in ("1", "3"):
                with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, SYMC_THREADS=threads):
                    found.append(trainer_steps.by_trainer(symc, COMMAND, folder, "wide", optimizer, {}))
            for name, arrays in found[0].items():
                for mine, theirs in zip(arrays, found[1][name]):
                    np.testing.assert_array_equal(mine.view("uint32"), theirs.view("uint32"), "%s, %s" % (optimizer, name))


if __name__ == "__main__":
    unittest.main()

"""If this fails, a compiled trainer changes parameters, auxiliary states or the optimizer's states otherwise than Module
does, whose numbers are MXNet's (module_training_test.py)."""
import sys
import tempfile
import unittest

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


if __name__ == "__main__":
    unittest.main()

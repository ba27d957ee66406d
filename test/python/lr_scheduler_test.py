"""If this fails, learning rates follow other numbers of updates than MXNet's schedulers make of them."""
import math
import unittest

from symc import lr_scheduler


def rates(scheduler, counts):
    return [round(scheduler(count), 6) for count in counts]


class Schedulers(unittest.TestCase):
    def test_factor(self):
        made = lr_scheduler.FactorScheduler(step=2, factor=0.1, stop_factor_lr=0.001, base_lr=1.0)
        with self.assertLogs(level="INFO") as logs:
            self.assertEqual(rates(made, [1, 2, 3, 4, 5, 9, 11]), [1, 1, 0.1, 0.1, 0.01, 0.001, 0.001])
        self.assertEqual(logs.output[0], "INFO:root:Update[3]: Change learning rate to 1.00000e-01")
        self.assertIn("Update[9]: now learning rate arrived at 1.00000e-03, will not change in the future", logs.output[-2])

    def test_several_factors(self):
        made = lr_scheduler.MultiFactorScheduler(step=[2, 5], factor=0.5, base_lr=1.0)
        self.assertEqual(rates(made, [0, 2, 3, 5, 6, 100]), [1, 1, 0.5, 0.5, 0.25, 0.25])
        self.assertEqual(rates(lr_scheduler.MultiFactorScheduler([1, 2], 0.1, 1.0), [9]), [0.01])

    def test_polynomial_and_cosine(self):
        poly = lr_scheduler.PolyScheduler(max_update=10, base_lr=1.0, pwr=2, final_lr=0.1)
        self.assertEqual(rates(poly, [0, 5, 10, 11]), [1, 0.325, 0.1, 0.1])
        cosine = lr_scheduler.CosineScheduler(max_update=10, base_lr=1.0, final_lr=0.2)
        self.assertEqual(rates(cosine, [0, 5, 10, 11]), [1, 0.6, 0.2, 0.2])

    def test_warmup(self):
        made = lr_scheduler.CosineScheduler(10, base_lr=1.0, warmup_steps=4, warmup_begin_lr=0.2)
        self.assertEqual(rates(made, [0, 2, 4, 7]), [0.2, 0.6, 1, 0.5])
        made = lr_scheduler.FactorScheduler(100, base_lr=1.0, warmup_steps=4, warmup_begin_lr=0.2, warmup_mode="constant")
        self.assertEqual(rates(made, [0, 3, 4]), [0.2, 0.2, 1])

    def test_mistakes(self):
        for text, call in (
                ("warmup_steps is -1, needs a whole number of at least 0", lambda: lr_scheduler.LRScheduler(warmup_steps=-1)),
                ("warmup_begin_lr is 1, needs at most base_lr = 0.01", lambda: lr_scheduler.LRScheduler(warmup_begin_lr=1)),
                ("warmup_mode is 'x', needs linear or constant", lambda: lr_scheduler.LRScheduler(warmup_mode="x")),
                ("step is 0, needs at least 1", lambda: lr_scheduler.FactorScheduler(0)),
                ("factor is 2, needs at most 1", lambda: lr_scheduler.FactorScheduler(1, 2)),
                (r"step is \(3,\), needs a list of numbers of updates", lambda: lr_scheduler.MultiFactorScheduler((3,))),
                (r"step is \[3, 3\], needs numbers that grow from at least 1 on",
                 lambda: lr_scheduler.MultiFactorScheduler([3, 3])),
                ("max_update is 0, needs a whole number of at least 1", lambda: lr_scheduler.PolyScheduler(0)),
                ("max_update is 2.5, needs a whole number", lambda: lr_scheduler.CosineScheduler(2.5))):
            with self.subTest(text):
                self.assertRaisesRegex(ValueError, "^" + text, call)
        self.assertRaisesRegex(NotImplementedError, "LRScheduler does not define rate", lr_scheduler.LRScheduler(), 1)
        self.assertTrue(math.isfinite(lr_scheduler.PolyScheduler(1)(1)))


if __name__ == "__main__":
    unittest.main()

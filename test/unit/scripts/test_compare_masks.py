"""If these fail, compare_masks.py takes rounding that grows with every row for a fault, or a fault for rounding. Run by
ctest as check-scripts.
"""
import os
import sys
import types
import unittest

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("this Python has no numpy")

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools", "scripts", "oracles"))
import compare_masks

FACTS = {"rtol": 1e-4, "atol": 1e-5}


def weigh(masked, fixed, exact, facts=None):
    """Lines and tally of one size whose three programs answer so."""
    tally = {"passed": 0, "failed": 0, "refused": 0, "unstable": 0, "limits": []}
    answers = [("answer", {"y": np.asarray(value)}) for value in (masked, fixed, exact)]
    case = types.SimpleNamespace(facts=facts or FACTS)
    lines = list(compare_masks.weigh("x, 2 rows", *answers[:2], lambda: answers[2], case, tally))
    return lines, (tally["passed"], tally["failed"], tally["unstable"])


def f4(*values):
    return np.array(values, "f4")


class Weighing(unittest.TestCase):
    def test_rounding_that_grows_with_rows_passes(self):
        self.assertEqual(weigh(f4(0.5, 1), f4(0.502, 1), np.array([0.5005, 1])), ([], (1, 0, 0)))

    def test_more_than_four_times_the_rounding_fails(self):
        lines, counts = weigh(f4(0.5, 1), f4(0.51, 1), np.array([0.508, 1]))
        self.assertEqual(counts, (0, 1, 0))
        self.assertIn("output 'y': 0.5 and 0.51", lines[0])

    def test_two_percent_of_the_largest_value_is_no_bound(self):
        lines, counts = weigh(f4(0.5, 1), f4(0.55, 1), np.array([0.5, 1]))
        self.assertEqual(counts, (0, 0, 1))
        self.assertIn("unstable", lines[0])

    def test_exact_cases_and_other_types_stay_exact(self):
        self.assertEqual(weigh(f4(1), f4(1.001), np.array([1.0]), {"rtol": 0, "atol": 0})[1], (0, 1, 0))
        self.assertEqual(weigh(np.array([1]), np.array([2]), np.array([1.5]))[1], (0, 1, 0))


if __name__ == "__main__":
    unittest.main()

"""If this fails, mxnet_tests.py leaves out tests of gradients, loses rows of its table, or takes a failure for a lack."""
import os
import sys
import tempfile
import unittest

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "tools", "scripts")
sys.path.append(os.path.join(SCRIPTS, "oracles"))
import mxnet_tests


class Gradients(unittest.TestCase):
    def test_tests_are_found_by_what_they_call(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "test_some.py")
            with open(path, "w") as file:
                file.write("def helper(x):\n    check_numeric_gradient(x)\n"
                           "def around(x):\n    def inner():\n        helper(x)\n    inner()\n"
                           "def test_direct():\n    y.simple_bind(x=1)\n"
                           "def test_by_helpers():\n    around(1)\n"
                           "def test_forward():\n    y.forward()\n")
            self.assertEqual(mxnet_tests.tests_of_gradients(path), {"helper", "around", "test_direct", "test_by_helpers"})

    def test_other_rows_of_the_table_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.md")
            mxnet_tests.write_table(path, {("test_a", "test_one"): ("failed", "Error: a | b"), ("test_a", "test_two"): ("skipped", "")})
            mxnet_tests.write_table(path, {("test_a", "test_two"): ("passed", ""), ("test_b", "test_three"): ("left out", "sparse storage")})
            with open(path) as file:
                text = file.read()
        self.assertIn("1 passed, 1 failed, 1 were left out", text)
        self.assertEqual([line for line in text.splitlines() if line.startswith("| `")],
                         ["| `test_a.test_one` | failed | Error: a \\| b |", "| `test_a.test_two` | passed |  |",
                          "| `test_b.test_three` | left out | sparse storage |"])

    def test_indices_that_numpy_no_longer_takes_are_a_lack_in_tests_alone(self):
        def reason_in(filename):
            try:
                exec(compile("raise IndexError('only integers, slices (`:`) are valid indices')", filename, "exec"))
            except IndexError as error:
                return mxnet_tests.reason_to_leave_out(error)
        self.assertEqual(reason_in("test_operator.py"), "NumPy before 1.23")
        self.assertIsNone(reason_in("symc/ndarray.py"))

    def test_an_error_without_text_shows_its_line(self):
        try:
            assert 1 == 2
        except AssertionError as error:
            self.assertEqual(mxnet_tests.line_of(error), "assert 1 == 2")


if __name__ == "__main__":
    unittest.main()

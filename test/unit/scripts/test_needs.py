"""If this fails, a script ends with a missing module instead of the environment that it needs."""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "tools", "scripts")
sys.path.append(os.path.join(SCRIPTS, "lib"))
import needs


class Needs(unittest.TestCase):
    def test_sentences(self):
        self.assertEqual(needs.sentence("x.py", ["mxnet", "numpy"]),
                         "x.py needs a Python with MXNet 1.9.1 and NumPy: tools/scripts/make-oracle-env DIR makes one; run it with "
                         "DIR/mxnet/bin/python")
        self.assertEqual(needs.sentence("x.py", ["mxnet", "gluoncv"]),
                         "x.py needs a Python with MXNet 1.9.1 and GluonCV: tools/bench/compare_zoo makes one")
        self.assertEqual(needs.sentence("x.py", ["numpy"]),
                         "x.py needs a Python with NumPy: python3 -m pip install numpy, or Debian's python3-numpy")

    def test_a_script_without_its_modules(self):
        program = ("import importlib.util, runpy, sys; find = importlib.util.find_spec; "
                   "importlib.util.find_spec = lambda name, *rest: None if name in ('mxnet', 'numpy') else find(name, *rest); "
                   "sys.argv = sys.argv[1:]; sys.path.insert(0, __import__('os').path.dirname(sys.argv[0])); "
                   "runpy.run_path(sys.argv[0], run_name='__main__')")
        for script in ("cases/make_conformance.py", "cases/make_numpy_cases.py", "oracles/run_errors.py",
                       "oracles/run_models.py", "oracles/measure_errors.py", "oracles/gradient_errors.py", "oracles/precision_answers.py"):
            done = subprocess.run([sys.executable, "-c", program, os.path.join(SCRIPTS, script)], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertTrue(done.stderr.startswith(os.path.basename(script) + " needs a Python with "), done.stderr)


class NumpyCases(unittest.TestCase):
    def test_a_case_whose_results_numpy_computes(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("this Python has no NumPy")
        sys.path.append(os.path.join(SCRIPTS, "cases"))
        import json

        import conformance_own_cases
        import make_numpy_cases
        import ndarray_file
        conformance_own_cases.add("square", "rows", {"data": (3, 4)}, lambda data: data * data, "arithmetic")
        try:
            with tempfile.TemporaryDirectory() as folder:
                self.assertEqual(make_numpy_cases.write_all(folder, {"square"}), 1)
                case = os.path.join(folder, "square", "rows")
                with open(os.path.join(case, "case.json"), encoding="utf-8") as file:
                    facts = json.load(file)
                arrays = ndarray_file.load(os.path.join(case, "io.params"))
        finally:
            conformance_own_cases.cases.clear()
        self.assertEqual((facts["oracle"], facts["inputs"], facts["outputs"]), ("numpy", ["data"], ["square0_output"]))
        self.assertEqual(arrays["out:0"].dtype, np.float32)
        np.testing.assert_allclose(arrays["out:0"], arrays["data:data"] ** 2, rtol=1e-6)


if __name__ == "__main__":
    unittest.main()

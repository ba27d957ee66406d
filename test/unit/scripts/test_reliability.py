"""If this fails, show-reliability passes over what an oracle found, or over an oracle."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools", "scripts", "oracles"))
import reliability
from reliability import Oracle

CASES = "12 tensors, buffers and weights of 345 bytes lay beside guards\n1000 passed, 2 failed, 0 skipped\n"


def saying(name, text, status=0, figures=(reliability.PASSED, reliability.FAILED), needs=()):
    command = ["/bin/sh", "-c", "printf '%s'; exit %d" % (text.replace("\n", "\\n"), status)]
    return Oracle(name, "something", [command], [command, command], list(figures), list(needs))


class Reliability(unittest.TestCase):
    def show(self, oracles, *arguments):
        text = io.StringIO()
        with tempfile.TemporaryDirectory() as work, contextlib.redirect_stdout(text):
            status = reliability.main(["--work", work, "--oracle-python", "", "--cases", "", *arguments], oracles)
        return status, text.getvalue()

    def test_figures_of_all_commands(self):
        status, text = self.show([saying("one", "1000 passed, 0 failed\n"), saying("two", "1 passed, 0 failed\n")])
        self.assertEqual(status, 0)
        self.assertRegex(text, r"\[1/2\] one: something")
        self.assertRegex(text, r"(?m)^one +ok +\d+  2,000 passed, 0 failed$")
        self.assertIn("2 oracles found nothing, 0 found something, 0 could not be read, 0 are absent, 0 were not run", text)

    def test_a_finding(self):
        status, text = self.show([saying("one", CASES, 1)], "--quick")
        self.assertEqual(status, 1)
        self.assertRegex(text, r"(?m)^one +FOUND +\d+  1,000 passed, 2 failed$")
        self.assertIn("ended with status 1; its output: ", text)
        self.assertIn("      | 1000 passed, 2 failed, 0 skipped", text)

    def test_what_says_nothing_is_no_success(self):
        status, text = self.show([saying("one", "nothing to do\n")])
        self.assertEqual(status, 1)
        self.assertRegex(text, r"(?m)^one +BROKEN +\d+  no figures$")

    def test_what_is_not_there(self):
        lost = Oracle("lost", "x", [["{top}/tools/scripts/no_such.py"]], [["{top}/tools/scripts/no_such.py"]], [reliability.PASSED], [])
        status, text = self.show([lost, saying("ours", CASES, needs=["public"])])
        self.assertEqual(status, 1)
        self.assertRegex(text, r"(?m)^lost +ABSENT +\d+  there is no .*tools/scripts/no_such.py$")
        self.assertRegex(text, r"(?m)^ours +not run +\d+  no folder of public cases is given \(--cases, SYMC_CONFORMANCE_DIR\)$")

    def test_every_pattern_reads_its_tool(self):
        says = {
            "guarded": (CASES, {"passed": 1000, "failed": 2, "buffers beside guards": 12, "bytes in them": 345}),
            "masks": ("7 operators; 1 sizes\n30 passed, 1 failed\n", {"sizes passed": 30, "failed": 1}),
            "boundary": ("70 mutants of 6 operators, 2 findings, 9 s\n", {"mutants": 70, "operators": 6, "findings": 2}),
            "mutants": ("60 answered, 30 refused, 1 kinds of findings\n90 passed, 3 failed\n",
                        {"mutants passed": 90, "failed": 3, "answered": 60, "refused": 30}),
            "graphs": ("\n50 graphs compared, 1 unstable\n3 differences: 1 MXNet's own, 2 unexplained\n", {"graphs": 50, "unexplained": 2}),
            "faults": ("text: 5 allocations, 6 I/O calls, 35 runs, 0 problems\nmap: 5 allocations, 6 I/O calls, 5 runs, 1 problems\n",
                       {"faults injected": 40, "problems": 1}),
            "fuzzers": ("stat::number_of_executed_units: 123\n", {"executions": 123}),
            "growth": ("chain          4000   0.50   1.00  2.05      100    180  1.90\nzigzag         4000   0.50   1.00  2.15      100    180  1.80\n",
                       {"largest factor of time": 2.15, "of memory": 1.9}),
            "lifecycle": ("  Passed: 1 (100.00%)\n", {"tests": 1}),
        }
        for oracle in reliability.ORACLES:
            text, figures = says.get(oracle.name, says["guarded"])
            found = reliability.read_figures(oracle, text)
            self.assertEqual(found, {what: figures[what] for _, what, _ in oracle.figures}, oracle.name)


if __name__ == "__main__":
    unittest.main()

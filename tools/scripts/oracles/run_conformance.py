#!/usr/bin/env python3
"""Runs symc-conformance over a folder of cases and checks how many ran.

usage: run_conformance.py TOOL --cases=CASES [--folder NAME] [--at-least N] [--halves N] [--matrices N] [--needs FLAG] [--result FILE] [-- OPTION...]

Runs TOOL over CASES/ops, or CASES/NAME, with the options after --, passes its output on, reads
its closing line "N passed, N failed, N skipped" and fails when the tool fails, when a case
fails or has an operator that the table lacks, or when fewer than N cases passed, multiplied
16 bits of memory (--halves), or did so by matrices (--matrices). Skipped, with status 77, are an empty or missing CASES and a
processor without FLAG (a name of /proc/cpuinfo).
"""
import argparse
import os
import re
import subprocess
import sys
from xml.sax.saxutils import quoteattr

CLOSING = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped")


def write_result(path, passed, failures):
    """A junit file with one entry a case."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("<testsuite name=\"conformance\">\n")
        for index in range(passed):
            file.write("<testcase name=\"passed-%d\"/>\n" % index)
        for line in failures:
            file.write("<testcase name=%s><failure/></testcase>\n" % quoteattr(line))
        file.write("</testsuite>\n")


def has_processor_flag(name):
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return re.search(r"^flags\s*:.*\b%s\b" % re.escape(name), file.read(), re.M) is not None
    except OSError:
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--cases", default="")
    parser.add_argument("--folder", default="ops")
    parser.add_argument("--at-least", type=int, default=1)
    parser.add_argument("--halves", type=int, default=0)
    parser.add_argument("--matrices", type=int, default=0)
    parser.add_argument("--needs", default="")
    parser.add_argument("--result", default="")
    arguments, passed_on = sys.argv[1:], []
    if "--" in arguments: # argparse takes no options behind a positional list
        split = arguments.index("--")
        arguments, passed_on = arguments[:split], arguments[split + 1:]
    options = parser.parse_args(arguments)
    if not options.cases or not os.path.isdir(os.path.join(options.cases, options.folder)):
        print("skipped: no folder of conformance cases is given (SYMC_CONFORMANCE_DIR)")
        sys.exit(77)
    if options.needs and not has_processor_flag(options.needs):
        print("skipped: this processor has no %s" % options.needs)
        sys.exit(77)
    command = [options.tool] + passed_on + [os.path.join(options.cases, options.folder)]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         stdin=subprocess.DEVNULL, text=True, errors="replace")
    sys.stdout.write(run.stdout)
    closing = [line for line in run.stdout.splitlines() if CLOSING.search(line)]
    if not closing:
        print("run_conformance: the tool ended with status %d and no closing line" % run.returncode)
        sys.exit(1)
    passed, failed, unsupported = map(int, CLOSING.search(closing[-1]).groups())
    if options.result:
        write_result(options.result, passed, ["failed-%d" % index for index in range(failed)])
    if passed < options.at_least:
        print("run_conformance: %d cases passed, at least %d must" % (passed, options.at_least))
        sys.exit(1)
    halves = sum(map(int, re.findall(r"^(\d+) multiply 16 bits of memory$", run.stdout, re.M)))
    if halves < options.halves:
        print("run_conformance: %d cases multiplied 16 bits of memory, at least %d must" % (halves, options.halves))
        sys.exit(1)
    matrices = sum(map(int, re.findall(r"^(\d+) by matrices$", run.stdout, re.M)))
    if matrices < options.matrices:
        print("run_conformance: %d cases multiplied by matrices, at least %d must" % (matrices, options.matrices))
        sys.exit(1)
    if unsupported:
        print("run_conformance: %d cases have operators that the table lacks" % unsupported)
    sys.exit(1 if failed or unsupported or run.returncode else 0)


if __name__ == "__main__":
    main()

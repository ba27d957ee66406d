#!/usr/bin/env python3
"""Counts the results of one test run and prints "N passed, N failed" last.

Reads the folders that run-tests fills: ctest.xml (one entry a ctest test) and
SUITE.xml beside it (one entry a single test), written by the programs that a
ctest test SUITE starts: lit's --xunit-xml-output, Google Test's
--gtest_output, symc-conformance --junit. A ctest test that has a SUITE.xml
counts by its single tests, others count as one. A test that ctest could not start
failed; skipped is what reported so by its status. A ctest test that fails while
its SUITE.xml shows no failure counts as one failure: it crashed or timed out.
Suites that run_suites.py did not run, since the ledger has their pass, count as they did then (ledger.json).
"""
import collections
import json
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

Counts = collections.namedtuple("Counts", "passed failed skipped")


def count_cases(path):
    """The counts of a junit file; a file cut short by a crash counts nothing."""
    try:
        root = ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, OSError):
        return None
    passed = failed = skipped = 0
    for case in root.iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            skipped += 1
        else:
            passed += 1
    return Counts(passed, failed, skipped)


def count_suite(folder, name, own):
    """The counts of a suite that counts as `own` where it writes no single results."""
    path = os.path.join(folder, re.sub(r"[^\w.-]", "_", name) + ".xml")
    detail = count_cases(path) if os.path.exists(path) else None
    if detail and (detail.passed or detail.failed) and own.skipped == 0:
        return detail._replace(failed=1) if own.failed and not detail.failed else detail
    return own


def read_ledger(folder):
    """({name: Counts} of the suites that the ledger has, names of those that no change reaches)."""
    try:
        with open(os.path.join(folder, "ledger.json"), encoding="utf-8") as file:
            kept = json.load(file)
    except FileNotFoundError:
        return {}, []
    return {name: Counts(*counts) for name, counts in kept["suites"].items()}, kept["unreached"]


def count_ctest(folder):
    """{name: Counts} of a folder; names as ctest has them."""
    suites = {}
    root = ElementTree.parse(os.path.join(folder, "ctest.xml")).getroot()
    for case in root.iter("testcase"):
        name = case.get("name")
        reason = case.find("skipped")
        skips = case.get("status") == "disabled" or reason is not None and \
            reason.get("message", "").startswith("SKIP_")
        own = Counts(1, 0, 0) if case.get("status") == "run" else Counts(0, 0, 1) if skips else Counts(0, 1, 0)
        suites[name] = count_suite(folder, name, own)
    return suites


def main():
    total, earlier, unreached = Counts(0, 0, 0), 0, 0
    for folder in sys.argv[1:]:
        if not os.path.exists(os.path.join(folder, "ctest.xml")):
            print("%s: no results" % folder)
            total = total._replace(failed=total.failed + 1)
            continue
        kept, left_out = read_ledger(folder)
        earlier += sum(counts.passed for counts in kept.values())
        unreached += len(left_out)
        for name, counts in [*count_ctest(folder).items(), *kept.items()]:
            total = Counts(*(a + b for a, b in zip(total, counts)))
            if counts.failed:
                print("FAILED %s: %d passed, %d failed" % (name, counts.passed, counts.failed))
    if earlier:
        print("%d of those that passed are from the ledger: they passed earlier with the same programs, inputs and flags" % earlier)
    if unreached:
        print("%d suites were left out, which the change does not reach" % unreached)
    if total.skipped:
        print("%d skipped (each prints why in its output)" % total.skipped)
    print("%d passed, %d failed" % (total.passed, total.failed))
    sys.exit(1 if total.failed or not (total.passed or unreached) else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs the suites of a build folder that did not pass before with the same programs, inputs and flags.

usage: run_suites.py BUILD [--source DIR] [--jobs N] [--fresh] [--since COMMIT] [-- CTEST-OPTION...]

ctest runs the suites and its options, such as -LE full, choose among them. Each that passes goes to the ledger
(ledger.py) at once, so that a run that is stopped goes on where it was. --fresh runs all; --since leaves out what a
change since COMMIT cannot reach (reach.py). Results are in BUILD/test-results: ctest.xml of what ran, ledger.json of
what did not (count_tests.py adds them). Exit status: 0 if none failed, else ctest's; 2 for a wrong commit.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys

import count_tests
import ledger
import reach
import suites

LINE = re.compile(r"^\s*(\d+)/(\d+) Test\s+#\d+: (\S+) \.+\s*(.*?)\s+([\d.]+) sec")
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def minutes(seconds):
    return "less than a minute" if seconds < 60 else "about %d minute%s" % (round(seconds / 60), "s" if seconds >= 90 else "")


def time_of(book, left, jobs):
    """`about 7 minutes`, of the suites that ran before."""
    seconds, unknown = book.estimate(left, jobs)
    return "of unknown time" if unknown == len(left) else minutes(seconds) + (
        ", and %d that never ran" % unknown if unknown else "")


class Run:
    def __init__(self, options):
        self.options, self.build = options, os.path.realpath(options.build)
        self.results = os.path.join(self.build, "test-results")
        self.files = ledger.Files(os.path.join(self.build, "ledger-files.json"))
        self.book = ledger.Ledger(self.build)
        self.parts = suites.Parts(options.source, self.build, self.files)
        self.found = {suite.name: suite for suite in suites.list_suites(self.build, options.ctest)}
        self.keys = {name: self.parts.of(suite) for name, suite in self.found.items()}
        self.files.save()

    def choose(self):
        """(names to run, names that the ledger has, names that the change does not reach)"""
        run, kept, unreached = [], [], []
        reached = None
        if self.options.since:
            reached = reach.Reach(self.options.source, self.build, reach.changed_files(self.options.source, self.options.since))
        for name in self.found:
            if not self.options.fresh and self.book.holds(name, self.keys[name]):
                kept.append(name)
            elif reached and not any(reached.reaches(part) for part in self.keys[name]):
                unreached.append(name)
            else:
                run.append(name)
        return run, kept, unreached

    def describe(self, run, kept, unreached):
        left = {name: self.found[name].processors for name in run}
        print("== suites: %d to run%s" % (len(run), " (%s)" % time_of(self.book, left, self.options.jobs) if run else ""), flush=True)
        if kept:
            print("== ledger: %d passed earlier with the same programs, inputs and flags; --fresh runs them, too" % len(kept))
        if unreached:
            print("== left out: %d that no change since %s reaches" % (len(unreached), self.options.since))
        for name in run:
            changed = self.book.changed(name, self.keys[name])
            if changed and not self.options.fresh:
                print("==   %s: changed since it passed: %s" % (name, ", ".join(changed)))
        sys.stdout.flush()

    def prepare(self, kept, unreached):
        shutil.rmtree(self.results, ignore_errors=True)
        os.makedirs(self.results)
        ledger.write_json(os.path.join(self.results, "ledger.json"), {
            "suites": {name: self.book.suites[name]["counts"] for name in kept}, "unreached": unreached})

    def end_of(self, name, passed, seconds):
        """Writes down a suite that ended; a change of its parts since the start of the run leaves no entry."""
        parts = None
        if passed:
            self.parts.forget()
            parts = self.parts.of(self.found[name])
            parts = parts if parts == self.keys[name] else None
        counts = count_tests.count_suite(self.results, name, count_tests.Counts(1, 0, 0))
        self.book.record(name, passed, seconds, parts, counts)

    def ctest(self, run):
        if not run:
            with open(os.path.join(self.results, "ctest.xml"), "w", encoding="utf-8") as file:
                file.write("<testsuite/>\n")
            return 0
        left = {name: self.found[name].processors for name in run}
        command = ["ctest", "--output-on-failure", "-j", str(self.options.jobs), "--output-junit", os.path.join(self.results, "ctest.xml"),
                   *self.options.ctest, "-R", "^(%s)$" % "|".join(map(re.escape, run))]
        process = subprocess.Popen(command, cwd=self.build, stdout=subprocess.PIPE, text=True, errors="replace")
        try:
            for line in process.stdout:
                match = LINE.match(line)
                if match and match.group(3) in left:
                    name, verdict = match.group(3), match.group(4)
                    self.end_of(name, verdict == "Passed", float(match.group(5)))
                    del left[name]
                    line = "%s, %d left%s\n" % (line.rstrip(), len(left), ": " + time_of(self.book, left, self.options.jobs) if left else "")
                print(line, end="", flush=True)
            return process.wait()
        except KeyboardInterrupt:
            process.terminate()
            process.wait()
            print("== stopped with %d suites left; the same command goes on with them" % len(left))
            return 130


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--source", default=TOP)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--since")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:split])
    options.ctest = words[split + 1:]
    run = Run(options)
    try:
        chosen = run.choose()
    except reach.UnknownCommit as reason:
        print("run-tests: --since: %s" % reason, file=sys.stderr)
        sys.exit(2)
    run.describe(*chosen)
    run.prepare(*chosen[1:])
    sys.exit(run.ctest(chosen[0]))


if __name__ == "__main__":
    main()

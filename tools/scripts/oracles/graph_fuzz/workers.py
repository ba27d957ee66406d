"""Processes around MXNet and around symc, either of which may die without ending the run."""
import json
import os
import re
import select
import subprocess
import sys

ORACLES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CASES = os.path.join(os.path.dirname(ORACLES), "cases")


class Oracle:
    """A process of graph_fuzz.oracle; started again when MXNet takes it down."""

    def __init__(self, symc, with_onednn, seconds=60):
        self.symc, self.seconds, self.process = symc, seconds, None
        self.environment = dict(os.environ, SYMC_MAKE_ONEDNN="1" if with_onednn else "0",
                                PYTHONPATH=os.pathsep.join((ORACLES, CASES)), PYTHONWARNINGS="ignore", DMLC_LOG_STACK_TRACE_DEPTH="0")

    def start(self):
        code = "from graph_fuzz import oracle; oracle.serve(%r)" % self.symc
        self.process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, env=self.environment)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def query(self, **request):
        """The answer, or {"status": "died"} or {"status": "hangs"}."""
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            ready, _, _ = select.select([self.process.stdout], [], [], self.seconds)
            line = self.process.stdout.readline() if ready else None
        except BrokenPipeError:
            line = ""
        if not line:
            self.stop()
            return {"status": "hangs" if line is None else "died"}
        return json.loads(line)


def run_cases(binaries, folders, options=(), jobs=1):
    """{case label: message} of the cases that fail, by one call of symc-conformance; None if it could not run."""
    command = [os.path.join(binaries, "symc-conformance"), *folders, "--jobs", str(jobs), "--timeout", "60", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        return None
    return dict(re.findall(r"^FAIL (\S+): (.*)$", done.stdout, re.M))


def kind_of(message):
    """What sort of failure a message of symc-conformance reports."""
    if message.startswith("crashed") or "worker ended" in message or "internal error" in message:
        return "crash"
    if message.startswith("no answer"):
        return "hang"
    if "elements differ" in message:
        return "values"
    if ": shape [" in message:
        return "shape"
    if ": dtype " in message:
        return "type"
    return "error"

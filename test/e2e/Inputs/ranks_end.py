"""Ends or stops a rank of a training at a random moment, and looks whether all others end, with the
number of one that stopped, and nothing is left.

usage: ranks_end.py ROUNDS TRAINER [OPTION...]   options without --timeout, --num-epochs and --model-prefix
"""
import os
import random
import re
import signal
import subprocess
import sys
import time

RANKS, TIMEOUT, PATIENCE = 3, 2, 60  # seconds; the patience is for busy machines
LAUNCHERS = (("mpirun.openmpi", "OMPI_COMM_WORLD_RANK"), ("mpirun.mpich", "PMI_RANK"))
draw = random.Random(11)


def ranks_of(launcher, variable, trainer):
    """{rank: process} of those that the launcher started."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % name, "rb") as file:
                words = dict(each.split("=", 1) for each in file.read().decode(errors="replace").split("\0") if "=" in each)
            if words.get("RANKS_END") == str(launcher.pid) and os.path.realpath("/proc/%s/exe" % name) == trainer:
                found[int(words[variable])] = int(name)
        except (OSError, KeyError):
            pass
    return found


def said():
    with open("ended.log", errors="replace") as log:
        return log.read()


def one(number, trainer, options):
    launcher, variable = LAUNCHERS[number % 2]
    kind = signal.SIGSTOP if number // 2 % 2 else signal.SIGKILL
    victim = draw.randrange(RANKS)
    # Whoever starts it gets a number first, so that its processes are known by a variable.
    command = ["sh", "-c", "export RANKS_END=$$; exec \"$@\"", "sh", launcher, "-n", str(RANKS), trainer, *options, "--timeout",
               str(TIMEOUT), "--num-epochs", "100000", "--save-period", "3", "--model-prefix", "ended"]
    with open("ended.log", "wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    begun = time.monotonic()
    while "Saved checkpoint" not in said() and time.monotonic() < begun + PATIENCE:
        time.sleep(0.02)
    time.sleep(draw.random() / 3)
    ranks = ranks_of(process, variable, trainer)
    assert len(ranks) == RANKS, "ranks %s: %s" % (ranks, said()[-500:])
    os.kill(ranks[victim], kind)
    begun = time.monotonic()
    while process.poll() is None and time.monotonic() < begun + PATIENCE:
        time.sleep(0.05)
    time.sleep(0.2)
    text = said()
    if process.poll() is None:
        process.kill()
        raise SystemExit("round %d: %s did not end behind %s of rank %d" % (number, launcher, kind.name, victim))
    assert process.returncode != 0, "status 0"
    # Of one that was killed the launcher tells, or the library of a rank that it was connected to.
    named = r"ranks? (\d+, )*%d(, \d+)* did not come to .* within" % victim
    assert kind == signal.SIGKILL or re.search(named, text), (
        "round %d, %s of rank %d by %s: %s" % (number, kind.name, victim, launcher, text[-800:]))
    until = time.monotonic() + 10
    while ranks_of(process, variable, trainer) and time.monotonic() < until:
        time.sleep(0.1)
    left = ranks_of(process, variable, trainer)
    for each in left.values():
        os.kill(each, signal.SIGKILL)
    assert not left, "round %d: rank %s of %s is left" % (number, sorted(left), launcher)


rounds, trainer = int(sys.argv[1]), os.path.realpath(sys.argv[2])
for number in range(rounds):
    one(number, trainer, sys.argv[3:])
print(rounds, "rounds, no process is left")

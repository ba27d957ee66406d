"""Kills a training at moments that are drawn, resumes it until it ends, and compares its last checkpoint and its log with
those of a training that nobody killed.

usage: kill_training.py ROUNDS TRAINER OPTION...
"""
import json
import os
import random
import subprocess
import sys
import time

rounds, command = int(sys.argv[1]), sys.argv[2:]
epochs = int(command[command.index("--num-epochs") + 1])


def run(prefix, seconds=None):
    """Whether the training came to its end."""
    log = prefix + ".log"
    process = subprocess.Popen(command + ["--model-prefix", prefix, "--log", log, "--resume"], stderr=subprocess.PIPE)
    try:
        _, text = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return False
    if process.returncode:
        sys.exit("status %d: %s" % (process.returncode, text.decode()))
    return True


def last(prefix):
    return [open("%s-%04d.%s" % (prefix, epochs, kind), "rb").read() for kind in ("params", "state")]


begun = time.time()
run("whole")
whole, length = last("whole"), time.time() - begun
draw, kills = random.Random(1), 0
for number in range(rounds):
    prefix = "killed%d" % number
    while not run(prefix, draw.uniform(0, length)):
        kills += 1
    if last(prefix) != whole:
        sys.exit("round %d: other bits than those of the whole training" % number)
    # Where a training goes on from a checkpoint, no batch before it is computed again.
    done = 0
    for line in open(prefix + ".log"):
        line = json.loads(line)
        if line.get("event") in ("start", "resume"):
            done = line["epoch"]
        elif line.get("at-epoch", line.get("epoch")) < done:
            sys.exit("round %d: epoch %d again, behind the checkpoint of %d" % (number, line["at-epoch"], done))
    if os.path.exists("%s-%04d.manifest.part" % (prefix, epochs)):
        sys.exit("round %d: half a manifest is left" % number)
print("%d rounds: the same bits" % rounds, "after kills" if kills else "without a kill")

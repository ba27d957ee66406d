"""Breaks what a training stands on, resumes it, and compares its last checkpoint with that of one that nobody disturbed.

usage: break_training.py io SHIM STEP TRAINER OPTION...      every STEP-th I/O call fails once, in each way
       break_training.py disk MEGABYTES TRAINER OPTION...    the file system of the checkpoints has so many and fills
       break_training.py flip TRAINER OPTION...              a byte of each file of a set is another one
"""
import errno
import glob
import os
import random
import shutil
import subprocess
import sys
import tempfile

KINDS = ("params", "state", "manifest")
kind, rest = sys.argv[1], sys.argv[2:]
given = [rest.pop(0) for _ in range({"io": 2, "disk": 1, "flip": 0}[kind])]
command = [os.path.abspath(rest[0]), *rest[1:]]
epochs = int(command[command.index("--num-epochs") + 1])


def train(prefix, **environment):
    return subprocess.run([*command, "--model-prefix", prefix, "--log", prefix + ".log", "--resume"], stderr=subprocess.PIPE,
                          stdout=subprocess.DEVNULL, text=True, timeout=120, env={**os.environ, **environment})


def last(prefix):
    return [open("%s-%04d.%s" % (prefix, epochs, each), "rb").read() for each in ("params", "state")]


def finish(prefix, what):
    """Resumes until the end, undisturbed."""
    ended = train(prefix)
    if ended.returncode or last(prefix) != whole:
        sys.exit("%s: resumed with status %d and other bits: %s" % (what, ended.returncode, ended.stderr[-300:]))


def fail_calls(shim, step):
    count_log = os.path.abspath("calls")
    train("counted", LD_PRELOAD=shim, SYMC_FAULT="", SYMC_FAULT_LOG=count_log)
    calls = [int(word) for word in open(count_log).read().split()][1]
    told = 0
    for way in (str(errno.EIO), str(errno.ENOSPC), str(errno.EINTR), "short", "kill"):
        for number in range(1, calls + 1, step):
            fault = "io:%d:%s" % (number, way)
            with tempfile.TemporaryDirectory() as folder:
                prefix = os.path.join(folder, "net")
                ended = train(prefix, LD_PRELOAD=shim, SYMC_FAULT=fault, SYMC_FAULT_LOG=count_log)
                if ended.returncode < 0 and way != "kill":
                    sys.exit("%s: ends by signal %d: %s" % (fault, -ended.returncode, ended.stderr[-300:]))
                if ended.returncode > 0 and "error: " not in ended.stderr:
                    sys.exit("%s: status %d without a sentence: %s" % (fault, ended.returncode, ended.stderr[-300:]))
                told += ended.returncode > 0
                finish(prefix, fault)
    print("%d calls, %d failures told: the same bits" % (calls, told))


def fill_disk(megabytes):
    """In a user namespace with a file system of its own."""
    script = "mount -t tmpfs -o size=%sm tmpfs full && exec \"$@\"" % megabytes
    os.mkdir("full")
    inside = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"]
    if subprocess.run([*inside, "true"], stderr=subprocess.DEVNULL).returncode:
        print("no file system of one's own is to be had here: the same bits")
        return
    # Fills but for a little, trains until it stops, shows what is there; frees, resumes.
    job = ("import subprocess, sys, os, shutil, glob\n"
           "room = os.statvfs('full'); left = room.f_bavail * room.f_frsize\n"
           "one = sum(os.path.getsize(each) for each in glob.glob('whole-0001.*')) + os.path.getsize('whole-symbol.json')\n"
           "open('full/ballast', 'wb').write(bytes(left - int(2.5 * one)))\n"
           "command = sys.argv[1:]\n"
           "ended = subprocess.run(command, stderr=subprocess.PIPE, text=True)\n"
           "sys.stderr.write(ended.stderr)\n"
           "assert ended.returncode > 0 and 'no space left on device' in ended.stderr, ended\n"
           "assert glob.glob('full/*.manifest'), os.listdir('full')\n"
           "assert not glob.glob('full/*.part'), os.listdir('full')\n"
           "os.unlink('full/ballast')\n"
           "again = subprocess.run(command, stderr=subprocess.PIPE, text=True)\n"
           "assert again.returncode == 0 and 'Loaded checkpoint' in again.stderr, again\n"
           "for each in glob.glob('full/*'): shutil.copy(each, 'kept')\n")
    os.mkdir("kept")
    ended = subprocess.run([*inside, sys.executable, "-c", job, *command, "--model-prefix", "full/net", "--resume"],
                           stderr=subprocess.PIPE, text=True, timeout=300)
    if ended.returncode:
        sys.exit("a full disk: " + ended.stderr[-2000:])
    if last("kept/net") != whole:
        sys.exit("a full disk: other bits")
    print("a full disk is told of: the same bits")


def flip_bytes():
    draw = random.Random(1)
    for each in KINDS:
        for _ in range(4):
            for path in glob.glob("whole-*"):
                shutil.copy(path, path.replace("whole", "flipped", 1))
            path = "flipped-%04d.%s" % (epochs, each)
            data = bytearray(open(path, "rb").read())
            place = draw.randrange(len(data))
            data[place] ^= 1 << draw.randrange(8)
            open(path, "wb").write(data)
            ended = train("flipped")
            if path not in ended.stderr:
                sys.exit("byte %d of %s is another one, and nobody says so: %s" % (place, path, ended.stderr[-500:]))
            if ended.returncode or last("flipped") != whole:
                sys.exit("%s: status %d or other bits: %s" % (path, ended.returncode, ended.stderr[-500:]))
    print("flipped bytes of %d files are told of: the same bits" % len(KINDS))


first = train("whole")
if first.returncode:
    sys.exit("undisturbed: status %d: %s" % (first.returncode, first.stderr))
whole = last("whole")
if kind == "io":
    fail_calls(os.path.abspath(given[0]), int(given[1]))
elif kind == "disk":
    fill_disk(given[0])
else:
    flip_bytes()

"""run_commands.py DIGITS PAGE...: runs the commands of the pages' blocks, in order, as a reader would.

Assumes an empty folder of work and the tools in PATH. DIGITS is examples/digits, whose model stands for the
reader's own: net-symbol.json, its parameters and inputs lie in the folder, and shapes of other nets become its.
Commands of the repository (tools/...) but for diff_passes.py are left out. Prints each command that fails and
what it said, then how many ran; status 1 where one failed."""
import os
import re
import shutil
import subprocess
import sys

import numpy as np

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


def prepare(digits):
    shutil.copy(os.path.join(digits, "digits-symbol.json"), "net-symbol.json")
    for number in ("0000", "0010"):
        shutil.copy(os.path.join(digits, "digits-0010.params"), "net-%s.params" % number)
    shutil.copy(os.path.join(digits, "pictures", "0.png"), "picture.png")
    np.save("x.npy", np.ones((1, 1, 28, 28), np.float32))
    model = ["net-symbol.json", "net-0000.params", "--shape", "data=1,1,28,28"]
    subprocess.run(["symc-run", *model, "--input", "data=x.npy", "--dump-all", "nodes"], check=True, stdout=subprocess.DEVNULL)
    np.savez("ref.npz", **{name[:-4]: np.load(os.path.join("nodes", name)) for name in os.listdir("nodes")})


def commands(page):
    with open(page, encoding="utf-8") as file:
        blocks = re.findall(r"^```(.*)\n((?:.*\n)*?)```$", file.read(), re.M)
    for line in "".join(text for language, text in blocks if not language).splitlines():
        line = re.sub(r"\s+#.*", "", line)
        if re.match(r"symc|\./net|tools/scripts/diff_passes", line):
            line = re.sub(r"--shape (\.\.\.|data=\S+)", "--shape data=1,1,28,28", line)
            yield re.sub(r"^tools/", TOP + "/tools/", line)


def main():
    prepare(sys.argv[1])
    ran = failed = 0
    for page in sys.argv[2:]:
        for command in commands(page):
            done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
            ran += 1
            if done.returncode:
                failed += 1
                print("%s: '%s' ended with %d:\n%s" % (os.path.basename(page), command, done.returncode, done.stdout[-400:]))
    print("%d commands, %d failed" % (ran, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Compares the files of an installation with those of Debian packages, and prints the dependencies of one.
Usage: package_files.py INSTALLED PACKAGES"""
import glob
import os
import re
import subprocess
import sys

# By hand, zsh's files go to another folder; the terms lie in each package's copyright.
ELSEWHERE = re.compile(r"^share/(zsh/site-functions|doc/symc)/")
# What packages have besides.
OWN = re.compile(r"^(share/doc/|share/lintian/|share/zsh/vendor-completions/|lib/python3/dist-packages/)")


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


installed = {os.path.relpath(os.path.join(folder, name), sys.argv[1])
             for folder, _, names in os.walk(sys.argv[1]) for name in names}
packaged = []
for name in sorted(os.listdir(sys.argv[2])):
    if name.endswith(".deb"):
        lines = output("dpkg-deb", "-c", os.path.join(sys.argv[2], name)).splitlines()
        packaged += [re.split(r"\s+", line, maxsplit=5)[5].split(" -> ")[0].replace("./usr/", "", 1)
                     for line in lines if not line.startswith("d")]
missing = sorted(path for path in installed - set(packaged) if not ELSEWHERE.match(path))
strange = sorted(path for path in set(packaged) - installed if not OWN.match(path))
twice = sorted(path for path in set(packaged) if packaged.count(path) > 1)
print("%d files installed, %d in no package, %d in two" % (len(installed), len(missing), len(twice)), *missing, *twice)
for path in strange:
    print("only in a package:", path)
package, = glob.glob(os.path.join(sys.argv[2], "symc_*.deb"))
print("symc: Depends:", output("dpkg-deb", "-f", package, "Depends").strip())

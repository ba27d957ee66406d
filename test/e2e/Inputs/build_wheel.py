"""Makes the wheel of a build folder by the backend's function, as pip calls it, and tells what is wrong with it.

Usage: build_wheel.py FOLDER_OF_THE_BACKEND BUILD_FOLDER WHEEL_FOLDER
"""
import base64
import csv
import hashlib
import io
import os
import sys
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import backend


def main():
    name = backend.build_wheel(sys.argv[3], {"build-dir": os.path.abspath(sys.argv[2]), "level": "6"})
    path = os.path.join(sys.argv[3], name)
    size = os.path.getsize(path)
    print("%s: %.1f MB" % (name, size / 1e6))
    problems = []
    if size > backend.LIMIT:
        problems.append("the wheel takes %d bytes" % size)
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        for wanted in ("__init__.py", "_operators.json", "symbol.pyi", "_bin/symc", "lib/libsymc.so.0", "lib/libLLVM.so",
                       "lib/libMLIR.so", "share/symc/x86_64-linux-gnu/kernels.bc"):
            if not any(each.startswith("symc/" + wanted) for each in names):
                problems.append("%s is missing" % wanted)
        record = list(csv.reader(io.StringIO(wheel.read(names[-1]).decode())))
        if [row[0] for row in record] != names or len(set(names)) != len(names):
            problems.append("RECORD has other files than the wheel")
        for each, digest, count in record[:-1]:
            data = wheel.read(each)
            real = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            if (digest, int(count)) != ("sha256=" + real, len(data)):
                problems.append("RECORD tells another %s" % each)
        for each in names:
            licence = "%s/licenses/%s.copyright" % (names[-1].split("/")[0], os.path.basename(each))
            if each.startswith("symc/lib/") and "libsymc" not in each and licence not in names:
                problems.append("%s has no licence" % each)
    print("%d files, %d problems" % (len(names), len(problems)), *problems, sep="\n")


if __name__ == "__main__":
    main()

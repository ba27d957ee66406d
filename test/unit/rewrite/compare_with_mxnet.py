#!/usr/bin/env python3
"""Checks that MXNet reads what symc writes, and sees the same graph in it.

usage: compare_with_mxnet.py REWRITE_PROGRAM --oracle=PYTHON --folder=FOLDER ...

Every symbol file under the folders is read, upgraded and written by symc. MXNet
loads the original and the written file; texts and attributes of both symbols
must be equal. Files that MXNet itself cannot load, and malformed cases, are
left out. Exits with 77 (skipped) without an oracle or without files.
"""
import argparse
import os
import subprocess
import sys
import tempfile

ORACLE = """
import sys
import mxnet as mx
for line in sys.stdin:
    original, written = line.rstrip("\\n").split("\\t")
    try:
        a = mx.sym.load(original)
    except Exception:
        print("unloadable\\t" + original)
        continue
    try:
        b = mx.sym.load(written)
        same = a.tojson() == b.tojson() and a.attr_dict() == b.attr_dict()
        print(("same\\t" if same else "different\\t") + original)
    except Exception as failure:
        print("refused\\t" + original + ": " + str(failure).strip().splitlines()[-1])
"""


def symbol_files(folders):
    for folder in folders:
        for place, _, names in sorted(os.walk(folder)):
            if "errors" in place.split(os.sep):
                continue
            for name in sorted(names):
                if name.endswith("symbol.json") or name == "save_000800.json":
                    yield os.path.join(place, name)


def main(program, oracle, folders):
    if not oracle:
        print("skipped: SYMC_ORACLE_PYTHON is not set")
        return 77
    files = list(symbol_files([folder for folder in folders if folder]))
    if not files:
        print("skipped: neither SYMC_MODELS_DIR nor SYMC_CONFORMANCE_DIR has symbol files")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        written = [os.path.join(folder, "%d.json" % i) for i in range(len(files))]
        pairs = list(zip(files, written))
        for start in range(0, len(pairs), 500):
            status = subprocess.run([program] + [p for pair in pairs[start:start + 500] for p in pair],
                                    check=False).returncode
            if status not in (0, 1):
                print("%s ended with status %d" % (program, status))
                return 1
        answer = subprocess.run([oracle, "-c", ORACLE], text=True, check=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                input="".join("\t".join(pair) + "\n" for pair in pairs)).stdout
    results = [line.split("\t") for line in answer.splitlines()
               if line.split("\t")[0] in ("same", "different", "refused", "unloadable")]
    bad = [result for result in results if result[0] in ("different", "refused")]
    for kind, what in bad[:20]:
        print("%s: %s" % (what, kind))
    count = sum(result[0] == "same" for result in results)
    print("symbol writer: %d of %d files are the same to MXNet, %d it cannot load" %
          (count, len(files), sum(result[0] == "unloadable" for result in results)))
    return 1 if bad or len(results) != len(files) or count == 0 else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--oracle", default="")
    parser.add_argument("--folder", action="append", default=[])
    options = parser.parse_args()
    sys.exit(main(options.program, options.oracle, options.folder))

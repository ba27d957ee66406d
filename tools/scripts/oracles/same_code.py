#!/usr/bin/env python3
"""Compares the code and constants that two builds of symc generate for a set of models.

    same_code.py OLD NEW [--models DIR] [--nets DIR] [--only NAME,...] [--list] [--keep DIR]

OLD and NEW are build folders (with bin/symc), or folders that an earlier run of
--keep wrote. Of every model the assembly of its own functions (not the runtime's, and no
model table) and the bytes of its prepared weights are compared; weights are drawn. Labels
are numbered anew in each function, so that functions beside it do not matter.

Exit status: 0 all are equal; 1 some differ; 2 wrong usage or nothing compared.
"""
import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
CASES = os.path.join(TOP, "test", "conformance", "ops")
STRICT = ["--math", "strict"]
LABEL = r"\.L(?:[A-Za-z]+[0-9_]*|\.str[.0-9]*)"  # of code, constants and strings, numbered over the whole file

# name, folder, symbol file, arguments
MODELS = [
    ("lenet", "models", "lenet-symbol.json", ["--shape", "data=1,1,28,28"]),
    ("mlp", "models", "mnist-mlp-symbol.json", ["--shape", "data=1,784"]),
    ("det1-range", "models", "det1-symbol.json", ["--shape", "data=1,3,12..240,12..320"]),
    ("resnet18", "models", "resnet18-symbol.json", ["--shape", "data=1,3,224,224"]),
    ("resnet18-strict", "models", "resnet18-symbol.json", ["--shape", "data=1,3,224,224"] + STRICT),
    ("resnet50", "nets", "resnet50_v1-symbol.json", ["--shape", "data=1,3,224,224"]),
    ("mobilenetv2", "nets", "mobilenet_v2_1_0-symbol.json", ["--shape", "data=1,3,224,224"]),
    ("mobilenetv2-strict", "nets", "mobilenet_v2_1_0-symbol.json", ["--shape", "data=1,3,224,224"] + STRICT),
    ("densenet121", "nets", "densenet121-symbol.json", ["--shape", "data=1,3,224,224"]),
    ("lstm-b1", "nets", "lstm-symbol.json", ["--shape", "data=64,1,512"]),
    ("lstm-b16", "nets", "lstm-symbol.json", ["--shape", "data=64,16,512"]),
    ("gru-b1", "nets", "gru-symbol.json", ["--shape", "data=64,1,512"]),
    ("gru-b16", "nets", "gru-symbol.json", ["--shape", "data=64,16,512"]),
    ("resnet50-int8", "models", "resnet50int8-symbol.json", ["--shape", "data=1,3,224,224"]),
    ("resnet50-int8-vnni", "models", "resnet50int8-symbol.json",
     ["--shape", "data=1,3,224,224", "--target-cpu", "x86-64-v4+vnni"]),
    ("foreach", "cases", "_foreach/cell/symbol.json", ["--shape", "data=5,2,3", "--shape", "state=2,4"]),
    ("batches", "models", "det3-symbol.json", ["--shape", "data=N,3,48,48", "--batch", "1,4"]),
    ("resnet18-neon", "models", "resnet18-symbol.json", ["--shape", "data=1,3,224,224", "--target-cpu", "armv8-a"]),
    ("resnet18-extern", "models", "resnet18-symbol.json", ["--shape", "data=1,3,224,224", "--weights", "extern"]),
]


def functions_of(assembly, prefix):
    """{function or constant section: text with labels numbered anew} of the model's own code."""
    blocks, constants, current, owner = {}, {}, None, {}
    section = ""
    for line in assembly.splitlines():
        text = line.split("#", 1)[0].split("//", 1)[0].rstrip()
        if not text or re.match(r"\s*\.(file|ident|type|size|globl|hidden|weak|cfi_\w+|loc|p2align\s+\d+, 0x90)\b", text):
            continue
        found = re.match(r"\s*\.section\s+([^\s,]+)", text)
        if found:
            section = found.group(1)
            continue
        if re.match(r"\s*\.(text|data|bss)\b", text):
            section = text.strip()
            continue
        label = re.match(r"([\w.$@]+):", text)
        if label and re.match(r"\.L\d*(func_)?end\d+$", label.group(1)):
            current = None  # numbered over the whole file; what follows is no function's
            continue
        if label and not label.group(1).startswith(".L"):
            current = label.group(1)
            blocks[current] = []
        elif label and label.group(1).startswith((".LCPI", ".LJTI")):
            current = label.group(1)
            constants[current] = []
        elif current in constants and section.startswith(".rodata"):
            constants[current].append(text)
        elif current in blocks:
            blocks[current].append(text)
    result = {}
    for name, lines in blocks.items():
        if not name.startswith((prefix + "_run", prefix + "_prepare_program")):
            continue
        body = "\n".join(lines)
        names = {}
        for used in re.findall(LABEL, body):
            names.setdefault(used, ".L%d" % len(names))
        pool = ["%s: %s" % (names[used], " ".join(constants[used])) for used in names if used in constants]
        body = re.sub(LABEL, lambda match: names[match.group(0)], body)
        result[name] = body + "\n" + "\n".join(pool)
    return result


def generate(build, files, arguments, folder):
    """The model's functions and the hash of its weights, or an error's text."""
    symc = [os.path.join(build, "bin", "symc"), files, "--random-weights", "--prefix", "net"] + arguments
    listing = os.path.join(folder, "net.s")
    done = subprocess.run(symc + ["-S", "-o", listing], capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr
    with open(listing) as file:
        functions = functions_of(file.read(), "net")
    if "--weights" not in arguments and "armv8-a" not in arguments:
        weights = os.path.join(folder, "net.o.weights")
        done = subprocess.run(symc + ["-c", "--weights", "file", "-o", os.path.join(folder, "net.o")],
                              capture_output=True, text=True)
        if done.returncode:
            return None, done.stderr
        if os.path.exists(weights):
            with open(weights, "rb") as file:
                data = file.read()
            functions["weights"] = hashlib.sha256(data[:8] + data[12:]).hexdigest()  # bytes 8 to 11: SYMC_ABI_VERSION
            os.remove(weights)
    return functions, ""


def results_of(place, name, files, arguments, folder):
    kept = os.path.join(place, name + ".json")
    if os.path.exists(kept):
        with open(kept) as file:
            return json.load(file), ""
    return generate(place, files, arguments, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new", nargs="?")
    parser.add_argument("--models", default=os.environ.get("SYMC_MODELS_DIR", ""), help="folder of public models")
    parser.add_argument("--nets", default="", help="folder of exported nets (export_nets.py)")
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--keep", default="", help="with OLD alone: write its results there")
    parser.add_argument("--show", action="store_true", help="print a difference of each model")
    options = parser.parse_args()
    folders = {"models": options.models, "nets": options.nets, "cases": CASES}
    only = [name for name in options.only.split(",") if name]
    compared = different = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, place, symbol, arguments in MODELS:
            if only and name not in only:
                continue
            files = os.path.join(folders[place], symbol) if folders[place] else ""
            if not files or not os.path.exists(files):
                print("%-20s skipped: no %s in the folder of %s" % (name, symbol, place))
                continue
            old, error = results_of(options.old, name, files, arguments, folder)
            if old is None:
                print("%-20s the old build fails: %s" % (name, error.strip()))
                different += 1
                continue
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, name + ".json"), "w") as file:
                    json.dump(old, file)
                print("%-20s %d functions kept" % (name, len(old)), flush=True)
                compared += 1
                continue
            new, error = results_of(options.new, name, files, arguments, folder)
            if new is None:
                print("%-20s the new build fails: %s" % (name, error.strip()))
                different += 1
                continue
            compared += 1
            names = sorted(set(old) | set(new))
            unlike = [one for one in names if old.get(one) != new.get(one)]
            different += bool(unlike)
            print("%-20s %s" % (name, "%d of %d differ: %s" % (len(unlike), len(names), ", ".join(unlike[:4]))
                                if unlike else "equal, %d functions" % len(names)), flush=True)
            if unlike and options.show:
                import difflib
                for line in list(difflib.unified_diff((old.get(unlike[0]) or "").splitlines(),
                                                      (new.get(unlike[0]) or "").splitlines(), lineterm="", n=1))[:40]:
                    print("    " + line)
    print("%d models compared, %d differ" % (compared, different))
    sys.exit(2 if not compared else 1 if different else 0)


if __name__ == "__main__":
    main()

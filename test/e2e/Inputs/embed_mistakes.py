"""embed_mistakes.py ROOT SOURCE: calls symc_add_model with each mistake that it tells of, against symc installed
in ROOT or the sources in SOURCE. Works in the folder 'mistakes'. Prints what was said where it is not the sentence
expected, then how many were; status 1 where one was not."""
import os
import subprocess
import sys

GOOD = "SYMBOL a.json TYPE EXECUTABLE"
FIND = "find_package(symc REQUIRED)\n"
FORMAT = "it must be NAME=VALUE, such as data=1,3,224,224"
NO_FILE = "which is no file, and no rule of this folder makes it"
# What is written before the call, its arguments, the sentence.
CASES = [
    (FIND, "SYMBOL a.json SHAPE data=1", "unknown argument 'SHAPE'"),
    (FIND, "SYMBOL a.json PARAMS", "PARAMS needs a value"),
    (FIND + "add_custom_target(net)\n", GOOD, "there is a target of that name already"),
    ("include(%(source)s/cmake/SymcModel.cmake)\n", GOOD,
     "there is no program symc::symc; call find_package(symc) first"),
    (FIND, "TYPE STATIC", "no SYMBOL, which names the model's net-symbol.json, and no ONNX, which names its ONNX file"),
    (FIND, "SYMBOL a.json ONNX a.json", "SYMBOL and ONNX are both given; a model has one of them"),
    (FIND, "ONNX a.json BATCHES 4", "BATCHES is of symbol files; an ONNX model has its weights, outputs and sizes itself"),
    (FIND, "SYMBOL a.json SIZES batch=1", "SIZES and VALUES are of ONNX models; SHAPES gives the shapes of a symbol's inputs"),
    (FIND, "ONNX b.onnx TYPE EXECUTABLE", "ONNX names '%(here)s/b.onnx', " + NO_FILE),
    (FIND, "SYMBOL a.json TYPE DLL", "TYPE is 'DLL'; it must be STATIC, SHARED, OBJECT or EXECUTABLE"),
    (FIND, "SYMBOL a.json WEIGHTS embed", "WEIGHTS is 'embed'; it must be EMBED, FILE or EXTERN"),
    (FIND, "SYMBOL a.json PREFIX 2nd", "PREFIX is '2nd', which is no name in C"),
    (FIND, "SYMBOL a.json SHAPES 1,3,224,224", "SHAPES has '1,3,224,224'; " + FORMAT),
    (FIND, GOOD + " PREPROCESS u8", "PREPROCESS has 'u8'; " + FORMAT),
    (FIND, "SYMBOL a.json BATCHES 1 four", "BATCHES has 'four', which is no batch size"),
    (FIND, "SYMBOL a.json SHAPES data=1,3 BATCHES 4",
     "BATCHES is given, but no extent of SHAPES is N, such as data=N,3,224,224"),
    (FIND, "SYMBOL a.json OPTIONS --math strict",
     "OPTIONS has 'strict'; an option and its value are one word, such as --math=strict"),
    (FIND, "SYMBOL a.json OPTIONS --prefix=x", "OPTIONS has '--prefix=x', which the function gives itself"),
    (FIND, "SYMBOL a.json OPTIONS -ofile", "OPTIONS has '-ofile', which the function gives itself"),
    (FIND, GOOD + " HEADER file", "HEADER is given, but a program (TYPE EXECUTABLE) has no header"),
    (FIND, "SYMBOL a.json LABELS a.json",
     "LABELS is given, but only a program (TYPE EXECUTABLE) prints classes"),
    (FIND, "SYMBOL a.json TYPE SHARED", "TYPE SHARED needs the language C or CXX, which project() enables"),
    ("add_executable(symc::symc IMPORTED)\ninclude(%(source)s/cmake/SymcModel.cmake)\n", GOOD + " TEST",
     "TEST needs symc-run beside symc, and there is none"),
    (FIND, "SYMBOL b.json TYPE EXECUTABLE",
     "SYMBOL names '%(here)s/b.json', " + NO_FILE),
    (FIND, GOOD + " PARAMS b.params", "PARAMS names '%(here)s/b.params', " + NO_FILE),
    ("set(SYMC_EXECUTABLE /bin/true)\nadd_subdirectory(%(source)s symc)\n", GOOD,
     "SYMC_EXECUTABLE is '/bin/true', which is no symc with share/symc beside its folder"),
]


def main():
    names = {"root": os.path.abspath(sys.argv[1]), "source": os.path.abspath(sys.argv[2]),
             "here": os.path.abspath("mistakes")}
    os.makedirs("mistakes", exist_ok=True)
    open("mistakes/a.json", "w").close()
    wrong = 0
    for number, (before, arguments, sentence) in enumerate(CASES):
        with open("mistakes/CMakeLists.txt", "w") as file:
            file.write("cmake_minimum_required(VERSION 3.20)\nproject(mistakes LANGUAGES NONE)\n")
            file.write("%ssymc_add_model(net %s)\n" % (before % names, arguments))
        command = ["cmake", "-S", "mistakes", "-B", "mistakes/%d" % number, "-DCMAKE_PREFIX_PATH=" + names["root"]]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # CMake breaks lines.
        if done.returncode == 0 or "".join((sentence % names).split()) not in "".join(done.stdout.split()):
            wrong += 1
            print("%s: expected: %s\n%s" % (arguments, sentence % names, done.stdout))
    print("%d mistakes, %d without their sentence" % (len(CASES), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

# lit's configuration for all suites under test/. CMake writes the parameters of a build folder
# to DIR/test/lit-params.json; --param NAME=VALUE replaces one. The folder is --param build=DIR,
# $SYMC_BUILD, or the one of build/* that was configured last, so that `lit test/ops/x.mlir` runs
# from anywhere. Tools come from DIR/bin and from LLVM's bin folder, so that tests name them
# plainly (symc, symc-opt, FileCheck, not).
import ctypes
import glob
import json
import os
import shutil
import subprocess

import lit.formats

source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = lit_config.params.get("build") or os.environ.get("SYMC_BUILD")
if not build:
    written = glob.glob(os.path.join(source, "build", "*", "test", "lit-params.json"))
    if not written:
        lit_config.fatal("no build folder below '%s': configure one (cmake --preset release), or pass --param build=DIR"
                         % os.path.join(source, "build"))
    build = os.path.dirname(os.path.dirname(max(written, key=os.path.getmtime)))
build = os.path.abspath(build)
if not os.path.isdir(os.path.join(build, "bin")):
    lit_config.fatal("'%s' is no build folder: it has no bin" % build)
if os.path.exists(os.path.join(build, "test", "lit-params.json")):
    with open(os.path.join(build, "test", "lit-params.json"), encoding="utf-8") as file:
        for name, value in json.load(file).items():
            lit_config.params.setdefault(name, value)
for name in ("llvm_bin", "python", "models", "cases"):  # a test runs in a folder of its own
    value = lit_config.params.get(name, "")
    if os.path.dirname(value):
        lit_config.params[name] = os.path.abspath(value)
llvm_bin = lit_config.params.get("llvm_bin", "/usr/lib/llvm-22/bin")

config.name = "symc"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "unit", "fuzz", "conformance"]
config.test_source_root = os.path.join(source, "test")
config.test_exec_root = os.path.join(build, "test", "lit")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), llvm_bin, os.environ.get("PATH", "")])
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input=fail"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "SYMC_NVRTC", "SYMC_NVDISASM", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%python", '"%s"' % lit_config.params.get("python", "python3")))
config.substitutions.append(("%examples", os.path.join(source, "examples")))
config.substitutions.append(("%scripts", os.path.join(source, "tools", "scripts")))
config.substitutions.append(("%bench", os.path.join(source, "tools", "bench")))
config.substitutions.append(("%llvm_bin", llvm_bin))
config.substitutions.append(("%build", build))

# What tests compile is kept nowhere else; those that are about it have a folder of their own.
config.environment["SYMC_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")

# Tests over public models or cases say `REQUIRES: models` or `REQUIRES: cases`
# and find the folders as %models and %cases.
for feature, variable in (("models", "SYMC_MODELS_DIR"), ("cases", "SYMC_CONFORMANCE_DIR")):
    folder = lit_config.params.get(feature) or os.environ.get(variable, "")
    if folder:
        config.available_features.add(feature)
        config.substitutions.append(("%" + feature, folder))
# What processors of Zen 4 and later, Sapphire Rapids and later multiply.
if os.path.exists("/proc/cpuinfo") and " avx512_bf16" in open("/proc/cpuinfo").read():
    config.available_features.add("avx512bf16")
if os.path.exists("/proc/cpuinfo") and " amx_bf16" in open("/proc/cpuinfo").read():
    config.available_features.add("amx")
# What is too slow for every change stands in tests of its own, `NAME-full.test`, which `REQUIRES: full`: ctest runs them
# under the label `full`. The test NAME has a smaller one of the same kind.
if lit_config.params.get("full"):
    config.available_features.add("full")
if os.path.exists(os.path.join(build, "bin", "kernel-bench")):  # needs Google Benchmark
    config.available_features.add("kernel-bench")
# Scripts that work on arrays say `REQUIRES: numpy`.
if subprocess.call([lit_config.params.get("python", "python3"), "-c", "import numpy"], stderr=subprocess.DEVNULL) == 0:
    config.available_features.add("numpy")
# Manifests of clusters are checked where Python has what reads and checks them.
if subprocess.call([lit_config.params.get("python", "python3"), "-c", "import jsonschema, yaml"], stderr=subprocess.DEVNULL) == 0:
    config.available_features.add("jsonschema")
# Tests that install the Python package say `REQUIRES: venv`; Debian has it in python3-venv.
if subprocess.call([lit_config.params.get("python", "python3"), "-c", "import ensurepip, venv"],
                   stderr=subprocess.DEVNULL) == 0:
    config.available_features.add("venv")
for program in ("make", "pkg-config", "man", "mandoc", "zsh", "dpkg-shlibdeps", "lintian"):
    if shutil.which(program):
        config.available_features.add(program)
# Tests of trainers on several processes say `REQUIRES: openmpi` or `mpich`; runs as root, and of more processes than
# processors, are what Open MPI asks to be told.
for name, program in (("openmpi", "mpirun.openmpi"), ("mpich", "mpirun.mpich")):
    if shutil.which(program):
        config.available_features.add(name)
config.environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                          OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none")
# The decoder of JPEG that trainers open, where it is.
try:
    ctypes.CDLL("libturbojpeg.so.0")
    config.available_features.add("turbojpeg")
except OSError:
    pass
# Tests that install packages in a root of their own say `REQUIRES: namespace`.
unshare = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"])
if shutil.which("unshare") and subprocess.call(unshare + ["true"], stderr=subprocess.DEVNULL) == 0:
    config.available_features.add("namespace")
if os.path.isdir("/sys/kernel"):
    config.available_features.add("sysfs")
# What needs NVIDIA's compiler of kernels or its disassembler stands in `%if nvrtc` and `%if nvdisasm`.
symc = os.path.join(build, "bin", "symc")
if os.path.exists(symc) and subprocess.call([symc, "--list-archs"], stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL) == 0:
    config.available_features.add("nvrtc")
    if os.environ.get("SYMC_NVDISASM") or shutil.which("nvdisasm") or glob.glob("/usr/local/cuda*/bin/nvdisasm"):
        config.available_features.add("nvdisasm")
if lit_config.params.get("sanitize"):
    config.available_features.add("sanitizer")
# What compiles and runs them on this processor (tools/cuda-shim): `REQUIRES: cuda-shim`. The
# functions by which it sees accesses are a sanitizer's own where there is one.
elif os.path.exists(os.path.join(build, "lib", "libsymc-cuda-shim-nvrtc.so")):
    config.available_features.add("cuda-shim")

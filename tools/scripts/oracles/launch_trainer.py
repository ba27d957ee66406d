"""Starts a trainer by the launch.py of MXNet's own package: --launcher mpi has to train, under Open MPI and MPICH, with equal bits;
the local launcher has to end with the mpirun line to use.

usage: launch_trainer.py --bin BIN --work DIR --mxnet-python PYTHON    status 77: there is no MXNet, or not both MPIs
"""
import argparse
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(HERE, "..", "..", "..", "test", "e2e", "Inputs")
# launch.py, for Pythons that have another name for a method that its tracker calls.
LAUNCH = """
import os, runpy, sys, threading
import mxnet
threading.Thread.isAlive = threading.Thread.is_alive
sys.argv[0] = os.path.join(os.path.dirname(mxnet.__file__), "tools", "launch.py")
runpy.run_path(sys.argv[0], run_name="__main__")
"""
PATIENCE = 60  # seconds: launch.py returns while its workers train


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--mxnet-python", required=True)
    options = parser.parse_args()
    launchers = {name: shutil.which(name) for name in ("mpirun.openmpi", "mpirun.mpich")}
    has = os.path.exists(options.mxnet_python) and subprocess.call([options.mxnet_python, "-c", "import mxnet, dmlc_tracker"],
                                                                   stderr=subprocess.DEVNULL) == 0
    if not has or not all(launchers.values()):
        print("skipped: no MXNet with its tracker, or not both of Open MPI and MPICH")
        return 77
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    os.chdir(options.work)
    for words in (["net", "net-symbol.json"], ["rows", "64", "rows.csv", "labels.csv"]):
        subprocess.run([sys.executable, os.path.join(INPUTS, "train_ranks.py"), *words], check=True)
    subprocess.run([os.path.join(options.bin, "symc"), "train", "net-symbol.json", "--shape", "data=4,1200", "--optimizer",
                    "sgd,momentum=0.9", "-o", "trainer"], check=True)
    command = ["./trainer", "--data-train", "rows.csv", "--label-train", "labels.csv", "--num-epochs", "2", "--lr", "0.05",
               "--kv-store", "dist_sync"]
    with open("mpirun.openmpi.hosts", "w") as file:
        file.write("localhost slots=2\n")
    with open("mpirun.mpich.hosts", "w") as file:
        file.write("localhost:2\n")
    variables = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                     OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none")
    saved = []
    for name, path in launchers.items():
        os.makedirs(name)
        with open(os.path.join(name, "mpirun"), "w") as script:
            # Open MPI's version has the name by which it was called, and the two mpirun that launch.py starts, for workers and
            # for servers, race for one folder in TMPDIR. MPICH searches its parts where the name is found.
            script.write('#!/bin/bash\n%s %s "$@"\n' % ("TMPDIR=$(mktemp -d -p .) exec -a mpirun" if name == "mpirun.openmpi" else
                                                        "exec", path))
        os.chmod(os.path.join(name, "mpirun"), 0o755)
        with open(name + ".log", "w") as log:
            code = subprocess.call([options.mxnet_python, "-c", LAUNCH, "-n", "2", "-H", name + ".hosts", "--launcher", "mpi", *command,
                                    "--model-prefix", name], stdout=log, stderr=subprocess.STDOUT,
                                   env=dict(variables, PATH=os.path.abspath(name) + os.pathsep + os.environ["PATH"]))
        until = time.monotonic() + PATIENCE
        while not os.path.exists(name + "-0002.manifest") and time.monotonic() < until:
            time.sleep(0.1)
        if code or not os.path.exists(name + "-0002.manifest"):
            sys.exit("launch.py --launcher mpi over %s: status %d\n%s" % (name, code, open(name + ".log").read()[-2000:]))
        with open(name + "-0002.params", "rb") as file:
            saved.append(file.read())
    if saved[0] != saved[1]:
        sys.exit("the two libraries left other parameters")
    local = subprocess.run([options.mxnet_python, "-c", LAUNCH, "-n", "2", "--launcher", "local", *command], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=variables)
    if "note: mpirun -n 2 [-H HOST,HOST,...] trainer ...; or launch.py with --launcher mpi" not in local.stdout:
        sys.exit("launch.py --launcher local did not name mpirun\n" + local.stdout[-2000:])
    print("launch.py trains over both libraries, and its local launcher names mpirun")
    return 0


if __name__ == "__main__":
    sys.exit(main())

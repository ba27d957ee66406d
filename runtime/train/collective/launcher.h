// launcher.h: what started this process beside others: the variables that launchers of MPI, Slurm
// and DMLC (MXNet's launch.py) set.
#ifndef SYMC_RUNTIME_TRAIN_COLLECTIVE_LAUNCHER_H
#define SYMC_RUNTIME_TRAIN_COLLECTIVE_LAUNCHER_H

#include "../../main/problem.h"

#include <stdint.h>

namespace symc::train {

struct Launcher {
  enum Kind { None, OpenMpi, Mpich, Pmix };
  Kind kind = None;
  int64_t size = 0;               // processes; 0: unknown
  const char *variable = nullptr; // that has it
  int64_t workers = 0;            // DMLC_NUM_WORKER
  int64_t world = 0;              // WORLD_SIZE, of torchrun and its kin
};

// Of this process.
Launcher find_launcher();
// Whether it is a server or a scheduler of MXNet's stores, which there is no need of: it ends. The
// scheduler that launch.py waits for takes a second to report it.
bool is_idle_role();
// False with a sentence where workers were started that MPI does not bring together: by MXNet's
// launch.py without it, or by torchrun. `program`: as it was called.
bool check_workers(const Launcher &launcher, const char *program, Problem &problem);

} // namespace symc::train
#endif

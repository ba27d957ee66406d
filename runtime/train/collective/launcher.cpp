// launcher.cpp: see launcher.h. The launcher that stands nearest to the process decides: an mpirun
// within a job of Slurm has set its own variables behind those of the job.
#include "launcher.h"

#include "../../core/environment.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace symc::train {

static int64_t count_of(const char *variable) {
  const char *text = environment(variable);
  char *end = nullptr;
  long long count = text ? strtoll(text, &end, 10) : 0;
  return text && *end == 0 && count > 0 ? count : 0;
}

Launcher find_launcher() {
  static const struct {
    const char *variable;
    Launcher::Kind kind;
  } rows[] = {{"OMPI_COMM_WORLD_SIZE", Launcher::OpenMpi},
              {"PMI_SIZE", Launcher::Mpich},
              {"SLURM_STEP_NUM_TASKS", Launcher::None},
              {"SLURM_NTASKS", Launcher::None}};
  Launcher found;
  for (const auto &row : rows) {
    int64_t count = count_of(row.variable);
    if (!count)
      continue;
    found.size = count;
    found.variable = row.variable;
    found.kind = row.kind;
    break;
  }
  if (found.kind == Launcher::None && environment("PMIX_RANK"))
    found.kind = Launcher::Pmix; // of srun --mpi=pmix or prterun, for either library
  else if (found.kind == Launcher::None && environment("PMI_RANK"))
    found.kind = Launcher::Mpich;
  found.workers = count_of("DMLC_NUM_WORKER");
  found.world = count_of("WORLD_SIZE");
  return found;
}

bool is_idle_role() {
  const char *role = environment("DMLC_ROLE");
  bool schedules = role && strcmp(role, "scheduler") == 0;
  // launch.py starts its scheduler first, and no worker where it has ended by then.
  if (schedules && environment("DMLC_PS_ROOT_PORT"))
    usleep(1000000);
  return schedules || (role && strcmp(role, "server") == 0);
}

bool check_workers(const Launcher &launcher, const char *program, Problem &problem) {
  if (launcher.kind != Launcher::None || launcher.size)
    return true;
  if (launcher.world > 1 && launcher.workers < 2) {
    problem.addNote("mpirun -n %lld [-H HOST,HOST,...] %.200s ...", (long long)launcher.world,
                    program);
    return problem.set(Usage,
                       "WORLD_SIZE is %lld, as torchrun sets it beside RANK, and on CPUs processes "
                       "meet by MPI: this program needs mpirun",
                       (long long)launcher.world);
  }
  if (launcher.workers < 2)
    return true;
  problem.addNote("mpirun -n %lld [-H HOST,HOST,...] %.200s ...; or launch.py with --launcher mpi",
                  (long long)launcher.workers, program);
  return problem.set(Usage,
                     "DMLC_NUM_WORKER is %lld, and a scheduler of MXNet's would bring the workers "
                     "together: this program needs mpirun",
                     (long long)launcher.workers);
}

} // namespace symc::train

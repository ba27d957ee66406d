// mpi.cpp: see mpi.h. Only a program that glibc's loader starts can open libraries.
#include "mpi.h"

#include "../../core/environment.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

namespace symc::train {

#ifdef __GLIBC__

namespace {
// What a handle is: the value itself, or the address of a symbol of the library.
struct Constant {
  const char *symbol;
  MpiHandle value;
};
struct Kind {
  const char *files[3]; // that may hold it, the first that opens is taken
  Constant world, floats, bytes, sum, errorsReturn;
  MpiHandle statusIgnore;
  int threadFunneled;
};
enum { StandardAbi, OpenMpi, Mpich, kindCount };
const Kind kinds[kindCount] = {
    // The ABI that version 5 of the standard has.
    {{"libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.so"},
     {nullptr, 0x101},
     {nullptr, 0x210},
     {nullptr, 0x247},
     {nullptr, 0x21},
     {nullptr, 0x143},
     0,
     1024},
    {{"libmpi.so.40", nullptr, nullptr},
     {"ompi_mpi_comm_world", 0},
     {"ompi_mpi_float", 0},
     {"ompi_mpi_byte", 0},
     {"ompi_mpi_op_sum", 0},
     {"ompi_mpi_errors_return", 0},
     0,
     1},
    // MPICH, and what keeps its ABI: Intel MPI, MVAPICH, Cray MPICH.
    {{"libmpi.so.12", "libmpich.so.12", nullptr},
     {nullptr, 0x44000000},
     {nullptr, 0x4c00040a},
     {nullptr, 0x4c00010d},
     {nullptr, 0x58000003},
     {nullptr, 0x54000001},
     1,
     1},
};
} // namespace

bool Mpi::findFunctions() {
  const struct {
    const char *name;
    void *to;
  } rows[] = {
#define SYMC_MPI_FUNCTION(name, parameters) {"MPI_" #name, &name},
      SYMC_MPI_FUNCTIONS(SYMC_MPI_FUNCTION)
#undef SYMC_MPI_FUNCTION
  };
  for (const auto &row : rows) {
    void *found = dlsym(library, row.name);
    if (!found) {
      snprintf(reason, sizeof reason, "has no function %s", row.name);
      return false;
    }
    memcpy(row.to, &found, sizeof found);
  }
  return true;
}

bool Mpi::findConstants(int number) {
  const Kind &kind = kinds[number];
  const struct {
    const Constant &from;
    MpiHandle &to;
  } rows[] = {{kind.world, world},
              {kind.floats, floats},
              {kind.bytes, bytes},
              {kind.sum, sum},
              {kind.errorsReturn, errorsReturn}};
  for (const auto &row : rows) {
    row.to = row.from.symbol ? MpiHandle(dlsym(library, row.from.symbol)) : row.from.value;
    if (!row.to) {
      snprintf(reason, sizeof reason, "has no symbol %s", row.from.symbol);
      return false;
    }
  }
  statusIgnore = reinterpret_cast<void *>(kind.statusIgnore);
  threadFunneled = kind.threadFunneled;
  return true;
}

bool Mpi::tryFile(const char *name, int kind) {
  // For all of the process: components of Open MPI look for its symbols there.
  library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    snprintf(reason, sizeof reason, "%s", dlerror());
    return false;
  }
  snprintf(path, sizeof path, "%s", name);
  if (kind < 0)
    kind = strstr(name, "libmpi_abi.")                   ? StandardAbi
           : dlsym(library, kinds[OpenMpi].world.symbol) ? OpenMpi
                                                         : Mpich;
  if (findFunctions() && findConstants(kind))
    return true;
  dlclose(library);
  library = nullptr;
  return false;
}

bool Mpi::open(const Launcher &launcher, Problem &problem) {
  if (const char *named = environment(Variable::SYMC_MPI)) {
    if (tryFile(named, -1))
      return true;
    return problem.set(RunFailed, "SYMC_MPI: '%s' is no library of MPI: %s", named, reason);
  }
  // The launcher's own library first: under another one each process would be alone.
  static const int orders[][kindCount] = {{StandardAbi, OpenMpi, Mpich},
                                          {OpenMpi, StandardAbi, -1},
                                          {Mpich, StandardAbi, -1},
                                          {StandardAbi, OpenMpi, Mpich}};
  char tried[200] = "", first[sizeof reason] = "";
  size_t used = 0;
  for (int kind : orders[launcher.kind])
    for (int i = 0; kind >= 0 && i < 3; ++i) {
      const char *name = kinds[kind].files[i];
      if (name && tryFile(name, kind))
        return true;
      if (name && !first[0])
        memcpy(first, reason, sizeof first);
      if (name && used < sizeof tried)
        used += size_t(snprintf(tried + used, sizeof tried - used, "%s%s", used ? ", " : "", name));
    }
  problem.addNote("SYMC_MPI=FILE names the library");
  return problem.set(RunFailed, "no library of MPI is here: tried %s: %s", tried, first);
}

#else

bool Mpi::open(const Launcher &, Problem &problem) {
  return problem.set(Usage, "this program is linked statically (-static), and cannot open the "
                            "library of MPI");
}

#endif

bool Mpi::fail(const char *function, int code, Problem &problem) const {
  char text[8192] = ""; // as long as MPICH may write
  int length = 0;
  Error_string(code, text, &length);
  for (char *at = text; *at; ++at)
    *at = *at == '\n' ? ' ' : *at;
  return problem.set(RunFailed, "MPI_%s failed: %.600s", function, text);
}

} // namespace symc::train

// mpi.h: MPI as the machine has it, found when the program runs. Libraries of MPI differ in what
// their handles are: each of the three kinds is a row of constants (mpi.cpp), and the functions are
// called with handles as integers of a pointer's size, which both kinds of handle fit in registers.
#ifndef SYMC_RUNTIME_TRAIN_COLLECTIVE_MPI_H
#define SYMC_RUNTIME_TRAIN_COLLECTIVE_MPI_H

#include "launcher.h"

#include <stdint.h>

namespace symc::train {

using MpiHandle = uintptr_t;
using MpiRequest = uint64_t; // a pointer, or an int in its first half

class Mpi {
public:
  // Opens the library of the launcher's kind, or that which SYMC_MPI names. False with a sentence
  // where there is none.
  bool open(const Launcher &launcher, Problem &problem);
  bool isOpen() const { return library != nullptr; }
  const char *file() const { return path; } // that was opened

  // A sentence for what a function returned; false, so that a caller can return it.
  bool fail(const char *function, int code, Problem &problem) const;

  // clang-format off
#define SYMC_MPI_FUNCTIONS(row)                                                                    \
  row(Init_thread, (int *, char ***, int, int *))                                                  \
  row(Finalize, ())                                                                                \
  row(Abort, (MpiHandle, int))                                                                     \
  row(Comm_rank, (MpiHandle, int *))                                                               \
  row(Comm_size, (MpiHandle, int *))                                                               \
  row(Comm_idup, (MpiHandle, MpiHandle *, MpiRequest *))                                           \
  row(Comm_set_errhandler, (MpiHandle, MpiHandle))                                                 \
  row(Error_string, (int, char *, int *))                                                          \
  row(Ialltoallv, (const void *, const int *, const int *, MpiHandle, void *, const int *,         \
                   const int *, MpiHandle, MpiHandle, MpiRequest *))                               \
  row(Iallgather, (const void *, int, MpiHandle, void *, int, MpiHandle, MpiHandle, MpiRequest *)) \
  row(Iallgatherv, (const void *, int, MpiHandle, void *, const int *, const int *, MpiHandle,     \
                    MpiHandle, MpiRequest *))                                                      \
  row(Iallreduce, (const void *, void *, int, MpiHandle, MpiHandle, MpiHandle, MpiRequest *))      \
  row(Isend, (const void *, int, MpiHandle, int, int, MpiHandle, MpiRequest *))                    \
  row(Iprobe, (int, int, MpiHandle, int *, void *))                                                \
  row(Recv, (void *, int, MpiHandle, int, int, MpiHandle, void *))                                 \
  row(Request_free, (MpiRequest *))                                                                \
  row(Test, (MpiRequest *, int *, void *))
  // clang-format on
#define SYMC_MPI_FUNCTION(name, parameters) int(*name) parameters = nullptr;
  SYMC_MPI_FUNCTIONS(SYMC_MPI_FUNCTION)
#undef SYMC_MPI_FUNCTION

  MpiHandle world = 0, floats = 0, bytes = 0, sum = 0, errorsReturn = 0;
  void *statusIgnore = nullptr;
  int threadFunneled = 0;

private:
  bool tryFile(const char *name, int kind); // -1: the kind that the file's symbols show
  bool findFunctions();
  bool findConstants(int kind);

  void *library = nullptr;
  char path[512] = "", reason[512] = "";
};

} // namespace symc::train
#endif

/* mpi_shim.c: stands between a trainer and MPICH (SYMC_MPI names it), and misbehaves as variables
 * ask: SHIM_DELAY=MICROSECONDS  waits a random time up to that before calls, and lets requests that
 *                            are done seem not to be, so that they end in another order
 *   SHIM_WRONG=RANK          adds 1 to a number that this rank receives of a sum
 *   SHIM_FAIL=FUNCTION       that function returns an error; where ranks meet, behind 40 calls
 *   SHIM_INFINITE=1          each rank receives an infinite number of a sum
 *   SHIM_HOLD=1              no sum is ever done
 *   SHIM_LATE=RANK           that rank ends all of them 4 seconds late
 *   SHIM_QUIET=N             rank 1 stops in its Nth exchange of bytes
 *   SHIM_STALL=N             rank 1 stops when its Nth pieces go back; SHIM_EARLY=RANK: at the
 * start SHIM_STOP=RANK           the rank stops (SIGSTOP) in its 9th sum; SHIM_KILL: it kills
 * itself Everything else is MPICH's, which it is linked with. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { world = 0x44000000, floats = 0x4c00040a };
static uint64_t state;
static int rank = -1, calls, held;

static uint64_t draw(void) {
  if (!state)
    state = (uint64_t)getpid() * 0x9e3779b97f4a7c15u;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static int variable(const char *name) {
  const char *text = getenv(name);
  return text ? atoi(text) : -1;
}

static void delay(void) {
  int most = variable("SHIM_DELAY");
  if (most > 0)
    usleep((useconds_t)(draw() % (uint64_t)most));
}

/* 1: MPI_ERR_BUFFER of MPICH */
static int fails_at_once(const char *name) {
  const char *asked = getenv("SHIM_FAIL");
  return asked && strcmp(asked, name) == 0;
}

static int fails(const char *name) { return fails_at_once(name) && ++calls > 40; }

#define REAL(name, parameters) int(*real) parameters = (int(*) parameters)dlsym(RTLD_NEXT, #name)

#define FAILING(name, parameters, arguments)                                                       \
  int name parameters {                                                                            \
    REAL(name, parameters);                                                                        \
    return fails_at_once(#name) ? 1 : real arguments;                                              \
  }
FAILING(MPI_Init_thread, (int *n, char ***words, int asked, int *given), (n, words, asked, given))
FAILING(MPI_Comm_size, (int comm, int *to), (comm, to))
FAILING(MPI_Comm_set_errhandler, (int comm, int handler), (comm, handler))
FAILING(MPI_Finalize, (void), ())
FAILING(MPI_Isend, (const void *from, int n, int type, int to, int tag, int comm, int *request),
        (from, n, type, to, tag, comm, request))
FAILING(MPI_Request_free, (int *request), (request))
FAILING(MPI_Iprobe, (int from, int tag, int comm, int *there, void *status),
        (from, tag, comm, there, status))
FAILING(MPI_Recv, (void *to, int n, int type, int from, int tag, int comm, void *status),
        (to, n, type, from, tag, comm, status))

int MPI_Abort(int comm, int status) {
  REAL(MPI_Abort, (int, int));
  if (variable("SHIM_LATE") == rank)
    sleep(4);
  return real(comm, status);
}

int MPI_Comm_rank(int comm, int *to) {
  REAL(MPI_Comm_rank, (int, int *));
  int code = fails_at_once("MPI_Comm_rank") ? 1 : real(comm, to);
  rank = *to;
  return code;
}

int MPI_Comm_idup(int comm, int *to, int *request) {
  REAL(MPI_Comm_idup, (int, int *, int *));
  if (rank == variable("SHIM_EARLY"))
    raise(SIGSTOP);
  return fails_at_once("MPI_Comm_idup") ? 1 : real(comm, to, request);
}

int MPI_Ialltoallv(const void *from, const int *n, const int *at, int type, void *to, const int *m,
                   const int *toAt, int toType, int comm, int *request) {
  REAL(MPI_Ialltoallv, (const void *, const int *, const int *, int, void *, const int *,
                        const int *, int, int, int *));
  static int sums;
  held = variable("SHIM_HOLD") > 0;
  if (++sums == 9 && rank == variable("SHIM_STOP"))
    raise(SIGSTOP);
  if (sums == 9 && rank == variable("SHIM_KILL"))
    raise(SIGKILL);
  delay();
  return fails("MPI_Ialltoallv") ? 1 : real(from, n, at, type, to, m, toAt, toType, comm, request);
}

static float *wrong; /* is changed behind the end of the call under way */

int MPI_Iallgather(const void *from, int n, int type, void *to, int m, int toType, int comm,
                   int *request) {
  REAL(MPI_Iallgather, (const void *, int, int, void *, int, int, int, int *));
  static int exchanges;
  delay();
  if (++exchanges == variable("SHIM_QUIET") && rank == 1)
    raise(SIGSTOP);
  return real(from, n, type, to, m, toType, comm, request);
}

int MPI_Iallgatherv(const void *from, int n, int type, void *to, const int *m, const int *toAt,
                    int toType, int comm, int *request) {
  REAL(MPI_Iallgatherv,
       (const void *, int, int, void *, const int *, const int *, int, int, int *));
  static int calls;
  delay();
  if (++calls == variable("SHIM_STALL") && rank == 1)
    raise(SIGSTOP);
  if (rank == variable("SHIM_WRONG") || variable("SHIM_INFINITE") > 0)
    wrong = to;
  return fails("MPI_Iallgatherv") ? 1 : real(from, n, type, to, m, toAt, toType, comm, request);
}

int MPI_Iallreduce(const void *from, void *to, int n, int type, int op, int comm, int *request) {
  REAL(MPI_Iallreduce, (const void *, void *, int, int, int, int, int *));
  return fails("MPI_Iallreduce") ? 1 : real(from, to, n, type, op, comm, request);
}

int MPI_Test(int *request, int *done, void *status) {
  REAL(MPI_Test, (int *, int *, void *));
  if (variable("SHIM_DELAY") > 0 && draw() % 4) {
    *done = 0;
    return 0;
  }
  if (held) {
    *done = 0;
    return 0;
  }
  int code = fails("MPI_Test") ? 1 : real(request, done, status);
  if (*done && wrong) {
    *wrong = variable("SHIM_INFINITE") > 0 ? INFINITY : *wrong + 1;
    wrong = NULL;
  }
  return code;
}

// process.cpp: see process.h.
#include "process.h"

#include "../core/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>

namespace symc {

void settle_process() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  for (int i = 0; i < 3; ++i)
    if (fcntl(i, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", i == 0 ? O_WRONLY : O_RDONLY); // what is read or written fails as before
}

bool flush_standard_output(Problem &problem) {
  errno = 0;
  bool failed = fflush(stdout) != 0;
  int reason = errno; // 0: a write before this one has failed
  if (!failed && !ferror(stdout))
    return true;
  return problem.set(BadOutput, "cannot write to standard output%s%s", reason ? ": " : "",
                     reason ? Reason(reason).c_str() : "");
}

} // namespace symc

// HostSignals.h: keeps signals that belong to writes from the program around the library.
#ifndef SYMC_TOOLS_LIBSYMC_HOSTSIGNALS_H
#define SYMC_TOOLS_LIBSYMC_HOSTSIGNALS_H

#include <csignal>
#include <ctime>
#include <initializer_list>

namespace symc::library {

/// While it lives, a write of this thread beyond the limit on files' sizes, or into a pipe that
/// nobody reads, fails with an error number alone. Handlers stay as they are.
class HoldWriteSignals {
public:
  HoldWriteSignals() {
    sigset_t pending;
    sigemptyset(&held);
    sigpending(&pending);
    for (int signal : {SIGPIPE, SIGXFSZ})
      if (!sigismember(&pending, signal)) // else it is somebody else's, and is held already
        sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before);
  }
  ~HoldWriteSignals() {
    timespec now = {};
    while (sigtimedwait(&held, nullptr, &now) > 0)
      continue;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  HoldWriteSignals(const HoldWriteSignals &) = delete;

private:
  sigset_t held, before;
};

} // namespace symc::library

#endif // SYMC_TOOLS_LIBSYMC_HOSTSIGNALS_H

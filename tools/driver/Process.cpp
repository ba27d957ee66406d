// Process.cpp: see Process.h.
#include "tools/driver/Process.h"

#include "codegen/emit/OutputFile.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <new>
#include <unistd.h>

using namespace symc;

static const char *toolName = "symc";
static int failureStatus = 1;

// Allocates nothing: there may be no memory.
[[noreturn]] static void endWith(const char *sentence) {
  llvm::sys::RunInterruptHandlers(); // removes the files aside
  codegen::LinkersFiles::remove();
  for (const char *text : {toolName, ": error: ", sentence, "\n"})
    if (::write(STDERR_FILENO, text, std::strlen(text)) < 0)
      break;
  ::_exit(failureStatus);
}

void symc::endOutOfMemory() { endWith("out of memory"); }

// Where a file is mapped and another program cuts it short.
static void endCutShort(int) { endWith("a file that is being read was cut short"); }

// The C library aborts where it has no memory for a thread's own variables, and has printed that.
static void endAborted(int) { endWith("ended by the system, see the message above"); }

void symc::settleProcess(const char *tool, int status) {
  toolName = tool;
  codegen::removeFilesOnSignals();
  failureStatus = status;
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  ::signal(SIGBUS, endCutShort);
  ::signal(SIGABRT, endAborted);
  for (int i = 0; i < 3; ++i) // else the next file that is opened gets the number
    if (::fcntl(i, F_GETFD) < 0 && errno == EBADF)
      (void)::open("/dev/null", i == 0 ? O_WRONLY : O_RDONLY);
  std::set_new_handler(endOutOfMemory);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { endOutOfMemory(); });
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) { endWith(reason); });
  // The libraries of C++ throw where a thread cannot be started.
  std::set_terminate([] { endWith("the system gives no more threads or memory"); });
}

llvm::Error symc::finishStandardOutput(bool report) {
  llvm::errs().clear_error(); // there is no reader left
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  if (!error || (report && error.value() == EPIPE))
    return llvm::Error::success();
  return codegen::cannotWrite("standard output", error.value());
}

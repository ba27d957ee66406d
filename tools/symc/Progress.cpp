// Progress.cpp: see Progress.h.
#include "tools/symc/Progress.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace symc;

Progress::Progress(bool verbose, bool quiet) : verbose(verbose) {
  if (!verbose && !quiet && llvm::sys::Process::StandardErrIsDisplayed())
    watcher = std::thread([this] { watch(); });
}

Progress::~Progress() { end(); }

void Progress::erase() {
  if (shown)
    llvm::errs() << "\r\033[K";
  shown = false;
}

void Progress::begin(llvm::StringRef name) {
  if (verbose)
    llvm::errs() << "symc: " << name << "\n";
  std::lock_guard<std::mutex> lock(mutex);
  erase();
  stage = name.str();
  start = std::chrono::steady_clock::now();
  printed = false;
  changed.notify_one();
}

void Progress::hide() {
  std::lock_guard<std::mutex> lock(mutex);
  erase();
  printed = true;
}

void Progress::end() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    erase();
    done = true;
  }
  changed.notify_one();
  if (watcher.joinable())
    watcher.join();
}

void Progress::watch() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!done) {
    changed.wait_for(lock, std::chrono::milliseconds(250));
    if (!done && !printed && std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) {
      llvm::errs() << "symc: " << stage << " ...";
      printed = shown = true;
    }
  }
}

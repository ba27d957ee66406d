// Progress.h: a line on the terminal about a stage that lasts over a second, which goes when the
// stage ends; with -v a line for every stage, on whatever standard error is.
#ifndef SYMC_TOOLS_SYMC_PROGRESS_H
#define SYMC_TOOLS_SYMC_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace symc {

class Progress {
public:
  /// `quiet`: other text of the stages goes to standard error, which a line would get into.
  Progress(bool verbose, bool quiet);
  ~Progress();
  void begin(llvm::StringRef name);
  /// Removes the line until the next stage, before other text.
  void hide();
  /// No line comes after this.
  void end();

private:
  void watch();
  void erase(); // with the lock

  bool verbose, done = false, printed = true, shown = false;
  std::string stage;
  std::chrono::steady_clock::time_point start;
  std::mutex mutex;
  std::condition_variable changed;
  std::thread watcher; // where there is a terminal
};

} // namespace symc

#endif // SYMC_TOOLS_SYMC_PROGRESS_H

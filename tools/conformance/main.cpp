// symc-conformance: runs folders of conformance cases in worker processes; a
// case that crashes or hangs costs its worker only. Prints one line a failure,
// a table by operator, and "N passed, N failed, N skipped".
#include "runtime/include/symc/runtime.h"
#include "tools/amx-emulator/Emulator.h"
#include "tools/conformance/ConformanceOptions.h"
#include "tools/conformance/Faults.h"
#include "tools/driver/ParseOptions.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include <cstdio>
#include <map>
#include <new>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace symc;
using namespace symc::conformance;

namespace {

struct Case {
  std::string folder, label, op;
  bool done = false;
  Outcome outcome;
};

struct Worker {
  pid_t pid = -1;
  int toChild = -1, fromChild = -1;
  char *fault = nullptr; // shared with the child, which writes there what a signal was about
  int current = -1;
};

} // namespace

static void findCases(llvm::StringRef root, std::vector<Case> &cases) {
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(root, error), end; it != end && !error;
       it.increment(error)) {
    if (llvm::sys::path::filename(it->path()) != "case.json")
      continue;
    Case found;
    found.folder = llvm::sys::path::parent_path(it->path()).str();
    llvm::StringRef parent = llvm::sys::path::parent_path(found.folder);
    found.op = llvm::sys::path::filename(parent).str();
    found.label = found.op + "/" + llvm::sys::path::filename(found.folder).str();
    cases.push_back(std::move(found));
  }
}

// Mutants may request any amount of memory. The limit counts addresses, guards' among them.
constexpr rlim_t mutantBytes = rlim_t(6) << 30;
constexpr int outOfMemoryStatus = 4;

static void limitMemory() {
#if !defined(__has_feature) || !__has_feature(address_sanitizer) // which maps terabytes
  rlimit limit{mutantBytes, mutantBytes};
  setrlimit(RLIMIT_AS, &limit);
#endif
  std::set_new_handler([] { _exit(outOfMemoryStatus); });
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { _exit(outOfMemoryStatus); });
}

// A worker reads case numbers and answers
// "<verdict> <slots> <bytes> <ran> <halves> <matrices> <banks> <message>\n".
[[noreturn]] static void work(int in, int out, const std::vector<Case> &cases,
                              const CommandLine &command) {
  int32_t index;
  while (read(in, &index, sizeof index) == sizeof index) {
    alarm(command.timeoutSeconds);
    if (command.run.misbehave == "hang")
      pause();
    else if (command.run.misbehave == "end")
      _exit(3);
    else if (command.run.misbehave == "crash")
      raise(SIGKILL);
    Outcome outcome = runCase(cases[index].folder, command.run);
    alarm(0);
    for (char &c : outcome.message)
      if (c == '\n')
        c = ' ';
    std::string line = llvm::formatv(
        "{0} {1} {2} {3} {4} {5} {6} {7}\n", static_cast<int>(outcome.verdict), outcome.slots,
        outcome.bytes, static_cast<int>(outcome.ran), static_cast<int>(outcome.halves),
        static_cast<int>(outcome.matrices), textOf(outcome.banks), outcome.message);
    for (size_t sent = 0; sent < line.size();) {
      ssize_t n = write(out, line.data() + sent, line.size() - sent);
      if (n <= 0)
        _exit(3);
      sent += n;
    }
  }
  _exit(0);
}

constexpr size_t faultBytes = 1024;

static bool start(Worker &worker, std::vector<Worker> &all, const std::vector<Case> &cases,
                  const CommandLine &command) {
  int down[2], up[2];
  if (pipe(down) || pipe(up))
    return false;
  if (!worker.fault) {
    void *shared =
        mmap(nullptr, faultBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
      return false;
    worker.fault = static_cast<char *>(shared);
  }
  worker.fault[0] = 0;
  fflush(stdout);
  worker.pid = fork();
  if (worker.pid == 0) {
    close(down[1]);
    close(up[0]);
    // A worker that kept another's pipe open would keep it from ending.
    for (Worker &other : all)
      if (other.pid > 0) {
        close(other.toChild);
        close(other.fromChild);
      }
    reportFaults(worker.fault, faultBytes);
    if (command.run.mutants)
      limitMemory();
    work(down[0], up[1], cases, command);
  }
  close(down[0]);
  close(up[1]);
  worker.toChild = down[1];
  worker.fromChild = up[0];
  worker.current = -1;
  return worker.pid > 0;
}

static void stop(Worker &worker) {
  close(worker.toChild);
  close(worker.fromChild);
  worker.pid = -1;
}

// Of a worker that waits for its next case.
static void end(Worker &worker) {
  pid_t pid = worker.pid;
  stop(worker);
  waitpid(pid, nullptr, 0);
}

// Whether the worker of that case can run none any more.
static bool endsProcess(const Outcome &outcome, const RunOptions &options) {
  return options.device && !options.shim && outcome.verdict == Verdict::Failed &&
         llvm::StringRef(outcome.message).contains(symc_status_message(SYMC_STATUS_DEVICE_LOST));
}

// Reads one line from a worker; empty at the end of the pipe.
static std::string readLine(int fd) {
  std::string line;
  char c;
  while (read(fd, &c, 1) == 1) {
    if (c == '\n')
      return line + "\n";
    line += c;
  }
  return "";
}

static Outcome parse(llvm::StringRef line) {
  Outcome outcome{};
  int verdict = 0, ran = 0, halves = 0, matrices = 0;
  line = line.rtrim('\n');
  line.consumeInteger(10, verdict);
  line = line.drop_front();
  line.consumeInteger(10, outcome.slots);
  line = line.drop_front();
  line.consumeInteger(10, outcome.bytes);
  line = line.drop_front();
  line.consumeInteger(10, ran);
  line = line.drop_front();
  line.consumeInteger(10, halves);
  line = line.drop_front();
  line.consumeInteger(10, matrices);
  line = line.drop_front();
  outcome.halves = halves;
  outcome.matrices = matrices;
  auto [banks, message] = line.split(' ');
  outcome.banks = banksFrom(banks);
  outcome.ran = static_cast<Ran>(ran);
  outcome.verdict = static_cast<Verdict>(verdict);
  outcome.message = message.str();
  return outcome;
}

static void runAll(std::vector<Case> &cases, const CommandLine &command) {
  size_t next = 0, finished = 0;
  std::vector<Worker> workers(command.jobs);
  auto feed = [&](Worker &worker) {
    if (next >= cases.size())
      return;
    if (worker.pid < 0 && !start(worker, workers, cases, command)) {
      fprintf(stderr, "symc-conformance: error: cannot start a worker: %s\n",
              reasonOf({errno, std::generic_category()}).c_str());
      exit(2);
    }
    int32_t index = next++;
    worker.current = index;
    if (write(worker.toChild, &index, sizeof index) != sizeof index)
      perror("symc-conformance");
  };
  for (Worker &worker : workers)
    feed(worker);
  while (finished < cases.size()) {
    std::vector<pollfd> polls;
    for (Worker &worker : workers)
      polls.push_back({worker.current >= 0 ? worker.fromChild : -1, POLLIN, 0});
    poll(polls.data(), polls.size(), -1);
    for (size_t i = 0; i < workers.size(); ++i) {
      if (!polls[i].revents)
        continue;
      Worker &worker = workers[i];
      Case &current = cases[worker.current];
      std::string line = readLine(worker.fromChild);
      if (!line.empty()) {
        current.outcome = parse(line);
      } else {
        int status = 0;
        waitpid(worker.pid, &status, 0);
        std::string why =
            WIFSIGNALED(status)
                ? (WTERMSIG(status) == SIGALRM
                       ? "no answer after " + std::to_string(command.timeoutSeconds) + " s"
                       : "crashed (signal " + std::to_string(WTERMSIG(status)) + ")" +
                             (worker.fault[0] ? std::string(": ") + worker.fault : ""))
                : "worker ended with status " + std::to_string(WEXITSTATUS(status));
        current.outcome = {Verdict::Failed, why};
        if (command.run.mutants && WIFEXITED(status) && WEXITSTATUS(status) == outOfMemoryStatus)
          current.outcome = {Verdict::Refused, "out of memory"};
        stop(worker);
      }
      if (endsProcess(current.outcome, command.run))
        end(worker);
      current.done = true;
      worker.current = -1;
      ++finished;
      feed(worker);
    }
  }
  for (Worker &worker : workers)
    if (worker.pid > 0)
      end(worker);
}

static int printResults(const std::vector<Case> &cases, const CommandLine &command) {
  const RunOptions &options = command.run;
  struct Row {
    int passed = 0, failed = 0, unsupported = 0;
  };
  std::map<std::string, Row> table;
  std::map<std::string, int> missing;
  Row total;
  int64_t slots = 0, bytes = 0;
  int onDevice = 0, byFallback = 0, halves = 0, matrices = 0;
  int otherMode = 0, withoutLayer = 0, withoutAxis = 0, refused = 0;
  for (const Case &item : cases) {
    Row &row = table[item.op];
    slots += item.outcome.slots;
    bytes += item.outcome.bytes;
    switch (item.outcome.verdict) {
    case Verdict::Passed:
      ++row.passed, ++total.passed;
      onDevice += item.outcome.ran == Ran::Device;
      byFallback += item.outcome.ran == Ran::Fallback;
      halves += item.outcome.halves;
      matrices += item.outcome.matrices;
      if (command.verbose)
        printf("PASS %s%s\n", item.label.c_str(),
               item.outcome.ran == Ran::Fallback ? " (by fallback)" : "");
      break;
    case Verdict::Failed:
      ++row.failed, ++total.failed;
      printf("FAIL %s: %s\n", item.label.c_str(), item.outcome.message.c_str());
      break;
    case Verdict::Unsupported:
      ++row.unsupported, ++total.unsupported;
      ++missing[item.outcome.message];
      if (command.listUnsupported)
        printf("UNSUPPORTED %s: %s\n", item.label.c_str(), item.outcome.message.c_str());
      break;
    case Verdict::OtherMode:
      ++otherMode;
      break;
    case Verdict::WithoutLayer:
      ++withoutLayer;
      break;
    case Verdict::WithoutAxis:
      ++withoutAxis;
      break;
    case Verdict::Refused:
      ++refused;
      if (command.verbose)
        printf("REFUSED %s: %s\n", item.label.c_str(), item.outcome.message.c_str());
      break;
    }
  }
  printf("\n%-44s %7s %7s %12s\n", "operator", "passed", "failed", "unsupported");
  for (auto &[name, row] : table)
    if (row.passed || row.failed || row.unsupported)
      printf("%-44s %7d %7d %12d\n", name.c_str(), row.passed, row.failed, row.unsupported);
  if (!missing.empty()) {
    printf("\noperators that are not in the table, with their cases:");
    for (auto &[name, count] : missing)
      printf(" %s %d,", name.c_str(), count);
    printf("\n");
  }
  if (otherMode)
    printf("%d cases of %s were left out\n", otherMode, options.train ? "prediction" : "training");
  if (withoutLayer)
    printf("%d cases have no layer that the kernel can compute\n", withoutLayer);
  if (slots)
    printf("%lld tensors, buffers and weights of %lld bytes lay beside guards\n", (long long)slots,
           (long long)bytes);
  if (withoutAxis)
    printf("%d cases have no extent to open\n", withoutAxis);
  if (refused)
    printf("%d cases were refused%s\n", refused, options.mutants ? "" : " with an open extent");
  if (total.passed < command.minPassed)
    printf("fewer than %d cases passed\n", command.minPassed), ++total.failed;
  if (options.countBanks) {
    std::vector<std::pair<std::string, std::vector<KernelBanks>>> banks;
    for (const Case &item : cases)
      banks.push_back({item.label, item.outcome.banks});
    printBanks(banks);
  }
  if (isHalf(options.precision))
    printf("%d multiply 16 bits of memory\n", halves);
  if (matrices)
    printf("%d by matrices\n", matrices);
  if (options.device)
    printf("%d on the device, %d by fallback\n", onDevice, byFallback);
  printf("%d passed, %d failed, %d skipped\n", total.passed, total.failed, total.unsupported);
  return total.failed ? 1 : 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CommandLine command = readCommandLine(argc, argv);
  std::vector<Case> cases;
  for (const std::string &root : command.roots)
    findCases(root, cases);
  std::sort(cases.begin(), cases.end(),
            [](const Case &a, const Case &b) { return a.folder < b.folder; });
  std::vector<Case> chosen;
  for (Case &item : cases) {
    bool wanted = command.filters.empty();
    for (const std::string &filter : command.filters)
      wanted |= item.folder.find(filter) != std::string::npos;
    if (wanted)
      chosen.push_back(std::move(item));
  }
  if (command.ofEach > 1) {
    std::vector<Case> fewer;
    std::string op;
    int count = 0;
    for (Case &item : chosen) {
      count = item.op == op ? count + 1 : 0;
      op = item.op;
      if (count % command.ofEach == 0)
        fewer.push_back(std::move(item));
    }
    chosen = std::move(fewer);
  }
  if (command.every > 1) {
    std::vector<Case> fewer;
    for (size_t i = 0; i < chosen.size(); i += command.every)
      fewer.push_back(std::move(chosen[i]));
    chosen = std::move(fewer);
  }
  if (chosen.empty()) {
    refuseCommandLine("symc-conformance", "no case found below the folders");
  }
#if defined(__x86_64__)
  bool isReady = !command.run.emulateAmx || amx::installEmulator();
#else
  bool isReady = !command.run.emulateAmx;
#endif
  if (!isReady)
    refuseCommandLine("symc-conformance",
                      "--emulate-amx needs a processor with AVX512-BF16, which executes the rest");
  signal(SIGPIPE, SIG_IGN);
  runAll(chosen, command);
  return printResults(chosen, command);
}

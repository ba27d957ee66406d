// symc-conformance: runs folders of conformance cases in worker processes; a
// case that crashes or hangs costs its worker only. Prints one line a failure,
// a table by operator, and "N passed, N failed, N skipped".
#include "runtime/include/symc/runtime.h"
#include "tools/conformance/Case.h"
#include "tools/conformance/Faults.h"
#include "tools/driver/CommandLine.h"

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

static const char *const kHelp = R"(usage: symc-conformance [options] FOLDER...

Runs every case below the folders: a case is a folder with case.json. Exit
status 0 if none failed, 1 if some did, 2 for wrong usage.

  --filter TEXT       only cases whose path contains TEXT (repeatable: any of them)
  --every N           every Nth case only
  --of-each N         of each operator every Nth case only, its first one always
  --target-cpu CPU    x86-64-v2, x86-64-v3 (default), x86-64-v4, x86-64-v4+vnni, x86-64-v4+bf16, native
  --math MODE         strict, default or fast
  --force-kernel NAME that algorithm for every convolution that it can compute, and only cases
                      that have one; a name that is none of them lists them. With --target cuda
                      the tile of convolutions: 128x128, 64x64, 32x32, or on tensor cores
                      tensor-128x128, -128x64, -64x64, -32x64, -16x64; 64x64/3: with terms in
                      up to 3 parts; row: cases with a pixel alone
  --reference         reference kernels only
  --train             cases of training instead of those of prediction: outputs, the gradients of all
                      arguments and auxiliary states after one step forward and back
  --native-kernels    reference kernels as this program was built, with sanitizers if it was
  --guard SIDE        in memory where every tensor, buffer and weight has an inaccessible page
                      behind its end (end) or before its start (start), and the rest is poison;
                      each case runs twice with different poison and has to give the same bits
  --threads N         threads of each model (default 1)
  --jobs N            worker processes (default 2)
  --timeout N         seconds after which a case has failed (default 120)
  --open AXIS         the extent of the first input along AXIS, and of others of that size, chosen
                      at run time; guarded (at the end), at 1, 2, its own size N and 2N, against
                      the program for each size: values and refusals
  --open each         the same with each extent of each input alone, one after the other
  --target cuda       by the kernels for a CUDA device, compiled by NVRTC for cuda:0 and run there,
                      twice, which has to give the same bits; what has no kernel runs on the CPU
  --shim              no device (with --target cuda): kernels run on this processor, each access
                      checked. With --open by the runtime's launches, beside the CPU's program
                      for each size
  --shim-conflicts    print for each kernel how often its warps access shared memory, and how often
                      again because words share a bank
  --vectors           four elements a thread wherever they fit (with --target cuda), also of few
                      and of tensors of the case, which count as aligned; only cases where they do
  --precision TYPE    f16 or bf16, with --target cuda tf32, too: only cases of one product whose
                      weights have 16 bits, there those that tensor cores compute; each element
                      within what the rounding of operands can do; run twice for the same bits
  --mutants           cases without known results: refused, or computed as in guarded runs;
                      with extents that case.json opens, as the programs for its sizes do; with
                      "beside": "reference" there, as reference kernels do; with --target cuda
                      as the program for CPUs does
  --misbehave HOW     hang, end or crash in place of each case; of guarded runs overread,
                      overwrite, write-input, stray, leave, depend, overwrite-weights or
                      change-weights; with --open refuse or compute, beside reference kernels
                      decline (to test this program)
  --models DIR        where cases that name a model find its files
  --list-unsupported  print cases whose operators are not in the table
  --min-passed N      fail if fewer cases passed
  --resource-dir DIR  share/symc (default: beside the program)
  -v                  print passed cases too
)";

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

/// How workers run, beside what RunOptions says.
struct WorkerOptions {
  int jobs = 2, timeoutSeconds = 120;
  std::string misbehave;
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

// Mutants may ask for any amount of memory. The limit counts addresses, guards' among them.
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
// "<verdict> <slots> <bytes> <ran> <halves> <banks> <message>\n".
[[noreturn]] static void work(int in, int out, const std::vector<Case> &cases,
                              const RunOptions &options, const WorkerOptions &how) {
  int32_t index;
  while (read(in, &index, sizeof index) == sizeof index) {
    alarm(how.timeoutSeconds);
    if (how.misbehave == "hang")
      pause();
    else if (how.misbehave == "end")
      _exit(3);
    else if (how.misbehave == "crash")
      raise(SIGKILL);
    Outcome outcome = runCase(cases[index].folder, options);
    alarm(0);
    for (char &c : outcome.message)
      if (c == '\n')
        c = ' ';
    std::string line =
        llvm::formatv("{0} {1} {2} {3} {4} {5} {6}\n", static_cast<int>(outcome.verdict),
                      outcome.slots, outcome.bytes, static_cast<int>(outcome.ran),
                      static_cast<int>(outcome.halves), textOf(outcome.banks), outcome.message);
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
                  const RunOptions &options, const WorkerOptions &how) {
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
    tellFaults(worker.fault, faultBytes);
    if (options.mutants)
      limitMemory();
    work(down[0], up[1], cases, options, how);
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
  int verdict = 0, ran = 0, halves = 0;
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
  outcome.halves = halves;
  auto [banks, message] = line.split(' ');
  outcome.banks = banksFrom(banks);
  outcome.ran = static_cast<Ran>(ran);
  outcome.verdict = static_cast<Verdict>(verdict);
  outcome.message = message.str();
  return outcome;
}

static void runAll(std::vector<Case> &cases, const RunOptions &options, const WorkerOptions &how) {
  size_t next = 0, finished = 0;
  std::vector<Worker> workers(how.jobs);
  auto feed = [&](Worker &worker) {
    if (next >= cases.size())
      return;
    if (worker.pid < 0 && !start(worker, workers, cases, options, how)) {
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
                       ? "no answer after " + std::to_string(how.timeoutSeconds) + " s"
                       : "crashed (signal " + std::to_string(WTERMSIG(status)) + ")" +
                             (worker.fault[0] ? std::string(": ") + worker.fault : ""))
                : "worker ended with status " + std::to_string(WEXITSTATUS(status));
        current.outcome = {Verdict::Failed, why};
        if (options.mutants && WIFEXITED(status) && WEXITSTATUS(status) == outOfMemoryStatus)
          current.outcome = {Verdict::Refused, "out of memory"};
        stop(worker);
      }
      if (endsProcess(current.outcome, options))
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

static int printResults(const std::vector<Case> &cases, bool verbose, bool listUnsupported,
                        int minPassed, const RunOptions &options) {
  struct Row {
    int passed = 0, failed = 0, unsupported = 0;
  };
  std::map<std::string, Row> table;
  std::map<std::string, int> missing;
  Row total;
  int64_t slots = 0, bytes = 0;
  int onDevice = 0, byFallback = 0, halves = 0;
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
      if (verbose)
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
      if (listUnsupported)
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
      if (verbose)
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
  if (total.passed < minPassed)
    printf("fewer than %d cases passed\n", minPassed), ++total.failed;
  if (options.countBanks) {
    std::vector<std::pair<std::string, std::vector<KernelBanks>>> banks;
    for (const Case &item : cases)
      banks.push_back({item.label, item.outcome.banks});
    printBanks(banks);
  }
  if (isHalf(options.precision))
    printf("%d multiply 16 bits of memory\n", halves);
  if (options.device)
    printf("%d on the device, %d by fallback\n", onDevice, byFallback);
  printf("%d passed, %d failed, %d skipped\n", total.passed, total.failed, total.unsupported);
  return total.failed ? 1 : 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  RunOptions options;
  std::vector<std::string> roots, filters;
  WorkerOptions how;
  int every = 1, ofEach = 1, minPassed = 0;
  bool verbose = false, listUnsupported = false;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    auto value = [&]() -> llvm::StringRef {
      if (i + 1 < argc)
        return argv[++i];
      fprintf(stderr, "symc-conformance: error: %s needs a value; see --help\n", argv[i]);
      exit(2);
    };
    auto number = [&](int &target, int least = 1) {
      llvm::StringRef text = value();
      if (text.getAsInteger(10, target) || target < least) {
        fprintf(stderr, "symc-conformance: error: %s needs a number of at least %d, found '%s'\n",
                argument.str().c_str(), least, text.str().c_str());
        exit(2);
      }
    };
    if (argument == "--help" || argument == "-h")
      return fputs(kHelp, stdout), 0;
    else if (argument == "--filter")
      filters.push_back(value().str());
    else if (argument == "--every")
      number(every);
    else if (argument == "--of-each")
      number(ofEach);
    else if (argument == "--target-cpu")
      options.targetCpu = value().str();
    else if (argument == "--math") {
      llvm::StringRef mode = value();
      options.math = mode == "strict" ? codegen::MathMode::Strict
                     : mode == "fast" ? codegen::MathMode::Fast
                                      : codegen::MathMode::Default;
    } else if (argument == "--force-kernel") {
      llvm::StringRef name = value();
      options.forceKernel = codegen::convAlgorithmNamed(name);
      std::optional<codegen::CudaForm> form = codegen::cudaFormNamed(name);
      if (form)
        options.forceTile = form->tile, options.forceParts = form->parts;
      if (!options.forceKernel && !options.forceTile) {
        fprintf(stderr,
                "symc-conformance: error: unknown kernel '%s'; use %s, or with --target cuda "
                "%s or row\n",
                name.str().c_str(), codegen::convAlgorithmNames().c_str(),
                codegen::cudaTileNames().c_str());
        exit(2);
      }
    } else if (argument == "--reference")
      options.referenceOnly = true;
    else if (argument == "--train")
      options.train = true;
    else if (argument == "--native-kernels")
      options.nativeKernels = true;
    else if (argument == "--target") {
      options.device = value() == "cuda";
      if (!options.device) {
        fputs("symc-conformance: error: --target needs cuda\n", stderr);
        return 2;
      }
    } else if (argument == "--shim") {
      options.shim = true;
    } else if (argument == "--shim-conflicts") {
      options.countBanks = true;
    } else if (argument == "--vectors") {
      options.vectors = true;
    } else if (argument == "--precision") {
      llvm::StringRef name = value();
      auto precision = codegen::cudaPrecisionNamed(name);
      if (!precision) {
        fprintf(stderr, "symc-conformance: error: unknown precision '%s'; use tf32, f16 or bf16\n",
                name.str().c_str());
        return 2;
      }
      options.precision = *precision;
    } else if (argument == "--guard") {
      llvm::StringRef side = value();
      if (side != "end" && side != "start") {
        fprintf(stderr, "symc-conformance: error: --guard needs end or start, found '%s'\n",
                side.str().c_str());
        exit(2);
      }
      options.guard = side == "end" ? Guard::End : Guard::Start;
    } else if (argument == "--open") {
      int axis = 0;
      options.openEach = i + 1 < argc && llvm::StringRef(argv[i + 1]) == "each";
      options.openEach ? (void)++i : number(axis, 0);
      options.openAxis = axis;
      options.guard = options.guard == Guard::None ? Guard::End : options.guard;
    } else if (argument == "--mutants") {
      options.mutants = true;
      options.guard = options.guard == Guard::None ? Guard::End : options.guard;
    } else if (argument == "--threads")
      number(options.threads);
    else if (argument == "--jobs")
      number(how.jobs);
    else if (argument == "--timeout")
      number(how.timeoutSeconds);
    else if (argument == "--misbehave")
      options.misbehave = how.misbehave = value().str();
    else if (argument == "--models")
      options.modelsDir = value().str();
    else if (argument == "--min-passed")
      number(minPassed);
    else if (argument == "--resource-dir")
      options.resourceDir = value().str();
    else if (argument == "--list-unsupported")
      listUnsupported = true;
    else if (argument == "-v")
      verbose = true;
    else if (argument.starts_with("-")) {
      fprintf(stderr, "symc-conformance: error: unknown option '%s'; see --help\n", argv[i]);
      return 2;
    } else
      roots.push_back(argument.str());
  }
  if (options.shim && !options.device) {
    fputs("symc-conformance: error: --shim is of --target cuda\n", stderr);
    return 2;
  }
  if (options.device && !options.shim && (options.openEach || options.openAxis >= 0)) {
    fputs("symc-conformance: error: --open of --target cuda needs --shim\n", stderr);
    return 2;
  }
  if (options.countBanks && (!options.shim || options.openEach || options.openAxis >= 0)) {
    fputs("symc-conformance: error: --shim-conflicts is of --shim without --open\n", stderr);
    return 2;
  }
  if (!options.device && options.vectors) {
    fputs("symc-conformance: error: --vectors is of --target cuda\n", stderr);
    return 2;
  }
  if (!options.device && rounds(options.precision) && !isHalf(options.precision)) {
    fputs("symc-conformance: error: --precision tf32 is of --target cuda\n", stderr);
    return 2;
  }
  if (rounds(options.precision) && (options.openEach || options.openAxis >= 0 || options.mutants)) {
    fputs("symc-conformance: error: --precision has no bound for --open and --mutants\n", stderr);
    return 2;
  }
  if (options.device ? options.forceKernel != nullptr : options.forceTile != nullptr) {
    fputs("symc-conformance: error: --force-kernel names a kernel of another device\n", stderr);
    return 2;
  }
  if (roots.empty()) {
    fputs("symc-conformance: error: no folder of cases; see --help\n", stderr);
    return 2;
  }
  if (options.resourceDir.empty())
    options.resourceDir = resourcesOfProgram();
  std::vector<Case> cases;
  for (const std::string &root : roots)
    findCases(root, cases);
  std::sort(cases.begin(), cases.end(),
            [](const Case &a, const Case &b) { return a.folder < b.folder; });
  std::vector<Case> chosen;
  for (Case &item : cases) {
    bool wanted = filters.empty();
    for (const std::string &filter : filters)
      wanted |= item.folder.find(filter) != std::string::npos;
    if (wanted)
      chosen.push_back(std::move(item));
  }
  if (ofEach > 1) {
    std::vector<Case> fewer;
    std::string op;
    int count = 0;
    for (Case &item : chosen) {
      count = item.op == op ? count + 1 : 0;
      op = item.op;
      if (count % ofEach == 0)
        fewer.push_back(std::move(item));
    }
    chosen = std::move(fewer);
  }
  if (every > 1) {
    std::vector<Case> fewer;
    for (size_t i = 0; i < chosen.size(); i += every)
      fewer.push_back(std::move(chosen[i]));
    chosen = std::move(fewer);
  }
  if (chosen.empty()) {
    fputs("symc-conformance: error: no case found below the folders\n", stderr);
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  runAll(chosen, options, how);
  return printResults(chosen, verbose, listUnsupported, minPassed, options);
}

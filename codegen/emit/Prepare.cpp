// Prepare.cpp: see Prepare.h.
#include "codegen/emit/Prepare.h"

#include "codegen/cpu/TunableStep.h"
#include "codegen/emit/Cores.h"
#include "codegen/lower/Outline.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Host.h"
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace symc::codegen;

// The best named instruction set that this machine runs: portable arithmetic gives
// equal bits on all of them, the better ones just sooner.
static TargetDescription hostTarget() {
  auto host = TargetDescription::get("native"),
       common = TargetDescription::get(TargetDescription::common());
  return common->runsOn(*host) ? *common : *TargetDescription::get(TargetDescription::least());
}

namespace {
/// The pages of this process that are in memory, as the system counts them; 0 where it does not.
class ResidentBytes {
public:
  ResidentBytes() : file(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC)) {}
  ~ResidentBytes() {
    if (file >= 0)
      ::close(file);
  }
  uint64_t now() const {
    char text[128] = {}; // pages of the program, those in memory, ...
    if (file < 0 || ::pread(file, text, sizeof text - 1, 0) <= 0)
      return 0;
    uint64_t pages = 0;
    StringRef(text).split(' ').second.consumeInteger(10, pages);
    return pages * sys::Process::getPageSizeEstimate();
  }

private:
  int file;
};

/// The cores of this machine as the pool in the frame of @prepare.
struct HostPool {
  symc_pool shared; // first: what the frame points to
  function_ref<void()> release;
  ResidentBytes resident;
  uint64_t before = 0;

  HostPool(symc_pool shared, function_ref<void()> release)
      : shared(shared), release(release), before(resident.now()) {}
  void afterTask() {
    constexpr uint64_t enough = 64 << 20;
    if (!release || resident.now() < before + enough)
      return;
    release();
    before = resident.now();
  }
};
} // namespace

// What a task computes does not depend on the thread.
static void runTasks(symc_pool *shared, const symc_frame *frame, symc_task_fn fn, int64_t count) {
  forEachOnCores(
      count, [&](int64_t task) { fn(frame, task); },
      [&] { reinterpret_cast<HostPool *>(shared)->afterTask(); });
}

// Stands in for the runtime's function: this program has no runtime.
static void parallel(const symc_frame *frame, symc_task_fn fn, int64_t count) {
  frame->pool->parallel(frame->pool, frame, fn, count);
}

Error symc::codegen::runPrepare(kernel::ProgramOp prepare, ArrayRef<const void *> parameters,
                                uint8_t *prepared, const InProcessOptions &options,
                                function_ref<void()> release) {
  if (parameters.size() != prepare.getNumInputs())
    return emitError("internal error: @prepare takes " + Twine(prepare.getNumInputs()) +
                     " parameters, got " + Twine(parameters.size()));
  const char *symbol = "symc_prepare_run";
  mlir::OwningOpRef<mlir::ModuleOp> loops = mlir::ModuleOp::create(prepare.getLoc());
  TargetDescription target = hostTarget();
  Code code(hostTriple());
  OutlineOptions outline;
  outline.mergesForms = true; // nets have many folded norms, which differ in their channels
  if (mlir::failed(chooseUnset(prepare, target)) ||
      mlir::failed(lowerProgram(prepare, symbol, target, MathMode::Portable, *loops, outline)) ||
      !code.add(*loops, target, MathMode::Portable))
    return emitError("the preparation of weights could not be compiled");
  InProcessOptions own = options;
  llvm::erase_if(own.host, [](const auto &symbol) { return symbol.first == "symc_parallel"; });
  own.host.emplace_back("symc_parallel", reinterpret_cast<const void *>(&parallel));
  Expected<std::unique_ptr<InProcess>> loaded = loadCode(code, {symbol}, own);
  if (!loaded)
    return loaded.takeError();
  Expected<void *> run = (*loaded)->find(symbol);
  if (!run)
    return run.takeError();

  int64_t arenaBytes = prepare.getArenaBytes().value_or(0);
  Align alignment(SYMC_ALIGN);
  void *arena =
      arenaBytes ? std::aligned_alloc(SYMC_ALIGN, alignTo(arenaBytes, alignment)) : nullptr;
  if (arenaBytes && !arena)
    return emitError("cannot allocate " + Twine(arenaBytes) + " bytes to prepare weights");
  std::vector<void *> io;
  for (const void *parameter : parameters)
    io.push_back(const_cast<void *>(parameter));
  HostPool pool({SYMC_ABI_VERSION, 0, runTasks, nullptr}, release);
  symc_frame frame = {};
  frame.arena = static_cast<uint8_t *>(arena);
  frame.weights = prepared;
  frame.io = io.data();
  frame.pool = &pool.shared;
  int32_t status = reinterpret_cast<int32_t (*)(const symc_frame *)>(*run)(&frame);
  std::free(arena);
  if (status != 0)
    return emitError("a step of the preparation of weights failed with status " + Twine(status));
  return Error::success();
}

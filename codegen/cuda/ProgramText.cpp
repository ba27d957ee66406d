// ProgramText.cpp: see ProgramText.h.
#include "codegen/cuda/ProgramText.h"

#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/CudaTypes.h"
#include "codegen/cuda/HostSteps.h"
#include "codegen/cuda/TensorCores.h"
#include "codegen/cuda/VectorWalk.h"
#include "codegen/cuda/steps/ConvViews.h"
#include "codegen/kernel/Pieces.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;

namespace symc::codegen::cuda {

// "k3_conv0_relu0", short enough for a profile.
static std::string kernelName(size_t number, StringRef nodes) {
  std::string name = "k" + std::to_string(number);
  if (!nodes.empty())
    name += "_";
  for (char c : nodes.take_front(40))
    name += llvm::isAlnum(c) ? c : '_';
  return name;
}

// Of sizes, which are not negative where it matters; C++ rounds towards zero.
static constexpr StringLiteral floorFunctions =
    R"(static __device__ __forceinline__ long long floor_div(long long a, long long b) {
  return a / b - (a % b < 0);
}
static __device__ __forceinline__ long long floor_mod(long long a, long long b) {
  return a % b < 0 ? a % b + b : a % b;
}
)";

// What every kernel begins with: the next one's blocks may take their places, and this one waits
// until those before it have ended and what they wrote can be read. A kernel with a thread that
// does not wait could end before the one before it has, and the next one would read too early.
static std::string followFunction() {
  return "static __device__ __forceinline__ void follow() {\n#if __CUDA_ARCH__ >= " +
         std::to_string(10 * leastWaitingArchitecture) +
         "\n  asm volatile(\"griddepcontrol.launch_dependents;\" ::: \"memory\");\n"
         "  asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n#endif\n}\n";
}

// How many blocks counted before. Whoever counts later finds what they wrote; `last` makes it 0.
static constexpr StringLiteral countFunction =
    R"(static __device__ __forceinline__ unsigned count_block(unsigned *counter, unsigned last) {
  unsigned count;
#if __CUDA_ARCH__ >= 700
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
               : "=r"(count) : "l"(counter), "r"(last) : "memory");
#else
  __threadfence();
  count = atomicInc(counter, last);
  __threadfence();
#endif
  return count;
}
)";

constexpr int64_t statusBytes = 64;

namespace {
// What lies behind the buffers of a program's arena, from which bytes on.
struct ArenaTail {
  int64_t status, counters, sums, end;
  int64_t counterWords;
};
} // namespace

static ArenaTail tailOf(kernel::ProgramOp program, const CudaChoices &choices) {
  PartsMemory most; // steps run one after the other
  for (auto conv : program.getBody().getOps<kernel::ConvOp>()) {
    PartsMemory memory = partsMemoryOf(conv, choices);
    most.counters = std::max(most.counters, memory.counters);
    most.sumBytes = std::max(most.sumBytes, memory.sumBytes);
  }
  ArenaTail tail;
  tail.status = llvm::alignTo(program.getArenaBytes().value_or(0), statusBytes);
  tail.counters = tail.status + statusBytes;
  tail.sums = tail.counters + llvm::alignTo(4 * most.counters, statusBytes);
  tail.end = tail.sums + llvm::alignTo(most.sumBytes, statusBytes);
  tail.counterWords = most.counters;
  return tail;
}

int64_t arenaBytesOf(kernel::ProgramOp program, const CudaChoices &choices) {
  return tailOf(program, choices).end;
}

static bool isInParts(kernel::StepInterface step, const CudaChoices &choices) {
  auto conv = dyn_cast<kernel::ConvOp>(step.getOperation());
  return conv && partsMemoryOf(conv, choices).counters;
}

// A step without a kernel: an error or, with the fallback, a launch of the CPU's code.
static LogicalResult leaveToHost(kernel::StepInterface step, const std::string &reason,
                                 ProgramScope &scope, CudaLaunch launch, CudaProgram &program) {
  if (!scope.choices.fallback) {
    auto error = step.emitError("node '")
                 << kernel::nodesOf(step.getLoc()) << "': " << step.describe()
                 << " has no code on a CUDA device: " << reason;
    error.attachNote() << "--fallback=cpu runs such nodes on the CPU";
    return error;
  }
  remark::missed(step.getLoc(), remark::RemarkOpts::name("fallback").category("cuda"))
      << "'" + kernel::nodesOf(step.getLoc()) + "' runs on the CPU: " + reason;
  FailureOr<CudaHostStep> host = describeHostStep(step, reason, scope.symbols);
  if (failed(host))
    return failure();
  launch.hostStep = program.hostSteps.size();
  program.hostSteps.push_back(std::move(*host));
  program.launches.push_back(std::move(launch));
  return success();
}

FailureOr<CudaProgram> writeProgram(kernel::ProgramOp program, const ReferenceKernels *references,
                                    const CudaChoices &choices) {
  CudaProgram result;
  ArenaTail tail = tailOf(program, choices);
  result.statusOffset = tail.status;
  ProgramScope scope{program, references, choices, tail.counters, tail.sums};
  kernel::StepNumbers numbers;
  std::string kernels;
  std::map<std::string, std::string> names; // by the text of the kernel
  auto add = [&](KernelWriter &writer, const std::string &nodes, int64_t step) {
    CudaLaunch launch = writer.takeLaunch();
    for (CudaArgument &argument : launch.arguments)
      if (argument.kind == CudaArgument::Number)
        argument.index = result.launches.size();
    std::string &name = names[writer.text("")];
    if (name.empty()) {
      name = kernelName(names.size() - 1, nodes);
      kernels += "\n// " + launch.node + "\n" + writer.text(name);
    }
    launch.kernel = name;
    launch.step = step;
    result.launches.push_back(std::move(launch));
  };
  int64_t toClear = tail.counterWords; // by the first kernel of each run
  bool fine = true;
  for (auto step : program.getBody().getOps<kernel::StepInterface>()) {
    std::string nodes = kernel::nodesOf(step.getLoc());
    KernelWriter writer(scope, nodes.empty() ? step.describe() : nodes);
    if (std::optional<std::string> why = whyNoKernel(step, references)) {
      CudaLaunch launch = writer.takeLaunch();
      launch.step = numbers.of(step);
      kernels += "\n// " + launch.node + ": on the CPU, " + *why + "\n";
      fine &= succeeded(leaveToHost(step, *why, scope, std::move(launch), result));
      continue;
    }
    int64_t number = numbers.of(step);
    if (int64_t words = std::exchange(toClear, 0)) {
      KernelWriter clearing(scope, nodes.empty() ? step.describe() : nodes);
      bool alone = isInParts(step, choices);
      (alone ? clearing : writer).clearCounters(words);
      if (alone) {
        add(clearing, "clear", number);
        result.launches.back().clears = true;
      }
    }
    if (failed(cast<CudaStepInterface>(step.getOperation()).writeKernel(writer)))
      fine = false;
    else
      add(writer, nodes, number);
  }
  if (!fine)
    return failure();
  if (references) {
    llvm::Expected<std::string> text = references->text(scope.referenceFiles);
    if (!text)
      return program.emitError(llvm::toString(text.takeError()));
    result.source = *text;
  }
  StringRef text = kernels;
  if (text.contains("follow()"))
    result.source += followFunction();
  if (text.contains("count_block("))
    result.source += countFunction;
  if (text.contains("floor_"))
    result.source += floorFunctions;
  if (text.contains("_half(") || text.contains("_bfloat("))
    result.source += halfFunctions();
  if (text.contains("load4(") || text.contains("store4("))
    result.source += vectorFunctions();
  if (text.contains("wait_copies<"))
    result.source += tensorFunctions();
  if (text.contains("start_group_"))
    result.source += groupFunctions();
  if (text.contains("TensorMap "))
    result.source += mapFunctions();
  result.source += kernels;
  return result;
}

} // namespace symc::codegen::cuda

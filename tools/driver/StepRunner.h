// StepRunner.h: single steps of scheduled programs, compiled into this process. Each becomes a
// program of its own whose operands lie in one arena at the strides that they have in the
// model; it runs in one thread. Tuner and kernel-bench measure these.
#ifndef SYMC_TOOLS_DRIVER_STEPRUNNER_H
#define SYMC_TOOLS_DRIVER_STEPRUNNER_H

#include "codegen/cpu/TunableStep.h"
#include "codegen/emit/InProcess.h"
#include "codegen/target/MathMode.h"
#include "mlir/IR/BuiltinOps.h"

struct symc_frame;

namespace symc {

class StepRunner {
public:
  struct Step {
    mlir::Operation *op;
    std::optional<codegen::StepChoice> choice; // none: it stays as it is
  };

  /// Fails where a step doesn't compile. The steps are not needed afterwards.
  static llvm::Expected<std::unique_ptr<StepRunner>>
  compile(llvm::ArrayRef<Step> steps, const codegen::TargetDescription &target,
          codegen::MathMode math, llvm::StringRef resourceDir);

  void run(size_t step);
  /// Puts the caches into the state in which a network leaves them to the step: what it reads
  /// from the step before is near, its weights are where `weightBytes`, all of the model's, fit.
  void settle(size_t step, uint64_t weightBytes);

private:
  /// Bytes of the arena that an operand's root takes.
  struct Range {
    int64_t first = 0, bytes = 0;
  };
  struct Program {
    std::string name;
    Range data, weights;
    int32_t (*function)(const symc_frame *) = nullptr;
  };
  struct Free {
    size_t bytes;
    void operator()(uint8_t *memory) const;
  };

  explicit StepRunner(const codegen::TargetDescription &target) : target(target) {}
  mlir::LogicalResult add(mlir::ModuleOp module, const Step &step);

  codegen::TargetDescription target;
  std::vector<Program> programs;
  // The first page stays zero: the words in which tasks take their rows of scratch.
  static constexpr int64_t firstByte = 4096;
  int64_t arenaBytes = firstByte;
  std::unique_ptr<uint8_t, Free> arena;
  std::unique_ptr<codegen::InProcess> code;
};

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_STEPRUNNER_H

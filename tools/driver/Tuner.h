// Tuner.h: measures how each convolution and matrix product of a model runs fastest on
// this machine: by which kernel, with which of the model's best tiles, in which order;
// compiled into this process and timed alternately. What it finds goes into a Tuning.
#ifndef SYMC_TOOLS_DRIVER_TUNER_H
#define SYMC_TOOLS_DRIVER_TUNER_H

#include "codegen/conv/Tuning.h"
#include "codegen/emit/InProcess.h"

namespace symc {

struct TuneOptions {
  size_t tiles = 5;         // candidates of the model for each kernel and order
  int rounds = 7;           // samples of each; the least counts
  uint64_t weightBytes = 0; // of the whole model: more than a cache holds come from memory
  codegen::MathMode math = codegen::MathMode::Default;
  std::string resourceDir;
};

/// One shape of the program.
struct TunedShape {
  std::string key;
  int64_t count = 0; // steps of this shape
  codegen::TuningChoice best, modelled;
  double estimated = 0;  // microseconds that the model expects of its own choice
  std::string form = {}; // the best one, on a device: choices have its times alone then
};

/// Tunes every shape of @main_program that `tuning` has no choice for. The first
/// schedule is the model's, others offer further kernels. Fails where this machine
/// can't run the target's code or a candidate doesn't compile.
llvm::Expected<std::vector<TunedShape>> tune(llvm::ArrayRef<mlir::ModuleOp> schedules,
                                             const codegen::TargetDescription &target,
                                             const TuneOptions &options, codegen::Tuning &tuning);

/// One line: shapes, how far the model's choices are from the best, how far its
/// times are from the measured ones.
std::string summarise(const std::vector<TunedShape> &shapes);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_TUNER_H

// Tuning.h: measured choices for convolutions and matrix products, as a text file.
// A line names an instruction set, a shape, and the algorithm, tile and order that were
// fastest there; a compilation that reads the file measures nothing and is reproducible.
//
//   symc tuning 1
//   x86-64-v4 conv/n1/i64/o256/56x56/k1x1/s1x1/d1x1/l16/flat/e2 direct tile=2x1x14 us=968.6
//   x86-64-v4 conv/n1/i64/o64/7x7/k1x1/s1x1/d1x1/l16/flat/e1 direct tile=4x1x6 order=pixels us=12
#ifndef SYMC_CODEGEN_CONV_TUNING_H
#define SYMC_CODEGEN_CONV_TUNING_H

#include "codegen/conv/ConvAlgorithm.h"
#include "codegen/cpu/TunableStep.h"
#include "codegen/target/TuningLines.h"
#include "llvm/Support/Error.h"
#include <map>

namespace symc::codegen {

class Tuning {
public:
  /// Adds the lines of a file but for those of devices (cuda/CudaTuning.h); nothing where all of
  /// them are understood.
  std::optional<TuningError> parse(llvm::StringRef text);
  /// The same of a file by its path: an error has the path and the place.
  llvm::Error read(llvm::StringRef path);
  /// The file, lines sorted: equal choices give equal bytes.
  std::string print() const;

  void set(const TargetDescription &target, const std::string &key, TuningChoice choice);
  const TuningChoice *find(const TargetDescription &target, const std::string &key) const;
  bool empty() const { return choices.empty(); }

  /// "x86-64-v3", "native:znver4".
  static std::string targetName(const TargetDescription &target);

  /// The entry of the file for a step without a tile, by its algorithm; null where it has none
  /// or names another algorithm.
  const TuningChoice *findFor(TunableStep step, const TargetDescription &target) const;

private:
  std::map<std::pair<std::string, std::string>, TuningChoice> choices; // target, key
};

/// The models of TunableStep of all steps, for contexts in which tiles are chosen or reported.
void registerTunableSteps(mlir::DialectRegistry &registry);

/// Sets what the lowerings of a program's steps for `target` read, where it is not set:
/// by `tuning`, else by the target's cost model. Fails after an error.
mlir::LogicalResult chooseTiles(kernel::ProgramOp program, const TargetDescription &target,
                                const Tuning &tuning);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_TUNING_H

// Tuning.h: measured choices for convolutions and matrix products, as a text file.
// A line names an instruction set, a shape, and the kernel, tile and order that were
// fastest there; a compilation that reads the file measures nothing and is reproducible.
//
//   symc tuning 1
//   x86-64-v4 conv/n1/i64/o256/56x56/k1x1/s1x1/d1x1/l16/flat/e2 direct tile=2x1x14 order=pixels us=968.6
//   x86-64-v4 conv/n1/i64/o64/56x56/k3x3/s1x1/d1x1/l16/rows/e1 winograd-f4 tile=2x1x13 us=412.0
#ifndef SYMC_CODEGEN_CPU_TUNING_H
#define SYMC_CODEGEN_CPU_TUNING_H

#include "codegen/cpu/KernelChoice.h"
#include "llvm/Support/Error.h"
#include <map>

namespace symc::codegen {

/// How one layer is computed.
struct TuningChoice {
  ConvTile tile;                          // of Winograd: of its products
  bool pixelsOutside;                     // direct: pixel tiles outside, channels inside
  double microseconds = 0;                // as measured; 0 = unknown
  ConvKernel kernel = ConvKernel::Direct;
};

/// A mistake in a tuning file: what, and where (from 1).
struct TuningError {
  unsigned line, column;
  std::string message;
};

class Tuning {
public:
  /// Adds the lines of a file; nothing where all of it is understood.
  std::optional<TuningError> parse(llvm::StringRef text);
  /// The same of a file by its path: an error says the path and the place.
  llvm::Error read(llvm::StringRef path);
  /// The file, lines sorted: equal choices give equal bytes.
  std::string print() const;

  void set(const TargetDescription &target, const std::string &key, TuningChoice choice);
  const TuningChoice *find(const TargetDescription &target, const std::string &key) const;
  bool empty() const { return choices.empty(); }

  /// The shape of the layer as one word, the same for each kernel; empty where an
  /// extent is a run-time value.
  static std::string keyOf(kernel::ConvOp op);
  static std::string keyOf(kernel::WinogradOp op);
  static std::string keyOf(kernel::StrassenOp op);
  /// Of a layer that Winograd or Strassen's product can compute.
  static std::string keyOf(const ConvLayer &layer);
  /// "x86-64-v3", "native:znver4".
  static std::string targetName(const TargetDescription &target);

  /// Sets tile and order of the op, where they are not set, by the file, or by the model
  /// where the file says nothing or names another kernel.
  void apply(kernel::ConvOp op, const TargetDescription &target) const;
  void apply(kernel::WinogradOp op, const TargetDescription &target) const;
  void apply(kernel::StrassenOp op, const TargetDescription &target) const;

private:
  /// The file's choice for that shape and kernel, or null.
  const TuningChoice *findDirect(kernel::ConvOp op, const TargetDescription &target) const;

  std::map<std::pair<std::string, std::string>, TuningChoice> choices; // target, key
};

/// Sets what the lowerings of a program's steps for `target` are told, where it is not set:
/// by `tuning`, else by the target's cost model.
void chooseTiles(kernel::ProgramOp program, const TargetDescription &target, const Tuning &tuning);

/// Gives a kernel.conv, kernel.winograd or kernel.strassen this tile and order.
void setChoice(mlir::Operation *op, const TuningChoice &choice);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_TUNING_H

// ReduceCombine.h: one result of a reduction while it grows: in a thread, and of the threads that
// share a row.
#ifndef SYMC_CODEGEN_CUDA_STEPS_REDUCECOMBINE_H
#define SYMC_CODEGEN_CUDA_STEPS_REDUCECOMBINE_H

#include "codegen/cuda/KernelWriter.h"

namespace symc::codegen::cuda {

/// One result of a pass while it grows: a value, and of argmax and argmin the place.
struct Growing {
  llvm::StringRef combiner;
  llvm::SmallVector<mlir::Type> types;
  std::string name; // of the value; the place is name + "_place"
  bool places() const { return combiner.starts_with("arg"); }
  std::string place() const { return name + "_place"; }
};

/// The threads that share a row. In the text `thread` is the number of one among them.
struct RowTeam {
  enum Shape {
    Alone,  // one
    Warp,   // a warp
    Block,  // a block
    Columns // those of a block with the same remainder by `columns`, as many rows a block
  };
  static constexpr int64_t warp = 32, columns = 8;
  Shape shape = Alone;
  int64_t threads = 1; // of a row
  bool isSeveral() const { return shape != Alone; }
  bool hasWarps() const { return shape == Block || shape == Columns; }
  int64_t warps() const { return threads * (shape == Columns ? columns : 1) / warp; }
};

/// Declares a result with the value of no elements, or sets it `again`.
void declare(KernelWriter &w, const Growing &x, bool again);
/// What the warps of a block hand over, where a row has several.
void declareShared(KernelWriter &w, const Growing &x, const RowTeam &team);
/// `x` becomes x with a later value, or one of any place in the row.
void combine(KernelWriter &w, const Growing &x, const std::string &value, const std::string &place,
             bool anyOrder);
/// What the threads of a row have becomes one, which all of them get if they need it; else the
/// first.
void combineThreads(KernelWriter &w, const Growing &x, const RowTeam &team, bool forAll);

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_STEPS_REDUCECOMBINE_H

// VectorWalk.h: four neighbours along the innermost dimension a thread: each view of them that is
// aligned is one access (128 bits of float32), and a loop over four lanes, which nvcc unrolls,
// computes each as it would be computed alone. With one lane the text is that of a scalar kernel,
// so that a step is written once.
#ifndef SYMC_CODEGEN_CUDA_VECTORWALK_H
#define SYMC_CODEGEN_CUDA_VECTORWALK_H

#include "codegen/cuda/KernelWriter.h"

namespace symc::codegen::cuda {

/// Fewer elements have a thread each. A quarter of so many threads is still a block of 256 for each
/// of the 132 multiprocessors of the largest common device, which hides the latency of memory by
/// threads, not by the width of an access.
constexpr int64_t fewestVectorElements = 4 * 132 * 256;

/// Whether elements at multiples of four along the last dimension begin an aligned access of four,
/// wherever the other indices are.
bool hasVectors(const View &view);

class VectorWalk {
public:
  /// With as many lanes a thread.
  VectorWalk(KernelWriter &writer, int64_t lanes) : w(&writer), lanes(lanes) {}
  /// With four where all views have vectors, or one element for all of the last dimension, and
  /// there are enough elements; else with one.
  VectorWalk(KernelWriter &writer, llvm::ArrayRef<mlir::AffineExpr> sizes,
             llvm::ArrayRef<View> views);

  int64_t count() const { return lanes; }
  bool isVector() const { return lanes > 1; }
  /// KernelWriter::walk; indices are those of lane 0.
  llvm::SmallVector<std::string> open(llvm::ArrayRef<mlir::AffineExpr> sizes) {
    return w->walk(sizes, lanes);
  }

  /// An operand at indices, of which the last is that of lane 0.
  struct Access {
    View view;
    llvm::SmallVector<std::string, 0> at;
    std::string name; // of what all lanes have or make; empty: each lane goes to memory
    bool isArray = false;
  };
  /// Before the lanes: reads what they read together, into an array called `array` if it has a
  /// name; then it is declared already.
  Access fetch(const View &view, llvm::ArrayRef<std::string> at, llvm::StringRef array = "");
  /// Before the lanes: declares what they write together.
  Access target(const View &view, llvm::ArrayRef<std::string> at);

  /// The loop over lanes, whose number is `lane`; nothing with one.
  void openLanes();
  void closeLanes();

  // In a lane.
  /// What an index of the last dimension is here.
  std::string index(const std::string &first) const {
    return isVector() ? "(" + first + " + lane)" : first;
  }
  /// The lane's own of `name`, which declare() declared or an array in memory's order is.
  std::string own(const std::string &name) const { return isVector() ? name + "[lane]" : name; }
  /// The element as it lies in memory.
  std::string raw(const Access &access);
  /// The element as a value, which gets a name.
  std::string value(const Access &access, llvm::StringRef name = "");
  void set(const Access &access, const std::string &value);
  void setRaw(const Access &access, const std::string &text);

  /// Behind the lanes: writes what they made.
  void flush(const Access &access);
  /// A variable of each lane, which begins as `value`.
  void declare(llvm::StringRef type, const std::string &name, const std::string &value);

private:
  llvm::SmallVector<std::string> indices(const Access &access) const;

  KernelWriter *w;
  int64_t lanes = 1;
};

/// load4 and store4, for the top of a source.
llvm::StringRef vectorFunctions();

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_VECTORWALK_H

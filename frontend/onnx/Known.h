//===- Known.h - values that are known while a graph is imported -----------===//
//
// A list of at most 4,096 numbers, or of expressions over the graph's sizes, with
// element type and shape. Where ONNX has an operand and sg a parameter, the value of
// the operand has to be known.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_ONNX_KNOWN_H
#define SYMC_FRONTEND_ONNX_KNOWN_H

#include "frontend/params/DType.h"
#include "ir/GraphDialect.h"

namespace symc::onnx {

inline constexpr uint64_t kMostKnown = 4096;

struct Known {
  mlir::Type type;
  llvm::SmallVector<int64_t> dims;
  /// The elements, row-major: those of integers and bool in `whole`, of floats in `real`. Floats
  /// that were made of sizes, whole numbers, are in `whole` as long as one depends on a size.
  std::vector<sg::Dim> whole;
  std::vector<double> real;

  bool isWhole() const { return mlir::isa<mlir::IntegerType>(type) || !whole.empty(); }
  size_t count() const { return isWhole() ? whole.size() : real.size(); }
  /// Whether no element depends on a size.
  bool isFixed() const;
  /// The elements of fixed integers, or floats that are cut off.
  llvm::SmallVector<int64_t> numbers() const;
  /// Element `i` of a fixed list as a number.
  double at(size_t i) const { return isWhole() ? double(whole[i].get()) : real[i]; }
  /// The same in another element type, rounded as that rounds; nothing of floats that no integer
  /// of the type holds, or of expressions that are to become bool or floats of less than 32 bits.
  std::optional<Known> castTo(mlir::Type to) const;
  /// The same with its elements in `whole`; nothing where one is no whole number.
  std::optional<Known> asWhole() const;
  /// Floats of which no element depends on a size any more are in `real`.
  void settle();

  static Known of(llvm::ArrayRef<int64_t> numbers, llvm::ArrayRef<int64_t> dims, mlir::Type type);
  static Known scalar(int64_t number, mlir::Type type) { return of({number}, {}, type); }
  static Known real64(llvm::ArrayRef<double> numbers, llvm::ArrayRef<int64_t> dims,
                      mlir::Type type);
};

/// A value rounded to a float type, as a double.
double roundTo(double value, mlir::Type type);
/// A number cut to the bits of an integer type, with its sign.
int64_t wrapTo(int64_t value, mlir::Type type);

/// Row-major, little-endian bytes of a fixed list, and back.
std::vector<char> encode(const Known &known);
Known decode(llvm::ArrayRef<char> bytes, llvm::ArrayRef<int64_t> dims, mlir::Type type);

/// The element type of a tensor in a file; null where sg has none.
mlir::Type typeOf(int64_t dataType, mlir::MLIRContext *context);
/// "float", "string", "float8e4m3fn", ... as ONNX calls it.
llvm::StringRef nameOf(int64_t dataType);
/// The same of sources of weights.
params::DType dtypeOf(mlir::Type type);

} // namespace symc::onnx

#endif // SYMC_FRONTEND_ONNX_KNOWN_H

//===- Small.h - element types of one byte and less ------------------------===//
//
// float8, float4, float8e8m0, int4, uint4, int2, uint2. sg has none of them: inside of a graph a
// value of such a type is a tensor of codes, uint8, one for each element. Programs and files hold
// them as ONNX's raw_data does: a byte for each element, or several elements in a byte, the first
// one in its low bits.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_ONNX_SMALL_H
#define SYMC_FRONTEND_ONNX_SMALL_H

#include "frontend/onnx/Scope.h"

namespace symc::onnx {

struct SmallType {
  int64_t dataType; // TensorProto.DataType
  unsigned bits;
  bool isFloat, isSigned;
  unsigned mantissa; // bits of it
  int bias;
  unsigned most;          // the code of the largest number
  unsigned infinity, nan; // codes; 0: none
  bool hasNegativeZero;

  int64_t codes() const { return int64_t(1) << bits; }
  int64_t perByte() const { return 8 / bits; }
  /// The number that a code stands for.
  double valueOf(unsigned code) const;
};

/// Null for a type that sg has, and for one that nothing has.
const SmallType *smallTypeOf(int64_t dataType);

/// The extents under which a program takes and gives a tensor: its own, or the number of bytes.
llvm::SmallVector<int64_t> packedExtents(const SmallType &type, llvm::ArrayRef<int64_t> extents);
/// Codes of such bytes, and back.
mlir::Value unpacked(NodeScope &node, mlir::Value bytes, const SmallType &type,
                     llvm::ArrayRef<int64_t> extents);
mlir::Value packed(NodeScope &node, mlir::Value codes, const SmallType &type);

/// Numbers of codes, float32.
mlir::Value decoded(NodeScope &node, mlir::Value codes, const SmallType &type);
/// Codes of numbers. `rounding`: "up", "down" or "nearest", of float8e8m0.
mlir::Value encoded(NodeScope &node, mlir::Value x, const SmallType &type, bool saturates,
                    llvm::StringRef rounding = "up");

} // namespace symc::onnx

#endif // SYMC_FRONTEND_ONNX_SMALL_H

//===- Places.h - numbers of elements, as values and as constants ----------===//
//
// What operators that choose elements share: places counted from the start, lists
// of numbers along an axis, places in flattened tensors.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_ONNX_OPS_PLACES_H
#define SYMC_FRONTEND_ONNX_OPS_PLACES_H

#include "frontend/onnx/Scope.h"

namespace symc::onnx::ops {

mlir::Type int64Type(NodeScope &node);
/// The fixed extents of a shape; nothing after a refusal, which calls the tensor `what`.
std::optional<llvm::SmallVector<int64_t>> fixedExtents(NodeScope &node, const sg::Shape &shape,
                                                       llvm::StringRef what);
/// Whether the sizes of a split are at least 0 and sum up to the axis; refuses the node otherwise.
bool checkSplit(NodeScope &node, llvm::ArrayRef<int64_t> sizes, sg::Dim extent);
int64_t productOf(llvm::ArrayRef<int64_t> numbers);
/// Elements from one index to the next, by axis.
llvm::SmallVector<int64_t> stridesOf(llvm::ArrayRef<int64_t> extents);
/// 0, 1, ... times `factor` along an axis of `rank`, the other extents 1.
mlir::Value countAlong(NodeScope &node, int64_t axis, int64_t rank, int64_t extent,
                       int64_t factor = 1);
/// Numbers of one axis as a constant of `rank` axes, the other extents 1.
mlir::Value numbersAlong(NodeScope &node, int64_t axis, int64_t rank,
                         llvm::ArrayRef<double> numbers, mlir::Type type);
/// Places below 0 count from the end. `known`: their values, where those are known.
mlir::Value fromStart(NodeScope &node, mlir::Value places, mlir::Value extent,
                      const Known *known = nullptr);
/// A place outside of any data.
inline constexpr double kOutside = -4611686018427387904.0;
/// The places, kOutside where one is outside of 0..extent-1: what follows makes the run fail.
mlir::Value checkedPlaces(NodeScope &node, mlir::Value places, int64_t extent);
/// All axes but `axis`, then it; and the way back.
llvm::SmallVector<int64_t> axisLast(int64_t axis, int64_t rank);
llvm::SmallVector<int64_t> inverseOf(llvm::ArrayRef<int64_t> order);
/// All elements in one row.
mlir::Value flattened(NodeScope &node, mlir::Value x);

} // namespace symc::onnx::ops

#endif // SYMC_FRONTEND_ONNX_OPS_PLACES_H

// ReshapeCodes.h: what Reshape's codes make of a shape, and division of element
// counts that may hold symbolic sizes.
#ifndef SYMC_IR_RESHAPECODES_H
#define SYMC_IR_RESHAPECODES_H

#include "ir/Conditions.h"
#include "ir/Inference.h"

namespace symc::sg {

/// The product of `whole` divided by that of `parts`: unknown where an extent is, nothing
/// where it does not divide or that cannot be shown. Equal extents cancel first.
std::optional<Dim> divideExtents(llvm::ArrayRef<Dim> whole, llvm::ArrayRef<Dim> parts,
                                 mlir::MLIRContext *context);

/// An extent divided by a number, which has to leave nothing: an error with the message where it
/// leaves something for all sizes, a condition where it does for some.
mlir::FailureOr<Dim> divideEvenly(ShapeScope &scope, Dim extent, int64_t by,
                                  llvm::function_ref<void(llvm::raw_ostream &)> message);

/// Where part `i` of an extent begins that is cut into `sections`: the first ones are longer
/// by 1 where it does not divide.
inline int64_t beginOfSection(int64_t extent, int64_t sections, int64_t i) {
  return extent / sections * i + std::min(i, extent % sections);
}
/// Its length.
inline Dim lengthOfSection(Dim extent, int64_t sections, int64_t i) {
  return floorDiv(extent + (sections - 1 - i), sections);
}

/// What codes need of extents, with the sentence for those that have it not.
using ReshapeNeeds = llvm::SmallVector<std::pair<Need, std::string>, 1>;
mlir::LogicalResult needAll(ShapeScope &scope, const ReshapeNeeds &needs);

/// Output shape of Reshape's `shape` codes over `data`, which is ranked. On a wrong code
/// returns an unranked shape and sets `message`.
Shape applyReshapeCodes(llvm::ArrayRef<int64_t> codes, bool reverse, const Shape &data,
                        mlir::MLIRContext *context, ReshapeNeeds &needs, std::string &message);

/// The same for the older target_shape.
Shape applyTargetShape(llvm::ArrayRef<int64_t> target, bool keepHighest, const Shape &data,
                       mlir::MLIRContext *context, ReshapeNeeds &needs, std::string &message);

/// The first input, called `name`, and the first output hold the same number of elements, or an
/// error; nothing while one is not known.
mlir::LogicalResult checkSameCount(ShapeScope &scope, llvm::StringRef name);

} // namespace symc::sg

#endif // SYMC_IR_RESHAPECODES_H

// Clips.h: symbolic sizes that are the least or the largest of expressions over earlier ones, such
// as the extent of a part whose end may lie behind what it is cut from. A graph lists them; a
// program computes them when the sizes that they depend on are known: before a run, or behind the
// step that decides one of them.
#ifndef SYMC_IR_CLIPS_H
#define SYMC_IR_CLIPS_H

#include "ir/GraphDialect.h"
#include "ir/Interval.h"
#include "mlir/IR/AffineMap.h"

namespace symc::sg {

/// Size number `size` is the least, or the largest, of the map's results.
struct Clip {
  unsigned size;
  bool isLargest;
  mlir::AffineMap map; // over the symbols before `size`
};

/// The attribute of a graph and that of a program that list clips, in rising order:
/// `[{size = 1 : i64, least = affine_map<()[s0] -> (s0, 4)>}]`.
inline constexpr llvm::StringLiteral clipsOfGraph = "sg.clips", clipsOfProgram = "kernel.clips";
/// A unit attribute of a module whose parts are not clipped: inferShapes() sets it where the graph
/// needs extents that no size decides.
inline constexpr llvm::StringLiteral unclipped = "sg.unclipped";
/// Those of a graph or a program; none without the attribute.
llvm::SmallVector<Clip> clipsOf(mlir::Operation *op);
/// What is wrong with the attribute of who has `sizes` sizes; empty if nothing is.
std::string badClips(mlir::Attribute attribute, int64_t sizes);

/// The values that an expression can take, some of whose symbols are clips: as narrow as
/// intervalOf, or narrower.
Interval boundsOf(mlir::AffineExpr expr, const SymbolRanges &symbols, llvm::ArrayRef<Clip> clips);

/// Sets the sizes that are clips to what they are where the others have these values.
void setClips(llvm::ArrayRef<Clip> clips, llvm::MutableArrayRef<int64_t> sizes);

/// Where parts that are cut from an extent begin and end: places outside of it are moved to its
/// ends. What no range of sizes decides is a clip of the graph.
class Clipping {
public:
  /// Finds the clips that the node's graph has, or the one that calls it; adds others if `mayAdd`,
  /// named after the node.
  Clipping(mlir::Operation *node, bool mayAdd);
  /// Whether places along such an extent, which has ranges, are moved in a run: else it is a
  /// condition that they lie inside.
  static bool isOn(mlir::Operation *node, Dim extent);

  /// The lesser and the larger of two extents, along an axis of the node; unknown where one is,
  /// or where it would be a clip that is not there.
  Dim least(Dim a, Dim b, int64_t axis) { return choose(a, b, false, axis); }
  Dim largest(Dim a, Dim b, int64_t axis) { return choose(a, b, true, axis); }
  /// Where a part with that step begins and ends along an extent: MXNet's rule, places below 0
  /// count from the end.
  Dim begin(Dim extent, int64_t place, int64_t step, int64_t axis);
  Dim end(Dim extent, int64_t place, int64_t step, int64_t axis);
  /// How many elements lie from `first` on before `last`.
  Dim count(Dim first, Dim last, int64_t step, int64_t axis);

private:
  Dim choose(Dim a, Dim b, bool isLargest, int64_t axis);
  Dim clipOf(Dim a, Dim b, bool isLargest, int64_t axis);
  Dim moved(Dim extent, int64_t place, Dim low, Dim high, int64_t axis);
  Dim add(const Clip &clip, int64_t axis);

  GraphOp graph; // which has the sizes of those that it calls
  mlir::Operation *node;
  bool mayAdd;
};

} // namespace symc::sg

#endif // SYMC_IR_CLIPS_H

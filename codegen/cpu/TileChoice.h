// TileChoice.h: which register tile a convolution or matrix product gets. A
// small model of one core (multiply-adds, loads and L2 bytes a cycle, latency
// of a chain, cost of a store) rates every tile of the target's table, with the
// pixels and channels that the shape leaves over; the cheapest wins.
#ifndef SYMC_CODEGEN_CPU_TILECHOICE_H
#define SYMC_CODEGEN_CPU_TILECHOICE_H

#include "codegen/cpu/TargetDescription.h"
#include "codegen/kernel/ConvTile.h"
#include "codegen/kernel/KernelDialect.h"

namespace symc::codegen {

/// What the model has of a kernel.conv. An extent that is a run-time value is
/// mlir::ShapedType::kDynamic.
struct ConvExtents {
  int64_t batch, rows, columns; // output pixels; flat: rows = 1
  int64_t outChannels, inChannels;
  int64_t window;          // kernel rows * columns
  int64_t pixelBytes = 0;  // from one output pixel's input to the next one's; 0 = unknown
  bool ownWeights = false; // each image has weights of its own
  bool openOutput = false; // outChannels is the most that they are: a tile has one block of them
  bool ofGroups = false; // a tile has one block of outputs, inChannels is the mean of their groups'
  const ProductRow *product = productRowNamed("Fma"); // inChannels are its steps

  /// Bytes of weights that one step of an output takes.
  int64_t weightBytes() const { return product->weightBytesPerStep; }
};

/// The cheapest tile; rows = 1 where rows or columns are run-time values.
ConvTile chooseConvTile(const ConvExtents &extents, const TargetDescription &target);

/// The `most` cheapest tiles, best first; the first is chooseConvTile's.
std::vector<ConvTile> rankConvTiles(const ConvExtents &extents, const TargetDescription &target,
                                    size_t most);

/// The model's cycles for one image with that tile (for reports and tests).
double estimateConvCycles(const ConvExtents &extents, const ConvTile &tile,
                          const TargetDescription &target);

/// Output pixels that lie side by side, or may do so where a tile takes several rows of them; many
/// where a run decides.
int64_t pixelsSideBySide(kernel::ConvOp op);

/// The row by which the target multiplies the op's types; that of float32 where it has none, which
/// the op's lowering refuses.
const ProductRow &productOf(kernel::ConvOp op, const TargetDescription &target);

/// The extents of the op, pixels flattened where its views allow it.
ConvExtents extentsOf(kernel::ConvOp op, const ProductRow &product);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_TILECHOICE_H

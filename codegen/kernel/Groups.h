// Groups.h: convolutions whose groups of channels begin anywhere in blocks.
//
// A kernel.conv with `kernel.groups = array<i64: G, S>` has outputs in G groups, each a sum over
// the `in_channels` channels of its group alone. The panel of a block of outputs has a row for each
// channel of all groups that the block has outputs of, [OB, 1, kH, kW, K, 16] with 0 in those of
// other groups, and a tile has one vector. S parts of data's channels are read in turn: channel c
// of the layer is channel c % S * (C / S) + c / S of data. kernel.pack_panels has the same
// attribute where it writes such panels.
#ifndef SYMC_CODEGEN_KERNEL_GROUPS_H
#define SYMC_CODEGEN_KERNEL_GROUPS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <algorithm>

namespace symc::kernel {

inline constexpr llvm::StringLiteral groupsName = "kernel.groups";
/// The kind of #kernel.form of their panels; its m is the number of groups.
inline constexpr llvm::StringLiteral groupsForm = "groups";

struct ChannelGroups {
  int64_t count, parts = 1;

  static std::optional<ChannelGroups> of(mlir::Operation *step) {
    auto numbers = step->getAttrOfType<mlir::DenseI64ArrayAttr>(groupsName);
    if (!numbers)
      return std::nullopt;
    return ChannelGroups{numbers[0], numbers[1]};
  }
  void setOn(mlir::Operation *step) const {
    step->setAttr(groupsName, mlir::DenseI64ArrayAttr::get(step->getContext(), {count, parts}));
  }

  /// How many groups have outputs in a block, of `outputs` together.
  int64_t inBlock(int64_t block, int64_t width, int64_t outputs) const {
    int64_t first = block * width, last = std::min(first + width, outputs) - 1;
    int64_t each = outputs / count;
    return last / each - first / each + 1;
  }
};

} // namespace symc::kernel

#endif // SYMC_CODEGEN_KERNEL_GROUPS_H

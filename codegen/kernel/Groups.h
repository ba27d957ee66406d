// Groups.h: convolutions whose groups of channels begin anywhere in blocks.
//
// A kernel.conv with `kernel.groups = array<i64: G, S>` has outputs in G groups, each a sum over
// the `in_channels` channels of its group alone. Weights [P, 1, kH, kW, in_channels, 16] are a
// panel for each group that a block has outputs of, block after block, with 0 for outputs of other
// groups. A tile has one vector, and its reduction runs over the panels of its block, then rows and
// columns of the window, then channels. S parts of data's channels are read in turn: channel c of
// the layer is channel c % S * (C / S) + c / S of data. kernel.pack_panels has the same attribute
// where it writes such panels.
#ifndef SYMC_CODEGEN_KERNEL_GROUPS_H
#define SYMC_CODEGEN_KERNEL_GROUPS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <numeric>

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

  /// The outputs from one group that begins with a block to the next such one.
  int64_t apart(int64_t outputs, int64_t width) const { return std::lcm(outputs / count, width); }
  /// Panels of `outputs`. A block has one, and one more for each group that begins within it:
  /// before block b there are b + b * width / (outputs / count) - b * width / apart.
  int64_t panels(int64_t outputs, int64_t width) const {
    int64_t last = outputs - 1;
    return last / width + 1 + last / (outputs / count) - last / apart(outputs, width);
  }
};

} // namespace symc::kernel

#endif // SYMC_CODEGEN_KERNEL_GROUPS_H

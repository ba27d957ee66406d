// GroupView.h: a node of a graph, or the nodes of an sg.fused, as rules see them: what is in it,
// what it reads, and what is decided of forms. Nothing is made by looking.
#ifndef SYMC_CODEGEN_SCHEDULE_GROUPVIEW_H
#define SYMC_CODEGEN_SCHEDULE_GROUPVIEW_H

#include "codegen/schedule/Tensors.h"

namespace symc::codegen {

struct ScheduleOptions;

/// Whether nodes write blocks, as the layouts have it.
class NodeForms {
public:
  void set(mlir::Operation *op, bool blocked) { forms[op] = blocked; }
  /// None of nodes that the layouts have no line for.
  std::optional<bool> of(mlir::Operation *op) const {
    auto found = forms.find(op);
    return found == forms.end() ? std::nullopt : std::optional(found->second);
  }

private:
  llvm::DenseMap<mlir::Operation *, bool> forms; // looked up only
};

/// What a chain reads from outside.
struct Operand {
  mlir::Value value;               // the graph's
  llvm::SmallVector<int64_t> axes; // the result axis of each of its axes
  bool operator==(const Operand &other) const { return value == other.value && axes == other.axes; }
};

/// At most one root, elementwise nodes behind it and, of what it reads first, before it.
class GroupView {
public:
  /// `forms`: null while layouts are being chosen.
  GroupView(mlir::Operation *op, const Tensors &t, const ScheduleOptions &options,
            const NodeForms *forms);

  const Tensors &t; // where values lie, and what the target offers
  const ScheduleOptions &options;

  mlir::Operation *op;                                   // the node of the graph
  mlir::Operation *root = nullptr;                       // of the group: not elementwise
  llvm::SmallVector<mlir::Operation *> chain, producers; // behind it and before it
  mlir::Value result;                                    // the graph's value
  mlir::Location location;                               // of the whole group

  /// The graph's value of one in the body.
  mlir::Value resolve(mlir::Value value) const {
    auto found = outer.find(value);
    return found == outer.end() ? value : found->second;
  }
  /// The nodes before the root as a group of their own.
  GroupView beforeRoot() const;

  /// What the chain reads from outside, each value and alignment once, in order.
  llvm::SmallVector<Operand> externalOperands() const;
  Operand operandOf(mlir::Operation *node, unsigned index) const;
  /// Whether the nodes behind the root have bodies on elements of the result's type.
  bool chainIsEmittable() const;
  /// Whether all that the chain reads can be read in the shape of a blocked result.
  bool readsInBlocks() const;

  /// Whether layouts are still being chosen.
  bool isOpen() const { return !forms; }
  /// Whether the layouts have the node write blocks; none while they are open, and of nodes that
  /// they have no line for.
  std::optional<bool> form() const { return forms ? forms->of(op) : std::nullopt; }
  bool writesBlocks() const { return form().value_or(false); }
  /// Whether the value lies in blocks, or may once layouts are chosen.
  bool mayLieInBlocks(mlir::Value value) const { return isOpen() || t.hasBlocked(value); }

private:
  const NodeForms *forms;
  llvm::DenseMap<mlir::Value, mlir::Value> outer; // body value -> graph value
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_GROUPVIEW_H

//===- Body.h - graphs that a node calls, while they are imported ----------===//
#ifndef SYMC_FRONTEND_ONNX_BODY_H
#define SYMC_FRONTEND_ONNX_BODY_H

#include "frontend/onnx/Scope.h"

namespace symc::onnx {

/// A graph that is being made: while it lives, operations go there. Values of the graph around it
/// become its arguments.
class Body {
public:
  Body(ImportState &state, mlir::Location location);
  /// Removes a graph that was not finished.
  ~Body();
  Body(const Body &) = delete;
  Body &operator=(const Body &) = delete;

  mlir::Value argument(mlir::Type type);
  /// The argument that stands for a value of the graph around; one for each value.
  mlir::Value capture(mlir::Value outside);
  /// Ends the graph; operations go to the one around it again.
  void finish(mlir::ValueRange heads);

  mlir::Value argumentAt(size_t i) { return graph.getBlock().getArgument(unsigned(i)); }
  void insertArgument(size_t i, mlir::Type type) {
    graph.getBlock().insertArgument(unsigned(i), type, location);
  }

  mlir::FlatSymbolRefAttr symbol();
  llvm::ArrayRef<mlir::Value> captured() const { return outside; }
  size_t argumentCount() { return graph.getBlock().getNumArguments(); }
  mlir::TypeRange headTypes() { return graph.getBlock().getTerminator()->getOperandTypes(); }

private:
  ImportState &state;
  mlir::Location location;
  sg::GraphOp graph, around;
  mlir::OpBuilder::InsertPoint back;
  llvm::SmallVector<mlir::Value> outside;
  llvm::DenseMap<mlir::Value, mlir::Value> inside;
  bool isFinished = false;
};

/// A loop over the first axis of `data`, at least one: the body's arguments are an element of each,
/// then the states, then what it captured; its heads the gathered results, then the next states.
/// Gathered results, [T, ...], then the states behind the last element.
llvm::SmallVector<mlir::Value> makeForeach(ImportState &state, mlir::Location location, Body &body,
                                           llvm::ArrayRef<mlir::Value> data,
                                           llvm::ArrayRef<mlir::Value> states, size_t gathered);

} // namespace symc::onnx

#endif // SYMC_FRONTEND_ONNX_BODY_H

// CustomOperators.h: operators that libraries describe (runtime/include/symc/custom_op.h), as the
// op table and sg.custom see them. They are in the table of the process from the call that adds
// them on; nothing takes them out again, since modules and symbols refer to them.
#ifndef SYMC_IR_CUSTOMOPERATORS_H
#define SYMC_IR_CUSTOMOPERATORS_H

#include "ir/Inference.h"
#include "ir/OpTable.h"
#include <memory>
#include <vector>

namespace symc::sg {

/// What a description is given, and its answers: constants, where known. A mistake is a
/// sentence, as the library wrote it; shapes and types of the answer may be nonsense.
struct CustomNode {
  using Extents = std::optional<llvm::SmallVector<int64_t, 4>>;
  std::vector<Extents> inputShapes, outputShapes;
  std::vector<std::optional<int64_t>> inputTypes, outputTypes; // MXNet's type flags
};

class CustomOperator {
public:
  virtual ~CustomOperator() = default;

  /// The row of the op table: mnemonic "custom", single inputs and outputs, no aliases.
  OpInfo info;
  std::string name;
  /// The element types of a kernel, and its symbol.
  struct Kernel {
    int64_t dtype;
    std::string symbol;
    const void *function;
  };
  std::vector<Kernel> kernels;
  /// Those of graphs that are computed as in training; none: the same.
  std::vector<Kernel> trainingKernels;
  /// Whether shape and type of an input may be found by inferShapes and inferTypes.
  std::vector<bool> inferred;
  bool elementwise = false, keepsRows = false, inPlace = false, isLoss = false;
  /// Whether the table lists the name; a gradient is none that a file may name.
  bool isListed = true;
  bool hasShapeFunction = false, hasTypeFunction = false;
  /// Number of the library that described it (libraryOf of whoever added it).
  size_t library = 0;

  /// The operator that computes its gradients, where its library has one: of inputs, outputs and
  /// gradients of the outputs it makes gradients of the inputs.
  std::string gradientName() const { return name + ":gradient"; }

  /// `params`: those that differ from their defaults. Shapes and types as in CustomNode; returns
  /// the mistake, or "".
  virtual std::string inferShapes(mlir::DictionaryAttr params, CustomNode &node) const = 0;
  virtual std::string inferTypes(mlir::DictionaryAttr params, CustomNode &node) const = 0;
  virtual int64_t scratchBytes(mlir::DictionaryAttr params, CustomNode &node) const = 0;
};

/// Adds operators to the table, all of them or none. Returns the mistake, or "". Thread-safe.
std::string addCustomOperators(std::vector<std::unique_ptr<CustomOperator>> operators);
/// The operator of that name, or of that row of the table; null where it is none of these.
const CustomOperator *customOperator(llvm::StringRef name);
const CustomOperator *customOperator(const OpInfo &info);

/// The table's row of an operation: of sg.custom its operator's, where that is loaded.
const OpInfo *infoOf(mlir::Operation *op);
/// The attributes that are an operation's parameters.
mlir::DictionaryAttr paramsOf(mlir::Operation *op);

} // namespace symc::sg

#endif // SYMC_IR_CUSTOMOPERATORS_H

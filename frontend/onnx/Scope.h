//===- Scope.h - one node while it is imported -----------------------------===//
//
// What the builder of an operator sees: attributes as its row declares them, operands
// with their shapes, types and known values, and functions that make operations of sg,
// whose shapes and types are inferred at once. A builder returns false after a refusal.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_ONNX_SCOPE_H
#define SYMC_FRONTEND_ONNX_SCOPE_H

#include "frontend/onnx/Known.h"
#include "frontend/onnx/Model.h"
#include "frontend/onnx/Weights.h"
#include "ir/Conditions.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace symc::onnx {

struct SmallType;

/// A value of a graph: null where an optional operand is left out.
struct Operand {
  mlir::Value value;
  std::shared_ptr<const Known> known;
  llvm::StringRef name;
  /// Of a type of one byte or less (Small.h), whose codes `value` holds.
  const SmallType *small = nullptr;
  /// Of a sequence, which has no value, its elements.
  std::shared_ptr<const std::vector<Operand>> sequence;

  bool exists() const { return value || sequence; }
};

/// What the nodes of one model share.
struct ImportState {
  mlir::MLIRContext &context;
  mlir::OpBuilder builder;
  mlir::ModuleOp module;
  sg::GraphOp main, graph;                           // graph: the one that operations go to
  llvm::DenseMap<mlir::Value, mlir::Value> captured; // arguments of bodies, and what they stand for
  std::unique_ptr<sg::Conditions> conditions, required; // required: what nodes need beside it
  std::shared_ptr<ModelWeights> weights;
  llvm::StringSet<> symbols;         // of weights
  std::vector<std::string> messages; // of inference since they were last taken

  explicit ImportState(mlir::MLIRContext &context) : context(context), builder(&context) {}
  /// A symbol for a weight, the name made unique.
  std::string symbolFor(llvm::StringRef name);
  /// `sg.weight` for array `i` of `weights`, and its value.
  mlir::Value parameter(size_t i, llvm::StringRef symbol, mlir::Location location);
  mlir::Value constant(const Known &known, llvm::StringRef name, mlir::Location location);
};

/// An attribute that a row declares: its kind as in Operators.def, and a default.
struct DeclaredAttribute {
  llvm::StringRef name, kind, value;
  bool isRequired = false;
};

class NodeScope {
public:
  NodeScope(ImportState &state, const Node &node, int64_t opset, mlir::Location location)
      : node(node), opset(opset), location(location), state(state) {}

  const Node &node;
  int64_t opset;
  mlir::Location location;
  std::vector<Operand> operands;
  std::vector<Operand> results;

  // Attributes. Those that a row declares without a default may be missing.
  bool given(llvm::StringRef name) const { return find(name) != nullptr; }
  const Attribute *find(llvm::StringRef name) const;
  int64_t integer(llvm::StringRef name) const;
  double real(llvm::StringRef name) const;
  llvm::StringRef text(llvm::StringRef name) const;
  llvm::ArrayRef<int64_t> integers(llvm::StringRef name) const;

  // Operands.
  size_t count() const { return operands.size(); }
  bool has(size_t i) const { return i < operands.size() && operands[i].value; }
  mlir::Value in(size_t i) const { return operands[i].value; }
  sg::Shape shape(size_t i) const { return sg::shapeOf(in(i).getType()); }
  int64_t rank(size_t i) const { return static_cast<int64_t>(shape(i).rank()); }
  mlir::Type type(size_t i) const { return sg::elementTypeOf(in(i).getType()); }
  /// The elements of an operand that is a sequence.
  const std::vector<Operand> *sequence(size_t i) const {
    return i < operands.size() ? operands[i].sequence.get() : nullptr;
  }
  /// Null where its elements have a type of sg's.
  const SmallType *small(size_t i) const { return has(i) ? operands[i].small : nullptr; }
  const Known *known(size_t i) const { return has(i) ? operands[i].known.get() : nullptr; }
  /// Whether an operand's elements are integers; a refusal where they are not.
  bool hasIntegers(size_t i);
  /// The value of an operand that decides a shape or a parameter; nothing after a refusal.
  const Known *wanted(size_t i);
  std::optional<llvm::SmallVector<sg::Dim>> extents(size_t i);
  std::optional<llvm::SmallVector<int64_t>> numbers(size_t i);
  std::optional<llvm::SmallVector<double>> reals(size_t i);

  // What is made. A null operand gives a null result: a mistake is reported once.
  mlir::Value make(llvm::StringRef mnemonic, mlir::ValueRange operands,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  llvm::SmallVector<mlir::Value> makeAll(llvm::StringRef mnemonic, mlir::ValueRange operands,
                                         size_t results,
                                         llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  mlir::NamedAttribute number(llvm::StringRef name, int64_t value);
  mlir::NamedAttribute realNumber(llvm::StringRef name, double value);
  mlir::NamedAttribute flag(llvm::StringRef name, bool value);
  mlir::NamedAttribute word(llvm::StringRef name, llvm::StringRef value);
  mlir::NamedAttribute list(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  mlir::NamedAttribute dtype(mlir::Type type) { return word("dtype", sg::typeName(type)); }

  mlir::Value constant(const Known &known);
  /// A tensor of an attribute; a null value after a refusal.
  Operand tensor(const Tensor &tensor);
  mlir::Value scalarLike(double value, mlir::Type type); // of rank 0
  mlir::Value cast(mlir::Value x, mlir::Type type);
  mlir::Value unary(llvm::StringRef fn, mlir::Value x);
  /// x with the extents of y where a run chooses both and they are different expressions: they are
  /// equal, or the run is refused. Not along `except`.
  mlir::Value agree(mlir::Value x, mlir::Value y, int64_t except = -1);
  /// Operands of one type whose shapes meet as NumPy's do.
  mlir::Value binary(llvm::StringRef fn, mlir::Value x, mlir::Value y);
  /// Comparisons, whose result is bool.
  mlir::Value compare(llvm::StringRef fn, mlir::Value x, mlir::Value y);
  mlir::Value scalar(llvm::StringRef fn, mlir::Value x, double value, bool reverse = false);
  mlir::Value where(mlir::Value condition, mlir::Value x, mlir::Value y);
  mlir::Value reshape(mlir::Value x, const sg::Shape &shape);
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> axes);
  mlir::Value reduce(llvm::StringRef kind, mlir::Value x, llvm::ArrayRef<int64_t> axes, bool keep);
  mlir::Value broadcastTo(mlir::Value x, const sg::Shape &shape);
  /// One value everywhere, of a shape that may hold sizes which a run chooses.
  mlir::Value filled(const sg::Shape &shape, double value, mlir::Type type);
  /// Elements [begin, end) of an axis by a step; kNoneElement where an end is open.
  mlir::Value slice(mlir::Value x, int64_t axis, int64_t begin, int64_t end, int64_t step = 1);
  mlir::Value concat(mlir::ValueRange parts, int64_t axis);
  mlir::Value expandDims(mlir::Value x, int64_t axis);
  /// Whether two extents are the same for all sizes.
  static bool areSame(sg::Dim a, sg::Dim b);
  /// The same with what cancels out taken away.
  sg::Dim simplified(sg::Dim extent) const;
  /// Whether it holds for all sizes in their ranges.
  bool holds(const sg::Need &need) const;
  /// Makes it a condition of the run where it holds for some of them; false after a refusal, where
  /// it holds for none. `what` is a sentence.
  bool require(const sg::Need &need, const llvm::Twine &what);
  /// [..., n, k] x [..., k, m].
  mlir::Value matmul(mlir::Value x, mlir::Value y);
  sg::Dim dim(int64_t value) { return sg::Dim::constant(value, &state.context); }
  mlir::MLIRContext *context() { return &state.context; }

  /// An axis within the rank, counted from the start; nothing after a refusal.
  std::optional<int64_t> axis(int64_t given, int64_t rank);
  std::optional<llvm::SmallVector<int64_t>> axes(llvm::ArrayRef<int64_t> given, int64_t rank);

  /// Result `i`; false where the value is null.
  bool give(size_t i, mlir::Value value, std::optional<Known> known = std::nullopt);
  bool give(mlir::Value value, std::optional<Known> known = std::nullopt) {
    return give(0, value, std::move(known));
  }
  /// The same of codes.
  bool giveSmall(size_t i, mlir::Value codes, const SmallType *type) {
    if (!give(i, codes))
      return false;
    results[i].small = type;
    return true;
  }
  bool needs(size_t result) const {
    return result < node.outputs.size() && !node.outputs[result].empty();
  }
  /// Reports why the node cannot be compiled; false.
  bool refuse(const llvm::Twine &reason);

  std::string reason;                  // of a refusal
  std::vector<std::string> openInputs; // inputs whose values would help
  llvm::ArrayRef<DeclaredAttribute> declared;
  llvm::StringMap<const Attribute *> attributes; // resolved
  ImportState &state;

private:
  const Known *fixed(size_t i);
  /// As makeAll, with types of results of which some is known.
  llvm::SmallVector<mlir::Value> makeOf(llvm::StringRef mnemonic, mlir::ValueRange operands,
                                        mlir::TypeRange types,
                                        llvm::ArrayRef<mlir::NamedAttribute> attributes);
  const DeclaredAttribute *declaration(llvm::StringRef name) const;
  bool infer(mlir::Operation *op);
  mutable llvm::SmallVector<llvm::SmallVector<int64_t>, 2> defaults; // lists by default
};

} // namespace symc::onnx

#endif // SYMC_FRONTEND_ONNX_SCOPE_H

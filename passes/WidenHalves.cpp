// WidenHalves.cpp: sg-widen-halves.
//
//   %1 = sg.fully_connected(%x, %w) : f16     %a = sg.cast(%x) : f32, %b = sg.cast(%w) : f32
//   %2 = sg.softmax(%1) : f16              -> %c = sg.fully_connected(%a, %b) : f32
//                                             %d = sg.unary(%c) {fn = "round_float16"} : f32
//                                             %e = sg.softmax(%d) : f32
//                                             %2 = sg.cast(%e) : f16
//
// Nodes of float16 and bfloat16 compute in float32, whose layers, norms and reductions have
// kernels; what a node gives is rounded to the type that it had, so that values are those of
// the graph as it was written. Elementwise roundings join the kernels of the nodes before them.
// Values are rounded nowhere else: a layer's sums, or what is inside of a softmax, are float32's.
//
// 1. A node whose result is among its operands' elements (a slice, relu, max) rounds nothing.
// 2. A node that only moves elements stays where nothing in front of it was widened: 16 bits are
//    half the bytes.
// 3. Casts to and from the 16 bits stand at arguments, heads and nodes that keep them: those of
//    control flow, of operators that round in the middle, and nodes whose types do not let go.
// 4. Numbers in attributes that meet elements are rounded to the type first, as MXNet does.
#include "ir/ControlFlow.h"
#include "ir/CoreBuilder.h"
#include "ir/CustomOperators.h"
#include "ir/OpTable.h"
#include "ir/RandomNumbers.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Init.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Reduce.h"
#include "ir/ops/Slice.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Passes.h"
#include "llvm/ADT/StringSwitch.h"

namespace symc {
#define GEN_PASS_DEF_WIDENHALVES
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;
using symc::CoreBuilder;

namespace {

bool isHalf(Type type) { return type && (type.isF16() || type.isBF16()); }
bool isHalf(Value value) { return isHalf(elementTypeOf(value.getType())); }

double rounded(double number, Type type) {
  APFloat value(number);
  bool losesInfo;
  value.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

// Nodes that give elements of their operands, or numbers that each type has.
bool isMove(Operation *op) {
  return llvm::StringSwitch<bool>(op->getName().stripDialect())
      .Cases({"flatten",        "reshape",        "reshape_like",   "transpose",
              "swap_axis",      "expand_dims",    "squeeze",        "tile",
              "repeat",         "reverse",        "broadcast_to",   "broadcast_axis",
              "broadcast_like", "depth_to_space", "space_to_depth", "concat",
              "stack",          "slice_channel",  "split_v2",       "slice",
              "slice_axis",     "slice_like"},
             true)
      .Default(false);
}

bool isExactFunction(StringRef fn) {
  return llvm::StringSwitch<bool>(fn)
      .Cases({"relu",         "abs",         "negative",   "sign",          "round",
              "rint",         "floor",       "ceil",       "trunc",         "fix",
              "round_even",   "round_ste",   "sign_ste",   "maximum",       "minimum",
              "equal",        "not_equal",   "greater",    "greater_equal", "lesser",
              "lesser_equal", "logical_and", "logical_or", "logical_xor",   "logical_not",
              "copysign"},
             true)
      .Default(false);
}

// Families of which float32 has generated code, and whose kernels compute in float32 and round
// once. Others round in the middle as MXNet does (places of pixels, ranges, statistics), and stay.
bool isWidened(Operation *op) {
  StringRef name = op->getName().stripDialect();
  return llvm::StringSwitch<bool>(infoOf(op)->family)
      .Cases({"Attention", "Elementwise", "NumpyElementwise", "Index", "Linalg", "Loss", "Matrix",
              "Nn", "Norm", "Patches", "Recurrent", "Reduce", "Sequence", "Shape", "Slice"},
             true)
      .Case("Optimizer", name != "multi_sum_sq") // its squares are of the operands' type
      .Case("Init", name == "full" || name == "eye")
      .Case("Vision", name == "upsampling" || name == "crop" || name == "pad" ||
                          name == "bilinear_resize" || name == "adaptive_avg_pooling")
      .Default(false);
}

bool givesOperands(Operation *op) {
  if (isMove(op))
    return true;
  if (isa<UnaryOp, BinaryOp, ScalarOp>(op))
    return isExactFunction(op->getAttrOfType<StringAttr>("fn").getValue());
  if (auto activation = dyn_cast<ActivationOp>(op))
    return isExactFunction(activation.getActType());
  if (auto pooling = dyn_cast<PoolingOp>(op))
    return pooling.getPoolType() == "max";
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getKind() == "max" || reduce.getKind() == "min";
  return llvm::StringSwitch<bool>(op->getName().stripDialect())
      .Cases({"clip",       "copy",         "copy_like",     "block_grad",    "where",
              "take",       "batch_take",   "pick",          "gather_nd",     "embedding",
              "one_hot",    "sort",         "sequence_mask", "sequence_last", "sequence_reverse",
              "crop",       "diag",         "slice_assign",  "roi_pooling",   "boolean_mask",
              "index_copy", "unfold_images"},
             true)
      .Default(false);
}

/// One graph at a time.
class Widening {
public:
  explicit Widening(GraphOp graph) : graph(graph) {}

  void run() {
    for (Operation &op : llvm::make_early_inc_range(graph.getBlock()))
      if (isa<OperatorInterface>(op))
        visit(&op);
    dropUnread();
  }

private:
  void visit(Operation *op) {
    if (auto cast = dyn_cast<CastOp>(op))
      return visitCast(cast);
    bool touches = llvm::any_of(op->getOperands(), [](Value v) { return isHalf(v); }) ||
                   llvm::any_of(op->getResults(), [](Value v) { return isHalf(v); });
    if (!touches || isControlFlow(op) || !isWidened(op) ||
        (drawsNumbers(op) && !isa<DropoutOp>(op)))
      return;
    bool follows = llvm::any_of(op->getOperands(), [&](Value v) { return computed.contains(v); });
    if (isMove(op) && !follows)
      return;
    widen(op);
  }

  // A cast from 16 bits reads what they stand for.
  void visitCast(CastOp op) {
    Value data = op.getData();
    if (isHalf(data) && computed.contains(data)) {
      Value value = widened(data);
      if (value.getType() == op.getOutput().getType()) {
        op.getOutput().replaceAllUsesWith(value);
        op.erase();
        return;
      }
      op->setOperand(0, value);
    }
    if (isFromSingle(op))
      computed.insert(op.getOutput());
  }

  static bool isFromSingle(CastOp op) {
    return op && isHalf(op.getOutput()) && elementTypeOf(op.getData().getType()).isF32();
  }

  void widen(Operation *op) {
    OpBuilder builder(op);
    IRMapping mapping;
    SmallVector<Type> inputs;
    for (Value operand : op->getOperands()) {
      bool half = isHalf(operand);
      inputs.push_back(half ? Type(builder.getF32Type()) : elementTypeOf(operand.getType()));
    }
    Operation *clone = op->clone();
    roundNumbers(clone, elementTypeOf(op->getResult(0).getType()));
    // A type that an attribute names.
    for (StringRef name : {"dtype", "out_dtype"})
      if (auto named = clone->getAttrOfType<StringAttr>(name))
        if (named.getValue() == "float16" || named.getValue() == "bfloat16")
          clone->setAttr(name, builder.getStringAttr("float32"));
    FailureOr<SmallVector<Type>> results = inferResults(clone, inputs);
    bool changes = succeeded(results) &&
                   llvm::any_of(llvm::zip_equal(*results, op->getResults()), [](auto pair) {
                     auto [type, result] = pair;
                     return !isHalf(type) || !isHalf(result);
                   });
    for (size_t i = 0; changes && i < op->getNumResults(); ++i) {
      Type before = elementTypeOf(op->getResult(i).getType()), now = (*results)[i];
      changes = before == now || (isHalf(before) && now.isF32());
    }
    if (!changes) { // its operator has no such node of float32
      clone->destroy();
      return;
    }
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      clone->setOperand(i, isHalf(operand) ? widened(operand) : operand);
    builder.insert(clone);
    CoreBuilder core(op);
    bool exact = givesOperands(op);
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      Value made = clone->getResult(i);
      made.setType(core.withElement(result, (*results)[i]));
      if (!isHalf(result)) {
        result.replaceAllUsesWith(made);
        continue;
      }
      Type half = elementTypeOf(result.getType());
      Value value = exact ? made : round(made, half, core);
      auto narrow = CastOp::create(core.b, op->getLoc(), result.getType(), value,
                                   core.b.getStringAttr(typeName(half)));
      casts.push_back(narrow);
      remember(narrow.getOutput(), value);
      result.replaceAllUsesWith(narrow.getOutput());
    }
    op->erase();
  }

  // MXNet has such numbers in the type of the elements.
  static void roundNumbers(Operation *op, Type type) {
    if (!isHalf(type) || !isa<ScalarOp, ClipOp, FillLikeOp, FullOp>(op))
      return;
    for (StringRef name : {"scalar", "a_min", "a_max", "value"})
      if (auto number = op->getAttrOfType<FloatAttr>(name))
        op->setAttr(name,
                    FloatAttr::get(number.getType(), rounded(number.getValueAsDouble(), type)));
  }

  // The element types of results for those of operands, if the operator takes them.
  static FailureOr<SmallVector<Type>> inferResults(Operation *op, SmallVector<Type> inputs) {
    SmallVector<Type> wanted = inputs, results(op->getNumResults());
    ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
    TypeScope scope(op, inputs, results);
    if (failed(cast<OperatorInterface>(op).inferType(scope)) || inputs != wanted ||
        llvm::is_contained(results, Type()))
      return failure();
    return results;
  }

  static Value round(Value value, Type half, CoreBuilder &core) {
    return core.unary(half.isF16() ? "round_float16" : "round_bfloat16", value);
  }

  void remember(Value half, Value value) {
    wide[half] = value;
    computed.insert(half);
  }

  // The float32 that the value stands for.
  Value widened(Value half) {
    Value &value = wide[half];
    if (value)
      return value;
    OpBuilder builder(graph.getContext());
    builder.setInsertionPointAfterValue(half);
    CoreBuilder core(builder, half.getLoc());
    auto cast = half.getDefiningOp<CastOp>();
    return value = isFromSingle(cast) ? round(cast.getData(), elementTypeOf(half.getType()), core)
                                      : core.cast(half, core.b.getF32Type());
  }

  // Narrow values that nobody reads, and roundings before those that alone read them.
  void dropUnread() {
    for (CastOp narrow : llvm::reverse(casts)) {
      Value value = narrow.getData();
      if (narrow.getOutput().use_empty()) {
        narrow.erase();
        continue;
      }
      auto rounding = value.getDefiningOp<UnaryOp>();
      if (rounding && rounding.getFn().starts_with("round_") && value.hasOneUse()) {
        narrow->setOperand(0, rounding.getData());
        rounding.erase();
      }
    }
  }

  GraphOp graph;
  DenseMap<Value, Value> wide; // looked up only
  DenseSet<Value> computed;    // those that a node here gave, looked up only
  SmallVector<CastOp> casts;
};

struct WidenHalves : symc::impl::WidenHalvesBase<WidenHalves> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>())
      Widening(graph).run();
  }
};

} // namespace

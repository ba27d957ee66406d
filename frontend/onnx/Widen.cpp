//===- Widen.cpp - integers without kernels of their own -------------------===//
//
//   %2 = sg.binary(%0, %1) {fn = "add"} : uint16
//
// becomes casts of both to int32, the sum, and a cast back, which keeps the low bits. int64 holds
// all bits of a uint64; where the sign counts, both sides are moved by 2^63 first, or the node
// stays and is refused behind.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Widen.h"

#include "ir/ControlFlow.h"
#include "ir/CoreBuilder.h"
#include "ir/ops/Bits.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Index.h"
#include "ir/ops/NumpyElementwise.h"
#include "ir/ops/NumpyReduce.h"
#include "ir/ops/Reduce.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

// The type in which a type is computed; null where that is the type itself.
Type widerOf(Type type) {
  auto integer = dyn_cast_or_null<IntegerType>(type);
  if (!integer)
    return {};
  unsigned bits = integer.getWidth();
  if (bits == 16)
    return IntegerType::get(type.getContext(), 32);
  if (integer.isUnsigned() && (bits == 32 || bits == 64))
    return IntegerType::get(type.getContext(), 64);
  return {};
}

bool isLong(Value value) { return elementTypeOf(value.getType()).isUnsignedInteger(64); }

struct Widener {
  Operation *op;
  CoreBuilder core;
  explicit Widener(Operation *op) : op(op), core(OpBuilder(op), op->getLoc()) {}

  bool isNarrow() {
    auto narrow = [](Value value) { return bool(widerOf(elementTypeOf(value.getType()))); };
    return llvm::any_of(op->getOperands(), narrow) || llvm::any_of(op->getResults(), narrow);
  }

  Value widened(Value value) {
    Type wider = widerOf(elementTypeOf(value.getType()));
    return wider ? core.cast(value, wider) : value;
  }

  // The same node over wider types.
  Operation *clone(ArrayRef<Value> operands) {
    Operation *wide = core.b.clone(*op);
    wide->setOperands(operands);
    for (Value result : wide->getResults())
      if (Type wider = widerOf(elementTypeOf(result.getType())))
        result.setType(core.withElement(result, wider));
    if (auto dtype = wide->getAttrOfType<StringAttr>("dtype"))
      if (Type wider = widerOf(typeFromName(dtype, op->getContext())))
        wide->setAttr("dtype", core.b.getStringAttr(typeName(wider)));
    return wide;
  }

  void replace(ValueRange made) {
    for (auto [result, value] : llvm::zip_equal(op->getResults(), made))
      result.replaceAllUsesWith(core.cast(value, elementTypeOf(result.getType())));
    op->erase();
  }

  // 2^63 added, with which unsigned numbers stand in the order of signed ones.
  Value moved(Value value) { return core.scalar("add", value, -9223372036854775808.0); }

  Value pair(StringRef fn, Value x, Value y) {
    Type type = core.withElement(op->getResult(0), elementTypeOf(x.getType()));
    return core.broadcast(fn, x, y, shapeOf(type));
  }

  // Of numbers from 2^63 on half of it is divided; what that loses is at most one.
  Value quotient(Value x, Value y) {
    x = core.broadcastTo(x, shapeOf(op->getResult(0).getType()));
    y = core.broadcastTo(y, shapeOf(op->getResult(0).getType()));
    Value zero = core.zerosLike(x);
    Value low = core.binary("bit_and", x, core.fillLike(x, 9223372036854774784.0));
    // The bits below the 10th, which a double of 2^63 - 1 has not.
    Value rest = core.binary("bit_and", x, core.fillLike(x, 1023));
    Value half = core.binary("add", core.scalar("div", core.binary("bit_or", low, rest), 2),
                             core.fillLike(x, 4611686018427387904.0));
    Value big = core.binary("lesser", x, zero), huge = core.binary("lesser", y, zero);
    half = core.where(big, half, core.scalar("div", x, 2));
    Value safe = core.where(huge, core.fillLike(y, 1), y);
    Value q = core.scalar("mul", core.binary("div", half, safe), 2);
    Value left = core.binary("sub", x, core.binary("mul", q, safe));
    q = core.binary("add", q, core.binary("greater_equal", moved(left), moved(safe)));
    return core.where(huge, core.binary("greater_equal", moved(x), moved(y)), q);
  }

  // A node over uint64 that depends on the sign: what is made of it, or null.
  Value signedFunction(ArrayRef<Value> operands) {
    if (StringRef fn = pairFunction(); !fn.empty()) {
      if (fn == "div" || fn == "mod") {
        Value q = quotient(operands[0], operands[1]);
        return fn == "div" ? q : pair("sub", operands[0], pair("mul", q, operands[1]));
      }
      Value y = pair(fn, moved(operands[0]), moved(operands[1]));
      return fn == "maximum" || fn == "minimum" ? moved(y) : y;
    }
    return {};
  }

  // Of an order, of which places are int64 already: values are moved, and moved back.
  SmallVector<Value> signedOrder(Value x) {
    SmallVector<Value> made;
    for (auto [wide, own] : llvm::zip_equal(clone({moved(x)})->getResults(), op->getResults()))
      made.push_back(isLong(own) ? moved(wide) : wide);
    return made;
  }

  // The function of a node over two operands.
  StringRef pairFunction() {
    if (auto binary = dyn_cast<BinaryOp>(op))
      return binary.getFn();
    if (auto binary = dyn_cast<NumpyBinaryOp>(op))
      return binary.getFn();
    return {};
  }

  enum class Sign { Free, Made, Counts };
  // Whether the sign of int64 counts for a node over uint64.
  Sign sign() {
    if (!llvm::any_of(op->getOperands(), isLong) && !llvm::any_of(op->getResults(), isLong))
      return Sign::Free;
    if (StringRef fn = pairFunction(); !fn.empty())
      return llvm::StringSwitch<Sign>(fn)
          .Cases({"add", "sub", "mul", "equal", "not_equal", "logical_and", "logical_or",
                  "logical_xor", "bit_and", "bit_or", "bit_xor"},
                 Sign::Free)
          .Cases({"div", "mod", "maximum", "minimum", "greater", "greater_equal", "lesser",
                  "lesser_equal"},
                 Sign::Made)
          .Default(Sign::Counts);
    if (auto scalar = dyn_cast<ScalarOp>(op))
      return llvm::is_contained({"add", "sub", "mul", "equal", "not_equal"}, scalar.getFn())
                 ? Sign::Free
                 : Sign::Counts;
    if (auto unary = dyn_cast<UnaryOp>(op))
      return llvm::is_contained({"negative", "bit_not", "logical_not"}, unary.getFn())
                 ? Sign::Free
                 : Sign::Counts;
    if (auto reduce = dyn_cast<NumpyReduceOp>(op))
      return reduce.getKind() == "sum" || reduce.getKind() == "prod" ? Sign::Free : Sign::Counts;
    if (isa<SortOp, ArgsortOp, TopKOp>(op))
      return Sign::Made;
    return isa<ClipOp, UniqueOp, NumpyArgReduceOp, NumpyScalarOp, NormOp>(op) ? Sign::Counts
                                                                              : Sign::Free;
  }

  void run() {
    Sign how = sign();
    if (how == Sign::Counts)
      return;
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(widened(operand));
    if (how == Sign::Made && operands.size() == 1)
      return replace(signedOrder(operands[0]));
    if (how == Sign::Made)
      return replace({signedFunction(operands)});
    Operation *wide = clone(operands);
    replace(wide->getResults());
  }
};

} // namespace

void symc::onnx::widenIntegers(ModuleOp module) {
  SmallVector<Operation *> nodes;
  module.walk([&](OperatorInterface node) {
    if (!isa<CastOp, BitCastOp>(node.getOperation()) && !isControlFlow(node))
      nodes.push_back(node);
  });
  for (Operation *node : nodes)
    if (Widener widener(node); widener.isNarrow())
      widener.run();
}

// BodyText.cpp: see BodyText.h. Operations mean what they mean for a CPU: no multiply-add unless
// one is written, division and square root rounded to nearest.
#include "codegen/cuda/BodyText.h"

#include "codegen/cuda/CudaTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace symc::codegen::cuda {

namespace {

/// One operation whose operands have names; what it gives as text, empty where it has none.
class OperationText {
public:
  OperationText(Operation *op, ArrayRef<std::string> x) : op(op), x(x) {}
  std::string get();

private:
  Type from() { return op->getOperand(0).getType(); }
  Type type() { return op->getResult(0).getType(); }
  std::string infix(StringRef sign) { return (x[0] + " " + sign + " " + x[1]).str(); }
  std::string as(StringRef what, const std::string &text) {
    return ("(" + what + ")" + text).str();
  }
  std::string natural(size_t i) {
    StringRef name = valueType(op->getOperand(i).getType());
    name.consume_front("signed ");
    return as(("unsigned " + name).str(), x[i]);
  }
  std::string call(StringRef function) {
    std::string suffix = type().isF64() ? "" : "f";
    return (function + suffix + "(" + llvm::join(x, ", ") + ")").str();
  }
  std::string compare(arith::CmpIOp op);
  std::string compare(arith::CmpFOp op);
  std::string mathematics();
  std::string integers();

  Operation *op;
  ArrayRef<std::string> x;
};

} // namespace

std::string OperationText::compare(arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  bool isUnsigned = llvm::is_contained({P::ult, P::ule, P::ugt, P::uge}, op.getPredicate());
  auto sign = [&]() -> StringRef {
    switch (op.getPredicate()) {
    case P::eq:
      return "==";
    case P::ne:
      return "!=";
    case P::slt:
    case P::ult:
      return "<";
    case P::sle:
    case P::ule:
      return "<=";
    case P::sgt:
    case P::ugt:
      return ">";
    default:
      return ">=";
    }
  }();
  if (isUnsigned)
    return (natural(0) + " " + sign + " " + natural(1)).str();
  return infix(sign);
}

// C's comparisons are ordered but for !=.
std::string OperationText::compare(arith::CmpFOp op) {
  using P = arith::CmpFPredicate;
  switch (op.getPredicate()) {
  case P::OEQ:
    return infix("==");
  case P::OGT:
    return infix(">");
  case P::OGE:
    return infix(">=");
  case P::OLT:
    return infix("<");
  case P::OLE:
    return infix("<=");
  case P::ONE:
    return infix("<") + " || " + infix(">");
  case P::ORD:
    return x[0] + " == " + x[0] + " && " + x[1] + " == " + x[1];
  case P::UEQ:
    return "!(" + infix("<") + " || " + infix(">") + ")";
  case P::UGT:
    return "!(" + infix("<=") + ")";
  case P::UGE:
    return "!(" + infix("<") + ")";
  case P::ULT:
    return "!(" + infix(">=") + ")";
  case P::ULE:
    return "!(" + infix(">") + ")";
  case P::UNE:
    return infix("!=");
  case P::UNO:
    return x[0] + " != " + x[0] + " || " + x[1] + " != " + x[1];
  case P::AlwaysFalse:
    return "false";
  case P::AlwaysTrue:
    return "true";
  }
  return "";
}

std::string OperationText::mathematics() {
  StringRef name = op->getName().getStringRef();
  if (name == "kernel.logistic")
    return type().isF64() ? "1.0 / (1.0 + exp(-" + x[0] + "))"
                          : "1.0f / (1.0f + expf(-" + x[0] + "))";
  if (name == "math.rsqrt")
    return type().isF64() ? "1.0 / sqrt(" + x[0] + ")" : "1.0f / sqrtf(" + x[0] + ")";
  if (name == "math.absi")
    return x[0] + " < 0 ? -" + x[0] + " : " + x[0];
  if (!isa<FloatType>(type()))
    return "";
  StringRef function =
      llvm::StringSwitch<StringRef>(name)
          .Case("math.absf", "fabs")
          .Case("math.roundeven", "rint")
          .Case("math.powf", "pow")
          .Case("arith.remf", "fmod")
          .Cases({"math.acos",  "math.acosh", "math.asin",  "math.asinh", "math.atan",
                  "math.atan2", "math.atanh", "math.cbrt",  "math.ceil",  "math.copysign",
                  "math.cos",   "math.cosh",  "math.erf",   "math.erfc",  "math.exp",
                  "math.exp2",  "math.expm1", "math.floor", "math.fma",   "math.log",
                  "math.log10", "math.log1p", "math.log2",  "math.round", "math.sin",
                  "math.sinh",  "math.sqrt",  "math.tan",   "math.tanh",  "math.trunc"},
                 name.drop_front(5))
          .Default("");
  return function.empty() ? "" : call(function);
}

std::string OperationText::integers() {
  StringRef result = valueType(type());
  // Sums that leave the range wrap, as unsigned ones do.
  auto wraps = [&](StringRef sign) {
    return as(result, "(" + (natural(0) + " " + sign + " " + natural(1)).str() + ")");
  };
  bool bit = type().isInteger(1);
  return llvm::StringSwitch<llvm::function_ref<std::string()>>(op->getName().getStringRef())
      .Case("arith.addi", [&] { return bit ? infix("!=") : wraps("+"); })
      .Case("arith.subi", [&] { return bit ? infix("!=") : wraps("-"); })
      .Case("arith.muli", [&] { return bit ? infix("&&") : wraps("*"); })
      .Case("arith.andi", [&] { return as(result, "(" + infix("&") + ")"); })
      .Case("arith.ori", [&] { return as(result, "(" + infix("|") + ")"); })
      .Case("arith.xori", [&] { return as(result, "(" + infix("^") + ")"); })
      .Case("arith.shli", [&] { return wraps("<<"); })
      .Case("arith.shrui", [&] { return wraps(">>"); })
      .Case("arith.shrsi", [&] { return as(result, "(" + infix(">>") + ")"); })
      .Case("arith.divsi", [&] { return as(result, "(" + infix("/") + ")"); })
      .Case("arith.remsi", [&] { return as(result, "(" + infix("%") + ")"); })
      .Case("arith.divui", [&] { return wraps("/"); })
      .Case("arith.remui", [&] { return wraps("%"); })
      .Case("arith.maxsi", [&] { return infix(">") + " ? " + x[0] + " : " + x[1]; })
      .Case("arith.minsi", [&] { return infix("<") + " ? " + x[0] + " : " + x[1]; })
      .Case("arith.maxui",
            [&] { return natural(0) + " > " + natural(1) + " ? " + x[0] + " : " + x[1]; })
      .Case("arith.minui",
            [&] { return natural(0) + " < " + natural(1) + " ? " + x[0] + " : " + x[1]; })
      .Default([] { return std::string(); })();
}

std::string OperationText::get() {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return literal(constant.getValue());
  if (auto integers = dyn_cast<arith::CmpIOp>(op))
    return compare(integers);
  if (auto floats = dyn_cast<arith::CmpFOp>(op))
    return compare(floats);
  StringRef result = valueType(type());
  if (isa<arith::SelectOp>(op))
    return x[0] + " ? " + x[1] + " : " + x[2];
  if (isa<arith::NegFOp>(op))
    return "-" + x[0];
  if (isa<arith::AddFOp>(op))
    return infix("+");
  if (isa<arith::SubFOp>(op))
    return infix("-");
  if (isa<arith::MulFOp>(op))
    return infix("*");
  if (isa<arith::DivFOp>(op))
    return infix("/");
  // NaN where either is one; the number where one is: C's fmax.
  if (isa<arith::MaxNumFOp>(op))
    return call("fmax");
  if (isa<arith::MinNumFOp>(op))
    return call("fmin");
  if (isa<arith::MaximumFOp>(op))
    return x[0] + " > " + x[1] + " || " + x[0] + " != " + x[0] + " ? " + x[0] + " : " + x[1];
  if (isa<arith::MinimumFOp>(op))
    return x[0] + " < " + x[1] + " || " + x[0] + " != " + x[0] + " ? " + x[0] + " : " + x[1];
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::FPToSIOp, arith::ExtSIOp,
          arith::IndexCastOp>(op))
    return from().isInteger(1) ? x[0] + " ? " + as(result, "-1") + " : " + as(result, "0")
                               : as(result, x[0]);
  if (isa<arith::TruncIOp>(op))
    return type().isInteger(1) ? "(" + x[0] + " & 1) != 0" : as(result, x[0]);
  if (isa<arith::ExtUIOp, arith::UIToFPOp>(op))
    return as(result, from().isInteger(1) ? x[0] : natural(0));
  if (isa<arith::FPToUIOp>(op))
    return as(result, as("unsigned long long", x[0]));
  if (isa<arith::BitcastOp>(op)) {
    if (from().isF32())
      return "__float_as_int(" + x[0] + ")";
    if (from().isF64())
      return "__double_as_longlong(" + x[0] + ")";
    if (type().isF32())
      return "__int_as_float(" + x[0] + ")";
    if (type().isF64())
      return "__longlong_as_double(" + x[0] + ")";
    return "";
  }
  std::string text = mathematics();
  return text.empty() && !isa<FloatType>(type()) ? integers() : text;
}

FailureOr<SmallVector<std::string>> writeBody(KernelWriter &writer, Region &body,
                                              ArrayRef<std::string> arguments) {
  llvm::DenseMap<Value, std::string> names;
  for (auto [argument, name] : llvm::zip_equal(body.getArguments(), arguments))
    names[argument] = name;
  // Constants may stand outside of the body.
  auto nameOf = [&](Value value) {
    std::string &name = names[value];
    if (name.empty())
      if (auto constant = value.getDefiningOp<arith::ConstantOp>())
        name = literal(constant.getValue());
    return name;
  };
  for (Operation &op : body.front().without_terminator()) {
    SmallVector<std::string> operands = llvm::map_to_vector(op.getOperands(), nameOf);
    std::string text;
    if (op.getNumResults() == 1 && llvm::none_of(operands, [](auto &each) { return each.empty(); }))
      text = OperationText(&op, operands).get();
    if (text.empty())
      return op.emitError("'") << op.getName().getStringRef() << "' has no text in CUDA C++";
    if (isa<arith::ConstantOp>(op)) {
      names[op.getResult(0)] = text;
      continue;
    }
    Type type = op.getResult(0).getType();
    std::string name = writer.fresh("v");
    writer.line("const " + valueType(type) + " " + name + " = " + rounded(type, text) + ";");
    names[op.getResult(0)] = name;
  }
  return llvm::map_to_vector(body.front().getTerminator()->getOperands(), nameOf);
}

} // namespace symc::codegen::cuda

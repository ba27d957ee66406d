// ScalarFunctions.cpp: see ScalarFunctions.h.
#include "ir/ScalarFunctions.h"

#include "mlir/IR/BuiltinTypes.h"
#include <algorithm>
#include <cassert>
#include <deque>
#include <optional>

using namespace mlir;
using namespace symc::sg;

namespace {
#include "ir/ScalarFunctions.inc" // a builder for each function; kScalarFns, sorted by name

enum class Kind { operation, function };
constexpr Kind kinds[] = {
#define SYMC_SCALAR_PRIMITIVE(name, operands, kind) Kind::kind,
#include "ir/ScalarPrimitives.def"
};
} // namespace

bool symc::sg::isFunction(ScalarPrimitive primitive) {
  return kinds[static_cast<int>(primitive)] == Kind::function;
}

ArrayRef<ScalarFn> symc::sg::allScalarFns() { return kScalarFns; }

const ScalarFn *symc::sg::lookupScalarFn(StringRef name) {
  const ScalarFn *found =
      std::lower_bound(std::begin(kScalarFns), std::end(kScalarFns), name,
                       [](const ScalarFn &fn, StringRef wanted) { return fn.name < wanted; });
  return found != std::end(kScalarFns) && found->name == name ? found : nullptr;
}

namespace {
/// Follows numbers, with their signs, through a function.
class NumberFinder : public ScalarBuilder {
public:
  Scalar number(double value) override { return keep(value); }
  Scalar apply(ScalarPrimitive primitive, ArrayRef<Scalar> operands) override {
    std::optional<double> value = of(operands[0]);
    return primitive == ScalarPrimitive::neg && value ? keep(-*value) : Scalar();
  }
  static std::optional<double> of(Scalar scalar) {
    return scalar.get() ? std::optional(*static_cast<const double *>(scalar.get())) : std::nullopt;
  }

private:
  Scalar keep(double value) { return Scalar(&kept.emplace_back(value)); }
  std::deque<double> kept; // whose places stay
};
} // namespace

bool ScalarFn::isConstant(size_t by, double value) const {
  NumberFinder finder;
  SmallVector<Scalar> args(operands);
  return NumberFinder::of(derivatives[by](finder, args)) == value;
}

Scalar symc::sg::buildScalarFn(ScalarBuilder &builder, StringRef name, ArrayRef<Scalar> operands) {
  const ScalarFn *fn = lookupScalarFn(name);
  assert(fn && fn->operands == operands.size() && "internal: no such scalar function");
  return fn->build(builder, operands);
}

SmallVector<int64_t> symc::sg::alignedAxes(Operation *op, unsigned operand) {
  int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  int64_t own = cast<RankedTensorType>(op->getOperand(operand).getType()).getRank();
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < own; ++axis)
    axes.push_back(rank - own + axis);
  return axes;
}

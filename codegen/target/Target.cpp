// Target.cpp: see Target.h.
#include "codegen/target/Target.h"

using namespace mlir;
using namespace symc::codegen;

template <typename T> static Type typeOf(MLIRContext *context) { return T::get(context); }
template <unsigned bits> static Type integerOf(MLIRContext *context) {
  return IntegerType::get(context, bits);
}

llvm::ArrayRef<ElementRow> symc::codegen::standardElements() {
  static const ElementRow rows[] = {
      {typeOf<Float32Type>, typeOf<Float32Type>, "panels", true},
      {integerOf<8>, integerOf<32>, "quads", false},
  };
  return rows;
}

llvm::ArrayRef<llvm::StringLiteral> symc::codegen::standardLayouts() {
  static const llvm::StringLiteral kinds[] = {"plain", "blocked"};
  return kinds;
}

const ElementRow *Target::elementsOf(Type type) const {
  if (auto integer = dyn_cast_or_null<IntegerType>(type))
    type = IntegerType::get(type.getContext(), integer.getWidth());
  for (const ElementRow &row : elements)
    if (type && row.operand(type.getContext()) == type)
      return &row;
  return nullptr;
}

// Bits.cpp: shapes and types of bit_cast; the numbered constraints are those of Bits.td.
#include "ir/ops/Bits.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Bits.cpp.inc"

void symc::sg::registerBitsOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Bits.cpp.inc"
      >();
}

LogicalResult BitCastOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); } // C1
LogicalResult BitCastOp::inferType(TypeScope &scope) {
  Type to = typeFromName(getDtype(), scope.context()), from = scope.input(0);
  // bool fills a byte.
  auto bytes = [](Type type) { return type.isInteger(1) ? 1 : typeBytes(type); };
  if (from && bytes(from) != bytes(to)) // C2
    return scope.error() << "data has element type " << typeName(from) << " and dtype is "
                         << typeName(to) << ", needs types of one width";
  return scope.refineOutput(0, to);
}

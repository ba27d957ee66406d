// ElementAccess.cpp: see ElementAccess.h.
#include "codegen/lower/ElementAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace symc::codegen;

static int64_t lanesOf(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type ? type.getNumElements() : 1;
}

static Value bytesToBools(Emission &emit, Value bytes) {
  Value zero = emit.splat(emit.builder().getI8IntegerAttr(0), lanesOf(bytes));
  return arith::CmpIOp::create(emit.builder(), emit.location(), arith::CmpIPredicate::ne, bytes,
                               zero);
}

static Value boolsToBytes(Emission &emit, Value bools) {
  Type bytes = emit.vectorType(emit.builder().getI8Type(), lanesOf(bools));
  return arith::ExtUIOp::create(emit.builder(), emit.location(), bytes, bools);
}

static bool isBool(Type type) { return getElementTypeOrSelf(type).isInteger(1); }

Value symc::codegen::loadElements(Emission &emit, Value pointer, Type element, OpFoldResult stride,
                                  int64_t lanes) {
  if (!isBool(element))
    return emit.loadStrided(pointer, element, stride, lanes);
  return bytesToBools(emit, emit.loadStrided(pointer, emit.builder().getI8Type(), stride, lanes));
}

void symc::codegen::storeElements(Emission &emit, Value vector, Value pointer,
                                  OpFoldResult stride) {
  emit.storeStrided(isBool(vector.getType()) ? boolsToBytes(emit, vector) : vector, pointer,
                    stride);
}

Value symc::codegen::loadElementsMasked(Emission &emit, Value pointer, Type element, Value mask) {
  if (!isBool(element))
    return emit.loadMasked(pointer, element, mask);
  return bytesToBools(emit, emit.loadMasked(pointer, emit.builder().getI8Type(), mask));
}

void symc::codegen::storeElementsMasked(Emission &emit, Value vector, Value pointer, Value mask) {
  emit.storeMasked(isBool(vector.getType()) ? boolsToBytes(emit, vector) : vector, pointer, mask);
}

// Swaps the off-diagonal quarters of blocks of 2h x 2h, for h from lanes/2 to 1.
SmallVector<Value> symc::codegen::transposeRows(Emission &emit, ArrayRef<Value> given) {
  SmallVector<Value> rows(given);
  int64_t lanes = rows.size();
  for (int64_t half = lanes / 2; half >= 1; half /= 2) {
    SmallVector<int64_t> upper, lower; // shuffles of (row i, row i + half)
    for (int64_t lane = 0; lane < lanes; ++lane) {
      bool right = lane & half;
      upper.push_back(right ? lanes + lane - half : lane);
      lower.push_back(right ? lanes + lane : lane + half);
    }
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & half)
        continue;
      Value x = rows[i], y = rows[i + half];
      rows[i] = vector::ShuffleOp::create(emit.builder(), emit.location(), x, y, upper);
      rows[i + half] = vector::ShuffleOp::create(emit.builder(), emit.location(), x, y, lower);
    }
  }
  return rows;
}

// Emission.cpp: see Emission.h. Everything lands at the builder's insertion
// point; index arithmetic folds constants so that static shapes leave no code.
#include "codegen/lower/Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace symc::codegen;

std::optional<int64_t> symc::codegen::constantOf(OpFoldResult value) {
  return getConstantIntValue(value);
}

bool symc::codegen::isConstant(OpFoldResult value, int64_t expected) {
  return constantOf(value) == expected;
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value Emission::index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

Value Emission::index(OpFoldResult value) {
  if (auto known = constantOf(value))
    return index(*known);
  return cast<Value>(value);
}

OpFoldResult Emission::constant(int64_t value) { return b.getIndexAttr(value); }

OpFoldResult Emission::add(OpFoldResult x, OpFoldResult y) {
  auto cx = constantOf(x), cy = constantOf(y);
  if (cx && cy)
    return constant(*cx + *cy);
  if (cx == 0)
    return y;
  if (cy == 0)
    return x;
  return arith::AddIOp::create(b, loc, index(x), index(y)).getResult();
}

OpFoldResult Emission::sub(OpFoldResult x, OpFoldResult y) {
  auto cx = constantOf(x), cy = constantOf(y);
  if (cx && cy)
    return constant(*cx - *cy);
  if (cy == 0)
    return x;
  return arith::SubIOp::create(b, loc, index(x), index(y)).getResult();
}

OpFoldResult Emission::mul(OpFoldResult x, OpFoldResult y) {
  auto cx = constantOf(x), cy = constantOf(y);
  if (cx && cy)
    return constant(*cx * *cy);
  if (cx == 0 || cy == 0)
    return constant(0);
  if (cx == 1)
    return y;
  if (cy == 1)
    return x;
  return arith::MulIOp::create(b, loc, index(x), index(y)).getResult();
}

OpFoldResult Emission::floorDiv(OpFoldResult x, OpFoldResult y) {
  auto cx = constantOf(x), cy = constantOf(y);
  if (cx && cy)
    return constant(*cx / *cy);
  if (cy == 1)
    return x;
  return arith::DivUIOp::create(b, loc, index(x), index(y)).getResult();
}

OpFoldResult Emission::ceilDiv(OpFoldResult x, OpFoldResult y) {
  return floorDiv(add(x, sub(y, constant(1))), y);
}

OpFoldResult Emission::rem(OpFoldResult x, OpFoldResult y) {
  auto cx = constantOf(x), cy = constantOf(y);
  if (cx && cy)
    return constant(*cx % *cy);
  if (cy == 1)
    return constant(0);
  return arith::RemUIOp::create(b, loc, index(x), index(y)).getResult();
}

OpFoldResult Emission::min(OpFoldResult x, OpFoldResult y) {
  auto cx = constantOf(x), cy = constantOf(y);
  if (cx && cy)
    return constant(std::min(*cx, *cy));
  return arith::MinSIOp::create(b, loc, index(x), index(y)).getResult();
}

OpFoldResult Emission::max(OpFoldResult x, OpFoldResult y) {
  auto cx = constantOf(x), cy = constantOf(y);
  if (cx && cy)
    return constant(std::max(*cx, *cy));
  return arith::MaxSIOp::create(b, loc, index(x), index(y)).getResult();
}

OpFoldResult Emission::product(ArrayRef<OpFoldResult> factors) {
  OpFoldResult result = constant(1);
  for (OpFoldResult factor : factors)
    result = mul(result, factor);
  return result;
}

SmallVector<OpFoldResult> Emission::delinearize(OpFoldResult linear,
                                                ArrayRef<OpFoldResult> extents) {
  SmallVector<OpFoldResult> position(extents.size());
  for (size_t d = extents.size(); d-- > 0;) {
    if (isConstant(extents[d], 1)) {
      position[d] = constant(0);
    } else if (llvm::all_of(extents.take_front(d),
                            [](OpFoldResult e) { return isConstant(e, 1); })) {
      position[d] = linear; // the outermost real dimension: no remainder
      linear = constant(0);
    } else {
      position[d] = rem(linear, extents[d]);
      linear = floorDiv(linear, extents[d]);
    }
  }
  return position;
}

Value Emission::less(OpFoldResult x, OpFoldResult y) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index(x), index(y));
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Value Emission::offset(Value pointer, Type element, OpFoldResult elements) {
  if (isConstant(elements, 0))
    return pointer;
  Value wide = arith::IndexCastOp::create(b, loc, b.getI64Type(), index(elements));
  return LLVM::GEPOp::create(b, loc, pointer.getType(), element, pointer,
                             ArrayRef<LLVM::GEPArg>{wide});
}

Value Emission::at(const View &view, ArrayRef<OpFoldResult> position) {
  OpFoldResult elements = constant(0);
  for (auto [coordinate, stride] : llvm::zip(position, view.strides))
    elements = add(elements, mul(coordinate, stride));
  return offset(view.pointer, view.elementType, elements);
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

// Memory is only known to be aligned to one element.
static unsigned elementAlignment(Type type) {
  return std::max<unsigned>(1, getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8);
}

static int64_t lanesOf(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type ? type.getNumElements() : 1;
}

Type Emission::vectorType(Type element, int64_t lanes) {
  return lanes == 1 ? element : VectorType::get({lanes}, element);
}

Value Emission::splat(TypedAttr value, int64_t lanes) {
  if (lanes == 1)
    return arith::ConstantOp::create(b, loc, value);
  auto type = VectorType::get({lanes}, value.getType());
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, Attribute(value)));
}

Value Emission::broadcast(Value scalar, int64_t lanes) {
  if (lanes == 1)
    return scalar;
  return vector::BroadcastOp::create(b, loc, vectorType(scalar.getType(), lanes), scalar);
}

Value Emission::load(Value pointer, Type element, int64_t lanes) {
  return LLVM::LoadOp::create(b, loc, vectorType(element, lanes), pointer,
                              elementAlignment(element));
}

Value Emission::loadBroadcast(Value pointer, Type element, int64_t lanes) {
  return broadcast(load(pointer, element, 1), lanes);
}

Value Emission::loadStrided(Value pointer, Type element, OpFoldResult stride, int64_t lanes) {
  if (isConstant(stride, 1))
    return load(pointer, element, lanes);
  if (isConstant(stride, 0))
    return loadBroadcast(pointer, element, lanes);
  if (lanes == 1)
    return load(pointer, element, 1);
  return loadStridedMasked(pointer, element, stride, lanes, lanes);
}

Value Emission::loadStridedMasked(Value pointer, Type element, OpFoldResult stride, int64_t lanes,
                                  int64_t active) {
  SmallVector<Value> scalars;
  for (int64_t lane = 0; lane < active; ++lane)
    scalars.push_back(load(offset(pointer, element, mul(stride, constant(lane))), element, 1));
  if (active < lanes)
    scalars.resize(lanes, arith::ConstantOp::create(b, loc, b.getZeroAttr(element)));
  return vector::FromElementsOp::create(b, loc, VectorType::get({lanes}, element), scalars);
}

void Emission::store(Value vector, Value pointer) {
  LLVM::StoreOp::create(b, loc, vector, pointer, elementAlignment(vector.getType()));
}

void Emission::storeStrided(Value vector, Value pointer, OpFoldResult stride) {
  int64_t lanes = lanesOf(vector);
  if (lanes == 1 || isConstant(stride, 1))
    return store(vector, pointer);
  Type element = getElementTypeOrSelf(vector.getType());
  for (int64_t lane = 0; lane < lanes; ++lane)
    store(vector::ExtractOp::create(b, loc, vector, lane),
          offset(pointer, element, mul(stride, constant(lane))));
}

Value Emission::mask(OpFoldResult active, int64_t lanes) {
  if (auto known = constantOf(active)) {
    SmallVector<bool> bits(lanes, false);
    std::fill_n(bits.begin(), std::min(lanes, std::max<int64_t>(*known, 0)), true);
    auto type = VectorType::get({lanes}, b.getI1Type());
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, ArrayRef<bool>(bits)));
  }
  return vector::CreateMaskOp::create(b, loc, VectorType::get({lanes}, b.getI1Type()),
                                      ValueRange{index(active)});
}

Value Emission::loadMasked(Value pointer, Type element, Value mask) {
  int64_t lanes = lanesOf(mask);
  Value zero = splat(b.getZeroAttr(element), lanes);
  return LLVM::MaskedLoadOp::create(b, loc, vectorType(element, lanes), pointer, mask, zero,
                                    elementAlignment(element));
}

void Emission::storeMasked(Value vector, Value pointer, Value mask) {
  LLVM::MaskedStoreOp::create(b, loc, vector, pointer, mask, elementAlignment(vector.getType()));
}

// In the entry block, where an allocation is made once a call.
Value Emission::stack(Type element, int64_t elements) {
  Operation *function = b.getInsertionBlock()->getParentOp();
  while (!isa<FunctionOpInterface>(function))
    function = function->getParentOp();
  OpBuilder entry = OpBuilder::atBlockBegin(&function->getRegion(0).front());
  Value count =
      LLVM::ConstantOp::create(entry, loc, entry.getI64Type(), entry.getI64IntegerAttr(elements));
  auto pointer = LLVM::LLVMPointerType::get(entry.getContext());
  return LLVM::AllocaOp::create(entry, loc, pointer, element, count, /*alignment=*/64);
}

void Emission::prefetch(Value pointer, int locality, bool write) {
  LLVM::Prefetch::create(b, loc, pointer, /*rw=*/write, locality, /*cache=*/1);
}

Value Emission::multiplyAdd(Value x, Value y, Value z) {
  if (context.math == MathMode::Portable || !context.target.fma)
    return arith::AddFOp::create(b, loc, arith::MulFOp::create(b, loc, x, y), z);
  if (isa<VectorType>(x.getType()))
    return vector::FMAOp::create(b, loc, x, y, z);
  return LLVM::FMAOp::create(b, loc, x.getType(), x, y, z);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

static LLVM::LoopAnnotationAttr neverUnrolled(MLIRContext *context) {
  auto unroll =
      LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {},
                                       {}, {}, {});
}

SmallVector<Value> Emission::forLoop(OpFoldResult lower, OpFoldResult upper, OpFoldResult step,
                                     ValueRange carried, LoopBody body, bool unroll) {
  auto first = constantOf(lower), last = constantOf(upper), stride = constantOf(step);
  if (first && last && stride && *first + *stride >= *last && *first < *last) // one iteration
    return body(index(*first), carried);
  auto loop = scf::ForOp::create(b, loc, index(lower), index(upper), index(step), carried);
  // scf-to-cf copies it to the back edge, where it is the LLVM branch's own
  // attribute; under the name `llvm.loop_annotation` it would be lost there.
  if (!unroll)
    loop->setAttr("loop_annotation", neverUnrolled(b.getContext()));
  OpBuilder::InsertionGuard guard(b);
  // Without carried values scf.for makes its own terminator.
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(b, loc, next);
  return loop.getResults();
}

void Emission::branch(OpFoldResult x, OpFoldResult lessThan, function_ref<void()> then,
                      function_ref<void()> otherwise) {
  auto cx = constantOf(x), cy = constantOf(lessThan);
  if (cx && cy) {
    if (*cx < *cy)
      then();
    else if (otherwise)
      otherwise();
    return;
  }
  auto split = scf::IfOp::create(b, loc, less(x, lessThan), bool(otherwise));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(split.thenBlock());
  then();
  if (otherwise) {
    b.setInsertionPointToStart(split.elseBlock());
    otherwise();
  }
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

// The operation once for each lane, results gathered into vectors.
static void cloneByLane(OpBuilder &b, Operation &op, IRMapping &map, int64_t lanes) {
  SmallVector<SmallVector<Value>> results(op.getNumResults());
  for (int64_t lane = 0; lane < lanes; ++lane) {
    IRMapping laneMap;
    for (Value operand : op.getOperands()) {
      Value mapped = map.lookupOrDefault(operand);
      if (isa<VectorType>(mapped.getType()) && !isa<VectorType>(operand.getType()))
        mapped = vector::ExtractOp::create(b, op.getLoc(), mapped, lane);
      laneMap.map(operand, mapped);
    }
    Operation *scalar = b.clone(op, laneMap);
    for (auto [list, result] : llvm::zip(results, scalar->getResults()))
      list.push_back(result);
  }
  for (auto [result, list] : llvm::zip(op.getResults(), results)) {
    auto type = VectorType::get({lanes}, result.getType());
    map.map(result, vector::FromElementsOp::create(b, op.getLoc(), type, list));
  }
}

SmallVector<Value> Emission::vectoriseBody(Region &body, ArrayRef<Value> arguments, int64_t lanes) {
  IRMapping map;
  Block &block = body.front();
  map.map(block.getArguments(), arguments);
  auto vectorised = [&](Value operand) {
    Value mapped = map.lookupOrDefault(operand);
    return isa<VectorType>(mapped.getType()) ? mapped : broadcast(mapped, lanes);
  };
  for (Operation &op : block.without_terminator()) {
    if (lanes == 1) {
      b.clone(op, map);
    } else if (auto known = dyn_cast<arith::ConstantOp>(op)) {
      map.map(op.getResult(0), splat(cast<TypedAttr>(known.getValue()), lanes));
    } else if (OpTrait::hasElementwiseMappableTraits(&op)) {
      SmallVector<Value> operands;
      for (Value operand : op.getOperands())
        operands.push_back(vectorised(operand));
      SmallVector<Type> types;
      for (Type type : op.getResultTypes())
        types.push_back(vectorType(type, lanes));
      Operation *wide = b.create(op.getLoc(), op.getName().getIdentifier(), operands, types,
                                 op.getAttrDictionary().getValue());
      map.map(op.getResults(), wide->getResults());
    } else {
      cloneByLane(b, op, map, lanes);
    }
  }
  SmallVector<Value> yielded;
  for (Value value : block.getTerminator()->getOperands())
    yielded.push_back(lanes == 1 ? map.lookupOrDefault(value) : vectorised(value));
  return yielded;
}

// FrameReader.cpp: see FrameReader.h.
#include "codegen/lower/FrameReader.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::ViewOrigin;

// Fields are reached as elements of an array of machine words.
static_assert(sizeof(symc_frame) % sizeof(void *) == 0 && sizeof(uint64_t) == sizeof(void *));

Value FrameReader::element(Value pointer, int64_t number, Type type) {
  Value place = LLVM::GEPOp::create(b, loc, pointer.getType(), type, pointer,
                                    ArrayRef<LLVM::GEPArg>{(int32_t)number});
  return LLVM::LoadOp::create(b, loc, type, place);
}

FrameReader FrameReader::ofSizes(OpBuilder &builder, Location loc, Value dims) {
  FrameReader reader(builder, loc, Value());
  reader.fields[Dims] = dims;
  return reader;
}

Value FrameReader::field(Field number) {
  assert((frame || fields[number]) && "a field of a frame that is not there");
  if (!fields[number])
    fields[number] = element(frame, number, frame.getType());
  return fields[number];
}

Value FrameReader::size(AffineExpr expr) {
  if (Value known = sizes.lookup(expr))
    return known;
  SmallVector<unsigned> numbers;
  AffineExpr own = kernel::overOwnSymbols(expr, numbers);
  SmallVector<Value> values;
  for (unsigned number : numbers) {
    Value &value = symbols[number];
    if (!value)
      value = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                         element(field(Dims), number, b.getI64Type()));
    values.push_back(value);
  }
  return sizes[expr] = affine::expandAffineExpr(b, loc, own, {}, values);
}

void FrameReader::readAgain(unsigned symbol) {
  sizes.clear();
  symbols.erase(symbol);
  size(getAffineSymbolExpr(symbol, b.getContext()));
}

void FrameReader::setSize(unsigned symbol, Value value) {
  sizes.clear();
  Value slot = LLVM::GEPOp::create(b, loc, field(Dims).getType(), b.getI64Type(), field(Dims),
                                   ArrayRef<LLVM::GEPArg>{(int32_t)symbol});
  LLVM::StoreOp::create(b, loc, arith::IndexCastOp::create(b, loc, b.getI64Type(), value), slot);
  symbols[symbol] = value;
}

OpFoldResult FrameReader::foldedSize(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return b.getIndexAttr(constant.getValue());
  return size(expr);
}

Value FrameReader::threads() {
  Type word = b.getI32Type();
  Value pool = field(Pool);
  Value none = LLVM::ZeroOp::create(b, loc, pool.getType());
  Value one = LLVM::ConstantOp::create(b, loc, word, b.getI32IntegerAttr(1));
  // Without a pool the number is read from a place with a 1.
  Value alone = LLVM::AllocaOp::create(b, loc, pool.getType(), word, one);
  LLVM::StoreOp::create(b, loc, one, alone);
  Value number = LLVM::GEPOp::create(b, loc, pool.getType(), b.getI8Type(), pool,
                                     ArrayRef<LLVM::GEPArg>{(int32_t)offsetof(symc_pool, threads)});
  Value isAlone = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, pool, none);
  Value place = LLVM::SelectOp::create(b, loc, isAlone, alone, number);
  Value count = LLVM::LoadOp::create(b, loc, word, place);
  return LLVM::SExtOp::create(b, loc, b.getI64Type(), count);
}

Value FrameReader::address(const ViewOrigin &view, const ViewPlace &place) {
  Value base;
  if (place.space == ViewPlace::Argument) {
    base = arguments.lookup(place.argument);
    if (!base)
      base = arguments[place.argument] = element(field(Io), place.argument, frame.getType());
  } else {
    base = field(place.space == ViewPlace::Arena ? Arena : Weights);
  }
  int64_t elementBytes = kernel::elementBytes(view.elementType);
  int64_t bytes = place.byteOffset;
  auto constant = dyn_cast<AffineConstantExpr>(view.offset);
  if (constant)
    bytes += constant.getValue() * elementBytes;
  Type byte = b.getI8Type();
  if (bytes != 0) {
    Value distance = LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(bytes));
    base =
        LLVM::GEPOp::create(b, loc, base.getType(), byte, base, ArrayRef<LLVM::GEPArg>{distance});
  }
  if (constant)
    return base;
  Value elements = arith::IndexCastOp::create(b, loc, b.getI64Type(), size(view.offset));
  Type unit = b.getIntegerType(8 * elementBytes);
  return LLVM::GEPOp::create(b, loc, base.getType(), unit, base, ArrayRef<LLVM::GEPArg>{elements});
}

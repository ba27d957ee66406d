// ViewOrigin.cpp: views of a program traced to their roots, as expressions over
// its symbolic sizes. See ViewOrigin.h.
#include "codegen/kernel/ViewOrigin.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include <functional>

using namespace mlir;

namespace symc::kernel {

int64_t elementBytes(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * elementBytes(complex.getElementType());
  return std::max<int64_t>(1, (type.getIntOrFloatBitWidth() + 7) / 8);
}

static FailureOr<AffineExpr> traceArgument(BlockArgument argument) {
  auto program = dyn_cast<ProgramOp>(argument.getOwner()->getParentOp());
  if (!program || !argument.getType().isIndex())
    return failure();
  unsigned first = program.getSizes().front().getArgNumber();
  return getAffineSymbolExpr(argument.getArgNumber() - first, argument.getContext());
}

static FailureOr<SmallVector<AffineExpr>> traceAll(ValueRange values) {
  SmallVector<AffineExpr> result;
  for (Value value : values) {
    FailureOr<AffineExpr> expr = traceIndex(value);
    if (failed(expr))
      return failure();
    result.push_back(*expr);
  }
  return result;
}

static FailureOr<AffineExpr> traceApply(affine::AffineApplyOp apply) {
  FailureOr<SmallVector<AffineExpr>> operands = traceAll(apply.getMapOperands());
  if (failed(operands))
    return failure();
  AffineMap map = apply.getAffineMap();
  ArrayRef<AffineExpr> all = *operands;
  return map.getResult(0).replaceDimsAndSymbols(all.take_front(map.getNumDims()),
                                                all.drop_front(map.getNumDims()));
}

static FailureOr<AffineExpr> traceDim(memref::DimOp dim) {
  FailureOr<ViewOrigin> origin = traceView(dim.getSource());
  std::optional<int64_t> index = dim.getConstantIndex();
  if (failed(origin) || !index || *index >= (int64_t)origin->sizes.size())
    return failure();
  return origin->sizes[*index];
}

FailureOr<AffineExpr> traceIndex(Value index) {
  if (auto argument = dyn_cast<BlockArgument>(index))
    return traceArgument(argument);
  Operation *op = index.getDefiningOp();
  auto binary = [&](auto combine) -> FailureOr<AffineExpr> {
    FailureOr<SmallVector<AffineExpr>> operands = traceAll(op->getOperands());
    if (failed(operands))
      return failure();
    return combine((*operands)[0], (*operands)[1]);
  };
  FailureOr<AffineExpr> result =
      llvm::TypeSwitch<Operation *, FailureOr<AffineExpr>>(op)
          .Case<affine::AffineApplyOp>(traceApply)
          .Case<memref::DimOp>(traceDim)
          .Case<arith::ConstantIndexOp>([](auto constant) -> FailureOr<AffineExpr> {
            return getAffineConstantExpr(constant.value(), constant.getContext());
          })
          .Case<arith::AddIOp>([&](auto) { return binary([](auto a, auto b) { return a + b; }); })
          .Case<arith::SubIOp>([&](auto) { return binary([](auto a, auto b) { return a - b; }); })
          .Case<arith::MulIOp>([&](auto) { return binary([](auto a, auto b) { return a * b; }); })
          .Case<arith::FloorDivSIOp>(
              [&](auto) { return binary([](auto a, auto b) { return a.floorDiv(b); }); })
          .Case<arith::CeilDivSIOp>(
              [&](auto) { return binary([](auto a, auto b) { return a.ceilDiv(b); }); })
          .Default(FailureOr<AffineExpr>(failure()));
  if (failed(result))
    op->emitError("internal error: an extent must be an affine function of the symbolic sizes");
  return result;
}

static FailureOr<SmallVector<AffineExpr>> traceMixed(ArrayRef<OpFoldResult> values,
                                                     MLIRContext *context) {
  SmallVector<AffineExpr> result;
  for (OpFoldResult value : values) {
    if (std::optional<int64_t> constant = getConstantIntValue(value)) {
      result.push_back(getAffineConstantExpr(*constant, context));
      continue;
    }
    FailureOr<AffineExpr> expr = traceIndex(cast<Value>(value));
    if (failed(expr))
      return failure();
    result.push_back(*expr);
  }
  return result;
}

// A root: row-major from its start. `dynamicSizes` are the extents of the
// dynamic dimensions, in order.
static FailureOr<ViewOrigin> traceRoot(Value root, ArrayRef<AffineExpr> dynamicSizes) {
  auto type = cast<MemRefType>(root.getType());
  MLIRContext *context = root.getContext();
  ViewOrigin origin{root, type.getElementType(), getAffineConstantExpr(0, context), {}, {}};
  for (int64_t extent : type.getShape()) {
    if (!ShapedType::isDynamic(extent)) {
      origin.sizes.push_back(getAffineConstantExpr(extent, context));
    } else if (!dynamicSizes.empty()) {
      origin.sizes.push_back(dynamicSizes.front());
      dynamicSizes = dynamicSizes.drop_front();
    } else {
      return failure();
    }
  }
  AffineExpr stride = getAffineConstantExpr(1, context);
  origin.strides.resize(origin.sizes.size());
  for (size_t i = origin.sizes.size(); i-- > 0;) {
    origin.strides[i] = stride;
    stride = stride * origin.sizes[i];
  }
  return origin;
}

// An argument's dynamic extents: output_shapes and input_shapes have them; inputs of programs
// without the second are read through a reinterpret cast that states them.
static FailureOr<ViewOrigin> traceRootArgument(BlockArgument argument) {
  auto program = cast<ProgramOp>(argument.getOwner()->getParentOp());
  SmallVector<AffineExpr> dynamicSizes;
  if (AffineMap map = program.shapeOfArgument(argument.getArgNumber())) {
    for (auto [extent, expr] :
         llvm::zip(cast<MemRefType>(argument.getType()).getShape(), map.getResults()))
      if (ShapedType::isDynamic(extent))
        dynamicSizes.push_back(expr);
  }
  FailureOr<ViewOrigin> origin = traceRoot(argument, dynamicSizes);
  if (failed(origin))
    program.emitError("internal error: argument ")
        << argument.getArgNumber() << " of type " << argument.getType()
        << " is used without its extents; view it by memref.reinterpret_cast";
  return origin;
}

bool isView(Operation *op) {
  return isa<memref::SubViewOp, memref::ReinterpretCastOp, memref::CastOp>(op);
}

Value rootOf(Value view) {
  while (Operation *op = view.getDefiningOp()) {
    if (!isView(op))
      break;
    view = op->getOperand(0);
  }
  return view;
}

bool collectAccesses(Value value, SmallVectorImpl<Value> &views,
                     SmallVectorImpl<OpOperand *> &accesses) {
  bool stepsAlone = true;
  views.push_back(value);
  for (OpOperand &use : value.getUses()) {
    if (isView(use.getOwner()))
      stepsAlone &= collectAccesses(use.getOwner()->getResult(0), views, accesses);
    else if (isa<StepInterface>(use.getOwner()))
      accesses.push_back(&use);
    else
      stepsAlone = false;
  }
  return stepsAlone;
}

static FailureOr<ViewOrigin> traceCast(memref::ReinterpretCastOp op) {
  // The offset counts from the root's start, whatever lies between.
  Value root = rootOf(op.getSource());
  MLIRContext *context = op.getContext();
  auto offset = traceMixed(op.getMixedOffsets(), context);
  auto sizes = traceMixed(op.getMixedSizes(), context);
  auto strides = traceMixed(op.getMixedStrides(), context);
  if (failed(offset) || failed(sizes) || failed(strides))
    return failure();
  ViewOrigin origin{root, op.getType().getElementType(), offset->front(), {}, {}};
  llvm::append_range(origin.sizes, *sizes);
  llvm::append_range(origin.strides, *strides);
  return origin;
}

static FailureOr<ViewOrigin> traceSubview(memref::SubViewOp op) {
  FailureOr<ViewOrigin> source = traceView(op.getSource());
  MLIRContext *context = op.getContext();
  auto offsets = traceMixed(op.getMixedOffsets(), context);
  auto sizes = traceMixed(op.getMixedSizes(), context);
  auto strides = traceMixed(op.getMixedStrides(), context);
  if (failed(source) || failed(offsets) || failed(sizes) || failed(strides))
    return failure();
  ViewOrigin origin{source->root, source->elementType, source->offset, {}, {}};
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (size_t i = 0; i < sizes->size(); ++i) {
    origin.offset = origin.offset + (*offsets)[i] * source->strides[i];
    if (dropped.test(i))
      continue;
    origin.sizes.push_back((*sizes)[i]);
    origin.strides.push_back((*strides)[i] * source->strides[i]);
  }
  return origin;
}

FailureOr<ViewOrigin> traceView(Value view) {
  if (auto argument = dyn_cast<BlockArgument>(view))
    return traceRootArgument(argument);
  Operation *op = view.getDefiningOp();
  return llvm::TypeSwitch<Operation *, FailureOr<ViewOrigin>>(op)
      .Case<memref::ReinterpretCastOp>(traceCast)
      .Case<memref::SubViewOp>(traceSubview)
      .Case<memref::CastOp>([](auto cast) { return traceView(cast.getSource()); })
      .Case<BufferOp>([](BufferOp buffer) -> FailureOr<ViewOrigin> {
        FailureOr<SmallVector<AffineExpr>> sizes = traceAll(buffer.getSizes());
        return failed(sizes) ? FailureOr<ViewOrigin>(failure())
                             : traceRoot(buffer.getResult(), *sizes);
      })
      .Case<WeightOp>([](WeightOp weight) { return traceRoot(weight.getResult(), {}); })
      .Default([](Operation *other) -> FailureOr<ViewOrigin> {
        return other->emitError("internal error: a step's operand must be a view of a buffer, "
                                "a weight or an argument");
      });
}

std::optional<KnownView> traceKnownView(Value view) {
  FailureOr<ViewOrigin> origin = traceView(view);
  if (failed(origin))
    return std::nullopt;
  KnownView known = {origin->root};
  auto isKnown = [](AffineExpr expr, int64_t &value) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    value = constant ? constant.getValue() : 0;
    return bool(constant);
  };
  bool all = isKnown(origin->offset, known.offset);
  for (auto [size, stride] : llvm::zip(origin->sizes, origin->strides)) {
    all &= isKnown(size, known.sizes.emplace_back());
    all &= isKnown(stride, known.strides.emplace_back());
  }
  return all ? std::optional(known) : std::nullopt;
}

Value createView(OpBuilder &builder, Location location, const KnownView &view) {
  Type element = cast<MemRefType>(view.root.getType()).getElementType();
  auto layout = StridedLayoutAttr::get(builder.getContext(), view.offset, view.strides);
  return memref::ReinterpretCastOp::create(builder, location,
                                           MemRefType::get(view.sizes, element, layout), view.root,
                                           view.offset, view.sizes, view.strides);
}

AffineExpr overOwnSymbols(AffineExpr expr, SmallVectorImpl<unsigned> &numbers) {
  DenseMap<AffineExpr, AffineExpr> own; // looked up only
  expr.walk([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    auto number = getAffineSymbolExpr(numbers.size(), expr.getContext());
    if (symbol && own.try_emplace(part, number).second)
      numbers.push_back(symbol.getPosition());
  });
  return own.empty() ? expr : expr.replace(own);
}

sg::SymbolRanges symbolRanges(ProgramOp program) {
  return {program.getDimMin().value_or(ArrayRef<int64_t>()),
          program.getDimMax().value_or(ArrayRef<int64_t>())};
}

sg::CheckedSize largestBytes(const ViewOrigin &root, ProgramOp program) {
  sg::CheckedSize bytes = elementBytes(root.elementType);
  for (AffineExpr extent : root.sizes)
    bytes *= std::max<int64_t>(sg::intervalOf(extent, symbolRanges(program)).max, 0);
  return bytes;
}

} // namespace symc::kernel

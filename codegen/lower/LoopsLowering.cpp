// LoopsLowering.cpp: kernel.loops, an elementwise chain over views of one shape.
//
// Views arrive in normal form (NestNormalForm.h): few dimensions, the output's
// unit stride last; as they are where the body counts coordinates. The last dimension is walked in
// vectors as long as the widest type of the chain allows, where bytes are made of wider types first
// in four of them at once, so that they are packed and stored together; what is left is done under
// a mask where the target has masked moves for all types, else one by one. Each index is computed
// from its own inputs only and once, so an input may share its memory with an output of the same
// strides. Bytes that a row multiplies by one number, and rounds and saturates again, are copied
// where that number is 1. Where the last dimension holds pairs, which continue the one before in
// the output, a vector of each half is made along that one, and both are stored as one.
#include "codegen/lower/ElementAccess.h"
#include "codegen/lower/ScaledBytes.h"
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

class LoopsEmitter {
public:
  LoopsEmitter(kernel::LoopsOp op, ArrayRef<View> operands, LoweringContext &context)
      : op(op), inputs(operands.take_front(op.getIns().size())),
        outputs(operands.drop_front(op.getIns().size())), emit(context, op.getLoc()),
        narrow(op->hasAttr(kernel::narrowName)) {
    chooseLanes();
  }

  OpFoldResult countTasks() { return split().count; }
  TaskSplit split() { return splitTasks(emit, op.getCutAttr(), outputs[0].sizes, lanes); }
  void lower(Value task);

private:
  void chooseLanes();
  void emitRow(ArrayRef<OpFoldResult> position, OpFoldResult first, OpFoldResult last);
  void emitPairs(ArrayRef<OpFoldResult> position, OpFoldResult first, OpFoldResult last);
  void emitBytes(Value from, Value to, OpFoldResult first, OpFoldResult last);
  Value coordinate(int64_t dimension, ArrayRef<OpFoldResult> position, OpFoldResult place,
                   int64_t width);
  void emitVector(ArrayRef<OpFoldResult> position, ArrayRef<Value> pointers,
                  ArrayRef<Value> hoisted, OpFoldResult place, int64_t width, Value mask);
  // An element of input i as the body takes it, and results as they lie in memory: those of a
  // narrow step differ.
  Value inBody(unsigned i, Value value) {
    Type type = op.getBody().front().getArgument(op.getCoordinates().size() + i).getType();
    return narrow ? emit.convert(value, type) : value;
  }
  SmallVector<Value> inMemory(SmallVector<Value> results) {
    if (narrow)
      for (auto [result, view] : llvm::zip_equal(results, outputs))
        result = emit.convert(result, view.elementType);
    return results;
  }
  OpFoldResult lastStride(const View &view) {
    return view.strides.empty() ? emit.constant(0) : view.strides.back();
  }
  bool holdsPairs();

  kernel::LoopsOp op;
  ArrayRef<View> inputs, outputs;
  Emission emit;
  bool narrow;
  int64_t lanes = 1;
  int64_t together = 1; // vectors whose bytes make one
  bool masked = false;
  bool paired = false;
  std::optional<ScaledBytes> copied; // where the scale is 1
};

} // namespace

static int64_t bytesOf(Type type) {
  return type.isIntOrFloat() ? std::max<int64_t>(1, type.getIntOrFloatBitWidth() / 8) : 8;
}

void LoopsEmitter::chooseLanes() {
  int64_t widest = 1, narrowest = 8;
  bool vectors = true;
  auto see = [&](Type type) {
    if (type.isInteger(1))
      return;
    widest = std::max(widest, bytesOf(type));
  };
  for (Operation &inner : op.getBody().front()) {
    llvm::for_each(inner.getOperandTypes(), see);
    llvm::for_each(inner.getResultTypes(), see);
    // Lanes that are computed for nothing must not trap.
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
            arith::FloorDivSIOp, arith::CeilDivUIOp>(inner))
      vectors = false;
  }
  for (const View &view : llvm::concat<const View>(inputs, outputs)) {
    see(view.elementType);
    narrowest = std::min(narrowest, bytesOf(view.elementType));
  }
  if (!vectors)
    return;
  lanes = std::max<int64_t>(1, emit.target().lanes(widest));
  paired = lanes > 1 && holdsPairs();
  // A row shorter than a vector is better walked by a shorter one.
  ArrayRef<OpFoldResult> sizes = outputs[0].sizes;
  if (!sizes.empty())
    if (std::optional<int64_t> row = constantOf(sizes.drop_back(paired ? 1 : 0).back()))
      while (lanes > 1 && *row <= lanes / 2)
        lanes /= 2;
  if (paired)
    return;
  bool unit =
      llvm::all_of(outputs, [&](const View &view) { return isConstant(lastStride(view), 1); });
  for (const View &view : inputs)
    unit &= isConstant(lastStride(view), 1) || isConstant(lastStride(view), 0);
  masked = lanes > 1 && unit && narrowest >= 4 && emit.target().vectorBytes >= 32;
  auto isByte = [](const View &view) { return view.elementType.isInteger(8); };
  if (lanes > 1 && unit && widest == 4 && llvm::any_of(outputs, isByte))
    together = 4;
  if (together > 1 && op.getCoordinates().empty())
    copied = matchScaledBytes(op.getBody().front());
  if (copied && !isConstant(lastStride(inputs[copied->scale]), 0))
    copied.reset();
}

// Whether the last two dimensions are pairs side by side, to which inputs give what they repeat or
// have side by side themselves.
bool LoopsEmitter::holdsPairs() {
  size_t rank = outputs[0].sizes.size();
  if (rank < 2 || !isConstant(outputs[0].sizes.back(), 2) || !op.getCoordinates().empty())
    return false;
  auto before = [&](const View &view) { return view.strides[rank - 2]; };
  return llvm::all_of(outputs,
                      [&](const View &view) {
                        return isConstant(lastStride(view), 1) && isConstant(before(view), 2);
                      }) &&
         llvm::all_of(inputs, [&](const View &view) {
           return isConstant(before(view), 0) || isConstant(before(view), 1);
         });
}

// The index along a dimension: one for all of the row, or those from `place` on.
Value LoopsEmitter::coordinate(int64_t dimension, ArrayRef<OpFoldResult> position,
                               OpFoldResult place, int64_t width) {
  OpBuilder &b = emit.builder();
  bool along = dimension == int64_t(position.size());
  // 32 bits: kernel.loops has coordinates of extents below 2^31.
  Value first = arith::IndexCastOp::create(b, emit.location(), b.getI32Type(),
                                           emit.index(along ? place : position[dimension]));
  if (!along || width == 1)
    return first;
  // 32 bits: lanes of a vector.
  SmallVector<int32_t> lanes(llvm::to_vector(llvm::seq<int32_t>(0, width)));
  auto type = VectorType::get({width}, b.getI32Type());
  Value steps = arith::ConstantOp::create(b, emit.location(),
                                          // 32 bits: lanes of a vector.
                                          DenseElementsAttr::get(type, ArrayRef<int32_t>(lanes)));
  return arith::AddIOp::create(b, emit.location(), emit.broadcast(first, width), steps);
}

// One vector (or element) of every operand at `place` of the row at `position`.
void LoopsEmitter::emitVector(ArrayRef<OpFoldResult> position, ArrayRef<Value> pointers,
                              ArrayRef<Value> hoisted, OpFoldResult place, int64_t width,
                              Value mask) {
  SmallVector<Value> arguments;
  for (int64_t dimension : op.getCoordinates())
    arguments.push_back(coordinate(dimension, position, place, width));
  for (auto [i, view] : llvm::enumerate(inputs)) {
    OpFoldResult stride = lastStride(view);
    if (hoisted[i]) {
      arguments.push_back(emit.broadcast(hoisted[i], width));
      continue;
    }
    Value pointer = emit.offset(pointers[i], view.elementType, emit.mul(place, stride));
    arguments.push_back(
        inBody(i, mask ? loadElementsMasked(emit, pointer, view.elementType, mask)
                       : loadElements(emit, pointer, view.elementType, stride, width)));
  }
  SmallVector<Value> results = inMemory(emit.vectoriseBody(op.getBody(), arguments, width));
  for (auto [i, view] : llvm::enumerate(outputs)) {
    OpFoldResult stride = lastStride(view);
    Value pointer =
        emit.offset(pointers[inputs.size() + i], view.elementType, emit.mul(place, stride));
    if (mask)
      storeElementsMasked(emit, results[i], pointer, mask);
    else
      storeElements(emit, results[i], pointer, stride);
  }
}

// Bytes first..last, side by side.
void LoopsEmitter::emitBytes(Value from, Value to, OpFoldResult first, OpFoldResult last) {
  Type byte = emit.builder().getI8Type();
  OpFoldResult one = emit.constant(1);
  auto copy = [&](OpFoldResult begin, OpFoldResult end, int64_t width) {
    emit.forLoop(begin, end, emit.constant(width), {}, [&](Value place, ValueRange) {
      Value some = loadElements(emit, emit.offset(from, byte, place), byte, one, width);
      storeElements(emit, some, emit.offset(to, byte, place), one);
      return SmallVector<Value>();
    });
  };
  OpFoldResult width = emit.constant(lanes * together);
  OpFoldResult whole = emit.mul(emit.floorDiv(emit.sub(last, first), width), width);
  OpFoldResult end = emit.add(first, whole);
  copy(first, end, lanes * together);
  copy(end, last, 1);
}

// Indices first..last of the last dimension, at `position` of the others.
void LoopsEmitter::emitRow(ArrayRef<OpFoldResult> position, OpFoldResult first, OpFoldResult last) {
  SmallVector<Value> pointers, hoisted;
  for (auto [i, view] : llvm::enumerate(inputs)) {
    pointers.push_back(emit.at(view, position));
    // What all of the row shares is read once. (No row is empty.)
    bool shared = isConstant(lastStride(view), 0);
    hoisted.push_back(shared ? inBody(i, loadElements(emit, pointers.back(), view.elementType,
                                                      emit.constant(0), 1))
                             : Value());
  }
  for (const View &view : outputs)
    pointers.push_back(emit.at(view, position));
  OpBuilder::InsertionGuard guard(emit.builder());
  if (copied) {
    OpBuilder &b = emit.builder();
    Location at = emit.location();
    Value one = arith::ConstantOp::create(b, at, b.getF32FloatAttr(1));
    Value isOne =
        arith::CmpFOp::create(b, at, arith::CmpFPredicate::OEQ, hoisted[copied->scale], one);
    auto split = scf::IfOp::create(b, at, isOne, /*withElseRegion=*/true);
    b.setInsertionPointToStart(split.thenBlock());
    emitBytes(pointers[copied->bytes], pointers.back(), first, last);
    b.setInsertionPointToStart(split.elseBlock());
  }
  auto loop = [&](OpFoldResult from, OpFoldResult to, int64_t width, bool unroll = true) {
    emit.forLoop(
        from, to, emit.constant(width), {},
        [&](Value place, ValueRange) {
          emitVector(position, pointers, hoisted, OpFoldResult(place), width, Value());
          return SmallVector<Value>();
        },
        unroll);
  };
  if (lanes == 1)
    return loop(first, last, 1);
  auto wholeFrom = [&](OpFoldResult from, int64_t count) {
    OpFoldResult width = emit.constant(count);
    return emit.add(from, emit.mul(emit.floorDiv(emit.sub(last, from), width), width));
  };
  if (together > 1) {
    OpFoldResult wide = wholeFrom(first, lanes * together);
    loop(first, wide, lanes * together, /*unroll=*/false);
    first = wide;
  }
  OpFoldResult whole = wholeFrom(first, lanes);
  loop(first, whole, lanes);
  if (!masked)
    return loop(whole, last, 1);
  emit.branch(whole, last, [&] {
    Value mask = emit.mask(emit.sub(last, whole), lanes);
    emitVector(position, pointers, hoisted, whole, lanes, mask);
  });
}

// Pairs first..last at `position` of the dimensions before: the first of each, and the second, in
// vectors of their own.
void LoopsEmitter::emitPairs(ArrayRef<OpFoldResult> position, OpFoldResult first,
                             OpFoldResult last) {
  unsigned along = position.size();
  SmallVector<Value> pointers[2], shared[2], targets;
  for (int64_t half : {0, 1})
    for (auto [i, view] : llvm::enumerate(inputs)) {
      Value pointer = emit.offset(emit.at(view, position), view.elementType,
                                  emit.mul(lastStride(view), emit.constant(half)));
      pointers[half].push_back(pointer);
      shared[half].push_back(
          isConstant(view.strides[along], 0)
              ? inBody(i, loadElements(emit, pointer, view.elementType, emit.constant(0), 1))
              : Value());
    }
  for (const View &view : outputs)
    targets.push_back(emit.at(view, position));
  auto some = [&](OpFoldResult place, int64_t width) {
    SmallVector<Value> results[2];
    for (int64_t half : {0, 1}) {
      SmallVector<Value> arguments;
      for (auto [i, view] : llvm::enumerate(inputs))
        arguments.push_back(
            shared[half][i]
                ? emit.broadcast(shared[half][i], width)
                : inBody(i,
                         loadElements(emit, emit.offset(pointers[half][i], view.elementType, place),
                                      view.elementType, emit.constant(1), width)));
      results[half] = inMemory(emit.vectoriseBody(op.getBody(), arguments, width));
    }
    for (auto [i, view] : llvm::enumerate(outputs)) {
      Value pointer = emit.offset(targets[i], view.elementType, emit.mul(place, emit.constant(2)));
      if (width == 1) {
        storeElements(emit, results[0][i], pointer, emit.constant(1));
        storeElements(emit, results[1][i], emit.offset(pointer, view.elementType, emit.constant(1)),
                      emit.constant(1));
        continue;
      }
      Value both = vector::InterleaveOp::create(emit.builder(), emit.location(), results[0][i],
                                                results[1][i]);
      storeElements(emit, both, pointer, emit.constant(1));
    }
  };
  for (int64_t width = lanes; width >= 1; width /= 2) { // rests in shorter vectors
    OpFoldResult count = emit.constant(width);
    OpFoldResult end =
        emit.add(first, emit.mul(emit.floorDiv(emit.sub(last, first), count), count));
    emit.forLoop(first, end, count, {}, [&](Value place, ValueRange) {
      some(OpFoldResult(place), width);
      return SmallVector<Value>();
    });
    first = end;
  }
}

void LoopsEmitter::lower(Value task) {
  ArrayRef<OpFoldResult> sizes = outputs[0].sizes;
  if (sizes.empty())
    return emitRow({}, emit.constant(0), emit.constant(1));
  TaskRange range = rangeOfTask(emit, split(), sizes, task);
  size_t rank = sizes.size();
  if (paired) {
    auto pairs = [&](ArrayRef<OpFoldResult> position) {
      emitPairs(position, range.lower[rank - 2], range.upper[rank - 2]);
    };
    bool twice =
        rank > 2 && isConstant(range.lower[rank - 3], 0) && isConstant(range.upper[rank - 3], 2);
    return forRange(emit, range, rank - 2 - twice, [&](ArrayRef<OpFoldResult> position) {
      if (!twice)
        return pairs(position);
      for (int64_t i : {0, 1}) { // so that what rows share is read before them
        SmallVector<OpFoldResult> row(position);
        row.push_back(emit.constant(i));
        pairs(row);
      }
    });
  }
  forRange(emit, range, rank - 1, [&](ArrayRef<OpFoldResult> position) {
    emitRow(position, range.lower.back(), range.upper.back());
  });
}

static bool takesHalves(kernel::LoopsOp op, OpOperand &operand) {
  Block &body = op.getBody().front();
  unsigned number = operand.getOperandNumber(), inputs = op.getIns().size();
  Type type = number < inputs ? body.getArgument(op.getCoordinates().size() + number).getType()
                              : body.getTerminator()->getOperand(number - inputs).getType();
  return type.isF32();
}

namespace symc::codegen {
void registerLoopsLowering(DialectRegistry &registry) {
  addEmitter<kernel::LoopsOp, LoopsEmitter, takesAll<kernel::LoopsOp>, takesHalves>(registry);
}
} // namespace symc::codegen

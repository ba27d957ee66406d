// PackLowering.cpp: kernel.pack_panels, weights [O, I, kH, kW] of any strides into panels
// of B output channels, [OB, IB, kH, kW, L, B], or a batch of them, and kernel.pack_depthwise,
// weights [C, 1, kH, kW] into [CB, kH, kW, B] or those of groups, [C, G, kH, kW], into
// [CB, kH, kW, G, B]. Lanes and rows beyond the real channels become zero, and in panels of groups
// what an output does not read.
//
// The target is written once, front to back. Where the source's input channels
// are contiguous (1x1 and fully connected weights) a panel is transposed in
// registers; elsewhere its vectors are gathered.
#include "codegen/kernel/Groups.h"
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/lower/ElementAccess.h"
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

class PackEmitter {
public:
  template <typename Op>
  PackEmitter(Op op, ArrayRef<View> operands, LoweringContext &context)
      : emit(context, op.getLoc()), cut(op.getCutAttr()), source(operands[0]), target(operands[1]) {
    element = target.elementType;
    panelLanes = *constantOf(target.sizes.back());
    lanes = std::min<int64_t>(emit.target().lanes(kernel::elementBytes(element)), 8);
    depthwise = std::is_same_v<Op, kernel::PackDepthwiseOp>;
    if constexpr (std::is_same_v<Op, kernel::PackPanelsOp>)
      if (auto found = kernel::ChannelGroups::of(op))
        groups = found->count;
    if (!depthwise && source.sizes.size() == 5) {
      outer.push_back(source.sizes.front());
      steps = {dropFirst(source), dropFirst(target)};
    }
    // One point of the outer space is a panel of one output and input block.
    if (groups)
      outer.push_back(emit.ceilDiv(source.sizes[0], emit.constant(panelLanes)));
    else
      outer.push_back(target.sizes[0]);
    if (!depthwise && !groups)
      outer.push_back(target.sizes[1]);
  }

  TaskSplit split() { return splitTasks(emit, cut, outer); }
  OpFoldResult countTasks() { return split().count; }

  void lower(Value task) {
    forRange(emit, rangeOfTask(emit, split(), outer, task), outer.size(),
             [&](ArrayRef<OpFoldResult> position) {
               if (depthwise)
                 return packDepthwise(position[0]);
               if (groups)
                 return packGroups(position[0]);
               if (steps.empty())
                 return packBlock(position[0], position[1]);
               Value bases[] = {source.pointer, target.pointer};
               source.pointer = walk(bases[0], position[0], steps[0]);
               target.pointer = walk(bases[1], position[0], steps[1]);
               packBlock(position[1], position[2]);
               std::tie(source.pointer, target.pointer) = std::tie(bases[0], bases[1]);
             });
  }

private:
  void packDepthwise(OpFoldResult block);
  void packBlock(OpFoldResult outputBlock, OpFoldResult inputBlock);
  void packGroups(OpFoldResult outputBlock);
  void packWhole(Value from, Value to);
  void packEdge(Value from, Value to, OpFoldResult outputs, OpFoldResult inputs);
  void forTaps(function_ref<void(OpFoldResult row, OpFoldResult column)> body);
  void loop(OpFoldResult to, function_ref<void(OpFoldResult)> body) {
    emit.forLoop(emit.constant(0), to, emit.constant(1), {}, [&](Value index, ValueRange) {
      body(OpFoldResult(index));
      return SmallVector<Value>();
    });
  }
  Value walk(Value pointer, OpFoldResult index, OpFoldResult stride) {
    return emit.offset(pointer, element, emit.mul(index, stride));
  }
  Value readOrZero(Value pointer, Value present);
  // Takes the batch off; returns the elements from one of it to the next.
  static OpFoldResult dropFirst(View &view) {
    OpFoldResult step = view.strides.front();
    view.sizes.erase(view.sizes.begin());
    view.strides.erase(view.strides.begin());
    return step;
  }

  Emission emit;
  kernel::CutAttr cut;
  View source, target; // of one of a batch
  Type element;
  int64_t lanes, panelLanes, groups = 0;
  bool depthwise;
  SmallVector<OpFoldResult> outer, steps; // `steps`: of source and target in a batch, else none
};

} // namespace

void PackEmitter::forTaps(function_ref<void(OpFoldResult, OpFoldResult)> body) {
  loop(source.sizes[2], [&](OpFoldResult row) {
    loop(source.sizes[3], [&](OpFoldResult column) { body(row, column); });
  });
}

// The element there, or zero; memory of absent elements is not touched.
Value PackEmitter::readOrZero(Value pointer, Value present) {
  OpBuilder &b = emit.builder();
  auto choice = scf::IfOp::create(b, emit.location(), TypeRange(element), present, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, emit.location(), emit.load(pointer, element, 1));
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, emit.location(), emit.splat(b.getZeroAttr(element), 1));
  return choice.getResult(0);
}

void PackEmitter::packDepthwise(OpFoldResult block) {
  OpFoldResult first = emit.mul(block, emit.constant(panelLanes));
  OpFoldResult real = emit.sub(source.sizes[0], first);
  Value from = walk(source.pointer, first, source.strides[0]);
  forTaps([&](OpFoldResult row, OpFoldResult column) {
    Value tap = walk(walk(from, row, source.strides[2]), column, source.strides[3]);
    auto pack = [&](Value tap, Value to) {
      loop(emit.constant(panelLanes), [&](OpFoldResult lane) {
        Value value = readOrZero(walk(tap, lane, source.strides[0]), emit.less(lane, real));
        emit.store(value, walk(to, lane, target.strides.back()));
      });
    };
    Value to = emit.at(target, {block, row, column});
    if (target.sizes.size() == 4)
      return pack(tap, to);
    loop(target.sizes[3], [&](OpFoldResult input) {
      pack(walk(tap, input, source.strides[1]), walk(to, input, target.strides[3]));
    });
  });
}

// A panel's outputs by L inputs of one tap; all of them exist.
void PackEmitter::packWhole(Value from, Value to) {
  int64_t rows = *constantOf(target.sizes[4]);
  if (isConstant(source.strides[1], 1) && rows % lanes == 0) {
    for (int64_t half = 0; half < panelLanes; half += lanes)
      emit.forLoop(emit.constant(0), emit.constant(rows), emit.constant(lanes), {},
                   [&](Value input, ValueRange) {
                     SmallVector<Value> vectors;
                     Value corner = walk(from, OpFoldResult(input), source.strides[1]);
                     for (int64_t lane = 0; lane < lanes; ++lane)
                       vectors.push_back(
                           emit.load(walk(corner, emit.constant(half + lane), source.strides[0]),
                                     element, lanes));
                     vectors = transposeRows(emit, vectors);
                     Value place = walk(to, OpFoldResult(input), target.strides[4]);
                     for (int64_t row = 0; row < lanes; ++row)
                       emit.store(vectors[row],
                                  emit.offset(walk(place, emit.constant(row), target.strides[4]),
                                              element, emit.constant(half)));
                     return SmallVector<Value>();
                   });
    return;
  }
  loop(emit.constant(rows), [&](OpFoldResult input) {
    Value corner = walk(from, input, source.strides[1]);
    Value place = walk(to, input, target.strides[4]);
    for (int64_t half = 0; half < panelLanes; half += lanes) {
      Value vector = emit.loadStrided(walk(corner, emit.constant(half), source.strides[0]), element,
                                      source.strides[0], lanes);
      emit.store(vector, emit.offset(place, element, emit.constant(half)));
    }
  });
}

// The same where only `outputs` lanes and `inputs` rows exist.
void PackEmitter::packEdge(Value from, Value to, OpFoldResult outputs, OpFoldResult inputs) {
  OpBuilder &b = emit.builder();
  loop(target.sizes[4], [&](OpFoldResult input) {
    Value corner = walk(from, input, source.strides[1]);
    Value place = walk(to, input, target.strides[4]);
    Value rowExists = emit.less(input, inputs);
    loop(emit.constant(panelLanes), [&](OpFoldResult lane) {
      Value exists = arith::AndIOp::create(b, emit.location(), rowExists, emit.less(lane, outputs));
      Value value = readOrZero(walk(corner, lane, source.strides[0]), exists);
      emit.store(value, walk(place, lane, target.strides.back()));
    });
  });
}

void PackEmitter::packBlock(OpFoldResult outputBlock, OpFoldResult inputBlock) {
  OpFoldResult columns = emit.constant(panelLanes), rows = target.sizes[4];
  OpFoldResult firstOutput = emit.mul(outputBlock, columns);
  OpFoldResult firstInput = emit.mul(inputBlock, rows);
  OpFoldResult outputs = emit.sub(source.sizes[0], firstOutput);
  OpFoldResult inputs = emit.sub(source.sizes[1], firstInput);
  Value from =
      walk(walk(source.pointer, firstOutput, source.strides[0]), firstInput, source.strides[1]);
  auto taps = [&](bool whole) {
    forTaps([&](OpFoldResult row, OpFoldResult column) {
      Value tap = walk(walk(from, row, source.strides[2]), column, source.strides[3]);
      Value to = emit.at(target, {outputBlock, inputBlock, row, column});
      if (whole)
        packWhole(tap, to);
      else
        packEdge(tap, to, outputs, inputs);
    });
  };
  auto divides = [&](OpFoldResult extent, OpFoldResult by) {
    auto all = constantOf(extent), part = constantOf(by);
    return all && part && *all % *part == 0;
  };
  if (divides(source.sizes[0], columns) && divides(source.sizes[1], rows))
    return taps(true);
  emit.branch(
      emit.min(emit.sub(outputs, columns), emit.sub(inputs, rows)), emit.constant(0),
      [&] { taps(false); }, [&] { taps(true); });
}

// The block's panels (kernel::ChannelGroups), one for each group that it has outputs of: these have
// weights there, others zero.
void PackEmitter::packGroups(OpFoldResult block) {
  OpBuilder &b = emit.builder();
  int64_t count = *constantOf(source.sizes[0]);
  OpFoldResult each = emit.constant(count / groups);
  OpFoldResult first = emit.mul(block, emit.constant(panelLanes));
  OpFoldResult last =
      emit.min(emit.add(first, emit.constant(panelLanes - 1)), emit.constant(count - 1));
  OpFoldResult firstGroup = emit.floorDiv(first, each);
  OpFoldResult ofBlock =
      emit.add(emit.sub(emit.floorDiv(last, each), firstGroup), emit.constant(1));
  int64_t apart = kernel::ChannelGroups{groups}.apart(count, panelLanes);
  OpFoldResult firstPanel =
      emit.sub(emit.add(block, firstGroup), emit.floorDiv(first, emit.constant(apart)));
  loop(ofBlock, [&](OpFoldResult number) {
    OpFoldResult group = emit.add(firstGroup, number), panel = emit.add(firstPanel, number);
    forTaps([&](OpFoldResult row, OpFoldResult column) {
      Value tap = walk(walk(source.pointer, row, source.strides[2]), column, source.strides[3]);
      loop(target.sizes[4], [&](OpFoldResult input) {
        Value to = emit.at(target, {panel, emit.constant(0), row, column, input});
        Value from = walk(tap, input, source.strides[1]);
        loop(emit.constant(panelLanes), [&](OpFoldResult lane) {
          OpFoldResult output = emit.add(first, lane);
          Value isOwn =
              arith::CmpIOp::create(b, emit.location(), arith::CmpIPredicate::eq,
                                    emit.index(emit.floorDiv(output, each)), emit.index(group));
          Value exists =
              arith::AndIOp::create(b, emit.location(), isOwn, emit.less(output, source.sizes[0]));
          Value value = readOrZero(walk(from, output, source.strides[0]), exists);
          emit.store(value, walk(to, lane, target.strides.back()));
        });
      });
    });
  });
}

template <typename Op>
static LogicalResult check(Op op, ArrayRef<View> operands, const TargetDescription &) {
  if (!isConstant(operands[1].strides.back(), 1))
    return op.emitError("internal error: pack needs the channels of a panel side by side");
  return success();
}

namespace symc::codegen {
void registerPackLowering(DialectRegistry &registry) {
  addEmitter<kernel::PackPanelsOp, PackEmitter, check<kernel::PackPanelsOp>>(registry);
  addEmitter<kernel::PackDepthwiseOp, PackEmitter, check<kernel::PackDepthwiseOp>>(registry);
}
} // namespace symc::codegen

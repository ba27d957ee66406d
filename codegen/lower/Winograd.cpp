// Winograd.cpp: kernel.winograd as loops around the register tile of TileKernel.
//
//   task: some groups of tiles, some output blocks; a free row of scratch
//     for each group of tiles:
//       inputs of all tiles and input blocks -> B' d B, scattered to the positions
//       for each group of output blocks:
//         for each position: one matrix product (the tile kernel, pixels = tiles),
//           or all of them at once from 3x3 weights (WinogradLate)
//         for each block and tile: A' s A, the step's body, stores
//
// Transforms go through a patch of one tile: columns first, then rows, each pass a
// real loop, so that code stays small and no instruction set runs out of registers.
// Tiles at the lower and right edge read zeros beyond the image and store only what
// exists. Which row of scratch a task gets depends on timing; what it computes doesn't.
#include "codegen/cpu/KernelChoice.h"
#include "codegen/lower/TileKernel.h"
#include "codegen/lower/WinogradLate.h"
#include "codegen/lower/WinogradTransform.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::WinogradShape;

static constexpr int64_t blockLanes = 16;
static constexpr int fewTiles = 4; // pixel tiles of a product that fetch weights ahead

namespace {
class WinogradNest {
public:
  WinogradNest(kernel::WinogradOp op, ArrayRef<View> operands, LoweringContext &context)
      : e(context, op.getLoc()), op(op), shape(WinogradShape::of(op)), data(operands[0]),
        weights(operands[1]), extras(operands.slice(2, operands.size() - 5)),
        out(operands[operands.size() - 3]), scratch(operands[operands.size() - 2]),
        slots(operands.back()), element(out.elementType),
        lanes(std::min<int64_t>(blockLanes, e.target().lanes(4))) {
    ConvTile chosen = productTile(op, e.target());
    tileBlocks = chosen.blocks;
    tileColumns = chosen.columns;
    // The products' results are stored as they are.
    OpBuilder b(op.getContext());
    Block *block = b.createBlock(&plain);
    block->addArgument(element, op.getLoc());
    kernel::YieldOp::create(b, op.getLoc(), block->getArguments());
  }

  void lower(Value task) {
    Value slot = acquireSlot();
    memory = e.at(scratch, {slot});
    SmallVector<OpFoldResult> chunk = e.delinearize(
        task, {e.constant(shape.groupTasks()), e.constant(shape.blockTasks())});
    auto range = [&](OpFoldResult index, int64_t size, int64_t total) {
      OpFoldResult first = e.mul(index, e.constant(size));
      return std::make_pair(first, e.min(e.add(first, e.constant(size)), e.constant(total)));
    };
    auto [group, groupEnd] = range(chunk[0], shape.groupsPerTask, shape.groups());
    auto [block, blockEnd] = range(chunk[1], shape.blocksPerTask, shape.outBlocks());
    loop(group, groupEnd, 1, [&, block = block, blockEnd = blockEnd](Value g) {
      firstTile = e.mul(g, e.constant(shape.tilesAtOnce));
      tiles = e.min(e.constant(shape.tilesAtOnce), e.sub(e.constant(shape.tiles()), firstTile));
      if (shape.tiles() % shape.tilesAtOnce == 0)
        tiles = e.constant(shape.tilesAtOnce);
      transformGroup();
      loop(block, blockEnd, shape.blocksAtOnce, [&](Value first) {
        OpFoldResult end = e.min(e.add(first, e.constant(shape.blocksAtOnce)), blockEnd);
        sumProducts(first, end);
        transformBack(first, end);
      });
    });
    releaseSlot(slot);
  }

private:
  void loop(OpFoldResult first, OpFoldResult end, int64_t step, function_ref<void(Value)> body) {
    e.forLoop(first, end, e.constant(step), {}, [&](Value induction, ValueRange) {
      body(induction);
      return SmallVector<Value>();
    });
  }

  Value acquireSlot();
  void releaseSlot(Value slot);

  // Image, tile row and tile column of tile `t` of the group.
  struct Tile {
    OpFoldResult image, row, column;
  };
  Tile tileAt(Value t) {
    SmallVector<OpFoldResult> at = e.delinearize(
        e.add(firstTile, OpFoldResult(t)),
        {e.constant(shape.images), e.constant(shape.tileRows()), e.constant(shape.tileColumns())});
    return {at[0], at[1], at[2]};
  }
  // How much of `full` the tile has: less at the last index where extents are ragged.
  OpFoldResult extentAt(OpFoldResult index, int64_t full, int64_t extent, int64_t count) {
    int64_t last = extent - shape.m * (count - 1);
    if (last >= full || count == 1)
      return e.constant(std::min(full, last));
    return e.min(e.constant(full), e.sub(e.constant(extent), e.mul(index, e.constant(shape.m))));
  }

  void transformGroup();
  void transformTile(OpFoldResult block, Value t);
  void sumProducts(OpFoldResult first, OpFoldResult end);
  void product(Value inputs, Value panels, Value sums, int64_t blocks);
  void transformBack(OpFoldResult first, OpFoldResult end);
  void transformTileBack(OpFoldResult block, Value sums, Value t, OpFoldResult lane,
                         int64_t channels);

  Value zero() { return e.splat(e.builder().getZeroAttr(element), lanes); }
  Value walk(Value pointer, OpFoldResult index, int64_t stride) {
    return e.offset(pointer, element, e.mul(index, e.constant(stride)));
  }
  Value patchAt(OpFoldResult row, OpFoldResult column) {
    OpFoldResult elements = e.mul(e.add(e.mul(row, e.constant(shape.span())), column),
                                  e.constant(blockLanes));
    return e.offset(memory, element, e.add(e.constant(shape.patchOffset()), elements));
  }
  SmallVector<Value> patchRow(Value row) {
    SmallVector<Value> values;
    for (int64_t c = 0; c < shape.span(); ++c)
      values.push_back(e.load(patchAt(OpFoldResult(row), e.constant(c)), element, lanes));
    return values;
  }
  void storePatchColumn(ArrayRef<Value> values, Value column) {
    for (auto [row, value] : llvm::enumerate(values))
      e.store(value, patchAt(e.constant(row), OpFoldResult(column)));
  }
  View shifted(const View &view, OpFoldResult lane) {
    View result = view;
    result.pointer = e.offset(view.pointer, view.elementType, e.mul(view.strides[4], lane));
    return result;
  }

  Emission e;
  kernel::WinogradOp op;
  WinogradShape shape;
  View data, weights;
  ArrayRef<View> extras;
  View out, scratch, slots;
  Type element;
  int64_t lanes, tileBlocks, tileColumns;
  Region plain;
  Value memory;            // the task's row of scratch
  OpFoldResult firstTile, tiles; // of the group
};
} // namespace

//===----------------------------------------------------------------------===//
// Rows of scratch
//===----------------------------------------------------------------------===//

// The first row whose word was 0. There are as many rows as tasks, so one is free.
Value WinogradNest::acquireSlot() {
  if (shape.tasks() == 1)
    return e.index(0);
  OpBuilder &b = e.builder();
  Location loc = e.location();
  auto search = scf::WhileOp::create(b, loc, TypeRange(b.getIndexType()), ValueRange(e.index(0)));
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&search.getBefore(), {}, b.getIndexType(), loc);
  Value row = before->getArgument(0);
  Value one = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1));
  Value old = LLVM::AtomicRMWOp::create(b, loc, LLVM::AtomicBinOp::xchg, e.at(slots, {row}), one,
                                        LLVM::AtomicOrdering::acquire);
  Value free = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value taken = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, old, free);
  scf::ConditionOp::create(b, loc, taken, ValueRange(row));
  Block *after = b.createBlock(&search.getAfter(), {}, b.getIndexType(), loc);
  OpFoldResult next = e.rem(e.add(after->getArgument(0), e.constant(1)), scratch.sizes[0]);
  scf::YieldOp::create(b, loc, ValueRange(e.index(next)));
  return search.getResult(0);
}

void WinogradNest::releaseSlot(Value slot) {
  if (shape.tasks() == 1)
    return;
  OpBuilder &b = e.builder();
  Value free = arith::ConstantOp::create(b, e.location(), b.getI32IntegerAttr(0));
  LLVM::StoreOp::create(b, e.location(), free, e.at(slots, {slot}), /*alignment=*/4,
                        /*isVolatile=*/false, /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false, LLVM::AtomicOrdering::release);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

void WinogradNest::transformGroup() {
  bool allFull = constantOf(tiles).has_value();
  loop(e.constant(0), e.constant(shape.inBlocks()), 1, [&](Value block) {
    loop(e.constant(0), tiles, 1, [&](Value t) { transformTile(OpFoldResult(block), t); });
    if (allFull)
      return;
    // The products run over the whole group; what the last one lacks is zero.
    loop(tiles, e.constant(shape.tilesAtOnce), 1, [&](Value t) {
      Value to = walk(walk(memory, OpFoldResult(block), shape.tilesAtOnce * blockLanes),
                      OpFoldResult(t), blockLanes);
      loop(e.constant(0), e.constant(shape.positions()), 1, [&](Value position) {
        for (int64_t lane = 0; lane < blockLanes; lane += lanes)
          e.store(zero(), e.offset(walk(to, OpFoldResult(position), shape.inputStride()), element,
                                   e.constant(lane)));
      });
    });
  });
}

void WinogradNest::transformTile(OpFoldResult block, Value t) {
  int64_t span = shape.span();
  Tile tile = tileAt(t);
  OpFoldResult m = e.constant(shape.m);
  Value from = e.at(data, {tile.image, block, e.mul(tile.row, m), e.mul(tile.column, m)});
  Value to = walk(walk(memory, block, shape.tilesAtOnce * blockLanes), OpFoldResult(t), blockLanes);
  OpFoldResult columns = extentAt(tile.column, span, shape.columns + span - shape.m, shape.tileColumns());
  int64_t lastRows = std::min(span, shape.rows + span - shape.m * shape.tileRows());

  loop(e.constant(0), e.constant(blockLanes), lanes, [&](Value lane) {
    Value source = e.offset(from, element, OpFoldResult(lane));
    auto columnsOf = [&](int64_t rows) {
      loop(e.constant(0), columns, 1, [&](Value column) {
        Value top = e.offset(source, element, e.mul(OpFoldResult(column), data.strides[3]));
        SmallVector<Value> values(span, rows < span ? zero() : Value());
        for (int64_t row = 0; row < rows; ++row)
          values[row] = e.load(e.offset(top, element, e.mul(data.strides[2], e.constant(row))),
                               element, lanes);
        storePatchColumn(transformInputs(e, values), column);
      });
    };
    if (lastRows == span)
      columnsOf(span);
    else
      e.branch(shape.tileRows() == 1 ? e.constant(0) : tile.row,
               e.constant(shape.tileRows() - 1), [&] { columnsOf(span); },
               [&] { columnsOf(lastRows); });
    if (!isConstant(columns, span))
      loop(columns, e.constant(span), 1, [&](Value column) {
        storePatchColumn(SmallVector<Value>(span, zero()), column);
      });
    Value target = e.offset(to, element, OpFoldResult(lane));
    loop(e.constant(0), e.constant(span), 1, [&](Value row) {
      Value line = walk(target, OpFoldResult(row), span * shape.inputStride());
      for (auto [column, value] : llvm::enumerate(transformInputs(e, patchRow(row))))
        e.store(value, walk(line, e.constant(column), shape.inputStride()));
    });
  });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void WinogradNest::sumProducts(OpFoldResult first, OpFoldResult end) {
  if (shape.late)
    return emitLateProducts(e, shape, memory,
                            e.offset(memory, element, e.constant(shape.sumsOffset())), weights,
                            first, end);
  int64_t panel = *constantOf(weights.strides[1]);
  // Groups end with a whole register tile, or with one rest that is always the same.
  bool even = shape.blocksAtOnce % tileBlocks == 0 && shape.blocksPerTask % tileBlocks == 0;
  int64_t rest = even ? shape.outBlocks() % tileBlocks : 1;
  loop(e.constant(0), e.constant(shape.positions()), 1, [&](Value position) {
    Value inputs = walk(memory, OpFoldResult(position), shape.inputStride());
    Value panels = e.offset(weights.pointer, element,
                            e.mul(OpFoldResult(position), weights.strides[0]));
    Value sums = walk(e.offset(memory, element, e.constant(shape.sumsOffset())),
                      OpFoldResult(position), shape.sumStride());
    auto at = [&](OpFoldResult block, int64_t blocks) {
      product(inputs, walk(panels, block, panel),
              walk(sums, e.sub(block, first), shape.tilesAtOnce * blockLanes), blocks);
    };
    loop(first, end, tileBlocks, [&](Value block) {
      OpFoldResult next = e.add(OpFoldResult(block), e.constant(tileBlocks));
      if (rest == 0 || tileBlocks == 1)
        return at(OpFoldResult(block), tileBlocks);
      e.branch(end, next,
               [&] {
                 loop(block, end, rest, [&](Value b) { at(OpFoldResult(b), rest); });
               },
               [&] { at(OpFoldResult(block), tileBlocks); });
    });
  });
}

// sums[block][tile][16] = sum over channels of inputs[..][tile] * panels, of one position.
void WinogradNest::product(Value inputs, Value panels, Value sums, int64_t blocks) {
  OpFoldResult zero = e.constant(0), one = e.constant(1), lane = e.constant(blockLanes);
  OpFoldResult count = e.constant(shape.tilesAtOnce);
  OpFoldResult blockStride = e.constant(shape.tilesAtOnce * blockLanes);
  OpFoldResult tail = e.constant(shape.inBlocks());
  ConvSite site;
  site.data = {inputs, element, {one, tail, one, count, lane}, {zero, blockStride, zero, lane, one}};
  site.out = {sums, element, {one, e.constant(blocks), one, count, lane},
              {zero, blockStride, zero, lane, one}};
  site.weights = {panels, element, {e.constant(blocks), tail, one, one, lane, lane},
                  {weights.strides[1], weights.strides[2], zero, zero, lane, one}};
  site.kernel = site.strides = site.dilations = {1, 1};
  site.inChannels = shape.inChannels;
  site.outChannels = blocks * blockLanes;
  site.body = &plain;
  int64_t whole = shape.tilesAtOnce / tileColumns * tileColumns;
  int64_t pixelTiles = llvm::divideCeil(shape.tilesAtOnce, tileColumns);
  auto tile = [&](OpFoldResult column, int64_t columns) {
    TilePosition position{zero, zero, zero, column};
    // Each tile fetches its part of the weights that come next: few tiles meet them,
    // so that they pass at the speed of memory, in chunks too short for the hardware.
    if (pixelTiles <= std::max(fewTiles, e.target().prefetchTiles)) {
      position.aheadLines = llvm::divideCeil(blockLanes, pixelTiles);
      OpFoldResult part = e.mul(e.floorDiv(column, e.constant(tileColumns)),
                                e.constant(position.aheadLines * blockLanes));
      position.ahead = e.add(part, shape.blocksAtOnce > blocks
                                       ? e.mul(weights.strides[1], e.constant(blocks))
                                       : weights.strides[0]);
    }
    emitTile(e, site, position, {blocks * blockLanes, 1, columns});
  };
  if (whole)
    loop(zero, e.constant(whole), tileColumns,
         [&](Value column) { tile(OpFoldResult(column), tileColumns); });
  if (whole < shape.tilesAtOnce)
    tile(e.constant(whole), shape.tilesAtOnce - whole);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

void WinogradNest::transformBack(OpFoldResult first, OpFoldResult end) {
  int64_t partial = shape.outChannels % blockLanes;
  loop(first, end, 1, [&](Value block) {
    Value sums = walk(e.offset(memory, element, e.constant(shape.sumsOffset())),
                      e.sub(OpFoldResult(block), first), shape.tilesAtOnce * blockLanes);
    auto whole = [&](Value t) {
      loop(e.constant(0), e.constant(blockLanes), lanes, [&](Value lane) {
        transformTileBack(OpFoldResult(block), sums, t, OpFoldResult(lane), lanes);
      });
    };
    auto rest = [&](Value t) {
      for (int64_t lane = 0; lane < partial; lane += lanes)
        transformTileBack(OpFoldResult(block), sums, t, e.constant(lane),
                          std::min(lanes, partial - lane));
    };
    auto all = [&](function_ref<void(Value)> body) { loop(e.constant(0), tiles, 1, body); };
    if (partial == 0)
      return all(whole);
    e.branch(shape.outBlocks() == 1 ? e.constant(0) : OpFoldResult(block),
             e.constant(shape.outBlocks() - 1), [&] { all(whole); }, [&] { all(rest); });
  });
}

void WinogradNest::transformTileBack(OpFoldResult block, Value sums, Value t, OpFoldResult lane,
                                     int64_t channels) {
  int64_t span = shape.span(), m = shape.m;
  Tile tile = tileAt(t);
  Value from = e.offset(walk(sums, OpFoldResult(t), blockLanes), element, lane);
  loop(e.constant(0), e.constant(span), 1, [&](Value column) {
    Value top = walk(from, OpFoldResult(column), shape.sumStride());
    SmallVector<Value> values;
    for (int64_t row = 0; row < span; ++row)
      values.push_back(
          e.load(walk(top, e.constant(row), span * shape.sumStride()), element, lanes));
    storePatchColumn(transformSums(e, values, m), column);
  });
  View target = shifted(out, lane);
  SmallVector<View> more;
  for (const View &extra : extras)
    more.push_back(shifted(extra, lane));
  OpFoldResult rows = extentAt(tile.row, m, shape.rows, shape.tileRows());
  int64_t lastColumns = std::min(m, shape.columns - m * (shape.tileColumns() - 1));
  loop(e.constant(0), rows, 1, [&](Value row) {
    SmallVector<SmallVector<Value>> pixels;
    for (Value value : transformSums(e, patchRow(row), m))
      pixels.push_back({value});
    TilePosition position{tile.image, block,
                          e.add(e.mul(tile.row, e.constant(m)), OpFoldResult(row)),
                          e.mul(tile.column, e.constant(m))};
    auto store = [&](int64_t columns) {
      emitEpilogue(e, target, more, op.getBody(), position, {channels, 1, columns},
                   ArrayRef(pixels).take_front(columns));
    };
    if (lastColumns == m)
      return store(m);
    e.branch(shape.tileColumns() == 1 ? e.constant(0) : tile.column,
             e.constant(shape.tileColumns() - 1), [&] { store(m); },
             [&] { store(lastColumns); });
  });
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

OpFoldResult symc::codegen::countWinogradTasks(kernel::WinogradOp op, ArrayRef<View> operands,
                                               LoweringContext &context) {
  return context.builder.getIndexAttr(WinogradShape::of(op).tasks());
}

LogicalResult symc::codegen::lowerWinograd(kernel::WinogradOp op, ArrayRef<View> operands,
                                           Value task, LoweringContext &context) {
  for (const View &view : operands.drop_back())
    if (!view.elementType.isF32())
      return op.emitError("internal error: winograd of ")
             << view.elementType << "; it needs 'f32'";
  const View &data = operands[0], &out = operands[operands.size() - 3];
  if (!isConstant(data.strides[4], 1) || !isConstant(out.strides[4], 1))
    return op.emitError("internal error: winograd needs 16 channels side by side");
  WinogradShape shape = WinogradShape::of(op);
  const View &scratch = operands[operands.size() - 2];
  if (constantOf(scratch.sizes[0]).value_or(0) < shape.tasks() ||
      constantOf(scratch.sizes[1]).value_or(0) < shape.scratchElements())
    return op.emitError("internal error: winograd needs ")
           << shape.tasks() << " rows of " << shape.scratchElements() << " elements of scratch";
  WinogradNest(op, operands, context).lower(task);
  return success();
}

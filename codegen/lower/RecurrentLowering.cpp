// RecurrentLowering.cpp: kernel.recurrent, one time step of it: the task's blocks of 16 units for
// the whole batch, from the states of the time step before.
//
//   for block of units, rows of the batch at once:
//     for some gates at once, k of the state:   G * V weight loads, R broadcasts
//       sums[row][v][gate] += broadcast(state[row][k]) * weights[block][k][gate]   (ProductRow.h)
//     body(sums, gates, biases, state, cell) -> out[time], cell_out
//   Sums of several groups of gates wait on the stack for the body.
//
// A block's weights are one stream of memory, which a core reads at the speed of
// whatever holds them. Where rows of the batch need several passes, a pass takes so few gates
// that more rows fit the registers. Every sum is one chain in the order of k,
// whatever the tile.
//
// By Strassen's product, a task's blocks are pairs, one of each half of the units:
//
//   sums of the state's quarters -> scratch     the first time step only, by every task
//   for pair of blocks, rows of half the batch at once:
//     for group of gates: the chains of StrassenScheme.h, over k of half the state
//     body(...) on each quarter of the sums
//     the same sums of what it wrote -> scratch, for all tasks of the next time step
#include "codegen/conv/strassen/kernel/StrassenRecurrent.h"
#include "codegen/lower/Emission.h"
#include "codegen/lower/products/ProductEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// Elements of the state by which weights from L3 are ahead of their sums.
static constexpr int64_t fetchAhead = 48;

namespace {
class RecurrentNest {
public:
  RecurrentNest(kernel::RecurrentOp op, ArrayRef<View> operands, LoweringContext &context)
      : e(context, op.getLoc()), op(op), element(operands[0].elementType) {
    const View *next = operands.begin();
    gates = *next++;
    weights = *next++;
    if (op.getBias())
      bias = *next++;
    state = *next++;
    if (op.getCell())
      cell = *next++;
    out = *next++;
    if (op.getCell())
      cellOut = *next++;
    if (op.getScratch())
      scratch = *next++;
    if (op.getRounded())
      rounded = *next++;
    step = *next;
    steps = gates.sizes[0];
    batch = gates.sizes[1];
    gateCount = *constantOf(gates.sizes[2]);
    units = *constantOf(gates.sizes[3]);
    lanes = std::min<int64_t>(e.blockWidth(), e.target().lanes(4));
    rowsAtOnce = scratch ? e.constant(*constantOf(batch) / 2) : batch;
    vectors = (*op.getTile())[0];
    rows = (*op.getTile())[1];
    gatesAtOnce = (*op.getTile())[2];
    groups = gateCount / gatesAtOnce;
    panelGates = scratch ? gatesAtOnce : gateCount;
    blocks = llvm::divideCeil(units, e.blockWidth());
    places = scratch ? blocks / 2 : blocks;
    placesPerTask = *op.getPerTask();
    factor = weights.elementType;
    dataType = rounded ? factor : element;
    product = productRowOf(e.target(), dataType, factor);
    if (product) // else checkRecurrent reports it
      products = productEmitter(*product, e, lanes, /*shifted=*/false);
    constexpr int64_t inFlight = 8; // multiply-adds
    int64_t sums = vectors * gatesAtOnce;
    bool waits = product && rows == 1 && sums < inFlight &&
                 (sums + 1) * products->parts() + 3 <= e.target().vectorRegisters;
    chains = waits ? products->parts() : 1;
  }

  OpFoldResult countTasks() { return e.constant(llvm::divideCeil(places, placesPerTask)); }

  void lower(Value task) {
    readTimeStep();
    OpFoldResult first = e.mul(OpFoldResult(task), e.constant(placesPerTask));
    OpFoldResult end = e.min(e.add(first, e.constant(placesPerTask)), e.constant(places));
    if (scratch) {
      readScratch(first);
      return loop(first, end, 1, [&](Value pair) { emitRows(pair, e.blockWidth()); });
    }
    if (groups > 1)
      kept = e.stack(element, groups * rows * vectors * gatesAtOnce * lanes);
    int64_t last = units - (blocks - 1) * e.blockWidth();
    bool fetches = fetchesBlocks();
    loop(first, end, 1, [&](Value block) {
      if (fetches)
        ahead = distanceToNext(block, first, end);
      if (last == e.blockWidth())
        return emitRows(block, e.blockWidth());
      e.branch(
          blocks == 1 ? e.constant(0) : OpFoldResult(block), e.constant(blocks - 1),
          [&] { emitRows(block, e.blockWidth()); }, [&] { emitRows(block, last); });
    });
  }

private:
  void loop(OpFoldResult first, OpFoldResult end, int64_t step, function_ref<void(Value)> body) {
    e.forLoop(first, end, e.constant(step), {}, [&](Value induction, ValueRange) {
      body(induction);
      return SmallVector<Value>();
    });
  }

  // Whether passes over a block's weights fetch those of the next block into L2. Its first pass
  // would read them from beyond as fast as it multiplies, and the others nothing.
  bool fetchesBlocks() {
    auto known = constantOf(batch);
    int64_t bytes = blocks * e.blockWidth() * gateCount * units * 4;
    return known && *known > rows && bytes > e.target().l2Bytes;
  }

  // Elements from a block's weights to those that the thread reads next: of the task's next block,
  // else of the first one of the next task, which in odd time steps is the one before
  // (RoundOrder.h); the next time step begins with the last task.
  OpFoldResult distanceToNext(Value block, OpFoldResult first, OpFoldResult end) {
    OpBuilder &b = e.builder();
    auto choose = [&](Value condition, OpFoldResult yes, OpFoldResult no) -> OpFoldResult {
      return arith::SelectOp::create(b, e.location(), condition, e.index(yes), e.index(no))
          .getResult();
    };
    OpFoldResult up = choose(e.less(end, e.constant(blocks)), end, first);
    OpFoldResult down =
        choose(e.less(e.constant(0), first), e.sub(first, e.constant(placesPerTask)), first);
    Value odd = e.less(e.constant(0), e.rem(OpFoldResult(number), e.constant(2)));
    OpFoldResult within = e.add(OpFoldResult(block), e.constant(1));
    OpFoldResult next = choose(e.less(within, end), within, choose(odd, down, up));
    return e.mul(e.sub(next, OpFoldResult(block)), weights.strides[0]);
  }

  // Lines that an element of the state fetches in a pass: passes share those of a block.
  int64_t linesOfPass() {
    return llvm::divideCeil(gatesAtOnce, llvm::divideCeil(*constantOf(batch), rows));
  }

  // Sums of the first state are every task's own. Later ones come alternately from two places
  // behind the tasks' own, one of which is read while the other is written.
  void readScratch(OpFoldResult first) {
    memory = e.at(*scratch, {first});
    OpFoldResult parity = e.rem(OpFoldResult(number), e.constant(2));
    Value made = e.at(*scratch, {e.add(parity, e.constant(places))});
    nextSums = e.at(*scratch, {e.sub(e.constant(places + 1), parity)});
    stateSums = LLVM::SelectOp::create(e.builder(), e.location(), isFirst, memory, made);
    e.branch(
        OpFoldResult(number), e.constant(1),
        [&] {
          loop(e.constant(0), rowsAtOnce, 1, [&](Value row) {
            loop(e.constant(0), e.constant(units / 2), lanes, [&](Value k) {
              sumQuarters(previous, OpFoldResult(row), OpFoldResult(k), memory);
            });
          });
        },
        [] {});
  }

  // The time of this step, and where the states of the time step before lie.
  void readTimeStep() {
    OpBuilder &b = e.builder();
    Location loc = e.location();
    number = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                        e.load(step.pointer, b.getI64Type(), 1));
    OpFoldResult one = e.constant(1);
    time = number;
    OpFoldResult before;
    if (op.getReverse()) {
      time = e.sub(e.sub(steps, one), OpFoldResult(number));
      before = e.add(time, one);
    } else {
      before = e.sub(time, one);
    }
    isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, number, e.index(0));
    auto choose = [&](const View &first, const View &later) {
      View view = first;
      view.pointer = LLVM::SelectOp::create(b, loc, isFirst, first.pointer, later.pointer);
      if (first.strides[0] != later.strides[0])
        view.strides[0] = arith::SelectOp::create(b, loc, isFirst, e.index(first.strides[0]),
                                                  e.index(later.strides[0]))
                              .getResult();
      return view;
    };
    auto atTime = [&](const View &view, OpFoldResult t) {
      View part{e.at(view, {t}), view.elementType, {}, {}};
      part.sizes.assign(view.sizes.begin() + 1, view.sizes.end());
      part.strides.assign(view.strides.begin() + 1, view.strides.end());
      return part;
    };
    previous = choose(state, atTime(out, before));
    if (op.getCell())
      previousCell = choose(cell, cellOut);
    if (rounded) {
      OpFoldResult parity = e.rem(OpFoldResult(number), e.constant(2));
      factors = atTime(*rounded, e.sub(one, parity));
      nextFactors = atTime(*rounded, parity);
    } else {
      factors = previous;
    }
    gates = atTime(gates, time);
    out = atTime(out, time);
  }

  // A block, or a pair of them, in tiles.
  void emitRows(Value place, int64_t active) {
    int64_t wide = llvm::divideCeil(active, lanes);
    auto piece = [&](OpFoldResult row, int64_t count) {
      for (int64_t v = 0; v < wide; v += vectors) {
        Tile tile{place, v, std::min(vectors, wide - v), row, count};
        if (scratch)
          emitPair(tile);
        else
          emitBlock(tile, active);
      }
    };
    OpFoldResult rest = e.rem(rowsAtOnce, e.constant(rows)), whole = e.sub(rowsAtOnce, rest);
    if (!isConstant(whole, 0))
      loop(e.constant(0), whole, rows, [&](Value row) { piece(OpFoldResult(row), rows); });
    if (auto count = constantOf(rest)) {
      if (*count)
        piece(whole, *count);
      return;
    }
    // A run-time count is a sum of powers of two.
    for (int64_t count = llvm::bit_floor(uint64_t(rows - 1)); count > 0; count /= 2) {
      OpFoldResult left = e.rem(rest, e.constant(2 * count));
      e.branch(e.constant(count - 1), left, [&] { piece(e.add(whole, e.sub(rest, left)), count); });
    }
  }

  // `count` rows by `wide` vectors of `gatesAtOnce` gates, from vector `v` of the block on.
  struct Tile {
    Value block; // or pair
    int64_t v, wide;
    OpFoldResult row;
    int64_t count;
  };
  using Sums = SmallVector<Value>; // [row][vector][gate]

  Sums zeros(const Tile &tile) {
    return Sums(tile.count * tile.wide * gatesAtOnce,
                e.splat(e.builder().getZeroAttr(element), lanes));
  }

  // `sums` and the products of `length` elements of the state's rows with the panel.
  Sums addProducts(const Tile &tile, Value inputs, OpFoldResult rowStride, Value panel,
                   int64_t length, const Sums &sums) {
    int64_t rowOfPanel = panelGates * e.blockWidth(), taken = product->elementsPerStep;
    size_t count = sums.size();
    SmallVector<Value> carried{
        inputs, e.offset(panel, factor, e.constant(tile.v * lanes * unitElements()))};
    carried.append(sums.begin(), sums.end());
    for (int64_t chain = 1; chain < chains; ++chain)
      carried.append(zeros(tile));
    carried =
        e.forLoop(e.constant(0), e.constant(length / product->termsPerStep), e.constant(1), carried,
                  [&](Value, ValueRange now) {
                    SmallVector<Value> next(now);
                    // Lines of a part of the gates lie too far apart for the hardware.
                    if (!scratch && groups > 1)
                      e.prefetch(e.offset(now[1], factor, e.constant(fetchAhead * rowOfPanel)));
                    if (ahead)
                      fetchNext(now[1], tile);
                    auto sumsOf = [&](int64_t part) {
                      return MutableArrayRef<Value>(next).slice(2 + part % chains * count, count);
                    };
                    if (tile.count == 1 && products->parts() > 1)
                      accumulateRow(now[0], now[1], tile, sumsOf);
                    else
                      for (int64_t part = 0; part < products->parts(); ++part)
                        accumulate(part, now[0], rowStride, now[1], tile, sumsOf(part));
                    next[0] = e.offset(now[0], dataType, e.constant(taken));
                    next[1] = e.offset(now[1], factor, e.constant(rowOfPanel * taken));
                    return next;
                  });
    Sums result(ArrayRef<Value>(carried).slice(2, count));
    for (int64_t chain = 1; chain < chains; ++chain)
      for (auto [sum, more] :
           llvm::zip(result, ArrayRef<Value>(carried).slice(2 + chain * count, count)))
        sum = arith::AddFOp::create(e.builder(), e.location(), sum, more);
    return result;
  }

  // Of the line of weights that stands there.
  void fetchNext(Value panel, const Tile &tile) {
    OpFoldResult firstLine =
        e.mul(e.floorDiv(tile.row, e.constant(rows)), e.constant(linesOfPass()));
    auto known = constantOf(firstLine);
    int64_t line = e.blockWidth() * product->elementsPerStep;
    for (int64_t i = 0; i < linesOfPass(); ++i)
      if (tile.v == 0 && (!known || *known + i < gatesAtOnce))
        e.prefetch(
            e.offset(panel, factor,
                     e.add(*ahead, e.mul(e.add(firstLine, e.constant(i)), e.constant(line)))),
            /*locality=*/2);
  }

  // Whether L2 has lost the inputs of all time steps when the body reads those of one, and has not
  // yet the lines of its outputs. Those of a single row follow each other from block to block,
  // which the hardware sees.
  bool fetchesRows(const Tile &tile) {
    auto rows = constantOf(batch), times = constantOf(steps);
    int64_t weightBytes = blocks * e.blockWidth() * gateCount * units * 4;
    int64_t bytes = rows && times ? *rows * *times * gateCount * units * 4 : e.target().l2Bytes;
    return tile.count > 1 && weightBytes + bytes > e.target().l2Bytes;
  }

  // Fetches what the body of a tile reads and writes, while the tile multiplies (GRU of 512 units,
  // 16 rows: 27.8 -> 26.1 ms, Zen 5).
  void fetchRows(const Tile &tile) {
    for (int64_t r = 0; r < tile.count; ++r)
      for (int64_t v = tile.v; v < tile.v + tile.wide; ++v) {
        if (v * lanes % e.blockWidth())
          continue; // of the line before
        OpFoldResult row = e.add(tile.row, e.constant(r));
        OpFoldResult unit =
            e.add(e.mul(tile.block, e.constant(e.blockWidth())), e.constant(v * lanes));
        for (int64_t g = 0; g < gateCount; ++g)
          e.prefetch(e.at(gates, {row, e.constant(g), unit}), /*locality=*/2);
        e.prefetch(e.at(out, {row, unit}), /*locality=*/2, /*write=*/true);
      }
  }

  void emitBlock(const Tile &tile, int64_t active) {
    if (fetchesRows(tile))
      fetchRows(tile);
    SmallVector<Sums> parts;
    for (int64_t group = 0; group < groups; ++group) {
      Value panel =
          e.at(weights, {OpFoldResult(tile.block), e.constant(0), e.constant(group * gatesAtOnce)});
      parts.push_back(addProducts(tile, e.at(factors, {tile.row}), factors.strides[0], panel, units,
                                  zeros(tile)));
      if (groups > 1)
        keepSums(group, tile, parts.back());
    }
    auto finishVector = [&](OpFoldResult row, int64_t i, ArrayRef<Value> sums) {
      finish(tile.block, tile.v + i, e.add(tile.row, row), active - (tile.v + i) * lanes, sums);
    };
    if (groups > 1)
      return loop(e.constant(0), e.constant(tile.count), 1, [&](Value row) {
        for (int64_t i = 0; i < tile.wide; ++i)
          finishVector(row, i, keptSums(tile, row, i));
      });
    for (int64_t i = 0; i < tile.wide; ++i)
      for (int64_t r = 0; r < tile.count; ++r)
        finishVector(e.constant(r), i,
                     ArrayRef<Value>(parts[0]).slice((r * tile.wide + i) * gateCount, gateCount));
  }

  // Sums of groups of gates, [group][row][vector][gate]. In registers those of one group would
  // leave too few for the next one's, and the body would be repeated for each row.
  Value keptAt(int64_t group, OpFoldResult row, int64_t inRow) {
    int64_t rowLength = vectors * gatesAtOnce * lanes;
    return e.offset(kept, element,
                    e.add(e.mul(row, e.constant(rowLength)),
                          e.constant(group * rows * rowLength + inRow * lanes)));
  }
  void keepSums(int64_t group, const Tile &tile, const Sums &sums) {
    for (auto [i, sum] : llvm::enumerate(sums)) {
      int64_t inRow = tile.wide * gatesAtOnce;
      e.store(sum, keptAt(group, e.constant(i / inRow), i % inRow));
    }
  }
  Sums keptSums(const Tile &tile, Value row, int64_t vector) {
    Sums sums;
    for (int64_t g = 0; g < gateCount; ++g)
      sums.push_back(
          e.load(keptAt(g / gatesAtOnce, OpFoldResult(row), vector * gatesAtOnce + g % gatesAtOnce),
                 element, lanes));
    return sums;
  }

  // What runStrassenChains calls.
  struct PairTiles {
    RecurrentNest &nest;
    const Tile &tile;
    int64_t group;
    Emission &e = nest.e;

    Sums zero() { return nest.zeros(tile); }
    Sums multiplyAdd(int product, const Sums &sums) {
      const kernel::StrassenProduct &p = kernel::strassenProducts[product];
      Value panel =
          e.at(nest.weights, {OpFoldResult(tile.block), e.constant(group), e.constant(product)});
      if (p.dataSum >= 0)
        return nest.addProducts(tile, nest.sumAt(nest.stateSums, p.dataSum, tile.row),
                                e.constant(nest.sumStride()), panel, nest.units / 2, sums);
      return nest.addProducts(
          tile, nest.quarterAt(nest.previous, llvm::find(p.data, 1) - p.data.begin(), tile.row),
          nest.previous.strides[0], panel, nest.units / 2, sums);
    }
    Sums add(const Sums &x, const Sums &y) {
      Sums sums;
      for (auto [a, b] : llvm::zip(x, y))
        sums.push_back(arith::AddFOp::create(e.builder(), e.location(), a, b));
      return sums;
    }
    void keep(int place, const Sums &sums) { nest.storeTile(place, sums); }
    Sums kept(int place) { return nest.loadTile(place, tile); }
    void finish(int unitHalf, int rowHalf, const Sums &sums) {
      nest.storeTile(keptTiles + (unitHalf * 2 + rowHalf) * nest.groups + group, sums);
    }
  };

  // The body's code is long: one copy for all rows of the quarters stays in the caches.
  void emitPair(const Tile &tile) {
    for (int64_t group = 0; group < groups; ++group) {
      PairTiles tiles{*this, tile, group};
      kernel::runStrassenChains(tiles);
    }
    loop(e.constant(0), e.constant(4), 1, [&](Value quarter) {
      OpFoldResult unitHalf = e.floorDiv(OpFoldResult(quarter), e.constant(2));
      OpFoldResult rowHalf = e.rem(OpFoldResult(quarter), e.constant(2));
      OpFoldResult block = e.add(OpFoldResult(tile.block), e.mul(unitHalf, e.constant(places)));
      OpFoldResult first = e.add(tile.row, e.mul(rowHalf, rowsAtOnce));
      OpFoldResult place =
          e.add(e.constant(keptTiles), e.mul(OpFoldResult(quarter), e.constant(groups)));
      loop(e.constant(0), e.constant(tile.count), 1, [&](Value row) {
        for (int64_t i = 0; i < tile.wide; ++i) {
          Sums sums;
          for (int64_t g = 0; g < gateCount; ++g) {
            OpFoldResult number =
                e.add(e.mul(OpFoldResult(row), e.constant(tile.wide * gatesAtOnce)),
                      e.constant(i * gatesAtOnce + g % gatesAtOnce));
            Value at = tileAt(e.add(place, e.constant(g / gatesAtOnce)), number);
            sums.push_back(e.load(at, element, lanes));
          }
          finish(block, tile.v + i, e.add(first, OpFoldResult(row)), e.blockWidth(), sums);
        }
      });
    });
    loop(e.constant(0), e.constant(tile.count), 1, [&](Value row) {
      for (int64_t i = 0; i < tile.wide; ++i)
        sumQuarters(out, e.add(tile.row, OpFoldResult(row)),
                    e.add(e.mul(OpFoldResult(tile.block), e.constant(e.blockWidth())),
                          e.constant((tile.v + i) * lanes)),
                    nextSums);
    });
  }

  // Tiles in scratch: two that the chains keep, then those of each quarter and group.
  static constexpr int64_t keptTiles = 2;
  Value tileAt(OpFoldResult place, OpFoldResult number) {
    return e.offset(sumAt(memory, kernel::strassenDataSums, e.constant(0)), element,
                    e.add(e.mul(place, e.constant(kernel::RecurrentHalves::tile)),
                          e.mul(number, e.constant(lanes))));
  }
  void storeTile(int64_t place, const Sums &sums) {
    for (auto [i, sum] : llvm::enumerate(sums))
      e.store(sum, tileAt(e.constant(place), e.constant(i)));
  }
  Sums loadTile(int64_t place, const Tile &tile) {
    Sums sums;
    for (int64_t i = 0; i < tile.count * tile.wide * gatesAtOnce; ++i)
      sums.push_back(e.load(tileAt(e.constant(place), e.constant(i)), element, lanes));
    return sums;
  }

  // Scratch: four sums of quarters of a state, [N/2][H/2] each, then tiles.
  int64_t sumStride() {
    return kernel::RecurrentHalves{0, units, gateCount, e.blockWidth()}.sumStride();
  }
  Value sumAt(Value base, int number, OpFoldResult row) {
    OpFoldResult rowOf = e.add(e.mul(rowsAtOnce, e.constant(number)), row);
    return e.offset(base, element, e.mul(rowOf, e.constant(sumStride())));
  }
  // A state's quarters are halves of its units, then of the batch: [11, 12, 21, 22].
  Value quarterAt(const View &of, int64_t quarter, OpFoldResult row) {
    return e.at(of, {e.add(row, e.mul(rowsAtOnce, e.constant(quarter % 2))),
                     e.constant(quarter / 2 * (units / 2))});
  }

  // One vector of each sum, from unit `k` of the quarters on.
  void sumQuarters(const View &of, OpFoldResult row, OpFoldResult k, Value target) {
    Value b[4];
    for (int64_t q = 0; q < 4; ++q)
      b[q] = e.load(e.offset(quarterAt(of, q, row), element, k), element, lanes);
    auto sums = kernel::strassenSumsOfData(b[0], b[1], b[2], b[3], [&](Value x, Value y) -> Value {
      return arith::SubFOp::create(e.builder(), e.location(), x, y);
    });
    for (auto [i, sum] : llvm::enumerate(sums))
      e.store(sum, e.offset(sumAt(target, i, row), element, k));
  }

  // Elements of a panel's row from a unit to the next.
  int64_t unitElements() const { return product->sideBySide ? product->elementsPerStep : 1; }

  using Factor = ProductEmitter::Factor;
  Factor weightsOf(int64_t part, Value panel, int64_t vector, int64_t gate) {
    int64_t at = gate * e.blockWidth() * product->elementsPerStep +
                 products->rowOf(part) * e.blockWidth() + vector * lanes * unitElements();
    return products->loadRhs(e.offset(panel, factor, e.constant(at)), part, lanes);
  }
  Factor stateOf(int64_t part, Value inputs, OpFoldResult row) {
    OpFoldResult at = e.add(row, e.constant(products->elementOf(part)));
    return products->loadLhs(e.offset(inputs, dataType, at), part, lanes);
  }

  // A step for one row, all parts of a vector of weights at once: they leave their registers.
  void accumulateRow(Value inputs, Value panel, const Tile &tile,
                     function_ref<MutableArrayRef<Value>(int64_t part)> sumsOf) {
    SmallVector<Factor> states;
    for (int64_t part = 0; part < products->parts(); ++part)
      states.push_back(stateOf(part, inputs, e.constant(0)));
    for (int64_t i = 0; i < tile.wide; ++i)
      for (int64_t g = 0; g < gatesAtOnce; ++g)
        for (auto [part, state] : llvm::enumerate(states)) {
          Value &sum = sumsOf(part)[i * gatesAtOnce + g];
          sum = products->accumulate(sum, state, weightsOf(part, panel, i, g));
        }
  }

  // A part of a step of the product: sums are [row][vector][gate].
  void accumulate(int64_t part, Value inputs, OpFoldResult rowStride, Value panel, const Tile &tile,
                  MutableArrayRef<Value> sums) {
    SmallVector<Factor> held;
    for (int64_t i = 0; i < tile.wide; ++i)
      for (int64_t g = 0; g < gatesAtOnce; ++g)
        held.push_back(weightsOf(part, panel, i, g));
    for (int64_t r = 0; r < tile.count; ++r) {
      Value place =
          e.offset(inputs, dataType,
                   e.add(e.mul(rowStride, e.constant(r)), e.constant(products->elementOf(part))));
      Factor x = products->loadLhs(place, part, lanes);
      for (auto [i, weight] : llvm::enumerate(held)) {
        Value &sum = sums[r * held.size() + i];
        sum = products->accumulate(sum, x, weight);
      }
    }
  }

  // The body on one vector of one row, of which `active` lanes exist.
  void finish(OpFoldResult block, int64_t v, OpFoldResult row, int64_t active,
              ArrayRef<Value> sums) {
    Value mask = active < lanes ? e.mask(e.constant(active), lanes) : Value();
    OpFoldResult unit = e.add(e.mul(block, e.constant(e.blockWidth())), e.constant(v * lanes));
    auto read = [&](Value place) {
      return mask ? e.loadMasked(place, element, mask) : e.load(place, element, lanes);
    };
    SmallVector<Value> arguments(sums);
    for (int64_t g = 0; g < gateCount; ++g)
      arguments.push_back(read(e.at(gates, {row, e.constant(g), unit})));
    for (int64_t g = 0; bias && g < gateCount; ++g) {
      Value place = e.at(*bias, {block, e.constant(0), e.constant(g)});
      arguments.push_back(e.load(e.offset(place, element, e.constant(v * lanes)), element, lanes));
    }
    arguments.push_back(read(e.at(previous, {row, unit})));
    if (op.getCell())
      arguments.push_back(read(e.at(previousCell, {row, unit})));
    SmallVector<Value> results = e.vectoriseBody(op.getBody(), arguments, lanes);
    auto write = [&](Value value, const View &view) {
      Value place = e.at(view, {row, unit});
      if (mask)
        e.storeMasked(value, place, mask);
      else
        e.store(value, place);
    };
    write(results[0], out);
    if (rounded)
      write(e.convert(results[0], factor), nextFactors);
    if (op.getCell())
      write(results[1], cellOut);
  }

  Emission e;
  kernel::RecurrentOp op;
  Type element;          // of sums and the body
  Type factor, dataType; // of weights and of the states that they are multiplied with
  const ProductRow *product;
  std::unique_ptr<ProductEmitter> products;
  int64_t chains = 1;                                   // of a sum
  View gates, weights, state, cell, out, cellOut, step; // gates and out: of this time step
  std::optional<View> bias, scratch, rounded;
  Value memory;              // the task's row of scratch
  Value kept;                // sums of groups of gates
  Value stateSums, nextSums; // of the state of the time step before, and of this one's
  Value number, isFirst;     // of this time step
  View previous, previousCell;
  View factors, nextFactors; // the states before and of this time step, as products read them
  OpFoldResult time;
  OpFoldResult steps, batch, rowsAtOnce; // the batch at once, or half of it
  std::optional<OpFoldResult> ahead;     // elements to the weights that are fetched
  int64_t gateCount, units, lanes;
  int64_t blocks;
  int64_t places, placesPerTask; // blocks or pairs of them
  int64_t groups, gatesAtOnce;   // of gates, which a tile sums one after the other
  int64_t panelGates;            // side by side in a panel
  int64_t rows, vectors;         // of a tile
};
} // namespace

static LogicalResult checkRecurrent(kernel::RecurrentOp op, ArrayRef<View> operands,
                                    const TargetDescription &target) {
  for (auto [view, operand] :
       llvm::zip_equal(operands.drop_back(), op->getOpOperands().drop_back()))
    if (Value value = operand.get();
        (!view.elementType.isF32() && value != op.getWeights() && value != op.getRounded()) ||
        !isConstant(view.strides.back(), 1))
      return op.emitError("internal error: recurrent of ")
             << view.elementType << "; it needs 'f32' side by side";
  Type weights = cast<MemRefType>(op.getWeights().getType()).getElementType();
  Type data = op.getRounded() ? weights : Type(Float32Type::get(op.getContext()));
  if (!productRowOf(target, data, weights))
    return op.emitError("internal error: ")
           << target.name << " has no product of " << data << " by " << weights;
  return success();
}

namespace symc::codegen {
void registerRecurrentLowering(DialectRegistry &registry) {
  addEmitter<kernel::RecurrentOp, RecurrentNest, checkRecurrent>(registry);
}
} // namespace symc::codegen

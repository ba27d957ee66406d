// AttentionLowering.cpp: kernel.attention. A task has blocks of rows (queries) of a head, as
// many as two vectors have lanes.
//
//   transposed[d][row] <- queries                  the block's, once
//   for 64 keys at once:
//     scores[k][row] = body(sum over d of transposed[d][row] * broadcast(key[k][d]), extras...)
//     highest, factor = exp(highest before - highest)
//     scores[k][row] = exp(scores[k][row] - highest); total = total * factor + their sum
//     sums[row][e] = sums[row][e] * factor[row] + sum over k of broadcast(scores[k][row]) *
//     value[k][e]; of many rows from a copy of the block's values without gaps
//   out[row][e] = sums[row][e] / total[row]
//
// Rows lie in the lanes while scores are made, so that largest scores and sums need no shuffles
// and keys no packing; a head's elements do while values are added, which need none either. Rows
// beyond the last one are copies of it, which nobody stores. What a task keeps lies on its stack.
//
// A single row is computed another way (AttentionRow.cpp).
//
// Factors are float32; or 16 bits, of which a step of a product takes a word of two; or keys and
// values alone are 16 bits, those of a cache (--grow) on processors that do not multiply them, and
// are widened when they are loaded.
#include "codegen/lower/AttentionEmitter.h"

#include <numeric>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// `region` of one key and the rows of one vector.
Value AttentionEmitter::bodyOf(Region &region, Value first, OpFoldResult key,
                               OpFoldResult keyInBlock, int64_t vector) {
  Vectors arguments{first};
  for (auto [extra, memory] : llvm::zip_equal(extras, transposedExtras)) {
    Type element = extra.elementType;
    if (memory)
      arguments.push_back(loadElements(
          e,
          e.offset(memory, element,
                   e.add(e.mul(keyInBlock, e.constant(rows)), e.constant(vector * lanes))),
          element, e.constant(1), lanes));
    else
      arguments.push_back(loadElements(e, e.at(extra, {outer, head, e.constant(0), key}), element,
                                       e.constant(0), lanes));
  }
  return e.vectoriseBody(region, arguments, lanes)[0];
}

// memory[i][row] = source[row][i] for each row of the block and `count` elements, which lie side by
// side where `stride` is 1: squares of them are transposed in registers.
void AttentionEmitter::transpose(Value memory, Type element, OpFoldResult count,
                                 OpFoldResult stride, function_ref<Value(OpFoldResult)> source) {
  element = inMemory(element);
  auto target = [&](OpFoldResult i, OpFoldResult number) {
    return e.offset(memory, element, e.add(e.mul(i, e.constant(rows)), number));
  };
  OpFoldResult whole = e.constant(0);
  if (isConstant(stride, 1) && element.getIntOrFloatBitWidth() == 32) {
    whole = e.sub(count, e.rem(count, e.constant(lanes)));
    loop(e.constant(0), e.constant(rows), lanes, [&](Value first) {
      Vectors pointers;
      for (int64_t r = 0; r < lanes; ++r)
        pointers.push_back(source(e.add(OpFoldResult(first), e.constant(r))));
      loop(e.constant(0), whole, lanes, [&](Value i) {
        Vectors square;
        for (Value pointer : pointers)
          square.push_back(e.load(e.offset(pointer, element, OpFoldResult(i)), element, lanes));
        square = transposeRows(e, square);
        for (int64_t r = 0; r < lanes; ++r)
          e.store(square[r], target(e.add(OpFoldResult(i), e.constant(r)), OpFoldResult(first)));
      });
    });
  }
  if (isConstant(e.sub(count, whole), 0))
    return;
  loop(e.constant(0), e.constant(rows), 1, [&](Value number) {
    Value from = source(OpFoldResult(number));
    loop(whole, count, 1, [&](Value i) {
      Value at = e.offset(from, element, e.mul(OpFoldResult(i), stride));
      e.store(e.load(at, element, 1), target(OpFoldResult(i), OpFoldResult(number)));
    });
  });
}

void AttentionEmitter::transposeQueries() {
  transposed = e.stack(word, width / together * rows);
  transpose(transposed, word, e.constant(width / together), queries.strides[3],
            [&](OpFoldResult number) { return e.at(queries, {outer, head, row(number)}); });
}

// The rows' lengths as i32 on the stack, and no more keys than the longest has.
void AttentionEmitter::readLengths() {
  if (!lengths)
    return;
  Type word = b.getI32Type(), given = lengths->elementType;
  lengthsHere = e.stack(word, rows);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(given));
  Value most = arith::IndexCastOp::create(b, loc, given, e.index(keyCount));
  Value longest = e.forLoop(
      e.constant(0), e.constant(rows), e.constant(1), {zero},
      [&](Value number, ValueRange carried) {
        Value length = e.load(e.at(*lengths, {outer, head, row(OpFoldResult(number))}), given, 1);
        length = arith::MaxSIOp::create(b, loc, arith::MinSIOp::create(b, loc, length, most), zero);
        Value narrow =
            given == word ? length : arith::TruncIOp::create(b, loc, word, length).getResult();
        e.store(narrow, e.offset(lengthsHere, word, OpFoldResult(number)));
        return Vectors{arith::MaxSIOp::create(b, loc, carried[0], length)};
      })[0];
  keyCount =
      OpFoldResult(arith::IndexCastOp::create(b, loc, b.getIndexType(), longest).getResult());
}

void AttentionEmitter::transposeExtras(OpFoldResult firstKey, OpFoldResult count) {
  for (size_t i = 0; i < extras.size(); ++i)
    if (transposedExtras[i])
      transpose(transposedExtras[i], extras[i].elementType, count, extras[i].strides[3],
                [&](OpFoldResult number) {
                  return e.at(extras[i], {outer, head, row(number), firstKey});
                });
}

// A word of a key, the same in all lanes.
AttentionEmitter::Factor AttentionEmitter::keyFactor(Value at) {
  if (together > 1 || keys.elementType == f32)
    return products->loadLhs(at, /*part=*/0, lanes);
  return {e.broadcast(widened(e.load(at, keys.elementType, 1)), lanes), {}, {}};
}

// Scores of `count` keys, and the highest ones so far.
AttentionEmitter::Vectors AttentionEmitter::scoreTile(OpFoldResult firstKey,
                                                      OpFoldResult keyInBlock, int64_t count,
                                                      ValueRange highest) {
  Type element = keys.elementType;
  Value first = e.at(keys, {outer, head, firstKey});
  Vectors dots(count * vectors, real(0));
  dots = e.forLoop(
      e.constant(0), e.constant(width / together), e.constant(1), dots,
      [&](Value d, ValueRange carried) {
        Vectors next(carried);
        SmallVector<Factor> queriesOfRows;
        Value from = wordAt(transposed, e.mul(OpFoldResult(d), e.constant(rows)));
        for (int64_t v = 0; v < vectors; ++v)
          queriesOfRows.push_back(
              products->loadRhs(wordAt(from, e.constant(v * lanes)), /*part=*/0, lanes));
        Value keyOfTile = e.offset(
            first, element, e.mul(OpFoldResult(d), e.mul(keys.strides[3], e.constant(together))));
        for (int64_t k = 0; k < count; ++k) {
          Factor key =
              keyFactor(e.offset(keyOfTile, element, e.mul(e.constant(k), keys.strides[2])));
          for (int64_t v = 0; v < vectors; ++v)
            next[k * vectors + v] =
                products->accumulate(next[k * vectors + v], key, queriesOfRows[v]);
        }
        return next;
      });
  Vectors now(highest);
  for (int64_t k = 0; k < count; ++k) {
    OpFoldResult key = e.add(firstKey, e.constant(k)), inBlock = e.add(keyInBlock, e.constant(k));
    for (int64_t v = 0; v < vectors; ++v) {
      Value score = bodyOf(op.getScores(), dots[k * vectors + v], key, inBlock, v);
      if (lengths) {
        Type word = b.getI32Type();
        Value number = arith::IndexCastOp::create(b, loc, word, e.index(key));
        Value length = e.load(e.offset(lengthsHere, word, e.constant(v * lanes)), word, lanes);
        Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                             e.broadcast(number, lanes), length);
        score = arith::SelectOp::create(b, loc, inside, score, infinite());
      }
      e.store(score, place(scores, e.add(e.mul(inBlock, e.constant(rows)), e.constant(v * lanes))));
      now[v] = larger(score, now[v]);
    }
  }
  return now;
}

AttentionEmitter::Vectors AttentionEmitter::scoreBlock(OpFoldResult firstKey, OpFoldResult count,
                                                       ValueRange highest) {
  transposeExtras(firstKey, count);
  OpFoldResult rest = e.rem(count, e.constant(keysInTile)), whole = e.sub(count, rest);
  Vectors now(highest);
  if (!isConstant(whole, 0))
    now = e.forLoop(
        e.constant(0), whole, e.constant(keysInTile), now, [&](Value k, ValueRange carried) {
          return scoreTile(e.add(firstKey, OpFoldResult(k)), OpFoldResult(k), keysInTile, carried);
        });
  if (auto known = constantOf(rest))
    return *known ? scoreTile(e.add(firstKey, whole), whole, *known, now) : now;
  return e.forLoop(whole, count, e.constant(1), now, [&](Value k, ValueRange carried) {
    return scoreTile(e.add(firstKey, OpFoldResult(k)), OpFoldResult(k), 1, carried);
  });
}

// Exponentials in the place of the block's scores, and the total so far.
AttentionEmitter::Vectors AttentionEmitter::weighBlock(OpFoldResult firstKey, OpFoldResult count,
                                                       ValueRange highest, ValueRange total) {
  Vectors sum(vectors, real(0));
  // Several keys at once, whose exponentials do not wait for each other.
  auto weigh = [&](OpFoldResult from, OpFoldResult to, int64_t many) {
    sum = e.forLoop(from, to, e.constant(many), sum, [&](Value k, ValueRange carried) {
      Vectors next(carried), shares;
      auto at = [&](int64_t i, int64_t v) {
        return place(scores, e.add(e.mul(e.add(OpFoldResult(k), e.constant(i)), e.constant(rows)),
                                   e.constant(v * lanes)));
      };
      for (int64_t i = 0; i < many; ++i)
        for (int64_t v = 0; v < vectors; ++v)
          shares.push_back(exponential(minus(e.load(at(i, v), f32, lanes), highest[v])));
      for (int64_t i = 0; i < many; ++i)
        for (int64_t v = 0; v < vectors; ++v) {
          Value share = shares[i * vectors + v];
          next[v] = plus(next[v], share);
          OpFoldResult key = e.add(OpFoldResult(k), e.constant(i));
          e.store(bodyOf(op.getWeights(), share, e.add(firstKey, key), key, v), at(i, v));
        }
      return next;
    });
  };
  OpFoldResult rest = e.rem(count, e.constant(keysWeighed)), whole = e.sub(count, rest);
  if (!isConstant(whole, 0))
    weigh(e.constant(0), whole, keysWeighed);
  if (!isConstant(rest, 0))
    weigh(whole, count, 1);
  for (int64_t v = 0; v < vectors; ++v) {
    Value factor = e.load(place(factors, e.constant(v * lanes)), f32, lanes);
    sum[v] = plus(times(total[v], factor), sum[v]);
  }
  return sum;
}

// Whether rows of values are copied: as words, widened, or as they are if they lie so far apart,
// those of other heads and samples between them, that a block's fall into a few sets of L1, where
// each few rows of queries would wait for L2 (1024 rows of BERT-base: 3.0 -> 2.7 ms).
bool AttentionEmitter::copiesValues() const {
  constexpr int64_t bytesOfSets = 4096, leastPlaces = 4;
  auto apart = constantOf(values.strides[2]);
  return values.elementType != f32 ||
         (rows > rowsInTile && apart &&
          bytesOfSets / std::gcd(*apart * 4, bytesOfSets) < leastPlaces);
}

// Vector `vector` of a key's values in a block of them, as they lie there.
Value AttentionEmitter::valueAt(Value first, OpFoldResult key, int64_t vector) {
  Type element = values.elementType;
  int64_t left = valueWidth - vector * lanes;
  Value at =
      e.offset(first, element, e.add(e.mul(key, values.strides[2]), e.constant(vector * lanes)));
  return left >= lanes ? e.load(at, element, lanes)
                       : e.loadMasked(at, element, e.mask(e.constant(left), lanes));
}

// Two vectors of 16 bits, element by element side by side.
Value AttentionEmitter::wordsOf(Value low, Value high) {
  SmallVector<int64_t> order;
  for (int64_t lane = 0; lane < lanes; ++lane)
    order.append({lane, lanes + lane});
  Value words = vector::ShuffleOp::create(b, loc, low, high, order);
  return vector::BitCastOp::create(b, loc, e.vectorType(word, lanes), words);
}

// The block's first value, and elements from one to the next; words where steps take pairs of keys.
std::pair<Value, OpFoldResult> AttentionEmitter::valuesOf(OpFoldResult firstKey,
                                                          OpFoldResult count) {
  Value first = e.at(values, {outer, head, firstKey});
  if (!copied)
    return {first, values.strides[2]};
  int64_t wide = llvm::divideCeil(valueWidth, lanes), stride = wide * lanes;
  OpFoldResult none = e.constant(0), whole = e.constant(stride);
  if (together > 1) {
    pair(count, wide, [&](OpFoldResult k, int64_t v) { return valueAt(first, k, v); }, copied);
    return {copied, whole};
  }
  auto copyUpTo = [&](OpFoldResult end) {
    loop(none, end, 1, [&](Value k) {
      for (int64_t v = 0; v < wide; ++v)
        e.store(widened(valueAt(first, OpFoldResult(k), v)),
                place(copied, e.add(e.mul(OpFoldResult(k), whole), e.constant(v * lanes))));
    });
  };
  if (values.elementType != f32) {
    copyUpTo(count);
    return {copied, whole};
  }
  // Few rows read them once.
  Value many = e.less(e.constant(rowsInTile), rowsHere);
  copyUpTo(arith::SelectOp::create(b, loc, many, e.index(count), e.index(none)).getResult());
  return {LLVM::SelectOp::create(b, loc, many, copied, first),
          arith::SelectOp::create(b, loc, many, e.index(whole), e.index(values.strides[2]))
              .getResult()};
}

// target[k / 2][v] <- vectors `source` of the keys k and k + 1 in 16 bits, element by element side
// by side; zero behind an odd last key.
void AttentionEmitter::pair(OpFoldResult count, int64_t across,
                            function_ref<Value(OpFoldResult, int64_t)> source, Value target) {
  Type half = b.getI16Type();
  bool isEven = isConstant(e.rem(count, e.constant(2)), 0);
  loop(e.constant(0), count, 2, [&](Value k) {
    OpFoldResult next = e.add(OpFoldResult(k), e.constant(1));
    Value exists = isEven ? Value() : e.less(next, count);
    if (!isEven)
      next = e.min(next, e.sub(count, e.constant(1)));
    Value to = wordAt(
        target, e.mul(e.floorDiv(OpFoldResult(k), e.constant(2)), e.constant(across * lanes)));
    for (int64_t v = 0; v < across; ++v) {
      auto bits = [&](OpFoldResult key) -> Value {
        return arith::BitcastOp::create(b, loc, e.vectorType(half, lanes), source(key, v));
      };
      Value low = bits(OpFoldResult(k)), high = bits(next);
      if (exists)
        high =
            arith::SelectOp::create(b, loc, exists, high, e.splat(b.getI16IntegerAttr(0), lanes));
      e.store(wordsOf(low, high), wordAt(to, e.constant(v * lanes)));
    }
  });
}

void AttentionEmitter::addValues(OpFoldResult firstKey, OpFoldResult count) {
  int64_t wide = llvm::divideCeil(valueWidth, lanes), stride = wide * lanes;
  auto [first, apart] = valuesOf(firstKey, count);
  if (together > 1)
    pair(
        count, vectors,
        [&](OpFoldResult k, int64_t v) {
          Value share = e.load(
              place(scores, e.add(e.mul(k, e.constant(rows)), e.constant(v * lanes))), f32, lanes);
          return e.convert(share, values.elementType);
        },
        shares);
  OpFoldResult steps = e.ceilDiv(count, e.constant(together));
  auto addTile = [&, first = first, apart = apart](OpFoldResult row, int64_t vector, int64_t many) {
    auto target = [&](int64_t r, int64_t v) {
      return place(sums, e.add(e.mul(e.add(row, e.constant(r)), e.constant(stride)),
                               e.constant((vector + v) * lanes)));
    };
    Vectors tile;
    for (int64_t r = 0; r < rowsInTile; ++r) {
      Value factor = e.loadBroadcast(place(factors, e.add(row, e.constant(r))), f32, lanes);
      for (int64_t v = 0; v < many; ++v)
        tile.push_back(times(e.load(target(r, v), f32, lanes), factor));
    }
    tile = e.forLoop(e.constant(0), steps, e.constant(1), tile, [&](Value k, ValueRange carried) {
      Vectors next(carried);
      SmallVector<Factor> loaded;
      Value from = wordAt(first, e.mul(OpFoldResult(k), apart));
      for (int64_t v = 0; v < many; ++v) {
        int64_t element = (vector + v) * lanes, left = valueWidth - element;
        Value at = wordAt(from, e.constant(element));
        if (values.elementType == f32 && left < lanes)
          loaded.push_back({e.loadMasked(at, f32, e.mask(e.constant(left), lanes)), {}, {}});
        else
          loaded.push_back(products->loadRhs(at, /*part=*/0, lanes));
      }
      Value sharesOfRows = wordAt(shares, e.add(e.mul(OpFoldResult(k), e.constant(rows)), row));
      for (int64_t r = 0; r < rowsInTile; ++r) {
        Factor share = products->loadLhs(wordAt(sharesOfRows, e.constant(r)), 0, lanes);
        for (int64_t v = 0; v < many; ++v)
          next[r * many + v] = products->accumulate(next[r * many + v], share, loaded[v]);
      }
      return next;
    });
    for (int64_t r = 0; r < rowsInTile; ++r)
      for (int64_t v = 0; v < many; ++v)
        e.store(tile[r * many + v], target(r, v));
  };
  // Rows beyond the last one need no values.
  loop(e.constant(0), rowsHere, rowsInTile, [&](Value row) {
    int64_t whole = wide - wide % valueVectors;
    for (int64_t vector = 0; vector < whole; vector += valueVectors)
      addTile(OpFoldResult(row), vector, valueVectors);
    if (whole < wide)
      addTile(OpFoldResult(row), whole, wide - whole);
  });
}

void AttentionEmitter::finish(ValueRange total) {
  int64_t wide = llvm::divideCeil(valueWidth, lanes), stride = wide * lanes;
  for (int64_t v = 0; v < vectors; ++v)
    e.store(total[v], place(factors, e.constant(v * lanes)));
  loop(e.constant(0), rowsHere, 1, [&](Value row) {
    Value sum = e.loadBroadcast(place(factors, OpFoldResult(row)), f32, lanes);
    Value isNone;
    if (lengths) {
      Type word = b.getI32Type();
      Value length = e.load(e.offset(lengthsHere, word, OpFoldResult(row)), word, 1);
      isNone = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, length,
                                     arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0)));
    }
    Value target = e.at(out, {outer, head, e.add(firstRow, OpFoldResult(row))});
    for (int64_t v = 0; v < wide; ++v) {
      Value at =
          place(sums, e.add(e.mul(OpFoldResult(row), e.constant(stride)), e.constant(v * lanes)));
      Value result = arith::DivFOp::create(b, loc, e.load(at, f32, lanes), sum);
      if (isNone)
        result = arith::SelectOp::create(b, loc, isNone, real(0), result);
      if (kernel::isHalf(out.elementType))
        result = e.convert(result, out.elementType);
      Value to = e.offset(target, out.elementType, e.constant(v * lanes));
      int64_t left = valueWidth - v * lanes;
      if (left >= lanes)
        e.store(result, to);
      else
        e.storeMasked(result, to, e.mask(e.constant(left), lanes));
    }
  });
}

// The highest scores and the totals so far, after the block.
AttentionEmitter::Vectors AttentionEmitter::addBlock(OpFoldResult firstKey, OpFoldResult count,
                                                     ValueRange state) {
  ValueRange before = state.take_front(vectors);
  Vectors next = scoreBlock(firstKey, count, before), shift;
  for (int64_t v = 0; v < vectors; ++v) {
    // Where all scores so far are minus infinity, exponentials are 0 and no NaN.
    Value none = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, next[v], infinite());
    shift.push_back(arith::SelectOp::create(b, loc, none, real(0), next[v]));
    e.store(exponential(minus(before[v], shift[v])), place(factors, e.constant(v * lanes)));
  }
  next.append(weighBlock(firstKey, count, shift, state.drop_front(vectors)));
  addValues(firstKey, count);
  return next;
}

void AttentionEmitter::lower(Value task) {
  scores = e.stack(f32, keysAtOnce * std::max<int64_t>(rows, 2)); // a single row has two of each
  factors = e.stack(f32, rows);
  sumCount = rows * int64_t(llvm::alignTo(valueWidth, lanes));
  sums = e.stack(f32, sumCount);
  if (copiesValues())
    copied = e.stack(word, keysAtOnce / together * int64_t(llvm::alignTo(valueWidth, lanes)));
  shares = together > 1 ? e.stack(word, keysAtOnce / together * rows) : scores;
  for (const View &extra : extras)
    transposedExtras.push_back(
        isTransposed(extra) ? e.stack(inMemory(extra.elementType), keysAtOnce * rows) : Value());
  forRange(e, rangeOfTask(e, split(), space, task), 3,
           [&](ArrayRef<OpFoldResult> at) { lowerBlock(at); });
}

void AttentionEmitter::lowerBlock(ArrayRef<OpFoldResult> at) {
  outer = at[0];
  head = at[1];
  firstRow = e.mul(at[2], e.constant(rows));
  rowsHere = e.min(e.constant(rows), e.sub(queries.sizes[2], firstRow));
  OpFoldResult all = keyCount; // readLengths narrows it
  if (!takesOneRow())
    return lowerRows();
  e.branch(
      queries.sizes[2], e.constant(2), [&] { lowerRow(); },
      [&] {
        keyCount = all;
        lowerRows();
      });
}

void AttentionEmitter::lowerRows() {
  transposeQueries();
  readLengths();
  loop(e.constant(0), e.constant(sumCount), lanes,
       [&](Value element) { e.store(real(0), place(sums, OpFoldResult(element))); });
  Vectors state(vectors, infinite());
  state.append(vectors, real(0));
  auto walk = [&](OpFoldResult from, OpFoldResult to, std::optional<int64_t> known) {
    state =
        e.forLoop(from, to, e.constant(keysAtOnce), state, [&](Value firstKey, ValueRange carried) {
          OpFoldResult first(firstKey);
          OpFoldResult count =
              known ? e.constant(*known) : e.min(e.constant(keysAtOnce), e.sub(keyCount, first));
          return addBlock(first, count, carried);
        });
  };
  if (auto known = constantOf(keyCount)) {
    int64_t rest = *known % keysAtOnce;
    OpFoldResult whole = e.constant(*known - rest);
    if (!isConstant(whole, 0))
      walk(e.constant(0), whole, keysAtOnce);
    if (rest)
      walk(whole, keyCount, rest);
  } else {
    walk(e.constant(0), keyCount, std::nullopt);
  }
  finish(ValueRange(state).drop_front(vectors));
}

static bool isSideBySide(Value view) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(cast<MemRefType>(view.getType()).getStridesAndOffset(strides, offset)) &&
         strides.back() == 1;
}

// Pairs of queries' and keys' elements, and of values; keys and values beside queries of float32
// are widened; the result is rounded when it is stored.
static bool takesHalves(kernel::AttentionOp op, OpOperand &operand) {
  auto isFloat32 = [](Value view) {
    return cast<MemRefType>(view.getType()).getElementType().isF32();
  };
  if (operand.get() == op.getOut() || (!isFloat32(operand.get()) && isFloat32(op.getQueries())))
    return true;
  auto width = cast<MemRefType>(op.getQueries().getType()).getDimSize(3);
  return operand.getOperandNumber() < kernel::AttentionOp::factors && width % 2 == 0 &&
         isSideBySide(op.getQueries()) && isSideBySide(op.getKeys());
}

static LogicalResult checkAttention(kernel::AttentionOp op, ArrayRef<View> operands,
                                    const TargetDescription &target) {
  Type queries = operands[0].elementType, keys = operands[1].elementType;
  bool isWidened = queries.isF32() && kernel::isHalf(keys) && productRowOf(target, queries, keys);
  if (operands[2].elementType != keys || !(keys == queries || isWidened) ||
      !AttentionEmitter::rowOf(target, queries, keys))
    return op.emitError("internal error: attention over ")
           << queries << ", " << keys << " and " << operands[2].elementType << ", which "
           << target.name << " does not multiply";
  return success();
}

namespace symc::codegen {
void registerAttentionLowering(DialectRegistry &registry) {
  addEmitter<kernel::AttentionOp, AttentionEmitter, checkAttention, takesHalves>(registry);
}
} // namespace symc::codegen

// AttentionRow.cpp: kernel.attention of a single row.
//
// A single row, a step of a decoder, would leave all lanes but one to copies. There keys lie in the
// lanes while scores are made: squares of them are transposed in registers. Every sum has the same
// terms in the same order, so that a step has the bits of its row among others.
#include "codegen/lower/AttentionEmitter.h"

#include <numeric>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// Keys and what is read beside them lie side by side.
bool AttentionEmitter::takesOneRow() {
  return isConstant(keys.strides[3], 1) && llvm::all_of(extras, [](const View &extra) {
           return isConstant(extra.strides[3], 0) || isConstant(extra.strides[3], 1);
         });
}

// Scores of the row and a vector of keys, of which `count` are there; others have none.
Value AttentionEmitter::scoreKeys(Value query, OpFoldResult firstKey, OpFoldResult keyInBlock,
                                  OpFoldResult count) {
  OpFoldResult key = e.add(firstKey, keyInBlock), last = e.sub(keyCount, e.constant(1));
  Vectors pointers;
  for (int64_t k = 0; k < lanes; ++k)
    pointers.push_back(e.at(keys, {outer, head, e.min(e.add(key, e.constant(k)), last)}));
  Value sum = real(0);
  // Words of keys and of the query, `many` from number `d` on.
  Type loaded = together == 1 ? keys.elementType : word;
  auto addSquare = [&](OpFoldResult d, int64_t many, Value sum) {
    Vectors square;
    for (Value pointer : pointers) {
      Value at = e.offset(pointer, loaded, d);
      square.push_back(widened(many == lanes
                                   ? e.load(at, loaded, lanes)
                                   : e.loadMasked(at, loaded, e.mask(e.constant(many), lanes))));
    }
    square = transposeRows(e, square);
    for (int64_t i = 0; i < many; ++i) {
      OpFoldResult at = e.mul(e.add(d, e.constant(i)), queries.strides[3]);
      Factor element = products->loadLhs(wordAt(query, at), /*part=*/0, lanes);
      sum = products->accumulate(sum, element, {square[i], {}, {}});
    }
    return sum;
  };
  int64_t words = width / together, rest = words % lanes, whole = words - rest;
  if (whole)
    sum = e.forLoop(e.constant(0), e.constant(whole), e.constant(lanes), {sum},
                    [&](Value d, ValueRange carried) {
                      return Vectors{addSquare(OpFoldResult(d), lanes, carried[0])};
                    })[0];
  if (rest)
    sum = addSquare(e.constant(whole), rest, sum);
  Value there = e.mask(e.min(e.constant(lanes), e.sub(count, keyInBlock)), lanes);
  Vectors arguments{sum};
  for (const View &extra : extras)
    arguments.push_back(extraOfKeys(extra, key, there));
  Value score = e.vectoriseBody(op.getScores(), arguments, lanes)[0];
  if (lengths) {
    Type word = b.getI32Type();
    Value length = e.loadBroadcast(lengthsHere, word, lanes);
    Value first = e.broadcast(arith::IndexCastOp::create(b, loc, word, e.index(key)), lanes);
    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                         arith::AddIOp::create(b, loc, first, steps()), length);
    score = arith::SelectOp::create(b, loc, inside, score, infinite());
  }
  return arith::SelectOp::create(b, loc, there, score, infinite());
}

// 0, 1, 2, ...
Value AttentionEmitter::steps() {
  SmallVector<int32_t> numbers(lanes); // 32 bits: beside lengths, which are narrowed
  std::iota(numbers.begin(), numbers.end(), 0);
  return arith::ConstantOp::create(b, loc, b.getI32VectorAttr(numbers));
}

// What the bodies read of an extra for a vector of keys.
Value AttentionEmitter::extraOfKeys(const View &extra, OpFoldResult key, Value there) {
  Value at = e.at(extra, {outer, head, firstRow, key});
  return isConstant(extra.strides[3], 1)
             ? loadElementsMasked(e, at, extra.elementType, there)
             : loadElements(e, at, extra.elementType, e.constant(0), lanes);
}

// A block of keys: the highest score and the total so far, in all lanes.
AttentionEmitter::Vectors AttentionEmitter::addToRow(Value query, OpFoldResult firstKey,
                                                     OpFoldResult count, Value highest,
                                                     Value total) {
  Value found = e.forLoop(e.constant(0), count, e.constant(lanes), {infinite()},
                          [&](Value k, ValueRange carried) {
                            Value score = scoreKeys(query, firstKey, OpFoldResult(k), count);
                            e.store(score, place(scores, OpFoldResult(k)));
                            return Vectors{larger(score, carried[0])};
                          })[0];
  Value largest = vector::ReductionOp::create(b, loc, vector::CombiningKind::MAXNUMF, found);
  Value next = larger(e.broadcast(largest, lanes), highest);
  Value none = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, next, infinite());
  Value shift = arith::SelectOp::create(b, loc, none, real(0), next);
  Value factor = exponential(minus(highest, shift));
  // Shares before and behind the nodes between softmax and values; those are added.
  Value plain = place(scores, e.constant(keysAtOnce));
  e.forLoop(e.constant(0), count, e.constant(lanes), {}, [&](Value k, ValueRange) {
    Value at = place(scores, OpFoldResult(k));
    Value share = exponential(minus(e.load(at, f32, lanes), shift));
    e.store(share, place(plain, OpFoldResult(k)));
    OpFoldResult key = e.add(firstKey, OpFoldResult(k));
    Value there = e.mask(e.min(e.constant(lanes), e.sub(count, OpFoldResult(k))), lanes);
    Vectors arguments{share};
    for (const View &extra : extras)
      arguments.push_back(extraOfKeys(extra, key, there));
    Value weighed = e.vectoriseBody(op.getWeights(), arguments, lanes)[0];
    if (together > 1) { // a word: of a key and the next one, which has none behind the last
      Value some = arith::SelectOp::create(b, loc, there, weighed, real(0));
      e.store(e.convert(some, values.elementType),
              e.offset(shares, values.elementType, OpFoldResult(k)));
    } else {
      e.store(weighed, at);
    }
    return Vectors();
  });
  Value sum =
      e.forLoop(e.constant(0), count, e.constant(1), {real(0)}, [&](Value k, ValueRange carried) {
        return Vectors{
            plus(carried[0], e.loadBroadcast(place(plain, OpFoldResult(k)), f32, lanes))};
      })[0];
  int64_t wide = llvm::divideCeil(valueWidth, lanes);
  constexpr int64_t most = 8; // vectors of values at once
  Value first = e.at(values, {outer, head, firstKey});
  for (int64_t vector = 0; vector < wide; vector += most) {
    int64_t many = std::min(most, wide - vector);
    Vectors tile;
    for (int64_t v = 0; v < many; ++v)
      tile.push_back(
          times(e.load(place(sums, e.constant((vector + v) * lanes)), f32, lanes), factor));
    auto addKeys = [&](OpFoldResult step, Vectors sum, bool hasSecond) {
      OpFoldResult key = e.mul(step, e.constant(together)), next = e.add(key, e.constant(1));
      Factor share = products->loadLhs(wordAt(shares, step), /*part=*/0, lanes);
      for (int64_t v = 0; v < many; ++v) {
        Value value = widened(valueAt(first, key, vector + v));
        if (together > 1)
          value = wordsOf(value, hasSecond ? valueAt(first, next, vector + v)
                                           : e.splat(b.getZeroAttr(values.elementType), lanes));
        sum[v] = products->accumulate(sum[v], share, {value, {}, {}});
      }
      return sum;
    };
    OpFoldResult whole = e.floorDiv(count, e.constant(together));
    tile = e.forLoop(e.constant(0), whole, e.constant(1), tile, [&](Value k, ValueRange carried) {
      return addKeys(OpFoldResult(k), Vectors(carried), /*hasSecond=*/true);
    });
    if (together > 1) // an odd last key
      tile = e.forLoop(whole, e.ceilDiv(count, e.constant(together)), e.constant(1), tile,
                       [&](Value k, ValueRange carried) {
                         return addKeys(OpFoldResult(k), Vectors(carried), /*hasSecond=*/false);
                       });
    for (int64_t v = 0; v < many; ++v)
      e.store(tile[v], place(sums, e.constant((vector + v) * lanes)));
  }
  return {next, plus(times(total, factor), sum)};
}

void AttentionEmitter::lowerRow() {
  Value query = e.at(queries, {outer, head, firstRow});
  readLengths();
  loop(e.constant(0), e.constant(llvm::alignTo(valueWidth, lanes)), lanes,
       [&](Value element) { e.store(real(0), place(sums, OpFoldResult(element))); });
  Vectors state = e.forLoop(e.constant(0), keyCount, e.constant(keysAtOnce), {infinite(), real(0)},
                            [&](Value firstKey, ValueRange carried) {
                              OpFoldResult first(firstKey);
                              OpFoldResult count =
                                  e.min(e.constant(keysAtOnce), e.sub(keyCount, first));
                              return addToRow(query, first, count, carried[0], carried[1]);
                            });
  finish(Vectors(vectors, state[1]));
}

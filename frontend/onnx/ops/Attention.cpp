//===- Attention.cpp - ONNX's attention and rotary embeddings --------------===//
#include "frontend/onnx/Operators.h"
#include <cmath>

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

namespace {

class Attention {
public:
  explicit Attention(NodeScope &node) : node(node), type(node.type(0)) {}

  bool run() {
    bool flat = node.rank(0) == 3;
    if ((!flat && node.rank(0) != 4) || node.rank(1) != node.rank(0) ||
        node.rank(2) != node.rank(0))
      return node.refuse("its operands have the ranks " + Twine(node.rank(0)) + ", " +
                         Twine(node.rank(1)) + " and " + Twine(node.rank(2)) +
                         ", needs 3 or 4 of all");
    if (node.has(4) != node.has(5))
      return node.refuse("it has one of past_key and past_value");
    int64_t queryHeads = node.integer("q_num_heads"), keyHeads = node.integer("kv_num_heads");
    if (flat && (queryHeads < 1 || keyHeads < 1))
      return node.refuse("operands of rank 3 need q_num_heads and kv_num_heads");
    Value q = heads(0, queryHeads), k = heads(1, keyHeads), v = heads(2, keyHeads);
    if (!q || !k || !v)
      return false;
    past = node.has(4) ? shapeOf(node.in(4))[2] : node.dim(0);
    if (node.has(4)) {
      k = node.concat({node.in(4), k}, 2);
      v = node.concat({node.in(5), v}, 2);
    }
    if ((node.needs(1) && !node.give(1, k)) || (node.needs(2) && !node.give(2, v)))
      return false;
    batch = shapeOf(q)[0];
    queries = shapeOf(q)[2];
    keys = shapeOf(k)[2];
    sg::Dim many = shapeOf(q)[1], few = shapeOf(k)[1], width = shapeOf(q)[3];
    if (!many.isStatic() || !few.isStatic() || !width.isStatic())
      return node.refuse("its heads have extents that are chosen at run time");
    if (!(many == few)) {
      if (few.get() == 0 || many.get() % few.get() != 0)
        return node.refuse(Twine(many.get()) + " heads of queries are no multiple of " +
                           Twine(few.get()));
      auto repeat = [&](Value x) {
        return node.make("repeat", x,
                         {node.number("repeats", many.get() / few.get()), node.number("axis", 1)});
      };
      k = repeat(k);
      v = repeat(v);
    }
    // Both sides by the root, so that the product does not overflow.
    double scale = node.given("scale") ? node.real("scale") : 1 / std::sqrt(double(width.get()));
    double root = std::sqrt(scale);
    Value scores =
        node.make("batch_dot", {node.scalar("mul", q, root), node.scalar("mul", k, root)},
                  {node.flag("transpose_b", true)});
    int64_t mode = node.integer("qk_matmul_output_mode");
    if (!shown(mode == 0, scores))
      return false;
    if (double cap = node.real("softcap"); cap != 0)
      scores = node.scalar("mul", node.unary("tanh", node.scalar("div", scores, cap)), cap);
    if (!shown(mode == 1, scores) || !addBias())
      return false;
    if (bias)
      scores = node.binary("add", scores, bias);
    if (!shown(mode == 2, scores))
      return false;
    Type precise = type;
    if (node.given("softmax_precision"))
      precise = typeOf(node.integer("softmax_precision"), node.context());
    if (!precise || !isa<FloatType>(precise))
      return node.refuse("softmax_precision names no type of floats");
    Value shares = node.make("softmax", node.cast(scores, precise), {node.number("axis", 3)});
    if (bias) {
      // Rows in which no key is allowed give zeros.
      Value most = node.reduce("max", bias, {int64_t(shapeOf(bias).rank()) - 1}, true);
      Value masked = node.make("numpy_test", most, {node.word("fn", "isneginf")});
      shares = node.where(masked, node.scalarLike(0, precise), shares);
    }
    shares = node.cast(shares, type);
    if (!shown(mode == 3, shares))
      return false;
    Value y = node.make("batch_dot", {shares, v});
    if (flat && y) {
      sg::Shape s = shapeOf(y);
      y = node.reshape(node.transpose(y, {0, 2, 1, 3}), sg::Shape({s[0], s[2], s[1] * s[3]}));
    }
    return node.give(0, y);
  }

private:
  static sg::Shape shapeOf(Value value) { return sg::shapeOf(value.getType()); }

  // [N, T, H * D] as [N, H, T, D].
  Value heads(size_t operand, int64_t count) {
    Value x = node.in(operand);
    sg::Shape s = node.shape(operand);
    if (s.rank() == 4)
      return x;
    if (!s[2].isStatic() || s[2].get() % count != 0) {
      node.refuse("the extent " + s[2].str() + " does not divide into " + Twine(count) + " heads");
      return {};
    }
    x = node.reshape(x, sg::Shape({s[0], s[1], node.dim(count), node.dim(s[2].get() / count)}));
    return x ? node.transpose(x, {0, 2, 1, 3}) : x;
  }

  bool shown(bool wanted, Value value) {
    return !wanted || !node.needs(3) || node.give(3, node.cast(value, type));
  }

  Value infinity() { return node.scalarLike(-INFINITY, type); }
  Value whole(ArrayRef<int64_t> numbers, ArrayRef<int64_t> dims) {
    return node.constant(Known::of(numbers, dims, IntegerType::get(node.context(), 64)));
  }
  Value counting(int64_t count, ArrayRef<int64_t> dims) {
    return whole(llvm::to_vector(llvm::seq<int64_t>(0, count)), dims);
  }
  // 0 where allowed, else minus infinity.
  Value asBias(Value allowed) { return node.where(allowed, node.scalarLike(0, type), infinity()); }
  void add(Value more) { bias = !bias ? more : node.binary("add", bias, more); }

  bool addBias() {
    if (node.has(3)) {
      Value mask = node.in(3);
      if (node.rank(3) < 1)
        return node.refuse("its mask has no extents");
      if (node.type(3).isInteger(1))
        mask = asBias(mask);
      sg::Dim last = shapeOf(mask)[shapeOf(mask).rank() - 1];
      if (!(last == keys)) {
        if (!last.isStatic() || !keys.isStatic() || last.get() > keys.get())
          return node.refuse("its mask is for " + last.str() + " keys, it has " + keys.str());
        std::string widths = "(";
        for (size_t i = 0; i + 1 < shapeOf(mask).rank(); ++i)
          widths += "(0,0),";
        widths += "(0," + std::to_string(keys.get() - last.get()) + "),)";
        mask = node.make(
            "numpy_pad", mask,
            {node.word("pad_width", widths), node.realNumber("constant_value", -INFINITY)});
      }
      add(node.cast(mask, type));
    }
    int64_t left = node.given("left_window_size") ? node.integer("left_window_size") : -1;
    int64_t right = node.given("right_window_size") ? node.integer("right_window_size") : -1;
    bool causal = node.integer("is_causal") != 0, padded = node.has(6);
    if (!causal && left < 0 && right < 0 && !padded)
      return true;
    if (!queries.isStatic() || !keys.isStatic() || !past.isStatic())
      return node.refuse("a causal mask or a window needs fixed numbers of queries and keys");
    Value key = counting(keys.get(), {1, keys.get()});
    Value length; // of keys that are no padding: [N, 1, 1, 1]
    if (padded) {
      Type index = IntegerType::get(node.context(), 64);
      length = node.reshape(node.cast(node.in(6), index),
                            sg::Shape({batch, node.dim(1), node.dim(1), node.dim(1)}));
    }
    if (causal || left >= 0 || right >= 0) {
      Value query = counting(queries.get(), {queries.get(), 1});
      // The place of a query among the keys.
      Value place =
          padded && !node.has(4)
              ? node.binary("add", query, node.scalar("sub", length, double(queries.get())))
              : node.binary("add", query, whole({past.get()}, {1, 1}));
      if (causal)
        add(asBias(node.compare("lesser_equal", key, place)));
      Value distance = node.binary("sub", place, key);
      if (left >= 0)
        add(asBias(node.compare("lesser_equal", distance, whole({left}, {1, 1}))));
      if (right >= 0)
        add(asBias(node.compare("greater_equal", distance, whole({-right}, {1, 1}))));
    }
    if (padded)
      add(asBias(node.compare("lesser", key, length)));
    return true;
  }

  NodeScope &node;
  Type type;
  sg::Dim batch, queries, keys, past;
  Value bias;
};

} // namespace

bool attention(NodeScope &node) { return Attention(node).run(); }

// Pairs of elements of each head rotated by the angle of their place.
bool rotaryEmbedding(NodeScope &node) {
  sg::Shape shape = node.shape(0);
  bool flat = shape.rank() == 3, interleaved = node.integer("interleaved") != 0;
  if (!flat && shape.rank() != 4)
    return node.refuse("its data has the shape " + shape.str() + ", needs three or four extents");
  Value x = node.in(0);
  if (flat) { // [N, T, H * D] as [N, T, H, D]
    int64_t count = node.integer("num_heads");
    if (count < 1 || !shape[2].isStatic() || shape[2].get() % count != 0)
      return node.refuse("num_heads is " + Twine(count) + " for the shape " + shape.str());
    x = node.reshape(
        x, sg::Shape({shape[0], shape[1], node.dim(count), node.dim(shape[2].get() / count)}));
  } else {
    x = node.transpose(x, {0, 2, 1, 3});
  }
  if (!x)
    return false;
  sg::Shape s = sg::shapeOf(x.getType());
  if (!s[3].isStatic())
    return node.refuse("its heads have an extent that is chosen at run time");
  int64_t width = s[3].get(), rotated = node.integer("rotary_embedding_dim");
  rotated = rotated == 0 ? width : rotated;
  if (rotated < 2 || rotated > width || rotated % 2 != 0)
    return node.refuse("rotary_embedding_dim is " + Twine(rotated) + " for heads of " +
                       Twine(width));
  int64_t half = rotated / 2;
  auto angles = [&](size_t i) { // [N, T, 1, half]
    Value table = node.in(i);
    if (node.has(3))
      table = node.make("take", {table, node.in(3)},
                        {node.number("axis", 0), node.word("mode", "wrap")});
    if (!table)
      return table;
    sg::Shape t = sg::shapeOf(table.getType());
    if (t.rank() == 3 && t[2].isStatic() && t[2].get() > half)
      table = node.slice(table, 2, 0, half);
    return node.expandDims(table, 2);
  };
  Value cosine = angles(1), sine = angles(2), rest;
  Value part = x;
  if (rotated < width) {
    rest = node.slice(x, 3, rotated, width);
    part = node.slice(x, 3, 0, rotated);
  }
  auto pick = [&](int64_t i) {
    return interleaved ? node.slice(part, 3, i, sg::kNoneElement, 2)
                       : node.slice(part, 3, i * half, (i + 1) * half);
  };
  Value first = pick(0), second = pick(1);
  Value a = node.binary("sub", node.binary("mul", cosine, first), node.binary("mul", sine, second));
  Value b = node.binary("add", node.binary("mul", sine, first), node.binary("mul", cosine, second));
  Value y;
  if (interleaved) {
    Value pair = node.concat({node.expandDims(a, 4), node.expandDims(b, 4)}, 4);
    y = pair ? node.reshape(pair, sg::Shape({s[0], s[1], s[2], node.dim(rotated)})) : pair;
  } else {
    y = node.concat({a, b}, 3);
  }
  if (rest)
    y = node.concat({y, rest}, 3);
  if (!y)
    return false;
  return node.give(flat ? node.reshape(y, shape) : node.transpose(y, {0, 2, 1, 3}));
}

} // namespace symc::onnx::ops

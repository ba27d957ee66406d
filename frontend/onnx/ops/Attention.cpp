//===- Attention.cpp - ONNX's attention and rotary embeddings --------------===//
#include "frontend/onnx/Body.h"
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
    // Half floats meet the values as float32: rounded before, shares lose a place of the result.
    bool half = type.isF16() || type.isBF16();
    if (half && !precise.isF64())
      precise = Float32Type::get(node.context());
    Value shares = node.make("softmax", node.cast(scores, precise), {node.number("axis", 3)});
    if (bias) {
      // Rows in which no key is allowed give zeros.
      Value most = node.reduce("max", bias, {int64_t(shapeOf(bias).rank()) - 1}, true);
      Value masked = node.make("numpy_test", most, {node.word("fn", "isneginf")});
      shares = node.where(masked, node.scalarLike(0, precise), shares);
    }
    if (!shown(mode == 3, node.cast(shares, type)))
      return false;
    if (!half)
      shares = node.cast(shares, type);
    Value y = node.make("batch_dot", {shares, half ? node.cast(v, precise) : v});
    y = node.cast(y, type);
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

//===----------------------------------------------------------------------===//
// States that are carried along a sequence
//===----------------------------------------------------------------------===//

namespace {

// The state S, [N, heads, keys, values], decays by exp(g), is corrected towards the new value and
// gets the product of key and value added; the result of a step is what the query reads of it.
class LinearAttention {
public:
  explicit LinearAttention(NodeScope &node) : node(node) {}

  bool run() {
    StringRef rule = node.text("update_rule");
    bool gated = rule == "gated" || rule == "gated_delta";
    bool delta = rule == "delta" || rule == "gated_delta";
    if (!gated && !delta && rule != "linear")
      return node.refuse("it has no update_rule " + inQuotes(rule));
    if (gated != node.has(4) || delta != node.has(5))
      return node.refuse("its update_rule " + inQuotes(rule) + " needs " +
                         (gated ? "a decay" : "no decay") + " and " +
                         (delta ? "a beta" : "no beta"));
    for (size_t i : {0, 1, 2})
      if (node.rank(i) != 3 || !node.shape(i)[2].isStatic())
        return node.refuse("operand " + Twine(i) + " has the shape " + node.shape(i).str() +
                           ", needs three extents, the last a fixed one");
    readers = node.integer("q_num_heads");
    heads = node.integer("kv_num_heads");
    if (heads < 1 || readers < 1 || readers % heads != 0 || node.shape(0)[2].get() % readers != 0 ||
        node.shape(1)[2].get() % heads != 0 || node.shape(2)[2].get() % heads != 0)
      return node.refuse("it has " + Twine(readers) + " and " + Twine(heads) +
                         " heads, which do not divide its operands");
    keys = node.shape(0)[2].get() / readers;
    values = node.shape(2)[2].get() / heads;
    wide = node.type(0).isF64() ? node.type(0) : Type(Float32Type::get(node.context()));
    batch = node.shape(0)[0];
    SmallVector<Value> data{steps(0, readers), steps(1, heads), steps(2, heads)};
    if (gated)
      data.push_back(steps(4, heads));
    if (delta)
      data.push_back(steps(5, node.shape(5)[2].isStatic(1) ? 1 : heads));
    Value state = initial();
    if (!state || llvm::is_contained(data, Value()))
      return false;
    Body body(node.state, node.location);
    SmallVector<Value> elements;
    for (Value each : data) {
      sg::Shape shape = sg::shapeOf(each.getType());
      elements.push_back(
          body.argument(sg::makeTensorType(sg::Shape(shape.list().drop_front()),
                                           sg::elementTypeOf(each.getType()), node.context())));
    }
    Value carried = body.argument(state.getType());
    auto [read, next] = step(elements, carried, gated, delta);
    if (!read || !next)
      return false;
    body.finish({read, next});
    SmallVector<Value> made =
        makeForeach(node.state, node.location, body, data, {state}, /*gathered=*/1);
    // [T, N, readers, values] to [N, T, readers * values]
    Value y = node.transpose(made[0], {1, 0, 2, 3});
    y = y ? node.reshape(y, sg::Shape({batch, node.shape(0)[1], node.dim(readers * values)})) : y;
    if (!node.give(0, node.cast(y, node.type(0))))
      return false;
    Type kept = node.has(3) ? node.type(3) : node.type(0);
    return !node.needs(1) || node.give(1, node.cast(made[1], kept));
  }

private:
  // [N, T, heads * d] as [T, N, heads, d].
  Value steps(size_t operand, int64_t count) {
    sg::Shape s = node.shape(operand);
    if (!s[2].isStatic() || s[2].get() % count != 0) {
      node.refuse("operand " + Twine(operand) + " has the shape " + s.str() + " for " +
                  Twine(count) + " heads");
      return {};
    }
    Value x = node.cast(node.in(operand), wide);
    x = node.reshape(x, sg::Shape({s[0], s[1], node.dim(count), node.dim(s[2].get() / count)}));
    return x ? node.transpose(x, {1, 0, 2, 3}) : x;
  }

  Value initial() {
    if (node.has(3))
      return node.cast(node.in(3), wide);
    Value zero = node.scalarLike(0, wide);
    return node.broadcastTo(zero,
                            sg::Shape({batch, node.dim(heads), node.dim(keys), node.dim(values)}));
  }

  std::pair<Value, Value> step(ArrayRef<Value> data, Value s, bool gated, bool delta) {
    Value q = data[0], k = data[1], v = data[2];
    size_t next = 3;
    if (gated)
      s = node.binary("mul", s, node.expandDims(node.unary("exp", data[next++]), 3));
    Value column = node.expandDims(k, 3); // [N, heads, keys, 1]
    if (delta) {
      Value read = node.reduce("sum", node.binary("mul", s, column), {2}, false);
      v = node.binary("mul", data[next], node.binary("sub", v, read));
    }
    s = node.binary("add", s, node.binary("mul", column, node.expandDims(v, 2)));
    Value all = s;
    if (readers != heads)
      all =
          node.make("repeat", s, {node.number("repeats", readers / heads), node.number("axis", 1)});
    Value y = node.reduce("sum", node.binary("mul", all, node.expandDims(q, 3)), {2}, false);
    double scale = node.real("scale");
    return {node.scalar("mul", y, scale == 0 ? 1 / std::sqrt(double(keys)) : scale), s};
  }

  NodeScope &node;
  int64_t readers = 0, heads = 0, keys = 0, values = 0;
  sg::Dim batch;
  Type wide;
};

} // namespace

bool linearAttention(NodeScope &node) { return LinearAttention(node).run(); }

// A depthwise window over what came before and each element itself.
bool causalConv(NodeScope &node) {
  sg::Shape x = node.shape(0), w = node.shape(1);
  if (x.rank() != 3 || w.rank() != 3 || !w.isStatic() || !x[1].isStatic() ||
      w[0].get() != x[1].get() || !w[1].isStatic(1))
    return node.refuse("its weight has the shape " + w.str() + " for data of " + x.str());
  int64_t channels = w[0].get(), before = w[2].get() - 1;
  StringRef activation = node.text("activation");
  if (activation != "none" && activation != "silu" && activation != "swish")
    return node.refuse("it has no activation " + inQuotes(activation));
  Value all = node.in(0);
  if (before > 0 && node.has(3))
    all = node.concat({node.in(3), all}, 2);
  else if (before > 0)
    all = node.make("numpy_pad", all,
                    {node.word("pad_width", "((0,0),(0,0),(" + std::to_string(before) + ",0))"),
                     node.realNumber("constant_value", 0)});
  SmallVector<Value> operands{all, node.in(1)};
  if (node.has(2))
    operands.push_back(node.in(2));
  Value y = node.make("convolution", operands,
                      {node.list("kernel", {before + 1}), node.number("num_filter", channels),
                       node.number("num_group", channels), node.flag("no_bias", !node.has(2))});
  if (activation != "none" && y) {
    Value wide = node.type(0).isF64() ? y : node.cast(y, Float32Type::get(node.context()));
    y = node.cast(node.binary("mul", wide, node.unary("sigmoid", wide)), node.type(0));
  }
  if (!node.give(0, y) || !node.needs(1))
    return node.reason.empty();
  if (before == 0) {
    if (!x.isStatic())
      return node.refuse("a state without elements of a batch that is chosen at run time");
    return node.give(1, node.constant(Known{node.type(0), {x[0].get(), channels, 0}, {}, {}}));
  }
  return node.give(1, node.slice(all, 2, -before, sg::kNoneElement));
}

} // namespace symc::onnx::ops

//===- Classic.cpp - ONNX's operators of classic machine learning -----------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Places.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

bool binarizer(NodeScope &node) {
  Value above =
      node.make("numpy_scalar", node.in(0),
                {node.word("fn", "greater"), node.realNumber("scalar", node.real("threshold")),
                 node.flag("is_int", false)});
  return node.give(node.cast(above, node.type(0)));
}

// Columns of rows; a vector is one row.
bool arrayFeatureExtractor(NodeScope &node) {
  Value x = node.in(0);
  if (node.rank(0) == 0)
    return node.refuse("its data has no extents");
  if (node.rank(0) == 1)
    x = node.expandDims(x, 0);
  if (!x)
    return false;
  auto last = int64_t(sg::shapeOf(x.getType()).rank()) - 1;
  return node.give(node.make("take", {x, flattened(node, node.in(1))},
                             {node.number("axis", last), node.word("mode", "raise")}));
}

// How often each n-gram of a list occurs in a row, elements next to each other or with some
// skipped between: comparisons of all places with all n-grams of a length.
bool tfIdf(NodeScope &node) {
  if (node.given("pool_strings"))
    return node.refuse("strings have no element type");
  StringRef mode = node.text("mode");
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF")
    return node.refuse("it has no mode " + inQuotes(mode));
  ArrayRef<int64_t> pool = node.integers("pool_int64s"), starts = node.integers("ngram_counts"),
                    columns = node.integers("ngram_indexes");
  int64_t least = node.integer("min_gram_length"), most = node.integer("max_gram_length"),
          skips = node.integer("max_skip_count");
  sg::Shape shape = node.shape(0);
  if ((shape.rank() != 1 && shape.rank() != 2) || !shape[shape.rank() - 1].isStatic())
    return node.refuse("its data has the shape " + shape.str() +
                       ", needs one or two extents, the last a fixed one");
  const Attribute *weights = node.find("weights");
  int64_t width = 0;
  for (int64_t column : columns)
    width = std::max(width, column + 1);
  if (columns.empty() || llvm::any_of(columns, [](int64_t c) { return c < 0; }) ||
      width > (1 << 24) || least < 1 || most < least || skips < 0 || skips > 1024 ||
      (weights && weights->reals.size() != columns.size()))
    return node.refuse("its lists of n-grams do not fit each other");
  Type whole = int64Type(node), real = Float32Type::get(node.context());
  Value rows = node.cast(node.in(0), whole);
  if (shape.rank() == 1)
    rows = node.expandDims(rows, 0);
  int64_t length = shape[shape.rank() - 1].get(), first = 0;
  Value sum;
  for (auto [i, start] : enumerate(starts)) {
    auto n = int64_t(i) + 1;
    int64_t end = i + 1 < starts.size() ? starts[i + 1] : int64_t(pool.size());
    if (start < 0 || end < start || end > int64_t(pool.size()) || (end - start) % n != 0)
      return node.refuse("its lists of n-grams do not fit each other");
    int64_t count = (end - start) / n, before = first;
    first += count;
    if (first > int64_t(columns.size()))
      return node.refuse("its lists of n-grams do not fit each other");
    if (count == 0 || n < least || n > most)
      continue;
    Value found;
    for (int64_t step = 1; step <= (n == 1 ? 1 : skips + 1); ++step) {
      int64_t places = length - (n - 1) * step;
      if (places < 1)
        break;
      Value all; // [rows, n-grams, places]
      for (int64_t k = 0; k < n; ++k) {
        SmallVector<int64_t> wanted;
        for (int64_t g = 0; g < count; ++g)
          wanted.push_back(pool[size_t(start + g * n + k)]);
        Value part = node.expandDims(node.slice(rows, 1, k * step, k * step + places), 1);
        Value same =
            node.compare("equal", part, node.constant(Known::of(wanted, {1, count, 1}, whole)));
        all = all ? node.binary("logical_and", all, same) : same;
      }
      Value times = node.reduce("sum", node.cast(all, real), {2}, false);
      found = found ? node.binary("add", found, times) : times;
    }
    if (!found)
      continue;
    if (mode == "IDF") // whether it occurs
      found = node.scalar("minimum", found, 1);
    std::vector<double> matrix(size_t(count * width), 0);
    for (int64_t g = 0; g < count; ++g)
      matrix[size_t(g * width + columns[size_t(before + g)])] =
          mode != "TF" && weights ? double(weights->reals[size_t(before + g)]) : 1;
    Value part = node.matmul(found, node.constant(Known::real64(matrix, {count, width}, real)));
    sum = sum ? node.binary("add", sum, part) : part;
  }
  if (!sum) {
    sg::Dim batch = shape.rank() == 1 ? node.dim(1) : shape[0];
    sum = node.broadcastTo(node.scalarLike(0, real), sg::Shape({batch, node.dim(width)}));
  }
  if (shape.rank() == 1)
    sum = node.reshape(sum, sg::Shape({node.dim(width)}));
  return node.give(sum);
}

} // namespace symc::onnx::ops

//===- Classic.cpp - ONNX's operators of classic machine learning -----------===//
#include "frontend/onnx/ops/Classic.h"
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Places.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

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

int64_t transformOf(StringRef name) {
  return llvm::StringSwitch<int64_t>(name)
      .Case("NONE", 0)
      .Case("SOFTMAX", 1)
      .Case("LOGISTIC", 2)
      .Case("SOFTMAX_ZERO", 3)
      .Case("PROBIT", 4)
      .Default(-1);
}

Value transformedScores(NodeScope &node, Value y, int64_t kind) {
  if (kind == 1)
    return node.make("softmax", y, {node.number("axis", 1)});
  if (kind == 2)
    return node.unary("sigmoid", y);
  if (kind == 3) { // zeros stay, and take no part
    Type type = sg::elementTypeOf(y.getType());
    Value zero = node.scalarLike(0, type);
    Value none = node.compare("equal", y, zero);
    Value low = node.scalarLike(-std::numeric_limits<double>::infinity(), type);
    Value shares = node.make("softmax", node.where(none, low, y), {node.number("axis", 1)});
    return node.where(none, zero, shares);
  }
  if (kind == 4) // sqrt(2) * erfinv(2 * y - 1)
    return node.scalar("mul", node.unary("erfinv", node.scalar("sub", node.scalar("mul", y, 2), 1)),
                       std::sqrt(2.0));
  return y;
}

// One number, or one for each feature, as floats; nothing after a refusal.
static Value featureNumbers(NodeScope &node, StringRef name, double otherwise) {
  const Attribute *list = node.find(name);
  Type type = Float32Type::get(node.context());
  if (!list || list->reals.empty())
    return node.scalarLike(otherwise, type);
  auto count = int64_t(list->reals.size());
  sg::Shape shape = node.shape(0);
  if (count != 1 && (shape.rank() < 1 || !shape[shape.rank() - 1].isStatic(count))) {
    node.refuse(name + " has " + Twine(count) + " numbers for data of the shape " + shape.str());
    return {};
  }
  std::vector<double> numbers(list->reals.begin(), list->reals.end());
  return node.constant(Known::real64(numbers, {count}, type));
}

bool scaler(NodeScope &node) {
  Value offset = featureNumbers(node, "offset", 0), scale = featureNumbers(node, "scale", 1);
  Value x = node.cast(node.in(0), Float32Type::get(node.context()));
  return node.give(node.binary("mul", node.binary("sub", x, offset), scale));
}

// Rows divided by their greatest element, or by a norm; those where that is 0 stay.
bool normalizer(NodeScope &node) {
  StringRef norm = node.text("norm");
  if (norm != "MAX" && norm != "L1" && norm != "L2")
    return node.refuse("it has no norm " + inQuotes(norm));
  if (node.rank(0) != 1 && node.rank(0) != 2)
    return node.refuse("its data has the shape " + node.shape(0).str() +
                       ", needs one or two extents");
  Type type = Float32Type::get(node.context());
  Value x = node.cast(node.in(0), type), part = x;
  if (norm != "MAX")
    part = norm == "L1" ? node.unary("abs", x) : node.unary("square", x);
  Value by = node.reduce(norm == "MAX" ? "max" : "sum", part, {node.rank(0) - 1}, true);
  if (norm == "L2")
    by = node.unary("sqrt", by);
  if (!by)
    return false;
  Value none = node.compare("equal", by, node.scalarLike(0, type));
  return node.give(node.binary("div", x, node.where(none, node.scalarLike(1, type), by)));
}

bool linearRegressor(NodeScope &node) {
  const Attribute *factors = node.find("coefficients"), *added = node.find("intercepts");
  int64_t targets = node.integer("targets"), transform = transformOf(node.text("post_transform"));
  sg::Shape shape = node.shape(0);
  Value x = node.cast(node.in(0), Float32Type::get(node.context()));
  if (shape.rank() == 1)
    x = node.expandDims(x, 0);
  if (!factors || (shape.rank() != 1 && shape.rank() != 2) || !shape[shape.rank() - 1].isStatic() ||
      targets < 1 || targets > (1 << 24) ||
      int64_t(factors->reals.size()) != targets * shape[shape.rank() - 1].get() ||
      (added && !added->reals.empty() && int64_t(added->reals.size()) != targets))
    return node.refuse("its coefficients and intercepts do not fit " + Twine(targets) +
                       " targets of data of the shape " + shape.str());
  if (transform < 0)
    return node.refuse("it has no post_transform " + inQuotes(node.text("post_transform")));
  Type type = Float32Type::get(node.context());
  std::vector<double> numbers(factors->reals.begin(), factors->reals.end());
  Value y = node.matmul(
      x, node.transpose(
             node.constant(Known::real64(numbers, {targets, shape[shape.rank() - 1].get()}, type)),
             {1, 0}));
  if (added && !added->reals.empty()) {
    std::vector<double> offsets(added->reals.begin(), added->reals.end());
    y = node.binary("add", y, node.constant(Known::real64(offsets, {targets}, type)));
  }
  return node.give(y ? transformedScores(node, y, transform) : y);
}

// What is missing, a number or no number, replaced by a number for each feature.
bool imputer(NodeScope &node) {
  Type type = node.type(0);
  if (!type.isF32())
    return node.refuse("its data has the element type " + sg::typeName(type) + ", needs float32");
  const Attribute *list = node.find("imputed_value_floats");
  if (!list || list->reals.empty())
    return node.refuse("it has no imputed_value_floats");
  double missing = node.real("replaced_value_float");
  Value with = featureNumbers(node, "imputed_value_floats", 0), x = node.in(0);
  if (!with)
    return false;
  Value where = std::isnan(missing) ? node.make("numpy_test", x, {node.word("fn", "isnan")})
                                    : node.compare("equal", x, node.scalarLike(missing, type));
  return node.give(node.where(where, with, x));
}

// Rows of several operands beside each other, as floats.
bool featureVectorizer(NodeScope &node) {
  ArrayRef<int64_t> counts = node.integers("inputdimensions");
  if (counts.size() != node.count())
    return node.refuse("inputdimensions has " + Twine(counts.size()) + " numbers for " +
                       Twine(node.count()) + " operands");
  SmallVector<Value> parts;
  for (size_t i = 0; i < node.count(); ++i) {
    sg::Shape shape = node.shape(i);
    if ((shape.rank() != 1 && shape.rank() != 2) || !shape[shape.rank() - 1].isStatic(counts[i]))
      return node.refuse("operand " + Twine(i) + " has the shape " + shape.str() +
                         ", inputdimensions has " + Twine(counts[i]));
    Value x = node.cast(node.in(i), Float32Type::get(node.context()));
    parts.push_back(shape.rank() == 1 ? node.expandDims(x, 0) : x);
  }
  return node.give(node.concat(parts, 1));
}

} // namespace symc::onnx::ops

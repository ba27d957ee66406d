// ReshapeCodes.cpp: Reshape's codes, read one by one beside data's extents. The
// inferred extent (-1, or 0 in target_shape) is filled in at the end, by division.
#include "ir/ReshapeCodes.h"
#include "ir/ExtentPolynomials.h"

#include <algorithm>

using namespace mlir;
using namespace symc::sg;

std::optional<Dim> symc::sg::divideExtents(ArrayRef<Dim> whole, ArrayRef<Dim> parts,
                                           MLIRContext *context) {
  SmallVector<Dim> above(whole), below;
  for (Dim part : parts) {
    auto *same = part.isKnown() ? llvm::find(above, part) : above.end();
    if (same != above.end())
      above.erase(same);
    else
      below.push_back(part);
  }
  Dim dividend = Shape(above).product(0, above.size(), context);
  Dim divisor = Shape(below).product(0, below.size(), context);
  if (!dividend.isKnown() || !divisor.isKnown())
    return Dim();
  if (dividend == divisor)
    return Dim::constant(1, context);
  if (divisor.isStatic() && divisor.get() <= 0)
    return std::nullopt;
  if (divisor.isStatic() && dividend.getExpr().isMultipleOf(divisor.get()))
    return floorDiv(dividend, divisor.get());
  return divideExactly(dividend, divisor);
}

FailureOr<Dim> symc::sg::divideEvenly(ShapeScope &scope, Dim extent, int64_t by,
                                      llvm::function_ref<void(raw_ostream &)> message) {
  if (std::optional<Dim> rest = divideExtents({extent}, {scope.dim(by)}, scope.context()))
    return *rest;
  if (by <= 0)
    return scope.refuse(message);
  if (failed(scope.need(multipleOf(extent, by), message)))
    return failure();
  return floorDiv(extent, by);
}

LogicalResult symc::sg::needAll(ShapeScope &scope, const ReshapeNeeds &needs) {
  for (auto &[need, sentence] : needs)
    if (failed(scope.need(need, [&](raw_ostream &message) { message << sentence; })))
      return failure();
  return success();
}

// The product of `whole` divided by that of `parts`, and what that needs of sizes; nothing where
// no size divides.
static std::optional<Dim> divideOrNeed(ArrayRef<Dim> whole, ArrayRef<Dim> parts,
                                       MLIRContext *context, ReshapeNeeds &needs,
                                       const std::string &sentence) {
  if (std::optional<Dim> rest = divideExtents(whole, parts, context))
    return rest;
  Dim dividend = Shape(whole).product(0, whole.size(), context),
      divisor = Shape(parts).product(0, parts.size(), context);
  if (!divisor.isStatic() || divisor.get() <= 0 || dividend.isStatic())
    return std::nullopt;
  needs.push_back({multipleOf(dividend, divisor.get()), sentence});
  return floorDiv(dividend, divisor.get());
}

// Fills output[inferred] with what data's elements leave for it.
static Shape inferRest(Shape output, std::optional<size_t> inferred, const Shape &data,
                       StringRef parameter, MLIRContext *context, ReshapeNeeds &needs,
                       std::string &message) {
  if (!inferred)
    return output;
  SmallVector<Dim> others(output.list());
  others.erase(others.begin() + *inferred);
  std::string sentence = "data has shape " + data.str() +
                         ", whose elements do not divide by the extents " + Shape(others).str() +
                         " of parameter '" + parameter.str() + "'";
  std::optional<Dim> rest = divideOrNeed(data.list(), others, context, needs, sentence);
  if (!rest) {
    message = sentence;
    return Shape();
  }
  output[*inferred] = *rest;
  return output;
}

Shape symc::sg::applyReshapeCodes(ArrayRef<int64_t> given, bool reverse, const Shape &data,
                                  MLIRContext *context, ReshapeNeeds &needed,
                                  std::string &message) {
  SmallVector<int64_t> codes(given);
  SmallVector<Dim> extents(data.list());
  if (reverse) {
    std::reverse(codes.begin(), codes.end());
    std::reverse(extents.begin(), extents.end());
  }
  Shape output{size_t(0)};
  std::optional<size_t> inferred;
  size_t source = 0;
  auto wrong = [&](const Twine &text) {
    message = ("parameter 'shape': " + text).str();
    return Shape();
  };
  auto needs = [&](size_t count) { return source + count <= extents.size(); };
  auto tooFew = [&](int64_t code) {
    return wrong("code " + Twine(code) + " needs more extents than data's shape " + data.str() +
                 " has");
  };
  for (size_t i = 0; i < codes.size(); ++i) {
    int64_t code = codes[i];
    if (code > 0) {
      output.push_back(Dim::constant(code, context));
      ++source;
    } else if (code == 0) {
      if (!needs(1))
        return tooFew(code);
      output.push_back(extents[source++]);
    } else if (code == -1) {
      if (inferred)
        return wrong("-1 stands twice, only one extent can be what is left");
      inferred = output.rank();
      output.push_back(Dim());
      ++source;
    } else if (code == -2) {
      while (source < extents.size())
        output.push_back(extents[source++]);
    } else if (code == -3) {
      if (!needs(2))
        return tooFew(code);
      output.push_back(extents[source] * extents[source + 1]);
      source += 2;
    } else if (code == -4) {
      if (i + 2 >= codes.size())
        return wrong("code -4 needs two numbers behind it");
      if (!needs(1))
        return tooFew(code);
      int64_t first = codes[i + 1], second = codes[i + 2];
      Dim whole = extents[source++];
      i += 2;
      if (first < -1 || second < -1 || first == 0 || second == 0 || (first == -1 && second == -1))
        return wrong("code -4 is followed by " + Twine(first) + " and " + Twine(second) +
                     ", needs two extents of which one may be -1");
      SmallVector<Dim> parts;
      for (int64_t part : {first, second})
        if (part != -1)
          parts.push_back(Dim::constant(part, context));
      std::string sentence = ("parameter 'shape': code -4 cannot split the extent " + whole.str() +
                              " into " + Twine(first) + " and " + Twine(second))
                                 .str();
      std::optional<Dim> rest;
      if (parts.size() < 2)
        rest = divideOrNeed({whole}, parts, context, needed, sentence);
      else if (!whole.isStatic() || whole.isStatic(first * second)) {
        needed.push_back({equals(whole, first * second), sentence});
        rest = Dim();
      }
      if (!rest) {
        message = sentence;
        return Shape();
      }
      output.push_back(first == -1 ? *rest : Dim::constant(first, context));
      output.push_back(second == -1 ? *rest : Dim::constant(second, context));
    } else {
      return wrong("code " + Twine(code) + " is none of 0, -1, -2, -3, -4 or an extent");
    }
  }
  output = inferRest(output, inferred, data, "shape", context, needed, message);
  if (reverse && output.isRanked()) {
    SmallVector<Dim> reversed(output.list());
    std::reverse(reversed.begin(), reversed.end());
    output = Shape(reversed);
  }
  return output;
}

Shape symc::sg::applyTargetShape(ArrayRef<int64_t> target, bool keepHighest, const Shape &data,
                                 MLIRContext *context, ReshapeNeeds &needs, std::string &message) {
  Shape output(target.size());
  std::optional<size_t> inferred;
  for (size_t i = 0; i < target.size(); ++i) {
    if (i == 0 && keepHighest && data.rank() > 0) {
      output[0] = data[0];
    } else if (target[i] > 0) {
      output[i] = Dim::constant(target[i], context);
    } else if (target[i] == 0 && !inferred) {
      inferred = i;
    } else {
      message = target[i] == 0
                    ? std::string("parameter 'target_shape': 0 stands twice, only one extent can "
                                  "be what is left")
                    : "parameter 'target_shape' has the extent " + std::to_string(target[i]) +
                          ", needs extents of at least 0";
      return Shape();
    }
  }
  return inferRest(output, inferred, data, "target_shape", context, needs, message);
}

LogicalResult symc::sg::checkSameCount(ShapeScope &scope, StringRef name) {
  const Shape &data = scope.input(0), &output = scope.output(0);
  if (!data.isFullyKnown() || !output.isFullyKnown())
    return success();
  std::optional<Dim> ratio = divideExtents(data.list(), output.list(), scope.context());
  if (ratio && ratio->isStatic(1))
    return success();
  auto count = [&](const Shape &shape) { return shape.product(0, shape.rank(), scope.context()); };
  return scope.need(Need::zero(count(data) - count(output)), [&](raw_ostream &message) {
    message << name << " has shape " << data.str() << " and output " << output.str()
            << ", which are not the same number of elements";
  });
}

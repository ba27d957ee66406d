// NestNormalForm.cpp: see NestNormalForm.h. Works on expressions, so that
// symbolic extents merge too.
#include "codegen/kernel/NestNormalForm.h"

#include <map>
#include <numeric>

using namespace mlir;
using symc::kernel::ViewOrigin;

static std::optional<int64_t> constantOf(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  return std::nullopt;
}

namespace {
/// A sum of products: sorted factors -> coefficient. A factor is a symbol's
/// number, or an opaque quotient's place in `opaque`.
struct Polynomial {
  using Factors = SmallVector<unsigned, 4>;
  std::map<std::vector<unsigned>, int64_t> terms;
};
} // namespace

static Polynomial expand(AffineExpr expr, SmallVectorImpl<AffineExpr> &opaque) {
  Polynomial result;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    if (constant.getValue() != 0)
      result.terms[{}] = constant.getValue();
    return result;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  bool sum = binary && binary.getKind() == AffineExprKind::Add;
  bool product = binary && binary.getKind() == AffineExprKind::Mul;
  if (!sum && !product) {
    auto *place = llvm::find(opaque, expr);
    unsigned number = place - opaque.begin();
    if (place == opaque.end())
      opaque.push_back(expr);
    result.terms[{number}] = 1;
    return result;
  }
  Polynomial a = expand(binary.getLHS(), opaque), b = expand(binary.getRHS(), opaque);
  if (sum) {
    result = a;
    for (auto &[factors, coefficient] : b.terms)
      result.terms[factors] += coefficient;
  } else {
    for (auto &[aFactors, aCoefficient] : a.terms)
      for (auto &[bFactors, bCoefficient] : b.terms) {
        std::vector<unsigned> factors = aFactors;
        factors.insert(factors.end(), bFactors.begin(), bFactors.end());
        std::sort(factors.begin(), factors.end());
        result.terms[factors] += aCoefficient * bCoefficient;
      }
  }
  for (auto term = result.terms.begin(); term != result.terms.end();)
    term = term->second == 0 ? result.terms.erase(term) : std::next(term);
  return result;
}

static bool sameValue(AffineExpr a, AffineExpr b) {
  if (a == b)
    return true;
  SmallVector<AffineExpr> opaque;
  return expand(a, opaque).terms == expand(b, opaque).terms;
}

static void keepDims(ArrayRef<ViewOrigin *> views, ArrayRef<unsigned> dims) {
  for (ViewOrigin *view : views) {
    auto sizes = view->sizes, strides = view->strides;
    view->sizes.clear();
    view->strides.clear();
    for (unsigned d : dims) {
      view->sizes.push_back(sizes[d]);
      view->strides.push_back(strides[d]);
    }
  }
}

void symc::codegen::normaliseNest(ArrayRef<ViewOrigin *> views, unsigned leading) {
  ViewOrigin &lead = *views[leading];
  SmallVector<unsigned> dims;
  for (unsigned d = 0; d < lead.sizes.size(); ++d)
    if (constantOf(lead.sizes[d]) != 1)
      dims.push_back(d);

  bool known =
      llvm::all_of(dims, [&](unsigned d) { return constantOf(lead.strides[d]).has_value(); });
  llvm::stable_sort(dims, [&](unsigned a, unsigned b) {
    auto first = constantOf(lead.strides[a]), second = constantOf(lead.strides[b]);
    if (known)
      return *first > *second;
    return first != 1 && second == 1; // the unit stride goes last
  });
  // One extent per index: operands may write the same extent in other words.
  for (ViewOrigin *view : views)
    view->sizes = lead.sizes;
  keepDims(views, dims);

  for (size_t d = lead.sizes.size(); d-- > 1;) {
    bool merge = llvm::all_of(views, [&](ViewOrigin *view) {
      return sameValue(view->strides[d - 1], view->strides[d] * view->sizes[d]);
    });
    if (!merge)
      continue;
    for (ViewOrigin *view : views)
      mergeIntoPrevious(*view, d);
  }
}

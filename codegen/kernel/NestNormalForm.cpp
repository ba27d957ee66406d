// NestNormalForm.cpp: see NestNormalForm.h. Works on expressions, so that
// symbolic extents merge too.
#include "codegen/kernel/NestNormalForm.h"

#include "codegen/kernel/Extents.h"
#include "ir/ExtentPolynomials.h"

using namespace mlir;
using namespace symc;
using symc::codegen::constantOf;
using symc::kernel::ViewOrigin;

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
      return sg::areEqual(view->strides[d - 1], view->strides[d] * view->sizes[d]);
    });
    if (!merge)
      continue;
    for (ViewOrigin *view : views)
      mergeIntoPrevious(*view, d);
  }
}

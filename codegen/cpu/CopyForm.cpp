// CopyForm.cpp: see CopyForm.h.
#include "codegen/cpu/CopyForm.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace symc::codegen;

CopyForm symc::codegen::copyForm(ArrayRef<int64_t> sizes, ArrayRef<int64_t> sourceStrides,
                                 ArrayRef<int64_t> targetStrides, int64_t elementBytes,
                                 const TargetDescription &target) {
  CopyForm form;
  size_t rank = sizes.size();
  if (rank == 0 || targetStrides.back() != 1)
    return form;
  form.lanes = target.lanes(elementBytes);
  auto fits = [&](unsigned axis) {
    return ShapedType::isDynamic(sizes[axis]) || sizes[axis] >= form.lanes;
  };
  if (sourceStrides.back() != 1 && sourceStrides.back() != 0) {
    // A square and what it becomes are in registers.
    form.lanes = std::min<int64_t>(form.lanes, target.vectorRegisters / 2);
    for (unsigned axis = 0; axis + 1 < rank; ++axis)
      if (sourceStrides[axis] == 1) {
        while (form.lanes > 1 && !(fits(axis) && fits(rank - 1)))
          form.lanes /= 2;
        if (form.lanes > 1)
          form.transposed = axis;
        return form;
      }
  }
  while (form.lanes > 1 && !fits(rank - 1))
    form.lanes /= 2;
  return form;
}

// NumpyShapes.h: whether a graph was saved under NumPy's shapes, where () is a shape of its
// own and not one that is unknown.
#ifndef SYMC_IR_NUMPYSHAPES_H
#define SYMC_IR_NUMPYSHAPES_H

#include "ir/Inference.h"
#include "mlir/IR/BuiltinOps.h"

namespace symc::sg {

inline bool hasNumpyShapes(ShapeScope &scope) {
  auto module = scope.operation()->getParentOfType<mlir::ModuleOp>();
  return module && module->hasAttr("sg.np_shape");
}

} // namespace symc::sg

#endif // SYMC_IR_NUMPYSHAPES_H

// ValueSizes.cpp: see ValueSizes.h.
#include "ir/ValueSizes.h"
#include "ir/ControlFlow.h"

using namespace mlir;
using namespace symc::sg;

std::optional<int64_t> symc::sg::decidedSize(Operation *op) {
  auto node = dyn_cast<DecidesSizeInterface>(op);
  return node ? node.getDecidedSize() : std::nullopt;
}

int64_t symc::sg::addSize(Operation *op, Dim bound, int64_t axis) {
  auto graph = op->getParentOfType<GraphOp>();
  Builder builder(op->getContext());
  SmallVector<int64_t> least(graph.getDimMin().value_or(ArrayRef<int64_t>()));
  SmallVector<int64_t> most(graph.getDimMax().value_or(ArrayRef<int64_t>()));
  SmallVector<Attribute> names;
  if (ArrayAttr known = graph.getDimNamesAttr())
    names.assign(known.begin(), known.end());
  int64_t number = most.size(), size = bound.valueAt(most).get();
  names.push_back(builder.getStringAttr(nodeName(op) + "[" + Twine(axis) + "]"));
  least.push_back(0);
  most.push_back(size);
  graph.setDimNamesAttr(builder.getArrayAttr(names));
  graph.setDimMinAttr(builder.getDenseI64ArrayAttr(least));
  graph.setDimMaxAttr(builder.getDenseI64ArrayAttr(most));
  return number;
}

LogicalResult symc::sg::checkDecides(ShapeScope &scope) {
  Operation *op = scope.operation();
  if (op->getParentOfType<GraphOp>().getSymName() == "main") // which nothing calls
    return success();
  if (!llvm::is_contained(bodiesOf(op->getParentOfType<ModuleOp>()),
                          op->getParentOfType<GraphOp>()))
    return success();
  return scope.error() << "is in the body of a loop or choice, where no value may decide a size";
}

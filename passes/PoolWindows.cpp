// PoolWindows.cpp: see PoolWindows.h.
#include "passes/PoolWindows.h"

#include "ir/GraphDialect.h"
#include "ir/WindowShapes.h"

using namespace mlir;
using namespace symc::sg;

bool symc::everyWindowHoldsAPixel(PoolingOp pool) {
  return everyWindowHoldsAPixel(pool, pool.getData(), {pool.getPad(), pool.getPadEnd()});
}

bool symc::everyWindowHoldsAPixel(PoolingOp pool, Value data, const Padding &padding) {
  PoolWindow window{pool.getKernel(),
                    pool.getStride(),
                    padding,
                    pool.getGlobalPool(),
                    pool.getPoolingConvention(),
                    isChannelLast(pool.getLayout())};
  auto graph = pool->getParentOfType<GraphOp>();
  SymbolRanges sizes{graph.getDimMin().value_or(ArrayRef<int64_t>()),
                     graph.getDimMax().value_or(ArrayRef<int64_t>())};
  return everyWindowHoldsAnElement(window, shapeOf(data.getType()), sizes);
}

// PoolWindows.cpp: see PoolWindows.h.
#include "passes/PoolWindows.h"

#include "ir/GraphDialect.h"
#include "ir/WindowShapes.h"

using namespace mlir;
using namespace symc::sg;

bool symc::everyWindowHoldsAPixel(PoolingOp pool) {
  PoolWindow window{pool.getKernel(),
                    pool.getStride(),
                    pool.getPad(),
                    pool.getGlobalPool(),
                    pool.getPoolingConvention(),
                    isChannelLast(pool.getLayout())};
  auto graph = pool->getParentOfType<GraphOp>();
  SymbolRanges sizes{graph.getDimMin().value_or(ArrayRef<int64_t>()),
                     graph.getDimMax().value_or(ArrayRef<int64_t>())};
  return everyWindowHoldsAnElement(window, shapeOf(pool.getData().getType()), sizes);
}

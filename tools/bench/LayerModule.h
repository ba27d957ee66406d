// LayerModule.h: one layer as an MLIR module of two functions, made by its kernel op's
// own lowering:
//   count(batch, rows, columns) -> tasks
//   task(data, weights, bias, residual, out, scratch, slots, batch, rows, columns, task)
#ifndef SYMC_TOOLS_BENCH_LAYERMODULE_H
#define SYMC_TOOLS_BENCH_LAYERMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "tools/bench/KernelJit.h"

namespace symc::bench {

struct LayerModule {
  mlir::OwningOpRef<mlir::ModuleOp> module; // null after an error, which was printed
  /// The tile, then the block of Winograd or the unit of Strassen's product.
  std::vector<int64_t> tile;
  int64_t scratchElements = 0;
};

/// The dialects of such modules and their translation.
void loadLayerDialects(mlir::MLIRContext &context);

LayerModule buildLayerModule(const Layer &layer, const codegen::TargetDescription &target,
                             mlir::MLIRContext &context);

} // namespace symc::bench

#endif // SYMC_TOOLS_BENCH_LAYERMODULE_H

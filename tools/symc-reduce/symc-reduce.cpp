// symc-reduce: shrinks textual IR that a script finds interesting
// (docs/debugging.md). MLIR's reducer with symc's dialects and passes.
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "tools/driver/Dialects.h"

int main(int argc, char **argv) {
  symc::registerToolPasses();
  mlir::DialectRegistry registry;
  symc::registerToolDialects(registry);
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}

// symc-opt: runs single passes over textual IR, for tests and debugging. Knows
// every dialect that symc uses and every pass of symc.
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tools/driver/Dialects.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  symc::registerToolDialects(registry);
  symc::registerToolPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "symc-opt\n", registry));
}

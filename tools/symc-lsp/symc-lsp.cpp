// symc-lsp: the language server of textual sg and kernel IR, for editors
// (docs/debugging.md). MLIR's server with symc's dialects.
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tools/driver/Dialects.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  symc::registerToolDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}

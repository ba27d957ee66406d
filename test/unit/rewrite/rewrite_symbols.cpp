//===- rewrite_symbols.cpp - reads symbol files and writes them again -----===//
//
// Arguments are pairs: a file to read and a file to write. Files are upgraded by
// the facts of the op table. Exits with 1 if any was not read.
//
//===----------------------------------------------------------------------===//
#include "frontend/import/TableCatalog.h"
#include "frontend/json/SymbolReader.h"
#include "frontend/json/SymbolWriter.h"
#include "ir/GraphDialect.h"

using namespace symc;

int main(int argc, char **argv) {
  mlir::MLIRContext context;
  context.loadDialect<sg::SGDialect>();
  TableCatalog catalog(context);
  bool good = true;
  for (int i = 1; i + 1 < argc; i += 2) {
    Diagnostics diagnostics;
    auto graph = json::readSymbolFile(argv[i], diagnostics, {&catalog});
    diagnostics.render(llvm::errs());
    good &= graph.has_value();
    if (!graph)
      continue;
    std::error_code failure;
    llvm::raw_fd_ostream out(argv[i + 1], failure);
    if (failure) {
      llvm::errs() << argv[i + 1] << ": error: " << failure.message() << '\n';
      return 1;
    }
    json::writeSymbol(*graph, out, &catalog);
  }
  return good ? 0 : 1;
}

//===- SymbolReader.h - symbol JSON -> Graph ------------------------------===//
//
// Reads a symbol file in any layout that MXNet ever wrote, checks it, and
// applies the upgrade steps of MXNet 1.9.1. Everything wrong is reported with
// its place; a graph comes back only when nothing was.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_JSON_SYMBOLREADER_H
#define SYMC_FRONTEND_JSON_SYMBOLREADER_H

#include "frontend/symbol/OperatorCatalog.h"

namespace symc::json {

struct ReadOptions {
  /// Facts about operators. Without it the upgrade steps that need them and the
  /// checks of input and output counts are left out.
  const symbol::OperatorCatalog *catalog = nullptr;
  /// Apply upgradeGraph() after reading.
  bool upgrade = true;
  /// Outputs that become the heads of the upgraded graph (symbol/Outputs.h); none: its own are.
  llvm::ArrayRef<std::string> outputs = {};
  /// Check counts of inputs and outputs. Without, checkGraph() with a catalog has to follow.
  bool counts = true;
};

/// Reads the file `path`.
std::optional<symbol::Graph> readSymbolFile(llvm::StringRef path, Diagnostics &diagnostics,
                                            const ReadOptions &options = {});

/// Reads a text that is called `name` in messages.
std::optional<symbol::Graph> readSymbol(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                        llvm::StringRef name, Diagnostics &diagnostics,
                                        const ReadOptions &options = {});

} // namespace symc::json

#endif // SYMC_FRONTEND_JSON_SYMBOLREADER_H

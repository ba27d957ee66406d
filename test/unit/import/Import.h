//===- Import.h - text -> module, for tests -------------------------------===//
//
// Imports a symbol text with given options, and shows the module or the
// messages.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_TEST_UNIT_IMPORT_IMPORT_H
#define SYMC_TEST_UNIT_IMPORT_IMPORT_H

#include "Messages.h"
#include "frontend/import/Importer.h"
#include "frontend/json/SymbolReader.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

namespace symc::test {

struct Imported {
  mlir::MLIRContext context;
  Diagnostics diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;

  explicit Imported(llvm::StringRef text, const ImportOptions &options = {}) {
    context.disableMultithreading();
    auto graph =
        json::readSymbol(llvm::MemoryBuffer::getMemBufferCopy(text), "net.json", diagnostics, {});
    if (graph)
      importFrom(*graph, options);
  }
  explicit Imported(const symbol::Graph &graph, const ImportOptions &options) {
    context.disableMultithreading();
    importFrom(graph, options);
  }
  void importFrom(const symbol::Graph &graph, const ImportOptions &options) {
    module = importGraph(graph, options, context, diagnostics);
    EXPECT_EQ(static_cast<bool>(module), !diagnostics.hasErrors());
    if (module)
      EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
  }
  std::string messages() const { return oneLine(diagnostics); }
  std::string text(bool locations = false) {
    std::string result;
    llvm::raw_string_ostream os(result);
    mlir::OpPrintingFlags flags;
    if (locations)
      flags.enableDebugInfo(true);
    module->print(os, flags);
    return result;
  }
};

/// A graph whose nodes stand one a line from line 2 on; heads as given.
inline std::string graphOf(llvm::ArrayRef<const char *> nodes, llvm::StringRef heads,
                           llvm::StringRef version = "10901") {
  std::string text = "{\"nodes\": [\n", arguments;
  for (size_t i = 0; i < nodes.size(); ++i) {
    text += std::string(nodes[i]) + (i + 1 < nodes.size() ? ",\n" : "],\n");
    if (llvm::StringRef(nodes[i]).contains("\"null\""))
      arguments += (arguments.empty() ? "" : ", ") + std::to_string(i);
  }
  return text + "\"arg_nodes\": [" + arguments + "], \"heads\": " + heads.str() +
         ", \"attrs\": {\"mxnet_version\": [\"int\", " + version.str() + "]}}";
}

inline constexpr const char *Data = R"({"op": "null", "name": "data", "inputs": []})";
inline constexpr const char *Weight = R"({"op": "null", "name": "fc_weight", "inputs": []})";
inline constexpr const char *Bias = R"({"op": "null", "name": "fc_bias", "inputs": []})";
inline constexpr const char *Label = R"({"op": "null", "name": "out_label", "inputs": []})";

/// Fully connected over data, weight and bias (nodes 0, 1, 2) with `attrs`.
inline std::string fullyConnected(llvm::StringRef attrs) {
  return R"({"op": "FullyConnected", "name": "fc", "attrs": )" + attrs.str() +
         R"(, "inputs": [[0,0,0],[1,0,0],[2,0,0]]})";
}

/// The messages for data -> fully connected with `attrs`, data [2, 4].
inline std::string fullyConnectedMessages(llvm::StringRef attrs) {
  ImportOptions options;
  options.randomWeights = true;
  return Imported(graphOf({Data, Weight, Bias, fullyConnected(attrs).c_str()}, "[[3,0,0]]"),
                  options)
      .messages();
}

} // namespace symc::test

#endif // SYMC_TEST_UNIT_IMPORT_IMPORT_H

// Source.h: what a program gave MXPredCreate: the text of a symbol and the bytes of a parameter
// file, as long as a handle may need another compilation of them. Both are parsed when one is
// needed: a model of the cache needs none.
#ifndef SYMC_TOOLS_PREDICT_SOURCE_H
#define SYMC_TOOLS_PREDICT_SOURCE_H

#include "frontend/import/TableCatalog.h"
#include "frontend/params/WeightSource.h"
#include "frontend/symbol/Graph.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>

namespace symc::predict {

llvm::Error mistake(const llvm::Twine &message);

/// The JSON object at the beginning of a text: programs pass files that nothing ends with a zero.
llvm::StringRef firstObject(llvm::StringRef text);

class Source {
public:
  /// Copies both. Null where there is no memory.
  static std::shared_ptr<Source> create(llvm::StringRef json, llvm::StringRef parameters);
  ~Source();
  Source(const Source &) = delete;

  llvm::StringRef json() const { return text; }
  llvm::StringRef parameters() const { return {bytes, size}; }
  /// Of both, for keys.
  llvm::StringRef fingerprint() const { return hashes; }

  /// The functions below may be called by any thread; what they return lives as long as the source.
  /// The graph, whose name in messages is that of its first output.
  llvm::Expected<std::shared_ptr<const symbol::Graph>> graph();
  /// The arrays of the parameters.
  llvm::Expected<std::shared_ptr<params::FileWeights>> weights();
  /// The value of a variable; null where the parameters have none.
  llvm::Expected<const params::ArrayInfo *> findWeight(llvm::StringRef name, size_t &number);
  /// Answers about operators.
  const TableCatalog &catalog();

  /// The graph with the outputs of these nodes instead of its own, and with `internals` those of
  /// all nodes behind them, in MXNet's order.
  llvm::Expected<std::shared_ptr<const symbol::Graph>>
  graphWith(llvm::ArrayRef<std::string> outputs, bool internals);

private:
  Source() = default;

  std::string text, hashes;
  char *bytes = nullptr; // a mapping
  size_t size = 0, mappedBytes = 0;
  std::recursive_mutex mutex;
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<TableCatalog> table;
  std::shared_ptr<const symbol::Graph> parsed;
  std::shared_ptr<params::FileWeights> arrays;
};

} // namespace symc::predict

#endif // SYMC_TOOLS_PREDICT_SOURCE_H

// Library.h: what the functions of symc.h share: symbols by number, the catalogue of operators,
// and what a thread was given back. One lock: functions of the library wait for each other.
#ifndef SYMC_TOOLS_LIBSYMC_LIBRARY_H
#define SYMC_TOOLS_LIBSYMC_LIBRARY_H

#include "frontend/import/TableCatalog.h"
#include "frontend/symbol/Symbol.h"
#include "symc/symc.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <mutex>

namespace symc::library {

/// What a thread's last call gave back, and what it complained of.
struct Returned {
  std::string error;
  std::string text;
  std::vector<std::string> texts;
  std::vector<const char *> pointers;
  std::vector<std::vector<int64_t>> extents;
  std::vector<symc_shape> shapes;
  std::string warnings; // of the graph that was read last

  /// `texts` as C has them.
  const char *const *list();
};
Returned &returned();

/// -1, with a message for this thread.
int fail(const llvm::Twine &message);
/// Where a pointer that must not be NULL is.
int failNull(llvm::StringRef parameter);
/// -1 with a message, or 0 where each is a side that a picture may have.
int checkSides(std::initializer_list<int32_t> sides);
/// What no program gives or makes but by a mistake, which would read memory that is not there, or
/// take all that is.
constexpr uint64_t kMaxGiven = 1 << 20;
constexpr int32_t kMaxRank = 64;
constexpr unsigned kMaxNesting = 60;            // as deep as a file's JSON may be
constexpr uint64_t kMaxSubgraphNodes = 1 << 17; // which set_subgraphs copies
/// -1 with a message, or 0 where `count` of these is possible.
int checkCount(uint64_t count, llvm::StringRef what, uint64_t most = kMaxGiven);

class Library {
public:
  /// The only one; whoever holds it works alone.
  class Access {
  public:
    Access();
    Library *operator->() const;

  private:
    std::unique_lock<std::mutex> lock;
  };

  /// Null, with a message, for what is no symbol.
  symbol::Symbol *find(symc_symbol handle);
  symc_symbol add(symbol::Symbol symbol);
  bool remove(symc_symbol handle);

  /// A symbol's graph, checked; nothing after a mistake, with a message. That of an operator
  /// without its inputs is one.
  std::optional<symbol::Graph> graphOf(const symbol::Symbol &symbol);

  mlir::MLIRContext context;
  TableCatalog catalog;

private:
  Library();

  llvm::DenseMap<symc_symbol, symbol::Symbol> symbols;
  symc_symbol last = 0; // numbers are never given twice
};

} // namespace symc::library

#endif // SYMC_TOOLS_LIBSYMC_LIBRARY_H

// Library.cpp: see Library.h.
#include "Library.h"

#include "frontend/symbol/GraphChecks.h"
#include "ir/GraphDialect.h"

using namespace symc;
using namespace symc::library;

Returned &library::returned() {
  static thread_local Returned storage;
  return storage;
}

const char *const *Returned::list() {
  pointers.clear();
  for (const std::string &text : texts)
    pointers.push_back(text.c_str());
  pointers.push_back(nullptr);
  return pointers.data();
}

int library::fail(const llvm::Twine &message) {
  returned().error = message.str();
  return -1;
}

int library::failNull(llvm::StringRef parameter) { return fail(inQuotes(parameter) + " is NULL"); }

int library::checkSides(std::initializer_list<int32_t> sides) {
  for (int32_t side : sides)
    if (side < 1 || side > (1 << 14))
      return fail("a side of a picture has 1 to 16384 pixels, not " + llvm::Twine(side));
  return 0;
}

int library::checkCount(uint64_t count, llvm::StringRef what, uint64_t most) {
  if (count <= most)
    return 0;
  return fail(llvm::Twine(count) + " " + what + ", at most " + llvm::Twine(most) + " are possible");
}

Library::Library() : context(mlir::MLIRContext::Threading::DISABLED), catalog(context) {
  context.loadDialect<sg::SGDialect>();
}

// Never destroyed: a program's last threads may call while it ends.
static std::pair<std::mutex, Library *> &state() {
  static auto *only = new std::pair<std::mutex, Library *>();
  return *only;
}

Library::Access::Access() : lock(state().first) {
  if (!state().second)
    state().second = new Library();
}

Library *Library::Access::operator->() const { return state().second; }

symbol::Symbol *Library::find(symc_symbol handle) {
  auto found = handle == 0 || handle > last ? symbols.end() : symbols.find(handle);
  if (found != symbols.end())
    return &found->second;
  fail(llvm::Twine(handle) + " is no symbol" +
       (handle != 0 && handle <= last ? ": it was freed" : ""));
  return nullptr;
}

symc_symbol Library::add(symbol::Symbol symbol) {
  symbols.try_emplace(++last, std::move(symbol));
  return last;
}

bool Library::remove(symc_symbol handle) {
  if (!find(handle))
    return false;
  symbols.erase(handle);
  return true;
}

std::optional<symbol::Graph> Library::graphOf(const symbol::Symbol &symbol) {
  symbol::Graph graph = symbol.toGraph();
  graph.name = symbol.name().value_or("symbol");
  Diagnostics diagnostics;
  if (checkGraph(graph, &catalog, diagnostics))
    return graph;
  fail(llvm::StringRef(diagnostics.str()).rtrim());
  return std::nullopt;
}

// Source.cpp: see Source.h.
#include "tools/predict/Source.h"

#include "frontend/json/SymbolReader.h"
#include "frontend/symbol/Outputs.h"
#include "frontend/symbol/Symbol.h"
#include "ir/GraphDialect.h"
#include "tools/cache/ModelCache.h"
#include <atomic>
#include <cstring>
#include <sys/mman.h>

using namespace symc;
using namespace symc::predict;

llvm::Error predict::mistake(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

static llvm::Error mistakes(const Diagnostics &diagnostics) {
  return mistake(llvm::StringRef(diagnostics.str()).rtrim());
}

llvm::StringRef predict::firstObject(llvm::StringRef text) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && c == '{')
      ++depth;
    else if (!inString && c == '}' && --depth <= 0)
      return text.take_front(i + 1);
  }
  return text;
}

// What the reader reports of such bytes elsewhere, once in a process, for which models may be
// created again and again.
static void warnOfRest(llvm::StringRef rest) {
  static std::atomic<bool> warned = false;
  size_t count = rest.ltrim(" \t\r\n").size();
  if (count && !warned.exchange(true))
    llvm::errs() << "symc: warning: " << count << (count == 1 ? " byte" : " bytes")
                 << " behind the end of the graph " << (count == 1 ? "is" : "are") << " ignored\n";
}

std::shared_ptr<Source> Source::create(llvm::StringRef json, llvm::StringRef parameters) {
  std::shared_ptr<Source> source(new Source);
  source->text = firstObject(json).str();
  warnOfRest(json.drop_front(source->text.size()));
  source->size = parameters.size();
  source->mappedBytes = std::max<size_t>(1, parameters.size());
  void *memory = ::mmap(nullptr, source->mappedBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  source->bytes = static_cast<char *>(memory);
  ::madvise(memory, source->mappedBytes, MADV_HUGEPAGE); // a tenth of the time of a copy
  std::memcpy(memory, parameters.data(), parameters.size());
  CacheKey key;
  key.add(source->text);
  key.add(parameters);
  source->hashes = key.finish();
  return source;
}

Source::~Source() {
  arrays.reset();
  if (bytes)
    ::munmap(bytes, mappedBytes);
}

const TableCatalog &Source::catalog() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (!table) {
    context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
    context->loadDialect<sg::SGDialect>();
    table = std::make_unique<TableCatalog>(*context);
  }
  return *table;
}

llvm::Expected<std::shared_ptr<const symbol::Graph>> Source::graph() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (parsed)
    return parsed;
  Diagnostics diagnostics;
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, "symbol");
  auto graph = json::readSymbol(std::move(buffer), "symbol", diagnostics,
                                {&catalog(), /*upgrade=*/true, /*outputs=*/{},
                                 /*counts=*/false}); // the compiler checks what outputs need
  if (!graph)
    return mistakes(diagnostics);
  graph->name = graph->heads.empty() ? "symbol" : graph->nodes[graph->heads.front().node].name;
  parsed = std::make_shared<const symbol::Graph>(std::move(*graph));
  return parsed;
}

llvm::Expected<std::shared_ptr<params::FileWeights>> Source::weights() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (arrays)
    return arrays;
  Diagnostics diagnostics;
  auto buffer = llvm::MemoryBuffer::getMemBuffer(parameters(), "parameters",
                                                 /*RequiresNullTerminator=*/false);
  auto file = params::readArrays(std::move(buffer), "parameters", diagnostics);
  if (!file)
    return mistakes(diagnostics);
  arrays = std::make_shared<params::FileWeights>(std::move(*file));
  return arrays;
}

llvm::Expected<const params::ArrayInfo *> Source::findWeight(llvm::StringRef name, size_t &number) {
  auto all = weights();
  if (!all)
    return all.takeError();
  for (number = 0; number < (*all)->count(); ++number)
    if ((*all)->array(number).name == name)
      return &(*all)->array(number);
  return nullptr;
}

llvm::Expected<std::shared_ptr<const symbol::Graph>>
Source::graphWith(llvm::ArrayRef<std::string> outputs, bool internals) {
  auto whole = graph();
  if (!whole || (outputs.empty() && !internals))
    return whole;
  std::lock_guard<std::recursive_mutex> lock(mutex);
  const TableCatalog &operators = catalog();
  auto graph = std::make_shared<symbol::Graph>(**whole);
  graph->name = "symbol"; // in messages of the choice
  Diagnostics diagnostics;
  if (!outputs.empty() &&
      !symbol::chooseOutputs(*graph, outputs, operators, diagnostics, symbol::OutputNames::Nodes))
    return mistakes(diagnostics);
  if (internals) {
    symbol::Symbol symbol = symbol::Symbol::fromGraph(*graph, operators);
    symbol::Symbol all = symbol.internals();
    symbol::Graph nodes = all.toGraph();
    std::vector<symbol::Symbol> heads = {symbol};
    for (auto [i, entry] : llvm::enumerate(nodes.heads))
      if (!nodes.nodes[entry.node].isVariable())
        heads.push_back(all.output(i));
    *graph = symbol::Symbol::group(heads).toGraph();
    graph->attrs = (*whole)->attrs; // what the whole graph follows
    graph->version = (*whole)->version;
  }
  graph->name = (*whole)->name;
  return std::shared_ptr<const symbol::Graph>(std::move(graph));
}

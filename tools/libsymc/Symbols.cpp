// Symbols.cpp: symbols of symc.h: numbers in front of frontend/symbol/Symbol.h.
#include "Library.h"
#include "frontend/import/Facts.h"
#include "frontend/json/SymbolReader.h"
#include "frontend/json/SymbolWriter.h"
#include "ir/GraphDialect.h"

using namespace symc;
using namespace symc::library;
using symbol::Symbol;

namespace {

/// Attributes that specify what training does with a node: kept with underscores around them, and
/// listed under both names.
constexpr llvm::StringLiteral kTrainingKeys[] = {
    "ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage", "profiler_scope"};

std::string storedKey(llvm::StringRef key) {
  return llvm::is_contained(kTrainingKeys, key) ? "__" + key.str() + "__" : key.str();
}

/// Nothing, with a message, where a pointer is missing or a key is given twice.
std::optional<symbol::AttributeMap> readAttributes(size_t count, const char *const *keys,
                                                   const char *const *values) {
  symbol::AttributeMap attributes;
  if (count && (!keys || !values))
    return failNull(keys ? "values" : "keys"), std::nullopt;
  if (count > symbol::AttributeMap::MaxAttributes)
    return fail(llvm::Twine(count) + " attributes, at most " +
                llvm::Twine(symbol::AttributeMap::MaxAttributes) + " are possible"),
           std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    if (!keys[i] || !values[i])
      return failNull(keys[i] ? "a value" : "a key"), std::nullopt;
    std::string key = storedKey(keys[i]);
    if (attributes.find(key))
      return fail("attribute " + inQuotes(key) + " is given twice"), std::nullopt;
    attributes.append({key, values[i], {}, {}});
  }
  return attributes;
}

struct Inputs {
  std::vector<Symbol> byPosition;
  std::vector<std::pair<std::string, Symbol>> byKey;
};

std::optional<Inputs> readInputs(Library &library, size_t count, const char *const *keys,
                                 const symc_symbol *handles) {
  Inputs inputs;
  if (count && !handles)
    return failNull("inputs"), std::nullopt;
  if (checkCount(count, "inputs"))
    return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    Symbol *input = library.find(handles[i]);
    if (!input)
      return std::nullopt;
    if (keys && keys[i])
      inputs.byKey.emplace_back(keys[i], *input);
    else
      inputs.byPosition.push_back(*input);
  }
  return inputs;
}

int give(Library &library, std::optional<Symbol> symbol, const std::string &message,
         symc_symbol *made) {
  if (!symbol)
    return fail(message);
  *made = library.add(std::move(*symbol));
  return 0;
}

/// Calls body(symbol) for a symbol.
template <class Body> int with(symc_symbol handle, const void *out, Body body) {
  if (!out)
    return failNull("an out parameter");
  Library::Access library;
  Symbol *symbol = library->find(handle);
  return symbol ? body(*symbol, *library.operator->()) : -1;
}

int giveList(size_t *count, const char *const **names) {
  *count = returned().texts.size();
  *names = returned().list();
  return 0;
}

int giveText(const std::optional<std::string> &text, const char **out) {
  returned().text = text.value_or("");
  *out = text ? returned().text.c_str() : nullptr;
  return 0;
}

/// How deep a graph's subgraphs lie in each other, itself included; counts all nodes.
unsigned measure(const symbol::Graph &graph, uint64_t &nodes) {
  unsigned deepest = 0;
  nodes += graph.nodes.size();
  for (const symbol::Node &node : graph.nodes)
    for (const symbol::Graph &within : node.subgraphs)
      deepest = std::max(deepest, measure(within, nodes));
  return deepest + 1;
}

std::string messageOf(const Diagnostics &diagnostics) {
  return llvm::StringRef(diagnostics.str()).rtrim().str();
}

int giveGraph(Library &library, std::optional<symbol::Graph> graph, const Diagnostics &diagnostics,
              symc_symbol *made) {
  if (!graph)
    return fail(messageOf(diagnostics));
  if (json::hasBackwardNodes(*graph))
    return fail(inQuotes(graph->name) + " holds backward nodes, which a symbol has not");
  *made = library.add(Symbol::fromGraph(*graph, library.catalog));
  returned().warnings = llvm::StringRef(diagnostics.str()).rtrim().str();
  return 0;
}

} // namespace

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

extern "C" int symc_symbol_create_variable(const char *name, symc_symbol *made) {
  if (!name || !made)
    return failNull(name ? "made" : "name");
  Library::Access library;
  *made = library->add(Symbol::variable(name));
  return 0;
}

extern "C" int symc_symbol_create(const char *op, size_t count, const char *const *keys,
                                  const char *const *values, symc_symbol *made) {
  if (!op || !made)
    return failNull(op ? "made" : "op");
  auto attributes = readAttributes(count, keys, values);
  if (!attributes)
    return -1;
  Library::Access library;
  std::string message;
  auto symbol = Symbol::create(op, std::move(*attributes), library->catalog, message);
  return give(*library.operator->(), std::move(symbol), message, made);
}

extern "C" int symc_symbol_compose(symc_symbol symbol, const char *name, size_t count,
                                   const char *const *keys, const symc_symbol *handles) {
  Library::Access library;
  Symbol *composed = library->find(symbol);
  if (!composed)
    return -1;
  auto inputs = readInputs(*library.operator->(), count, keys, handles);
  if (!inputs)
    return -1;
  std::string message;
  auto made = composed->compose(name ? name : "", inputs->byPosition, inputs->byKey,
                                library->catalog, message);
  if (!made)
    return fail(message);
  *composed = std::move(*made);
  return 0;
}

extern "C" int symc_symbol_apply(const char *op, size_t attribute_count,
                                 const char *const *attribute_keys, const char *const *values,
                                 const char *name, size_t count, const char *const *keys,
                                 const symc_symbol *handles, symc_symbol *made) {
  if (!op || !made)
    return failNull(op ? "made" : "op");
  auto attributes = readAttributes(attribute_count, attribute_keys, values);
  if (!attributes)
    return -1;
  Library::Access library;
  auto inputs = readInputs(*library.operator->(), count, keys, handles);
  if (!inputs)
    return -1;
  std::string message;
  auto symbol = Symbol::create(op, std::move(*attributes), library->catalog, message);
  if (symbol)
    symbol = symbol->compose(name ? name : "", inputs->byPosition, inputs->byKey, library->catalog,
                             message);
  return give(*library.operator->(), std::move(symbol), message, made);
}

extern "C" int symc_symbol_set_subgraphs(symc_symbol handle, size_t count,
                                         const symc_symbol *graphs) {
  Library::Access library;
  Symbol *owner = library->find(handle);
  auto given = owner ? readInputs(*library.operator->(), count, nullptr, graphs) : std::nullopt;
  if (!given)
    return -1;
  std::vector<symbol::Graph> made;
  uint64_t nodes = 0;
  unsigned nesting = 0;
  for (const Symbol &graph : given->byPosition) {
    auto checked = library->graphOf(graph);
    if (!checked)
      return -1;
    nesting = std::max(nesting, measure(*checked, nodes));
    made.push_back(std::move(*checked));
  }
  if (checkCount(nodes, "nodes of subgraphs", kMaxSubgraphNodes))
    return -1;
  if (nesting > kMaxNesting)
    return fail("subgraphs within each other are " + llvm::Twine(nesting) + " deep, at most " +
                llvm::Twine(kMaxNesting) + " are possible");
  if (!owner->setSubgraphs(std::move(made)))
    return fail("only an operator that waits for its inputs is given subgraphs");
  return 0;
}

extern "C" int symc_symbol_cut(symc_symbol handle, const char *key, symc_symbol *made) {
  if (!key)
    return failNull("key");
  return with(handle, made, [&](Symbol &symbol, Library &library) {
    Symbol outside = symbol.cut(storedKey(key), library.catalog);
    *made = library.add(std::move(outside));
    return 0;
  });
}

extern "C" int symc_symbol_create_group(size_t count, const symc_symbol *handles,
                                        symc_symbol *made) {
  if (!made)
    return failNull("made");
  Library::Access library;
  auto inputs = readInputs(*library.operator->(), count, nullptr, handles);
  if (!inputs)
    return -1;
  uint64_t outputs = 0;
  for (const Symbol &input : inputs->byPosition)
    outputs += input.numOutputs();
  if (checkCount(outputs, "outputs of a group"))
    return -1;
  *made = library->add(Symbol::group(inputs->byPosition));
  return 0;
}

//===----------------------------------------------------------------------===//
// Parts and attributes
//===----------------------------------------------------------------------===//

extern "C" int symc_symbol_output(symc_symbol handle, size_t index, symc_symbol *made) {
  return with(handle, made, [&](const Symbol &symbol, Library &library) {
    if (index >= symbol.numOutputs())
      return fail("output " + llvm::Twine(index) + " of " + llvm::Twine(symbol.numOutputs()) +
                  " outputs");
    *made = library.add(symbol.output(index));
    return 0;
  });
}

extern "C" int symc_symbol_output_count(symc_symbol handle, size_t *count) {
  return with(handle, count, [&](const Symbol &symbol, Library &) {
    *count = symbol.numOutputs();
    return 0;
  });
}

extern "C" int symc_symbol_internals(symc_symbol handle, symc_symbol *made) {
  return with(handle, made, [&](const Symbol &symbol, Library &library) {
    *made = library.add(symbol.internals());
    return 0;
  });
}

extern "C" int symc_symbol_children(symc_symbol handle, symc_symbol *made) {
  return with(handle, made, [&](const Symbol &symbol, Library &library) {
    *made = library.add(symbol.children());
    return 0;
  });
}

extern "C" int symc_symbol_copy(symc_symbol handle, symc_symbol *made) {
  return with(handle, made, [&](const Symbol &symbol, Library &library) {
    *made = library.add(symbol.copy());
    return 0;
  });
}

extern "C" int symc_symbol_free(symc_symbol handle) {
  Library::Access library;
  return library->remove(handle) ? 0 : -1;
}

extern "C" int symc_symbol_name(symc_symbol handle, const char **name) {
  return with(handle, name,
              [&](const Symbol &symbol, Library &) { return giveText(symbol.name(), name); });
}

extern "C" int symc_symbol_attribute(symc_symbol handle, const char *key, const char **value) {
  if (!key)
    return failNull("key");
  return with(handle, value, [&](const Symbol &symbol, Library &) {
    return giveText(symbol.attribute(storedKey(key)), value);
  });
}

extern "C" int symc_symbol_set_attribute(symc_symbol handle, const char *key, const char *value) {
  if (!key)
    return failNull("key");
  return with(handle, value, [&](Symbol &symbol, Library &) {
    if (!symbol.setAttribute(storedKey(key), value))
      return fail("outputs of several nodes, or none, have no attributes of their own");
    return 0;
  });
}

extern "C" int symc_symbol_attributes(symc_symbol handle, int deep, size_t *count,
                                      const char *const **texts) {
  if (!count)
    return failNull("count");
  return with(handle, texts, [&](const Symbol &symbol, Library &) {
    std::vector<std::string> &all = returned().texts;
    all.clear();
    auto add = [&](llvm::StringRef node, const symbol::AttributeMap &attributes) {
      for (const symbol::Attribute *attribute : attributes.sorted()) {
        llvm::StringRef plain(attribute->key);
        for (bool under : {false, true})
          if (!under || (plain.consume_front("__") && plain.consume_back("__") &&
                         llvm::is_contained(kTrainingKeys, plain)))
            all.insert(all.end(), {node.str(), plain.str(), attribute->value});
      }
    };
    if (deep) {
      for (const symbol::Node &node : symbol.toGraph().nodes)
        add(node.name, node.attrs);
    } else if (const symbol::AttributeMap *own = symbol.attributes()) {
      add(*symbol.name(), *own);
    }
    *count = all.size() / 3;
    *texts = returned().list();
    return 0;
  });
}

extern "C" int symc_symbol_list(symc_symbol handle, int of, size_t *count,
                                const char *const **names) {
  if (!count)
    return failNull("count");
  return with(handle, names, [&](const Symbol &symbol, Library &library) {
    auto graph = library.graphOf(symbol);
    if (!graph)
      return -1;
    Diagnostics diagnostics;
    auto facts = symbolFacts(*graph, library.context, diagnostics);
    if (!facts)
      return fail(messageOf(diagnostics));
    switch (of) {
    case SYMC_NAMES_ARGUMENTS:
      returned().texts = facts->arguments;
      return giveList(count, names);
    case SYMC_NAMES_OUTPUTS:
      returned().texts = facts->outputs;
      return giveList(count, names);
    case SYMC_NAMES_STATES:
      returned().texts = facts->auxiliaryStates;
      return giveList(count, names);
    case SYMC_NAMES_INPUTS:
      returned().texts = facts->inputs;
      return giveList(count, names);
    case SYMC_NAMES_UNREAD:
      returned().texts = facts->unread;
      return giveList(count, names);
    }
    return fail(llvm::Twine(of) + " is no list of a symbol: lists are 0 to 4");
  });
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

extern "C" int symc_symbol_to_json(symc_symbol handle, const char **json) {
  return with(handle, json, [&](const Symbol &symbol, Library &library) {
    auto graph = library.graphOf(symbol);
    if (!graph)
      return -1;
    std::string text;
    llvm::raw_string_ostream os(text);
    json::writeSymbol(*graph, os, &library.catalog);
    return giveText(text, json);
  });
}

extern "C" int symc_symbol_from_json(const char *json, size_t bytes, symc_symbol *made) {
  if (!json || !made)
    return failNull(json ? "made" : "json");
  if (bytes >> 31)
    return fail("the text is " + llvm::Twine(bytes) +
                " bytes, more than the limit of 2 GiB for a graph");
  Library::Access library;
  Diagnostics diagnostics;
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(json, bytes), "symbol");
  auto graph = json::readSymbol(std::move(buffer), "symbol", diagnostics, {&library->catalog});
  return giveGraph(*library.operator->(), std::move(graph), diagnostics, made);
}

extern "C" int symc_symbol_from_file(const char *path, symc_symbol *made) {
  if (!path || !made)
    return failNull(path ? "made" : "path");
  Library::Access library;
  Diagnostics diagnostics;
  auto graph = json::readSymbolFile(path, diagnostics, {&library->catalog});
  return giveGraph(*library.operator->(), std::move(graph), diagnostics, made);
}

extern "C" const char *symc_symbol_warnings(void) { return returned().warnings.c_str(); }

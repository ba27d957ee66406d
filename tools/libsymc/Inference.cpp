// Inference.cpp: shapes and element types of symbols by the compiler's rules. The symbol becomes a
// module of the sg dialect, as a compilation imports it, in which nothing that stays unknown is a
// mistake.
#include "ir/Inference.h"
#include "Library.h"
#include "UntypedInputs.h"
#include "frontend/import/Importer.h"
#include "ir/GraphDialect.h"
#include "ir/InferGraph.h"
#include "llvm/ADT/StringSet.h"

using namespace symc;
using namespace symc::library;

namespace {

/// Types of a symbol's values, in the order of symc_symbol_list.
struct Found {
  std::vector<mlir::Type> arguments, outputs, states;
};

Found collect(mlir::ModuleOp module) {
  auto graph = module.lookupSymbol<sg::GraphOp>("main");
  llvm::StringMap<std::vector<mlir::Type>> byName;
  Found found;
  for (auto parameter : graph.getBlock().getOps<sg::ParameterOp>()) {
    if (module.lookupSymbol<sg::WeightOp>(parameter.getWeight()).getAux())
      found.states.push_back(parameter.getType());
    byName[parameter.getWeight().split('#').first].push_back(parameter.getType());
  }
  for (auto [i, argument] : llvm::enumerate(graph.getBlock().getArguments()))
    byName[graph.getInputName(i)].push_back(argument.getType());
  llvm::StringMap<size_t> taken; // of variables with one name
  mlir::ArrayAttr order = *graph.getArgumentOrder();
  for (mlir::Attribute name : order) {
    llvm::StringRef text = mlir::cast<mlir::StringAttr>(name).getValue();
    const auto &list = byName[text];
    size_t &next = taken[text];
    found.arguments.push_back(next < list.size() ? list[next++] : mlir::Type());
  }
  for (mlir::Value head : graph.getBlock().getTerminator()->getOperands())
    found.outputs.push_back(head.getType());
  return found;
}

/// Infers with what `give` puts into the importer's options; -1 after a mistake.
template <class Give, class Infer>
std::optional<Found> infer(symc_symbol handle, Give give, Infer run) {
  Library::Access library;
  symbol::Symbol *symbol = library->find(handle);
  auto graph = symbol ? library->graphOf(*symbol) : std::nullopt;
  if (!graph)
    return std::nullopt;
  ImportOptions options;
  options.randomWeights = options.allowDuplicateNames = options.training = true;
  llvm::StringSet<> inputs;
  for (const symbol::Node &node : graph->nodes)
    if (node.isVariable())
      inputs.insert(node.name);
  give(inputs, options);
  std::string message;
  mlir::ScopedDiagnosticHandler quiet(&library->context, [&](mlir::Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return mlir::success();
  });
  Diagnostics diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      importGraph(*graph, options, library->context, diagnostics);
  if (!module) {
    fail(llvm::StringRef(diagnostics.str()).rtrim());
    return std::nullopt;
  }
  if (mlir::failed(run(*module))) {
    fail(message);
    return std::nullopt;
  }
  return collect(*module);
}

} // namespace

extern "C" int symc_symbol_infer_shape(symc_symbol symbol, size_t count, const char *const *names,
                                       const int32_t *ranks, const int64_t *extents,
                                       symc_shapes *shapes) {
  if (!shapes || (count && (!names || !ranks)))
    return failNull(!shapes ? "shapes" : !names ? "names" : "ranks");
  if (checkCount(count, "shapes"))
    return -1;
  std::vector<std::pair<std::string, std::vector<DimSpec>>> given;
  for (size_t i = 0; i < count; ++i) {
    if (!names[i])
      return failNull("a name");
    if (ranks[i] < -1 || ranks[i] > kMaxRank)
      return fail("the shape of " + inQuotes(names[i]) + " has rank " + llvm::Twine(ranks[i]) +
                  ", needs -1, which is unknown, to " + llvm::Twine(kMaxRank));
    given.emplace_back(names[i], std::vector<DimSpec>());
    for (int32_t axis = 0; axis < ranks[i]; ++axis, ++extents) {
      if (!extents)
        return failNull("extents");
      if (*extents < 0)
        return fail("extent " + llvm::Twine(axis) + " of " + inQuotes(names[i]) + " is " +
                    llvm::Twine(*extents) + ", needs at least 0, which is unknown");
      given.back().second.push_back(DimSpec::fixed(*extents));
    }
  }
  auto found = infer(
      symbol,
      [&](const llvm::StringSet<> &inputs, ImportOptions &options) {
        for (auto &[name, shape] : given)
          if (inputs.contains(name) && !shape.empty())
            options.shapes[name] = shape;
      },
      [](mlir::ModuleOp module) { return sg::inferShapes(module, sg::Undecided::Leave); });
  if (!found)
    return -1;
  Returned &back = returned();
  back.extents.clear();
  back.shapes.clear();
  back.extents.reserve(found->arguments.size() + found->outputs.size() + found->states.size());
  shapes->complete = 1;
  for (const auto *list : {&found->arguments, &found->outputs, &found->states})
    for (mlir::Type type : *list) {
      sg::Shape shape = type ? sg::shapeOf(type) : sg::Shape();
      std::vector<int64_t> known;
      for (size_t i = 0; shape.isRanked() && i < shape.rank(); ++i)
        known.push_back(shape[i].isStatic() ? shape[i].get() : 0);
      if (!shape.isRanked() || !llvm::all_of(shape.list(), [](auto d) { return d.isStatic(); }))
        shapes->complete = 0;
      back.extents.push_back(std::move(known));
      back.shapes.push_back(
          {shape.isRanked() ? int32_t(shape.rank()) : -1, back.extents.back().data()});
    }
  shapes->argument_count = found->arguments.size();
  shapes->output_count = found->outputs.size();
  shapes->state_count = found->states.size();
  shapes->arguments = back.shapes.data();
  shapes->outputs = shapes->arguments + shapes->argument_count;
  shapes->states = shapes->outputs + shapes->output_count;
  return 0;
}

extern "C" int symc_symbol_infer_type(symc_symbol symbol, size_t count, const char *const *names,
                                      const char *const *types, symc_types *out) {
  if (!out || (count && (!names || !types)))
    return failNull(!out ? "found" : !names ? "names" : "types");
  if (checkCount(count, "types"))
    return -1;
  for (size_t i = 0; i < count; ++i)
    if (!names[i] || !types[i])
      return failNull(names[i] ? "a type" : "a name");
  auto found = infer(
      symbol,
      [&](const llvm::StringSet<> &inputs, ImportOptions &options) {
        for (size_t i = 0; i < count; ++i)
          if (inputs.contains(names[i]))
            options.dtypes[names[i]] = types[i];
      },
      [](mlir::ModuleOp module) {
        return mlir::success(mlir::succeeded(checkUntypedArguments(module)) &&
                             mlir::succeeded(sg::inferTypes(module, sg::Undecided::Leave)) &&
                             mlir::succeeded(checkUntypedInputs(module)));
      });
  if (!found)
    return -1;
  Returned &back = returned();
  back.texts.clear();
  out->complete = 1;
  for (const auto *list : {&found->arguments, &found->outputs, &found->states})
    for (mlir::Type type : *list) {
      mlir::Type element = type ? sg::elementTypeOf(type) : mlir::Type();
      back.texts.push_back(element ? sg::typeName(element) : "");
      out->complete &= !back.texts.back().empty();
    }
  out->argument_count = found->arguments.size();
  out->output_count = found->outputs.size();
  out->state_count = found->states.size();
  out->arguments = back.list();
  out->outputs = out->arguments + out->argument_count;
  out->states = out->outputs + out->output_count;
  return 0;
}

// ReadStage.cpp: files -> sg as imported, once for each batch size (see Compiler.h).
#include "tools/driver/Compiler.h"

#include "frontend/import/TableCatalog.h"
#include "frontend/json/SymbolReader.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace symc;

bool Compiler::read() {
  return stage("read", [&] {
    for (const std::string &name : request.targetCpus) {
      std::optional<codegen::TargetDescription> found = codegen::TargetDescription::get(name);
      if (!found) {
        diagnostics.error(request.symbolFile, {}, "unknown target cpu '" + name + "'")
            .note("use one of " + llvm::join(codegen::TargetDescription::names(), ", "));
        return false;
      }
      targets.push_back(*found);
    }
    TableCatalog catalog(mlirContext);
    std::optional<symbol::Graph> graph =
        json::readSymbolFile(request.symbolFile, diagnostics, {&catalog, true});
    ImportOptions options;
    for (const std::string &path : request.paramsFiles)
      if (std::optional<params::ArrayFile> file = params::readArrays(path, diagnostics))
        sources.push_back(std::make_shared<params::FileWeights>(std::move(*file)));
    if (!graph || diagnostics.hasErrors())
      return false;
    for (const std::shared_ptr<params::WeightSource> &source : sources)
      options.weights.push_back(source.get());
    options.shapes = request.shapes;
    options.dtypes = request.dtypes;
    options.randomWeights = request.randomWeights;
    options.extraWeights = request.extraWeights;
    options.seed = request.seed;
    if (request.batches.empty()) {
      whole = importGraph(*graph, options, mlirContext, diagnostics);
      if (whole)
        nets = {*whole};
      return static_cast<bool>(whole);
    }
    auto importWith = [&](DimSpec batch) {
      options.shapes = request.shapes;
      for (auto &[name, shape] : options.shapes)
        if (!shape.empty() && shape[0].symbol == batchSymbol)
          shape[0] = batch;
      return importGraph(*graph, options, mlirContext, diagnostics);
    };
    whole = ModuleOp::create(UnknownLoc::get(&mlirContext));
    for (int64_t size : request.batches) {
      OwningOpRef<ModuleOp> net = importWith(DimSpec::fixed(size));
      if (!net)
        return false;
      nets.push_back(*net);
      whole->push_back(net.release());
    }
    rows = importWith(DimSpec::range(1, std::max<int64_t>(2, request.batches.front()), batchSymbol));
    return true;
  });
}

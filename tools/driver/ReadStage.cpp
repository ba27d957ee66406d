// ReadStage.cpp: files, or a graph and arrays in memory -> sg as imported, once for each
// batch size (see Compiler.h).
#include "tools/driver/Compiler.h"

#include "frontend/import/TableCatalog.h"
#include "frontend/json/SymbolReader.h"
#include "frontend/json/SymbolWriter.h"
#include "frontend/onnx/Import.h"
#include "frontend/symbol/Append.h"
#include "frontend/symbol/GraphChecks.h"
#include "frontend/symbol/Outputs.h"
#include "ir/States.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace symc;

bool Compiler::readTargets(ArrayRef<std::string> names) {
  targets.clear();
  for (const std::string &name : names) {
    std::optional<codegen::TargetDescription> found = codegen::TargetDescription::get(name);
    if (!found) {
      diagnostics.error(request.model.name(), {}, "unknown target cpu '" + name + "'")
          .note("use one of " + llvm::join(codegen::TargetDescription::names(), ", "));
      return false;
    }
    targets.push_back(*found);
  }
  return true;
}

// The graph up to the outputs that are wanted and with what is put behind them, checked; null after
// an error.
std::shared_ptr<const symbol::Graph> Compiler::readGraph() {
  TableCatalog catalog(mlirContext);
  std::shared_ptr<const symbol::Graph> graph = readPart(catalog);
  if (!graph || (request.appended.empty() && request.loss.empty()))
    return graph;
  auto whole = std::make_shared<symbol::Graph>(*graph);
  bool good =
      symbol::appendOperators(*whole, request.appended, catalog, diagnostics) &&
      (request.loss.empty() || symbol::appendLoss(*whole, request.loss, catalog, diagnostics));
  return good && checkGraph(*whole, &catalog, diagnostics) ? whole : nullptr;
}

std::shared_ptr<const symbol::Graph> Compiler::readPart(const TableCatalog &catalog) {
  std::shared_ptr<const symbol::Graph> graph = request.model.graph;
  if (!graph) {
    std::optional<symbol::Graph> read = json::readSymbolFile(request.model.symbolFile, diagnostics,
                                                             {&catalog, true, request.outputs});
    return read ? std::make_shared<const symbol::Graph>(std::move(*read)) : nullptr;
  }
  if (!request.outputs.empty()) {
    auto part = std::make_shared<symbol::Graph>(*graph);
    if (!checkGraph(*part, nullptr, diagnostics) ||
        !symbol::chooseOutputs(*part, request.outputs, catalog, diagnostics))
      return nullptr;
    graph = part;
  }
  return checkGraph(*graph, &catalog, diagnostics) ? graph : nullptr;
}

std::string Compiler::symbolText() {
  std::string text;
  llvm::raw_string_ostream os(text);
  TableCatalog catalog(mlirContext);
  if (std::shared_ptr<const symbol::Graph> graph = readGraph())
    json::writeSymbol(*graph, os, &catalog);
  return text;
}

bool Compiler::readSources() {
  for (const std::string &path : request.model.paramsFiles)
    if (std::optional<params::ArrayFile> file = params::readArrays(path, diagnostics))
      sources.push_back(std::make_shared<params::FileWeights>(std::move(*file)));
  llvm::append_range(sources, request.model.weights);
  return !diagnostics.hasErrors();
}

// What an ONNX file has itself, or has not.
static bool checkOnnxRequest(const CompileRequest &request, Diagnostics &diagnostics) {
  auto refuse = [&](bool given, const char *what, const char *note) {
    if (given)
      diagnostics.error(request.model.name(), {}, what).note(note);
  };
  refuse(!request.model.paramsFiles.empty() || !request.model.weights.empty(),
         "an ONNX model has its weights itself, found a parameter file beside it",
         "leave the parameter file out");
  refuse(!request.dtypes.empty(), "an ONNX model declares the element types of its inputs",
         "leave --dtype out");
  refuse(!request.gradients.arguments.empty() || request.train,
         "gradients and training are of symbol files, found an ONNX model", "leave them out");
  refuse(!request.batches.empty(), "several batch sizes are of symbol files, found an ONNX model",
         "leave --batch out, and give a range: --size batch=1..16");
  refuse(!request.appended.empty(), "operators are appended to symbol files, found an ONNX model",
         "leave --append out");
  refuse(!request.outputs.empty(), "outputs of inner nodes are chosen of symbol files alone",
         "leave --outputs out");
  return !diagnostics.hasErrors();
}

// Gives the axes that grow their sizes, in the shapes of the request: those of states that grow to
// the same length are one, unless --shape names them.
bool Compiler::sizeGrowth(bool isOnnx) {
  auto refuse = [&](const llvm::Twine &what, const char *note) {
    diagnostics.error(request.model.name(), {}, what).note(note);
  };
  if (!request.grown.empty() && (request.onDevice || request.alsoOnDevice))
    refuse("states that grow are for CPUs alone", "leave --target or --grow out");
  if (!request.grown.empty() && request.train)
    refuse("states that grow are not of training", "leave --grow out");
  std::map<int64_t, std::string> names; // by length
  for (const GrowRequest &grown : request.grown) {
    auto given = request.shapes.find(grown.name);
    if (given == request.shapes.end()) {
      if (!isOnnx)
        refuse("--grow needs the shape of input '" + grown.name + "'",
               "pass --shape with 0 as the extent that grows: --shape past_key=1,12,0,64");
      continue;
    }
    if (grown.axis >= int64_t(given->second.size())) {
      refuse("--grow gives axis " + llvm::Twine(grown.axis) + " of input '" + grown.name +
                 "', which has " + llvm::Twine(given->second.size()) +
                 (given->second.size() == 1 ? " extent" : " extents"),
             "axes count from 0");
      continue;
    }
    DimSpec &extent = given->second[grown.axis];
    std::string name = extent.symbol;
    if (name.empty())
      name = names.try_emplace(grown.rows, grown.name + "." + std::to_string(grown.axis))
                 .first->second;
    extent = DimSpec::growing(grown.rows, name);
    for (auto &[input, shape] : request.shapes) // which may have the size as well
      for (DimSpec &dim : shape)
        if (dim.symbol == name)
          dim = extent;
  }
  return !diagnostics.hasErrors();
}

// Marks the inputs that grow, for sg-grow-states.
bool Compiler::markGrowth() {
  if (request.grown.empty())
    return true;
  auto main = module().lookupSymbol<sg::GraphOp>("main");
  for (const GrowRequest &grown : request.grown) {
    unsigned i = 0, count = main.getBlock().getNumArguments();
    while (i < count && main.getInputName(i) != grown.name)
      ++i;
    if (i == count) {
      std::vector<std::string> names;
      for (unsigned k = 0; k < count; ++k)
        names.push_back(main.getInputName(k).str());
      diagnostics
          .error(request.model.name(), {},
                 "--grow is given for '" + grown.name + "', but no input is called so")
          .note("the inputs are " + diagnostics.nameList(names));
      continue;
    }
    main.setArgAttr(i, sg::growsName,
                    DenseI64ArrayAttr::get(&mlirContext, {grown.axis, grown.rows}));
  }
  return !diagnostics.hasErrors();
}

bool Compiler::readOnnx(std::unique_ptr<llvm::MemoryBuffer> file) {
  if (!checkOnnxRequest(request, diagnostics))
    return false;
  std::shared_ptr<const onnx::Model> model =
      onnx::readModel(std::move(file), request.model.name(), diagnostics, !request.model.onnx);
  if (!model)
    return false;
  if (!sizeGrowth(/*isOnnx=*/true))
    return false;
  onnx::OnnxOptions options{request.shapes, {}, request.sizes, request.values};
  std::map<int64_t, std::string> names;
  for (const GrowRequest &grown : request.grown) {
    std::string name =
        names.try_emplace(grown.rows, grown.name + "." + std::to_string(grown.axis)).first->second;
    auto given = request.shapes.find(grown.name);
    DimSpec extent = DimSpec::growing(grown.rows, name);
    options.grown[grown.name] = {
        grown.axis, given == request.shapes.end() ? extent : given->second[grown.axis]};
  }
  std::optional<onnx::ImportedModel> imported =
      onnx::importModel(model, options, mlirContext, diagnostics);
  if (!imported)
    return false;
  sources.push_back(imported->weights);
  whole = std::move(imported->module);
  nets = {*whole};
  return markGrowth();
}

bool Compiler::read() {
  return stage("read", [&] {
    if (!chooseTargets())
      return false;
    if (request.model.onnx)
      return readOnnx(llvm::MemoryBuffer::getMemBuffer(request.model.onnx->getMemBufferRef(),
                                                       /*RequiresNullTerminator=*/false));
    if (!request.model.graph) {
      std::unique_ptr<llvm::MemoryBuffer> file = openInput(request.model.symbolFile, diagnostics);
      if (!file)
        return false;
      if (onnx::isModelFile(file->getBuffer(), request.model.symbolFile))
        return readOnnx(std::move(file));
    }
    if (!request.sizes.empty() || !request.values.empty()) {
      diagnostics.error(request.model.name(), {}, "--size and --value are of ONNX models")
          .note("--shape gives the shapes of a symbol's inputs");
      return false;
    }
    // Mistakes of the graph and of the files are reported together.
    std::shared_ptr<const symbol::Graph> graph = readGraph();
    if (!readSources() || !graph || !sizeGrowth(/*isOnnx=*/false))
      return false;
    ImportOptions options;
    for (const std::shared_ptr<params::WeightSource> &source : sources)
      options.weights.push_back(source.get());
    options.shapes = request.shapes;
    options.dtypes = request.dtypes;
    options.randomWeights = request.randomWeights;
    options.extraWeights = request.extraWeights;
    options.seed = request.seed;
    options.training = !request.gradients.arguments.empty() || request.train;
    options.parametersAreInputs = request.train.has_value();
    options.parameters = request.parameters;
    if (request.batches.empty()) {
      whole = importGraph(*graph, options, mlirContext, diagnostics);
      if (whole)
        nets = {*whole};
      return whole && markGrowth();
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
    rows =
        importWith(DimSpec::range(1, std::max<int64_t>(2, request.batches.front()), batchSymbol));
    return true;
  });
}

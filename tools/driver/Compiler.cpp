// Compiler.cpp: the stages of a compilation (see Compiler.h).
#include "tools/driver/Compiler.h"

#include "codegen/cpu/Pipeline.h"
#include "codegen/cpu/TileChoice.h"
#include "codegen/emit/Prepare.h"
#include "codegen/lower/Outline.h"
#include "codegen/plan/PlanArena.h"
#include "codegen/plan/PlanChecker.h"
#include "frontend/import/TableCatalog.h"
#include "frontend/json/SymbolReader.h"
#include "passes/Passes.h"
#include "tools/driver/Messages.h"
#include "tools/driver/Steps.h"
#include "tools/driver/WeightValues.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <cstdlib>

using namespace mlir;
using namespace symc;

std::string symc::identifierFrom(StringRef name) {
  std::string identifier;
  for (char c : name)
    identifier += llvm::isAlnum(c) ? c : '_';
  if (identifier.empty() || llvm::isDigit(identifier[0]))
    identifier = "model_" + identifier;
  return identifier;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

Compiler::Compiler(CompileRequest wanted, Diagnostics &diagnostics)
    : request(std::move(wanted)), diagnostics(diagnostics),
      mlirContext(MLIRContext::Threading::DISABLED) {
  DialectRegistry registry;
  registry.insert<sg::SGDialect, kernel::KernelDialect, memref::MemRefDialect>();
  codegen::registerPipelineDialects(registry);
  mlirContext.appendDialectRegistry(registry);
  mlirContext.loadAllAvailableDialects();
  mlirContext.printOpOnDiagnostic(false);
  handler = forwardDiagnostics(mlirContext, diagnostics, request.symbolFile);
}

Compiler::~Compiler() = default;

void Compiler::tellRemarks(RemarkKinds kinds, std::function<void(const RemarkText &)> tell) {
  forwardRemarks(mlirContext, kinds, request.symbolFile, std::move(tell));
}

template <typename Body> bool Compiler::stage(StringRef name, Body body) {
  if (onStage)
    onStage(name);
  auto begin = std::chrono::steady_clock::now();
  bool ok = body();
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  stageTimes.push_back({name.str(), elapsed.count()});
  return ok && !diagnostics.hasErrors();
}

bool Compiler::report(llvm::Error error) {
  if (!error)
    return true;
  diagnostics.error(request.symbolFile, {}, llvm::toString(std::move(error)));
  return false;
}

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
    std::optional<json::Graph> graph =
        json::readSymbolFile(request.symbolFile, diagnostics, {&catalog, true});
    ImportOptions options;
    for (const std::string &path : request.paramsFiles)
      if (std::optional<params::ArrayFile> file = params::readArrays(path, diagnostics))
        files.push_back(std::move(*file));
    if (!graph || diagnostics.hasErrors())
      return false;
    for (const params::ArrayFile &file : files)
      options.params.push_back(&file);
    options.shapes = request.shapes;
    options.dtypes = request.dtypes;
    options.randomWeights = request.randomWeights;
    options.extraWeights = request.extraWeights;
    options.seed = request.seed;
    ir = importGraph(*graph, options, mlirContext, diagnostics);
    return static_cast<bool>(ir);
  });
}

bool Compiler::runPasses(llvm::function_ref<void(OpPassManager &)> build) {
  PassManager manager(&mlirContext);
  manager.enableVerifier(true);
  build(manager);
  return succeeded(manager.run(*ir));
}

bool Compiler::infer() {
  if (inferred)
    return !diagnostics.hasErrors();
  inferred = true;
  return stage("infer", [&] {
    return runPasses([](OpPassManager &manager) {
      manager.addPass(createInferShapes());
      manager.addPass(createInferTypes());
    });
  });
}

bool Compiler::optimise() {
  if (!infer())
    return false;
  return stage("optimise", [&] {
    return runPasses([&](OpPassManager &manager) {
      if (request.referenceOnly)
        buildReferencePipeline(manager);
      else
        buildPredictPipeline(manager);
    });
  });
}

bool Compiler::schedule() {
  return stage("schedule", [&] {
    codegen::ScheduleOptions options;
    options.referenceOnly = request.referenceOnly;
    options.kernels = {targets.front(), codegen::errorLimitOf(request.math), request.forceKernel};
    if (failed(codegen::scheduleModule(*ir, options)))
      return false;
    for (auto program : ir->getOps<kernel::ProgramOp>()) {
      program.walk([&](kernel::ConvOp conv) { codegen::chooseTile(conv, targets.front()); });
      program.walk([&](kernel::WinogradOp conv) { codegen::chooseTile(conv, targets.front()); });
      if (failed(codegen::planArena(program)))
        return false;
      if (request.checkPlan && failed(codegen::checkPlan(program)))
        return false;
    }
    return true;
  });
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

static kernel::ProgramOp program(ModuleOp module, StringRef name) {
  return module.lookupSymbol<kernel::ProgramOp>(name);
}

static codegen::TensorInfo tensorInfo(StringRef name, Type tensor, bool isInput,
                                      ArrayRef<int64_t> dimMax) {
  codegen::TensorInfo info;
  info.name = name.str();
  info.dtype = sg::flagFromType(sg::elementTypeOf(tensor)).value_or(0);
  info.maxBytes = sg::typeBytes(sg::elementTypeOf(tensor));
  sg::Shape shape = sg::shapeOf(tensor);
  SmallVector<Attribute> largest;
  for (int64_t max : dimMax)
    largest.push_back(IntegerAttr::get(IndexType::get(tensor.getContext()), max));
  for (sg::Dim dim : shape.list()) {
    AffineExpr expr = dim.getExpr();
    SmallVector<Attribute> folded;
    auto map = AffineMap::get(0, dimMax.size(), expr);
    (void)map.constantFold(largest, folded);
    int64_t extent = folded.empty() ? 0 : cast<IntegerAttr>(folded[0]).getInt();
    info.maxBytes *= extent;
    auto symbol = dyn_cast<AffineSymbolExpr>(expr);
    info.shape.push_back(isInput && symbol ? -static_cast<int64_t>(symbol.getPosition()) - 1
                                           : extent);
  }
  return info;
}

codegen::ModelInfo Compiler::modelInfo() {
  codegen::ModelInfo info;
  info.prefix = request.prefix;
  info.compiler = "symc 0.1.0";
  info.triple = request.triple;
  auto graph = ir->lookupSymbol<sg::GraphOp>("main");
  ArrayRef<int64_t> dimMax, dimMin;
  if (graph.getDimMax()) {
    dimMax = *graph.getDimMax();
    dimMin = *graph.getDimMin();
    for (size_t i = 0; i < dimMax.size(); ++i) {
      std::string name = "s" + std::to_string(i);
      if (graph.getDimNames())
        name = cast<StringAttr>((*graph.getDimNames())[i]).str();
      info.dims.push_back({name, dimMin[i], dimMax[i]});
    }
    info.outputShapesSymbol = request.prefix + "_run_0_output_shapes";
  }
  for (auto [i, argument] : llvm::enumerate(graph.getBlock().getArguments())) {
    info.inputs.push_back(
        tensorInfo(graph.getInputName(i), argument.getType(), /*isInput=*/true, dimMax));
    if (argument.use_empty())
      info.inputs.back().flags |= SYMC_TENSOR_OPTIONAL;
  }
  for (auto [i, head] : llvm::enumerate(graph.getBlock().getTerminator()->getOperands())) {
    info.outputs.push_back(tensorInfo(graph.getOutputName(i), head.getType(), false, dimMax));
    if (graph.getResAttrs() &&
        cast<DictionaryAttr>((*graph.getResAttrs())[i]).contains("sg.state"))
      info.outputs.back().flags |= SYMC_TENSOR_AUX;
  }
  if (!librariesOf(*ir).empty())
    info.openSymbol = "symc_open_lapack";
  for (sg::WeightOp weight : codegen::prepareInputs(*ir))
    info.parameters.push_back(tensorInfo(weight.getSymName(), weight.getType(), false, {}));
  for (auto [i, target] : llvm::enumerate(targets))
    info.variants.push_back({target.name, target.cpuLevel,
                             static_cast<int64_t>(program(*ir, "main_program").getArenaBytes().value_or(0)),
                             request.prefix + "_run_" + std::to_string(i)});
  return info;
}

OwningOpRef<ModuleOp> Compiler::loops() {
  OwningOpRef<ModuleOp> lowered = ModuleOp::create(ir->getLoc());
  if (failed(codegen::lowerProgram(program(*ir, "main_program"), request.prefix + "_run_0",
                                   targets.front(), request.math, *lowered)))
    return {};
  return lowered;
}

std::unique_ptr<codegen::Code> Compiler::code(bool withPrepare) {
  auto code = std::make_unique<codegen::Code>(request.triple);
  auto lower = [&](StringRef name, std::string symbol, const codegen::TargetDescription &target,
                   codegen::MathMode math, bool probes) {
    OwningOpRef<ModuleOp> lowered = ModuleOp::create(ir->getLoc());
    codegen::OutlineOptions options;
    options.probes = probes;
    return succeeded(codegen::lowerProgram(program(*ir, name), symbol, target, math, *lowered,
                                           options)) &&
           code->add(*lowered, target, math);
  };
  bool ok = stage("lower", [&] {
    // Buffers and steps are the same for every instruction set, tiles are not.
    for (auto [i, target] : llvm::enumerate(targets)) {
      ir->walk([&, first = i == 0](kernel::ConvOp conv) {
        if (first || conv->getParentOfType<kernel::ProgramOp>().getSymName() == "prepare_program")
          return;
        conv.removeTileAttr();
        conv.removeKBlockAttr();
        codegen::chooseTile(conv, target);
      });
      program(*ir, "main_program").walk([&](kernel::WinogradOp conv) {
        conv.removeTileAttr();
        codegen::chooseTile(conv, target);
      });
      if (!lower("main_program", request.prefix + "_run_" + std::to_string(i), target,
                 request.math, request.probes))
        return false;
    }
    return !withPrepare || lower("prepare_program", request.prefix + "_prepare_program",
                                 targets.back(), codegen::MathMode::Strict, false);
  });
  return ok ? std::move(code) : nullptr;
}

void Compiler::keepPrepare(codegen::ModelInfo &info) {
  info.prepareSymbol = request.prefix + "_prepare_program";
  info.prepareArenaBytes = program(*ir, "prepare_program").getArenaBytes().value_or(0);
}

// Raw values of @prepare's inputs; copies where a file's bytes are not aligned
// to their elements or the values are drawn.
std::vector<const void *> Compiler::parameterData(std::vector<std::vector<char>> &owned) {
  std::vector<const void *> data;
  for (sg::WeightOp weight : codegen::prepareInputs(*ir)) {
    auto type = cast<RankedTensorType>(weight.getType());
    int64_t element = sg::typeBytes(type.getElementType());
    if (weight.getRandom()) {
      owned.push_back(drawWeight(weight));
      data.push_back(owned.back().data());
      continue;
    }
    const params::Array *array = nullptr;
    for (const params::ArrayFile &file : files)
      if (file.path == weight.getFile().value_or(""))
        for (params::ParamKind kind :
             {weight.getAux() ? params::ParamKind::Aux : params::ParamKind::Arg,
              params::ParamKind::Arg, params::ParamKind::Aux, params::ParamKind::None})
          if (!array)
            array = file.find(kind, weight.getSymName());
    if (!array) {
      diagnostics.error(request.symbolFile, {},
                        "internal error: no value for weight '" + weight.getSymName() + "'");
      return {};
    }
    if (std::optional<Type> stored = weight.getStored()) {
      owned.push_back(convertWeight(array->data, *stored, type));
      data.push_back(owned.back().data());
    } else if (reinterpret_cast<uintptr_t>(array->data) % element == 0) {
      data.push_back(array->data);
    } else {
      owned.emplace_back(array->data, array->data + array->byteCount);
      data.push_back(owned.back().data());
    }
  }
  return data;
}

uint64_t Compiler::preparedBytes() {
  uint64_t size = 0;
  for (auto prepared : ir->getOps<kernel::PreparedOp>()) {
    auto type = cast<MemRefType>(prepared.getType());
    int64_t element = std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
    size = std::max<uint64_t>(size, prepared.getOffset() + type.getNumElements() * element);
  }
  return llvm::alignTo(size, SYMC_ALIGN);
}

bool Compiler::prepareInto(uint8_t *memory, uint64_t bytes, llvm::function_ref<void()> release) {
  auto releaseAll = [&] {
    if (release)
      release();
    for (const params::ArrayFile &file : files)
      file.releasePages();
  };
  return stage("prepare", [&] {
    std::vector<std::vector<char>> owned;
    std::vector<const void *> data = parameterData(owned);
    if (diagnostics.hasErrors())
      return false;
    codegen::InProcessOptions options;
    options.resourceDir = request.resourceDir;
    return report(codegen::runPrepare(program(*ir, "prepare_program"), data, memory, options,
                                      releaseAll)) &&
           (releaseAll(), true);
  });
}

bool Compiler::prepareWeights(PreparedWeights &weights) {
  weights.size = preparedBytes();
  if (weights.size == 0)
    return true;
  weights.bytes = {static_cast<uint8_t *>(std::aligned_alloc(SYMC_ALIGN, weights.size)), std::free};
  if (!weights.bytes) {
    diagnostics.error(request.symbolFile, {},
                      "no memory for " + llvm::Twine(weights.size) + " bytes of prepared weights");
    return false;
  }
  // Bytes between weights are zero, so that equal inputs give equal files.
  std::memset(weights.bytes.get(), 0, weights.size);
  if (!prepareInto(weights.bytes.get(), weights.size))
    return false;
  weights.hash = llvm::xxh3_64bits(ArrayRef<uint8_t>(weights.bytes.get(), weights.size));
  return true;
}

std::unique_ptr<codegen::InProcess>
Compiler::load(PreparedWeights &weights, const codegen::InProcessOptions &options) {
  if (!weights.bytes && !prepareWeights(weights))
    return nullptr;
  std::unique_ptr<codegen::Code> lowered = code();
  if (!lowered)
    return nullptr;
  std::unique_ptr<codegen::InProcess> loaded;
  stage("load", [&] {
    auto result = codegen::loadModel(*lowered, modelInfo(), weights.bytes.get(), weights.size,
                                     weights.hash, options);
    if (!result)
      return report(result.takeError());
    loaded = std::move(*result);
    return true;
  });
  return loaded;
}

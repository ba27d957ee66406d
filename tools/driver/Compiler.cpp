// Compiler.cpp: the stages of a compilation (see Compiler.h).
#include "tools/driver/Compiler.h"

#include "codegen/cpu/Pipeline.h"
#include "codegen/cpu/RowBands.h"
#include "codegen/cpu/TileChoice.h"
#include "codegen/emit/Prepare.h"
#include "codegen/lower/Outline.h"
#include "codegen/plan/PlanArena.h"
#include "codegen/plan/PlanChecker.h"
#include "frontend/import/TableCatalog.h"
#include "frontend/json/SymbolReader.h"
#include "passes/Passes.h"
#include "passes/RowRules.h"
#include "tools/driver/Messages.h"
#include "tools/driver/Steps.h"
#include "tools/driver/Tuner.h"
#include "tools/driver/WeightValues.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"
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
  forwardRemarks(mlirContext, kinds, request.symbolFile,
                 [this, tell = std::move(tell)](const RemarkText &remark) {
                   if (!trying)
                     tell(remark);
                 });
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
    if (request.batches.empty()) {
      ir = importGraph(*graph, options, mlirContext, diagnostics);
      return static_cast<bool>(ir);
    }
    auto importWith = [&](DimSpec batch) {
      options.shapes = request.shapes;
      for (auto &[name, shape] : options.shapes)
        if (!shape.empty() && shape[0].symbol == batchSymbol)
          shape[0] = batch;
      return importGraph(*graph, options, mlirContext, diagnostics);
    };
    ir = importWith(DimSpec::fixed(request.batches.front()));
    if (!ir)
      return false;
    for (int64_t size : ArrayRef(request.batches).drop_front())
      others.push_back(importWith(DimSpec::fixed(size)));
    rows = importWith(DimSpec::range(1, std::max<int64_t>(2, request.batches.front()), batchSymbol));
    return true;
  });
}

SmallVector<ModuleOp> Compiler::modules() {
  SmallVector<ModuleOp> list{*ir};
  for (OwningOpRef<ModuleOp> &other : others)
    list.push_back(*other);
  return list;
}

bool Compiler::runPasses(ModuleOp module, llvm::function_ref<void(OpPassManager &)> build) {
  PassManager manager(&mlirContext);
  manager.enableVerifier(true);
  build(manager);
  return succeeded(manager.run(module));
}

// After an error that names the node or input.
bool Compiler::refuseBatch() {
  diagnostics.error(request.symbolFile, {}, "the net cannot be compiled for several batch sizes")
      .note("leave --batch out and give the one size in --shape");
  return false;
}

bool Compiler::infer() {
  if (inferred)
    return !diagnostics.hasErrors();
  inferred = true;
  return stage("infer", [&] {
    auto build = [](OpPassManager &manager) {
      manager.addPass(createInferShapes());
      manager.addPass(createInferTypes());
    };
    for (ModuleOp module : modules())
      if (!runPasses(module, build))
        return false;
    return !rows || runPasses(*rows, build) || refuseBatch();
  });
}

bool Compiler::optimise() {
  if (!infer())
    return false;
  return stage("optimise", [&] {
    if (rows && !runPasses(*rows, buildRowCheckPipeline))
      return refuseBatch();
    for (ModuleOp module : modules())
      if (!runPasses(module,
                     request.referenceOnly ? buildReferencePipeline : buildPredictPipeline))
        return false;
    return true;
  });
}

bool Compiler::readTuning() {
  if (request.tuningFile.empty())
    return true;
  auto buffer = llvm::MemoryBuffer::getFile(request.tuningFile);
  if (!buffer) {
    diagnostics.error(request.tuningFile, {}, "cannot read the tuning file: " +
                                                  buffer.getError().message());
    return false;
  }
  if (std::optional<codegen::TuningError> bad = tuning.parse((*buffer)->getBuffer())) {
    diagnostics.error(request.tuningFile, {bad->line, bad->column, 0}, bad->message)
        .note("symc --tune=FILE writes such a file");
    return false;
  }
  return true;
}

static uint64_t preparedBytesOf(ModuleOp module);

// Schedules with each kernel that --math allows, and measures their steps. Buffers
// and kernels follow the first target; the others tune the tiles of what it took.
bool Compiler::measure(const codegen::ScheduleOptions &options) {
  TuneOptions tuneOptions;
  tuneOptions.errorLimit = options.kernels.errorLimit;
  tuneOptions.math = request.math;
  tuneOptions.resourceDir = request.resourceDir;
  std::vector<OwningOpRef<ModuleOp>> schedules;
  auto schedule = [&](std::optional<codegen::ConvKernel> forced) {
    codegen::ScheduleOptions trial = options;
    trial.kernels.forced = forced;
    schedules.push_back(ir->clone());
    return succeeded(codegen::scheduleModule(*schedules.back(), trial));
  };
  auto tuneFor = [&](const codegen::TargetDescription &target) {
    SmallVector<ModuleOp> modules;
    for (OwningOpRef<ModuleOp> &module : schedules)
      modules.push_back(*module);
    auto shapes = tune(modules, target, tuneOptions, tuning);
    if (!shapes)
      return report(shapes.takeError());
    tuned.push_back(target.name + ": " + summarise(*shapes));
    return true;
  };
  llvm::SaveAndRestore quiet(trying, true);
  if (!schedule(request.forceKernel))
    return false;
  tuneOptions.weightBytes = preparedBytesOf(*schedules.front());
  if (!request.forceKernel && options.kernels.errorLimit > 0)
    if (!schedule(codegen::ConvKernel::Direct) ||
        !llvm::all_of(codegen::winogradKernels, schedule) ||
        !schedule(codegen::ConvKernel::Strassen))
      return false;
  if (!tuneFor(targets.front()))
    return false;
  schedules.clear();
  if (targets.size() > 1 && !schedule(request.forceKernel))
    return false;
  return llvm::all_of(ArrayRef(targets).drop_front(), tuneFor) && writeTuning();
}

bool Compiler::writeTuning() {
  std::error_code error;
  llvm::raw_fd_ostream os(request.tuneInto, error);
  if (!error) {
    os << tuning.print();
    os.close();
    error = os.error();
  }
  if (error) {
    diagnostics.error(request.tuneInto, {}, "cannot write the tuning file: " + error.message());
    os.clear_error();
    return false;
  }
  return true;
}

bool Compiler::schedule() {
  return stage("schedule", [&] {
    codegen::ScheduleOptions options;
    options.referenceOnly = request.referenceOnly;
    options.kernels.target = targets.front();
    options.kernels.errorLimit = codegen::errorLimitOf(request.math);
    options.kernels.forced = request.forceKernel;
    options.kernels.measured = &tuning;
    if (!readTuning() || (!request.tuneInto.empty() && !measure(options)))
      return false;
    std::vector<codegen::ScheduleOptions> each(others.size() + 1, options);
    kernelCosts.resize(each.size());
    for (size_t i = 0; i < request.batches.size(); ++i) {
      each[i].kernels.batches = request.batches;
      each[i].kernels.batch = request.batches[i];
      each[i].kernels.cost = &kernelCosts[i];
    }
    if (failed(codegen::scheduleModules(modules(), each)))
      return false;
    for (ModuleOp module : modules())
      for (auto program : module.getOps<kernel::ProgramOp>()) {
        if (program.getSymName() == "main_program")
          codegen::bandRows(program, codegen::BandLimits::of(targets.front()));
        applyTuning(program, targets.front());
        if (failed(codegen::planArena(program)))
          return false;
        if (request.checkPlan && failed(codegen::checkPlan(program)))
          return false;
      }
    return true;
  });
}

void Compiler::applyTuning(kernel::ProgramOp program, const codegen::TargetDescription &target) {
  program.walk([&](kernel::ConvOp conv) {
    conv.removeKBlockAttr();
    tuning.apply(conv, target);
  });
  program.walk([&](kernel::WinogradOp conv) { tuning.apply(conv, target); });
  program.walk([&](kernel::StrassenOp conv) { tuning.apply(conv, target); });
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
                             request.prefix + "_run_" + std::to_string(i), {}});
  if (!request.batches.empty())
    describeBatches(info);
  return info;
}

static int64_t arenaBytesOf(ModuleOp module) {
  return program(module, "main_program").getArenaBytes().value_or(0);
}

// The number of rows is the one size; inputs and outputs have it where the proof found it.
void Compiler::describeBatches(codegen::ModelInfo &info) {
  info.batches = request.batches;
  int64_t largest = request.batches.front();
  info.dims = {{batchSymbol, request.batches.back(), largest}};
  auto graph = rows->lookupSymbol<sg::GraphOp>("main");
  auto add = [&](codegen::TensorInfo &tensor, Value value, bool isInput) {
    bool hasRows = rowAxisOf(value.getType()).value_or(kNoRows) == 0;
    info.rowBytes.push_back(hasRows ? tensor.maxBytes / largest : 0);
    if (hasRows && isInput)
      tensor.shape[0] = -1;
  };
  for (auto [input, value] : llvm::zip_equal(info.inputs, graph.getBlock().getArguments()))
    add(input, value, true);
  for (auto [output, value] :
       llvm::zip_equal(info.outputs, graph.getBlock().getTerminator()->getOperands()))
    add(output, value, false);
  SmallVector<ModuleOp> all = modules();
  for (codegen::VariantInfo &variant : info.variants)
    for (size_t i = 0; i < all.size(); ++i) {
      variant.batchSymbols.push_back(variant.runSymbol + "_rows" +
                                     std::to_string(request.batches[i]));
      variant.arenaBytes = std::max(variant.arenaBytes, arenaBytesOf(all[i]));
    }
}

std::vector<BatchFacts> Compiler::batchFacts() {
  SmallVector<ModuleOp> all = modules();
  std::vector<BatchFacts> facts;
  for (size_t i = 0; i < request.batches.size(); ++i) {
    const codegen::KernelCost &cost = kernelCosts[i];
    facts.push_back({request.batches[i], arenaBytesOf(all[i]),
                     cost.own > 0 ? cost.taken / cost.own : 1});
  }
  return facts;
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
  auto lower = [&](ModuleOp module, StringRef name, std::string symbol,
                   const codegen::TargetDescription &target, codegen::MathMode math, bool probes) {
    OwningOpRef<ModuleOp> lowered = ModuleOp::create(ir->getLoc());
    codegen::OutlineOptions options;
    options.probes = probes;
    return succeeded(codegen::lowerProgram(program(module, name), symbol, target, math, *lowered,
                                           options)) &&
           code->add(*lowered, target, math);
  };
  bool ok = stage("lower", [&] {
    // Buffers and steps are the same for every instruction set, tiles are not.
    SmallVector<ModuleOp> all = modules();
    for (auto [i, target] : llvm::enumerate(targets))
      for (auto [batch, module] : llvm::enumerate(all)) {
        applyTuning(program(module, "main_program"), target);
        std::string symbol = request.prefix + "_run_" + std::to_string(i);
        if (!request.batches.empty())
          symbol += "_rows" + std::to_string(request.batches[batch]);
        if (!lower(module, "main_program", symbol, target, request.math, request.probes))
          return false;
      }
    return !withPrepare || lower(*ir, "prepare_program", request.prefix + "_prepare_program",
                                 targets.back(), codegen::MathMode::Portable, false);
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

static uint64_t preparedBytesOf(ModuleOp module) {
  uint64_t size = 0;
  for (auto prepared : module.getOps<kernel::PreparedOp>()) {
    auto type = cast<MemRefType>(prepared.getType());
    int64_t element = std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
    size = std::max<uint64_t>(size, prepared.getOffset() + type.getNumElements() * element);
  }
  return llvm::alignTo(size, SYMC_ALIGN);
}

uint64_t Compiler::preparedBytes() { return preparedBytesOf(*ir); }

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
  auto native = codegen::TargetDescription::get("native");
  for (const codegen::TargetDescription &target : targets)
    if (target.architecture() != native->architecture()) {
      diagnostics
          .error(request.symbolFile, {},
                 "code for '" + target.name + "' (" + target.architecture() + ") cannot run here")
          .note("symc --emit=asm shows it");
      return nullptr;
    }
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

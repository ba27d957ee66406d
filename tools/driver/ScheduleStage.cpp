// ScheduleStage.cpp: sg -> variants of kernel programs, measured where --tune requires it; their
// loops -> LLVM IR of each instruction set (see Compiler.h). The order of passes is
// codegen/Pipelines.cpp's.
#include "tools/driver/Compiler.h"

#include "codegen/conv/ConvChoice.h"
#include "codegen/cuda/ProgramText.h"
#include "codegen/emit/CudaTable.h"
#include "codegen/emit/OutputFile.h"
#include "codegen/emit/SharedKernels.h"
#include "codegen/lower/Outline.h"
#include "codegen/lower/SizeFunctions.h"
#include "codegen/lower/StepTable.h"
#include "codegen/lower/Updates.h"
#include "codegen/lower/Watched.h"
#include "ir/States.h"
#include "tools/driver/Tuner.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace symc;

bool Compiler::readTuning() {
  if (request.tuningFile.empty())
    return true;
  if (std::string reason = notRegular(request.tuningFile); !reason.empty()) {
    diagnostics.error(request.tuningFile, {}, reason);
    return false;
  }
  auto buffer = llvm::MemoryBuffer::getFile(request.tuningFile);
  if (!buffer) {
    diagnostics.error(request.tuningFile, {},
                      "cannot read the tuning file: " + buffer.getError().message());
    return false;
  }
  std::optional<codegen::TuningError> bad = tuning.parse((*buffer)->getBuffer());
  if (!bad)
    bad = deviceTuning.parse((*buffer)->getBuffer());
  if (bad) {
    diagnostics.error(request.tuningFile, {bad->line, bad->column, 0}, bad->message)
        .note("symc --tune=FILE writes such a file");
    return false;
  }
  return true;
}

codegen::CodegenOptions Compiler::codegenOptions() {
  codegen::CodegenOptions options;
  options.targets.clear();
  for (const codegen::TargetDescription &target : targets)
    options.targets.push_back(target.name);
  options.math = nameOf(request.math).str();
  if (request.forceKernel)
    options.forceKernel = request.forceKernel->name.str();
  if (codegen::isHalf(request.precision)) {
    options.storage = nameOf(request.precision).str();
    // Weights that code for a device shares are in its form.
    if (!request.onDevice && !request.alsoOnDevice)
      options.precision = options.storage;
  }
  options.reference = request.referenceOnly;
  options.tuning = request.tuneInto.empty() ? request.tuningFile : request.tuneInto;
  options.batches.assign(request.batches.begin(), request.batches.end());
  options.prefix = request.prefix;
  options.prepare = request.emitPrepare;
  options.placement = request.placement;
  options.probes = request.probes;
  return options;
}

// Schedules with each algorithm that --math allows, and measures their steps, one instruction
// set after the other: each has algorithms of its own.
bool Compiler::measure() {
  TuneOptions tuneOptions;
  tuneOptions.math = request.math;
  tuneOptions.resourceDir = request.resourceDir;
  codegen::CodegenOptions trial = codegenOptions();
  trial.tuning = request.tuningFile;
  auto tuneFor = [&](const codegen::TargetDescription &target) {
    trial.targets = {target.name};
    std::vector<OwningOpRef<ModuleOp>> schedules;
    auto schedule = [&](const codegen::ConvAlgorithm *forced) {
      trial.forceKernel = forced ? forced->name.str() : "";
      schedules.push_back(module().clone());
      return runPasses(*schedules.back(),
                       [&](OpPassManager &manager) { codegen::addSchedulePasses(manager, trial); });
    };
    if (!schedule(request.forceKernel))
      return false;
    tuneOptions.weightBytes = preparedBytesOf(*schedules.front());
    if (!request.forceKernel && codegen::errorLimitOf(request.math) > 0 &&
        !llvm::all_of(codegen::convAlgorithms(), schedule))
      return false;
    SmallVector<ModuleOp> modules;
    for (OwningOpRef<ModuleOp> &module : schedules)
      modules.push_back(*module);
    auto shapes = tune(modules, target, tuneOptions, tuning);
    if (!shapes)
      return report(shapes.takeError());
    tuned.push_back(target.name + ": " + summarise(*shapes));
    return writeTuning();
  };
  llvm::SaveAndRestore quiet(trying, true);
  return llvm::all_of(targets, tuneFor);
}

bool Compiler::writeTuning() {
  llvm::Error error = codegen::writeWhole(request.tuneInto, tuning.print() + deviceTuning.print());
  if (!error)
    return true;
  diagnostics.error(request.tuneInto, {}, llvm::toString(std::move(error)));
  return false;
}

// Which outputs are gradients of which parameters: these may change while backward runs.
void Compiler::setUpdates() {
  auto graph = module().lookupSymbol<sg::GraphOp>("main");
  llvm::StringMap<int64_t> inputs;
  for (unsigned i = 0; i < graph.getBlock().getNumArguments(); ++i)
    inputs[graph.getInputName(i)] = i;
  SmallVector<int64_t> parameters;
  for (unsigned i = 0; i < graph.getBlock().getTerminator()->getNumOperands(); ++i) {
    StringRef name = sg::stateOfResult(graph, i).empty() ? graph.getOutputName(i) : StringRef();
    auto input = name.consume_front("grad:") ? inputs.find(name) : inputs.end();
    parameters.push_back(input == inputs.end() ? -1 : input->second);
  }
  for (kernel::ProgramOp program : kernel::mainPrograms(module()))
    program->setAttr(codegen::updatesName, DenseI64ArrayAttr::get(&mlirContext, parameters));
}

bool Compiler::schedule() {
  bool ok = stage("schedule", [&] {
    bool measures = !request.tuneInto.empty() && !request.onDevice;
    if (!readTuning() || (measures && !measure()))
      return false;
    return runPasses(*whole, [&](OpPassManager &manager) {
      request.onDevice ? codegen::buildCudaPipeline(manager, codegenOptions())
                       : codegen::buildSchedulePipeline(manager, codegenOptions());
    });
  });
  if (ok && request.train)
    setUpdates();
  if (ok && request.onDevice && !request.tuneInto.empty())
    ok = measureOnDevice(); // what is scheduled
  return ok && (!beside || scheduleBeside());
}

// Variants one by one, so that the loops of one are gone before the next one's are made.
bool Compiler::outline(kernel::VariantOp variant) {
  kernel::ProgramOp entry = variant.getEntry();
  if (request.train || request.stepTable)
    entry->setAttr(codegen::stepTableName, UnitAttr::get(entry.getContext()));
  if (request.train && entry.getSymName() == "main_program") {
    // Sums over processes begin while backward runs.
    Builder b(entry.getContext());
    entry->setAttr(codegen::reportsName, b.getUnitAttr());
    // A step with a NaN runs again and names its node.
    NamedAttrList operators;
    for (const auto &[node, op] : facts.operators)
      operators.set(node, b.getStringAttr(op));
    entry->setAttr(codegen::operatorsName, operators.getDictionary(entry.getContext()));
  }
  return runPasses(variant, [&](OpPassManager &manager) {
    codegen::buildLoopsPipeline(manager, codegenOptions());
  });
}

OwningOpRef<ModuleOp> Compiler::loops() {
  kernel::VariantOp variant = *module().getOps<kernel::VariantOp>().begin();
  if (!outline(variant))
    return {};
  ModuleOp functions = variant.getFunctions();
  functions->remove();
  return functions;
}

codegen::cuda::CudaChoices Compiler::cudaChoices() const {
  codegen::cuda::CudaChoices choices;
  choices.tile = request.forceTile;
  choices.parts = request.forceParts;
  choices.vectors = request.forceVectors;
  choices.fallback = request.fallback;
  choices.precision = request.precision;
  choices.tensorCores = llvm::all_of(request.cudaArchs, codegen::hasTensorCores);
  choices.groups =
      llvm::all_of(request.cudaArchs, [](llvm::StringRef name) { return name.starts_with("90a"); });
  choices.forms = deviceTuning.formsFor(request.cudaArchs);
  choices.formsFile = request.tuningFile;
  choices.devices.clear();
  for (const std::string &name : request.cudaArchs)
    choices.devices.push_back(&codegen::cudaDeviceOf(name));
  return choices;
}

std::optional<codegen::CudaProgram> Compiler::deviceProgram(size_t net) {
  return deviceProgram(net, cudaChoices());
}

std::optional<codegen::CudaProgram>
Compiler::deviceProgram(size_t net, const codegen::cuda::CudaChoices &choices) {
  kernel::VariantOp variant = *nets[net].getOps<kernel::VariantOp>().begin();
  std::optional<codegen::CudaProgram> program;
  stage("lower", [&] {
    auto references = codegen::cuda::ReferenceKernels::read(request.resourceDir);
    if (!references)
      return report(references.takeError());
    FailureOr<codegen::CudaProgram> made =
        codegen::cuda::writeProgram(variant.getEntry(), &*references, choices);
    if (failed(made))
      return false;
    oneThread.clear();
    for (const codegen::CudaLaunch &launch : made->launches)
      if (launch.isOneThread())
        oneThread.push_back(launch.node);
    program = std::move(*made);
    return true;
  });
  return program;
}

bool Compiler::compileKernels(llvm::MutableArrayRef<codegen::CudaProgram> programs) {
  for (codegen::CudaProgram &program : programs)
    if (imageOf) {
      llvm::Expected<codegen::CudaImage> image = imageOf(program);
      if (!image)
        return report(image.takeError());
      program.images = {std::move(*image)};
    }
  if (imageOf)
    return true;
  std::vector<WantedImage> wanted = imagesFor(request.cudaArchs);
  CudaBinaries binaries;
  if (!compileForDevice(programs, wanted, binaries))
    return false;
  for (size_t i = 0; i < binaries.size(); ++i) {
    const WantedImage &image = wanted[i % wanted.size()];
    int64_t number = 0;
    llvm::StringRef rest = image.architecture;
    rest.consumeInteger(10, number);
    programs[i / wanted.size()].images.push_back(
        {image.kind, int32_t(number), !rest.empty(), binaries[i]->bytes});
  }
  return true;
}

bool Compiler::addDeviceCode(codegen::Code &code, uint64_t weightsOffset) {
  std::vector<codegen::CudaProgram> programs;
  for (size_t net = 0; net < nets.size(); ++net) {
    std::optional<codegen::CudaProgram> program = deviceProgram(net);
    if (!program)
      return false;
    program->weightsOffset = weightsOffset;
    programs.push_back(std::move(*program));
  }
  return stage("nvrtc", [&] { return compileKernels(programs); }) &&
         stage("lower", [&] { return addPrograms(programs, code); });
}

std::unique_ptr<codegen::Code> Compiler::code() {
  auto code = std::make_unique<codegen::Code>(request.triple);
  code->mayGoOn = mayGoOn;
  return addCode(*code) ? std::move(code) : nullptr;
}

bool Compiler::addCode(codegen::Code &code) {
  if (request.onDevice)
    return addDeviceCode(code, 0);
  codegen::SharedKernels shared(targets);
  auto add = [&](kernel::VariantOp variant) {
    if (!outline(variant))
      return false;
    ModuleOp functions = variant.getFunctions();
    llvm::scope_exit erase([&] { functions.erase(); });
    auto target = *codegen::TargetDescription::get(variant.getTarget());
    codegen::MathMode math = *codegen::mathModeNamed(variant.getMath());
    shared.share(functions, target, math);
    return code.add(functions, target, math);
  };
  bool ok = stage("lower", [&] {
    // An instruction set behind the other, the least one first where others call its kernels, the
    // weights' own variant last.
    SmallVector<SmallVector<kernel::VariantOp>> variants;
    size_t most = 0;
    for (ModuleOp net : nets) {
      variants.emplace_back(net.getOps<kernel::VariantOp>());
      most = std::max(most, variants.back().size());
    }
    SmallVector<size_t> order = llvm::to_vector(llvm::seq(most));
    if (shared.isPossible())
      std::reverse(order.begin(), order.begin() + targets.size());
    for (size_t i : order)
      for (ArrayRef<kernel::VariantOp> list : variants)
        if (i < list.size() && !add(list[i]))
          return false;
    return true;
  });
  uint64_t weightsOffset = sharesWeights ? 0 : preparedBytesOf(module());
  return ok && (!beside || alsoBeside([&](Compiler &other) {
           return other.addDeviceCode(code, weightsOffset);
         }));
}

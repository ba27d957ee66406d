// ScheduleStage.cpp: sg -> kernel programs with tiles and a planned arena, measured where
// --tune asks; kernel programs -> loops and LLVM IR of each instruction set (see Compiler.h).
#include "tools/driver/Compiler.h"

#include "codegen/cpu/Pipeline.h"
#include "codegen/cpu/RowBands.h"
#include "codegen/cpu/TileChoice.h"
#include "codegen/lower/Outline.h"
#include "codegen/plan/PlanArena.h"
#include "codegen/plan/PlanChecker.h"
#include "tools/driver/Tuner.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace symc;

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
  program.walk([&](kernel::ConvOp conv) { tuning.apply(conv, target); });
  program.walk([&](kernel::WinogradOp conv) { tuning.apply(conv, target); });
  program.walk([&](kernel::StrassenOp conv) { tuning.apply(conv, target); });
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
        for (auto each : module.getOps<kernel::ProgramOp>())
          applyTuning(each, target);
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

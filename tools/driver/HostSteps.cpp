// HostSteps.cpp: the CPU's code in a model for CUDA: what the device leaves to it (--fallback=cpu),
// and what a run requires of its sizes.
#include "codegen/KernelPasses.h"
#include "codegen/emit/CudaTable.h"
#include "codegen/kernel/Pieces.h"
#include "codegen/lower/Outline.h"
#include "codegen/lower/SizeFunctions.h"
#include "tools/driver/Compiler.h"
#include "tools/driver/CustomKernels.h"

using namespace mlir;
using namespace symc;

bool Compiler::addHostSteps(size_t net, const codegen::CudaProgram &program, codegen::Code &code) {
  if (program.hostSteps.empty())
    return true;
  kernel::VariantOp variant = *nets[net].getOps<kernel::VariantOp>().begin();
  kernel::ProgramOp entry = variant.getEntry();
  codegen::TargetDescription target = *codegen::TargetDescription::get(variant.getTarget());
  codegen::MathMode math = *codegen::mathModeNamed(variant.getMath());
  std::string symbol = batchSymbolOf(request.prefix + "_run_0", net);
  OwningOpRef<ModuleOp> functions = ModuleOp::create(variant.getLoc());
  // Graphs that such a step runs have tiles of the CPU; steps for the device have none of these.
  for (auto body : variant.getBody().getOps<kernel::ProgramOp>())
    if (body != entry && !runPasses(body, [](OpPassManager &manager) {
          manager.addPass(codegen::createKernelChooseTiles());
        }))
      return false;
  llvm::DenseMap<int64_t, int64_t> onHost; // of steps by their number
  for (const codegen::CudaLaunch &launch : program.launches)
    if (launch.hostStep >= 0)
      onHost[launch.step] = launch.hostStep;
  kernel::StepNumbers numbers;
  for (auto step : entry.getBody().getOps<kernel::StepInterface>())
    if (auto found = onHost.find(numbers.of(step)); found != onHost.end())
      if (failed(codegen::lowerStep(step, codegen::hostStepSymbol(symbol, found->second), target,
                                    math, *functions)))
        return false;
  return code.add(*functions, target, math);
}

bool Compiler::addPrograms(llvm::ArrayRef<codegen::CudaProgram> programs, codegen::Code &code) {
  std::string run = request.prefix + "_run_0";
  // What a run requires of its sizes, by instructions that every machine with a device has.
  OwningOpRef<ModuleOp> functions = ModuleOp::create(module().getLoc());
  codegen::addSizeFunctions(kernel::mainPrograms(module()).front(), run, *functions);
  if (!functions->getBody()->empty() &&
      !code.add(*functions, *codegen::TargetDescription::get(codegen::TargetDescription::least()),
                codegen::MathMode::Strict))
    return false;
  for (auto [net, program] : llvm::enumerate(programs)) {
    if (!addHostSteps(net, program, code))
      return false;
    codegen::addCudaProgram(code.module(), program, batchSymbolOf(run, net));
  }
  return true;
}

std::unique_ptr<codegen::InProcess> Compiler::loadDevice(const codegen::CudaProgram &program,
                                                         const codegen::InProcessOptions &options) {
  codegen::Code code(codegen::hostTriple());
  std::unique_ptr<codegen::InProcess> loaded;
  stage("load", [&] {
    if (!addPrograms(program, code))
      return false;
    codegen::ModelInfo info = modelInfo();
    codegen::InProcessOptions own = options;
    useLoadedKernels(wholeModule(), info, own);
    auto made = codegen::loadModel(code, info, nullptr, 0, 0, own);
    if (!made)
      return report(made.takeError());
    loaded = std::move(*made);
    return true;
  });
  return loaded;
}

// BothDevices.cpp: --target cpu,cuda. A second compiler makes the program for the device from the
// same source; the first one puts both into one file: variants in one table, and one set of
// prepared weights where both use the same, else the device's behind the CPU's.
#include "tools/driver/Compiler.h"

using namespace mlir;
using namespace symc;

CompileRequest Compiler::requestBeside() const {
  CompileRequest other = request;
  other.onDevice = true;
  other.alsoOnDevice = false;
  other.targetCpus = {
      codegen::TargetDescription::common()}; // whose layouts code for the device has
  other.forceKernel = nullptr;
  other.tuneInto.clear();
  other.crashReproducer.clear(); // that of the first
  other.prefix += "_cuda";
  return other;
}

bool Compiler::alsoBeside(llvm::function_ref<bool(Compiler &)> stage) {
  beside->onStage = onStage;
  beside->mayGoOn = mayGoOn;
  if (stage(*beside))
    return true;
  diagnostics.takeErrors(messagesBeside);
  return false;
}

// What is prepared, from what and how; places in files are no part of the text.
static std::string preparationOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (auto prepared : module.getOps<kernel::PreparedOp>())
    out << prepared << "\n";
  if (auto program = module.lookupSymbol<kernel::ProgramOp>("prepare_program"))
    out << program;
  return text;
}

bool Compiler::scheduleBeside() {
  if (!alsoBeside(
          [](Compiler &other) { return other.read() && other.optimise() && other.schedule(); }))
    return false;
  sharesWeights = preparationOf(module()) == preparationOf(beside->module());
  return true;
}

// ModelTable.h: adds what abi.h calls the model to a module of LLVM IR: the
// constant table, the functions of the C interface and, for an executable, what
// its main program looks for. Nothing here depends on the host.
#ifndef SYMC_CODEGEN_EMIT_MODELTABLE_H
#define SYMC_CODEGEN_EMIT_MODELTABLE_H

#include "codegen/emit/ModelInfo.h"
#include "llvm/IR/Module.h"

namespace symc::codegen {

enum class Interface {
  Program, // what runtime/main/main.cpp looks for: symc_main_model, symc_main_program
  Library, // <prefix>_model, <prefix>_create and the other functions of the header
  Shared,  // Library, and symc_main_model (const symc_model *) for programs that load any
  Table    // <prefix>_model only: for a model that is loaded in-process
};

/// The symbol of embedded weights, which the module refers to.
std::string weightsSymbol(const ModelInfo &model);

/// Adds the table and the functions. Functions that `model` names (run, prepare,
/// output shapes) must be in the module. Returns the names that stay visible.
std::vector<std::string> addModelTable(llvm::Module &module, const ModelInfo &model,
                                       const WeightsInfo &weights, Interface interface);

/// One forwarding function of the C interface: `<prefix>_<suffix>` calls
/// `runtime`. Signatures are in letters: i = int32_t, l = uint64_t, d = double, p = pointer,
/// v = void; the result first. `takesModel`: the table is passed before the other
/// arguments.
struct InterfaceFunction {
  const char *suffix, *runtime, *signature;
  bool takesModel;
};
/// Those that the model has: of gradients and preparation where its code does that.
std::vector<InterfaceFunction> interfaceFunctions(const ModelInfo &model);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_MODELTABLE_H

// ProgramContents.cpp: see ProgramContents.h.
#include "tools/conformance/ProgramContents.h"

#include "codegen/conv/ConvAlgorithm.h"
#include "codegen/cpu/TileChoice.h"
#include "frontend/json/SymbolReader.h"

using namespace symc;
using namespace symc::conformance;

bool symc::conformance::uses(mlir::ModuleOp module, const codegen::ConvAlgorithm *algorithm) {
  mlir::WalkResult walk = module.walk([&](kernel::StepInterface step) {
    return codegen::algorithmOf(step) == algorithm ? mlir::WalkResult::interrupt()
                                                   : mlir::WalkResult::advance();
  });
  return walk.wasInterrupted();
}

// Whether a kernel whose form begins with that is among those of the program.
static bool launches(Compiler &compiler, llvm::StringRef form) {
  std::optional<codegen::CudaProgram> program = compiler.deviceProgram();
  return !program || llvm::any_of(program->launches, [&](const codegen::CudaLaunch &launch) {
    return llvm::StringRef(launch.form).starts_with(form);
  });
}

static bool launchesOnTensorCores(Compiler &compiler) {
  std::optional<codegen::CudaProgram> program = compiler.deviceProgram();
  return !program || llvm::any_of(program->launches, [&](const codegen::CudaLaunch &launch) {
    std::optional<codegen::CudaForm> form = codegen::cudaFormNamed(launch.form);
    return form && form->tile->onTensorCores();
  });
}

bool symc::conformance::isProduct(const StoredCase &stored) {
  static const llvm::StringLiteral products[] = {"Convolution", "Convolution_v1", "FullyConnected",
                                                 "dot", "batch_dot"};
  Diagnostics quiet;
  auto graph = json::readSymbolFile(stored.symbol, quiet, {nullptr, false});
  int64_t operators = 0;
  bool product = false;
  for (const symbol::Node &node : graph->nodes)
    if (node.kind == symbol::NodeKind::Operator) {
      ++operators;
      product = llvm::is_contained(products, node.op);
    }
  return product && operators == 1;
}

bool symc::conformance::readsHalfWeights(Compiler &compiler) {
  bool found = false;
  compiler.module().walk([&](kernel::ConvOp product) {
    found |= kernel::isHalf(
        mlir::cast<mlir::MemRefType>(product.getWeights().getType()).getElementType());
  });
  return found;
}

bool symc::conformance::multipliesHalves(Compiler &compiler) {
  bool found = false;
  compiler.module().walk([&](kernel::ConvOp product) {
    auto isHalf = [](mlir::Value view) {
      return kernel::isHalf(mlir::cast<mlir::MemRefType>(view.getType()).getElementType());
    };
    found |= isHalf(product.getData()) && isHalf(product.getWeights());
  });
  return found;
}

bool symc::conformance::multipliesMatrices(Compiler &compiler, llvm::StringRef targetCpu) {
  std::optional<codegen::TargetDescription> target = codegen::TargetDescription::get(targetCpu);
  bool found = false;
  compiler.module().walk([&](kernel::ConvOp product) {
    found |= target && codegen::productOf(product, *target).matrixPixels;
  });
  return found;
}

// Whether a kernel moves four elements at once.
static bool movesVectors(Compiler &compiler) {
  std::optional<codegen::CudaProgram> program = compiler.deviceProgram();
  return !program || program->source.find("load4(") != std::string::npos ||
         program->source.find("store4(") != std::string::npos;
}

bool symc::conformance::isMeant(Compiler &compiler, const StoredCase &stored,
                                const RunOptions &options) {
  if (rounds(options.precision) && (!isProduct(stored) || !launchesOnTensorCores(compiler)))
    return false;
  if (options.vectors && !movesVectors(compiler))
    return false;
  if (!options.forceTile)
    return true;
  std::string name = options.forceTile->name;
  return launches(compiler, name) && (options.forceParts <= 1 || launches(compiler, name + "/"));
}

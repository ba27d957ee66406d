// symc-opt: runs single passes over textual IR, for tests and debugging. Knows
// every dialect that symc uses and every pass of symc.
#include "codegen/KernelPasses.h"
#include "codegen/kernel/KernelDialect.h"
#include "ir/GraphDialect.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<symc::sg::SGDialect, symc::kernel::KernelDialect,
                  mlir::affine::AffineDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::LLVM::LLVMDialect,
                  mlir::math::MathDialect, mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                  mlir::vector::VectorDialect>();
  mlir::registerTransformsPasses();
  symc::registerSymcPasses();
  symc::codegen::registerKernelPlanArena();
  symc::codegen::registerKernelCheckPlan();
  symc::codegen::registerKernelOutline();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "symc-opt\n", registry));
}

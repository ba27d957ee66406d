// Example.h: a tiny model for the tests of codegen/emit: y[i] = x[i] * w[i] + 1
// over 40 elements in five tasks of eight, in the form that lowerProgram leaves:
// a func.func kernel with vector operations, llvm.func wrappers over the frame.
#ifndef SYMC_TEST_UNIT_EMIT_EXAMPLE_H
#define SYMC_TEST_UNIT_EMIT_EXAMPLE_H

#include "codegen/emit/Code.h"
#include "codegen/emit/LLVMLowering.h"
#include "codegen/emit/ModelInfo.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

namespace symc::codegen::test {

inline const char *exampleText = R"mlir(
llvm.func @symc_parallel(!llvm.ptr, !llvm.ptr, i64)
func.func private @tiny_run_k0(%x: !llvm.ptr {llvm.noalias}, %w: !llvm.ptr, %y: !llvm.ptr {llvm.noalias},
                               %task: index) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c8 = arith.constant 8 : index
  %one = arith.constant dense<1.0> : vector<8xf32>
  %first = arith.muli %task, %c8 : index
  %i = arith.index_cast %first : index to i64
  %px = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %pw = llvm.getelementptr %w[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %py = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %vx = llvm.load %px {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
  %vw = llvm.load %pw {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
  %vy = vector.fma %vx, %vw, %one : vector<8xf32>
  llvm.store %vy, %py {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
  return
}
llvm.func internal @tiny_run_step0(%frame: !llvm.ptr, %task: i64) {
  %pw = llvm.getelementptr %frame[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %w = llvm.load %pw : !llvm.ptr -> !llvm.ptr
  %pio = llvm.getelementptr %frame[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %io = llvm.load %pio : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %io : !llvm.ptr -> !llvm.ptr
  %p1 = llvm.getelementptr %io[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %y = llvm.load %p1 : !llvm.ptr -> !llvm.ptr
  %t = arith.index_cast %task : i64 to index
  func.call @tiny_run_k0(%x, %w, %y, %t) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, index) -> ()
  llvm.return
}
llvm.func @tiny_run(%frame: !llvm.ptr) -> i32 {
  %step = llvm.mlir.addressof @tiny_run_step0 : !llvm.ptr
  %five = llvm.mlir.constant(5 : i64) : i64
  llvm.call @symc_parallel(%frame, %step, %five) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
)mlir";

inline ModelInfo exampleModel(std::string triple) {
  ModelInfo model;
  model.prefix = "tiny";
  model.compiler = "symc 0.1.0";
  model.triple = triple;
  model.inputs = {{"data", {4, 10}, 160, SYMC_F32, 0}};
  model.outputs = {{"out_output", {4, 10}, 160, SYMC_F32, 0}};
  model.variants = {{"x86-64-v3", 3, 0, "tiny_run"}};
  return model;
}

/// A context with all dialects that the tests parse.
inline std::unique_ptr<mlir::MLIRContext> makeContext() {
  mlir::DialectRegistry registry;
  registerLoopDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(registry);
  context->loadAllAvailableDialects();
  return context;
}

inline TargetDescription v3() { return *TargetDescription::get("x86-64-v3"); }

/// Adds MLIR text to `code`; false where parsing or lowering fails.
inline bool addMlir(Code &code, llvm::StringRef text, const TargetDescription &target = v3(),
                    MathMode math = MathMode::Default) {
  auto context = makeContext();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  return module && code.add(*module, target, math);
}

} // namespace symc::codegen::test

#endif // SYMC_TEST_UNIT_EMIT_EXAMPLE_H

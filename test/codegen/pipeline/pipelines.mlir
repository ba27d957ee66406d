// If this fails, a pipeline of code generation cannot be run by its name.
// RUN: symc-opt --help | FileCheck %s --check-prefix=HELP
// HELP-DAG: --symc-schedule{{ +}}- optimised sg -> variants of programs with every decision made
// HELP-DAG: --symc-cuda{{ +}}- optimised sg -> a planned program for CUDA
// HELP-DAG: --symc-loops{{ +}}- variants of programs -> functions of loops
// HELP-DAG: --symc-cpu{{ +}}- optimised sg -> functions of loops
// HELP-DAG: --symc-llvm{{ +}}- functions of loops -> LLVM dialect

// RUN: symc-opt %s --symc-cpu='targets=x86-64-v3 prefix=net' | FileCheck %s
// CHECK: kernel.variant @net_run_0 for "x86-64-v3", "default"
// CHECK: kernel.program @main_program
// CHECK: builtin.module
// CHECK: llvm.func @net_run_0(

// The passes behind each other are the pipeline.
// RUN: symc-opt %s --symc-schedule='targets=x86-64-v3 prefix=net' --symc-loops > %t.mlir
// RUN: symc-opt %s --symc-cpu='targets=x86-64-v3 prefix=net' | diff %t.mlir -

// Weights that the model prepares itself have a variant of their own, of the last target.
// RUN: symc-opt %s --symc-schedule='targets=x86-64-v4,x86-64-v2 prefix=net prepare=true' | FileCheck %s --check-prefix=PREPARE
// PREPARE: kernel.variant @net_run_0 for "x86-64-v4", "default"
// PREPARE: kernel.variant @net_run_1 for "x86-64-v2", "default"
// PREPARE: kernel.variant @net_prepare_program for "x86-64-v2", "portable"

sg.weight @w : tensor<10x40xf32>
sg.weight @b : tensor<10xf32>
sg.graph @main(%x: tensor<3x40xf32> {sg.name = "x"}) -> (tensor<3x10xf32>) {
  %w = sg.parameter @w : tensor<10x40xf32>
  %b = sg.parameter @b : tensor<10xf32>
  %0 = sg.fully_connected(%x, %w, %b) {num_hidden = 10 : i64} : (tensor<3x40xf32>, tensor<10x40xf32>, tensor<10xf32>) -> tensor<3x10xf32>
  sg.heads %0 : tensor<3x10xf32>
}

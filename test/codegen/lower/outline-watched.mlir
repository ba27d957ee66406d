// If this fails, a trainer looks for the node of a NaN at the wrong values or names others, or the step that does not look pays for it.
// RUN: symc-opt %s -mlir-print-local-scope -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s

// Texts of the nodes of three entries, backward ones by the name of their node: the step that numbers nodes, the step, and one of a node.
// CHECK-DAG: llvm.mlir.global internal constant @main_texts("the output of node 'log1' (log)\00the gradient that node 'root' (sqrt) passes on\00\00the output of node 'log1' (log)\00the gradient that node 'root' (sqrt) passes on\00\00the output of node 'log1' (log)\00\00\00")
// Behind a naming entry (1) and a step (0): a view in io[1] (3, 0) of 7 numbers: f32, infinities are no constant, rank 1, extent 16, stride 1,
// offset 0, no blocks. Images of five channels in a block of 16 have 10: 64 elements, 1 block, 64 (C0 00) elements apart.
// CHECK-DAG: llvm.mlir.global internal constant @main_entries("{{[^"]*}}\03\00\07\00\00\01\10\01\00\00{{[^"]*}}\03\00\07\00\00\01\10\01\00\00{{[^"]*}}\0A\00\00\01\C0\00\01\00\01\C0\00\10\05
// The run that does not look.
// CHECK-LABEL: llvm.func @main(
// CHECK-NOT:   symc_watch
// CHECK-LABEL: llvm.func @main_watched(
// CHECK:       llvm.call @symc_watch_steps(%arg0,
// CHECK-NEXT:  llvm.return
#log = loc("log1")
#rootNode = loc("root")
#root = loc("root_backward"(#rootNode))
kernel.program @main attributes {num_inputs = 1, num_outputs = 1, symc.operators = {log1 = "log", root = "sqrt"}} {
^bb0(%x: memref<16xf32>, %y: memref<16xf32>):
  %a = kernel.buffer() {symc.channels = 5} : memref<1x1x2x2x16xf32>
  %b = kernel.buffer() : memref<64xf32>
  kernel.loops ins(%x : memref<16xf32>) outs(%y : memref<16xf32>) body {
  ^bb0(%e: f32):
    %0 = math.log %e : f32 loc(#log)
    %1 = math.sqrt %0 : f32 loc(#root)
    kernel.yield %1 : f32
  }
  %f = memref.reinterpret_cast %a to offset: [0], sizes: [64], strides: [1] : memref<1x1x2x2x16xf32> to memref<64xf32, strided<[1]>>
  kernel.loops ins(%b : memref<64xf32>) outs(%f : memref<64xf32, strided<[1]>>) body {
  ^bb0(%e: f32):
    %0 = math.log %e : f32 loc(#log)
    kernel.yield %0 : f32
  }
  kernel.copy %f to %b : memref<64xf32, strided<[1]>> to memref<64xf32>
}

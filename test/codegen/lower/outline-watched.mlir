// If this fails, a trainer looks for the node of a NaN at the wrong values or names others, or the step that does not look pays for it.
// RUN: symc-opt %s -mlir-print-local-scope -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s

// Texts of the nodes, backward ones by the name of their node. Row: f32, infinities are no constant, rank 1, extent 16, stride 1, offset 0, no blocks.
// CHECK-DAG: llvm.mlir.global internal constant @main_nodes[[#]]("the output of node 'log1' (log)\00the gradient that node 'root' (sqrt) passes on\00\00")
// CHECK-DAG: llvm.mlir.global internal constant @main_view[[#]]_1(dense<[0, 0, 1, 16, 1, 0, 0]>
// Images of five channels in a block of 16: of 1 block, 64 elements apart.
// CHECK-DAG: llvm.mlir.global internal constant @main_view[[#]]_1(dense<[0, 0, 1, 64, 1, 0, 1, 64, 16, 5]>
// The run that does not look.
// CHECK-LABEL: llvm.func @main(
// CHECK-NOT:   symc_watch
// CHECK-LABEL: llvm.func @main_watched(
// The step that numbers nodes, in place of the step.
// CHECK:       llvm.call @symc_watch_again(
// CHECK:       func.call @main_k[[#NAMING:]]_loops
// CHECK:       llvm.call @symc_watch_nodes(
// CHECK-NEXT:  llvm.return
// CHECK:       func.call @main_k0_loops
// CHECK:       llvm.call @symc_watch_values(
// CHECK:       llvm.cond_br
// CHECK:       llvm.call @symc_watch_values(
// A copy only moves values, and the last buffer holds none of the graph.
// CHECK-NOT:   llvm.call @symc_watch
// CHECK:       llvm.return
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

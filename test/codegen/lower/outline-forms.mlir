// If this fails, each extent of a training net has kernels of its own, which were half of its functions, or kernels that differ in more
// than integers became one.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s

// Two extents take one kernel, whose last argument gives the extent; memory that is aligned less takes it, too. Another body has its own.
// CHECK: func.constant @main_k0_loops : (!llvm.ptr, !llvm.ptr, index, index)
// CHECK: func.constant @main_k0_loops : (!llvm.ptr, !llvm.ptr, index, index)
// CHECK: func.constant @main_k0_loops : (!llvm.ptr, !llvm.ptr, index, index)
// CHECK: func.constant @main_k3_loops : (!llvm.ptr, !llvm.ptr, index) -> ()
// Behind two places of each entry one integer, by which 1600 is multiplied: 1, 2 and 1.
// CHECK: main_entries("{{.*}}\02\01\00\7F\00{{.*}}\01{{.*}}\02\01\00\7F\00{{.*}}\02{{.*}}\02\01\00\7F\00\02\00\03\00\01
// CHECK: func.func private @main_k0_loops(%arg0: !llvm.ptr {llvm.align = 4 : i64, {{.*}} %[[EXTENT:[a-z0-9]+]]: index)
// CHECK: %[[END:.+]] = arith.muli %[[EXTENT]], %c1600
// CHECK: scf.for {{.*}} to %[[END]]
// CHECK: llvm.load {{.*}} {alignment = 4 : i64}
// CHECK-NOT: func.func private @main_k1_loops
// CHECK: func.func private @main_k3_loops(%arg0: !llvm.ptr {llvm.align = 64 : i64
kernel.program @main attributes {num_inputs = 1, num_outputs = 1, symc.step_table} {
^bb0(%x: memref<1600xf32>, %y: memref<1600xf32>):
  %a = kernel.buffer() : memref<1600xf32>
  %b = kernel.buffer() : memref<1600xf32>
  %c = kernel.buffer() : memref<3200xf32>
  %d = kernel.buffer() : memref<3200xf32>
  kernel.loops ins(%a : memref<1600xf32>) outs(%b : memref<1600xf32>) body {
  ^bb0(%e: f32):
    %0 = math.sqrt %e : f32
    kernel.yield %0 : f32
  }
  kernel.loops ins(%c : memref<3200xf32>) outs(%d : memref<3200xf32>) body {
  ^bb0(%e: f32):
    %0 = math.sqrt %e : f32
    kernel.yield %0 : f32
  }
  kernel.loops ins(%x : memref<1600xf32>) outs(%y : memref<1600xf32>) body {
  ^bb0(%e: f32):
    %0 = math.sqrt %e : f32
    kernel.yield %0 : f32
  }
  kernel.loops ins(%c : memref<3200xf32>) outs(%d : memref<3200xf32>) body {
  ^bb0(%e: f32):
    %0 = math.absf %e : f32
    kernel.yield %0 : f32
  }
  kernel.copy %d to %c : memref<3200xf32> to memref<3200xf32>
  kernel.copy %b to %a : memref<1600xf32> to memref<1600xf32>
  kernel.end
}

// If this fails, each extent of a training net has kernels of its own, which were half of its functions, or kernels that differ in more
// than integers became one.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s

// Two extents take one kernel, whose last argument is the extent; another body has its own. (1600 and 3200 as SLEB128: C0 0C and 80 19.)
// CHECK: func.constant @main_k0_loops : (!llvm.ptr, !llvm.ptr, index, index)
// CHECK: func.constant @main_k0_loops : (!llvm.ptr, !llvm.ptr, index, index)
// CHECK: func.constant @main_k2_loops : (!llvm.ptr, !llvm.ptr, index) -> ()
// CHECK: main_entries("{{.*}}\C0\0C{{.*}}\80\19{{.*}}")
// CHECK: func.func private @main_k0_loops({{.*}}, %[[EXTENT:[a-z0-9]+]]: index)
// CHECK: scf.for {{.*}} to %[[EXTENT]]
// CHECK-NOT: func.func private @main_k1_loops
// CHECK: func.func private @main_k2_loops
kernel.program @main attributes {num_inputs = 1, num_outputs = 1, symc.step_table} {
^bb0(%x: memref<16xf32>, %y: memref<16xf32>):
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
  kernel.loops ins(%c : memref<3200xf32>) outs(%d : memref<3200xf32>) body {
  ^bb0(%e: f32):
    %0 = math.absf %e : f32
    kernel.yield %0 : f32
  }
  kernel.copy %d to %c : memref<3200xf32> to memref<3200xf32>
  kernel.copy %b to %a : memref<1600xf32> to memref<1600xf32>
  kernel.end
}

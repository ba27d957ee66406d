// Buffers share bytes exactly where no step needs both, or where a step may
// write its output over an input that dies there.
// RUN: symc-opt %s -kernel-plan-arena -kernel-check-plan | FileCheck %s
// Planning twice changes nothing.
// RUN: symc-opt %s -kernel-plan-arena -kernel-plan-arena | FileCheck %s

// A chain of copies needs two places in turn: a copy never writes over its input.
// CHECK-LABEL: kernel.program @chain
// CHECK-SAME: arena_bytes = 8192
kernel.program @chain attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1024xf32>, %out: memref<1024xf32>):
  // CHECK: kernel.buffer() at 0
  // CHECK: kernel.buffer() at 4096
  // CHECK: kernel.buffer() at 0
  %a = kernel.buffer() : memref<1024xf32>
  %b = kernel.buffer() : memref<1024xf32>
  %c = kernel.buffer() : memref<1024xf32>
  kernel.copy %in to %a : memref<1024xf32> to memref<1024xf32>
  kernel.copy %a to %b : memref<1024xf32> to memref<1024xf32>
  kernel.copy %b to %c : memref<1024xf32> to memref<1024xf32>
  kernel.copy %c to %out : memref<1024xf32> to memref<1024xf32>
  kernel.end
}

// An elementwise step writes over the input that dies.
// CHECK-LABEL: kernel.program @in_place
// CHECK-SAME: arena_bytes = 4096
kernel.program @in_place attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1024xf32>, %out: memref<1024xf32>):
  %a = kernel.buffer() : memref<1024xf32>
  %b = kernel.buffer() : memref<1024xf32>
  kernel.copy %in to %a : memref<1024xf32> to memref<1024xf32>
  kernel.loops ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>) body {
  ^bb0(%x: f32):
    kernel.yield %x : f32
  }
  kernel.copy %b to %out : memref<1024xf32> to memref<1024xf32>
  kernel.end
}

// Nearest misses of kernel-plan-arena: the input is read later; or by another view in the same step;
// or the element has other bytes.
// CHECK-LABEL: kernel.program @not_in_place
// CHECK-SAME: arena_bytes = 8192
kernel.program @not_in_place attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1024xf32>, %out: memref<1024xf32>):
  %a = kernel.buffer() : memref<1024xf32>
  %b = kernel.buffer() : memref<1024xf32>
  kernel.copy %in to %a : memref<1024xf32> to memref<1024xf32>
  kernel.loops ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>) body {
  ^bb0(%x: f32):
    kernel.yield %x : f32
  }
  kernel.loops ins(%a, %b : memref<1024xf32>, memref<1024xf32>) outs(%out : memref<1024xf32>) body {
  ^bb0(%x: f32, %y: f32):
    kernel.yield %x : f32
  }
  kernel.end
}

// CHECK-LABEL: kernel.program @not_in_place_reversed
// CHECK-SAME: arena_bytes = 8192
kernel.program @not_in_place_reversed attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1024xf32>, %out: memref<1024xf32>):
  %a = kernel.buffer() : memref<1024xf32>
  %r = memref.reinterpret_cast %a to offset: [1023], sizes: [1024], strides: [-1] : memref<1024xf32> to memref<1024xf32, strided<[-1], offset: 1023>>
  %b = kernel.buffer() : memref<1024xf32>
  kernel.copy %in to %a : memref<1024xf32> to memref<1024xf32>
  kernel.loops ins(%a, %r : memref<1024xf32>, memref<1024xf32, strided<[-1], offset: 1023>>) outs(%b : memref<1024xf32>) body {
  ^bb0(%x: f32, %y: f32):
    kernel.yield %y : f32
  }
  kernel.copy %b to %out : memref<1024xf32> to memref<1024xf32>
  kernel.end
}

// CHECK-LABEL: kernel.program @not_in_place_bytes
// CHECK-SAME: arena_bytes = 6144
kernel.program @not_in_place_bytes attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1024xf32>, %out: memref<1024xf16>):
  %a = kernel.buffer() : memref<1024xf32>
  %b = kernel.buffer() : memref<1024xf16>
  kernel.copy %in to %a : memref<1024xf32> to memref<1024xf32>
  kernel.loops ins(%a : memref<1024xf32>) outs(%b : memref<1024xf16>) body {
  ^bb0(%x: f32):
    %y = arith.truncf %x : f32 to f16
    kernel.yield %y : f16
  }
  kernel.copy %b to %out : memref<1024xf16> to memref<1024xf16>
  kernel.end
}

// A residual's buffer becomes the convolution's output.
// CHECK-LABEL: kernel.program @residual
// CHECK-SAME: arena_bytes = 2048
kernel.program @residual attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%in: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  %d = kernel.buffer() : memref<1x1x4x4x16xf32>
  %r = kernel.buffer() : memref<1x1x4x4x16xf32>
  %o = kernel.buffer() : memref<1x1x4x4x16xf32>
  kernel.copy %in to %d : memref<1x1x4x4x16xf32> to memref<1x1x4x4x16xf32>
  kernel.copy %in to %r : memref<1x1x4x4x16xf32> to memref<1x1x4x4x16xf32>
  kernel.conv data(%d : memref<1x1x4x4x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras(%r : memref<1x1x4x4x16xf32>) out(%o : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    kernel.yield %s : f32
  }
  kernel.copy %o to %out : memref<1x1x4x4x16xf32> to memref<1x1x4x4x16xf32>
  kernel.end
}

// So does that of a convolution whose register tile is chosen already.
// CHECK-LABEL: kernel.program @residual_with_tile
// CHECK-SAME: arena_bytes = 2048
kernel.program @residual_with_tile attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%in: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  %d = kernel.buffer() : memref<1x1x4x4x16xf32>
  %r = kernel.buffer() : memref<1x1x4x4x16xf32>
  %o = kernel.buffer() : memref<1x1x4x4x16xf32>
  kernel.copy %in to %d : memref<1x1x4x4x16xf32> to memref<1x1x4x4x16xf32>
  kernel.copy %in to %r : memref<1x1x4x4x16xf32> to memref<1x1x4x4x16xf32>
  kernel.conv data(%d : memref<1x1x4x4x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras(%r : memref<1x1x4x4x16xf32>) out(%o : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, tile = array<i64: 1, 1, 14>} body {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    kernel.yield %s : f32
  }
  kernel.copy %o to %out : memref<1x1x4x4x16xf32> to memref<1x1x4x4x16xf32>
  kernel.end
}

// Symbolic sizes take the bytes of their largest values; scratch is added.
// CHECK-LABEL: kernel.program @largest
// CHECK-SAME: arena_bytes = 1600
// CHECK: %[[SCRATCH:.*]] = kernel.buffer() at {{[0-9]+}} : memref<100xi8>
// CHECK: scratch(%[[SCRATCH]] : memref<100xi8>)
kernel.program @largest attributes {num_inputs = 1, num_outputs = 1, dim_min = array<i64: 1>, dim_max = array<i64: 20>, output_shapes = [affine_map<()[s0] -> (s0 * 4 + 20)>]} {
^bb0(%in: memref<16xf32>, %out: memref<?xf32>, %n: index):
  %m = affine.apply affine_map<()[s0] -> ((s0 + 5) * 4)>()[%n]
  %q = affine.apply affine_map<()[s0] -> ((s0 + 1) floordiv 2)>()[%n]
  %a = kernel.buffer(%m, %q) : memref<?x?xi8>
  %f = memref.reinterpret_cast %a to offset: [0], sizes: [%m], strides: [1] : memref<?x?xi8> to memref<?xi8, strided<[1]>>
  %same = affine.apply affine_map<()[s0] -> (s0)>()[%m]
  %b = kernel.buffer(%same) : memref<?xf32>
  kernel.fill %f with 0 : i8 : memref<?xi8, strided<[1]>>
  kernel.fill %b with 0.0 : f32 : memref<?xf32>
  kernel.call "symc_ref_x_f32" "x" ins(%b, %a : memref<?xf32>, memref<?x?xi8>) outs(%out : memref<?xf32>) {params = [], dtypes = array<i64: 0, 5, 0>, scratch_bytes = 100 : i64}
  kernel.end
}

// Largest first would leave half a place between the second and the fourth buffer,
// too narrow for either; another order needs what lives at once and no more.
// CHECK-LABEL: kernel.program @order
// CHECK-SAME: arena_bytes = 8192
kernel.program @order attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1024xf32>, %out: memref<1024xf32>):
  %a = kernel.buffer() : memref<1024xf32>
  %b = kernel.buffer() : memref<1024xf32>
  %c = kernel.buffer() : memref<512xf32>
  %d = kernel.buffer() : memref<1024xf32>
  %half = memref.reinterpret_cast %b to offset: [0], sizes: [512], strides: [1] : memref<1024xf32> to memref<512xf32>
  %twice = memref.reinterpret_cast %c to offset: [0], sizes: [2, 512], strides: [0, 1] : memref<512xf32> to memref<2x512xf32, strided<[0, 1]>>
  %rows = memref.reinterpret_cast %d to offset: [0], sizes: [2, 512], strides: [512, 1] : memref<1024xf32> to memref<2x512xf32, strided<[512, 1]>>
  kernel.copy %in to %a : memref<1024xf32> to memref<1024xf32>
  kernel.copy %a to %b : memref<1024xf32> to memref<1024xf32>
  kernel.copy %half to %c : memref<512xf32> to memref<512xf32>
  kernel.copy %twice to %rows : memref<2x512xf32, strided<[0, 1]>> to memref<2x512xf32, strided<[512, 1]>>
  kernel.copy %d to %out : memref<1024xf32> to memref<1024xf32>
  kernel.end
}

// What forward leaves for backward keeps its bytes to the end, where backward may run again: neither
// does a later buffer take its place, nor is an output written over it.
// CHECK-LABEL: kernel.program @parts
// CHECK-SAME: arena_bytes = 12288
kernel.program @parts attributes {num_inputs = 2, num_outputs = 2, parts = ["forward", "backward", "forward", "backward"]} {
^bb0(%x: memref<1024xf32>, %h: memref<1024xf32>, %y: memref<1024xf32>, %g: memref<1024xf32>):
  // CHECK: %[[K:.+]] = kernel.buffer() at 0
  // CHECK: kernel.buffer() at 4096
  // CHECK: kernel.buffer() at 8192
  %kept = kernel.buffer() : memref<1024xf32>
  %b = kernel.buffer() : memref<1024xf32>
  %c = kernel.buffer() : memref<1024xf32>
  kernel.copy %x to %kept : memref<1024xf32> to memref<1024xf32>
  kernel.copy %x to %y : memref<1024xf32> to memref<1024xf32>
  kernel.forward_end
  kernel.loops ins(%kept, %h : memref<1024xf32>, memref<1024xf32>) outs(%b : memref<1024xf32>) body {
  ^bb0(%e: f32, %f: f32):
    kernel.yield %e : f32
  }
  kernel.copy %b to %c : memref<1024xf32> to memref<1024xf32>
  kernel.copy %c to %g : memref<1024xf32> to memref<1024xf32>
  kernel.end
}

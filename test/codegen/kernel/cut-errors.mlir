// If this fails, a cut that no lowering can follow is code for other indices than the step's.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x5xf32>, %out: memref<4x5xf32>):
  // expected-error @below {{cut needs [axis, indices, grain, work], an axis below 2 and either indices or grain and work of at least 1, found [2, 1, 0, 0]}}
  kernel.loops ins(%in : memref<4x5xf32>) outs(%out : memref<4x5xf32>) {cut = array<i64: 2, 1, 0, 0>} body {
  ^bb0(%x: f32):
    kernel.yield %x : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x5xf32>, %out: memref<4x5xf32>):
  // expected-error @below {{an axis below 2 and either indices or grain and work of at least 1, found [0, 1, 16384, 1]}}
  kernel.copy %in to %out {cut = array<i64: 0, 1, 16384, 1>} : memref<4x5xf32> to memref<4x5xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%out: memref<f32>):
  // expected-error @below {{an axis below 1 and either indices or grain and work of at least 1, found [0, 0, 16384, 0]}}
  kernel.fill %out with 1.0 : f32 {cut = array<i64: 0, 0, 16384, 0>} : memref<f32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1x1x4x4x16xf32>, %out: memref<1x1x4x4x16xf32>):
  // expected-error @below {{an axis below 3 and either indices or grain and work of at least 1, found [3, 1, 0, 0]}}
  kernel.pool "max" data(%in : memref<1x1x4x4x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, pad_begin = array<i64: 0, 0>, pad_end = array<i64: 0, 0>, count_include_pad = false, cut = array<i64: 3, 1, 0, 0>} body {
  ^bb0(%x: f32):
    kernel.yield %x : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x8x8x16xf32>, %w: memref<2x3x3x16xf32>, %out: memref<1x2x6x6x16xf32>):
  // expected-error @below {{cut needs [planes, chunks of them, rows] of at least 1, 0 and 0, found [0, 0, 3]}}
  kernel.depthwise data(%x : memref<1x2x8x8x16xf32>) weights(%w : memref<2x3x3x16xf32>) extras() out(%out : memref<1x2x6x6x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, cut = array<i64: 0, 0, 3>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<4x8xf32>, %r: memref<4xf32>):
  // expected-error @below {{an axis below 1 and either indices or grain and work of at least 1, found [1, 4, 0, 0]}}
  kernel.reduce ins(%x : memref<4x8xf32>) row_outs(%r : memref<4xf32>) {kept = 1 : i64, combiners = ["sum"], cut = array<i64: 1, 4, 0, 0>} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield %s : f32
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<16x16x1x1xf32>, %out: memref<1x1x1x1x16x16xf32>):
  // expected-error @below {{an axis below 2 and either indices or grain and work of at least 1, found [0, 1]}}
  kernel.pack_panels %in to %out {cut = array<i64: 0, 1>} : memref<16x16x1x1xf32> to memref<1x1x1x1x16x16xf32>
  kernel.end
}

// If this fails, a cut that no lowering can follow is code for other indices than the step's.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x5xf32>, %out: memref<4x5xf32>):
  // expected-error @below {{cut needs an axis below 2, found 2}}
  kernel.loops ins(%in : memref<4x5xf32>) outs(%out : memref<4x5xf32>) {cut = #kernel.cut<axis = 2, indices = 1>} body {
  ^bb0(%x: f32):
    kernel.yield %x : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x5xf32>, %out: memref<4x5xf32>):
  // expected-error @below {{a cut has an axis, and either indices or grain and work of at least 1, found axis 0, indices 1, grain 16384 and work 1}}
  kernel.copy %in to %out {cut = #kernel.cut<axis = 0, indices = 1, grain = 16384, work = 1>} : memref<4x5xf32> to memref<4x5xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%out: memref<f32>):
  // expected-error @below {{found axis 0, indices 0, grain 16384 and work 0}}
  kernel.fill %out with 1.0 : f32 {cut = #kernel.cut<axis = 0, grain = 16384>} : memref<f32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1x1x4x4x16xf32>, %out: memref<1x1x4x4x16xf32>):
  // expected-error @below {{cut needs an axis below 3, found 3}}
  kernel.pool "max" data(%in : memref<1x1x4x4x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, count_include_pad = false, cut = #kernel.cut<axis = 3, indices = 1>} body {
  ^bb0(%x: f32):
    kernel.yield %x : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x8x8x16xf32>, %w: memref<2x3x3x16xf32>, %out: memref<1x2x6x6x16xf32>):
  // expected-error @below {{tasks have planes of at least 1, plane_chunks and rows of at least 0, found 0, 0 and 3}}
  kernel.depthwise data(%x : memref<1x2x8x8x16xf32>) weights(%w : memref<2x3x3x16xf32>) extras() out(%out : memref<1x2x6x6x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, cut = #kernel.depthwise_tasks<planes = 0, rows = 3>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<4x8xf32>, %r: memref<4xf32>):
  // expected-error @below {{cut needs an axis below 1, found 1}}
  kernel.reduce ins(%x : memref<4x8xf32>) row_outs(%r : memref<4xf32>) {kept = 1 : i64, combiners = ["sum"], cut = #kernel.cut<axis = 1, indices = 4>} passes {
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
  // expected-error @below {{cut needs an axis below 2, found 2}}
  kernel.pack_panels %in to %out {cut = #kernel.cut<axis = 2, indices = 1>} : memref<16x16x1x1xf32> to memref<1x1x1x1x16x16xf32>
  kernel.end
}

// If this fails, an attribute that nothing declares and nothing verifies can tell a lowering
// something. Those of other dialects mean nothing to a step and stay.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  // expected-error @below {{has the attribute 'kernel.pixels_outside', which no operation declares}}
  kernel.conv data(%x : memref<1x1x4x4x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, kernel.pixels_outside = true} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%out: memref<4xf32>):
  // expected-error @below {{kernel.predicting is a unit attribute of kernel.copy}}
  kernel.fill %out with 0.0 : f32 {kernel.predicting} : memref<4xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  // expected-error @below {{has no attribute 'k_block'}}
  kernel.conv data(%x : memref<1x1x4x4x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, k_block = 4} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  kernel.conv data(%x : memref<1x1x4x4x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, sg.note = "kept"} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

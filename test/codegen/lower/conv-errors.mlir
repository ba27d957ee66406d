// What the convolution lowerings refuse. A schedule never asks for it, so these
// are internal errors that name the step and what it has.
// RUN: symc-opt %s -split-input-file -verify-diagnostics -kernel-choose-tiles=target=x86-64-v3 -kernel-outline

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x2x2x16xf64>, %w: memref<1x1x1x1x16x16xf64>, %out: memref<1x1x2x2x16xf64>):
  // expected-error@+1 {{internal error: conv of 'f64' and 'f64', which x86-64-v3 does not multiply}}
  kernel.conv data(%x : memref<1x1x2x2x16xf64>) weights(%w : memref<1x1x1x1x16x16xf64>) extras() out(%out : memref<1x1x2x2x16xf64>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%acc: f64):
    kernel.yield %acc : f64
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x2x2x16xf32>, %w: memref<1x1x1x1x16x8xf32>, %out: memref<1x1x2x2x16xf32>):
  // expected-error@+1 {{internal error: conv needs panels [OB, IB, kH, kW, L, 16] and an output of as many channels side by side}}
  kernel.conv data(%x : memref<1x1x2x2x16xf32>) weights(%w : memref<1x1x1x1x16x8xf32>) extras() out(%out : memref<1x1x2x2x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x2x2x16xf64>, %w: memref<1x1x1x16xf64>, %out: memref<1x1x2x2x16xf64>):
  // expected-error@+1 {{internal error: depthwise of 'f64'; it needs 'f32'}}
  kernel.depthwise data(%x : memref<1x1x2x2x16xf64>) weights(%w : memref<1x1x1x16xf64>) extras() out(%out : memref<1x1x2x2x16xf64>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%acc: f64):
    kernel.yield %acc : f64
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<512xi8>, %out: memref<1x1x2x4x8xi32>):
  %x = memref.reinterpret_cast %in to offset: [0], sizes: [1, 1, 2, 4, 16], strides: [256, 256, 128, 32, 2] : memref<512xi8> to memref<1x1x2x4x16xi8, strided<[256, 256, 128, 32, 2]>>
  // expected-error@+1 {{internal error: split_bytes needs the channels of a block side by side}}
  kernel.split_bytes %x to %out {channels = 16 : i64} : memref<1x1x2x4x16xi8, strided<[256, 256, 128, 32, 2]>> to memref<1x1x2x4x8xi32>
  kernel.end
}

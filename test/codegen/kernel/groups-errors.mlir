// Groups of channels that a step cannot have.
// RUN: symc-opt %s -split-input-file -verify-diagnostics

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<16xf32>, %out: memref<16xf32>):
  // expected-error@+1 {{kernel.groups is a number of groups and one of parts, of a convolution or its weights}}
  kernel.copy %in to %out {kernel.groups = array<i64: 2, 1>} : memref<16xf32> to memref<16xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x8x8x16xf32>, %w: memref<3x1x1x1x12x16xf32>, %out: memref<1x2x8x8x16xf32>):
  // expected-error@+1 {{kernel.groups is a number of groups and one of parts, of a convolution or its weights}}
  kernel.conv data(%x : memref<1x2x8x8x16xf32>) weights(%w : memref<3x1x1x1x12x16xf32>) extras() out(%out : memref<1x2x8x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 12 : i64, out_channels = 24 : i64, kernel.groups = array<i64: 0, 1>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x8x8x16xf32>, %w: memref<3x1x1x1x12x16xf32>, %out: memref<1x2x8x8x16xf32>):
  // expected-error@+1 {{'kernel.conv' op needs groups of as many outputs, and parts of as many channels}}
  kernel.conv data(%x : memref<1x2x8x8x16xf32>) weights(%w : memref<3x1x1x1x12x16xf32>) extras() out(%out : memref<1x2x8x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 12 : i64, out_channels = 24 : i64, kernel.groups = array<i64: 5, 1>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x8x8x16xf32>, %w: memref<3x1x1x1x12x16xf32>, %out: memref<1x2x8x8x16xf32>):
  // expected-error@+1 {{'kernel.conv' op needs groups of as many outputs, and parts of as many channels}}
  kernel.conv data(%x : memref<1x2x8x8x16xf32>) weights(%w : memref<3x1x1x1x12x16xf32>) extras() out(%out : memref<1x2x8x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 12 : i64, out_channels = 24 : i64, kernel.groups = array<i64: 2, 5>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x8x8x16xf32>, %w: memref<2x1x1x1x12x16xf32>, %out: memref<1x2x8x8x16xf32>):
  // expected-error@+1 {{'kernel.conv' op of groups needs data in blocks, panels for each group that a block has outputs of, and a tile of one vector}}
  kernel.conv data(%x : memref<1x2x8x8x16xf32>) weights(%w : memref<2x1x1x1x12x16xf32>) extras() out(%out : memref<1x2x8x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 12 : i64, out_channels = 24 : i64, kernel.groups = array<i64: 2, 1>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x8x8x16xf32>, %w: memref<3x1x1x1x12x16xf32>, %out: memref<1x2x8x8x16xf32>):
  // expected-error@+1 {{'kernel.conv' op of groups needs data in blocks, panels for each group that a block has outputs of, and a tile of one vector}}
  kernel.conv data(%x : memref<1x2x8x8x16xf32>) weights(%w : memref<3x1x1x1x12x16xf32>) extras() out(%out : memref<1x2x8x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 12 : i64, out_channels = 24 : i64, kernel.groups = array<i64: 2, 1>, tile = array<i64: 2, 1, 8>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<24x12x1x1xf32>, %out: memref<3x1x1x1x12x16xf32>):
  // expected-error@+1 {{'kernel.pack_panels' op of groups needs as many outputs in each, and a panel for each group that a block has outputs of}}
  kernel.pack_panels %in to %out {kernel.groups = array<i64: 5, 1>} : memref<24x12x1x1xf32> to memref<3x1x1x1x12x16xf32>
  kernel.end
}

// If this fails, a malformed kernel.conv_weights, kernel.depthwise_weights or kernel.join_sums is a crash of its lowering instead of a sentence.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>):
  // expected-error @below {{needs data and slope of rank 5 and sums of rank 7, found 4, 5 and 7}}
  kernel.conv_weights data(%x : memref<2x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf16>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>):
  // expected-error @below {{needs constant extents of f32, found 'memref<2x1x6x6x16xf16>'}}
  kernel.conv_weights data(%x : memref<2x1x6x6x16xf16>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32, strided<[512, 512, 128, 32, 2]>>, %s: memref<1x1x1x8x3x3x16xf32>):
  // expected-error @below {{needs slope's channels side by side and sums without gaps}}
  kernel.conv_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32, strided<[512, 512, 128, 32, 2]>>) sums(%s : memref<1x1x1x8x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>):
  // expected-error @below {{needs two numbers of at least 1 for rows and columns, found [1, 0]}}
  kernel.conv_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 0>, dilations = array<i64: 1, 1>, in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<3x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>):
  // expected-error @below {{has data of 3 images and slope of 2}}
  kernel.conv_weights data(%x : memref<3x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>):
  // expected-error @below {{reads 7 columns of data's 6}}
  kernel.conv_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) {kernel = array<i64: 3, 4>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>):
  // expected-error @below {{has 17 by 10 channels, the images have 16 and 16}}
  kernel.conv_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 17 : i64, out_channels = 10 : i64, per_slot = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>):
  // expected-error @below {{per_slot needs a power of two, found 3}}
  kernel.conv_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 3 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>):
  // expected-error @below {{needs sums [1, 2, 1, 8, 3, 3, 16], found [1, 1, 1, 8, 3, 3, 16]}}
  kernel.conv_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 2 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>):
  // expected-error @below {{tile needs [rows, vectors] of at least 1, found [0, 2]}}
  kernel.conv_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, tile = array<i64: 0, 2>}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>):
  // expected-error @below {{strip needs [images, rows] of at least 1, found [4]}}
  kernel.conv_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, strip = array<i64: 4>}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>):
  // expected-error @below {{cut needs an axis below 4, found 4}}
  kernel.conv_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, cut = #kernel.cut<axis = 4, indices = 1>}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%s: memref<1x1x?x16xf32>, %o: memref<10x9xf32>):
  // expected-error @below {{needs sums [S, OB, R, lanes] and out [O, R] of constant extents and f32}}
  kernel.join_sums %s to %o : memref<1x1x?x16xf32> to memref<10x9xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%s: memref<1x1x9x16xf32>, %o: memref<17x9xf32>):
  // expected-error @below {{has sums [1, 1, 9, 16] and out [17, 9]}}
  kernel.join_sums %s to %o : memref<1x1x9x16xf32> to memref<17x9xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%s: memref<1x1x9x16xf32>, %o: memref<10x9xf32, strided<[18, 2]>>):
  // expected-error @below {{needs elements side by side along the last axes}}
  kernel.join_sums %s to %o : memref<1x1x9x16xf32> to memref<10x9xf32, strided<[18, 2]>>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x3x3x16xf32>):
  // expected-error @below {{needs data and slope of rank 5 and sums of rank 7, found 5, 5 and 6}}
  kernel.depthwise_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, per_slot = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf16>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x1x3x3x16xf32>):
  // expected-error @below {{needs constant extents of f32, found 'memref<2x1x6x6x16xf16>'}}
  kernel.depthwise_weights data(%x : memref<2x1x6x6x16xf16>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x1x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, per_slot = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32, strided<[1152, 1152, 192, 32, 2]>>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x1x3x3x16xf32>):
  // expected-error @below {{needs channels side by side and sums without gaps}}
  kernel.depthwise_weights data(%x : memref<2x1x6x6x16xf32, strided<[1152, 1152, 192, 32, 2]>>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x1x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, per_slot = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x1x3x3x16xf32>):
  // expected-error @below {{needs two numbers of at least 1 for rows and columns, found [3]}}
  kernel.depthwise_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x1x3x3x16xf32>) {kernel = array<i64: 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, per_slot = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x2x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x1x3x3x16xf32>):
  // expected-error @below {{has blocks of 2 by 16 channels and of 1 by 16}}
  kernel.depthwise_weights data(%x : memref<2x2x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x1x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, per_slot = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x1x3x3x16xf32>):
  // expected-error @below {{needs sums [1, 2, 1, 1, 3, 3, 16], found [1, 1, 1, 1, 3, 3, 16]}}
  kernel.depthwise_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x1x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, per_slot = 2 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x1x3x3x16xf32>):
  // expected-error @below {{cut needs an axis below 2, found 2}}
  kernel.depthwise_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x1x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, per_slot = 1 : i64, cut = #kernel.cut<axis = 2, indices = 1>}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x3x3x3x16xf32>):
  // expected-error @below {{needs groups of channels by which a block of 16 divides, found 3}}
  kernel.depthwise_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x3x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, per_slot = 1 : i64}
  kernel.end
}

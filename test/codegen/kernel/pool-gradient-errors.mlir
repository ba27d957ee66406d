// If this fails, a malformed kernel.pool_gradient or kernel.pool_places is a crash of its lowering instead of a sentence.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%g: memref<2x1x2x2x16xf32>, %x: memref<2x1x4x4x16xf32>, %r: memref<2x1x2x2x16xf32>, %y: memref<2x1x?x4x16xf32>):
  // expected-error @below {{needs images of f32 in blocks of constant extents, found 'memref<2x1x?x4x16xf32>'}}
  kernel.pool_gradient "sum" slope(%g : memref<2x1x2x2x16xf32>) ins() out(%y : memref<2x1x?x4x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%g: memref<2x1x2x2x16xf32>, %x: memref<2x1x4x4x16xf32>, %r: memref<2x1x2x2x16xf32>, %y: memref<2x1x4x4x16xf32>):
  // expected-error @below {{needs kind max, maxima, avg or sum, found "lp"}}
  kernel.pool_gradient "lp" slope(%g : memref<2x1x2x2x16xf32>) ins() out(%y : memref<2x1x4x4x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%g: memref<2x1x2x2x16xf32>, %x: memref<2x1x4x4x16xf32>, %r: memref<2x1x2x2x16xf32>, %y: memref<2x1x4x4x16xf32>):
  // expected-error @below {{needs data and result, or places, for max, and nothing more for others}}
  kernel.pool_gradient "max" slope(%g : memref<2x1x2x2x16xf32>) ins() out(%y : memref<2x1x4x4x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%g: memref<2x1x2x2x16xf32>, %x: memref<2x1x4x4x16xf32>, %r: memref<2x1x2x2x16xf32>, %y: memref<2x2x4x4x16xf32>):
  // expected-error @below {{has slope [2, 1, 2, 2, 16] and out [2, 2, 4, 4, 16]}}
  kernel.pool_gradient "sum" slope(%g : memref<2x1x2x2x16xf32>) ins() out(%y : memref<2x2x4x4x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%g: memref<2x1x2x2x16xf32>, %x: memref<2x1x4x4x16xf32>, %r: memref<2x1x2x2x16xf32>, %y: memref<2x1x4x4x16xf32>):
  // expected-error @below {{needs two numbers of at least 1, found [2, 0]}}
  kernel.pool_gradient "sum" slope(%g : memref<2x1x2x2x16xf32>) ins() out(%y : memref<2x1x4x4x16xf32>) {kernel = array<i64: 2, 0>, strides = array<i64: 2, 2>, count_include_pad = true}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%g: memref<2x1x2x2x16xf32>, %x: memref<2x1x4x4x16xf32>, %r: memref<2x1x2x2x16xf32>, %y: memref<2x1x4x4x16xf32>):
  // expected-error @below {{padding is at least 0 at each side, found 0, 0, 0 and -1}}
  kernel.pool_gradient "sum" slope(%g : memref<2x1x2x2x16xf32>) ins() out(%y : memref<2x1x4x4x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad = #kernel.padding<right = -1>, count_include_pad = true}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%g: memref<2x1x2x2x16xf32>, %x: memref<2x1x4x4x16xf32>, %r: memref<2x1x2x2x16xf32>, %y: memref<2x1x4x4x16xf32>):
  // expected-error @below {{cut needs an axis below 2, found 2}}
  kernel.pool_gradient "sum" slope(%g : memref<2x1x2x2x16xf32>) ins() out(%y : memref<2x1x4x4x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true, cut = #kernel.cut<axis = 2, indices = 1>}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x4x4x16xf32>, %r: memref<2x1x2x2x16xf32>, %p: memref<2x1x2x2x16xf32>):
  // expected-error @below {{needs images of i8 in blocks of constant extents, found 'memref<2x1x2x2x16xf32>'}}
  kernel.pool_places data(%x : memref<2x1x4x4x16xf32>) result(%r : memref<2x1x2x2x16xf32>) places(%p : memref<2x1x2x2x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x4x4x16xf32>, %r: memref<2x1x2x2x16xf32>, %p: memref<2x1x4x4x16xi8>):
  // expected-error @below {{needs places in the shape of result [2, 1, 2, 2, 16]}}
  kernel.pool_places data(%x : memref<2x1x4x4x16xf32>) result(%r : memref<2x1x2x2x16xf32>) places(%p : memref<2x1x4x4x16xi8>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x3x4x4x16xf32>, %r: memref<2x1x2x2x16xf32>, %p: memref<2x1x2x2x16xi8>):
  // expected-error @below {{has data [2, 3, 4, 4, 16] and result [2, 1, 2, 2, 16]}}
  kernel.pool_places data(%x : memref<2x3x4x4x16xf32>) result(%r : memref<2x1x2x2x16xf32>) places(%p : memref<2x1x2x2x16xi8>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<2x1x20x20x16xf32>, %r: memref<2x1x1x1x16xf32>, %p: memref<2x1x1x1x16xi8>):
  // expected-error @below {{has a window of more than 255 elements}}
  kernel.pool_places data(%x : memref<2x1x20x20x16xf32>) result(%r : memref<2x1x1x1x16xf32>) places(%p : memref<2x1x1x1x16xi8>) {kernel = array<i64: 20, 20>, strides = array<i64: 2, 2>}
  kernel.end
}

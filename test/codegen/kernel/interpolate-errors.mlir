// If this fails, a wrong kernel.interpolate becomes code that reads beside its rows.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x8xf32>, %out: memref<1x4x8xf32>):
  // expected-error @below {{needs two views of one rank of at least 2 and one of their axes}}
  kernel.interpolate %in to %out along 1 : memref<4x8xf32> to memref<1x4x8xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x8xf32>, %out: memref<4x9xf32>):
  // expected-error @below {{needs two views of one rank of at least 2 and one of their axes}}
  kernel.interpolate %in to %out along 2 : memref<4x8xf32> to memref<4x9xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x8xf16>, %out: memref<4x9xf16>):
  // expected-error @below {{needs elements of f32}}
  kernel.interpolate %in to %out along 1 : memref<4x8xf16> to memref<4x9xf16>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x8xf32>, %out: memref<5x9xf32>):
  // expected-error @below {{views differ along axis 0: 4 and 5}}
  kernel.interpolate %in to %out along 1 : memref<4x8xf32> to memref<5x9xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x0xf32>, %out: memref<4x9xf32>):
  // expected-error @below {{needs constant extents of at least 1 along axis 1}}
  kernel.interpolate %in to %out along 1 : memref<4x0xf32> to memref<4x9xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x8xf32, strided<[16, 2]>>, %out: memref<9x8xf32>):
  // expected-error @below {{needs elements side by side along the last axis}}
  kernel.interpolate %in to %out along 0 : memref<4x8xf32, strided<[16, 2]>> to memref<9x8xf32>
  kernel.end
}

// If this fails, a wrong kernel.split_bytes becomes code that reads or writes beside its words.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1x2x7x9x16xi8>, %out: memref<1x2x7x9x16xi32>):
  // expected-error @below {{needs bytes [N, CB, H, W, L] and words of 32 bits [N, CB, H, W, L/2], L a multiple of 4, or panels [OB, IB, kH, kW, L, B] and [OB, IB, kH, kW, L/2, B] of these}}
  kernel.split_bytes %in to %out {channels = 32 : i64} : memref<1x2x7x9x16xi8> to memref<1x2x7x9x16xi32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1x2x7x9x6xi8>, %out: memref<1x2x7x9x3xi32>):
  // expected-error @below {{needs bytes [N, CB, H, W, L]}}
  kernel.split_bytes %in to %out {channels = 12 : i64} : memref<1x2x7x9x6xi8> to memref<1x2x7x9x3xi32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<2x2x3x3x16x16xi8>, %out: memref<2x2x3x3x8x16xi32>):
  // expected-error @below {{shifted is of data, panels have signs}}
  kernel.split_bytes %in to %out {channels = 32 : i64, shifted} : memref<2x2x3x3x16x16xi8> to memref<2x2x3x3x8x16xi32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1x2x7x9x16xi8>, %out: memref<1x2x7x9x8xi32>):
  // expected-error @below {{cut needs an axis below 3, found 3}}
  kernel.split_bytes %in to %out {channels = 32 : i64, cut = #kernel.cut<axis = 3, indices = 1>} : memref<1x2x7x9x16xi8> to memref<1x2x7x9x8xi32>
  kernel.end
}

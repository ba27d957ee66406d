// If this fails, a malformed kernel.take_rows or kernel.add_rows is a crash of its lowering instead of a sentence.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%t: memref<5x8xf32>, %n: memref<3xi64>, %y: memref<3x8xf32>):
  // expected-error @below {{needs a table [V, W] and rows [N, W] of f32 and numbers [N] of f32 or i32, found 'memref<5x8xf32>', 'memref<3x8xf32>' and 'memref<3xi64>'}}
  kernel.take_rows %t at %n to %y : memref<5x8xf32> at memref<3xi64> to memref<3x8xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%r: memref<3x8xf32>, %n: memref<3xf32>, %y: memref<0x8xf32>):
  // expected-error @below {{needs a table of 1 to 16777216 rows, found 'memref<0x8xf32>'}}
  kernel.add_rows %r at %n to %y : memref<3x8xf32> at memref<3xf32> to memref<0x8xf32>
  kernel.end
}

// If this fails, a malformed step is a crash of a lowering instead of a sentence.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  // expected-error @below {{body takes 'f64' but its operands need 'f32'}}
  kernel.loops ins(%in : memref<4xf32>) outs(%out : memref<4xf32>) body {
  ^bb0(%a: f64):
    kernel.yield %a : f64
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf64>):
  // expected-error @below {{body must yield 'f64'}}
  kernel.loops ins(%in : memref<4xf32>) outs(%out : memref<4xf64>) body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<5xf32>):
  // expected-error @below {{views differ in shape: [4] and [5]}}
  kernel.loops ins(%in : memref<4xf32>) outs(%out : memref<5xf32>) body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1x1x4x4x16xf32>, %out: memref<1x4x4x16xf32>):
  // expected-error @below {{out has rank 4, needs 5}}
  kernel.pool "max" data(%in : memref<1x1x4x4x16xf32>) extras() out(%out : memref<1x4x4x16xf32>) {count_include_pad = true, kernel = array<i64: 1, 1>, pad_begin = array<i64: 0, 0>, pad_end = array<i64: 0, 0>, strides = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x3xf32>, %out: memref<4x3xf32>):
  // expected-error @below {{out has rank 2, needs 3}}
  kernel.softmax %in to %out {factor = 1.0 : f64, log = false} : memref<4x3xf32> to memref<4x3xf32>
  kernel.end
}

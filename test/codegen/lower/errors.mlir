// What lowerings refuse. A schedule never asks for it, so these are internal
// errors that name the step and what it has.
// RUN: symc-opt %s -split-input-file -verify-diagnostics -kernel-choose-tiles=target=x86-64-v3 -kernel-outline

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xi32>):
  // expected-error@+1 {{internal error: copy from 'f32' to 'i32'}}
  kernel.copy %in to %out : memref<4xf32> to memref<4xi32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%out: memref<4xf32>):
  // expected-error@+1 {{internal error: value of type 'i32' in a view of 'f32'}}
  kernel.fill %out with 1 : i32 : memref<4xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1x1x4x4x16xi8>, %out: memref<1x1x4x4x16xi8>):
  // expected-error@+1 {{internal error: pool from 'i8' to 'i8'; it needs one float type}}
  kernel.pool "max" data(%in : memref<1x1x4x4x16xi8>) extras() out(%out : memref<1x1x4x4x16xi8>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, count_include_pad = false} body {
  ^bb0(%x: i8):
    kernel.yield %x : i8
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1x1x4x4x8xf32>, %out: memref<1x1x4x4x8xf32>):
  // expected-error@+1 {{internal error: pool needs blocks of 16 channels, lanes last}}
  kernel.pool "max" data(%in : memref<1x1x4x4x8xf32>) extras() out(%out : memref<1x1x4x4x8xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, count_include_pad = false} body {
  ^bb0(%x: f32):
    kernel.yield %x : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1x1x4x4x16xf32>, %out: memref<1x1x4x4x16xf32>):
  // expected-error@+1 {{internal error: pool kind 'lp'}}
  kernel.pool "lp" data(%in : memref<1x1x4x4x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, count_include_pad = false} body {
  ^bb0(%x: f32):
    kernel.yield %x : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%out: memref<4xf32>):
  // expected-error@+1 {{internal error: the buffer has no offset; plan the arena first}}
  %a = kernel.buffer() : memref<4xf32>
  kernel.copy %a to %out : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%out: memref<4xf32>):
  // expected-error@+1 {{internal error: no kernel.prepared of this name}}
  %a = kernel.weight @missing : memref<4xf32>
  kernel.copy %a to %out : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// expected-error@+1 {{internal error: argument 0 of type 'memref<?xf32>' is used without its extents; view it by memref.reinterpret_cast}}
kernel.program @main attributes {num_inputs = 1, num_outputs = 1, dim_min = array<i64: 1>, dim_max = array<i64: 4>} {
^bb0(%in: memref<?xf32>, %out: memref<?xf32>, %n: index):
  kernel.copy %in to %out : memref<?xf32> to memref<?xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1, dim_min = array<i64: 1>, dim_max = array<i64: 4>} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>, %n: index):
  // expected-error@+1 {{internal error: an extent must be an affine function of the symbolic sizes}}
  %m = arith.maxsi %n, %n : index
  %v = memref.reinterpret_cast %in to offset: [0], sizes: [%m], strides: [1] : memref<4xf32> to memref<?xf32, strided<[1]>>
  %w = memref.reinterpret_cast %out to offset: [0], sizes: [%m], strides: [1] : memref<4xf32> to memref<?xf32, strided<[1]>>
  kernel.copy %v to %w : memref<?xf32, strided<[1]>> to memref<?xf32, strided<[1]>>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%out: memref<4xf32>):
  // expected-error@+1 {{internal error: a step's operand must be a view of a buffer, a weight or an argument}}
  %a = memref.alloc() : memref<4xf32>
  kernel.copy %a to %out : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<8xf32>, %out: memref<4xf32>):
  %v = memref.reinterpret_cast %in to offset: [0], sizes: [4], strides: [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  // expected-error@+1 {{internal error: operand of a called kernel has stride 2 in dimension 0, a dense one has 1}}
  kernel.call "f" "f" ins(%v : memref<4xf32, strided<[2]>>) outs(%out : memref<4xf32>) {params = [], dtypes = array<i64: 0, 0>, scratch_bytes = 0 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  // expected-error@+1 {{internal error: 1 dtypes for 2 operands}}
  kernel.call "f" "f" ins(%in : memref<4xf32>) outs(%out : memref<4xf32>) {params = [], dtypes = array<i64: 0>, scratch_bytes = 0 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  // expected-error@+1 {{internal error: no scratch buffer; plan the arena first}}
  kernel.call "f" "f" ins(%in : memref<4xf32>) outs(%out : memref<4xf32>) {params = [], dtypes = array<i64: 0, 0>, scratch_bytes = 8 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  // expected-error@+1 {{internal error: parameter 0 is unit, which has no slot form}}
  kernel.call "f" "f" ins(%in : memref<4xf32>) outs(%out : memref<4xf32>) {params = [unit], dtypes = array<i64: 0, 0>, scratch_bytes = 0 : i64}
  kernel.end
}

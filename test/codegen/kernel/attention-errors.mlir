// If this fails, a wrong kernel.attention becomes code that reads beside its heads.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%q: memref<3x5x8xf32>, %k: memref<1x3x7x8xf32>, %v: memref<1x3x7x8xf32>, %out: memref<1x3x5x8xf32>):
  // expected-error @below {{needs queries, keys, values and out of rank 4}}
  kernel.attention queries(%q : memref<3x5x8xf32>) keys(%k : memref<1x3x7x8xf32>) values(%v : memref<1x3x7x8xf32>) extras() out(%out : memref<1x3x5x8xf32>) scores {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weights {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%q: memref<1x3x5x8xf16>, %k: memref<1x3x7x8xf32>, %v: memref<1x3x7x8xf32>, %out: memref<1x3x5x8xf32>):
  // expected-error @below {{needs queries, keys, values and out of f32}}
  kernel.attention queries(%q : memref<1x3x5x8xf16>) keys(%k : memref<1x3x7x8xf32>) values(%v : memref<1x3x7x8xf32>) extras() out(%out : memref<1x3x5x8xf32>) scores {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weights {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%q: memref<1x3x5x300xf32>, %k: memref<1x3x7x300xf32>, %v: memref<1x3x7x8xf32>, %out: memref<1x3x5x8xf32>):
  // expected-error @below {{needs heads of 1 to 256 elements, constants}}
  kernel.attention queries(%q : memref<1x3x5x300xf32>) keys(%k : memref<1x3x7x300xf32>) values(%v : memref<1x3x7x8xf32>) extras() out(%out : memref<1x3x5x8xf32>) scores {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weights {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%q: memref<1x3x5x8xf32>, %k: memref<1x3x7x8xf32>, %v: memref<1x3x6x8xf32>, %out: memref<1x3x5x8xf32>):
  // expected-error @below {{extents of queries, keys, values and out do not fit}}
  kernel.attention queries(%q : memref<1x3x5x8xf32>) keys(%k : memref<1x3x7x8xf32>) values(%v : memref<1x3x6x8xf32>) extras() out(%out : memref<1x3x5x8xf32>) scores {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weights {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%q: memref<1x3x5x8xf32>, %k: memref<1x3x7x8xf32>, %v: memref<1x3x7x8xf32, strided<[168, 56, 1, 7]>>, %out: memref<1x3x5x8xf32>):
  // expected-error @below {{needs elements of values and of out side by side}}
  kernel.attention queries(%q : memref<1x3x5x8xf32>) keys(%k : memref<1x3x7x8xf32>) values(%v : memref<1x3x7x8xf32, strided<[168, 56, 1, 7]>>) extras() out(%out : memref<1x3x5x8xf32>) scores {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weights {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 4, num_outputs = 1} {
^bb0(%q: memref<1x3x5x8xf32>, %k: memref<1x3x7x8xf32>, %v: memref<1x3x7x8xf32>, %n: memref<1x3x5xf32>, %out: memref<1x3x5x8xf32>):
  // expected-error @below {{needs lengths of rank 3, i32 or i64}}
  kernel.attention queries(%q : memref<1x3x5x8xf32>) keys(%k : memref<1x3x7x8xf32>) values(%v : memref<1x3x7x8xf32>) lengths(%n : memref<1x3x5xf32>) extras() out(%out : memref<1x3x5x8xf32>) scores {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weights {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 4, num_outputs = 1} {
^bb0(%q: memref<1x3x5x8xf32>, %k: memref<1x3x7x8xf32>, %v: memref<1x3x7x8xf32>, %m: memref<5x7xf32>, %out: memref<1x3x5x8xf32>):
  // expected-error @below {{needs extras of rank 4}}
  kernel.attention queries(%q : memref<1x3x5x8xf32>) keys(%k : memref<1x3x7x8xf32>) values(%v : memref<1x3x7x8xf32>) extras(%m : memref<5x7xf32>) out(%out : memref<1x3x5x8xf32>) scores {
  ^bb0(%s: f32, %x: f32):
    kernel.yield %s : f32
  } weights {
  ^bb0(%s: f32, %x: f32):
    kernel.yield %s : f32
  }
  kernel.end
}

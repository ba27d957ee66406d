// If this fails, a malformed kernel.reduce is a crash of its lowering instead of a sentence.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<4x8xf32>, %l: memref<4xf32>, %r: memref<4xf32>, %q: memref<5xf32>, %y: memref<4x8xf32>):
  // expected-error @below {{keeps 2 of 2 extents, needs one at least and one to reduce}}
  kernel.reduce ins(%x : memref<4x8xf32>) row_outs(%r : memref<4xf32>) {kept = 2 : i64, combiners = ["sum"]} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield %s : f32
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<4x8xf32>, %l: memref<4xf32>, %r: memref<4xf32>, %q: memref<5xf32>, %y: memref<4x8xf32>):
  // expected-error @below {{views of rows need the kept extents [4]}}
  kernel.reduce ins(%x : memref<4x8xf32>) row_outs(%q : memref<5xf32>) {kept = 1 : i64, combiners = ["sum"]} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield %s : f32
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<4x8xf32>, %l: memref<4xf32>, %r: memref<4xf32>, %q: memref<5xf32>, %y: memref<4x8xf32>):
  // expected-error @below {{with lengths needs one extent to reduce and i32 or i64}}
  kernel.reduce ins(%x : memref<4x8xf32>) lengths(%l : memref<4xf32>) row_outs(%r : memref<4xf32>) {kept = 1 : i64, combiners = ["sum"]} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield %s : f32
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<4x8xf32>, %l: memref<4xf32>, %r: memref<4xf32>, %q: memref<5xf32>, %y: memref<4x8xf32>):
  // expected-error @below {{has 2 combiners and 1 passes, needs as many, one at least}}
  kernel.reduce ins(%x : memref<4x8xf32>) row_outs(%r : memref<4xf32>) {kept = 1 : i64, combiners = ["sum", "max"]} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield %s : f32
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<4x8xf32>, %l: memref<4xf32>, %r: memref<4xf32>, %q: memref<5xf32>, %y: memref<4x8xf32>):
  // expected-error @below {{has 3 partials, needs a power of two}}
  kernel.reduce ins(%x : memref<4x8xf32>) row_outs(%r : memref<4xf32>) {kept = 1 : i64, combiners = ["sum"], partials = 3 : i64} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield %s : f32
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<4x8xf32>, %l: memref<4xf32>, %r: memref<4xf32>, %q: memref<5xf32>, %y: memref<4x8xf32>):
  // expected-error @below {{saves pass 0, which needs that pass and an out}}
  kernel.reduce ins(%x : memref<4x8xf32>) row_outs(%r : memref<4xf32>) {kept = 1 : i64, combiners = ["sum"], saves = 0 : i64} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield %s : f32
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<1x50000x50000xf32>, %r: memref<1xf32>):
  // expected-error @below {{has rows of 2500000000 elements, needs i64 for positions}}
  kernel.reduce ins(%x : memref<1x50000x50000xf32>) row_outs(%r : memref<1xf32>) {kept = 1 : i64, combiners = ["sum"]} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield %s : f32
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<4x8xf32>, %r: memref<4xf32>):
  // expected-error @below {{needs i32 or i64 for positions}}
  kernel.reduce ins(%x : memref<4x8xf32>) row_outs(%r : memref<4xf32>) {kept = 1 : i64, combiners = ["sum"]} passes {
  ^bb0(%p: i16, %n: i16, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i16, %n: i16, %a: f32, %s: f32):
    kernel.yield %s : f32
  } elements {
  ^bb0(%p: i16, %n: i16, %a: f32, %s: f32):
    kernel.yield
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<4x8xf32>, %l: memref<4xf32>, %r: memref<4xf32>, %q: memref<5xf32>, %y: memref<4x8xf32>):
  // expected-error @below {{has no combiner 'median'}}
  kernel.reduce ins(%x : memref<4x8xf32>) row_outs(%r : memref<4xf32>) {kept = 1 : i64, combiners = ["median"]} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield %s : f32
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<4x8xf32>, %l: memref<4xf32>, %r: memref<4xf32>, %q: memref<5xf32>, %y: memref<4x8xf32>):
  // expected-error @below {{pass 0 must yield what 'argmax' takes}}
  kernel.reduce ins(%x : memref<4x8xf32>) row_outs(%r : memref<4xf32>) {kept = 1 : i64, combiners = ["argmax"]} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield %s : f32
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<4x8xf32>, %l: memref<4xf32>, %r: memref<4xf32>, %q: memref<5xf32>, %y: memref<4x8xf32>):
  // expected-error @below {{pass 0 must yield what 'sum' takes and what is saved}}
  kernel.reduce ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>) {kept = 1 : i64, combiners = ["sum"], saves = 0 : i64} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<4x8xf32>, %l: memref<4xf32>, %r: memref<4xf32>, %q: memref<5xf32>, %y: memref<4x8xf32>):
  // expected-error @below {{body takes 'i32', 'i32', 'f32' but its operands need 'i32', 'i32', 'f32', 'f32'}}
  kernel.reduce ins(%x : memref<4x8xf32>) row_outs(%r : memref<4xf32>) {kept = 1 : i64, combiners = ["sum"]} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%r: memref<4xf32>):
  // expected-error @below {{needs an input}}
  "kernel.reduce"(%r) <{combiners = ["sum"], kept = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 1, 0>}> ({
  ^bb0(%p: i32, %n: i32, %s: f32):
    kernel.yield %s : f32
  }, {
  ^bb0(%p: i32, %n: i32, %s: f32):
    kernel.yield
  }, {
  ^bb0(%p: i32, %n: i32):
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }) : (memref<4xf32>) -> ()
  kernel.end
}

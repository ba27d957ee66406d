// If this fails, code for CPUs is made of steps whose memory it would read wrongly.
// RUN: symc-opt %s --kernel-plan-arena --kernel-choose-tiles=target=x86-64-v3 --kernel-outline=target=x86-64-v3 -split-input-file -verify-diagnostics

kernel.program @narrow attributes {num_inputs = 1 : i64, num_outputs = 1 : i64} {
^bb0(%in: memref<16xf32>, %out: memref<16xf32>):
  %half = kernel.buffer() : memref<16xf16>
  kernel.loops ins(%in : memref<16xf32>) outs(%half : memref<16xf16>) {kernel.narrow} body {
  ^bb0(%x: f32):
    kernel.yield %x : f32
  }
  // expected-error @below {{has floats of 16 bits in memory, which code for CPUs does not read}}
  kernel.copy %half to %out {kernel.narrow} : memref<16xf16> to memref<16xf32>
}

// -----

kernel.program @unmarked attributes {num_inputs = 1 : i64, num_outputs = 1 : i64} {
^bb0(%in: memref<16xf16>, %out: memref<16xf32>):
  // expected-error @below {{body takes 'f32' but its operands need 'f16'}}
  kernel.loops ins(%in : memref<16xf16>) outs(%out : memref<16xf32>) body {
  ^bb0(%x: f32):
    kernel.yield %x : f32
  }
}

// -----

// expected-error @below {{kernel.narrow is a unit attribute of a step}}
kernel.program @marked attributes {num_inputs = 0 : i64, num_outputs = 0 : i64, kernel.narrow} {
}

// -----

// expected-error @below {{kernel.shifted is a unit attribute of kernel.depthwise}}
kernel.program @shifted attributes {num_inputs = 0 : i64, num_outputs = 0 : i64, kernel.shifted} {
}

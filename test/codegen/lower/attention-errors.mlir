// If this fails, attention over factors that the instruction set does not multiply, or of two types, becomes code.
// RUN: symc-opt %s -split-input-file -verify-diagnostics -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 -kernel-outline=target=x86-64-v4

kernel.program @halves attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%q: memref<1x3x5x8xbf16>, %k: memref<1x3x7x8xbf16>, %v: memref<1x3x7x8xbf16>, %out: memref<1x3x5x8xf32>):
  // expected-error @below {{internal error: attention over 'bf16', 'bf16' and 'bf16', which x86-64-v4 does not multiply}}
  kernel.attention queries(%q : memref<1x3x5x8xbf16>) keys(%k : memref<1x3x7x8xbf16>) values(%v : memref<1x3x7x8xbf16>) extras() out(%out : memref<1x3x5x8xf32>) {kernel.narrow} scores {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weights {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  kernel.end
}

// -----

kernel.program @types attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%q: memref<1x3x5x8xf32>, %k: memref<1x3x7x8xf32>, %v: memref<1x3x7x8xbf16>, %out: memref<1x3x5x8xf32>):
  // expected-error @below {{internal error: attention over 'f32', 'f32' and 'bf16', which x86-64-v4 does not multiply}}
  kernel.attention queries(%q : memref<1x3x5x8xf32>) keys(%k : memref<1x3x7x8xf32>) values(%v : memref<1x3x7x8xbf16>) extras() out(%out : memref<1x3x5x8xf32>) {kernel.narrow} scores {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weights {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  kernel.end
}

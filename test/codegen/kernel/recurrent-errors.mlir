// If this fails, a malformed kernel.recurrent is a crash of its lowering instead of a sentence.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%g: memref<4x5x1x20xf32>, %w: memref<2x20x1x1x1x16xf32>, %h: memref<5x20xf32>, %out: memref<4x5x?xf32>, %t: memref<8xi64>):
  // expected-error @below {{needs gates [T, N, G, H] and out [T, N, H], G and H constants}}
  kernel.recurrent gates(%g : memref<4x5x1x20xf32>) weights(%w : memref<2x20x1x1x1x16xf32>) state(%h : memref<5x20xf32>) out(%out : memref<4x5x?xf32>) step(%t : memref<8xi64>) {reverse = false} body {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    kernel.yield %a0 : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%g: memref<4x5x1x20xf32>, %w: memref<1x20x1x1x1x16xf32>, %h: memref<5x20xf32>, %out: memref<4x5x20xf32>, %t: memref<8xi64>):
  // expected-error @below {{weights need 2 blocks of panels, 20 by 1 rows in each}}
  kernel.recurrent gates(%g : memref<4x5x1x20xf32>) weights(%w : memref<1x20x1x1x1x16xf32>) state(%h : memref<5x20xf32>) out(%out : memref<4x5x20xf32>) step(%t : memref<8xi64>) {reverse = false} body {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    kernel.yield %a0 : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%g: memref<4x5x1x20xf32>, %w: memref<2x20x1x1x1x16xf32>, %h: memref<5x20xf32>, %out: memref<4x5x20xf32>, %t: memref<8xi64>):
  // expected-error @below {{has a cell before or after its steps, needs both or none}}
  kernel.recurrent gates(%g : memref<4x5x1x20xf32>) weights(%w : memref<2x20x1x1x1x16xf32>) state(%h : memref<5x20xf32>) cell(%h : memref<5x20xf32>) out(%out : memref<4x5x20xf32>) step(%t : memref<8xi64>) {reverse = false} body {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    kernel.yield %a0 : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%g: memref<4x5x1x20xf32>, %w: memref<2x20x1x1x1x16xf32>, %h: memref<5x20xf32>, %out: memref<4x5x20xf32>, %t: memref<8xi64>):
  // expected-error @below {{body takes 'f32', 'f32' but its operands need 'f32', 'f32', 'f32'}}
  kernel.recurrent gates(%g : memref<4x5x1x20xf32>) weights(%w : memref<2x20x1x1x1x16xf32>) state(%h : memref<5x20xf32>) out(%out : memref<4x5x20xf32>) step(%t : memref<8xi64>) {reverse = false} body {
  ^bb0(%a0: f32, %a1: f32):
    kernel.yield %a0 : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 3} {
^bb0(%g: memref<4x5x1x32xf32>, %w: memref<1x1x7x16x1x16xf32>, %h: memref<5x32xf32>, %out: memref<4x5x32xf32>, %s: memref<3x3328xf32>, %t: memref<8xi64>):
  // expected-error @below {{with scratch needs an even batch, whole pairs of blocks of units, weights [1, 1, 7, 16, 1, 16] and scratch [3, 3328]}}
  kernel.recurrent gates(%g : memref<4x5x1x32xf32>) weights(%w : memref<1x1x7x16x1x16xf32>) state(%h : memref<5x32xf32>) out(%out : memref<4x5x32xf32>) scratch(%s : memref<3x3328xf32>) step(%t : memref<8xi64>) {reverse = false} body {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    kernel.yield %a0 : f32
  }
  kernel.end
}

// -----

// Weights of bf16 are pairs of rows.
kernel.program @main attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%g: memref<4x5x1x20xf32>, %w: memref<2x20x1x1x1x16xbf16>, %h: memref<5x20xf32>, %out: memref<4x5x20xf32>, %t: memref<8xi64>):
  // expected-error @below {{weights need 2 blocks of panels, 10 by 1 pairs of rows in each}}
  kernel.recurrent gates(%g : memref<4x5x1x20xf32>) weights(%w : memref<2x20x1x1x1x16xbf16>) state(%h : memref<5x20xf32>) out(%out : memref<4x5x20xf32>) step(%t : memref<8xi64>) {reverse = false} body {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    kernel.yield %a0 : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 3} {
^bb0(%g: memref<4x5x1x20xf32>, %w: memref<2x10x1x1x2x16xbf16>, %h: memref<5x20xf32>, %out: memref<4x5x20xf32>, %r: memref<2x5x20xf32>, %t: memref<8xi64>):
  // expected-error @below {{rounded needs two states [2, 5, 20] of the type of weights of 16 bits, found 'memref<2x5x20xf32>'}}
  kernel.recurrent gates(%g : memref<4x5x1x20xf32>) weights(%w : memref<2x10x1x1x2x16xbf16>) state(%h : memref<5x20xf32>) out(%out : memref<4x5x20xf32>) rounded(%r : memref<2x5x20xf32>) step(%t : memref<8xi64>) {reverse = false} body {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    kernel.yield %a0 : f32
  }
  kernel.end
}

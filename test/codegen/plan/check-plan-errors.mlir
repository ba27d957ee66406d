// Plans that are wrong in each of the ways that PlanChecker.h numbers.
// RUN: symc-opt %s -split-input-file -verify-diagnostics -kernel-check-plan

// P1: no offset
kernel.program @main attributes {num_inputs = 1, num_outputs = 0, arena_bytes = 64} {
^bb0(%in: memref<4xf32>):
  // expected-error@+1 {{internal error: plan check P1: the buffer has no offset}}
  %a = kernel.buffer() : memref<4xf32>
  kernel.copy %in to %a : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// P1: no multiple of 64
kernel.program @main attributes {num_inputs = 1, num_outputs = 0, arena_bytes = 128} {
^bb0(%in: memref<4xf32>):
  // expected-error@+1 {{internal error: plan check P1: offset 16 is no multiple of 64}}
  %a = kernel.buffer() at 16 : memref<4xf32>
  kernel.copy %in to %a : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// P1: past the arena, at the largest size only
kernel.program @main attributes {num_inputs = 1, num_outputs = 0, arena_bytes = 64, dim_min = array<i64: 1>, dim_max = array<i64: 17>} {
^bb0(%in: memref<4xf32>, %n: index):
  // expected-error@+1 {{internal error: plan check P1: the buffer ends at byte 68 of an arena of 64}}
  %a = kernel.buffer(%n) at 0 : memref<?xf32>
  kernel.fill %a with 0.0 : f32 : memref<?xf32>
  kernel.end
}

// -----

// P2: a view leaves its buffer
kernel.program @main attributes {num_inputs = 1, num_outputs = 0, arena_bytes = 128} {
^bb0(%in: memref<4xf32>):
  %a = kernel.buffer() at 0 : memref<4xf32>
  %v = memref.reinterpret_cast %a to offset: [1], sizes: [4], strides: [1] : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
  // expected-error@+1 {{internal error: plan check P2: a view covers bytes 4 to 20 of an object of 16}}
  kernel.copy %in to %v : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
  kernel.end
}

// -----

// P3: read before written
kernel.program @main attributes {num_inputs = 0, num_outputs = 1, arena_bytes = 64} {
^bb0(%out: memref<4xf32>):
  %a = kernel.buffer() at 0 : memref<4xf32>
  // expected-error@+1 {{internal error: plan check P3: reads a buffer that no step has written}}
  kernel.copy %a to %out : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// P4: a live buffer is written over
kernel.program @main attributes {num_inputs = 1, num_outputs = 1, arena_bytes = 64} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  %a = kernel.buffer() at 0 : memref<4xf32>
  %b = kernel.buffer() at 0 : memref<4xf32>
  kernel.copy %in to %a : memref<4xf32> to memref<4xf32>
  // expected-error@+1 {{internal error: plan check P4: step 1 writes bytes 0 to 16, which meet a buffer at offset 0 that step 2 still needs}}
  kernel.copy %in to %b : memref<4xf32> to memref<4xf32>
  kernel.copy %a to %out : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// P5: a copy onto its own input
kernel.program @main attributes {num_inputs = 1, num_outputs = 1, arena_bytes = 64} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  %a = kernel.buffer() at 0 : memref<4xf32>
  %b = kernel.buffer() at 0 : memref<4xf32>
  kernel.copy %in to %a : memref<4xf32> to memref<4xf32>
  // expected-error@+1 {{internal error: plan check P5: an operand's bytes 0 to 16 meet the output's 0 to 16}}
  kernel.copy %a to %b : memref<4xf32> to memref<4xf32>
  kernel.copy %b to %out : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// P5: same bytes, other order
kernel.program @main attributes {num_inputs = 1, num_outputs = 1, arena_bytes = 64} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  %a = kernel.buffer() at 0 : memref<4xf32>
  %r = memref.reinterpret_cast %a to offset: [3], sizes: [4], strides: [-1] : memref<4xf32> to memref<4xf32, strided<[-1], offset: 3>>
  %b = kernel.buffer() at 0 : memref<4xf32>
  kernel.copy %in to %a : memref<4xf32> to memref<4xf32>
  // expected-error@+1 {{internal error: plan check P5: an operand's bytes 0 to 16 meet the output's 0 to 16}}
  kernel.loops ins(%r : memref<4xf32, strided<[-1], offset: 3>>) outs(%b : memref<4xf32>) body {
  ^bb0(%x: f32):
    kernel.yield %x : f32
  }
  kernel.copy %b to %out : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// P5: half of each row to the other half, which are apart; not so with a row that begins one later
kernel.program @main attributes {num_inputs = 1, num_outputs = 1, arena_bytes = 64} {
^bb0(%in: memref<4x4xf32>, %out: memref<4x4xf32>):
  %a = kernel.buffer() at 0 : memref<4x4xf32>
  kernel.copy %in to %a : memref<4x4xf32> to memref<4x4xf32>
  %l = memref.reinterpret_cast %a to offset: [0], sizes: [4, 2], strides: [4, 1] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1]>>
  %r = memref.reinterpret_cast %a to offset: [2], sizes: [4, 2], strides: [4, 1] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1], offset: 2>>
  kernel.copy %l to %r : memref<4x2xf32, strided<[4, 1]>> to memref<4x2xf32, strided<[4, 1], offset: 2>>
  kernel.copy %r to %l : memref<4x2xf32, strided<[4, 1], offset: 2>> to memref<4x2xf32, strided<[4, 1]>>
  %w = memref.reinterpret_cast %a to offset: [0], sizes: [3, 2], strides: [4, 1] : memref<4x4xf32> to memref<3x2xf32, strided<[4, 1]>>
  %b = memref.reinterpret_cast %a to offset: [11], sizes: [3, 2], strides: [-4, 1] : memref<4x4xf32> to memref<3x2xf32, strided<[-4, 1], offset: 11>>
  // expected-error@+1 {{internal error: plan check P5: an operand's bytes 0 to 40 meet the output's 12 to 52}}
  kernel.copy %w to %b : memref<3x2xf32, strided<[4, 1]>> to memref<3x2xf32, strided<[-4, 1], offset: 11>>
  kernel.copy %a to %out : memref<4x4xf32> to memref<4x4xf32>
  kernel.end
}

// -----

// A size that is no function of the symbolic sizes cannot be checked.
kernel.program @main attributes {num_inputs = 1, num_outputs = 0, arena_bytes = 64, dim_min = array<i64: 1>, dim_max = array<i64: 4>} {
^bb0(%in: memref<4xf32>, %n: index):
  // expected-error@+1 {{internal error: plan check: cannot evaluate this size}}
  %d = memref.dim %in, %n : memref<4xf32>
  %a = kernel.buffer(%d) at 0 : memref<?xf32>
  kernel.fill %a with 0.0 : f32 : memref<?xf32>
  kernel.end
}

// -----

// P4: a step of backward writes over what another run of backward reads
kernel.program @main attributes {num_inputs = 2, num_outputs = 2, arena_bytes = 64, parts = ["forward", "backward", "forward", "backward"]} {
^bb0(%x: memref<4xf32>, %h: memref<4xf32>, %y: memref<4xf32>, %g: memref<4xf32>):
  %a = kernel.buffer() at 0 : memref<4xf32>
  %b = kernel.buffer() at 0 : memref<4xf32>
  kernel.copy %x to %a : memref<4xf32> to memref<4xf32>
  kernel.copy %a to %y : memref<4xf32> to memref<4xf32>
  kernel.forward_end
  kernel.copy %a to %g : memref<4xf32> to memref<4xf32>
  // expected-error@+1 {{internal error: plan check P4: step 3 writes bytes 0 to 16, which meet a buffer at offset 0 that another run of backward needs}}
  kernel.copy %h to %b : memref<4xf32> to memref<4xf32>
  kernel.copy %b to %g : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// P4: the same, in place, which a program of one part may do
kernel.program @main attributes {num_inputs = 1, num_outputs = 2, arena_bytes = 64, parts = ["forward", "forward", "backward"]} {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %g: memref<4xf32>):
  %a = kernel.buffer() at 0 : memref<4xf32>
  %b = kernel.buffer() at 0 : memref<4xf32>
  kernel.copy %x to %a : memref<4xf32> to memref<4xf32>
  kernel.copy %a to %y : memref<4xf32> to memref<4xf32>
  kernel.forward_end
  // expected-error@+1 {{internal error: plan check P4: step 2 writes bytes 0 to 16, which meet a buffer at offset 0 that another run of backward needs}}
  kernel.loops ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) body {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  kernel.copy %b to %g : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// P6: backward reads an input of forward, whose memory may be gone
kernel.program @main attributes {num_inputs = 1, num_outputs = 2, arena_bytes = 0, parts = ["forward", "forward", "backward"]} {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %g: memref<4xf32>):
  kernel.copy %x to %y : memref<4xf32> to memref<4xf32>
  kernel.forward_end
  // expected-error@+1 {{internal error: plan check P6: a step of backward touches argument 0, which is forward's}}
  kernel.copy %x to %g : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// P6: backward reads an output of forward
kernel.program @main attributes {num_inputs = 1, num_outputs = 2, arena_bytes = 0, parts = ["forward", "forward", "backward"]} {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %g: memref<4xf32>):
  kernel.copy %x to %y : memref<4xf32> to memref<4xf32>
  kernel.forward_end
  // expected-error@+1 {{internal error: plan check P6: a step of backward touches argument 1, which is forward's}}
  kernel.copy %y to %g : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// P6: forward writes a gradient
kernel.program @main attributes {num_inputs = 1, num_outputs = 2, arena_bytes = 0, parts = ["forward", "forward", "backward"]} {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %g: memref<4xf32>):
  kernel.copy %x to %y : memref<4xf32> to memref<4xf32>
  // expected-error@+1 {{internal error: plan check P6: a step of forward touches argument 2, which is backward's}}
  kernel.copy %x to %g : memref<4xf32> to memref<4xf32>
  kernel.forward_end
  kernel.end
}

// -----

// P6: nothing divides the steps
// expected-error@+1 {{internal error: plan check P6: the program has parts, but no end of forward}}
kernel.program @main attributes {num_inputs = 1, num_outputs = 2, arena_bytes = 0, parts = ["forward", "forward", "backward"]} {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %g: memref<4xf32>):
  kernel.copy %x to %y : memref<4xf32> to memref<4xf32>
  kernel.copy %x to %g : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// P7: backward changes a buffer of forward that it reads
kernel.program @main attributes {num_inputs = 2, num_outputs = 2, arena_bytes = 64, parts = ["forward", "backward", "forward", "backward"]} {
^bb0(%x: memref<4xf32>, %h: memref<4xf32>, %y: memref<4xf32>, %g: memref<4xf32>):
  %a = kernel.buffer() at 0 : memref<4xf32>
  kernel.copy %x to %a : memref<4xf32> to memref<4xf32>
  kernel.copy %a to %y : memref<4xf32> to memref<4xf32>
  kernel.forward_end
  kernel.copy %a to %g : memref<4xf32> to memref<4xf32>
  // expected-error@+1 {{internal error: plan check P7: step 3 writes over what forward left for backward}}
  kernel.copy %h to %a : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

// Parts of one buffer that have no element in common, one of each part of the program, are right.
kernel.program @main attributes {num_inputs = 2, num_outputs = 2, arena_bytes = 64, parts = ["forward", "backward", "forward", "backward"]} {
^bb0(%x: memref<4xf32>, %h: memref<4xf32>, %y: memref<4xf32>, %g: memref<8xf32>):
  %a = kernel.buffer() at 0 : memref<8xf32>
  %even = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  %odd = memref.reinterpret_cast %a to offset: [1], sizes: [4], strides: [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
  kernel.copy %x to %even : memref<4xf32> to memref<4xf32, strided<[2]>>
  kernel.copy %x to %y : memref<4xf32> to memref<4xf32>
  kernel.forward_end
  kernel.copy %h to %odd : memref<4xf32> to memref<4xf32, strided<[2], offset: 1>>
  kernel.copy %a to %g : memref<8xf32> to memref<8xf32>
  kernel.end
}

// -----

// P8: a weight that is prepared by nothing, because nothing packs that form
// expected-error@+1 {{internal error: plan check P8: no step writes the weight 'w.b' in the form #kernel.form<hexagons>}}
kernel.prepared @w.b at 64 : memref<4xf32> {form = #kernel.form<hexagons>}
kernel.prepared @w.a at 0 : memref<4xf32> {form = #kernel.form<plain>}
kernel.program @prepare_program attributes {num_inputs = 1, num_outputs = 0, arena_bytes = 0} {
^bb0(%in: memref<4xf32>):
  %a = kernel.weight @w.a : memref<4xf32>
  %b = kernel.weight @w.b : memref<4xf32>
  kernel.copy %in to %a : memref<4xf32> to memref<4xf32>
  kernel.end
}

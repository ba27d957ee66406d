// If this fails, sizes that no process can address wrap, and the plan holds less than the program writes.
// RUN: symc-opt %s -split-input-file -verify-diagnostics -kernel-plan-arena

kernel.program @buffer attributes {num_inputs = 1, num_outputs = 0} {
^bb0(%in: memref<4xf32>):
  // expected-error@unknown {{a buffer of node 'wide' would take more than 140737488355328 bytes}}
  %a = kernel.buffer() : memref<4294967296x4294967296xf32> loc("wide")
  kernel.fill %a with 0.0 : f32 : memref<4294967296x4294967296xf32>
  kernel.end
}

// -----

// expected-error@+1 {{the arena would take more than 140737488355328 bytes}}
kernel.program @arena attributes {num_inputs = 0, num_outputs = 0} {
  // expected-note@+1 {{the largest buffer takes 140737488355328 bytes}}
  %a = kernel.buffer() : memref<140737488355328xi8>
  %b = kernel.buffer() : memref<140737488355328xi8>
  kernel.fill %a with 0 : i8 : memref<140737488355328xi8>
  kernel.copy %a to %b : memref<140737488355328xi8> to memref<140737488355328xi8>
  kernel.end
}

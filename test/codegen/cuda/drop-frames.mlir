// If this fails, each padding of a layer for CUDA is written by kernels of its own, or one is left out that somebody reads.
// RUN: symc-opt --kernel-drop-frames %s | FileCheck %s

// Two layers leave the frame of zeros out; what is behind them reads pixels of the image alone.
// CHECK-LABEL: kernel.program @main
// CHECK: kernel.buffer() : memref<1x1x14x14x16xf32>
// CHECK-NOT: kernel.fill
// CHECK: kernel.conv
// CHECK: kernel.conv
// CHECK: kernel.copy
// Nearest miss of kernel-drop-frames: pooling reads the frame, too, and all of it stays.
// CHECK-LABEL: kernel.program @pooled
// CHECK-COUNT-2: kernel.fill
// A layer with a wider kernel reads this frame's row as its image's: it stays, the other frame goes.
// CHECK-LABEL: kernel.program @wider
// CHECK: memref.reinterpret_cast {{.*}} to offset: [224]
// CHECK-NEXT: kernel.fill
// CHECK-NOT: kernel.fill
// Of 49 taps there is no mask; a constant other than zero is no padding.
// CHECK-LABEL: kernel.program @large
// CHECK-COUNT-1: kernel.fill
// CHECK-LABEL: kernel.program @ones
// CHECK-COUNT-1: kernel.fill
// What the last program of a variant calls is code of CPUs, which reads zeros.
// CHECK-LABEL: kernel.program @body
// CHECK: kernel.fill
// CHECK-LABEL: kernel.program @outer
module {
kernel.variant @run_main for "x86-64-v3", "strict" {
kernel.program @main attributes {num_inputs = 2, num_outputs = 2} {
^bb0(%x: memref<1x1x12x12x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %out: memref<1x1x12x12x16xf32>, %copy: memref<1x1x12x12x16xf32>):
  %b = kernel.buffer() : memref<1x1x14x14x16xf32>
  %top = memref.reinterpret_cast %b to offset: [0], sizes: [1, 1, 1, 14, 16], strides: [3136, 3136, 224, 16, 1] : memref<1x1x14x14x16xf32> to memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>
  kernel.fill %top with 0.0 : f32 : memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>
  %right = memref.reinterpret_cast %b to offset: [432], sizes: [1, 1, 12, 1, 16], strides: [3136, 3136, 224, 16, 1] : memref<1x1x14x14x16xf32> to memref<1x1x12x1x16xf32, strided<[3136, 3136, 224, 16, 1], offset: 432>>
  kernel.fill %right with 0.0 : f32 : memref<1x1x12x1x16xf32, strided<[3136, 3136, 224, 16, 1], offset: 432>>
  %inside = memref.reinterpret_cast %b to offset: [240], sizes: [1, 1, 12, 12, 16], strides: [3136, 3136, 224, 16, 1] : memref<1x1x14x14x16xf32> to memref<1x1x12x12x16xf32, strided<[3136, 3136, 224, 16, 1], offset: 240>>
  kernel.copy %x to %inside : memref<1x1x12x12x16xf32> to memref<1x1x12x12x16xf32, strided<[3136, 3136, 224, 16, 1], offset: 240>>
  kernel.conv data(%b : memref<1x1x14x14x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x12x12x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, zeros = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.conv data(%b : memref<1x1x14x14x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x12x12x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, zeros = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.copy %inside to %copy : memref<1x1x12x12x16xf32, strided<[3136, 3136, 224, 16, 1], offset: 240>> to memref<1x1x12x12x16xf32>
  kernel.end
}
}
kernel.variant @run_pooled for "x86-64-v3", "strict" {
kernel.program @pooled attributes {num_inputs = 1, num_outputs = 2} {
^bb0(%w: memref<1x1x3x3x16x16xf32>, %out: memref<1x1x12x12x16xf32>, %whole: memref<1x1x14x14x16xf32>):
  %b = kernel.buffer() : memref<1x1x14x14x16xf32>
  %top = memref.reinterpret_cast %b to offset: [0], sizes: [1, 1, 1, 14, 16], strides: [3136, 3136, 224, 16, 1] : memref<1x1x14x14x16xf32> to memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>
  kernel.fill %top with 0.0 : f32 : memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>
  %right = memref.reinterpret_cast %b to offset: [432], sizes: [1, 1, 12, 1, 16], strides: [3136, 3136, 224, 16, 1] : memref<1x1x14x14x16xf32> to memref<1x1x12x1x16xf32, strided<[3136, 3136, 224, 16, 1], offset: 432>>
  kernel.fill %right with 0.0 : f32 : memref<1x1x12x1x16xf32, strided<[3136, 3136, 224, 16, 1], offset: 432>>
  kernel.conv data(%b : memref<1x1x14x14x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x12x12x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, zeros = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.copy %b to %whole : memref<1x1x14x14x16xf32> to memref<1x1x14x14x16xf32>
  kernel.end
}
}
kernel.variant @run_wider for "x86-64-v3", "strict" {
kernel.program @wider attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%w: memref<1x1x3x3x16x16xf32>, %out: memref<1x1x12x12x16xf32>):
  %b = kernel.buffer() : memref<1x1x14x14x16xf32>
  %first = memref.reinterpret_cast %b to offset: [0], sizes: [1, 1, 1, 14, 16], strides: [3136, 3136, 224, 16, 1] : memref<1x1x14x14x16xf32> to memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>
  kernel.fill %first with 0.0 : f32 : memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>
  %second = memref.reinterpret_cast %b to offset: [224], sizes: [1, 1, 1, 14, 16], strides: [3136, 3136, 224, 16, 1] : memref<1x1x14x14x16xf32> to memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1], offset: 224>>
  kernel.fill %second with 0.0 : f32 : memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1], offset: 224>>
  kernel.conv data(%b : memref<1x1x14x14x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x12x12x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, zeros = #kernel.padding<top = 1, bottom = 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}
}
kernel.variant @run_large for "x86-64-v3", "strict" {
kernel.program @large attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%w: memref<1x1x7x7x16x16xf32>, %out: memref<1x1x8x8x16xf32>):
  %b = kernel.buffer() : memref<1x1x14x14x16xf32>
  %top = memref.reinterpret_cast %b to offset: [0], sizes: [1, 1, 3, 14, 16], strides: [3136, 3136, 224, 16, 1] : memref<1x1x14x14x16xf32> to memref<1x1x3x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>
  kernel.fill %top with 0.0 : f32 : memref<1x1x3x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>
  kernel.conv data(%b : memref<1x1x14x14x16xf32>) weights(%w : memref<1x1x7x7x16x16xf32>) extras() out(%out : memref<1x1x8x8x16xf32>) {kernel = array<i64: 7, 7>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, zeros = #kernel.padding<top = 3, bottom = 3, left = 3, right = 3>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}
}
kernel.variant @run_ones for "x86-64-v3", "strict" {
kernel.program @ones attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%w: memref<1x1x3x3x16x16xf32>, %out: memref<1x1x12x12x16xf32>):
  %b = kernel.buffer() : memref<1x1x14x14x16xf32>
  %top = memref.reinterpret_cast %b to offset: [0], sizes: [1, 1, 1, 14, 16], strides: [3136, 3136, 224, 16, 1] : memref<1x1x14x14x16xf32> to memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>
  kernel.fill %top with 1.0 : f32 : memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>
  kernel.conv data(%b : memref<1x1x14x14x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x12x12x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, zeros = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}
}
kernel.variant @run_body for "x86-64-v3", "strict" {
kernel.program @body attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%w: memref<1x1x3x3x16x16xf32>, %out: memref<1x1x12x12x16xf32>):
  %b = kernel.buffer() : memref<1x1x14x14x16xf32>
  %top = memref.reinterpret_cast %b to offset: [0], sizes: [1, 1, 1, 14, 16], strides: [3136, 3136, 224, 16, 1] : memref<1x1x14x14x16xf32> to memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>
  kernel.fill %top with 0.0 : f32 : memref<1x1x1x14x16xf32, strided<[3136, 3136, 224, 16, 1]>>
  kernel.conv data(%b : memref<1x1x14x14x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x12x12x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, zeros = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}
kernel.program @outer attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<16xf32>, %out: memref<16xf32>):
  kernel.copy %in to %out : memref<16xf32> to memref<16xf32>
  kernel.end
}
}
}

// If this fails, --precision keeps factors of products as 16 bits for a CPU that does not read them,
// leaves them float32 where it does, or writes a buffer in one type and reads it in another.
// RUN: symc-opt -split-input-file -kernel-narrow-products %s | FileCheck %s
// RUN: symc-opt -split-input-file -kernel-narrow-products=type=f16 %s | FileCheck %s --check-prefix=F16
// RUN: symc-opt -split-input-file -kernel-narrow-products --remarks-filter=kernel-narrow-products --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK

// Two products, one behind the other: what lies between them is bf16 where products of it are, the
// input is rounded by a step of its own there. The other instruction set widens weights.
// CHECK-LABEL: kernel.program @prepare_program
// CHECK: kernel.pack_panels %{{.*}} to %[[EXACT:.*]] : memref<32x16x1x1xf32> to memref<2x1x1x1x16x16xf32>
// CHECK: kernel.loops ins(%{{.*}} : memref<16x16x2xf32, strided<[32, 1, 16]>>) outs(%{{.*}} : memref<16x16x2xbf16, strided<[32, 2, 1]>>)
// CHECK: arith.truncf
// CHECK: kernel.prepared @w1.pairs at {{.*}} : memref<2x1x1x1x16x16xbf16> {form = #kernel.form<pairs>}
// CHECK-LABEL: kernel.variant @wide
// CHECK: %[[HALF:.*]] = kernel.buffer() : memref<1x2x4x4x16xbf16>
// CHECK: kernel.fill %[[HALF]] with 0.000000e+00 : bf16
// CHECK: %[[ROUNDED:.*]] = kernel.buffer{{.*}} : memref<1x1x4x4x16xbf16>
// CHECK: %[[PLACE:.*]] = memref.reinterpret_cast %[[ROUNDED]]
// CHECK: kernel.loops ins(%{{.*}} : memref<1x1x4x4x16xf32, {{.*}}>) outs(%[[PLACE]] : memref<1x1x4x4x16xbf16, {{.*}}>) {kernel.narrow}
// CHECK: kernel.conv data(%[[ROUNDED]] : memref<1x1x4x4x16xbf16>) weights(%{{.*}} : memref<2x1x1x1x16x16xbf16>)
// CHECK-SAME: out(%[[HALF]] : memref<1x2x4x4x16xbf16>)
// CHECK-SAME: kernel.narrow
// CHECK: kernel.conv data(%[[HALF]] : memref<1x2x4x4x16xbf16>)
// CHECK-SAME: out(%{{.*}} : memref<1x1x4x4x16xf32>)
// CHECK-LABEL: kernel.variant @common
// CHECK: kernel.conv data(%{{.*}} : memref<1x1x4x4x16xf32>) weights(%{{.*}} : memref<2x1x1x1x16x16xbf16>)
// CHECK-SAME: out(%{{.*}} : memref<1x2x4x4x16xf32>)
// CHECK-NOT: kernel.narrow
// F16: kernel.prepared @w1.halves at {{.*}} : memref<2x1x1x1x16x16xf16> {form = #kernel.form<halves>}
// F16: kernel.conv data(%{{.*}} : memref<1x1x4x4x16xf32>) weights(%{{.*}} : memref<2x1x1x1x16x16xf16>)
// REMARK: "for x86-64-v4+bf16: weights of bf16 and data rounded to it, multiplied by Vdpbf16ps"
// REMARK: "for x86-64-v3: weights of bf16, multiplied by WidenedPairs"
kernel.program @prepare_program attributes {num_inputs = 2, num_outputs = 0} {
^bb0(%w1: memref<32x16x1x1xf32>, %w2: memref<16x32x1x1xf32>):
  %p1 = kernel.weight @w1.panels : memref<2x1x1x1x16x16xf32>
  kernel.pack_panels %w1 to %p1 : memref<32x16x1x1xf32> to memref<2x1x1x1x16x16xf32>
  %p2 = kernel.weight @w2.panels : memref<1x2x1x1x16x16xf32>
  kernel.pack_panels %w2 to %p2 : memref<16x32x1x1xf32> to memref<1x2x1x1x16x16xf32>
  kernel.end
}
kernel.prepared @w1.panels at 0 : memref<2x1x1x1x16x16xf32> {form = #kernel.form<panels>}
kernel.prepared @w2.panels at 2048 : memref<1x2x1x1x16x16xf32> {form = #kernel.form<panels>}
kernel.variant @wide for "x86-64-v4+bf16", "default" {
  kernel.program @main_program attributes {num_inputs = 1, num_outputs = 1} {
  ^bb0(%x: memref<1x1x4x4x16xf32>, %y: memref<1x1x4x4x16xf32>):
    %half = kernel.buffer() : memref<1x2x4x4x16xf32>
    kernel.fill %half with 0.000000e+00 : f32 : memref<1x2x4x4x16xf32>
    %p1 = kernel.weight @w1.panels : memref<2x1x1x1x16x16xf32>
    kernel.conv data(%x : memref<1x1x4x4x16xf32>) weights(%p1 : memref<2x1x1x1x16x16xf32>) extras() out(%half : memref<1x2x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 32} body {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    %p2 = kernel.weight @w2.panels : memref<1x2x1x1x16x16xf32>
    kernel.conv data(%half : memref<1x2x4x4x16xf32>) weights(%p2 : memref<1x2x1x1x16x16xf32>) extras() out(%y : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 32, out_channels = 16} body {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    kernel.end
  }
}
kernel.variant @common for "x86-64-v3", "default" {
  kernel.program @main_program attributes {num_inputs = 1, num_outputs = 1} {
  ^bb0(%x: memref<1x1x4x4x16xf32>, %y: memref<1x1x4x4x16xf32>):
    %half = kernel.buffer() : memref<1x2x4x4x16xf32>
    %p1 = kernel.weight @w1.panels : memref<2x1x1x1x16x16xf32>
    kernel.conv data(%x : memref<1x1x4x4x16xf32>) weights(%p1 : memref<2x1x1x1x16x16xf32>) extras() out(%half : memref<1x2x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 32} body {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    %p2 = kernel.weight @w2.panels : memref<1x2x1x1x16x16xf32>
    kernel.conv data(%half : memref<1x2x4x4x16xf32>) weights(%p2 : memref<1x2x1x1x16x16xf32>) extras() out(%y : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 32, out_channels = 16} body {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    kernel.end
  }
}

// -----

// Rows of a matrix of 20 channels: their last block reaches into the next row, of which no more is
// read than the channels.
// CHECK-LABEL: kernel.prepared @rows.pairs
// CHECK: kernel.loops ins(%{{.*}} : memref<1x1x1x6x16xf32, strided<[0, 16, 0, 20, 1]>>)
// CHECK: kernel.loops ins(%{{.*}} : memref<1x1x1x6x4xf32, strided<[0, 16, 0, 20, 1], offset: 16>>)
// CHECK-SAME: outs(%{{.*}} : memref<1x1x1x6x4xbf16
// CHECK: kernel.conv data(%{{.*}} : memref<1x2x1x6x16xbf16>)
kernel.program @prepare_program attributes {num_inputs = 1, num_outputs = 0} {
^bb0(%w: memref<16x20x1x1xf32>):
  %p = kernel.weight @rows.panels : memref<1x2x1x1x16x16xf32>
  kernel.pack_panels %w to %p : memref<16x20x1x1xf32> to memref<1x2x1x1x16x16xf32>
  kernel.end
}
kernel.prepared @rows.panels at 0 : memref<1x2x1x1x16x16xf32> {form = #kernel.form<panels>}
kernel.variant @wide for "x86-64-v4+bf16", "default" {
  kernel.program @main_program attributes {num_inputs = 1, num_outputs = 1} {
  ^bb0(%x: memref<6x20xf32>, %y: memref<1x1x1x6x16xf32>):
    %rows = memref.reinterpret_cast %x to offset: [0], sizes: [1, 2, 1, 6, 16], strides: [0, 16, 0, 20, 1] : memref<6x20xf32> to memref<1x2x1x6x16xf32, strided<[0, 16, 0, 20, 1]>>
    %p = kernel.weight @rows.panels : memref<1x2x1x1x16x16xf32>
    kernel.conv data(%rows : memref<1x2x1x6x16xf32, strided<[0, 16, 0, 20, 1]>>) weights(%p : memref<1x2x1x1x16x16xf32>) extras() out(%y : memref<1x1x1x6x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 20, out_channels = 16} body {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    kernel.end
  }
}

// -----

// A panel of an odd number of channels ends with a row of zeros.
// CHECK: kernel.pack_panels {{.*}} : memref<16x3x1x1xf32> to memref<1x1x1x1x4x16xf32>
// CHECK: kernel.prepared @odd.pairs at {{.*}} : memref<1x1x1x1x4x16xbf16> {form = #kernel.form<pairs>}
// CHECK: kernel.conv data({{.*}} : memref<1x1x4x4x3xf32>) weights({{.*}} : memref<1x1x1x1x4x16xbf16>)
kernel.program @prepare_program attributes {num_inputs = 1, num_outputs = 0} {
^bb0(%w: memref<16x3x1x1xf32>):
  %p = kernel.weight @odd.panels : memref<1x1x1x1x3x16xf32>
  kernel.pack_panels %w to %p : memref<16x3x1x1xf32> to memref<1x1x1x1x3x16xf32>
  kernel.end
}
kernel.prepared @odd.panels at 0 : memref<1x1x1x1x3x16xf32> {form = #kernel.form<panels>}
kernel.variant @wide for "x86-64-v4+bf16", "default" {
  kernel.program @main_program attributes {num_inputs = 1, num_outputs = 1} {
  ^bb0(%x: memref<1x1x4x4x3xf32>, %y: memref<1x1x4x4x16xf32>):
    %p = kernel.weight @odd.panels : memref<1x1x1x1x3x16xf32>
    kernel.conv data(%x : memref<1x1x4x4x3xf32>) weights(%p : memref<1x1x1x1x3x16xf32>) extras() out(%y : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 3, out_channels = 16} body {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    kernel.end
  }
}

// -----

// Nearest misses of kernel-narrow-products: planes of an odd number of channels, and weights that
// another step reads as well stay as it reads them.
// REMARK: "its weights stay float32: it reads planes of an odd number of channels"
// REMARK: "its weights stay float32: a step reads them that is no direct convolution or product"
// CHECK: kernel.prepared @odd.panels at {{.*}} : memref<1x1x1x1x3x16xf32>
kernel.program @prepare_program attributes {num_inputs = 1, num_outputs = 0} {
^bb0(%w: memref<16x3x1x1xf32>):
  %p = kernel.weight @odd.panels : memref<1x1x1x1x3x16xf32>
  kernel.pack_panels %w to %p : memref<16x3x1x1xf32> to memref<1x1x1x1x3x16xf32>
  kernel.end
}
kernel.prepared @copied.panels at 1024 : memref<1x1x1x1x16x16xf32> {form = #kernel.form<panels>}
kernel.prepared @odd.panels at 0 : memref<1x1x1x1x3x16xf32> {form = #kernel.form<panels>}
kernel.variant @wide for "x86-64-v4+bf16", "default" {
  kernel.program @main_program attributes {num_inputs = 1, num_outputs = 3} {
  ^bb0(%planes: memref<1x3x4x4xf32>, %y: memref<1x1x4x4x16xf32>, %z: memref<1x1x4x4x16xf32>, %c: memref<1x1x1x1x16x16xf32>):
    %p = kernel.weight @odd.panels : memref<1x1x1x1x3x16xf32>
    %x = memref.reinterpret_cast %planes to offset: [0], sizes: [1, 1, 4, 4, 3], strides: [48, 48, 4, 1, 16] : memref<1x3x4x4xf32> to memref<1x1x4x4x3xf32, strided<[48, 48, 4, 1, 16]>>
    %q = kernel.weight @copied.panels : memref<1x1x1x1x16x16xf32>
    kernel.conv data(%y : memref<1x1x4x4x16xf32>) weights(%q : memref<1x1x1x1x16x16xf32>) extras() out(%z : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    kernel.copy %q to %c : memref<1x1x1x1x16x16xf32> to memref<1x1x1x1x16x16xf32>
    kernel.conv data(%x : memref<1x1x4x4x3xf32, strided<[48, 48, 4, 1, 16]>>) weights(%p : memref<1x1x1x1x3x16xf32>) extras() out(%y : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 3, out_channels = 16} body {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    kernel.end
  }
}

// -----

// Matrices of the states of a recurrent layer: pairs of rows. The instruction set that multiplies
// bfloat16 reads states that the layer rounds, of few rows those that are there.
// CHECK-LABEL: kernel.prepared @u.pairs at {{.*}} : memref<2x10x1x1x2x16xbf16> {form = #kernel.form<pairs>}
// CHECK: kernel.variant @wide
// CHECK: %[[STATES:.*]] = kernel.buffer() : memref<2x5x20xbf16>
// CHECK: %[[SECOND:.*]] = memref.reinterpret_cast %[[STATES]] to offset: [100], sizes: [5, 20]
// CHECK: kernel.loops ins(%{{.*}} : memref<5x20xf32>) outs(%[[SECOND]]
// CHECK: kernel.recurrent {{.*}} weights(%{{.*}} : memref<2x10x1x1x2x16xbf16>) {{.*}} rounded(%[[STATES]] : memref<2x5x20xbf16>)
// CHECK: kernel.recurrent {{.*}} weights(%{{.*}} : memref<2x10x1x1x2x16xbf16>)
// CHECK-NOT: rounded
// CHECK-SAME: step
// CHECK: kernel.variant @common
// CHECK: kernel.recurrent {{.*}} weights(%{{.*}} : memref<2x10x1x1x2x16xbf16>)
// CHECK-NOT: rounded
// F16: kernel.prepared @u.halves at {{.*}} : memref<2x20x1x1x1x16xf16> {form = #kernel.form<halves>}
// F16: kernel.recurrent {{.*}} weights(%{{.*}} : memref<2x20x1x1x1x16xf16>) state(
// F16-NOT: rounded
kernel.program @prepare_program attributes {num_inputs = 1, num_outputs = 0} {
^bb0(%w: memref<20x20x1x1xf32>):
  %p = kernel.weight @u.panels : memref<2x20x1x1x1x16xf32>
  kernel.pack_panels %w to %p : memref<20x20x1x1xf32> to memref<2x20x1x1x1x16xf32>
  kernel.end
}
kernel.prepared @u.panels at 0 : memref<2x20x1x1x1x16xf32> {form = #kernel.form<panels>}
kernel.variant @wide for "x86-64-v4+bf16", "default" {
  kernel.program @main_program attributes {num_inputs = 4, num_outputs = 2} {
  ^bb0(%g: memref<4x5x1x20xf32>, %h: memref<5x20xf32>, %i: memref<4x1x1x20xf32>, %j: memref<1x20xf32>, %out: memref<4x5x20xf32>, %few: memref<4x1x20xf32>):
    %p = kernel.weight @u.panels : memref<2x20x1x1x1x16xf32>
    %t = kernel.buffer() : memref<8xi64>
    kernel.recurrent gates(%g : memref<4x5x1x20xf32>) weights(%p : memref<2x20x1x1x1x16xf32>) state(%h : memref<5x20xf32>) out(%out : memref<4x5x20xf32>) step(%t : memref<8xi64>) {reverse = false} body {
    ^bb0(%a0: f32, %a1: f32, %a2: f32):
      kernel.yield %a0 : f32
    }
    %s = kernel.buffer() : memref<8xi64>
    kernel.recurrent gates(%i : memref<4x1x1x20xf32>) weights(%p : memref<2x20x1x1x1x16xf32>) state(%j : memref<1x20xf32>) out(%few : memref<4x1x20xf32>) step(%s : memref<8xi64>) {reverse = false} body {
    ^bb0(%a0: f32, %a1: f32, %a2: f32):
      kernel.yield %a0 : f32
    }
    kernel.end
  }
}
kernel.variant @common for "x86-64-v3", "default" {
  kernel.program @main_program attributes {num_inputs = 4, num_outputs = 2} {
  ^bb0(%g: memref<4x5x1x20xf32>, %h: memref<5x20xf32>, %i: memref<4x1x1x20xf32>, %j: memref<1x20xf32>, %out: memref<4x5x20xf32>, %few: memref<4x1x20xf32>):
    %p = kernel.weight @u.panels : memref<2x20x1x1x1x16xf32>
    %t = kernel.buffer() : memref<8xi64>
    kernel.recurrent gates(%g : memref<4x5x1x20xf32>) weights(%p : memref<2x20x1x1x1x16xf32>) state(%h : memref<5x20xf32>) out(%out : memref<4x5x20xf32>) step(%t : memref<8xi64>) {reverse = false} body {
    ^bb0(%a0: f32, %a1: f32, %a2: f32):
      kernel.yield %a0 : f32
    }
    kernel.end
  }
}

// -----

// Nearest miss: an odd number of units has no pairs.
// REMARK: "its weights stay float32: it has an odd number of units"
kernel.program @prepare_program attributes {num_inputs = 1, num_outputs = 0} {
^bb0(%w: memref<15x15x1x1xf32>):
  %p = kernel.weight @v.panels : memref<1x15x1x1x1x16xf32>
  kernel.pack_panels %w to %p : memref<15x15x1x1xf32> to memref<1x15x1x1x1x16xf32>
  kernel.end
}
kernel.prepared @v.panels at 0 : memref<1x15x1x1x1x16xf32> {form = #kernel.form<panels>}
kernel.variant @wide for "x86-64-v4+bf16", "default" {
  kernel.program @main_program attributes {num_inputs = 2, num_outputs = 1} {
  ^bb0(%g: memref<4x5x1x15xf32>, %h: memref<5x15xf32>, %out: memref<4x5x15xf32>):
    %p = kernel.weight @v.panels : memref<1x15x1x1x1x16xf32>
    %t = kernel.buffer() : memref<8xi64>
    kernel.recurrent gates(%g : memref<4x5x1x15xf32>) weights(%p : memref<1x15x1x1x1x16xf32>) state(%h : memref<5x15xf32>) out(%out : memref<4x5x15xf32>) step(%t : memref<8xi64>) {reverse = false} body {
    ^bb0(%a0: f32, %a1: f32, %a2: f32):
      kernel.yield %a0 : f32
    }
    kernel.end
  }
}

// -----

// Attention multiplies pairs where all three of its factors come from steps that round them; with
// values from outside it stays float32, and so do its queries and keys.
// CHECK: kernel.prepared @heads.pairs
// CHECK: %[[ROWS:.*]] = kernel.buffer() : memref<1x2x1x8x16xbf16>
// CHECK: kernel.attention queries(%{{.*}} : memref<1x2x8x8xbf16, {{.*}}>) keys(%{{.*}} : memref<1x2x8x8xbf16, {{.*}}>) values(%{{.*}} : memref<1x2x8x8xbf16, {{.*}}>) extras() out(%{{.*}} : memref<1x2x8x8xf32>) {kernel.narrow}
// CHECK: kernel.buffer() : memref<1x2x1x8x16xf32>
// CHECK: kernel.attention queries(%{{.*}} : memref<1x2x8x8xf32, {{.*}}>) keys(%{{.*}} : memref<1x2x8x8xf32, {{.*}}>) values(%{{.*}} : memref<1x2x8x8xf32>)
// CHECK-NOT: kernel.narrow
kernel.program @prepare_program attributes {num_inputs = 1, num_outputs = 0} {
^bb0(%w: memref<32x16x1x1xf32>):
  %p = kernel.weight @heads.panels : memref<2x1x1x1x16x16xf32>
  kernel.pack_panels %w to %p : memref<32x16x1x1xf32> to memref<2x1x1x1x16x16xf32>
  kernel.end
}
kernel.prepared @heads.panels at 0 : memref<2x1x1x1x16x16xf32> {form = #kernel.form<panels>}
kernel.variant @wide for "x86-64-v4+bf16", "default" {
  kernel.program @main_program attributes {num_inputs = 2, num_outputs = 1} {
  ^bb0(%x: memref<1x1x1x8x16xf32>, %v: memref<1x2x8x8xf32>, %y: memref<1x2x8x8xf32>):
    %rows = kernel.buffer() : memref<1x2x1x8x16xf32>
    %p = kernel.weight @heads.panels : memref<2x1x1x1x16x16xf32>
    kernel.conv data(%x : memref<1x1x1x8x16xf32>) weights(%p : memref<2x1x1x1x16x16xf32>) extras() out(%rows : memref<1x2x1x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 32} body {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    %heads = memref.reinterpret_cast %rows to offset: [0], sizes: [1, 2, 8, 8], strides: [256, 128, 16, 1] : memref<1x2x1x8x16xf32> to memref<1x2x8x8xf32, strided<[256, 128, 16, 1]>>
    kernel.attention queries(%heads : memref<1x2x8x8xf32, strided<[256, 128, 16, 1]>>) keys(%heads : memref<1x2x8x8xf32, strided<[256, 128, 16, 1]>>) values(%heads : memref<1x2x8x8xf32, strided<[256, 128, 16, 1]>>) extras() out(%y : memref<1x2x8x8xf32>) scores {
    ^bb0(%s: f32):
      kernel.yield %s : f32
    } weights {
    ^bb0(%s: f32):
      kernel.yield %s : f32
    }
    kernel.end
  }
  kernel.program @outside_program attributes {num_inputs = 2, num_outputs = 1} {
  ^bb0(%x: memref<1x1x1x8x16xf32>, %v: memref<1x2x8x8xf32>, %y: memref<1x2x8x8xf32>):
    %rows = kernel.buffer() : memref<1x2x1x8x16xf32>
    %p = kernel.weight @heads.panels : memref<2x1x1x1x16x16xf32>
    kernel.conv data(%x : memref<1x1x1x8x16xf32>) weights(%p : memref<2x1x1x1x16x16xf32>) extras() out(%rows : memref<1x2x1x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 32} body {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    %heads = memref.reinterpret_cast %rows to offset: [0], sizes: [1, 2, 8, 8], strides: [256, 128, 16, 1] : memref<1x2x1x8x16xf32> to memref<1x2x8x8xf32, strided<[256, 128, 16, 1]>>
    kernel.attention queries(%heads : memref<1x2x8x8xf32, strided<[256, 128, 16, 1]>>) keys(%heads : memref<1x2x8x8xf32, strided<[256, 128, 16, 1]>>) values(%v : memref<1x2x8x8xf32>) extras() out(%y : memref<1x2x8x8xf32>) scores {
    ^bb0(%s: f32):
      kernel.yield %s : f32
    } weights {
    ^bb0(%s: f32):
      kernel.yield %s : f32
    }
    kernel.end
  }
}

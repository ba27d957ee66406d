// If this fails, copies, pooling and depthwise layers over images that a core's own cache can't hold wait for memory
// after each step, or convolutions that gain nothing are cut.
// RUN: symc-opt --kernel-row-bands %s | FileCheck %s
// RUN: symc-opt --kernel-row-bands --remarks-filter='kernel-row-bands' --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: symc-opt --kernel-row-bands -kernel-plan-arena -kernel-check-plan %s -o /dev/null

// One block of channels of an image after the other, from the copy to blocks to that from them.
// CHECK-LABEL: kernel.program @moves
// CHECK: kernel.conv
// CHECK-NOT: piece
// CHECK: kernel.copy {{.*}}piece = #kernel.piece<step = 0, pieces = 16>} : memref<1x1x64x64x16xf32, strided<[262144, 65536, 64, 1, 4096]>>
// CHECK: kernel.pool {{.*}}piece = #kernel.piece<step = 1, pieces = 16>
// CHECK: kernel.copy {{.*}}piece = #kernel.piece<step = 2, pieces = 16>
// CHECK: kernel.copy {{.*}}piece = #kernel.piece<step = 0, pieces = 16>} : memref<1x1x64x64x16xf32, strided<[262144, 65536, 64, 1, 4096], offset: 65536>>
// REMARK: [Passed] channel-bands {{.*}}"3 layers in bands of 1 of 4 blocks of channels: 1.3 MB an image between them are read while they are near"
kernel.program @moves attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%x: memref<4x64x64x64xf32>, %y: memref<4x1x64x64x16xf32>, %w: memref<4x1x1x1x16x16xf32>, %out: memref<4x64x32x32xf32>, %b: memref<4x4x64x64x16xf32>):
  kernel.conv data(%y : memref<4x1x64x64x16xf32>) weights(%w : memref<4x1x1x1x16x16xf32>) extras() out(%b : memref<4x4x64x64x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 64} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  %from = memref.reinterpret_cast %x to offset: [0], sizes: [4, 4, 64, 64, 16], strides: [262144, 65536, 64, 1, 4096] : memref<4x64x64x64xf32> to memref<4x4x64x64x16xf32, strided<[262144, 65536, 64, 1, 4096]>>
  %a = kernel.buffer() : memref<4x4x64x64x16xf32>
  kernel.copy %from to %a : memref<4x4x64x64x16xf32, strided<[262144, 65536, 64, 1, 4096]>> to memref<4x4x64x64x16xf32>
  %c = kernel.buffer() : memref<4x4x32x32x16xf32>
  kernel.pool "max" data(%a : memref<4x4x64x64x16xf32>) extras() out(%c : memref<4x4x32x32x16xf32>) {count_include_pad = true, kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  %to = memref.reinterpret_cast %out to offset: [0], sizes: [4, 4, 32, 32, 16], strides: [65536, 16384, 32, 1, 1024] : memref<4x64x32x32xf32> to memref<4x4x32x32x16xf32, strided<[65536, 16384, 32, 1, 1024]>>
  kernel.copy %c to %to : memref<4x4x32x32x16xf32> to memref<4x4x32x32x16xf32, strided<[65536, 16384, 32, 1, 1024]>>
  kernel.end
}

// So many images would be as many pieces of code: layers stay whole.
// CHECK-LABEL: kernel.program @many
// CHECK-NOT: piece
// CHECK-LABEL: kernel.program @depthwise
kernel.program @many attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<4000x64x64x64xf32>, %out: memref<4000x64x32x32xf32>):
  %from = memref.reinterpret_cast %x to offset: [0], sizes: [4000, 4, 64, 64, 16], strides: [262144, 65536, 64, 1, 4096] : memref<4000x64x64x64xf32> to memref<4000x4x64x64x16xf32, strided<[262144, 65536, 64, 1, 4096]>>
  %a = kernel.buffer() : memref<4000x4x64x64x16xf32>
  kernel.copy %from to %a : memref<4000x4x64x64x16xf32, strided<[262144, 65536, 64, 1, 4096]>> to memref<4000x4x64x64x16xf32>
  %c = kernel.buffer() : memref<4000x4x32x32x16xf32>
  kernel.pool "max" data(%a : memref<4000x4x64x64x16xf32>) extras() out(%c : memref<4000x4x32x32x16xf32>) {count_include_pad = true, kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  %to = memref.reinterpret_cast %out to offset: [0], sizes: [4000, 4, 32, 32, 16], strides: [65536, 16384, 32, 1, 1024] : memref<4000x64x32x32xf32> to memref<4000x4x32x32x16xf32, strided<[65536, 16384, 32, 1, 1024]>>
  kernel.copy %c to %to : memref<4000x4x32x32x16xf32> to memref<4000x4x32x32x16xf32, strided<[65536, 16384, 32, 1, 1024]>>
  kernel.end
}

// Weights of a block go with it; fills of the border stay in front.
// CHECK: kernel.fill
// CHECK: kernel.copy {{.*}}piece = #kernel.piece<step = 0, pieces = [[N:[0-9]+]]>
// CHECK: kernel.depthwise {{.*}}weights(%{{.*}} : memref<1x3x3x16xf32, strided<[144, 48, 16, 1]>>){{.*}}piece = #kernel.piece<step = 1, pieces = [[N]]>
// CHECK: kernel.depthwise {{.*}}weights(%{{.*}} : memref<1x3x3x16xf32, strided<[144, 48, 16, 1], offset: 144>>){{.*}}piece = #kernel.piece<step = 1, pieces = [[N]]>
kernel.program @depthwise attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x256x56x56xf32>, %w: memref<16x3x3x16xf32>, %out: memref<1x16x56x56x16xf32>):
  %a = kernel.buffer() : memref<1x16x58x58x16xf32>
  %top = memref.reinterpret_cast %a to offset: [0], sizes: [1, 16, 1, 58, 16], strides: [861184, 53824, 928, 16, 1] : memref<1x16x58x58x16xf32> to memref<1x16x1x58x16xf32, strided<[861184, 53824, 928, 16, 1]>>
  kernel.fill %top with 0.0 : f32 : memref<1x16x1x58x16xf32, strided<[861184, 53824, 928, 16, 1]>>
  %from = memref.reinterpret_cast %x to offset: [0], sizes: [1, 16, 56, 56, 16], strides: [802816, 50176, 56, 1, 3136] : memref<1x256x56x56xf32> to memref<1x16x56x56x16xf32, strided<[802816, 50176, 56, 1, 3136]>>
  %inner = memref.reinterpret_cast %a to offset: [944], sizes: [1, 16, 56, 56, 16], strides: [861184, 53824, 928, 16, 1] : memref<1x16x58x58x16xf32> to memref<1x16x56x56x16xf32, strided<[861184, 53824, 928, 16, 1], offset: 944>>
  kernel.copy %from to %inner : memref<1x16x56x56x16xf32, strided<[802816, 50176, 56, 1, 3136]>> to memref<1x16x56x56x16xf32, strided<[861184, 53824, 928, 16, 1], offset: 944>>
  kernel.depthwise data(%a : memref<1x16x58x58x16xf32>) weights(%w : memref<16x3x3x16xf32>) extras() out(%out : memref<1x16x56x56x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// If this fails, gradients of weights whose window is 3x3 are direct sums where Winograd's are cheaper, are Winograd's where
// they are not exact enough or nobody knows the processor, or their scratch has another size than the step fills.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule --kernel-choose-algorithms=target=x86-64-v4 %s | FileCheck %s
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 math=strict" %s | FileCheck %s --check-prefix=DIRECT
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=direct" %s | FileCheck %s --check-prefix=DIRECT
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=winograd-f4" %s | FileCheck %s --check-prefix=FORCED
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=winograd-f5" %s | FileCheck %s --check-prefix=F5
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=winograd-pieces" %s | FileCheck %s --check-prefix=PIECES
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4" --remarks-filter='kernel-choose-algorithms' --remark-format=emitRemark %s 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARKS
// REMARKS: Winograd's sums in {{[0-9]+}} tasks, {{[0-9]+}} tiles at once: the model gives Winograd {{.*}}; error at most 1.2E-05 of a channel's largest
// REMARKS: direct sums over pixels: it has stride 2, Winograd takes 1
// REMARKS: direct sums over pixels: its window is 5x5, Winograd takes 2 to 4 taps along both axes, or along one
// REMARKS: direct sums over pixels: its image is read as it lies, Winograd takes blocks of 16 channels
// REMARKS: direct sums over pixels: its dilation 6 is beyond its 1 pixels
// REMARKS: direct sums over pixels: its image has pixels that no window reads

// The sums are those that direct steps would have, which kernel.join_sums adds.
// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[SUMS:.*]] = kernel.buffer() : memref<2x1x8x128x3x3x16xf32>
// CHECK: %[[SCRATCH:.*]] = kernel.buffer() : memref<[[TASKS:[0-9]+]]x{{[0-9]+}}xf32>
// CHECK: kernel.winograd_weights data(%{{.*}} : memref<8x8x30x30x16xf32{{.*}}slope(%{{.*}} : memref<8x8x28x28x16xf32{{.*}}sums(%[[SUMS]] : {{.*}}) scratch(%[[SCRATCH]] : memref<[[TASKS]]x{{.*}}, %{{.*}} : memref<16x16xi32>)
// CHECK-SAME: in_channels = 128 : i64, out_channels = 128 : i64, per_slot = 1 : i64, reason = "the model gives Winograd {{.*}} thousand cycles, direct {{.*}}"
// CHECK: kernel.join_sums
// DIRECT-LABEL: kernel.program @main_program
// DIRECT-NOT: winograd
// DIRECT: kernel.conv_weights
// FORCED-LABEL: kernel.program @main_program
// FORCED: kernel.winograd_weights {{.*}}reason = "forced"
sg.graph @main(%x: tensor<8x128x28x28xf32> {sg.name = "x"}, %g: tensor<8x128x28x28xf32> {sg.name = "g"}) -> (tensor<128x128x3x3xf32>) {
  %0 = sg.convolution_weights(%x, %g) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>} : (tensor<8x128x28x28xf32>, tensor<8x128x28x28xf32>) -> tensor<128x128x3x3xf32>
  sg.heads %0 : tensor<128x128x3x3xf32>
}

// -----

// Strides, other windows and planar images are not Winograd's, even forced; one pixel by three channels does not pay.
// CHECK-LABEL: kernel.program @main_program
// CHECK-NOT: winograd
// CHECK-COUNT-4: kernel.conv_weights
// FORCED-LABEL: kernel.program @main_program
// FORCED-COUNT-3: kernel.conv_weights
// FORCED: kernel.winograd_weights
// FORCED-NOT: conv_weights
sg.graph @main(%x: tensor<4x32x9x9xf32> {sg.name = "x"}, %g: tensor<4x32x5x5xf32> {sg.name = "g"}, %h: tensor<4x32x9x9xf32> {sg.name = "h"}, %p: tensor<4x3x9x9xf32> {sg.name = "p"},
               %y: tensor<1x17x1x1xf32> {sg.name = "y"}, %k: tensor<1x3x1x1xf32> {sg.name = "k"})
    -> (tensor<32x32x3x3xf32>, tensor<32x32x5x5xf32>, tensor<32x3x3x3xf32>, tensor<3x17x3x3xf32>) {
  %0 = sg.convolution_weights(%x, %g) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>} : (tensor<4x32x9x9xf32>, tensor<4x32x5x5xf32>) -> tensor<32x32x3x3xf32>
  %1 = sg.convolution_weights(%x, %h) {kernel = array<i64: 5, 5>, pad = array<i64: 2, 2>} : (tensor<4x32x9x9xf32>, tensor<4x32x9x9xf32>) -> tensor<32x32x5x5xf32>
  %2 = sg.convolution_weights(%p, %h) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>} : (tensor<4x3x9x9xf32>, tensor<4x32x9x9xf32>) -> tensor<32x3x3x3xf32>
  %3 = sg.convolution_weights(%y, %k) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>} : (tensor<1x17x1x1xf32>, tensor<1x3x1x1xf32>) -> tensor<3x17x3x3xf32>
  sg.heads %0, %1, %2, %3 : tensor<32x32x3x3xf32>, tensor<32x32x5x5xf32>, tensor<32x3x3x3xf32>, tensor<3x17x3x3xf32>
}

// -----

// Dilated windows, lines of taps, and windows of two and four taps are, forced by the names of forward layers, unless taps are
// further apart than the result has pixels, or the image has more of them.
// CHECK-LABEL: kernel.program @main_program
// DIRECT-LABEL: kernel.program @main_program
// DIRECT-NOT: winograd
// FORCED-LABEL: kernel.program @main_program
// FORCED: kernel.winograd_weights data(%{{.*}} : memref<4x2x13x15x16xf32{{.*}}slope(%{{.*}} : memref<4x2x9x9x16xf32{{.*}}sums(%{{.*}} : memref<1x1x2x32x3x3x16xf32>)
// FORCED-NOT: winograd
// F5-LABEL: kernel.program @main_program
// F5: kernel.winograd_weights {{.*}}sums(%{{.*}} : memref<1x1x2x32x2x2x16xf32>)
// F5-NOT: winograd
// PIECES-LABEL: kernel.program @main_program
// PIECES: kernel.winograd_weights {{.*}}sums(%{{.*}} : memref<1x1x2x32x1x3x16xf32>)
// PIECES: kernel.winograd_weights {{.*}}sums(%{{.*}} : memref<1x1x2x32x4x4x16xf32>)
// PIECES-NOT: winograd
sg.graph @main(%x: tensor<4x32x9x9xf32> {sg.name = "x"}, %g: tensor<4x32x9x9xf32> {sg.name = "g"}, %h: tensor<4x32x8x8xf32> {sg.name = "h"}, %k: tensor<4x32x10x10xf32> {sg.name = "k"},
               %y: tensor<4x32x5x5xf32> {sg.name = "y"}, %l: tensor<4x32x1x1xf32> {sg.name = "l"}, %m: tensor<4x32x6x7xf32> {sg.name = "m"})
    -> (tensor<32x32x3x3xf32>, tensor<32x32x2x2xf32>, tensor<32x32x1x3xf32>, tensor<32x32x4x4xf32>, tensor<32x32x3x3xf32>, tensor<32x32x3x3xf32>) {
  %0 = sg.convolution_weights(%x, %g) {kernel = array<i64: 3, 3>, dilate = array<i64: 2, 3>, pad = array<i64: 2, 3>} : (tensor<4x32x9x9xf32>, tensor<4x32x9x9xf32>) -> tensor<32x32x3x3xf32>
  %1 = sg.convolution_weights(%x, %h) {kernel = array<i64: 2, 2>} : (tensor<4x32x9x9xf32>, tensor<4x32x8x8xf32>) -> tensor<32x32x2x2xf32>
  %2 = sg.convolution_weights(%x, %g) {kernel = array<i64: 1, 3>, pad = array<i64: 0, 1>} : (tensor<4x32x9x9xf32>, tensor<4x32x9x9xf32>) -> tensor<32x32x1x3xf32>
  %3 = sg.convolution_weights(%x, %k) {kernel = array<i64: 4, 4>, pad = array<i64: 2, 2>} : (tensor<4x32x9x9xf32>, tensor<4x32x10x10xf32>) -> tensor<32x32x4x4xf32>
  %4 = sg.convolution_weights(%y, %l) {kernel = array<i64: 3, 3>, dilate = array<i64: 6, 6>, pad = array<i64: 4, 4>} : (tensor<4x32x5x5xf32>, tensor<4x32x1x1xf32>) -> tensor<32x32x3x3xf32>
  %5 = sg.convolution_weights(%x, %m) {kernel = array<i64: 3, 3>} : (tensor<4x32x9x9xf32>, tensor<4x32x6x7xf32>) -> tensor<32x32x3x3xf32>
  sg.heads %0, %1, %2, %3, %4, %5 : tensor<32x32x3x3xf32>, tensor<32x32x2x2xf32>, tensor<32x32x1x3xf32>, tensor<32x32x4x4xf32>, tensor<32x32x3x3xf32>, tensor<32x32x3x3xf32>
}

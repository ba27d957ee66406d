// If this fails, training convolves directly where Winograd's algorithm pays: weights that a run gets are transformed in
// the run, where their panels would have been packed, if that costs less than it saves.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --kernel-make-variants=targets=x86-64-v4,x86-64-v3 --kernel-choose-algorithms %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --kernel-make-variants=targets=x86-64-v4 --kernel-choose-algorithms --remarks-filter='kernel-choose-algorithms' --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK

// Each instruction set has its own choice, and no prepared weights.
// CHECK: kernel.variant
// CHECK: kernel.pack_winograd %{{.*}} to %[[W:[0-9]+]] {{.*}} : memref<64x64x3x3xf32{{.*}} to memref<36x4x4x16x16xf32>
// CHECK: kernel.winograd data(%{{.*}} : memref<16x4x58x58x16xf32{{.*}} weights(%[[W]] :
// CHECK: kernel.pack_panels
// CHECK: kernel.variant
// CHECK: kernel.pack_winograd %{{.*}} to %[[V:[0-9]+]] {{.*}} : memref<64x64x3x3xf32{{.*}} to memref<36x4x4x16x16xf32>
// CHECK: kernel.winograd data(%{{.*}} : memref<16x4x58x58x16xf32{{.*}} weights(%[[V]] :
// CHECK-NOT: kernel.prepared
// A few pixels are not worth it.
// REMARK: "direct convolution: the model gives {{.*}} thousand cycles and {{.*}} to transform weights in each run, direct
sg.graph @main(%x: tensor<16x64x56x56xf32> {sg.name = "x"}, %w: tensor<64x64x3x3xf32> {sg.name = "w"}, %y: tensor<1x512x7x7xf32> {sg.name = "y"}, %v: tensor<512x512x3x3xf32> {sg.name = "v"})
    -> (tensor<16x64x56x56xf32>, tensor<1x512x7x7xf32>) attributes {training} {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 64 : i64, no_bias = true} : (tensor<16x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<16x64x56x56xf32> loc("many")
  %1 = sg.convolution(%y, %v) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 512 : i64, no_bias = true} : (tensor<1x512x7x7xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x7x7xf32> loc("few")
  sg.heads %0, %1 : tensor<16x64x56x56xf32>, tensor<1x512x7x7xf32>
}

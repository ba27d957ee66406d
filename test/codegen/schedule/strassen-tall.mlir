// If this fails, the cut of a layer over billions of pixels is counted pixel by pixel.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=strassen" %s | FileCheck %s

sg.weight @w : tensor<64x32x1x1xf32>

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.strassen
sg.graph @main(%x: tensor<1x32x1073741824x8xf32> {sg.name = "x"}) -> (tensor<1x64x1073741824x8xf32>) {
  %w = sg.parameter @w : tensor<64x32x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 64 : i64, no_bias = true} : (tensor<1x32x1073741824x8xf32>, tensor<64x32x1x1xf32>) -> tensor<1x64x1073741824x8xf32>
  sg.heads %0 : tensor<1x64x1073741824x8xf32>
}

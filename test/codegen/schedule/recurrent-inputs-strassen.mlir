// If this fails, the inputs of a recurrent layer are not multiplied by Strassen's product where
// that is taken, its weights are not that part of the parameters, or nobody is told why not.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=strassen" --remarks-filter='kernel-choose-algorithms' --remark-format=emitRemark %s 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// 15 rows of 32 units over 64 features, of 2 steps: 128 x 64 and 128 x 32, biases of 128.
sg.weight @p : tensor<12544xf32>
// Over 8 features.
sg.weight @q : tensor<5376xf32>

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.weight @w.p.strassen.at0x128x64x1x1 : memref<5x7x2x1x1x16x16xf32>
// CHECK: kernel.strassen data(%{{.*}} : memref<1x4x1x30x16xf32{{.*}} extras(%{{.*}}, %{{.*}}out(%{{.*}} : memref<1x8x1x30x16xf32
// CHECK-SAME: {flat, in_channels = 64 : i64, out_channels = 128 : i64
// CHECK: kernel.recurrent
// CHECK-NOT: kernel.strassen
// CHECK: kernel.weight @w.q.panels.at0x128x8x1x1 : memref<8x1x1x1x16x16xf32>
// CHECK: kernel.conv
// CHECK: kernel.recurrent
// REMARK: [Passed] convolution {{.*}}"strassen in {{[0-9]+}} tasks, 15 pixels of a half at once: forced; error at most 1.1E-05 of a channel's largest"
// REMARK: [Missed] convolution {{.*}}"direct product: it has 8 input and 128 output channels, Strassen's product takes multiples of 32"
sg.graph @main(%x: tensor<2x15x64xf32> {sg.name = "x"}, %h: tensor<1x15x32xf32> {sg.name = "h"},
               %y: tensor<2x15x8xf32> {sg.name = "y"})
    -> (tensor<2x15x32xf32>, tensor<2x15x32xf32>) {
  %p = sg.parameter @p : tensor<12544xf32>
  %q = sg.parameter @q : tensor<5376xf32>
  %0 = sg.rnn(%x, %p, %h, %h) {state_size = 32 : i64, num_layers = 1 : i64, mode = "lstm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<2x15x64xf32>, tensor<12544xf32>, tensor<1x15x32xf32>, tensor<1x15x32xf32>) -> tensor<2x15x32xf32>
  %1 = sg.rnn(%y, %q, %h, %h) {state_size = 32 : i64, num_layers = 1 : i64, mode = "lstm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<2x15x8xf32>, tensor<5376xf32>, tensor<1x15x32xf32>, tensor<1x15x32xf32>) -> tensor<2x15x32xf32>
  sg.heads %0, %1 : tensor<2x15x32xf32>, tensor<2x15x32xf32>
}

// If this fails, a recurrent layer is cut into the wrong products and steps, its matrices
// are taken from the wrong place of the parameters, or no remark reports why a layer keeps
// its reference kernel.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --remarks-filter='kernel-schedule' --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK

// Two ways of one layer of 20 units over 3 features: matrices of 60 x 3 and 60 x 20 for
// each way (1380 elements), then four biases of 60.
sg.weight @p : tensor<3000xf32>
sg.weight @q : tensor<2000xf32>

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.weight @w.p.vector.at2760x60 : memref<64xf32>
// CHECK: %[[GATES:.*]] = kernel.buffer() : memref<20x60xf32>
// CHECK: kernel.weight @w.p.panels.at0x60x3x1x1 : memref<4x1x1x1x16x16xf32>
// CHECK: kernel.conv {{.*}}in_channels = 3 : i64{{.*}}out_channels = 60 : i64
// CHECK: %[[PANELS:.*]] = kernel.weight @w.p.panels.planar1.at180x20x20x3x1 : memref<2x20x3x1x1x16xf32>
// CHECK: %[[BIAS:.*]] = kernel.weight @w.p.panels.planar1.at2820x20x1x3x1 : memref<2x1x3x1x1x16xf32>
// CHECK: kernel.recurrent gates(%{{.*}} : memref<4x5x3x20xf32, strided<[300, 60, 20, 1]>>) weights(%[[PANELS]] : {{.*}}) bias(%[[BIAS]] : {{.*}}) state({{.*}}) out(%{{.*}} : memref<4x5x20xf32, strided<[200, 40, 1]>>) step(%{{.*}} : memref<8xi64>) {choose, reverse = false}
// The state behind the last step is the output at time 3.
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [600], sizes: [5, 20], strides: [40, 1]
// CHECK: kernel.copy
// CHECK: kernel.weight @w.p.panels.at1380x60x3x1x1
// CHECK: kernel.recurrent {{.*}}out(%{{.*}} : memref<4x5x20xf32, strided<[200, 40, 1], offset: 20>>){{.*}}{choose, reverse = true}
// REMARK: [Missed] recurrent {{.*}}'long' does not fit rule 'recurrent': its sequences have lengths of their own
sg.graph @main(%x: tensor<4x5x3xf32> {sg.name = "x"}, %h: tensor<2x5x20xf32> {sg.name = "h"},
               %c: tensor<1x5x20xf32> {sg.name = "c"}, %n: tensor<5xf32> {sg.name = "n"})
    -> (tensor<4x5x40xf32>, tensor<2x5x20xf32>, tensor<4x5x20xf32>) {
  %p = sg.parameter @p : tensor<3000xf32>
  %q = sg.parameter @q : tensor<2000xf32>
  %0:2 = sg.rnn(%x, %p, %h) {state_size = 20 : i64, num_layers = 1 : i64, bidirectional = true, mode = "gru", state_outputs = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<4x5x3xf32>, tensor<3000xf32>, tensor<2x5x20xf32>) -> (tensor<4x5x40xf32>, tensor<2x5x20xf32>)
  %1 = sg.rnn(%x, %q, %c, %c, %n) {state_size = 20 : i64, num_layers = 1 : i64, mode = "lstm", use_sequence_length = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<4x5x3xf32>, tensor<2000xf32>, tensor<1x5x20xf32>, tensor<1x5x20xf32>, tensor<5xf32>) -> tensor<4x5x20xf32> loc("long")
  sg.heads %0#0, %0#1, %1 : tensor<4x5x40xf32>, tensor<2x5x20xf32>, tensor<4x5x20xf32>
}

// CHECK-LABEL: kernel.program @prepare_program
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [2760], sizes: [60], strides: [1]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [180], sizes: [20, 20, 3, 1], strides: [20, 1, 400, 0]
// CHECK: kernel.pack_panels

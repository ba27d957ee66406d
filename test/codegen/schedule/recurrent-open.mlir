// If this fails, a recurrent layer whose time steps or batch are known only at run time keeps its reference kernel, which
// is ten times slower, or its states lie elsewhere than the caller's.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --kernel-choose-algorithms %s | FileCheck %s --check-prefix=REASON

sg.weight @p : tensor<3000xf32>
#x = #sg.extents<()[s0, s1] -> (s0, s1, 3)>
#h = #sg.extents<()[s0, s1] -> (2, s1, 20)>
#y = #sg.extents<()[s0, s1] -> (s0, s1, 40)>
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.buffer({{.*}}) : memref<?x60xf32>
// CHECK: kernel.conv {{.*}}in_channels = 3 : i64{{.*}}out_channels = 60 : i64
// CHECK: kernel.recurrent gates(%{{.*}} : memref<?x?x3x20xf32, strided<[?, 60, 20, 1]>>){{.*}} state(%{{.*}} : memref<?x20xf32, {{.*}}>) out(%{{.*}} : memref<?x?x20xf32, strided<[?, 40, 1]>>){{.*}}{choose, reverse = false}
// The state behind the last step is the output at the last time; of the way back at time 0.
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [%{{.*}}, 20], strides: [40, 1]
// CHECK: kernel.copy
// CHECK: kernel.recurrent {{.*}}out(%{{.*}} : memref<?x?x20xf32, strided<[?, 40, 1], offset: 20>>){{.*}}{choose, reverse = true}
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [20], sizes: [%{{.*}}, 20], strides: [40, 1]
// CHECK: kernel.copy
// CHECK-NOT: kernel.call
// CHECK: kernel.program @prepare_program
// REASON: kernel.recurrent {{.*}}reason = "its number of rows is known only at run time"
sg.graph @main(%x: tensor<?x?x3xf32, #x> {sg.name = "x"}, %h: tensor<2x?x20xf32, #h> {sg.name = "h"}) -> (tensor<?x?x40xf32, #y>, tensor<2x?x20xf32, #h>) attributes {dim_max = array<i64: 8, 4>, dim_min = array<i64: 1, 1>} {
  %p = sg.parameter @p : tensor<3000xf32>
  %0:2 = sg.rnn(%x, %p, %h) {state_size = 20 : i64, num_layers = 1 : i64, bidirectional = true, mode = "gru", state_outputs = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<?x?x3xf32, #x>, tensor<3000xf32>, tensor<2x?x20xf32, #h>) -> (tensor<?x?x40xf32, #y>, tensor<2x?x20xf32, #h>)
  sg.heads %0#0, %0#1 : tensor<?x?x40xf32, #y>, tensor<2x?x20xf32, #h>
}

// If this fails, a normalisation over images between layers costs two conversions between blocks and
// rows.
// RUN: symc-opt --split-input-file --sg-fuse-elementwise --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// The residual and the activation are in its bodies. A channel's elements are 16 apart, rows of
// them lie side by side: kept extents are images, blocks and lanes.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.conv
// CHECK-NOT: kernel.copy
// CHECK: %[[G:.*]] = kernel.weight @w.g.vector : memref<32xf32>
// CHECK: memref.reinterpret_cast %[[G]] to offset: [0], sizes: [2, 2, 16, 81], strides: [0, 16, 1, 0]
// CHECK: kernel.reduce ins({{.*}} : memref<2x2x16x81xf32, {{.*}}>, {{.*}}) outs({{.*}}) {combiners = ["sum", "sum"], kept = 3 : i64}
// CHECK-NOT: kernel.copy
// CHECK: kernel.conv
sg.weight @w : tensor<20x16x1x1xf32>
sg.weight @v : tensor<16x20x1x1xf32>
sg.weight @g : tensor<20xf32>
sg.weight @b : tensor<20xf32>
sg.graph @main(%x: tensor<2x16x9x9xf32> {sg.name = "x"}) -> (tensor<2x16x9x9xf32>) {
  %w = sg.parameter @w : tensor<20x16x1x1xf32>
  %v = sg.parameter @v : tensor<16x20x1x1xf32>
  %g = sg.parameter @g : tensor<20xf32>
  %b = sg.parameter @b : tensor<20xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 20 : i64, no_bias = true} : (tensor<2x16x9x9xf32>, tensor<20x16x1x1xf32>) -> tensor<2x20x9x9xf32>
  %1 = sg.instance_norm(%0, %g, %b) : (tensor<2x20x9x9xf32>, tensor<20xf32>, tensor<20xf32>) -> tensor<2x20x9x9xf32>
  %2 = sg.binary(%1, %0) {fn = "add"} : (tensor<2x20x9x9xf32>, tensor<2x20x9x9xf32>) -> tensor<2x20x9x9xf32>
  %3 = sg.unary(%2) {fn = "relu"} : (tensor<2x20x9x9xf32>) -> tensor<2x20x9x9xf32>
  %4 = sg.convolution(%3, %v) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<2x20x9x9xf32>, tensor<16x20x1x1xf32>) -> tensor<2x16x9x9xf32>
  sg.heads %4 : tensor<2x16x9x9xf32>
}

// -----

// Nearest misses: among rows, and over each image's channels.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.reduce ins({{.*}} : memref<2x20x81xf32
// CHECK: kernel.reduce ins({{.*}} : memref<2x1620xf32
sg.weight @g : tensor<20xf32>
sg.weight @b : tensor<20xf32>
sg.graph @main(%x: tensor<2x20x9x9xf32> {sg.name = "x"}) -> (tensor<2x20x9x9xf32>, tensor<2x20x9x9xf32>) {
  %g = sg.parameter @g : tensor<20xf32>
  %b = sg.parameter @b : tensor<20xf32>
  %0 = sg.instance_norm(%x, %g, %b) : (tensor<2x20x9x9xf32>, tensor<20xf32>, tensor<20xf32>) -> tensor<2x20x9x9xf32>
  %1 = sg.l2_normalization(%x) : (tensor<2x20x9x9xf32>) -> tensor<2x20x9x9xf32>
  sg.heads %0, %1 : tensor<2x20x9x9xf32>, tensor<2x20x9x9xf32>
}

// -----

// In training the statistics of channels are measured in blocks, in one walk of distances to the mean
// of a sixteenth part, and so are the sums of their gradients, with the slope of an activation
// before them. 20 channels have a block and a part of one.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.conv
// CHECK-NOT: kernel.copy
// CHECK: kernel.reduce {{.*}}row_outs({{.*}}) {combiners = ["sum"]
// CHECK-NOT: kernel.copy
// CHECK: kernel.reduce {{.*}}row_outs({{.*}}, {{.*}}) {combiners = ["sums"]
// CHECK-NOT: kernel.copy
// CHECK: kernel.loops
// CHECK-NOT: kernel.copy
// CHECK: kernel.reduce {{.*}}row_outs({{.*}}, {{.*}}) {combiners = ["sums"]
// CHECK: arith.cmpf ogt
// CHECK-NOT: kernel.copy
// CHECK: kernel.loops
// CHECK-NOT: kernel.copy
// CHECK: kernel.conv
sg.weight @w : tensor<20x16x1x1xf32>
sg.weight @v : tensor<16x20x1x1xf32>
sg.graph @main(%x: tensor<16x16x17x16xf32> {sg.name = "x"}) -> (tensor<16x16x17x16xf32>) attributes {training} {
  %w = sg.parameter @w : tensor<20x16x1x1xf32>
  %v = sg.parameter @v : tensor<16x20x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 20 : i64, no_bias = true} : (tensor<16x16x17x16xf32>, tensor<20x16x1x1xf32>) -> tensor<16x20x17x16xf32>
  %1:2 = sg.moments(%0) {axes = array<i64: 0, 2, 3>, keepdims = true} : (tensor<16x20x17x16xf32>) -> (tensor<1x20x1x1xf32>, tensor<1x20x1x1xf32>)
  %2 = sg.binary(%0, %1#0) {broadcast = true, fn = "sub"} : (tensor<16x20x17x16xf32>, tensor<1x20x1x1xf32>) -> tensor<16x20x17x16xf32>
  %3 = sg.slope(%2, %0) {fn = "relu", by = 0 : i64, places = array<i64: 0>, numbers = array<f64: 0.0>, num_args = 2 : i64} : (tensor<16x20x17x16xf32>, tensor<16x20x17x16xf32>) -> tensor<16x20x17x16xf32>
  %4:2 = sg.norm_sums(%3, %0, %1#0, %1#1) {axes = array<i64: 0, 2, 3>} : (tensor<16x20x17x16xf32>, tensor<16x20x17x16xf32>, tensor<1x20x1x1xf32>, tensor<1x20x1x1xf32>) -> (tensor<1x20x1x1xf32>, tensor<1x20x1x1xf32>)
  %5 = sg.binary(%2, %4#0) {broadcast = true, fn = "mul"} : (tensor<16x20x17x16xf32>, tensor<1x20x1x1xf32>) -> tensor<16x20x17x16xf32>
  %6 = sg.binary(%5, %4#1) {broadcast = true, fn = "add"} : (tensor<16x20x17x16xf32>, tensor<1x20x1x1xf32>) -> tensor<16x20x17x16xf32>
  %7 = sg.convolution(%6, %v) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<16x20x17x16xf32>, tensor<16x20x1x1xf32>) -> tensor<16x16x17x16xf32>
  sg.heads %7 : tensor<16x16x17x16xf32>
}

// If this fails, images are copied for a border of zeros that a layer has anyway, or lose one that it has not.
// RUN: symc-opt --split-input-file --sg-fold-padding --remarks-filter=sg-fold-padding --remark-format=emitRemark %s 2>&1 | FileCheck %s

// CHECK: [Passed] padding {{.*}}Function=layers {{.*}}"'conv' puts the border of 'border' around its data itself"
// CHECK: [Passed] padding {{.*}}Function=layers {{.*}}"'mean' puts the border of 'border' around its data itself"
// CHECK-LABEL: @layers(
// CHECK-NOT: sg.pad
// CHECK: sg.convolution(%arg0, {{.*}}pad = array<i64: 2, 4>
// CHECK: sg.pooling(%arg0){{.*}}pad = array<i64: 1, 2>
sg.graph @layers(%x: tensor<1x4x20x20xf32> {sg.name = "x"}, %w: tensor<8x4x3x3xf32> {sg.name = "w"}) -> (tensor<1x8x22x26xf32>, tensor<1x4x20x22xf32>) {
  %0 = sg.pad(%x) {mode = "constant", pad_width = array<i64: 0, 0, 0, 0, 1, 1, 2, 2>} : (tensor<1x4x20x20xf32>) -> tensor<1x4x22x24xf32> loc("border")
  %1 = sg.convolution(%0, %w) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 2>, num_filter = 8, no_bias = true} : (tensor<1x4x22x24xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x22x26xf32> loc("conv")
  %2 = sg.pooling(%0) {kernel = array<i64: 3, 3>, pool_type = "avg"} : (tensor<1x4x22x24xf32>) -> tensor<1x4x20x22xf32> loc("mean")
  sg.heads %1, %2 : tensor<1x8x22x26xf32>, tensor<1x4x20x22xf32>
}

// -----

// More zeros behind than before, of a layer with such padding of its own too; a maximum of what is below all; a sum.
// CHECK-LABEL: @uneven(
// CHECK-NOT: pad(
// CHECK: sg.convolution(%arg0, {{.*}}pad = array<i64: 0, 2>, pad_end = array<i64: 1, 3>
// CHECK: sg.convolution(%arg0, {{.*}}pad = array<i64: 1, 2>, pad_end = array<i64: 3, 4>
// CHECK: sg.pooling(%arg0){{.*}}pad = array<i64: 0, 1>, pad_end = array<i64: 1, 2>}
// CHECK: sg.pooling(%arg0){{.*}}pad = array<i64: 4, 0>, pad_end = array<i64: 1, 2>, pool_type = "sum"
sg.graph @uneven(%x: tensor<1x4x20x20xf32> {sg.name = "x"}, %w: tensor<8x4x3x3xf32> {sg.name = "w"}) -> (tensor<1x8x19x23xf32>, tensor<1x8x22x24xf32>, tensor<1x4x19x21xf32>, tensor<1x4x23x20xf32>) {
  %a = sg.numpy_pad(%x) {pad_width = "((0,0),(0,0),(0,1),(2,3))"} : (tensor<1x4x20x20xf32>) -> tensor<1x4x21x25xf32>
  %0 = sg.convolution(%a, %w) {kernel = array<i64: 3, 3>, num_filter = 8, no_bias = true} : (tensor<1x4x21x25xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x19x23xf32>
  %b = sg.pad(%x) {mode = "constant", pad_width = array<i64: 0, 0, 0, 0, 0, 1, 1, 2>} : (tensor<1x4x20x20xf32>) -> tensor<1x4x21x23xf32>
  %1 = sg.convolution(%b, %w) {kernel = array<i64: 3, 3>, num_filter = 8, no_bias = true, pad = array<i64: 1, 1>, pad_end = array<i64: 2, 2>} : (tensor<1x4x21x23xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x22x24xf32>
  %c = sg.pad(%x) {mode = "constant", constant_value = 0xFFF0000000000000 : f64, pad_width = array<i64: 0, 0, 0, 0, 0, 1, 1, 2>} : (tensor<1x4x20x20xf32>) -> tensor<1x4x21x23xf32>
  %2 = sg.pooling(%c) {kernel = array<i64: 3, 3>, pool_type = "max"} : (tensor<1x4x21x23xf32>) -> tensor<1x4x19x21xf32>
  %d = sg.pad(%x) {mode = "constant", pad_width = array<i64: 0, 0, 0, 0, 4, 1, 0, 2>} : (tensor<1x4x20x20xf32>) -> tensor<1x4x25x22xf32>
  %3 = sg.pooling(%d) {kernel = array<i64: 3, 3>, pool_type = "sum"} : (tensor<1x4x25x22xf32>) -> tensor<1x4x23x20xf32>
  sg.heads %0, %1, %2, %3 : tensor<1x8x19x23xf32>, tensor<1x8x22x24xf32>, tensor<1x4x19x21xf32>, tensor<1x4x23x20xf32>
}

// -----

// Nearest misses: ones; a border of channels; a maximum among zeros; an average of the real elements alone;
// padding that reaches the window; edges.
// CHECK-LABEL: @others(
// CHECK-COUNT-6: pad(
// CHECK-NOT: pad(
// CHECK: sg.heads
sg.graph @others(%x: tensor<1x4x20x20xf32> {sg.name = "x"}, %z: tensor<1x3x20x20xf32> {sg.name = "z"}, %w: tensor<8x4x3x3xf32> {sg.name = "w"}) -> (tensor<1x8x20x20xf32>, tensor<1x8x19x19xf32>, tensor<1x4x20x20xf32>, tensor<1x4x20x20xf32>, tensor<1x4x24x24xf32>, tensor<1x8x20x20xf32>) {
  %a = sg.pad(%x) {mode = "constant", constant_value = 1.0, pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>} : (tensor<1x4x20x20xf32>) -> tensor<1x4x22x22xf32>
  %0 = sg.convolution(%a, %w) {kernel = array<i64: 3, 3>, num_filter = 8, no_bias = true} : (tensor<1x4x22x22xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x20x20xf32>
  %b = sg.numpy_pad(%z) {pad_width = "((0,0),(0,1),(0,1),(0,1))"} : (tensor<1x3x20x20xf32>) -> tensor<1x4x21x21xf32>
  %1 = sg.convolution(%b, %w) {kernel = array<i64: 3, 3>, num_filter = 8, no_bias = true} : (tensor<1x4x21x21xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x19x19xf32>
  %c = sg.pad(%x) {mode = "constant", pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>} : (tensor<1x4x20x20xf32>) -> tensor<1x4x22x22xf32>
  %2 = sg.pooling(%c) {kernel = array<i64: 3, 3>, pool_type = "max"} : (tensor<1x4x22x22xf32>) -> tensor<1x4x20x20xf32>
  %d = sg.pad(%x) {mode = "constant", pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>} : (tensor<1x4x20x20xf32>) -> tensor<1x4x22x22xf32>
  %3 = sg.pooling(%d) {kernel = array<i64: 3, 3>, pool_type = "avg", count_include_pad = false} : (tensor<1x4x22x22xf32>) -> tensor<1x4x20x20xf32>
  %e = sg.pad(%x) {mode = "constant", pad_width = array<i64: 0, 0, 0, 0, 3, 3, 3, 3>} : (tensor<1x4x20x20xf32>) -> tensor<1x4x26x26xf32>
  %4 = sg.pooling(%e) {kernel = array<i64: 3, 3>, pool_type = "avg"} : (tensor<1x4x26x26xf32>) -> tensor<1x4x24x24xf32>
  %f = sg.pad(%x) {mode = "edge", pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>} : (tensor<1x4x20x20xf32>) -> tensor<1x4x22x22xf32>
  %5 = sg.convolution(%f, %w) {kernel = array<i64: 3, 3>, num_filter = 8, no_bias = true} : (tensor<1x4x22x22xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x20x20xf32>
  sg.heads %0, %1, %2, %3, %4, %5 : tensor<1x8x20x20xf32>, tensor<1x8x19x19xf32>, tensor<1x4x20x20xf32>, tensor<1x4x20x20xf32>, tensor<1x4x24x24xf32>, tensor<1x8x20x20xf32>
}

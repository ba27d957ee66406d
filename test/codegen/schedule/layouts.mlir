// If this fails, joined values are copied that could be written in place, channels
// of two parts are mixed, or a layer reads something else than zeros around an image.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule --kernel-plan-arena --kernel-check-plan --remarks-filter=kernel-layout --remark-format=emitRemark %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// A growing block: each layer reads what is there and writes behind it; all of it is
// one buffer, with the halo of its widest reader.
// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[ALL:.*]] = kernel.buffer() at {{.*}} : memref<2x4x6x6x16xf32>
// CHECK: %[[P0:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [112], sizes: [2, 2, 4, 4, 16], strides: [2304, 576, 96, 16, 1]
// CHECK: kernel.pool {{.*}} out(%[[P0]]
// CHECK: %[[R0:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [0], sizes: [2, 2, 6, 6, 16]
// CHECK: %[[P1:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [1264], sizes: [2, 1, 4, 4, 16]
// CHECK: kernel.conv data(%[[R0]] {{.*}} out(%[[P1]]
// CHECK: %[[R1:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [0], sizes: [2, 3, 6, 6, 16]
// CHECK: %[[P2:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [1840], sizes: [2, 1, 4, 4, 16]
// CHECK: kernel.conv data(%[[R1]] {{.*}} out(%[[P2]]
// REMARK-DAG: [Passed] place {{.*}}"2 of 2 operands of 'cat1' are written in their places"
// REMARK-DAG: [Analysis] form {{.*}}"'cat1' is computed in blocks"
// REMARK-DAG: [Analysis] form {{.*}}"conversions between forms move {{[0-9]+}} bytes, the least possible"
sg.weight @w0 : tensor<16x32x3x3xf32>
sg.weight @w1 : tensor<16x48x3x3xf32>
sg.graph @main(%x: tensor<2x32x8x8xf32> {sg.name = "x"}) -> (tensor<2x64x4x4xf32>) {
  %w0 = sg.parameter @w0 : tensor<16x32x3x3xf32>
  %w1 = sg.parameter @w1 : tensor<16x48x3x3xf32>
  %0 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<2x32x8x8xf32>) -> tensor<2x32x4x4xf32>
  %1 = sg.convolution(%0, %w0) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<2x32x4x4xf32>, tensor<16x32x3x3xf32>) -> tensor<2x16x4x4xf32>
  %2 = sg.concat(%0, %1) {dim = 1 : i64, num_args = 2 : i64} : (tensor<2x32x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x48x4x4xf32> loc("cat0")
  %3 = sg.convolution(%2, %w1) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<2x48x4x4xf32>, tensor<16x48x3x3xf32>) -> tensor<2x16x4x4xf32>
  %4 = sg.concat(%2, %3) {dim = 1 : i64, num_args = 2 : i64} : (tensor<2x48x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x64x4x4xf32> loc("cat1")
  sg.heads %4 : tensor<2x64x4x4xf32>
}

// -----

// What does not fit is copied: 24 channels end in the middle of a block, so that 16
// others go to two runs of 8 lanes; a value that lies elsewhere; a part of another; an argument;
// the result of a reference kernel.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.copy {{.*}} to memref<1x1x8x8x8xf32, strided<[{{[0-9]+}}, 1024, 128, 16, 1], offset: 1032>>
// CHECK: kernel.copy {{.*}} to memref<1x1x8x8x8xf32, strided<[{{[0-9]+}}, 1024, 128, 16, 1], offset: 2048>>
// REMARK-DAG: [Missed] place {{.*}}"output 0 of node 'b' is copied into 'cat': its place does not begin at a block of 16 channels"
// REMARK-DAG: [Missed] place {{.*}}"output 0 of node 'a' is copied into 'cat': it lies in another place already"
// REMARK-DAG: [Missed] place {{.*}}"output 0 of node 'part' is copied into 'again': it is a part of another value"
// REMARK-DAG: [Missed] place {{.*}}"argument 'x' is copied into 'again': it is an argument"
// REMARK-DAG: [Missed] place {{.*}}"output 0 of node 'soft' is copied into 'again': it is computed in rows"
// REMARK-DAG: [Analysis] form {{.*}}"'line' is computed in rows"
sg.weight @wa : tensor<24x16x1x1xf32>
sg.weight @wb : tensor<16x16x1x1xf32>
sg.graph @main(%x: tensor<1x16x8x8xf32> {sg.name = "x"}, %y: tensor<1x4x4xf32> {sg.name = "y"}) -> (tensor<1x64x8x8xf32>, tensor<1x72x8x8xf32>, tensor<1x4x4xf32>) {
  %wa = sg.parameter @wa : tensor<24x16x1x1xf32>
  %wb = sg.parameter @wb : tensor<16x16x1x1xf32>
  %a = sg.convolution(%x, %wa) {kernel = array<i64: 1, 1>, num_filter = 24 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<24x16x1x1xf32>) -> tensor<1x24x8x8xf32> loc("a")
  %b = sg.convolution(%x, %wb) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32> loc("b")
  %0 = sg.concat(%a, %b, %a) {dim = 1 : i64, num_args = 3 : i64} : (tensor<1x24x8x8xf32>, tensor<1x16x8x8xf32>, tensor<1x24x8x8xf32>) -> tensor<1x64x8x8xf32> loc("cat")
  %p = sg.slice_axis(%0) {axis = 1 : i64, begin = 16 : i64, end = 32 : i64} : (tensor<1x64x8x8xf32>) -> tensor<1x16x8x8xf32> loc("part")
  %s = sg.softmax(%x) {axis = 1 : i64} : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> loc("soft")
  %1 = sg.concat(%p, %x, %s, %a) {dim = 1 : i64, num_args = 4 : i64} : (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>, tensor<1x24x8x8xf32>) -> tensor<1x72x8x8xf32> loc("again")
  %l = sg.unary(%y) {fn = "exp"} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32> loc("line")
  sg.heads %0, %1, %l : tensor<1x64x8x8xf32>, tensor<1x72x8x8xf32>, tensor<1x4x4xf32>
}

// -----

// Lanes behind the last channel hold anything, so they must not divide: integers stay
// in rows, although their four parts would be views of blocks.
// CHECK-LABEL: kernel.program @main_program
// CHECK-NOT: x4x4x16xi32
// CHECK: kernel.program @prepare_program
sg.graph @main(%x: tensor<1x40x4x4xi32> {sg.name = "x"}) -> (tensor<1x24x4x4xi32>) {
  %0 = sg.slice_axis(%x) {axis = 1 : i64, begin = 0 : i64, end = 24 : i64} : (tensor<1x40x4x4xi32>) -> tensor<1x24x4x4xi32>
  %1 = sg.slice(%x) {begin = array<i64: 0, 16>, end = array<i64: 1, 40>, step = array<i64: 1, 1>} : (tensor<1x40x4x4xi32>) -> tensor<1x24x4x4xi32>
  %2 = sg.slice(%x) {begin = array<i64: 0, 0>, end = array<i64: 1, 24>, step = array<i64: 1, 1>} : (tensor<1x40x4x4xi32>) -> tensor<1x24x4x4xi32>
  %3 = sg.slice(%x) {begin = array<i64: 0, 0>, end = array<i64: 1, 24>, step = array<i64: 1, 1>} : (tensor<1x40x4x4xi32>) -> tensor<1x24x4x4xi32>
  %4 = sg.binary(%0, %1) {fn = "div"} : (tensor<1x24x4x4xi32>, tensor<1x24x4x4xi32>) -> tensor<1x24x4x4xi32>
  %5 = sg.binary(%2, %3) {fn = "div"} : (tensor<1x24x4x4xi32>, tensor<1x24x4x4xi32>) -> tensor<1x24x4x4xi32>
  %6 = sg.binary(%4, %5) {fn = "add"} : (tensor<1x24x4x4xi32>, tensor<1x24x4x4xi32>) -> tensor<1x24x4x4xi32>
  sg.heads %6 : tensor<1x24x4x4xi32>
}

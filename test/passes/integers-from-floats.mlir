// If this fails, a layer between bytes is computed in floats, a zero point, a bound or a scale is lost
// on its way into a layer over bytes, or a layer is taken that has to stay in floats.
// RUN: symc-opt --sg-integers-from-floats --canonicalize %s | FileCheck %s
// RUN: symc-opt --sg-integers-from-floats --canonicalize --sg-integers-from-floats --canonicalize %s | FileCheck %s
// RUN: symc-opt --sg-integers-from-floats --remarks-filter='sg-integers-from-floats' --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK

sg.weight @w : tensor<8x4x3x3xi8>
sg.weight @s : tensor<8x1x1x1xf32>
sg.weight @b : tensor<8xf32>
sg.weight @u : tensor<8x4x3x3xui8>
sg.weight @m : tensor<6x5xi8>
sg.weight @t : tensor<6x1xf32>
sg.weight @l : tensor<8x4x3xi8>
sg.weight @v : tensor<2x6x5xi8>

// Data around 114, weights with a scale for each filter, results around 7 from 0 to 6:
// 0 / 0.5 + 7 to 6 / 0.5 + 7.
// CHECK-LABEL: sg.graph @main
// CHECK: %[[W:.*]] = sg.parameter @w
// CHECK: sg.scalar(%{{.*}}) {fn = "mul", scalar = -1.140000e+02 : f64}
// CHECK: sg.integer_conv(%arg0, %[[W]], {{.*}}data_zero = 114 : i64{{.*}}least = 7 : i64, most = 19 : i64{{.*}}pad = array<i64: 1, 1>{{.*}}zero = 7 : i64{{.*}} -> tensor<1x8x6x6xui8>
// CHECK-NOT: sg.convolution
// REMARK: [Passed] integers {{.*}}'bytes' sums products of bytes and gives bytes
sg.graph @main(%q: tensor<1x4x6x6xui8> {sg.name = "x"}) -> (tensor<1x8x6x6xui8>) {
  %w = sg.parameter @w : tensor<8x4x3x3xi8>
  %s = sg.parameter @s : tensor<8x1x1x1xf32>
  %b = sg.parameter @b : tensor<8xf32>
  %x0 = sg.cast(%q) {dtype = "float32"} : (tensor<1x4x6x6xui8>) -> tensor<1x4x6x6xf32>
  %x1 = sg.scalar(%x0) {fn = "sub", scalar = 114.0 : f64} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %x = sg.scalar(%x1) {fn = "mul", scalar = 0.25 : f64} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %k0 = sg.cast(%w) {dtype = "float32"} : (tensor<8x4x3x3xi8>) -> tensor<8x4x3x3xf32>
  %k = sg.binary(%k0, %s) {fn = "mul", broadcast = true} : (tensor<8x4x3x3xf32>, tensor<8x1x1x1xf32>) -> tensor<8x4x3x3xf32>
  %y = sg.convolution(%x, %k, %b) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 8 : i64} : (tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<1x8x6x6xf32> loc("bytes")
  %r = sg.clip(%y) {a_min = 0.0 : f64, a_max = 6.0 : f64} : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %e0 = sg.scalar(%r) {fn = "div", scalar = 0.5 : f64} : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %e1 = sg.unary(%e0) {fn = "round_even"} : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %e2 = sg.scalar(%e1) {fn = "add", scalar = 7.0 : f64} : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %e3 = sg.clip(%e2) {a_min = 0.0 : f64, a_max = 255.0 : f64} : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %e = sg.cast(%e3) {dtype = "uint8"} : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xui8>
  sg.heads %e : tensor<1x8x6x6xui8>
}

// The rounding has another reader, so the layer gives floats; weights of uint8 around 128.
// CHECK-LABEL: sg.graph @floats
// CHECK: sg.cast({{.*}}) {dtype = "int8"}
// CHECK: sg.scalar(%{{.*}}) {fn = "mul", scalar = -1.310000e+02 : f64}
// CHECK: sg.integer_conv({{.*}}data_zero = 3 : i64{{.*}} -> tensor<1x8x4x4xf32>
// REMARK: [Passed] integers {{.*}}'floats' sums products of bytes and gives floats
sg.graph @floats(%q: tensor<1x4x6x6xi8> {sg.name = "x"}) -> (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) {
  %u = sg.parameter @u : tensor<8x4x3x3xui8>
  %x0 = sg.cast(%q) {dtype = "float32"} : (tensor<1x4x6x6xi8>) -> tensor<1x4x6x6xf32>
  %x = sg.scalar(%x0) {fn = "sub", scalar = 3.0 : f64} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %k0 = sg.cast(%u) {dtype = "float32"} : (tensor<8x4x3x3xui8>) -> tensor<8x4x3x3xf32>
  %k1 = sg.scalar(%k0) {fn = "sub", scalar = 128.0 : f64} : (tensor<8x4x3x3xf32>) -> tensor<8x4x3x3xf32>
  %k = sg.scalar(%k1) {fn = "mul", scalar = 0.125 : f64} : (tensor<8x4x3x3xf32>) -> tensor<8x4x3x3xf32>
  %y = sg.convolution(%x, %k) {kernel = array<i64: 3, 3>, num_filter = 8 : i64, no_bias = true} : (tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x4x4xf32> loc("floats")
  %r = sg.unary(%y) {fn = "relu"} : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  sg.heads %y, %r : tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>
}

// Zero points of weights, groups and weights of the run stay in floats.
// CHECK-LABEL: sg.graph @missed
// CHECK-NOT: sg.integer_conv
// REMARK: [Missed] integers {{.*}}'zero' is computed in floats: its weights have a zero point of 100
// REMARK: [Missed] integers {{.*}}'run' is computed in floats: its weights are not known before the run
// REMARK: [Missed] integers {{.*}}'real' is computed in floats: its weights are not bytes with a scale and one zero point
sg.graph @missed(%q: tensor<1x4x6x6xui8> {sg.name = "x"}, %v: tensor<8x4x3x3xf32> {sg.name = "v"}) -> (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) {
  %u = sg.parameter @u : tensor<8x4x3x3xui8>
  %x0 = sg.cast(%q) {dtype = "float32"} : (tensor<1x4x6x6xui8>) -> tensor<1x4x6x6xf32>
  %x = sg.scalar(%x0) {fn = "mul", scalar = 3.0 : f64} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %k0 = sg.cast(%u) {dtype = "float32"} : (tensor<8x4x3x3xui8>) -> tensor<8x4x3x3xf32>
  %k = sg.scalar(%k0) {fn = "sub", scalar = 100.0 : f64} : (tensor<8x4x3x3xf32>) -> tensor<8x4x3x3xf32>
  %a = sg.convolution(%x, %k) {kernel = array<i64: 3, 3>, num_filter = 8 : i64, no_bias = true} : (tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x4x4xf32> loc("zero")
  %b = sg.convolution(%x, %v) {kernel = array<i64: 3, 3>, num_filter = 8 : i64, no_bias = true} : (tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x4x4xf32> loc("run")
  %k2 = sg.unary(%k0) {fn = "exp"} : (tensor<8x4x3x3xf32>) -> tensor<8x4x3x3xf32>
  %c = sg.convolution(%x, %k2) {kernel = array<i64: 3, 3>, num_filter = 8 : i64, no_bias = true} : (tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x4x4xf32> loc("real")
  sg.heads %a, %b, %c : tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>
}

// Scales along inputs, volumes and stacks of matrices, too.
// CHECK-LABEL: sg.graph @others
// CHECK-NOT: sg.integer
// REMARK: [Missed] integers {{.*}}'inputs' is computed in floats: scales of its weights are not those of outputs
// REMARK: [Missed] integers {{.*}}'line' is computed in floats: it is not over two extents behind channels
// REMARK: [Missed] integers {{.*}}'stacks' is computed in floats: it multiplies stacks of matrices
sg.graph @others(%q: tensor<2x4x6xui8> {sg.name = "x"}) -> (tensor<2x4x5xf32>, tensor<2x8x4xf32>, tensor<2x4x5xf32>) {
  %m = sg.parameter @m : tensor<6x5xi8>
  %t = sg.parameter @t : tensor<6x1xf32>
  %l = sg.parameter @l : tensor<8x4x3xi8>
  %v = sg.parameter @v : tensor<2x6x5xi8>
  %x0 = sg.cast(%q) {dtype = "float32"} : (tensor<2x4x6xui8>) -> tensor<2x4x6xf32>
  %x = sg.scalar(%x0) {fn = "mul", scalar = 3.0 : f64} : (tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %k0 = sg.cast(%m) {dtype = "float32"} : (tensor<6x5xi8>) -> tensor<6x5xf32>
  %k = sg.binary(%k0, %t) {fn = "mul", broadcast = true} : (tensor<6x5xf32>, tensor<6x1xf32>) -> tensor<6x5xf32>
  %a = sg.numpy_matmul(%x, %k) : (tensor<2x4x6xf32>, tensor<6x5xf32>) -> tensor<2x4x5xf32> loc("inputs")
  %f = sg.cast(%l) {dtype = "float32"} : (tensor<8x4x3xi8>) -> tensor<8x4x3xf32>
  %b = sg.convolution(%x, %f) {kernel = array<i64: 3>, num_filter = 8 : i64, no_bias = true} : (tensor<2x4x6xf32>, tensor<8x4x3xf32>) -> tensor<2x8x4xf32> loc("line")
  %w = sg.cast(%v) {dtype = "float32"} : (tensor<2x6x5xi8>) -> tensor<2x6x5xf32>
  %c = sg.numpy_matmul(%x, %w) : (tensor<2x4x6xf32>, tensor<2x6x5xf32>) -> tensor<2x4x5xf32> loc("stacks")
  sg.heads %a, %b, %c : tensor<2x4x5xf32>, tensor<2x8x4xf32>, tensor<2x4x5xf32>
}

// A product, its bias added behind it and rounded at once; what only moves stays bytes.
// CHECK-LABEL: sg.graph @product
// CHECK: sg.transpose(%{{.*}}) {axes = array<i64: 1, 0>}
// CHECK: sg.integer_product({{.*}}out_type = "int8"{{.*}} -> tensor<2x5xi8>
// CHECK: sg.numpy_reshape(%{{.*}}) {{.*}} : (tensor<2x5xi8>) -> tensor<10xi8>
// CHECK-NOT: sg.unary
sg.graph @product(%q: tensor<2x6xui8> {sg.name = "x"}) -> (tensor<10xi8>) {
  %m = sg.parameter @m : tensor<6x5xi8>
  %x0 = sg.cast(%q) {dtype = "float32"} : (tensor<2x6xui8>) -> tensor<2x6xf32>
  %x = sg.scalar(%x0) {fn = "mul", scalar = 3.0 : f64} : (tensor<2x6xf32>) -> tensor<2x6xf32>
  %k0 = sg.cast(%m) {dtype = "float32"} : (tensor<6x5xi8>) -> tensor<6x5xf32>
  %k = sg.scalar(%k0) {fn = "mul", scalar = 0.5 : f64} : (tensor<6x5xf32>) -> tensor<6x5xf32>
  %y = sg.numpy_matmul(%x, %k) : (tensor<2x6xf32>, tensor<6x5xf32>) -> tensor<2x5xf32>
  %e0 = sg.scalar(%y) {fn = "div", scalar = 0.5 : f64} : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %e1 = sg.unary(%e0) {fn = "round_even"} : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %e3 = sg.clip(%e1) {a_min = -128.0 : f64, a_max = 127.0 : f64} : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %e = sg.cast(%e3) {dtype = "int8"} : (tensor<2x5xf32>) -> tensor<2x5xi8>
  %d0 = sg.cast(%e) {dtype = "float32"} : (tensor<2x5xi8>) -> tensor<2x5xf32>
  %d = sg.scalar(%d0) {fn = "mul", scalar = 0.5 : f64} : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %f = sg.numpy_reshape(%d) {newshape = array<i64: -1>} : (tensor<2x5xf32>) -> tensor<10xf32>
  %g0 = sg.scalar(%f) {fn = "div", scalar = 0.5 : f64} : (tensor<10xf32>) -> tensor<10xf32>
  %g1 = sg.unary(%g0) {fn = "round_even"} : (tensor<10xf32>) -> tensor<10xf32>
  %g3 = sg.clip(%g1) {a_min = -128.0 : f64, a_max = 127.0 : f64} : (tensor<10xf32>) -> tensor<10xf32>
  %g = sg.cast(%g3) {dtype = "int8"} : (tensor<10xf32>) -> tensor<10xi8>
  sg.heads %g : tensor<10xi8>
}

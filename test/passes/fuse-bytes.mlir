// If this fails, floats that stand for bytes go through memory on their way to the elementwise nodes
// that read them.
// RUN: symc-opt --sg-repeat-cheap --sg-fuse-elementwise %s | FileCheck %s

// A sum of two: one group reads the bytes of both.
// CHECK-LABEL: sg.graph @main
// CHECK: sg.fused(%{{.*}}, %{{.*}}) : (tensor<2x8x4x4xui8>, tensor<2x8x4x4xui8>) -> tensor<2x8x4x4xui8> body
// CHECK-NOT: sg.fused
// CHECK: sg.heads
sg.graph @main(%p: tensor<2x8x4x4xui8> {sg.name = "p"}, %q: tensor<2x8x4x4xui8> {sg.name = "q"}) -> (tensor<2x8x4x4xui8>) {
  %a0 = sg.cast(%p) {dtype = "float32"} : (tensor<2x8x4x4xui8>) -> tensor<2x8x4x4xf32>
  %a1 = sg.scalar(%a0) {fn = "sub", scalar = 3.0 : f64} : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %a = sg.scalar(%a1) {fn = "mul", scalar = 0.5 : f64} : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %b0 = sg.cast(%q) {dtype = "float32"} : (tensor<2x8x4x4xui8>) -> tensor<2x8x4x4xf32>
  %b = sg.scalar(%b0) {fn = "mul", scalar = 0.25 : f64} : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %s = sg.binary(%a, %b) {fn = "add"} : (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %r = sg.unary(%s) {fn = "round_even"} : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %c = sg.clip(%r) {a_min = 0.0 : f64, a_max = 255.0 : f64} : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %y = sg.cast(%c) {dtype = "uint8"} : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xui8>
  sg.heads %y : tensor<2x8x4x4xui8>
}

// Two readers: each widens the bytes itself.
// CHECK-LABEL: sg.graph @twice
// CHECK: sg.fused(%[[P:.*]]) : (tensor<2x8x4x4xui8>)
// CHECK: sg.fused(%[[P]]) : (tensor<2x8x4x4xui8>)
// CHECK-NOT: sg.fused
// CHECK: sg.heads
sg.graph @twice(%p: tensor<2x8x4x4xui8> {sg.name = "p"}) -> (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) {
  %a0 = sg.cast(%p) {dtype = "float32"} : (tensor<2x8x4x4xui8>) -> tensor<2x8x4x4xf32>
  %a = sg.scalar(%a0) {fn = "mul", scalar = 0.5 : f64} : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %x = sg.unary(%a) {fn = "exp"} : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %y = sg.unary(%a) {fn = "tanh"} : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  sg.heads %x, %y : tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>
}

// A reader that is no elementwise node needs the floats, which others read then.
// CHECK-LABEL: sg.graph @pooled
// CHECK: sg.fused(%{{.*}}) : (tensor<2x8x4x4xui8>) -> tensor<2x8x4x4xf32>
// CHECK: sg.unary(%{{.*}}) {fn = "exp"} : (tensor<2x8x4x4xf32>)
// CHECK: sg.pooling(%{{.*}}) {{.*}} : (tensor<2x8x4x4xf32>)
sg.graph @pooled(%p: tensor<2x8x4x4xui8> {sg.name = "p"}) -> (tensor<2x8x4x4xf32>, tensor<2x8x1x1xf32>) {
  %a0 = sg.cast(%p) {dtype = "float32"} : (tensor<2x8x4x4xui8>) -> tensor<2x8x4x4xf32>
  %a = sg.scalar(%a0) {fn = "mul", scalar = 0.5 : f64} : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %x = sg.unary(%a) {fn = "exp"} : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %y = sg.pooling(%a) {pool_type = "avg", global_pool = true} : (tensor<2x8x4x4xf32>) -> tensor<2x8x1x1xf32>
  sg.heads %x, %y : tensor<2x8x4x4xf32>, tensor<2x8x1x1xf32>
}

// If this fails, local response normalisation calls its reference kernel, or channels at the
// edges, which have fewer neighbours, are summed with others.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --split-input-file %s | FileCheck %s

// Channels 0, 1 to 4 and 5 of 6, with one neighbour, two and one again.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.loops ins({{.*}} : memref<2x1x5x5xf32, strided<[150, 25, 5, 1]>>, memref<2x1x5x5xf32, strided<[150, 25, 5, 1], offset: 25>>) outs({{.*}} : memref<2x1x5x5xf32, strided<[150, 25, 5, 1]>>) body {
// CHECK: ^bb0(%[[OWN:.*]]: f32, %[[NEXT:.*]]: f32):
// CHECK-COUNT-2: math.sqrt
// CHECK: arith.divf %[[OWN]]
// CHECK: kernel.loops ins({{.*}} : memref<2x4x5x5xf32, strided<[150, 25, 5, 1]>>, memref<2x4x5x5xf32, strided<[150, 25, 5, 1], offset: 25>>, memref<2x4x5x5xf32, strided<[150, 25, 5, 1], offset: 50>>) outs({{.*}} : memref<2x4x5x5xf32, strided<[150, 25, 5, 1], offset: 25>>) body {
// CHECK: ^bb0(%{{.*}}: f32, %[[OWN:.*]]: f32, %{{.*}}: f32):
// CHECK: arith.divf %[[OWN]]
// CHECK: kernel.loops ins({{.*}} : memref<2x1x5x5xf32, strided<[150, 25, 5, 1], offset: 100>>, memref<2x1x5x5xf32, strided<[150, 25, 5, 1], offset: 125>>) outs({{.*}} offset: 125>>) body {
// CHECK-NOT: kernel.call
sg.graph @main(%x: tensor<2x6x5x5xf32> {sg.name = "x"}) -> (tensor<2x6x5x5xf32>) {
  %y = sg.lrn(%x) {nsize = 3 : i64} : (tensor<2x6x5x5xf32>) -> tensor<2x6x5x5xf32>
  sg.heads %y : tensor<2x6x5x5xf32>
}

// -----

// What x is divided by the power of is written beside it, where the graph names it.
// CHECK-LABEL: kernel.program @main_program
// CHECK-COUNT-3: kernel.loops {{.*}} outs(%{{[0-9a-z_]+}}, %{{[0-9a-z_]+}} :
// CHECK-NOT: kernel.call
sg.graph @main(%x: tensor<2x6x5x5xf32> {sg.name = "x"}) -> (tensor<2x6x5x5xf32>, tensor<2x6x5x5xf32>) {
  %y:2 = sg.lrn(%x) {nsize = 3 : i64, show_hidden = true} : (tensor<2x6x5x5xf32>) -> (tensor<2x6x5x5xf32>, tensor<2x6x5x5xf32>)
  sg.heads %y#0, %y#1 : tensor<2x6x5x5xf32>, tensor<2x6x5x5xf32>
}

// -----

// Another exponent is a power of each element.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.call "symc_ref_lrn_f32"
sg.graph @main(%x: tensor<2x6x5x5xf32> {sg.name = "x"}) -> (tensor<2x6x5x5xf32>) {
  %y = sg.lrn(%x) {nsize = 3 : i64, beta = 0.5 : f64} : (tensor<2x6x5x5xf32>) -> tensor<2x6x5x5xf32>
  sg.heads %y : tensor<2x6x5x5xf32>
}

// -----

// Two billion channels are three steps, found without counting them.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.loops
// CHECK: kernel.loops ins({{.*}} : memref<1x2147483645x1x1xf32
// CHECK: kernel.loops
sg.graph @main(%x: tensor<1x2147483647x1x1xf32> {sg.name = "x"}) -> (tensor<1x2147483647x1x1xf32>) {
  %y = sg.lrn(%x) {nsize = 3 : i64} : (tensor<1x2147483647x1x1xf32>) -> tensor<1x2147483647x1x1xf32>
  sg.heads %y : tensor<1x2147483647x1x1xf32>
}

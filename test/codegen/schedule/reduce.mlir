// If this fails, a reduction or normalisation goes through its reference kernel, or the nodes
// around it cost walks over memory of their own.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule --remarks-filter='kernel-schedule' --remark-format=emitRemark %s 2>&1 >%t | FileCheck %s --check-prefix=REMARK
// RUN: symc-opt --split-input-file --kernel-choose-layouts=reference=true "--kernel-schedule=reference=true" %s | FileCheck %s --check-prefix=ONLY
// ONLY-NOT: kernel.reduce

// REMARK-DAG: [Passed] reduce {{.*}}"'mean' is generated, in vectors along its rows"
// REMARK-DAG: [Passed] reduce {{.*}}"'norm' is generated
// REMARK-DAG: [Passed] reduce {{.*}}"'most' is generated, in vectors along its columns"
// A mean over two axes at the end: one extent of 12 each, kept ones merged to one of 10.
// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[X:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [10, 12], strides: [12, 1]
// CHECK: %[[Y:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [10], strides: [1]
// CHECK: kernel.reduce ins(%[[X]] : {{.*}}) row_outs(%[[Y]] : {{.*}}) {combiners = ["sum"], kept = 1 : i64} passes {
// CHECK-NEXT: ^bb0(%{{.*}}: i32, %{{.*}}: i32, %[[E:.*]]: f32):
// CHECK-NEXT: kernel.yield %[[E]] : f32
// CHECK: rows {
// CHECK-NEXT: ^bb0(%{{.*}}: i32, %[[N:.*]]: i32, %{{.*}}: f32, %[[S:.*]]: f32):
// CHECK-NEXT: %[[C:.*]] = arith.sitofp %[[N]] : i32 to f32
// CHECK-NEXT: %[[M:.*]] = arith.divf %[[S]], %[[C]] : f32
// CHECK-NEXT: kernel.yield %[[M]] : f32
sg.graph @main(%x: tensor<2x5x3x4xf32> {sg.name = "x"}) -> (tensor<2x5xf32>) {
  %0 = sg.reduce(%x) {kind = "mean", axis = array<i64: 2, 3>} : (tensor<2x5x3x4xf32>) -> tensor<2x5xf32> loc("mean")
  sg.heads %0 : tensor<2x5xf32>
}

// -----

// The residual before a LayerNorm and the activation behind it are in its bodies; gamma's
// elements lie along the rows.
// CHECK-LABEL: kernel.program @main_program
// CHECK-NOT: kernel.loops
// CHECK: kernel.reduce ins(%{{.*}}, %{{.*}}, %[[G:[0-9a-z_]+]], %{{.*}} : {{.*}} outs({{.*}} {combiners = ["sum", "sum"], kept = 1 : i64} passes {
// CHECK: %[[A:.*]] = arith.addf
// CHECK: kernel.yield %[[A]] : f32
// CHECK: elements {
// CHECK: math.sqrt
// CHECK: arith.cmpf ogt
// CHECK-NOT: kernel.loops
sg.graph @main(%x: tensor<6x8xf32> {sg.name = "x"}, %r: tensor<6x8xf32> {sg.name = "r"}, %g: tensor<8xf32> {sg.name = "g"}, %b: tensor<8xf32> {sg.name = "b"}) -> (tensor<6x8xf32>) {
  %0 = sg.fused(%x, %r, %g, %b) : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<6x8xf32> body {
  ^bb0(%a: tensor<6x8xf32>, %c: tensor<6x8xf32>, %d: tensor<8xf32>, %e: tensor<8xf32>):
    %1 = sg.binary(%a, %c) {fn = "add"} : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %2 = sg.layer_norm(%1, %d, %e) : (tensor<6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<6x8xf32> loc("norm")
    %3 = sg.unary(%2) {fn = "relu"} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    sg.yield %3 : tensor<6x8xf32>
  }
  sg.heads %0 : tensor<6x8xf32>
}

// -----

// The gradient of normalised data: the sums and the result of each row in one step, with the nodes
// before and behind it in its bodies.
// CHECK-LABEL: kernel.program @main_program
// CHECK-NOT: kernel.loops
// CHECK: kernel.reduce ins({{.*}} outs({{.*}} {combiners = ["sums"], kept = 1 : i64, partials = 32 : i64} passes {
// CHECK: arith.cmpf ogt
// CHECK: kernel.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK: elements {
// CHECK: arith.cmpf ogt
// CHECK: math.exp
// CHECK-NOT: kernel.loops
sg.graph @main(%g: tensor<6x8xf32> {sg.name = "g"}, %x: tensor<6x8xf32> {sg.name = "x"}, %m: tensor<6x1xf32> {sg.name = "m"}, %i: tensor<6x1xf32> {sg.name = "i"}) -> (tensor<6x8xf32>) {
  %0 = sg.fused(%g, %x, %m, %i) : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x8xf32> body {
  ^bb0(%a: tensor<6x8xf32>, %b: tensor<6x8xf32>, %c: tensor<6x1xf32>, %d: tensor<6x1xf32>):
    %1 = sg.unary(%a) {fn = "relu"} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %2 = sg.norm_gradient(%1, %b, %c, %d) {axes = array<i64: 1>} : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x8xf32>
    %3 = sg.unary(%2) {fn = "exp"} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    sg.yield %3 : tensor<6x8xf32>
  }
  sg.heads %0 : tensor<6x8xf32>
}

// -----

// A costly node before a LayerNorm is computed once: the first pass keeps it in the result.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.reduce {{.*}}saves = 0 : i64
// CHECK: math.exp
// CHECK-NOT: math.exp
sg.graph @main(%x: tensor<6x8xf32> {sg.name = "x"}, %g: tensor<8xf32> {sg.name = "g"}, %b: tensor<8xf32> {sg.name = "b"}) -> (tensor<6x8xf32>) {
  %0 = sg.fused(%x, %g, %b) : (tensor<6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<6x8xf32> body {
  ^bb0(%a: tensor<6x8xf32>, %d: tensor<8xf32>, %e: tensor<8xf32>):
    %1 = sg.unary(%a) {fn = "exp"} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %2 = sg.layer_norm(%1, %d, %e) : (tensor<6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<6x8xf32>
    sg.yield %2 : tensor<6x8xf32>
  }
  sg.heads %0 : tensor<6x8xf32>
}

// -----

// A row's nodes behind it read one element for each row. Columns: the first axis is reduced.
// CHECK-LABEL: kernel.program @main_program
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [20, 6], strides: [1, 20]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [20, 6], strides: [1, 0]
// CHECK: kernel.reduce {{.*}}combiners = ["max"]
// CHECK: rows {
// CHECK: arith.mulf
sg.graph @main(%x: tensor<6x20xf32> {sg.name = "x"}, %w: tensor<20xf32> {sg.name = "w"}) -> (tensor<20xf32>) {
  %0 = sg.fused(%x, %w) : (tensor<6x20xf32>, tensor<20xf32>) -> tensor<20xf32> body {
  ^bb0(%a: tensor<6x20xf32>, %c: tensor<20xf32>):
    %1 = sg.reduce(%a) {kind = "max", axis = array<i64: 0>} : (tensor<6x20xf32>) -> tensor<20xf32> loc("most")
    %2 = sg.binary(%1, %c) {fn = "mul"} : (tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32>
    sg.yield %2 : tensor<20xf32>
  }
  sg.heads %0 : tensor<20xf32>
}

// -----

// All elements, of which there are many: 60 whole chunks and the rest, then their results. The
// place in a chunk counts from the chunk's beginning.
// CHECK-LABEL: kernel.program @main_program
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [60, 1, 16416], strides: [16416, 0, 1]
// CHECK: kernel.reduce {{.*}}combiners = ["argmax"]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [984960], sizes: [1, 1, 15040]
// CHECK: kernel.reduce {{.*}}combiners = ["argmax"]
// CHECK: kernel.reduce {{.*}}combiners = ["argmax"]
// CHECK: arith.constant 16416 : i32
sg.graph @main(%x: tensor<1000x1000xf32> {sg.name = "x"}) -> (tensor<1xf32>) {
  %0 = sg.arg_reduce(%x) {kind = "argmax"} : (tensor<1000x1000xf32>) -> tensor<1xf32>
  sg.heads %0 : tensor<1xf32>
}

// -----

// A number of rows that is chosen at run time and may be 1 is cut in the same way for all sizes.
// CHECK-LABEL: kernel.program @main_program
// CHECK: memref.reinterpret_cast {{.*}} : memref<?x3x200x100xf32> to memref<2x?x20032xf32
// CHECK: kernel.reduce
// CHECK: memref.reinterpret_cast {{.*}} : memref<?x3x200x100xf32> to memref<1x?x19936xf32
// CHECK: kernel.reduce
// CHECK: kernel.reduce ins({{.*}} : memref<?x3xf32{{.*}} row_outs({{.*}} : memref<?xf32
sg.graph @main(%x: tensor<?x3x200x100xf32, #sg.extents<()[s0] -> (s0, 3, 200, 100)>> {sg.name = "x"}) -> (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.reduce(%x) {kind = "mean", axis = array<i64: 1, 2, 3>} : (tensor<?x3x200x100xf32, #sg.extents<()[s0] -> (s0, 3, 200, 100)>>) -> tensor<?xf32, #sg.extents<()[s0] -> (s0)>>
  sg.heads %0 : tensor<?xf32, #sg.extents<()[s0] -> (s0)>>
}

// -----

// Each row has its length; its exponentials are kept in the result until their sum is known.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.reduce ins({{.*}}) lengths({{.*}} : memref<6xi32{{.*}}) outs({{.*}}) {combiners = ["maxnum", "sum"], kept = 1 : i64, partials = 16 : i64, saves = 1 : i64}
sg.graph @main(%x: tensor<2x3x40xf32> {sg.name = "x"}, %n: tensor<2x3xi32> {sg.name = "n"}) -> (tensor<2x3x40xf32>) {
  %0 = sg.softmax(%x, %n) {use_length = true} : (tensor<2x3x40xf32>, tensor<2x3xi32>) -> tensor<2x3x40xf32>
  sg.heads %0 : tensor<2x3x40xf32>
}

// -----

// Statistics that a graph names are written with the rows: mean and variance, or the norm.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.reduce ins({{.*}}) row_outs(%{{.*}}, %{{.*}} : memref<2x3xf32{{[^)]*}} memref<2x3xf32{{[^)]*}}) outs({{.*}}) {combiners = ["sum", "sum"]
// CHECK: rows {
// CHECK-NOT: math.sqrt
// CHECK: elements {
// CHECK: kernel.reduce ins({{.*}}) row_outs(%{{.*}} : memref<2x20xf32, {{.*}}>) outs({{.*}}) {combiners = ["sum"]
// CHECK: rows {
// CHECK: %[[N:.*]] = math.sqrt
// CHECK-NEXT: kernel.yield %[[N]]
sg.graph @main(%x: tensor<2x3x20xf32> {sg.name = "x"}, %g: tensor<3xf32> {sg.name = "g"}, %b: tensor<3xf32> {sg.name = "b"}) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x1x20xf32>) {
  %0:3 = sg.instance_norm(%x, %g, %b) {show_hidden = true} : (tensor<2x3x20xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x20xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
  %1:2 = sg.l2_normalization(%0#0) {mode = "channel", show_hidden = true} : (tensor<2x3x20xf32>) -> (tensor<2x3x20xf32>, tensor<2x1x20xf32>)
  sg.heads %0#1, %0#2, %1#1 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x1x20xf32>
}

// -----

// Nearest misses: a mean of integers, a norm wider than it is computed, a softmax of doubles.
// CHECK-LABEL: kernel.program @main_program
// CHECK-NOT: kernel.reduce
// CHECK: kernel.call "symc_ref_reduce_i32"
// CHECK: kernel.call "symc_ref_norm_f32"
// CHECK: kernel.call "symc_ref_softmax_f64"
sg.graph @main(%x: tensor<4x5xi32> {sg.name = "x"}, %y: tensor<4x5xf32> {sg.name = "y"}, %z: tensor<4x5xf64> {sg.name = "z"}) -> (tensor<4xi32>, tensor<4xf64>, tensor<4x5xf64>) {
  %0 = sg.reduce(%x) {kind = "mean", axis = array<i64: 1>} : (tensor<4x5xi32>) -> tensor<4xi32>
  %1 = sg.norm(%y) {axis = array<i64: 1>, out_dtype = "float64"} : (tensor<4x5xf32>) -> tensor<4xf64>
  %2 = sg.softmax(%z) : (tensor<4x5xf64>) -> tensor<4x5xf64>
  sg.heads %0, %1, %2 : tensor<4xi32>, tensor<4xf64>, tensor<4x5xf64>
}

// If this fails, a product of two matrices that data decides is a loop of the runtime, or one
// that packing would only slow down is packed.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule --remarks-filter='kernel-schedule' --remark-format=emitRemark %s 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule=open-products=false --remarks-filter='kernel-schedule' --remark-format=emitRemark %s 2>&1 >/dev/null | FileCheck %s --check-prefix=DEVICE

// One product: columns of the right matrix become lanes, the tail of its 40 rows zeros.
// WHY: [Passed] product {{.*}}'n' is 1 product of 30x40 by 40x20, packed at each run
// CHECK: kernel.program @main_program
// CHECK: ^bb0(%[[A:.*]]: memref<30x40xf32>, %[[B:.*]]: memref<40x20xf32>, %[[OUT:.*]]: memref<30x20xf32>):
// CHECK: %[[PANELS:.*]] = kernel.buffer() : memref<2x3x1x1x16x16xf32>
// CHECK: %[[FROM:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [20, 40, 1, 1], strides: [1, 20, 0, 0]
// CHECK: kernel.pack_panels %[[FROM]] to %[[PANELS]]
// CHECK: kernel.conv
// CHECK-SAME: %[[PANELS]]
// CHECK-SAME: in_channels = 40 : i64{{.*}} out_channels = 20 : i64
// CHECK-NOT: kernel.call
sg.graph @main(%a: tensor<30x40xf32> {sg.name = "a"}, %b: tensor<40x20xf32> {sg.name = "b"}) -> (tensor<30x20xf32>) {
  %0 = sg.dot(%a, %b) : (tensor<30x40xf32>, tensor<40x20xf32>) -> tensor<30x20xf32> loc("n")
  sg.heads %0 : tensor<30x20xf32>
}

// -----

// A batch is one step, its left matrices transposed first; the sum's factors are in the body.
// WHY: [Passed] product {{.*}}'n' is 2 products of 30x40 by 40x20, packed at each run
// CHECK: kernel.program @main_program
// CHECK: kernel.copy
// CHECK: kernel.pack_panels {{.*}} : memref<2x20x40x1x1xf32{{.*}} to memref<2x2x3x1x1x16x16xf32>
// CHECK-NOT: kernel.pack_panels
// CHECK: kernel.conv
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: kernel.call
sg.graph @main(%a: tensor<2x40x30xf32> {sg.name = "a"}, %b: tensor<2x40x20xf32> {sg.name = "b"}, %c: tensor<2x30x20xf32> {sg.name = "c"}) -> (tensor<2x30x20xf32>) {
  %0 = sg.linalg_gemm(%a, %b, %c) {transpose_a = true, alpha = 0.5 : f64} : (tensor<2x40x30xf32>, tensor<2x40x20xf32>, tensor<2x30x20xf32>) -> tensor<2x30x20xf32> loc("n")
  sg.heads %0 : tensor<2x30x20xf32>
}

// -----

// More products than any limit on steps, as BERT's at batch 8: one step, no loop of the runtime.
// WHY: [Passed] product {{.*}}'n' is 96 products of 20x30 by 30x20, packed at each run
// CHECK: kernel.program @main_program
// CHECK-NOT: kernel.call
// CHECK: kernel.pack_panels
// CHECK-NOT: kernel.pack_panels
// CHECK: kernel.conv data({{.*}} : memref<96x2x1x20x16xf32{{.*}}) weights({{.*}} : memref<96x2x2x1x1x16x16xf32>)
// CHECK-NOT: kernel.c
// CHECK: kernel.program @prepare_program
sg.graph @main(%x: tensor<96x20x30xf32> {sg.name = "x"}, %y: tensor<96x30x20xf32> {sg.name = "y"}) -> (tensor<96x20x20xf32>) {
  %0 = sg.batch_dot(%x, %y) : (tensor<96x20x30xf32>, tensor<96x30x20xf32>) -> tensor<96x20x20xf32> loc("n")
  sg.heads %0 : tensor<96x20x20xf32>
}

// -----

// A weight is packed once, each way round by itself.
// WHY: [Passed] product {{.*}}'n' is 1 product of 30x40 by 40x40, packed in @prepare
// WHY: [Passed] product {{.*}}'m' is 1 product of 30x40 by 40x40, packed in @prepare
// CHECK: kernel.prepared @w.w.panels.at0x40x40x1x1.transposed
// CHECK: kernel.prepared @w.w.panels.at0x40x40x1x1 at
sg.weight @w : tensor<40x40xf32>
sg.graph @main(%a: tensor<30x40xf32> {sg.name = "a"}) -> (tensor<30x40xf32>, tensor<30x40xf32>) {
  %w = sg.parameter @w : tensor<40x40xf32>
  %0 = sg.dot(%a, %w) : (tensor<30x40xf32>, tensor<40x40xf32>) -> tensor<30x40xf32> loc("n")
  %1 = sg.dot(%a, %w) {transpose_b = true} : (tensor<30x40xf32>, tensor<40x40xf32>) -> tensor<30x40xf32> loc("m")
  sg.heads %0, %1 : tensor<30x40xf32>, tensor<30x40xf32>
}

// -----

// Matrices of one weight are packed in one piece, too.
// WHY: [Passed] product {{.*}}'n' is 3 products of 20x30 by 30x20, packed in @prepare
// CHECK: kernel.prepared @w.w.panels.at0x3x20x30x1x1.every600.transposed
// CHECK: kernel.pack_panels {{.*}} : memref<3x20x30x1x1xf32{{.*}} to memref<3x2x2x1x1x16x16xf32>
sg.weight @w : tensor<3x30x20xf32>
sg.graph @main(%x: tensor<3x20x30xf32> {sg.name = "x"}) -> (tensor<3x20x20xf32>) {
  %w = sg.parameter @w : tensor<3x30x20xf32>
  %0 = sg.batch_dot(%x, %w) : (tensor<3x20x30xf32>, tensor<3x30x20xf32>) -> tensor<3x20x20xf32> loc("n")
  sg.heads %0 : tensor<3x20x20xf32>
}

// -----

// Two heads of two elements: queries and keys lie three parts of six apart in rows of a batch.
// WHY: [Passed] product {{.*}}'n' is 4 products of 40x12 by 12x40, packed at each run
// CHECK: kernel.program @main_program
// CHECK: memref.reinterpret_cast %[[Q:.*]] to offset: [12], sizes: [4, 40, 12, 1, 1], strides: [36, 144, 1, 0, 0]
// CHECK: memref.reinterpret_cast %[[Q]] to offset: [0], sizes: [4, 1, 1, 40, 16], strides: [36, 16, 0, 144, 1]
sg.graph @main(%q: tensor<40x2x72xf32> {sg.name = "q"}) -> (tensor<4x40x40xf32>) {
  %0 = sg.interleaved_qk(%q) {heads = 2 : i64, is_self = true} : (tensor<40x2x72xf32>) -> tensor<4x40x40xf32> loc("n")
  sg.heads %0 : tensor<4x40x40xf32>
}

// -----

// Nearest misses.
// WHY: [Missed] product {{.*}}'few' does not fit rule 'product': its result has 7 columns, panels have 16
// WHY: [Missed] product {{.*}}'small' does not fit rule 'product': it takes 6400 multiplications, packing pays from 8192 on
sg.graph @main(%a: tensor<15x200xf32> {sg.name = "a"}, %b: tensor<200x7xf32> {sg.name = "b"}, %c: tensor<8x40xf32> {sg.name = "c"}, %d: tensor<40x20xf32> {sg.name = "d"}) -> (tensor<15x7xf32>, tensor<8x20xf32>) {
  %0 = sg.dot(%a, %b) : (tensor<15x200xf32>, tensor<200x7xf32>) -> tensor<15x7xf32> loc("few")
  %1 = sg.dot(%c, %d) : (tensor<8x40xf32>, tensor<40x20xf32>) -> tensor<8x20xf32> loc("small")
  sg.heads %0, %1 : tensor<15x7xf32>, tensor<8x20xf32>
}

// -----

// Many rows are worth lanes of few columns.
// WHY: [Passed] product {{.*}}'column' is 1 product of 16x600 by 600x1, packed at each run
sg.graph @main(%a: tensor<16x600xf32> {sg.name = "a"}, %b: tensor<600x1xf32> {sg.name = "b"}) -> (tensor<16x1xf32>) {
  %0 = sg.dot(%a, %b) : (tensor<16x600xf32>, tensor<600x1xf32>) -> tensor<16x1xf32> loc("column")
  sg.heads %0 : tensor<16x1xf32>
}

// -----

// Of a weight, which is packed once, fewer pay.
// WHY: [Passed] product {{.*}}'small' is 1 product of 8x40 by 40x20, packed in @prepare
// WHY: [Missed] product {{.*}}'smallest' does not fit rule 'product': it takes 800 multiplications, packing pays from 1024 on
sg.weight @w : tensor<40x20xf32>
sg.graph @main(%a: tensor<8x40xf32> {sg.name = "a"}, %b: tensor<1x40xf32> {sg.name = "b"}) -> (tensor<8x20xf32>, tensor<1x20xf32>) {
  %w = sg.parameter @w : tensor<40x20xf32>
  %0 = sg.dot(%a, %w) : (tensor<8x40xf32>, tensor<40x20xf32>) -> tensor<8x20xf32> loc("small")
  %1 = sg.dot(%b, %w) : (tensor<1x40xf32>, tensor<40x20xf32>) -> tensor<1x20xf32> loc("smallest")
  sg.heads %0, %1 : tensor<8x20xf32>, tensor<1x20xf32>
}

// -----

// A weight of few columns is packed once.
// WHY: [Passed] product {{.*}}'few' is 1 product of 80x40 by 40x7, packed in @prepare
sg.weight @w : tensor<40x7xf32>
sg.graph @main(%a: tensor<80x40xf32> {sg.name = "a"}) -> (tensor<80x7xf32>) {
  %w = sg.parameter @w : tensor<40x7xf32>
  %0 = sg.dot(%a, %w) : (tensor<80x40xf32>, tensor<40x7xf32>) -> tensor<80x7xf32> loc("few")
  sg.heads %0 : tensor<80x7xf32>
}

// -----

// The batch and the rows may be known only at run time.
// WHY: [Passed] product {{.*}}'n' is s0 products of s1x40 by 40x20, packed at each run
// WHY: [Passed] product {{.*}}'m' is 1 product of (s0 * s1)x40 by 40x20, packed in @prepare
#x = #sg.extents<()[s0, s1] -> (s0, s1, 40)>
#y = #sg.extents<()[s0, s1] -> (s0, 40, 20)>
#z = #sg.extents<()[s0, s1] -> (s0, s1, 20)>
sg.weight @w : tensor<40x20xf32>
// CHECK: kernel.program @main_program
// CHECK: kernel.buffer({{.*}}) : memref<?x2x3x1x1x16x16xf32>
// CHECK: kernel.conv data({{.*}} : memref<?x3x1x?x16xf32{{.*}}in_channels = 40 : i64{{.*}} out_channels = 20 : i64
// CHECK: kernel.conv data({{.*}} : memref<1x3x1x?x16xf32{{.*}}in_channels = 40 : i64{{.*}} out_channels = 20 : i64
// CHECK-NOT: kernel.call
// CHECK: kernel.program @prepare_program
sg.graph @main(%x: tensor<?x?x40xf32, #x> {sg.name = "x"}, %y: tensor<?x40x20xf32, #y> {sg.name = "y"}) -> (tensor<?x?x20xf32, #z>, tensor<?x?x20xf32, #z>) attributes {dim_max = array<i64: 4, 32>, dim_min = array<i64: 1, 1>} {
  %w = sg.parameter @w : tensor<40x20xf32>
  %0 = sg.batch_dot(%x, %y) : (tensor<?x?x40xf32, #x>, tensor<?x40x20xf32, #y>) -> tensor<?x?x20xf32, #z> loc("n")
  %1 = sg.dot(%x, %w) : (tensor<?x?x40xf32, #x>, tensor<40x20xf32>) -> tensor<?x?x20xf32, #z> loc("m")
  sg.heads %0, %1 : tensor<?x?x20xf32, #z>, tensor<?x?x20xf32, #z>
}

// -----

// So may columns and terms: whole blocks of both, zeros behind the rows of the left matrix, columns
// to spare that are left out of the copy. Device kernels have constants there.
// WHY: [Passed] product {{.*}}'scores' is 8 products of s0x40 by 40xs0, packed at each run
// WHY: [Passed] product {{.*}}'values' is 8 products of s0xs0 by s0x40, packed at each run
// WHY: [Missed] product {{.*}}'sum' does not fit rule 'product': its columns or terms are known only at run time, and another matrix is added
// DEVICE: [Missed] product {{.*}}'scores' does not fit rule 'product': its columns or terms are known only at run time
// DEVICE: [Missed] product {{.*}}'values' does not fit rule 'product': its columns or terms are known only at run time
#rows = #sg.extents<()[s0] -> (8, s0, 40)>
#square = #sg.extents<()[s0] -> (8, s0, s0)>
// CHECK: kernel.program @main_program
// CHECK: kernel.pack_panels {{.*}} : memref<8x?x40x1x1xf32{{.*}} to memref<8x?x3x1x1x16x16xf32>
// CHECK: kernel.conv data({{.*}} : memref<8x3x1x?x16xf32{{.*}} out({{.*}} : memref<8x?x1x?x16xf32{{.*}}in_channels = 40 : i64{{.*}} out_channels = 112 : i64
// CHECK: kernel.copy {{.*}} : memref<8x?x?xf32{{.*}} to memref<8x?x?xf32
// CHECK: kernel.copy {{.*}} : memref<8x?x?xf32{{.*}} to memref<8x?x?xf32
// CHECK: kernel.fill {{.*}} 0.000000e+00
// CHECK: kernel.pack_panels {{.*}} : memref<8x40x?x1x1xf32{{.*}} to memref<8x3x?x1x1x16x16xf32>
// CHECK: kernel.conv data({{.*}} : memref<8x?x1x?x16xf32{{.*}} out({{.*}} : memref<8x3x1x?x16xf32{{.*}}in_channels = 112 : i64{{.*}} out_channels = 40 : i64
// CHECK: kernel.call "symc_ref_linalg_gemm_f32"
sg.graph @main(%q: tensor<8x?x40xf32, #rows> {sg.name = "q"}, %k: tensor<8x?x40xf32, #rows> {sg.name = "k"}) -> (tensor<8x?x40xf32, #rows>, tensor<8x?x?xf32, #square>) attributes {dim_max = array<i64: 100>, dim_min = array<i64: 1>} {
  %0 = sg.batch_dot(%q, %k) {transpose_b = true} : (tensor<8x?x40xf32, #rows>, tensor<8x?x40xf32, #rows>) -> tensor<8x?x?xf32, #square> loc("scores")
  %1 = sg.batch_dot(%0, %k) : (tensor<8x?x?xf32, #square>, tensor<8x?x40xf32, #rows>) -> tensor<8x?x40xf32, #rows> loc("values")
  %2 = sg.linalg_gemm(%q, %k, %0) {transpose_b = true} : (tensor<8x?x40xf32, #rows>, tensor<8x?x40xf32, #rows>, tensor<8x?x?xf32, #square>) -> tensor<8x?x?xf32, #square> loc("sum")
  sg.heads %1, %2 : tensor<8x?x40xf32, #rows>, tensor<8x?x?xf32, #square>
}

// -----

// The nodes behind a product are its epilogue: a factor, a mask that repeats in rows and in the batch, a
// residual. All are read in the coordinates of the product.
// WHY: [Passed] product {{.*}}'n' is 4 products of 20x32 by 32x24, packed at each run
// CHECK: kernel.program @main_program
// CHECK: ^bb0(%[[X:.*]]: memref<2x2x20x32xf32>, %{{.*}}: memref<{{.*}}>, %[[MASK:.*]]: memref<24xf32>, %[[MORE:.*]]: memref<2x2x20x24xf32>, %[[OUT:.*]]: memref<2x2x20x24xf32>):
// CHECK-DAG: memref.reinterpret_cast %[[MASK]] to offset: [0], sizes: [4, 2, 1, 20, 16], strides: [0, 16, 0, 0, 1]
// CHECK-DAG: memref.reinterpret_cast %[[MORE]] to offset: [0], sizes: [4, 2, 1, 20, 16], strides: [480, 16, 0, 24, 1]
// CHECK: kernel.conv
// CHECK: ^bb0(%[[SUM:.*]]: f32, %[[M:.*]]: f32, %[[R:.*]]: f32):
// CHECK: %[[HALF:.*]] = arith.mulf %[[SUM]]
// CHECK: %[[ADDED:.*]] = arith.addf %[[HALF]], %[[M]]
// CHECK: arith.addf %[[ADDED]], %[[R]]
// CHECK-NOT: kernel.loops
// CHECK: kernel.program @prepare_program
sg.graph @main(%x: tensor<2x2x20x32xf32> {sg.name = "x"}, %y: tensor<2x2x32x24xf32> {sg.name = "y"}, %mask: tensor<24xf32> {sg.name = "mask"}, %more: tensor<2x2x20x24xf32> {sg.name = "more"}) -> (tensor<2x2x20x24xf32>) {
  %0 = sg.fused(%x, %y, %mask, %more) : (tensor<2x2x20x32xf32>, tensor<2x2x32x24xf32>, tensor<24xf32>, tensor<2x2x20x24xf32>) -> tensor<2x2x20x24xf32> body {
  ^bb0(%a: tensor<2x2x20x32xf32>, %b: tensor<2x2x32x24xf32>, %m: tensor<24xf32>, %r: tensor<2x2x20x24xf32>):
    %1 = sg.linalg_gemm2(%a, %b) : (tensor<2x2x20x32xf32>, tensor<2x2x32x24xf32>) -> tensor<2x2x20x24xf32> loc("n")
    %2 = sg.scalar(%1) {fn = "mul", scalar = 0.5 : f64} : (tensor<2x2x20x24xf32>) -> tensor<2x2x20x24xf32>
    %3 = sg.binary(%2, %m) {fn = "add", broadcast = true} : (tensor<2x2x20x24xf32>, tensor<24xf32>) -> tensor<2x2x20x24xf32>
    %4 = sg.binary(%3, %r) {fn = "add"} : (tensor<2x2x20x24xf32>, tensor<2x2x20x24xf32>) -> tensor<2x2x20x24xf32>
    sg.yield %4 : tensor<2x2x20x24xf32>
  }
  sg.heads %0 : tensor<2x2x20x24xf32>
}

// -----

// A mask of the elements of the batch that repeats for heads has no distance between products: the nodes
// behind the product are one walk.
// WHY: [Missed] product {{.*}}an operand of the nodes around it cannot be read in the form of its result
// WHY: [Missed] split {{.*}}no kernel takes the whole group; 'n' is computed apart from the nodes around it
// CHECK: kernel.program @main_program
// CHECK: kernel.conv
// CHECK: kernel.loops
// CHECK-NOT: kernel.loops
// CHECK: kernel.program @prepare_program
sg.graph @main(%x: tensor<2x2x20x32xf32> {sg.name = "x"}, %y: tensor<2x2x32x24xf32> {sg.name = "y"}, %mask: tensor<2x1x1x24xf32> {sg.name = "mask"}) -> (tensor<2x2x20x24xf32>) {
  %0 = sg.fused(%x, %y, %mask) : (tensor<2x2x20x32xf32>, tensor<2x2x32x24xf32>, tensor<2x1x1x24xf32>) -> tensor<2x2x20x24xf32> body {
  ^bb0(%a: tensor<2x2x20x32xf32>, %b: tensor<2x2x32x24xf32>, %m: tensor<2x1x1x24xf32>):
    %1 = sg.linalg_gemm2(%a, %b) : (tensor<2x2x20x32xf32>, tensor<2x2x32x24xf32>) -> tensor<2x2x20x24xf32> loc("n")
    %2 = sg.scalar(%1) {fn = "mul", scalar = 0.5 : f64} : (tensor<2x2x20x24xf32>) -> tensor<2x2x20x24xf32>
    %3 = sg.binary(%2, %m) {fn = "add", broadcast = true} : (tensor<2x2x20x24xf32>, tensor<2x1x1x24xf32>) -> tensor<2x2x20x24xf32>
    sg.yield %3 : tensor<2x2x20x24xf32>
  }
  sg.heads %0 : tensor<2x2x20x24xf32>
}

// Windows that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': parameter 'kernel' is (), needs one to three extents unless global_pool is set
sg.graph @pooling_c1(%data: tensor<1x2x8x7xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling(%data) {pool_type = "avg"} : (tensor<1x2x8x7xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': parameter 'pad' is (2, 1), needs extents smaller than kernel (2, 2)
sg.graph @pooling_c2(%data: tensor<1x2x8x7xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling(%data) {kernel = array<i64: 2, 2>, pad = array<i64: 2, 1>} : (tensor<1x2x8x7xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [1, 2, 8] but kernel (3, 3) needs rank 4
sg.graph @pooling_c3(%data: tensor<1x2x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling(%data) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>} : (tensor<1x2x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [2, 8], needs rank 3 to 5
sg.graph @pooling_c3_global(%data: tensor<2x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling(%data) {global_pool = true} : (tensor<2x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [1, 2, 8, 2]: the kernel spans 3 along axis 3 but the padded image has 2
sg.graph @pooling_c4(%data: tensor<1x2x8x2xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling(%data) {kernel = array<i64: 3, 3>} : (tensor<1x2x8x2xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': parameter 'p_value' is 4, needs 1, 2 or 3 with pool_type = lp
sg.graph @pooling_c5(%data: tensor<1x2x8x7xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling(%data) {global_pool = true, pool_type = "lp", p_value = 4 : i64} : (tensor<1x2x8x7xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': parameter 'pad_end' is (1, 2), needs extents smaller than kernel (2, 2)
sg.graph @pooling_c2_behind(%data: tensor<1x2x8x7xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling(%data) {kernel = array<i64: 2, 2>, pad_end = array<i64: 1, 2>} : (tensor<1x2x8x7xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

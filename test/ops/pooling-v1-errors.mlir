// Windows that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': parameter 'kernel' is (), needs two or three extents unless global_pool is set
sg.graph @pooling_v1_c1(%data: tensor<1x2x8x7xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling_v1(%data) {pool_type = "avg"} : (tensor<1x2x8x7xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': parameter 'stride' is (0, 1), {{.*}}
sg.graph @pooling_v1_c2(%data: tensor<1x2x8x7xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling_v1(%data) {kernel = array<i64: 2, 2>, stride = array<i64: 0, 1>} : (tensor<1x2x8x7xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [1, 2, 8] but kernel (3, 3) needs rank 4
sg.graph @pooling_v1_c3(%data: tensor<1x2x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling_v1(%data) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>} : (tensor<1x2x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [2, 8], needs rank 3 to 5
sg.graph @pooling_v1_c3_global(%data: tensor<2x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling_v1(%data) {global_pool = true} : (tensor<2x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [1, 2, 8, 2]: the kernel spans 3 along axis 3 but the padded image has 2
sg.graph @pooling_v1_c4(%data: tensor<1x2x8x2xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling_v1(%data) {kernel = array<i64: 3, 3>} : (tensor<1x2x8x2xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

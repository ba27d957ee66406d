// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Update steps: one shape for all tensors, states behind the weight, wide weights in float32.

// CHECK-LABEL: sg.graph @sgd_update(
// CHECK: sg.sgd_update({{.*}} -> tensor<3x4xf32>
sg.graph @sgd_update(%a: tensor<3x4xf32>, %b: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.sgd_update(%a, %b) {lr = 0.1 : f64} :
      (tensor<3x4xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @sgd_backwards(
// CHECK: sg.sgd_mom_update({{.*}} -> (tensor<3x4xf64>, tensor<3x4xf64>)
sg.graph @sgd_backwards(%a: tensor<*x!sg.unknown>, %b: tensor<*x!sg.unknown>, %c: tensor<3x4xf64>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.sgd_mom_update(%a, %b, %c) {lr = 0.1 : f64} :
      (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<3x4xf64>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @mp_sgd_mom_update(
// CHECK: sg.mp_sgd_mom_update({{.*}} -> (tensor<3xf16>, tensor<3xf32>, tensor<3xf32>)
sg.graph @mp_sgd_mom_update(%a: tensor<3xf16>, %b: tensor<*x!sg.unknown>, %c: tensor<*x!sg.unknown>, %d: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:3 = sg.mp_sgd_mom_update(%a, %b, %c, %d) {lr = 0.1 : f64} :
      (tensor<3xf16>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @adamw_update(
// CHECK: sg.adamw_update({{.*}} -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>)
sg.graph @adamw_update(%a: tensor<3xf64>, %b: tensor<*x!sg.unknown>, %c: tensor<*x!sg.unknown>, %d: tensor<*x!sg.unknown>, %e: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:3 = sg.adamw_update(%a, %b, %c, %d, %e) {lr = 0.1 : f64, eta = 1.0 : f64} :
      (tensor<3xf64>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @lamb_update_phase2(
// CHECK: sg.mp_lamb_update_phase2({{.*}} -> (tensor<3xf16>, tensor<3xf32>)
sg.graph @lamb_update_phase2(%a: tensor<3xf16>, %b: tensor<*x!sg.unknown>, %c: tensor<*x!sg.unknown>, %d: tensor<*x!sg.unknown>, %e: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.mp_lamb_update_phase2(%a, %b, %c, %d, %e) {lr = 0.1 : f64} :
      (tensor<3xf16>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @mp_lamb_update_phase1(
// CHECK: sg.mp_lamb_update_phase1({{.*}} -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
sg.graph @mp_lamb_update_phase1(%a: tensor<3xf16>, %b: tensor<*x!sg.unknown>, %c: tensor<*x!sg.unknown>, %d: tensor<*x!sg.unknown>, %e: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:3 = sg.mp_lamb_update_phase1(%a, %b, %c, %d, %e) {t = 1 : i64, wd = 0.0 : f64} :
      (tensor<3xf16>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @multi_lars(
// CHECK: sg.multi_lars({{.*}} -> tensor<3xf32>
sg.graph @multi_lars(%a: tensor<3xf32>, %b: tensor<*x!sg.unknown>, %c: tensor<*x!sg.unknown>, %d: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.multi_lars(%a, %b, %c, %d) {eta = 0.1 : f64, eps = 0.0 : f64} :
      (tensor<3xf32>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @multi_sum_sq(
// CHECK: sg.multi_sum_sq({{.*}} -> tensor<2xf32>
sg.graph @multi_sum_sq(%a: tensor<3x2xf16>, %b: tensor<5xf16>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.multi_sum_sq(%a, %b) {num_arrays = 2 : i64} :
      (tensor<3x2xf16>, tensor<5xf16>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @all_finite(
// CHECK: sg.all_finite({{.*}} -> tensor<1xf32>
sg.graph @all_finite(%a: tensor<3x2xf16>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.all_finite(%a) :
      (tensor<3x2xf16>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

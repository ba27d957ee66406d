// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Densities have the shape of the places, Dirichlet's without their last axis.

// CHECK-LABEL: sg.graph @random_pdf(
// CHECK: -> tensor<2x3xf32>
sg.graph @random_pdf(%a: tensor<2x3xf32>, %b: tensor<2xf32>, %c: tensor<*xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.random_pdf(%a, %b, %c) {kind = "gamma"} :
      (tensor<2x3xf32>, tensor<2xf32>, tensor<*xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @random_pdf_one(
// CHECK: -> tensor<2x3xf32>
sg.graph @random_pdf_one(%a: tensor<2x3xf32>, %b: tensor<2xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.random_pdf_one(%a, %b) {kind = "poisson"} :
      (tensor<2x3xf32>, tensor<2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @random_pdf_dirichlet(
// CHECK: -> tensor<2x3xf32>
sg.graph @random_pdf_dirichlet(%a: tensor<2x3x4xf32>, %b: tensor<2x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.random_pdf_dirichlet(%a, %b) {is_log = true} :
      (tensor<2x3x4xf32>, tensor<2x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @random_pdf_dirichlet_of_one_place(
// CHECK: sg.random_pdf_dirichlet({{.*}} -> tensor<1xf32>
sg.graph @random_pdf_dirichlet_of_one_place(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<*xf32>) {
  %0 = sg.random_pdf_dirichlet(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// If this fails, sg.custom does not survive printing, or its library's functions are not asked for
// shapes of numbers, of ranges, and of inputs that they find.
// RUN: %llvm_bin/clang -shared -fPIC -I%build/share/symc/include %S/Inputs/odd_operators.c -o %t.so
// RUN: %llvm_bin/clang -c -fPIC -I%build/share/symc/include %examples/custom-op/scale.c -o %t.o
// RUN: symc-opt --custom-op=%t.so --custom-op=%t.o %s | symc-opt --custom-op=%t.so,%t.o --custom-op=%t.o --sg-infer-shapes --sg-infer-types | FileCheck %s

// CHECK-LABEL: sg.graph @elementwise
sg.graph @elementwise(%a0: tensor<*x!sg.unknown>) -> tensor<2x3xf64> {
  // CHECK: sg.custom(%{{.*}}) {op_type = "my_scale", params = {alpha = 2.000000e+00 : f64}} : (tensor<2x3xf64>) -> tensor<2x3xf64>
  %0 = sg.custom(%a0) {op_type = "my_scale", params = {alpha = 2.0}} : (tensor<*x!sg.unknown>) -> tensor<2x3xf64>
  sg.heads %0 : tensor<2x3xf64>
}

// CHECK-LABEL: sg.graph @weight
sg.graph @weight(%a0: tensor<2x3xf32>, %a1: tensor<*xf32>) -> tensor<*xf32> {
  // CHECK: sg.custom(%{{.*}}) {op_type = "my_row_norm", params = {}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %0 = sg.custom(%a0, %a1) {op_type = "my_row_norm", params = {}} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @range
sg.graph @range(%a0: tensor<?x3xf32, #sg.extents<()[s0] -> (s0 + 1, 3)>>) -> tensor<*xf32>
    attributes {dim_min = array<i64: 2>, dim_max = array<i64: 5>} {
  // CHECK: -> tensor<?x3xf32, #sg.extents<()[s0] -> (s0 * 2 + 2, 3)>>
  %0 = sg.custom(%a0) {op_type = "odd", params = {how = "twice"}} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0 + 1, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

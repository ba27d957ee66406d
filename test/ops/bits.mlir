// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// The same bits in another type.

// CHECK-LABEL: sg.graph @bit_cast(
// CHECK: sg.bit_cast({{.*}} -> tensor<5x3xi32>
sg.graph @bit_cast(%a: tensor<5x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.bit_cast(%a) {dtype = "int32"} : (tensor<5x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// bool fills a byte.
// CHECK-LABEL: sg.graph @bit_cast_bool(
// CHECK: sg.bit_cast({{.*}} -> tensor<5x3xui8>
sg.graph @bit_cast_bool(%a: tensor<5x3xi1>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.bit_cast(%a) {dtype = "uint8"} : (tensor<5x3xi1>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

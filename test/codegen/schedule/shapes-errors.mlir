// If this fails, a value whose shape nothing decided gets to layouts and steps, which end with a
// signal there. No symbol leads here; shape inference refuses it before.
// RUN: not symc-opt --kernel-choose-layouts -split-input-file %s 2>&1 | FileCheck %s
// RUN: not symc-opt --kernel-choose-layouts=reference -split-input-file %s 2>&1 | FileCheck %s
// RUN: not symc-opt --kernel-schedule -split-input-file %s 2>&1 | FileCheck %s

// CHECK: internal error: output 0 of node 'labels' reaches code generation with shape unknown, needs every extent
sg.graph @main(%x: tensor<2x3xf32> {sg.name = "x"}) -> (tensor<*x!sg.unknown>) {
  %0 = sg.unary(%x) {fn = "relu"} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown> loc("labels")
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

// CHECK: error: internal error: argument 'label' reaches code generation with shape [?, 3], needs every extent
sg.graph @main(%x: tensor<2x3xf32> {sg.name = "x"}, %y: tensor<?x3xf32> {sg.name = "label"}) -> (tensor<2x3xf32>) {
  sg.heads %x : tensor<2x3xf32>
}

// -----

// CHECK: error: internal error: weight 'w' reaches code generation with shape unknown, needs every extent
sg.weight @w : tensor<*x!sg.unknown>
sg.graph @main(%x: tensor<2x3xf32> {sg.name = "x"}) -> (tensor<2x3xf32>) {
  sg.heads %x : tensor<2x3xf32>
}

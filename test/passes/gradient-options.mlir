// If this fails, a gradient that nobody wants is computed, or one is not added to what is given.
// RUN: symc-opt %s -sg-gradient="arguments=all added=a dropped=b" | FileCheck %s

// CHECK-LABEL: @main(
// CHECK-SAME: %[[G:[a-z0-9]+]]: tensor<3xf32> {sg.head_gradient = 0 : i64, sg.name = "head_grad:y"}, %[[BEFORE:[a-z0-9]+]]: tensor<3xf32> {sg.added_gradient = "a", sg.name = "grad:a"})
// CHECK-SAME: -> (tensor<3xf32> {sg.name = "y"}, tensor<3xf32> {sg.gradient = "a", sg.name = "grad:a"}) attributes
// CHECK:      %[[D:.+]] = sg.slope
// CHECK-NEXT: %[[S:.+]] = sg.binary(%[[BEFORE]], %[[D]]) {fn = "add"}
// CHECK-NEXT: sg.heads %{{.+}}, %[[S]]
sg.graph @main(%a: tensor<3xf32> {sg.name = "a"}, %b: tensor<3xf32> {sg.name = "b"}, %n: tensor<3xi32> {sg.name = "n"})
    -> (tensor<3xf32> {sg.name = "y"}) attributes {training} {
  %y = sg.binary(%a, %b) {fn = "mul"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %y : tensor<3xf32>
}

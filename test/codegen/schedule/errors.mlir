// If this fails, a node without any kernel is a crash or a wrong program.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule -split-input-file -verify-diagnostics %s

sg.graph @main(%x: tensor<2x3xi1> {sg.name = "x"}) -> (tensor<2x3xi1>) {
  // expected-error @below {{'sg.softmax' op node '' has no lowering for element type bool on target 'cpu'}}
  // expected-note @below {{see docs/generated/operators.md for what each operator supports}}
  %0 = sg.softmax(%x) {axis = 1 : i64} : (tensor<2x3xi1>) -> tensor<2x3xi1>
  sg.heads %0 : tensor<2x3xi1>
}

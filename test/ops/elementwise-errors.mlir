// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of an elementwise operator is an error that names both shapes.

sg.graph @unary_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.unary(%a) {fn = "exp"} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @scalar_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.scalar(%a) {fn = "add", scalar = 1.5} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @activation_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.activation(%a) {act_type = "relu"} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @clip_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.clip(%a) {a_min = 0.0, a_max = 6.0} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @hard_sigmoid_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.hard_sigmoid(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @smooth_l1_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.smooth_l1(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @quadratic_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.quadratic(%a) {a = 1.0} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @cast_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.cast(%a) {dtype = "float32"} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @copy_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.copy(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @block_grad_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.block_grad(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @gradient_multiplier_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.gradient_multiplier(%a) {scalar = 2.0} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @fill_like_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.fill_like(%a) {value = 1.0} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @binary_c1(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{rhs has shape [2, 4] but needs [2, 3]}}
  %0 = sg.binary(%a, %b) {fn = "add"} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @binary_c2(%a: tensor<2x3xf32>, %b: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{lhs has shape [2, 3] and rhs [4]: extents 3 and 4 meet and neither is 1}}
  %0 = sg.binary(%a, %b) {fn = "add", broadcast = true} :
      (tensor<2x3xf32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @leaky_relu_c1(%a: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.leaky_relu(%a) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @leaky_relu_c2(%a: tensor<2x3x4xf32>, %b: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{gamma has shape [4] but needs [3]}}
  %0 = sg.leaky_relu(%a, %b) {act_type = "prelu"} :
      (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @leaky_relu_c2_elements(%a: tensor<2x3x4xf32>, %b: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{gamma has shape [2, 3, 4] but needs [3]}}
  %0 = sg.leaky_relu(%a, %b) {act_type = "prelu"} :
      (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @leaky_relu_c2_rows(%a: tensor<2x3x4xf32>, %b: tensor<3x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{gamma has shape [3, 4] but needs [2, 3]}}
  %0 = sg.leaky_relu(%a, %b) {act_type = "prelu"} :
      (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @add_n_c1(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{args2 has shape [3] but needs [2]}}
  %0 = sg.add_n(%a, %b, %c) {num_args = 3} :
      (tensor<2xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @amp_multicast_c1(%a: tensor<2xf16>, %b: tensor<3xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  // expected-error @+1 {{outputs1 has shape [4] but needs [3]}}
  %0:2 = sg.amp_multicast(%a, %b) {num_outputs = 2} :
      (tensor<2xf16>, tensor<3xf32>) -> (tensor<2xf32>, tensor<4xf32>)
  sg.heads %0#0, %0#1 : tensor<2xf32>, tensor<4xf32>
}

// -----

sg.graph @copy_like_c1(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{rhs has shape [3, 2] but needs [2, 3]}}
  %0 = sg.copy_like(%a, %b) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @where_c1(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %c: tensor<3x2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{y has shape [3, 2] but needs [2, 3]}}
  %0 = sg.where(%a, %b, %c) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @where_c2(%a: tensor<4xf32>, %b: tensor<2x3xf32>, %c: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{condition has shape [4] but needs [2]}}
  %0 = sg.where(%a, %b, %c) : (tensor<4xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Elementwise operators survive a round trip; shapes and types flow between all operands and
// the result, whichever is known.

// CHECK-LABEL: sg.graph @unary_forward(
// CHECK: sg.unary({{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @unary_forward(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.unary(%a) {fn = "exp"} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @scalar_forward(
// CHECK: sg.scalar({{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @scalar_forward(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.scalar(%a) {fn = "add", scalar = 1.5} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @activation_forward(
// CHECK: sg.activation({{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @activation_forward(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.activation(%a) {act_type = "relu"} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @clip_forward(
// CHECK: sg.clip({{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @clip_forward(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.clip(%a) {a_min = 0.0, a_max = 6.0} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @hard_sigmoid_forward(
// CHECK: sg.hard_sigmoid({{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @hard_sigmoid_forward(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.hard_sigmoid(%a) : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @smooth_l1_forward(
// CHECK: sg.smooth_l1({{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @smooth_l1_forward(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.smooth_l1(%a) : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @quadratic_forward(
// CHECK: sg.quadratic({{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @quadratic_forward(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.quadratic(%a) {a = 1.0} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @cast_forward(
// CHECK: sg.cast({{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @cast_forward(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.cast(%a) {dtype = "float32"} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @copy_forward(
// CHECK: sg.copy({{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @copy_forward(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.copy(%a) : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @fill_like_forward(
// CHECK: sg.fill_like({{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @fill_like_forward(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.fill_like(%a) {value = 1.0} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @unary_backward(
// CHECK: sg.unary({{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @unary_backward(%a: tensor<*xf32>) -> (tensor<2x3xf32>) {
  %0 = sg.unary(%a) {fn = "tanh"} : (tensor<*xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// CHECK-LABEL: sg.graph @binary_backward(
// CHECK: sg.binary({{.*}}: (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @binary_backward(%a: tensor<2x?xf32>, %b: tensor<*xf32>) -> (tensor<?x3xf32>) {
  %0 = sg.binary(%a, %b) {fn = "add"} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<?x3xf32>
  sg.heads %0 : tensor<?x3xf32>
}

// CHECK-LABEL: sg.graph @binary_broadcast(
// CHECK: sg.binary({{.*}} -> tensor<2x3x4xf32>
sg.graph @binary_broadcast(%a: tensor<2x1x4xf32>, %b: tensor<3x1xf32>) -> (tensor<*xf32>) {
  %0 = sg.binary(%a, %b) {fn = "mul", broadcast = true} :
      (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @leaky_relu_gamma(
// CHECK: sg.leaky_relu({{.*}}: (tensor<2x3x4x4xf32>, tensor<3xf32>) -> tensor<2x3x4x4xf32>
sg.graph @leaky_relu_gamma(%a: tensor<2x3x4x4xf32>, %b: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.leaky_relu(%a, %b) {act_type = "prelu"} :
      (tensor<2x3x4x4xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @leaky_relu_mask(
// CHECK: sg.leaky_relu({{.*}}: (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
sg.graph @leaky_relu_mask(%a: tensor<*xf32>) -> (tensor<*xf32>, tensor<2x3xf32>) {
  %0:2 = sg.leaky_relu(%a) {act_type = "rrelu"} :
      (tensor<*xf32>) -> (tensor<*xf32>, tensor<2x3xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: sg.graph @leaky_relu_shared(
// CHECK: sg.leaky_relu({{.*}}: (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
sg.graph @leaky_relu_shared(%a: tensor<2x3xf32>, %b: tensor<1xf32>) -> (tensor<*xf32>) {
  %0 = sg.leaky_relu(%a, %b) {act_type = "prelu"} :
      (tensor<2x3xf32>, tensor<1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @leaky_relu_first_axis(
// CHECK: sg.leaky_relu({{.*}}: (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
sg.graph @leaky_relu_first_axis(%a: tensor<2x3x4xf32>, %b: tensor<2xf32>) -> (tensor<*xf32>) {
  %0 = sg.leaky_relu(%a, %b) {act_type = "prelu"} :
      (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @leaky_relu_elements(
// CHECK: sg.leaky_relu({{.*}}: (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
sg.graph @leaky_relu_elements(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>) -> (tensor<*xf32>) {
  %0 = sg.leaky_relu(%a, %b) {act_type = "prelu"} :
      (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @add_n_backward(
// CHECK: sg.add_n({{.*}}: (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @add_n_backward(%a: tensor<*xf32>, %b: tensor<2x3xf32>, %c: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.add_n(%a, %b, %c) {num_args = 3} :
      (tensor<*xf32>, tensor<2x3xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @cast_type(
// CHECK: sg.cast({{.*}} -> tensor<2x3xi32>
sg.graph @cast_type(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.cast(%a) {dtype = "int32"} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @cast_integers_stay(
// CHECK: sg.cast({{.*}} -> tensor<2x3xi32>
sg.graph @cast_integers_stay(%a: tensor<2x3xi32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.cast(%a) {dtype = "float16", floats_only = true} :
      (tensor<2x3xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @cast_float64_stays(
// CHECK: sg.cast({{.*}} -> tensor<2x3xf64>
sg.graph @cast_float64_stays(%a: tensor<2x3xf64>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.cast(%a) {dtype = "float32", floats_only = true} :
      (tensor<2x3xf64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @amp_multicast_types(
// CHECK: sg.amp_multicast({{.*}} -> (tensor<2xf32>, tensor<3xf32>)
sg.graph @amp_multicast_types(%a: tensor<2xf16>, %b: tensor<3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.amp_multicast(%a, %b) {num_outputs = 2} :
      (tensor<2xf16>, tensor<3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// float64 has no part in it, but as the first operand beside float16 alone.
// CHECK-LABEL: sg.graph @amp_multicast_float64(
// CHECK: sg.amp_multicast({{.*}} -> (tensor<2xf32>, tensor<3xf64>, tensor<2xf32>)
// CHECK: sg.amp_multicast({{.*}} -> (tensor<3xf64>, tensor<2xf64>)
sg.graph @amp_multicast_float64(%a: tensor<2xf16>, %b: tensor<3xf64>, %c: tensor<2xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:3 = sg.amp_multicast(%a, %b, %c) {num_outputs = 3} :
      (tensor<2xf16>, tensor<3xf64>, tensor<2xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  %1:2 = sg.amp_multicast(%b, %a) {num_outputs = 2} :
      (tensor<3xf64>, tensor<2xf16>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %1#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// To the narrowest: float32 unless an operand is shorter, whatever comes first.
// CHECK-LABEL: sg.graph @amp_multicast_narrow(
// CHECK: sg.amp_multicast({{.*}} -> (tensor<3xf64>, tensor<2xf32>)
// CHECK: sg.amp_multicast({{.*}} -> (tensor<2xf16>, tensor<3xf64>, tensor<2xf16>)
sg.graph @amp_multicast_narrow(%a: tensor<2xf16>, %b: tensor<3xf64>, %c: tensor<2xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.amp_multicast(%b, %c) {num_outputs = 2, cast_narrow = true} :
      (tensor<3xf64>, tensor<2xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  %1:3 = sg.amp_multicast(%c, %b, %a) {num_outputs = 3, cast_narrow = true} :
      (tensor<2xf32>, tensor<3xf64>, tensor<2xf16>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %1#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @copy_like_backward(
// CHECK: sg.copy_like({{.*}}: (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @copy_like_backward(%a: tensor<*xf32>, %b: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.copy_like(%a, %b) : (tensor<*xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @where_rows(
// CHECK: sg.where({{.*}}: (tensor<2xi32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @where_rows(%a: tensor<2xi32>, %b: tensor<2x3xf32>, %c: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.where(%a, %b, %c) : (tensor<2xi32>, tensor<2x3xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @where_backward(
// CHECK: sg.where({{.*}}: (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @where_backward(%a: tensor<*xf32>, %b: tensor<*xf32>, %c: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.where(%a, %b, %c) : (tensor<*xf32>, tensor<*xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

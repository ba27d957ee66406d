// If this fails, an operator reaches a target that has no lowering for it, or
// is rewritten into another function.
// RUN: symc-opt --sg-decompose %s | FileCheck %s
// RUN: symc-opt --sg-decompose --sg-decompose %s | FileCheck %s

// CHECK-LABEL: @activation(
// CHECK-NEXT: sg.unary({{.*}}) {fn = "softrelu"}
sg.graph @activation(%x: tensor<2x3xf32> {sg.name = "x"}) -> (tensor<2x3xf32>) {
  %0 = sg.activation(%x) {act_type = "softrelu"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @logistic(
// CHECK-NEXT: sg.unary({{.*}}) {fn = "sigmoid"}
sg.graph @logistic(%x: tensor<2x3xf32> {sg.name = "x"}, %label: tensor<2x3xf32> {sg.name = "label"}) -> (tensor<2x3xf32>) {
  %0 = sg.regression_output(%x, %label) {kind = "logistic"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// What has the chosen type already is passed on as it is.
// CHECK-LABEL: @amp_multicast(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2xf16> {{.*}}, %[[Y:[a-z0-9]+]]: tensor<3xf32>
// CHECK-NEXT: %[[WIDE:.*]] = sg.cast(%[[X]]) {dtype = "float32"}
// CHECK-NEXT: sg.heads %[[WIDE]], %[[Y]]
sg.graph @amp_multicast(%x: tensor<2xf16> {sg.name = "x"}, %y: tensor<3xf32> {sg.name = "y"}) -> (tensor<2xf32>, tensor<3xf32>) {
  %0:2 = sg.amp_multicast(%x, %y) {num_outputs = 2} : (tensor<2xf16>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
  sg.heads %0#0, %0#1 : tensor<2xf32>, tensor<3xf32>
}

// In training a slope for each element is drawn, as many as a run has.
// CHECK-LABEL: @rrelu_in_training(
// CHECK-SAME:    %[[X:[^ :]+]]
// CHECK: sg.random_like(%[[X]]) {high = 6.250000e-01 : f64, kind = "uniform", low = 1.250000e-01 : f64}
sg.graph @rrelu_in_training(%x: tensor<?xf32, #sg.extents<()[s0] -> (s0)>> {sg.name = "x"}) -> (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>)
    attributes {training, dim_names = ["T"], dim_min = array<i64: 1>, dim_max = array<i64: 9>} {
  %y = sg.leaky_relu(%x) {act_type = "rrelu", lower_bound = 0.125 : f64, upper_bound = 0.625 : f64} : (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<?xf32, #sg.extents<()[s0] -> (s0)>>
  sg.heads %y : tensor<?xf32, #sg.extents<()[s0] -> (s0)>>
}

// In prediction rrelu has one slope; the mask that holds it is made where it is asked for.
// CHECK-LABEL: @rrelu(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-NEXT: %[[MASK:.*]] = sg.fill_like(%[[X]]) {value = 3.750000e-01 : f64}
// CHECK-NEXT: %[[Y:.*]] = sg.leaky_relu(%[[X]]) {slope = 3.750000e-01 : f64}
// CHECK-NEXT: %[[Z:.*]] = sg.leaky_relu(%[[Y]]) {slope = 3.750000e-01 : f64}
// CHECK-NEXT: sg.heads %[[Z]], %[[MASK]]
sg.graph @rrelu(%x: tensor<2x3xf32> {sg.name = "x"}) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0:2 = sg.leaky_relu(%x) {act_type = "rrelu", lower_bound = 0.125 : f64, upper_bound = 0.625 : f64} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %1:2 = sg.leaky_relu(%0#0) {act_type = "rrelu", lower_bound = 0.125 : f64, upper_bound = 0.625 : f64} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  sg.heads %1#0, %0#1 : tensor<2x3xf32>, tensor<2x3xf32>
}

// Slopes of rows of the first axis, or of elements, are an operand that repeats.
// CHECK-LABEL: @prelu_of_rows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4xf32> {{.*}}, %[[G:[a-z0-9]+]]: tensor<2xf32>
// CHECK-NEXT: %[[SLOPES:.*]] = sg.reshape(%[[G]]) {shape = array<i64: 2, 1, 1>}
// CHECK-DAG: %[[ABOVE:.*]] = sg.scalar(%[[X]]) {fn = "greater"
// CHECK-DAG: %[[BELOW:.*]] = sg.binary(%[[X]], %[[SLOPES]]) {broadcast = true, fn = "mul"}
// CHECK-NEXT: sg.where(%[[ABOVE]], %[[X]], %[[BELOW]])
sg.graph @prelu_of_rows(%x: tensor<2x3x4xf32> {sg.name = "x"}, %g: tensor<2xf32> {sg.name = "g"}) -> (tensor<2x3x4xf32>) {
  %y = sg.leaky_relu(%x, %g) {act_type = "prelu"} : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  sg.heads %y : tensor<2x3x4xf32>
}

// CHECK-LABEL: @flatten(
// CHECK-NEXT: sg.reshape({{.*}}) {shape = array<i64: 2, 12>}
// CHECK-NEXT: sg.reshape({{.*}}) {shape = array<i64: 2, 1, 12>}
sg.graph @flatten(%x: tensor<2x3x4xf32> {sg.name = "x"}) -> (tensor<2x1x12xf32>) {
  %0 = sg.flatten(%x) : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  %1 = sg.expand_dims(%0) {axis = 1 : i64} : (tensor<2x12xf32>) -> tensor<2x1x12xf32>
  sg.heads %1 : tensor<2x1x12xf32>
}

// The label has no reader any more. By default the classes are everything
// behind the first extent; with multi_output they are axis 1.
// CHECK-LABEL: @softmax_output(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4xf32>
// CHECK: sg.reshape(%[[X]]) {shape = array<i64: 2, 12>}
// CHECK-NEXT: sg.softmax({{.*}}) {axis = 1 : i64}
// CHECK-NEXT: sg.reshape({{.*}}) {shape = array<i64: 2, 3, 4>}
// CHECK-NEXT: sg.softmax(%[[X]]) {axis = 1 : i64}
// CHECK-NEXT: sg.softmax(%[[X]]) {axis = 2 : i64}
sg.graph @softmax_output(%x: tensor<2x3x4xf32> {sg.name = "x"}, %label: tensor<2x4xf32> {sg.name = "label"}) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %0 = sg.softmax_output(%x, %label) : (tensor<2x3x4xf32>, tensor<2x4xf32>) -> tensor<2x3x4xf32>
  %1 = sg.softmax_output(%x, %label) {multi_output = true} : (tensor<2x3x4xf32>, tensor<2x4xf32>) -> tensor<2x3x4xf32>
  %2 = sg.softmax_output(%x, %label) {preserve_shape = true} : (tensor<2x3x4xf32>, tensor<2x4xf32>) -> tensor<2x3x4xf32>
  sg.heads %0, %1, %2 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// x * s + (beta - mean * s) with s = gamma / sqrt(var + eps), along the channel.
// CHECK-LABEL: @batch_norm(
// CHECK-SAME: %[[X:[a-z0-9]+]]: {{[^,]*}}, %[[G:[a-z0-9]+]]: {{[^,]*}}, %[[B:[a-z0-9]+]]: {{[^,]*}}, %[[M:[a-z0-9]+]]: {{[^,]*}}, %[[V:[a-z0-9]+]]:
// CHECK: %[[E:.*]] = sg.scalar(%[[V]]) {fn = "add", scalar = 1.000000e-02
// CHECK: %[[R:.*]] = sg.unary(%[[E]]) {fn = "rsqrt"}
// CHECK: %[[S:.*]] = sg.binary(%[[G]], %[[R]]) {fn = "mul"}
// CHECK: %[[MS:.*]] = sg.binary(%[[M]], %[[S]]) {fn = "mul"}
// CHECK: %[[T:.*]] = sg.binary(%[[B]], %[[MS]]) {fn = "sub"}
// CHECK: %[[SA:.*]] = sg.reshape(%[[S]]) {shape = array<i64: 1, 3, 1>}
// CHECK: %[[Y:.*]] = sg.binary(%[[X]], %[[SA]]) {broadcast = true, fn = "mul"}
// CHECK: %[[TA:.*]] = sg.reshape(%[[T]]) {shape = array<i64: 1, 3, 1>}
// CHECK: sg.binary(%[[Y]], %[[TA]]) {broadcast = true, fn = "add"}
sg.graph @batch_norm(%x: tensor<2x3x4xf32> {sg.name = "x"}, %g: tensor<3xf32> {sg.name = "g"}, %b: tensor<3xf32> {sg.name = "b"}, %m: tensor<3xf32> {sg.name = "m"}, %v: tensor<3xf32> {sg.name = "v"}) -> (tensor<2x3x4xf32>) {
  %0 = sg.batch_norm(%x, %g, %b, %m, %v) {eps = 1.000000e-02 : f64, fix_gamma = false} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  sg.heads %0 : tensor<2x3x4xf32>
}

// With fix_gamma gamma is one, whatever the file holds.
// CHECK-LABEL: @fixed_gamma(
// CHECK-SAME: %[[X:[a-z0-9]+]]: {{[^,]*}}, %[[G:[a-z0-9]+]]:
// CHECK-NOT: %[[G]]
// CHECK: sg.heads
sg.graph @fixed_gamma(%x: tensor<2x3xf32> {sg.name = "x"}, %g: tensor<3xf32> {sg.name = "g"}, %b: tensor<3xf32> {sg.name = "b"}, %m: tensor<3xf32> {sg.name = "m"}, %v: tensor<3xf32> {sg.name = "v"}) -> (tensor<2x3xf32>) {
  %0 = sg.batch_norm(%x, %g, %b, %m, %v) {fix_gamma = true} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// Who reads the statistics gets the moving ones; of BatchNorm_v1 the variance itself.
// CHECK-LABEL: @batch_norm_statistics(
// CHECK-SAME: %{{[a-z0-9]+}}: {{[^,]*}}, %{{[a-z0-9]+}}: {{[^,]*}}, %{{[a-z0-9]+}}: {{[^,]*}}, %[[M:[a-z0-9]+]]: {{[^,]*}}, %[[V:[a-z0-9]+]]:
// CHECK: %[[R:.*]] = sg.unary(%{{.*}}) {fn = "rsqrt"}
// CHECK-NOT: sg.batch_norm
// CHECK: %[[P:.*]] = sg.unary(%{{.*}}) {fn = "relu"}
// CHECK-NEXT: sg.heads %[[P]], %[[M]], %[[R]], %[[V]]
sg.graph @batch_norm_statistics(%x: tensor<2x3xf32> {sg.name = "x"}, %g: tensor<3xf32> {sg.name = "g"}, %b: tensor<3xf32> {sg.name = "b"}, %m: tensor<3xf32> {sg.name = "m"}, %v: tensor<3xf32> {sg.name = "v"}) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0:3 = sg.batch_norm(%x, %g, %b, %m, %v) {output_mean_var = true} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %1:3 = sg.batch_norm(%0#0, %g, %b, %m, %v) {output_mean_var = true, plain_variance = true} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %2 = sg.batch_norm_with_relu(%1#0, %g, %b, %m, %v) : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  sg.heads %2, %0#1, %0#2, %1#2 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// A range as long as a known extent reads no data; one of an open extent stays.
// CHECK-LABEL: @arange_like(
// CHECK: %[[A:.*]] = sg.arange(){{.*}}start = 1.000000e+00 : f64, step = 2.000000e+00 : f64{{.*}} : () -> tensor<6xf16>
// CHECK: %[[R:.*]] = sg.reshape(%[[A]]) {{.*}} -> tensor<2x3xf16>
// CHECK: %[[L:.*]] = sg.arange_like
// CHECK: sg.heads %[[R]], %[[L]]
#open = #sg.extents<()[s0] -> (s0, 3)>
#line = #sg.extents<()[s0] -> (s0)>
sg.graph @arange_like(%x: tensor<2x3xf16> {sg.name = "x"}, %y: tensor<?x3xf32, #open> {sg.name = "y"}) -> (tensor<2x3xf16>, tensor<?xf32, #line>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 8>} {
  %0 = sg.arange_like(%x) {start = 1.0 : f64, step = 2.0 : f64} : (tensor<2x3xf16>) -> tensor<2x3xf16>
  %1 = sg.arange_like(%y) {axis = 0 : i64} : (tensor<?x3xf32, #open>) -> tensor<?xf32, #line>
  sg.heads %0, %1 : tensor<2x3xf16>, tensor<?xf32, #line>
}

// Moves that another tensor describes, where its extents are known.
// CHECK-LABEL: @likes(
// CHECK: sg.transpose(%{{.*}}) {axes = array<i64: 2, 1, 0>}
// CHECK: %[[S:.*]] = sg.slice_axis(%{{.*}}) {axis = 1 : i64, begin = 0 : i64, end = 2 : i64}
// CHECK: sg.slice_axis(%[[S]]) {axis = 2 : i64, begin = 0 : i64, end = 3 : i64}
// CHECK: sg.broadcast_to
// CHECK-NOT: _like
sg.graph @likes(%x: tensor<4x5x6xf32> {sg.name = "x"}, %y: tensor<4x2x3xf32> {sg.name = "y"}, %z: tensor<4x1x3xf32> {sg.name = "z"}) -> (tensor<6x5x4xf32>, tensor<4x2x3xf32>, tensor<4x2x3xf32>) {
  %0 = sg.swap_axis(%x) {dim1 = 0 : i64, dim2 = -1 : i64} : (tensor<4x5x6xf32>) -> tensor<6x5x4xf32>
  %1 = sg.slice_like(%x, %y) : (tensor<4x5x6xf32>, tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  %2 = sg.broadcast_like(%z, %y) : (tensor<4x1x3xf32>, tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  sg.heads %0, %1, %2 : tensor<6x5x4xf32>, tensor<4x2x3xf32>, tensor<4x2x3xf32>
}

// Half data with float statistics is one node: its steps would round twice.
// CHECK-LABEL: @half_batch_norm(
// CHECK-NEXT: sg.batch_norm
sg.graph @half_batch_norm(%x: tensor<2x3xf16> {sg.name = "x"}, %g: tensor<3xf32> {sg.name = "g"}, %b: tensor<3xf32> {sg.name = "b"}, %m: tensor<3xf32> {sg.name = "m"}, %v: tensor<3xf32> {sg.name = "v"}) -> (tensor<2x3xf16>) {
  %0 = sg.batch_norm(%x, %g, %b, %m, %v) : (tensor<2x3xf16>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf16>
  sg.heads %0 : tensor<2x3xf16>
}

// The moved taps become channels of a convolution of one pixel; groups and bias stay with it.
// CHECK-LABEL: @deformable_convolution(
// CHECK-SAME: %[[X:[a-z0-9]+]]: {{[^,]*}}, %[[O:[a-z0-9]+]]: {{[^,]*}}, %[[W:[a-z0-9]+]]: {{[^,]*}}, %[[B:[a-z0-9]+]]:
// CHECK: %[[C:.*]] = sg.deformable_columns(%[[X]], %[[O]]) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>} : {{.*}} -> tensor<2x36x4x3xf32>
// CHECK: %[[R:.*]] = sg.reshape(%[[W]]) {shape = array<i64: 6, 18, 1, 1>}
// CHECK: sg.convolution(%[[C]], %[[R]], %[[B]]) {kernel = array<i64: 1, 1>, num_filter = 6 : i64, num_group = 2 : i64}
sg.graph @deformable_convolution(%x: tensor<2x4x9x8xf32> {sg.name = "x"}, %o: tensor<2x18x4x3xf32> {sg.name = "o"}, %w: tensor<6x2x3x3xf32> {sg.name = "w"}, %b: tensor<6xf32> {sg.name = "b"}) -> (tensor<2x6x4x3xf32>) {
  %0 = sg.deformable_convolution(%x, %o, %w, %b) {kernel = array<i64: 3, 3>, num_filter = 6 : i64, num_group = 2 : i64, stride = array<i64: 2, 2>} : (tensor<2x4x9x8xf32>, tensor<2x18x4x3xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) -> tensor<2x6x4x3xf32>
  sg.heads %0 : tensor<2x6x4x3xf32>
}

// A mask goes with the columns.
// CHECK-LABEL: @modulated_deformable_convolution(
// CHECK: sg.deformable_columns(%{{.*}}, %{{.*}}, %{{.*}}) {kernel = array<i64: 3, 3>}
// CHECK: sg.convolution({{.*}}) {kernel = array<i64: 1, 1>, no_bias = true, num_filter = 6 : i64}
sg.graph @modulated_deformable_convolution(%x: tensor<2x4x9x8xf32> {sg.name = "x"}, %o: tensor<2x18x7x6xf32> {sg.name = "o"}, %m: tensor<2x9x7x6xf32> {sg.name = "m"}, %w: tensor<6x4x3x3xf32> {sg.name = "w"}) -> (tensor<2x6x7x6xf32>) {
  %0 = sg.modulated_deformable_convolution(%x, %o, %m, %w) {kernel = array<i64: 3, 3>, no_bias = true, num_filter = 6 : i64} : (tensor<2x4x9x8xf32>, tensor<2x18x7x6xf32>, tensor<2x9x7x6xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x7x6xf32>
  sg.heads %0 : tensor<2x6x7x6xf32>
}

// CHECK-LABEL: @softmax_activation(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4xf32>
// CHECK-NEXT: sg.softmax(%[[X]]) {axis = 1 : i64}
// CHECK-NEXT: sg.softmax(%[[X]]) {axis = 2 : i64}
sg.graph @softmax_activation(%x: tensor<2x3x4xf32> {sg.name = "x"}) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %0 = sg.softmax_activation(%x) {mode = "channel"} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = sg.softmax_activation(%x) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  sg.heads %0, %1 : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// Four by four taps at a stride of two are, for each of four remainders, two by two taps
// without stride; results lie between each other, and the padding is cut off.
// CHECK-LABEL: @deconvolution(
// CHECK-SAME: %[[X:[a-z0-9]+]]: {{[^,]*}}, %[[W:[a-z0-9]+]]: {{[^,]*}}, %[[B:[a-z0-9]+]]:
// CHECK: %[[P:.*]] = sg.reshape(%[[W]]) {shape = array<i64: 5, 3, 2, 2, 2, 2>}
// CHECK: %[[T:.*]] = sg.reverse(%[[P]]) {axis = array<i64: 2, 4>}
// CHECK: %[[O:.*]] = sg.transpose(%[[T]]) {axes = array<i64: 3, 5, 1, 0, 2, 4>}
// CHECK: %[[K:.*]] = sg.reshape(%[[O]]) {shape = array<i64: 12, 5, 2, 2>}
// CHECK: %[[R:.*]] = sg.broadcast_to({{.*}}) {shape = array<i64: 1, 4, 3>}
// CHECK: sg.convolution(%[[X]], %[[K]], {{.*}}) {kernel = array<i64: 2, 2>, num_filter = 12 : i64, pad = array<i64: 1, 1>} : {{.*}} -> tensor<2x12x10x8xf32>
// CHECK: sg.depth_to_space({{.*}}) {block_size = 2 : i64} : {{.*}} -> tensor<2x3x20x16xf32>
// CHECK: sg.slice({{.*}}) {begin = array<i64: {{.*}}, {{.*}}, 1, 1>, end = array<i64: {{.*}}, {{.*}}, 19, 15>}
// CHECK-NOT: sg.deconvolution
sg.graph @deconvolution(%x: tensor<2x5x9x7xf32> {sg.name = "x"}, %w: tensor<5x3x4x4xf32> {sg.name = "w"}, %b: tensor<3xf32> {sg.name = "b"}) -> (tensor<2x3x18x14xf32>) {
  %0 = sg.deconvolution(%x, %w, %b) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 3 : i64, no_bias = false} : (tensor<2x5x9x7xf32>, tensor<5x3x4x4xf32>, tensor<3xf32>) -> tensor<2x3x18x14xf32>
  sg.heads %0 : tensor<2x3x18x14xf32>
}

// In training a pooling of powers is a sum between two functions, and that of MXNet's first releases
// pads by zeros that count; prediction keeps both.
// CHECK-LABEL: @poolings(
// CHECK: %[[P:.*]] = sg.unary(%[[X:.*]]) {fn = "square"}
// CHECK: %[[C:.*]] = sg.binary(%[[P]], %[[X]]) {fn = "mul"}
// CHECK: %[[S:.*]] = sg.pooling(%[[C]]) {{.*}}pool_type = "sum"
// CHECK: sg.unary(%[[S]]) {fn = "cbrt"}
// CHECK: %[[A:.*]] = sg.pad(%[[X]]) {{.*}}pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>{{.*}} -> tensor<1x4x10x10xf32>
// CHECK: %[[T:.*]] = sg.pooling(%[[A]]) {{.*}}pool_type = "sum"{{.*}} -> tensor<1x4x4x4xf32>
// CHECK: sg.scalar(%[[T]]) {fn = "mul", scalar = 0.111111111938953
// CHECK-LABEL: @predicted_poolings(
// CHECK: sg.pooling({{.*}}pool_type = "lp"
// CHECK: sg.pooling_v1(
sg.graph @poolings(%x: tensor<1x4x8x8xf32> {sg.name = "x"}) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) attributes {training} {
  %0 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "lp", p_value = 3 : i64} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  %1 = sg.pooling_v1(%x) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, pool_type = "avg"} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  sg.heads %0, %1 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}
sg.graph @predicted_poolings(%x: tensor<1x4x8x8xf32> {sg.name = "x"}) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %0 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "lp", p_value = 3 : i64} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  %1 = sg.pooling_v1(%x) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, pool_type = "avg"} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  sg.heads %0, %1 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// Results that padding cuts off are not computed: all of stride 1; of stride 2 one of each end, and
// one more is cut off; with more padding than taps those beyond what zeros around the data give.
// CHECK-LABEL: @deconvolution_trimmed(
// CHECK: sg.convolution({{.*}}pad = array<i64: 1, 2>} : {{.*}} -> tensor<1x3x9x7xf32>
// CHECK-NOT: sg.slice
// CHECK: sg.convolution({{.*}}num_filter = 12 : i64, pad = array<i64: 2, 2>} : {{.*}} -> tensor<1x12x10x8xf32>
// CHECK: sg.slice({{.*}}) {begin = array<i64: {{.*}}, {{.*}}, 1, 1>, end = array<i64: {{.*}}, {{.*}}, 18, 14>}
// CHECK: sg.convolution({{.*}}num_filter = 3 : i64, pad = array<i64: 0, 0>} : {{.*}} -> tensor<1x3x7x5xf32>
// CHECK: sg.slice({{.*}}) {begin = array<i64: {{.*}}, {{.*}}, 1, 1>, end = array<i64: {{.*}}, {{.*}}, 6, 4>}
// CHECK-NOT: sg.deconvolution
sg.graph @deconvolution_trimmed(%x: tensor<1x4x9x7xf32> {sg.name = "x"}, %w: tensor<4x3x3x5xf32> {sg.name = "w"}, %v: tensor<4x3x7x7xf32> {sg.name = "v"}, %u: tensor<4x3x3x3xf32> {sg.name = "u"}) -> (tensor<1x3x9x7xf32>, tensor<1x3x17x13xf32>, tensor<1x3x5x3xf32>) {
  %0 = sg.deconvolution(%x, %w) {kernel = array<i64: 3, 5>, pad = array<i64: 1, 2>, num_filter = 3 : i64} : (tensor<1x4x9x7xf32>, tensor<4x3x3x5xf32>) -> tensor<1x3x9x7xf32>
  %1 = sg.deconvolution(%x, %v) {kernel = array<i64: 7, 7>, stride = array<i64: 2, 2>, pad = array<i64: 3, 3>, num_filter = 3 : i64} : (tensor<1x4x9x7xf32>, tensor<4x3x7x7xf32>) -> tensor<1x3x17x13xf32>
  %2 = sg.deconvolution(%x, %u) {kernel = array<i64: 3, 3>, pad = array<i64: 3, 3>, num_filter = 3 : i64} : (tensor<1x4x9x7xf32>, tensor<4x3x3x3xf32>) -> tensor<1x3x5x3xf32>
  sg.heads %0, %1, %2 : tensor<1x3x9x7xf32>, tensor<1x3x17x13xf32>, tensor<1x3x5x3xf32>
}

// A stride of which output shows few planes: the product of all would be larger than any machine.
// CHECK-LABEL: @deconvolution_strided(
// CHECK: sg.deconvolution
sg.graph @deconvolution_strided(%x: tensor<1x4x1x1xf32> {sg.name = "x"}, %w: tensor<4x3x4x4xf32> {sg.name = "w"}) -> (tensor<1x3x4x4xf32>) {
  %0 = sg.deconvolution(%x, %w) {kernel = array<i64: 4, 4>, stride = array<i64: 2147483647, 2147483647>, num_filter = 3 : i64} : (tensor<1x4x1x1xf32>, tensor<4x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  sg.heads %0 : tensor<1x3x4x4xf32>
}

// Two groups stay two, each with the results of its four remainders behind each other.
// CHECK-LABEL: @deconvolution_groups(
// CHECK: sg.transpose({{.*}}) {axes = array<i64: 0, 4, 6, 2, 1, 3, 5>} : {{.*}} -> tensor<2x2x2x3x2x2x2xf32>
// CHECK: sg.convolution({{.*}}num_filter = 24 : i64, num_group = 2 : i64{{.*}} -> tensor<1x24x10x8xf32>
// CHECK: sg.transpose({{.*}}) {axes = array<i64: 0, 1, 4, 5, 2, 6, 3>} : {{.*}} -> tensor<1x2x3x10x2x8x2xf32>
sg.graph @deconvolution_groups(%x: tensor<1x4x9x7xf32> {sg.name = "x"}, %w: tensor<4x3x4x4xf32> {sg.name = "w"}) -> (tensor<1x6x20x16xf32>) {
  %0 = sg.deconvolution(%x, %w) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, num_filter = 6 : i64, num_group = 2 : i64} : (tensor<1x4x9x7xf32>, tensor<4x3x4x4xf32>) -> tensor<1x6x20x16xf32>
  sg.heads %0 : tensor<1x6x20x16xf32>
}

// Where each channel is alone, so is each remainder.
// CHECK-LABEL: @deconvolution_alone(
// CHECK-COUNT-4: sg.convolution(%{{.*}}, %{{.*}}) {kernel = array<i64: 2, 2>, no_bias = true, num_filter = 4 : i64, num_group = 4 : i64{{.*}} -> tensor<1x4x10x8xf32>
// CHECK: %[[ALL:.*]] = sg.concat({{.*}} -> tensor<1x16x10x8xf32>
// CHECK: sg.depth_to_space(%[[ALL]]) {block_size = 2 : i64} : {{.*}} -> tensor<1x4x20x16xf32>
sg.graph @deconvolution_alone(%x: tensor<1x4x9x7xf32> {sg.name = "x"}, %w: tensor<4x1x4x4xf32> {sg.name = "w"}) -> (tensor<1x4x18x14xf32>) {
  %0 = sg.deconvolution(%x, %w) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 4 : i64, num_group = 4 : i64} : (tensor<1x4x9x7xf32>, tensor<4x1x4x4xf32>) -> tensor<1x4x18x14xf32>
  %1 = sg.unary(%0) {fn = "relu"} : (tensor<1x4x18x14xf32>) -> tensor<1x4x18x14xf32>
  sg.heads %1 : tensor<1x4x18x14xf32>
}

// Images that a head gives stay whole, since blocks of channels would be undone at once; not in
// another size than twice theirs, nor with a part of a pair.
// CHECK-LABEL: @deconvolution_doubles(
// CHECK-COUNT-1: sg.deconvolution(
// CHECK-NOT: sg.deconvolution(
// CHECK: sg.heads
sg.graph @deconvolution_doubles(%x: tensor<1x4x9x7xf32> {sg.name = "x"}, %w: tensor<4x1x4x4xf32> {sg.name = "w"}, %v: tensor<4x1x3x3xf32> {sg.name = "v"}) -> (tensor<1x4x18x14xf32>, tensor<1x4x28x22xf32>, tensor<1x4x19x15xf32>) {
  %0 = sg.deconvolution(%x, %w) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 4 : i64, num_group = 4 : i64} : (tensor<1x4x9x7xf32>, tensor<4x1x4x4xf32>) -> tensor<1x4x18x14xf32>
  %1 = sg.deconvolution(%x, %w) {kernel = array<i64: 4, 4>, stride = array<i64: 3, 3>, num_filter = 4 : i64, num_group = 4 : i64} : (tensor<1x4x9x7xf32>, tensor<4x1x4x4xf32>) -> tensor<1x4x28x22xf32>
  %2 = sg.deconvolution(%x, %v) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, num_filter = 4 : i64, num_group = 4 : i64} : (tensor<1x4x9x7xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x19x15xf32>
  sg.heads %0, %1, %2 : tensor<1x4x18x14xf32>, tensor<1x4x28x22xf32>, tensor<1x4x19x15xf32>
}

// Eight remainders of a volume, two of a line, whose border is that of images.
// CHECK-LABEL: @deconvolution_ranks(
// CHECK: sg.convolution({{.*}}num_filter = 24 : i64, {{.*}} -> tensor<1x24x4x5x5xf32>
// CHECK: sg.pad({{.*}}pad_width = array<i64: 0, 0, 0, 0, 0, 0, 0, 1>
// CHECK: sg.convolution({{.*}}num_filter = 6 : i64, {{.*}} -> tensor<1x6x10xf32>
sg.graph @deconvolution_ranks(%x: tensor<1x4x3x4x4xf32> {sg.name = "x"}, %w: tensor<4x3x4x4x4xf32> {sg.name = "w"}, %y: tensor<1x4x9xf32> {sg.name = "y"}, %v: tensor<4x3x3xf32> {sg.name = "v"}) -> (tensor<1x3x8x10x10xf32>, tensor<1x3x19xf32>) {
  %0 = sg.deconvolution(%x, %w) {kernel = array<i64: 4, 4, 4>, stride = array<i64: 2, 2, 2>, num_filter = 3 : i64} : (tensor<1x4x3x4x4xf32>, tensor<4x3x4x4x4xf32>) -> tensor<1x3x8x10x10xf32>
  %1 = sg.deconvolution(%y, %v) {kernel = array<i64: 3>, stride = array<i64: 2>, num_filter = 3 : i64} : (tensor<1x4x9xf32>, tensor<4x3x3xf32>) -> tensor<1x3x19xf32>
  sg.heads %0, %1 : tensor<1x3x8x10x10xf32>, tensor<1x3x19xf32>
}

// Batch, rows and columns may be known only at run time: places behind the output count from the end.
#open_images = #sg.extents<()[s0, s1, s2] -> (s0, 5, s1, s2)>
#doubled_images = #sg.extents<()[s0, s1, s2] -> (s0, 6, s1 * 2, s2 * 2)>
#signal = #sg.extents<()[s0, s1, s2] -> (s0, 4, s1)>
#longer_signal = #sg.extents<()[s0, s1, s2] -> (s0, 3, s1 * 8 + 8)>
// CHECK-LABEL: @deconvolution_open(
// CHECK: sg.convolution({{.*}}num_filter = 24 : i64, pad = array<i64: 1, 1>} : {{.*}} -> tensor<?x24x?x?xf32, #sg.extents<()[s0, s1, s2] -> (s0, 24, s1 + 1, s2 + 1)>>
// CHECK: sg.depth_to_space({{.*}} -> tensor<?x6x?x?xf32, #sg.extents<()[s0, s1, s2] -> (s0, 6, (s1 + 1) * 2, (s2 + 1) * 2)>>
// CHECK: sg.slice({{.*}}) {begin = array<i64: {{.*}}, {{.*}}, 1, 1>, end = array<i64: {{.*}}, {{.*}}, -1, -1>}
// CHECK: sg.convolution({{.*}} -> tensor<?x24x?xf32, #sg.extents<()[s0, s1] -> (s0, 24, s1 + 1)>>
// CHECK-NOT: sg.slice
// CHECK: sg.heads {{.*}}(s0, 3, s1 * 8 + 8)
sg.graph @deconvolution_open(%x: tensor<?x5x?x?xf32, #open_images> {sg.name = "x"}, %w: tensor<5x6x4x4xf32> {sg.name = "w"}, %y: tensor<?x4x?xf32, #signal> {sg.name = "y"}, %v: tensor<4x3x16xf32> {sg.name = "v"}) -> (tensor<?x6x?x?xf32, #doubled_images>, tensor<?x3x?xf32, #longer_signal>) attributes {dim_max = array<i64: 4, 32, 32>, dim_min = array<i64: 1, 1, 1>} {
  %0 = sg.deconvolution(%x, %w) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 6 : i64} : (tensor<?x5x?x?xf32, #open_images>, tensor<5x6x4x4xf32>) -> tensor<?x6x?x?xf32, #doubled_images>
  %1 = sg.deconvolution(%y, %v) {kernel = array<i64: 16>, stride = array<i64: 8>, num_filter = 3 : i64} : (tensor<?x4x?xf32, #signal>, tensor<4x3x16xf32>) -> tensor<?x3x?xf32, #longer_signal>
  sg.heads %0, %1 : tensor<?x6x?x?xf32, #doubled_images>, tensor<?x3x?xf32, #longer_signal>
}

// Dilation, a target shape and groups of volumes stay as they are.
// CHECK-LABEL: @deconvolution_stays(
// CHECK-COUNT-3: sg.deconvolution
// CHECK-NOT: sg.convolution
sg.graph @deconvolution_stays(%x: tensor<1x4x9x7xf32> {sg.name = "x"}, %w: tensor<4x3x4x4xf32> {sg.name = "w"}, %y: tensor<1x4x3x4x4xf32> {sg.name = "y"}, %v: tensor<4x3x4x4x4xf32> {sg.name = "v"}) -> (tensor<1x6x8x10x10xf32>, tensor<1x3x23x19xf32>, tensor<1x3x18x14xf32>) {
  %0 = sg.deconvolution(%y, %v) {kernel = array<i64: 4, 4, 4>, stride = array<i64: 2, 2, 2>, num_filter = 6 : i64, num_group = 2 : i64} : (tensor<1x4x3x4x4xf32>, tensor<4x3x4x4x4xf32>) -> tensor<1x6x8x10x10xf32>
  %1 = sg.deconvolution(%x, %w) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, dilate = array<i64: 2, 2>, num_filter = 3 : i64} : (tensor<1x4x9x7xf32>, tensor<4x3x4x4xf32>) -> tensor<1x3x23x19xf32>
  %2 = sg.deconvolution(%x, %w) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, target_shape = array<i64: 18, 14>, num_filter = 3 : i64} : (tensor<1x4x9x7xf32>, tensor<4x3x4x4xf32>) -> tensor<1x3x18x14xf32>
  sg.heads %0, %1, %2 : tensor<1x6x8x10x10xf32>, tensor<1x3x23x19xf32>, tensor<1x3x18x14xf32>
}

// Products of special matrices are products.
// CHECK-LABEL: @linalg_syrk(
// CHECK: sg.linalg_gemm2(%[[A:.*]], %[[A]]) {alpha = 2.000000e+00 : f64, transpose_b = true}
sg.graph @linalg_syrk(%a: tensor<2x3x4xf32> {sg.name = "a"}) -> (tensor<2x3x3xf32>) {
  %0 = sg.linalg_syrk(%a) {alpha = 2.0 : f64} : (tensor<2x3x4xf32>) -> tensor<2x3x3xf32>
  sg.heads %0 : tensor<2x3x3xf32>
}

// CHECK-LABEL: @softmax_cross_entropy(
// CHECK: %[[S:.*]] = sg.softmax(%{{.*}}) {axis = 1 : i64}
// CHECK: sg.pick(%[[S]], %{{.*}}) {axis = 1 : i64}
// CHECK: sg.scalar({{.*}}) {fn = "maximum", scalar = 1.000000e-08 : f64}
// CHECK: sg.unary({{.*}}) {fn = "log"}
// CHECK: sg.reduce({{.*}}) {axis = array<i64: 0>, {{.*}}keepdims = true
// CHECK: sg.unary({{.*}}) {fn = "negative"}
sg.graph @softmax_cross_entropy(%a: tensor<3x4xf32> {sg.name = "a"}, %b: tensor<3xi32> {sg.name = "b"}) -> (tensor<1xf32>) {
  %0 = sg.softmax_cross_entropy(%a, %b) : (tensor<3x4xf32>, tensor<3xi32>) -> tensor<1xf32>
  sg.heads %0 : tensor<1xf32>
}

// Windows of one size, without overlap, are those of a pooling; five of twelve rows are not.
// CHECK-LABEL: @adaptive_avg_pooling(
// CHECK: sg.pooling({{.*}}) {global_pool = true, pool_type = "avg"} : {{.*}} -> tensor<1x4x1x1xf32>
// CHECK: sg.pooling({{.*}}) {kernel = array<i64: 4, 2>, pool_type = "avg", stride = array<i64: 4, 2>}
// CHECK: sg.adaptive_avg_pooling
sg.graph @adaptive_avg_pooling(%x: tensor<1x4x12x8xf32> {sg.name = "x"}) -> (tensor<1x4x1x1xf32>, tensor<1x4x3x4xf32>, tensor<1x4x5x4xf32>) {
  %0 = sg.adaptive_avg_pooling(%x) : (tensor<1x4x12x8xf32>) -> tensor<1x4x1x1xf32>
  %1 = sg.adaptive_avg_pooling(%x) {output_size = array<i64: 3, 4>} : (tensor<1x4x12x8xf32>) -> tensor<1x4x3x4xf32>
  %2 = sg.adaptive_avg_pooling(%x) {output_size = array<i64: 5, 4>} : (tensor<1x4x12x8xf32>) -> tensor<1x4x5x4xf32>
  sg.heads %0, %1, %2 : tensor<1x4x1x1xf32>, tensor<1x4x3x4xf32>, tensor<1x4x5x4xf32>
}

// CHECK-LABEL: @stack(
// CHECK-COUNT-2: sg.reshape({{.*}} -> tensor<3x4x1xf32>
// CHECK: sg.concat({{.*}}) {dim = 2 : i64, num_args = 2 : i64}
sg.graph @stack(%a: tensor<3x4xf32> {sg.name = "a"}, %b: tensor<3x4xf32> {sg.name = "b"}) -> (tensor<3x4x2xf32>) {
  %0 = sg.stack(%a, %b) {axis = -1, num_args = 2} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4x2xf32>
  sg.heads %0 : tensor<3x4x2xf32>
}

// The last extent, 4, is that of here, not of where a transpose moves the node to.
// CHECK-LABEL: @div_sqrt_dim(
// CHECK: sg.scalar({{.*}}) {fn = "div", scalar = 2.000000e+00 : f64}
sg.graph @div_sqrt_dim(%x: tensor<3x4xf32> {sg.name = "x"}) -> (tensor<3x4xf32>) {
  %0 = sg.div_sqrt_dim(%x) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  sg.heads %0 : tensor<3x4xf32>
}

// A layer whose weight is computed is a product of two matrices; others keep their node, for
// @prepare packs their weights.
// CHECK-LABEL: @computed_weight(
// CHECK: %[[W:.*]] = sg.unary
// CHECK: %[[ROWS:.*]] = sg.reshape({{.*}}) {shape = array<i64: 6, 4>}
// CHECK: %[[DOT:.*]] = sg.dot(%[[ROWS]], %[[W]]) {transpose_b = true} : (tensor<6x4xf32>, tensor<5x4xf32>) -> tensor<6x5xf32>
// CHECK: %[[BIAS:.*]] = sg.reshape({{.*}}) {shape = array<i64: 1, 5>}
// CHECK: sg.binary(%[[DOT]], %[[BIAS]]) {broadcast = true, fn = "add"}
// CHECK: sg.reshape({{.*}}) {shape = array<i64: 2, 3, 5>}
// CHECK: sg.fully_connected
sg.weight @w : tensor<5x4xf32>
sg.graph @computed_weight(%x: tensor<2x3x4xf32> {sg.name = "x"}, %v: tensor<5x4xf32> {sg.name = "v"}, %b: tensor<5xf32> {sg.name = "b"}) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>) {
  %0 = sg.unary(%v) {fn = "relu"} : (tensor<5x4xf32>) -> tensor<5x4xf32>
  %1 = sg.fully_connected(%x, %0, %b) {num_hidden = 5 : i64, flatten = false} : (tensor<2x3x4xf32>, tensor<5x4xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
  %w = sg.parameter @w : tensor<5x4xf32>
  %2 = sg.unary(%w) {fn = "relu"} : (tensor<5x4xf32>) -> tensor<5x4xf32>
  %3 = sg.fully_connected(%x, %2, %b) {num_hidden = 5 : i64, flatten = false} : (tensor<2x3x4xf32>, tensor<5x4xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
  sg.heads %1, %3 : tensor<2x3x5xf32>, tensor<2x3x5xf32>
}

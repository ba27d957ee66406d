// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Windows, groups and offsets that do not fit.

sg.graph @deformable_convolution_c1(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'kernel' is (3), needs two extents}}
  %0 = sg.deformable_convolution(%a, %b, %c, %d) {kernel = array<i64: 3>, num_filter = 6 : i64} : (tensor<2x4x9x8xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @deformable_convolution_c1(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'layout' is NCW, needs NCHW}}
  %0 = sg.deformable_convolution(%a, %b, %c, %d) {kernel = array<i64: 3, 3>, layout = "NCW", num_filter = 6 : i64} : (tensor<2x4x9x8xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @deformable_convolution_c1(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'num_filter' is 6, needs a multiple of num_group = 4}}
  %0 = sg.deformable_convolution(%a, %b, %c, %d) {kernel = array<i64: 3, 3>, num_filter = 6 : i64, num_group = 4 : i64} : (tensor<2x4x9x8xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @deformable_convolution_c2(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has 4 channels, needs a multiple of num_deformable_group = 3}}
  %0 = sg.deformable_convolution(%a, %b, %c, %d) {kernel = array<i64: 3, 3>, num_deformable_group = 3 : i64, num_filter = 6 : i64} : (tensor<2x4x9x8xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @deformable_convolution_c3(%a: tensor<2x4x9x2xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 4, 9, 2]: the kernel spans 3 along axis 3 but the padded image has 2}}
  %0 = sg.deformable_convolution(%a, %b, %c, %d) {kernel = array<i64: 3, 3>, num_filter = 6 : i64} : (tensor<2x4x9x2xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @deformable_convolution_c4(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<2x9x7x6xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{offset has shape [2, 9, 7, 6] but needs [2, 18, 7, 6]}}
  %0 = sg.deformable_convolution(%a, %b, %c, %d) {kernel = array<i64: 3, 3>, num_filter = 6 : i64} : (tensor<2x4x9x8xf32>, tensor<2x9x7x6xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @modulated_deformable_convolution_c1(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}, %e: tensor<*xf32> {sg.name = "e"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'stride' is (0, 1), needs extents of at least 1}}
  %0 = sg.modulated_deformable_convolution(%a, %b, %c, %d, %e) {kernel = array<i64: 3, 3>, num_filter = 6 : i64, stride = array<i64: 0, 1>} : (tensor<2x4x9x8xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @modulated_deformable_convolution_c2(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}, %e: tensor<*xf32> {sg.name = "e"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'num_filter' is 6, needs a multiple of num_deformable_group = 4}}
  %0 = sg.modulated_deformable_convolution(%a, %b, %c, %d, %e) {kernel = array<i64: 3, 3>, num_deformable_group = 4 : i64, num_filter = 6 : i64} : (tensor<2x4x9x8xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @modulated_deformable_convolution_c3(%a: tensor<2x4x1x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}, %e: tensor<*xf32> {sg.name = "e"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 4, 1, 8]: the kernel spans 3 along axis 2 but the padded image has 1}}
  %0 = sg.modulated_deformable_convolution(%a, %b, %c, %d, %e) {kernel = array<i64: 3, 3>, num_filter = 6 : i64} : (tensor<2x4x1x8xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @modulated_deformable_convolution_c4(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<2x18x7x6xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}, %e: tensor<*xf32> {sg.name = "e"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{mask has shape [2, 18, 7, 6] but needs [2, 9, 7, 6]}}
  %0 = sg.modulated_deformable_convolution(%a, %b, %c, %d, %e) {kernel = array<i64: 3, 3>, num_filter = 6 : i64} : (tensor<2x4x9x8xf32>, tensor<*xf32>, tensor<2x18x7x6xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @modulated_deformable_convolution_c5(%a: tensor<3x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}, %e: tensor<*xf32> {sg.name = "e"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has 3 images, needs at most im2col_step = 2 or a multiple of it}}
  %0 = sg.modulated_deformable_convolution(%a, %b, %c, %d, %e) {im2col_step = 2 : i64, kernel = array<i64: 3, 3>, num_filter = 6 : i64} : (tensor<3x4x9x8xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @deformable_columns_c1(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<2x18x7x6xf32> {sg.name = "b"}) -> (tensor<2x4x7x6xf32>) {
  // expected-error @+1 {{output has shape [2, 4, 7, 6] but needs [2, 36, 7, 6]}}
  %0 = sg.deformable_columns(%a, %b) {kernel = array<i64: 3, 3>} : (tensor<2x4x9x8xf32>, tensor<2x18x7x6xf32>) -> tensor<2x4x7x6xf32>
  sg.heads %0 : tensor<2x4x7x6xf32>
}

// -----

sg.graph @correlation_c1(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'kernel_size' is 2, needs an odd number}}
  %0 = sg.correlation(%a, %b) {kernel_size = 2 : i64} : (tensor<2x4x9x8xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @correlation_c2(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<2x4x9x9xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{data2 has shape [2, 4, 9, 9] but needs [2, 4, 9, 8]}}
  %0 = sg.correlation(%a, %b) : (tensor<2x4x9x8xf32>, tensor<2x4x9x9xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @correlation_c3(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{data1 has shape [2, 4, 9, 8]: windows and displacements take 8 elements along axis 3 but the padded image has 8}}
  %0 = sg.correlation(%a, %b) {max_displacement = 4 : i64} : (tensor<2x4x9x8xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

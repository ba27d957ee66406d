// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Windows that do not fit.

sg.graph @im2col_c1(%a: tensor<2x2x7x8xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'kernel' is (3, 0), needs one to three extents of at least 1}}
  %0 = sg.im2col(%a) {kernel = array<i64: 3, 0>} :
      (tensor<2x2x7x8xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @im2col_c1_stride(%a: tensor<2x2x7x8xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'stride' is (1), needs one extent for each of kernel (3, 3)}}
  %0 = sg.im2col(%a) {kernel = array<i64: 3, 3>, stride = array<i64: 1>} :
      (tensor<2x2x7x8xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @col2im_c1(%a: tensor<2x27x20xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'output_size' is (6), needs one extent of at least 1 for each of kernel (3, 3)}}
  %0 = sg.col2im(%a) {kernel = array<i64: 3, 3>, output_size = array<i64: 6>} :
      (tensor<2x27x20xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @im2col_c2(%a: tensor<2x2x7x8xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{kernel (9, 1) does not fit into data's shape [2, 2, 7, 8] along axis 2}}
  %0 = sg.im2col(%a) {kernel = array<i64: 9, 1>} :
      (tensor<2x2x7x8xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @im2col_c2_rank(%a: tensor<2x2x7x8xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [2, 2, 7, 8], needs rank 3 with kernel (3)}}
  %0 = sg.im2col(%a) {kernel = array<i64: 3>} :
      (tensor<2x2x7x8xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @im2col_c3(%a: tensor<2x4x7xf32>) -> (tensor<2x12x6xf32>) {
  // expected-error @+1 {{output has shape [2, 12, 6] but needs [2, 12, 5]}}
  %0 = sg.im2col(%a) {kernel = array<i64: 3>} :
      (tensor<2x4x7xf32>) -> tensor<2x12x6xf32>
  sg.heads %0 : tensor<2x12x6xf32>
}

// -----

sg.graph @col2im_c2(%a: tensor<2x27x21xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [2, 27, 21], needs [N, a multiple of 9, 20] with kernel (3, 3) and output_size (6, 7)}}
  %0 = sg.col2im(%a) {kernel = array<i64: 3, 3>, output_size = array<i64: 6, 7>} :
      (tensor<2x27x21xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @col2im_c3(%a: tensor<2x27x20xf32>) -> (tensor<2x9x6x7xf32>) {
  // expected-error @+1 {{output has shape [2, 9, 6, 7] but needs [2, 3, 6, 7]}}
  %0 = sg.col2im(%a) {kernel = array<i64: 3, 3>, output_size = array<i64: 6, 7>} :
      (tensor<2x27x20xf32>) -> tensor<2x9x6x7xf32>
  sg.heads %0 : tensor<2x9x6x7xf32>
}

// -----

sg.graph @col2im_c1_kernel(%a: tensor<2x27x20xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'kernel' is (4294967296, 4294967296), needs extents of at most 2147483647}}
  %0 = sg.col2im(%a) {kernel = array<i64: 4294967296, 4294967296>, output_size = array<i64: 6, 6>} :
      (tensor<2x27x20xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

// The taps of a window may be more than int64 counts.
sg.graph @col2im_c2_taps(%a: tensor<2x27x20xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [2, 27, 20], needs [N, a multiple of 9223372036854775807, }}
  %0 = sg.col2im(%a) {kernel = array<i64: 2147483647, 2147483647, 2147483647>, output_size = array<i64: 6, 6, 6>} :
      (tensor<2x27x20xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @unfold_images_c1(%a: tensor<7x2x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [7, 2, 4], needs rank 4}}
  %0 = sg.unfold_images(%a) {size = 3 : i64} : (tensor<7x2x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @unfold_images_c2(%a: tensor<7x2x4x5xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{size is 8 but data has shape [7, 2, 4, 5]}}
  %0 = sg.unfold_images(%a) {size = 8 : i64} : (tensor<7x2x4x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @unfold_images_c3(%a: tensor<7x2x4x5xf32>) -> (tensor<4x6x4x5xf32>) {
  // expected-error @+1 {{output has shape [4, 6, 4, 5] but needs [5, 6, 4, 5]}}
  %0 = sg.unfold_images(%a) {size = 3 : i64} : (tensor<7x2x4x5xf32>) -> tensor<4x6x4x5xf32>
  sg.heads %0 : tensor<4x6x4x5xf32>
}

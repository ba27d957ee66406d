// If this fails, a node calls its reference kernel, or a group is split, and no remark has the
// rule's reason; or a rule takes its nearest miss. Nearest misses of kernel-schedule are those of its rules.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule --remarks-filter='kernel-schedule' --remark-format=emitRemark %s 2>&1 >/dev/null | FileCheck %s

sg.weight @g : tensor<24x8x3x3xf32>
sg.weight @v : tensor<16x16x3x3x3xf32>
sg.weight @last : tensor<16x3x3x16xf32>
// CHECK: 'groups' does not fit rule 'convolution': its groups of 12 channels neither lie within blocks of 16 nor fill them
// CHECK: 'volume' does not fit rule 'convolution': its window has 3 axes, tiles take one or two
// CHECK: 'last' does not fit rule 'convolution': its channels are the last axis
sg.weight @twelve : tensor<24x12x3x3xf32>
sg.graph @main(%y: tensor<1x24x8x8xf32> {sg.name = "y"},
               %z: tensor<1x16x4x4x4xf32> {sg.name = "z"}, %l: tensor<1x8x8x16xf32> {sg.name = "l"})
    -> (tensor<1x24x6x6xf32>, tensor<1x16x2x2x2xf32>, tensor<1x6x6x16xf32>) {
  %t = sg.parameter @twelve : tensor<24x12x3x3xf32>
  %v = sg.parameter @v : tensor<16x16x3x3x3xf32>
  %last = sg.parameter @last : tensor<16x3x3x16xf32>
  %1 = sg.convolution(%y, %t) {kernel = array<i64: 3, 3>, num_filter = 24 : i64, num_group = 2 : i64, no_bias = true} : (tensor<1x24x8x8xf32>, tensor<24x12x3x3xf32>) -> tensor<1x24x6x6xf32> loc("groups")
  %2 = sg.convolution(%z, %v) {kernel = array<i64: 3, 3, 3>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x4x4x4xf32>, tensor<16x16x3x3x3xf32>) -> tensor<1x16x2x2x2xf32> loc("volume")
  %3 = sg.convolution(%l, %last) {kernel = array<i64: 3, 3>, num_filter = 16 : i64, no_bias = true, layout = "NHWC"} : (tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32>) -> tensor<1x6x6x16xf32> loc("last")
  sg.heads %1, %2, %3 : tensor<1x24x6x6xf32>, tensor<1x16x2x2x2xf32>, tensor<1x6x6x16xf32>
}

// -----

// CHECK: 'double' does not fit rule 'convolution': the target has no layers of float64 elements
// CHECK: 'lp' does not fit rule 'pooling': its kind is lp, or its convention same
// CHECK: 'few' does not fit rule 'pooling': its images have 3 channels and lie in rows
// CHECK: 'volume' does not fit rule 'pooling': its window has more than two axes
sg.weight @d : tensor<16x16x1x1xf64>
sg.graph @main(%x: tensor<1x16x8x8xf64> {sg.name = "x"}, %y: tensor<1x16x8x8xf32> {sg.name = "y"}, %z: tensor<1x3x8x8xf32> {sg.name = "z"},
               %v: tensor<1x16x4x4x4xf32> {sg.name = "v"})
    -> (tensor<1x16x8x8xf64>, tensor<1x16x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x16x2x2x2xf32>) {
  %d = sg.parameter @d : tensor<16x16x1x1xf64>
  %0 = sg.convolution(%x, %d) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x8xf64>, tensor<16x16x1x1xf64>) -> tensor<1x16x8x8xf64> loc("double")
  %1 = sg.pooling(%y) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "lp", p_value = 2 : i64} : (tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32> loc("lp")
  %2 = sg.pooling(%z) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> loc("few")
  %3 = sg.pooling(%v) {kernel = array<i64: 2, 2, 2>, stride = array<i64: 2, 2, 2>} : (tensor<1x16x4x4x4xf32>) -> tensor<1x16x2x2x2xf32> loc("volume")
  sg.heads %0, %1, %2, %3 : tensor<1x16x8x8xf64>, tensor<1x16x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x16x2x2x2xf32>
}

// -----

// Whole images of open extents, channels that are known only at run time, and rows of images in
// another size.
#open = #sg.extents<()[s0] -> (1, 16, s0, s0)>
#max = #sg.extents<()[s0] -> (1, 16, 1, 1)>
#channels = #sg.extents<()[s0] -> (1, s0, 4, 4)>
#half = #sg.extents<()[s0] -> (1, s0, 2, 2)>
#large = #sg.extents<()[s0] -> (1, 16, s0, s0)>
// CHECK: 'greatest' does not fit rule 'pooling': it is over whole images, whose extents are known only at run time
// CHECK: 'channels' does not fit rule 'pooling': its channels are known only at run time
// CHECK: 'resized' does not fit rule 'resize': its rows and columns are known only at run time
sg.graph @main(%x: tensor<1x16x?x?xf32, #open> {sg.name = "x"}, %y: tensor<1x?x4x4xf32, #channels> {sg.name = "y"})
    -> (tensor<1x16x1x1xf32>, tensor<1x?x2x2xf32, #half>, tensor<1x16x4x4xf32>) attributes {dim_max = array<i64: 32>, dim_min = array<i64: 5>} {
  %0 = sg.pooling(%x) {global_pool = true} : (tensor<1x16x?x?xf32, #open>) -> tensor<1x16x1x1xf32> loc("greatest")
  %1 = sg.pooling(%y) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x?x4x4xf32, #channels>) -> tensor<1x?x2x2xf32, #half> loc("channels")
  %2 = sg.bilinear_resize(%x) {height = 4, width = 4} : (tensor<1x16x?x?xf32, #open>) -> tensor<1x16x4x4xf32> loc("resized")
  sg.heads %0, %1, %2 : tensor<1x16x1x1xf32>, tensor<1x?x2x2xf32, #half>, tensor<1x16x4x4xf32>
}

// -----

// CHECK: 'weight' does not fit rule 'fully-connected': its weight is computed by the graph
// CHECK: 'exponent' does not fit rule 'lrn': its exponent is not 0.75, which takes roots alone
// CHECK: 'wide' does not fit rule 'lrn': it sums 11 channels, registers hold 9
// CHECK: 'resized' does not fit rule 'resize': its elements are not float32
// CHECK: 'mixed' does not fit rule 'deconvolution': it does anything else than to double images of float32, channel by channel
// CHECK: 'border' does not fit rule 'pad': its border is not 0 and its elements are integers
// CHECK: 'back' does not fit rule 'slice': it steps backwards
sg.weight @k : tensor<5x3x4x4xf32>
sg.graph @main(%x: tensor<3x40xf32> {sg.name = "x"}, %w: tensor<10x40xf32> {sg.name = "w"}, %y: tensor<2x16x5x5xf32> {sg.name = "y"},
               %h: tensor<1x3x6x6xf64> {sg.name = "h"}, %m: tensor<2x5x9x7xf32> {sg.name = "m"}, %i: tensor<1x1x20x2xi32> {sg.name = "i"})
    -> (tensor<3x10xf32>, tensor<2x16x5x5xf32>, tensor<2x16x5x5xf32>, tensor<1x3x12x12xf64>, tensor<2x3x18x14xf32>, tensor<1x1x21x2xi32>, tensor<3x40xf32>) {
  %k = sg.parameter @k : tensor<5x3x4x4xf32>
  %0 = sg.fully_connected(%x, %w) {num_hidden = 10 : i64, no_bias = true} : (tensor<3x40xf32>, tensor<10x40xf32>) -> tensor<3x10xf32> loc("weight")
  %1 = sg.lrn(%y) {nsize = 3 : i64, beta = 0.5 : f64} : (tensor<2x16x5x5xf32>) -> tensor<2x16x5x5xf32> loc("exponent")
  %2 = sg.lrn(%y) {nsize = 11 : i64} : (tensor<2x16x5x5xf32>) -> tensor<2x16x5x5xf32> loc("wide")
  %3 = sg.bilinear_resize(%h) {height = 12, width = 12} : (tensor<1x3x6x6xf64>) -> tensor<1x3x12x12xf64> loc("resized")
  %4 = sg.deconvolution(%m, %k) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 3 : i64} : (tensor<2x5x9x7xf32>, tensor<5x3x4x4xf32>) -> tensor<2x3x18x14xf32> loc("mixed")
  %5 = sg.pad(%i) {mode = "constant", constant_value = 1.0, pad_width = array<i64: 0, 0, 0, 0, 1, 0, 0, 0>} : (tensor<1x1x20x2xi32>) -> tensor<1x1x21x2xi32> loc("border")
  %6 = sg.slice(%x) {begin = array<i64: 2>, end = array<i64: -4>, step = array<i64: -1>} : (tensor<3x40xf32>) -> tensor<3x40xf32> loc("back")
  sg.heads %0, %1, %2, %3, %4, %5, %6 : tensor<3x10xf32>, tensor<2x16x5x5xf32>, tensor<2x16x5x5xf32>, tensor<1x3x12x12xf64>, tensor<2x3x18x14xf32>, tensor<1x1x21x2xi32>, tensor<3x40xf32>
}

// -----

// CHECK: 'limits' does not fit rule 'quantized': it has no calibrated limits
// CHECK: 'twice' does not fit rule 'range': it repeats each of its values
// CHECK: 'far' does not fit rule 'range': places along its extent need more than 24 bits
// CHECK: 'half' does not fit rule 'one-hot': its elements cannot hold its constants
// CHECK: 'truth' does not fit rule 'sequence-mask': its operands have types without conversions to its result's
// CHECK: 'bytes' does not fit rule 'reduce': its types of elements have no sums that keep the reference kernel's bits
// CHECK: 'none' does not fit rule 'reduce': it reduces nothing
sg.graph @main(%x: tensor<4x6xf32> {sg.name = "x"}, %i: tensor<4xi32> {sg.name = "i"}, %t: tensor<7x2xi1> {sg.name = "t"}, %n: tensor<2xf32> {sg.name = "n"},
               %c: tensor<4x6xi8> {sg.name = "c"}, %e: tensor<4x0xf32> {sg.name = "e"})
    -> (tensor<4x6xi8>, tensor<6xf32>, tensor<20000000xf32>, tensor<4x9xi32>, tensor<7x2xi1>, tensor<4xi8>, tensor<4xf32>) {
  %0:3 = sg.quantize_v2(%x) : (tensor<4x6xf32>) -> (tensor<4x6xi8>, tensor<1xf32>, tensor<1xf32>) loc("limits")
  %1 = sg.arange() {start = 0.0 : f64, stop = 3.0 : f64, repeat = 2 : i64} : () -> tensor<6xf32> loc("twice")
  %2 = sg.arange() {start = 0.0 : f64, stop = 20000000.0 : f64} : () -> tensor<20000000xf32> loc("far")
  %3 = sg.one_hot(%i) {depth = 9 : i64, on_value = 0.5 : f64, dtype = "int32"} : (tensor<4xi32>) -> tensor<4x9xi32> loc("half")
  %4 = sg.sequence_mask(%t, %n) {use_sequence_length = true} : (tensor<7x2xi1>, tensor<2xf32>) -> tensor<7x2xi1> loc("truth")
  %5 = sg.reduce(%c) {kind = "mean", axis = array<i64: 1>} : (tensor<4x6xi8>) -> tensor<4xi8> loc("bytes")
  %6 = sg.reduce(%e) {kind = "sum", axis = array<i64: 1>} : (tensor<4x0xf32>) -> tensor<4xf32> loc("none")
  sg.heads %0#0, %1, %2, %3, %4, %5, %6 : tensor<4x6xi8>, tensor<6xf32>, tensor<20000000xf32>, tensor<4x9xi32>, tensor<7x2xi1>, tensor<4xi8>, tensor<4xf32>
}

// -----

// CHECK: 'read' does not fit rule 'integer-pooling': its limits are read
// CHECK: 'mean' does not fit rule 'integer-pooling': it is no maximum over windows of two axes
// CHECK: 'open' does not fit rule 'integer-pooling': its extents are known only at run time
// CHECK: 'whole' does not fit rule 'loops': a node around it has no operations on its types of elements
#n = #sg.extents<()[s0] -> (s0, 20, 8, 8)>
#m = #sg.extents<()[s0] -> (s0, 20, 4, 4)>
sg.graph @main(%x: tensor<1x20x8x8xui8> {sg.name = "x"}, %lo: tensor<1xf32> {sg.name = "lo"}, %hi: tensor<1xf32> {sg.name = "hi"},
               %y: tensor<?x20x8x8xui8, #n> {sg.name = "y"}, %d: tensor<4xi32> {sg.name = "d"})
    -> (tensor<1x20x4x4xui8>, tensor<1xf32>, tensor<1x20x4x4xui8>, tensor<?x20x4x4xui8, #m>, tensor<4xi32>) attributes {dim_max = array<i64: 4>, dim_min = array<i64: 1>} {
  %p:3 = sg.quantized_pooling(%x, %lo, %hi) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x20x8x8xui8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x20x4x4xui8>, tensor<1xf32>, tensor<1xf32>) loc("read")
  %q:3 = sg.quantized_pooling(%x, %lo, %hi) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "avg"} : (tensor<1x20x8x8xui8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x20x4x4xui8>, tensor<1xf32>, tensor<1xf32>) loc("mean")
  %r:3 = sg.quantized_pooling(%y, %lo, %hi) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<?x20x8x8xui8, #n>, tensor<1xf32>, tensor<1xf32>) -> (tensor<?x20x4x4xui8, #m>, tensor<1xf32>, tensor<1xf32>) loc("open")
  %c = sg.unary(%d) {fn = "exp"} : (tensor<4xi32>) -> tensor<4xi32> loc("whole")
  sg.heads %p#0, %p#1, %q#0, %r#0, %c : tensor<1x20x4x4xui8>, tensor<1xf32>, tensor<1x20x4x4xui8>, tensor<?x20x4x4xui8, #m>, tensor<4xi32>
}

// -----

// Rows 2 to 9 of as many as there are: none of the graph's sizes is where they begin.
// CHECK: 'clipped' does not fit rule 'slice': it begins at a size that the graph does not have
#n = #sg.extents<()[s0] -> (s0, 4)>
#m = #sg.extents<()[s0] -> (s0 - 2, 4)>
sg.graph @main(%x: tensor<?x4xf32, #n> {sg.name = "x"}) -> (tensor<?x4xf32, #m>) attributes {dim_max = array<i64: 9>, dim_min = array<i64: 1>} {
  %0 = sg.slice(%x) {begin = array<i64: 2>, end = array<i64: -9223372036854775808>} : (tensor<?x4xf32, #n>) -> tensor<?x4xf32, #m> loc("clipped")
  sg.heads %0 : tensor<?x4xf32, #m>
}

// -----

// CHECK: 'row' does not fit rule 'integer-convolution': it has groups, or a window of another rank than 2
sg.graph @main(%x: tensor<1x16x8xui8> {sg.name = "x"}, %c: tensor<24x16x1xi8> {sg.name = "c"}, %a: tensor<24xi32> {sg.name = "a"}, %b: tensor<24xf32> {sg.name = "b"}) -> (tensor<1x24x8xi8>) {
  %0 = sg.integer_conv(%x, %c, %a, %b, %b) {kernel = array<i64: 1>, num_filter = 24 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>} : (tensor<1x16x8xui8>, tensor<24x16x1xi8>, tensor<24xi32>, tensor<24xf32>, tensor<24xf32>) -> tensor<1x24x8xi8> loc("row")
  sg.heads %0 : tensor<1x24x8xi8>
}

// -----

// CHECK: 'volume' does not fit rule 'convolution-weights': its window has 3 axes, tiles take one or two
// CHECK: 'double' does not fit rule 'convolution-weights': the target has no layers of float64 elements
// CHECK: 'groups' does not fit rule 'convolution-weights': its groups of 12 by 12 channels neither lie within blocks of 16 nor fill them
// CHECK: 'none' does not fit rule 'convolution-weights': an extent of its images is known only at run time, or 0
sg.graph @main(%v: tensor<1x16x4x4x4xf32> {sg.name = "v"}, %x: tensor<1x16x4x4xf64> {sg.name = "x"}, %y: tensor<1x24x4x4xf32> {sg.name = "y"}, %z: tensor<0x16x4x4xf32> {sg.name = "z"})
    -> (tensor<16x16x1x1x1xf32>, tensor<16x16x1x1xf64>, tensor<24x12x1x1xf32>, tensor<16x16x1x1xf32>) {
  %0 = sg.convolution_weights(%v, %v) {kernel = array<i64: 1, 1, 1>} : (tensor<1x16x4x4x4xf32>, tensor<1x16x4x4x4xf32>) -> tensor<16x16x1x1x1xf32> loc("volume")
  %1 = sg.convolution_weights(%x, %x) {kernel = array<i64: 1, 1>} : (tensor<1x16x4x4xf64>, tensor<1x16x4x4xf64>) -> tensor<16x16x1x1xf64> loc("double")
  %2 = sg.convolution_weights(%y, %y) {kernel = array<i64: 1, 1>, num_group = 2 : i64} : (tensor<1x24x4x4xf32>, tensor<1x24x4x4xf32>) -> tensor<24x12x1x1xf32> loc("groups")
  %3 = sg.convolution_weights(%z, %z) {kernel = array<i64: 1, 1>} : (tensor<0x16x4x4xf32>, tensor<0x16x4x4xf32>) -> tensor<16x16x1x1xf32> loc("none")
  sg.heads %0, %1, %2, %3 : tensor<16x16x1x1x1xf32>, tensor<16x16x1x1xf64>, tensor<24x12x1x1xf32>, tensor<16x16x1x1xf32>
}

// -----

// CHECK: 'double' does not fit rule 'pooling-gradient': the target has no layers of float64 elements
// CHECK: 'volume' does not fit rule 'pooling-gradient': its window has more than two axes
// CHECK: 'few' does not fit rule 'pooling-gradient': its images have 3 channels and lie in rows
// CHECK: 'none' does not fit rule 'pooling-gradient': an extent of its images is known only at run time, or 0
sg.graph @main(%d: tensor<1x16x4x4xf64> {sg.name = "d"}, %v: tensor<1x16x4x4x4xf32> {sg.name = "v"}, %f: tensor<1x3x4x4xf32> {sg.name = "f"}, %z: tensor<0x16x4x4xf32> {sg.name = "z"})
    -> (tensor<1x16x4x4xf64>, tensor<1x16x4x4x4xf32>, tensor<1x3x4x4xf32>, tensor<0x16x4x4xf32>) {
  %1 = sg.pooling_gradient(%d, %d, %d) {kernel = array<i64: 1, 1>} : (tensor<1x16x4x4xf64>, tensor<1x16x4x4xf64>, tensor<1x16x4x4xf64>) -> tensor<1x16x4x4xf64> loc("double")
  %2 = sg.pooling_gradient(%v, %v, %v) {kernel = array<i64: 1, 1, 1>} : (tensor<1x16x4x4x4xf32>, tensor<1x16x4x4x4xf32>, tensor<1x16x4x4x4xf32>) -> tensor<1x16x4x4x4xf32> loc("volume")
  %3 = sg.pooling_gradient(%f, %f, %f) {kernel = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> loc("few")
  %4 = sg.pooling_gradient(%z, %z, %z) {kernel = array<i64: 1, 1>} : (tensor<0x16x4x4xf32>, tensor<0x16x4x4xf32>, tensor<0x16x4x4xf32>) -> tensor<0x16x4x4xf32> loc("none")
  sg.heads %1, %2, %3, %4 : tensor<1x16x4x4xf64>, tensor<1x16x4x4x4xf32>, tensor<1x3x4x4xf32>, tensor<0x16x4x4xf32>
}

// -----

// CHECK: 'none' does not fit rule 'reverse': an extent is known only at run time, or 0
sg.graph @main(%x: tensor<0x4xf32> {sg.name = "x"}) -> (tensor<0x4xf32>) attributes {training} {
  %0 = sg.reverse(%x) {axis = array<i64: 1>} : (tensor<0x4xf32>) -> tensor<0x4xf32> loc("none")
  sg.heads %0 : tensor<0x4xf32>
}

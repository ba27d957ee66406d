// If this fails, a malformed step is a crash of a lowering instead of a sentence.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  // expected-error @below {{body takes 'f64' but its operands need 'f32'}}
  kernel.loops ins(%in : memref<4xf32>) outs(%out : memref<4xf32>) body {
  ^bb0(%a: f64):
    kernel.yield %a : f64
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  // expected-error @below {{coordinates [1] need rising numbers below the rank, 1}}
  kernel.loops ins(%in : memref<4xf32>) outs(%out : memref<4xf32>) {coordinates = array<i64: 1>} body {
  ^bb0(%p: i32, %a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<2147483649xf32>, %out: memref<2147483649xf32>):
  // expected-error @below {{counts to 2147483648 along axis 0, more than i32 holds}}
  kernel.loops ins(%in : memref<2147483649xf32>) outs(%out : memref<2147483649xf32>) {coordinates = array<i64: 0>} body {
  ^bb0(%p: i32, %a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf64>):
  // expected-error @below {{body must yield 'f64'}}
  kernel.loops ins(%in : memref<4xf32>) outs(%out : memref<4xf64>) body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<5xf32>):
  // expected-error @below {{views differ in shape: [4] and [5]}}
  kernel.loops ins(%in : memref<4xf32>) outs(%out : memref<5xf32>) body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1x1x4x4x16xf32>, %out: memref<1x4x4x16xf32>):
  // expected-error @below {{out has rank 4, needs 5}}
  kernel.pool "max" data(%in : memref<1x1x4x4x16xf32>) extras() out(%out : memref<1x4x4x16xf32>) {count_include_pad = true, kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x10x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %out: memref<1x1x8x8x16xf32>):
  // expected-error @below {{data has rank 4, needs 5}}
  kernel.conv data(%x : memref<1x1x10x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x8x8x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x10x10x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %out: memref<1x1x8x8x16xf32>):
  // expected-error @below {{has zeros in 11 rows, data has 10}}
  kernel.conv data(%x : memref<1x1x10x10x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x8x8x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, zeros = #kernel.padding<top = 8, bottom = 3>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x10x10x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %out: memref<1x1x8x8x16xf32>):
  // expected-error @below {{has zeros in 11 columns, data has 10}}
  kernel.conv data(%x : memref<1x1x10x10x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x8x8x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, zeros = #kernel.padding<left = 8, right = 3>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1x1x4x4x16xf32>, %out: memref<1x1x4x4x16xf32>):
  // expected-error @below {{a piece has a step's number of at least 0 and at least 1 of its pieces, found 2 and 0}}
  kernel.pool "max" data(%in : memref<1x1x4x4x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {count_include_pad = true, kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, piece = #kernel.piece<step = 2, pieces = 0>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1, dim_min = array<i64: 1>, dim_max = array<i64: 4>} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>, %size: index):
  // expected-error @below {{decides size 1 of a program with 1 symbolic sizes}}
  kernel.call "symc_ref_relu_f32" "relu" ins(%in : memref<4xf32>) outs(%out : memref<4xf32>) {params = [], dtypes = array<i64: 0, 0>, scratch_bytes = 0, decides = 1}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x4x1x1xf32>, %out: memref<1x1x1x1x16x12xf32>):
  // expected-error @below {{needs weights [O, I, kH, kW] and panels [OB, IB, kH, kW, L, B] of one type, B a multiple of 8, or a batch of both}}
  kernel.pack_panels %in to %out : memref<4x4x1x1xf32> to memref<1x1x1x1x16x12xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<3x4x4x1x1xf32>, %out: memref<2x1x1x1x1x16x16xf32>):
  // expected-error @below {{has weights of 3 images and panels of 2}}
  kernel.pack_panels %in to %out : memref<3x4x4x1x1xf32> to memref<2x1x1x1x1x16x16xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<3x1x1x10x16xf32>, %w: memref<2x1x1x1x1x16x16xf32>, %out: memref<3x1x1x10x16xf32>):
  // expected-error @below {{weights need panels [OB, ICB, kH, kW, L, 16], or these for each of 3 images, found [2, 1, 1, 1, 1, 16, 16]}}
  kernel.conv data(%x : memref<3x1x1x10x16xf32>) weights(%w : memref<2x1x1x1x1x16x16xf32>) extras() out(%out : memref<3x1x1x10x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4x1x3x3xf32>, %out: memref<1x3x3x16xf64>):
  // expected-error @below {{needs weights [C, 1, kH, kW] and panels [CB, kH, kW, B] of one type, B a multiple of 8, or [C, G, kH, kW] and [CB, kH, kW, G, B]}}
  kernel.pack_depthwise %in to %out : memref<4x1x3x3xf32> to memref<1x3x3x16xf64>
  kernel.end
}

// -----

kernel.program @main_program attributes {num_inputs = 3, num_outputs = 0} {
^bb0(%x: memref<1x1x8x8x3xf32>, %w: memref<1x1x3x3x3x16xf32>, %out: memref<1x1x8x8x16xf32>):
  // expected-error @+1 {{pad needs planar data and `choose`}}
  kernel.conv data(%x : memref<1x1x8x8x3xf32>) weights(%w : memref<1x1x3x3x3x16xf32>) extras() out(%out : memref<1x1x8x8x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 3, out_channels = 16, pad = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main_program attributes {num_inputs = 3, num_outputs = 0} {
^bb0(%x: memref<1x1x8x8x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x8x8x16xf32>):
  // expected-error @+1 {{choose needs "images" or "columns", found "rows"}}
  kernel.conv data(%x : memref<1x1x8x8x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x8x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, choose = "rows"} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x8x8x16xf32>, %w: memref<1x3x3x5x16xf32>, %out: memref<1x1x6x6x16xf32>):
  // expected-error @below {{weights need [CB, kH, kW, 16], or [CB, kH, kW, G, 16] of groups of G channels that divide a block, found [1, 3, 3, 5, 16]}}
  kernel.depthwise data(%x : memref<1x1x8x8x16xf32>) weights(%w : memref<1x3x3x5x16xf32>) extras() out(%out : memref<1x1x6x6x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

// expected-error @below {{clip 0 needs the number of one of 2 sizes, rising, and a map over the sizes before it}}
kernel.program @main attributes {num_inputs = 0, num_outputs = 0, dim_min = array<i64: 1, 1>, dim_max = array<i64: 6, 4>,
    kernel.clips = [{size = 1 : i64, least = affine_map<()[s0, s1] -> (s1, 4)>}]} {
^bb0(%rows: index, %part: index):
  kernel.end
}

// -----

// expected-error @below {{clips are no list}}
kernel.program @main attributes {num_inputs = 0, num_outputs = 0, kernel.clips = 1} {
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  // expected-error @below {{has clips, which a program has}}
  kernel.copy %in to %out {kernel.clips = []} : memref<4xf32> to memref<4xf32>
  kernel.end
}

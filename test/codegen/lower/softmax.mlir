// Softmax: pixels are lanes of their own, rows are summed in 16 parts on every target.
// RUN: symc-opt %s -kernel-plan-arena -kernel-outline=target=x86-64-v4 -canonicalize -cse -split-input-file | FileCheck %s
// RUN: symc-opt %s -kernel-plan-arena -kernel-outline=target=x86-64-v2 -canonicalize -cse -split-input-file | FileCheck %s --check-prefix=V2

// Two channels of 36 pixels: all in registers, no element is read twice; the last four
// pixels under a mask.
// CHECK-LABEL: func.func private @pixels_k0_softmax
// CHECK: scf.for
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT: llvm.load
// CHECK-COUNT-2: math.exp %{{.*}} : vector<16xf32>
// CHECK-COUNT-2: llvm.store
// CHECK: llvm.intr.masked.load
// V2-LABEL: func.func private @pixels_k0_softmax
// V2: math.exp %{{.*}} : vector<4xf32>
kernel.program @pixels attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<1x2x36xf32>, %out: memref<1x2x36xf32>):
  kernel.softmax %x to %out {factor = 1.0 : f64, log = false} : memref<1x2x36xf32> to memref<1x2x36xf32>
  kernel.end
}

// -----

// 16 partial sums: one vector of 16 or four of 4. Their halves are added, 8 pairs first;
// of a rest of 3 elements the lanes beyond it are least and zero.
// CHECK-LABEL: func.func private @rows_k0_softmax
// CHECK: %[[M:.*]] = scf.for {{.*}} iter_args(%{{[^ ,]*}} = %{{[^ ,]*}}) -> (vector<16xf32>)
// CHECK: llvm.intr.masked.load
// CHECK: arith.select
// CHECK: vector.extract_strided_slice {{.*}} {offsets = [0], sizes = [8], strides = [1]} : vector<16xf32> to vector<8xf32>
// CHECK: vector.extract_strided_slice {{.*}} {offsets = [8], sizes = [8], strides = [1]} : vector<16xf32> to vector<8xf32>
// CHECK: math.exp %{{.*}} : vector<16xf32>
// CHECK: arith.divf
// V2-LABEL: func.func private @rows_k0_softmax
// V2: scf.for {{.*}} -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>)
// V2: vector.extract_strided_slice {{.*}} {offsets = [0], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
kernel.program @rows attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<6x67x1xf32>, %out: memref<6x67x1xf32>):
  kernel.softmax %x to %out {factor = 1.0 : f64, log = false} : memref<6x67x1xf32> to memref<6x67x1xf32>
  kernel.end
}

// -----

// A logarithm keeps what is taken off, not exponentials; a factor multiplies first.
// CHECK-LABEL: func.func private @log_k0_softmax
// CHECK: arith.mulf
// CHECK: math.log %{{.*}} : vector<16xf32>
// CHECK-NOT: arith.divf
// V2-LABEL: func.func private @log_k0_softmax
kernel.program @log attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<1x40x32xf32>, %out: memref<1x40x32xf32>):
  kernel.softmax %x to %out {factor = -2.0 : f64, log = true} : memref<1x40x32xf32> to memref<1x40x32xf32>
  kernel.end
}

// If this fails, a row is not summed in its partial sums, or columns are walked one by one.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 -kernel-outline=target=x86-64-v4 -canonicalize -cse -split-input-file | FileCheck %s
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v2 -kernel-outline=target=x86-64-v2 -canonicalize -cse -split-input-file | FileCheck %s --check-prefix=V2

// A row of 9067: two blocks of 4096 in 64 partial sums, four vectors of 16 or sixteen of 4, and the
// rest of 875, whose last vector of 11 is under a mask. Then halves are added.
// CHECK-LABEL: func.func private @rows_k0_reduce
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-4: llvm.load {{.*}} -> vector<16xf32>
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: llvm.intr.masked.load
// CHECK: arith.select
// CHECK: vector.extract_strided_slice {{.*}} {offsets = [8], sizes = [8], strides = [1]} : vector<16xf32> to vector<8xf32>
// CHECK: arith.divf %{{.*}}, %{{.*}} : f32
// V2-LABEL: func.func private @rows_k0_reduce
// V2: scf.for {{.*}} -> ({{(vector<4xf32>, )+}}vector<4xf32>)
kernel.program @rows attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<6x9067xf32>, %out: memref<6xf32>):
  kernel.reduce ins(%x : memref<6x9067xf32>) row_outs(%out : memref<6xf32>) {kept = 1 : i64, combiners = ["sum"]} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    %c = arith.sitofp %n : i32 to f32
    %m = arith.divf %s, %c : f32
    kernel.yield %m : f32
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  }
  kernel.end
}

// -----

// Columns: a vector of rows at once, then what is left under a mask. A row of 3 is so short that what
// it saves stays in registers: no element is read twice.
// CHECK-LABEL: func.func private @columns_k0_reduce
// CHECK: scf.for
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK: math.exp %{{.*}} : vector<16xf32>
// CHECK: llvm.load
// CHECK: math.exp
// CHECK: llvm.load
// CHECK: math.exp
// CHECK-NOT: llvm.load
// CHECK-COUNT-3: llvm.store
// CHECK: llvm.intr.masked.load
// V2-LABEL: func.func private @columns_k0_reduce
// V2: math.exp %{{.*}} : vector<4xf32>
kernel.program @columns attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<3x37xf32>, %out: memref<3x37xf32>):
  %v = memref.reinterpret_cast %x to offset: [0], sizes: [37, 3], strides: [1, 37] : memref<3x37xf32> to memref<37x3xf32, strided<[1, 37]>>
  %w = memref.reinterpret_cast %out to offset: [0], sizes: [37, 3], strides: [1, 37] : memref<3x37xf32> to memref<37x3xf32, strided<[1, 37]>>
  kernel.reduce ins(%v : memref<37x3xf32, strided<[1, 37]>>) outs(%w : memref<37x3xf32, strided<[1, 37]>>) {kept = 1 : i64, combiners = ["sum"], saves = 0 : i64} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    %e = math.exp %a : f32
    kernel.yield %e, %e : f32, f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %e: f32, %s: f32):
    %q = arith.divf %e, %s : f32
    kernel.yield %q : f32
  }
  kernel.end
}

// -----

// A run-time length: nothing of a row beyond it is read, and zeros are written there.
// CHECK-LABEL: func.func private @lengths_k0_reduce
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: scf.for
// CHECK: vector.create_mask
// CHECK: llvm.store %{{cst[_0-9]*}}
// V2-LABEL: func.func private @lengths_k0_reduce
kernel.program @lengths attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<6x40xf32>, %l: memref<6xi32>, %out: memref<6x40xf32>):
  kernel.reduce ins(%x : memref<6x40xf32>) lengths(%l : memref<6xi32>) outs(%out : memref<6x40xf32>) {kept = 1 : i64, combiners = ["max"], partials = 16 : i64} passes {
  ^bb0(%p: i32, %n: i32, %a: f32):
    kernel.yield %a : f32
  } rows {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    kernel.yield
  } elements {
  ^bb0(%p: i32, %n: i32, %a: f32, %s: f32):
    %q = arith.subf %a, %s : f32
    kernel.yield %q : f32
  }
  kernel.end
}

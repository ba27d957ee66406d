// Functions of f32 without a polynomial of their own are computed in f64. If this fails, they call libm element by element,
// or the bits of an element hang on whether its neighbours go to libm.
// RUN: symc-opt --cpu-expand-scalar-ops --cpu-call-libm %s | FileCheck %s
// RUN: symc-opt --cpu-expand-scalar-ops %s | symc-opt --cpu-expand-scalar-ops | FileCheck %s --check-prefix=TWICE

// CHECK-LABEL: func @angle
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK: %[[FAR:.*]] = arith.cmpf ogt
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[FAR]]
// CHECK: scf.if %[[ANY]]
// CHECK: scf.for
// CHECK: call @sin(%{{.*}}) : (f64) -> f64
// CHECK: arith.select %[[FAR]]
// CHECK: arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// TWICE-COUNT-1: math.sin %{{.*}} : f64
func.func @angle(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.sin %x : vector<8xf32>
  return %y : vector<8xf32>
}

// Nearest miss of cpu-call-libm: powers of floats are expanded already.
// CHECK-LABEL: func @power
// CHECK-NOT: call
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @power(%x: f32, %y: f32) -> f32 {
  %z = math.powf %x, %y : f32
  return %z : f32
}

// A double of which a float is made is computed as a float's.
// CHECK-LABEL: func @rounded
// CHECK-NOT: call
// CHECK: arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
func.func @rounded(%x: vector<8xf64>) -> vector<8xf32> {
  %y = math.exp %x : vector<8xf64>
  %z = arith.truncf %y : vector<8xf64> to vector<8xf32>
  return %z : vector<8xf32>
}

// Nearest miss of cpu-expand-scalar-ops: of doubles libm's alone are exact enough.
// CHECK-LABEL: func @double
// CHECK: call @tan
func.func @double(%x: f64) -> f64 {
  %y = math.tan %x : f64
  return %y : f64
}

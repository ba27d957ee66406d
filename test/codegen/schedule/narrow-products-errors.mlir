// If this fails, kernel-narrow-products takes a type that no row of products multiplies.
// RUN: symc-opt -kernel-narrow-products=type=f64 -verify-diagnostics %s
// RUN: not symc-opt -kernel-choose-algorithms=precision=f64 %s 2>&1 | FileCheck %s
// CHECK: error: kernel-choose-algorithms: precision is 'f64', needs f16 or bf16

// expected-error @below {{kernel-narrow-products: type is 'f64', needs f16 or bf16}}
module {
}

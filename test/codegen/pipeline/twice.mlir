// If this fails, a pass of code generation changes what it made itself: run a second time it must find nothing to do.
// Each pass gets the output of the one before, then its own output once more.
//
// DEFINE: %{pass} =
// DEFINE: %{check} = symc-opt %t.last --pass-pipeline='builtin.module(%{pass})' -o %t.once && symc-opt %t.once --pass-pipeline='builtin.module(%{pass})' | diff %t.once - && cp %t.once %t.last
// RUN: cp %s %t.last
// REDEFINE: %{pass} = kernel-choose-layouts
// RUN: %{check}
// REDEFINE: %{pass} = kernel-schedule
// RUN: %{check}
// REDEFINE: %{pass} = kernel-split-parts
// RUN: %{check}
// REDEFINE: %{pass} = kernel-pool-places
// RUN: %{check}
// REDEFINE: %{pass} = kernel-make-variants{targets=x86-64-v4,x86-64-v3 prefix=net}
// RUN: %{check}
// REDEFINE: %{pass} = kernel-choose-algorithms
// RUN: %{check}
// REDEFINE: %{pass} = kernel-narrow-products
// RUN: %{check}
// REDEFINE: %{pass} = kernel.variant(kernel.program(kernel-row-bands{large-bytes=1 band-bytes=11000}))
// RUN: %{check}
// REDEFINE: %{pass} = kernel.variant(kernel.program(kernel-split-bytes))
// RUN: %{check}
// REDEFINE: %{pass} = kernel.variant(kernel.program(kernel-pad-rows))
// RUN: %{check}
// REDEFINE: %{pass} = kernel-plan-arena
// RUN: %{check}
// REDEFINE: %{pass} = kernel.variant(kernel.program(kernel-check-plan))
// RUN: %{check}
// REDEFINE: %{pass} = kernel-make-prepare-variant{prefix=net}
// RUN: %{check}
// REDEFINE: %{pass} = kernel.variant(kernel.program(kernel-choose-tiles))
// RUN: %{check}

// The passes for CUDA, behind the same schedule.
// RUN: symc-opt %s --pass-pipeline='builtin.module(kernel-choose-layouts,kernel-schedule,kernel-make-variants{targets=x86-64-v3})' -o %t.last
// REDEFINE: %{pass} = kernel-narrow-storage{type=f16}
// RUN: %{check}
// REDEFINE: %{pass} = kernel-drop-frames
// RUN: %{check}

// Functions of loops are the last form: a second run has no programs to make any of.
// RUN: symc-opt %s --kernel-choose-layouts --kernel-schedule --kernel-plan-arena -o %t.last
// REDEFINE: %{pass} = kernel.program(kernel-choose-tiles{target=x86-64-v3}),kernel-outline
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=FUNCTIONS --input-file=%t.last
// FUNCTIONS: func.func
// REDEFINE: %{pass} = any(cpu-expand-scalar-ops),cpu-call-libm
// RUN: %{check}

sg.weight @w1 : tensor<32x16x3x3xf32>
sg.weight @w2 : tensor<32x32x3x3xf32>
sg.weight @w3 : tensor<40x4608xf32>
sg.graph @main(%x: tensor<1x16x24x24xf32> {sg.name = "x"}) -> (tensor<1x40xf32>) {
  %w1 = sg.parameter @w1 : tensor<32x16x3x3xf32>
  %w2 = sg.parameter @w2 : tensor<32x32x3x3xf32>
  %w3 = sg.parameter @w3 : tensor<40x4608xf32>
  %0 = sg.convolution(%x, %w1) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x16x24x24xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x24x24xf32> loc("c1")
  %1 = sg.convolution(%0, %w2) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x32x24x24xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x24x24xf32> loc("c2")
  %2 = sg.pooling(%1) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "max"} : (tensor<1x32x24x24xf32>) -> tensor<1x32x12x12xf32> loc("p")
  %3 = sg.fully_connected(%2, %w3) {num_hidden = 40 : i64, no_bias = true} : (tensor<1x32x12x12xf32>, tensor<40x4608xf32>) -> tensor<1x40xf32> loc("f")
  sg.heads %3 : tensor<1x40xf32>
}

// If this fails, an instruction set runs the algorithm of another one though its own would pay,
// weights in forms of its own take more than half of what the first one's take, or move them.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --kernel-make-variants=targets=x86-64-v4,x86-64-v3 --kernel-choose-algorithms %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --kernel-make-variants=targets=x86-64-v4,x86-64-v3 --kernel-choose-algorithms --remarks-filter='kernel-choose-algorithms' --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --kernel-make-variants=targets=x86-64-v4 --kernel-choose-algorithms %s | FileCheck %s --check-prefix=ONE

// Of the weights those of the first come first, where they lie without the second.
// CHECK: kernel.prepared @w.small.winograd.m2.r3 at 0 :
// CHECK-NEXT: kernel.prepared @w.large.winograd.m4.r3.on_the_fly at 4194304 :
// CHECK-NEXT: kernel.prepared @w.dense.panels at 13631488 :
// CHECK-NEXT: kernel.prepared @w.small.winograd.m4.r3 at
// ONE: kernel.prepared @w.small.winograd.m2.r3 at 0 :
// ONE-NEXT: kernel.prepared @w.large.winograd.m4.r3.on_the_fly at 4194304 :
// ONE-NEXT: kernel.prepared @w.dense.panels at 13631488 :
// ONE-NOT: kernel.prepared

// One program writes them all.
// CHECK: kernel.program @prepare_program
// CHECK-COUNT-3: kernel.pack_winograd

// CHECK: kernel.variant @model_run_0 for "x86-64-v4"
// CHECK: kernel.weight @w.small.winograd.m2.r3
// CHECK: kernel.weight @w.large.winograd.m4.r3.on_the_fly
// CHECK: kernel.variant @model_run_1 for "x86-64-v3"
// CHECK: kernel.weight @w.small.winograd.m4.r3 :
// CHECK: kernel.weight @w.large.winograd.m4.r3.on_the_fly
// CHECK: expand
// CHECK-SAME: reason = "it reads weights that are there; winograd-f2 would take {{[0-9.]+}} % of the cycles, and 16.8 MB more of weights"
// REMARK: [Passed] own-form {{.*}}"for x86-64-v3: winograd-f4 in {{.*}}; 9.4 MB of weights in a form of its own"
// REMARK: [Missed] own-form {{.*}}"for x86-64-v3: winograd-f4-on-the-fly: it reads weights that are there; winograd-f2 would take
sg.weight @small : tensor<256x256x3x3xf32>
sg.weight @large : tensor<512x512x3x3xf32>
sg.weight @dense : tensor<200x25088xf32>
sg.graph @main(%x: tensor<1x256x10x10xf32> {sg.name = "x"}, %y: tensor<1x512x7x7xf32> {sg.name = "y"}) -> (tensor<1x256x10x10xf32>, tensor<1x200xf32>) {
  %small = sg.parameter @small : tensor<256x256x3x3xf32>
  %large = sg.parameter @large : tensor<512x512x3x3xf32>
  %dense = sg.parameter @dense : tensor<200x25088xf32>
  %0 = sg.convolution(%x, %small) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 256 : i64, no_bias = true} : (tensor<1x256x10x10xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x10x10xf32>
  %1 = sg.convolution(%y, %large) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 512 : i64, no_bias = true} : (tensor<1x512x7x7xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x7x7xf32>
  %2 = sg.fully_connected(%1, %dense) {num_hidden = 200 : i64, no_bias = true} : (tensor<1x512x7x7xf32>, tensor<200x25088xf32>) -> tensor<1x200xf32>
  sg.heads %0, %2 : tensor<1x256x10x10xf32>, tensor<1x200xf32>
}

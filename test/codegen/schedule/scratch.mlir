// If this fails, a reference kernel that works in memory of its own gets none, or too
// little where sizes are known only at run time.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// Places along the axis, and as many again to merge them: 2 * 8 bytes * 5, at most 2 * 8 * 7; a
// part of whole 64 bytes for each of 3 and of 2 lines, which are put in order in tasks.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.call "symc_ref_sort_f32" {{.*}} scratch_bytes = 384 : i64
// CHECK: kernel.call "symc_ref_argsort_f32" {{.*}} scratch_bytes = 256 : i64
// Of the first few places of a line no more are kept, 2 * 8 * 32 bytes in each of eight parts. Parts of
// 16 bytes an element are as many as the tensors' bytes hold: 4 of 8, of floats that are sorted.
// CHECK: kernel.call "symc_ref_topk_f32" {{.*}} scratch_bytes = 4096 : i64
// CHECK: kernel.call "symc_ref_sort_f32" {{.*}} scratch_bytes = 6400000 : i64
sg.graph @main(%x: tensor<3x5xf32> {sg.name = "x"}, %z: tensor<8x100000xf32> {sg.name = "z"},
               %y: tensor<2x?xf32, #sg.extents<()[s0] -> (2, s0)>> {sg.name = "y"})
    -> (tensor<3x5xf32>, tensor<2x?xf32, #sg.extents<()[s0] -> (2, s0)>>, tensor<8x3xf32>, tensor<8x100000xf32>)
    attributes {dim_names = ["y[1]"], dim_min = array<i64: 1>, dim_max = array<i64: 7>} {
  %0 = sg.sort(%x) : (tensor<3x5xf32>) -> tensor<3x5xf32>
  %1 = sg.argsort(%y) : (tensor<2x?xf32, #sg.extents<()[s0] -> (2, s0)>>)
      -> tensor<2x?xf32, #sg.extents<()[s0] -> (2, s0)>>
  %2 = sg.topk(%z) {k = 3 : i64} : (tensor<8x100000xf32>) -> tensor<8x3xf32>
  %3 = sg.sort(%z) : (tensor<8x100000xf32>) -> tensor<8x100000xf32>
  sg.heads %0, %1, %2, %3 : tensor<3x5xf32>, tensor<2x?xf32, #sg.extents<()[s0] -> (2, s0)>>, tensor<8x3xf32>, tensor<8x100000xf32>
}

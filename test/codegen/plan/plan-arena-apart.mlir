// Apart, every buffer and prepared weight has pages of its own between pages that nothing uses:
// what symc-conformance --guard makes inaccessible.
// RUN: symc-opt %s -kernel-plan-arena=placement=apart-at-end -kernel-check-plan | FileCheck %s --check-prefixes=CHECK,END
// RUN: symc-opt %s -kernel-plan-arena=placement=apart-at-start -kernel-check-plan | FileCheck %s --check-prefixes=CHECK,START
// Planning twice changes nothing.
// RUN: symc-opt %s -kernel-plan-arena=placement=apart-at-end -kernel-plan-arena=placement=apart-at-end | FileCheck %s --check-prefixes=CHECK,END
// RUN: not symc-opt %s -kernel-plan-arena=placement=loose 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: for the --placement option: Cannot find option named 'loose'!

// The first ends 16 bytes before its pages do: the next multiple of 64.
// END: kernel.prepared @short at 8128 : memref<12xf32>
// END: kernel.prepared @long at 16320 : memref<1040xf32>
// START: kernel.prepared @short at 4096 : memref<12xf32>
// START: kernel.prepared @long at 12288 : memref<1040xf32>
kernel.prepared @short at 0 : memref<12xf32>
kernel.prepared @long at 64 : memref<1040xf32>

// Packed, the first and the third would share their bytes, and the last two theirs. A buffer
// without bytes lies at a page that nothing uses.
// CHECK-LABEL: kernel.program @chain
// END-SAME: arena_bytes = 40960
// END: kernel.buffer() at 4096 : memref<1024xf32>
// END: kernel.buffer() at 16320 : memref<10xf32>
// END: kernel.buffer() at 20480 : memref<1024xf32>
// END: kernel.buffer() at 28672 : memref<0xf32>
// END: kernel.buffer() at 32768 : memref<1024xf32>
// START: kernel.buffer() at 4096 : memref<1024xf32>
// START: kernel.buffer() at 12288 : memref<10xf32>
// START: kernel.buffer() at 20480 : memref<1024xf32>
// START: kernel.buffer() at 28672 : memref<0xf32>
// START: kernel.buffer() at 32768 : memref<1024xf32>
kernel.program @chain attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1024xf32>, %out: memref<1024xf32>):
  %a = kernel.buffer() : memref<1024xf32>
  %b = kernel.buffer() : memref<10xf32>
  %c = kernel.buffer() : memref<1024xf32>
  %none = kernel.buffer() : memref<0xf32>
  %d = kernel.buffer() : memref<1024xf32>
  %ten = memref.reinterpret_cast %a to offset: [0], sizes: [10], strides: [1] : memref<1024xf32> to memref<10xf32>
  kernel.copy %in to %a : memref<1024xf32> to memref<1024xf32>
  kernel.copy %ten to %b : memref<10xf32> to memref<10xf32>
  kernel.copy %in to %c : memref<1024xf32> to memref<1024xf32>
  kernel.loops ins(%c : memref<1024xf32>) outs(%d : memref<1024xf32>) body {
  ^bb0(%x: f32):
    kernel.yield %x : f32
  }
  kernel.copy %d to %out : memref<1024xf32> to memref<1024xf32>
  kernel.end
}

// Two programs that one step calls work in one scratch, each in pages of its own: the second
// begins where the first ends, and the scratch has room for both behind the kernel's own bytes.
// CHECK-LABEL: kernel.program @first
// CHECK-SAME: arena_bytes = 12288
// END: kernel.buffer() at 8128 : memref<16xf32>
// START: kernel.buffer() at 4096 : memref<16xf32>
kernel.program @first attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<16xf32>, %out: memref<16xf32>):
  %a = kernel.buffer() : memref<16xf32>
  kernel.copy %in to %a : memref<16xf32> to memref<16xf32>
  kernel.copy %a to %out : memref<16xf32> to memref<16xf32>
  kernel.end
}
// CHECK-LABEL: kernel.program @second
// CHECK-SAME: arena_bytes = 24576
// END: kernel.buffer() at 20416 : memref<16xf32>
// START: kernel.buffer() at 16384 : memref<16xf32>
kernel.program @second attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<16xf32>, %out: memref<16xf32>):
  %a = kernel.buffer() : memref<16xf32>
  kernel.copy %in to %a : memref<16xf32> to memref<16xf32>
  kernel.copy %a to %out : memref<16xf32> to memref<16xf32>
  kernel.end
}
// CHECK-LABEL: kernel.program @calls
// CHECK: kernel.buffer() at 4096 : memref<28672xi8>
kernel.program @calls attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<16xf32>, %out: memref<16xf32>):
  kernel.call "symc_ref_foreach" "foreach" ins(%in : memref<16xf32>) outs(%out : memref<16xf32>) {params = [], dtypes = array<i64: 0, 0>, scratch_bytes = 100 : i64, bodies = [@first, @second], body_dtypes = array<i64: 0, 0>}
  kernel.end
}

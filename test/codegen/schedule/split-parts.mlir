// If this fails, backward cannot run by itself: a step stands in the wrong part, or one of backward
// reads memory of forward's caller.
// RUN: symc-opt %s -kernel-split-parts | FileCheck %s
// Twice changes nothing; the plan of what comes out is right.
// RUN: symc-opt %s -kernel-split-parts -kernel-split-parts | FileCheck %s
// RUN: symc-opt %s -kernel-split-parts -kernel-plan-arena -kernel-check-plan | FileCheck %s --check-prefix=PLAN
// PLAN: kernel.program @order

// Steps keep their order within their parts; what only backward needs of forward's arguments is
// copied, and views of them become views of the copies.
// CHECK-LABEL: kernel.program @order
// CHECK:      ^bb0(%[[X:[a-z0-9]+]]: memref<8xf32>, %[[H:[a-z0-9]+]]: memref<4xf32>, %[[Y:[a-z0-9]+]]: memref<4xf32>, %[[G:[a-z0-9]+]]: memref<4xf32>):
// CHECK:      %[[V:.+]] = memref.reinterpret_cast %[[X]]
// CHECK:      kernel.copy %[[V]] to %[[Y]]
// CHECK:      %[[KX:.+]] = kernel.buffer() {{.*}}: memref<8xf32>
// CHECK-NEXT: kernel.copy %[[X]] to %[[KX]]
// CHECK:      %[[KY:.+]] = kernel.buffer() {{.*}}: memref<4xf32>
// CHECK-NEXT: kernel.copy %[[Y]] to %[[KY]]
// CHECK-NEXT: kernel.forward_end
// CHECK:      %[[KV:.+]] = memref.reinterpret_cast %[[KX]] to offset: [4]
// CHECK:      kernel.loops ins(%[[KV]], %[[H]]
// CHECK:      kernel.loops ins(%[[KY]], {{.*}} outs(%[[G]]
kernel.program @order attributes {num_inputs = 2, num_outputs = 2, parts = ["forward", "backward", "forward", "backward"]} {
^bb0(%x: memref<8xf32>, %h: memref<4xf32>, %y: memref<4xf32>, %g: memref<4xf32>):
  %v = memref.reinterpret_cast %x to offset: [4], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %t = kernel.buffer() : memref<4xf32>
  kernel.loops ins(%v, %h : memref<4xf32, strided<[1], offset: 4>>, memref<4xf32>) outs(%t : memref<4xf32>) body {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a : f32
  }
  kernel.copy %v to %y : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32>
  kernel.loops ins(%y, %t : memref<4xf32>, memref<4xf32>) outs(%g : memref<4xf32>) body {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// A gradient that forward computes anyway is copied at the end of backward, as its memory comes with
// the call of backward.
// CHECK-LABEL: kernel.program @computed_by_forward
// CHECK:      ^bb0(%[[X:[a-z0-9]+]]: memref<4xf32>, %[[Y:[a-z0-9]+]]: memref<4xf32>, %[[G:[a-z0-9]+]]: memref<4xf32>):
// CHECK-NEXT: %[[B:.+]] = kernel.buffer()
// CHECK-NEXT: kernel.copy %[[X]] to %[[B]]
// CHECK-NEXT: kernel.copy %[[B]] to %[[Y]]
// CHECK-NEXT: kernel.forward_end
// CHECK-NEXT: kernel.copy %[[B]] to %[[G]]
kernel.program @computed_by_forward attributes {num_inputs = 1, num_outputs = 2, parts = ["forward", "forward", "backward"]} {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %g: memref<4xf32>):
  kernel.copy %x to %g : memref<4xf32> to memref<4xf32>
  kernel.copy %g to %y : memref<4xf32> to memref<4xf32>
  kernel.end
}

// A state of backward is read where it is, by both parts: its memory is the context's.
// CHECK-LABEL: kernel.program @state
// CHECK:      ^bb0(%[[X:[a-z0-9]+]]: memref<4xf32>, %[[S:[a-z0-9]+]]: memref<4xf32>, %[[Y:[a-z0-9]+]]: memref<4xf32>, %[[N:[a-z0-9]+]]: memref<4xf32>):
// CHECK:      kernel.loops ins(%[[X]], %[[S]]
// CHECK:      kernel.forward_end
// CHECK-NEXT: kernel.copy %[[S]] to %[[N]]
kernel.program @state attributes {num_inputs = 2, num_outputs = 2, parts = ["forward", "both", "forward", "backward"]} {
^bb0(%x: memref<4xf32>, %s: memref<4xf32>, %y: memref<4xf32>, %next: memref<4xf32>):
  kernel.copy %s to %next : memref<4xf32> to memref<4xf32>
  kernel.loops ins(%x, %s : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>) body {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// Nearest miss of kernel-split-parts: a program of one part stays as it is.
// CHECK-LABEL: kernel.program @one_part
// CHECK-NOT:  kernel.forward_end
kernel.program @one_part attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  kernel.copy %x to %y : memref<4xf32> to memref<4xf32>
  kernel.end
}

// Views that stand before the end of forward get a twin behind it, since kernel-choose-algorithms puts
// the padding of an image behind the view of it.
// CHECK-LABEL: kernel.program @views
// CHECK:      ^bb0(%[[X:[a-z0-9]+]]: memref<4xf32>, %[[H:[a-z0-9]+]]: memref<8xf32>,
// CHECK-NEXT: kernel.copy %[[X]]
// CHECK-NEXT: kernel.forward_end
// CHECK-NEXT: %[[A:.+]] = memref.reinterpret_cast %[[H]] to offset: [4]
// CHECK-NEXT: %[[B:.+]] = memref.reinterpret_cast %[[A]] to offset: [2]
// CHECK-NEXT: kernel.copy %[[B]]
kernel.program @views attributes {num_inputs = 2, num_outputs = 2, parts = ["forward", "backward", "forward", "backward"]} {
^bb0(%x: memref<4xf32>, %h: memref<8xf32>, %y: memref<4xf32>, %g: memref<2xf32>):
  %a = memref.reinterpret_cast %h to offset: [4], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %b = memref.reinterpret_cast %a to offset: [2], sizes: [2], strides: [1] : memref<4xf32, strided<[1], offset: 4>> to memref<2xf32, strided<[1], offset: 2>>
  kernel.copy %b to %g : memref<2xf32, strided<[1], offset: 2>> to memref<2xf32>
  kernel.copy %x to %y : memref<4xf32> to memref<4xf32>
  kernel.end
}

// A view that backward reads stands behind the step of backward that writes its memory, where later
// passes put a padded copy of it.
// CHECK-LABEL: kernel.program @made_views
// CHECK:      kernel.forward_end
// CHECK:      kernel.copy %{{.+}} to %[[T:.+]] : memref<4xf32> to memref<4xf32>
// CHECK:      %[[V:.+]] = memref.reinterpret_cast %[[T]]
// CHECK-NEXT: kernel.copy %[[V]] to
kernel.program @made_views attributes {num_inputs = 2, num_outputs = 2, parts = ["forward", "backward", "forward", "backward"]} {
^bb0(%x: memref<4xf32>, %h: memref<4xf32>, %y: memref<4xf32>, %g: memref<2xf32>):
  %t = kernel.buffer() : memref<4xf32>
  kernel.copy %h to %t : memref<4xf32> to memref<4xf32>
  %v = memref.reinterpret_cast %t to offset: [2], sizes: [2], strides: [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  kernel.copy %v to %g : memref<2xf32, strided<[1], offset: 2>> to memref<2xf32>
  kernel.copy %x to %y : memref<4xf32> to memref<4xf32>
  kernel.end
}

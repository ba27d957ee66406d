// If this fails, a model without prepared weights has code that prepares none.
// RUN: symc-opt %s --kernel-make-prepare-variant='target=x86-64-v2 prefix=net' | FileCheck %s
// CHECK: kernel.program @prepare_program
// CHECK-NOT: kernel.variant
kernel.program @prepare_program attributes {num_inputs = 0, num_outputs = 0} {
  kernel.end
}

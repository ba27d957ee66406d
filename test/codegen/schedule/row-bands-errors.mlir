// RUN: not symc-opt --kernel-row-bands=target=z80 %s 2>&1 | FileCheck %s
// CHECK: kernel-row-bands: no target 'z80'
kernel.program @main attributes {num_inputs = 0, num_outputs = 0} {
  kernel.end
}

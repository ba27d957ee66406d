// The pass names the option that it does not know.
// RUN: not symc-opt %s --kernel-choose-algorithms=target=i386 2>&1 | FileCheck %s
// RUN: not symc-opt %s "--kernel-choose-algorithms=target=x86-64-v3 force-kernel=best" 2>&1 | FileCheck %s --check-prefix=KERNEL
// CHECK: error: kernel-choose-algorithms: no target 'i386' or no math 'default'
// KERNEL: error: kernel-choose-algorithms: no kernel 'best'
module {}

// The pass names the option that it does not know.
// RUN: not symc-opt %s "--kernel-schedule=target=i386" 2>&1 | FileCheck %s
// RUN: not symc-opt %s "--kernel-schedule=target=x86-64-v3 force-kernel=best" 2>&1 | FileCheck %s --check-prefix=KERNEL
// CHECK: error: kernel-schedule: no target 'i386' or no math 'default'
// KERNEL: error: kernel-schedule: no kernel 'best'
module {}

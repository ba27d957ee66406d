// If this fails, a variant without code reaches the lowerings.
// RUN: not symc-opt %s 2>&1 | FileCheck %s
// CHECK: error: 'kernel.variant' op needs a program
kernel.variant @net_run_0 for "x86-64-v3", "default" {
^bb0:
}

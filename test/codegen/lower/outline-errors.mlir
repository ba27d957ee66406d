// The pass names the option that it does not know.
// RUN: not symc-opt %s -kernel-outline=target=i386 2>&1 | FileCheck %s
// CHECK: error: kernel-outline: no target 'i386' or no math 'default'
module {}

// If this fails, a pass takes options that do not fit what it works on.
// RUN: not symc-opt %s --kernel-choose-algorithms=batches=1,4 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: error: kernel-choose-algorithms: 2 batch sizes for 1 modules
// RUN: not symc-opt %s --kernel-make-variants='targets=x86-64-v3 batches=1,4' 2>&1 | FileCheck %s --check-prefix=VARIANTS
// VARIANTS: error: kernel-make-variants: 2 batch sizes for 1 modules
// RUN: not symc-opt %s --kernel-make-variants='targets=x86-64-v3,i386' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: kernel-make-variants: no target 'i386' or no math 'default'
// RUN: not symc-opt %s --kernel-choose-algorithms=tuning=no/such 2>&1 | FileCheck %s --check-prefix=TUNING
// TUNING: error: kernel-choose-algorithms: cannot read the tuning file 'no/such': No such file or directory
// RUN: echo tiles > %t.tuning; not symc-opt %s --kernel-choose-algorithms=tuning=%t.tuning 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: kernel-choose-algorithms: {{.*}}.tuning:1:1: a tuning file begins with 'symc tuning 1', found 'tiles'
module {}

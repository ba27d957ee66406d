// If this fails, detectors order and compare boxes that nobody reads, or boxes that somebody
// reads are missing.
// RUN: symc-opt --sg-limit-boxes --remarks-filter=sg-limit-boxes --remark-format=emitRemark %s 2> %t | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t

// REMARK: [Passed] rows {{.*}} Function=main {{.*}}"'best' ends behind 5 boxes of 9, those that are read"
// REMARK: "'two' ends behind 6 boxes of 9, those that are read"
// REMARK-NOT: Passed
// CHECK-LABEL: sg.graph @main
sg.graph @main(%x: tensor<2x9x6xf32> {sg.name = "x"}) -> (tensor<2x5x6xf32>, tensor<2x4x6xf32>, tensor<1x6x6xf32>, tensor<2x9x6xf32>, tensor<2x9x2xf32>, tensor<2x9x6xf32>) {
  // CHECK: box_nms({{.*}}) {rows = 5 : i64}
  %0 = sg.box_nms(%x) : (tensor<2x9x6xf32>) -> tensor<2x9x6xf32> loc("best")
  %1 = sg.slice_axis(%0) {axis = 1 : i64, begin = 0 : i64, end = 5 : i64} : (tensor<2x9x6xf32>) -> tensor<2x5x6xf32> loc("first")
  // The last that anyone reads counts; places may count from the end.
  // CHECK: box_nms({{.*}}) {overlap_thresh = {{.*}}, rows = 6 : i64}
  %2 = sg.box_nms(%x) {overlap_thresh = 0.25 : f64} : (tensor<2x9x6xf32>) -> tensor<2x9x6xf32> loc("two")
  %3 = sg.slice_axis(%2) {axis = -2 : i64, begin = 1 : i64, end = -4 : i64} : (tensor<2x9x6xf32>) -> tensor<2x4x6xf32> loc("counted")
  %4 = sg.slice(%2) {begin = array<i64: 0, 0>, end = array<i64: 1, 6>} : (tensor<2x9x6xf32>) -> tensor<1x6x6xf32> loc("longer")
  // A head reads all, and so does who cuts columns, or goes backwards.
  // CHECK-COUNT-3: box_nms({{.*}}) {overlap_thresh = {{[^,]*}}}
  %5 = sg.box_nms(%x) {overlap_thresh = 0.3 : f64} : (tensor<2x9x6xf32>) -> tensor<2x9x6xf32> loc("whole")
  %6 = sg.box_nms(%x) {overlap_thresh = 0.4 : f64} : (tensor<2x9x6xf32>) -> tensor<2x9x6xf32> loc("columns")
  %7 = sg.slice_axis(%6) {axis = 2 : i64, begin = 0 : i64, end = 2 : i64} : (tensor<2x9x6xf32>) -> tensor<2x9x2xf32> loc("cut")
  %8 = sg.box_nms(%x) {overlap_thresh = 0.6 : f64} : (tensor<2x9x6xf32>) -> tensor<2x9x6xf32> loc("backwards")
  %9 = sg.slice(%8) {begin = array<i64: 0, 8>, end = array<i64: 2, -10>, step = array<i64: 1, -1>} : (tensor<2x9x6xf32>) -> tensor<2x9x6xf32> loc("last")
  sg.heads %1, %3, %4, %5, %7, %9 : tensor<2x5x6xf32>, tensor<2x4x6xf32>, tensor<1x6x6xf32>, tensor<2x9x6xf32>, tensor<2x9x2xf32>, tensor<2x9x6xf32>
}

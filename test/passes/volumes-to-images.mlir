// If this fails, a layer over volumes runs in reference code, hundreds of times slower than over
// images, or a transpose stands between two layers of a video's net.
// RUN: symc-opt --split-input-file --sg-volumes-to-images %s | FileCheck %s
// RUN: symc-opt --split-input-file --sg-volumes-to-images --sg-volumes-to-images %s | FileCheck %s

// Three images behind each other are the channels of one; between the layers nothing is transposed.
// CHECK-LABEL: @net(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x4x6x8x8xf32>
// CHECK-DAG: %[[T:.*]] = sg.transpose(%[[X]]) {axes = array<i64: 0, 2, 1, 3, 4>}
// CHECK-DAG: %[[IMAGES:.*]] = sg.reshape(%[[T]]) {{.*}} -> tensor<6x4x8x8xf32>
// CHECK-DAG: %[[BORDER:.*]] = sg.fill_like({{.*}} -> tensor<1x4x8x8xf32>
// CHECK: %[[ALL:.*]] = sg.concat(%[[BORDER]], %[[IMAGES]], %[[BORDER]]) {dim = 0 : i64{{.*}} -> tensor<8x4x8x8xf32>
// CHECK: %[[CHANNELS:.*]] = sg.unfold_images(%[[ALL]]) {size = 3 : i64{{.*}} -> tensor<6x12x8x8xf32>
// CHECK: %[[TRANSPOSED:.*]] = sg.transpose(%{{[a-z0-9]+}}) {axes = array<i64: 0, 2, 1, 3, 4>} : (tensor<8x4x3x3x3xf32>)
// CHECK: %[[W:.*]] = sg.reshape(%[[TRANSPOSED]]) {{.*}} -> tensor<8x12x3x3xf32>
// CHECK: %[[C:.*]] = sg.convolution(%[[CHANNELS]], %[[W]]) {{.*}}pad = array<i64: 1, 1>{{.*}} -> tensor<6x8x8x8xf32>
// CHECK-NEXT: %[[R:.*]] = sg.unary(%[[C]]) {fn = "relu"} : (tensor<6x8x8x8xf32>)
// CHECK: %[[S:.*]] = sg.reshape(%{{[a-z0-9]+}}) {{.*}} -> tensor<1x8x1x1xf32>
// CHECK-NEXT: %[[M:.*]] = sg.binary(%[[R]], %[[S]]) {broadcast = true, fn = "mul"}
// CHECK: sg.convolution(%[[M]], {{.*}} -> tensor<6x8x8x8xf32>
// CHECK: sg.transpose({{.*}} -> tensor<1x8x6x8x8xf32>
// CHECK-NEXT: sg.heads
sg.graph @net(%x: tensor<1x4x6x8x8xf32> {sg.name = "x"}, %w: tensor<8x4x3x3x3xf32> {sg.name = "w"}, %s: tensor<8x1x1x1xf32> {sg.name = "s"}, %v: tensor<8x8x1x3x3xf32> {sg.name = "v"}) -> (tensor<1x8x6x8x8xf32>) {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3, 3>, pad = array<i64: 1, 1, 1>, num_filter = 8, no_bias = true} : (tensor<1x4x6x8x8xf32>, tensor<8x4x3x3x3xf32>) -> tensor<1x8x6x8x8xf32>
  %1 = sg.unary(%0) {fn = "relu"} : (tensor<1x8x6x8x8xf32>) -> tensor<1x8x6x8x8xf32>
  %2 = sg.binary(%1, %s) {broadcast = true, fn = "mul"} : (tensor<1x8x6x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x6x8x8xf32>
  %3 = sg.convolution(%2, %v) {kernel = array<i64: 1, 3, 3>, pad = array<i64: 0, 1, 1>, num_filter = 8, no_bias = true} : (tensor<1x8x6x8x8xf32>, tensor<8x8x1x3x3xf32>) -> tensor<1x8x6x8x8xf32>
  sg.heads %3 : tensor<1x8x6x8x8xf32>
}

// -----

// Poolings: of images, then of the images a tap apart; a batch whose size is chosen at run time.
#in = #sg.extents<()[s0] -> (s0, 4, 6, 8, 8)>
#out = #sg.extents<()[s0] -> (s0, 4, 3, 4, 4)>
// CHECK-LABEL: @pools(
// CHECK: %[[P:.*]] = sg.pooling({{.*}}) {kernel = array<i64: 2, 2>, pool_type = "avg", stride = array<i64: 2, 2>}
// CHECK: %[[LINES:.*]] = sg.reshape(%[[P]])
// CHECK-DAG: sg.slice(%[[LINES]]) {begin = {{.*}}, end = {{.*}}, step = array<i64: 1, 1, 2>}
// CHECK: %[[SUM:.*]] = sg.binary({{.*}}) {fn = "add"}
// CHECK-NEXT: sg.scalar(%[[SUM]]) {fn = "div", {{.*}}scalar = 2.000000e+00 : f64}
// CHECK: sg.reduce({{.*}}) {axis = array<i64: 1, 3, 4>, kind = "max"}
sg.graph @pools(%x: tensor<?x4x6x8x8xf32, #in> {sg.name = "x"}) -> (tensor<?x4x3x4x4xf32, #out>, tensor<?x4x1x1x1xf32, #sg.extents<()[s0] -> (s0, 4, 1, 1, 1)>>) attributes {dim_max = array<i64: 8>, dim_min = array<i64: 1>} {
  %0 = sg.pooling(%x) {kernel = array<i64: 2, 2, 2>, stride = array<i64: 2, 2, 2>, pool_type = "avg"} : (tensor<?x4x6x8x8xf32, #in>) -> tensor<?x4x3x4x4xf32, #out>
  %1 = sg.pooling(%x) {kernel = array<i64: 1, 1, 1>, global_pool = true} : (tensor<?x4x6x8x8xf32, #in>) -> tensor<?x4x1x1x1xf32, #sg.extents<()[s0] -> (s0, 4, 1, 1, 1)>>
  sg.heads %0, %1 : tensor<?x4x3x4x4xf32, #out>, tensor<?x4x1x1x1xf32, #sg.extents<()[s0] -> (s0, 4, 1, 1, 1)>>
}

// -----

// Images of several volumes do not lie side by side: what each tap reads is copied.
// CHECK-LABEL: @several(
// CHECK: %[[PADDED:.*]] = sg.pad({{.*}}pad_width = array<i64: 0, 0, 0, 0, 1, 1, 0, 0>{{.*}} -> tensor<2x1x8x256xf32>
// CHECK-DAG: sg.slice_axis(%[[PADDED]]) {axis = 2 : i64, begin = 0 : i64, end = 6 : i64}
// CHECK-DAG: sg.slice_axis(%[[PADDED]]) {axis = 2 : i64, begin = 2 : i64, end = 8 : i64}
// CHECK: %[[TAPS:.*]] = sg.concat({{.*}}) {dim = 2 : i64, num_args = 3 : i64}
// CHECK: %[[CHANNELS:.*]] = sg.reshape(%[[TAPS]]) {{.*}} -> tensor<12x12x8x8xf32>
// CHECK: sg.convolution(%[[CHANNELS]],
sg.graph @several(%x: tensor<2x4x6x8x8xf32> {sg.name = "x"}, %w: tensor<8x4x3x3x3xf32> {sg.name = "w"}) -> (tensor<2x8x6x8x8xf32>) {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3, 3>, pad = array<i64: 1, 1, 1>, num_filter = 8, no_bias = true} : (tensor<2x4x6x8x8xf32>, tensor<8x4x3x3x3xf32>) -> tensor<2x8x6x8x8xf32>
  sg.heads %0 : tensor<2x8x6x8x8xf32>
}

// -----

// Where each channel is alone, so are the taps, which are parts of the images.
// CHECK-LABEL: @alone(
// CHECK: sg.slice_axis({{.*}}) {axis = 0 : i64, begin = 0 : i64, end = 4 : i64} : (tensor<6x4x8x8xf32>)
// CHECK: %[[FIRST:.*]] = sg.convolution({{.*}}num_group = 4 : i64{{.*}}tensor<4x1x3x3xf32>) -> tensor<4x4x6x6xf32>
// CHECK: %[[SECOND:.*]] = sg.convolution({{.*}}num_group = 4 : i64
// CHECK-NEXT: sg.binary(%[[SECOND]], %[[FIRST]]) {fn = "add"}
// CHECK: sg.convolution({{.*}}num_group = 4 : i64
// CHECK-NOT: sg.convolution
sg.graph @alone(%x: tensor<1x4x6x8x8xf32> {sg.name = "x"}, %w: tensor<4x1x3x3x3xf32> {sg.name = "w"}) -> (tensor<1x4x4x6x6xf32>) {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3, 3>, num_filter = 4, num_group = 4, no_bias = true} : (tensor<1x4x6x8x8xf32>, tensor<4x1x3x3x3xf32>) -> tensor<1x4x4x6x6xf32>
  sg.heads %0 : tensor<1x4x4x6x6xf32>
}

// -----

// Functions of elements alone, and layers over images, stay as they are.
// CHECK-LABEL: @others(
// CHECK-NEXT: sg.unary({{.*}} -> tensor<1x4x6x8x8xf32>
// CHECK-NEXT: sg.pooling({{.*}} -> tensor<1x4x4x4xf32>
// CHECK-NEXT: sg.heads
sg.graph @others(%x: tensor<1x4x6x8x8xf32> {sg.name = "x"}, %y: tensor<1x4x8x8xf32> {sg.name = "y"}) -> (tensor<1x4x6x8x8xf32>, tensor<1x4x4x4xf32>) {
  %0 = sg.unary(%x) {fn = "relu"} : (tensor<1x4x6x8x8xf32>) -> tensor<1x4x6x8x8xf32>
  %1 = sg.pooling(%y) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  sg.heads %0, %1 : tensor<1x4x6x8x8xf32>, tensor<1x4x4x4xf32>
}

// -----

// A window of the depth alone, where nothing else reads images: one image of so many rows, and
// nothing is transposed. The depths of the images that another layer makes are its channels.
// CHECK-LABEL: @depth(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4x6x8x8xf32
// CHECK-NOT: sg.transpose
// CHECK-DAG: %[[IMAGE:.*]] = sg.reshape(%[[X]]) {{.*}} -> tensor<?x4x6x64xf32
// CHECK-DAG: %[[W:.*]] = sg.reshape(%{{[a-z0-9]+}}) {{.*}} -> tensor<8x4x3x1xf32>
// CHECK: %[[C:.*]] = sg.convolution(%[[IMAGE]], %[[W]]) {dilate = array<i64: 1, 1>, kernel = array<i64: 3, 1>, {{.*}}pad = array<i64: 1, 0>, stride = array<i64: 2, 1>} {{.*}} -> tensor<?x8x3x64xf32
// CHECK-NEXT: %[[R:.*]] = sg.unary(%[[C]]) {fn = "relu"} : (tensor<?x8x3x64xf32
// CHECK: sg.convolution(%[[R]], {{.*}}num_group = 2 : i64{{.*}} -> tensor<?x8x2x64xf32
// CHECK-NEXT: %[[Y:.*]] = sg.reshape({{.*}} -> tensor<?x8x2x8x8xf32
// CHECK-NEXT: sg.heads %[[Y]]
// CHECK-LABEL: @between(
// CHECK: sg.unfold_images({{.*}}) {size = 3 : i64
#volume = #sg.extents<()[s0] -> (s0, 4, 6, 8, 8)>
#first = #sg.extents<()[s0] -> (s0, 8, 3, 8, 8)>
#last = #sg.extents<()[s0] -> (s0, 8, 2, 8, 8)>
sg.graph @depth(%x: tensor<?x4x6x8x8xf32, #volume> {sg.name = "x"}, %w: tensor<8x4x3x1x1xf32> {sg.name = "w"}, %v: tensor<8x4x2x1x1xf32> {sg.name = "v"}) -> (tensor<?x8x2x8x8xf32, #last>) attributes {dim_max = array<i64: 8>, dim_min = array<i64: 1>} {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 1, 1>, stride = array<i64: 2, 1, 1>, pad = array<i64: 1, 0, 0>, num_filter = 8, no_bias = true} : (tensor<?x4x6x8x8xf32, #volume>, tensor<8x4x3x1x1xf32>) -> tensor<?x8x3x8x8xf32, #first>
  %1 = sg.unary(%0) {fn = "relu"} : (tensor<?x8x3x8x8xf32, #first>) -> tensor<?x8x3x8x8xf32, #first>
  %2 = sg.convolution(%1, %v) {kernel = array<i64: 2, 1, 1>, num_filter = 8, num_group = 2, no_bias = true} : (tensor<?x8x3x8x8xf32, #first>, tensor<8x4x2x1x1xf32>) -> tensor<?x8x2x8x8xf32, #last>
  sg.heads %2 : tensor<?x8x2x8x8xf32, #last>
}
sg.graph @between(%x: tensor<1x4x6x8x8xf32> {sg.name = "x"}, %w: tensor<8x4x3x1x1xf32> {sg.name = "w"}, %v: tensor<8x8x1x3x3xf32> {sg.name = "v"}) -> (tensor<1x8x6x8x8xf32>) {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 1, 1>, pad = array<i64: 1, 0, 0>, num_filter = 8, no_bias = true} : (tensor<1x4x6x8x8xf32>, tensor<8x4x3x1x1xf32>) -> tensor<1x8x6x8x8xf32>
  %1 = sg.unary(%0) {fn = "relu"} : (tensor<1x8x6x8x8xf32>) -> tensor<1x8x6x8x8xf32>
  %2 = sg.convolution(%1, %v) {kernel = array<i64: 1, 3, 3>, pad = array<i64: 0, 1, 1>, num_filter = 8, no_bias = true} : (tensor<1x8x6x8x8xf32>, tensor<8x8x1x3x3xf32>) -> tensor<1x8x6x8x8xf32>
  sg.heads %2 : tensor<1x8x6x8x8xf32>
}

// -----

// Extents that are known only at run time: taps end where that many images are left.
#in = #sg.extents<()[s0, s1, s2] -> (s0, 4, s1, 8, s2)>
#out = #sg.extents<()[s0, s1, s2] -> (s0, 8, (s1 - 3) floordiv 2 + 1, 8, s2)>
// CHECK-LABEL: @open(
// CHECK: %[[PADDED:.*]] = sg.pad({{.*}}pad_width = array<i64: 0, 0, 0, 0, 1, 1, 0, 0>{{.*}} -> tensor<?x1x?x?xf32, #{{.*}}(s0, 1, s1 + 2, s2 * 32)>>
// CHECK-DAG: sg.slice(%[[PADDED]]) {begin = {{.*}}, 0>, end = array<i64: {{.*}}, -4>, step = array<i64: 1, 1, 2>}
// CHECK-DAG: sg.slice(%[[PADDED]]) {begin = {{.*}}, 2>, end = array<i64: {{.*}}, -2>, step = array<i64: 1, 1, 2>}
// CHECK-DAG: sg.slice(%[[PADDED]]) {begin = {{.*}}, 4>, end = array<i64: {{.*}}, {{-[0-9]+}}>, step = array<i64: 1, 1, 2>}
// CHECK: sg.convolution({{.*}}kernel = array<i64: 3, 3>
// CHECK-NOT: kernel = array<i64: 3, 3, 3>
sg.graph @open(%x: tensor<?x4x?x8x?xf32, #in> {sg.name = "x"}, %w: tensor<8x4x3x3x3xf32> {sg.name = "w"}) -> (tensor<?x8x?x8x?xf32, #out>) attributes {dim_max = array<i64: 4, 9, 9>, dim_min = array<i64: 1, 3, 1>} {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3, 3>, stride = array<i64: 2, 1, 1>, dilate = array<i64: 2, 1, 1>, pad = array<i64: 1, 1, 1>, num_filter = 8, no_bias = true} : (tensor<?x4x?x8x?xf32, #in>, tensor<8x4x3x3x3xf32>) -> tensor<?x8x?x8x?xf32, #out>
  sg.heads %0 : tensor<?x8x?x8x?xf32, #out>
}

// -----

// The gradient goes from windows to pooled images along the depth, which is one image of 6 rows, then to each image.
// CHECK-LABEL: @pooled(
// CHECK: %[[IMAGES:.*]] = sg.reshape({{.*}} -> tensor<6x8x4x4xf32>
// CHECK: %[[EACH:.*]] = sg.pooling(%[[IMAGES]])
// CHECK: %[[DEEP:.*]] = sg.pooling_gradient({{.*}}) {kernel = array<i64: 3, 1>, pad = array<i64: 1, 0>, stride = array<i64: 2, 1>} : (tensor<1x8x6x4xf32>, tensor<1x8x3x4xf32>, tensor<1x8x3x4xf32>) -> tensor<1x8x6x4xf32>
// CHECK: sg.pooling_gradient(%[[IMAGES]], %[[EACH]], {{.*}}) {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0>, stride = array<i64: 2, 2>} : {{.*}} -> tensor<6x8x4x4xf32>
sg.graph @pooled(%x: tensor<1x8x6x4x4xf32> {sg.name = "x"}, %dy: tensor<1x8x3x2x2xf32> {sg.name = "dy"}) -> (tensor<1x8x6x4x4xf32>) attributes {training} {
  %y = sg.pooling(%x) {kernel = array<i64: 3, 2, 2>, stride = array<i64: 2, 2, 2>, pad = array<i64: 1, 0, 0>} : (tensor<1x8x6x4x4xf32>) -> tensor<1x8x3x2x2xf32>
  %dx = sg.pooling_gradient(%x, %y, %dy) {kernel = array<i64: 3, 2, 2>, stride = array<i64: 2, 2, 2>, pad = array<i64: 1, 0, 0>} : (tensor<1x8x6x4x4xf32>, tensor<1x8x3x2x2xf32>, tensor<1x8x3x2x2xf32>) -> tensor<1x8x6x4x4xf32>
  sg.heads %dx : tensor<1x8x6x4x4xf32>
}

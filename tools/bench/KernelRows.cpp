// KernelRows.cpp: the layers of the nets, as data.
#include "tools/bench/KernelRows.h"

using namespace symc::bench;

static Layer conv(std::string name, int64_t in, int64_t size, int64_t out, int64_t kernel,
                  int64_t stride = 1) {
  Layer l;
  l.name = name;
  l.in = in;
  l.rows = l.columns = size;
  l.out = out;
  l.kernelRows = l.kernelColumns = kernel;
  l.stride = stride;
  l.padRows = l.padColumns = kernel / 2;
  return l;
}

static Layer planar(Layer l) {
  l.planar = true;
  return l;
}

static Layer residual(Layer l) {
  l.residual = true;
  l.name += "+res";
  return l;
}

static Layer depthwise(std::string name, int64_t channels, int64_t size, int64_t kernel,
                       int64_t stride) {
  Layer l = conv(name, channels, size, channels, kernel, stride);
  l.depthwise = true;
  return l;
}

static Layer groups(std::string name, int64_t channels, int64_t size, int64_t group) {
  Layer l = depthwise(name, channels, size, 3, 1);
  l.group = group;
  return l;
}

static Layer dilated(std::string name, int64_t channels, int64_t size, int64_t dilation) {
  Layer l = conv(name, channels, size, channels, 3);
  l.dilation = l.padRows = l.padColumns = dilation;
  return l;
}

static Layer matrix(std::string name, int64_t batch, int64_t in, int64_t out) {
  Layer l = conv(name, in, 1, out, 1);
  l.matrix = true;
  l.batch = batch;
  return l;
}

std::vector<KernelRow> symc::bench::kernelRows() {
  std::vector<KernelRow> rows;
  auto add = [&](const char *net, int count, Layer layer) { rows.push_back({net, layer, count}); };
  // Version 1: the stride is in the first 1x1 of a stage.
  add("resnet50", 1, planar(conv("7x7s2_3-64@224", 3, 224, 64, 7, 2)));
  add("resnet50", 1, conv("1x1_64-64@56", 64, 56, 64, 1));
  add("resnet50", 3, conv("3x3_64-64@56", 64, 56, 64, 3));
  add("resnet50", 1, conv("1x1_64-256@56", 64, 56, 256, 1));
  add("resnet50", 3, residual(conv("1x1_64-256@56", 64, 56, 256, 1)));
  add("resnet50", 2, conv("1x1_256-64@56", 256, 56, 64, 1));
  add("resnet50", 1, conv("1x1s2_256-128@56", 256, 56, 128, 1, 2));
  add("resnet50", 1, conv("1x1s2_256-512@56", 256, 56, 512, 1, 2));
  add("resnet50", 4, conv("3x3_128-128@28", 128, 28, 128, 3));
  add("resnet50", 4, residual(conv("1x1_128-512@28", 128, 28, 512, 1)));
  add("resnet50", 3, conv("1x1_512-128@28", 512, 28, 128, 1));
  add("resnet50", 1, conv("1x1s2_512-256@28", 512, 28, 256, 1, 2));
  add("resnet50", 1, conv("1x1s2_512-1024@28", 512, 28, 1024, 1, 2));
  add("resnet50", 6, conv("3x3_256-256@14", 256, 14, 256, 3));
  add("resnet50", 6, residual(conv("1x1_256-1024@14", 256, 14, 1024, 1)));
  add("resnet50", 5, conv("1x1_1024-256@14", 1024, 14, 256, 1));
  add("resnet50", 1, conv("1x1s2_1024-512@14", 1024, 14, 512, 1, 2));
  add("resnet50", 1, conv("1x1s2_1024-2048@14", 1024, 14, 2048, 1, 2));
  add("resnet50", 3, conv("3x3_512-512@7", 512, 7, 512, 3));
  add("resnet50", 3, residual(conv("1x1_512-2048@7", 512, 7, 2048, 1)));
  add("resnet50", 2, conv("1x1_2048-512@7", 2048, 7, 512, 1));
  add("resnet50", 1, matrix("fc_2048-1000", 1, 2048, 1000));

  add("mobilenetv2", 1, planar(conv("3x3s2_3-32@224", 3, 224, 32, 3, 2)));
  add("mobilenetv2", 1, depthwise("dw3_32@112", 32, 112, 3, 1));
  add("mobilenetv2", 1, conv("1x1_32-16@112", 32, 112, 16, 1));
  add("mobilenetv2", 1, conv("1x1_16-96@112", 16, 112, 96, 1));
  add("mobilenetv2", 1, depthwise("dw3s2_96@112", 96, 112, 3, 2));
  add("mobilenetv2", 1, conv("1x1_96-24@56", 96, 56, 24, 1));
  add("mobilenetv2", 2, conv("1x1_24-144@56", 24, 56, 144, 1));
  add("mobilenetv2", 1, depthwise("dw3_144@56", 144, 56, 3, 1));
  add("mobilenetv2", 3, conv("1x1_32-192@28", 32, 28, 192, 1));
  add("mobilenetv2", 4, depthwise("dw3_384@14", 384, 14, 3, 1));
  add("mobilenetv2", 3, conv("1x1_384-64@14", 384, 14, 64, 1));
  add("mobilenetv2", 3, depthwise("dw3_960@7", 960, 7, 3, 1));
  add("mobilenetv2", 1, conv("1x1_320-1280@7", 320, 7, 1280, 1));

  add("vgg16", 1, planar(conv("3x3_3-64@224", 3, 224, 64, 3)));
  add("vgg16", 1, conv("3x3_64-64@224", 64, 224, 64, 3));
  add("vgg16", 1, matrix("fc_25088-4096", 1, 25088, 4096));
  add("inceptionv3", 1, conv("3x3_32-64@147", 32, 147, 64, 3));
  add("inceptionv3", 1, conv("1x1_768-192@17", 768, 17, 192, 1));
  add("inceptionv3", 4, conv("3x3_96-96@35", 96, 35, 96, 3));
  add("densenet121", 12, conv("3x3_128-32@28", 128, 28, 32, 3));
  add("efficientnet", 1, depthwise("dw5_240@28", 240, 28, 5, 1));
  add("resnext50", 3, groups("3x3g4_128@56", 128, 56, 4));
  add("resnext50", 3, groups("3x3g8_256@28", 256, 28, 8));
  add("fcn_resnet50", 5, dilated("3x3d2_256@20", 256, 20, 2));
  add("fcn_resnet50", 2, dilated("3x3d4_512@20", 512, 20, 4));
  add("lenet", 1, matrix("fc_800-500", 1, 800, 500));
  add("matrix", 1, matrix("64x1024x1024", 64, 1024, 1024));
  return rows;
}

//===- WindowShapesTest.cpp - windows that hold no element ------------------===//
//
// If this fails, a bias or a scale changes places with a pooling of which a window lies beside the
// image, and such windows hold the bias in place of 0; or no pooling lets one pass any more.
//
//===----------------------------------------------------------------------===//
#include "ir/WindowShapes.h"
#include "gtest/gtest.h"

using namespace symc::sg;

namespace {

struct Axis {
  int64_t kernel, stride, pad;
  const char *convention;
  int64_t more = 0; // padding behind the image than before it
  int64_t padEnd() const { return pad + more; }
};

int64_t resultOf(const Axis &axis, int64_t extent) {
  int64_t padded = extent + axis.pad + axis.padEnd();
  if (std::string(axis.convention) == "same")
    return (padded + axis.stride - 1) / axis.stride;
  int64_t room = padded - axis.kernel;
  bool full = std::string(axis.convention) == "full";
  return (full ? room + axis.stride - 1 : room) / axis.stride + 1;
}

// Window by window.
bool counted(const Axis &axis, int64_t extent) {
  for (int64_t i = 0; i < resultOf(axis, extent); ++i) {
    int64_t begin = i * axis.stride - axis.pad;
    if (begin >= extent || begin + axis.kernel <= 0)
      return false;
  }
  return true;
}

struct EveryWindow : testing::Test {
  mlir::MLIRContext context;
  bool holds(const Axis &axis, Dim extent, SymbolRanges ranges = {}, bool global = false) {
    Dim one = Dim::constant(1, &context);
    int64_t begin = axis.pad, end = axis.padEnd();
    PoolWindow window{axis.kernel, axis.stride, {begin, end}, global, axis.convention, false};
    return everyWindowHoldsAnElement(window, Shape({one, one, extent}), ranges);
  }
  bool holds(const Axis &axis, int64_t extent, bool global = false) {
    return holds(axis, Dim::constant(extent, &context), {}, global);
  }
};

TEST_F(EveryWindow, IsExactOfKnownExtents) {
  int held = 0, missed = 0;
  for (const char *convention : {"valid", "full", "same"})
    for (int64_t kernel = 1; kernel <= 4; ++kernel)
      for (int64_t pad = 0; pad < kernel; ++pad)
        for (int64_t more = -pad; pad + more < kernel; ++more)
          for (int64_t stride = 1; stride <= 7; ++stride)
            for (int64_t extent = 1; extent <= 9; ++extent) {
              Axis axis{kernel, stride, pad, convention, more};
              if (convention[0] != 's' && extent + pad + axis.padEnd() < kernel)
                continue; // refused (C4 of sg.pooling)
              bool expected = counted(axis, extent);
              (expected ? held : missed)++;
              EXPECT_EQ(holds(axis, extent), expected)
                  << convention << ": kernel " << kernel << ", stride " << stride << ", pad " << pad
                  << " and " << axis.padEnd() << ", extent " << extent;
            }
  EXPECT_GT(held, 500);
  EXPECT_GT(missed, 100);
}

TEST_F(EveryWindow, HoldsForAllSizesOfARange) {
  int64_t least = 4, most = 40;
  Dim open(mlir::getAffineSymbolExpr(0, &context));
  int held = 0;
  for (const char *convention : {"valid", "full", "same"})
    for (int64_t kernel = 1; kernel <= 4; ++kernel)
      for (int64_t pad = 0; pad < kernel; ++pad)
        for (int64_t stride = 1; stride <= 7; ++stride) {
          Axis axis{kernel, stride, pad, convention};
          bool expected = true; // the range has every remainder of the stride
          for (int64_t extent = least; extent <= most; ++extent)
            expected &= counted(axis, extent);
          EXPECT_EQ(holds(axis, open, {least, most}), expected)
              << convention << ": kernel " << kernel << ", stride " << stride << ", pad " << pad;
          held += expected;
        }
  EXPECT_GT(held, 50);
}

TEST_F(EveryWindow, NeedsAnImage) {
  Axis axis{2, 2, 0, "valid"};
  EXPECT_FALSE(holds(axis, Dim()));                                       // unknown
  EXPECT_FALSE(holds(axis, Dim(mlir::getAffineSymbolExpr(0, &context)))); // of any size
  EXPECT_FALSE(holds({3, 1, 2, "valid"}, 0));
  EXPECT_FALSE(holds(axis, 0, /*global=*/true));
  EXPECT_TRUE(holds({2, 3, 0, "full"}, 3, /*global=*/true)); // one window, whatever the others
}

} // namespace

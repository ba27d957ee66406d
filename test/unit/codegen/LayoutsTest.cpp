// LayoutsTest.cpp: the layouts that a target has on offer bind the choice of layouts and the
// schedule alike: if this fails, a device without blocks of channels gets steps that need them.
#include "codegen/kernel/KernelDialect.h"
#include "codegen/schedule/Schedule.h"
#include "ir/GraphDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace symc;
using namespace symc::codegen;

static const char *const net = R"(
sg.weight @w : tensor<16x32x3x3xf32>
sg.graph @main(%x: tensor<2x32x8x8xf32> {sg.name = "x"}) -> (tensor<2x16x4x4xf32>) {
  %w = sg.parameter @w : tensor<16x32x3x3xf32>
  %0 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<2x32x8x8xf32>) -> tensor<2x32x4x4xf32>
  %1 = sg.convolution(%0, %w) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<2x32x4x4xf32>, tensor<16x32x3x3xf32>) -> tensor<2x16x4x4xf32>
  sg.heads %1 : tensor<2x16x4x4xf32>
})";

namespace {
struct Counts {
  int64_t plain = 0, blocked = 0; // values
  int64_t tiles = 0, calls = 0;   // steps
};
} // namespace

static Counts scheduleFor(const Target &target) {
  mlir::DialectRegistry registry;
  registry.insert<sg::SGDialect, kernel::KernelDialect, mlir::memref::MemRefDialect,
                  mlir::affine::AffineDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(net, &context);
  Counts counts;
  if (!module)
    return counts;
  chooseLayouts(*module, {&target, false});
  module->walk([&](mlir::Operation *op) {
    if (auto layouts = op->getAttrOfType<mlir::ArrayAttr>("kernel.layouts"))
      for (auto layout : layouts.getAsRange<kernel::LayoutAttr>())
        ++(layout.getKind() == "blocked" ? counts.blocked : counts.plain);
  });
  EXPECT_TRUE(mlir::succeeded(scheduleModules({*module}, {&target, false})));
  module->walk([&](mlir::Operation *op) {
    counts.tiles += mlir::isa<kernel::ConvOp, kernel::PoolOp>(op);
    counts.calls += mlir::isa<kernel::CallOp>(op);
  });
  return counts;
}

TEST(Layouts, AreOfThoseOnOffer) {
  Counts all = scheduleFor(Target());
  EXPECT_GT(all.blocked, 0);
  EXPECT_EQ(all.tiles, 2);
  EXPECT_EQ(all.calls, 0);

  static const llvm::StringLiteral plainOnly[] = {"plain"};
  Target rows;
  rows.layouts = plainOnly;
  Counts some = scheduleFor(rows);
  EXPECT_GT(some.plain, 0);
  EXPECT_EQ(some.blocked, 0);
  EXPECT_EQ(some.tiles, 0);
  EXPECT_EQ(some.calls, 2) << "by reference kernels";
}

// TuningTest.cpp: choices survive a round through a tuning file, and what a tuner measures as
// the model's choice is what a compilation without a file takes.
#include "codegen/conv/Tuning.h"
#include "codegen/conv/ConvChoice.h"
#include "codegen/cpu/TargetDescription.h"
#include "codegen/cpu/TileChoice.h"
#include "codegen/cpu/TunableStep.h"
#include "codegen/lower/KernelLowering.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace symc::codegen;

TEST(Tuning, RoundTrip) {
  TargetDescription v3 = *TargetDescription::get("x86-64-v3");
  TargetDescription v4 = *TargetDescription::get("x86-64-v4");
  Tuning one;
  one.set(v4, "conv/b", {{2, 1, 14}, true, 3.5});
  one.set(v3, "conv/b", {{1, 2, 3}, false, 0});
  one.set(v3, "conv/a", {{1, 1, 6}, false, 12, convAlgorithmNamed("winograd-f4")});
  std::string text = one.print();
  EXPECT_EQ(text, "symc tuning 1\n"
                  "x86-64-v3 conv/a winograd-f4 tile=1x1x6 us=12.00\n"
                  "x86-64-v3 conv/b direct tile=1x2x3 order=groups\n"
                  "x86-64-v4 conv/b direct tile=2x1x14 order=pixels us=3.50\n");
  Tuning two;
  EXPECT_FALSE(two.parse(text));
  EXPECT_EQ(two.print(), text);
  ASSERT_TRUE(two.find(v4, "conv/b"));
  EXPECT_TRUE(two.find(v4, "conv/b")->pixelsOutside);
  EXPECT_FALSE(two.find(v4, "conv/a")) << "a choice of another instruction set";
}

// A layer that the model computes directly, computed otherwise because the file says
// so; never beyond the error that --math allows.
TEST(Tuning, KernelComesFromTheFile) {
  TargetDescription v4 = *TargetDescription::get("x86-64-v4");
  KernelPolicy policy{&v4, errorLimitOf(MathMode::Default)};
  ConvLayer layer{1, 4, 4, 16, 16, {3, 3}, {1, 1}, {1, 1}, true, 1};
  ASSERT_EQ(chooseConvAlgorithm(layer, policy).algorithm, convAlgorithmNamed("direct"));
  Tuning tuning;
  tuning.set(*policy.target, keyOfLayer(layer),
             {{1, 1, 1}, false, 0, convAlgorithmNamed("winograd-f4")});
  policy.measured = &tuning;
  EXPECT_EQ(chooseConvAlgorithm(layer, policy).algorithm, convAlgorithmNamed("winograd-f4"));
  EXPECT_EQ(chooseConvAlgorithm(layer, policy).reason, "measured as the fastest");
  policy.errorLimit = 1e-7;
  EXPECT_EQ(chooseConvAlgorithm(layer, policy).algorithm, convAlgorithmNamed("direct"));
}

TEST(Tuning, NativeChoicesBelongToTheCore) {
  TargetDescription native = *TargetDescription::get("native");
  EXPECT_EQ(Tuning::targetName(native), "native:" + native.llvmCpu);
}

TEST(Tuning, RankedTilesBeginWithTheModelsChoice) {
  TargetDescription v4 = *TargetDescription::get("x86-64-v4");
  ConvExtents extents{1, 56, 56, 64, 64, 9};
  std::vector<ConvTile> tiles = rankConvTiles(extents, v4, 5);
  ASSERT_EQ(tiles.size(), 5u);
  ConvTile chosen = chooseConvTile(extents, v4);
  EXPECT_EQ(tiles[0].blocks * 1000 + tiles[0].rows * 100 + tiles[0].columns,
            chosen.blocks * 1000 + chosen.rows * 100 + chosen.columns);
}

// One layer by two algorithms, another by a third.
static const char *const steps = R"(
kernel.program @main attributes {num_inputs = 5, num_outputs = 5} {
^bb0(%x: memref<1x16x1x784x16xf32>, %w: memref<16x16x1x1x16x16xf32>, %q: memref<8x7x8x1x1x16x16xf32>, %y: memref<1x16x10x10x16xf32>, %p: memref<36x16x16x16x16xf32>, %out: memref<1x16x1x784x16xf32>, %s: memref<8x65536xf32>, %n: memref<8x16xi32>, %b: memref<1x16x8x8x16xf32>, %r: memref<8x65536xf32>):
  kernel.conv data(%x : memref<1x16x1x784x16xf32>) weights(%w : memref<16x16x1x1x16x16xf32>) extras() out(%out : memref<1x16x1x784x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 256, out_channels = 256} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.strassen data(%x : memref<1x16x1x784x16xf32>) weights(%q : memref<8x7x8x1x1x16x16xf32>) extras() out(%out : memref<1x16x1x784x16xf32>) scratch(%s : memref<8x65536xf32>, %n : memref<8x16xi32>) {in_channels = 256, out_channels = 256, flat, unit = 49, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.winograd data(%y : memref<1x16x10x10x16xf32>) weights(%p : memref<36x16x16x16x16xf32>) extras() out(%b : memref<1x16x8x8x16xf32>) scratch(%r : memref<8x65536xf32>, %n : memref<8x16xi32>) {output_tile = 4, in_channels = 256, out_channels = 256, block = array<i64: 4, 4>, per_task = array<i64: 1, 16>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
})";

TEST(TunableStep, TheFirstCandidateIsTheModelsChoice) {
  mlir::DialectRegistry registry;
  registry.insert<symc::kernel::KernelDialect, mlir::memref::MemRefDialect>();
  registerTunableSteps(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ParserConfig config(&context,
                            /*verifyAfterParse=*/false); // weights are looked at by no one
  auto module = mlir::parseSourceString<mlir::ModuleOp>(steps, config);
  ASSERT_TRUE(module);
  std::vector<std::string> keys;
  module->walk([&](TunableStep step) {
    keys.push_back(step.getKey());
    EXPECT_EQ(algorithmOf(step)->name, step.getAlgorithm());
    for (const char *name : {"x86-64-v2", "x86-64-v3", "x86-64-v4", "armv8-a"}) {
      TargetDescription target = *TargetDescription::get(name);
      mlir::OwningOpRef<mlir::Operation *> chosen = step->clone(), measured = step->clone();
      ASSERT_TRUE(mlir::succeeded(mlir::cast<TunableStep>(*chosen).choose(target)));
      auto other = mlir::cast<TunableStep>(*measured);
      std::vector<StepChoice> candidates = step.getCandidates(target, 3);
      ASSERT_GE(candidates.size(), 1u);
      other.setChoice(candidates.front(), target);
      EXPECT_EQ(chosen->getAttrDictionary(), measured->getAttrDictionary())
          << step.getAlgorithm().str() << " on " << name;
      EXPECT_GT(step.getCycles(candidates.front(), target, 0), 0);
    }
  });
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[0], keys[1]) << "of one layer";
  EXPECT_NE(keys[0], keys[2]);
}

// A lowering that makes tasks of its own accord would be a choice that no IR shows.
TEST(TunableStep, EveryStepThatRunsInTasksHasOne) {
  mlir::DialectRegistry registry;
  registerLowerings(registry);
  registerTunableSteps(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<symc::kernel::KernelDialect>();
  int steps = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    if (!name.hasInterface<LoweringInterface>())
      continue;
    ++steps;
    EXPECT_TRUE(name.hasInterface<symc::kernel::TiledInterface>()) << name.getStringRef().str();
    EXPECT_TRUE(name.hasInterface<TunableStep>()) << name.getStringRef().str();
  }
  EXPECT_GT(steps, 10);
}

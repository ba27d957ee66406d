// TargetTest.cpp: the table of instruction sets holds what lowerings rely on.
#include "codegen/cpu/TargetDescription.h"

#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

using symc::codegen::TargetDescription;

TEST(Target, EveryNameHasARow) {
  for (const std::string &name : TargetDescription::names()) {
    auto target = TargetDescription::get(name);
    ASSERT_TRUE(target) << name;
    EXPECT_EQ(target->name, name);
    EXPECT_EQ(target->blockWidth % target->lanes(4), 0) << "lanes must divide a panel";
    EXPECT_FALSE(target->tiles.empty());
    EXPECT_GE(target->cpuLevel, 1u);
    EXPECT_GT(target->l1Bytes, 0);
    EXPECT_GT(target->l2Bytes, target->l1Bytes);
  }
}

// Instruction sets share layouts, prepared weights and the plan.
TEST(Target, InstructionSetsHaveOneBlockWidth) {
  for (const std::string &name : TargetDescription::names())
    EXPECT_EQ(TargetDescription::get(name)->blockWidth,
              TargetDescription::get("x86-64-v2")->blockWidth)
        << name;
}

TEST(Target, ElementsOfLayersAreRows) {
  mlir::MLIRContext context;
  mlir::Builder b(&context);
  TargetDescription target = *TargetDescription::get("x86-64-v3");
  const symc::codegen::ElementRow *f32 = target.elementsOf(b.getF32Type());
  ASSERT_TRUE(f32);
  EXPECT_EQ(f32, target.layerElements(b.getF32Type()));
  EXPECT_EQ(f32->accumulator(&context), b.getF32Type());
  EXPECT_EQ(f32->panels, "panels");
  for (bool isSigned : {false, true}) {
    mlir::Type byte = b.getIntegerType(8, isSigned);
    const symc::codegen::ElementRow *row = target.elementsOf(byte);
    ASSERT_TRUE(row);
    EXPECT_EQ(row->operand(&context), b.getI8Type());
    EXPECT_EQ(row->accumulator(&context), b.getI32Type());
    EXPECT_EQ(row->panels, "quads");
    EXPECT_FALSE(target.layerElements(byte));
  }
  EXPECT_FALSE(target.elementsOf(b.getF64Type()));
  EXPECT_FALSE(target.elementsOf(b.getI32Type()));
  EXPECT_FALSE(target.elementsOf({}));
}

TEST(Target, CodeRunsOnItsArchitectureAndLevel) {
  auto get = [](const char *name) { return *TargetDescription::get(name); };
  EXPECT_TRUE(get("x86-64-v3").runsOn(get("x86-64-v4")));
  EXPECT_FALSE(get("x86-64-v4").runsOn(get("x86-64-v3")));
  EXPECT_FALSE(get("armv8-a").runsOn(get("x86-64-v4")));
}

TEST(Target, UnknownNamesHaveNone) {
  EXPECT_FALSE(TargetDescription::get("x86-64-v5"));
  EXPECT_FALSE(TargetDescription::get(""));
}

TEST(Target, NativeIsStable) {
  auto first = TargetDescription::get("native"), second = TargetDescription::get("native");
  EXPECT_EQ(first->features, second->features);
  EXPECT_EQ(first->llvmCpu, second->llvmCpu);
  EXPECT_NE(first->llvmCpu, "");
}

// TargetTest.cpp: the table of instruction sets holds what lowerings rely on.
#include "codegen/cpu/TargetDescription.h"

#include "gtest/gtest.h"

using symc::codegen::TargetDescription;

TEST(Target, EveryNameHasARow) {
  for (const std::string &name : TargetDescription::names()) {
    auto target = TargetDescription::get(name);
    ASSERT_TRUE(target) << name;
    EXPECT_EQ(target->name, name);
    EXPECT_EQ(16 % target->lanes(4), 0) << "lanes must divide the 16-wide panels";
    EXPECT_FALSE(target->tiles.empty());
    EXPECT_GE(target->cpuLevel, 1u);
    EXPECT_GT(target->l1Bytes, 0);
    EXPECT_GT(target->l2Bytes, target->l1Bytes);
  }
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

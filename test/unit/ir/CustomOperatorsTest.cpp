// CustomOperatorsTest.cpp: operators that are added while the process runs. If this fails, the op
// table does not know them, takes two of one name, or looks at half of an addition.
#include "ir/CustomOperators.h"
#include "ir/OperatorSchema.h"
#include "gtest/gtest.h"
#include <thread>

using namespace symc::sg;

namespace {

const ValueInfo kData[] = {{"data", ValueKind::Single, false, false, nullptr}};
const ValueInfo kOutput[] = {{"output", ValueKind::Single, false, false, nullptr}};

struct Described : CustomOperator {
  explicit Described(std::string called, std::string symbol = "") {
    name = std::move(called);
    info = {"custom", "sg.custom", "Custom", "", "", kData, kOutput, {},
            {},       {},          "",       0,  {}, {},    "",      false};
    kernels.push_back({0, symbol.empty() ? name + "_f32" : symbol, nullptr});
    inferred = {false};
  }
  std::string inferShapes(mlir::DictionaryAttr, CustomNode &) const override { return ""; }
  std::string inferTypes(mlir::DictionaryAttr, CustomNode &) const override { return ""; }
  int64_t scratchBytes(mlir::DictionaryAttr, CustomNode &) const override { return 0; }
};

std::string add(std::initializer_list<Described> operators) {
  std::vector<std::unique_ptr<CustomOperator>> list;
  for (const Described &one : operators)
    list.push_back(std::make_unique<Described>(one.name, one.kernels[0].symbol));
  return addCustomOperators(std::move(list));
}

TEST(CustomOperators, JoinTheTable) {
  size_t before = allOpNames().size();
  llvm::ArrayRef<OpName> old = allOpNames();
  ASSERT_EQ(add({Described("table_one"), Described("a_table_two")}), "");
  EXPECT_EQ(old.size(), before); // still there
  EXPECT_EQ(allOpNames().size(), before + 2);
  const OpName *found = lookupOp("table_one");
  ASSERT_TRUE(found);
  EXPECT_EQ(customOperator("table_one")->name, "table_one");
  EXPECT_EQ(schemaOf(*found).str(), "table_one(Tensor data) -> Tensor");
  EXPECT_EQ(suggestOp("table_onee"), "table_one");
  EXPECT_EQ(customOperator("relu"), nullptr);
  EXPECT_TRUE(lookupOp("relu"));
}

TEST(CustomOperators, AllOrNone) {
  size_t before = allOpNames().size();
  EXPECT_EQ(add({Described("fresh"), Described("Convolution")}),
            "an operator 'Convolution' is built in");
  EXPECT_EQ(add({Described("fresh"), Described("fresh")}),
            "the operator 'fresh' is described twice");
  EXPECT_EQ(lookupOp("fresh"), nullptr);
  EXPECT_EQ(allOpNames().size(), before);
  EXPECT_EQ(add({Described("fresh")}), "");
  EXPECT_EQ(add({Described("fresh")}), "an operator 'fresh' is loaded already");
  EXPECT_EQ(add({Described("other", "fresh_f32")}),
            "kernel 'fresh_f32' is one of the loaded operator 'fresh'");
}

TEST(CustomOperators, ReadersWhileOthersAdd) {
  std::thread writer([] {
    for (int i = 0; i < 50; ++i)
      EXPECT_EQ(add({Described("thread_" + std::to_string(i))}), "");
  });
  for (int i = 0; i < 500; ++i) {
    llvm::ArrayRef<OpName> names = allOpNames();
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end(),
                               [](const OpName &a, const OpName &b) { return a.name < b.name; }));
    EXPECT_TRUE(lookupOp("relu"));
  }
  writer.join();
  EXPECT_TRUE(customOperator("thread_49"));
}

} // namespace

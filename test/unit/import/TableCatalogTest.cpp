//===- TableCatalogTest.cpp - the reader's facts from the op table --------===//
#include "frontend/import/TableCatalog.h"
#include "ir/GraphDialect.h"
#include "gtest/gtest.h"

using namespace symc;

namespace {

struct TableCatalogTest : testing::Test {
  TableCatalogTest() : catalog(context) { context.loadDialect<sg::SGDialect>(); }
  symbol::AttributeMap attrs(std::initializer_list<std::pair<const char *, const char *>> list) {
    symbol::AttributeMap map;
    for (auto [key, value] : list)
      map.append({key, value, {}, {}});
    return map;
  }
  mlir::MLIRContext context;
  TableCatalog catalog;
};

using Names = std::vector<std::string>;

TEST_F(TableCatalogTest, OptionalInputsFollowTheParameters) {
  auto with = catalog.lookup("FullyConnected", attrs({{"num_hidden", "3"}}));
  ASSERT_TRUE(with);
  EXPECT_EQ(*with->inputs, (Names{"data", "weight", "bias"}));
  auto without =
      catalog.lookup("FullyConnected", attrs({{"num_hidden", "3"}, {"no_bias", "True"}}));
  ASSERT_TRUE(without);
  EXPECT_EQ(*without->inputs, (Names{"data", "weight"}));
}

TEST_F(TableCatalogTest, AuxiliaryStatesAndHiddenOutputsAreCounted) {
  auto facts = catalog.lookup("CuDNNBatchNorm", {});
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->canonicalName, "BatchNorm");
  EXPECT_EQ(facts->auxCount, 2u);
  EXPECT_EQ(facts->inputs->size(), 5u);
  EXPECT_EQ(facts->visibleOutputs, 1u);
  EXPECT_EQ(facts->totalOutputs, 3u);
}

// Without them node_row_ptr is not the one that MXNet writes.
TEST_F(TableCatalogTest, MaximaOverChannelsFirstWindowsHaveAWorkspace) {
  auto workspaces = [&](auto... given) {
    auto facts = catalog.lookup("Pooling", attrs({given...}));
    EXPECT_EQ(facts->totalOutputs, 1u);
    return facts->workspaceOutputs;
  };
  using Pair = std::pair<const char *, const char *>;
  Pair kernel{"kernel", "(2, 2)"};
  EXPECT_EQ(workspaces(kernel), 1u);
  EXPECT_EQ(workspaces(kernel, Pair{"layout", "NCHW"}), 1u);
  EXPECT_EQ(workspaces(kernel, Pair{"layout", "NHWC"}), 0u);
  EXPECT_EQ(workspaces(kernel, Pair{"pool_type", "avg"}), 0u);
  EXPECT_EQ(workspaces(Pair{"global_pool", "True"}), 0u);
}

TEST_F(TableCatalogTest, OnlyRandomSlopesHaveAMask) {
  auto random = catalog.lookup("LeakyReLU", attrs({{"act_type", "rrelu"}}));
  ASSERT_TRUE(random);
  EXPECT_EQ(random->visibleOutputs, 2u);
  EXPECT_EQ(random->totalOutputs, 2u);
  auto leaky = catalog.lookup("LeakyReLU", {});
  ASSERT_TRUE(leaky);
  EXPECT_EQ(leaky->totalOutputs, 1u);
}

// Places are computed beside the values that are asked for.
TEST_F(TableCatalogTest, HiddenOutputsMayFollowParameters) {
  for (auto [wanted, visible, total] :
       {std::tuple("value", 1u, 2u), std::tuple("indices", 1u, 1u), std::tuple("both", 2u, 2u)}) {
    auto facts = catalog.lookup("topk", attrs({{"ret_typ", wanted}}));
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->visibleOutputs, visible) << wanted;
    EXPECT_EQ(facts->totalOutputs, total) << wanted;
  }
}

TEST_F(TableCatalogTest, UnknownOperatorsAndBadAttributesGiveNothing) {
  EXPECT_FALSE(catalog.lookup("NoSuchOperator", {}));
  EXPECT_FALSE(catalog.lookup("FullyConnected", attrs({{"num_hidden", "x"}})));
  EXPECT_FALSE(catalog.lookup("FullyConnected", {}));
}

TEST_F(TableCatalogTest, UnknownKeysAreIgnored) {
  EXPECT_TRUE(catalog.lookup("FullyConnected", attrs({{"num_hidden", "3"}, {"mood", "fine"}})));
}

TEST_F(TableCatalogTest, AuxiliaryStatesHaveInitialisers) {
  EXPECT_EQ(catalog.inputInit("BatchNorm", 3, {}), "[\"zero\", {}]");
  EXPECT_EQ(catalog.inputInit("BatchNorm", 4, {}), "[\"one\", {}]");
  EXPECT_FALSE(catalog.inputInit("BatchNorm", 1, {}));
  EXPECT_EQ(catalog.inputInit("LeakyReLU", 1, attrs({{"act_type", "prelu"}})),
            "[\"Constant\", {\"value\": 0.25}]");
  EXPECT_EQ(catalog.inputInit("IdentityAttachKLSparseReg", 1, {}), "[\"zero\", {}]");
  EXPECT_FALSE(catalog.inputInit("BatchNorm", 9, {}));
}

} // namespace

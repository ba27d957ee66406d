// OperatorSchemaTest.cpp: operators in one line. If this fails, a tool that reads what
// symc --list-op prints learns something else than the table says.
#include "ir/OperatorSchema.h"
#include "gtest/gtest.h"

using namespace symc::sg;

namespace {

std::string read(llvm::StringRef text) {
  std::string message;
  auto schema = OperatorSchema::parse(text, message);
  return schema ? schema->str() : message;
}

TEST(OperatorSchema, EveryOperatorReadsBack) {
  ASSERT_GT(allOpNames().size(), 500u);
  for (const OpName &name : allOpNames()) {
    OperatorSchema schema = schemaOf(name);
    std::string message;
    auto again = OperatorSchema::parse(schema.str(), message);
    ASSERT_TRUE(again) << schema.str() << ": " << message;
    EXPECT_EQ(again->str(), schema.str());
    ASSERT_EQ(again->parameters.size(), schema.parameters.size());
    for (size_t i = 0; i < schema.parameters.size(); ++i) {
      EXPECT_EQ(again->parameters[i].kind, schema.parameters[i].kind);
      EXPECT_EQ(again->parameters[i].defaultText, schema.parameters[i].defaultText);
      EXPECT_EQ(again->parameters[i].values, schema.parameters[i].values);
    }
  }
}

TEST(OperatorSchema, NamesKindsAndDefaults) {
  EXPECT_EQ(schemaOf(*lookupOp("relu")).str(), "relu(Tensor data) -> Tensor");
  EXPECT_EQ(schemaOf(*lookupOp("_sample_uniform")).inputs[1].name, "high");
  EXPECT_EQ(schemaOf(*lookupOp("BatchNorm")).inputs[3].auxiliary, true);
  EXPECT_EQ(schemaOf(*lookupOp("Concat")).str(),
            "Concat(Tensor[] data, *, int num_args, int dim=1) -> Tensor");
  EXPECT_EQ(read("f( Tensor! a ,Tensor?b,*, {x|y}? c = x, str d='a, b', Floats e=(1, 2)) -> ()"),
            "f(Tensor! a, Tensor? b, *, {x|y}? c=x, str d='a, b', Floats e=(1, 2)) -> ()");
}

TEST(OperatorSchema, Mistakes) {
  EXPECT_EQ(read(""), "the schema needs a name before ''");
  EXPECT_EQ(read("f(int a)"), "the schema needs 'Tensor' before 'int a)'");
  EXPECT_EQ(read("f(*, real a) -> Tensor"), "the schema needs a type before 'real a) -> Tensor'");
  EXPECT_EQ(read("f(*, {a b) -> Tensor"), "the schema needs '}' before 'a b) -> Tensor'");
  EXPECT_EQ(read("f(*, str a='b) -> Tensor"),
            "the schema needs a closing quote before ''b) -> Tensor'");
  EXPECT_EQ(read("f(Tensor a"), "the schema needs ',' before ''");
  EXPECT_EQ(read("f(Tensor a)"), "the schema needs '->' before ''");
  EXPECT_EQ(read("f() -> Tensor x y"), "the schema needs the end before 'y'");
}

} // namespace

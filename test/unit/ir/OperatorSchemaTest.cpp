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

TEST(OperatorSchema, MistakesTellTheColumn) {
  const std::string types = "a type (int, uint, float, double, bool, str, Shape, Floats or {a|b})";
  EXPECT_EQ(read(""), "column 1: needs a name at the end");
  EXPECT_EQ(read("2f() -> Tensor"), "column 1: needs a name before '2f() -> Tensor'");
  EXPECT_EQ(read("f -> Tensor"), "column 3: needs '(' before '-> Tensor'");
  EXPECT_EQ(read("f(int a)"), "column 3: needs 'Tensor' before 'int a)'");
  EXPECT_EQ(read("f(Tensors a)"), "column 3: needs 'Tensor' before 'Tensors a)'");
  EXPECT_EQ(read("f(Tensor)"), "column 9: needs a name before ')'");
  EXPECT_EQ(read("f(Tensor a,) -> Tensor"), "column 12: needs 'Tensor' before ') -> Tensor'");
  EXPECT_EQ(read("f(Tensor a Tensor b)"), "column 12: needs ',' before 'Tensor b)'");
  EXPECT_EQ(read("f(*, real a) -> Tensor"),
            "column 6: needs " + types + " before 'real a) -> Tensor'");
  EXPECT_EQ(read("f(*) -> Tensor"), "column 4: needs ',' before ') -> Tensor'");
  EXPECT_EQ(read("f(*, *, int a) -> Tensor"),
            "column 6: needs " + types + " before '*, int a) -> Tensor'");
  EXPECT_EQ(read("f(*, int) -> Tensor"), "column 9: needs a name before ') -> Tensor'");
  EXPECT_EQ(read("f(*, int a=) -> Tensor"), "column 12: needs a value before ') -> Tensor'");
  EXPECT_EQ(read("f(*, {a b) -> Tensor"), "column 21: needs '}' at the end");
  EXPECT_EQ(read("f(*, {} b) -> Tensor"), "column 7: needs a value before '} b) -> Tensor'");
  EXPECT_EQ(read("f(*, {a|} b) -> Tensor"), "column 9: needs a value before '} b) -> Tensor'");
  EXPECT_EQ(read("f(*, str a='b) -> Tensor"),
            "column 12: needs a closing quote before ''b) -> Tensor'");
  EXPECT_EQ(read("f(Tensor a"), "column 11: needs ',' at the end");
  EXPECT_EQ(read("f(Tensor a)"), "column 12: needs '->' at the end");
  EXPECT_EQ(read("f() -> Tensor x y"), "column 17: needs the end before 'y'");
  EXPECT_EQ(read("f() -> (Tensor)"), "column 15: needs a name before ')'");
  EXPECT_EQ(read("  f( int a)"), "column 6: needs 'Tensor' before 'int a)'"); // of all of the text
}

} // namespace

// OperatorCallTest.cpp: an operator as a person types it. If this fails, symc-run --op runs with
// other parameters than were typed, or takes a slip for a value.
#include "frontend/symbol/OperatorCall.h"
#include "gtest/gtest.h"

using namespace symc::symbol;

namespace {

// "Op key=value|key=value", or the message.
std::string read(llvm::StringRef text) {
  std::string message;
  auto call = parseOperatorCall(text, message);
  if (!call)
    return message;
  std::string found = call->op;
  for (const Attribute &attribute : call->attributes)
    found += (found == call->op ? " " : "|") + attribute.key + "=" + attribute.value;
  return found;
}

TEST(OperatorCall, ValuesEndAtCommasOutsideOfBracketsAndQuotes) {
  EXPECT_EQ(read("relu"), "relu");
  EXPECT_EQ(read(" relu ( ) "), "relu");
  EXPECT_EQ(read("Convolution(kernel=(3, 3), num_filter=8)"),
            "Convolution kernel=(3, 3)|num_filter=8");
  EXPECT_EQ(read("f(a=[(1,2),(3,)], b='x, y)', c=\"z\",)"), "f a=[(1,2),(3,)]|b=x, y)|c=z");
  EXPECT_EQ(read("f(a=b=c, d=)"), "f a=b=c|d=");
}

TEST(OperatorCall, Mistakes) {
  EXPECT_EQ(read(""), "'' is no operator with its parameters in parentheses");
  EXPECT_EQ(read("f(a=1"), "'f(a=1' is no operator with its parameters in parentheses");
  EXPECT_EQ(read("f(3)"), "'3' is no NAME=VALUE");
  EXPECT_EQ(read("f(=3)"), "'=3' is no NAME=VALUE");
  EXPECT_EQ(read("f(a=(1)"), "'a=(1' does not close ')'");
  EXPECT_EQ(read("f(a='1)"), "'a='1' does not close '''");
  EXPECT_EQ(read("f(a=1]))"), "'a=1])' closes ']', which is not open");
  EXPECT_EQ(read("f(a=1, a=2)"), "parameter 'a' is given twice");
}

} // namespace

//===- InferGraphTest.cpp - inference without a pass manager ---------------===//
//
// A caller that holds a graph asks what is known of it: all, or as much as there is.
// Mistakes come as diagnostics.
//
//===----------------------------------------------------------------------===//
#include "ir/InferGraph.h"
#include "ir/GraphDialect.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace symc::sg;

namespace {

struct Net {
  explicit Net(const char *text) {
    context.loadDialect<SGDialect>();
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    handler = context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      messages += diagnostic.str() + "\n";
      for (Diagnostic &note : diagnostic.getNotes())
        messages += note.str() + "\n";
    });
  }
  ~Net() { context.getDiagEngine().eraseHandler(handler); }

  // The type of head `i`, as text.
  std::string head(unsigned i = 0) {
    auto graph = module->lookupSymbol<GraphOp>("main");
    std::string text;
    llvm::raw_string_ostream(text) << graph.getBlock().getTerminator()->getOperand(i).getType();
    return text;
  }
  std::string weight() {
    std::string text;
    llvm::raw_string_ostream(text) << module->lookupSymbol<WeightOp>("w").getType();
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  DiagnosticEngine::HandlerID handler;
  std::string messages;
};

constexpr const char *Layer = R"(
sg.weight @w : tensor<*x!sg.unknown>
sg.graph @main(%x: tensor<?x4x!sg.unknown> {sg.name = "x"}) -> (tensor<*x!sg.unknown>) {
  %w = sg.parameter @w : tensor<*x!sg.unknown>
  %0 = sg.fully_connected(%x, %w) {num_hidden = 5 : i64, no_bias = true} :
      (tensor<?x4x!sg.unknown>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
})";

// infer_shape_partial: the batch is open, all else follows.
TEST(InferGraph, ShapesThatNothingDecidesMayStay) {
  Net net(Layer);
  EXPECT_TRUE(succeeded(inferShapes(*net.module, Undecided::Leave)));
  EXPECT_EQ(net.head(), "tensor<?x5x!sg.unknown>");
  EXPECT_EQ(net.weight(), "tensor<5x4x!sg.unknown>");
  EXPECT_EQ(net.messages, "");
}

TEST(InferGraph, ShapesThatNothingDecidesAreAnError) {
  Net net(Layer);
  EXPECT_TRUE(failed(inferShapes(*net.module)));
  EXPECT_EQ(net.messages, "shape inference stopped with 1 of 1 nodes unknown\n"
                          "it starts at argument 'x', which has shape [?, 4]; "
                          "pass --shape x=...\n");
  EXPECT_EQ(net.head(), "tensor<?x5x!sg.unknown>");
}

// A contradiction is one in either mode, and leaves the types as they were.
TEST(InferGraph, ContradictionsLeaveTypesAlone) {
  for (Undecided undecided : {Undecided::Settle, Undecided::Leave}) {
    Net net(R"(
sg.graph @main(%x: tensor<2x4xf32> {sg.name = "x"}, %y: tensor<3x4xf32> {sg.name = "y"}) -> (tensor<*xf32>, tensor<*xf32>) {
  %0 = sg.unary(%x) {fn = "exp"} : (tensor<2x4xf32>) -> tensor<*xf32>
  %1 = sg.add_n(%0, %y) {num_args = 2 : i64} : (tensor<*xf32>, tensor<3x4xf32>) -> tensor<*xf32> loc("sum")
  sg.heads %0, %1 : tensor<*xf32>, tensor<*xf32>
})");
    EXPECT_TRUE(failed(inferShapes(*net.module, undecided)));
    EXPECT_NE(net.messages.find("node 'sum'"), std::string::npos) << net.messages;
    EXPECT_EQ(net.head(0), "tensor<*xf32>");
  }
}

// infer_type_partial: float32 is a decision, not knowledge.
TEST(InferGraph, ElementTypesThatNothingDecides) {
  Net open(Layer), settled(Layer);
  EXPECT_TRUE(succeeded(inferTypes(*open.module, Undecided::Leave)));
  EXPECT_EQ(open.head(), "tensor<*x!sg.unknown>");
  EXPECT_TRUE(succeeded(inferTypes(*settled.module)));
  EXPECT_EQ(settled.head(), "tensor<*xf32>");
  EXPECT_EQ(settled.weight(), "tensor<*xf32>");
}

// What a file holds is knowledge.
TEST(InferGraph, WeightsOfAFileHaveItsElementType) {
  Net net(R"(
sg.weight @w : tensor<5x4xf16> {file = "net.params", offset = 0 : i64}
sg.graph @main(%x: tensor<?x4x!sg.unknown> {sg.name = "x"}) -> (tensor<*x!sg.unknown>) {
  %w = sg.parameter @w : tensor<5x4xf16>
  %0 = sg.fully_connected(%x, %w) {num_hidden = 5 : i64, no_bias = true} :
      (tensor<?x4x!sg.unknown>, tensor<5x4xf16>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
})");
  EXPECT_TRUE(succeeded(inferTypes(*net.module, Undecided::Leave)));
  EXPECT_EQ(net.head(), "tensor<*xf16>");
}

// Sums of neighbours among `count` inputs of which the first has a shape. What follows another
// stands at the other end of the graph, so that sweeps over all nodes would find one a sweep.
std::string zigzag(int count) {
  std::string inputs = "%x0: tensor<2x3xf32>", types, sums, heads;
  for (int i = 1; i < count; ++i)
    inputs += ", %x" + std::to_string(i) + ": tensor<*xf32>";
  auto add = [&](int i) {
    std::string left = std::to_string(i), right = std::to_string(i + 1);
    sums += "%a" + left + " = sg.binary(%x" + left + ", %x" + right +
            ") {fn = \"add\"} : (tensor<" + (i ? "*" : "2x3") +
            "xf32>, tensor<*xf32>) -> tensor<*xf32>\n";
    heads += (heads.empty() ? "%a" : ", %a") + left;
    types += types.empty() ? "tensor<*xf32>" : ", tensor<*xf32>";
  };
  int sumCount = count - 1;
  for (int i = 0; i < sumCount; i += 2)
    add(i);
  for (int i = sumCount - 1 - sumCount % 2; i > 0; i -= 2)
    add(i);
  return "sg.graph @main(" + inputs + ") -> (" + types + ") {\n" + sums + "sg.heads " + heads +
         " : " + types + "\n}";
}

// A graph of twice the nodes is twice the work, whatever way knowledge takes through it.
TEST(InferGraph, WorkGrowsWithNodesAndEdges) {
  auto visitsOf = [](int count, auto infer) {
    Net net(zigzag(count).c_str());
    size_t visits = 0;
    EXPECT_TRUE(succeeded(infer(*net.module, Undecided::Settle, &visits)));
    EXPECT_EQ(net.messages, "");
    return visits;
  };
  size_t once = visitsOf(500, inferShapes), twice = visitsOf(1000, inferShapes);
  EXPECT_LE(once, 6u * 500);
  EXPECT_LE(twice, 2.1 * once);
  EXPECT_LE(visitsOf(1000, inferTypes), 6u * 1000);
}

} // namespace

// What a size decides is no number that a pass may take.
// As exporters compute how many rows are new: of those there will be, without those that were.
TEST(Dim, TermsThatCancelOutAreGone) {
  MLIRContext context;
  Dim s0(getAffineSymbolExpr(0, &context)), s1(getAffineSymbolExpr(1, &context));
  EXPECT_EQ((s0 + s1 - s1).str(), "s0");
  EXPECT_EQ(s1 - s1 + s0, s0);
  EXPECT_EQ((s0 + 3 - s0).str(), "3");
  EXPECT_EQ((s0 * 2 + s1 - 1).str(), "s0 * 2 + s1 - 1"); // others stay as they are written
}

TEST(DimDeath, OfARangeIsNoConstant) {
  MLIRContext context;
  EXPECT_DEATH((void)Dim(getAffineSymbolExpr(0, &context)).get(),
               "internal error: the extent s0 was taken for a constant");
  EXPECT_EQ(Dim::constant(3, &context).get(), 3);
}

// SharedKernelsTest.cpp: kernels of the same content are one function for instruction sets that
// extend each other, and for no others.
#include "codegen/emit/SharedKernels.h"

#include "Example.h"
#include "codegen/emit/InProcess.h"
#include "codegen/emit/KernelParts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <gtest/gtest.h>

using namespace symc::codegen;
using namespace symc::codegen::test;

namespace {
class Sharing : public testing::Test {
protected:
  Sharing() : context(makeContext()) {}

  /// The example for an instruction set, its functions' names beginning with `name`.
  mlir::ModuleOp add(const std::string &name, const std::string &target,
                     std::pair<const char *, const char *> change = {"", ""}) {
    std::string text = exampleText;
    auto replace = [&](const std::string &what, const std::string &by) {
      for (size_t at = text.find(what); !what.empty() && at != std::string::npos;
           at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    };
    replace(change.first, change.second);
    replace("tiny_run", name);
    modules.push_back(mlir::parseSourceString<mlir::ModuleOp>(text, context.get()));
    EXPECT_TRUE(modules.back());
    shared->share(*modules.back(), get(target), MathMode::Default);
    return *modules.back();
  }
  static TargetDescription get(const std::string &target) {
    return *TargetDescription::get(target);
  }
  void begin(std::initializer_list<const char *> names) {
    std::vector<TargetDescription> targets;
    for (const char *name : names)
      targets.push_back(get(name));
    shared.emplace(targets);
  }
  static mlir::func::FuncOp kernel(mlir::ModuleOp module, llvm::StringRef name) {
    return module.lookupSymbol<mlir::func::FuncOp>(name);
  }
  /// Whether `module` has a kernel of its own.
  static bool hasOwn(mlir::ModuleOp module, llvm::StringRef name) {
    mlir::func::FuncOp found = kernel(module, name);
    return found && !found.isDeclaration();
  }

  std::unique_ptr<mlir::MLIRContext> context;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::optional<SharedKernels> shared;
};
} // namespace

TEST_F(Sharing, CallsTheLesserInstructionSet) {
  begin({"x86-64-v4+bf16", "x86-64-v4+vnni", "x86-64-v4"});
  mlir::ModuleOp least = add("least", "x86-64-v4");
  EXPECT_TRUE(hasOwn(least, "least_k0"));
  EXPECT_TRUE(kernel(least, "least_k0")->hasAttr(sharedName));
  for (const char *target : {"x86-64-v4+vnni", "x86-64-v4+bf16"}) {
    mlir::ModuleOp better = add("better", target);
    EXPECT_FALSE(kernel(better, "better_k0")) << target;
    ASSERT_TRUE(kernel(better, "least_k0")) << target;
    EXPECT_TRUE(kernel(better, "least_k0").isDeclaration()) << target;
    int calls = 0;
    better.walk([&](mlir::func::CallOp call) { calls += call.getCallee() == "least_k0"; });
    EXPECT_EQ(calls, 1) << target;
  }
}

TEST_F(Sharing, IsOfEqualKernelsAlone) {
  begin({"x86-64-v4+bf16", "x86-64-v4"});
  add("least", "x86-64-v4");
  for (auto change : std::initializer_list<std::pair<const char *, const char *>>{
           {"dense<1.0>", "dense<2.0>"},                         // a constant
           {"vector.fma %vx, %vw, %one", "arith.addf %vx, %vw"}, // an operation
           {"%vx, %vw, %one :", "%vx, %one, %vw :"},             // what it takes
           {"store %vy, %py {alignment = 4", "store %vy, %py {alignment = 8"},
           {"%y: !llvm.ptr {llvm.noalias}", "%y: !llvm.ptr"}})
    EXPECT_TRUE(hasOwn(add("better", "x86-64-v4+bf16", change), "better_k0")) << change.second;
  EXPECT_FALSE(hasOwn(add("better", "x86-64-v4+bf16"), "better_k0"));
}

// Their instructions differ, or their answers might.
TEST_F(Sharing, IsOfInstructionSetsThatExtendEachOther) {
  begin({"x86-64-v4", "x86-64-v3"});
  EXPECT_FALSE(kernel(add("least", "x86-64-v3"), "least_k0")->hasAttr(sharedName));
  EXPECT_TRUE(hasOwn(add("better", "x86-64-v4"), "better_k0"));
  begin({"x86-64-v4+bf16", "x86-64-v4"});
  std::pair<const char *, const char *> rounds = {
      "  llvm.store %vy", "  %half = arith.truncf %vy : vector<8xf32> to vector<8xbf16>\n"
                          "  llvm.store %vy"};
  EXPECT_FALSE(kernel(add("least", "x86-64-v4", rounds), "least_k0")->hasAttr(sharedName));
  EXPECT_TRUE(hasOwn(add("better", "x86-64-v4+bf16", rounds), "better_k0"));
}

// Batch sizes have kernels of their own.
TEST_F(Sharing, IsNotWithinAnInstructionSet) {
  begin({"x86-64-v4+bf16", "x86-64-v4"});
  add("first", "x86-64-v4");
  EXPECT_TRUE(hasOwn(add("second", "x86-64-v4"), "second_k0"));
}

static void runTasks(const symc_frame *frame, symc_task_fn fn, int64_t tasks) {
  for (int64_t task = 0; task < tasks; ++task)
    fn(frame, task);
}

TEST_F(Sharing, Computes) {
  begin({"x86-64-v4+bf16", "x86-64-v4"});
  Code code(hostTriple());
  ASSERT_TRUE(code.add(add("least", "x86-64-v4"), get("x86-64-v4"), MathMode::Default));
  ASSERT_TRUE(code.add(add("better", "x86-64-v4+bf16"), get("x86-64-v4+bf16"), MathMode::Default));
  EXPECT_EQ(
      code.module().getFunction("least_k0")->getFnAttribute("target-features").getValueAsString(),
      "");
  if (!get("x86-64-v4").runsOn(get("native")))
    GTEST_SKIP() << "this processor has no AVX-512";
  InProcessOptions options;
  options.host.emplace_back("symc_parallel", reinterpret_cast<const void *>(&runTasks));
  auto loaded = loadCode(code, {"least", "better"}, options);
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  auto run =
      reinterpret_cast<int32_t (*)(const symc_frame *)>(llvm::cantFail((*loaded)->find("better")));
  alignas(64) float weights[40], x[40], y[40] = {};
  for (int i = 0; i < 40; ++i)
    x[i] = weights[i] = float(i);
  void *io[] = {x, y};
  symc_frame frame = {};
  frame.weights = reinterpret_cast<uint8_t *>(weights);
  frame.io = io;
  EXPECT_EQ(run(&frame), 0);
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(y[i], float(i * i + 1));
}

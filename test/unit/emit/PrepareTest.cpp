// PrepareTest.cpp: @prepare runs on this machine, and the same program stands in the
// model's table, with the bytes of its arena.
#include "codegen/emit/Prepare.h"
#include "Example.h"
#include "codegen/cpu/TunableStep.h"
#include "codegen/lower/Outline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace symc::codegen;
using namespace symc::codegen::test;

// w = transpose(a), through a buffer of the arena; and v = 2 * b.
static const char *prepareText = R"mlir(
kernel.prepared @w at 0 : memref<3x2xf32>
kernel.prepared @v at 64 : memref<4xf32>
kernel.program @prepare attributes {num_inputs = 2 : i64, num_outputs = 0 : i64,
                                    arena_bytes = 64 : i64} {
^bb0(%a: memref<2x3xf32>, %b: memref<4xf32>):
  %w = kernel.weight @w : memref<3x2xf32>
  %v = kernel.weight @v : memref<4xf32>
  %buffer = kernel.buffer() at 0 : memref<3x2xf32>
  %t = memref.reinterpret_cast %a to offset: [0], sizes: [3, 2], strides: [1, 3]
      : memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>
  kernel.copy %t to %buffer : memref<3x2xf32, strided<[1, 3]>> to memref<3x2xf32>
  kernel.copy %buffer to %w : memref<3x2xf32> to memref<3x2xf32>
  kernel.loops ins(%b : memref<4xf32>) outs(%v : memref<4xf32>) body {
  ^bb0(%x: f32):
    %y = arith.addf %x, %x : f32
    kernel.yield %y : f32
  }
}
)mlir";

static const float rawA[6] = {1, 2, 3, 4, 5, 6}, rawB[4] = {1, -2, 0.5f, 8};
static const float expectedW[6] = {1, 4, 2, 5, 3, 6}, expectedV[4] = {2, -4, 1, 16};

class Prepare : public testing::Test {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    registerLoopDialects(registry);
    registerLowerings(registry);
    registerTaskModels(registry);
    registry.insert<symc::kernel::KernelDialect>();
    context = std::make_unique<mlir::MLIRContext>(registry);
    context->loadAllAvailableDialects();
    parse(prepareText);
  }
  void parse(const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
    ASSERT_TRUE(module);
    program = *module->getOps<symc::kernel::ProgramOp>().begin();
  }
  std::string run(const InProcessOptions &options = {}) {
    return llvm::toString(
        runPrepare(program, {rawA, rawB}, reinterpret_cast<uint8_t *>(prepared), options));
  }
  void check(const float *prepared) {
    for (int i = 0; i < 6; ++i)
      EXPECT_EQ(prepared[i], expectedW[i]) << i;
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(prepared[16 + i], expectedV[i]) << i;
    for (int i : {6, 15, 20, 31})
      EXPECT_EQ(prepared[i], -7) << "written outside of the weights at " << i;
  }

  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  symc::kernel::ProgramOp program;
  alignas(64) float prepared[32];
};

TEST_F(Prepare, RunsOnTheHost) {
  std::fill(std::begin(prepared), std::end(prepared), -7.0f);
  EXPECT_EQ(run(), "");
  check(prepared);
  EXPECT_EQ(llvm::toString(runPrepare(program, {rawA}, reinterpret_cast<uint8_t *>(prepared), {})),
            "internal error: @prepare takes 2 parameters, got 1");
}

// A caller who lets go of pages is asked to once enough were touched, and not before.
TEST_F(Prepare, AsksToLetGoOfPages) {
  int asked = 0;
  auto release = [&] { ++asked; };
  const void *parameters[] = {rawA, rawB};
  ASSERT_FALSE(runPrepare(program, parameters, reinterpret_cast<uint8_t *>(prepared), {}, release));
  EXPECT_EQ(asked, 0) << "two small weights touch few pages";
}

// A step of many tasks writes each element once, whichever thread takes a task.
TEST_F(Prepare, SharesTasksAmongThreads) {
  parse(R"mlir(
kernel.prepared @w at 0 : memref<512x512xf32>
kernel.program @prepare attributes {num_inputs = 1 : i64, num_outputs = 0 : i64,
                                    arena_bytes = 0 : i64} {
^bb0(%a: memref<512x512xf32>):
  %w = kernel.weight @w : memref<512x512xf32>
  %t = memref.reinterpret_cast %a to offset: [0], sizes: [512, 512], strides: [1, 512]
      : memref<512x512xf32> to memref<512x512xf32, strided<[1, 512]>>
  kernel.copy %t to %w : memref<512x512xf32, strided<[1, 512]>> to memref<512x512xf32>
}
)mlir");
  std::vector<float> raw(512 * 512);
  for (size_t i = 0; i < raw.size(); ++i)
    raw[i] = i;
  std::vector<float> memory(512 * 512 + 16, -1);
  auto *out = reinterpret_cast<float *>(llvm::alignAddr(memory.data(), llvm::Align(64)));
  ASSERT_FALSE(runPrepare(program, {raw.data()}, reinterpret_cast<uint8_t *>(out), {}));
  for (size_t i = 0; i < raw.size(); ++i)
    ASSERT_EQ(out[i], raw[i % 512 * 512 + i / 512]) << i;
}

// Folded norms of a net differ in their channels alone.
TEST_F(Prepare, MergesKernelsThatDifferInIntegers) {
  std::string text = "kernel.prepared @v0 at 0 : memref<4096xf32>\n"
                     "kernel.prepared @v1 at 16384 : memref<8192xf32>\n"
                     "kernel.program @prepare attributes {num_inputs = 2 : i64, num_outputs = 0 : "
                     "i64, arena_bytes = 0 : i64} {\n"
                     "^bb0(%a0: memref<4096xf32>, %a1: memref<8192xf32>):\n";
  for (const auto &[number, type] :
       {std::pair("0", "memref<4096xf32>"), std::pair("1", "memref<8192xf32>")})
    text += llvm::formatv("  %v{0} = kernel.weight @v{0} : {1}\n"
                          "  kernel.loops ins(%a{0} : {1}) outs(%v{0} : {1}) body {{\n"
                          "  ^bb0(%x: f32):\n"
                          "    %y = arith.addf %x, %x : f32\n"
                          "    kernel.yield %y : f32\n"
                          "  }\n",
                          number, type);
  parse(text + "}\n");
  TargetDescription target = *TargetDescription::get("x86-64-v2");
  ASSERT_TRUE(mlir::succeeded(chooseUnset(program, target)));
  for (bool merges : {false, true}) {
    OutlineOptions options;
    options.mergesForms = merges;
    mlir::OwningOpRef<mlir::ModuleOp> loops = mlir::ModuleOp::create(program.getLoc());
    ASSERT_TRUE(
        mlir::succeeded(lowerProgram(program, "run", target, MathMode::Portable, *loops, options)));
    EXPECT_EQ(llvm::range_size(loops->getOps<mlir::func::FuncOp>()), merges ? 1 : 2);
  }
  std::vector<float> raw(4096 + 8192), memory(raw.size() + 16);
  for (size_t i = 0; i < raw.size(); ++i)
    raw[i] = i;
  auto *out = reinterpret_cast<float *>(llvm::alignAddr(memory.data(), llvm::Align(64)));
  ASSERT_FALSE(
      runPrepare(program, {raw.data(), raw.data() + 4096}, reinterpret_cast<uint8_t *>(out), {}));
  for (size_t i = 0; i < raw.size(); ++i)
    ASSERT_EQ(out[i], 2 * raw[i]) << i;
}

static std::string replaced(std::string text, const std::string &what, const std::string &with) {
  text.replace(text.find(what), what.size(), with);
  return text;
}

TEST_F(Prepare, FailuresAreSentences) {
  parse(replaced(prepareText, "arena_bytes = 64", "arena_bytes = 4611686018427387904"));
  EXPECT_EQ(run(), "cannot allocate 4611686018427387904 bytes to prepare weights");

  parse(replaced(prepareText, "kernel.copy %buffer to %w : memref<3x2xf32> to memref<3x2xf32>",
                 "kernel.call \"broken_kernel\" \"op\" ins(%buffer : memref<3x2xf32>) "
                 "outs(%w : memref<3x2xf32>) {params = [], dtypes = array<i64: 0, 0>, "
                 "scratch_bytes = 0 : i64}"));
  InProcessOptions options;
  int32_t (*broken)(const symc_kernel_args *) = [](const symc_kernel_args *) { return 42; };
  options.host.emplace_back("broken_kernel", reinterpret_cast<const void *>(broken));
  EXPECT_EQ(run(options), "a step of the preparation of weights failed with status 42");
  EXPECT_EQ(run(), "cannot load 'symc_prepare_run': Symbols not found: [ broken_kernel ]");

  parse(replaced(prepareText, "kernel.buffer() at 0", "kernel.buffer()"));
  mlir::ScopedDiagnosticHandler silent(context.get(),
                                       [](mlir::Diagnostic &) { return mlir::success(); });
  EXPECT_EQ(run(), "the preparation of weights could not be compiled");
}

static void runTasks(const symc_frame *frame, symc_task_fn fn, int64_t tasks) {
  for (int64_t task = 0; task < tasks; ++task)
    fn(frame, task);
}

TEST_F(Prepare, BecomesAFunctionOfTheModel) {
  Code code(hostTriple());
  mlir::OwningOpRef<mlir::ModuleOp> loops = mlir::ModuleOp::create(program.getLoc());
  TargetDescription target = *TargetDescription::get("x86-64-v2");
  ASSERT_TRUE(mlir::succeeded(chooseUnset(program, target)));
  ASSERT_TRUE(mlir::succeeded(
      lowerProgram(program, "tiny_prepare_run", target, MathMode::Portable, *loops)));
  ASSERT_TRUE(code.add(*loops, target, MathMode::Portable));
  ModelInfo model = exampleModel(hostTriple().str());
  model.variants.clear();
  model.prepareSymbol = "tiny_prepare_run";
  model.prepareArenaBytes = 64;
  model.parameters = {{"a", {2, 3}, 24, SYMC_F32, 0}, {"b", {4}, 16, SYMC_F32, 0}};
  model.dims = {{"data[0]", 1, 16}};
  InProcessOptions options;
  options.host.emplace_back("symc_parallel", reinterpret_cast<const void *>(&runTasks));
  auto loaded = loadModel(code, model, nullptr, 0, 0, options);
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  const symc_model &table = *(*loaded)->model();
  ASSERT_NE(table.prepare, nullptr);
  ASSERT_EQ(table.n_parameters, 2);
  EXPECT_STREQ(table.parameters[1].name, "b");
  ASSERT_EQ(table.n_dims, 1);
  EXPECT_STREQ(table.dims[0].name, "data[0]");
  EXPECT_EQ(table.dims[0].max, 16);
  EXPECT_EQ(table.n_variants, 0);
  EXPECT_EQ(table.weights, nullptr);
  EXPECT_EQ(table.prepare_arena_bytes, 64);
  alignas(64) uint8_t arena[64];
  void *io[] = {const_cast<float *>(rawA), const_cast<float *>(rawB)};
  symc_frame frame = {};
  frame.arena = arena;
  frame.weights = reinterpret_cast<const uint8_t *>(prepared);
  frame.io = io;
  std::fill(std::begin(prepared), std::end(prepared), -7.0f);
  EXPECT_EQ(table.prepare(&frame), 0);
  check(prepared);
}

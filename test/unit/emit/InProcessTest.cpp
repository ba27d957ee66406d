// InProcessTest.cpp: code that is loaded into the process computes what its
// MLIR says, the table reads back through the C declarations, and mathematics
// keeps its promised error and its bits across instruction sets.
#include "codegen/emit/InProcess.h"
#include "Example.h"
#include "codegen/emit/Libraries.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/TargetParser/Host.h"
#include <chrono>
#include <cmath>
#include <gtest/gtest.h>

using namespace symc::codegen;
using namespace symc::codegen::test;

// In place of the runtime's: the calling thread runs every task.
static int64_t tasksSeen;
static void runTasks(const symc_frame *frame, symc_task_fn fn, int64_t tasks) {
  for (int64_t task = 0; task < tasks; ++task, ++tasksSeen)
    fn(frame, task);
}

static InProcessOptions hostOptions() {
  InProcessOptions options;
  options.host.emplace_back("symc_parallel", reinterpret_cast<const void *>(&runTasks));
  return options;
}

static bool hostRunsV3() {
  auto features = llvm::sys::getHostCPUFeatures();
  return features.lookup("avx2") && features.lookup("fma");
}
#define NEEDS_V3()                                                                                 \
  if (!hostRunsV3())                                                                               \
  GTEST_SKIP() << "this machine does not run x86-64-v3"

TEST(InProcess, RunsAModel) {
  NEEDS_V3();
  Code code(hostTriple());
  ASSERT_TRUE(addMlir(code, exampleText));
  alignas(64) float weights[40], x[40], y[40] = {};
  for (int i = 0; i < 40; ++i) {
    weights[i] = 0.5f * i;
    x[i] = i - 20;
  }
  auto loaded =
      loadModel(code, exampleModel(hostTriple().str()), reinterpret_cast<const uint8_t *>(weights),
                sizeof weights, 77, hostOptions());
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  const symc_model &model = *(*loaded)->model();
  EXPECT_EQ(model.magic, SYMC_MODEL_MAGIC);
  EXPECT_EQ(model.abi_version, SYMC_ABI_VERSION);
  EXPECT_STREQ(model.name, "tiny");
  EXPECT_STREQ(model.compiler, "symc 0.1.0");
  ASSERT_EQ(model.n_inputs, 1);
  EXPECT_STREQ(model.inputs[0].name, "data");
  EXPECT_EQ(model.inputs[0].shape[1], 10);
  EXPECT_EQ(model.inputs[0].max_bytes, 160);
  EXPECT_EQ(model.inputs[0].rank, 2);
  ASSERT_EQ(model.n_variants, 1);
  EXPECT_STREQ(model.variants[0].isa, "x86-64-v3");
  EXPECT_EQ(model.weights, reinterpret_cast<const uint8_t *>(weights));
  EXPECT_EQ(model.weights_bytes, sizeof weights);
  EXPECT_EQ(model.weights_hash, 77u);
  EXPECT_EQ(model.prepare, nullptr);
  EXPECT_EQ(model.variants[0].device, SYMC_DEVICE_CPU);
  EXPECT_EQ(model.n_states, 0);
  EXPECT_EQ(model.n_libraries, 0);
  EXPECT_EQ(model.libraries, nullptr);

  void *io[] = {x, y};
  symc_frame frame = {};
  frame.weights = model.weights;
  frame.io = io;
  tasksSeen = 0;
  EXPECT_EQ(model.variants[0].run(&frame), 0);
  EXPECT_EQ(tasksSeen, 5);
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(y[i], x[i] * weights[i] + 1) << i;
}

// What the compiler lays out as constants, read through the C declarations.
TEST(InProcess, TablesOfStatesAndLibraries) {
  NEEDS_V3();
  Code code(hostTriple());
  ASSERT_TRUE(addMlir(code, exampleText));
  ModelInfo info = exampleModel(hostTriple().str());
  info.states = {{{"mom", {2, 3}, 24, SYMC_F32, 0}, 128},
                 {{"count", {}, 8, SYMC_I64, 0}, 192},
                 {{"past", {2, -1, 4}, 160, SYMC_F32, 0}, 0, 5, 1}};
  info.libraries = {*libraryNamed("lapack")};
  InProcessOptions options = hostOptions();
  static void *addresses[20];
  static int32_t (*const open)(const symc_library *) = [](const symc_library *) { return 5; };
  options.host.emplace_back("symc_lapack_functions", addresses);
  options.host.emplace_back("symc_open_library", reinterpret_cast<const void *>(open));
  auto loaded = loadModel(code, info, nullptr, 0, 0, options);
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  const symc_model &model = *(*loaded)->model();
  ASSERT_EQ(model.n_states, 3);
  EXPECT_EQ(model.states[0].capacity, 0);
  EXPECT_STREQ(model.states[0].tensor.name, "mom");
  EXPECT_EQ(model.states[0].tensor.shape[1], 3);
  EXPECT_EQ(model.states[0].image_offset, 128);
  EXPECT_EQ(model.states[1].tensor.dtype, SYMC_I64);
  EXPECT_EQ(model.states[1].image_offset, 192);
  EXPECT_EQ(model.states[2].tensor.shape[1], -1);
  EXPECT_EQ(model.states[2].capacity, 5);
  EXPECT_EQ(model.states[2].axis, 1);
  ASSERT_EQ(model.n_libraries, 1);
  const symc_library &lapack = model.libraries[0];
  EXPECT_STREQ(lapack.name, "LAPACK");
  ASSERT_EQ(lapack.n_files, 3);
  EXPECT_STREQ(lapack.files[2], "liblapack.so.3");
  ASSERT_EQ(lapack.n_symbols, 20);
  EXPECT_STREQ(lapack.symbols[0], "spotrf_");
  EXPECT_STREQ(lapack.symbols[10], "dpotrf_");
  EXPECT_STREQ(lapack.symbols[19], "dgesv_");
  EXPECT_EQ(lapack.functions, addresses);
  EXPECT_EQ(lapack.open(&lapack), 5);
  EXPECT_FALSE(libraryNamed("blas"));
}

TEST(InProcess, NamesWhatIsMissing) {
  Code code(hostTriple());
  ASSERT_TRUE(addMlir(code, exampleText));
  auto loaded = loadCode(code, {"tiny_run"}, InProcessOptions());
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  auto address = (*loaded)->find("tiny_run");
  ASSERT_FALSE(bool(address));
  EXPECT_EQ(llvm::toString(address.takeError()),
            "cannot load 'tiny_run': Symbols not found: [ symc_parallel ]");
}

// Two instruction sets in one table: each function keeps its own.
TEST(InProcess, HoldsSeveralInstructionSets) {
  Code code(hostTriple());
  std::string second = exampleText;
  for (size_t at; (at = second.find("@tiny_run")) != std::string::npos;)
    second.replace(at, 9, "@base_run");
  ASSERT_TRUE(addMlir(code, exampleText));
  ASSERT_TRUE(addMlir(code, second, *TargetDescription::get("x86-64-v2")));
  EXPECT_EQ(code.module().getFunction("tiny_run")->getFnAttribute("target-cpu").getValueAsString(),
            "x86-64-v3");
  EXPECT_EQ(code.module().getFunction("base_run")->getFnAttribute("target-cpu").getValueAsString(),
            "x86-64-v2");
  ModelInfo model = exampleModel(hostTriple().str());
  model.variants.push_back({"x86-64-v2", 2, 0, "base_run"});
  alignas(64) float weights[40], x[40], y[40] = {};
  for (int i = 0; i < 40; ++i) {
    weights[i] = 0.5f * i;
    x[i] = i - 20;
  }
  auto loaded = loadModel(code, model, reinterpret_cast<const uint8_t *>(weights), sizeof weights,
                          0, hostOptions());
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  const symc_model &table = *(*loaded)->model();
  ASSERT_EQ(table.n_variants, 2);
  EXPECT_EQ(table.variants[1].cpu_level, 2u);
  void *io[] = {x, y};
  symc_frame frame = {};
  frame.weights = table.weights;
  frame.io = io;
  EXPECT_EQ(table.variants[1].run(&frame), 0);
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(y[i], x[i] * weights[i] + 1) << i;
}

// The mark of the lowerings survives to LLVM: a loop of four iterations stays a loop.
TEST(InProcess, LoopsStayLoops) {
  const char *text = R"mlir(
#never = #llvm.loop_annotation<unroll = <disable = true>>
func.func @f(%x: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %k = arith.index_cast %i : index to i64
    %p = llvm.getelementptr %x[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load volatile %p : !llvm.ptr -> f32
    llvm.store volatile %v, %p : f32, !llvm.ptr
  } MARK
  return
})mlir";
  for (const char *mark : {"{loop_annotation = #never}", ""}) {
    std::string marked = text;
    marked.replace(marked.find("MARK"), 4, mark);
    Code code(hostTriple());
    ASSERT_TRUE(addMlir(code, marked));
    ASSERT_FALSE(bool(code.optimise({"f"})));
    size_t blocks = code.module().getFunction("f")->size();
    EXPECT_EQ(blocks > 1, *mark != 0) << mark;
  }
}

TEST(InProcess, OneSymbolOfEachName) {
  Code code(hostTriple());
  ASSERT_TRUE(addMlir(code, exampleText));
  auto context = makeContext();
  std::string said;
  mlir::ScopedDiagnosticHandler handler(
      context.get(), [&](mlir::Diagnostic &diagnostic) { said += diagnostic.str() + "\n"; });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(exampleText, context.get());
  ASSERT_TRUE(module);
  EXPECT_FALSE(code.add(*module, v3(), MathMode::Default));
  EXPECT_EQ(said, "internal error: modules of one model do not link: Linking globals named "
                  "'tiny_run': symbol multiply defined!\n");
}

// A function y[0..n) = op(x[0..n)) by vectors of eight.
static std::string mathText(const std::string &op) {
  return "llvm.func @apply(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64) {\n"
         "  %c0 = arith.constant 0 : index\n  %c8 = arith.constant 8 : index\n"
         "  %e = arith.index_cast %n : i64 to index\n"
         "  scf.for %i = %c0 to %e step %c8 {\n"
         "    %k = arith.index_cast %i : index to i64\n"
         "    %px = llvm.getelementptr %x[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32\n"
         "    %py = llvm.getelementptr %y[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32\n"
         "    %v = llvm.load %px {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>\n" +
         op +
         "    llvm.store %r, %py {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr\n"
         "  }\n  llvm.return\n}\n";
}

static std::vector<float> apply(const std::string &op, const std::vector<float> &x, const char *isa,
                                MathMode math) {
  Code code(hostTriple());
  std::vector<float> y(x.size(), -1);
  if (!addMlir(code, mathText(op), *TargetDescription::get(isa), math))
    return {};
  auto loaded = loadCode(code, {"apply"}, hostOptions());
  if (!loaded) {
    ADD_FAILURE() << llvm::toString(loaded.takeError());
    return {};
  }
  auto function = reinterpret_cast<void (*)(const float *, float *, int64_t)>(
      llvm::cantFail((*loaded)->find("apply")));
  function(x.data(), y.data(), x.size());
  return y;
}

struct Function {
  const char *name;
  double (*exact)(double);
  float first, last;
  double ulps;
};
class Mathematics : public testing::TestWithParam<Function> {};

TEST_P(Mathematics, KeepsItsErrorAndItsBits) {
  NEEDS_V3();
  const Function &f = GetParam();
  std::vector<float> x(4096);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = f.first + (f.last - f.first) * i / (x.size() - 1);
  std::string op = std::string("    %r = math.") + f.name + " %v : vector<8xf32>\n";
  std::vector<float> y = apply(op, x, "x86-64-v3", MathMode::Portable);
  ASSERT_EQ(y.size(), x.size());
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double exact = f.exact(x[i]);
    double ulp = std::ldexp(1.0, std::max(std::ilogb(exact == 0 ? 1e-30 : exact), -126) - 23);
    worst = std::max(worst, std::fabs(y[i] - exact) / ulp);
  }
  EXPECT_LT(worst, f.ulps);
  std::vector<float> other = apply(op, x, "x86-64-v2", MathMode::Portable);
  ASSERT_EQ(other.size(), x.size());
  EXPECT_EQ(memcmp(y.data(), other.data(), y.size() * sizeof(float)), 0)
      << "portable mathematics differs between instruction sets";
}

INSTANTIATE_TEST_SUITE_P(Functions, Mathematics,
                         testing::Values(Function{"exp", std::exp, -80, 80, 1},
                                         Function{"log", std::log, 1e-3f, 1000, 2},
                                         Function{"tanh", std::tanh, -9, 9, 6},
                                         Function{"erf", std::erf, -4, 4, 6},
                                         Function{"expm1", std::expm1, -10, 10, 4},
                                         Function{"log1p", std::log1p, -0.9f, 100, 4},
                                         Function{"sin", std::sin, -1e4f, 1e4f, 1},
                                         Function{"cos", std::cos, -1e4f, 1e4f, 1},
                                         Function{"atan", std::atan, -50, 50, 1},
                                         Function{"sqrt", std::sqrt, 0, 50, 0.51},
                                         Function{"floor", std::floor, -50, 50, 0.1},
                                         Function{"roundeven", std::nearbyint, -50, 50, 0.1}),
                         [](const auto &info) { return info.param.name; });

// If this fails, erf leaves -1 to 1 where its quotient rounds up, or is no number where powers of
// the argument are infinite.
TEST(InProcess, ErfStaysWithinOne) {
  NEEDS_V3();
  std::vector<float> x(1 << 16);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = (i % 2 ? -1 : 1) * (3 + 2.0f * i / x.size());
  for (float large : {1e4f, 1e19f, 1e38f, INFINITY})
    x.insert(x.end(), {large, -large});
  for (const char *cpu : {"x86-64-v2", "x86-64-v3"}) {
    std::vector<float> y =
        apply("    %r = math.erf %v : vector<8xf32>\n", x, cpu, MathMode::Default);
    ASSERT_EQ(y.size(), x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      ASSERT_LE(std::fabs(y[i]), 1) << x[i] << " on " << cpu;
      if (std::fabs(x[i]) > 4)
        ASSERT_EQ(y[i], std::copysign(1.0f, x[i])) << x[i] << " on " << cpu;
    }
  }
}

// If this fails, gates of recurrent layers, or swish, divide more often than they need
// to, or are wrong where an exponential overflows.
TEST(InProcess, LogisticFactorsDivideOnce) {
  NEEDS_V3();
  const std::string logistic = "    %factor = kernel.logistic %v : vector<8xf32>\n";
  std::vector<float> x = {-INFINITY, -200,  -88.5f, -30, -3, -0.1f, -1e-4f, -0.0f,
                          0,         1e-4f, 0.1f,   3,   30, 88.5f, 200,    NAN};
  for (bool gated : {false, true}) {
    std::string op = logistic + (gated ? "    %t = math.tanh %v : vector<8xf32>\n"
                                         "    %r = arith.mulf %t, %factor : vector<8xf32>\n"
                                       : "    %r = arith.mulf %factor, %v : vector<8xf32>\n");
    Code code(hostTriple());
    ASSERT_TRUE(addMlir(code, mathText(op), v3()));
    size_t divisions = 0;
    for (const llvm::Instruction &i : llvm::instructions(*code.module().getFunction("apply")))
      divisions += i.getOpcode() == llvm::Instruction::FDiv;
    EXPECT_EQ(divisions, 1u);
    std::vector<float> y = apply(op, x, "x86-64-v3", MathMode::Default);
    ASSERT_EQ(y.size(), x.size());
    EXPECT_TRUE(std::isnan(y.back()));
    EXPECT_TRUE(gated ? y[0] == 0 : std::isnan(y[0])) << y[0];
    for (size_t i = 1; i + 1 < x.size(); ++i) {
      double exact = (gated ? std::tanh(double(x[i])) : x[i]) / (1 + std::exp(-double(x[i])));
      EXPECT_NEAR(y[i], exact, 1e-6 * std::abs(exact) + 1e-36) << x[i];
    }
  }
}

TEST(InProcess, Halves) {
  NEEDS_V3();
  std::vector<float> x = {1.0f, 1.00390625f, -2.5f, 3.14159f, 1e-3f, 65000.0f, 7, 0};
  std::vector<float> h = apply("    %h = arith.truncf %v : vector<8xf32> to vector<8xf16>\n"
                               "    %d = arith.addf %h, %h : vector<8xf16>\n"
                               "    %r = arith.extf %d : vector<8xf16> to vector<8xf32>\n",
                               x, "x86-64-v3", MathMode::Default);
  for (size_t i = 0; i < x.size(); ++i) {
    _Float16 half = x[i];
    EXPECT_EQ(h[i], float(_Float16(half + half))) << x[i];
  }
  std::vector<float> b =
      apply("    %h = arith.truncf %v : vector<8xf32> to vector<8xbf16>\n"
            "    %d = math.exp %h : vector<8xbf16>\n"
            "    %s = arith.addf %d, %h : vector<8xbf16>\n"
            "    %r = arith.extf %s : vector<8xbf16> to vector<8xf32>\n",
            {1.0f, 1.5f, 0, -1, -2, 0.25f, 2, 3}, "x86-64-v3", MathMode::Default);
  EXPECT_EQ(b[0], 3.71875f); // bf16(e) = 2.71875
  EXPECT_EQ(b[2], 1.0f);
}

TEST(InProcess, TinyModelsAreQuick) {
  NEEDS_V3();
  alignas(64) static float weights[40];
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    auto begin = std::chrono::steady_clock::now();
    Code code(hostTriple());
    ASSERT_TRUE(addMlir(code, exampleText));
    auto loaded =
        loadModel(code, exampleModel(hostTriple().str()),
                  reinterpret_cast<const uint8_t *>(weights), sizeof weights, 0, hostOptions());
    ASSERT_TRUE(bool(loaded));
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  RecordProperty("milliseconds", std::to_string(best * 1e3));
  printf("compile and load: %.1f ms\n", best * 1e3);
  EXPECT_LT(best, 0.5); // far above what is needed; catches a change of kind only
}

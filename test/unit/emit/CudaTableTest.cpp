// CudaTableTest.cpp: a model with code for CUDA beside the CPU's. If these fail, the compiler lays
// out what the runtime reads otherwise, such a model does not link, or a program of it runs where
// it should not. The driver is test/unit/runtime/fake_cuda.h's: no kernel runs.
#include "codegen/emit/CudaTable.h"
#include "Emission.h"
#include "codegen/emit/InProcess.h"
#include "runtime/include/symc/cuda.h"
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace symc::codegen;
using namespace symc::codegen::test;

static CudaProgram tinyProgram() {
  CudaProgram program;
  CudaLaunch scale{"scale", "fc", {1, 2, 3}, {4, 5, 6}, 0, 1, {}};
  scale.arguments = {
      {CudaArgument::Io, 0}, {CudaArgument::Weights}, {CudaArgument::Io, 1}, {CudaArgument::Arena}};
  CudaLaunch add{"add", "rnn", {7, 1, 1}, {32, 1, 1}, 1024, 2, {}};
  add.arguments = {{CudaArgument::Round}, {CudaArgument::Size, 3}};
  program.launches = {scale, add, scale};
  program.launches[1].arguments[1] = {CudaArgument::Io, 1};
  // The last one has a tensor map of its own, the second of the program.
  CudaTensorMap box = {{CudaArgument::Weights, 32}, 4, {16, 9, 2, 1}, {32, 288, 64}, {16, 8, 4, 1}};
  CudaTensorMap window = {{CudaArgument::Arena, 64},
                          5,
                          {16, 3, 2, 1, 4},
                          {32, 96, 192, 192},
                          {16, 64},
                          true,
                          {-1, -2, 0},
                          {-3, 4, 0},
                          {1, 2, 3, 1, 1}};
  for (CudaLaunch *launch : {&program.launches[0], &program.launches[2]}) {
    launch->maps = {launch == &program.launches[0] ? box : window};
    launch->arguments[3] = {CudaArgument::Map, 0};
  }
  program.images = {{CudaImage::Cubin, 90, true, "cubin scale:4 add:2"},
                    {CudaImage::Ptx, 80, false, "ptx scale:4 add:2"}};
  return program;
}

static ModelInfo tinyModel(const std::string &triple) {
  ModelInfo model = exampleModel(triple);
  VariantInfo cuda;
  cuda.isa = "cuda";
  cuda.arenaBytes = 256;
  cuda.runSymbol = "tiny_run_cuda";
  cuda.device = SYMC_DEVICE_CUDA;
  cuda.programSymbols = {cudaProgramSymbol("tiny_run_cuda")};
  model.variants.insert(model.variants.begin(), cuda);
  return model;
}

static void addTinyProgram(llvm::Module &module) {
  addCudaProgram(module, tinyProgram(), "tiny_run_cuda");
}

static const void *seenProgram;
static int32_t seeProgram(const symc_frame *, const symc_cuda_program *program) {
  seenProgram = program;
  return 27;
}

TEST(CudaTable, ReadsBack) {
  Code code(hostTriple());
  addTinyProgram(code.module());
  ModelInfo info = tinyModel(hostTriple().str());
  info.variants.pop_back(); // no code for the CPU
  int functions;
  InProcessOptions options;
  options.host.emplace_back("symc_cuda_run", reinterpret_cast<const void *>(&seeProgram));
  options.host.emplace_back("symc_cuda_device", &functions);
  auto loaded = loadModel(code, info, nullptr, 0, 0, options);
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  const symc_variant &variant = (*loaded)->model()->variants[0];
  EXPECT_STREQ(variant.isa, "cuda");
  EXPECT_EQ(variant.cpu_level, 0u);
  EXPECT_EQ(variant.device, SYMC_DEVICE_CUDA);
  EXPECT_EQ(static_cast<const void *>(variant.functions), &functions);
  ASSERT_EQ(variant.n_programs, 1);
  symc_frame frame = {};
  EXPECT_EQ(variant.run(&frame), 27);
  EXPECT_EQ(seenProgram, variant.programs[0]);
  const auto &program = *static_cast<const symc_cuda_program *>(variant.programs[0]);
  ASSERT_EQ(program.n_images, 2);
  EXPECT_EQ(program.images[0].kind, SYMC_CUDA_CUBIN);
  EXPECT_EQ(program.images[0].architecture, 90);
  EXPECT_EQ(program.images[0].specific, 1);
  EXPECT_EQ(program.images[0].waits, 1);
  EXPECT_EQ(program.images[1].waits, 0) << "of an architecture that knows no such wait";
  EXPECT_EQ(program.images[1].kind, SYMC_CUDA_PTX);
  EXPECT_EQ(program.images[1].n_bytes, 17u);
  EXPECT_STREQ(static_cast<const char *>(program.images[1].bytes), "ptx scale:4 add:2");
  ASSERT_EQ(program.n_kernels, 2) << "each once";
  EXPECT_STREQ(program.kernels[0], "scale");
  EXPECT_STREQ(program.kernels[1], "add");
  ASSERT_EQ(program.n_launches, 3);
  EXPECT_EQ(program.launches[2].kernel, 0);
  EXPECT_EQ(program.launches[0].arguments[3].kind, SYMC_CUDA_MAP);
  EXPECT_EQ(program.launches[0].arguments[3].index, 0);
  EXPECT_EQ(program.launches[2].arguments[3].index, 1);
  const symc_cuda_map box = {{SYMC_CUDA_WEIGHTS, 32},
                             {16, 9, 2, 1},
                             {32, 288, 64},
                             {16, 8, 4, 1},
                             {1, 1, 1, 1, 1},
                             {},
                             {},
                             4,
                             0};
  EXPECT_EQ(memcmp(&program.maps[0], &box, sizeof box), 0);
  const symc_cuda_map window = {{SYMC_CUDA_ARENA, 64},
                                {16, 3, 2, 1, 4},
                                {32, 96, 192, 192},
                                {16, 64},
                                {1, 2, 3, 1, 1},
                                {-1, -2, 0},
                                {-3, 4, 0},
                                5,
                                1};
  EXPECT_EQ(memcmp(&program.maps[1], &window, sizeof window), 0);
  const symc_cuda_launch &add = program.launches[1];
  EXPECT_STREQ(add.node, "rnn");
  EXPECT_EQ(add.rounds, 2);
  EXPECT_EQ(add.grid[0], 7u);
  EXPECT_EQ(add.block[0], 32u);
  EXPECT_EQ(add.shared_bytes, 1024u);
  EXPECT_EQ(add.kernel, 1);
  ASSERT_EQ(add.n_arguments, 2);
  EXPECT_EQ(add.arguments[0].kind, SYMC_CUDA_ROUND);
  EXPECT_EQ(add.arguments[1].kind, SYMC_CUDA_IO);
  EXPECT_EQ(add.arguments[1].index, 1);
  EXPECT_EQ(program.launches[0].grid[2], 3u);
  EXPECT_EQ(program.launches[0].block[1], 5u);
  for (int i = 0; i < SYMC_CUDA_DEVICES; ++i)
    EXPECT_EQ(program.modules[i], nullptr);
  program.modules[0] = nullptr; // can be written
}

static int32_t runStep(const symc_frame *) { return 31; }
static void placesOfStep(const int64_t *, int64_t *) {}

TEST(CudaTable, StepsOnTheCpuReadBack) {
  CudaProgram program = tinyProgram();
  program.launches[1] = CudaLaunch{"", "root", {1, 1, 1}, {1, 1, 1}, 0, 1, {}};
  program.launches[1].hostStep = 1;
  CudaHostStep plain, sized;
  plain.bytes = 640;
  sized.hasPlaces = true;
  sized.arenaShift = -64;
  sized.bytes = 384;
  sized.regions = {{CudaArgument::Arena, 0, -64, 64, 32, true, false},
                   {CudaArgument::Io, 1, 320, 0, 40, false, true}};
  program.hostSteps = {plain, sized};
  program.weightsOffset = 128;
  Code code(hostTriple());
  addCudaProgram(code.module(), program, "tiny_run_cuda");
  ModelInfo info = tinyModel(hostTriple().str());
  info.variants.pop_back();
  int functions;
  InProcessOptions options;
  options.host = {{"symc_cuda_run", reinterpret_cast<const void *>(&seeProgram)},
                  {"symc_cuda_device", &functions},
                  {"tiny_run_cuda_host0", reinterpret_cast<const void *>(&runStep)},
                  {"tiny_run_cuda_host1", reinterpret_cast<const void *>(&runStep)},
                  {"tiny_run_cuda_host1_places", reinterpret_cast<const void *>(&placesOfStep)}};
  auto loaded = loadModel(code, info, nullptr, 0, 0, options);
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  const auto &table =
      *static_cast<const symc_cuda_program *>((*loaded)->model()->variants[0].programs[0]);
  EXPECT_EQ(table.n_kernels, 1) << "a step on the CPU has none";
  EXPECT_EQ(table.launches[1].kernel, -2);
  EXPECT_EQ(table.launches[0].arguments[1].kind, SYMC_CUDA_WEIGHTS);
  EXPECT_EQ(table.launches[0].arguments[1].index, 128);
  EXPECT_EQ(table.launches[0].arguments[0].index, 0);
  EXPECT_EQ(table.weights_offset, 128);
  EXPECT_STREQ(table.launches[1].node, "root");
  EXPECT_EQ(table.host_bytes, 640) << "of the largest";
  EXPECT_EQ(table.host_steps[0].places, nullptr);
  EXPECT_EQ(table.host_steps[0].n_regions, 0);
  const symc_cuda_host_step &step = table.host_steps[1];
  EXPECT_EQ(step.run(nullptr), 31);
  EXPECT_EQ(step.places, &placesOfStep);
  EXPECT_EQ(step.arena_shift, -64);
  EXPECT_EQ(step.n_io, 2);
  ASSERT_EQ(step.n_regions, 2);
  EXPECT_EQ(step.regions[0].kind, SYMC_CUDA_ARENA);
  EXPECT_EQ(step.regions[0].shift, -64);
  EXPECT_EQ(step.regions[0].first, 64);
  EXPECT_EQ(step.regions[0].bytes, 32);
  EXPECT_EQ(step.regions[0].read, 1);
  EXPECT_EQ(step.regions[0].written, 0);
  EXPECT_EQ(step.regions[1].kind, SYMC_CUDA_IO);
  EXPECT_EQ(step.regions[1].index, 1);
  EXPECT_EQ(step.regions[1].written, 1);
}

namespace {
class CudaEmission : public Emission {
protected:
  void SetUp() override {
    Emission::SetUp();
    set("SYMC_CUDA_DRIVER", SYMC_TEST_FAKE_CUDA);
    set("SYMC_FAKE_CUDA", "architecture=90");
  }
  void TearDown() override {
    for (const char *name : {"SYMC_CUDA_DRIVER", "SYMC_FAKE_CUDA", "SYMC_DEVICE"})
      unsetenv(name);
    Emission::TearDown();
  }
  void set(const char *name, const std::string &value) { setenv(name, value.c_str(), 1); }
  std::string emitCuda(EmitKind kind, const std::string &name, const char *triple) {
    ModelInfo model = tinyModel(triple);
    return emitTiny(options(kind, name), triple, true, &model, addTinyProgram);
  }
  int runProgram() {
    std::string out = path("out");
    return execute({path("tiny"), path("x.raw"), "--output-dir", out});
  }
};
} // namespace

TEST_F(CudaEmission, StaticProgramsAreRefused) {
  EXPECT_EQ(emitCuda(EmitKind::Executable, "tiny", musl),
            "the model calls the CUDA driver, a shared library, but programs for "
            "'x86_64-linux-musl' are linked statically; pass -dynamic");
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(CudaEmission, ModelsForTheCpuKnowNothingOfIt) {
  ASSERT_EQ(emitTiny(options(EmitKind::Executable, "tiny"), gnu), "");
  ASSERT_EQ(emitTiny(options(EmitKind::Shared, "libtiny.so"), gnu), "");
  for (const char *name : {"tiny", "libtiny.so"})
    EXPECT_EQ(readAll(path(name)).find("cuInit"), std::string::npos) << name;
  // A library calls the loader to stay in memory (runtime/library); a program does not.
  EXPECT_EQ(readAll(path("tiny")).find("dlopen"), std::string::npos);
}

TEST_F(CudaEmission, ProgramRunsOnWhatIsThere) {
  ASSERT_EQ(emitCuda(EmitKind::Executable, "tiny", gnu), "");
  writeInput();
  set("SYMC_FAKE_CUDA", "architecture=90 log=" + path("log"));
  ASSERT_EQ(runProgram(), 0);
  std::string log = readAll(path("log"));
  EXPECT_NE(log.find("cuModuleLoadData cubin scale:4 add:2\n"), std::string::npos) << log;
  EXPECT_NE(log.find("cuLaunchKernel add grid 7 1 1 block 32 1 1 shared 1024 stream 0 arguments 1"),
            std::string::npos)
      << log;
  set("SYMC_CUDA_DRIVER", path("nowhere.so"));
  ASSERT_EQ(runProgram(), 0);
  checkOutput(path("out") + "/out_output.npy"); // the CPU's
  set("SYMC_CUDA_DRIVER", SYMC_TEST_FAKE_CUDA);
  set("SYMC_DEVICE", "cpu");
  ASSERT_EQ(runProgram(), 0);
  checkOutput(path("out") + "/out_output.npy");
}

// Each failure has an exit code of its own; 99 would be memory that was not given back.
TEST_F(CudaEmission, ExitCodes) {
  ASSERT_EQ(emitCuda(EmitKind::Executable, "tiny", gnu), "");
  writeInput();
  struct Row {
    const char *device, *fake;
    int exit;
  } rows[] = {
      {"cuda", "architecture=90", 0},
      {"cuda", "architecture=86", 0}, // by PTX
      {"cuda", "version=10020", 6},
      {"cuda", "devices=0", 7},
      {"cuda:3", "devices=2", 8},
      {"cuda", "architecture=75", 9},
      {"cuda", "architecture=90 memory=300", 10},
      {"cuda", "architecture=90 fail=cuLaunchKernel:1:701", 11},
      {"cuda", "architecture=90 fail=cuStreamSynchronize:2:719", 12},
      {"cuda", "architecture=90 fail=cuStreamSynchronize:2:1", 1},
  };
  for (const Row &row : rows) {
    set("SYMC_DEVICE", row.device);
    set("SYMC_FAKE_CUDA", row.fake);
    EXPECT_EQ(runProgram(), row.exit) << row.device << ", " << row.fake;
  }
  set("SYMC_DEVICE", "cuda");
  set("SYMC_CUDA_DRIVER", path("nowhere.so"));
  EXPECT_EQ(runProgram(), 5);
}

TEST_F(CudaEmission, SharedLibraryBringsTheDevice) {
  ASSERT_EQ(emitCuda(EmitKind::Shared, "libtiny.so", gnu), "");
  void *library = dlopen(path("libtiny.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_EQ(dlsym(library, "symc_cuda_device"), nullptr) << "nobody else's business";
  using Create = int32_t(const void *, void **);
  using Run = int32_t(void *, const symc_tensor *, int32_t, const symc_tensor *, int32_t);
  void *context = nullptr;
  ASSERT_EQ(reinterpret_cast<Create *>(dlsym(library, "tiny_create"))(nullptr, &context), 0);
  float x[40] = {}, y[40];
  std::fill_n(y, 40, 5.0f);
  const int64_t shape[] = {4, 10};
  symc_tensor in = {x, shape, 2, SYMC_F32, 0, 0}, out = {y, shape, 2, SYMC_F32, 0, 0};
  EXPECT_EQ(reinterpret_cast<Run *>(dlsym(library, "tiny_run"))(context, &in, 1, &out, 1), 0);
  EXPECT_EQ(y[0], 0); // what the fake's memory holds
  reinterpret_cast<void (*)(void *)>(dlsym(library, "tiny_destroy"))(context);
}

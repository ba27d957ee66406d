// PartsTest.cpp: code that is compiled in parts is the same for any number of cores,
// shows no more than code in one piece, and computes the same.
#include "Example.h"
#include "codegen/emit/Cores.h"
#include "codegen/emit/Emit.h"
#include "codegen/emit/InProcess.h"
#include "codegen/emit/KernelParts.h"
#include "codegen/lower/StepTable.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>
#include <sched.h>
#include <set>

using namespace symc::codegen;
using namespace symc::codegen::test;

// The tiny model with two kernels of a part's length each: the first as ever, with signs
// negated an even number of times; the second does the same again.
static std::string longText() {
  std::string text = exampleText, more;
  for (int64_t i = 0; i < fullPart; ++i)
    more += "  %v" + std::to_string(i + 1) + " = arith.negf %v" + std::to_string(i) +
            " : vector<8xf32>\n";
  auto replace = [](std::string &in, const std::string &what, const std::string &by) {
    in.replace(in.find(what), what.size(), by);
  };
  replace(text, "%vy = vector.fma", "%v0 = vector.fma");
  replace(text, "  llvm.store %vy", more + "  llvm.store %v" + std::to_string(fullPart));
  size_t begin = text.find("func.func private"), end = text.find("llvm.func internal");
  std::string second = text.substr(begin, end - begin);
  replace(second, "tiny_run_k0", "tiny_run_k1");
  std::string call = "func.call @tiny_run_k0(%x, %w, %y, %t) : "
                     "(!llvm.ptr, !llvm.ptr, !llvm.ptr, index) -> ()\n";
  std::string other = call;
  replace(other, "tiny_run_k0", "tiny_run_k1");
  replace(text, call, call + "  " + other);
  return second + text;
}

/// While it lives this thread may use one core.
struct OneCore {
  OneCore() {
    sched_getaffinity(0, sizeof before, &before);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
      if (CPU_ISSET(cpu, &before))
        CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneCore() { sched_setaffinity(0, sizeof before, &before); }
  cpu_set_t before;
};

TEST(Cores, EveryPieceOnce) {
  std::vector<int> done(1000);
  int own = 0;
  forEachOnCores(done.size(), [&](int64_t piece) { ++done[piece]; }, [&] { ++own; });
  EXPECT_EQ(done, std::vector<int>(1000, 1));
  EXPECT_LE(own, 1000);
  OneCore one;
  own = 0;
  forEachOnCores(done.size(), [&](int64_t piece) { ++done[piece]; }, [&] { ++own; });
  EXPECT_EQ(own, 1000);
  EXPECT_EQ(done, std::vector<int>(1000, 2));
}

TEST(Parts, HoldLongKernels) {
  auto context = makeContext();
  auto parse = [&](llvm::StringRef text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  };
  EXPECT_TRUE(takeKernels(*parse(exampleText)).empty());
  auto module = parse(longText());
  ASSERT_TRUE(module);
  auto parts = takeKernels(*module);
  ASSERT_EQ(parts.size(), 2u);
  const char *names[] = {"tiny_run_k1", "tiny_run_k0"}; // as they stand in the text
  for (size_t i = 0; i < 2; ++i) {
    auto kernel = parts[i]->lookupSymbol<mlir::func::FuncOp>(names[i]);
    ASSERT_TRUE(kernel) << names[i];
    EXPECT_FALSE(kernel.isDeclaration());
    EXPECT_TRUE(module->lookupSymbol<mlir::func::FuncOp>(names[i]).isDeclaration());
  }
}

TEST(Parts, HoldKernelsThatMoveMemoryByThemselves) {
  auto context = makeContext();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(longText(), context.get());
  ASSERT_TRUE(module);
  module->lookupSymbol("tiny_run_k0")->setAttr(movesName, mlir::UnitAttr::get(context.get()));
  auto parts = takeKernels(*module);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_FALSE((*parts[0])->hasAttr(movesName));
  EXPECT_TRUE((*parts[1])->hasAttr(movesName));
  EXPECT_FALSE(parts[1]->lookupSymbol("tiny_run_k0")->hasAttr(movesName));
}

// The objects of the code, or its assembly.
static std::vector<std::string> compileLong(bool text) {
  Code code("x86_64-linux-musl");
  EXPECT_TRUE(addMlir(code, longText()));
  EXPECT_EQ(llvm::toString(code.optimise({"tiny_run"})), "");
  if (text) {
    EXPECT_EQ(llvm::toString(code.join()), "");
    FileBytes bytes = llvm::cantFail(code.assembly());
    return {std::string(bytes.begin(), bytes.end())};
  }
  std::vector<std::string> files;
  for (const FileBytes &bytes : llvm::cantFail(code.objects()))
    files.emplace_back(bytes.begin(), bytes.end());
  return files;
}

TEST(Parts, GiveTheSameBytesOnOneCore) {
  for (bool text : {false, true}) {
    std::vector<std::string> files = compileLong(text);
    EXPECT_EQ(files.size(), text ? 1u : 3u);
    OneCore one;
    EXPECT_TRUE(files == compileLong(text));
  }
}

TEST(Parts, ShowTheInterfaceOnly) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("symc-parts-test", "o", path));
  EmitOptions options;
  options.kind = EmitKind::Object;
  options.output = path.str().str();
  options.resourceDir = SYMC_TEST_RESOURCES;
  Code code("x86_64-linux-gnu");
  ASSERT_TRUE(addMlir(code, longText()));
  EXPECT_EQ(llvm::toString(emit(options, exampleModel("x86_64-linux-gnu"), code, nullptr)), "");
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  llvm::sys::fs::remove(path);
  ASSERT_TRUE(bool(file));
  std::set<std::string> local, global;
  for (const llvm::object::SymbolRef &symbol : file->getBinary()->symbols()) {
    auto flags = llvm::cantFail(symbol.getFlags());
    if (!(flags & llvm::object::SymbolRef::SF_Undefined))
      (flags & llvm::object::SymbolRef::SF_Global ? global : local)
          .insert(llvm::cantFail(symbol.getName()).str());
  }
  EXPECT_TRUE(local.count("tiny_run_k0") && local.count("tiny_run_k1"));
  EXPECT_TRUE(global.count("tiny_create"));
  EXPECT_FALSE(global.count("tiny_run_k0") || global.count("tiny_run_k1"));
}

static void runTasks(const symc_frame *frame, symc_task_fn fn, int64_t tasks) {
  for (int64_t task = 0; task < tasks; ++task)
    fn(frame, task);
}

TEST(Parts, Compute) {
  Code code(hostTriple());
  ASSERT_TRUE(addMlir(code, longText()));
  EXPECT_TRUE(code.module().getFunction("tiny_run_k0")->isDeclaration());
  InProcessOptions options;
  options.host.emplace_back("symc_parallel", reinterpret_cast<const void *>(&runTasks));
  auto loaded = loadCode(code, {"tiny_run"}, options);
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  auto run = reinterpret_cast<int32_t (*)(const symc_frame *)>(
      llvm::cantFail((*loaded)->find("tiny_run")));
  alignas(64) float weights[40], x[40], y[40] = {};
  for (int i = 0; i < 40; ++i)
    x[i] = weights[i] = i;
  void *io[] = {x, y};
  symc_frame frame = {};
  frame.weights = reinterpret_cast<uint8_t *>(weights);
  frame.io = io;
  ASSERT_EQ(run(&frame), 0);
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(y[i], i * i + 1) << i;
}

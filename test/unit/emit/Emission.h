// Emission.h: a folder in which tests emit the tiny model of Example.h and run what comes out.
#ifndef SYMC_TEST_UNIT_EMIT_EMISSION_H
#define SYMC_TEST_UNIT_EMIT_EMISSION_H

#include "Example.h"
#include "codegen/emit/Emit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace symc::codegen::test {

inline const char *const musl = "x86_64-linux-musl";
inline const char *const gnu = "x86_64-linux-gnu";
inline const char *const resources = SYMC_TEST_RESOURCES;

inline std::string readAll(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

class Emission : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("symc-emit-test", path));
    folder = path.str().str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path(const std::string &name) { return folder + "/" + name; }
  std::vector<std::string> files() {
    std::vector<std::string> names;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator i(folder, code), end; i != end && !code;
         i.increment(code))
      names.push_back(i->path().substr(folder.size() + 1));
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Emits the tiny model with weights 0, 1/2, 1, ... and returns the error's text.
  std::string emitTiny(EmitOptions options, const char *triple, bool embedded = true,
                       ModelInfo *info = nullptr,
                       llvm::function_ref<void(llvm::Module &)> addCode = nullptr) {
    ModelInfo model = info ? *info : exampleModel(triple);
    options.resourceDir = resources;
    Code code(triple);
    EXPECT_TRUE(addMlir(code, exampleText));
    if (addCode)
      addCode(code.module());
    std::string side = options.output + ".weights";
    auto weights = embedded ? WeightsFile::embedded(model, 160, options.output)
                            : WeightsFile::sideFile(side, 160);
    if (!weights)
      return llvm::toString(weights.takeError());
    for (int i = 0; i < 40; ++i)
      reinterpret_cast<float *>((*weights)->data())[i] = 0.5f * i;
    if (llvm::Error error = (*weights)->seal())
      return llvm::toString(std::move(error));
    return llvm::toString(emit(options, model, code, weights->get()));
  }

  /// Runs a program and returns its exit status; standard output goes to `out`.
  int execute(std::vector<std::string> args, std::string *out = nullptr) {
    std::vector<llvm::StringRef> refs(args.begin(), args.end());
    std::string outPath = path("stdout.txt"), errPath = path("stderr.txt");
    std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(outPath),
                                                  llvm::StringRef(errPath)};
    int status = llvm::sys::ExecuteAndWait(args[0], refs, std::nullopt, redirects);
    if (status != 0)
      printf("%s: %s\n", args[0].c_str(), readAll(errPath).c_str());
    if (out)
      *out = readAll(outPath);
    ::unlink(outPath.c_str());
    ::unlink(errPath.c_str());
    return status;
  }
  void writeInput() {
    float x[40];
    for (int i = 0; i < 40; ++i)
      x[i] = i - 20;
    std::ofstream file(path("x.raw"), std::ios::binary);
    file.write(reinterpret_cast<char *>(x), sizeof x);
  }
  /// The .npy that the program wrote holds x * w + 1.
  void checkOutput(const std::string &file) {
    std::string bytes = readAll(file);
    ASSERT_GT(bytes.size(), 160u) << file;
    float y[40];
    memcpy(y, bytes.data() + bytes.size() - 160, 160);
    for (int i = 0; i < 40; ++i)
      EXPECT_EQ(y[i], (i - 20) * 0.5f * i + 1) << i;
  }
  EmitOptions options(EmitKind kind, const std::string &name) {
    EmitOptions result;
    result.kind = kind;
    result.output = path(name);
    return result;
  }

  std::string folder;
};

} // namespace symc::codegen::test

#endif // SYMC_TEST_UNIT_EMIT_EMISSION_H

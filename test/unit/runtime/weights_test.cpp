// weights_test.cpp: the side file of weights: found where it is said to be, refused
// with a sentence if it is not the model's.
#include "core/context.h"
#include "core/hash.h"
#include "fake_model.h"

#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace {
struct SideFile : testing::Test {
  SideFile() {
    hash = symc::xxh3_64(fake.weights, sizeof fake.weights);
    fake.model.weights = nullptr;
    fake.model.weights_file = "fake.weights";
    fake.model.weights_hash = hash;
    symc_weights_header header = {};
    memcpy(header.magic, SYMC_WEIGHTS_MAGIC, 8);
    header.abi_version = SYMC_ABI_VERSION;
    header.header_bytes = SYMC_WEIGHTS_HEADER_BYTES;
    header.weights_bytes = sizeof fake.weights;
    header.weights_hash = hash;
    image.assign(SYMC_WEIGHTS_HEADER_BYTES, '\0');
    memcpy(image.data(), &header, sizeof header);
    image.append(reinterpret_cast<const char *>(fake.weights), sizeof fake.weights);
    path = folder / "fake.weights";
    writeFile(path, image);
    options.weights_file = path.c_str();
  }
  // The sentence, with the file's name in place of its path; empty where it was accepted.
  std::string refusal(symc_status status = SYMC_STATUS_BAD_WEIGHTS) {
    ScopedContext context(fake.model, options);
    EXPECT_EQ(context.status, status);
    std::string error = context.error;
    size_t at = error.find(path);
    return at == std::string::npos ? error : error.replace(at, path.size(), "fake.weights");
  }
  void expectWorks(const symc_options &given) {
    ScopedContext context(fake.model, given);
    ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
    EXPECT_STREQ(symc_context_weights(context.handle), "side file");
    Tensor data({1, 4}, 1), output({1, 4});
    symc_tensor in = data.view(), out = output.view();
    EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
    EXPECT_EQ(output.data[3], 4);
  }
  FakeModel fake;
  ScopedFolder folder;
  std::string image, path;
  uint64_t hash;
  symc_options options = {};
};
} // namespace

TEST_F(SideFile, ByOption) {
  expectWorks(options);
  options.flags = SYMC_VERIFY_WEIGHTS;
  expectWorks(options);
}

TEST_F(SideFile, ByVariableAsFileAndAsFolder) {
  {
    ScopedVariable variable("SYMC_WEIGHTS", path.c_str());
    expectWorks({});
  }
  ScopedVariable variable("SYMC_WEIGHTS", folder.path.c_str());
  expectWorks({});
}

TEST_F(SideFile, BesideTheProgram) {
  fake.model.weights_file = "unit-beside-program.weights";
  std::string self = std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
  std::string beside = self + "/unit-beside-program.weights";
  writeFile(beside, image);
  ScopedContext context(fake.model);
  EXPECT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  std::filesystem::remove(beside);
  ScopedContext missing(fake.model);
  EXPECT_EQ(missing.status, SYMC_STATUS_BAD_WEIGHTS);
  EXPECT_EQ(missing.error, "weights file '" + beside + "': cannot open: no such file or directory");
}

// What happens to the file later reaches no run, unless it is mapped.
TEST_F(SideFile, OutlivesItsFile) {
  ScopedContext context(fake.model, options);
  ASSERT_EQ(context.status, SYMC_STATUS_OK) << context.error;
  writeFile(path, "");
  Tensor data({1, 4}, 1), output({1, 4});
  symc_tensor in = data.view(), out = output.view();
  EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
  EXPECT_EQ(output.data[3], 4);
}

TEST_F(SideFile, ContextsShareWhatIsRead) {
  const void *first;
  {
    ScopedContext one(fake.model, options), two(fake.model, options);
    first = one.handle->weights.data;
    EXPECT_EQ(first, two.handle->weights.data);
    Hooks hooks; // memory of another owner
    symc_options own = options, trusting = options;
    own.allocator = hooks.table();
    trusting.flags = SYMC_TRUST_WEIGHTS;
    ScopedContext three(fake.model, own), four(fake.model, trusting);
    EXPECT_NE(first, three.handle->weights.data);
    EXPECT_NE(first, four.handle->weights.data);
    expectWorks(own);
  }
  image.back() ^= 1; // the copy went with its last context
  writeFile(path, image);
  EXPECT_NE(refusal(), "");
}

TEST_F(SideFile, MappedWhereAsked) {
  image.back() ^= 1; // and not compared
  writeFile(path, image);
  options.flags = SYMC_MAP_WEIGHTS;
  expectWorks(options);
  ScopedContext context(fake.model, options);
  EXPECT_NE(context.handle->weights.mapping, nullptr);
  options.flags = 0;
  ScopedVariable map("SYMC_MAP_WEIGHTS", "1");
  expectWorks(options);
  ScopedVariable huge("SYMC_HUGEPAGES", "1");
  expectWorks(options);
  Hooks hooks;
  hooks.failAt = 1; // after the context
  options.allocator = hooks.table();
  EXPECT_EQ(refusal(SYMC_STATUS_OUT_OF_MEMORY), "weights: cannot allocate 64 bytes for the copy "
                                                "of SYMC_HUGEPAGES=1");
}

TEST_F(SideFile, NoMemoryToReadItInto) {
  Hooks hooks;
  hooks.failAt = 1; // after the context
  options.allocator = hooks.table();
  EXPECT_EQ(refusal(SYMC_STATUS_OUT_OF_MEMORY),
            "weights: cannot allocate 64 bytes to read the side file into; SYMC_MAP_WEIGHTS=1 maps "
            "it");
  EXPECT_EQ(hooks.held, 0u);
}

// A longer path would name another file if it were cut.
TEST_F(SideFile, PathsThatAreTooLong) {
  std::string longPath = path;
  while (longPath.size() < 5000)
    longPath.insert(longPath.rfind('/'), "/.");
  options.weights_file = longPath.c_str();
  EXPECT_EQ(refusal(),
            "options.weights_file: expected a path shorter than 4096 bytes, got a longer one");
  options.weights_file = nullptr;
  ScopedVariable variable("SYMC_WEIGHTS", longPath.c_str());
  EXPECT_EQ(refusal(), "SYMC_WEIGHTS: expected a path shorter than 4096 bytes, got a longer one");
}

TEST_F(SideFile, APipeIsNotWaitedFor) {
  std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  options.weights_file = pipe.c_str();
  EXPECT_EQ(refusal(), "weights file '" + pipe + "': expected 4160 bytes, got 0");
}

TEST_F(SideFile, Refused) {
  writeFile(path, image.substr(0, 4100));
  EXPECT_EQ(refusal(), "weights file 'fake.weights': expected 4160 bytes, got 4100");
  std::string changed = image;
  changed[0] = 'X';
  writeFile(path, changed);
  EXPECT_EQ(refusal(), "weights file 'fake.weights': expected the mark 'SYMCWTS1' in its first "
                       "bytes, got something else");
  auto setWord = [&](size_t at, uint32_t value) {
    changed = image;
    memcpy(changed.data() + at, &value, 4);
    writeFile(path, changed);
  };
  setWord(8, 11);
  EXPECT_EQ(refusal(), "weights file 'fake.weights': expected ABI version 10, got 11");
  setWord(12, 64);
  EXPECT_EQ(refusal(), "weights file 'fake.weights': expected a header of 4096 bytes, got 64");
  setWord(16, 63);
  EXPECT_EQ(refusal(), "weights file 'fake.weights': expected 64 bytes of weights, got 63");
  fake.model.weights_hash = 0x0123456789abcdef;
  writeFile(path, image);
  char hex[32];
  snprintf(hex, sizeof hex, "%016llx", (unsigned long long)hash);
  EXPECT_EQ(refusal(),
            std::string("weights file 'fake.weights': expected the hash 0123456789abcdef, got ") +
                hex);
}

TEST_F(SideFile, AChangedByteIsFound) {
  image.back() ^= 1;
  writeFile(path, image);
  char expected[120];
  snprintf(expected, sizeof expected,
           "weights file 'fake.weights': expected bytes with the hash %016llx, got %016llx",
           (unsigned long long)hash,
           (unsigned long long)symc::xxh3_64(image.data() + SYMC_WEIGHTS_HEADER_BYTES, 64));
  EXPECT_EQ(refusal(), expected);
  options.flags = SYMC_TRUST_WEIGHTS;
  expectWorks(options); // the header is right
  options.flags = SYMC_MAP_WEIGHTS | SYMC_VERIFY_WEIGHTS;
  EXPECT_EQ(refusal().find("weights: expected the hash "), 0u);
}

// OutputFileTest.cpp: what lld makes beside an output. If this fails, a compilation that runs out
// of memory while it links leaves a file behind, or takes one that is not its own.
#include "codegen/emit/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace symc::codegen;

namespace {
struct LinkersFilesTest : testing::Test {
  llvm::SmallString<128> folder;
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("symc-output-file", folder));
    for (const char *name : {"net.part.tmp1", "net.part.tmp", "net.part", "other.part.tmp1"}) {
      std::error_code failure;
      llvm::raw_fd_ostream(path(name), failure);
      ASSERT_FALSE(failure);
    }
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }
  std::string path(const char *name) { return (folder + "/" + name).str(); }
  std::string left() {
    std::string names;
    for (const char *name : {"net.part.tmp1", "net.part.tmp", "net.part", "other.part.tmp1"})
      if (llvm::sys::fs::exists(path(name)))
        names += std::string(names.empty() ? "" : " ") + name;
    return names;
  }
};
} // namespace

TEST_F(LinkersFilesTest, GoWithTheProcess) {
  std::string output = path("net.part");
  LinkersFiles files(output);
  LinkersFiles::remove();
  EXPECT_EQ(left(), "net.part other.part.tmp1");
}

TEST_F(LinkersFilesTest, StayBehindTheLink) {
  std::string output = path("net.part");
  {
    LinkersFiles files(output);
  }
  LinkersFiles::remove();
  EXPECT_EQ(left(), "net.part.tmp1 net.part.tmp net.part other.part.tmp1");
}

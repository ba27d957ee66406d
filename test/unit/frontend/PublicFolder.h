// PublicFolder.h: tests over a folder of real files that an environment variable names; skipped,
// with that reason, where it does not.
#ifndef SYMC_TEST_UNIT_FRONTEND_PUBLICFOLDER_H
#define SYMC_TEST_UNIT_FRONTEND_PUBLICFOLDER_H

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstdlib>

namespace symc::test {

/// The files below a folder whose names end so, sorted.
inline std::vector<std::string> filesUnder(llvm::StringRef folder, llvm::StringRef ending) {
  std::vector<std::string> files;
  std::error_code failure;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, failure), end; it != end && !failure;
       it.increment(failure))
    if (llvm::StringRef(it->path()).ends_with(ending))
      files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

/// A test whose parameter is the variable's name.
class PublicFolder : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    const char *value = std::getenv(GetParam());
    if (!value || !*value)
      GTEST_SKIP() << GetParam() << " is not set";
    folder = value;
  }
  std::string folder;
};

} // namespace symc::test

#endif // SYMC_TEST_UNIT_FRONTEND_PUBLICFOLDER_H

// CacheTest.cpp: compiled models on disk (tools/cache). If this fails, a program runs code of a
// damaged file or of a stranger's folder, loses models that it could have kept, or keeps too many.
#include "tools/cache/ModelCache.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace symc;

namespace {

std::string failure(llvm::Error error) { return llvm::toString(std::move(error)); }

void writeFile(llvm::StringRef path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  os << bytes;
}

std::string keyOf(llvm::StringRef text) {
  CacheKey key;
  key.add(text);
  return key.finish();
}

struct Cache : testing::Test {
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("symc-cache", folder));
    folder += "/models";
  }
  void TearDown() override {
    llvm::sys::fs::remove_directories(llvm::sys::path::parent_path(folder));
  }
  ModelCache open(uint64_t limit = ModelCache::defaultLimit) {
    return llvm::cantFail(ModelCache::open(folder, limit));
  }
  std::string add(const ModelCache &cache, llvm::StringRef text, size_t bytes = 100) {
    return llvm::cantFail(
        cache.add(keyOf(text), {text.str(), "data=1", "symc 0.1.0"}, [&](llvm::StringRef path) {
          writeFile(path, std::string(bytes, 'x'));
          return llvm::Error::success();
        }));
  }
  llvm::SmallString<128> folder;
};

TEST_F(Cache, KeepsModelsAndTellsOfThem) {
  ModelCache cache = open();
  struct stat status;
  ASSERT_EQ(::stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  EXPECT_FALSE(cache.find(keyOf("lenet")));
  std::string path = add(cache, "lenet");
  EXPECT_EQ(cache.find(keyOf("lenet")), path);
  EXPECT_TRUE(llvm::StringRef((*llvm::MemoryBuffer::getFile(path))->getBuffer())
                  .starts_with(std::string(100, 'x')));
  std::vector<CacheEntry> entries = cache.list();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].facts.model, "lenet");
  EXPECT_EQ(entries[0].facts.options, "data=1");
  add(cache, "a\n\033[2J");
  EXPECT_EQ(cache.list()[0].facts.model, "a??[2J");
  EXPECT_EQ(llvm::cantFail(cache.clear()).models, 2u);
  EXPECT_FALSE(cache.find(keyOf("lenet")));
}

TEST_F(Cache, RemovesDamagedEntries) {
  ModelCache cache = open();
  std::string whole = add(cache, "net");
  std::string bytes = (*llvm::MemoryBuffer::getFile(whole))->getBuffer().str();
  for (size_t i = 0; i < bytes.size(); i += 7) {
    std::string changed = bytes;
    changed[i] ^= 1;
    writeFile(whole, changed);
    EXPECT_FALSE(cache.find(keyOf("net"))) << "byte " << i;
    EXPECT_FALSE(llvm::sys::fs::exists(whole)) << "byte " << i;
    writeFile(whole, llvm::StringRef(bytes).take_front(i));
    EXPECT_FALSE(cache.find(keyOf("net"))) << "length " << i;
  }
  add(cache, "net");
  EXPECT_TRUE(cache.find(keyOf("net")));
  // A whole entry under another's name is none.
  ASSERT_FALSE(llvm::sys::fs::copy_file(whole, folder + "/" + keyOf("other") + ".so"));
  EXPECT_FALSE(cache.find(keyOf("other")));
}

TEST_F(Cache, KeepsKernelsBesideModels) {
  ModelCache cache = open();
  add(cache, "net");
  auto addKernels = [&](llvm::StringRef bytes) {
    return llvm::cantFail(cache.add(
        keyOf("net"), {"net.cu", "sm_80, NVRTC 13.0", "symc 0.1.0"},
        [&](llvm::StringRef path) {
          writeFile(path, bytes);
          return llvm::Error::success();
        },
        CacheKind::Kernels));
  };
  EXPECT_FALSE(cache.read(keyOf("net")));
  std::string path = addKernels("a cubin"), bytes(1, '\0');
  EXPECT_EQ(cache.read(keyOf("net")), "a cubin");
  EXPECT_EQ(cache.list()[0].kind, CacheKind::Kernels);
  EXPECT_EQ(cache.list()[1].kind, CacheKind::Model);
  writeFile(path, "a cubin"); // without a footer
  EXPECT_FALSE(cache.read(keyOf("net")));
  EXPECT_FALSE(llvm::sys::fs::exists(path));
  addKernels(bytes);
  EXPECT_EQ(cache.read(keyOf("net")), bytes);
  ModelCache::Removed removed = llvm::cantFail(cache.clear());
  EXPECT_EQ(removed.models, 1u);
  EXPECT_EQ(removed.kernels, 1u);
}

TEST_F(Cache, RefusesFoldersThatOthersMayWrite) {
  open();
  for (mode_t mode : {0770, 0707, 0777}) {
    ASSERT_EQ(::chmod(folder.c_str(), mode), 0);
    EXPECT_NE(failure(ModelCache::open(folder).takeError())
                  .find("has a mode by which others may write to it: it is not used"),
              std::string::npos);
  }
  ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
  open();
  if (::geteuid() == 0 && ::chown(folder.c_str(), 65534, -1) == 0)
    EXPECT_NE(failure(ModelCache::open(folder).takeError())
                  .find("belongs to user 65534, and this process is user 0: it is not used"),
              std::string::npos);
}

TEST_F(Cache, TellsWhyThereIsNoFolder) {
  EXPECT_EQ(failure(ModelCache::open("").takeError()),
            "there is no folder for compiled models: HOME is not set");
  writeFile(folder, "a file");
  EXPECT_NE(failure(ModelCache::open(folder).takeError()).find("cannot open the cache folder '"),
            std::string::npos);
  EXPECT_NE(failure(ModelCache::open((folder + "/below").str()).takeError())
                .find("cannot make the cache folder '"),
            std::string::npos);
}

TEST_F(Cache, RemovesTheLeastRecentlyUsed) {
  ModelCache cache = open(1000);
  for (const char *name : {"a", "b", "c"}) {
    add(cache, name, 150);
    ::usleep(20000);
  }
  EXPECT_TRUE(cache.find(keyOf("a"))); // used again
  ::usleep(20000);
  add(cache, "d", 150);
  EXPECT_TRUE(cache.find(keyOf("a")));
  EXPECT_FALSE(cache.find(keyOf("b")));
  EXPECT_TRUE(cache.find(keyOf("d")));
  auto large = cache.add(keyOf("large"), {}, [](llvm::StringRef path) {
    writeFile(path, std::string(2000, 'x'));
    return llvm::Error::success();
  });
  EXPECT_NE(failure(large.takeError()).find("bytes is over the cache's limit of 1000"),
            std::string::npos);
  EXPECT_TRUE(cache.find(keyOf("d")));
}

TEST_F(Cache, LeavesNothingOfAWriterThatFails) {
  ModelCache cache = open();
  auto failed = cache.add(keyOf("net"), {}, [](llvm::StringRef path) {
    writeFile(path, "half");
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "the disk is full");
  });
  EXPECT_EQ(failure(failed.takeError()), "the disk is full");
  auto nothing =
      cache.add(keyOf("net"), {}, [](llvm::StringRef) { return llvm::Error::success(); });
  EXPECT_NE(failure(nothing.takeError()).find("': no such file or directory"), std::string::npos);
  std::error_code error;
  EXPECT_EQ(llvm::sys::fs::directory_iterator(folder, error), llvm::sys::fs::directory_iterator());
}

TEST_F(Cache, ServesConcurrentWriters) {
  ModelCache cache = open();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        add(cache, "shared", 1000);
        EXPECT_TRUE(cache.find(keyOf("shared")));
        add(cache, "own" + std::to_string(i), 10);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(cache.list().size(), 9u);
}

TEST(CachePlaces, ComeFromTheEnvironment) {
  ::setenv("SYMC_CACHE_DIR", "/a/b", 1);
  EXPECT_EQ(ModelCache::defaultFolder(), "/a/b");
  ::unsetenv("SYMC_CACHE_DIR");
  ::setenv("XDG_CACHE_HOME", "/xdg", 1);
  EXPECT_EQ(ModelCache::defaultFolder(), "/xdg/symc");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  ::setenv("HOME", "/h", 1);
  EXPECT_EQ(ModelCache::defaultFolder(), "/h/.cache/symc");
  ::setenv("SYMC_CACHE_LIMIT", "500M", 1);
  EXPECT_EQ(llvm::cantFail(ModelCache::limitFromEnvironment()), uint64_t(500) << 20);
  ::setenv("SYMC_CACHE_LIMIT", "much", 1);
  EXPECT_EQ(failure(ModelCache::limitFromEnvironment().takeError()),
            "SYMC_CACHE_LIMIT is 'much': expected bytes as a number, or as in 500M and 4G");
  ::unsetenv("SYMC_CACHE_LIMIT");
  EXPECT_EQ(llvm::cantFail(ModelCache::limitFromEnvironment()), uint64_t(2) << 30);
}

TEST(CacheKeys, TellListsOfTextsApart) {
  auto key = [](std::initializer_list<llvm::StringRef> texts) {
    CacheKey key;
    for (llvm::StringRef text : texts)
      key.add(text);
    return key.finish();
  };
  EXPECT_EQ(key({"a", "b"}).size(), 32u);
  EXPECT_EQ(key({"a", "b"}), key({"a", "b"}));
  EXPECT_NE(key({"a", "b"}), key({"ab", ""}));
  EXPECT_NE(key({"a", "b"}), key({"b", "a"}));
}

} // namespace

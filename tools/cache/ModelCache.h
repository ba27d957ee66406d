// ModelCache.h: compiled models on disk, so that a program that compiles a model in its own process
// does so once; and what NVRTC made of kernels for CUDA.
//
// An entry is one file, KEY.so or KEY.kernels: a shared library or bytes, behind it facts in text,
// behind these a footer with lengths and a hash of all that stands before it. An entry appears
// whole, by a rename, and is never written again; one that is damaged or cut short is removed where
// it is found. Any number of processes share a folder. The entry that was used longest ago goes
// first where the limit is reached; the time of a file's last change is that of its last use.
#ifndef SYMC_TOOLS_CACHE_MODELCACHE_H
#define SYMC_TOOLS_CACHE_MODELCACHE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace symc {

/// What an entry stores of itself; no line breaks.
struct CacheFacts {
  std::string model;    // "lenet"
  std::string options;  // "data=1,3,224,224"
  std::string compiler; // "symc 0.1.0"
};

enum class CacheKind { Model, Kernels };

struct CacheEntry {
  std::string key;
  CacheKind kind;
  CacheFacts facts;
  uint64_t bytes = 0;
  int64_t lastUse = 0; // seconds since 1970
};

class ModelCache {
public:
  static constexpr uint64_t defaultLimit = uint64_t(2) << 30;

  /// $SYMC_CACHE_DIR, else $XDG_CACHE_HOME/symc, else ~/.cache/symc; empty where there is no home.
  static std::string defaultFolder();
  /// The bytes that $SYMC_CACHE_LIMIT allows ("500M", "4G"; 0: no cache), else defaultLimit. An
  /// error for what is no size.
  static llvm::Expected<uint64_t> limitFromEnvironment();

  /// Makes the folder, mode 0700, where there is none. An error where it is not this user's or
  /// others may write to it: they could put code there.
  static llvm::Expected<ModelCache> open(llvm::StringRef folder, uint64_t limit = defaultLimit);

  /// The path of the entry, which is whole, and whose use is noted; nothing where there is none.
  std::optional<std::string> find(llvm::StringRef key) const;
  /// The bytes of an entry of kernels; likewise.
  std::optional<std::string> read(llvm::StringRef key) const;
  /// Lets `write` make the library at the path that it is given, and gives it the name of the key.
  /// An error, and no entry, where the library cannot be written or takes more than the limit.
  llvm::Expected<std::string> add(llvm::StringRef key, const CacheFacts &facts,
                                  llvm::function_ref<llvm::Error(llvm::StringRef path)> write,
                                  CacheKind kind = CacheKind::Model) const;

  /// Those with readable facts, the one that was used last first.
  std::vector<CacheEntry> list() const;
  /// Removes all entries and what interrupted writers left; how many entries there were.
  struct Removed {
    size_t models = 0, kernels = 0;
  };
  llvm::Expected<Removed> clear() const;
  const std::string &folder() const { return path; }

private:
  ModelCache(std::string path, uint64_t limit) : path(std::move(path)), limit(limit) {}
  std::string pathOf(llvm::StringRef key, CacheKind kind) const;
  void makeRoom(llvm::StringRef newest) const;

  std::string path;
  uint64_t limit;
};

/// 32 hexadecimal digits of a key made of several texts: no two lists of texts give the same bytes.
class CacheKey {
public:
  void add(llvm::StringRef text);
  std::string finish() const;

private:
  std::string bytes; // lengths, and hashes of the texts
};

} // namespace symc

#endif // SYMC_TOOLS_CACHE_MODELCACHE_H

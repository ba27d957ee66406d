// ModelCache.cpp: see ModelCache.h.
#include "tools/cache/ModelCache.h"

#include "frontend/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace symc;

// Bytes of the library, bytes of the facts, a hash of both and of these two, all little-endian.
static constexpr StringLiteral footerMagic = "SYMCMDL1";
static constexpr size_t footerBytes = 3 * 8 + footerMagic.size();
static constexpr StringLiteral temporaryBegin = "new-";
// By CacheKind.
static constexpr StringLiteral entryEnds[] = {".so", ".kernels"};
static constexpr StringLiteral entryNames[] = {"a compiled model", "a set of kernels"};

static Error cacheError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

static Error systemError(StringRef what, StringRef path, int number) {
  return cacheError(what + " '" + path +
                    "': " + reasonOf(std::error_code(number, std::generic_category())));
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static ArrayRef<uint8_t> bytesOf(StringRef text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

void CacheKey::add(StringRef text) {
  XXH128_hash_t hash = xxh3_128bits(bytesOf(text));
  for (uint64_t word : {uint64_t(text.size()), uint64_t(hash.low64), uint64_t(hash.high64)})
    bytes += utohexstr(word, /*LowerCase=*/true, 16);
}

std::string CacheKey::finish() const {
  XXH128_hash_t hash = xxh3_128bits(bytesOf(bytes));
  return utohexstr(hash.high64, true, 16) + utohexstr(hash.low64, true, 16);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

std::string ModelCache::defaultFolder() {
  auto variable = [](const char *name) { return StringRef(getenv(name) ? getenv(name) : ""); };
  if (StringRef folder = variable("SYMC_CACHE_DIR"); !folder.empty())
    return folder.str();
  SmallString<128> path(variable("XDG_CACHE_HOME"));
  if (!sys::path::is_absolute(path)) { // which the rules of XDG require to ignore
    path.clear();
    if (!sys::path::home_directory(path))
      return "";
    sys::path::append(path, ".cache");
  }
  sys::path::append(path, "symc");
  return path.str().str();
}

Expected<uint64_t> ModelCache::limitFromEnvironment() {
  const char *value = getenv("SYMC_CACHE_LIMIT");
  if (!value || !*value)
    return defaultLimit;
  StringRef text = value;
  unsigned shift = text.consume_back("G")   ? 30
                   : text.consume_back("M") ? 20
                   : text.consume_back("K") ? 10
                                            : 0;
  uint64_t count;
  if (text.getAsInteger(10, count) || count > (UINT64_MAX >> shift))
    return cacheError("SYMC_CACHE_LIMIT is '" + Twine(value) +
                      "': expected bytes as a number, or as in 500M and 4G");
  return count << shift;
}

Expected<ModelCache> ModelCache::open(StringRef folder, uint64_t limit) {
  if (folder.empty())
    return cacheError("there is no folder for compiled models: HOME is not set");
  SmallString<128> path(folder);
  sys::fs::make_absolute(path);
  if (std::error_code error =
          sys::fs::create_directories(path, /*IgnoreExisting=*/true, sys::fs::owner_all))
    return systemError("cannot make the cache folder", path, error.value());
  // Read from the open folder, so that no other can take its name in between.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return systemError("cannot open the cache folder", path, errno);
  scope_exit close([&] { ::close(descriptor); });
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return systemError("cannot open the cache folder", path, errno);
  if (status.st_uid != ::geteuid())
    return cacheError("cache folder '" + path + "' belongs to user " + Twine(status.st_uid) +
                      ", and this process is user " + Twine(::geteuid()) + ": it is not used");
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    return cacheError("cache folder '" + path +
                      "' has a mode by which others may write to it: it is "
                      "not used (chmod 700 makes it usable)");
  return ModelCache(path.str().str(), limit);
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

namespace {
/// An entry's file in memory, and its parts.
struct EntryFile {
  std::unique_ptr<MemoryBuffer> buffer;
  StringRef library, facts;
  uint64_t hash = 0;

  /// Of all before the hash and the magic.
  uint64_t computedHash() const {
    StringRef bytes = buffer->getBuffer();
    return xxh3_64bits(bytesOf(bytes.drop_back(8 + footerMagic.size())));
  }
};
} // namespace

// The parts of a file, whose hash nobody has compared; nothing where the footer is not whole.
static std::optional<EntryFile> openEntry(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  EntryFile entry{std::move(*buffer), {}, {}};
  StringRef bytes = entry.buffer->getBuffer();
  if (bytes.size() < footerBytes || !bytes.consume_back(footerMagic))
    return std::nullopt;
  auto word = [&] {
    uint64_t value = support::endian::read64le(bytes.take_back(8).data());
    bytes = bytes.drop_back(8);
    return value;
  };
  entry.hash = word();
  uint64_t factsBytes = word(), libraryBytes = word();
  if (factsBytes > bytes.size() || libraryBytes != bytes.size() - factsBytes)
    return std::nullopt;
  entry.library = bytes.take_front(libraryBytes);
  entry.facts = bytes.take_back(factsBytes);
  return entry;
}

static std::string textOf(StringRef key, const CacheFacts &facts) {
  auto line = [](StringRef name, std::string value) { // a node may have any name
    std::replace_if(value.begin(), value.end(), [](char c) { return !isPrint(c); }, '?');
    return (name + " " + value + "\n").str();
  };
  return line("key", key.str()) + line("model", facts.model) + line("options", facts.options) +
         line("compiler", facts.compiler);
}

static std::optional<CacheFacts> readFacts(StringRef text, StringRef key) {
  CacheFacts facts;
  StringRef keyLine;
  auto line = [&](StringRef name) {
    auto [first, rest] = text.split('\n');
    text = rest;
    return first.consume_front(name) ? first.ltrim(' ') : StringRef();
  };
  keyLine = line("key");
  facts.model = line("model").str();
  facts.options = line("options").str();
  facts.compiler = line("compiler").str();
  if (keyLine != key)
    return std::nullopt;
  return facts;
}

std::string ModelCache::pathOf(StringRef key, CacheKind kind) const {
  return (path + "/" + key + entryEnds[int(kind)]).str();
}

// A whole entry, whose use is noted; one that is not goes.
static std::optional<EntryFile> useEntry(const std::string &file, StringRef key) {
  if (!sys::fs::exists(file))
    return std::nullopt;
  std::optional<EntryFile> entry = openEntry(file);
  if (!entry || entry->hash != entry->computedHash() || !readFacts(entry->facts, key)) {
    ::unlink(file.c_str());
    return std::nullopt;
  }
  ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0); // else it counts as used when it was made
  return entry;
}

std::optional<std::string> ModelCache::find(StringRef key) const {
  std::string file = pathOf(key, CacheKind::Model);
  return useEntry(file, key) ? std::optional<std::string>(file) : std::nullopt;
}

std::optional<std::string> ModelCache::read(StringRef key) const {
  std::optional<EntryFile> entry = useEntry(pathOf(key, CacheKind::Kernels), key);
  return entry ? std::optional<std::string>(entry->library.str()) : std::nullopt;
}

// Appends facts and footer to the library at `path`, and waits until the disk has all of it: a
// name that outlives a crash of the system should be that of a whole file.
static Error finishEntry(StringRef path, StringRef text) {
  int descriptor = ::open(path.str().c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
  if (descriptor < 0)
    return systemError("cannot write", path, errno);
  scope_exit close([&] { ::close(descriptor); });
  auto write = [&](StringRef bytes) -> Error {
    while (!bytes.empty()) {
      ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return systemError("cannot write", path, written < 0 ? errno : EIO);
      bytes = bytes.drop_front(written);
    }
    return Error::success();
  };
  auto word = [](uint64_t value) {
    char bytes[8];
    support::endian::write64le(bytes, value);
    return std::string(bytes, 8);
  };
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return systemError("cannot write", path, errno);
  if (Error error = write((text + word(status.st_size) + word(text.size())).str()))
    return error;
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return systemError("cannot write", path, buffer.getError().value());
  if (Error error = write(word(xxh3_64bits(bytesOf((*buffer)->getBuffer()))) + footerMagic.str()))
    return error;
  if (::fsync(descriptor) != 0)
    return systemError("cannot write", path, errno);
  return Error::success();
}

Expected<std::string> ModelCache::add(StringRef key, const CacheFacts &facts,
                                      function_ref<Error(StringRef path)> write,
                                      CacheKind kind) const {
  SmallString<128> temporary;
  sys::fs::createUniquePath(path + "/" + temporaryBegin + "%%%%%%%%%%%%" + entryEnds[int(kind)],
                            temporary,
                            /*MakeAbsolute=*/false);
  scope_exit remove([&] { ::unlink(temporary.c_str()); });
  if (Error error = write(temporary))
    return std::move(error);
  if (Error error = finishEntry(temporary, textOf(key, facts)))
    return std::move(error);
  uint64_t bytes = 0;
  (void)sys::fs::file_size(temporary, bytes);
  if (bytes > limit)
    return cacheError(Twine(entryNames[int(kind)]) + " of " + Twine(bytes) +
                      " bytes is over the cache's limit of " + Twine(limit));
  std::string file = pathOf(key, kind);
  if (::rename(temporary.c_str(), file.c_str()) != 0)
    return systemError("cannot write", file, errno);
  makeRoom(file);
  return file;
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

namespace {
struct FoundFile {
  std::string path;
  uint64_t bytes;
  struct timespec lastUse;
  CacheKind kind;
  bool temporary;

  StringRef key() const { return sys::path::stem(path); }
  bool olderThan(const FoundFile &other) const {
    return std::make_pair(lastUse.tv_sec, lastUse.tv_nsec) <
           std::make_pair(other.lastUse.tv_sec, other.lastUse.tv_nsec);
  }
};
} // namespace

// Entries and unfinished ones, the oldest use first; another's file is none of the cache's.
static std::vector<FoundFile> filesOf(StringRef folder) {
  std::vector<FoundFile> files;
  std::error_code error;
  for (sys::fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    StringRef name = sys::path::filename(at->path());
    bool hidden = name.starts_with(".symc-"); // of a writer that was interrupted
    CacheKind kind = name.ends_with(entryEnds[1]) ? CacheKind::Kernels : CacheKind::Model;
    if (!hidden && !name.ends_with(entryEnds[int(kind)]))
      continue;
    StringRef stem = sys::path::stem(name);
    bool temporary = hidden || stem.starts_with(temporaryBegin);
    if (!temporary && (stem.size() != 32 || !all_of(stem, isHexDigit)))
      continue;
    struct stat status;
    if (::lstat(at->path().c_str(), &status) == 0 && S_ISREG(status.st_mode))
      files.push_back({at->path(), uint64_t(status.st_size), status.st_mtim, kind, temporary});
  }
  sort(files, [](const FoundFile &a, const FoundFile &b) { return a.olderThan(b); });
  return files;
}

// Removes what interrupted writers left an hour ago, and entries until the rest fits. What a
// process has loaded stays in its memory.
void ModelCache::makeRoom(StringRef newest) const {
  constexpr time_t leftBehind = 3600;
  uint64_t total = 0;
  std::vector<FoundFile> files = filesOf(path);
  for (const FoundFile &file : files)
    total += file.bytes;
  for (const FoundFile &file : files) {
    bool stale = file.temporary && ::time(nullptr) - file.lastUse.tv_sec > leftBehind;
    bool tooMuch = !file.temporary && total > limit && file.path != newest;
    if ((stale || tooMuch) && ::unlink(file.path.c_str()) == 0)
      total -= file.bytes;
  }
}

std::vector<CacheEntry> ModelCache::list() const {
  std::vector<CacheEntry> entries;
  std::vector<FoundFile> files = filesOf(path);
  for (const FoundFile &file : reverse(files)) {
    std::optional<EntryFile> entry = openEntry(file.path);
    auto facts = entry ? readFacts(entry->facts, file.key()) : std::nullopt;
    if (facts && !file.temporary)
      entries.push_back(
          {file.key().str(), file.kind, *facts, file.bytes, int64_t(file.lastUse.tv_sec)});
  }
  return entries;
}

Expected<ModelCache::Removed> ModelCache::clear() const {
  Removed removed;
  for (const FoundFile &file : filesOf(path)) {
    if (::unlink(file.path.c_str()) != 0 && errno != ENOENT)
      return systemError("cannot write", path, errno);
    if (!file.temporary)
      ++(file.kind == CacheKind::Kernels ? removed.kernels : removed.models);
  }
  return removed;
}

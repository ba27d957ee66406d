// Kept.cpp: see Kept.h. An entry holds, in little-endian words of 64 bits: how many objects there
// are, the bytes of each, the bytes of the weights; behind these all of them in that order. The
// cache compares its hash, so that what is read is what was written.
#include "Kept.h"
#include "codegen/emit/ModelTable.h"
#include "symc/abi.h"
#include "symc/symc.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace symc;
using namespace symc::library;

// Another build of the compiler of the same version is another compiler.
static std::string compilerStamp() {
  Dl_info place = {};
  llvm::sys::fs::file_status status;
  if (::dladdr(reinterpret_cast<const void *>(&symc_compile_kept), &place) && place.dli_fname)
    (void)llvm::sys::fs::status(place.dli_fname, status);
  return std::string(symc_compiler_version()) + " " + std::to_string(SYMC_ABI_VERSION) + " " +
         std::to_string(status.getSize()) + " " +
         std::to_string(status.getLastModificationTime().time_since_epoch().count()) + " level " +
         std::to_string(codegen::TargetDescription::get("native")->cpuLevel);
}

Kept::Kept(std::string prefix, std::string model, std::string options)
    : prefix(std::move(prefix)), options(std::move(options)) {
  static const std::string *stamp = new std::string(compilerStamp());
  CacheKey parts;
  parts.add("in-process");
  for (const std::string *part :
       std::initializer_list<const std::string *>{stamp, &this->prefix, &model, &this->options})
    parts.add(*part);
  key = parts.finish();
  llvm::Expected<uint64_t> limit = ModelCache::limitFromEnvironment();
  if (!limit || *limit == 0) {
    llvm::consumeError(limit.takeError());
    return;
  }
  llvm::Expected<ModelCache> opened = ModelCache::open(ModelCache::defaultFolder(), *limit);
  if (opened)
    cache = std::move(*opened);
  else
    llvm::consumeError(opened.takeError());
}

std::unique_ptr<codegen::InProcess> Kept::load(PreparedWeights &weights,
                                               const codegen::InProcessOptions &options) const {
  std::optional<std::string> entry = cache ? cache->read(key) : std::nullopt;
  if (!entry)
    return nullptr;
  llvm::StringRef rest = *entry;
  auto word = [&]() -> uint64_t {
    if (rest.size() < 8)
      return 0;
    uint64_t value = llvm::support::endian::read64le(rest.data());
    rest = rest.drop_front(8);
    return value;
  };
  uint64_t count = word();
  if (count == 0 || count > rest.size())
    return nullptr;
  std::vector<uint64_t> sizes(count);
  for (uint64_t &size : sizes)
    size = word();
  uint64_t weightsBytes = word();
  std::vector<codegen::FileBytes> objects;
  for (uint64_t size : sizes) {
    if (size > rest.size())
      return nullptr;
    objects.emplace_back(rest.begin(), rest.begin() + size);
    rest = rest.drop_front(size);
  }
  if (weightsBytes != rest.size())
    return nullptr;
  weights.size = weightsBytes;
  if (weightsBytes) {
    weights.bytes = {static_cast<uint8_t *>(std::aligned_alloc(SYMC_ALIGN, weightsBytes)),
                     std::free};
    if (!weights.bytes)
      return nullptr;
    std::memcpy(weights.bytes.get(), rest.data(), weightsBytes);
  }
  auto loaded = codegen::loadKept(objects, prefix, weights.bytes.get(), options);
  if (!loaded) {
    llvm::consumeError(loaded.takeError()); // it is compiled anew
    return nullptr;
  }
  return std::move(*loaded);
}

void Kept::add(llvm::ArrayRef<codegen::FileBytes> objects, const PreparedWeights &weights) const {
  if (!cache)
    return;
  auto write = [&](llvm::StringRef path) -> llvm::Error {
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    if (error)
      return llvm::errorCodeToError(error);
    auto word = [&](uint64_t value) {
      char bytes[8];
      llvm::support::endian::write64le(bytes, value);
      stream.write(bytes, sizeof bytes);
    };
    word(objects.size());
    for (const codegen::FileBytes &object : objects)
      word(object.size());
    word(weights.size);
    for (const codegen::FileBytes &object : objects)
      stream.write(object.data(), object.size());
    stream.write(reinterpret_cast<const char *>(weights.bytes.get()), weights.size);
    stream.close();
    error = stream.error();
    stream.clear_error();
    return llvm::errorCodeToError(error);
  };
  auto added = cache->add(key, {prefix, options, "symc " + std::string(symc_compiler_version())},
                          write, CacheKind::Kernels);
  if (!added)
    llvm::consumeError(added.takeError());
}

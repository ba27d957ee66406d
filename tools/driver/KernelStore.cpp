// KernelStore.cpp: see KernelStore.h.
#include "tools/driver/KernelStore.h"
#include "llvm/Support/raw_ostream.h"

using namespace symc;

KernelStore::KernelStore() {
  llvm::Expected<uint64_t> limit = ModelCache::limitFromEnvironment();
  if (!limit) {
    note(limit.takeError());
  } else if (*limit) {
    if (auto opened = ModelCache::open(ModelCache::defaultFolder(), *limit))
      cache = std::move(*opened);
    else
      note(opened.takeError());
  }
}

void KernelStore::note(llvm::Error error) {
  std::lock_guard<std::mutex> locked(lock);
  sentence = llvm::toString(std::move(error));
}

std::string KernelStore::problem() const {
  std::lock_guard<std::mutex> locked(lock);
  return sentence;
}

static std::string nameOf(llvm::ArrayRef<std::string> parts) {
  CacheKey key;
  key.add("kernels for CUDA");
  for (const std::string &part : parts)
    key.add(part);
  return key.finish();
}

std::optional<std::string> KernelStore::find(llvm::ArrayRef<std::string> key) {
  return cache ? cache->read(nameOf(key)) : std::nullopt;
}

void KernelStore::add(llvm::ArrayRef<std::string> key, llvm::StringRef name, llvm::StringRef target,
                      llvm::StringRef bytes) {
  if (!cache)
    return;
  auto write = [&](llvm::StringRef path) -> llvm::Error {
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    if (!error) {
      stream << bytes;
      stream.close();
      error = stream.error();
      stream.clear_error();
    }
    return error ? llvm::createStringError(error, "cannot write '" + path + "': " + error.message())
                 : llvm::Error::success();
  };
  auto added = cache->add(nameOf(key), {name.str(), target.str(), "symc " SYMC_VERSION}, write,
                          CacheKind::Kernels);
  if (!added)
    note(added.takeError());
}

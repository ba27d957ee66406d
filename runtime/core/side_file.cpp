// side_file.cpp: weights from a side file, which are used only if header, size and bytes agree
// with the model. They are read into memory that all contexts of the process share, so that
// nothing that happens to the file later reaches a run; or, where requested, mapped.
// docs/decisions/0019-side-files-are-read.md has the reasons and the times.
#include "side_file.h"

#include "environment.h"
#include "hash.h"
#include "memory.h"
#include "reason.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace symc {

static constexpr size_t pathBytes = 4096;

// Writes the folder of the program or library that holds `address`, with its last slash.
// The kernel's list of mappings has it, also where there is no dynamic loader to query.
static bool folder_of(const void *address, char *folder) {
  int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0)
    return false;
  char chunk[1024], line[pathBytes + 128];
  size_t used = 0;
  bool found = false;
  ssize_t got;
  while (!found && (got = read(maps, chunk, sizeof chunk)) > 0) {
    for (ssize_t i = 0; i < got && !found; ++i) {
      if (chunk[i] != '\n') {
        if (used < sizeof line - 1)
          line[used++] = chunk[i];
        continue;
      }
      line[used] = 0;
      used = 0;
      uint64_t bounds[2] = {0, 0};
      const char *c = line;
      for (uint64_t &bound : bounds) {
        for (; (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'f'); ++c)
          bound = bound * 16 + uint64_t(*c <= '9' ? *c - '0' : *c - 'a' + 10);
        ++c; // '-' or ' '
      }
      uint64_t wanted = uint64_t(uintptr_t(address));
      const char *path = strchr(line, '/');
      if (wanted < bounds[0] || wanted >= bounds[1] || !path)
        continue;
      size_t length = size_t(strrchr(path, '/') + 1 - path);
      if (length >= pathBytes)
        break;
      memcpy(folder, path, length);
      folder[length] = 0;
      found = true;
    }
  }
  close(maps);
  return found;
}

// The side file's path: as requested, or beside the program. A folder stands for the file in it.
static symc_status side_file_path(const symc_model &model, const symc_options &options, char *path,
                                  Text &error) {
  const char *given =
      options.weights_file ? options.weights_file : environment(Variable::SYMC_WEIGHTS);
  const char *name = model.weights_file ? model.weights_file : "";
  struct stat status;
  Text text(path, pathBytes);
  char folder[pathBytes];
  // The code lies in the file that the model was compiled into.
  const void *code = reinterpret_cast<const void *>(model.variants[0].run);
  if (given) {
    text << given;
    if (stat(given, &status) == 0 && S_ISDIR(status.st_mode))
      text << "/" << name;
  } else {
    if (name[0] != '/' && folder_of(code, folder))
      text << folder;
    text << name;
  }
  if (!text.cut())
    return SYMC_STATUS_OK;
  error << (options.weights_file ? "options.weights_file"
            : given              ? "SYMC_WEIGHTS"
                                 : "weights file")
        << ": expected a path shorter than " << int64_t(pathBytes) << " bytes, got a longer one";
  return SYMC_STATUS_BAD_WEIGHTS;
}

static symc_status check_header(const symc_model &model, const symc_weights_header &header,
                                const char *path, Text &error) {
  if (memcmp(header.magic, SYMC_WEIGHTS_MAGIC, sizeof header.magic) != 0)
    error << "weights file '" << path << "': expected the mark '" SYMC_WEIGHTS_MAGIC
          << "' in its first bytes, got something else";
  else if (header.abi_version != model.abi_version)
    error << "weights file '" << path << "': expected ABI version " << int64_t(model.abi_version)
          << ", got " << int64_t(header.abi_version);
  else if (header.header_bytes != SYMC_WEIGHTS_HEADER_BYTES)
    error << "weights file '" << path << "': expected a header of " << SYMC_WEIGHTS_HEADER_BYTES
          << " bytes, got " << int64_t(header.header_bytes);
  else if (header.weights_bytes != model.weights_bytes)
    error << "weights file '" << path << "': expected " << int64_t(model.weights_bytes)
          << " bytes of weights, got " << int64_t(header.weights_bytes);
  else if (header.weights_hash != model.weights_hash)
    (error << "weights file '" << path << "': expected the hash ").hex(model.weights_hash)
        << ", got ",
        error.hex(header.weights_hash);
  else
    return SYMC_STATUS_OK;
  return SYMC_STATUS_BAD_WEIGHTS;
}

namespace {
// An open side file.
class SideFile {
public:
  SideFile(const symc_model &model, const char *path, Text &error)
      : model(model), path(path), error(error) {}
  ~SideFile() {
    if (file >= 0)
      close(file);
  }
  // Opens the file and compares size and header with the model.
  symc_status open();
  symc_status map(Weights &weights);
  // Into `memory`; compares the hash of the bytes if `verify`.
  symc_status readInto(uint8_t *memory, bool verify);

private:
  // Fills `memory` from `offset` on, and adds what is there to `hash`.
  symc_status readAt(uint8_t *memory, size_t bytes, uint64_t offset, WeightsHash *hash);
  symc_status cannot(const char *what, int reason);
  symc_status wrongSize(uint64_t got);

  const symc_model &model;
  const char *path;
  Text &error;
  int file = -1;
};

// A copy that contexts share. Its bytes have the model's hash, which is why they are the right
// ones for every model that requires this hash and size.
struct SharedCopy {
  SharedCopy *next;
  uint64_t hash, bytes;
  int64_t users;
  void *memory;
};
} // namespace

static SharedCopy *sharedCopies;
static pthread_mutex_t sharedLock = PTHREAD_MUTEX_INITIALIZER;

symc_status SideFile::cannot(const char *what, int reason) {
  error << "weights file '" << path << "': cannot " << what << ": " << Reason(reason).c_str();
  return SYMC_STATUS_BAD_WEIGHTS;
}

symc_status SideFile::wrongSize(uint64_t got) {
  error << "weights file '" << path << "': expected "
        << int64_t(SYMC_WEIGHTS_HEADER_BYTES + model.weights_bytes) << " bytes, got "
        << int64_t(got);
  return SYMC_STATUS_BAD_WEIGHTS;
}

symc_status SideFile::open() {
  file = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe is refused, not waited for
  if (file < 0)
    return cannot("open", errno);
  struct stat status;
  if (fstat(file, &status) != 0)
    return cannot("read", errno);
  if (uint64_t(status.st_size) != SYMC_WEIGHTS_HEADER_BYTES + model.weights_bytes)
    return wrongSize(uint64_t(status.st_size));
  symc_weights_header header;
  symc_status result = readAt(reinterpret_cast<uint8_t *>(&header), sizeof header, 0, nullptr);
  return result == SYMC_STATUS_OK ? check_header(model, header, path, error) : result;
}

symc_status SideFile::readAt(uint8_t *memory, size_t bytes, uint64_t offset, WeightsHash *hash) {
  constexpr size_t piece = size_t(1) << 20; // is still in the cache when it is hashed
  for (size_t done = 0; done < bytes;) {
    size_t wanted = bytes - done < piece ? bytes - done : piece;
    ssize_t got = pread(file, memory + done, wanted, off_t(offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return cannot("read", errno);
    if (got == 0) // it was shortened meanwhile
      return wrongSize(offset + done);
    done += size_t(got);
    if (hash)
      hash->advance(done);
  }
  return SYMC_STATUS_OK;
}

symc_status SideFile::readInto(uint8_t *memory, bool verify) {
  WeightsHash hash(memory, size_t(model.weights_bytes));
  symc_status result = readAt(memory, size_t(model.weights_bytes), SYMC_WEIGHTS_HEADER_BYTES,
                              verify ? &hash : nullptr);
  if (result != SYMC_STATUS_OK || !verify)
    return result;
  uint64_t got = hash.finish();
  if (got == model.weights_hash)
    return SYMC_STATUS_OK;
  (error << "weights file '" << path << "': expected bytes with the hash ").hex(model.weights_hash)
      << ", got ",
      error.hex(got);
  return SYMC_STATUS_BAD_WEIGHTS;
}

symc_status SideFile::map(Weights &weights) {
  size_t bytes = SYMC_WEIGHTS_HEADER_BYTES + size_t(model.weights_bytes);
  void *mapping = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  if (mapping == MAP_FAILED) {
    cannot("map", errno);
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  weights.mapping = mapping;
  weights.mappingBytes = bytes;
  weights.data = static_cast<const uint8_t *>(mapping) + SYMC_WEIGHTS_HEADER_BYTES;
  return SYMC_STATUS_OK;
}

static SharedCopy *find_shared(const symc_model &model) {
  SharedCopy *copy = sharedCopies;
  while (copy && (copy->hash != model.weights_hash || copy->bytes != model.weights_bytes))
    copy = copy->next;
  return copy;
}

static void *allocate_copy(const symc_model &model, const symc_allocator *hooks, Text &error) {
  const char *huge = environment(Variable::SYMC_HUGEPAGES);
  void *memory =
      allocate_large(hooks, size_t(model.weights_bytes), !huge || strcmp(huge, "0") != 0);
  if (!memory)
    error << "weights: cannot allocate " << int64_t(model.weights_bytes)
          << " bytes to read the side file into; SYMC_MAP_WEIGHTS=1 maps it";
  return memory;
}

// A copy of the context's own, where memory comes from its hooks or the bytes are not verified.
static symc_status read_own(const symc_model &model, const symc_options &options, SideFile &file,
                            bool verify, Text &error, Weights &weights) {
  void *memory = allocate_copy(model, &options.allocator, error);
  if (!memory)
    return SYMC_STATUS_OUT_OF_MEMORY;
  symc_status status = file.readInto(static_cast<uint8_t *>(memory), verify);
  if (status != SYMC_STATUS_OK) {
    release(&options.allocator, memory, size_t(model.weights_bytes));
    return status;
  }
  weights.owned = memory;
  weights.data = static_cast<const uint8_t *>(memory);
  return SYMC_STATUS_OK;
}

// With the lock.
static symc_status read_shared(const symc_model &model, SideFile &file, Text &error,
                               SharedCopy **result) {
  SharedCopy *copy = find_shared(model);
  if (!copy) {
    copy = static_cast<SharedCopy *>(allocate(nullptr, sizeof(SharedCopy), alignof(SharedCopy)));
    void *memory = copy ? allocate_copy(model, nullptr, error) : nullptr;
    symc_status status = SYMC_STATUS_OUT_OF_MEMORY;
    if (!copy)
      error << "cannot allocate a context";
    else if (memory)
      status = file.readInto(static_cast<uint8_t *>(memory), /*verify=*/true);
    if (status != SYMC_STATUS_OK) {
      release(nullptr, memory, size_t(model.weights_bytes));
      release(nullptr, copy, sizeof(SharedCopy));
      return status;
    }
    *copy = {sharedCopies, model.weights_hash, model.weights_bytes, 0, memory};
    sharedCopies = copy;
  }
  ++copy->users;
  *result = copy;
  return SYMC_STATUS_OK;
}

symc_status open_side_file(const symc_model &model, const symc_options &options, Text &error,
                           Weights &weights) {
  char path[pathBytes];
  symc_status status = side_file_path(model, options, path, error);
  if (status != SYMC_STATUS_OK)
    return status;
  SideFile file(model, path, error);
  status = file.open();
  if (status != SYMC_STATUS_OK)
    return status;
  weights.from = WeightsFrom::SideFile;
  const char *map = environment(Variable::SYMC_MAP_WEIGHTS);
  if ((options.flags & SYMC_MAP_WEIGHTS) || (map && strcmp(map, "1") == 0))
    return file.map(weights);
  weights.verified = (options.flags & SYMC_VERIFY_WEIGHTS) || !(options.flags & SYMC_TRUST_WEIGHTS);
  if (options.allocator.allocate || !weights.verified)
    return read_own(model, options, file, weights.verified, error, weights);
  SharedCopy *copy = nullptr;
  pthread_mutex_lock(&sharedLock);
  status = read_shared(model, file, error, &copy);
  pthread_mutex_unlock(&sharedLock);
  weights.shared = copy;
  weights.data = copy ? static_cast<const uint8_t *>(copy->memory) : nullptr;
  return status;
}

void close_side_file(Weights &weights) {
  if (weights.mapping)
    munmap(weights.mapping, weights.mappingBytes);
  weights.mapping = nullptr;
  SharedCopy *copy = static_cast<SharedCopy *>(weights.shared);
  weights.shared = nullptr;
  if (!copy)
    return;
  pthread_mutex_lock(&sharedLock);
  bool last = --copy->users == 0;
  for (SharedCopy **at = &sharedCopies; last && *at; at = &(*at)->next)
    if (*at == copy) {
      *at = copy->next;
      break;
    }
  pthread_mutex_unlock(&sharedLock);
  if (!last)
    return;
  release(nullptr, copy->memory, size_t(copy->bytes));
  release(nullptr, copy, sizeof(SharedCopy));
}

} // namespace symc

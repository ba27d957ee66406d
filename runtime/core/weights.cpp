// weights.cpp: finds a model's prepared weights: supplied by the caller, embedded in
// the file, or in a side file, which is mapped read-only and shared by all processes.
// A side file is used only if its header and size agree with the model.
#include "context.h"
#include "environment.h"
#include "hash.h"
#include "memory.h"
#include "reason.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace symc {

static constexpr size_t pathBytes = 4096;

// Writes the folder of the program or library that holds `address`, with its last slash.
// The kernel's list of mappings knows it, also where there is no dynamic loader to ask.
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

// The side file's path: as asked, or beside the program. A folder stands for the file in it.
static void side_file_path(const symc_model &model, const symc_options &options, char *path) {
  const char *asked =
      options.weights_file ? options.weights_file : environment(Variable::SYMC_WEIGHTS);
  const char *name = model.weights_file ? model.weights_file : "";
  struct stat status;
  Text text(path, pathBytes);
  if (asked) {
    text << asked;
    if (stat(asked, &status) == 0 && S_ISDIR(status.st_mode))
      text << "/" << name;
    return;
  }
  char folder[pathBytes];
  // The code lies in the file that the model was compiled into.
  const void *code = reinterpret_cast<const void *>(model.variants[0].run);
  if (name[0] != '/' && folder_of(code, folder))
    text << folder;
  text << name;
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

static symc_status map_side_file(const symc_model &model, const char *path, Text &error,
                                 Weights &weights) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    error << "weights file '" << path << "': cannot open: " << Reason(errno).c_str();
    return SYMC_STATUS_BAD_WEIGHTS;
  }
  struct stat status;
  uint64_t wanted = SYMC_WEIGHTS_HEADER_BYTES + model.weights_bytes;
  if (fstat(file, &status) != 0 || uint64_t(status.st_size) != wanted) {
    error << "weights file '" << path << "': expected " << int64_t(wanted) << " bytes, got "
          << int64_t(status.st_size);
    close(file);
    return SYMC_STATUS_BAD_WEIGHTS;
  }
  void *mapping = mmap(nullptr, size_t(wanted), PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (mapping == MAP_FAILED) {
    error << "weights file '" << path << "': cannot map " << int64_t(wanted)
          << " bytes: " << Reason(errno).c_str();
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  symc_weights_header header;
  memcpy(&header, mapping, sizeof header);
  symc_status result = check_header(model, header, path, error);
  if (result != SYMC_STATUS_OK) {
    munmap(mapping, size_t(wanted));
    return result;
  }
  weights.mapping = mapping;
  weights.mappingBytes = size_t(wanted);
  weights.data = static_cast<const uint8_t *>(mapping) + SYMC_WEIGHTS_HEADER_BYTES;
  weights.from = WeightsFrom::SideFile;
  return SYMC_STATUS_OK;
}

static symc_status find_weights(const symc_model &model, const symc_options &options, Text &error,
                                Weights &weights) {
  if (options.weights) {
    if (options.weights_bytes != model.weights_bytes) {
      error << "supplied weights: expected " << int64_t(model.weights_bytes) << " bytes, got "
            << int64_t(options.weights_bytes);
      return SYMC_STATUS_BAD_WEIGHTS;
    }
    if (uintptr_t(options.weights) % SYMC_ALIGN) {
      error << "supplied weights: expected memory aligned to " << SYMC_ALIGN << " bytes";
      return SYMC_STATUS_BAD_ALIGNMENT;
    }
    weights.data = static_cast<const uint8_t *>(options.weights);
    weights.from = WeightsFrom::Supplied;
  } else if (options.weights_file || (!model.weights && model.weights_file)) {
    char path[pathBytes];
    side_file_path(model, options, path);
    return map_side_file(model, path, error, weights);
  } else if (model.weights || model.weights_bytes == 0) {
    weights.data = model.weights;
    weights.from = WeightsFrom::Embedded;
  }
  return SYMC_STATUS_OK;
}

symc_status open_weights(const symc_model &model, const symc_options &options, Text &error,
                         Weights &weights) {
  symc_status status = find_weights(model, options, error, weights);
  if (status != SYMC_STATUS_OK || !weights.data)
    return status;
  if (options.flags & SYMC_VERIFY_WEIGHTS) {
    uint64_t hash = xxh3_64(weights.data, size_t(model.weights_bytes));
    if (hash != model.weights_hash) {
      (error << "weights: expected the hash ").hex(model.weights_hash) << ", got ";
      error.hex(hash);
      close_weights(&options.allocator, model.weights_bytes, weights);
      return SYMC_STATUS_BAD_WEIGHTS;
    }
  }
  const char *huge = environment(Variable::SYMC_HUGEPAGES);
  if (huge && strcmp(huge, "1") == 0 && weights.from != WeightsFrom::Supplied) {
    void *copy = allocate_large(&options.allocator, size_t(model.weights_bytes), true);
    if (!copy) {
      error << "weights: cannot allocate " << int64_t(model.weights_bytes)
            << " bytes for the copy that SYMC_HUGEPAGES=1 asks for";
      close_weights(&options.allocator, model.weights_bytes, weights);
      return SYMC_STATUS_OUT_OF_MEMORY;
    }
    memcpy(copy, weights.data, size_t(model.weights_bytes));
    if (weights.mapping)
      munmap(weights.mapping, weights.mappingBytes);
    weights.mapping = nullptr;
    weights.owned = copy;
    weights.data = static_cast<const uint8_t *>(copy);
  }
  return SYMC_STATUS_OK;
}

void close_weights(const symc_allocator *hooks, uint64_t bytes, Weights &weights) {
  if (weights.mapping)
    munmap(weights.mapping, weights.mappingBytes);
  release(hooks, weights.owned, size_t(bytes));
  weights = Weights();
}

} // namespace symc

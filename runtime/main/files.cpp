// files.cpp: see files.h.
#include "files.h"

#include "../core/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

namespace symc {

Bytes::~Bytes() { free(data); }

bool Bytes::allocate(size_t bytes, Problem &problem) {
  free(data);
  data = static_cast<uint8_t *>(aligned_alloc(64, (bytes + 127) & ~size_t(63)));
  size = data ? bytes : 0;
  return data || problem.set(RunFailed, "cannot allocate %zu bytes", bytes);
}

void Bytes::swap(Bytes &other) {
  uint8_t *otherData = other.data;
  size_t otherSize = other.size;
  other.data = data;
  other.size = size;
  data = otherData;
  size = otherSize;
}

static bool grow(Bytes &bytes, Problem &problem) {
  Bytes larger;
  if (!larger.allocate(bytes.size * 2, problem))
    return false;
  memcpy(larger.data, bytes.data, bytes.size);
  bytes.swap(larger);
  return true;
}

// A regular file says how long it is; a pipe is read until it ends.
static bool read_all(int file, const char *path, size_t limit, Bytes &bytes, Problem &problem) {
  struct stat status;
  if (fstat(file, &status) != 0)
    return problem.set("'%s': cannot read: %s", path, Reason(errno).c_str());
  if (S_ISDIR(status.st_mode))
    return problem.set("'%s': expected a file, got a folder", path);
  bool regular = S_ISREG(status.st_mode);
  if (regular && uint64_t(status.st_size) > limit)
    return problem.set("'%s': expected at most %zu bytes, got %lld", path, limit,
                       (long long)status.st_size);
  if (!bytes.allocate(regular ? size_t(status.st_size) + 1 : size_t(1) << 16, problem))
    return false;
  size_t used = 0;
  for (;;) {
    if (used == bytes.size && !grow(bytes, problem))
      return false;
    ssize_t got = read(file, bytes.data + used, bytes.size - used);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return problem.set("'%s': cannot read: %s", path, Reason(errno).c_str());
    if (got == 0)
      break;
    used += size_t(got);
    if (used > limit)
      return problem.set("'%s': expected at most %zu bytes, got more", path, limit);
  }
  bytes.size = used;
  return true;
}

bool read_file(const char *path, size_t limit, Bytes &bytes, Problem &problem) {
  if (strcmp(path, "-") == 0)
    return read_all(0, "-", limit, bytes, problem);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return problem.set("'%s': cannot open: %s", path, Reason(errno).c_str());
  bool done = read_all(file, path, limit, bytes, problem);
  close(file);
  return done;
}

static bool write_all(int file, const void *data, size_t bytes) {
  const char *at = static_cast<const char *>(data);
  while (bytes) {
    ssize_t put = write(file, at, bytes);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return false;
    at += put;
    bytes -= size_t(put);
  }
  return true;
}

static bool make_folders(char *path, Problem &problem) {
  for (char *c = path + 1; *c; ++c) {
    if (*c != '/')
      continue;
    *c = 0;
    bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
    if (!made)
      problem.set(BadOutput, "'%s': cannot make the folder: %s", path, Reason(errno).c_str());
    *c = '/';
    if (!made)
      return false;
  }
  return true;
}

bool write_file(const char *path, const void *header, size_t headerBytes, const void *body,
                size_t bodyBytes, Problem &problem) {
  problem.exit = BadOutput;
  if (strcmp(path, "-") == 0)
    return (write_all(1, header, headerBytes) && write_all(1, body, bodyBytes)) ||
           problem.set("'-': cannot write: %s", Reason(errno).c_str());
  char aside[4096];
  if (snprintf(aside, sizeof aside, "%s.%d.part", path, int(getpid())) >= int(sizeof aside))
    return problem.set("'%.60s...': expected a path shorter than %zu bytes", path, sizeof aside);
  if (!make_folders(aside, problem))
    return false;
  int file = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return problem.set("'%s': cannot write: %s", path, Reason(errno).c_str());
  bool done = write_all(file, header, headerBytes) && write_all(file, body, bodyBytes);
  done = close(file) == 0 && done;
  done = done && rename(aside, path) == 0;
  if (!done) {
    problem.set("'%s': cannot write: %s", path, Reason(errno).c_str());
    unlink(aside);
  }
  return done;
}

bool has_extension(const char *path, const char *extension) {
  const char *dot = strrchr(path, '.');
  return dot && strcasecmp(dot + 1, extension) == 0;
}

bool file_exists(const char *path) {
  struct stat status;
  return stat(path, &status) == 0;
}

} // namespace symc

// files.cpp: see files.h.
#include "files.h"

#include "../core/hash.h"
#include "../core/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace symc {

Bytes::~Bytes() { free(data); }

bool Bytes::allocate(size_t bytes, Problem &problem) {
  free(data);
  bool fits = bytes <= size_t(PTRDIFF_MAX) - 127;
  data = fits ? static_cast<uint8_t *>(aligned_alloc(64, (bytes + 127) & ~size_t(63))) : nullptr;
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

// A regular file reports its length; a pipe is read until it ends.
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

bool write_all(int file, const void *data, size_t bytes) {
  const char *at = static_cast<const char *>(data);
  while (bytes) {
    ssize_t put = write(file, at, bytes);
    if (put < 0 && errno == EINTR)
      continue;
    if (put == 0)
      errno = EIO;
    if (put <= 0)
      return false;
    at += put;
    bytes -= size_t(put);
  }
  return true;
}

static bool cannot_write(const char *path, Problem &problem) {
  return problem.set(BadOutput, "'%s': cannot write: %s", path, Reason(errno).c_str());
}

namespace {
constexpr size_t pathBytes = 4096;

// What an output's path stands for.
struct Target {
  char path[pathBytes]; // behind all links
  bool special = false; // a device, a pipe, an open file of a process: written through
  mode_t mode = 0;      // 0 where there is nothing

  bool resolve(const char *given, Problem &problem);

private:
  bool follow(const char *given, Problem &problem);
};
} // namespace

// The length of the folder that `path` names, with its last slash.
static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? size_t(slash - path) + 1 : 0;
}

static bool too_long(const char *path, Problem &problem) {
  return problem.set(BadOutput, "'%.60s...': expected a path shorter than %zu bytes", path,
                     pathBytes);
}

// Links in /proc (/dev/stdout and /dev/fd lead there) show what a process has open, which may
// have no path.
static bool lies_in_proc(const char *path) {
  constexpr long procMagic = 0x9fa0;
  char folder[pathBytes] = ".";
  if (size_t length = folder_length(path)) {
    memcpy(folder, path, length);
    folder[length] = 0;
  }
  struct statfs system;
  return statfs(folder, &system) == 0 && long(system.f_type) == procMagic;
}

// Leaves the path of the first thing that is no link, whether it exists or not.
bool Target::follow(const char *given, Problem &problem) {
  constexpr int mostLinks = 40;
  if (snprintf(path, sizeof path, "%s", given) >= int(sizeof path))
    return too_long(given, problem);
  for (int i = 0;; ++i) {
    char link[pathBytes];
    ssize_t got = readlink(path, link, sizeof link);
    if (got < 0)
      return true;
    if (lies_in_proc(path)) {
      special = true;
      return true;
    }
    size_t length = size_t(got), kept = link[0] == '/' ? 0 : folder_length(path);
    if (kept + length >= sizeof path)
      return too_long(path, problem);
    if (i == mostLinks) {
      errno = ELOOP;
      return cannot_write(given, problem);
    }
    memcpy(path + kept, link, length);
    path[kept + length] = 0;
  }
}

bool Target::resolve(const char *given, Problem &problem) {
  if (!follow(given, problem))
    return false;
  struct stat status;
  mode = stat(path, &status) == 0 ? status.st_mode : 0;
  special = special || (mode && !S_ISREG(mode) && !S_ISDIR(mode));
  return true;
}

// A pipe needs a reader, for which this waits a while, not forever.
static int open_special(const Target &target, Problem &problem) {
  constexpr int tries = 200;
  const struct timespec pause = {0, 10000000};
  int file = -1;
  for (int i = 0; i < tries; ++i) {
    file = open(target.path, O_WRONLY | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file >= 0 || errno != ENXIO || !S_ISFIFO(target.mode))
      break;
    nanosleep(&pause, nullptr);
    errno = ENXIO;
  }
  if (file < 0 && errno == ENXIO && S_ISFIFO(target.mode))
    problem.set(BadOutput, "'%s': cannot write: nobody reads the pipe", target.path);
  else if (file < 0)
    cannot_write(target.path, problem);
  else
    fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
  return file;
}

bool make_folders(char *path, Problem &problem) {
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

// The file aside, for the signals that end a program.
static char asidePath[pathBytes];

static void remove_aside(int signal) {
  unlink(asidePath);
  raise(signal); // blocked until this returns; the old disposition is back
}

namespace {
// While it lives, signals that would end the program remove the file aside first. Signals that
// the program's caller ignores stay ignored.
class RemovedBySignals {
public:
  RemovedBySignals() {
    struct sigaction action = {};
    action.sa_handler = remove_aside;
    action.sa_flags = int(SA_RESETHAND);
    for (int i = 0; i < count; ++i)
      if (sigaction(signals[i], nullptr, &old[i]) == 0 && old[i].sa_handler == SIG_DFL)
        sigaction(signals[i], &action, nullptr);
  }
  ~RemovedBySignals() {
    for (int i = 0; i < count; ++i)
      if (old[i].sa_handler == SIG_DFL)
        sigaction(signals[i], &old[i], nullptr);
  }

private:
  static constexpr int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                                    SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};
  static constexpr int count = int(sizeof signals / sizeof signals[0]);
  struct sigaction old[count] = {};
};
constexpr int RemovedBySignals::signals[];
} // namespace

static uint64_t random_number() {
  uint64_t number = 0;
  constexpr unsigned nonBlocking = 1;
  if (syscall(SYS_getrandom, &number, sizeof number, nonBlocking) == long(sizeof number))
    return number;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  const uint64_t seeds[] = {uint64_t(time.tv_sec), uint64_t(time.tv_nsec), uint64_t(getpid()),
                            uint64_t(uintptr_t(&number))};
  return xxh3_64(seeds, sizeof seeds);
}

// A new file in the folder of the target; its name is noted before it exists.
static int create_aside(const Target &target) {
  constexpr int tries = 128;
  size_t folder = folder_length(target.path);
  memcpy(asidePath, target.path, folder);
  for (int i = 0; i < tries; ++i) {
    size_t room = sizeof asidePath - folder;
    if (snprintf(asidePath + folder, room, ".symc-%016llx.part",
                 (unsigned long long)random_number()) >= int(room)) {
      errno = ENAMETOOLONG;
      return -1;
    }
    int file = open(asidePath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST)
      return file;
  }
  return -1;
}

static bool write_aside(const Target &target, const char *path, const void *header,
                        size_t headerBytes, const void *body, size_t bodyBytes, Problem &problem) {
  RemovedBySignals guard;
  int file = create_aside(target);
  if (file < 0)
    return cannot_write(path, problem);
  bool done = write_all(file, header, headerBytes) && write_all(file, body, bodyBytes);
  int reason = errno;
  if (close(file) != 0 && done) {
    done = false;
    reason = errno;
  }
  if (done && rename(asidePath, target.path) != 0) {
    done = false;
    reason = errno;
  }
  if (done)
    return true;
  unlink(asidePath);
  errno = reason;
  return cannot_write(path, problem);
}

bool write_file(const char *path, const void *header, size_t headerBytes, const void *body,
                size_t bodyBytes, Problem &problem) {
  if (strcmp(path, "-") == 0)
    return (write_all(1, header, headerBytes) && write_all(1, body, bodyBytes)) ||
           cannot_write(path, problem);
  Target target;
  if (!target.resolve(path, problem))
    return false;
  if (target.special) {
    int file = open_special(target, problem);
    if (file < 0)
      return false;
    bool done = write_all(file, header, headerBytes) && write_all(file, body, bodyBytes);
    int reason = errno;
    done = close(file) == 0 && done;
    errno = reason;
    return done || cannot_write(path, problem);
  }
  return make_folders(target.path, problem) &&
         write_aside(target, path, header, headerBytes, body, bodyBytes, problem);
}

// The number of the deepest folder that exists, and the names below it.
bool file_identity(const char *path, uint64_t &identity, Problem &problem) {
  identity = 0;
  Target target;
  if (strcmp(path, "-") == 0)
    return true;
  if (!target.resolve(path, problem))
    return false;
  if (target.special)
    return true;
  constexpr size_t start = 2 * sizeof(uint64_t);
  char key[start + pathBytes];
  struct stat status = {};
  size_t end = folder_length(target.path), used = start;
  for (;;) { // cuts the last folder that does not exist
    char folder[pathBytes] = ".";
    if (end) {
      memcpy(folder, target.path, end);
      folder[end] = 0;
    }
    if (stat(folder, &status) == 0 || end == 0)
      break;
    while (end > 0 && target.path[end - 1] == '/')
      --end;
    while (end > 0 && target.path[end - 1] != '/')
      --end;
  }
  const uint64_t numbers[] = {uint64_t(status.st_dev), uint64_t(status.st_ino)};
  memcpy(key, numbers, sizeof numbers);
  for (const char *part = target.path + end; *part;) {
    size_t length = strcspn(part, "/");
    if (length == 2 && part[0] == '.' && part[1] == '.' && used > start) {
      while (key[--used] != '/')
        ;
    } else if (length && !(length == 1 && part[0] == '.')) {
      key[used++] = '/';
      memcpy(key + used, part, length);
      used += length;
    }
    part += length + (part[length] == '/');
  }
  identity = xxh3_64(key, used) | 1;
  return true;
}

bool has_extension(const char *path, const char *extension) {
  const char *dot = strrchr(path, '.');
  return dot && strcasecmp(dot + 1, extension) == 0;
}

size_t limit_for(const char *path, int64_t tensorBytes) {
  constexpr size_t largestArchive = size_t(1) << 40, room = size_t(256) << 20;
  struct stat status;
  if (has_extension(path, "npz") && stat(path, &status) == 0 && S_ISREG(status.st_mode))
    return largestArchive;
  return 4 * size_t(tensorBytes) + room;
}

bool file_exists(const char *path) {
  struct stat status;
  return stat(path, &status) == 0;
}

} // namespace symc

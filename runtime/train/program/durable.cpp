// durable.cpp: see durable.h.
#include "durable.h"

#include "../../core/reason.h"
#include "../../main/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

namespace symc::train {

static constexpr size_t pathBytes = 4096;

static bool fail(const char *path, int reason, Problem &problem) {
  return problem.set(BadOutput, "'%s': cannot write: %s", path, Reason(reason).c_str());
}

// Some file systems have no folders to keep, and report it.
static bool keep_folder(const char *path) {
  char folder[pathBytes] = ".";
  if (const char *slash = strrchr(path, '/')) {
    memcpy(folder, path, size_t(slash - path) + 1);
    folder[slash - path + 1] = 0;
  }
  int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0)
    return false;
  bool kept = fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP;
  int reason = errno;
  close(file);
  errno = reason;
  return kept;
}

bool write_durably(const char *path, const void *data, size_t bytes, Problem &problem) {
  char part[pathBytes];
  if (snprintf(part, sizeof part, "%s.part", path) >= int(sizeof part))
    return problem.set(BadOutput, "'%.60s...': expected a path shorter than %zu bytes", path,
                       pathBytes - 5);
  if (!make_folders(part, problem))
    return false;
  int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0)
    return fail(path, errno, problem);
  bool done = write_all(file, data, bytes) && fsync(file) == 0;
  int reason = errno;
  if (close(file) != 0 && done) {
    done = false;
    reason = errno;
  }
  if (done && (rename(part, path) != 0 || !keep_folder(path))) {
    done = false;
    reason = errno;
  }
  if (done)
    return true;
  unlink(part);
  return fail(path, reason, problem);
}

} // namespace symc::train

// shim.cpp: preloaded into a program, makes one of its allocations or I/O calls fail, or kills it
// after one. SYMC_FAULT=CLASS:NUMBER:KIND names the call: CLASS is alloc or io, NUMBER counts the
// calls of the class from 1, KIND is an errno, "short" (half of a read or write) or "kill". At
// the end of the program the numbers of calls and the blocks that were never freed go to the file
// SYMC_FAULT_LOG. Counting begins where the program ignores SIGPIPE, which every tool does first:
// what static constructors allocate nobody can report.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
}

namespace {
enum Kind { None, Number, Short, Kill };

std::atomic<bool> armed{false};
std::atomic<long> allocations{0}, calls{0}, live{0};
long wantedAllocation = 0, wantedCall = 0;
Kind kind = None;
int number = 0;

void arm() {
  if (armed)
    return;
  if (const char *fault = getenv("SYMC_FAULT")) {
    long wanted = 0;
    char what[16] = "", how[16] = "";
    if (sscanf(fault, "%15[^:]:%ld:%15s", what, &wanted, how) == 3) {
      (strcmp(what, "alloc") == 0 ? wantedAllocation : wantedCall) = wanted;
      kind = strcmp(how, "short") == 0 ? Short : strcmp(how, "kill") == 0 ? Kill : Number;
      number = atoi(how);
    }
  }
  armed = true;
}

bool failsAllocation() {
  if (!armed || ++allocations != wantedAllocation)
    return false;
  errno = ENOMEM;
  return true;
}

// Counts a call; what is to happen to it.
Kind next() { return armed && ++calls == wantedCall ? kind : None; }

long after(Kind what, long result) {
  if (what == Kill)
    kill(getpid(), SIGKILL);
  return result;
}

long failed() {
  errno = number;
  return -1;
}

void *counted(void *memory) {
  live += armed && memory;
  return memory;
}

struct Log {
  ~Log() {
    const char *path = getenv("SYMC_FAULT_LOG");
    if (!path || !armed)
      return;
    armed = false;
    char text[96];
    int length =
        snprintf(text, sizeof text, "%ld %ld %ld\n", allocations.load(), calls.load(), live.load());
    int file = int(syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600));
    if (syscall(SYS_write, file, text, length) != length)
      abort();
    syscall(SYS_close, file);
  }
} log;
} // namespace

extern "C" {

sighandler_t signal(int which, sighandler_t handler) noexcept {
  auto real = reinterpret_cast<sighandler_t (*)(int, sighandler_t)>(dlsym(RTLD_NEXT, "signal"));
  sighandler_t old = real(which, handler);
  if (which == SIGPIPE)
    arm();
  return old;
}

void *malloc(size_t bytes) noexcept {
  return failsAllocation() ? nullptr : counted(__libc_malloc(bytes));
}
void *calloc(size_t count, size_t bytes) noexcept {
  return failsAllocation() ? nullptr : counted(__libc_calloc(count, bytes));
}
void *realloc(void *old, size_t bytes) noexcept {
  if (failsAllocation())
    return nullptr;
  void *memory = __libc_realloc(old, bytes);
  return old ? memory : counted(memory);
}
void *aligned_alloc(size_t alignment, size_t bytes) noexcept {
  return failsAllocation() ? nullptr : counted(__libc_memalign(alignment, bytes));
}
int posix_memalign(void **memory, size_t alignment, size_t bytes) noexcept {
  *memory = failsAllocation() ? nullptr : counted(__libc_memalign(alignment, bytes));
  return *memory ? 0 : ENOMEM;
}
void free(void *memory) noexcept {
  live -= armed && memory;
  __libc_free(memory);
}

#define SYMC_FAULT(result)                                                                         \
  Kind what = next();                                                                              \
  if (what == Number)                                                                              \
    return failed();                                                                               \
  return after(what, result)

static long openFile(int folder, const char *path, int flags, mode_t mode) {
  SYMC_FAULT(syscall(SYS_openat, folder, path, flags, mode));
}
int open(const char *path, int flags, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, flags);
  mode_t mode = __builtin_va_arg(list, mode_t);
  __builtin_va_end(list);
  return int(openFile(AT_FDCWD, path, flags, mode));
}
int open64(const char *path, int flags, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, flags);
  mode_t mode = __builtin_va_arg(list, mode_t);
  __builtin_va_end(list);
  return int(openFile(AT_FDCWD, path, flags, mode));
}
static size_t part(Kind what, size_t bytes) { return what == Short ? (bytes + 1) / 2 : bytes; }
ssize_t read(int file, void *to, size_t bytes) {
  Kind what = next();
  return what == Number ? failed() : after(what, syscall(SYS_read, file, to, part(what, bytes)));
}
ssize_t pread(int file, void *to, size_t bytes, off_t at) {
  Kind what = next();
  return what == Number ? failed()
                        : after(what, syscall(SYS_pread64, file, to, part(what, bytes), at));
}
ssize_t pread64(int file, void *to, size_t bytes, off_t at) { return pread(file, to, bytes, at); }
ssize_t write(int file, const void *from, size_t bytes) {
  if (file == 2) // what the test reads
    return syscall(SYS_write, file, from, bytes);
  Kind what = next();
  return what == Number ? failed() : after(what, syscall(SYS_write, file, from, part(what, bytes)));
}
int close(int file) {
  Kind what = next();
  long result = syscall(SYS_close, file);
  return int(what == Number ? failed() : after(what, result));
}
int rename(const char *from, const char *to) noexcept {
  SYMC_FAULT(int(syscall(SYS_rename, from, to)));
}
int fsync(int file) { SYMC_FAULT(int(syscall(SYS_fsync, file))); }
int mkdir(const char *path, mode_t mode) noexcept {
  SYMC_FAULT(int(syscall(SYS_mkdir, path, mode)));
}
int ftruncate(int file, off_t bytes) noexcept {
  SYMC_FAULT(int(syscall(SYS_ftruncate, file, bytes)));
}
int ftruncate64(int file, off_t bytes) noexcept { return ftruncate(file, bytes); }
int posix_fallocate(int file, off_t at, off_t bytes) {
  Kind what = next();
  if (what == Number)
    return number;
  return after(what, syscall(SYS_fallocate, file, 0, at, bytes)) == 0 ? 0 : errno;
}
int posix_fallocate64(int file, off_t at, off_t bytes) { return posix_fallocate(file, at, bytes); }
void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  Kind what = next();
  if (what == Number)
    return reinterpret_cast<void *>(failed());
  return reinterpret_cast<void *>(
      after(what, syscall(SYS_mmap, at, bytes, protection, flags, file, offset)));
}
void *mmap64(void *at, size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  return mmap(at, bytes, protection, flags, file, offset);
}
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument) noexcept {
  using Function = int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (next() == Number)
    return EAGAIN;
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, run,
                                                                        argument);
}
}

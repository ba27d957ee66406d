// OutputFile.cpp: see OutputFile.h.
#include "codegen/emit/OutputFile.h"

#include "codegen/emit/Resources.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace llvm;
using namespace symc::codegen;

Error symc::codegen::cannotWrite(StringRef path, int number) {
  std::string reason = sys::StrError(number);
  if (!reason.empty())
    reason[0] = toLower(reason[0]);
  return emitError("cannot write '" + path + "': " + reason);
}

static Error writeAll(int descriptor, StringRef path, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(descriptor, bytes.data(), std::min<size_t>(bytes.size(), 1 << 30));
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return cannotWrite(path, written < 0 ? errno : EIO);
    bytes = bytes.drop_front(written);
  }
  return Error::success();
}

namespace {
/// What an output's path stands for.
struct Target {
  std::string path;     // behind all links
  bool special = false; // a device, a pipe, an open file of a process: written through
  bool pipe = false;
};
} // namespace

static std::string folderOf(StringRef path) {
  StringRef folder = sys::path::parent_path(path);
  return folder.empty() ? "." : folder.str();
}

// Links in /proc (/dev/stdout and /dev/fd lead there) show what a process has open, which may
// have no path.
static bool liesInProc(StringRef path) {
  constexpr long procMagic = 0x9fa0;
  struct statfs system;
  return ::statfs(folderOf(path).c_str(), &system) == 0 && long(system.f_type) == procMagic;
}

static Target followLinks(StringRef given) {
  constexpr int mostLinks = 40; // of a circle, the system's own message follows
  Target target{given.str()};
  for (int i = 0; i < mostLinks; ++i) {
    char link[4096];
    ssize_t length = ::readlink(target.path.c_str(), link, sizeof link);
    if (length < 0)
      break;
    if (liesInProc(target.path)) {
      target.special = true;
      break;
    }
    StringRef text(link, length);
    SmallString<128> next(sys::path::is_absolute(text) ? "" : sys::path::parent_path(target.path));
    sys::path::append(next, text);
    target.path = next.str().str();
  }
  struct stat status;
  bool there = ::stat(target.path.c_str(), &status) == 0;
  target.pipe = there && S_ISFIFO(status.st_mode);
  target.special |= there && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
  return target;
}

// A pipe needs a reader, for which this waits a while, not forever.
static Error writeThrough(const Target &target, StringRef path, StringRef bytes) {
  constexpr int tries = 200, pauseMilliseconds = 10;
  int descriptor = -1, number = 0;
  for (int i = 0; i < tries; ++i) {
    descriptor =
        ::open(target.path.c_str(), O_WRONLY | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    number = errno;
    if (descriptor >= 0 || number != ENXIO || !target.pipe)
      break;
    ::poll(nullptr, 0, pauseMilliseconds);
  }
  if (descriptor < 0 && number == ENXIO && target.pipe)
    return emitError("cannot write '" + path + "': nobody reads the pipe");
  if (descriptor < 0)
    return cannotWrite(path, number);
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  Error error = writeAll(descriptor, path, bytes);
  if (::close(descriptor) != 0 && !error)
    return cannotWrite(path, errno);
  return error;
}

namespace {
struct Aside {
  std::string name;
  int descriptor;
};
} // namespace

static std::atomic<bool> removesOnSignals{false};

void symc::codegen::removeFilesOnSignals() { removesOnSignals = true; }
bool symc::codegen::filesGoOnSignals() { return removesOnSignals; }

// LLVM's functions of these names, where they are wanted.
static void removeOnSignal(StringRef path) {
  if (removesOnSignals)
    sys::RemoveFileOnSignal(path);
}
static void keepOnSignal(StringRef path) {
  if (removesOnSignals)
    sys::DontRemoveFileOnSignal(path);
}

/// A new, empty file whose name fits `model` (each % a random digit) and which goes
/// away when the process is interrupted: its name is noted before it exists, so that
/// no moment is left in which an interrupt would leave it behind. What the process masks of
/// the mode it lacks from the start: to read the mask means to change it for all threads.
static Expected<Aside> createAside(StringRef path, const Twine &model, mode_t mode) {
  for (int attempt = 0; attempt < 128; ++attempt) {
    SmallString<128> name;
    sys::fs::createUniquePath(model, name, /*MakeAbsolute=*/false);
    removeOnSignal(name);
    int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0)
      return Aside{name.str().str(), descriptor};
    int number = errno;
    keepOnSignal(name);
    if (number != EEXIST)
      return cannotWrite(path, number);
  }
  return cannotWrite(path, EEXIST);
}

OutputFile::OutputFile(OutputFile &&other) noexcept { *this = std::move(other); }

OutputFile &OutputFile::operator=(OutputFile &&other) noexcept {
  discard();
  path = std::move(other.path);
  target = std::move(other.target);
  temporary = std::exchange(other.temporary, std::string());
  return *this;
}

OutputFile::~OutputFile() { discard(); }

// lld writes to a file of its own beside the output that it is given, TEMPORARY.tmpXXXXXXX. It
// stays where it cannot be renamed, since lld copies it then, and where the process ends before
// LLVM has noted its name. Allocates nothing.
static void removeLinkersFiles(const char *temporary) {
  char folder[PATH_MAX] = ".";
  const char *slash = std::strrchr(temporary, '/'), *name = slash ? slash + 1 : temporary;
  size_t length = slash == temporary ? 1 : slash ? slash - temporary : 0;
  if (length >= sizeof folder)
    return;
  if (length > 0) {
    std::memcpy(folder, temporary, length);
    folder[length] = 0;
  }
  int descriptor = ::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return;
  size_t nameLength = std::strlen(name);
  alignas(dirent64) char entries[4096];
  for (ssize_t bytes; (bytes = ::getdents64(descriptor, entries, sizeof entries)) > 0;)
    for (ssize_t at = 0; at < bytes;) {
      auto *entry = reinterpret_cast<dirent64 *>(entries + at);
      if (std::strncmp(entry->d_name, name, nameLength) == 0 &&
          std::strncmp(entry->d_name + nameLength, ".tmp", 4) == 0)
        ::unlinkat(descriptor, entry->d_name, 0);
      at += entry->d_reclen;
    }
  ::close(descriptor);
}

static std::atomic<const char *> linked{nullptr};

LinkersFiles::LinkersFiles(const std::string &output) { linked = output.c_str(); }
LinkersFiles::~LinkersFiles() { linked = nullptr; }
void LinkersFiles::remove() {
  if (const char *output = linked.exchange(nullptr))
    removeLinkersFiles(output);
}

void OutputFile::discard() {
  if (temporary.empty())
    return;
  ::unlink(temporary.c_str());
  removeLinkersFiles(temporary.c_str());
  keepOnSignal(temporary);
  temporary.clear();
}

Expected<OutputFile> OutputFile::create(StringRef path, bool executable) {
  Target target = followLinks(path);
  if (target.special)
    return emitError("cannot write '" + path +
                     "': expected a regular file or none, got a device, pipe or socket");
  if (sys::fs::is_directory(target.path))
    return cannotWrite(path, EISDIR);
  Expected<Aside> aside = createAside(
      path, Twine(folderOf(target.path)) + "/.symc-%%%%%%%%%%%%.part", executable ? 0777 : 0666);
  if (!aside)
    return aside.takeError();
  ::close(aside->descriptor);
  OutputFile file;
  file.path = path.str();
  file.target = std::move(target.path);
  file.temporary = std::move(aside->name);
  return std::move(file);
}

Error OutputFile::write(StringRef bytes) {
  int descriptor = ::open(temporary.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (descriptor < 0)
    return cannotWrite(path, errno);
  Error error = writeAll(descriptor, path, bytes);
  if (::close(descriptor) != 0 && !error)
    return cannotWrite(path, errno);
  return error;
}

Error OutputFile::checkSpace(uint64_t bytes) {
  int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0)
    return cannotWrite(path, errno);
  int number = ::posix_fallocate(descriptor, 0, bytes);
  if (::ftruncate(descriptor, 0) != 0 && !number)
    number = errno;
  ::close(descriptor);
  return number ? cannotWrite(path, number) : Error::success();
}

Error OutputFile::commit() {
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return cannotWrite(path, errno);
  removeLinkersFiles(temporary.c_str());
  keepOnSignal(temporary);
  temporary.clear();
  return Error::success();
}

Error symc::codegen::writeWhole(StringRef path, StringRef bytes) {
  if (path == "-")
    return writeAll(STDOUT_FILENO, "standard output", bytes);
  if (Target target = followLinks(path); target.special)
    return writeThrough(target, path, bytes);
  Expected<OutputFile> file = OutputFile::create(path, /*executable=*/false);
  if (!file)
    return file.takeError();
  if (Error error = file->write(bytes))
    return error;
  return file->commit();
}

std::string symc::codegen::outputIdentity(StringRef path) {
  Target target = followLinks(path);
  if (path == "-" || target.special)
    return "";
  SmallString<128> folder;
  if (sys::fs::real_path(folderOf(target.path), folder))
    folder = folderOf(target.path);
  return (folder + "/" + sys::path::filename(target.path)).str();
}

UnnamedFile::~UnnamedFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Expected<UnnamedFile> UnnamedFile::inMemory(StringRef bytes) {
  UnnamedFile file(::memfd_create("symc", MFD_CLOEXEC));
  if (file.descriptor < 0)
    return cannotWrite("a file in memory", errno);
  if (Error error = writeAll(file.descriptor, "a file in memory", bytes))
    return std::move(error);
  return std::move(file);
}

Expected<UnnamedFile> UnnamedFile::onDisk(StringRef output, uint64_t bytes) {
  StringRef folder = sys::path::parent_path(output);
  std::string parent = folder.empty() ? "." : folder.str();
  UnnamedFile file(::open(parent.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.descriptor < 0) { // a file system that always needs a name
    Expected<Aside> aside = createAside(output, parent + "/.symc-weights-%%%%%%%%", 0600);
    if (!aside)
      return aside.takeError();
    file.descriptor = aside->descriptor;
    ::unlink(aside->name.c_str());
    keepOnSignal(aside->name);
  }
  if (int number = ::posix_fallocate(file.descriptor, 0, bytes))
    return cannotWrite(output, number);
  return std::move(file);
}

// OutputFile.cpp: see OutputFile.h.
#include "codegen/emit/OutputFile.h"

#include "codegen/emit/Resources.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
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
    if (written < 0)
      return cannotWrite(path, errno);
    bytes = bytes.drop_front(written);
  }
  return Error::success();
}

namespace {
struct Aside {
  std::string name;
  int descriptor;
};
} // namespace

/// A new, empty file whose name fits `model` (each % a random digit) and which goes
/// away when the process is interrupted: its name is noted before it exists, so that
/// no moment is left in which an interrupt would leave it behind.
static Expected<Aside> createAside(StringRef path, const Twine &model) {
  for (int attempt = 0; attempt < 128; ++attempt) {
    SmallString<128> name;
    sys::fs::createUniquePath(model, name, /*MakeAbsolute=*/false);
    sys::RemoveFileOnSignal(name);
    int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor >= 0)
      return Aside{name.str().str(), descriptor};
    int number = errno;
    sys::DontRemoveFileOnSignal(name);
    if (number != EEXIST)
      return cannotWrite(path, number);
  }
  return cannotWrite(path, EEXIST);
}

OutputFile::OutputFile(OutputFile &&other) noexcept { *this = std::move(other); }

OutputFile &OutputFile::operator=(OutputFile &&other) noexcept {
  discard();
  path = std::move(other.path);
  temporary = std::exchange(other.temporary, std::string());
  executable = other.executable;
  return *this;
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (temporary.empty())
    return;
  ::unlink(temporary.c_str());
  sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
}

Expected<OutputFile> OutputFile::create(StringRef path, bool executable) {
  sys::fs::file_status status;
  if (!sys::fs::status(path, status) && status.type() != sys::fs::file_type::regular_file)
    return cannotWrite(path, status.type() == sys::fs::file_type::directory_file ? EISDIR : EINVAL);
  Expected<Aside> aside = createAside(path, path + ".%%%%%%%%.aside");
  if (!aside)
    return aside.takeError();
  ::close(aside->descriptor);
  OutputFile file;
  file.path = path.str();
  file.temporary = std::move(aside->name);
  file.executable = executable;
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
  mode_t mask = ::umask(0);
  ::umask(mask);
  if (::chmod(temporary.c_str(), (executable ? 0777 : 0666) & ~mask) != 0 ||
      ::rename(temporary.c_str(), path.c_str()) != 0)
    return cannotWrite(path, errno);
  sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
  return Error::success();
}

Error symc::codegen::writeWhole(StringRef path, StringRef bytes) {
  if (path == "-")
    return writeAll(STDOUT_FILENO, "standard output", bytes);
  sys::fs::file_status status;
  if (!sys::fs::status(path, status) && status.type() == sys::fs::file_type::character_file) {
    int descriptor = ::open(path.str().c_str(), O_WRONLY | O_CLOEXEC); // /dev/null and its kin
    if (descriptor < 0)
      return cannotWrite(path, errno);
    Error error = writeAll(descriptor, path, bytes);
    ::close(descriptor);
    return error;
  }
  Expected<OutputFile> file = OutputFile::create(path, /*executable=*/false);
  if (!file)
    return file.takeError();
  if (Error error = file->write(bytes))
    return error;
  return file->commit();
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
  if (file.descriptor < 0) { // a file system that always wants a name
    Expected<Aside> aside = createAside(output, parent + "/.symc-weights-%%%%%%%%");
    if (!aside)
      return aside.takeError();
    file.descriptor = aside->descriptor;
    ::unlink(aside->name.c_str());
    sys::DontRemoveFileOnSignal(aside->name);
  }
  if (int number = ::posix_fallocate(file.descriptor, 0, bytes))
    return cannotWrite(output, number);
  return std::move(file);
}

// OutputFile.h: files that appear whole or not at all. Bytes go to a file of
// another name in the same folder, which takes the real name in commit; without
// commit, and when a program is interrupted, nothing stays. A link stands for what it
// leads to. The program of a compiled model keeps the same rules (runtime/main/files.h).
#ifndef SYMC_CODEGEN_EMIT_OUTPUTFILE_H
#define SYMC_CODEGEN_EMIT_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>

namespace symc::codegen {

/// From here on a signal that ends the process removes the files aside. Programs call it: it
/// installs LLVM's handlers of signals, which are no library's to install.
void removeFilesOnSignals();
bool filesGoOnSignals();

/// While lld writes `output`: what it has made beside it goes where the process ends at once.
class LinkersFiles {
public:
  explicit LinkersFiles(const std::string &output);
  ~LinkersFiles();
  /// Those of the link that runs; allocates nothing.
  static void remove();
};

class OutputFile {
public:
  /// Checks that the folder can be written and makes the file aside, empty.
  /// Refuses devices, pipes and sockets, which cannot appear.
  static llvm::Expected<OutputFile> create(llvm::StringRef path, bool executable);
  OutputFile(OutputFile &&other) noexcept;
  OutputFile &operator=(OutputFile &&other) noexcept;
  ~OutputFile();

  /// The name to write to until commit.
  const std::string &aside() const { return temporary; }
  llvm::Error write(llvm::StringRef bytes);
  /// Fails where the disk has no room for so many bytes. For writers that take a
  /// full disk badly: lld maps a program's output and dies of it.
  llvm::Error checkSpace(uint64_t bytes);
  llvm::Error commit();

private:
  OutputFile() = default;
  void discard();
  std::string path, target, temporary; // as given; behind links; until commit
};

/// Writes a whole file, or standard output where `path` is "-". Devices and pipes are
/// written through.
llvm::Error writeWhole(llvm::StringRef path, llvm::StringRef bytes);

/// What distinguishes the files of two paths: equal where one would replace the other.
/// Empty for what is written through.
std::string outputIdentity(llvm::StringRef path);

/// "cannot write '<path>': <reason>", the reason from errno's number.
llvm::Error cannotWrite(llvm::StringRef path, int number);

/// A file without a name that lives as long as the object; programs of this
/// process open it by `path`.
class UnnamedFile {
public:
  /// In memory, with these bytes.
  static llvm::Expected<UnnamedFile> inMemory(llvm::StringRef bytes);
  /// On disk in the folder of `output`, `bytes` long, its space reserved. Errors
  /// name `output`.
  static llvm::Expected<UnnamedFile> onDisk(llvm::StringRef output, uint64_t bytes);
  UnnamedFile(UnnamedFile &&other) noexcept : descriptor(std::exchange(other.descriptor, -1)) {}
  UnnamedFile(const UnnamedFile &) = delete;
  ~UnnamedFile();
  int handle() const { return descriptor; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor); }

private:
  explicit UnnamedFile(int descriptor) : descriptor(descriptor) {}
  int descriptor;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_OUTPUTFILE_H

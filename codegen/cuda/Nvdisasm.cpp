// Nvdisasm.cpp: see Nvdisasm.h.
#include "codegen/cuda/Nvdisasm.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace symc::codegen;

Expected<Nvdisasm> Nvdisasm::find(const NvrtcSearch &search) {
  Nvdisasm found;
  if (!search.library.empty()) {
    if (!sys::fs::can_execute(search.library))
      return createStringError("SYMC_NVDISASM names '" + Twine(search.library) +
                               "', which is no program");
    found.path = search.library;
    return found;
  }
  if (search.usual)
    if (ErrorOr<std::string> program = sys::findProgramByName("nvdisasm")) {
      found.path = *program;
      return found;
    }
  for (const std::string &folder : search.allFolders("/bin"))
    for (StringRef below : {"/", "/nvidia/cu13/bin/", "/nvidia/cuda_nvdisasm/bin/"})
      if (std::string path = folder + below.str() + "nvdisasm"; sys::fs::can_execute(path)) {
        found.path = path;
        return found;
      }
  return createStringError(
      "SASS is read by NVIDIA's disassembler, and there is no program nvdisasm; install it by 'pip "
      "install nvidia-cuda-nvdisasm' or with the CUDA toolkit, or name it in SYMC_NVDISASM");
}

static Expected<std::string> temporaryFile(StringRef ending) {
  SmallString<128> path;
  if (std::error_code error = sys::fs::createTemporaryFile("symc", ending, path))
    return createStringError(error, "cannot make a temporary file: " + error.message());
  return path.str().str();
}

Expected<std::string> Nvdisasm::disassemble(StringRef cubin) const {
  SmallVector<std::string> files;
  SmallVector<FileRemover> removers(3);
  constexpr StringRef endings[] = {"cubin", "sass", "log"};
  for (auto [remover, ending] : zip(removers, endings)) {
    Expected<std::string> file = temporaryFile(ending);
    if (!file)
      return file.takeError();
    remover.setFile(*file);
    files.push_back(*file);
  }
  std::error_code error;
  raw_fd_ostream stream(files[0], error);
  stream << cubin;
  stream.close();
  if (stream.has_error()) {
    error = stream.error();
    stream.clear_error();
    return createStringError(error, "cannot write '" + files[0] + "': " + error.message());
  }
  std::string reason;
  int status =
      sys::ExecuteAndWait(path, {path, "--print-code", files[0]}, std::nullopt,
                          {StringRef(), StringRef(files[1]), StringRef(files[2])}, 0, 0, &reason);
  auto textOf = [](StringRef file) {
    auto buffer = MemoryBuffer::getFile(file);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  };
  if (status == 0)
    return textOf(files[1]);
  if (reason.empty())
    reason = StringRef(textOf(files[2])).trim().str();
  return createStringError("'" + path + "' cannot disassemble a cubin: " + reason);
}

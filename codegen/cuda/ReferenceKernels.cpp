// ReferenceKernels.cpp: see ReferenceKernels.h.
#include "codegen/cuda/ReferenceKernels.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace symc::codegen::cuda {

static Expected<std::string> readFile(const std::string &path) {
  auto file = MemoryBuffer::getFile(path);
  if (!file)
    return createStringError(file.getError(), "cannot read '%s', which symc was installed with: %s",
                             path.c_str(), file.getError().message().c_str());
  return (*file)->getBuffer().str();
}

Expected<ReferenceKernels> ReferenceKernels::read(StringRef resourceDir) {
  ReferenceKernels kernels;
  kernels.folder = (resourceDir + "/cuda/").str();
  Expected<std::string> list = readFile(kernels.folder + "kernels.txt");
  if (!list)
    return list.takeError();
  SmallVector<StringRef> lines;
  StringRef(*list).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    auto [operation, rest] = line.split(' ');
    auto [file, threads] = rest.split(' ');
    kernels.ofOperations[operation] = {file.str(), StringSwitch<KernelThreads>(threads)
                                                       .Case("grid", KernelThreads::Grid)
                                                       .Case("blocks", KernelThreads::Blocks)
                                                       .Case("block", KernelThreads::Block)
                                                       .Default(KernelThreads::One)};
  }
  return kernels;
}

std::optional<ReferenceKernel> ReferenceKernels::kernelOf(StringRef operation) const {
  auto found = ofOperations.find(operation);
  if (found == ofOperations.end())
    return std::nullopt;
  return found->second;
}

Expected<std::string> ReferenceKernels::text(ArrayRef<std::string> names) const {
  std::string text;
  for (const std::string &name : names) {
    if (text.empty()) {
      Expected<std::string> headers = readFile(folder + "headers.cu");
      if (!headers)
        return headers;
      text = *headers;
    }
    Expected<std::string> body = readFile(folder + name + ".cu");
    if (!body)
      return body;
    text += *body;
  }
  return text;
}

} // namespace symc::codegen::cuda

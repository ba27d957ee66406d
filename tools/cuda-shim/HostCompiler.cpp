// HostCompiler.cpp: see HostCompiler.h.
#include "tools/cuda-shim/HostCompiler.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace symc;

// Made of CudaPrelude.inc and TensorPrelude.inc by CMake.
static const char prelude[] = {
#include "tools/cuda-shim/CudaPrelude.bytes.inc"
};
static const char tensorPrelude[] = {
#include "tools/cuda-shim/TensorPrelude.bytes.inc"
};

/// `extern __shared__ float tile[];`, whose length a launch gives, has no macro to become.
static std::string withoutDynamicArrays(llvm::StringRef source) {
  llvm::Regex dynamic("extern[[:space:]]+__shared__[[:space:]]+(__align__\\([0-9]+\\)[[:space:]]+)?"
                      "([A-Za-z0-9_[:space:]]+[[:space:]])([A-Za-z0-9_]+)\\[\\];");
  std::string text;
  llvm::SmallVector<llvm::StringRef> match;
  while (dynamic.match(source, &match)) {
    text += source.take_front(match[0].data() - source.data());
    text += (match[2] + "*const " + match[3] + " = static_cast<" + match[2] +
             "*>(symc_shim_dynamic_shared());")
                .str();
    source = source.drop_front(match[0].end() - source.data());
  }
  return text + source.str();
}

static std::string sourceForHost(llvm::StringRef source,
                                 llvm::ArrayRef<codegen::CudaLaunch> launches,
                                 llvm::StringRef name) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto begin = [&](llvm::StringRef file) { out << "\n#line 1 \"" << file << "\"\n"; };
  begin("CudaPrelude.inc");
  out << prelude;
  begin("TensorPrelude.inc");
  out << tensorPrelude;
  // Functions that no launched kernel calls are no code, as with NVRTC.
  out << "SYMC_SHIM_BEGIN_SOURCE\n";
  begin(name);
  out << withoutDynamicArrays(source);
  begin("CudaPrelude.inc");
  out << "SYMC_SHIM_END_SOURCE\n";
  llvm::StringSet<> seen;
  for (const codegen::CudaLaunch &launch : launches)
    if (launch.hostStep < 0 && seen.insert(launch.kernel).second)
      out << "SYMC_SHIM_ENTRY(" << launch.kernel << ")\n";
  return text;
}

llvm::Expected<std::string> symc::compileForHost(llvm::StringRef source,
                                                 llvm::ArrayRef<codegen::CudaLaunch> launches,
                                                 llvm::StringRef name, bool checked) {
  llvm::SmallString<128> folder;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("symc-cuda-shim", folder))
    return llvm::createStringError(error, "cannot make a temporary folder: %s",
                                   error.message().c_str());
  auto remove = llvm::scope_exit([&] { llvm::sys::fs::remove_directories(folder); });
  std::string input = (folder + "/source.cpp").str(), output = (folder + "/library.so").str(),
              log = (folder + "/log").str();
  {
    std::error_code error;
    llvm::raw_fd_ostream out(input, error);
    if (!error)
      out << sourceForHost(source, launches, name);
    out.close();
    if (error || out.has_error())
      return llvm::createStringError(error ? error : out.error(), "cannot write '%s'",
                                     input.c_str());
  }
  // Arithmetic as written; memcpy and memset made of loops would escape the checks, as would
  // functions of the program around it that have the name of one of the source's.
  std::vector<llvm::StringRef> arguments = {SYMC_CLANG,
                                            "-x",
                                            "c++",
                                            "-std=c++17",
                                            "-O1",
                                            "-march=native",
                                            "-fPIC",
                                            "-shared",
                                            "-fdeclspec",
                                            "-ffp-contract=off",
                                            "-fno-optimize-sibling-calls",
                                            "-fno-exceptions",
                                            "-fno-rtti",
                                            "-fno-strict-aliasing",
                                            "-fwrapv",
                                            "-fno-builtin-memcpy",
                                            "-fno-builtin-memset",
                                            "-fno-builtin-memmove",
                                            "-nostdlibinc",
                                            "-nostdlib",
                                            "-fuse-ld=lld",
                                            "-Wl,-Bsymbolic",
                                            "-gline-tables-only",
                                            "-w",
                                            "-fno-caret-diagnostics",
                                            "-fno-color-diagnostics"};
  if (checked) {
    arguments.push_back("-DSYMC_SHIM_CHECKED");
    arguments.push_back("-fsanitize-coverage=func,trace-loads,trace-stores");
  }
  for (llvm::StringRef last : {llvm::StringRef("-o"), llvm::StringRef(output),
                               llvm::StringRef(input), llvm::StringRef("-lm")})
    arguments.push_back(last);
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(
      SYMC_CLANG, arguments, std::nullopt,
      {llvm::StringRef(), llvm::StringRef(log), llvm::StringRef(log)}, 0, 0, &problem);
  if (status != 0) {
    auto text = llvm::MemoryBuffer::getFile(log);
    if (text && !(*text)->getBuffer().empty())
      problem = (*text)->getBuffer().rtrim().str();
    return llvm::createStringError("clang does not compile the CUDA source for this machine:\n" +
                                   problem);
  }
  auto library =
      llvm::MemoryBuffer::getFile(output, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!library)
    return llvm::createStringError(library.getError(), "cannot read '%s'", output.c_str());
  return (*library)->getBuffer().str();
}

llvm::Expected<codegen::CudaImage> symc::imageForShim(const codegen::CudaProgram &program,
                                                      bool checked) {
  auto library = compileForHost(program.source, program.launches, "kernels.cu", checked);
  if (!library)
    return library.takeError();
  constexpr int noArchitecture = 0; // what the shim's driver reports of its device
  return codegen::CudaImage{codegen::CudaImage::HostLibrary, noArchitecture, false,
                            std::move(*library)};
}

// HostNvrtc.cpp: a library with NVRTC's functions whose cubins are libraries for this processor, so
// that symc makes whole programs that run on the shim: SYMC_NVRTC names this library when they are
// compiled, SYMC_CUDA_DRIVER the shim's driver when they run (docs/cuda-shim.md). It has the
// architectures that the shim's device can be one of, and compiles the same for each. PTX is a
// sentence.
#include "tools/cuda-shim/HostCompiler.h"
#include "llvm/Support/Regex.h"
#include <cstring>

namespace {
struct Program {
  std::string source, cubin, log;
};
} // namespace

using nvrtcProgram = Program *;
#define SHIM_NVRTC(name, ...)                                                                      \
  extern "C" __attribute__((visibility("default"))) int name(__VA_ARGS__)

enum { Success = 0, CompilationError = 6 };
static constexpr int architectures[] = {80, 86, 90, 120};
static const std::string ptx = "// made for the shim, whose driver compiles no PTX\n";

static int copyOut(const std::string &text, char *to) {
  memcpy(to, text.c_str(), text.size() + 1);
  return Success;
}

/// Which kernels of a source are launched is not specified: all may be.
static std::vector<symc::codegen::CudaLaunch> launchesOf(llvm::StringRef source) {
  llvm::Regex kernel(
      "__global__[[:space:]]+void[[:space:]]+(__launch_bounds__\\([^)]*\\)[[:space:]]*)"
      "?([A-Za-z0-9_]+)\\(");
  std::vector<symc::codegen::CudaLaunch> launches;
  llvm::SmallVector<llvm::StringRef> match;
  while (kernel.match(source, &match)) {
    launches.emplace_back();
    launches.back().kernel = match[2].str();
    source = source.drop_front(match[0].end() - source.data());
  }
  return launches;
}

extern "C" __attribute__((visibility("default"))) const char *nvrtcGetErrorString(int result) {
  return result == CompilationError ? "NVRTC_ERROR_COMPILATION" : "NVRTC_SUCCESS";
}

SHIM_NVRTC(nvrtcVersion, int *major, int *minor) {
  *major = 0, *minor = 0;
  return Success;
}

SHIM_NVRTC(nvrtcGetNumSupportedArchs, int *count) {
  *count = std::size(architectures);
  return Success;
}

SHIM_NVRTC(nvrtcGetSupportedArchs, int *supported) {
  memcpy(supported, architectures, sizeof architectures);
  return Success;
}

SHIM_NVRTC(nvrtcCreateProgram, nvrtcProgram *program, const char *source, const char *, int,
           const char *const *, const char *const *) {
  *program = new Program{source, "", ""};
  return Success;
}

SHIM_NVRTC(nvrtcDestroyProgram, nvrtcProgram *program) {
  delete *program;
  return Success;
}

SHIM_NVRTC(nvrtcCompileProgram, nvrtcProgram program, int count, const char *const *options) {
  for (int i = 0; i < count; ++i)
    if (strstr(options[i], "--gpu-architecture=compute_"))
      return Success;
  auto library = symc::compileForHost(program->source, launchesOf(program->source));
  if (library)
    program->cubin = std::move(*library);
  else
    program->log = llvm::toString(library.takeError());
  return program->log.empty() ? Success : CompilationError;
}

SHIM_NVRTC(nvrtcGetProgramLogSize, nvrtcProgram program, size_t *bytes) {
  *bytes = program->log.size() + 1;
  return Success;
}

SHIM_NVRTC(nvrtcGetProgramLog, nvrtcProgram program, char *text) {
  return copyOut(program->log, text);
}

SHIM_NVRTC(nvrtcGetPTXSize, nvrtcProgram, size_t *bytes) {
  *bytes = ptx.size() + 1;
  return Success;
}

SHIM_NVRTC(nvrtcGetPTX, nvrtcProgram, char *text) { return copyOut(ptx, text); }

SHIM_NVRTC(nvrtcGetCUBINSize, nvrtcProgram program, size_t *bytes) {
  *bytes = program->cubin.size();
  return Success;
}

SHIM_NVRTC(nvrtcGetCUBIN, nvrtcProgram program, char *cubin) {
  memcpy(cubin, program->cubin.data(), program->cubin.size());
  return Success;
}

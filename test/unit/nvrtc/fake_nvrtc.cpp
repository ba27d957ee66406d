// fake_nvrtc.cpp: a library with NVRTC's functions that compiles nothing: a cubin is "cubin of" the
// source, or with FAKE_NVRTC_IMAGES an image that the fake driver takes
// (test/unit/runtime/fake_cuda.h). The function that FAKE_NVRTC_FAILS names fails; FAKE_NVRTC_CALLS
// counts compilations.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

using nvrtcProgram = std::string *;

#define FAKE(name, ...) extern "C" __attribute__((visibility("default"))) int name(__VA_ARGS__)
#define MAY_FAIL(name)                                                                             \
  if (const char *fails = getenv("FAKE_NVRTC_FAILS"); fails && strcmp(fails, #name) == 0)          \
    return 3;

// "fake k0:5 k1:2": the kernels of a source and their numbers of parameters.
static std::string fakeImage(const std::string &source) {
  std::string image = "fake";
  for (size_t at = 0; (at = source.find("__global__ void ", at)) != std::string::npos;) {
    size_t end = source.find(") {\n", at), open = source.rfind('(', end);
    size_t name = source.find_last_of(" ", open) + 1;
    std::string parameters = source.substr(open + 1, end - open - 1);
    size_t count = std::count(parameters.begin(), parameters.end(), ',') + !parameters.empty();
    image += " " + source.substr(name, open - name) + ":" + std::to_string(count);
    at = end;
  }
  return image;
}

static std::string cubinOf(const std::string &source) {
  return getenv("FAKE_NVRTC_IMAGES") ? fakeImage(source) : "cubin of " + source;
}

static int copyOut(const std::string &text, char *to) {
  memcpy(to, text.c_str(), text.size() + 1);
  return 0;
}

extern "C" __attribute__((visibility("default"))) const char *nvrtcGetErrorString(int result) {
  return result == 3 ? "NVRTC_ERROR_INVALID_INPUT" : "NVRTC_SUCCESS";
}

FAKE(nvrtcVersion, int *major, int *minor) {
  MAY_FAIL(nvrtcVersion)
  *major = 12, *minor = 1;
  return 0;
}

FAKE(nvrtcGetNumSupportedArchs, int *count) {
  MAY_FAIL(nvrtcGetNumSupportedArchs)
  *count = 2;
  return 0;
}

FAKE(nvrtcGetSupportedArchs, int *architectures) {
  MAY_FAIL(nvrtcGetSupportedArchs)
  architectures[0] = 90, architectures[1] = 80;
  return 0;
}

FAKE(nvrtcCreateProgram, nvrtcProgram *program, const char *source, const char *, int,
     const char *const *, const char *const *) {
  MAY_FAIL(nvrtcCreateProgram)
  *program = new std::string(source);
  return 0;
}

FAKE(nvrtcDestroyProgram, nvrtcProgram *program) {
  delete *program;
  return 0;
}

FAKE(nvrtcCompileProgram, nvrtcProgram program, int, const char *const *) {
  MAY_FAIL(nvrtcCompileProgram)
  const char *calls = getenv("FAKE_NVRTC_CALLS");
  setenv("FAKE_NVRTC_CALLS", std::to_string((calls ? atoi(calls) : 0) + 1).c_str(), 1);
  return program->find("wrong") == std::string::npos ? 0 : 6;
}

static const std::string log = "something that nobody foresaw\n";

FAKE(nvrtcGetProgramLogSize, nvrtcProgram, size_t *bytes) {
  *bytes = log.size() + 1;
  return 0;
}

FAKE(nvrtcGetProgramLog, nvrtcProgram, char *text) {
  MAY_FAIL(nvrtcGetProgramLog)
  return copyOut(log, text);
}

FAKE(nvrtcGetPTXSize, nvrtcProgram program, size_t *bytes) {
  *bytes = program->size() + 1;
  return 0;
}

FAKE(nvrtcGetPTX, nvrtcProgram program, char *ptx) {
  MAY_FAIL(nvrtcGetPTX)
  return copyOut(*program, ptx);
}

#ifndef WITHOUT_CUBIN
FAKE(nvrtcGetCUBINSize, nvrtcProgram program, size_t *bytes) {
  *bytes = cubinOf(*program).size() + 1;
  return 0;
}

FAKE(nvrtcGetCUBIN, nvrtcProgram program, char *cubin) {
  MAY_FAIL(nvrtcGetCUBIN)
  return copyOut(cubinOf(*program), cubin);
}
#endif

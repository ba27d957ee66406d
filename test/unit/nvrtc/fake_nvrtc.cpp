// fake_nvrtc.cpp: a library with NVRTC's functions that compiles nothing: a cubin is "cubin of" the
// source. The function that FAKE_NVRTC_FAILS names fails; FAKE_NVRTC_CALLS counts compilations.
#include <cstdlib>
#include <cstring>
#include <string>

using nvrtcProgram = std::string *;

#define FAKE(name, ...) extern "C" __attribute__((visibility("default"))) int name(__VA_ARGS__)
#define MAY_FAIL(name)                                                                             \
  if (const char *fails = getenv("FAKE_NVRTC_FAILS"); fails && strcmp(fails, #name) == 0)          \
    return 3;

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
  *bytes = program->size() + 10;
  return 0;
}

FAKE(nvrtcGetCUBIN, nvrtcProgram program, char *cubin) {
  MAY_FAIL(nvrtcGetCUBIN)
  return copyOut("cubin of " + *program, cubin);
}
#endif

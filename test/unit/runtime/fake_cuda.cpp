// fake_cuda.cpp: see fake_cuda.h. Its functions are those of runtime/cuda/driver_functions.def,
// by whose declarations they are compiled.
#include "fake_cuda.h"

#include "cuda/driver.h"

#include <mutex>
#include <set>
#include <sstream>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYMC_CUDA_FUNCTION(name, arguments) extern "C" CUresult name arguments;
#include "cuda/driver_functions.def"
#undef SYMC_CUDA_FUNCTION

struct CUctx_st {
  int device;
};
struct CUmod_st {
  std::map<std::string, int> kernels; // to their numbers of arguments
  std::vector<CUfunction> functions;
};
struct CUfunc_st {
  std::string name;
  int arguments;
};

struct CUstream_st {
  bool capturing = false;
  std::vector<std::string> kernels; // captured
};
struct CUevent_st {
  size_t after = 0; // so many kernels
};
struct CUgraph_st {
  std::vector<std::string> kernels;
};
struct CUgraphExec_st {
  std::vector<std::string> kernels;
};

static std::recursive_mutex mutex;
static FakeCuda fake;
static CUctx_st contexts[64];
static int retainedOf[64];
static uint64_t nextAddress = uint64_t(0xD) << 44; // nothing of a process lies there
static thread_local CUcontext current;
static std::set<CUstream> made;         // by cuStreamCreate
static std::set<CUstream> kernelIsLast; // of the calls for them

FakeCuda *fake_cuda() { return &fake; }
void fake_cuda_reset() {
  fake = FakeCuda();
  kernelIsLast.clear();
  current = nullptr;
}

namespace {
// What the environment says, at the start; what is left, at the end.
struct Life {
  Life() {
    std::stringstream words(getenv("SYMC_FAKE_CUDA") ? getenv("SYMC_FAKE_CUDA") : "");
    for (std::string word; words >> word;) {
      size_t equals = word.find('=');
      std::string name = word.substr(0, equals), value = word.substr(equals + 1);
      if (name == "devices")
        fake.devices = std::stoi(value);
      else if (name == "architecture")
        fake.architectures = {std::stoi(value)};
      else if (name == "version")
        fake.version = std::stoi(value);
      else if (name == "memory")
        fake.memoryBytes = std::stoull(value);
      else if (name == "log")
        fake.logFile = value;
      else if (name == "fail") {
        std::stringstream parts(value);
        std::string number;
        std::getline(parts, fake.failing, ':');
        std::getline(parts, number, ':');
        fake.failAt = std::stoi(number);
        std::getline(parts, number, ':');
        fake.failWith = std::stoi(number);
      }
    }
  }
  ~Life() {
    if (fake.clean())
      return;
    fprintf(stderr,
            "fake CUDA driver: %zu bytes, %d modules, %d contexts, %d streams, %d events and %d "
            "graphs were not given back%s\n",
            fake.held(), fake.modules, fake.retained, fake.streams, fake.events, fake.graphs,
            fake.mistakes.c_str());
    _exit(99);
  }
} life;

// One call: counted, written down, and failed where it is the one.
struct Call {
  Call(const char *name, const std::string &details = "", bool usesDevice = true) : lock(mutex) {
    std::string line = details.empty() ? name : std::string(name) + " " + details;
    fake.calls.push_back(line);
    if (!fake.logFile.empty())
      if (FILE *file = fopen(fake.logFile.c_str(), "a")) {
        fprintf(file, "%s\n", line.c_str());
        fclose(file);
      }
    if (++fake.counted[name] == fake.failAt && fake.failing == name) {
      result = fake.failWith;
      if (result >= 700 && result <= 719)
        fake.lostWith = result;
    } else if (usesDevice && fake.lostWith) {
      result = fake.lostWith;
    } else if (usesDevice && (!current || !retainedOf[current->device])) {
      fake.mistakes += std::string("; ") + name + " without a context";
      result = 201;
    }
  }
  int mistake(const std::string &text) {
    fake.mistakes += "; " + text;
    return 1;
  }
  std::lock_guard<std::recursive_mutex> lock;
  int result = 0;
};
} // namespace

// Where [address, address + bytes) lies, or NULL.
static char *find(uint64_t address, size_t bytes) {
  auto after = fake.memory.upper_bound(address);
  if (after == fake.memory.begin())
    return nullptr;
  auto &[start, block] = *--after;
  return address - start + bytes <= block.size() ? block.data() + (address - start) : nullptr;
}

static std::string text(uint64_t number) { return std::to_string(number); }

CUresult cuInit(unsigned) {
  Call call("cuInit", "", false);
  return call.result ? call.result : fake.devices ? 0 : 100;
}
CUresult cuDriverGetVersion(int *version) {
  Call call("cuDriverGetVersion", "", false);
  *version = fake.version;
  return call.result;
}
CUresult cuGetErrorString(CUresult result, const char **words) {
  static thread_local std::string kept;
  Call call("cuGetErrorString", "", false);
  kept = "fake error " + text(uint64_t(result));
  *words = kept.c_str();
  return call.result;
}
CUresult cuDeviceGetCount(int *count) {
  Call call("cuDeviceGetCount", "", false);
  *count = fake.devices;
  return call.result;
}
CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  Call call("cuDeviceGet", text(uint64_t(ordinal)), false);
  *device = ordinal;
  return call.result ? call.result : ordinal < fake.devices ? 0 : 101;
}
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  Call call("cuDeviceGetAttribute", text(uint64_t(attribute)), false);
  size_t last = fake.architectures.size() - 1;
  int architecture = fake.architectures[size_t(device) < last ? size_t(device) : last];
  *value = attribute == 75 ? architecture / 10 : architecture % 10;
  return call.result;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  Call call("cuDevicePrimaryCtxRetain", text(uint64_t(device)), false);
  if (call.result)
    return call.result;
  ++retainedOf[device];
  ++fake.retained;
  contexts[device].device = device;
  *context = &contexts[device];
  return 0;
}
// A failing call that gives something back has given it back all the same.
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  Call call("cuDevicePrimaryCtxRelease_v2", text(uint64_t(device)), false);
  if (--retainedOf[device] < 0)
    return call.mistake("a context was given back twice");
  --fake.retained;
  return call.result;
}
CUresult cuCtxGetCurrent(CUcontext *context) {
  Call call("cuCtxGetCurrent", "", false);
  *context = current;
  return call.result;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  Call call("cuCtxSetCurrent", "", false);
  if (!call.result)
    current = context;
  return call.result;
}
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  Call call("cuModuleLoadData", static_cast<const char *>(image));
  if (call.result)
    return call.result;
  *module = new CUmod_st;
  ++fake.modules;
  std::stringstream words(static_cast<const char *>(image));
  std::string word;
  for (words >> word; words >> word;)
    (*module)->kernels[word.substr(0, word.find(':'))] = std::stoi(word.substr(word.find(':') + 1));
  return 0;
}
CUresult cuModuleUnload(CUmodule module) {
  Call call("cuModuleUnload");
  --fake.modules;
  for (CUfunction function : module->functions)
    delete function;
  delete module;
  return call.result;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  Call call("cuModuleGetFunction", name);
  if (call.result)
    return call.result;
  auto found = module->kernels.find(name);
  if (found == module->kernels.end())
    return 500;
  *function = new CUfunc_st{found->first, found->second};
  module->functions.push_back(*function);
  return 0;
}
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  return Call("cuFuncSetAttribute",
              function->name + " " + text(uint64_t(attribute)) + " " + text(uint64_t(value)))
      .result;
}
CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  Call call("cuMemGetInfo_v2");
  *total = fake.memoryBytes;
  *free = *total - fake.held();
  return call.result;
}
CUresult cuMemAlloc_v2(CUdeviceptr *memory, size_t bytes) {
  Call call("cuMemAlloc_v2", text(bytes));
  if (call.result)
    return call.result;
  if (!bytes)
    return call.mistake("an allocation of 0 bytes");
  if (bytes > fake.memoryBytes - fake.held())
    return 2;
  *memory = nextAddress;
  nextAddress += (bytes + 4095) & ~uint64_t(4095);
  fake.memory[*memory].resize(bytes);
  return 0;
}
CUresult cuMemFree_v2(CUdeviceptr memory) {
  Call call("cuMemFree_v2");
  return fake.memory.erase(memory) ? call.result : call.mistake("memory was given back twice");
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr target, const void *source, size_t bytes, CUstream s) {
  Call call("cuMemcpyHtoDAsync_v2", text(bytes) + " stream " + text(uintptr_t(s)));
  kernelIsLast.erase(s);
  if (call.result)
    return call.result;
  char *to = find(target, bytes);
  if (!to)
    return call.mistake("a copy to nowhere");
  memcpy(to, source, bytes);
  return 0;
}
CUresult cuMemcpyDtoHAsync_v2(void *target, CUdeviceptr source, size_t bytes, CUstream s) {
  Call call("cuMemcpyDtoHAsync_v2", text(bytes) + " stream " + text(uintptr_t(s)));
  kernelIsLast.erase(s);
  if (call.result)
    return call.result;
  char *from = find(source, bytes);
  if (!from)
    return call.mistake("a copy from nowhere");
  memcpy(target, from, bytes);
  return 0;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream s) {
  Call call("cuMemcpyDtoDAsync_v2", text(bytes) + " stream " + text(uintptr_t(s)));
  kernelIsLast.erase(s);
  if (call.result)
    return call.result;
  char *to = find(target, bytes), *from = find(source, bytes);
  if (!to || !from)
    return call.mistake("a copy to or from nowhere");
  memmove(to, from, bytes);
  return 0;
}
CUresult cuStreamSynchronize(CUstream s) {
  return Call("cuStreamSynchronize", "stream " + text(uintptr_t(s))).result;
}
CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  Call call("cuStreamCreate", text(flags));
  if (call.result)
    return call.result;
  *stream = new CUstream_st;
  made.insert(*stream);
  ++fake.streams;
  return 0;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  Call call("cuStreamDestroy_v2");
  if (!made.erase(stream))
    return call.mistake("a stream was given back twice");
  if (stream->capturing)
    call.mistake("a stream was given back while it is captured");
  --fake.streams;
  kernelIsLast.erase(stream);
  delete stream;
  return call.result;
}
CUresult cuStreamIsCapturing(CUstream, int *status) {
  Call call("cuStreamIsCapturing");
  *status = fake.capturing;
  return call.result;
}
CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
  Call call("cuStreamBeginCapture_v2", text(uint64_t(mode)));
  if (call.result)
    return call.result;
  if (!made.count(stream)) // the default stream cannot be captured
    return 900;
  stream->capturing = true;
  stream->kernels.clear();
  kernelIsLast.erase(stream);
  return 0;
}
// A capture that fails is over all the same.
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  Call call("cuStreamEndCapture");
  if (!made.count(stream) || !stream->capturing)
    return call.mistake("nothing was captured");
  stream->capturing = false;
  *graph = nullptr;
  if (call.result)
    return call.result;
  *graph = new CUgraph_st{stream->kernels};
  ++fake.graphs;
  return 0;
}
CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *, char *, size_t) {
  Call call("cuGraphInstantiate_v2", text(graph->kernels.size()));
  if (call.result)
    return call.result;
  *exec = new CUgraphExec_st{graph->kernels};
  ++fake.graphs;
  return 0;
}
CUresult cuGraphDestroy(CUgraph graph) {
  Call call("cuGraphDestroy");
  --fake.graphs;
  delete graph;
  return call.result;
}
CUresult cuGraphExecDestroy(CUgraphExec exec) {
  Call call("cuGraphExecDestroy");
  --fake.graphs;
  delete exec;
  return call.result;
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream s) {
  Call call("cuGraphLaunch", text(exec->kernels.size()) + " stream " + text(uintptr_t(s)));
  if (call.result)
    return call.result;
  kernelIsLast.erase(s);
  fake.ran.insert(fake.ran.end(), exec->kernels.begin(), exec->kernels.end());
  return 0;
}
CUresult cuEventCreate(CUevent *event, unsigned flags) {
  Call call("cuEventCreate", text(flags));
  if (call.result)
    return call.result;
  *event = new CUevent_st;
  ++fake.events;
  return 0;
}
CUresult cuEventRecord(CUevent event, CUstream s) {
  Call call("cuEventRecord", "stream " + text(uintptr_t(s)));
  event->after = fake.ran.size();
  return call.result;
}
CUresult cuEventSynchronize(CUevent) { return Call("cuEventSynchronize").result; }
CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
  Call call("cuEventElapsedTime");
  *milliseconds = 1e-3f * float(end->after - begin->after);
  return call.result;
}
CUresult cuEventDestroy_v2(CUevent event) {
  Call call("cuEventDestroy_v2");
  --fake.events;
  delete event;
  return call.result;
}
static CUresult launch(const char *name, CUfunction function, const CUlaunchConfig &config,
                       void **arguments) {
  std::stringstream line;
  line << function->name << " grid " << config.gridX << ' ' << config.gridY << ' ' << config.gridZ
       << " block " << config.blockX << ' ' << config.blockY << ' ' << config.blockZ << " shared "
       << config.sharedBytes;
  std::stringstream values;
  values << " arguments";
  for (int i = 0; i < function->arguments; ++i) {
    uint64_t value;
    memcpy(&value, arguments[i], sizeof value);
    values << ' ' << value;
  }
  std::lock_guard<std::recursive_mutex> lock(mutex);
  CUstream s = config.stream;
  bool own = made.count(s); // whose address no test can know
  std::string stream = own ? " stream of capture" : " stream " + text(uintptr_t(s));
  Call call(name, line.str() + stream + values.str());
  bool early = config.n_attributes > 0;
  if (early && !kernelIsLast.count(s))
    call.mistake("a kernel that starts early has no kernel before it");
  if (call.result)
    return call.result;
  kernelIsLast.insert(s);
  (own && s->capturing ? s->kernels : fake.ran).push_back(line.str() + values.str());
  return 0;
}
CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                        CUstream s, void **arguments, void **) {
  CUlaunchConfig config = {gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, s, nullptr, 0};
  return launch("cuLaunchKernel", function, config, arguments);
}
#ifndef SYMC_FAKE_CUDA_OLD
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
                          void **) {
  const CUlaunchAttribute *attribute = config->attributes;
  if (config->n_attributes != 1 || attribute->id != 6 || attribute->value.bytes[0] != 1 ||
      fake.architectures.front() < 90)
    Call("cuLaunchKernelEx").mistake("an attribute that is not the one");
  return launch("cuLaunchKernelEx", function, *config, arguments);
}

// A map has its number in its first word, as a kernel's argument shows.
static CUresult makeMap(const char *name, CUtensorMap *map, const void *memory,
                        const std::string &details) {
  Call call(name, details);
  if (!find(uintptr_t(memory), 1))
    return call.mistake("a tensor map of nowhere");
  if (uintptr_t(map) % 64 != 0)
    return call.mistake("a tensor map at no multiple of 64 bytes");
  map->opaque[0] = 1000 + ++fake.maps;
  return call.result;
}
template <class Number> static std::string list(const Number *numbers, unsigned count) {
  std::string words;
  for (unsigned i = 0; i < count; ++i)
    words += (i ? "," : "") + std::to_string(numbers[i]);
  return words;
}
static std::string common(int type, unsigned axes, const uint64_t *sizes, const uint64_t *strides,
                          const unsigned *steps) {
  return "type " + std::to_string(type) + " sizes " + list(sizes, axes) + " strides " +
         list(strides, axes - 1) + " steps " + list(steps, axes);
}
static std::string layout(int interleave, int swizzle, int promotion, int fill) {
  const int numbers[] = {interleave, swizzle, promotion, fill};
  return " layout " + list(numbers, 4);
}
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, int type, unsigned axes, void *memory,
                                const uint64_t *sizes, const uint64_t *strides, const unsigned *box,
                                const unsigned *steps, int interleave, int swizzle, int promotion,
                                int fill) {
  return makeMap("cuTensorMapEncodeTiled", map, memory,
                 common(type, axes, sizes, strides, steps) + " box " + list(box, axes) +
                     layout(interleave, swizzle, promotion, fill));
}
CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, int type, unsigned axes, void *memory,
                                 const uint64_t *sizes, const uint64_t *strides, const int *lower,
                                 const int *upper, unsigned channels, unsigned pixels,
                                 const unsigned *steps, int interleave, int swizzle, int promotion,
                                 int fill) {
  return makeMap("cuTensorMapEncodeIm2col", map, memory,
                 common(type, axes, sizes, strides, steps) + " lower " + list(lower, axes - 2) +
                     " upper " + list(upper, axes - 2) + " box " + std::to_string(channels) + "," +
                     std::to_string(pixels) + layout(interleave, swizzle, promotion, fill));
}
#endif

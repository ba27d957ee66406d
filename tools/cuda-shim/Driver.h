// Driver.h: the functions of CUDA's driver that the shim has, with the types of the driver's C
// interface, as far as they are used. Their names and numbers are NVIDIA's documentation's.
// A launch runs when it is requested; what it does wrong is printed, and is the answer of every
// later call until the primary context is reset, as it is on a device.
//
// The device has no architecture that a cubin is for, and takes images of libraries for the host
// alone. SYMC_CUDA_SHIM_DEVICE=sm_80 makes it one of sm_80, for programs whose cubins are such
// libraries (HostNvrtc.cpp). Its memory then begins as bytes 0xff that count as written: a model
// computes the lanes beyond the real channels of a block from what lies in its arena.
#ifndef SYMC_TOOLS_CUDA_SHIM_DRIVER_H
#define SYMC_TOOLS_CUDA_SHIM_DRIVER_H

#include <cstddef>
#include <cstdint>

extern "C" {
using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;
using CUgraph = struct CUgraph_st *;
using CUgraphExec = struct CUgraphExec_st *;
using CUgraphNode = struct CUgraphNode_st *;

enum : CUresult {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900
};

CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int *version);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetName(char *name, int length, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device);
CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuCtxPushCurrent_v2(CUcontext context);
CUresult cuCtxPopCurrent_v2(CUcontext *context);
CUresult cuCtxSynchronize();
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value);
CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes);
CUresult cuMemFree_v2(CUdeviceptr pointer);
CUresult cuMemGetInfo_v2(size_t *freeBytes, size_t *totalBytes);
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags);
CUresult cuMemFreeHost(void *pointer);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes);
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream);
CUresult cuStreamCreate(CUstream *stream, unsigned flags);
CUresult cuStreamDestroy_v2(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuEventCreate(CUevent *event, unsigned flags);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end);
CUresult cuEventDestroy_v2(CUevent event);
CUresult cuStreamIsCapturing(CUstream stream, int *status);
CUresult cuStreamBeginCapture_v2(CUstream stream, int mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph);
CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *node, char *log,
                               size_t bytes);
CUresult cuGraphDestroy(CUgraph graph);
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream);
CUresult cuGraphExecDestroy(CUgraphExec exec);
CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                        CUstream stream, void **arguments, void **extra);
struct CUlaunchAttribute {
  int id;
  int pad;
  alignas(8) char value[64];
};
struct CUlaunchConfig {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  CUstream stream;
  CUlaunchAttribute *attributes; // which change nothing where each launch runs to its end
  unsigned attributeCount;
};
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
                          void **extra);
/// Only maps as symc's kernels have them: 16 bits, rows of 32 bytes with the swizzle of 32 bytes.
struct CUtensorMap {
  alignas(64) uint64_t opaque[16];
};
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, int type, unsigned axes, void *memory,
                                const uint64_t *sizes, const uint64_t *strides, const unsigned *box,
                                const unsigned *steps, int interleave, int swizzle, int promotion,
                                int fill);
CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, int type, unsigned axes, void *memory,
                                 const uint64_t *sizes, const uint64_t *strides, const int *lower,
                                 const int *upper, unsigned channels, unsigned pixels,
                                 const unsigned *steps, int interleave, int swizzle, int promotion,
                                 int fill);
CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuGetErrorString(CUresult error, const char **text);
CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
                             int *status);

// The shim's own.
/// What the last launch or call did wrong: "" if nothing. Valid until the next one, or a reset.
const char *symc_cuda_shim_failure();
/// Whether failures are printed to standard error too; they are at first.
void symc_cuda_shim_print_failures(bool print);
/// The name of an allocation in messages.
void symc_cuda_shim_name(CUdeviceptr pointer, const char *name);
/// How many graphs were started since the process began.
unsigned long long symc_cuda_shim_graphs();
/// From now on and from 0, counts how launches of checked code access shared memory, but for
/// atomics: Banks.h; or no longer.
void symc_cuda_shim_count_banks(bool count);
struct symc_cuda_shim_bank_count {
  unsigned long long accesses;   // of warps
  unsigned long long wavefronts; // that they take
  unsigned long long ideal;      // that they would take without conflicts
  const char *line;              // with most conflicts: "kernels.cu:12", or ""
};
/// Of the kernel's launches; nothing counted, nothing known: zeros.
void symc_cuda_shim_banks(const char *kernel, struct symc_cuda_shim_bank_count *count);
}

#endif // SYMC_TOOLS_CUDA_SHIM_DRIVER_H

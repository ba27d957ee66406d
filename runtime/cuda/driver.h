// driver.h: the CUDA driver, whose library is opened when the first context on CUDA is created and
// stays open. Types and numbers are those of CUDA's driver API, which does not change them.
#ifndef SYMC_RUNTIME_CUDA_DRIVER_H
#define SYMC_RUNTIME_CUDA_DRIVER_H

#include "../core/text.h"

typedef int CUresult; // 0 is success
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUdeviceptr;

typedef struct CUlaunchAttribute_st {
  int id;
  int pad;
  union {
    char bytes[64];
    void *pointer;                       // for the alignment
    int programmaticStreamSerialization; // of ProgrammaticStreamSerialization
  } value;
} CUlaunchAttribute;
typedef struct CUlaunchConfig_st {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  CUstream stream;
  CUlaunchAttribute *attributes;
  unsigned n_attributes;
} CUlaunchConfig;
typedef struct CUtensorMap_st {
  alignas(64) uint64_t opaque[16];
} CUtensorMap;
static_assert(sizeof(CUlaunchAttribute) == 72 && sizeof(CUlaunchConfig) == 56 &&
              sizeof(CUtensorMap) == 128);

namespace symc::cuda {

enum Result : CUresult {
  Success = 0,
  OutOfMemory = 2,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidImage = 200,
  NoBinaryForDevice = 209,
  UncorrectableMemory = 214,
  LinkError = 220, // between devices
  UnsupportedCode = 222,
  IllegalAddress = 700,
  LaunchTimeout = 702,
  FirstKernelError = 710, // an assertion, hardware stacks, instructions, addresses: 710 to 719
  LastKernelError = 719
};

enum Attribute : int { ComputeCapabilityMajor = 75, ComputeCapabilityMinor = 76 };
enum FunctionAttribute : int { MaxDynamicSharedBytes = 8 };
enum LaunchAttribute : int { ProgrammaticStreamSerialization = 6 };
// Of tensor maps: 16 bits, rows of 32 bytes, of which the device's cache reads 128 bytes at once.
enum MapType : int { MapUint16 = 1 };
enum MapInterleave : int { NotInterleaved = 0 };
enum MapSwizzle : int { Swizzle32Bytes = 1 };
enum MapPromotion : int { Promotion128Bytes = 2 };
enum MapFill : int { FillZeros = 0 };

// The least that a driver needs: CUDA 11.0, the first that supports sm_80.
constexpr int leastDriverVersion = 11000;

struct Driver {
#define SYMC_CUDA_FUNCTION(name, arguments) CUresult(*name) arguments;
#include "driver_functions.def"
#undef SYMC_CUDA_FUNCTION
  // Where drivers may lack a function it may be NULL.
  int version; // 12040: CUDA 12.4
};

// The driver, opened and started. Needs a lock. NO_DRIVER, OLD_DRIVER, NO_DEVICE, DRIVER_FAILED.
symc_status open_driver(Text &error);
// After open_driver has succeeded.
const Driver &driver();

// 80 of sm_80.
CUresult ask_architecture(CUdevice device, int32_t &architecture);

// The status of what a call returned, and the driver's words for it.
symc_status status_of(CUresult result);
const char *words_of(CUresult result);
// "CUDA 12.4".
Text &say_version(Text &error, int version);

} // namespace symc::cuda
#endif

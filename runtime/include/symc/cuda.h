/* cuda.h: how a model's code for CUDA is laid out, and what runs it.
 *
 * The compiler makes a program for each batch size: images of its kernels for several
 * architectures, and their launches in order. A variant names its programs
 * (symc_variant.programs); the device takes their code when a context is created, one image each,
 * and gives it back with the last context. Plain C11, as abi.h; a change of any layout raises
 * SYMC_ABI_VERSION. Models link runtime/cuda only where they refer to it. */
#ifndef SYMC_CUDA_H
#define SYMC_CUDA_H

#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ordinals that a process may use at once: 0 to 31. */
#define SYMC_CUDA_DEVICES 32

/* What a kernel gets as an argument: 8 bytes each, but for maps. */
typedef enum symc_cuda_argument_kind {
  SYMC_CUDA_ARENA = 0,     /* frame.arena, from byte `index` on */
  SYMC_CUDA_WEIGHTS = 1,   /* frame.weights, from byte `index` on */
  SYMC_CUDA_IO = 2,        /* frame.io[index] */
  SYMC_CUDA_SIZE = 3,      /* frame.dims[index] */
  SYMC_CUDA_ROUND = 4,     /* int64_t, 0 to rounds - 1 */
  SYMC_CUDA_SEED = 5,      /* frame.seed */
  SYMC_CUDA_ITERATION = 6, /* frame.iteration */
  SYMC_CUDA_MAP = 7,       /* 128 bytes, what the driver makes of symc_cuda_program.maps[index] */
  SYMC_CUDA_NUMBER = 8     /* `index` itself, which came when no file with this ABI was released */
} symc_cuda_argument_kind;

typedef struct symc_cuda_argument {
  int64_t kind; /* symc_cuda_argument_kind */
  int64_t index;
} symc_cuda_argument;

/* A tensor of 16-bit elements as an engine for copies (TMA) finds it: what cuTensorMapEncodeTiled
 * or, of a window, cuTensorMapEncodeIm2col is called with. The first axis is the innermost. Rows of
 * 32 bytes come to shared memory with the swizzle of 32 bytes, elements outside as zeros. */
typedef struct symc_cuda_map {
  symc_cuda_argument memory; /* SYMC_CUDA_ARENA or SYMC_CUDA_WEIGHTS: where the first element is */
  uint64_t sizes[5];         /* elements */
  uint64_t strides[4];       /* bytes, from the second axis on */
  uint32_t box[5];           /* elements of a copy; of a window: of a pixel, pixels, unused */
  uint32_t steps[5];         /* of a window: every how many pixels; else 1 */
  int32_t lower[3];          /* of a window: where it begins, from the first element, */
  int32_t upper[3];          /* and where it ends, from the last one */
  int32_t axes;              /* 3 to 5 */
  int32_t window;            /* 1: of pixels along the axes between the first and the last */
} symc_cuda_map;

/* A part of an operand that a step on the CPU works on. The memory of the CPU holds its space (the
 * arena, or an input, state or output) from byte `shift` on, as far as the step needs of it. */
typedef struct symc_cuda_region {
  int64_t kind;  /* SYMC_CUDA_ARENA or SYMC_CUDA_IO */
  int64_t index; /* in frame.io */
  int64_t shift;
  int64_t first, bytes; /* within its space; where sizes decide them, see `places` */
  int32_t read;         /* 1: copied from the device before the step */
  int32_t written;      /* 1: copied to it behind the step */
} symc_cuda_region;

/* A step that has no kernel: it runs on the CPU, over copies of its operands. */
typedef struct symc_cuda_host_step {
  int32_t (*run)(const symc_frame *frame); /* as symc_variant.run */
  /* Writes first and bytes of each region, one behind the other. NULL: regions have them. */
  void (*places)(const int64_t *dims, int64_t *places);
  const symc_cuda_region *regions;
  int64_t arena_shift; /* as that of regions in the arena */
  int32_t n_regions;
  int32_t n_io; /* pointers of frame.io that it may read */
} symc_cuda_host_step;

/* A kernel, started `rounds` times one behind the other, or a step on the CPU. */
typedef struct symc_cuda_launch {
  const char *node; /* of the graph, for messages and profiles */
  const symc_cuda_argument *arguments;
  int64_t rounds;
  uint32_t grid[3], block[3];
  uint32_t shared_bytes; /* beyond what the kernel declares */
  int32_t n_arguments;
  int32_t kernel; /* index in symc_cuda_program.kernels; -1 - i: host_steps[i] */
  int32_t reserved;
} symc_cuda_launch;

typedef enum symc_cuda_image_kind {
  SYMC_CUDA_CUBIN = 0,
  SYMC_CUDA_PTX = 1,         /* zero-terminated */
  SYMC_CUDA_HOST_LIBRARY = 2 /* for a driver that runs kernels on the CPU */
} symc_cuda_image_kind;

typedef struct symc_cuda_image {
  const void *bytes;
  uint64_t n_bytes;
  int32_t kind;         /* symc_cuda_image_kind */
  int32_t architecture; /* 80: sm_80, or compute_80 of PTX */
  int32_t specific;     /* 1, as of 90a: runs on this architecture alone */
  /* 1: each thread of each kernel waits by itself (griddepcontrol) until the kernels before it have
   * ended, so that a kernel may be started as programmatically dependent on the one before. The
   * place was reserved and 0 at first, which no file was released with. */
  int32_t waits;
} symc_cuda_image;

/* What the runtime has loaded of a program on one device. */
typedef struct symc_cuda_module symc_cuda_module;

typedef struct symc_cuda_program {
  const symc_cuda_image *images;
  const symc_cuda_launch *launches;
  const char *const *kernels; /* names in the images, each once */
  symc_cuda_module **modules; /* SYMC_CUDA_DEVICES places that can be written, NULL at first */
  int32_t n_images, n_launches, n_kernels;
  int32_t reserved;
  /* Where in the arena the first kernel that fails leaves a uint64_t that is not 0; -1: none of
   * them fails. A run of such a program waits for its end. The word has a symc_status in bits 0 to
   * 7, the number of the reason (refusals.h of the runtime's core) above it, and the number of the
   * launch from bit 32 on. */
  int64_t status_offset;
  const symc_cuda_host_step *host_steps;
  int64_t host_bytes; /* of the CPU's memory that they need */
  /* Where its weights begin in the file's, for them; arguments of kernels count from the file's. */
  int64_t weights_offset;
  /* NULL: no kernel has one. It came when no file with this ABI had been released. */
  const symc_cuda_map *maps;
} symc_cuda_program;

/* Starts all kernels of the program, in order, in the frame's stream: one by one, or as the graph
 * that the context whose run this is has of them. Returns when they are in the stream; a step on
 * the CPU waits for those before it. Thread-safe. SYMC_STATUS_OK, or NO_CODE where no context has
 * the program on the frame's device, LAUNCH_FAILED, NO_DEVICE_MEMORY, DEVICE_LOST, DRIVER_FAILED,
 * OUT_OF_MEMORY, with a sentence in the frame; or what a step on the CPU returns. */
int32_t symc_cuda_run(const symc_frame *frame, const symc_cuda_program *program);

/* The device's functions. Its driver is opened with the first context. */
extern const struct symc_device symc_cuda_device;

#ifdef __cplusplus
}
#endif
#endif

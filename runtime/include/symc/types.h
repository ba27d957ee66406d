/* types.h: what programs pass to a compiled model: tensors, options, flags and statuses, in C11 and
 * C++. symc/runtime.h includes this file, and the header of every model holds its text, so that
 * such a header is complete by itself; the first of them in a program serves all others. */
#ifndef SYMC_TYPES_H
#define SYMC_TYPES_H

#include <stddef.h>
#include <stdint.h>

#define SYMC_ABI_VERSION 10u /* of all structures that models and programs share */

#ifdef __cplusplus
extern "C" {
#endif

/* Every status with its number and its sentence. */
#define SYMC_STATUS_LIST(X)                                                                        \
  X(OK, 0, "the call succeeded")                                                                   \
  X(BAD_ARGUMENT, 1, "a pointer that must not be NULL is NULL, or a value is out of its range")    \
  X(BAD_COUNT, 2, "the number of tensors differs from what the model takes")                       \
  X(BAD_NAME, 3, "the model has no input, output, parameter or state of that name")                \
  X(BAD_DTYPE, 4, "a tensor's element type differs from what the model takes")                     \
  X(BAD_SHAPE, 5, "a tensor's rank or an extent differs from what the model takes")                \
  X(BAD_ALIGNMENT, 6, "supplied memory is not aligned to 64 bytes")                                \
  X(BAD_MODEL, 7, "the model table is damaged or was made for another version of the runtime")     \
  X(BAD_ISA, 8, "the instruction set that was requested is not in the file")                       \
  X(UNSUPPORTED_CPU, 9, "the processor lacks the instruction set that the code needs")             \
  X(OUT_OF_MEMORY, 10, "memory could not be allocated")                                            \
  X(ARENA_TOO_SMALL, 11, "the supplied arena is smaller than the model needs")                     \
  X(NO_WEIGHTS, 12, "the model has no weights yet: none embedded, no side file, none supplied")    \
  X(BAD_WEIGHTS, 13, "the side file of weights cannot be read or belongs to another model")        \
  X(NO_PREPARE, 14, "the model was compiled without the function that prepares parameters")        \
  X(NO_THREADS, 15, "the system refused to start a thread")                                        \
  X(NO_KERNEL, 16, "the op table has no kernel for that operator and element type")                \
  X(TABLE_FULL, 17, "the op table has no room for another registered kernel")                      \
  X(RUN_FAILED, 18, "a step of the model failed")                                                  \
  X(NO_LIBRARY, 19, "a shared library that the model needs cannot be opened or lacks a function")  \
  X(BAD_DEVICE, 20, "a tensor lies in the memory of another device than the model works on")       \
  X(NO_DRIVER, 21, "the driver of the device is not installed")                                    \
  X(OLD_DRIVER, 22, "the driver of the device is too old for the code")                            \
  X(NO_DEVICE, 23, "the machine has no device of the kind that the code is for")                   \
  X(BAD_ORDINAL, 24, "the machine has no device of that kind with that number")                    \
  X(NO_CODE, 25, "the file has no code for the device")                                            \
  X(NO_DEVICE_MEMORY, 26, "the device has not enough free memory")                                 \
  X(LAUNCH_FAILED, 27, "the device refused to start a kernel")                                     \
  X(DEVICE_LOST, 28, "work on the device failed, and the process cannot use the device any more")  \
  X(DRIVER_FAILED, 29, "a call of the device's driver failed")                                     \
  X(BAD_PICTURE, 30, "a picture cannot be read or does not fit the input")                         \
  X(NO_GRADIENTS, 31, "the model was compiled without gradients")                                  \
  X(NO_FORWARD, 32,                                                                                \
    "backward needs a forward run before it, with no other run, failed forward "                   \
    "run or new weights between")                                                                  \
  X(NO_TRAINING, 33, "the model was not compiled by symc train")

/* SYMC_STATUS_OK, SYMC_STATUS_BAD_ARGUMENT, ... */
typedef enum symc_status {
#define SYMC_STATUS_VALUE(name, value, sentence) SYMC_STATUS_##name = value,
  SYMC_STATUS_LIST(SYMC_STATUS_VALUE)
#undef SYMC_STATUS_VALUE
} symc_status;

/* Element types; the numbers are MXNet's type flags, as written in files. */
typedef enum symc_dtype {
  SYMC_F32 = 0,
  SYMC_F64 = 1,
  SYMC_F16 = 2,
  SYMC_U8 = 3,
  SYMC_I32 = 4,
  SYMC_I8 = 5,
  SYMC_I64 = 6,
  SYMC_BOOL = 7,
  SYMC_I16 = 8,
  SYMC_U16 = 9,
  SYMC_U32 = 10,
  SYMC_U64 = 11,
  SYMC_BF16 = 12
} symc_dtype;

/* A dense row-major tensor. Never owns anything. Zero in the last two fields is the CPU. */
typedef struct symc_tensor {
  void *data;           /* may be NULL only where an argument is optional and absent */
  const int64_t *shape; /* rank extents, in memory of the CPU */
  int32_t rank;
  int32_t dtype;   /* symc_dtype */
  int32_t device;  /* in whose memory data lies: 0 of the CPU, 1 of a CUDA device */
  int32_t ordinal; /* which device of that kind */
} symc_tensor;

typedef struct symc_model symc_model;     /* the constant table of a model (symc/abi.h) */
typedef struct symc_context symc_context; /* an independent instance of a model */
typedef struct symc_pool symc_pool;       /* threads that contexts share */
typedef struct symc_device symc_device;   /* the functions of a device (symc/runtime.h) */

/* Memory hooks for the CPU: both or none. allocate returns NULL where there is no memory;
 * alignment is a power of two, of which bytes is a multiple; release gets the same number of bytes.
 * Called by create, set_parameters, run_image, backward and destroy, never by run. */
typedef struct symc_allocator {
  void *(*allocate)(void *user, size_t bytes, size_t alignment);
  void (*release)(void *user, void *memory, size_t bytes);
  void *user;
} symc_allocator;

/* symc_options.flags, a sum of these. Weights of a side file are read, compared with their hash,
 * and shared by the contexts of a process that have no allocator. */
enum {
  SYMC_VERIFY_WEIGHTS = 1, /* compare the hash of embedded, supplied and mapped weights, too */
  SYMC_TRUST_WEIGHTS = 2,  /* compare no hash; refused beside SYMC_VERIFY_WEIGHTS */
  SYMC_MAP_WEIGHTS = 4,    /* map a side file, as SYMC_MAP_WEIGHTS=1 of the environment */
  SYMC_ASYNCHRONOUS = 8,   /* runs on another device than the CPU do not wait for their work */
  /* On the CPU numbers nearer to zero than the least normal one (of float32 1.2e-38) are zeros, as
   * with SYMC_FLUSH_DENORMALS=1 of the environment: read and written. Many processors take a
   * hundred cycles for each such number. */
  SYMC_FLUSH_DENORMALS = 16,
  SYMC_ALL_FLAGS = 31 /* the sum; others are refused */
};

/* All zero means all defaults. Nothing here is read after the context is made but the memory of
 * arena, weights, pool and device, and the stream, which stay the caller's and must outlive the
 * context. */
typedef struct symc_options {
  int32_t threads; /* 0: SYMC_THREADS, or 1. More than 1 makes a pool of the context's own */
  int32_t flags;   /* SYMC_VERIFY_WEIGHTS and so on, above */
  symc_pool *pool; /* NULL or a shared pool; then `threads` must be 0 */
  symc_allocator allocator;  /* zero: aligned_alloc and free */
  void *arena;               /* NULL: the context allocates it. Aligned to 64 bytes */
  size_t arena_bytes;        /* of `arena` */
  const void *weights;       /* NULL or prepared weights. Aligned to 64 bytes */
  size_t weights_bytes;      /* of `weights` */
  const char *weights_file;  /* NULL, or the side file, instead of SYMC_WEIGHTS and the default */
  const char *isa;           /* NULL, or the instruction set, instead of SYMC_ISA and the best */
  char *error;               /* NULL, or where a failing create writes its sentence */
  size_t error_bytes;        /* of `error`, the terminator included */
  const symc_device *device; /* NULL, or functions instead of the table's for the code's device */
  void *stream;              /* of the device: runs and copies of the context are put in it */
  int32_t ordinal;           /* which device of its kind */
  int32_t reserved;
  /* NULL, or "cpu", "cuda", "cuda:1", whose number replaces `ordinal`: instead of SYMC_DEVICE and
   * the first that works */
  const char *device_name;
} symc_options;

/* When a step of training (symc/train.h) changes a parameter. Bits are the same. */
typedef enum symc_updates {
  /* As soon as the step has its gradient and reads it no more, while the gradient is in the cache:
   * so at first. Nothing can fail from then on: a step that fails changes nothing. Where
   * symc_watch_gradients has set somebody it is as with DEFERRED. */
  SYMC_UPDATES_FUSED = 0,
  SYMC_UPDATES_DEFERRED = 1, /* behind the whole backward part */
  /* Fused, and a gradient takes the memory of others whose parameters have changed: behind such a
   * step there are no gradients for symc_get_gradient and symc_update. Of the memory that is
   * reserved for all of them, what no step has used takes no pages. */
  SYMC_UPDATES_WITHOUT_GRADIENTS = 2
} symc_updates;

/* The rates of one step of training (symc/train.h). A number that is NaN is the value that was
 * compiled, or that symc_set_hyper set; symc_hyper_defaults() has NaN in all of them. */
typedef struct symc_hyper {
  uint32_t bytes; /* sizeof(symc_hyper) */
  uint32_t flags; /* 0 */
  double learning_rate;
  double weight_decay; /* wd */
  double momentum;
  double rescale_gradient; /* rescale_grad: what gradients are multiplied by, at first 1 / batch */
  double clip_gradient;    /* bound of a gradient's elements; none where it is not positive */
} symc_hyper;

static inline symc_hyper symc_hyper_defaults(void) {
  union {
    uint64_t bits;
    double value;
  } nan;
  symc_hyper hyper;
  nan.bits = 0x7ff8000000000000u;
  hyper.bytes = (uint32_t)sizeof hyper;
  hyper.flags = 0;
  hyper.learning_rate = hyper.weight_decay = hyper.momentum = nan.value;
  hyper.rescale_gradient = hyper.clip_gradient = nan.value;
  return hyper;
}

enum { SYMC_SCHEDULE_NUMBERS = 4 }; /* what symc_get_schedule gives */

/* The application's threads: calls body(argument, i) once for each i in 0..count-1, in any order
 * and on any thread, and returns when all have returned. */
typedef void (*symc_parallel_for_fn)(void *user, void (*body)(void *argument, int64_t index),
                                     void *argument, int64_t count);

#ifdef __cplusplus
}
#endif
#endif

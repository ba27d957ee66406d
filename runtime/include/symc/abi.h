/* abi.h: what generated code and the runtime agree on, byte for byte.
 *
 * Everything here is plain C11 with fixed-width fields, so that the compiler
 * can lay the structures out as constants without a C compiler. Applications
 * include runtime.h instead; this page is for codegen, the
 * runtime and kernels. A change of any layout raises SYMC_ABI_VERSION (types.h). */
#ifndef SYMC_ABI_H
#define SYMC_ABI_H

#include "types.h"

#if SYMC_ABI_VERSION != 10u
#error "a model's header that is included before symc/abi.h has another ABI version"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SYMC_MODEL_MAGIC 0x434d5953u /* "SYMC" */
#define SYMC_ALIGN 64                /* of arena, weights and every buffer in them, bytes */
#define SYMC_MAX_RANK 8

/* Kinds of devices. The runtime's table (symc_find_device) has the functions of the CPU; those of
 * another device come with a model that has code for it (symc_variant.functions). */
enum { SYMC_DEVICE_CPU = 0, SYMC_DEVICE_CUDA = 1, SYMC_DEVICE_COUNT = 2 };

/* What a context on another device has in the memory of the CPU, for steps that run there. */
typedef struct symc_host {
  const uint8_t *weights; /* prepared weights */
  uint8_t *memory;        /* for copies of what steps work on; grows with what they need */
  uint64_t bytes;         /* of memory */
} symc_host;

/* What one run of a model works on; generated code reads nothing else, and takes the places of
 * the fields from this declaration. Frames are made by the runtime alone, every field of them:
 * for runs by symc_create, for the preparation of weights by symc_prepare. */
typedef struct symc_frame {
  uint8_t *arena;         /* variant's arena_bytes, SYMC_ALIGN-aligned */
  const uint8_t *weights; /* prepared weights, SYMC_ALIGN-aligned; symc_model.prepare writes them */
  void *const *io;        /* data pointers: inputs in order and states as the run finds them, then
                             outputs in order and states as it leaves them */
  int64_t *dims;          /* one value for each symbolic size; a step may decide one */
  symc_pool *pool;        /* NULL: run every task on the calling thread */
  uint64_t seed;          /* of random operators */
  uint64_t iteration;     /* number of the run with this seed, mixed with a loop's iteration */
  void *stream;           /* of the device, where work is put in order; NULL: its default one */
  char *error;            /* where a run that fails writes a sentence; NULL: nowhere */
  int32_t error_bytes;    /* of error, the terminator included */
  int32_t ordinal;        /* which device of its kind */
  symc_host *host;        /* of a context on another device than the CPU, else NULL */
} symc_frame;

/* One task of one step. Tasks of a step write disjoint memory and may run in any order. */
typedef void (*symc_task_fn)(const symc_frame *frame, int64_t task);

/* Threads. What lies behind the functions is the business of the library that made the pool;
 * contexts of other libraries, each with a runtime of its own, use it by calling them. */
struct symc_pool {
  uint32_t abi_version; /* SYMC_ABI_VERSION of the maker */
  int32_t threads;      /* that work on a call, the caller included */
  /* Runs fn(frame, 0..tasks-1), each once; returns when all are done. Any thread may call it. */
  void (*parallel)(symc_pool *pool, const symc_frame *frame, symc_task_fn fn, int64_t tasks);
  void (*destroy)(symc_pool *pool);
};

/* Runs fn(frame, 0..tasks-1), each once, on the frame's pool; returns when all are done. */
void symc_parallel(const symc_frame *frame, symc_task_fn fn, int64_t tasks);

/* A graph that a loop or choice runs: its inputs, then its outputs, are frame.io. */
typedef struct symc_body {
  int32_t (*run)(const symc_frame *frame);
  int64_t arena_bytes;
  int32_t n_inputs;
  int32_t n_outputs;
  int32_t first_dtype; /* symc_dtype of output 0 */
  int32_t reserved;
} symc_body;

/* How generated code calls a kernel of the runtime's op table. `params` points to
 * symc_<op>_params from the file of the operator's family in symc/generated/op_params, in which
 * every field is 8 bytes wide. */
typedef struct symc_kernel_args {
  const symc_tensor *inputs;
  const symc_tensor *outputs;
  const void *params;
  void *scratch; /* scratch_bytes of the kernel's row; SYMC_ALIGN-aligned */
  int64_t scratch_bytes;
  int32_t n_inputs;
  int32_t n_outputs;
  const symc_frame *frame; /* of the run; NULL where a kernel is called by itself */
  const symc_body *bodies; /* what control flow runs, NULL elsewhere; arenas end the scratch */
  uint64_t random_stream;  /* separates the random numbers of one node from those of others */
} symc_kernel_args;

/* Returns a symc_status; 0 is success. */
typedef int32_t (*symc_kernel_fn)(const symc_kernel_args *args);

/* Calls the kernel of a custom operator, a symc_op_kernel_fn of custom_op.h. Returns
 * SYMC_STATUS_RUN_FAILED where it fails, with its sentence in frame->error. */
struct symc_op_call;
int32_t symc_call_custom(int32_t (*kernel)(const struct symc_op_call *call),
                         const symc_kernel_args *args);

/* Puts "node '<node>': " before the reason that a kernel left in frame->error, or before the
 * sentence of its status where it left none. The sentence of a node of a loop's body gets the name
 * of the loop as well. */
void symc_name_failure(const symc_frame *frame, int32_t status, const char *node);

/* Flags of symc_tensor_info. */
enum {
  SYMC_TENSOR_OPTIONAL = 1, /* read by no live node (a label in prediction): may be left out */
  /* With gradients: an input that symc_backward takes (the gradient of an output, or what a
   * gradient is added to), an output that it gives (a gradient), a state that it changes. Inputs
   * and outputs of symc_forward come before them. */
  SYMC_TENSOR_BACKWARD = 2,
  SYMC_TENSOR_LABEL = 4 /* of a trainer's step: prediction does not read it */
};

/* One input, output, parameter or state. An extent e >= 0 is fixed; e < 0 is symbolic size number
 * -(e+1) for inputs. Outputs of a model with symbolic sizes hold their largest extents here. */
typedef struct symc_tensor_info {
  const char *name;
  const int64_t *shape;
  int64_t max_bytes; /* bytes at the largest extents */
  int32_t rank;
  int32_t dtype;
  uint32_t flags;
  uint32_t reserved;
} symc_tensor_info;

/* Memory of a context that a run changes. The next run reads what the last one left.
 * An auxiliary state has fixed extents; its first value lies in the prepared weights, row-major.
 * A state that grows (capacity > 0) begins with no rows along `axis`, and each run appends some in
 * its place: rows lie where they would if it had `capacity` of them. tensor.shape[axis] is
 * -(1 + size), as of inputs: the size has the length before the run, and output_shapes fills in,
 * behind the extents of all outputs, that behind the run of each such state, in their order. */
typedef struct symc_state_info {
  symc_tensor_info tensor;
  int64_t image_offset; /* of the first value in the prepared weights, bytes */
  int64_t capacity;     /* of a state that grows, rows; else 0 */
  int32_t axis;         /* along which it grows */
  int32_t stored; /* of one that grows: its type in memory where that is not tensor.dtype, which
                     callers see, SYMC_F16 or SYMC_BF16; else 0 */
} symc_state_info;

/* A size that is known only at run time, min <= value <= max. */
typedef struct symc_dim_info {
  const char *name; /* e.g. "data[2]" */
  int64_t min, max;
} symc_dim_info;

/* What a run needs of its sizes beyond their ranges. */
typedef struct symc_condition {
  const char *sentence; /* "node 'pool0': data has shape [1, s0, 8]: ...", with sizes as s0, s1 */
  const int32_t *sizes; /* numbers of those that it is about */
  int32_t n_sizes;
  int32_t reserved;
} symc_condition;

/* The batch sizes that a model has code for. It takes any sum of them as its number of rows,
 * dims[0], and computes as many rows at once as go into what is left. */
typedef struct symc_batches {
  const int64_t *sizes;     /* largest first */
  const int64_t *least;     /* for each remainder of a division by the smallest size, the
                               smallest sum that leaves it; -1 for none */
  const int64_t *row_bytes; /* of each input, then each output; 0: the same for all rows */
  int32_t n_sizes, n_io;
} symc_batches;

/* Runs code[i], which computes sizes[i] rows, on one part of the frame's rows after another.
 * `io`: room for n_io pointers. Returns the first symc_status that is not 0. */
int32_t symc_run_batches(const symc_frame *frame, const symc_batches *batches,
                         int32_t (*const *code)(const symc_frame *), void **io);

/* The code of one instruction set, or of one kind of device. Arena, weights, states and io lie in
 * the memory of its device; run itself is called on the CPU. */
typedef struct symc_variant {
  const char *isa;    /* "x86-64-v3" */
  uint64_t cpu_level; /* what symc_cpu_level() must reach; 0 runs anywhere */
  int64_t arena_bytes;
  /* 0, a symc_status, or -(1 + i) where a size that values decided violates condition i. */
  int32_t (*run)(const symc_frame *frame);
  int32_t device;     /* SYMC_DEVICE_CPU, ... */
  int32_t n_programs; /* of `programs` */
  /* What the device gets ready before the first run, in a form of its own: symc_cuda_program. */
  const void *const *programs;
  /* Its functions, as the model links them: symc_cuda_device. NULL: those of the runtime's table */
  const struct symc_device *functions;
  /* With gradients the two parts of run, else NULL. What backward reads of forward lies in the
   * arena; io holds what is of the part alone, and states. */
  int32_t (*forward)(const symc_frame *frame);
  int32_t (*backward)(const symc_frame *frame);
} symc_variant;

/* A shared library that kernels call, found when a context is created. The first of `files`
 * that the system opens and that has every symbol serves, for the length of the process. */
typedef struct symc_library {
  const char *name;           /* "LAPACK": what messages call it */
  const char *const *files;   /* "libopenblas.so.0", in the order in which they are tried */
  const char *const *symbols; /* of the functions; at least one */
  void **functions;           /* gets their addresses, for kernels; the first is NULL until then */
  int32_t n_files, n_symbols;
  int32_t (*open)(
      const struct symc_library *library); /* symc_open_library, as the model links it */
} symc_library;

/* Opens the library and writes the addresses, unless that was done before. Thread-safe.
 * SYMC_STATUS_OK or SYMC_STATUS_NO_LIBRARY. */
int32_t symc_open_library(const symc_library *library);

/* Pixels of n pictures, [n, height, width, channels] or [n, channels, height, width] (planes),
 * values 0..255; channels are 1 (gray), 3 (RGB) or 4 (RGBA). */
typedef struct symc_pixels {
  const uint8_t *data;
  int64_t n, height, width, channels;
  int32_t planes;
} symc_pixels;

/* What symc_run_image is given as an input: pixels, or the PNG or JPEG file that holds them; and
 * the extents of the input that it becomes. */
typedef struct symc_picture {
  symc_pixels pixels;  /* data is NULL where they are in a file */
  const uint8_t *file; /* or NULL */
  size_t file_bytes;
  int64_t shape[SYMC_MAX_RANK];
} symc_picture;

/* The preprocessing of a model's inputs, and the functions that do it, as a model with
 * preprocessing links them (runtime/pictures). open and fill return SYMC_STATUS_OK, or
 * SYMC_STATUS_BAD_PICTURE with a sentence. */
struct symc_preprocess;
typedef struct symc_pictures symc_pictures;
struct symc_pictures {
  const struct symc_preprocess *inputs; /* one for each input */
  /* Looks at what is given for input `index`. */
  int32_t (*open)(const symc_pictures *pictures, int32_t index, const symc_tensor_info *input,
                  const symc_tensor *given, symc_picture *picture, char *error, size_t error_bytes);
  /* Makes the input of it: `data` has room for its extents and is aligned to its elements. */
  int32_t (*fill)(const symc_pictures *pictures, int32_t index, const symc_tensor_info *input,
                  const symc_picture *picture, void *data, char *error, size_t error_bytes);
  /* The pixels of a PNG or JPEG file, which release frees, or 0 and why in *reason. With channels 0
   * width and height alone. NULL where no decoder was requested. */
  int32_t (*decode)(const uint8_t *file, size_t bytes, int32_t channels, int32_t *width,
                    int32_t *height, uint8_t **pixels, const char **reason);
  void (*release)(uint8_t *pixels);
};

/* Where an input of a program of training comes from. */
enum {
  SYMC_FROM_CALLER = 0,    /* input `index` of a step: data or a label */
  SYMC_FROM_PARAMETER = 1, /* parameter `index` */
  SYMC_FROM_STATE = 2      /* state `index` of the training program */
};
typedef struct symc_source {
  int32_t kind, index;
} symc_source;

/* A parameter of a trainer, beside its row in symc_model.parameters. */
typedef struct symc_trained {
  int32_t gradient;        /* which output of the training program is its gradient; -1: frozen */
  int32_t is_state;        /* 1: an auxiliary state that no run changes */
  double lr_mult, wd_mult; /* what the rates are multiplied by */
  int64_t image_offset;    /* of its first value in the weights, bytes; -1: it has none there */
  const char *initializer; /* its attribute __init__, or NULL */
  const char *role;        /* the name of the operand that it is first used for, or "" */
  int32_t
      is_fixed_gamma; /* 1: a normalisation takes it as 1 (fix_gamma), as it is before updates */
  int32_t reserved;
} symc_trained;

/* What a model that `symc train` compiled has beside its table (symc/train.h). That table is the
 * training program's: inputs are data, labels and parameters; outputs are the graph's and then
 * gradients. symc_model.parameters lists the parameters, whose first values lie behind the prepared
 * weights of the training program, in the same bytes. */
struct symc_training_work;
struct symc_optimizer_row;
typedef struct symc_training {
  /* The same graph in prediction mode, which prepares its weights; NULL: `predict` is there. */
  const symc_model *prediction;
  const symc_trained *parameters;
  const symc_tensor_info *inputs;  /* what a step takes */
  const int64_t *classes;          /* of each: its integers are below; 0: any numbers */
  const symc_source *sources;      /* of each input of the training program */
  const symc_source *predicted_of; /* of each input of the prediction program */
  const symc_source *prepared_of;  /* of each raw parameter that it prepares weights of */
  const struct symc_optimizer_row *optimizer; /* as the model links it */
  const double *values;                       /* its hyper-parameters, as they were compiled */
  const char *initializer;               /* of parameters without a value; NULL: MXNet's default */
  const struct symc_training_work *work; /* the runtime's functions, as the model links them */
  int32_t n_inputs, n_heads, n_values;
  int32_t reserved;
  /* Of each variant the run that checks what its steps write (codegen/lower/Watched.h). */
  int32_t (*const *watched)(const symc_frame *frame);
  /* The same of the run of those of its steps that predict (codegen/plan/PredictionSteps.h), which
   * reads inputs without SYMC_TENSOR_LABEL, and gives the outputs that are no gradients. */
  int32_t (*const *predict)(const symc_frame *frame);
} symc_training;

/* The metadata table of a compiled model: symbol <prefix>_model. */
struct symc_model {
  uint32_t magic; /* SYMC_MODEL_MAGIC */
  uint32_t abi_version;
  const char *name;     /* the prefix */
  const char *compiler; /* "symc 0.1.0" */
  const char *triple;
  const symc_tensor_info *inputs;
  const symc_tensor_info *outputs;
  const symc_tensor_info *parameters; /* raw parameters that prepare reads, in its order */
  const symc_dim_info *dims;
  const symc_variant *variants; /* best first; the last runs wherever the file runs */
  /* Fills the extents of all outputs, one after the other, from the symbolic sizes.
   * NULL when every output is static, or only its number of rows is not (batches). */
  void (*output_shapes)(const int64_t *dims, int64_t *extents);
  /* Makes prepared weights from raw parameters: io are the parameters' data, the arena has
   * prepare_arena_bytes, there are no sizes. NULL when not emitted. */
  int32_t (*prepare)(const symc_frame *frame);
  int64_t prepare_arena_bytes;
  const uint8_t *weights;   /* embedded prepared weights, or NULL */
  const char *weights_file; /* side file beside the program, or NULL */
  uint64_t weights_bytes;
  uint64_t weights_hash; /* see SYMC_WEIGHTS_PIECE_BYTES */
  int32_t n_inputs, n_outputs, n_parameters, n_dims, n_variants;
  int32_t n_libraries;
  const symc_library *libraries;
  const symc_state_info *states; /* that a run changes, in the order of the frame's io */
  int32_t n_states;
  int32_t n_conditions;
  /* NULL where one size, or a range, is computed at once. Else dims[0] is the number of rows,
   * its max the largest size, though not the largest sum. */
  const symc_batches *batches;
  const symc_condition *conditions;
  /* The number of the first condition that the sizes violate, or -1; sets sizes that are clips of
   * others. What is about sizes that values decide is left to run. NULL where there are none. */
  int32_t (*check_sizes)(const int64_t *dims);
  const symc_pictures *pictures; /* NULL: no input was compiled with preprocessing */
  uint32_t flags;                /* of symc_options that every context has: SYMC_FLUSH_DENORMALS */
  uint32_t reserved;
  const symc_training *training; /* NULL: the model was not compiled by symc train */
};

/* The first bytes of a side file of weights. The prepared bytes follow at offset
 * header_bytes, exactly weights_bytes of them, and the file ends there. All fields are
 * little-endian; the model that opens the file compares every one with its own table. */
#define SYMC_WEIGHTS_MAGIC "SYMCWTS1" /* 8 characters, without the terminator */
#define SYMC_WEIGHTS_HEADER_BYTES 4096
/* The hash of prepared weights is xxh3_64 of their first piece, then, for each further piece,
 * xxh3_64 of two words: the hash so far and the piece's own. */
#define SYMC_WEIGHTS_PIECE_BYTES ((size_t)64 << 20)
typedef struct symc_weights_header {
  char magic[8];
  uint32_t abi_version;
  uint32_t header_bytes; /* SYMC_WEIGHTS_HEADER_BYTES; the rest of the header is zero */
  uint64_t weights_bytes;
  uint64_t weights_hash; /* see SYMC_WEIGHTS_PIECE_BYTES */
} symc_weights_header;

/* What is done to a picture, or to an array of bytes, before it becomes the input: value = (pixel *
 * scale - mean[c]) / std[c], pixel in 0..255. The input is [N, C, H, W] (or [N, H, W, C], see
 * model_layout), [C, H, W], [H, W] or [N, C*H*W]. */
typedef enum symc_pixel_layout { SYMC_NCHW = 0, SYMC_NHWC = 1 } symc_pixel_layout;
typedef enum symc_pixel_order { SYMC_RGB = 0, SYMC_BGR = 1, SYMC_GRAY = 2 } symc_pixel_order;
typedef enum symc_resize {
  SYMC_RESIZE_NONE = 0,    /* sizes must fit as they are */
  SYMC_RESIZE_STRETCH = 1, /* bilinear to the input's height and width */
  SYMC_RESIZE_CROP = 2     /* shorter side to resize_short (0: just large enough), centre crop */
} symc_resize;
typedef struct symc_preprocess {
  int32_t enabled;       /* 0: nothing was requested for this input */
  int32_t source_layout; /* symc_pixel_layout of arrays and raw bytes; pictures are NHWC */
  int32_t model_layout;  /* symc_pixel_layout of the input */
  int32_t order;         /* symc_pixel_order that the model needs */
  int32_t resize;        /* symc_resize */
  int32_t resize_short;  /* pixels */
  int32_t channels;      /* entries of mean and std that are set: 1 (for all), 3 or 4 */
  int32_t reserved;
  double scale;
  double mean[4];
  double std[4];
  const float *mean_image; /* [C, H, W] of the input; subtracted in the place of mean, and before
                            * scale; NULL: none */
} symc_preprocess;

/* What an executable compiles in beside the model. Its program finds it as
 * `symc_main_program`, a weak symbol, which an executable without labels leaves out. */
typedef struct symc_program {
  const char *const *labels; /* n_labels names of the classes, or NULL */
  int64_t n_labels;
  /* Of a trainer, else NULL: the symbol's JSON, for its checkpoints, and what --optimizer was. */
  const char *symbol_json;
  const char *optimizer;
} symc_program;

#ifdef __cplusplus
}
#endif
#endif

/* custom_op.h: operators of your own, described in C.
 *
 * A library describes its operators (inputs, outputs, parameters, shapes, element types) and has
 * a kernel for each element type that they take. The compiler calls the description when a model
 * is compiled (--custom-op), a compiled model calls the kernels. This page needs no other and is
 * the whole of what both sides agree on; docs/custom-operators.md is its manual. Rules:
 *   - what a description points to lives as long as its library;
 *   - lists end in an entry without a name; strings are zero-terminated, NULL is "none";
 *   - functions may be called by any thread, several at once, and keep nothing between calls;
 *   - functions return 0, or another number for a failure, and write a sentence about it to
 *     `message`, which has SYMC_OP_MESSAGE_BYTES and begins empty. */
#ifndef SYMC_CUSTOM_OP_H
#define SYMC_CUSTOM_OP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define SYMC_OP_C extern "C"
#else
#define SYMC_OP_C
#endif

/* Raised when a structure of this page changes; new fields at the end of symc_op do not. */
#define SYMC_OP_VERSION 1u
#define SYMC_OP_MAX_RANK 8
#define SYMC_OP_MAX_VALUES 64 /* inputs and outputs of an operator */
#define SYMC_OP_MESSAGE_BYTES 256

/* Element types; the numbers are MXNet's. */
typedef enum symc_op_dtype {
  SYMC_OP_FLOAT32 = 0,
  SYMC_OP_FLOAT64 = 1,
  SYMC_OP_FLOAT16 = 2,
  SYMC_OP_UINT8 = 3,
  SYMC_OP_INT32 = 4,
  SYMC_OP_INT8 = 5,
  SYMC_OP_INT64 = 6,
  SYMC_OP_BOOL = 7,
  SYMC_OP_INT16 = 8,
  SYMC_OP_UINT16 = 9,
  SYMC_OP_UINT32 = 10,
  SYMC_OP_UINT64 = 11,
  SYMC_OP_BFLOAT16 = 12
} symc_op_dtype;

/* --- Parameters ---------------------------------------------------------- */

/* Functions get parameters as a structure of the library's own, with one field for each in the
 * order of the list, every one 8 bytes wide or two times that. In front of one whose
 * default is "None" stands an int64_t, 1 where there is a value: */
typedef enum symc_op_kind {
  SYMC_OP_INT = 0,    /* int64_t; 32 bits of it */
  SYMC_OP_FLOAT = 1,  /* double; the value of a float */
  SYMC_OP_DOUBLE = 2, /* double */
  SYMC_OP_CHOICE = 3, /* int64_t: the place in `values` */
  SYMC_OP_FLAG = 4,   /* int64_t: 0 or 1 */
  SYMC_OP_INTS = 5,   /* symc_op_ints: "(3, 3)" */
  SYMC_OP_FLOATS = 6, /* symc_op_floats */
  SYMC_OP_TEXT = 7    /* const char * */
} symc_op_kind;
typedef struct symc_op_ints {
  int64_t n;
  const int64_t *v;
} symc_op_ints;
typedef struct symc_op_floats {
  int64_t n;
  const double *v;
} symc_op_floats;

typedef struct symc_op_param {
  const char *name;
  int32_t kind; /* symc_op_kind */
  int32_t reserved;
  const char *default_text;  /* as MXNet writes it: "2.0", "(1, 1)", "true"; NULL: must be given */
  const char *doc;           /* one line */
  const char *min, *max;     /* of a number, both allowed: "0"; NULL: any */
  const char *const *values; /* of SYMC_OP_CHOICE, NULL at the end */
} symc_op_param;

/* --- Inputs and outputs -------------------------------------------------- */

enum {
  /* Of an input: infer_shape and infer_type find what is not known of it (a weight, whose shape
   * follows from the data and the parameters). */
  SYMC_OP_INFERRED = 1
};
typedef struct symc_op_value {
  const char *name;
  uint32_t flags;
  uint32_t reserved;
} symc_op_value;

/* --- What the compiler calls --------------------------------------------- */

#define SYMC_OP_UNKNOWN (-1) /* as a rank or an element type */

typedef struct symc_op_shape {
  int32_t rank; /* 0..SYMC_OP_MAX_RANK, or SYMC_OP_UNKNOWN */
  int32_t reserved;
  int64_t extents[SYMC_OP_MAX_RANK];
} symc_op_shape;

/* Shapes and types of a node. infer_shape finds those of the inputs known, SYMC_OP_INFERRED ones
 * perhaps not, and sets every shape that is not; an input's shape that it changes is a mistake of
 * the graph. infer_type does the same with types; shapes are unknown to it. scratch_bytes finds
 * all of both at the largest sizes that the model takes, and changes nothing. */
typedef struct symc_op_inference {
  symc_op_shape *input_shapes, *output_shapes;
  int32_t *input_types, *output_types; /* symc_op_dtype */
  const void *params;
  int32_t n_inputs, n_outputs;
  char *message;
} symc_op_inference;

/* --- Kernels ------------------------------------------------------------- */

/* Dense and row-major, in memory of the CPU, data aligned to its elements. */
typedef struct symc_op_tensor {
  void *data;
  const int64_t *shape;
  int32_t rank;
  int32_t dtype; /* symc_op_dtype */
} symc_op_tensor;

typedef struct symc_op_call {
  const symc_op_tensor *inputs, *outputs;
  const void *params;
  void *scratch; /* scratch_bytes of memory, aligned to 64 bytes; NULL without any */
  int64_t scratch_bytes;
  int32_t n_inputs, n_outputs;
  char *message;
} symc_op_call;
/* Writes every element of the outputs. The same inputs give the same bits. */
typedef int32_t (*symc_op_kernel_fn)(const symc_op_call *call);

/* The kernel for one element type of the first input (of the first output without inputs). */
typedef struct symc_op_kernel {
  const char *symbol; /* of the function, which has external linkage */
  symc_op_kernel_fn function;
  int32_t dtype; /* symc_op_dtype */
  int32_t reserved;
} symc_op_kernel;
#define SYMC_OP_KERNEL(dtype, function) {#function, function, dtype, 0}

/* --- Operators ----------------------------------------------------------- */

enum {
  /* An element of an output depends on elements at the same place of the inputs alone: all have
   * one shape, infer_shape is NULL. Implies the two below. */
  SYMC_OP_ELEMENTWISE = 1,
  /* Row n of every output depends on rows n of the inputs alone, rows along the first axis. */
  SYMC_OP_ROWS = 2,
  /* An output may lie where an input of the same shape and width of elements lies. */
  SYMC_OP_IN_PLACE = 4,
  /* Gradients of the inputs do not depend on those of the outputs, which are zeros where none
   * arrive: the operator is a loss, and as an output of a model it needs no gradient. */
  SYMC_OP_LOSS = 8
};

/* name, inputs, outputs and params are lists, or NULL beside a schema. */
typedef struct symc_op {
  size_t bytes;                          /* sizeof(symc_op) */
  const char *name;                      /* a C identifier */
  const char *summary;                   /* one line, without a period */
  const char *description;               /* more of it, or NULL */
  const symc_op_value *inputs, *outputs; /* NULL: none; at least one output */
  const symc_op_param *params;           /* NULL: none */
  const symc_op_kernel *kernels;
  uint32_t flags;
  uint32_t reserved;
  int32_t (*infer_shape)(symc_op_inference *node);   /* NULL: all shapes are one */
  int32_t (*infer_type)(symc_op_inference *node);    /* NULL: all element types are one */
  int64_t (*scratch_bytes)(symc_op_inference *node); /* NULL: 0 */
  /* All four in one line, as symc --list-op prints it:
   *   scale(Tensor data, *, float factor=1.0) -> Tensor
   * Types of parameters are int, uint, float, double, bool, str, Shape (symc_op_ints), Floats and
   * {a|b} (SYMC_OP_CHOICE); `?` behind one allows None, so that an int64_t stands in front of the
   * field; without `=` a parameter must be given. NULL: none. */
  const char *schema;
  uint64_t inferred; /* bit i beside a schema: input i is SYMC_OP_INFERRED */
  /* Gradients of the inputs, for programs compiled with --gradients. A call has as inputs those of
   * the operator, then its outputs, then the gradients of these; as outputs the gradients of the
   * inputs, each with the shape and type of its input. Chosen by the type of the first input, as
   * `kernels` are. NULL: the operator has no gradient. */
  const symc_op_kernel *gradient_kernels;
  int64_t (*gradient_scratch_bytes)(symc_op_inference *call); /* all known of that call; NULL: 0 */
  /* What takes the place of `kernels` in these programs, which compute as in training; NULL: they
   * do the same. */
  const symc_op_kernel *training_kernels;
} symc_op;

typedef struct symc_op_library {
  uint32_t version; /* SYMC_OP_VERSION */
  uint32_t reserved;
  const symc_op *const *ops; /* NULL at the end */
} symc_op_library;

#define SYMC_OP_EXPORT __attribute__((visibility("default")))
/* Once in a library, over the addresses of its descriptions: SYMC_OPERATORS(&scale, &shift).
 * Weak, so that the objects of two libraries fit in one program. */
#define SYMC_OPERATORS(...)                                                                        \
  static const symc_op *const symc_op_list[] = {__VA_ARGS__, NULL};                                \
  SYMC_OP_C SYMC_OP_EXPORT __attribute__((weak)) const symc_op_library *symc_operators(void) {     \
    static const symc_op_library library = {SYMC_OP_VERSION, 0, symc_op_list};                     \
    return &library;                                                                               \
  }

#ifdef __cplusplus
}
#endif
#endif

/* runtime.h: how an application creates, runs and questions a compiled model.
 *
 * A model is the constant table `<prefix>_model` (abi.h); a context is one independent
 * instance of it, with an arena and state of its own. Code and weights are shared and
 * read-only. Rules that hold for every function here:
 *   - a function that returns symc_status changes nothing unless it returns SYMC_STATUS_OK;
 *   - pointers must not be NULL unless the text allows it; strings are UTF-8, zero-terminated,
 *     owned by the library, and live as long as the object that returned them;
 *   - one context serves one thread at a time; different contexts, and functions that take
 *     only a model, may be used from any number of threads at once;
 *   - sizes named `bytes` are bytes, extents are elements. */
#ifndef SYMC_RUNTIME_H
#define SYMC_RUNTIME_H

#include "symc/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The status's name ("SYMC_STATUS_BAD_SHAPE") and its sentence, without a final period.
 * An unknown number gives "SYMC_STATUS_UNKNOWN" and "not a status of this runtime". */
const char *symc_status_name(int32_t status);
const char *symc_status_message(int32_t status);

/* --- Element types ------------------------------------------------------- */

/* "f32", "bool", ...; "unknown" for a number that is no symc_dtype. */
const char *symc_dtype_name(int32_t dtype);
/* Bytes of one element; 0 for a number that is no symc_dtype. */
int64_t symc_dtype_bytes(int32_t dtype);
/* Converts `count` elements; the ranges may be equal, but not overlap otherwise. Floats go to
 * narrower floats by round-to-nearest-even, to integers by truncation (out of range saturates,
 * NaN gives 0); integers wrap as in C; any non-zero value gives bool 1.
 * BAD_ARGUMENT, BAD_DTYPE. */
symc_status symc_convert(const void *source, int32_t source_dtype, void *target,
                         int32_t target_dtype, int64_t count);

/* --- Threads ------------------------------------------------------------- */

/* Makes a pool in which `threads` threads work on a call, the caller included; 1..1024.
 * Contexts may share it, those of other models and of other libraries, too: where it is busy, a
 * caller runs its tasks alone, with the same bits.
 * A shared library whose code makes a pool of several threads stays in memory after dlclose, since
 * they sleep in that code; any other one is unloaded.
 * Thread-safe. The caller owns *pool. BAD_ARGUMENT, OUT_OF_MEMORY, NO_THREADS. */
symc_status symc_pool_create(int32_t threads, symc_pool **pool);

/* The application's own threads instead. `user` is passed through. BAD_ARGUMENT, OUT_OF_MEMORY. */
symc_status symc_pool_wrap(symc_parallel_for_fn parallel_for, void *user, int32_t threads,
                           symc_pool **pool);

/* Ends the pool's threads and frees it. No context may use it any more. NULL is allowed. */
void symc_pool_destroy(symc_pool *pool);
/* The number of threads that work on a call; 1 for NULL. */
int32_t symc_pool_threads(const symc_pool *pool);

/* --- Contexts ------------------------------------------------------------ */

/* Makes a context. `options` may be NULL. The caller owns *context; on failure it is NULL.
 * The model must outlive the context. Thread-safe. Contexts of a model on one device share the
 * weights there. Where the file has code for the CPU beside that of another device, and no device
 * was requested, a machine without that device or its driver runs the CPU's.
 * BAD_ARGUMENT, BAD_MODEL, BAD_ISA, UNSUPPORTED_CPU, OUT_OF_MEMORY, ARENA_TOO_SMALL,
 * BAD_ALIGNMENT, BAD_WEIGHTS, NO_THREADS, NO_LIBRARY; of another device than the CPU NO_DRIVER,
 * OLD_DRIVER, NO_DEVICE, BAD_ORDINAL, NO_CODE, NO_DEVICE_MEMORY, DEVICE_LOST, DRIVER_FAILED. */
symc_status symc_create(const symc_model *model, const symc_options *options,
                        symc_context **context);

/* Waits for the work of the context on another device than the CPU and frees everything that the
 * context owns. NULL is allowed. */
void symc_destroy(symc_context *context);

/* Sets the seed of random operators, 0 at first, and begins their numbers anew: the runs that
 * follow draw the same numbers as those after any other call with this seed, whatever the
 * number of threads. Runs that fail draw none: the next one draws theirs. BAD_ARGUMENT. */
symc_status symc_set_seed(symc_context *context, uint64_t seed);

/* Runs the model once. Inputs in the order of symc_model.inputs: all of them, or only those
 * without SYMC_TENSOR_OPTIONAL; an optional input among all may have data NULL. All outputs,
 * in order. Data needs the alignment of its elements. Inputs are only read. An output that
 * overlaps an input or another output is refused (BAD_ARGUMENT). States are read as the last run
 * left them. With one thread this allocates nothing, takes no lock and enters no system call.
 * Tensors lie in the memory of the context's device, where they are used as they are, or of the
 * CPU: those are copied to the device before the run or from it after. With SYMC_ASYNCHRONOUS, on
 * another device than the CPU, the call returns when the work is in the stream: tensors must stay,
 * and errors of the work are those of whoever waits for the stream.
 * Where a check fails no output is touched: BAD_ARGUMENT, BAD_COUNT, BAD_DTYPE, BAD_SHAPE,
 * BAD_ALIGNMENT, BAD_DEVICE, NO_WEIGHTS. Where a step fails outputs are undefined: the step's
 * status, or NO_DEVICE_MEMORY, LAUNCH_FAILED, DEVICE_LOST, DRIVER_FAILED. A run that fails leaves
 * all states as it found them. */
symc_status symc_run(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                     const symc_tensor *outputs, int32_t n_outputs);

/* --- Gradients -----------------------------------------------------------
 * A model with gradients (--gradients) computes them in symc_run together with its outputs, or in
 * two parts. Inputs, outputs and states with SYMC_TENSOR_BACKWARD are those of symc_backward, and
 * stand behind those of symc_forward. Other models return NO_GRADIENTS. */

/* Computes the outputs. Inputs and outputs as symc_run takes them, without those of symc_backward.
 * What symc_backward needs stays in the arena, so that inputs and outputs may go or change before
 * it runs; an arena of the caller has to stay as it is. States that are written in the forward part
 * change. What symc_run returns, or NO_GRADIENTS. */
symc_status symc_forward(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                         const symc_tensor *outputs, int32_t n_outputs);

/* Computes the gradients of the last symc_forward, which succeeded: outputs "grad:NAME" from the
 * inputs "head_grad:OUTPUT", one for each output that is no loss, and "grad:NAME" of arguments
 * whose gradient is added to. Outputs whose data is NULL are left out; the first call that leaves
 * one out allocates memory for them, which the context keeps (OUT_OF_MEMORY). It may run several
 * times after one symc_forward, with other inputs: random operators draw what they drew in it, and
 * states that the backward part writes (moving statistics) change each time. symc_run, a
 * symc_forward that fails in a step and symc_set_parameters leave nothing to run it on: NO_FORWARD.
 * Else what symc_run returns, or NO_GRADIENTS. */
symc_status symc_backward(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                          const symc_tensor *outputs, int32_t n_outputs);

/* Collects `bytes` bytes of every process in `all`, in the order of ranks, and returns 0; or
 * another number, with a sentence in `error`. */
typedef int32_t (*symc_gather_fn)(void *user, const void *own, void *all, size_t bytes, char *error,
                                  size_t error_bytes);
/* Where `ranks` processes make the same runs on parts of a batch: nodes that take statistics over
 * all of them (SyncBatchNorm with ndev above 1, in training) call `gather` during runs, on the
 * thread that makes the run, in the same order in all processes. Such nodes have their own
 * process's statistics before, and with 1 rank again. BAD_ARGUMENT, OUT_OF_MEMORY. */
symc_status symc_join_ranks(symc_context *context, int32_t ranks, symc_gather_fn gather,
                            void *user);

/* Runs the model once on pictures. Of an input that was compiled with --preprocess, u8 tensors in
 * memory of the CPU are taken as pictures: pixels [H, W], [H, W, C] or [N, H, W, C] ([C, H, W] and
 * [N, C, H, W] with the step nchw) with 1, 3 or 4 channels (gray, RGB, RGBA), or, with --images,
 * [bytes] of one PNG or JPEG file. They become the input as the steps prescribe. Other tensors are
 * taken as symc_run takes them. The first call, and one that needs more than those before,
 * allocates memory for the inputs, which the context keeps; a decoder takes and gives back its own.
 * BAD_PICTURE, OUT_OF_MEMORY, and what symc_run returns. */
symc_status symc_run_image(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                           const symc_tensor *outputs, int32_t n_outputs);

/* The sentence of the last failing call on this context: for instance "argument 'data':
 * expected f32 [32, 784], got f32 [32, 785] (dimension 1)". Empty where none failed; for NULL a
 * sentence that states it. The text lives until the next call on the context. */
const char *symc_last_error(const symc_context *context);

/* Replaces the weights by prepared forms of raw parameters, in the order of
 * symc_model.parameters, in memory of the CPU, and gives states the values among them. The
 * parameters are only read, and not needed afterwards. The context holds old and new weights for
 * the length of the call. BAD_ARGUMENT, BAD_COUNT, BAD_DTYPE, BAD_SHAPE, BAD_ALIGNMENT,
 * BAD_DEVICE, NO_PREPARE, OUT_OF_MEMORY, or the status of a step: the old weights stay.
 * Where a copy to the device fails the context has no weights any more: the status of the copy. */
symc_status symc_set_parameters(symc_context *context, const symc_tensor *parameters,
                                int32_t n_parameters);

/* --- States --------------------------------------------------------------
 * What a run changes (moving statistics, momenta) is memory of its context. Two contexts of one
 * model have states of their own, which begin with the values of the weights. */

/* A state that grows (--grow) begins with no rows along its axis; each run reads those that are
 * there and appends its own, in their place. A run for whose rows there is no room is refused
 * (BAD_SHAPE), and so is one of states that share their length and do not have the same. */

/* Copies the value that the next run would read to value->data, whose shape and element type
 * must be those of the state, in memory of the CPU. BAD_ARGUMENT, BAD_NAME, BAD_DTYPE, BAD_SHAPE,
 * BAD_ALIGNMENT, BAD_DEVICE, NO_WEIGHTS, or the status of the device's copy. */
symc_status symc_get_state(symc_context *context, const char *name, const symc_tensor *value);
/* Copies value->data to the state; one that grows has as many rows then. The same statuses. */
symc_status symc_set_state(symc_context *context, const char *name, const symc_tensor *value);
/* Writes the extents that the state has now into extents[0..capacity-1], as many as its rank.
 * BAD_ARGUMENT, BAD_NAME. */
symc_status symc_state_extents(symc_context *context, const char *name, int64_t *extents,
                               int32_t capacity);
/* Leaves a state that grows, or all of them where name is NULL, its first `rows` rows.
 * BAD_ARGUMENT where it does not grow or has fewer, BAD_NAME. */
symc_status symc_truncate_state(symc_context *context, const char *name, int64_t rows);
/* Gives the state, or all of them where name is NULL, the value of the weights again, or no rows.
 * BAD_ARGUMENT, BAD_NAME, NO_WEIGHTS, or the status of the device's copy. */
symc_status symc_reset_state(symc_context *context, const char *name);

/* --- Preparation of weights ---------------------------------------------- */

/* Makes prepared weights, symc_model.weights_bytes of them at `prepared`, which is
 * SYMC_ALIGN-aligned, from raw parameters in the order of symc_model.parameters. Types and
 * extents are those of the table and not looked at. Thread-safe.
 * BAD_ARGUMENT, BAD_ALIGNMENT, NO_PREPARE, OUT_OF_MEMORY, or the status of a step. */
symc_status symc_prepare(const symc_model *model, const symc_tensor *parameters, uint8_t *prepared);

/* --- Questions ----------------------------------------------------------- */

int32_t symc_input_count(const symc_model *model);
int32_t symc_output_count(const symc_model *model);
int32_t symc_parameter_count(const symc_model *model);
int32_t symc_state_count(const symc_model *model);
/* NULL where index is out of range. */
const symc_tensor_info *symc_input(const symc_model *model, int32_t index);
const symc_tensor_info *symc_output(const symc_model *model, int32_t index);
const symc_tensor_info *symc_parameter(const symc_model *model, int32_t index);
const symc_tensor_info *symc_state(const symc_model *model, int32_t index);
/* The index of the tensor of that name, or -1. */
int32_t symc_find_input(const symc_model *model, const char *name);
int32_t symc_find_output(const symc_model *model, const char *name);
int32_t symc_find_parameter(const symc_model *model, const char *name);
int32_t symc_find_state(const symc_model *model, const char *name);

/* Writes the extents of every output, one after the other, for inputs of these shapes (data
 * pointers are not looked at) into extents[0..capacity-1]. The context keeps the sentence.
 * BAD_ARGUMENT, BAD_COUNT, BAD_DTYPE, BAD_SHAPE. */
symc_status symc_infer_outputs(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                               int64_t *extents, int32_t capacity);

/* Writes the extents that the last run gave every output, one after the other, if no other call
 * on the context came between. They are those of symc_infer_outputs but where values decide an
 * extent (boolean_mask): there a run takes an output of the largest, and its elements stand
 * at the front, densely.
 * BAD_ARGUMENT. */
symc_status symc_run_extents(symc_context *context, int64_t *extents, int32_t capacity);

/* Bytes of arena that a context needs at the largest sizes, with the instruction set that
 * this processor would choose, or, in a file without code for the CPU, on its device; 0 where
 * none fits. */
int64_t symc_arena_bytes(const symc_model *model);
/* What a context works with. */
const symc_model *symc_context_model(const symc_context *context);
const symc_variant *symc_context_variant(const symc_context *context);
int32_t symc_context_threads(const symc_context *context);
/* The functions of its device, by which an application may allocate and copy there, and which
 * device of its kind it is. */
const symc_device *symc_context_device(const symc_context *context);
int32_t symc_context_ordinal(const symc_context *context);
/* Where the weights are: "embedded", "side file", "supplied", "parameters" or "none". */
const char *symc_context_weights(const symc_context *context);

/* The processor: 1..4 for x86-64, x86-64-v2, -v3, -v4, more for what extends that (the system must
 * save the wide registers, too), 0 for other machines. */
int32_t symc_cpu_level(void);
/* Whether the system lets this process use that level's registers: those of matrices
 * (x86-64-v4+amx) are requested of Linux, once, by this call. Of other levels 1. */
int32_t symc_cpu_permits(int32_t level);
/* "x86-64-v3" for 3, and so on; "baseline" for 0. */
const char *symc_cpu_level_name(int32_t level);

/* --- Devices ------------------------------------------------------------- */

enum { SYMC_COPY_SYNC = 0, SYMC_COPY_ASYNC = 1 };
enum { SYMC_COPY_TO_DEVICE = 0, SYMC_COPY_FROM_DEVICE = 1, SYMC_COPY_ON_DEVICE = 2 };

/* A device is a row of functions; a context allocates and copies through them alone. The CPU
 * ignores ordinals and streams. All but enter, leave, open and close are called between those
 * two pairs. */
struct symc_device {
  const char *name; /* "cpu", "cuda" */
  symc_status (*allocate)(int32_t ordinal, size_t bytes, size_t alignment, void **memory);
  void (*release)(int32_t ordinal, void *memory, size_t bytes);
  /* SYMC_COPY_TO_DEVICE: source is memory of the CPU; SYMC_COPY_FROM_DEVICE: target is. May
   * return before the copy is done. */
  symc_status (*copy)(void *target, const void *source, size_t bytes, int32_t direction,
                      void *stream);
  symc_status (*synchronize)(void *stream); /* waits for what was put in the stream */
  /* Lets the calling thread use the device, and what it used before again. NULL: nothing to do. */
  symc_status (*enter)(int32_t ordinal, void **previous);
  void (*leave)(void *previous);
  /* Makes the device ready for a variant's programs, or writes why not; close takes them away.
   * NULL: nothing to do. */
  symc_status (*open)(int32_t ordinal, const void *const *programs, int32_t n_programs, char *error,
                      size_t error_bytes);
  void (*close)(int32_t ordinal, const void *const *programs, int32_t n_programs);
  int64_t (*free_bytes)(int32_t ordinal); /* of its memory, -1 unknown; NULL likewise */
  const void *work; /* the runtime's own business, as the model links it; else NULL */
};

/* The row of a device; NULL where there is none. */
const symc_device *symc_find_device(int32_t device);
/* Copies within a device, or between the CPU and another one. ASYNC may return before the copy is
 * done; the other device's synchronize waits for it. BAD_ARGUMENT. */
symc_status symc_copy(int32_t target_device, void *target, int32_t source_device,
                      const void *source, size_t bytes, int32_t mode, void *stream);
/* Lets the calling thread use that device and remembers what it used; leave restores it. Guards
 * nest. BAD_ARGUMENT, or the device's status. */
typedef struct symc_device_guard {
  const symc_device *device;
  void *previous;
} symc_device_guard;
symc_status symc_device_enter(const symc_device *device, int32_t ordinal, symc_device_guard *guard);
void symc_device_leave(const symc_device_guard *guard);

/* --- Op table ------------------------------------------------------------ */

typedef struct symc_kernel {
  const char *mnemonic; /* of the operator */
  const char *isa;      /* "scalar", "x86-64-v2", "x86-64-v3" or "x86-64-v4" */
  symc_kernel_fn function;
  int32_t dtype;
  int32_t device; /* SYMC_DEVICE_CPU */
} symc_kernel;

/* Puts a row before the table's own, until symc_unregister_kernel takes the same pointer out.
 * The row stays the caller's and must live that long. Thread-safe, without locks.
 * BAD_ARGUMENT, BAD_ISA, TABLE_FULL. */
symc_status symc_register_kernel(const symc_kernel *kernel);
/* BAD_NAME where the row is not registered. */
symc_status symc_unregister_kernel(const symc_kernel *kernel);
/* The best row for an operator and element type whose instruction set is `isa` or less, down
 * to the scalar reference; NULL where there is none. Among equals a registered row wins over
 * the table's own (which of two registered equals wins is not promised). `isa` NULL is the
 * processor's own level. */
const symc_kernel *symc_find_kernel(const char *mnemonic, int32_t dtype, int32_t device,
                                    const char *isa);

#ifdef __cplusplus
}
#endif
#endif
